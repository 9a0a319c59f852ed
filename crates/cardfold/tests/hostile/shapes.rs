//! Trees of every unkind shape: circles, chains and stars of 100,000, from the top and from the bottom (R6, R26). None
//! overflows the stack, none costs the square of its size: at that size a square would not end within the hour.

use cardfold::{Card, CardTracker, Frame, Limits};
use cardfold_testkit::script::{Session, sound};

/// Agents of a large shape, or calls.
const MANY: usize = 100_000;

/// Bounds that nothing here reaches.
fn unbounded() -> Limits {
    let mut limits = Limits::default();
    for limit in [
        &mut limits.cards,
        &mut limits.call_ids,
        &mut limits.frame_uuids,
        &mut limits.notice_texts,
        &mut limits.orphan_calls,
        &mut limits.unlinked_rows,
        &mut limits.nested_rows,
        &mut limits.aliases,
        &mut limits.open_requests,
    ] {
        *limit = 4 * MANY;
    }
    limits
}

fn call(id: &str, tool: &str, parent: Option<&str>) -> String {
    let parent = parent.map_or_else(String::new, |parent| format!(r#""parent_tool_use_id":"{parent}","#));
    format!(
        r#"{{"type":"assistant",{parent}"message":{{"content":[{{"type":"tool_use","id":"{id}","name":"{tool}","input":{{}}}}]}}}}"#
    )
}

fn result(id: &str) -> String {
    format!(
        r#"{{"type":"user","message":{{"content":[{{"type":"tool_result","tool_use_id":"{id}","content":"ok"}}]}}}}"#
    )
}

fn started(task: &str, tool_use: Option<&str>, parent: Option<&str>) -> String {
    let tool_use = tool_use.map_or_else(String::new, |id| format!(r#""tool_use_id":"{id}","#));
    let parent = parent.map_or_else(String::new, |task| format!(r#""parent_task_id":"{task}","#));
    format!(
        r#"{{"type":"system","subtype":"task_started",{tool_use}{parent}"task_id":"{task}","task_type":"local_agent"}}"#
    )
}

/// How the links of a shape are told.
#[derive(Clone, Copy, Debug)]
enum Told {
    /// Calls that claim another call for their parent.
    Calls,
    /// Dispatches made inside the agent above.
    Dispatches,
    /// Task frames that name the parent's task.
    Tasks,
}

/// The frame that hangs number `n` under number `above`; number 0 is the card's own agent.
fn link(told: Told, n: usize, above: usize) -> String {
    match told {
        Told::Calls => call(&format!("d{n}"), "Read", Some(&format!("d{above}"))),
        Told::Dispatches => call(&format!("d{n}"), "Agent", Some(&format!("d{above}"))),
        Told::Tasks => started(&format!("t{n}"), None, Some(&format!("t{above}"))),
    }
}

/// The dispatch of the card, and its task.
fn top() -> [String; 2] {
    [call("d0", "Agent", None), started("t0", Some("d0"), None)]
}

fn fold(limits: Limits, lines: impl IntoIterator<Item = String>) -> CardTracker {
    let mut tracker = CardTracker::with_limits(limits);
    for line in lines {
        let frame = Frame::decode(line.as_bytes()).unwrap_or_else(|error| panic!("{error}: {line}"));
        tracker.apply(&frame);
    }
    tracker
}

/// The card `d0`, sound, at work before the session ends and over behind it.
fn only_card(mut tracker: CardTracker) -> (Card, CardTracker) {
    let card = tracker.card("d0").expect("the card is there");
    sound(&card);
    assert!(card.running);
    tracker.end_session();
    let over = tracker.card("d0").expect("the card is there");
    sound(&over);
    assert!(!over.running);
    (card, tracker)
}

/// Plays a shape from the top and from the bottom, with bounds out of reach.
fn both_ways(told: Told, above: impl Fn(usize) -> usize, check: impl Fn(&str, &Card, &CardTracker)) {
    let links: Vec<_> = (1..=MANY).map(|n| link(told, n, above(n))).collect();
    let from_the_top = fold(unbounded(), top().into_iter().chain(links.iter().cloned()));
    let (card, tracker) = only_card(from_the_top);
    check(&format!("{told:?} from the top"), &card, &tracker);
    let from_the_bottom = fold(unbounded(), links.into_iter().rev().chain(top()));
    let (card, tracker) = only_card(from_the_bottom);
    check(&format!("{told:?} from the bottom"), &card, &tracker);
}

/// All of the shape belongs to the card: its rows if it is made of agents, its calls if of calls.
fn all_is_owned(told: Told) -> impl Fn(&str, &Card, &CardTracker) {
    move |how, card, tracker| {
        let (calls, rows) = match told {
            Told::Calls => (MANY, 0),
            Told::Dispatches => (MANY, MANY),
            Told::Tasks => (0, MANY),
        };
        assert_eq!((card.calls, card.nested.len()), (calls as u64, rows), "{how}");
        for n in [1, MANY / 2, MANY] {
            let owner = match told {
                Told::Calls | Told::Dispatches => tracker.owner_of_call(&format!("d{n}")),
                Told::Tasks => tracker.owner_of_task(&format!("t{n}")),
            };
            assert_eq!(owner, Some("d0"), "{how}: owner of {n}");
        }
    }
}

#[test]
fn r6_a_chain_of_calls() {
    both_ways(Told::Calls, |n| n - 1, all_is_owned(Told::Calls));
}

#[test]
fn r6_a_chain_of_nested_dispatches() {
    both_ways(Told::Dispatches, |n| n - 1, all_is_owned(Told::Dispatches));
}

#[test]
fn r6_a_chain_of_parent_tasks() {
    both_ways(Told::Tasks, |n| n - 1, all_is_owned(Told::Tasks));
}

#[test]
fn r6_a_star_of_calls() {
    both_ways(Told::Calls, |_| 0, all_is_owned(Told::Calls));
}

#[test]
fn r6_a_star_of_nested_dispatches() {
    both_ways(Told::Dispatches, |_| 0, all_is_owned(Told::Dispatches));
}

#[test]
fn r6_a_star_of_parent_tasks() {
    both_ways(Told::Tasks, |_| 0, all_is_owned(Told::Tasks));
}

/// Chain and star from both ends with the default bounds, which both are far beyond.
fn at_the_defaults(told: Told) {
    let limits = Limits::default();
    for chain in [true, false] {
        let links: Vec<_> = (1..=MANY).map(|n| link(told, n, if chain { n - 1 } else { 0 })).collect();
        let forwards = fold(Limits::default(), top().into_iter().chain(links.iter().cloned()));
        let backwards = fold(Limits::default(), links.into_iter().rev().chain(top()));
        for (tracker, from) in [(forwards, "the top"), (backwards, "the bottom")] {
            let how = format!("{told:?}, chain: {chain}, from {from}");
            let waiting = tracker.diagnostics().orphans_waiting;
            assert!(waiting <= limits.orphan_calls as u64, "{how}: {waiting}");
            let card = tracker.card("d0").expect("the card is there");
            assert!(card.open_calls <= card.calls, "{how}: {} open of {}", card.open_calls, card.calls);
            assert!(card.nested.len() <= limits.nested_rows, "{how}: {}", card.nested.len());
            only_card(tracker);
        }
    }
}

#[test]
fn r26_calls_at_the_defaults() {
    at_the_defaults(Told::Calls);
}

#[test]
fn r26_nested_dispatches_at_the_defaults() {
    at_the_defaults(Told::Dispatches);
}

#[test]
fn r26_parent_tasks_at_the_defaults() {
    at_the_defaults(Told::Tasks);
}

/// R6: what was walked is not walked again, also where the way ends nowhere yet.
#[test]
fn r6_agents_with_agents_of_their_own_at_the_bottom_of_a_chain_that_waits() {
    const EACH: usize = 30_000;
    let chain = (2..=EACH).map(|n| link(Told::Tasks, n, n - 1));
    let bottom = format!("t{EACH}");
    let pairs = (0..EACH).flat_map(|n| {
        let (above, below) = (format!("p{n}"), format!("q{n}"));
        [started(&below, None, Some(&above)), started(&above, None, Some(&bottom))]
    });
    let tracker = fold(unbounded(), chain.chain(pairs).chain([link(Told::Tasks, 1, 0)]).chain(top()));
    let (card, _) = only_card(tracker);
    assert_eq!(card.nested.len(), 3 * EACH);
}

#[test]
fn r26_a_star_of_cards() {
    let lines = (0..MANY).map(|n| call(&format!("d{n}"), "Agent", None));
    assert_eq!(fold(unbounded(), lines.clone()).cards().count(), MANY);
    let bounded = fold(Limits::default(), lines);
    assert_eq!(bounded.cards().count(), Limits::default().cards);
    assert_eq!(bounded.diagnostics().evictions, (MANY - Limits::default().cards) as u64);
}

#[test]
fn r6_calls_and_results_at_the_end_of_a_chain() {
    let bottom = format!("d{MANY}");
    let chain = (1..=MANY).map(|n| link(Told::Dispatches, n, n - 1));
    let calls = (0..100).flat_map(|n| [call(&format!("c{n}"), "Bash", Some(&bottom)), result(&format!("c{n}"))]);
    let tracker = fold(unbounded(), top().into_iter().chain(chain).chain(calls));
    let (card, _) = only_card(tracker);
    assert_eq!((card.calls, card.tail[3].id.as_str()), (MANY as u64 + 100, "c99"), "calls count at any depth (R7)");
}

/// What is dropped of a chain that waits is counted nowhere, also when the rest finds its card.
#[test]
fn r26_a_chain_of_calls_that_waits_past_its_bound() {
    let mut limits = Limits::default();
    limits.orphan_calls = 32;
    let chain = (1..=128).rev().map(|n| link(Told::Calls, n, n - 1));
    let (card, _) = only_card(fold(limits, chain.chain(top())));
    assert_eq!((card.calls, card.open_calls), (32, 32));
}

#[test]
fn r6_circles_are_safe() {
    for script in [
        "C x<x, A y<y, D a",
        "C x<y, C y<x, D a",
        "A x<y, A y<x, C c<x, TS t→x, TS u→y, D a",
        "A x<z, A y<x, A z<y, C c<z, ACK y, D a",
        "TS t→x parent=t, D a",
        "TS t→x parent=u, TS u→y parent=t, TP t, TU u completed, D a",
        "TS t parent=u, TS u parent=v, TS v parent=t, A x<y, A y<x, TS t→x, TS v→y, D a",
        "D a, TS t→a parent=t, TS u→b parent=v, TS v→c parent=u, TU u failed",
        "D a, TS t→a, A in<a, TS u→in parent=u, A in2<in, TS t→in2 parent=u, TS u→a",
        "D a, A in<a, A a<in, C c<a, HB a",
        "D a, TS t→a, C x<x agent_id=t, C y<z agent_id=t, C z<y, A z<z",
    ] {
        let mut session = Session::new();
        session.play(script);
        session.play("ASK q call=x, ASK q2 agent=t, C x<y, R x, R y!, TU t completed, TN u failed, BTC t u, BTC, END");
        assert!(session.drawn().split(' ').any(|id| id == "a"), "{script}: {}", session.drawn());
        assert!(!session.card("a").running, "{script}");
        let written = serde_json::to_string(&session.tracker).expect("a tracker can be written out");
        let revived: CardTracker = serde_json::from_str(&written).expect("it can be read back");
        assert!(session.tracker.all_cards().eq(revived.all_cards()), "{script}");
    }
    assert_eq!(Session::of("C x<y, C y<x, D a").tracker.owner_of_call("x"), None);
}

#[test]
fn r6_a_circle_of_many_is_nobodys() {
    for told in [Told::Calls, Told::Dispatches, Told::Tasks] {
        let circle = (1..=MANY).map(|n| link(told, n, n % MANY + 1));
        let tracker = fold(unbounded(), circle.chain(top()));
        assert_eq!((tracker.owner_of_call("d7"), tracker.owner_of_task("t7")), (None, None), "{told:?}");
        let (card, _) = only_card(tracker);
        assert_eq!((card.calls, card.nested.len()), (0, 0), "{told:?}");
    }
}

#[test]
fn the_same_ids_in_two_sessions_know_nothing_of_each_other() {
    let (mut one, mut two) = (Session::new(), Session::new());
    one.play("D a desc=\"one\" uuid=k, TS t→a, C x<a uuid=l");
    two.play("C x<a uuid=l, TS t→a, D a desc=\"two\" uuid=k");
    one.play("TU t failed, R x!");
    assert_eq!((one.reads("a"), two.reads("a")), ("settled failed (roster)".into(), "running (roster)".into()));
    assert_eq!((one.card("a").name, two.card("a").name), ("one".to_owned(), "do a".to_owned()));
    assert_eq!((one.card("a").failed_calls, two.card("a").failed_calls), (1, 0));
}
