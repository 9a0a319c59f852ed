//! Calls that wait for their agent: each made under the one before it, the first under a dispatch that has not come.
//! Knows no tracker.

use crate::frames::{Agent, call_id, call_under, dispatch, dispatch_id, write};

/// Calls in chains.
#[derive(Clone, Copy, Debug)]
pub struct Chains {
    /// Chains; each hangs under a dispatch of its own.
    pub chains: usize,
    /// Calls of a chain.
    pub length: usize,
    /// How the calls of a chain come.
    pub order: ChainOrder,
}

/// How the calls of a chain come.
#[derive(Clone, Copy, Debug)]
pub enum ChainOrder {
    /// The lowest first: each call comes before the one that it was made under.
    FromBelow,
    /// As they were made.
    FromTop,
}

impl Chains {
    /// The calls of all chains, each of which is a frame.
    #[must_use]
    pub fn frames(self) -> usize {
        self.chains * self.length
    }

    /// The frames of the calls, one a line.
    #[must_use]
    pub fn calls(self) -> Vec<u8> {
        let mut stream = Vec::new();
        for chain in 0..self.chains {
            for step in 0..self.length {
                let call = match self.order {
                    ChainOrder::FromBelow => self.length - 1 - step,
                    ChainOrder::FromTop => step,
                };
                let above = call.checked_sub(1).map_or_else(|| dispatch_id(chain), |above| call_id(chain, above));
                write(call_under(&above, &call_id(chain, call)), &format!("call-{chain}-{call}"), &mut stream);
            }
        }
        stream
    }

    /// The frames of the dispatches, one a line.
    #[must_use]
    pub fn dispatches(self) -> Vec<u8> {
        let mut stream = Vec::new();
        for chain in 0..self.chains {
            let agent = Agent { number: chain, parent: None, depth: 1 };
            write(dispatch(agent), &format!("dispatch-{chain}"), &mut stream);
        }
        stream
    }

    /// The id of a chain's last call; chains are counted from 0.
    #[must_use]
    pub fn last_call(self, chain: usize) -> String {
        call_id(chain, self.length - 1)
    }
}
