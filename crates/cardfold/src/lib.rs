//! Folds the frames of an AI coding agent into one live card per dispatched sub-agent.

mod agent;
mod calls;
mod card;
mod changes;
mod clean;
mod diagnostics;
mod ending;
mod limits;
mod links;
mod messages;
mod requests;
mod revisions;
mod roster;
mod run;
mod said;
mod sidecars;
mod table;
mod texts;
mod title;
mod tracker;
mod tree;
mod update;
mod view;
mod words;
mod written;

pub use cardfold_wire::{Frame, FrameError};

pub use crate::card::{Card, CallStatus, CardUsage, Evidence, Excerpt, Kind, NestedRow, Outcome, State, TailCall};
pub use crate::diagnostics::Diagnostics;
pub use crate::limits::Limits;
pub use crate::tracker::{CardChange, CardTracker, TooOld, subagent_cards};
pub use crate::update::{CardKey, Change, FrameKind, Rule, Update};
