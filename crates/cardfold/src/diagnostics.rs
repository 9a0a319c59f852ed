//! What a tracker counted beside the cards. Knows no card.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// The counters of a tracker (R26): what it saw, what it could not place, what it gave up.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Diagnostics {
    /// Frames given to the tracker, repeats too.
    pub frames: u64,
    /// Frames of a type this build does not know.
    pub unknown_frames: u64,
    /// Status words this build does not know (R16), each time one came.
    pub unknown_words: u64,
    /// The unknown words with their counts, in order of sight; the first 64 different ones.
    pub unknown_word_texts: Vec<(String, u64)>,
    /// Calls, results and messages without a usable id (R2).
    pub blank_ids: u64,
    /// Calls and results that wait for their agent or call (R4).
    pub orphans_waiting: u64,
    /// Calls, results and rows that waited and were given up (R26).
    pub orphans_dropped: u64,
    /// Frames, dispatches, calls, results and notices that had come before (R2).
    pub duplicates: u64,
    /// Task frames of a run that is over, or past (R15, R22).
    pub late_frames: u64,
    /// Cards, rows, ids, texts, aliases and requests given up at a cap (R26).
    pub evictions: u64,
}

/// Different unknown words whose text is kept: enough to report a new vocabulary.
const WORDS: usize = 64;

/// Characters of an unknown word that are kept.
const WORD_CHARS: usize = 40;

/// The unknown words, by text.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct UnknownWords(IndexMap<String, u64, std::hash::BuildHasherDefault<crate::table::TextHasher>>);

impl UnknownWords {
    pub(crate) fn count(&mut self, word: &str) {
        let word: String = word.chars().filter(|c| !c.is_control()).take(WORD_CHARS).collect();
        if let Some(count) = self.0.get_mut(&word) {
            *count = count.saturating_add(1);
        } else if self.0.len() < WORDS {
            self.0.insert(word, 1);
        }
    }

    pub(crate) fn texts(&self) -> Vec<(String, u64)> {
        self.0.iter().map(|(word, count)| (word.clone(), *count)).collect()
    }
}
