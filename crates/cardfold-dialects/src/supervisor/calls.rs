//! The open calls of an agent, and the ids they go by. Knows no frame.

use std::collections::VecDeque;

use crate::recent::Recent;

/// Open calls that are remembered of one agent. An agent works on a few at a time.
const OPEN: usize = 1_024;

/// Call ids that are remembered, over all agents.
const IDS: usize = 65_536;

/// Ids that calls of this conversation have taken. The fold knows a call by its id alone, and a tool id is the agent's
/// own: another agent, or a later turn, may use it again.
#[derive(Debug)]
pub(crate) struct TakenIds(Recent<()>);

impl Default for TakenIds {
    fn default() -> Self {
        Self(Recent::new(IDS))
    }
}

/// The calls of one agent.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    open: VecDeque<OpenCall>,
    made: u64,
}

#[derive(Debug)]
struct OpenCall {
    tool_id: Option<String>,
    name: String,
    id: String,
}

impl Calls {
    /// A call begins: gives its id, or none where it is open already.
    pub(crate) fn begin(
        &mut self,
        taken: &mut TakenIds,
        agent: &str,
        tool_id: Option<&str>,
        name: &str,
    ) -> Option<String> {
        if tool_id.is_some() && self.open.iter().any(|call| call.tool_id.as_deref() == tool_id) {
            return None;
        }
        self.made += 1;
        let id = match tool_id {
            Some(tool_id) if taken.0.note(tool_id) => tool_id.to_owned(),
            Some(_) | None => format!("{agent}#{}", self.made),
        };
        if self.open.len() >= OPEN {
            self.open.pop_front();
        }
        self.open.push_back(OpenCall { tool_id: tool_id.map(str::to_owned), name: name.to_owned(), id: id.clone() });
        Some(id)
    }

    /// A call came back: the one of its tool id, else the oldest open one of its name.
    pub(crate) fn finish(&mut self, tool_id: Option<&str>, name: Option<&str>) -> Option<String> {
        let at = match tool_id {
            Some(_) => self.open.iter().position(|call| call.tool_id.as_deref() == tool_id),
            None => self.open.iter().position(|call| Some(&*call.name) == name),
        };
        Some(self.open.remove(at?)?.id)
    }

    /// What is open stays open for good.
    pub(crate) fn cut_off(&mut self) {
        self.open.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_told_apart() {
        let (mut taken, mut a, mut b) = (TakenIds::default(), Calls::default(), Calls::default());
        assert_eq!(a.begin(&mut taken, "a", Some("t1"), "bash").as_deref(), Some("t1"));
        assert_eq!(a.begin(&mut taken, "a", Some("t1"), "bash"), None, "it is the same call, told twice");
        assert_eq!(b.begin(&mut taken, "b", Some("t1"), "bash").as_deref(), Some("b#1"), "another agent's own t1");
        assert_eq!(a.begin(&mut taken, "a", None, "read").as_deref(), Some("a#2"));
        assert_eq!(a.begin(&mut taken, "a", None, "read").as_deref(), Some("a#3"));
        assert_eq!(a.finish(None, Some("read")).as_deref(), Some("a#2"));
        assert_eq!(a.finish(Some("t1"), None).as_deref(), Some("t1"));
        assert_eq!(a.finish(Some("t1"), Some("read")), None);
        assert_eq!(a.begin(&mut taken, "a", Some("t1"), "bash").as_deref(), Some("a#4"), "t1 of a later turn");
    }
}
