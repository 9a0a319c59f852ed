//! Who was started by whom, where one of the two was not told of yet. Knows no frame.

use crate::recent::Recent;

/// What waits, with a cap on each side: past it the oldest goes.
#[derive(Debug)]
pub(crate) struct Kin {
    /// Agents whose parent was not told of, by the parent.
    children: Recent<Vec<String>>,
    /// How many those are, over all parents.
    waiting: usize,
    /// Parents of agents that were not told of, by the agent.
    parents: Recent<String>,
    most: usize,
}

impl Kin {
    /// `most` agents at most wait on either side.
    pub(crate) fn new(most: usize) -> Self {
        Self { children: Recent::new(most), waiting: 0, parents: Recent::new(most), most }
    }

    /// A child waits for its parent. Where too many do, those that wait for the parent that was named first are given up.
    pub(crate) fn add_child(&mut self, parent: &str, child: &str) {
        if self.children.get(parent).is_some_and(|children| children.iter().any(|known| known == child)) {
            return;
        }
        if self.waiting >= self.most {
            let given_up = self.children.pop_oldest().map_or(0, |children| children.len());
            self.waiting = self.waiting.saturating_sub(given_up);
        }
        self.children.entry(parent).push(child.to_owned());
        self.waiting = self.waiting.saturating_add(1);
    }

    /// Those that waited for a parent, in the order in which they came.
    pub(crate) fn take_children(&mut self, parent: &str) -> Vec<String> {
        let children = self.children.remove(parent).unwrap_or_default();
        self.waiting = self.waiting.saturating_sub(children.len());
        children
    }

    /// The parent of an agent that was not told of.
    pub(crate) fn set_parent(&mut self, agent: &str, parent: &str) {
        self.parents.insert(agent, parent.to_owned());
    }

    pub(crate) fn take_parent(&mut self, agent: &str) -> Option<String> {
        self.parents.remove(agent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_wait_in_order_and_once() {
        let mut kin = Kin::new(9);
        for child in ["b", "a", "b"] {
            kin.add_child("p", child);
        }
        assert_eq!((kin.take_children("p"), kin.take_children("p")), (vec!["b".to_owned(), "a".to_owned()], vec![]));
        kin.set_parent("a", "p");
        assert_eq!((kin.take_parent("a").as_deref(), kin.take_parent("a")), (Some("p"), None));
    }

    /// Many parents with many children each are bounded together, not one by one.
    #[test]
    fn all_that_wait_are_bounded_together() {
        let mut kin = Kin::new(10);
        for parent in 0..100 {
            for child in 0..4 {
                kin.add_child(&format!("p{parent}"), &format!("c{parent}-{child}"));
            }
            assert!(kin.waiting <= 10);
        }
        let left: Vec<usize> = (0..100).map(|parent| kin.take_children(&format!("p{parent}")).len()).collect();
        assert!(left[..97].iter().all(|children| *children == 0), "{left:?}");
        assert_eq!((left[98], left[99], kin.waiting), (4, 4, 0));
        // One parent alone, too.
        for child in 0..25 {
            kin.add_child("p", &child.to_string());
        }
        assert_eq!(kin.take_children("p"), ["20", "21", "22", "23", "24"]);
    }
}
