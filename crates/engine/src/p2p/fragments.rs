//! Messages of which fragments go out in bounce buffers, and who has the bounce buffers. A receiver
//! that is not inside MPI leaves them filled, so the last few are kept for other receivers.

use std::time::Duration;

use dunlin_shm::Node;
use dunlin_shm::bounce_buffer::BOUNCE_BUFFER_DATA_BYTES;
use dunlin_shm::layout::BOUNCE_BUFFERS_PER_RANK;

use crate::adaptive::Use;
use crate::matching::Envelope;
use crate::p2p::packet::Fragment;
use crate::p2p::request::RequestId;

/// Bounce buffers that any fragment may use. The others are for peers to which no fragment is on
/// its way.
pub(crate) const SHARED: usize = BOUNCE_BUFFERS_PER_RANK - 4;

/// A message going out in bounce buffers.
#[derive(Debug)]
pub(crate) struct FragmentStream {
    pub peer: usize,
    pub envelope: Envelope,
    pub send: RequestId,
    /// The number by which the receiver places the fragments.
    pub receive: u32,
    /// The bytes in front of its next fragment.
    pub sent: usize,
    /// The work split from whose front each fragment is taken, if the receiver may copy the rest.
    pub split: Option<u32>,
    /// Whether this is an eager message that is timed, to compare it with a copy by the kernel.
    pub is_timed: bool,
}

impl FragmentStream {
    /// One of which the first bytes have been sent, and which the receiver does not help to copy.
    pub fn new(
        peer: usize,
        envelope: Envelope,
        send: RequestId,
        receive: u32,
        sent: usize,
    ) -> FragmentStream {
        FragmentStream { peer, envelope, send, receive, sent, split: None, is_timed: false }
    }
}

/// The fragments of a message of so many bytes.
pub(crate) fn fragments(bytes: u64) -> u32 {
    bytes.div_ceil(BOUNCE_BUFFER_DATA_BYTES as u64) as u32
}

/// An eager message of which fragments are to come.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EagerFragments {
    pub place: Place,
    /// Bytes that have come, and those of the whole message.
    pub arrived: u64,
    pub total: u64,
}

/// Where its fragments go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Into a receive: the number of the inbound transfer.
    Receive(u32),
    /// Nowhere yet: the number among the messages that are held.
    Held(u32),
}

/// The fragments that have come of a message that no receive has matched yet.
pub(crate) type HeldMessage = Vec<Fragment>;

/// To which peer each bounce buffer of ours was last named.
#[derive(Debug, Default)]
pub(crate) struct Holders {
    of: [Option<usize>; BOUNCE_BUFFERS_PER_RANK],
    /// Fragments that are timed: each until its bounce buffer is filled again.
    timed: [Option<TimedFill>; BOUNCE_BUFFERS_PER_RANK],
    /// The one behind the last one taken.
    next: usize,
    /// Which were filled before: first use takes page faults.
    filled: [bool; BOUNCE_BUFFERS_PER_RANK],
    /// Fragments sent, to whomever, since one came.
    unanswered: usize,
}

/// How a fragment was written into a bounce buffer whose reader says how long it takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimedFill {
    pub peer: usize,
    pub stores: Use,
    /// The length of the message, if it is timed as an eager one.
    pub eager_bytes: Option<usize>,
    pub time: Duration,
    pub bytes: usize,
}

/// Shorter fragments are written as usual, and not timed.
pub(crate) const CHOICE_BYTES_MIN: usize = 8 << 10;

/// Up to this many fragments in a row, buffers are taken in turn; beyond, the first that is free. A
/// buffer that is filled again at once has its lines in the caches of both cores, and each line has
/// to be taken from the other; when its turn comes later, they have left for the cache that the
/// cores share. On a Zen 3, half round trips of 256 KiB take 14 us so and 21 by the same few
/// buffers. But long streams one way run at 7 GB/s by buffers in turn and at 11 by few.
const UNANSWERED_MAX: usize = 64;

impl Holders {
    /// Whether a bounce buffer has had data before.
    pub fn was_filled(&self, bounce_buffer: usize) -> bool {
        self.filled[bounce_buffer]
    }

    /// A free bounce buffer for a fragment to a peer.
    pub fn free(&self, node: &Node, peer: usize) -> Option<usize> {
        let is_free = |&number: &usize| node.is_free(number);
        let holds = |(number, holder): (usize, &Option<usize>)| {
            *holder == Some(peer) && !node.is_free(number)
        };
        let first = if self.unanswered < UNANSWERED_MAX { self.next } else { 0 };
        let mut in_turn = (first..SHARED).chain(0..first);
        in_turn.find(is_free).or_else(|| {
            let has_none = !self.of.iter().enumerate().any(holds);
            has_none.then(|| (SHARED..BOUNCE_BUFFERS_PER_RANK).find(is_free)).flatten()
        })
    }

    /// How many of those that any fragment may use are free.
    pub fn free_count(&self, node: &Node) -> usize {
        (0..SHARED).filter(|&number| node.is_free(number)).count()
    }

    /// A peer gets a bounce buffer. With `None` it does not count as one: it is no fragment that
    /// the peer has asked for, and stays until a receive matches it.
    pub fn note(&mut self, bounce_buffer: usize, peer: Option<usize>) {
        self.of[bounce_buffer] = peer;
        self.filled[bounce_buffer] = true;
        if bounce_buffer < SHARED {
            self.next = (bounce_buffer + 1) % SHARED;
        }
        self.unanswered += 1;
    }

    /// The fragment that is being written into a bounce buffer is timed.
    pub fn time(&mut self, bounce_buffer: usize, fill: TimedFill) {
        self.timed[bounce_buffer] = Some(fill);
    }

    /// The one that was in it before, if that was.
    pub fn take_timed(&mut self, bounce_buffer: usize) -> Option<TimedFill> {
        self.timed[bounce_buffer].take()
    }

    /// A fragment has come.
    pub fn note_answer(&mut self) {
        self.unanswered = 0;
    }
}
