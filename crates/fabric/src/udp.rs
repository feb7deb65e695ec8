//! The kernel's datagrams: unreliable and without order. Packets to one peer that lie side by side
//! go to the kernel in one piece (UDP_SEGMENT), pieces for several peers in one call (sendmmsg),
//! and what has arrived comes back in pieces and batches too (UDP_GRO, recvmmsg); a packet alone
//! costs one plain call. Several source ports (*flows*) let routers with equal paths use them all.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::os::fd::{AsRawFd, RawFd};

use dunlin_base::Result;

use crate::address::{IpAddress, Kind};
use crate::interface_config::{InterfaceConfig, bind};
use crate::peers::Peers;
use crate::send_queue::{READY_BYTES, SendQueue};
use crate::sys::{self, Epoll, Segments, Target};
use crate::{Capabilities, Fabric, Identity, Peer, failed};

mod receive_queue;

use receive_queue::ReceiveQueue;

/// Bytes of a packet at most: what an Ethernet of 9,001 bytes (Amazon's) carries behind the
/// headers, down to a multiple of a cache line. Longer ones, on loopback, gain nothing once the
/// kernel takes them in one piece, and a lost one would cost more.
const PACKET_BYTES_MAX: usize = 8_960;
/// Headers of UDP and of IP.
const HEADER_BYTES_V4: usize = 28;
pub(crate) const HEADER_BYTES_V6: usize = 48;
/// Peers that have a socket connected to them, by which single packets go: the kernel need not
/// look for the way each time, which is a tenth of what a packet costs. Those connected later do
/// without.
const OWN_SOCKETS_MAX: usize = 64;
/// What we ask for socket buffers; the kernel gives what its limits allow.
const SOCKET_BYTES: i32 = 8 << 20;

/// The fabric.
pub struct Udp {
    address: IpAddress,
    encoded: Vec<u8>,
    capabilities: Capabilities,
    config: InterfaceConfig,
    /// All send, in turns; packets come to the first.
    sockets: Vec<UdpSocket>,
    /// The one that sends next.
    turn: usize,
    /// Made when the first packet meets a path too narrow for it.
    cutting: Option<UdpSocket>,
    peers: Peers<PeerAddress>,
    /// How many of them have a socket of their own.
    own_sockets: usize,
    queue: SendQueue,
    receive_queue: ReceiveQueue,
    /// Tells when the kernel takes more. It watches the socket only while that is in question: to
    /// be watched costs a tenth of a microsecond for each packet that arrives.
    epoll: Epoll,
    /// The kernel took no more.
    blocked: bool,
    counts: Counts,
}

/// How packets go to a peer.
struct PeerAddress {
    target: Target,
    /// The kernel refuses pieces of several packets on this way.
    alone: bool,
    /// A socket connected to the peer.
    own: Option<UdpSocket>,
}

#[derive(Default)]
struct Counts {
    sent: u64,
    calls: u64,
    busy: u64,
    unsent: u64,
    cut: u64,
}

impl Udp {
    /// Opens the sockets.
    pub fn open(identity: Identity, config: InterfaceConfig) -> Result<Udp> {
        // Ranks of a host that share a range of ports begin to look at different places.
        let start = identity.rank as usize * config.flows;
        let sockets: Vec<_> = (0..config.flows.max(1))
            .map(|flow| bind(&config, start + flow, UdpSocket::bind))
            .collect::<Result<_>>()?;
        let six = config.is_six();
        for (flow, socket) in sockets.iter().enumerate() {
            prepare(socket, six, flow == 0).map_err(|e| cannot("set up", &e))?;
        }
        let first = sockets[0].as_raw_fd();
        let offload = sys::option(first, libc::SOL_UDP, libc::UDP_SEGMENT).is_ok();
        let gathers = sys::set_option(first, libc::SOL_UDP, libc::UDP_GRO, 0).is_ok();
        let headers = if six { HEADER_BYTES_V6 } else { HEADER_BYTES_V4 };
        let packet_bytes_max = config.mtu_min().saturating_sub(headers).min(PACKET_BYTES_MAX);
        let port = sockets[0].local_addr().map_err(|e| cannot("look at", &e))?.port();
        let address = IpAddress {
            kind: Kind::Udp,
            port,
            packet_bytes_max: packet_bytes_max as u16,
            second_port: 0,
            ifaddrs: config.ifaddrs(),
        };
        let epoll = Epoll::new().map_err(|e| cannot("watch", &e))?;
        Ok(Udp {
            encoded: address.encode(),
            address,
            capabilities: Capabilities {
                reliable: false,
                authenticated: false,
                ordered: false,
                packet_bytes_max,
                remote_read: false,
                remote_write: false,
            },
            config,
            sockets,
            turn: 0,
            cutting: None,
            peers: Peers::new(),
            own_sockets: 0,
            queue: SendQueue::new(offload),
            receive_queue: ReceiveQueue::new(PACKET_BYTES_MAX, packet_bytes_max, gathers),
            epoll,
            blocked: false,
            counts: Counts::default(),
        })
    }

    /// Becomes one half of a fabric of two; the other listens at this port.
    pub(crate) fn share(&mut self, second_port: u16) {
        (self.address.kind, self.address.second_port) = (Kind::UdpTcp, second_port);
        self.encoded = self.address.encode();
    }

    /// Hands over what waits, until the kernel takes no more.
    fn send(&mut self) -> Result<()> {
        let mut full = 0;
        self.turn = (self.turn + 1) % self.sockets.len();
        while !self.queue.is_empty() {
            match self.call() {
                Ok(runs) => self.taken(runs),
                Err(e) => match e.raw_os_error() {
                    Some(libc::EINTR) => {}
                    // Word from the network about a packet long gone. Whoever does not listen is
                    // for the protocol to find out.
                    Some(libc::ECONNREFUSED) => {}
                    Some(libc::EAGAIN | libc::ENOBUFS) => {
                        self.counts.busy += 1;
                        full += 1;
                        if full == self.sockets.len() {
                            return self.set_blocked(true);
                        }
                        self.turn = (self.turn + 1) % self.sockets.len();
                    }
                    _ => self.refused(&e)?,
                },
            }
        }
        self.set_blocked(false)
    }

    /// One system call; the number of runs taken.
    fn call(&mut self) -> io::Result<usize> {
        self.counts.calls += 1;
        let socket = self.sockets[self.turn].as_raw_fd();
        if let Some((run, bytes)) = self.queue.only() {
            if run.segment == run.len {
                let way = self.peers.at(run.to);
                return match &way.own {
                    Some(own) => sys::send(own.as_raw_fd(), bytes).map(|_| 1),
                    None => sys::send_to(socket, &way.target, bytes).map(|_| 1),
                };
            }
        }
        let peers = &self.peers;
        sys::send_runs(
            socket,
            self.queue.runs().map(|(run, bytes)| {
                let target = &peers.at(run.to).target;
                Segments { target, bytes, segment: run.segment }
            }),
        )
    }

    fn taken(&mut self, runs: usize) {
        let packets = self.queue.runs().take(runs).map(|(run, _)| run.packets() as u64);
        self.counts.sent += packets.sum::<u64>();
        self.queue.drop_runs(runs);
    }

    /// The kernel will not have the oldest run for another reason than that it is busy.
    fn refused(&mut self, error: &io::Error) -> Result<()> {
        let Some((run, _)) = self.queue.runs().next() else { return Ok(()) };
        match error.raw_os_error() {
            // A device that cannot offload, or a path that has become narrower.
            Some(libc::EIO | libc::EINVAL | libc::EMSGSIZE) if run.packets() > 1 => {
                self.peers.at_mut(run.to).alone = true;
                self.send_apart(libc::EAGAIN)
            }
            Some(libc::EMSGSIZE) => self.send_apart(libc::EMSGSIZE),
            // A firewall, a link or a route that is away: a lost packet like any other.
            Some(
                libc::EPERM
                | libc::EACCES
                | libc::ENETDOWN
                | libc::ENETUNREACH
                | libc::EHOSTDOWN
                | libc::EHOSTUNREACH
                | libc::ENODEV
                | libc::ENOMEM
                | libc::EADDRNOTAVAIL,
            ) => {
                self.counts.unsent += run.packets() as u64;
                self.queue.drop_runs(1);
                Ok(())
            }
            _ => Err(cannot("send by", error)),
        }
    }

    /// Sends the packets of the oldest run one by one. One for which the path is too narrow leaves
    /// by a socket that lets the network cut it: slow, but the protocol above has already decided
    /// how long packets are. What the kernel does not take now is lost.
    fn send_apart(&mut self, known: i32) -> Result<()> {
        let Some((run, bytes)) = self.queue.runs().next() else { return Ok(()) };
        let target = &self.peers.at(run.to).target;
        for packet in bytes.chunks(run.segment) {
            self.counts.calls += 1;
            let socket = self.sockets[self.turn].as_raw_fd();
            let mut sent = match known {
                libc::EMSGSIZE => Err(io::Error::from_raw_os_error(known)),
                _ => sys::send_to(socket, target, packet),
            };
            if sent.as_ref().is_err_and(|e| e.raw_os_error() == Some(libc::EMSGSIZE)) {
                let socket = match &mut self.cutting {
                    Some(socket) => socket,
                    none => none.insert(cutting(&self.config)?),
                };
                self.counts.cut += 1;
                sent = sys::send_to(socket.as_raw_fd(), target, packet);
            }
            match sent {
                Ok(_) => self.counts.sent += 1,
                Err(_) => self.counts.unsent += 1,
            }
        }
        self.queue.drop_runs(1);
        Ok(())
    }

    /// A socket connected to `address`; none, if the kernel will not, or if ports are counted.
    fn own_socket(&self, address: SocketAddr) -> Result<Option<UdpSocket>> {
        if self.config.ports.is_some() {
            return Ok(None);
        }
        let Ok(socket) = bind(&self.config, 0, UdpSocket::bind) else {
            return Ok(None);
        };
        prepare(&socket, self.config.is_six(), false).map_err(|e| cannot("set up", &e))?;
        Ok(socket.connect(address).is_ok().then_some(socket))
    }

    fn set_blocked(&mut self, blocked: bool) -> Result<()> {
        if self.blocked != blocked {
            self.blocked = blocked;
            let first = self.sockets[0].as_raw_fd();
            let watched = match blocked {
                true => self.epoll.add(first, 0, true),
                false => self.epoll.remove(first),
            };
            watched.map_err(|e| cannot("watch", &e))?;
        }
        Ok(())
    }
}

impl Fabric for Udp {
    fn name(&self) -> &'static str {
        "udp"
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn address(&self) -> &[u8] {
        &self.encoded
    }

    fn connect(&mut self, peer: Peer, address: &[u8]) -> Result<()> {
        let address = IpAddress::decode(address, self.address.kind)?;
        let address = address.reached_from(&self.config.ifaddrs());
        let own = if self.own_sockets < OWN_SOCKETS_MAX { self.own_socket(address)? } else { None };
        self.own_sockets += usize::from(own.is_some());
        self.peers.set(peer, PeerAddress { target: Target::new(address), alone: false, own });
        Ok(())
    }

    fn space(&mut self, _peer: Peer) -> Option<&mut [u8]> {
        let len = self.capabilities.packet_bytes_max;
        // An error comes again at `flush`.
        if self.queue.bytes() + len > READY_BYTES && !self.blocked {
            let _ = self.send();
        }
        self.queue.space(len)
    }

    fn post(&mut self, peer: Peer, len: usize) {
        let index = self.peers.index(peer).expect("a peer that was connected");
        assert!(len <= self.capabilities.packet_bytes_max, "a packet of {len} bytes had no room");
        self.queue.post(index, len, self.peers.at(index).alone);
    }

    fn flush(&mut self) -> Result<()> {
        if self.queue.is_empty() { Ok(()) } else { self.send() }
    }

    fn is_flushed(&self) -> bool {
        self.queue.is_empty()
    }

    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<usize> {
        if self.blocked {
            self.send()?;
        }
        let received = self.receive_queue.receive(self.sockets[0].as_raw_fd(), take);
        received.map_err(|e| cannot("receive by", &e))
    }

    fn sleep_fds(&self, each: &mut dyn FnMut(RawFd)) {
        each(self.sockets[0].as_raw_fd());
        if self.blocked {
            each(self.epoll.as_raw_fd());
        }
    }

    fn advice(&self) -> Option<String> {
        let first = self.sockets[0].as_raw_fd();
        // The kernel counts what it spends beside the packets, and says twice what it was told.
        let given = sys::option(first, libc::SOL_SOCKET, libc::SO_RCVBUF).ok()? / 2;
        (given < SOCKET_BYTES).then(|| {
            format!(
                "the system keeps {} KiB of arriving packets, and drops more while a rank does \
                 not look; up to {} KiB are of use: sysctl -w net.core.rmem_max={SOCKET_BYTES}",
                given >> 10,
                SOCKET_BYTES >> 10
            )
        })
    }

    fn counters(&self, each: &mut dyn FnMut(&'static str, u64)) {
        let counts = &self.counts;
        each("packets sent", counts.sent);
        each("packets received", self.receive_queue.received);
        each("system calls to send", counts.calls);
        each("times the kernel was busy", counts.busy);
        each("packets the kernel refused", counts.unsent);
        each("packets too long for their path", counts.cut);
        each("packets longer than ours", self.receive_queue.truncated);
    }
}

fn prepare(socket: &UdpSocket, six: bool, receives: bool) -> io::Result<()> {
    socket.set_nonblocking(true)?;
    let fd = socket.as_raw_fd();
    // The network must not cut packets: a lost piece loses all, and pieces cost the receiver dear.
    match six {
        true => {
            sys::set_option(fd, libc::IPPROTO_IPV6, libc::IPV6_MTU_DISCOVER, libc::IP_PMTUDISC_DO)?;
            sys::set_option(fd, libc::IPPROTO_IPV6, libc::IPV6_DONTFRAG, 1)?;
        }
        false => {
            sys::set_option(fd, libc::IPPROTO_IP, libc::IP_MTU_DISCOVER, libc::IP_PMTUDISC_DO)?;
        }
    }
    enlarge(fd, libc::SO_SNDBUFFORCE, libc::SO_SNDBUF);
    if receives {
        enlarge(fd, libc::SO_RCVBUFFORCE, libc::SO_RCVBUF);
        return Ok(());
    }
    sys::take_nothing(fd)
}

/// As far as the kernel allows; less is no error.
fn enlarge(socket: RawFd, force: i32, ask: i32) {
    let set = |name| sys::set_option(socket, libc::SOL_SOCKET, name, SOCKET_BYTES);
    let _ = set(force).or_else(|_| set(ask));
}

/// A socket whose packets the network may cut.
fn cutting(config: &InterfaceConfig) -> Result<UdpSocket> {
    let address = match config.is_six() {
        true => SocketAddr::new(Ipv6Addr::UNSPECIFIED.into(), 0),
        false => SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), 0),
    };
    let socket = UdpSocket::bind(address).map_err(|e| cannot("open", &e))?;
    let fd = socket.as_raw_fd();
    let (level, name) = match config.is_six() {
        true => (libc::IPPROTO_IPV6, libc::IPV6_MTU_DISCOVER),
        false => (libc::IPPROTO_IP, libc::IP_MTU_DISCOVER),
    };
    let set = socket
        .set_nonblocking(true)
        .and_then(|()| sys::set_option(fd, level, name, libc::IP_PMTUDISC_DONT))
        .and_then(|()| sys::take_nothing(fd));
    set.map_err(|e| cannot("set up", &e)).map(|()| socket)
}

fn cannot(what: &str, error: &io::Error) -> dunlin_base::Error {
    failed(format!("cannot {what} a UDP socket: {error}"))
}

#[cfg(test)]
#[path = "udp/tests.rs"]
mod tests;
