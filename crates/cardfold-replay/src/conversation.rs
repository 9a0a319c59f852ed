//! A conversation as frames in order: what a host that drives its own tracker reads.

mod growing;
mod open;

use std::io::Read;
use std::mem;
use std::path::PathBuf;
use std::{fmt, iter};

use cardfold_dialects::Translation;
use cardfold_wire::Frame;

use crate::agent_file::AgentFile;
use crate::foreign::{Foreign, Part};
use crate::input::Input;
use crate::kind::Kind;
use crate::layout::{Found, Layout, Shelf};
use crate::links::{Links, Outbox};
use crate::merge::{Given, Merge, Step};
use crate::options::Options;
use crate::problem::Problems;
use crate::run_file::RunFile;
use crate::session::{FramePlace, SessionFacts, Sessions};
use crate::sidecar;
use crate::source::{Origin, Source};
use crate::whose::{Whose, whose};
use growing::Growing;
pub(crate) use growing::{Stamp, stamp};

/// Bytes of a conversation that are worth a second thread: starting it takes as long as decoding some 50 KB.
const BYTES_OF_TWO_THREADS: u64 = 1024 * 1024;

/// The frames of one stored session, or of one captured stream, in order and one at a time.
///
/// The frames of a stored session say more than its lines do: links between ids that the store keeps beside the lines
/// come as sidecar frames, and a line may have got the `parent` or `agent_id` that its place in the store gives it.
///
/// It is an iterator of frames that own what they hold; [`Conversation::next_frame`] lends them instead.
pub struct Conversation<'r> {
    options: Options,
    /// The main source, until it is known whose conversation it is.
    unread: Option<Unread<'r>>,
    /// The conversation is another system's.
    foreign: Option<Foreign<'r>>,
    /// Only the names of its files speak for it.
    is_guess: bool,
    merge: Merge<'r>,
    /// Stream or store; told by the first line that shows it.
    kind: Option<Kind>,
    sessions: Sessions,
    /// Where the session's other files stand; none for readers.
    layout: Option<Layout>,
    looked_for_own_files: bool,
    reads_ahead: bool,
    links: Links,
    /// Agents' files by number, until their turn comes.
    files: Vec<Option<AgentFile>>,
    /// The files of workflows.
    runs: Vec<PathBuf>,
    /// Frames that come before what the sources have next.
    outbox: Outbox,
    /// The frame at hand, which waits for those of `outbox`.
    held: Option<Held>,
    ending: Ending,
    bytes_total: Option<u64>,
    /// The files are still written to.
    growing: Option<Growing>,
}

/// A file or a stream of which nothing was read.
struct Unread<'r> {
    name: String,
    input: Input<'r>,
    /// Bytes it has, where that is known.
    bytes: Option<u64>,
}

/// What is left to do when the sources are at their ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Ending {
    /// Files may be found that no line led to.
    Files,
    /// Chains are linked by order, then the workflows' own files are told.
    Links,
    /// Agents that nothing claimed are told.
    Unclaimed,
    Over,
}

/// A frame that was read and waits for others, and where it stands.
struct Held {
    frame: Frame<'static>,
    file: String,
    line: u64,
}

/// One frame of a conversation.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SessionFrame<'a> {
    /// The session, as a place in [`Conversation::sessions`]. A stored conversation is one session.
    pub session: usize,
    /// The session's id, as far as it is known.
    pub session_id: Option<&'a str>,
    /// The frame's number in its session, from 1.
    pub number: u64,
    /// Where its line stands; none for what the store says beside its lines.
    pub place: Option<FramePlace<'a>>,
    /// The frame.
    pub frame: Frame<'a>,
}

impl<'r> Conversation<'r> {
    /// Reads a captured stream, or a session file without the files beside it. `source` names it in
    /// [`Conversation::sessions`].
    pub fn from_reader(reader: impl Read + Send + 'r, source: &str, options: &Options) -> Self {
        let mut conversation = Self::empty(source, None, options);
        let input = Input::Reader(Box::new(reader));
        conversation.unread = Some(Unread { name: source.to_owned(), input, bytes: None });
        conversation
    }

    fn empty(name: &str, layout: Option<Layout>, options: &Options) -> Self {
        let stem = layout.as_ref().map(|layout| layout.stem().to_string_lossy().into_owned());
        Self {
            options: options.clone(),
            unread: None,
            foreign: None,
            is_guess: false,
            merge: Merge::new(options.max_line_bytes),
            kind: None,
            sessions: Sessions::new(name, stem),
            layout,
            looked_for_own_files: false,
            reads_ahead: false,
            links: Links::default(),
            files: Vec::new(),
            runs: Vec::new(),
            outbox: Outbox::new(),
            held: None,
            ending: Ending::Files,
            bytes_total: None,
            growing: None,
        }
    }

    /// Reads on to the next frame and gives it to `take`; `None` when there is none any more.
    pub fn next_frame<T>(&mut self, take: impl FnOnce(SessionFrame<'_>) -> T) -> Option<T> {
        if self.growing.is_some() {
            self.tell_whose_so_far()
        } else {
            self.tell_whose()
        }
        if let Some(foreign) = &mut self.foreign {
            return foreign.next_frame(&mut self.sessions, &self.options, take);
        }
        let mut take = Some(take);
        loop {
            if self.kind != Some(Kind::Stream) && self.sessions.current().stopped {
                return None;
            }
            if let Some(frame) = self.outbox.pop_front() {
                match self.sessions.hand(frame, None, None, &self.options, &mut take) {
                    Some(given) => return Some(given),
                    None => continue,
                }
            }
            if let Some(Held { frame, file, line }) = self.held.take() {
                let place = Some(FramePlace { file: &file, line });
                match self.sessions.hand(frame, None, place, &self.options, &mut take) {
                    Some(given) => return Some(given),
                    None => continue,
                }
            }
            self.look_for_files();
            self.read_ahead();
            match self.step(&mut take) {
                Step::Bad(problem) => self.sessions.current_mut().skip(problem),
                Step::End if self.ending == Ending::Over || self.growing.is_some() => return None,
                Step::End => self.end(),
                Step::Fresh(Origin::Agent(number)) => self.open_agent(number),
                Step::Fresh(Origin::Main) | Step::Given(None) => {}
                Step::Given(Some(given)) => return Some(given),
                Step::Lost(problem) => self.sessions.current_mut().problems.push(problem),
            }
        }
    }

    /// What was read of each session so far, in order of sight.
    pub fn sessions(&self) -> &[SessionFacts] {
        self.sessions.all()
    }

    /// Bytes read so far; more than [`Conversation::bytes_total`] where files grow meanwhile.
    pub fn bytes_read(&self) -> u64 {
        self.merge.passed().saturating_add(self.foreign.as_ref().map_or(0, Foreign::passed))
    }

    /// Bytes of all files of the conversation, as far as they were found; none for readers.
    pub fn bytes_total(&self) -> Option<u64> {
        self.bytes_total
    }

    /// What was found out and holds for other sessions too.
    pub(crate) fn take_shelf(&mut self) -> Shelf {
        self.layout.take().map(Layout::into_shelf).unwrap_or_default()
    }

    pub(crate) fn into_sessions(self) -> Vec<SessionFacts> {
        self.sessions.into_all()
    }

    /// The files were found by their names alone.
    pub(crate) fn is_guess(&self) -> bool {
        self.is_guess
    }

    /// Looks whose conversation it is, where that is not known yet.
    fn tell_whose(&mut self) {
        let Some(Unread { name, input, bytes }) = self.unread.take() else { return };
        let most = self.options.max_line_bytes;
        match whose(input, self.options.dialect, most) {
            (Whose::Client, ahead) => {
                self.merge.add(Source::main(Input::from_start(ahead), name, bytes, most));
            }
            (Whose::System(make, form), ahead) => {
                let parts = [Part::Named(name, Box::new(ahead), form)].into();
                self.foreign = Some(Foreign::new(Translation::new(make()), parts));
            }
        }
    }

    fn step<T>(&mut self, take: &mut Option<impl FnOnce(SessionFrame<'_>) -> T>) -> Step<Option<T>> {
        let Self { options, merge, kind, sessions, links, outbox, held, .. } = self;
        let step = merge.step(|given| {
            let Given { mut frame, origin, line, time_ms, place } = given;
            *kind = kind.or_else(|| Kind::of(line));
            sessions.place(frame.session_id.as_deref(), *kind, origin);
            if sessions.current_mut().stops_before(time_ms, options) {
                return None;
            }
            if *kind == Some(Kind::Stored) {
                links.observe(&mut frame, origin, outbox);
                if !outbox.is_empty() {
                    *held = Some(Held { frame: frame.into_owned(), file: place.file.to_owned(), line: place.line });
                    return None;
                }
            }
            sessions.hand(frame, time_ms, Some(place), options, take)
        });
        let session = self.sessions.current_mut();
        session.lines = session.lines.saturating_add(self.merge.count_lines());
        step
    }

    /// Lets a second thread decode, once it is known what the lines are, if there is enough for it to do.
    fn read_ahead(&mut self) {
        let is_worth_it = self.bytes_total.is_some_and(|bytes| bytes >= BYTES_OF_TWO_THREADS);
        if is_worth_it && self.kind.is_some() && self.options.threads > 1 && !mem::replace(&mut self.reads_ahead, true)
        {
            self.merge.read_ahead();
        }
    }

    /// Takes up files that the lines so far lead to.
    fn look_for_files(&mut self) {
        let Some(layout) = self.layout.as_mut().filter(|_| self.kind == Some(Kind::Stored)) else { return };
        if !mem::replace(&mut self.looked_for_own_files, true) {
            let found = layout.own_files();
            self.take_up(found);
        }
        for id in self.sessions.take_new_ids() {
            if let Some(layout) = &mut self.layout {
                let found = layout.files_of(&id);
                self.take_up(found);
            }
        }
    }

    fn take_up(&mut self, found: Found) {
        for problem in found.problems {
            self.sessions.current_mut().problems.push(problem);
        }
        if let Some(growing) = &mut self.growing {
            growing.has_unripe(found.has_unripe);
        }
        let runs = &mut self.runs;
        runs.extend(found.runs.into_iter().filter(|path| !runs.contains(path)).collect::<Vec<_>>());
        for file in found.agents {
            let number = self.links.add_file(&file);
            let mut source = Source::agent(number, &file);
            if let Some(growing) = &mut self.growing {
                growing.add(&file, &mut source, self.merge.count());
            }
            self.merge.add(source);
            self.bytes_total = Some(self.bytes_total.unwrap_or(0).saturating_add(file.bytes));
            self.files
                .extend(iter::repeat_with(|| None).take(number.saturating_add(1).saturating_sub(self.files.len())));
            self.files[number] = Some(file);
        }
    }

    fn open_agent(&mut self, number: usize) {
        let Some(file) = self.files.get_mut(number).and_then(Option::take) else { return };
        let found = self.growing.is_some().then(|| stamp(&file.sidecar_path())).flatten();
        let sidecar = sidecar::read(&file.sidecar_path(), self.options.max_line_bytes).unwrap_or_else(|problem| {
            self.sessions.current_mut().problems.push(problem);
            None
        });
        self.links.open_file(number, &file, sidecar, &mut self.outbox);
        if let Some(growing) = &mut self.growing {
            growing.open(number, file, found);
        }
    }

    /// Does the next thing that is to be done when everything was read.
    fn end(&mut self) {
        self.ending = match self.ending {
            Ending::Files => {
                // A file without one telling line is taken for what stands on disks.
                self.kind = self.kind.or(self.layout.as_ref().map(|_| Kind::Stored));
                if self.kind == Some(Kind::Stored) { Ending::Links } else { Ending::Over }
            }
            Ending::Links => {
                self.links.finish(&mut self.outbox);
                let runs = mem::take(&mut self.runs);
                let problems = tell_runs(&runs, &self.options, &mut self.links, &mut self.outbox);
                self.sessions.current_mut().problems.append(problems);
                Ending::Unclaimed
            }
            Ending::Unclaimed => {
                let sessions = &self.sessions;
                self.links.unclaimed(|id| sessions.has_id(id), &mut self.outbox);
                Ending::Over
            }
            Ending::Over => Ending::Over,
        }
    }
}

/// Tells how workflows ended.
fn tell_runs(runs: &[PathBuf], options: &Options, links: &mut Links, out: &mut Outbox) -> Problems {
    let mut problems = Problems::default();
    for path in runs {
        match RunFile::read(path, options.max_line_bytes) {
            Ok(file) => {
                if let (Some(run_id), Some(task_id)) = (&file.run_id, &file.task_id) {
                    links.run(run_id, task_id, out);
                }
                out.push_back(file.frame);
            }
            Err(problem) => problems.push(problem),
        }
    }
    problems
}

impl Iterator for Conversation<'_> {
    type Item = Frame<'static>;

    fn next(&mut self) -> Option<Frame<'static>> {
        self.next_frame(|next| next.frame.into_owned())
    }
}

impl fmt::Debug for Conversation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversation").field("sessions", &self.sessions.all()).finish_non_exhaustive()
    }
}
