//! The end of the session: what was never told is concluded (R28). Knows no frame.

use crate::agent::{AgentId, Standing};
use crate::card::{Evidence, Outcome};
use crate::run::{Answer, Roster};
use crate::tracker::CardTracker;
use crate::update::Rule;

impl CardTracker {
    /// Ends every agent that is still alive, the deepest first, so that what ends below counts above.
    pub(crate) fn conclude(&mut self) {
        self.rule = Rule::R28;
        self.session_over = true;
        let mut alive: Vec<(u32, AgentId)> = self
            .agents
            .ids()
            .filter(|id| self.agents[*id].standing != Standing::Unlinked)
            .map(|id| (self.agents[id].depth(), id))
            .collect();
        alive.sort_unstable_by(|a, b| b.cmp(a));
        for (_, id) in alive {
            self.conclude_one(id);
        }
        self.session_over = false;
    }

    fn conclude_one(&mut self, id: AgentId) {
        if self.agents[id].run.parked {
            // Nothing stays parked: the ending that it waited with stands.
            self.edit(id).run.parked = false;
            self.refresh(id);
        }
        let agent = &self.agents[id];
        if agent.reading.is_settled() {
            return;
        }
        let never_live = agent.run.roster == Roster::Silent;
        let all_settled = agent.own_pending == 0 && agent.open == 0;
        let ending = match agent.run.answer {
            Answer::Unrecognised if never_live => (Outcome::Completed, Evidence::Returned),
            Answer::Acknowledgement if never_live && all_settled && agent.run.last_word => {
                (Outcome::Completed, Evidence::CallsSettled)
            }
            Answer::None | Answer::Acknowledgement | Answer::Error(_) | Answer::Report | Answer::Unrecognised => {
                (Outcome::Abandoned, Evidence::SessionEnd)
            }
        };
        self.edit(id).run.inferred = Some(ending);
        self.refresh(id);
    }
}
