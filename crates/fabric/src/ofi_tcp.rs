//! libfabric for a device, and TCP connections to peers that the device does not reach. Before the
//! first packet to a peer, one that says nothing goes by the device; when it has arrived, as the
//! device reports, all packets follow by the device; if it has not, all go over TCP. Both ways are
//! reliable and neither keeps packets in order, so `wire` does not see the difference.

use std::os::fd::RawFd;
use std::time::{Duration, Instant};

use dunlin_base::{Error, Result};
use dunlin_seal::JobKey;

use crate::address::split;
use crate::ofi::{Contact, Ofi};
use crate::peers::Peers;
use crate::tcp::Tcp;
use crate::{Access, Capabilities, Fabric, Peer, RemoteKey, wrong};

/// A device reports within seconds what it cannot deliver. A peer whose buffers are all full, since
/// it computes, gets its packets late: to wait much longer than this would be a guess.
const CONTACT_TIMEOUT: Duration = Duration::from_secs(5);
/// Polls of the device for one look at the connections, which is a system call: while there are
/// some, and while there are none and the first may come.
const POLLS_WITH_CONNECTIONS: u32 = 8;
const POLLS_WITHOUT: u32 = 64;

/// The fabric.
pub(crate) struct OfiTcp {
    name: &'static str,
    rank: Peer,
    ofi: Ofi,
    tcp: Tcp,
    address: Vec<u8>,
    peers: Peers<PeerState>,
    polls: u32,
    notice: Option<String>,
    /// Told by the next `flush` or `receive`.
    failure: Option<Error>,
    /// Peers that are reached over TCP.
    over_tcp: u64,
}

struct PeerState {
    route: Route,
    /// Where it listens for connections, until it is known whether they are needed.
    ip: Vec<u8>,
}

/// How packets go to a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Route {
    Unknown,
    /// Since when the device has a packet for it.
    Asked(Instant),
    Device,
    Tcp,
}

impl OfiTcp {
    /// Of process `rank`, which is found at `address`.
    pub fn new(rank: Peer, ofi: Ofi, tcp: Tcp, address: Vec<u8>) -> OfiTcp {
        OfiTcp {
            // One name per process.
            name: Box::leak(format!("{}+tcp", ofi.name()).into_boxed_str()),
            rank,
            ofi,
            tcp,
            address,
            peers: Peers::new(),
            polls: 0,
            notice: None,
            failure: None,
            over_tcp: 0,
        }
    }

    /// How packets go to a peer, once that is known.
    fn route(&mut self, peer: Peer) -> Route {
        let index = self.peers.index(peer).expect("a peer that was connected");
        let before = self.peers.at(index).route;
        let now = match before {
            Route::Device | Route::Tcp => return before,
            Route::Unknown if self.ofi.say_hello(peer) => Route::Asked(Instant::now()),
            Route::Unknown => before,
            Route::Asked(since) => match self.ofi.contact(peer) {
                Contact::Reached => Route::Device,
                Contact::Failed(why) => {
                    let why = why.clone();
                    self.give_up(peer, index, &why)
                }
                _ if since.elapsed() > CONTACT_TIMEOUT => {
                    let seconds = CONTACT_TIMEOUT.as_secs();
                    self.give_up(peer, index, &format!("no packet has arrived in {seconds} s"))
                }
                _ => before,
            },
        };
        self.peers.at_mut(index).route = now;
        now
    }

    /// The device does not reach a peer. The user hears of the first.
    fn give_up(&mut self, peer: Peer, index: u32, why: &str) -> Route {
        self.over_tcp += 1;
        if self.over_tcp == 1 {
            let (rank, name) = (self.rank, self.ofi.name());
            self.notice = Some(format!(
                "rank {rank} does not reach rank {peer} by {name} ({why}); packets go over TCP \
                 there, which is slower"
            ));
        }
        let ip = std::mem::take(&mut self.peers.at_mut(index).ip);
        if let Err(e) = self.tcp.connect(peer, &ip) {
            self.failure = Some(e);
        }
        Route::Tcp
    }

    /// Reports what could not be told when it happened.
    fn check(&mut self) -> Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Whether this poll also looks at the connections.
    fn looks_at_connections(&mut self) -> bool {
        self.polls = self.polls.wrapping_add(1);
        let polls = if self.tcp.has_connections() { POLLS_WITH_CONNECTIONS } else { POLLS_WITHOUT };
        self.polls % polls == 0
    }
}

impl Fabric for OfiTcp {
    fn name(&self) -> &'static str {
        self.name
    }

    fn capabilities(&self) -> Capabilities {
        let (ofi, tcp) = (self.ofi.capabilities(), self.tcp.capabilities());
        Capabilities {
            reliable: ofi.reliable && tcp.reliable,
            authenticated: ofi.authenticated && tcp.authenticated,
            // A peer has one way, but connections are several.
            ordered: ofi.ordered && tcp.ordered,
            packet_bytes_max: ofi.packet_bytes_max.min(tcp.packet_bytes_max),
            remote_read: ofi.remote_read,
            remote_write: ofi.remote_write,
        }
    }

    fn set_key(&mut self, key: JobKey) {
        self.tcp.set_key(key);
    }

    fn address(&self) -> &[u8] {
        &self.address
    }

    fn connect(&mut self, peer: Peer, address: &[u8]) -> Result<()> {
        let Some((ofi, ip)) = split(address) else {
            return Err(wrong(format!(
                "rank {peer} does not use the network by `{}` as this process does; set \
                 DUNLIN_NET_FABRIC to the same for all",
                self.name
            )));
        };
        self.ofi.connect(peer, ofi)?;
        self.peers.set(peer, PeerState { route: Route::Unknown, ip: ip.to_vec() });
        Ok(())
    }

    fn space(&mut self, peer: Peer) -> Option<&mut [u8]> {
        match self.route(peer) {
            Route::Device => self.ofi.space(peer),
            Route::Tcp => self.tcp.space(peer),
            Route::Asked(_) | Route::Unknown => None,
        }
    }

    fn post(&mut self, peer: Peer, len: usize) {
        match self.route(peer) {
            Route::Tcp => self.tcp.post(peer, len),
            _ => self.ofi.post(peer, len),
        }
    }

    fn flush(&mut self) -> Result<()> {
        self.check()?;
        self.ofi.flush()?;
        self.tcp.flush()
    }

    fn is_flushed(&self) -> bool {
        self.ofi.is_flushed() && self.tcp.is_flushed()
    }

    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<usize> {
        self.check()?;
        let packets = self.ofi.receive(take)?;
        match self.looks_at_connections() {
            true => Ok(packets + self.tcp.receive(take)?),
            false => Ok(packets),
        }
    }

    unsafe fn register(&mut self, memory: *const [u8], to: Access) -> Option<(u32, RemoteKey)> {
        // SAFETY: the caller's promise.
        unsafe { self.ofi.register(memory, to) }
    }

    fn deregister(&mut self, number: u32) {
        self.ofi.deregister(number);
    }

    unsafe fn read(&mut self, peer: Peer, from: RemoteKey, into: *mut [u8], number: u64) -> bool {
        if self.route(peer) == Route::Tcp {
            return false;
        }
        // A read that fails is told, and the data then goes in packets.
        // SAFETY: the caller's promise.
        unsafe { self.ofi.read(peer, from, into, number) }
    }

    unsafe fn write(&mut self, peer: Peer, to: RemoteKey, from: *const [u8], number: u64) -> bool {
        if self.route(peer) == Route::Tcp {
            return false;
        }
        // SAFETY: the caller's promise.
        unsafe { self.ofi.write(peer, to, from, number) }
    }

    fn rma_done(&mut self, done: &mut dyn FnMut(u64, bool)) {
        self.ofi.rma_done(done);
    }

    fn departed(&mut self, each: &mut dyn FnMut(Peer)) {
        self.tcp.departed(each);
    }

    fn sleep_fds(&self, each: &mut dyn FnMut(RawFd)) {
        self.ofi.sleep_fds(each);
        self.tcp.sleep_fds(each);
    }

    fn notice(&mut self) -> Option<String> {
        self.notice.take()
    }

    fn counters(&self, each: &mut dyn FnMut(&'static str, u64)) {
        self.ofi.counters(each);
        each("peers reached over TCP", self.over_tcp);
        if self.tcp.has_connections() {
            self.tcp.counters(each);
        }
    }
}
