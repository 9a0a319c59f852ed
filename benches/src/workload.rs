//! Sessions made up for measuring: as long as wanted, in the shape of a real stream. Knows no tracker.

use crate::frames::{self, Agent, NUMBER_DIGITS, NUMBER_OPENS};

/// How a made-up session looks: agents come in waves, and a wave is over before the next one comes.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    /// Waves of agents.
    pub waves: usize,
    /// Agents of a wave that the main thread dispatches; they work at the same time, and their frames alternate.
    pub at_once: usize,
    /// Levels: each agent dispatches the one below it, and the lowest makes the calls of all.
    pub depth: usize,
    /// Calls for each agent.
    pub calls_each: usize,
}

impl Workload {
    /// A session like the captures': six calls an agent, and a busy main thread that keeps ten agents at work.
    #[must_use]
    pub fn of(dispatches: usize) -> Self {
        Self::nested(dispatches, 1)
    }

    /// As [`Workload::of`], with the calls made so many levels down. The mix of frames is the same at any depth. A wave
    /// is of ten agents, or of one at each level, and `dispatches` is rounded to whole waves.
    #[must_use]
    pub fn nested(dispatches: usize, depth: usize) -> Self {
        let at_once = (10 / depth).max(1);
        let wave = at_once * depth;
        Self { waves: ((dispatches + wave / 2) / wave).max(1), at_once, depth, calls_each: 6 }
    }

    /// Dispatches in all, nested ones too.
    #[must_use]
    pub fn dispatches(self) -> usize {
        self.cards() * self.depth
    }

    /// Dispatches of the main thread.
    #[must_use]
    pub fn cards(self) -> usize {
        self.waves * self.at_once
    }

    /// Calls of a card, those too that dispatch the agents below it.
    #[must_use]
    pub fn calls_of_card(self) -> usize {
        self.calls_of_lowest() + self.depth - 1
    }

    /// The frames of the whole session.
    #[must_use]
    pub fn frames(self) -> usize {
        self.cards() * self.steps()
    }

    /// The last tenth of the waves, to see what a frame costs late in a session. A tenth, and not a few frames, so that a
    /// table that happens to grow there is paid for by as many frames as it was grown for.
    #[must_use]
    pub fn late_waves(self) -> usize {
        self.waves.div_ceil(10)
    }

    /// The frames of the late waves.
    #[must_use]
    pub fn late_frames(self) -> usize {
        self.late_waves() * self.at_once * self.steps()
    }

    /// The number of a card's agent; cards are counted from 0.
    #[must_use]
    pub fn agent_of_card(self, card: usize) -> usize {
        card * self.depth
    }

    /// The stream in waves, one frame a line, as the client of the newest captures writes it.
    #[must_use]
    pub fn stream(self) -> Stream {
        let mut wave = Vec::new();
        for step in 0..self.steps() {
            for card in 0..self.at_once {
                self.write_frame(card, step, &mut wave);
            }
        }
        let numbers = numbers_in(&wave);
        Stream { wave, numbers, agents: self.at_once * self.depth }
    }

    fn calls_of_lowest(self) -> usize {
        self.calls_each * self.depth
    }

    /// Frames of a card.
    fn steps(self) -> usize {
        (FRAMES_AHEAD + FRAMES_BEHIND) * self.depth + FRAMES_A_CALL * self.calls_of_lowest()
    }

    /// Frame `step` of a card's life: dispatch, start and prompt level by level, the calls, and the three frames that
    /// tell the end, the lowest level first.
    fn write_frame(self, card: usize, step: usize, stream: &mut Vec<u8>) {
        let ahead = FRAMES_AHEAD * self.depth;
        let calls = FRAMES_A_CALL * self.calls_of_lowest();
        let (level, frame) = if step < ahead {
            let agent = self.agent(card, step / FRAMES_AHEAD);
            let frame = match step % FRAMES_AHEAD {
                0 => frames::dispatch(agent),
                1 => frames::started(agent),
                _ => frames::prompt(agent),
            };
            (agent, frame)
        } else if step < ahead + calls {
            let (agent, step) = (self.agent(card, self.depth - 1), step - ahead);
            let call = step / FRAMES_A_CALL;
            let frame = match step % FRAMES_A_CALL {
                0 => frames::progress(agent, call),
                1 => frames::call(agent, call),
                _ => frames::result(agent, call),
            };
            (agent, frame)
        } else {
            let step = step - ahead - calls;
            let agent = self.agent(card, self.depth - 1 - step / FRAMES_BEHIND);
            let frame = match step % FRAMES_BEHIND {
                0 => frames::updated(agent),
                1 => frames::notification(agent, self.calls_each),
                _ => frames::answer(agent, self.calls_each),
            };
            (agent, frame)
        };
        let uuid = format!("00000000-0000-4000-{step:04x}-000{}", frames::number(level.number));
        frames::write(frame, &uuid, stream);
    }

    fn agent(self, card: usize, level: usize) -> Agent {
        let number = self.agent_of_card(card) + level;
        Agent { number, parent: (level > 0).then(|| number - 1), depth: level + 1 }
    }
}

/// Dispatch, start, prompt.
const FRAMES_AHEAD: usize = 3;
/// Progress, call, result.
const FRAMES_A_CALL: usize = 3;
/// Update, notification, answer.
const FRAMES_BEHIND: usize = 3;

/// The stream of a [`Workload`], a wave at a time. Waves differ in the numbers of their agents, so one is written and
/// the numbers are written over: a session of any length takes the memory of a wave and next to no time to make.
#[derive(Clone, Debug)]
pub struct Stream {
    wave: Vec<u8>,
    /// Where the numbers stand, and what they are in the first wave.
    numbers: Vec<(usize, usize)>,
    /// Agents of a wave.
    agents: usize,
}

impl Stream {
    /// The lines of a wave, which are counted from 0.
    pub fn wave(&mut self, wave: usize) -> &[u8] {
        for &(place, number) in &self.numbers {
            let mut rest = number + wave * self.agents;
            for digit in self.wave[place..place + NUMBER_DIGITS].iter_mut().rev() {
                *digit = b'0' + u8::try_from(rest % 10).expect("a digit is below 10");
                rest /= 10;
            }
        }
        &self.wave
    }
}

fn numbers_in(wave: &[u8]) -> Vec<(usize, usize)> {
    let mut numbers = Vec::new();
    for (place, digits) in wave.windows(NUMBER_DIGITS).enumerate().skip(1) {
        if char::from(wave[place - 1]) == NUMBER_OPENS && digits.iter().all(u8::is_ascii_digit) {
            let number = digits.iter().fold(0, |number, digit| number * 10 + usize::from(digit - b'0'));
            numbers.push((place, number));
        }
    }
    numbers
}
