//! Packets between nodes. A [`Fabric`] states its [`Capabilities`], gives space for a packet, sends
//! it, and delivers those that have arrived; the protocol above adds what it lacks.

use std::os::fd::RawFd;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_seal::{JOB_KEY_BYTES, JobKey, Security};

mod address;
pub mod choice;
pub mod devices;
pub mod fault_injector;
mod fault_plan;
mod interface_config;
pub mod interfaces;
pub mod offer;
pub mod ofi;
mod ofi_tcp;
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

/// What a fabric guarantees for packets it has taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Each arrives, and once, as long as its receiver lives.
    pub reliable: bool,
    /// Each is from a process of the job, and unaltered.
    pub authenticated: bool,
    /// Those from one process to another arrive in the order in which they were posted.
    pub ordered: bool,
    /// Bytes of the longest packet.
    pub packet_bytes_max: usize,
    /// A process can read another's memory without its help.
    pub remote_read: bool,
    /// It can write there, too.
    pub remote_write: bool,
}

/// What peers may do with registered memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read it.
    Read,
    /// Read it, and write to it where the fabric can ([`Capabilities::remote_write`]).
    ReadWrite,
}

/// Registered memory that others may reach: what a fabric of the same kind needs to find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemoteKey {
    /// Its address, in the fabric's own terms.
    pub address: u64,
    /// The key to it.
    pub key: u64,
}

/// Who opens a fabric.
#[derive(Clone, Copy)]
pub struct Identity {
    /// This process.
    pub rank: Peer,
    /// The job's key, by which its processes recognise each other; any value where it is not known
    /// yet, and [`Fabric::set_key`] sets it later.
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

/// A transport of packets between nodes. No call waits for the network, and only `connect`
/// allocates.
///
/// An error concerns a peer or the whole fabric and says so; everyday events of a network (a lost
/// packet, a full queue, a link that is down for a moment) are not errors.
pub trait Fabric: Send {
    /// Its name for users, e.g. `udp`.
    fn name(&self) -> &'static str;

    /// Its capabilities; the same for all peers, and constant.
    fn capabilities(&self) -> Capabilities;

    /// Sets the job's key, where it was not known when the fabric was opened. To be called before
    /// the first packet is sent or received.
    fn set_key(&mut self, _key: JobKey) {}

    /// The address of this process, for its peers: at most [`ADDRESS_BYTES`] bytes whose meaning
    /// only a fabric of the same kind knows.
    fn address(&self) -> &[u8];

    /// Prepares to post packets to `peer` at `address`. Cheap: called at the first use of a peer.
    fn connect(&mut self, peer: Peer, address: &[u8]) -> Result<()>;

    /// Room for one packet to a connected peer, [`Capabilities::packet_bytes_max`] bytes of it;
    /// `None` while the network is busy. Its content is undefined.
    fn space(&mut self, peer: Peer) -> Option<&mut [u8]>;

    /// Takes the first `len` bytes of the space that `space` gave last, for this `peer`, as a
    /// packet. `len` is at least 1.
    fn post(&mut self, peer: Peer, len: usize);

    /// Takes a packet in two parts from the caller's memory, not from the fabric's space; false
    /// while the network is busy. It may leave at once.
    fn post_parts(&mut self, peer: Peer, front: &[u8], data: &[u8]) -> bool {
        let Some(space) = self.space(peer) else { return false };
        space[..front.len()].copy_from_slice(front);
        space[front.len()..front.len() + data.len()].copy_from_slice(data);
        self.post(peer, front.len() + data.len());
        true
    }

    /// Hands posted packets to the network, as far as it takes them now; the rest goes at a later
    /// call of `flush` or `receive`.
    fn flush(&mut self) -> Result<()>;

    /// Whether everything that was posted has left this process, on both paths: nothing waits for a
    /// call of `flush` or `receive`.
    fn is_flushed(&self) -> bool;

    /// Delivers packets that have arrived, those of about one system call, and returns their
    /// number. Anybody may have sent them, unless the fabric says that they are authenticated.
    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<usize>;

    /// The same for a handler that may predict which packet comes, and where it belongs.
    fn receive_to(&mut self, handler: &mut dyn PacketHandler) -> Result<usize> {
        self.receive(&mut |packet| handler.packet(packet))
    }

    /// Registers `memory` for remote access until `deregister` with the returned number. `None`
    /// where that cannot be done, for instance for lack of memory that may be pinned; then the data
    /// goes in packets.
    ///
    /// # Safety
    ///
    /// The memory is valid until it is deregistered. Peers may read it, and write to it if `access`
    /// says so, at any time until then: no reference to what they write may be in use meanwhile.
    unsafe fn register(&mut self, _: *const [u8], _access: Access) -> Option<(u32, RemoteKey)> {
        None
    }

    /// Ends remote access to the memory that `register` gave this number.
    fn deregister(&mut self, _number: u32) {}

    /// Begins to read memory of a connected peer, as much as `into` holds; `rma_done` reports its
    /// end by `number`. False where that cannot be done.
    ///
    /// # Safety
    ///
    /// `into` is valid, and nobody else uses it, until the end is reported.
    unsafe fn read(&mut self, _: Peer, _: RemoteKey, _into: *mut [u8], _number: u64) -> bool {
        false
    }

    /// Begins to write `from` to memory of a connected peer; `rma_done` reports by `number` when it
    /// is there. False where that cannot be done.
    ///
    /// # Safety
    ///
    /// `from` is valid, and nobody writes to it, until the end is reported.
    unsafe fn write(&mut self, _: Peer, _: RemoteKey, _from: *const [u8], _number: u64) -> bool {
        false
    }

    /// Reports which reads and writes have ended since the last call, and whether all was moved.
    /// They progress in `receive`.
    fn rma_done(&mut self, _done: &mut dyn FnMut(u64, bool)) {}

    /// Reports the peers of which a connection has ended since the last call: a peer that has not
    /// announced its end is gone, or something has cut the connection. Reports nothing where there
    /// are no connections.
    fn departed(&mut self, _each: &mut dyn FnMut(Peer)) {}

    /// A second path, reliable and authenticated, for long messages; its packets are longer, and it
    /// is to be connected, flushed and received from separately.
    fn bulk(&mut self) -> Option<&mut dyn Fabric> {
        None
    }

    /// The descriptors to sleep on: one becomes readable when `receive` or `flush` has something to
    /// do.
    fn sleep_fds(&self, each: &mut dyn FnMut(RawFd));

    /// What has gone otherwise than the user may expect, in a sentence, told once.
    fn notice(&mut self) -> Option<String> {
        None
    }

    /// What a user could do to make it faster on this host, in a sentence.
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
