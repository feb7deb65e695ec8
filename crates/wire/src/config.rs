//! What a fabric is like, and the limits and times of the protocol above it.

use crate::frame::SEGMENT_BYTES;
use crate::header::HEADER_BYTES;
use crate::receive_window::WINDOW_MAX;

/// Nanoseconds of whatever clock the caller reads.
pub type Nanos = u64;

const MICROSECOND: Nanos = 1_000;
const MILLISECOND: Nanos = 1_000 * MICROSECOND;
const SECOND: Nanos = 1_000 * MILLISECOND;

/// What the fabric promises of packets it has taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guarantee {
    /// Each arrives once, in any order (SRD).
    Reliable,
    /// Any may be lost or doubled (UD, UDP).
    None,
}

/// How an endpoint behaves. The same on all processes of a job, but for the longest packets, which
/// may differ between hosts.
#[derive(Debug, Clone, Copy)]
pub struct Config {
    /// What the fabric guarantees.
    pub guarantee: Guarantee,
    /// The fabric authenticates packets, as it does on the second path in any case. Then packets
    /// are not sealed here.
    pub is_authenticated: bool,
    /// Bytes of the largest packet.
    pub packet_bytes_max: usize,
    /// Bytes of the largest packet of a second path, which is reliable, for long messages; 0: there
    /// is none.
    pub bulk_bytes_max: usize,
    /// Messages of so many bytes are long enough for it.
    pub bulk_from: u64,
    /// Packets that may be in flight to one peer: what the receiver has room for.
    pub window: u32,
    /// Packets to one peer before the others get their turn.
    pub burst: u32,
    /// Bytes of eager messages sent to one peer that no receive there has consumed yet; what is
    /// beyond waits at its sender.
    pub eager_budget: u32,
    /// A packet is acknowledged when its sender requests it, after this many packets,
    pub ack_after: u32,
    /// or after this long, unless something goes the other way sooner.
    pub ack_delay: Nanos,
    /// Bounds of the time after which an unacknowledged packet is sent again: processes that share
    /// a core or compute answer late.
    pub retransmit_min: Nanos,
    /// The other bound.
    pub retransmit_max: Nanos,
    /// A process that leaves sends its last packet again to a peer that leaves too, for this long.
    pub linger: Nanos,
    /// A peer that has not answered for this long while packets to it are in flight is lost.
    pub peer_timeout: Nanos,
}

impl Config {
    /// The usual behaviour on a fabric.
    pub const fn new(guarantee: Guarantee, packet_bytes_max: usize) -> Config {
        Config {
            guarantee,
            is_authenticated: false,
            packet_bytes_max,
            bulk_bytes_max: 0,
            bulk_from: 4096,
            window: 256,
            burst: 64,
            eager_budget: 1 << 20,
            ack_after: 64,
            ack_delay: 100 * MICROSECOND,
            retransmit_min: 2 * MILLISECOND,
            retransmit_max: SECOND,
            linger: 500 * MILLISECOND,
            peer_timeout: 20 * SECOND,
        }
    }

    /// Whether lost packets must be sent again.
    pub const fn retransmits(&self) -> bool {
        matches!(self.guarantee, Guarantee::None)
    }

    /// Whether a message of `bytes` that needs several packets goes over the second path.
    pub const fn in_bulk(&self, bytes: u64) -> bool {
        self.bulk_bytes_max > 0 && bytes >= self.bulk_from
    }

    /// What fits into a packet of the second path behind so many bytes of a frame.
    pub(crate) const fn bulk_room(&self, front_bytes: usize) -> usize {
        self.bulk_bytes_max.saturating_sub(HEADER_BYTES + front_bytes)
    }

    /// Bytes of a message's end that may be sent first, over the first path: what fits into a
    /// packet.
    pub(crate) const fn end_bytes_max(&self) -> usize {
        self.packet_bytes_max - HEADER_BYTES - SEGMENT_BYTES
    }

    /// Whether the values are consistent.
    pub const fn is_sound(&self) -> bool {
        self.packet_bytes_max >= 3 * HEADER_BYTES
            && self.packet_bytes_max <= u16::MAX as usize
            && (self.bulk_bytes_max == 0 || self.bulk_bytes_max >= 2 * HEADER_BYTES)
            && self.bulk_bytes_max <= u16::MAX as usize
            && self.window >= 1
            && self.window <= WINDOW_MAX
            && self.burst >= 1
            && self.ack_after >= 1
            && self.retransmit_min <= self.retransmit_max
    }
}
