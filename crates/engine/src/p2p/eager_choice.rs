//! Whether a message of middling length is eager where the kernel copies fast. A copy by the kernel
//! is one instead of two, but it reads line after line: data that the sender has just written, and
//! so has in its own cache, takes it twice as long as a copy whose loads are fetched ahead. And the
//! sender's next stores wait for lines that are in the receiver's cache then. Data that has not
//! changed since the receiver read it last takes half as long. Half round trips on 2 cores of a
//! Xeon, eager and by single copy, in us: 8 KiB that were just written 1.5 and 2.6, both ways 1.75
//! and 3.6, 64 KiB both ways 9.2 and 20; 8 KiB that never change 1.4 and 1.0.
//!
//! So the sender goes by what both ways take, of messages that are timed, 1 in 17 or so, and by
//! whether their data is other than that of the last one before. The receiver tells its part: of an
//! eager message in one packet by a packet back ([`TimingReply`]), of one in bounce buffers there
//! ([`Holders`]), of single copy as it ends ([`Fin`]). Elsewhere the length from which messages go
//! by rendezvous is a number (UCX_RNDV_THRESH, btl_sm_eager_limit).
//!
//! [`Holders`]: crate::p2p::fragments::Holders
//! [`Fin`]: crate::p2p::packet::Fin
//! [`TimingReply`]: crate::p2p::packet::TimingReply

use std::ops::RangeInclusive;
use std::time::Duration;

use dunlin_base::single_copy::SingleCopy;

use crate::adaptive::{AdaptiveChoice, Choice, Use};
use crate::p2p::fragments::CHOICE_BYTES_MIN;

/// Lengths for which there is a choice.
const BYTES: RangeInclusive<usize> = CHOICE_BYTES_MIN..=256 << 10;
/// Lengths below which messages are alike; the last class takes all others. Up to 48 KiB go in one
/// packet.
const LENGTH_ENDS: [usize; 4] = [16 << 10, 32 << 10, (48 << 10) + 1, 128 << 10];
/// What an eager message takes beside its copies more than the other kind: 8 KiB both ways in a
/// window take 0.55 us beside the copies, by single copy 0.3 (the rates, less the copies' times).
const EAGER_MORE: Duration = Duration::from_nanos(300);
/// Stores of a program take lines from another cache so many times as slowly as a copy does, which
/// writes whole lines: 64 KiB 12 us (an exchange, less what is known of it) instead of 5.
const STORES: f32 = 2.0;
/// What a new time of the sender's own copy counts beside those before, and of how many times their
/// mean it counts at most.
const FILLING_WEIGHT: f32 = 0.25;
const FILLING_OUTLIER: f32 = 4.0;
/// Words of a message at which the sender looks, to see whether it is another.
const SAMPLES: usize = 16;

/// How a message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Way {
    pub is_eager: bool,
    pub is_timed: bool,
    /// Whether it was chosen by times.
    pub is_choice: bool,
}

impl Way {
    const fn fixed(is_eager: bool) -> Way {
        Way { is_eager, is_timed: false, is_choice: false }
    }
}

/// What a sender knows of messages to one peer.
#[derive(Debug, Default)]
pub(crate) struct EagerChoice {
    choices: [Class; LENGTH_ENDS.len() + 1],
    /// The message that was timed last, until the peer replies.
    unanswered: Option<Unanswered>,
    /// Its number.
    number: u8,
    /// Messages that were not timed since, because there was no reply.
    untimed: u32,
    /// The kernel does not copy messages to this peer.
    has_no_single_copy: bool,
}

/// A message in one packet that was timed.
#[derive(Debug, Clone, Copy)]
struct Unanswered {
    bytes: usize,
    /// What it took to write it into the ring.
    filling: Duration,
}

/// A reply may not come: its sender drops it where it finds no room. After so many messages that
/// were to be timed it is no longer waited for.
const UNTIMED_MAX: u32 = 64;

/// Messages that are alike.
#[derive(Debug, Default)]
struct Class {
    choice: AdaptiveChoice<85>,
    /// Of the data of the last message that was timed.
    sample: u64,
    /// That was other data than that of the one before.
    is_new: bool,
    /// What the sender's own copy takes of an eager message, in ns per byte.
    filling: f32,
}

impl Class {
    /// It took so long.
    fn learn_filling(&mut self, now: f32) {
        let before = self.filling;
        self.filling = match before {
            0.0 => now,
            _ => before + FILLING_WEIGHT * (now.min(FILLING_OUTLIER * before) - before),
        };
    }
}

impl EagerChoice {
    /// How a message goes that may be eager: of so many bytes, which are this data, if it lies in
    /// one piece. If it does not, the kernel does not copy it.
    pub fn next(&mut self, single_copy: SingleCopy, bytes: usize, data: Option<&[u8]>) -> Way {
        let data = data.filter(|_| !single_copy.is_slow() && !self.has_no_single_copy);
        let Some(data) = data else { return Way::fixed(true) };
        if !BYTES.contains(&bytes) {
            return Way::fixed(false);
        }
        let class = self.of(bytes);
        let Use { way, is_timed } = class.choice.next(bytes);
        if is_timed {
            let sample = sample(data);
            class.is_new = sample != class.sample;
            class.sample = sample;
        }
        Way { is_eager: way == Choice::Other, is_timed, is_choice: true }
    }

    /// One that was to be eager could not.
    pub fn not_possible(&mut self, bytes: usize) {
        self.of(bytes).choice.not_possible();
    }

    /// The peer has asked for bounce buffers.
    pub fn give_up_single_copy(&mut self) {
        self.has_no_single_copy = true;
    }

    /// The number of a message in one packet that is to be timed, if it can be: only one waits for
    /// its reply, so that replies never fill the ring of a sender that does not look there.
    pub fn timing_number(&mut self) -> Option<u8> {
        if self.unanswered.is_some() && self.untimed < UNTIMED_MAX {
            self.untimed += 1;
            return None;
        }
        self.number = self.number.wrapping_add(1);
        Some(self.number)
    }

    /// It was written into the ring in this time.
    pub fn written(&mut self, bytes: usize, filling: Duration) {
        (self.unanswered, self.untimed) = (Some(Unanswered { bytes, filling }), 0);
    }

    /// The reply for a message of this number.
    pub fn read(&mut self, number: u8, time: Duration) {
        // Another one is late.
        if let Some(first) = self.unanswered.take_if(|_| number == self.number) {
            self.learn_eager(first.filling, time, first.bytes);
        }
    }

    /// An eager message of so many bytes took the sender this long to write, and the receiver to
    /// read.
    pub fn learn_eager(&mut self, filling: Duration, reading: Duration, bytes: usize) {
        let class = self.of(bytes);
        class.learn_filling(filling.as_nanos() as f32 / bytes as f32);
        class.choice.learn(Choice::Other, filling + reading + EAGER_MORE, bytes);
    }

    /// The kernel has copied a message in this time. Of new data the receiver's cache has got lines
    /// that the sender's next stores have to take from it, as its copy of an eager message takes
    /// those of the ring.
    pub fn learn_single_copy(&mut self, time: Duration, bytes: usize) {
        // Others are not timed, unless the peer is damaged.
        if !BYTES.contains(&bytes) {
            return;
        }
        let class = self.of(bytes);
        let later = if class.is_new { STORES * class.filling * bytes as f32 } else { 0.0 };
        class.choice.learn(Choice::Usual, time + Duration::from_nanos(later as u64), bytes);
    }

    fn of(&mut self, bytes: usize) -> &mut Class {
        let class = LENGTH_ENDS.iter().filter(|end| bytes >= **end).count();
        &mut self.choices[class]
    }
}

/// A number that tells data from other data, by a few of its words.
fn sample(data: &[u8]) -> u64 {
    const WORD: usize = size_of::<u64>();
    // Odd, so that no word is lost, and large.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let apart = data.len() / SAMPLES;
    let words = data.chunks_exact(apart.max(WORD)).filter_map(|part| part.first_chunk::<WORD>());
    words.fold(0, |sum: u64, word| sum.wrapping_mul(FACTOR) ^ u64::from_ne_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEN: usize = 16 << 10;

    /// How many of so many messages are eager, where these take so many ns: an eager one to write
    /// and to read, and single copy. `changes`: each has other data.
    fn eager_ones(choice: &mut EagerChoice, count: u32, ns: [u64; 3], changes: bool) -> u32 {
        let [filling, reading, kernel] = ns.map(Duration::from_nanos);
        let (mut data, mut eager) = (vec![1; LEN], 0);
        for number in 0..count {
            if changes {
                data.fill(number as u8);
            }
            let way = choice.next(SingleCopy::Together, LEN, Some(&data));
            eager += u32::from(way.is_eager);
            match way.is_timed {
                true if way.is_eager => choice.learn_eager(filling, reading, LEN),
                true => choice.learn_single_copy(kernel, LEN),
                false => {}
            }
        }
        eager
    }

    #[test]
    fn data_that_changes_is_eager_sooner() {
        // As measured: the copies take the same time.
        let ns = [950, 1500, 2400];
        let mut choice = EagerChoice::default();
        eager_ones(&mut choice, 200, ns, true);
        assert!(eager_ones(&mut choice, 1000, ns, true) > 900);
        let mut choice = EagerChoice::default();
        eager_ones(&mut choice, 200, ns, false);
        assert!(eager_ones(&mut choice, 1000, ns, false) < 100);
    }

    #[test]
    fn data_in_the_receivers_cache_is_copied_by_the_kernel() {
        let mut choice = EagerChoice::default();
        eager_ones(&mut choice, 200, [950, 1500, 800], true);
        assert!(eager_ones(&mut choice, 1000, [950, 1500, 800], true) < 100);
    }

    #[test]
    fn only_middling_lengths_have_a_choice() {
        let mut choice = EagerChoice::default();
        let mut next = |single_copy, bytes: usize, is_whole: bool| {
            let data = vec![0; bytes];
            choice.next(single_copy, bytes, is_whole.then_some(&data[..])).is_eager
        };
        assert!(next(SingleCopy::Long, 1 << 20, true) && next(SingleCopy::Off, LEN, true));
        assert!(next(SingleCopy::Together, LEN, false));
        assert!((0..100).all(|_| !next(SingleCopy::Together, 1 << 20, true)));
    }

    #[test]
    fn a_sample_sees_one_word_in_each_part() {
        for len in [1, 7, 8, 100, LEN, LEN + 3] {
            let mut data = vec![3; len];
            let before = sample(&data);
            assert_eq!(sample(&data), before);
            data.fill(4);
            assert!(len < 8 || sample(&data) != before, "{len} bytes");
        }
    }
}
