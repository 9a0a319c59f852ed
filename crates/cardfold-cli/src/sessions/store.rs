//! Where the agent keeps its sessions.

use std::env;
use std::path::PathBuf;

/// The store that the environment names; none where it names no home either.
pub(crate) fn default_store() -> Option<PathBuf> {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = variable("CLAUDE_CONFIG_DIR") {
        return Some(folder.join("projects"));
    }
    let home = variable("HOME").or_else(env::home_dir).filter(|home| !home.as_os_str().is_empty());
    let of_home = home.as_ref().map(|home| home.join(".claude/projects"));
    let config = variable("XDG_CONFIG_HOME").or_else(|| Some(home?.join(".config")));
    let of_config = config.map(|config| config.join("claude/projects"));
    let both = [of_home, of_config];
    let there = both.iter().flatten().find(|folder| folder.is_dir());
    there.or_else(|| both.iter().flatten().next()).cloned()
}
