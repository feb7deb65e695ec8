//! Packets between nodes. A [`Fabric`] says what it promises ([`Capabilities`]), gives room for a
//! packet, takes it, and shows those that have come; what it lacks, the protocol above adds.

use std::os::fd::RawFd;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_seal::{JOB_KEY_BYTES, JobKey, Security};

mod address;
pub mod choice;
pub mod fault_injector;
mod fault_plan;
mod interface_config;
pub mod interfaces;
pub mod ofi;
mod peers;
mod send_queue;
pub mod udp_tcp;

mod packet_handler;
pub mod preferences;
mod random;
mod sys;
pub mod tcp;
pub mod udp;

pub use address::{ADDRESS_BYTES, IfAddr, Kind};
pub use interface_config::InterfaceConfig;
pub use packet_handler::{PacketHandler, Predicted};

/// A process of the job: its rank in `MPI_COMM_WORLD`.
pub type Peer = u32;

/// What a fabric promises of packets it has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Each arrives, and once, as long as its receiver lives.
    pub reliable: bool,
    /// Each is from a process of the job, and as that process has made it.
    pub authenticated: bool,
    /// Those from one process to another arrive in the order they were posted.
    pub ordered: bool,
    /// Bytes of the longest packet.
    pub packet_bytes_max: usize,
    /// A process can read another's memory without its help.
    pub remote_read: bool,
}

/// Memory that its owner lets others read: what a fabric of the same kind needs to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemoteKey {
    /// Where it begins, in the fabric's own way of counting.
    pub address: u64,
    /// What opens it.
    pub key: u64,
}

/// Who opens a fabric.
#[derive(Clone, Copy)]
pub struct Identity {
    /// This process.
    pub rank: Peer,
    /// The job's secret, by which its processes know each other; anything where it is not known
    /// yet, and [`Fabric::set_key`] tells it.
    pub key: JobKey,
    /// How much packets are protected.
    pub security: Security,
}

impl Identity {
    /// One whose key is not known yet, or will never matter.
    pub fn keyless(rank: Peer, security: Security) -> Identity {
        Identity { rank, key: JobKey::new([0; JOB_KEY_BYTES]), security }
    }
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Identity {{ rank: {}, key: .., {} }}", self.rank, self.security.name())
    }
}

/// The way packets go between nodes. No call waits for the network, and none allocates but
/// `connect`.
///
/// An error is about a peer or the whole fabric and says so; what a network does every day (a lost
/// packet, a full queue, a link that is away for a moment) is none.
pub trait Fabric: Send {
    /// How people call it, e.g. `udp`.
    fn name(&self) -> &'static str;

    /// What it promises; the same for all peers and for ever.
    fn capabilities(&self) -> Capabilities;

    /// The job's secret, where it was not known when the fabric was opened. Before the first packet
    /// is sent or received.
    fn set_key(&mut self, _key: JobKey) {}

    /// Where this process is found, for its peers: at most [`ADDRESS_BYTES`] bytes whose meaning
    /// only a fabric of the same kind knows.
    fn address(&self) -> &[u8];

    /// Makes `peer`, found at `address`, one to which packets can be posted. Cheap: called at the
    /// first use of a peer.
    fn connect(&mut self, peer: Peer, address: &[u8]) -> Result<()>;

    /// Room for one packet to a connected peer, [`Capabilities::packet_bytes_max`] bytes of it;
    /// `None` while the network is busy. What is in it is not said.
    fn space(&mut self, peer: Peer) -> Option<&mut [u8]>;

    /// Takes the first `len` bytes of what `space` gave last, for this `peer`, as a packet. `len`
    /// is at least 1.
    fn post(&mut self, peer: Peer, len: usize);

    /// Takes a packet that lies in two parts and not in room of the fabric's; false while the
    /// network is busy. It may leave at once.
    fn post_parts(&mut self, peer: Peer, front: &[u8], data: &[u8]) -> bool {
        let Some(space) = self.space(peer) else { return false };
        space[..front.len()].copy_from_slice(front);
        space[front.len()..front.len() + data.len()].copy_from_slice(data);
        self.post(peer, front.len() + data.len());
        true
    }

    /// Hands what was posted to the network, as far as it takes it now; the rest goes at a later
    /// call of `flush` or `receive`.
    fn flush(&mut self) -> Result<()>;

    /// Whether everything that was posted has left this process, on both ways: nothing of it waits
    /// for a call of `flush` or `receive`.
    fn is_flushed(&self) -> bool;

    /// Shows packets that have come, those of about one system call; their number. Anybody may
    /// have sent them, unless the fabric says that they are authenticated.
    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<usize>;

    /// The same for one who may know what comes, and where it belongs.
    fn receive_to(&mut self, handler: &mut dyn PacketHandler) -> Result<usize> {
        self.receive(&mut |packet| handler.packet(packet))
    }

    /// Lets others read `memory` until it is hidden again by the number in the answer. `None`
    /// where that cannot be done, be it for want of memory that may be pinned; then it goes in
    /// packets.
    ///
    /// # Safety
    ///
    /// The memory is there, and nobody writes to it, until it is hidden.
    unsafe fn register(&mut self, _memory: *const [u8]) -> Option<(u32, RemoteKey)> {
        None
    }

    /// Lets nobody read any more what `register` has numbered so.
    fn deregister(&mut self, _number: u32) {}

    /// Begins to read memory of a connected peer, as much as `into` holds; `reads_done` tells the
    /// end by `number`. False where that cannot be done.
    ///
    /// # Safety
    ///
    /// `into` is there, and nobody else uses it, until the end is told.
    unsafe fn read(&mut self, _: Peer, _: RemoteKey, _into: *mut [u8], _number: u32) -> bool {
        false
    }

    /// Tells which reads have ended since the last call, and whether all was read. Time passes for
    /// them in `receive`.
    fn reads_done(&mut self, _done: &mut dyn FnMut(u32, bool)) {}

    /// Tells whose connections have ended since the last call, one of them or all: a peer that has
    /// not taken leave before is gone, or something has cut them. Nothing is told where there are
    /// no connections.
    fn departed(&mut self, _each: &mut dyn FnMut(Peer)) {}

    /// A second way, which is reliable and authenticated, for long messages; its packets are
    /// longer, and it is to be connected, flushed and received from by itself.
    fn bulk(&mut self) -> Option<&mut dyn Fabric> {
        None
    }

    /// The descriptors of which one becomes readable when `receive` or `flush` has something to do.
    fn sleep_fds(&self, each: &mut dyn FnMut(RawFd));

    /// What a person could do to make it better on this host, in a sentence.
    fn advice(&self) -> Option<String> {
        None
    }

    /// What the fabric has counted since it was opened.
    fn counters(&self, each: &mut dyn FnMut(&'static str, u64));
}

fn failed(text: String) -> Error {
    Error::new(ErrorClass::Other, text)
}

fn wrong(text: String) -> Error {
    Error::new(ErrorClass::Arg, text)
}
