//! The keys that are wanted of an object, and which of them a key is.

/// The known keys of one sort of object.
///
/// A key is looked up by its hash: comparing it with every name of a long list would take longer than all the rest of the
/// reading.
pub(crate) struct Keys {
    known: &'static [Known],
    /// Numbers of the known keys, counted from 1, each at its hash or in the next free slot after it.
    slots: [u8; SLOTS],
}

/// A known key.
pub(crate) struct Known {
    name: &'static str,
    start: Start,
}

/// The first 16 bytes of a key; zeros stand for what is beyond its end.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(crate) struct Start([u64; 2]);

/// Some times the keys of the largest object, so that most of what is not known falls into a free slot.
const SLOTS: usize = 256;

impl Keys {
    /// The keys; they are numbered in their order, from 0.
    pub(crate) const fn new(known: &'static [Known]) -> Self {
        assert!(known.len() < SLOTS / 2, "there is always a free slot, and a number is a byte");
        let mut slots = [0; SLOTS];
        let mut number = 0;
        while number < known.len() {
            let mut slot = known[number].start.slot();
            while slots[slot] != 0 {
                slot = (slot + 1) % SLOTS;
            }
            slots[slot] = number as u8 + 1;
            number += 1;
        }
        Self { known, slots }
    }

    /// The number of the key of less than 16 bytes that starts so.
    #[inline(always)]
    pub(crate) fn find_short(&self, start: Start) -> Option<u8> {
        self.find_by(start, |_| true)
    }

    /// The number of a key.
    pub(crate) fn find(&self, key: &[u8]) -> Option<u8> {
        self.find_by(Start::of(key), |name| name.as_bytes() == key)
    }

    #[inline(always)]
    fn find_by(&self, start: Start, is_same: impl Fn(&str) -> bool) -> Option<u8> {
        let mut slot = start.slot();
        loop {
            let number = self.slots[slot].checked_sub(1)?;
            let known = &self.known[usize::from(number)];
            if known.start == start && is_same(known.name) {
                return Some(number);
            }
            slot = (slot + 1) % SLOTS;
        }
    }
}

/// The keys of those names.
pub(crate) const fn known<const N: usize>(names: [&'static str; N]) -> [Known; N] {
    let mut known = [const { Known { name: "", start: Start([0, 0]) } }; N];
    let mut number = 0;
    while number < N {
        known[number] = Known { name: names[number], start: Start::of(names[number].as_bytes()) };
        number += 1;
    }
    known
}

impl Start {
    /// The start of a key of `len` bytes, fewer than 16, that stands at the start of the block.
    #[inline(always)]
    pub(crate) fn of_block(block: &[u8; 16], len: usize) -> Self {
        /// What is left of the two halves at each length.
        static MASKS: [[u64; 2]; 16] = {
            let mut masks = [[0; 2]; 16];
            let mut len = 1;
            while len < 16 {
                let mask = (1_u128 << (8 * len)) - 1;
                masks[len] = [mask as u64, (mask >> 64) as u64];
                len += 1;
            }
            masks
        };
        let whole = u128::from_le_bytes(*block);
        let [head, tail] = MASKS[len % 16];
        Self([whole as u64 & head, (whole >> 64) as u64 & tail])
    }

    const fn of(key: &[u8]) -> Self {
        if let Some(block) = key.first_chunk::<16>() {
            let whole = u128::from_le_bytes(*block);
            return Self([whole as u64, (whole >> 64) as u64]);
        }
        let mut whole = 0_u128;
        let mut at = 0;
        while at < key.len() {
            whole |= (key[at] as u128) << (8 * at);
            at += 1;
        }
        Self([whole as u64, (whole >> 64) as u64])
    }

    #[inline(always)]
    const fn slot(self) -> usize {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let [head, tail] = self.0;
        ((head ^ tail.rotate_left(29)).wrapping_mul(SPREAD) >> 56) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_found_by_all_of_its_bytes() {
        const NAMES: [&str; 9] =
            ["", "a", "key", "sevenby", "eightbyt", "fifteen-byte-ab", "seventeen-a-bytes", "seventeen-b-bytes", "aa"];
        static KEYS: Keys = Keys::new(&known(NAMES));
        let find = |key: &str| {
            let found = KEYS.find(key.as_bytes());
            let line = format!("{key}\":0,\"x\":\"some more\"}}");
            if let (0..16, Some(block)) = (key.len(), line.as_bytes().first_chunk()) {
                assert_eq!(found, KEYS.find_short(Start::of_block(block, key.len())), "{key}");
            }
            found.map(|number| NAMES[usize::from(number)])
        };
        for name in NAMES {
            assert_eq!(find(name), Some(name));
            for other in [format!("{name}x"), format!("x{name}"), name.to_uppercase(), name.replace('n', "m")] {
                assert_eq!(find(&other), NAMES.into_iter().find(|name| *name == other), "{other}");
            }
        }
        assert_eq!(find("seventeen-c-bytes"), None);
    }
}
