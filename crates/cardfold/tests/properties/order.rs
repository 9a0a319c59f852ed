//! Order does not matter where it carries no meaning (R4).

use cardfold::CardTracker;
use cardfold_testkit::oracle::{ModelCard, difference, model_of_all};
use cardfold_testkit::strategy::{Complaint, Stream, config, hold, plausible, reordered};
use proptest::prelude::*;

/// The cards of a stream without what R4 leaves to the order: the place in the list, the order of nested rows, the
/// mixing of agents in a tail, and which of several open questions is the oldest.
fn cards(stream: &Stream, over: bool) -> Vec<ModelCard> {
    let mut tracker = CardTracker::new();
    stream.frames().iter().for_each(|frame| drop(tracker.apply(frame)));
    if over {
        tracker.end_session();
    }
    let mut cards = model_of_all(&tracker);
    cards.sort_by(|one, other| one.dispatch_id.cmp(&other.dispatch_id));
    for card in &mut cards {
        card.nested.sort_by(|one, other| (&one.dispatch_id, &one.task_id).cmp(&(&other.dispatch_id, &other.task_id)));
        card.needs_input = card.needs_input.take().map(|_| "something".to_owned());
        if !card.nested.is_empty() {
            card.tail.clear();
        }
    }
    cards
}

fn matters(stream: &Stream, picks: &[u8]) -> Option<Complaint> {
    let other = reordered(stream, picks)?;
    [false, true].into_iter().find_map(|over| {
        let story = difference(&cards(stream, over), &cards(&other, over))?;
        let about = story.lines().filter_map(|line| line.split(':').next()?.split('.').nth(1)).collect::<Vec<_>>();
        Some(Complaint { about: about.join(" "), story: format!("in this order:\n{other:?}\n{story}") })
    })
}

proptest! {
    #![proptest_config(config("proptest-regressions/order.txt"))]

    #[test]
    fn order_matters_only_where_it_means_something(
        stream in plausible(),
        picks in proptest::collection::vec(any::<u8>(), 1..60),
    ) {
        hold(&stream, |stream| matters(stream, &picks))?;
    }
}
