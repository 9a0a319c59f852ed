//! Lines in, frames out: through the public API alone.

mod agreement;
mod damage;
mod full;
mod json;
mod kinds;
mod lines;
