//! Runs the examples of the README as documentation tests, so that they cannot rot.

#[doc = include_str!("../../../README.md")]
struct Readme;
