//! The texts of an agent: where each may come from, and which source wins (section 2, R24). Knows no run.

use cardfold_wire::Text;

use crate::agent::{Agent, AgentId, Bounded, Ranked};
use crate::changes::Field;
use crate::clean::{bounded, one_line};
use crate::tracker::CardTracker;

/// Characters of a name, an agent type, a model.
pub(crate) const NAME_CHARS: usize = 80;

/// Characters of an activity or a question.
const LINE_CHARS: usize = 120;

/// Sources of a name, a better one above.
pub(crate) mod name_rank {
    pub(crate) const TOOL: u8 = 0;
    pub(crate) const SIDECAR: u8 = 1;
    pub(crate) const AGENT_TYPE: u8 = 2;
    pub(crate) const DESCRIPTION: u8 = 3;
    /// The level, which repeats what a `started` said.
    pub(crate) const LEVEL: u8 = 4;
    pub(crate) const ROSTER: u8 = 5;
}

/// Sources of an agent type, and of a model (message, answer, sidecar), a better one above.
pub(crate) mod source_rank {
    pub(crate) const SIDECAR: u8 = 0;
    pub(crate) const ANSWER: u8 = 1;
    /// Task frames that repeat what a `started` said.
    pub(crate) const ROSTER: u8 = 1;
    pub(crate) const MESSAGE: u8 = 2;
    pub(crate) const STARTED: u8 = 2;
    pub(crate) const DISPATCH: u8 = 3;
}

/// Sources of a report, a better one above (R24).
pub(crate) mod report_rank {
    pub(crate) const SUMMARY: u8 = 1;
    pub(crate) const NOTICE: u8 = 2;
    pub(crate) const ANSWER: u8 = 3;
}

/// A text that has several sources.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Sourced {
    AgentType,
    Model,
    Name,
}

impl Sourced {
    fn of(self, agent: &mut Agent) -> &mut Ranked {
        match self {
            Self::AgentType => &mut agent.agent_type,
            Self::Model => &mut agent.model,
            Self::Name => &mut agent.name,
        }
    }

    fn field(self) -> Field {
        match self {
            Self::AgentType => Field::AgentType,
            Self::Model => Field::Model,
            Self::Name => Field::Name,
        }
    }
}

impl CardTracker {
    /// Sets a text that has several sources, if this one is as good as the one that set it. True if it is another now.
    pub(crate) fn set_sourced(&mut self, id: AgentId, which: Sourced, rank: u8, text: Option<&str>) -> bool {
        let known = which.of(&mut self.agents[id]);
        if text.is_some() && known.text.as_deref() == text && known.rank <= rank {
            // Most frames repeat what is known.
            known.rank = rank;
            return false;
        }
        let Some(news) = known.news(rank, text, NAME_CHARS) else { return false };
        let is_other = known.text.as_deref() != Some(&news);
        self.set_text(id, which.field(), Some(Bounded { text: news, truncated: false }));
        let agent = &mut self.agents[id];
        which.of(agent).rank = rank;
        self.drop_title_for_report(id);
        is_other
    }

    /// Takes the report away where it is the summary of a notice which came before the title that it repeats (R24).
    pub(crate) fn drop_title_for_report(&mut self, id: AgentId) {
        let agent = &mut self.agents[id];
        let is_title = agent.report.as_ref().is_some_and(|report| Some(&*report.text) == agent.name.text.as_deref());
        if is_title && agent.run.report_rank == report_rank::SUMMARY {
            agent.run.report_rank = 0;
            self.set_text(id, Field::Report, None);
        }
    }

    /// Sets the agent type, which also names an agent that has no better name.
    pub(crate) fn set_agent_type(&mut self, id: AgentId, rank: u8, text: Option<&str>) {
        self.set_sourced(id, Sourced::AgentType, rank, text);
        let named_by = if rank == source_rank::SIDECAR { name_rank::SIDECAR } else { name_rank::AGENT_TYPE };
        self.set_sourced(id, Sourced::Name, named_by, text);
    }

    /// Sets a one-line text that is kept as it is: an id.
    pub(crate) fn set_id(&mut self, id: AgentId, field: Field, text: &str) {
        self.set_text(id, field, Some(Bounded { text: text.into(), truncated: false }));
    }

    /// Sets what the agent does now.
    pub(crate) fn set_activity(&mut self, id: AgentId, text: &str) {
        let line = one_line(text, LINE_CHARS);
        let line = (!line.is_empty()).then(|| Bounded { text: line.into(), truncated: false });
        self.set_text(id, Field::Activity, line);
    }

    /// What a permission request asks for, as it is shown.
    pub(crate) fn question(text: &str) -> Box<str> {
        one_line(text, LINE_CHARS).into()
    }

    /// Takes a report, unless the run has one from a better source (R24).
    pub(crate) fn take_report(&mut self, id: AgentId, rank: u8, text: &Text<'_>) {
        if rank < self.agents[id].run.report_rank {
            return;
        }
        let (body, cut) = bounded(text.as_str());
        self.take_bounded_report(id, rank, &body, cut || text.is_cut());
    }

    /// Takes a report that was cut to size when it was read.
    pub(crate) fn take_bounded_report(&mut self, id: AgentId, rank: u8, text: &str, truncated: bool) {
        if rank < self.agents[id].run.report_rank || text.is_empty() {
            return;
        }
        self.set_text(id, Field::Report, Some(Bounded { text: text.into(), truncated }));
        self.agents[id].run.report_rank = rank;
    }

    /// Takes the source's own words for what went wrong; those of a patch beat those of an answer.
    pub(crate) fn take_error(&mut self, id: AgentId, text: &Text<'_>, from_patch: bool) {
        let (body, cut) = bounded(text.as_str());
        self.take_bounded_error(id, &body, cut || text.is_cut(), from_patch);
    }

    /// Takes an error that was cut to size when it was read.
    pub(crate) fn take_bounded_error(&mut self, id: AgentId, text: &str, truncated: bool, from_patch: bool) {
        if text.is_empty() || (self.agents[id].run.error_patched && !from_patch) {
            return;
        }
        self.set_text(id, Field::Error, Some(Bounded { text: text.into(), truncated }));
        self.agents[id].run.error_patched |= from_patch;
    }

    pub(crate) fn is_missing(&self, id: AgentId, field: Field) -> bool {
        let agent = &self.agents[id];
        match field {
            Field::Activity => agent.activity.is_none(),
            Field::AgentType => agent.agent_type.text.is_none(),
            Field::DispatchId => agent.dispatch_id.is_none(),
            Field::Error => agent.error.is_none(),
            Field::Model => agent.model.text.is_none(),
            Field::Name => agent.name.text.is_none(),
            Field::NeedsInput => agent.card.as_ref().is_none_or(|card| card.needs_input.is_none()),
            Field::Report => agent.report.is_none(),
            Field::TaskId => agent.task_id.is_none(),
        }
    }
}
