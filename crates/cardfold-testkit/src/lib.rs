//! Script notation, oracle and fixtures for the tests of cardfold.

pub mod agreement;
pub mod corpus;
pub mod expected;
pub mod fixture;
pub mod oracle;
pub mod script;
pub mod strategy;
