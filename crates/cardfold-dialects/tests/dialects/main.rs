//! Other systems' lines, translated and folded: what the cards say.

mod session;

mod codewhale;
mod codewhale_state;
mod fixtures;
mod hostile;
mod limits;
mod recognition;
mod status_table;
mod supervisor;
mod synaps;
mod worked_examples;
