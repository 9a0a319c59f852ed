//! The replay layer from outside: files in, cards out.

mod captures;
mod cases;
mod common;
mod damage;
mod layouts;
mod links;
mod live;
mod snapshots;
mod stopping;
mod two_sides;
