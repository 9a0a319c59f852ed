//! The replay layer from outside: files in, cards out.

mod bad_stores;
mod captures;
mod cases;
mod changing;
mod common;
mod damage;
mod dialects;
mod follow;
mod follow_folder;
mod layouts;
mod links;
mod live;
mod properties;
mod snapshots;
mod spellings;
mod stopping;
mod threads;
mod two_sides;
