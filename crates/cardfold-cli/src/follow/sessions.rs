//! The sessions that are followed: the reader folds into them, the screen looks at them.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cardfold::{CardTracker, Frame};
use cardfold_replay::{ProblemKind, SessionFacts, SessionFrame};

use crate::follow::clock::{Clock, here_ms};
use crate::follow::input::{Audience, Lull};
use crate::follow::screen::News;

/// While much is read the screen is told this often.
const INTERVAL: Duration = Duration::from_millis(100);

/// The sessions as they stand.
#[derive(Debug, Default)]
pub(crate) struct Sessions {
    pub(crate) all: Vec<Session>,
    pub(crate) clock: Clock,
    pub(crate) stage: Stage,
    /// Frames of all sessions.
    pub(crate) frames: u64,
    /// Lines that could not be read.
    pub(crate) skipped: u64,
    /// Files that stand there and are not read.
    pub(crate) not_followed: u64,
    /// How often everything was read anew.
    pub(crate) turn: u64,
}

/// One session.
#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) id: Option<String>,
    /// The file or the folder that it is read from, as of the last lull.
    pub(crate) source: String,
    pub(crate) tracker: CardTracker,
    /// A copy that knows what a replay would conclude now, where there is something to conclude.
    pub(crate) concluded: Option<CardTracker>,
}

/// How far the reading is.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) enum Stage {
    /// All there is was read; more may come.
    Live,
    /// The stream has ended.
    Over,
    /// It is read.
    #[default]
    Reading,
    /// There is nothing to read, for this reason.
    Waiting(String),
}

/// The sessions, to be shared.
#[derive(Clone, Default)]
pub(crate) struct Shared(Arc<Mutex<Sessions>>);

impl Shared {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Sessions> {
        // A reader that panicked is told of in another way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Folds what is read into the sessions and tells the screen.
pub(crate) struct Folding {
    pub(crate) shared: Shared,
    pub(crate) news: Sender<News>,
    /// The screen was told and has not looked yet.
    pub(crate) is_told: Arc<AtomicBool>,
    /// Nobody looks any more, and nothing is to be passed through.
    pub(crate) is_left: Arc<AtomicBool>,
    /// Frames come when they are written, as far as is known.
    pub(crate) is_live: bool,
    pub(crate) told_at: Instant,
    /// What is read anew: until all of that is read, what was read before stands.
    pub(crate) anew: Option<Sessions>,
}

impl Folding {
    fn tell(&mut self) -> ControlFlow<()> {
        self.told_at = Instant::now();
        if !self.is_told.swap(true, Ordering::AcqRel) {
            // Where the screen is closed and only copying goes on nobody is there to be told.
            let _ = self.news.send(News::Cards);
        }
        if self.is_left.load(Ordering::Acquire) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Audience for Folding {
    fn frame(&mut self, next: &SessionFrame<'_>) -> ControlFlow<()> {
        let mut guard = self.shared.lock();
        let sessions = self.anew.as_mut().unwrap_or(&mut *guard);
        sessions.frames = sessions.frames.saturating_add(1);
        if self.is_live {
            sessions.stage = Stage::Live;
        }
        if sessions.all.len() <= next.session {
            sessions.all.resize_with(next.session.saturating_add(1), Session::default);
        }
        let session = &mut sessions.all[next.session];
        if session.id.as_deref() != next.session_id {
            session.id = next.session_id.map(str::to_owned);
        }
        match next.frame.timestamp_ms {
            Some(ms) if self.is_live => sessions.clock.hear(ms, here_ms()),
            Some(ms) => sessions.clock.read(ms),
            None => {}
        }
        session.tracker.apply(&next.frame);
        drop(guard);
        if self.is_live || self.told_at.elapsed() >= INTERVAL { self.tell() } else { ControlFlow::Continue(()) }
    }

    fn anew(&mut self) -> ControlFlow<()> {
        let sessions = self.shared.lock();
        let (clock, turn) = (sessions.clock, sessions.turn.saturating_add(1));
        self.anew = Some(Sessions { clock, turn, ..Sessions::default() });
        ControlFlow::Continue(())
    }

    fn lull(&mut self, lull: Lull<'_>) -> ControlFlow<()> {
        let mut sessions = self.shared.lock();
        if let Some(anew) = self.anew.take() {
            *sessions = anew;
        }
        sessions.stage = lull.problem.map_or(Stage::Live, |problem| Stage::Waiting(problem.detail.clone()));
        sessions.skipped = lull.sessions.iter().map(|session| session.skipped).sum();
        let problems = lull.sessions.iter().flat_map(|session| session.problems.iter());
        sessions.not_followed = problems.filter(|problem| problem.kind == ProblemKind::NotFollowed).count() as u64;
        for (session, facts) in sessions.all.iter_mut().zip(lull.sessions) {
            session.source.clone_from(&facts.source);
        }
        if let Some(session) = sessions.all.first_mut() {
            session.concluded = (!lull.conclusions.is_empty()).then(|| {
                let mut tracker = session.tracker.clone();
                lull.conclusions.iter().for_each(|frame| drop(tracker.apply(frame)));
                tracker
            });
        }
        drop(sessions);
        self.is_live = true;
        self.tell()
    }

    fn over(&mut self, facts: &[SessionFacts]) -> ControlFlow<()> {
        let mut sessions = self.shared.lock();
        sessions.stage = Stage::Over;
        sessions.skipped = facts.iter().map(|session| session.skipped).sum();
        sessions.all.iter_mut().for_each(|session| drop(session.tracker.end_session()));
        drop(sessions);
        self.tell()
    }

    fn stop(&mut self, _signal: i32, _conclusions: Vec<Frame<'static>>) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}
