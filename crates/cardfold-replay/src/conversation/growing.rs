//! A conversation whose files are still written to: what has grown, what has come, and what a replay would conclude now.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use cardfold_dialects::Translation;
use cardfold_wire::Frame;

use super::{Conversation, Unread};
use crate::agent_file::{AgentFile, shown};
use crate::follow::Look;
use crate::foreign::{Foreign, Part};
use crate::input::Input;
use crate::layout::{Layout, Shelf};
use crate::links::Outbox;
use crate::options::Options;
use crate::problem::{Problem, ProblemKind};
use crate::sidecar;
use crate::source::Source;
use crate::watched::{Glance, Watched};
use crate::whose::{Form, Whose, whose_so_far};

/// The files of a conversation that are still written to.
pub(super) struct Growing {
    main: Watched,
    /// The number of the main source, once it is known whose conversation it is.
    source: Option<usize>,
    /// The main file is one value: written anew it is another conversation.
    is_document: bool,
    /// There is more of the main file than when it was last looked whose it is.
    is_news: bool,
    /// Agents' files, by number.
    agents: Vec<Agent>,
    /// There are agents' files that say too little yet.
    has_unripe: bool,
}

/// The file of one agent.
struct Agent {
    source: usize,
    /// None where it was gone again before it was looked at.
    watched: Option<Watched>,
    /// The file, once its turn has come.
    file: Option<AgentFile>,
    /// The file beside it as it was when it was last read.
    sidecar: Stamp,
}

/// How long a file is and when it was written; none for one that is not there.
pub(crate) type Stamp = Option<(u64, Option<SystemTime>)>;

impl Conversation<'static> {
    /// Opens a session file that is still written to.
    pub(crate) fn follow(path: &Path, options: &Options) -> Result<Self, Problem> {
        let name = shown(path);
        let unreadable = |error: io::Error| Problem::of_file(&*name, ProblemKind::Unreadable, error.to_string());
        let main = Watched::new(path.to_owned()).map_err(unreadable)?;
        // The other files stand beside the file itself, not beside a link that the caller named.
        let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        let place = if is_link { fs::canonicalize(path).map_err(unreadable)? } else { path.to_owned() };
        let file = File::open(&place).map_err(unreadable)?;
        let layout = Layout::new(&place, Shelf::default(), options.max_line_bytes).map_err(unreadable)?;
        let mut conversation = Self::empty(&name, Some(layout.growing()), options);
        conversation.bytes_total = Some(main.bytes());
        conversation.unread = Some(Unread { name, input: Input::File(file), bytes: None });
        conversation.growing = Some(Growing {
            main,
            source: None,
            is_document: false,
            is_news: true,
            agents: Vec::new(),
            has_unripe: false,
        });
        Ok(conversation)
    }

    /// Looks what of the known files has grown.
    pub(crate) fn look(&mut self) -> Look {
        let Some(growing) = &mut self.growing else { return Look::Same };
        // From those that started others to those that were started: what an agent wrote before its answer stood
        // elsewhere is seen with that answer at the latest.
        match growing.main.look() {
            Glance::Grown(_) if growing.is_document => return Look::Anew,
            Glance::Grown(bytes) => {
                growing.is_news = true;
                if let Some(source) = growing.source {
                    self.merge.grow(source, bytes);
                }
                if let Some(foreign) = &mut self.foreign {
                    foreign.grow(bytes);
                }
            }
            Glance::Other => return Look::Anew,
            Glance::Missing | Glance::Same => {}
        }
        for agent in &mut growing.agents {
            match agent.watched.as_mut().map_or(Glance::Missing, Watched::look) {
                Glance::Grown(bytes) => self.merge.grow(agent.source, bytes),
                Glance::Other => return Look::Anew,
                Glance::Missing | Glance::Same => {}
            }
        }
        if self.growing.as_ref().is_some_and(|growing| growing.has_unripe) {
            self.look_for_new();
        }
        Look::Same
    }

    /// Looks for files that were not there before.
    pub(crate) fn look_for_new(&mut self) {
        if self.looked_for_own_files
            && let Some(layout) = &mut self.layout
        {
            let found = layout.look_again();
            self.take_up(found);
        }
        let Some(growing) = &mut self.growing else { return };
        for (number, agent) in growing.agents.iter_mut().enumerate() {
            let Some(file) = &agent.file else { continue };
            let path = file.sidecar_path();
            let stamp = stamp(&path);
            if stamp.is_none() || stamp == agent.sidecar {
                continue;
            }
            agent.sidecar = stamp;
            // One that is torn is written on.
            if let Ok(Some(sidecar)) = sidecar::read(&path, self.options.max_line_bytes) {
                self.links.open_file(number, file, Some(sidecar), &mut self.outbox);
            }
        }
    }

    /// It is known to be the client's.
    pub(crate) fn is_clients(&mut self) -> bool {
        self.tell_whose_so_far();
        self.foreign.is_none() && self.unread.is_none()
    }

    /// It is known to be another system's.
    pub(crate) fn is_others(&mut self) -> bool {
        self.tell_whose_so_far();
        self.foreign.is_some()
    }

    /// The files are still written to: a last line that is torn is none.
    pub(crate) fn without_torn_lines(mut self) -> Self {
        self.foreign = self.foreign.map(Foreign::without_torn_lines);
        self
    }

    /// The folder of the session file and the session's own folders in it, free of links.
    pub(crate) fn places(&self) -> Option<(&Path, Vec<PathBuf>)> {
        let (project, folders) = self.layout.as_ref()?.places();
        Some((project, folders.collect()))
    }

    /// What [`Conversation::end`] would come to if nothing more were written, without coming to it.
    pub(crate) fn conclusions(&self) -> Vec<Frame<'static>> {
        let is_own = |id: &str| self.sessions.has_id(id);
        if self.foreign.is_some() || self.runs.is_empty() && !self.links.may_conclude(is_own) {
            return Vec::new();
        }
        let (mut links, mut out) = (self.links.clone(), Outbox::new());
        links.finish(&mut out);
        // A file that cannot be read now is read later.
        let _ = super::tell_runs(&self.runs, &self.options, &mut links, &mut out);
        links.unclaimed(is_own, &mut out);
        out.into()
    }
}

impl Conversation<'_> {
    /// Looks whose conversation it is, as soon as there is enough to tell.
    pub(super) fn tell_whose_so_far(&mut self) {
        let Some(growing) = self.growing.as_mut().filter(|growing| growing.is_news) else { return };
        let Some(Unread { name, input, bytes }) = self.unread.take() else { return };
        growing.is_news = false;
        let most = self.options.max_line_bytes;
        let (whose, ahead) = whose_so_far(input, self.options.dialect, most);
        let input = Input::from_start(ahead);
        let visible = growing.main.bytes();
        match whose {
            None => self.unread = Some(Unread { name, input, bytes }),
            Some(Whose::Client) => {
                let mut source = Source::main(input, name, None, most);
                source.show(visible);
                growing.source = Some(self.merge.add(source));
            }
            Some(Whose::System(make, form)) => {
                growing.is_document = form == Form::Document;
                let parts = [Part::Named(name, Box::new(input), form)].into();
                let mut foreign = Foreign::new(Translation::new(make()), parts);
                foreign.grow(visible);
                self.foreign = Some(foreign);
            }
        }
    }
}

impl Growing {
    /// Takes up an agent's file; `source` is made so that it grows.
    pub(super) fn add(&mut self, file: &AgentFile, source: &mut Source<'_>, number: usize) {
        let watched = Watched::new(file.target.clone()).ok();
        source.show(watched.as_ref().map_or(file.bytes, Watched::bytes));
        self.agents.push(Agent { source: number, watched, file: None, sidecar: None });
    }

    /// The turn of an agent's file has come.
    pub(super) fn open(&mut self, number: usize, file: AgentFile, sidecar: Stamp) {
        if let Some(agent) = self.agents.get_mut(number) {
            agent.sidecar = sidecar;
            agent.file = Some(file);
        }
    }

    pub(super) fn has_unripe(&mut self, has_unripe: bool) {
        self.has_unripe = has_unripe;
    }
}

pub(crate) fn stamp(path: &Path) -> Stamp {
    fs::metadata(path).ok().map(|metadata| (metadata.len(), metadata.modified().ok()))
}
