//! Numbers that look random and are the same in every run.

/// An xorshift generator.
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new() -> Self {
        Self(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }

    /// One of the values, each as often as its weight says.
    pub(crate) fn weighted(&mut self, values: &[(usize, u64)]) -> usize {
        let mut place = self.below(values.iter().map(|(_, weight)| weight).sum());
        for &(value, weight) in values {
            if place < weight {
                return value;
            }
            place -= weight;
        }
        unreachable!("the place is below the sum of the weights")
    }
}
