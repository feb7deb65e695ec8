//! Packets on their way to the kernel. Those to one peer are contiguous, as a *run*, because the
//! kernel takes a run of packets of one length, whose last may be shorter, in one piece
//! (segmentation offload), at little more than the price of a packet. Pure data, no I/O.

use std::collections::VecDeque;

/// The kernel cuts one piece into at most this many packets (UDP_MAX_SEGMENTS before Linux 6.9).
const SEGMENTS_MAX: usize = 64;
/// Bytes of one piece: what a UDP datagram holds at most, less the largest headers.
const RUN_BYTES_MAX: usize = 65_535 - 48;
/// Bytes that wait before `space` should hand them over: a piece of the largest size, which is
/// still in the nearest cache but one when the kernel copies it.
pub const READY_BYTES: usize = 64 << 10;
/// Bytes for packets: twice that, so that a kernel that takes some but not all does no harm.
pub const QUEUE_BYTES: usize = 2 * READY_BYTES;
/// Runs that may wait. A packet is at least one byte, so bytes alone would not bound them.
const RUNS_MAX: usize = 512;

/// Packets that can be handed over in one piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// To whom: the caller's own number.
    pub to: u32,
    /// Where they begin.
    pub start: usize,
    /// Bytes of all of them.
    pub len: usize,
    /// Bytes of each but the last.
    pub segment: usize,
}

/// The packets and the runs they form.
#[derive(Debug)]
pub struct SendQueue {
    memory: Box<[u8]>,
    runs: VecDeque<Run>,
    end: usize,
    run_bytes_max: usize,
}

impl SendQueue {
    /// An empty one; `offload`: the kernel takes runs of more than one packet.
    pub fn new(offload: bool) -> SendQueue {
        let memory = vec![0; QUEUE_BYTES].into_boxed_slice();
        let run_bytes_max = if offload { RUN_BYTES_MAX } else { 0 };
        SendQueue { memory, runs: VecDeque::with_capacity(RUNS_MAX), end: 0, run_bytes_max }
    }

    /// Room for a packet of `len` bytes, if there is.
    pub fn space(&mut self, len: usize) -> Option<&mut [u8]> {
        if self.runs.len() == RUNS_MAX {
            return None;
        }
        self.memory.get_mut(self.end..self.end + len)
    }

    /// Takes the first `len` bytes of the last [`SendQueue::space`] as a packet; `alone`: in a run
    /// of its own.
    pub fn post(&mut self, to: u32, len: usize, alone: bool) {
        assert!(0 < len && len <= self.memory.len() - self.end, "a packet that had no room");
        let run_bytes_max = self.run_bytes_max;
        let start = self.end;
        self.end += len;
        match self.runs.back_mut() {
            Some(run) if !alone && run.to == to && run.takes(len, run_bytes_max) => run.len += len,
            _ => self.runs.push_back(Run { to, start, len, segment: len }),
        }
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Bytes taken since the outbox was empty last.
    pub fn bytes(&self) -> usize {
        self.end
    }

    /// The runs that wait, the oldest first.
    pub fn runs(&self) -> impl Iterator<Item = (Run, &[u8])> {
        self.runs.iter().map(|run| (*run, &self.memory[run.start..run.start + run.len]))
    }

    /// The oldest run, if it is the only one.
    pub fn only(&self) -> Option<(Run, &[u8])> {
        match self.runs.len() {
            1 => self.runs().next(),
            _ => None,
        }
    }

    /// Forgets the `count` oldest runs.
    pub fn drop_runs(&mut self, count: usize) {
        self.runs.drain(..count);
        if self.runs.is_empty() {
            self.end = 0;
        }
    }
}

impl Run {
    fn takes(&self, len: usize, run_bytes_max: usize) -> bool {
        let full = self.len % self.segment == 0;
        let room = self.len + len <= run_bytes_max && self.len / self.segment < SEGMENTS_MAX;
        full && room && len <= self.segment
    }

    /// Packets in it.
    pub fn packets(&self) -> usize {
        self.len.div_ceil(self.segment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posted(offload: bool, packets: &[(u32, usize)]) -> SendQueue {
        let mut queue = SendQueue::new(offload);
        for (at, &(to, len)) in packets.iter().enumerate() {
            queue.space(len).unwrap().fill(at as u8);
            queue.post(to, len, false);
        }
        queue
    }

    fn lengths(queue: &SendQueue) -> Vec<(u32, usize, usize)> {
        queue.runs().map(|(run, bytes)| (run.to, bytes.len(), run.segment)).collect()
    }

    #[test]
    fn packets_of_one_length_to_one_peer_are_one_run_that_a_shorter_one_ends() {
        let queue = posted(true, &[(7, 100), (7, 100), (7, 30), (7, 30), (8, 30), (7, 31)]);
        assert_eq!(lengths(&queue), [(7, 230, 100), (7, 30, 30), (8, 30, 30), (7, 31, 31)]);
        let (run, bytes) = queue.runs().next().unwrap();
        assert_eq!(run.packets(), 3);
        assert!(bytes[..100].iter().all(|&b| b == 0) && bytes[200..].iter().all(|&b| b == 2));
    }

    #[test]
    fn a_longer_packet_begins_a_run() {
        assert_eq!(lengths(&posted(true, &[(7, 30), (7, 31)])), [(7, 30, 30), (7, 31, 31)]);
    }

    #[test]
    fn without_offload_every_packet_is_a_run() {
        assert_eq!(lengths(&posted(false, &[(7, 5), (7, 5)])), [(7, 5, 5), (7, 5, 5)]);
    }

    #[test]
    fn a_run_has_no_more_packets_and_bytes_than_the_kernel_cuts() {
        let queue = posted(true, &[(7, 10); SEGMENTS_MAX + 1]);
        assert_eq!(lengths(&queue), [(7, 10 * SEGMENTS_MAX, 10), (7, 10, 10)]);
        let queue = posted(true, &[(7, 9000); 8]);
        assert_eq!(lengths(&queue), [(7, 63_000, 9000), (7, 9000, 9000)]);
    }

    #[test]
    fn there_is_no_room_beyond_the_memory_or_the_runs_until_all_are_gone() {
        let mut queue = posted(true, &[(7, QUEUE_BYTES - 10), (8, 5)]);
        assert!(queue.space(6).is_none() && queue.space(5).is_some());
        queue.drop_runs(1);
        assert!(queue.space(6).is_none());
        queue.drop_runs(1);
        assert!(queue.is_empty() && queue.space(QUEUE_BYTES).is_some());
        let mut queue = posted(false, &[(7, 1); RUNS_MAX]);
        assert!(queue.space(1).is_none());
        queue.drop_runs(1);
        assert!(queue.space(1).is_some());
    }
}
