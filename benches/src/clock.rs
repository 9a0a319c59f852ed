//! What applying frames costs, and not making or reading them.

use std::time::Duration;

use cardfold_wire::Frame;
use cpu_time::ThreadTime;
use memchr::memchr_iter;

use crate::decode;

/// Lines that are decoded before the clock runs. So the frames are as warm as in a session loop, where each was decoded
/// a moment ago, however long the session is; and the clock is read seldom enough not to count.
const LINES_AT_ONCE: usize = 240;

/// The processor time that `apply` takes for all frames of a stream. That of other programs is not in it, so that a
/// long session can be held against a short one on a machine that has other work too.
pub fn time_frames(stream: &[u8], mut apply: impl FnMut(&Frame<'_>)) -> Duration {
    let mut time = Duration::ZERO;
    let mut rest = stream;
    while !rest.is_empty() {
        let lines;
        (lines, rest) = rest.split_at(end_of_lines(rest, LINES_AT_ONCE));
        let frames = decode(lines);
        let begun = ThreadTime::now();
        for frame in &frames {
            apply(frame);
        }
        time += begun.elapsed();
    }
    time
}

/// Where the first `count` lines end.
fn end_of_lines(stream: &[u8], count: usize) -> usize {
    memchr_iter(b'\n', stream).nth(count - 1).map_or(stream.len(), |end| end + 1)
}
