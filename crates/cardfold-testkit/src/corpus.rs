//! Scripts worth folding in every way: short, and between them every kind of frame and most ways in which one frame
//! touches several cards, or none.

/// The scripts. A property of the fold that holds for all inputs is tried on these first.
pub const SCRIPTS: &[&str] = &[
    "D a, D b, D a, C x<a, C x<a, R x, R x, R x!, HB a, HB a, TS t→a",
    "D a, ACK a, ACK a, TS t→a bg=true, TS t→a bg=true, TP t→a tokens=5, TP t→a tokens=4, TU t running, \
     TU t completed 9",
    "TS t→a, TP t→a desc=\"Reading\", TP t→a desc=\"Reading\", D a, TN t→a completed result=\"x\", \
     TN t→a completed result=\"x\"",
    "TS t depth=1, ACK a task=t, D b, D a, TU t failed error=\"fog\", TS t→s, SMR s resumed=t",
    "D a, TS u→in, A in<a, C d<in, R d, TU u killed, TN u→in stopped, A on<in, HB on, TP u→in",
    "C z<deep, R z, A deep<in, A in<a, ASK q call=z, D a, ASK q2 call=deep, ANS q2, CANCEL q, R deep",
    "D a, TS t→a, BTC t u, TS u→b, BTC u, BTC, TP t→a, BTC t, D b, TU t completed, BTC",
    "D a, ACK a task=t, NQ t→a completed at=5, NT t→a completed, NA t→a completed, SM s to=t, SMR s resumed=t, \
     NQ t→a completed",
    "D a, R a \"ok\", C x<a, R x, C y<a, END, R y, END, TN t→a failed, END",
    "D a, INT a, SAY a \"Hello.\", INT a, USER a \"More.\", HB a, ASK q call=a, DENIED x, C m, R m",
    "SK k, TS t→k, SKR k agent=t, TU t completed, WF w, WFR w task=wt summary=\"Sweep\", TN wt→w completed",
    "D a uuid=d, C x<a uuid=k, C y<a uuid=l, R x, SAY a \"No.\" supersedes=[\"k\",\"l\"], \
     SAY - \"No.\" supersedes=[\"d\"]",
    "D a, META t→a type=Explore model=haiku, META t→a type=Explore model=haiku, SAY a \"x\" model=opus, \
     SAY a \"x\" model=opus",
    "D a, TS t→a run=r2, TP t→a run=r1 tokens=9, TU t run=r1 failed, TU t shiny, STOP o task=t, STOPR o task=t, \
     TN t→a completed",
    "D a, TS t→a run=r1, C x<a, TP t→a tokens=5 uses=1 ms=2, R x, TU t completed 9 run=r1, \
     TN t→a completed result=\"One.\", \
     SM s to=t, SMR s resumed=t, C y<s agent_id=t, TP t→s run=r2 tokens=1, TU t failed run=r1, TU t failed 20 run=r2",
    "C z<deep, R z, ASK q call=z, A deep<in, TP u→in, A in<a, BTC t u, D a, TS t→a, BTC u, ANS q, BTC, TP t→a",
    "D a, ACK a task=t, NQ t completed at=5, NT t completed, D b, ACK b task=t, NQ t completed at=8, NT t completed, \
     END",
    "TS t depth=1, ACK a task=t, D b, D a, R b \"ok\", C x<b uuid=k, R x, C y<b uuid=l, \
     SAY b \"No.\" supersedes=[\"l\"], C x<b uuid=k",
    "WF w, WFR w task=wt summary=\"Sweep\", \
     TP wt→w wf=[{\"type\":\"workflow_agent\",\"index\":1,\"label\":\"One\",\"agentId\":\"m\",\
     \"state\":\"progress\"}], C x agent_id=m, SK k, TS v→k, SKR k agent=v, TN wt→w completed, TU v failed",
    "D a, INT a, SAY a \"Hello.\", R a \"ok\", C x<a, R x, TP t→a desc=\"Look\" tool=Agent, TS u→zz desc=\"Look\", \
     STOP o task=t, \
     STOPR o task=t, TN t→a completed, HBT t \"Late.\", END, C y<a",
    "D a, TS t→a, TN t→a completed summary=\"Agent \\\"do a\\\" is waiting on its own background work\", TP t→a, \
     TU t odd, C _<a, \
     META t→a type=Explore model=haiku, HB a \"One.\", ACK a, BTC t, BTC",
    "TU t weird 20 run=r3, D a, HB a, META t→a, TP u→s tokens=3, D b, HB b, META u→b",
    "D a, TS u→in parent=t, A in<a, R in! \"boom\", ACK a task=t, TS v→on parent=t, R on, A on<a, D v",
];
