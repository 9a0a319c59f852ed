//! Workers by their numbers, which start anew with every process. Knows no line.

use cardfold_wire::{Text, Usage};

use crate::ending::Strength;
use crate::recent::Recent;

/// Workers that are remembered.
const WORKERS: usize = 16_384;

/// The workers of a conversation, which several processes may have gone on with.
#[derive(Debug)]
pub(crate) struct Handles {
    /// The process, from 1.
    process: u32,
    workers: Recent<Worker>,
}

/// A worker of one process.
#[derive(Clone, Debug, Default)]
pub(crate) struct Worker {
    /// The id that its agent goes by.
    pub(crate) agent: String,
    process: u32,
    /// The object that told of it first, by number.
    pub(crate) first_at: u64,
    /// The call that started it, where a receipt, or a start that can only be that call's, says so.
    pub(crate) call: Option<String>,
    pub(crate) label: Option<String>,
    pub(crate) role: Option<String>,
    /// When its end was told.
    pub(crate) ended_ms: Option<i64>,
    /// How it ended, as its preview lets guess, and as it was stated.
    pub(crate) guessed: Option<Told>,
    pub(crate) stated: Option<Told>,
}

/// What one source tells of a worker.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    pub(crate) strength: Strength,
    pub(crate) word: Option<String>,
    pub(crate) reason: Option<Text<'static>>,
    pub(crate) report: Option<Text<'static>>,
    pub(crate) usage: Usage,
}

impl Default for Handles {
    fn default() -> Self {
        Self { process: 1, workers: Recent::new(WORKERS) }
    }
}

impl Handles {
    /// The worker of a number in the process at hand.
    pub(crate) fn current(&mut self, number: u64) -> Option<&mut Worker> {
        let process = self.process;
        self.workers.get_mut(&handle(number)).filter(|worker| worker.process == process)
    }

    /// The worker that had a number last, in whatever process.
    pub(crate) fn last(&self, number: u64) -> Option<&Worker> {
        self.workers.get(&handle(number))
    }

    /// Another process has taken over: its numbers start anew (W3-4).
    pub(crate) fn next_process(&mut self) {
        self.process = self.process.saturating_add(1);
    }

    /// Puts in a worker of the process at hand, and gives the id of its agent: the handle, told apart from that of an
    /// earlier process.
    pub(crate) fn add(&mut self, number: u64, first_at: u64) -> &mut Worker {
        let process = self.process;
        let agent = if process == 1 { handle(number) } else { format!("{}@{process}", handle(number)) };
        let worker = self.workers.entry(&handle(number));
        *worker = Worker { agent, process, first_at, ..Worker::default() };
        worker
    }
}

/// The handle of a number.
pub(crate) fn handle(number: u64) -> String {
    format!("sa_{number}")
}

/// The number of a handle.
pub(crate) fn number_of(handle: &str) -> Option<u64> {
    handle.trim().strip_prefix("sa_")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_in_another_process_is_another_worker() {
        let mut handles = Handles::default();
        assert_eq!(handles.add(7, 1).agent, "sa_7");
        assert!(handles.current(7).is_some());
        handles.next_process();
        assert!(handles.current(7).is_none());
        assert_eq!(handles.last(7).map(|worker| worker.agent.as_str()), Some("sa_7"));
        assert_eq!(handles.add(7, 1).agent, "sa_7@2");
    }

    #[test]
    fn handles_and_numbers() {
        assert_eq!((number_of("sa_7"), number_of("sa_"), number_of("7")), (Some(7), None, None));
        assert_eq!(number_of("sa_99999999999999999999999"), None);
    }
}
