//! Cards as they are handed out, and their plain text form. Knows no frame.

use std::fmt;

use crate::agent::{Agent, AgentId, Bounded};
use crate::card::{Card, CardUsage, Excerpt, NestedRow, Outcome, TailCall};
use crate::tracker::CardTracker;

/// The name of an agent of which no source says anything.
const NAMELESS: &str = "Agent";

impl CardTracker {
    /// The card of an agent, as it stands now.
    pub(crate) fn render(&self, id: AgentId) -> Card {
        let agent = &self.agents[id];
        let part = agent.card.as_deref();
        let reading = agent.reading;
        Card {
            dispatch_id: text(agent.dispatch_id.as_deref()).unwrap_or_default(),
            name: name(agent),
            agent_type: text(agent.agent_type.text.as_deref()),
            kind: agent.kind,
            task_id: text(agent.task_id.as_deref()),
            state: reading.state,
            running: !reading.is_settled(),
            outcome: reading.outcome,
            failed: reading.outcome.is_some_and(Outcome::is_failed),
            evidence: reading.evidence,
            inferred: reading.evidence.is_inferred(),
            backgrounded: agent.backgrounded(),
            started_at_ms: agent.started_at_ms,
            ended_at_ms: agent.run.ended_at_ms(reading),
            calls: part.map_or(0, |part| part.calls),
            open_calls: if reading.is_settled() { 0 } else { u64::from(agent.open) },
            failed_calls: part.map_or(0, |part| part.failed_calls),
            tail: agent
                .tail
                .iter()
                .map(|entry| TailCall {
                    id: entry.text.id().to_owned(),
                    name: entry.text.name().to_owned(),
                    title: entry.text.title().to_owned(),
                    status: self.tail_status(entry, id),
                })
                .collect(),
            usage: agent.usage.shown(),
            model: text(agent.model.text.as_deref()),
            activity: if reading.is_settled() { None } else { text(agent.activity.as_deref()) },
            report: agent.report.as_deref().map(excerpt),
            error: agent.error.as_deref().map(excerpt),
            needs_input: part.and_then(|part| text(part.needs_input.as_deref())),
            runs: agent.runs,
            nested: part.map_or_else(Vec::new, |part| {
                part.rows.iter().filter_map(|row| self.agents.get(*row)).map(|row| self.render_row(row)).collect()
            }),
            annotations: agent.annotations.clone(),
            revision: self.revisions.of(id),
        }
    }

    fn render_row(&self, agent: &Agent) -> NestedRow {
        let parent = agent.parent.and_then(|parent| self.agents.get(parent));
        NestedRow {
            dispatch_id: text(agent.dispatch_id.as_deref()),
            parent_id: parent.and_then(|parent| text(parent.dispatch_id.as_deref())),
            task_id: text(agent.task_id.as_deref()),
            name: name(agent),
            agent_type: text(agent.agent_type.text.as_deref()),
            depth: agent.depth(),
            state: agent.reading.state,
            outcome: agent.reading.outcome,
            failed: agent.reading.outcome.is_some_and(Outcome::is_failed),
            calls: u64::from(agent.own_calls),
            usage: agent.usage.shown(),
        }
    }
}

fn text(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

fn name(agent: &Agent) -> String {
    agent.name.text.as_deref().unwrap_or(NAMELESS).to_owned()
}

fn excerpt(bounded: &Bounded) -> Excerpt {
    Excerpt { text: bounded.text.to_string(), truncated: bounded.truncated }
}

/// The form for snapshots: one fact a line, only what there is, no clock and no revision. It changes only with a
/// major version.
///
/// Ids and texts of a transcript are printed with their control characters escaped.
impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.dispatch_id.escape_debug(), quoted(&self.name))?;
        if let Some(agent_type) = &self.agent_type {
            write!(f, " ({agent_type})")?;
        }
        write!(f, "\n  {}", self.state)?;
        if let Some(outcome) = self.outcome {
            write!(f, " {outcome}")?;
        }
        write!(f, " by {}", self.evidence)?;
        if self.kind != crate::card::Kind::Agent {
            write!(f, ", {}", self.kind)?;
        }
        if self.backgrounded {
            f.write_str(", in the background")?;
        }
        if self.runs > 1 {
            write!(f, ", run {}", self.runs)?;
        }
        writeln!(f)?;
        if self.calls > 0 {
            writeln!(f, "  calls {} (open {}, failed {})", self.calls, self.open_calls, self.failed_calls)?;
        }
        for call in &self.tail {
            writeln!(f, "    {} {}", call.status, quoted(&call.title))?;
        }
        self.fmt_facts(f)?;
        for row in &self.nested {
            write!(f, "  nested {row}")?;
        }
        Ok(())
    }
}

impl Card {
    fn fmt_facts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(task_id) = &self.task_id {
            writeln!(f, "  task {}", task_id.escape_debug())?;
        }
        if let Some(model) = &self.model {
            writeln!(f, "  model {model}")?;
        }
        if let Some(usage) = &self.usage {
            writeln!(f, "  usage {usage}")?;
        }
        for (label, time) in [("started", self.started_at_ms), ("ended", self.ended_at_ms)] {
            if let Some(time) = time {
                writeln!(f, "  {label} {time}")?;
            }
        }
        for (label, text) in [("activity", &self.activity), ("needs input", &self.needs_input)] {
            if let Some(text) = text {
                writeln!(f, "  {label} {}", quoted(text))?;
            }
        }
        for (label, text) in [("report", &self.report), ("error", &self.error)] {
            if let Some(text) = text {
                let cut = if text.truncated { " (cut)" } else { "" };
                writeln!(f, "  {label}{cut} {}", quoted(&text.text))?;
            }
        }
        for (name, value) in &self.annotations {
            writeln!(f, "  {name} {value}")?;
        }
        Ok(())
    }
}

impl fmt::Display for NestedRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.dispatch_id.as_deref().or(self.task_id.as_deref()).unwrap_or("?");
        write!(
            f,
            "{}{} {}",
            "  ".repeat(self.depth.saturating_sub(1).min(8) as usize),
            id.escape_debug(),
            quoted(&self.name)
        )?;
        if let Some(agent_type) = &self.agent_type {
            write!(f, " ({agent_type})")?;
        }
        write!(f, " {}", self.state)?;
        if let Some(outcome) = self.outcome {
            write!(f, " {outcome}")?;
        }
        write!(f, ", calls {}", self.calls)?;
        if let Some(usage) = &self.usage {
            write!(f, ", usage {usage}")?;
        }
        writeln!(f)
    }
}

impl fmt::Display for CardUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = true;
        let figures = [(self.total_tokens, "tokens"), (self.tool_uses, "calls"), (self.duration_ms, "ms")];
        for (figure, unit) in figures {
            if let Some(figure) = figure {
                write!(f, "{}{figure} {unit}", if first { "" } else { ", " })?;
                first = false;
            }
        }
        Ok(())
    }
}

/// The drawn cards in their order, as [`Card`] prints them.
impl fmt::Display for CardTracker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for card in self.cards() {
            write!(f, "{card}")?;
        }
        Ok(())
    }
}

fn quoted(text: &str) -> impl fmt::Display + '_ {
    struct Quoted<'a>(&'a str);
    impl fmt::Display for Quoted<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "\"{}\"", self.0.escape_debug())
        }
    }
    Quoted(text)
}
