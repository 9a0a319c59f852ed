//! Dispatches and chains of lines that have only their prompt in common (P3). Knows no frame.

use std::collections::HashMap;

/// What is not linked yet, by the prompt's digest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prompts(HashMap<u64, Open>);

#[derive(Clone, Debug, Default)]
struct Open {
    dispatches: Vec<OpenDispatch>,
    chains: Vec<OpenChain>,
}

/// A dispatch without a chain.
#[derive(Clone, Debug)]
pub(crate) struct OpenDispatch {
    pub(crate) number: usize,
    /// The chain that made it, which cannot be its own.
    pub(crate) author: Option<usize>,
    /// When it was seen.
    pub(crate) seen: u64,
    /// When it was answered. A chain that begins later is not its own.
    pub(crate) answered: Option<u64>,
}

/// A chain without a dispatch.
#[derive(Clone, Debug)]
pub(crate) struct OpenChain {
    pub(crate) number: usize,
    /// When its prompt was seen.
    pub(crate) root: u64,
    /// Digest of the last text of the model.
    pub(crate) last_text: Option<u64>,
}

/// A dispatch and the chain that it started.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Pair {
    pub(crate) dispatch: usize,
    pub(crate) chain: usize,
}

impl Prompts {
    pub(crate) fn add_dispatch(&mut self, prompt: u64, dispatch: OpenDispatch) {
        self.0.entry(prompt).or_default().dispatches.push(dispatch);
    }

    pub(crate) fn add_chain(&mut self, prompt: u64, chain: OpenChain) {
        self.0.entry(prompt).or_default().chains.push(chain);
    }

    /// A dispatch with this prompt has no chain yet.
    pub(crate) fn has_dispatch(&self, prompt: u64) -> bool {
        self.0.get(&prompt).is_some_and(|open| !open.dispatches.is_empty())
    }

    /// The dispatch has its chain.
    pub(crate) fn close_dispatch(&mut self, prompt: u64, number: usize) {
        if let Some(open) = self.0.get_mut(&prompt) {
            open.dispatches.retain(|dispatch| dispatch.number != number);
        }
    }

    /// The chain has its dispatch.
    pub(crate) fn close_chain(&mut self, prompt: u64, number: usize) {
        if let Some(open) = self.0.get_mut(&prompt) {
            open.chains.retain(|chain| chain.number != number);
        }
    }

    /// The model of a chain said something.
    pub(crate) fn say(&mut self, prompt: u64, number: usize, text: u64) {
        let chains = self.0.get_mut(&prompt).into_iter().flat_map(|open| &mut open.chains);
        for chain in chains.filter(|chain| chain.number == number) {
            chain.last_text = Some(text);
        }
    }

    /// A dispatch is answered; gives the chain whose last text is one of the answer's, if there is only one such chain.
    pub(crate) fn answer(&mut self, prompt: u64, number: usize, texts: &[u64], now: u64) -> Option<Pair> {
        let open = self.0.get_mut(&prompt)?;
        let dispatch = open.dispatches.iter_mut().find(|dispatch| dispatch.number == number)?;
        dispatch.answered.get_or_insert(now);
        let ends_so = |chain: &&OpenChain| chain.last_text.is_some_and(|text| texts.contains(&text));
        let mut chains = open.chains.iter().filter(|chain| dispatch.may_own(chain)).filter(ends_so);
        let chain = chains.next()?;
        chains.next().is_none().then_some(Pair { dispatch: number, chain: chain.number })
    }

    /// The earliest dispatch that may have given this prompt just now to a chain that began before.
    pub(crate) fn earliest(&self, prompt: u64, chain: usize, now: u64) -> Option<usize> {
        let chain = OpenChain { number: chain, root: now, last_text: None };
        let mut dispatches = self.0.get(&prompt)?.dispatches.iter();
        dispatches.find(|dispatch| dispatch.may_own(&chain)).map(|dispatch| dispatch.number)
    }

    /// A chain that only one dispatch can have started.
    pub(crate) fn forced(&self, prompt: u64) -> Option<Pair> {
        let open = self.0.get(&prompt)?;
        open.chains.iter().find_map(|chain| {
            let mut before = open.dispatches.iter().filter(|dispatch| dispatch.may_own(chain));
            let dispatch = before.next()?;
            before.next().is_none().then_some(Pair { dispatch: dispatch.number, chain: chain.number })
        })
    }

    /// There may be something left to tell apart by order.
    pub(crate) fn has_open_pair(&self) -> bool {
        self.0.values().any(|open| !open.chains.is_empty() && !open.dispatches.is_empty())
    }

    /// What is left when everything was read, told apart by order: a chain belongs to the earliest dispatch before it.
    pub(crate) fn in_order(mut self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for open in self.0.values_mut() {
            open.chains.sort_by_key(|chain| chain.root);
            for chain in &open.chains {
                let Some(place) = open.dispatches.iter().position(|dispatch| dispatch.may_own(chain)) else { continue };
                let dispatch = open.dispatches.remove(place);
                pairs.push(Pair { dispatch: dispatch.number, chain: chain.number });
            }
        }
        // A map has no order of its own; that of the chains is one.
        pairs.sort_by_key(|pair| pair.chain);
        pairs
    }
}

impl OpenDispatch {
    fn may_own(&self, chain: &OpenChain) -> bool {
        let is_running = self.answered.is_none_or(|answered| answered > chain.root);
        self.seen < chain.root && is_running && self.author != Some(chain.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: u64 = 7;

    fn dispatch(prompts: &mut Prompts, number: usize, seen: u64) {
        prompts.add_dispatch(P, OpenDispatch { number, author: None, seen, answered: None });
    }

    fn chain(prompts: &mut Prompts, number: usize, root: u64) {
        prompts.add_chain(P, OpenChain { number, root, last_text: None });
    }

    fn take(prompts: &mut Prompts, pair: Option<Pair>) -> Option<(usize, usize)> {
        let Pair { dispatch, chain } = pair?;
        prompts.close_dispatch(P, dispatch);
        prompts.close_chain(P, chain);
        Some((dispatch, chain))
    }

    #[test]
    fn one_dispatch_one_chain() {
        let mut prompts = Prompts::default();
        chain(&mut prompts, 9, 1);
        dispatch(&mut prompts, 0, 2);
        assert_eq!(prompts.forced(P), None, "a chain does not begin before its dispatch");
        chain(&mut prompts, 8, 3);
        let pair = prompts.forced(P);
        assert_eq!(take(&mut prompts, pair), Some((0, 8)));
        assert_eq!(prompts.in_order(), []);
    }

    #[test]
    fn equal_prompts_wait_for_an_answer() {
        let mut prompts = Prompts::default();
        dispatch(&mut prompts, 0, 1);
        dispatch(&mut prompts, 1, 2);
        chain(&mut prompts, 10, 3);
        chain(&mut prompts, 11, 4);
        assert_eq!(prompts.forced(P), None);
        prompts.say(P, 10, 50);
        prompts.say(P, 11, 51);
        let pair = prompts.answer(P, 0, &[51, 99], 5);
        assert_eq!(take(&mut prompts, pair), Some((0, 11)), "the text decides against the order");
        let pair = prompts.forced(P);
        assert_eq!(take(&mut prompts, pair), Some((1, 10)));
    }

    #[test]
    fn a_text_that_two_chains_end_with_tells_nothing() {
        let mut prompts = Prompts::default();
        for number in [0, 1] {
            dispatch(&mut prompts, number, 1);
            chain(&mut prompts, 10 + number, 2);
            prompts.say(P, 10 + number, 50);
        }
        assert_eq!(prompts.answer(P, 1, &[50], 3), None);
        let pairs = prompts.in_order();
        assert_eq!(pairs, [Pair { dispatch: 0, chain: 10 }, Pair { dispatch: 1, chain: 11 }]);
    }

    #[test]
    fn at_the_end_order_decides() {
        let mut prompts = Prompts::default();
        dispatch(&mut prompts, 0, 1);
        assert_eq!(prompts.answer(P, 0, &[], 2), None, "refused before any chain began");
        dispatch(&mut prompts, 1, 3);
        dispatch(&mut prompts, 2, 4);
        chain(&mut prompts, 20, 6);
        chain(&mut prompts, 10, 5);
        let pairs = prompts.in_order();
        assert_eq!(pairs, [Pair { dispatch: 1, chain: 10 }, Pair { dispatch: 2, chain: 20 }]);
    }

    #[test]
    fn a_chain_does_not_start_itself() {
        let mut prompts = Prompts::default();
        prompts.add_dispatch(P, OpenDispatch { number: 0, author: Some(3), seen: 1, answered: None });
        chain(&mut prompts, 3, 2);
        assert_eq!(prompts.forced(P), None);
    }
}
