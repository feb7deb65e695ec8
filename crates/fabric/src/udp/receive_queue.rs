//! What arrives at a UDP socket. While packets come one by one, each costs one plain call
//! (*single*). While they come in bursts, the kernel is asked to coalesce packets (UDP_GRO) and to
//! fill several buffers in one call (*gathering*). Splitting coalesced packets needs a call that
//! costs 80 ns more, 6 % of a small packet, so a fabric does not gather all the time.

use std::io::{self, ErrorKind};
use std::os::fd::RawFd;

use crate::sys::{self, Arrived, BATCH};

/// A piece as the kernel puts it together on arrival: a whole datagram's worth.
const BUFFER_BYTES: usize = 64 << 10;
/// After so many calls in a row that each find a packet we gather; each time that nothing came of
/// it, twice as many calls must come before the next try. A packet of the full length is most
/// likely a piece of a longer message, and counts as so many.
const FULL_CALLS_MIN: u32 = 8;
const FULL_CALLS_MAX: u32 = 4096;
/// After so many calls without a burst (some hundred microseconds of polling) we gather no more.
const LONELY_CALLS: u32 = 1024;
/// A piece may still be on its way through the kernel when it is told to put none together any
/// more: so many calls must find none before they are thought to be over.
const LEAVING_CALLS: u32 = 64;

/// Buffers, and how they are used at the moment.
pub struct ReceiveQueue {
    memory: Box<[u8]>,
    buffer_bytes: usize,
    packet_bytes_max: usize,
    /// Bytes of a packet of ours at most, and mostly of one of our peers.
    path_bytes_max: usize,
    /// The kernel can put pieces together.
    offload: bool,
    mode: Mode,
    full_wanted: u32,
    /// Packets that were longer than any we take.
    pub truncated: u64,
    /// Packets delivered.
    pub received: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Packets come one by one; calls in a row that found one.
    Single { full: u32 },
    /// They come in bursts: buffers given to the kernel, calls since the last burst.
    Gathering { buffers: usize, lonely: u32 },
    /// They do no more: calls since then.
    Leaving { calls: u32 },
}

/// What a call has found.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// Buffers that were filled.
    filled: usize,
    /// There were several packets.
    crowd: bool,
    /// One of them was as long as packets of ours may be.
    long: bool,
}

impl ReceiveQueue {
    /// For packets of up to `packet_bytes_max`, mostly `path_bytes_max`; `offload`: the kernel can
    /// put pieces together.
    pub fn new(packet_bytes_max: usize, path_bytes_max: usize, offload: bool) -> ReceiveQueue {
        let buffer_bytes = if offload { BUFFER_BYTES } else { packet_bytes_max };
        ReceiveQueue {
            memory: vec![0; BATCH * buffer_bytes].into_boxed_slice(),
            buffer_bytes,
            packet_bytes_max,
            path_bytes_max,
            offload,
            mode: Mode::Single { full: 0 },
            full_wanted: FULL_CALLS_MIN,
            truncated: 0,
            received: 0,
        }
    }

    /// Delivers what one call finds; returns the number of packets.
    pub fn receive(&mut self, socket: RawFd, take: &mut dyn FnMut(&[u8])) -> io::Result<usize> {
        let mut arrived = [Arrived::default(); BATCH];
        let called = match self.mode {
            Mode::Single { .. } => one(sys::receive(socket, self.buffers(1)), &mut arrived),
            Mode::Gathering { buffers: 2.., .. } => self.call_for_many(socket, &mut arrived),
            _ => one(sys::receive_run(socket, self.buffers(1)), &mut arrived),
        };
        let filled = match called {
            Ok(filled) => filled,
            Err(e) if passes(&e) => 0,
            Err(e) => return Err(e),
        };
        let mut packets = 0;
        for (buffer, run) in self.memory.chunks(self.buffer_bytes).zip(&arrived[..filled]) {
            let cut = run.truncated || run.segment > self.packet_bytes_max;
            self.truncated += u64::from(cut);
            if run.len == 0 || cut {
                continue;
            }
            for packet in buffer[..run.len].chunks(run.segment) {
                take(packet);
                packets += 1;
            }
        }
        self.received += packets as u64;
        let crowd = filled > 1 || arrived[..filled].iter().any(|run| run.segment < run.len);
        let long = arrived[..filled].iter().any(|run| run.segment >= self.path_bytes_max);
        let seen = Seen { filled, crowd, long };
        self.adapt(socket, seen)?;
        Ok(packets)
    }

    fn call_for_many(&mut self, socket: RawFd, seen: &mut [Arrived; BATCH]) -> io::Result<usize> {
        let Mode::Gathering { buffers, .. } = self.mode else { return Ok(0) };
        let buffer_bytes = self.buffer_bytes;
        sys::receive_runs(socket, self.buffers(buffers), buffer_bytes, seen)
    }

    fn buffers(&mut self, count: usize) -> &mut [u8] {
        &mut self.memory[..count * self.buffer_bytes]
    }

    /// Decides how the next call is made, after one that found this.
    fn adapt(&mut self, socket: RawFd, seen: Seen) -> io::Result<()> {
        let next = self.next(seen);
        let gathers = |mode| matches!(mode, Mode::Gathering { .. });
        let (before, after) = (gathers(self.mode), gathers(next));
        self.mode = next;
        match before != after && self.offload {
            true => sys::set_option(socket, libc::SOL_UDP, libc::UDP_GRO, i32::from(after)),
            false => Ok(()),
        }
    }

    fn next(&mut self, Seen { filled, crowd, long }: Seen) -> Mode {
        let calls = if long { FULL_CALLS_MIN } else { 1 };
        if crowd {
            self.full_wanted = FULL_CALLS_MIN;
        }
        match self.mode {
            Mode::Single { .. } if filled == 0 => Mode::Single { full: 0 },
            Mode::Single { full } if full + calls < self.full_wanted => {
                Mode::Single { full: full + calls }
            }
            Mode::Single { .. } => {
                self.full_wanted = (2 * self.full_wanted).min(FULL_CALLS_MAX);
                Mode::Gathering { buffers: 2, lonely: 0 }
            }
            Mode::Gathering { buffers, .. } if crowd => {
                // As many as were needed, and more if all were.
                let more = if filled == buffers { 2 * buffers } else { filled };
                Mode::Gathering { buffers: more.min(BATCH), lonely: 0 }
            }
            Mode::Gathering { lonely: LONELY_CALLS.., .. } => Mode::Leaving { calls: 0 },
            Mode::Gathering { lonely, .. } => Mode::Gathering { buffers: 1, lonely: lonely + 1 },
            Mode::Leaving { .. } if crowd => Mode::Gathering { buffers: 2, lonely: 0 },
            Mode::Leaving { calls: LEAVING_CALLS.. } => Mode::Single { full: 0 },
            Mode::Leaving { calls } => Mode::Leaving { calls: calls + 1 },
        }
    }
}

fn one(called: io::Result<Arrived>, seen: &mut [Arrived; BATCH]) -> io::Result<usize> {
    called.map(|arrived| {
        seen[0] = arrived;
        1
    })
}

/// Nothing has arrived, or the kernel reports an old packet of ours as undeliverable.
fn passes(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
        || matches!(
            error.raw_os_error(),
            Some(
                libc::ECONNREFUSED
                    | libc::EHOSTUNREACH
                    | libc::ENETUNREACH
                    | libc::ENETDOWN
                    | libc::ENOMEM
                    | libc::ENOBUFS
                    | libc::EMSGSIZE
            )
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The modes an inbox goes through, given what each call finds.
    fn modes(calls: impl IntoIterator<Item = (usize, bool)>) -> Vec<Mode> {
        let mut receive_queue = ReceiveQueue::new(1472, 1472, false);
        let step = |(filled, crowd)| {
            receive_queue.mode = receive_queue.next(Seen { filled, crowd, long: false });
            receive_queue.mode
        };
        calls.into_iter().map(step).collect()
    }

    #[test]
    fn packets_one_by_one_with_pauses_are_never_gathered() {
        let single = |mode: &Mode| matches!(mode, Mode::Single { .. });
        assert!(modes((0..1000).map(|at| (at % 2, false))).iter().all(single));
    }

    #[test]
    fn a_crowd_is_gathered_and_once_it_is_over_no_more() {
        let crowd = (0..FULL_CALLS_MIN).map(|_| (1, false)).chain([(2, true), (4, true)]);
        let silence = LONELY_CALLS + 1 + LEAVING_CALLS + 1;
        let seen = modes(crowd.chain((0..silence).map(|_| (0, false))));
        let first = FULL_CALLS_MIN as usize;
        assert_eq!(seen[first - 1], Mode::Gathering { buffers: 2, lonely: 0 });
        assert_eq!(seen[first], Mode::Gathering { buffers: 4, lonely: 0 });
        assert_eq!(seen[first + 1], Mode::Gathering { buffers: 8, lonely: 0 });
        assert_eq!(seen.last(), Some(&Mode::Single { full: 0 }));
        assert!(matches!(seen[seen.len() - 2], Mode::Leaving { .. }));
    }

    #[test]
    fn a_long_packet_is_taken_for_one_of_a_crowd() {
        let mut receive_queue = ReceiveQueue::new(1472, 1472, false);
        let long = Seen { filled: 1, crowd: false, long: true };
        assert!(matches!(receive_queue.next(long), Mode::Gathering { .. }));
    }

    #[test]
    fn a_piece_that_comes_late_is_told_apart() {
        let start = (0..FULL_CALLS_MIN).map(|_| (1, false));
        let leave = (0..=LONELY_CALLS + LEAVING_CALLS).map(|_| (0, false));
        let seen = modes(start.chain(leave).chain([(1, true)]));
        assert!(matches!(seen[seen.len() - 2], Mode::Leaving { .. }));
        assert!(matches!(seen.last(), Some(Mode::Gathering { .. })));
    }

    #[test]
    fn a_try_in_vain_makes_the_next_one_later() {
        // A packet at every call, but never two.
        let seen = modes((0..100_000).map(|_| (1, false)));
        let gathering = seen.iter().filter(|mode| matches!(mode, Mode::Gathering { .. })).count();
        assert!(gathering > 0);
        assert!(gathering * 3 < seen.len(), "{gathering}");
    }
}
