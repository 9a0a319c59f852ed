//! The fold gives, after every frame, what the oracle computes from the whole list.

use cardfold_testkit::agreement::differs;
use cardfold_testkit::strategy::{config, disturbed, hold, plausible};
use proptest::prelude::*;

proptest! {
    #![proptest_config(config("proptest-regressions/oracle.txt"))]

    #[test]
    fn plausible_streams_give_the_oracles_cards(stream in plausible()) {
        hold(&stream, differs)?;
    }

    #[test]
    fn disturbed_streams_give_the_oracles_cards(stream in disturbed()) {
        hold(&stream, differs)?;
    }
}
