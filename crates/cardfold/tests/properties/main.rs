//! What holds for any session: made-up streams, held against the oracle and against themselves.

mod changes;
mod oracle;
mod order;
mod repeats;
mod states;
mod written;
