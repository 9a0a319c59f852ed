//! The conversation of another system: its files one after the other, what they hold translated. Knows no word of it.

use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use cardfold_dialects::{Fault, FaultKind, Output, Translation};
use cardfold_wire::Frame;

use crate::agent_file::shown;
use crate::bounded::read_bounded;
use crate::conversation::SessionFrame;
use crate::lines::{Advance, Lines};
use crate::options::Options;
use crate::problem::{Problem, ProblemKind};
use crate::session::{FramePlace, SessionFacts, Sessions};
use crate::source::{Origin, is_whole};
use crate::whose::{Form, has_line};

/// Something to read.
type Reader<'r> = Box<dyn Read + Send + 'r>;

/// A conversation of another system.
pub(crate) struct Foreign<'r> {
    translation: Translation,
    /// The files that are still to be read.
    files: VecDeque<Part<'r>>,
    /// The one that is read line by line, with its name.
    at_hand: Option<(Arc<str>, Lines<Reader<'r>>)>,
    frames: VecDeque<Waiting>,
    /// The greatest time so far.
    time_ms: Option<i64>,
    stage: Stage,
    /// Bytes of the files that are done.
    passed: u64,
    /// The file is still written to, and has so many bytes for now.
    visible: Option<u64>,
    /// A last line that is torn is being written.
    leaves_torn: bool,
}

/// A file or a stream of the conversation.
pub(crate) enum Part<'r> {
    /// A file that was found by its name. What stands in it may be anybody's.
    Found(PathBuf, Form),
    /// What the caller named, open already.
    Named(String, Reader<'r>, Form),
}

/// A frame whose turn has not come, and the file and line that it is from.
struct Waiting {
    frame: Frame<'static>,
    place: Option<(Arc<str>, u64)>,
}

/// How far the conversation is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Stage {
    Files,
    /// What there is for now is read, and more may come.
    Resting,
    /// All is read; the system may have last words.
    Read,
    Over,
}

impl<'r> Foreign<'r> {
    pub(crate) fn new(translation: Translation, files: VecDeque<Part<'r>>) -> Self {
        Self {
            translation,
            files,
            at_hand: None,
            frames: VecDeque::new(),
            time_ms: None,
            stage: Stage::Files,
            passed: 0,
            visible: None,
            leaves_torn: false,
        }
    }

    /// The files are still written to: a last line that is torn is none.
    pub(crate) fn without_torn_lines(self) -> Self {
        Self { leaves_torn: true, ..self }
    }

    /// The file is still written to, and has `bytes` bytes by now.
    pub(crate) fn grow(&mut self, bytes: u64) {
        self.visible = Some(bytes);
        if let Some((_, lines)) = &mut self.at_hand {
            lines.show(bytes);
        }
        if self.stage == Stage::Resting {
            self.stage = Stage::Files;
        }
    }

    /// Bytes read so far.
    pub(crate) fn passed(&self) -> u64 {
        self.passed.saturating_add(self.at_hand.as_ref().map_or(0, |(_, lines)| lines.passed()))
    }

    /// Reads on to the next frame and gives it to `take`; `None` when there is none any more.
    pub(crate) fn next_frame<T>(
        &mut self,
        sessions: &mut Sessions,
        options: &Options,
        take: impl FnOnce(SessionFrame<'_>) -> T,
    ) -> Option<T> {
        let mut take = Some(take);
        while !sessions.current().stopped {
            if let Some(Waiting { frame, place }) = self.frames.pop_front() {
                sessions.place(frame.session_id.as_deref(), None, Origin::Main);
                self.time_ms = self.time_ms.max(frame.timestamp_ms);
                let place = place.as_ref().map(|(file, line)| FramePlace { file, line: *line });
                let given = sessions.hand(frame, self.time_ms, place, options, &mut take);
                if given.is_some() {
                    return given;
                }
                continue;
            }
            match self.stage {
                Stage::Files => self.read_on(sessions, options),
                Stage::Read => {
                    self.stage = Stage::Over;
                    // Of a session that goes on nothing is concluded (P6).
                    if !options.live {
                        let last = self.translation.end_of_session();
                        self.wait(last, None);
                    }
                }
                Stage::Over | Stage::Resting => return None,
            }
        }
        None
    }

    /// Reads one line more, or opens the next file.
    fn read_on(&mut self, sessions: &mut Sessions, options: &Options) {
        let Some((name, lines)) = &mut self.at_hand else {
            match self.files.pop_front() {
                Some(part) => self.open(part, sessions, options),
                None => {
                    let rest = self.translation.end_of_input();
                    self.wait(rest, None);
                    self.stage = Stage::Read;
                }
            }
            return;
        };
        let session = sessions.current_mut();
        let advance = match lines.advance() {
            Ok(Advance::End) if lines.take_unended(is_whole) => Ok(Advance::Line),
            advance => advance,
        };
        match advance {
            Ok(Advance::End) if self.visible.is_some() => {
                let rest = self.translation.end_of_input();
                self.wait(rest, None);
                self.stage = Stage::Resting;
            }
            Ok(Advance::End) => self.leave(),
            Ok(Advance::Line) => {
                session.lines = session.lines.saturating_add(1);
                let output = self.translation.read(lines.rest());
                lines.leave(0);
                let (name, line) = (name.clone(), lines.number());
                skip_faults(&output, &name, Some(line), session);
                self.wait(output, Some((name, line)));
            }
            Ok(Advance::TooLong) => {
                session.lines = session.lines.saturating_add(1);
                session.skip(problem(name, Some(lines.number()), ProblemKind::TooLong, "over the cap of a line"));
            }
            Err(error) => {
                session.problems.push(problem(name, None, ProblemKind::Unreadable, error.to_string()));
                self.leave();
            }
        }
    }

    fn wait(&mut self, output: Output, place: Option<(Arc<str>, u64)>) {
        self.frames.extend(output.frames.into_iter().map(|frame| Waiting { frame, place: place.clone() }));
    }

    fn leave(&mut self) {
        self.passed = self.passed();
        self.at_hand = None;
    }

    fn open(&mut self, part: Part<'r>, sessions: &mut Sessions, options: &Options) {
        let session = sessions.current_mut();
        match part {
            Part::Named(name, reader, Form::Lines) => {
                self.translation.begin_file();
                let mut lines = Lines::new(reader, options.max_line_bytes);
                if let Some(bytes) = self.visible {
                    lines.show(bytes);
                }
                self.at_hand = Some((name.into(), lines));
            }
            Part::Named(name, reader, Form::Document) => match read_all(&name, reader, options.max_line_bytes) {
                Ok(bytes) => self.document(&name, &bytes, sessions),
                Err(problem) => session.skip(problem),
            },
            Part::Found(path, Form::Lines) => match File::open(&path) {
                Ok(file) => {
                    let bytes = file.metadata().map_or(u64::MAX, |metadata| metadata.len());
                    let (is_its, ahead) = has_line(file, |line| self.translation.recognises(line));
                    if is_its {
                        self.translation.begin_file();
                        let mut lines: Lines<Reader<'r>> = Lines::new(Box::new(ahead), options.max_line_bytes);
                        if self.leaves_torn {
                            lines.show(bytes);
                        }
                        self.at_hand = Some((shown(&path).into(), lines));
                    } else {
                        let detail = "no line of the system that it stands among";
                        session.problems.push(problem(&shown(&path), None, ProblemKind::NoFrame, detail));
                    }
                }
                Err(error) => {
                    session.problems.push(problem(&shown(&path), None, ProblemKind::Unreadable, error.to_string()));
                }
            },
            Part::Found(path, Form::Document) => match read_bounded(&path, options.max_line_bytes) {
                // Other programs write files of such names too.
                Ok(bytes) if self.translation.recognises(&bytes) => self.document(&shown(&path), &bytes, sessions),
                Ok(_) => {}
                Err(problem) => session.problems.push(problem),
            },
        }
    }

    /// Takes a file that is one value.
    fn document(&mut self, name: &str, bytes: &[u8], sessions: &mut Sessions) {
        let session = sessions.current_mut();
        session.lines = session.lines.saturating_add(1);
        self.passed = self.passed.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
        self.translation.begin_file();
        let output = self.translation.read(bytes);
        skip_faults(&output, name, None, session);
        self.wait(output, Some((name.into(), 1)));
    }
}

/// Counts what could not be read.
fn skip_faults(output: &Output, name: &str, line: Option<u64>, session: &mut SessionFacts) {
    for Fault { kind, detail } in &output.faults {
        session.skip(problem(name, line, kind_of(*kind), detail.clone()));
    }
}

fn problem(file: &str, line: Option<u64>, kind: ProblemKind, detail: impl Into<String>) -> Problem {
    match line {
        Some(line) => Problem::of_line(file, line, kind, detail),
        None => Problem::of_file(file, kind, detail),
    }
}

fn kind_of(kind: FaultKind) -> ProblemKind {
    match kind {
        FaultKind::Malformed => ProblemKind::Malformed,
        FaultKind::NotAnObject => ProblemKind::NotAnObject,
        FaultKind::NotJson => ProblemKind::NotJson,
        FaultKind::NotUtf8 => ProblemKind::NotUtf8,
        FaultKind::TooLong => ProblemKind::TooLong,
    }
}

/// All that a reader has, if that is no more than a line may have.
fn read_all(name: &str, reader: impl Read, max_bytes: usize) -> Result<Vec<u8>, Problem> {
    let most = u64::try_from(max_bytes).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    if let Err(error) = reader.take(most).read_to_end(&mut bytes) {
        return Err(problem(name, None, ProblemKind::Unreadable, error.to_string()));
    }
    if bytes.len() > max_bytes {
        return Err(problem(name, None, ProblemKind::TooLong, "over the cap of a line"));
    }
    Ok(bytes)
}
