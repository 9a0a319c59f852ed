//! Kinds of frames, rules and evidence in words.

use cardfold::{Evidence, FrameKind, Rule};

/// What sort of line it is, by the word that stands in the stream where there is one.
pub(crate) fn kind(kind: FrameKind) -> &'static str {
    match kind {
        FrameKind::Assistant => "assistant",
        FrameKind::BackgroundTasks => "background_tasks_changed",
        FrameKind::EndSession => "end_of_session",
        FrameKind::Notices => "task_notices",
        FrameKind::Permission => "permission",
        FrameKind::Quiet => "quiet",
        FrameKind::Remark => "remark",
        FrameKind::Sidecar => "sidecar",
        FrameKind::TaskNotification => "task_notification",
        FrameKind::TaskProgress => "task_progress",
        FrameKind::TaskStarted => "task_started",
        FrameKind::TaskUpdated => "task_updated",
        FrameKind::ToolProgress => "tool_progress",
        FrameKind::TurnResult => "result",
        FrameKind::Unknown => "unknown",
        FrameKind::User => "user",
    }
}

/// The rule's number in the contract; `none` where no rule had anything to decide.
pub(crate) fn rule_number(rule: Rule) -> &'static str {
    const NUMBERS: [&str; 29] = [
        "none", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15", "R16",
        "R17", "R18", "R19", "R20", "R21", "R22", "R23", "R24", "R25", "R26", "R27", "R28",
    ];
    NUMBERS[rule as usize]
}

/// The rule in words: what made this frame count as it did.
pub(crate) fn rule(rule: Rule) -> &'static str {
    match rule {
        Rule::None => "the frame is the agent's own: it is seen to live, to speak, to have a model",
        Rule::R1 => "a dispatch by the main thread opens a card",
        Rule::R2 => "what was said before counts once; a message that replaces another takes back what that one opened",
        Rule::R3 => "this links the agent's ids: dispatch, task, the file of its lines",
        Rule::R4 => "what came before its call or its agent was known is taken up when it is",
        Rule::R5 => "a started agent whose dispatch was not seen is a card; a task that is no agent is none",
        Rule::R6 => "an agent started right after another announced it belongs to that one",
        Rule::R7 => "a call at any depth counts in the outermost card; a nested agent is a row of it",
        Rule::R8 => "calls and tasks lead to the card that owns them",
        Rule::R9 => "a call settles on its own result: failed on an error, else completed",
        Rule::R10 => "a nested dispatch's call settles by its report or error, or when its agent ends",
        Rule::R11 => "the answer to the dispatch: an error or a report ends the run, an acknowledgement does not",
        Rule::R12 => "a hand-back is the agent's report; an interrupt marker as the agent's last word stops it",
        Rule::R13 => "a task notice (or a read or stop of the task that says the same) counts once and tells the end",
        Rule::R14 => "the task frames are the agent's own word on whether it lives and how it ended",
        Rule::R15 => "the agent was started again: another run begins, and the earlier ending is past",
        Rule::R16 => "the word for a state is read as one of those that are known",
        Rule::R17 => "the list of background tasks: what it listed before and lists no longer is over",
        Rule::R18 => "the first of the statements that stand decides how the card reads",
        Rule::R19 => "an open permission request, or a run that waits on its own work, makes it waiting",
        Rule::R20 => "one ending a run: the agent's own word beats the answer, and a statement beats a conclusion",
        Rule::R21 => "calls that are open when their run is over are cut off",
        Rule::R22 => "what trails behind a stated ending changes calls and figures, not the state",
        Rule::R23 => "usage does not go down within a run",
        Rule::R24 => "report and error are kept up to a bound",
        Rule::R25 => "a change is told once",
        Rule::R26 => "a bound was reached, and the oldest went",
        Rule::R27 => "the fold was written out and read back",
        Rule::R28 => "the conversation is over, and what was never told is concluded",
    }
}

/// What the evidence means.
pub(crate) fn evidence(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::CallsSettled => "all of its calls are settled and nothing is to come: a conclusion",
        Evidence::Dispatch => "it was dispatched, and nothing says that it is over",
        Evidence::Error => "the dispatch was answered with an error, or the agent was interrupted",
        Evidence::Guessed => "a text of another system reads like it: a guess",
        Evidence::Level => "the list of background tasks has it no longer: a conclusion",
        Evidence::OpenCall => "one of its calls has not returned",
        Evidence::Report => "the dispatch was answered with a report",
        Evidence::Returned => "the dispatch returned and the conversation is over: a conclusion",
        Evidence::Roster => "its task frames or notices say so",
        Evidence::SessionEnd => "the conversation is over and nothing told its end: a conclusion",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_has_its_own_number() {
        for (rule, number) in [(Rule::None, "none"), (Rule::R1, "R1"), (Rule::R14, "R14"), (Rule::R28, "R28")] {
            assert_eq!(rule_number(rule), number);
            assert_eq!(format!("{rule:?}").to_lowercase(), number.to_lowercase());
        }
    }
}
