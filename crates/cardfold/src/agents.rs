//! The agents of a tracker, by slot: a slot is used again, and an agent may turn out to be another one. Knows no
//! agent's insides.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use crate::agent::{Agent, AgentId};

/// The agents of a tracker, by slot.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Agents {
    slots: Vec<Slot>,
    free: Vec<u32>,
    #[serde(skip, default = "nobody")]
    nobody: Box<Agent>,
}

fn nobody() -> Box<Agent> {
    Box::new(Agent::nobody())
}

impl Default for Agents {
    fn default() -> Self {
        Self { slots: Vec::new(), free: Vec::new(), nobody: nobody() }
    }
}

#[derive(Clone, Debug, Deserialize, Serialize)]
struct Slot {
    age: NonZeroU32,
    content: Content,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
enum Content {
    Agent(Box<Agent>),
    Free,
    /// The agent turned out to be another one.
    Moved(AgentId),
}

impl Slot {
    /// Ids of whoever stood here name nobody from now on.
    fn grow_older(&mut self) {
        self.age = self.age.checked_add(1).unwrap_or(NonZeroU32::MIN);
    }
}

impl Agents {
    pub(crate) fn add(&mut self, agent: Agent) -> AgentId {
        let content = Content::Agent(Box::new(agent));
        if let Some(slot) = self.free.pop() {
            let place = &mut self.slots[slot as usize];
            place.content = content;
            return AgentId { slot, age: place.age };
        }
        let slot = u32::try_from(self.slots.len()).expect("the caps keep agents below four thousand million");
        self.slots.push(Slot { age: NonZeroU32::MIN, content });
        AgentId { slot, age: NonZeroU32::MIN }
    }

    /// The agent that an id leads to today: itself, the one it turned out to be, or none where it has gone.
    #[inline]
    pub(crate) fn find(&self, id: AgentId) -> Option<AgentId> {
        if self.stands_at(id) { Some(id) } else { self.follow(id) }
    }

    #[cold]
    fn follow(&self, id: AgentId) -> Option<AgentId> {
        let mut id = id;
        loop {
            let slot = self.slots.get(id.slot as usize).filter(|slot| slot.age == id.age)?;
            match &slot.content {
                Content::Agent(_) => return Some(id),
                Content::Free => return None,
                Content::Moved(to) => id = *to,
            }
        }
    }

    #[inline]
    pub(crate) fn get(&self, id: AgentId) -> Option<&Agent> {
        let id = self.find(id)?;
        match &self.slots[id.slot as usize].content {
            Content::Agent(agent) => Some(agent),
            Content::Free | Content::Moved(_) => None,
        }
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, id: AgentId) -> Option<&mut Agent> {
        let id = self.find(id)?;
        match &mut self.slots[id.slot as usize].content {
            Content::Agent(agent) => Some(agent),
            Content::Free | Content::Moved(_) => None,
        }
    }

    /// Takes an agent out; its id leads to `to`, or nowhere.
    pub(crate) fn take(&mut self, id: AgentId, to: Option<AgentId>) -> Option<Agent> {
        let id = self.find(id)?;
        let slot = &mut self.slots[id.slot as usize];
        let content = match to {
            Some(to) => Content::Moved(to),
            None => {
                slot.grow_older();
                self.free.push(id.slot);
                Content::Free
            }
        };
        match std::mem::replace(&mut slot.content, content) {
            Content::Agent(agent) => Some(*agent),
            Content::Free | Content::Moved(_) => None,
        }
    }
}

impl Agents {
    /// Gives up the slot of an agent that turned out to be another one.
    pub(crate) fn forget_moved(&mut self, id: AgentId) {
        if let Some(slot) = self.slots.get_mut(id.slot as usize)
            && slot.age == id.age
            && matches!(slot.content, Content::Moved(_))
        {
            slot.grow_older();
            slot.content = Content::Free;
            self.free.push(id.slot);
        }
    }

    /// The agent at `at` goes by the id `to` from now on, which led to it.
    pub(crate) fn exchange(&mut self, at: AgentId, to: AgentId) {
        let content = std::mem::replace(&mut self.slots[at.slot as usize].content, Content::Moved(to));
        self.slots[to.slot as usize].content = content;
    }

    /// The agent that stands at a slot.
    pub(crate) fn at_slot(&self, slot: u32) -> Option<AgentId> {
        let id = AgentId { slot, age: self.slots.get(slot as usize)?.age };
        self.stands_at(id).then_some(id)
    }

    /// Every agent, by slot.
    pub(crate) fn ids(&self) -> impl Iterator<Item = AgentId> + '_ {
        self.slots.iter().enumerate().filter_map(|(at, slot)| match slot.content {
            Content::Agent(_) => Some(AgentId { slot: u32::try_from(at).ok()?, age: slot.age }),
            Content::Free | Content::Moved(_) => None,
        })
    }
}

/// An id that is followed was found in the same frame, so it leads somewhere. Should that ever be wrong, the fold goes
/// on with an agent that nobody shows: a wrong card is bad, a host that falls over with it is worse.
impl std::ops::Index<AgentId> for Agents {
    type Output = Agent;

    #[inline]
    fn index(&self, id: AgentId) -> &Agent {
        if let Some(Slot { age, content: Content::Agent(agent) }) = self.slots.get(id.slot as usize)
            && *age == id.age
        {
            return agent;
        }
        self.elsewhere(id)
    }
}

impl std::ops::IndexMut<AgentId> for Agents {
    #[inline]
    fn index_mut(&mut self, id: AgentId) -> &mut Agent {
        if !self.stands_at(id) {
            return self.elsewhere_mut(id);
        }
        match &mut self.slots[id.slot as usize].content {
            Content::Agent(agent) => agent,
            Content::Free | Content::Moved(_) => &mut self.nobody,
        }
    }
}

impl Agents {
    /// The id is that of an agent, not of one that turned out to be another one. A frame asks for some thirty agents, and
    /// nearly all of them stand there: what comes otherwise is kept out of the way (a tenth of the fold's instructions).
    #[inline]
    fn stands_at(&self, id: AgentId) -> bool {
        self.slots
            .get(id.slot as usize)
            .is_some_and(|slot| slot.age == id.age && matches!(slot.content, Content::Agent(_)))
    }

    #[cold]
    fn elsewhere(&self, id: AgentId) -> &Agent {
        let agent = self.get(id);
        debug_assert!(agent.is_some(), "an id that is followed leads to an agent");
        agent.unwrap_or(&self.nobody)
    }

    #[cold]
    fn elsewhere_mut(&mut self, id: AgentId) -> &mut Agent {
        let id = self.find(id);
        debug_assert!(id.is_some(), "an id that is followed leads to an agent");
        match id.map(|id| &mut self.slots[id.slot as usize].content) {
            Some(Content::Agent(agent)) => agent,
            Some(Content::Free | Content::Moved(_)) | None => {
                *self.nobody = Agent::nobody();
                &mut self.nobody
            }
        }
    }
}
