//! Versions of the client, by what their frames carry (WIRE.md section 0).

/// What one version of the client writes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each flag is one thing that some versions write and others do not")]
pub(super) struct Client {
    pub(super) version: &'static str,
    /// The name of the dispatch tool.
    pub(super) tool: &'static str,
    /// Results carry a structured field that says what the agent did.
    pub(super) structured: bool,
    pub(super) started: bool,
    pub(super) progress: bool,
    pub(super) updated: bool,
    /// `task_notification` frames, with figures from some version on.
    pub(super) notification: bool,
    pub(super) figures: bool,
    /// `background_tasks_changed`.
    pub(super) level: bool,
    /// `task_type` and `subagent_type` on task frames.
    pub(super) types: bool,
    /// `is_backgrounded` and `spawn_depth`.
    pub(super) depth: bool,
    /// `run_id`, `parent_task_id`, and `agent_id` on the frames of an agent.
    pub(super) run_ids: bool,
    /// Model and user frames carry a timestamp.
    pub(super) timestamps: bool,
    /// All blocks of one message carry the same uuid.
    pub(super) shared_uuid: bool,
    /// Lines of the store instead of frames of the stream.
    pub(super) stored: bool,
}

const OLDEST: Client = Client {
    version: "2.0.0",
    tool: "Task",
    structured: true,
    started: false,
    progress: false,
    updated: false,
    notification: false,
    figures: false,
    level: false,
    types: false,
    depth: false,
    run_ids: false,
    timestamps: false,
    shared_uuid: true,
    stored: false,
};

/// The versions that streams are shaped like.
pub(super) const CLIENTS: [Client; 10] = [
    Client { structured: false, ..OLDEST },
    OLDEST,
    Client { version: "2.0.77", shared_uuid: false, ..OLDEST },
    Client { version: "2.1.45", shared_uuid: false, started: true, notification: true, ..OLDEST },
    V86,
    Client { version: "2.1.112", updated: true, ..V86 },
    V220,
    Client { version: "2.1.260", depth: true, ..V220 },
    V332,
    Client {
        version: "2.1.332",
        stored: true,
        started: false,
        progress: false,
        updated: false,
        notification: false,
        level: false,
        ..V332
    },
];

const V86: Client = Client {
    version: "2.1.86",
    tool: "Agent",
    shared_uuid: false,
    started: true,
    progress: true,
    notification: true,
    figures: true,
    ..OLDEST
};

const V220: Client = Client { version: "2.1.220", updated: true, level: true, types: true, timestamps: true, ..V86 };

const V332: Client = Client { version: "2.1.332", depth: true, run_ids: true, ..V220 };
