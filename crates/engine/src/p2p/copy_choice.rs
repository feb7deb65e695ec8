//! Whether a message is copied through shared memory, twice, or once by the kernel.
//!
//! Where the kernel copies fast, there is a choice for messages of middling length, which are eager
//! or go by rendezvous. A copy by the kernel reads line after line: data that the sender has just
//! written, and so has in its own cache, takes it twice as long as a copy whose loads are fetched
//! ahead. And the sender's next stores wait for lines that are in the receiver's cache then. Data
//! that has not changed since the receiver read it last takes half as long. Half round trips on 2
//! cores of a Xeon, eager and by single copy, in us: 8 KiB that were just written 1.5 and 2.6, both
//! ways 1.75 and 3.6, 64 KiB both ways 9.2 and 20; 8 KiB that never change 1.4 and 1.0.
//!
//! Where the kernel copies slowly, there is one for long messages: two copies gain where the cores
//! of both ranks share a cache, and lose where they are far apart. On a virtual machine of a Zen 3
//! in two such states (a cache line takes 40 and 250 ns), through shared memory and by the kernel,
//! in us: 64 KiB 4.0 and 7.2, 10.3 and 9.1; 256 KiB 14 and 19, 36 and 20; 1 MiB 52 and 68, 135 and
//! 70; of data that its sender changes before each send 109 and 122, 197 and 259.
//!
//! So the sender goes by what both ways take, of messages that are timed, 1 in 17 or so, and by
//! whether their data is other than that of the last one before. The receiver tells its part: of an
//! eager message in one packet by a packet back ([`TimingReply`]), of one in bounce buffers there
//! ([`Holders`]), of single copy as it ends ([`Fin`]). Elsewhere the length from which messages go
//! by rendezvous is a number (UCX_RNDV_THRESH, btl_sm_eager_limit), and whether the kernel copies
//! them a setting.
//!
//! Where messages cross, both ranks take the same way, which one of them chooses
//! ([`CopyChoice::as_peer`]).
//!
//! [`Holders`]: crate::p2p::fragments::Holders
//! [`Fin`]: crate::p2p::packet::Fin
//! [`TimingReply`]: crate::p2p::packet::TimingReply

use std::ops::RangeInclusive;
use std::time::Duration;

use dunlin_base::single_copy::SingleCopy;
use dunlin_copy::nontemporal;
use dunlin_shm::bounce_buffer::BOUNCE_BUFFER_DATA_BYTES;

use crate::adaptive::{AdaptiveChoice, Choice, Use};
use crate::p2p::fragments::{CHOICE_BYTES_MIN, Crossing};

/// The most bytes of an eager message.
pub(crate) const EAGER_BYTES_MAX: usize = 256 << 10;
/// Lengths for which there is a choice, where the kernel copies fast, and where it copies slowly.
const BYTES: RangeInclusive<usize> = CHOICE_BYTES_MIN..=EAGER_BYTES_MAX;
const BYTES_IF_SLOW: RangeInclusive<usize> = 64 << 10..=usize::MAX;
/// Lengths below which messages are alike; the last class takes all others. Up to 48 KiB go in one
/// packet.
const LENGTH_ENDS: [usize; 6] =
    [16 << 10, 32 << 10, (48 << 10) + 1, 128 << 10, EAGER_BYTES_MAX + 1, 2 << 20];
/// What an eager message takes beside its copies more than the other kind: 8 KiB both ways in a
/// window take 0.55 us beside the copies, by single copy 0.3 (the rates, less the copies' times).
const EAGER_MORE: Duration = Duration::from_nanos(300);
/// Where it copies slowly, the kernel takes so many times what its copy takes itself, by the rates
/// of windows: messages are announced, and two ranks ask for pages of each other.
const KERNEL_MORE: f32 = 1.2;
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
    /// By rendezvous, copied by the kernel. Else through shared memory, up to [`EAGER_BYTES_MAX`]
    /// eagerly, unless there is no room, or the kernel copies fast.
    pub by_kernel: bool,
    pub is_timed: bool,
    /// Whether it was chosen by times.
    pub is_choice: bool,
}

impl Way {
    pub const DEFAULT: Way = Way { by_kernel: false, is_timed: false, is_choice: false };
    const KERNEL: Way = Way { by_kernel: true, ..Way::DEFAULT };
}

/// What a sender knows of messages to one peer.
#[derive(Debug)]
pub(crate) struct CopyChoice {
    single_copy: SingleCopy,
    choices: [Class; LENGTH_ENDS.len() + 1],
    /// How the last long message from the peer came.
    of_peer: Option<OfPeer>,
    /// What was drawn for a message of so many bytes that has not left yet.
    kept: Option<(usize, Way)>,
    /// The message that was timed last, until the peer replies.
    unanswered: Option<Unanswered>,
    /// Its number.
    number: u8,
    /// Messages that were not timed since, because there was no reply.
    untimed: u32,
    /// The kernel does not copy messages to this peer.
    has_no_single_copy: bool,
}

/// A message from the peer.
#[derive(Debug, Clone, Copy)]
struct OfPeer {
    class: usize,
    by_kernel: bool,
    /// For how many messages to the peer it says how these go: it may send no more of them.
    uses: u8,
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
#[derive(Debug, Clone, Copy, Default)]
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

impl CopyChoice {
    /// One that knows nothing; each of its choices begins as this one.
    pub fn new(single_copy: SingleCopy, choice: AdaptiveChoice<85>) -> CopyChoice {
        CopyChoice {
            single_copy,
            choices: [Class { choice, ..Class::default() }; LENGTH_ENDS.len() + 1],
            of_peer: None,
            kept: None,
            unanswered: None,
            number: 0,
            untimed: 0,
            has_no_single_copy: single_copy == SingleCopy::Off,
        }
    }

    /// Of the two ways, that through shared memory, and that by the kernel.
    fn ways(&self) -> [Choice; 2] {
        let ways = [Choice::Usual, Choice::Other];
        if self.single_copy.is_slow() { ways } else { [ways[1], ways[0]] }
    }

    /// Whether there is a choice for a message of this length at all.
    pub fn exists(&self, is_wide: bool, bytes: usize) -> bool {
        match self.single_copy.is_slow() {
            true => is_wide && BYTES_IF_SLOW.contains(&bytes),
            false => BYTES.contains(&bytes),
        }
    }

    /// How a message goes that may be eager, or is longer: of so many bytes, which are this data,
    /// if it lies in one piece. If it does not, the kernel does not copy it. `is_wide`: bounce
    /// buffers are many, all of them are used by now, and no ranks share cores.
    pub fn next(&mut self, is_wide: bool, bytes: usize, data: Option<&[u8]>) -> Way {
        let kept = self.kept.take().filter(|kept| kept.0 == bytes);
        let data = match self.without_choice(is_wide, bytes, data) {
            Ok(way) => return way,
            Err(data) => data,
        };
        if let Some((_, way)) = kept {
            return way;
        }
        let [_, kernel] = self.ways();
        let comes_anyway = self.learns_from_fragments(bytes);
        let class = self.of(bytes);
        let Use { way, is_timed } = class.choice.next(bytes);
        // Times of what goes through shared memory come anyway, unless that is a trial.
        let is_asked = way == kernel || class.choice.best() == kernel || !comes_anyway;
        let is_timed = is_timed && is_asked;
        if is_timed {
            let sample = sample(data);
            class.is_new = sample != class.sample;
            class.sample = sample;
        }
        Way { by_kernel: way == kernel, is_timed, is_choice: true }
    }

    /// A message from the peer comes through shared memory, or by the kernel.
    pub fn note_peers(&mut self, bytes: usize, by_kernel: bool) {
        if self.exists(true, bytes) {
            let (class, uses) = (class(bytes), Crossing::MESSAGES);
            self.of_peer = Some(OfPeer { class, by_kernel, uses });
        }
    }

    /// How a message goes that is to go as the last one like it from the peer has come. Not one for
    /// which that was asked before: see [`CopyChoice::keep`].
    pub fn as_peer(&mut self, is_wide: bool, bytes: usize, data: Option<&[u8]>) -> Option<Way> {
        if self.kept.is_some_and(|(of, _)| of == bytes) {
            return None;
        }
        let has_choice = self.without_choice(is_wide, bytes, data).is_err();
        let of_peer = self.of_peer.as_mut().filter(|of| of.class == class(bytes) && of.uses > 0)?;
        if !has_choice || !self.single_copy.is_slow() {
            return None;
        }
        of_peer.uses -= 1;
        let by_kernel = of_peer.by_kernel;
        Some(Way { by_kernel, is_timed: false, is_choice: true })
    }

    /// Whether each of its fragments that is timed for another reason tells how long a message of
    /// this length takes through shared memory.
    pub fn learns_from_fragments(&self, bytes: usize) -> bool {
        nontemporal::EXISTS && self.single_copy.is_slow() && self.exists(true, bytes)
    }

    /// How a message goes where there is no choice; else its data.
    fn without_choice<'a>(
        &self,
        is_wide: bool,
        bytes: usize,
        data: Option<&'a [u8]>,
    ) -> Result<Way, &'a [u8]> {
        match data.filter(|_| !self.has_no_single_copy) {
            None => Ok(Way::DEFAULT),
            Some(data) if self.exists(is_wide, bytes) => Err(data),
            Some(_) => Ok(if self.single_copy.is_slow() { Way::DEFAULT } else { Way::KERNEL }),
        }
    }

    /// The way that is taken now, but for trials; it is not timed.
    pub fn best(&mut self, is_wide: bool, bytes: usize, data: Option<&[u8]>) -> Way {
        self.without_choice(is_wide, bytes, data).unwrap_or_else(|_| {
            let [_, kernel] = self.ways();
            Way { by_kernel: self.of(bytes).choice.best() == kernel, ..Way::DEFAULT }
        })
    }

    /// The message for which this was drawn has not left: [`CopyChoice::next`] is asked again.
    pub fn keep(&mut self, bytes: usize, way: Way) {
        self.kept = Some((bytes, way));
    }

    /// One is announced that was perhaps to be eager. Where the kernel copies slowly, it is timed
    /// all the same, if its receiver lets the sender copy.
    pub fn not_eager(&mut self, bytes: usize, way: Way) {
        if way.is_choice && !way.by_kernel && !self.single_copy.is_slow() {
            self.of(bytes).choice.not_possible();
        }
    }

    /// The peer has asked for bounce buffers.
    pub fn give_up_single_copy(&mut self) {
        (self.has_no_single_copy, self.kept) = (true, None);
    }

    /// Forgets all times; each choice begins as this one.
    pub fn begin_again(&mut self, choice: AdaptiveChoice<85>) {
        self.choices = [Class { choice, ..Class::default() }; LENGTH_ENDS.len() + 1];
        (self.kept, self.of_peer) = (None, None);
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
            self.learn_shared(first.filling, time, first.bytes, false);
        }
    }

    /// A message of so many bytes took the sender this long to write, and the receiver to read.
    /// `crosses`: others come from the peer at the same time.
    pub fn learn_shared(
        &mut self,
        filling: Duration,
        reading: Duration,
        bytes: usize,
        crosses: bool,
    ) {
        let [shared, _] = self.ways();
        // The two ranks of a long one copy at the same time, but for its first fragment. Where
        // messages cross, each rank makes both copies, and by the kernel each copies what it
        // receives, without help.
        let first = BOUNCE_BUFFER_DATA_BYTES.min(bytes) as f64 / bytes as f64;
        let time = match self.single_copy.is_slow() && !crosses {
            true => filling.max(reading) + filling.min(reading).mul_f64(first),
            false => filling + reading,
        };
        let class = self.of(bytes);
        class.learn_filling(filling.as_nanos() as f32 / bytes as f32);
        class.choice.learn(shared, time + EAGER_MORE, bytes);
    }

    /// The kernel has copied a message in this time. Of new data the receiver's cache has got lines
    /// that the sender's next stores have to take from it, as its copy of an eager message takes
    /// those of the ring.
    pub fn learn_single_copy(&mut self, time: Duration, bytes: usize) {
        // Others are not timed, unless the peer is damaged.
        if !self.exists(true, bytes) {
            return;
        }
        let [_, kernel] = self.ways();
        let time = if self.single_copy.is_slow() { time.mul_f32(KERNEL_MORE) } else { time };
        let class = self.of(bytes);
        let later = if class.is_new { STORES * class.filling * bytes as f32 } else { 0.0 };
        class.choice.learn(kernel, time + Duration::from_nanos(later as u64), bytes);
    }

    /// How many times are known of such messages, through shared memory and by the kernel.
    #[cfg(test)]
    pub fn times(&mut self, bytes: usize) -> [u32; 2] {
        let ways = self.ways();
        let times = self.of(bytes).choice.times();
        ways.map(|way| times[way as usize])
    }

    fn of(&mut self, bytes: usize) -> &mut Class {
        &mut self.choices[class(bytes)]
    }
}

/// Which messages are like one of so many bytes.
fn class(bytes: usize) -> usize {
    LENGTH_ENDS.iter().filter(|end| bytes >= **end).count()
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

    fn new(single_copy: SingleCopy) -> CopyChoice {
        let choice = match single_copy.is_slow() {
            true => AdaptiveChoice::of_memory(60 * (32 << 10)),
            false => AdaptiveChoice::default(),
        };
        CopyChoice::new(single_copy, choice)
    }

    /// How many of so many messages go through shared memory, where these take so many ns: one
    /// there to write and to read, and single copy. `changes`: each has other data.
    fn shared_ones(choice: &mut CopyChoice, count: u32, ns: [u64; 3], changes: bool) -> u32 {
        let [filling, reading, kernel] = ns.map(Duration::from_nanos);
        let len = if choice.single_copy.is_slow() { 16 * LEN } else { LEN };
        let (mut data, mut shared) = (vec![1; len], 0);
        for number in 0..count {
            if changes {
                data.fill(number as u8);
            }
            let way = choice.next(true, len, Some(&data));
            shared += u32::from(!way.by_kernel);
            // Some fragments are timed whatever the message is asked.
            let tells = choice.learns_from_fragments(len) && number % 17 == 0;
            match way.by_kernel {
                true if way.is_timed => choice.learn_single_copy(kernel, len),
                false if way.is_timed || tells => choice.learn_shared(filling, reading, len, false),
                _ => {}
            }
        }
        shared
    }

    #[test]
    fn data_that_changes_is_eager_sooner() {
        // As measured: the copies take the same time.
        let ns = [950, 1500, 2400];
        let mut choice = new(SingleCopy::Together);
        shared_ones(&mut choice, 200, ns, true);
        assert!(shared_ones(&mut choice, 1000, ns, true) > 900);
        let mut choice = new(SingleCopy::Together);
        shared_ones(&mut choice, 200, ns, false);
        assert!(shared_ones(&mut choice, 1000, ns, false) < 100);
    }

    #[test]
    fn data_in_the_receivers_cache_is_copied_by_the_kernel() {
        let mut choice = new(SingleCopy::Together);
        shared_ones(&mut choice, 200, [950, 1500, 800], true);
        assert!(shared_ones(&mut choice, 1000, [950, 1500, 800], true) < 100);
    }

    #[test]
    fn where_it_copies_slowly_the_kernel_copies_between_cores_that_are_far_apart() {
        let mut choice = new(SingleCopy::Long);
        // Times of 256 KiB on two cores that share a cache, and on two that do not.
        let (near, far) = ([8_600, 11_600, 24_000], [33_000, 34_000, 20_000]);
        // What is known is looked at again seldom.
        for (ns, is_shared) in [(near, true), (far, false), (near, true)] {
            shared_ones(&mut choice, 10_000, ns, false);
            let shared = shared_ones(&mut choice, 10_000, ns, false);
            assert_eq!(shared > 5_000, is_shared, "{ns:?}: {shared}");
            assert!(!(500..9_500).contains(&shared), "{ns:?}: {shared}");
        }
    }

    #[test]
    fn only_some_lengths_have_a_choice() {
        let next = |single_copy, is_wide, bytes: usize, is_whole: bool| {
            let data = vec![0; bytes];
            let way = new(single_copy).next(is_wide, bytes, is_whole.then_some(&data[..]));
            (way.is_choice, way.by_kernel)
        };
        for (single_copy, is_wide, bytes, is_whole, expected) in [
            (SingleCopy::Off, true, 1 << 20, true, (false, false)),
            (SingleCopy::Long, true, LEN, true, (false, false)),
            (SingleCopy::Long, false, 1 << 20, true, (false, false)),
            (SingleCopy::Long, true, 1 << 20, false, (false, false)),
            (SingleCopy::Long, true, 1 << 20, true, (true, false)),
            (SingleCopy::Together, false, LEN, false, (false, false)),
            (SingleCopy::Together, false, LEN, true, (true, true)),
            (SingleCopy::Together, false, 1 << 20, true, (false, true)),
        ] {
            let way = next(single_copy, is_wide, bytes, is_whole);
            assert_eq!(way, expected, "{single_copy:?}, {is_wide}, {bytes} bytes, {is_whole}");
        }
    }

    #[test]
    fn what_was_drawn_for_a_message_that_has_not_left_is_drawn_once() {
        let (mut choice, data) = (new(SingleCopy::Long), vec![0; 16 * LEN]);
        let way = Way { by_kernel: true, is_timed: true, is_choice: true };
        choice.keep(data.len(), way);
        assert_eq!(choice.next(true, data.len(), Some(&data)), way);
        assert!(!choice.next(true, data.len(), Some(&data)).by_kernel);
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
