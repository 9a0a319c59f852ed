//! One agent's file: by its name, its first lines, and where it really stands. Knows no session.

use std::ffi::OsStr;
use std::fs::{self, FileType};
use std::io;
use std::path::{Component, Path, PathBuf};

use cardfold_wire::digest;

use crate::head::Head;
use crate::problem::{Problem, ProblemKind};

/// Beginnings of names of files that are no sub-agent's (P3): the client's own work on compaction and suggestions.
const NOT_AGENTS: [&str; 2] = ["acompact-", "aprompt_suggestion-"];

/// The prompt of pre-warm runs, which are no sub-agents either (P3).
pub(crate) const PRE_WARM: &[u8] = b"Warmup";

/// A file of one agent.
#[derive(Clone, Debug)]
pub(crate) struct AgentFile {
    /// Where it was found.
    pub(crate) path: PathBuf,
    /// Where it is opened, free of links.
    pub(crate) target: PathBuf,
    /// The agent: by the file's lines, else by its name.
    pub(crate) agent_id: String,
    /// The run of the workflow that the agent is a member of: the name of its folder.
    pub(crate) run_id: Option<String>,
    /// Bytes when it was found.
    pub(crate) bytes: u64,
    pub(crate) head: Head,
}

/// Where agents' files may stand.
#[derive(Debug)]
pub(crate) struct Ground {
    /// The project folder, free of links: no link is followed out of it.
    pub(crate) real_project: PathBuf,
    pub(crate) max_line_bytes: usize,
    /// The session is still written to.
    pub(crate) grows: bool,
}

impl Ground {
    /// More is to come before anything can be said of the file.
    pub(crate) fn awaits(&self, file: &AgentFile) -> bool {
        self.grows && !file.head.is_told
    }
}

impl AgentFile {
    /// Looks at an entry of a directory; nothing where it is no sub-agent's file. A link is followed only if its target
    /// is a file of the same project folder and no link itself.
    pub(crate) fn find(path: PathBuf, file_type: FileType, ground: &Ground) -> Result<Option<Self>, Problem> {
        let Some(name) = agent_name(&path) else {
            // A sidecar is looked at when its agent's lines are.
            let is_sidecar = path.extension() == Some(OsStr::new("json"));
            return if file_type.is_symlink() && !is_sidecar { Err(not_followed(&path)) } else { Ok(None) };
        };
        if name.is_empty() || NOT_AGENTS.iter().any(|start| name.starts_with(start)) {
            return Ok(None);
        }
        let unreadable = |error: io::Error| Problem::of_file(shown(&path), ProblemKind::Unreadable, error.to_string());
        if !file_type.is_file() && !file_type.is_symlink() {
            return Err(unreadable(io::Error::other("not a regular file")));
        }
        let target = if file_type.is_symlink() {
            followed(&path, &ground.real_project).ok_or_else(|| not_followed(&path))?
        } else {
            fs::canonicalize(&path).map_err(unreadable)?
        };
        let bytes = fs::metadata(&target).map_err(unreadable)?.len();
        let head = Head::read(&target, ground.max_line_bytes).map_err(unreadable)?;
        if head.prompt == Some(digest(PRE_WARM)) {
            return Ok(None);
        }
        let agent_id = head.agent_id.clone().unwrap_or(name);
        Ok(Some(Self { path, target, agent_id, run_id: None, bytes, head }))
    }

    /// The file of what the client keeps beside the agent's lines (`.meta.json`).
    pub(crate) fn sidecar_path(&self) -> PathBuf {
        self.path.with_extension("meta.json")
    }
}

/// The run id in a path below `subagents`: the folder below `workflows`.
pub(crate) fn run_id(path: &Path) -> Option<String> {
    let mut folders = path.parent()?.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name),
        Component::CurDir | Component::ParentDir | Component::Prefix(_) | Component::RootDir => None,
    });
    folders.by_ref().find(|name| *name == OsStr::new("workflows"))?;
    folders.next().map(|name| name.to_string_lossy().into_owned())
}

/// A problem for a link that is not followed.
pub(crate) fn not_followed(path: &Path) -> Problem {
    let detail = match fs::read_link(path) {
        Ok(target) => format!("a link to {}", shown(&target)),
        Err(error) => error.to_string(),
    };
    Problem::of_file(shown(path), ProblemKind::NotFollowed, detail)
}

/// A path in a report.
pub(crate) fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The id in the name `agent-<id>.jsonl`.
pub(crate) fn agent_name(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_string_lossy();
    Some(name.strip_prefix("agent-")?.strip_suffix(".jsonl")?.to_owned())
}

/// The target of a link, free of links, if it may be followed.
fn followed(link: &Path, real_project: &Path) -> Option<PathBuf> {
    let target = link.parent()?.join(fs::read_link(link).ok()?);
    if !fs::symlink_metadata(&target).ok()?.is_file() {
        return None;
    }
    fs::canonicalize(&target).ok().filter(|real| real.starts_with(real_project))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_the_agent() {
        let name = |path: &str| agent_name(Path::new(path));
        assert_eq!(name("/s/subagents/agent-a1.jsonl").as_deref(), Some("a1"));
        assert_eq!(name("agent-a-scout-0123.jsonl").as_deref(), Some("a-scout-0123"));
        assert_eq!(name("agent-a1.meta.json"), None);
        assert_eq!(name("journal.jsonl"), None);
    }

    #[test]
    fn the_folder_tells_the_run() {
        let run = |path: &str| run_id(Path::new(path));
        assert_eq!(run("workflows/wf_1/agent-a1.jsonl").as_deref(), Some("wf_1"));
        assert_eq!(run("workflows/wf_1/agents/agent-a1.jsonl").as_deref(), Some("wf_1"));
        assert_eq!(run("deep/workflows/wf_1/agent-a1.jsonl").as_deref(), Some("wf_1"));
        assert_eq!(run("workflows/agent-a1.jsonl"), None);
        assert_eq!(run("agent-a1.jsonl"), None);
    }
}
