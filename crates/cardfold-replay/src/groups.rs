//! Which files below a directory are, by their names, a conversation of another system. Knows no word of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cardfold_dialects::{Dialect, Place};

use crate::walk::{Target, bytes_of};
use crate::whose::Form;

/// Files that go by the names of other systems' files, put together by conversation.
pub(crate) struct Groups {
    systems: Vec<System>,
    /// By the place of the system, and the home of the conversation.
    conversations: BTreeMap<(usize, PathBuf), Vec<Member>>,
}

struct System {
    make: fn() -> Box<dyn Dialect>,
    dialect: Box<dyn Dialect>,
}

struct Member {
    rank: u8,
    path: PathBuf,
    form: Form,
}

impl Groups {
    pub(crate) fn new(makes: &[fn() -> Box<dyn Dialect>]) -> Self {
        let systems = makes.iter().map(|make| System { make: *make, dialect: make() }).collect();
        Self { systems, conversations: BTreeMap::new() }
    }

    /// Takes a file whose name, or whose place among others, is that of another system. A file of lines that stands by
    /// itself is not among them: its lines tell whose it is.
    pub(crate) fn take(&mut self, path: &Path) -> bool {
        let Some(name) = path.file_name() else { return false };
        for (number, System { dialect, .. }) in self.systems.iter().enumerate() {
            let is_document = dialect.documents().iter().any(|document| name == *document);
            let Place { home, rank } = dialect.place(path);
            if is_document || home != path {
                let form = if is_document { Form::Document } else { Form::Lines };
                let member = Member { rank, path: path.to_owned(), form };
                self.conversations.entry((number, home)).or_default().push(member);
                return true;
            }
        }
        false
    }

    /// The conversations, each with its files in the order in which they are read.
    pub(crate) fn into_targets(self) -> impl Iterator<Item = Target> {
        let Self { systems, conversations } = self;
        conversations.into_iter().map(move |((number, home), mut members)| {
            members.sort_by(|one, other| {
                one.rank.cmp(&other.rank).then_with(|| bytes_of(&one.path).cmp(bytes_of(&other.path)))
            });
            let files = members.into_iter().map(|Member { path, form, .. }| (path, form)).collect();
            Target::Foreign { make: systems[number].make, home, files }
        })
    }
}
