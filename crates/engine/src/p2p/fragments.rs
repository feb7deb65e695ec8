//! Messages of which fragments go out in bounce buffers, and who has the bounce buffers. A receiver
//! that is not inside MPI leaves them filled, so the last few are kept for other receivers.

use dunlin_shm::Node;
use dunlin_shm::bounce_buffer::BOUNCE_BUFFER_DATA_BYTES;
use dunlin_shm::layout::BOUNCE_BUFFERS_PER_RANK;

use crate::matching::Envelope;
use crate::p2p::packet::Fragment;
use crate::p2p::request::RequestId;

/// Bounce buffers that any fragment may use. The others are for peers to which no fragment is on
/// its way.
const SHARED: usize = BOUNCE_BUFFERS_PER_RANK - 4;

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
}

/// The most fragments of an eager message: 256 KiB.
pub(crate) const EAGER_FRAGMENTS_MAX: u32 = 8;
/// Bounce buffers that no eager message takes: it has them until a receive matches it, and that may
/// come after one whose message goes out in fragments.
const KEPT_FOR_STREAMS: usize = 4;

/// The fragments of a message of so many bytes.
pub(crate) fn fragments(bytes: u64) -> u32 {
    bytes.div_ceil(BOUNCE_BUFFER_DATA_BYTES as u64) as u32
}

/// An eager message of which fragments are to come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EagerFragments {
    /// Into a receive: the number of the inbound transfer.
    Placed(u32),
    /// No receive has matched it yet: its number among those held.
    Held(u32),
}

/// An eager message that no receive has matched yet: its data stays in the bounce buffers.
#[derive(Debug)]
pub(crate) struct HeldMessage {
    pub bytes: u64,
    /// Those that have come.
    pub fragments: Vec<Fragment>,
}

/// To which peer each bounce buffer of ours was last named.
#[derive(Debug, Default)]
pub(crate) struct Holders([Option<usize>; BOUNCE_BUFFERS_PER_RANK]);

impl Holders {
    /// A free bounce buffer for a fragment to a peer.
    pub fn free(&self, node: &Node, peer: usize) -> Option<usize> {
        let is_free = |&number: &usize| node.is_free(number);
        let holds = |(number, holder): (usize, &Option<usize>)| {
            *holder == Some(peer) && !node.is_free(number)
        };
        (0..SHARED).find(is_free).or_else(|| {
            let has_none = !self.0.iter().enumerate().any(holds);
            has_none.then(|| (SHARED..BOUNCE_BUFFERS_PER_RANK).find(is_free)).flatten()
        })
    }

    /// Whether an eager message in so many fragments may go: there are enough free bounce buffers.
    pub fn has_room(&self, node: &Node, fragments: u32) -> bool {
        let is_free = |&number: &usize| node.is_free(number);
        fragments <= EAGER_FRAGMENTS_MAX
            && (0..SHARED).filter(is_free).count() >= fragments as usize + KEPT_FOR_STREAMS
    }

    /// A peer gets a bounce buffer.
    pub fn note(&mut self, bounce_buffer: usize, peer: usize) {
        self.0[bounce_buffer] = Some(peer);
    }
}
