//! The lines of each agent: which chain a line belongs to, and what is known of that chain. Knows no dispatch but by
//! its number.

use std::collections::HashMap;

use cardfold_wire::{Body, Frame, Sidecar, SidecarRole, User};

use crate::agent_file::AgentFile;
use crate::threads::Threads;

/// The first letter of made-up agent ids; no client uses it.
const MADE_UP: char = '~';

/// Chains that lines of the main file may open. No real session comes near it; past it lines stay nobody's, so that a
/// file of made-up ids costs no memory.
const CHAINS: usize = 262_144;

/// The task types that are agents (R5); a sidecar of another kind of task is none's.
const AGENT_KINDS: [&str; 4] = ["in_process_teammate", "local_agent", "local_workflow", "remote_agent"];

/// The chains of one conversation, by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chains {
    all: Vec<Chain>,
    by_agent: HashMap<String, usize>,
    /// The chain of each file.
    by_file: Vec<usize>,
    threads: Threads,
    /// The chain of each thread.
    by_thread: Vec<usize>,
}

/// The lines of one agent.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    /// The agent; a made-up id where the lines carry none.
    pub(crate) agent_id: String,
    pub(crate) is_made_up: bool,
    /// The lines are those of a file of their own.
    is_file: bool,
    /// What the file's sidecar says.
    pub(crate) sidecar: Option<Box<Sidecar<'static>>>,
    /// The session id of the file's first lines.
    session_id: Option<String>,
    /// Digest of the first prompt.
    pub(crate) prompt: Option<u64>,
    /// Digests of the uuids of the prompts so far.
    pub(crate) prompt_uuids: Vec<u64>,
    pub(crate) standing: Standing,
    /// The dispatch whose lines these are now.
    pub(crate) dispatch: Option<usize>,
    /// The lines get the dispatch as their parent.
    pub(crate) is_under_dispatch: bool,
    /// Lines went out under the made-up id.
    is_told: bool,
    /// Chains that turned out to be the same one.
    pub(crate) joined: Vec<usize>,
    pub(crate) has_calls: bool,
}

/// What is known of a chain's dispatch.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Standing {
    /// Only the prompt can tell.
    Guessable,
    /// No sub-agent's lines (P3).
    LeftOut,
    /// Linked, or named where the fold sees it.
    Linked,
    /// The sidecar states a dispatch that was not seen yet.
    Stated,
}

impl Chains {
    pub(crate) fn get(&self, number: usize) -> &Chain {
        &self.all[number]
    }

    pub(crate) fn get_mut(&mut self, number: usize) -> &mut Chain {
        &mut self.all[number]
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Lines of the main file may open another chain.
    pub(crate) fn has_room(&self) -> bool {
        self.all.len() < CHAINS
    }

    /// The chain of an agent that was seen.
    pub(crate) fn find_agent(&self, agent: &str) -> Option<usize> {
        self.by_agent.get(agent).copied()
    }

    /// The chain of an agent; a new one has what `standing` says.
    pub(crate) fn of_agent(&mut self, agent: &str, standing: impl FnOnce() -> Standing) -> usize {
        if let Some(number) = self.by_agent.get(agent) {
            return *number;
        }
        self.by_agent.insert(agent.to_owned(), self.all.len());
        self.add(Chain { standing: standing(), ..Chain::new(agent.to_owned()) })
    }

    /// The chain of a file that was added.
    pub(crate) fn of_file(&self, file_number: usize) -> usize {
        self.by_file[file_number]
    }

    /// The lines of chain `number` have a file; gives the file a number.
    pub(crate) fn add_file(&mut self, number: usize, file: &AgentFile) -> usize {
        let chain = &mut self.all[number];
        chain.is_file = true;
        if chain.session_id.is_none() {
            chain.session_id.clone_from(&file.head.session_id);
        }
        self.by_file.push(number);
        self.by_file.len().saturating_sub(1)
    }

    /// The chain of a line without an agent id, and the chains that the line joins to it. `opens` says of a line whose
    /// line before was not seen that it is a chain's first.
    pub(crate) fn of_line(&mut self, frame: &Frame<'_>, opens: impl FnOnce() -> bool) -> (usize, Vec<usize>) {
        // In some versions the first line of a chain names the line of the dispatch.
        let before = frame.parent_uuid.as_deref().filter(|before| self.threads.knows(before) || !opens());
        let placed = self.threads.place(frame.uuid.as_deref(), before);
        if placed.thread == self.by_thread.len() {
            let agent_id = format!("{MADE_UP}{}", placed.thread);
            let number = self.add(Chain { is_made_up: true, ..Chain::new(agent_id) });
            self.by_thread.push(number);
        }
        let joined = placed.joined.into_iter().map(|thread| self.by_thread[thread]).collect();
        (self.by_thread[placed.thread], joined)
    }

    /// Gives a line of a chain what the fold finds it by. `id_of` knows the ids of dispatches.
    pub(crate) fn complete<'i>(&mut self, frame: &mut Frame<'_>, number: usize, id_of: impl FnOnce(usize) -> &'i str) {
        let chain = &mut self.all[number];
        match chain.dispatch.filter(|_| chain.is_under_dispatch) {
            Some(dispatch) => {
                frame.parent.get_or_insert_with(|| id_of(dispatch).to_owned().into());
            }
            None if chain.is_made_up && chain.standing != Standing::LeftOut => {
                frame.agent_id = Some(chain.agent_id.clone().into());
                chain.is_told = true;
            }
            None => {}
        }
    }

    fn add(&mut self, chain: Chain) -> usize {
        self.all.push(chain);
        self.all.len().saturating_sub(1)
    }
}

impl Chain {
    fn new(agent_id: String) -> Self {
        Self {
            agent_id,
            is_made_up: false,
            is_file: false,
            sidecar: None,
            session_id: None,
            prompt: None,
            prompt_uuids: Vec::new(),
            standing: Standing::Guessable,
            dispatch: None,
            is_under_dispatch: false,
            is_told: false,
            joined: Vec::new(),
            has_calls: false,
        }
    }

    /// The agent that the sidecar names as the one that made the dispatch.
    pub(crate) fn parent_agent(&self) -> Option<&str> {
        self.sidecar.as_ref()?.parent_agent_id.as_deref()
    }

    /// A file whose agent nothing links (P3). Without calls and without a parent it is only counted.
    pub(crate) fn is_unclaimed(&self, is_of_session: impl Fn(&str) -> bool) -> bool {
        let is_open = match self.standing {
            Standing::Guessable | Standing::Stated => true,
            Standing::LeftOut | Standing::Linked => false,
        };
        let kind = self.sidecar.as_ref().and_then(|sidecar| sidecar.task_kind.as_deref());
        let is_agent = kind.is_none_or(|kind| AGENT_KINDS.contains(&kind));
        let is_own = self.session_id.as_deref().is_none_or(is_of_session);
        self.is_file && is_open && is_agent && is_own && (self.has_calls || self.parent_agent().is_some())
    }

    /// The sidecar as a frame, with its agent and whatever else is known of it now.
    pub(crate) fn sidecar_frame(&self, role: SidecarRole, dispatch_id: Option<&str>) -> Frame<'static> {
        let mut sidecar = self.sidecar.as_deref().cloned().unwrap_or_default();
        sidecar.agent_id = Some(self.agent_id.clone().into());
        sidecar.role = role;
        if let Some(id) = dispatch_id {
            sidecar.tool_use_id = Some(id.to_owned().into());
        }
        sidecar_frame(sidecar)
    }

    /// Whose the lines are that went out under the made-up id, if there are any.
    pub(crate) fn stand_in_frame(&self, dispatch_id: &str) -> Option<Frame<'static>> {
        self.is_told.then(|| self.sidecar_frame(SidecarRole::StandIn, Some(dispatch_id)))
    }
}

/// The first text of a turn may be what an agent was asked: it is no text of the client's own.
pub(crate) fn may_be_prompt(user: &User<'_>) -> bool {
    let is_client_text =
        user.meta || user.compact_summary || user.handback.is_some() || !user.notices.blocks.is_empty();
    let is_marker = user.texts.first().is_some_and(|text| text.as_str().starts_with("[Request interrupted"));
    user.results.is_empty() && !user.texts.is_empty() && !is_client_text && !is_marker
}

/// What the store states beside its lines, as a frame. It has no time: it says nothing of when.
fn sidecar_frame(sidecar: Sidecar<'static>) -> Frame<'static> {
    Frame {
        uuid: None,
        session_id: None,
        timestamp_ms: None,
        parent: None,
        agent_id: None,
        sidechain: false,
        replay: false,
        parent_uuid: None,
        body: Body::Sidecar(sidecar),
    }
}
