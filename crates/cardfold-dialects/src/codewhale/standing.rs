//! Where an agent stands, of which two machines tell: that of its result and that of its worker. Knows no
//! record.
//!
//! The two are written together and still disagree. The worker's row is not guarded: one that was cancelled may write
//! `running_tool` afterwards (W4-3), and says `completed` for its last step before anybody knows whether the agent did
//! (W4-2). The result is claimed once and for all, so it decides where it is over; where it is not, the worker knows
//! better what the agent does. The one exception is a parked worker: its result reads `Interrupted`, and it waits
//! (W4-1).

use crate::codewhale::words::{End, Sub, Worker, failure_recorded};

/// Where an agent stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Standing<'v> {
    /// Alive, in a word of R16 that both vocabularies share.
    Live(Worker),
    /// It was interrupted and can go on: it waits for somebody to say how.
    Parked(Option<&'v str>),
    /// Over, and what went wrong.
    Over(End, Option<&'v str>),
}

/// What a worker's row says beside its status, where there is no result.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Words<'v> {
    pub(crate) error: Option<&'v str>,
    pub(crate) latest_message: Option<&'v str>,
    /// The status of its usage.
    pub(crate) usage: Option<&'v str>,
}

/// Where an agent stands, by its result and its worker, as far as there are records of them. `can_go_on` says that a
/// checkpoint with messages is there to go on from. None where there is neither record.
pub(crate) fn standing<'v>(
    sub: Option<Sub<'v>>,
    worker: Option<Worker>,
    can_go_on: bool,
    words: Words<'v>,
) -> Option<Standing<'v>> {
    let Some(sub) = sub else { return worker.map(|worker| by_worker(worker, words)) };
    Some(match sub {
        Sub::BudgetExhausted => Standing::Over(End::BudgetExhausted, words.error),
        Sub::Cancelled => Standing::Over(End::Stopped, words.error),
        Sub::Completed => Standing::Over(End::Completed, None),
        Sub::Failed(error) => Standing::Over(failure_recorded(error), some(error)),
        Sub::Interrupted(reason) if can_go_on || worker == Some(Worker::WaitingForUser) => {
            Standing::Parked(some(reason))
        }
        Sub::Interrupted(reason) => Standing::Over(End::Interrupted, some(reason)),
        // The last step of a worker is over before its result is: until then it runs.
        Sub::Running => Standing::Live(worker.filter(|worker| !is_over(*worker)).unwrap_or(Worker::Running)),
    })
}

/// Where a worker stands of whose result there is no record.
fn by_worker(worker: Worker, words: Words<'_>) -> Standing<'_> {
    let error = words.error.or(words.latest_message);
    match worker {
        Worker::Cancelled => Standing::Over(End::Stopped, words.error),
        Worker::Completed => Standing::Over(End::Completed, None),
        // A worker has no word for a budget that ran out, and leaves the error empty (W4-11).
        Worker::Failed if words.usage == Some("budget_exhausted") => Standing::Over(End::BudgetExhausted, error),
        Worker::Failed => Standing::Over(failure_recorded(error.unwrap_or_default()), error),
        Worker::Interrupted => Standing::Over(End::Interrupted, error),
        Worker::WaitingForUser => Standing::Parked(words.latest_message),
        Worker::ModelWait | Worker::Queued | Worker::Running | Worker::RunningTool | Worker::Starting => {
            Standing::Live(worker)
        }
    }
}

fn is_over(worker: Worker) -> bool {
    match worker {
        Worker::Cancelled | Worker::Completed | Worker::Failed | Worker::Interrupted => true,
        Worker::ModelWait
        | Worker::Queued
        | Worker::Running
        | Worker::RunningTool
        | Worker::Starting
        | Worker::WaitingForUser => false,
    }
}

fn some(text: &str) -> Option<&str> {
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORKERS: [Worker; 10] = [
        Worker::Cancelled,
        Worker::Completed,
        Worker::Failed,
        Worker::Interrupted,
        Worker::ModelWait,
        Worker::Queued,
        Worker::Running,
        Worker::RunningTool,
        Worker::Starting,
        Worker::WaitingForUser,
    ];

    #[test]
    fn a_result_that_is_over_is_beaten_by_no_worker() {
        for worker in WORKERS.map(Some).into_iter().chain([None]) {
            let of = |sub| standing(Some(sub), worker, false, Words::default());
            assert_eq!(of(Sub::Completed), Some(Standing::Over(End::Completed, None)), "{worker:?}");
            assert_eq!(of(Sub::Cancelled), Some(Standing::Over(End::Stopped, None)), "{worker:?}");
            assert_eq!(of(Sub::Failed("boom")), Some(Standing::Over(End::Failed, Some("boom"))), "{worker:?}");
            assert_eq!(of(Sub::BudgetExhausted), Some(Standing::Over(End::BudgetExhausted, None)), "{worker:?}");
        }
    }

    #[test]
    fn an_interrupted_agent_that_can_go_on_waits() {
        for worker in WORKERS.map(Some).into_iter().chain([None]) {
            let of = |can_go_on| standing(Some(Sub::Interrupted("why")), worker, can_go_on, Words::default());
            assert_eq!(of(true), Some(Standing::Parked(Some("why"))), "{worker:?}");
            let parked = worker == Some(Worker::WaitingForUser);
            let want =
                if parked { Standing::Parked(Some("why")) } else { Standing::Over(End::Interrupted, Some("why")) };
            assert_eq!(of(false), Some(want), "{worker:?}");
        }
    }

    #[test]
    fn a_running_agent_stands_where_its_worker_says() {
        for worker in WORKERS {
            let want = if is_over(worker) { Worker::Running } else { worker };
            let got = standing(Some(Sub::Running), Some(worker), false, Words::default());
            assert_eq!(got, Some(Standing::Live(want)), "{worker:?}");
        }
        assert_eq!(standing(Some(Sub::Running), None, true, Words::default()), Some(Standing::Live(Worker::Running)));
    }

    #[test]
    fn a_worker_without_a_result_stands_by_its_own_word() {
        let words = Words { error: None, latest_message: Some("m"), usage: None };
        let of = |worker, words| standing(None, Some(worker), false, words).expect("there is a record");
        assert_eq!(of(Worker::Queued, words), Standing::Live(Worker::Queued));
        assert_eq!(of(Worker::WaitingForUser, words), Standing::Parked(Some("m")));
        assert_eq!(of(Worker::Completed, words), Standing::Over(End::Completed, None));
        assert_eq!(of(Worker::Cancelled, words), Standing::Over(End::Stopped, None));
        assert_eq!(of(Worker::Interrupted, words), Standing::Over(End::Interrupted, Some("m")));
        assert_eq!(of(Worker::Failed, words), Standing::Over(End::Failed, Some("m")));
        let error = Words { error: Some("child wall-time budget exhausted (limit: 5s)"), ..words };
        assert_eq!(of(Worker::Failed, error), Standing::Over(End::TimedOut, error.error));
        let budget = Words { usage: Some("budget_exhausted"), ..words };
        assert_eq!(of(Worker::Failed, budget), Standing::Over(End::BudgetExhausted, Some("m")));
        assert_eq!(standing(None, None, true, words), None);
    }
}
