//! What is followed, and how it comes: frames until there are none for now, then a wait for more.

use std::fs;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use cardfold::Frame;
use cardfold_replay::{Conversation, Look, Options, Problem, SessionFacts, SessionFrame};

use crate::follow::pass::Tee;
use crate::follow::watch::{Nudge, Watch};
use crate::reading::{STANDARD_INPUT, is_standard_input};

/// What is followed.
pub(crate) enum Input {
    /// A file that is written to, or will be.
    File(Box<cardfold_replay::Follow>),
    /// A stream, which has an end.
    Stream(Box<Conversation<'static>>),
}

/// Who is told of what is read.
pub(crate) trait Audience {
    /// A frame came.
    fn frame(&mut self, next: &SessionFrame<'_>) -> ControlFlow<()>;

    /// What was told is void: the file is another one by now.
    fn anew(&mut self) -> ControlFlow<()>;

    /// There is nothing more for now.
    fn lull(&mut self, lull: Lull<'_>) -> ControlFlow<()>;

    /// A stream is over.
    fn over(&mut self, sessions: &[SessionFacts]) -> ControlFlow<()>;

    /// The program is to end by a signal.
    fn stop(&mut self, signal: i32, conclusions: Vec<Frame<'static>>) -> ControlFlow<()>;
}

/// How things stand when there is nothing more for now.
pub(crate) struct Lull<'a> {
    pub(crate) sessions: &'a [SessionFacts],
    /// As [`cardfold_replay::Follow::conclusions`].
    pub(crate) conclusions: Vec<Frame<'static>>,
    /// Why there is nothing to read at all.
    pub(crate) problem: Option<&'a Problem>,
}

impl Input {
    pub(crate) fn open(path: &Path, passes_through: bool, options: &Options) -> Result<Self, Problem> {
        if is_standard_input(path) {
            let reader: Box<dyn Read + Send> =
                if passes_through { Box::new(Tee::of_standard_streams()) } else { Box::new(io::stdin()) };
            return Ok(Self::Stream(Box::new(Conversation::from_reader(reader, STANDARD_INPUT, options))));
        }
        // A pipe with a name cannot be read twice, and nothing stands beside it.
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir()) {
            return Conversation::open(path, options).map(|conversation| Self::Stream(Box::new(conversation)));
        }
        cardfold_replay::Follow::new(path, options).map(|follow| Self::File(Box::new(follow)))
    }

    /// What is followed, in words.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::File(follow) => follow.path().to_string_lossy().into_owned(),
            Self::Stream(conversation) => match conversation.sessions().first().map(|session| &*session.source) {
                Some(STANDARD_INPUT) | None => "standard input".to_owned(),
                Some(path) => path.to_owned(),
            },
        }
    }

    /// It has an end, and comes when it is written.
    pub(crate) fn is_stream(&self) -> bool {
        match self {
            Self::File(_) => false,
            Self::Stream(_) => true,
        }
    }

    /// Reads until the stream ends or the audience has had enough.
    pub(crate) fn follow(self, mut watch: Watch, audience: &mut impl Audience) {
        let _ = match self {
            Self::File(follow) => follow_file(*follow, &mut watch, audience),
            Self::Stream(conversation) => follow_stream(*conversation, audience),
        };
    }
}

fn follow_file(
    mut follow: cardfold_replay::Follow,
    watch: &mut Watch,
    audience: &mut impl Audience,
) -> ControlFlow<()> {
    let mut look = Look::Same;
    loop {
        if look == Look::Anew {
            audience.anew()?;
        }
        while let Some(flow) = follow.next_frame(|next| audience.frame(&next)) {
            flow?;
        }
        let (sessions, conclusions, problem) = (follow.sessions(), follow.conclusions(), follow.problem());
        audience.lull(Lull { sessions, conclusions, problem })?;
        watch.keep(follow.places());
        look = match watch.wait() {
            Nudge::Grown => watch.time(|| follow.look()),
            Nudge::Moved => watch.time(|| follow.look_around()),
            Nudge::Signal(signal) => return audience.stop(signal, follow.conclusions()),
        };
    }
}

fn follow_stream(mut conversation: Conversation<'_>, audience: &mut impl Audience) -> ControlFlow<()> {
    while let Some(flow) = conversation.next_frame(|next| audience.frame(&next)) {
        flow?;
    }
    audience.over(conversation.sessions())
}
