//! The contract's rules, one file a matter: what the cards are, script by script.

mod answers;
mod answers_known_beforehand;
mod call_titles;
mod card_fields;
mod cards_of_the_roster;
mod endings;
mod frames;
mod identity;
mod limits;
mod nested;
mod notices;
mod order;
mod ownership;
mod reading;
mod remarks;
mod reports;
mod roster;
mod runs;
mod session_end;
mod updates;
mod waiting;
mod written_form;
