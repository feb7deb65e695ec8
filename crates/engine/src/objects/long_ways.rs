//! What an origin knows of operations on one target that a message or the kernel may do: which of
//! them takes less time. An operation that begins when nothing is under way to the target draws the
//! way for all like it until all is done again, and if that is timed, so are all of these together,
//! with what waits for them.

use std::time::Duration;

use crate::adaptive::{AdaptiveChoice, Choice, Use};

/// Lengths below which operations are alike; the last takes all others. A call of the kernel counts
/// less in a long one.
const LENGTH_ENDS: [usize; 7] =
    [2 << 10, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 256 << 10, 1 << 20];
/// Puts, gets, accumulates and those with a result have choices of their own.
const KINDS: usize = 4;
const CLASSES: usize = KINDS * (LENGTH_ENDS.len() + 1);

/// Operations that are alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Class(usize);

impl Class {
    pub fn of(accumulates: bool, has_result: bool, bytes: usize) -> Class {
        let length = LENGTH_ENDS.iter().filter(|end| bytes >= **end).count();
        Class(KINDS * length + 2 * usize::from(accumulates) + usize::from(has_result))
    }
}

/// See the module.
#[derive(Debug, Clone, Default)]
pub(crate) struct LongWays {
    choices: [AdaptiveChoice<90>; CLASSES],
    drawn: Option<Drawn>,
}

/// What operations of one class do until all is done.
#[derive(Debug, Clone, Copy)]
struct Drawn {
    class: Class,
    way: Choice,
    is_timed: bool,
    /// The kernel is to do the operation for which it was drawn, by the slow path.
    is_left: bool,
    /// Bytes of those that were sent.
    bytes: usize,
    /// What the calls have taken so far that began them, or waited for them.
    time: Duration,
}

impl LongWays {
    /// How an operation goes. `is_settled`: all is done that was sent before.
    pub fn next(&mut self, class: Class, bytes: usize, is_settled: bool) -> Use {
        self.drawn = self.drawn.filter(|_| !is_settled);
        if let Some(drawn) = &mut self.drawn {
            // With others between them, it is not known what they have taken.
            drawn.is_timed &= drawn.class == class;
            let way = if drawn.class == class { drawn.way } else { Choice::Usual };
            return Use { way, is_timed: drawn.is_timed };
        }
        let mut now = self.choices[class.0].next(bytes);
        // What is under way already would be timed with it.
        now.is_timed &= is_settled;
        let Use { way, is_timed } = now;
        let (bytes, time) = (0, Duration::ZERO);
        self.drawn = Some(Drawn { class, way, is_timed, is_left: false, bytes, time });
        now
    }

    /// The kernel is to do the operation for which a way was drawn, by the slow path.
    pub fn leave_to_slow_path(&mut self) {
        if let Some(drawn) = &mut self.drawn {
            drawn.is_left = true;
        }
    }

    /// Whether an operation that the slow path lets the kernel do is one that was left to it, and
    /// is timed.
    pub fn is_left_and_timed(&mut self) -> bool {
        let drawn = self.drawn.as_mut();
        drawn.is_some_and(|drawn| std::mem::take(&mut drawn.is_left) && drawn.is_timed)
    }

    /// The way that was to be taken is not possible now.
    pub fn not_possible(&mut self) {
        self.do_not_time();
        if let Some(drawn) = &mut self.drawn {
            self.choices[drawn.class.0].not_possible();
            drawn.way = Choice::Other;
        }
    }

    /// What is under way, if anything, is not timed.
    pub fn do_not_time(&mut self) {
        if let Some(drawn) = &mut self.drawn {
            drawn.is_timed = false;
        }
    }

    /// Whether messages are timed that are under way, or are about to be.
    pub fn times_messages(&self) -> bool {
        self.drawn.is_some_and(|drawn| drawn.is_timed && drawn.way == Choice::Usual)
    }

    /// Calls have taken so long that sent so many bytes, or waited.
    pub fn add(&mut self, time: Duration, bytes: usize) {
        if let Some(drawn) = &mut self.drawn {
            drawn.time += time;
            drawn.bytes += bytes;
        }
    }

    /// All is done; so many bytes were sent in all.
    pub fn end(&mut self, sent_bytes: usize) {
        let Some(drawn) = self.drawn.take() else { return };
        let Drawn { class, way, is_timed, bytes, time, .. } = drawn;
        if is_timed && way == Choice::Usual && bytes > 0 && bytes == sent_bytes {
            self.choices[class.0].learn(way, time, bytes);
        }
    }

    /// The kernel has copied so many bytes.
    pub fn learn_kernel(&mut self, time: Duration, bytes: usize) {
        if let Some(drawn) = self.drawn {
            self.choices[drawn.class.0].learn(Choice::Other, time, bytes);
        }
    }

    /// The kernel cannot.
    pub fn give_up_kernel(&mut self) {
        self.choices.iter_mut().for_each(AdaptiveChoice::give_up_other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: usize = 64 << 10;
    const PUT: Class = Class(5 * KINDS);

    /// Puts until all is done, in windows of so many: a message takes `sent` us and its target
    /// `done`, which the flush waits for, the kernel `kernel`. How many messages were sent.
    fn windows(ways: &mut LongWays, count: u32, len: u32, [sent, done, kernel]: [u64; 3]) -> u32 {
        let us = Duration::from_micros;
        let mut messages = 0;
        for _ in 0..count {
            let mut under_way = 0;
            for _ in 0..len {
                let Use { way, is_timed } = ways.next(PUT, BYTES, under_way == 0);
                match way {
                    Choice::Usual => {
                        under_way += 1;
                        ways.add(us(sent), BYTES);
                    }
                    Choice::Other if is_timed => ways.learn_kernel(us(kernel), BYTES),
                    Choice::Other => {}
                }
            }
            if under_way > 0 {
                ways.add(us(done * u64::from(under_way)), 0);
                ways.end(BYTES * under_way as usize);
            }
            messages += under_way;
        }
        messages
    }

    #[test]
    fn classes_go_by_length_and_direction() {
        assert_eq!(Class::of(false, false, BYTES), PUT);
        assert_eq!(Class::of(false, true, 1 << 10), Class(1));
        assert_eq!(Class::of(true, true, 4 << 20), Class(CLASSES - 1));
    }

    #[test]
    fn what_the_target_does_is_counted_in_a_window_of_any_length() {
        for len in [1, 2, 8, 64] {
            let mut ways = LongWays::default();
            windows(&mut ways, 2000, len, [5, 20, 9]);
            let messages = windows(&mut ways, 2000, len, [5, 20, 9]);
            assert!(messages <= 2000 * len / 50, "{messages} of {} by messages", 2000 * len);
            let mut ways = LongWays::default();
            windows(&mut ways, 2000, len, [2, 3, 9]);
            let messages = windows(&mut ways, 2000, len, [2, 3, 9]);
            assert!(messages >= 2000 * len * 49 / 50, "{messages} of {}", 2000 * len);
        }
    }

    #[test]
    fn what_is_left_to_the_slow_path_is_timed_once() {
        let mut ways = LongWays::default();
        assert!(!ways.is_left_and_timed());
        let mut timed = 0;
        for _ in 0..64 {
            let Use { way, is_timed } = ways.next(PUT, BYTES, true);
            if way == Choice::Other {
                ways.leave_to_slow_path();
                assert_eq!(ways.is_left_and_timed(), is_timed);
                timed += u32::from(is_timed);
            }
            assert!(!ways.is_left_and_timed());
        }
        assert!(timed > 0, "there are trials among them");
    }

    #[test]
    fn the_way_changes_back_when_the_target_becomes_quick() {
        let mut ways = LongWays::default();
        windows(&mut ways, 2000, 8, [5, 20, 9]);
        windows(&mut ways, 4000, 8, [1, 1, 9]);
        assert!(windows(&mut ways, 1000, 8, [1, 1, 9]) > 7800);
    }

    #[test]
    fn what_is_mixed_with_others_is_not_learned() {
        let mut ways = LongWays::default();
        for _ in 0..FEW {
            assert_eq!(ways.next(PUT, BYTES, true).way, Choice::Usual);
            ways.add(Duration::from_micros(5), BYTES);
            // A message that is not one of these was sent, too.
            ways.end(BYTES + 8);
        }
        // So messages have no time yet, and the first of another class still draws for itself.
        assert!(ways.next(PUT, BYTES, true).is_timed);
        assert!(!ways.next(Class(0), BYTES, false).is_timed);
        assert!(!ways.times_messages(), "now they are mixed");
    }

    /// Fewer than before the first trial.
    const FEW: u32 = 5;
}
