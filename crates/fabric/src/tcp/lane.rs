//! One connection: packets that wait to be written to it, and the beginning of one that has not
//! come whole. On the wire a packet is four bytes of length (little endian), then its bytes.

use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::os::fd::{AsRawFd, RawFd};
use std::time::Instant;

use super::greeting::GREETING_BYTES;
use super::pieces::PIECE_BYTES_MAX;
use crate::Peer;
use crate::sys;
use crate::taker::{Expected, Taker};

/// Bytes of a packet at most: what the kernel moves in one piece. Each is written by a call of its
/// own; with packets of 32 KiB, 256 KiB take 53 us instead of 43.
pub const PACKET_BYTES_MAX: usize = PIECE_BYTES_MAX - PREFIX_BYTES;
/// Bytes that wait in a lane at most.
pub const OUT_BYTES: usize = 2 * (PREFIX_BYTES + PACKET_BYTES_MAX);
/// Bytes taken from a connection in one call.
pub const IN_BYTES: usize = 256 << 10;

/// Bytes of a packet's length, which stands before it.
pub const PREFIX_BYTES: usize = size_of::<u32>();

/// How far a connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The last try failed; the next is made then.
    Resting(Instant),
    /// The kernel is connecting.
    Connecting,
    /// We wait for the other side's greeting.
    Greeting,
    /// Packets go both ways.
    Ready,
}

/// What one call has brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Come {
    /// Packets shown.
    pub packets: usize,
    /// The kernel may have more, which it has told of.
    pub has_more: bool,
}

/// One connection.
#[derive(Debug)]
pub struct Lane {
    /// None while it rests.
    pub stream: Option<TcpStream>,
    /// How far it is.
    pub state: State,
    /// Whose it is: the place of the peer; none for a stranger.
    pub party: Option<u32>,
    /// We made it.
    pub ours: bool,
    /// When we first tried, or when it came.
    pub since: Instant,
    /// `flush` knows that something waits here.
    pub dirty: bool,
    /// The kernel tells when it can be written to.
    pub watched: bool,
    /// What the kernel has said of the last packet.
    failed: Option<io::Error>,
    out: Box<[u8]>,
    begin: usize,
    end: usize,
    partial: Vec<u8>,
}

impl Lane {
    /// One without a connection; `room`: packets may wait in it.
    pub fn new(stream: Option<TcpStream>, state: State, now: Instant) -> Lane {
        Lane {
            stream,
            state,
            party: None,
            ours: false,
            since: now,
            dirty: false,
            watched: false,
            failed: None,
            out: Box::default(),
            begin: 0,
            end: 0,
            partial: Vec::with_capacity(GREETING_BYTES),
        }
    }

    /// Makes room for packets both ways; a stranger gets none.
    pub fn furnish(&mut self) {
        self.out = vec![0; OUT_BYTES].into_boxed_slice();
        self.partial.reserve_exact(PREFIX_BYTES + PACKET_BYTES_MAX);
    }

    /// Whether something waits to be written.
    pub fn has_out(&self) -> bool {
        self.begin < self.end
    }

    /// Whether a packet has come in part.
    pub fn has_partial(&self) -> bool {
        !self.partial.is_empty()
    }

    /// Room for one packet, if there is.
    pub fn space(&mut self) -> Option<&mut [u8]> {
        let wanted = PREFIX_BYTES + PACKET_BYTES_MAX;
        if self.out.len() - self.end < wanted && self.begin > 0 {
            self.out.copy_within(self.begin..self.end, 0);
            (self.begin, self.end) = (0, self.end - self.begin);
        }
        let free = self.out.get_mut(self.end..self.end + wanted)?;
        Some(&mut free[PREFIX_BYTES..])
    }

    /// Takes the first `len` bytes of the last [`Lane::space`] as a packet.
    pub fn post(&mut self, len: usize) {
        assert!(0 < len && len <= PACKET_BYTES_MAX, "a packet of {len} bytes had no room");
        let prefix = (len as u32).to_le_bytes();
        self.out[self.end..self.end + PREFIX_BYTES].copy_from_slice(&prefix);
        self.end += PREFIX_BYTES + len;
    }

    /// Takes a packet that lies in two parts; [`Lane::space`] has said that there is room. If
    /// nothing waits before it the kernel gets it at once, and what it does not take is kept. An
    /// error is told when that is written.
    pub fn post_parts(&mut self, front: &[u8], data: &[u8]) {
        let len = front.len() + data.len();
        assert!(0 < len && len <= PACKET_BYTES_MAX, "a packet of {len} bytes had no room");
        let prefix = (len as u32).to_le_bytes();
        let parts = [&prefix[..], front, data];
        let mut gone = 0;
        if self.state == State::Ready && !self.has_out() && self.failed.is_none() {
            gone = self.write_now(&parts);
        }
        for part in parts {
            let rest = &part[gone.min(part.len())..];
            gone -= part.len() - rest.len();
            self.out[self.end..self.end + rest.len()].copy_from_slice(rest);
            self.end += rest.len();
        }
    }

    fn write_now(&mut self, parts: &[&[u8]; 3]) -> usize {
        let Some(stream) = &self.stream else { return 0 };
        match sys::send_parts(stream.as_raw_fd(), parts) {
            Ok(gone) => gone,
            Err(e) => {
                self.failed = Some(e).filter(|e| !busy(e) && e.kind() != ErrorKind::Interrupted);
                0
            }
        }
    }

    /// Writes what waits; whether nothing does any more.
    pub fn send(&mut self) -> io::Result<bool> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let Some(stream) = &self.stream else { return Ok(false) };
        while self.begin < self.end {
            match sys::send(stream.as_raw_fd(), &self.out[self.begin..self.end]) {
                Ok(done) => self.begin += done,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if busy(&e) => return Ok(false),
                Err(e) => return Err(e),
            }
        }
        (self.begin, self.end) = (0, 0);
        Ok(true)
    }

    /// Takes what the kernel has, at most as much as `memory` holds, and shows the packets that
    /// are whole; none if the other side has closed.
    pub fn receive(
        &mut self,
        peer: Option<Peer>,
        memory: &mut [u8],
        taker: &mut dyn Taker,
    ) -> io::Result<Option<Come>> {
        let Some(stream) = &self.stream else { return Ok(Some(Come::default())) };
        let (fd, had) = (stream.as_raw_fd(), self.partial.len());
        let expected = peer.filter(|_| had == 0).and_then(|peer| taker.expected(peer));
        let mut read = expected.map(|expected| read_expected(fd, memory, expected));
        // The program's fault: it is to show when the packet is unpacked, as with any other.
        read = read.filter(|read| !read.as_ref().is_err_and(is_bad_address));
        let read =
            read.unwrap_or_else(|| sys::receive_some(fd, &mut memory[had..]).map(Brought::plain));
        let Brought { come, placed, is_short } = match read {
            Ok(Brought { come: 0, .. }) => return Ok(None),
            Ok(read) => read,
            Err(e) if busy(&e) => return Ok(Some(Come::default())),
            Err(e) if e.kind() == ErrorKind::Interrupted => {
                return Ok(Some(Come { packets: 0, has_more: true }));
            }
            Err(e) => return Err(e),
        };
        memory[..had].copy_from_slice(&self.partial);
        let mut first = 0;
        if let Some(Placed { front, len }) = placed {
            taker.placed(&memory[PREFIX_BYTES..front]);
            first = len;
        }
        let (whole, rest) =
            packets(&memory[first..had + come], &mut |packet| taker.packet(packet))?;
        self.partial.clear();
        self.partial.extend_from_slice(rest);
        let packets = whole + usize::from(placed.is_some());
        // A place that is no memory ends a read, too.
        let has_more = is_short || had + come == memory.len();
        Ok(Some(Come { packets, has_more }))
    }

    /// Reads what is missing of a greeting; it, once it is whole. Not a byte more is taken.
    pub fn greeting(&mut self) -> io::Result<Option<[u8; GREETING_BYTES]>> {
        let Some(stream) = &self.stream else { return Ok(None) };
        let mut bytes = [0; GREETING_BYTES];
        let had = self.partial.len();
        match sys::receive_some(stream.as_raw_fd(), &mut bytes[had..]) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(come) => self.partial.extend_from_slice(&bytes[had..had + come]),
            Err(e) if busy(&e) || e.kind() == ErrorKind::Interrupted => return Ok(None),
            Err(e) => return Err(e),
        }
        let Ok(whole) = self.partial.as_slice().try_into() else { return Ok(None) };
        self.partial.clear();
        Ok(Some(whole))
    }
}

/// What one read has brought, before any of it is shown.
struct Brought {
    come: usize,
    placed: Option<Placed>,
    /// It ended within the place.
    is_short: bool,
}

/// A packet at the beginning that was expected.
#[derive(Clone, Copy)]
struct Placed {
    /// Bytes before those that are in their place.
    front: usize,
    /// All its bytes.
    len: usize,
}

impl Brought {
    fn plain(come: usize) -> Brought {
        Brought { come, placed: None, is_short: false }
    }
}

/// Reads what is expected into its place, and leaves it out in `memory`. If it turns out to be
/// something else, that lies in `memory` as ever.
fn read_expected(
    fd: RawFd,
    memory: &mut [u8],
    Expected { front_bytes, front_end, place }: Expected<'_>,
) -> io::Result<Brought> {
    let front = PREFIX_BYTES + front_bytes;
    let len = front + place.len();
    let (before, rest) = memory.split_at_mut(front);
    let (instead, behind) = rest.split_at_mut(place.len());
    let come = sys::receive_parts(fd, [before, place, behind])?;
    let prefix = ((len - PREFIX_BYTES) as u32).to_le_bytes();
    if come >= len && before.starts_with(&prefix) && before.ends_with(front_end) {
        let placed = Some(Placed { front, len });
        return Ok(Brought { come, placed, is_short: false });
    }
    let astray = come.saturating_sub(front).min(place.len());
    instead[..astray].copy_from_slice(&place[..astray]);
    Ok(Brought { come, placed: None, is_short: front < come && come < len })
}

/// Shows the whole packets in `bytes`; their number, and what follows them.
fn packets<'a>(mut bytes: &'a [u8], take: &mut dyn FnMut(&[u8])) -> io::Result<(usize, &'a [u8])> {
    let mut count = 0;
    while let Some((prefix, rest)) = bytes.split_first_chunk() {
        let len = u32::from_le_bytes(*prefix) as usize;
        if len == 0 || len > PACKET_BYTES_MAX {
            let text = format!("it sent a packet of {len} bytes");
            return Err(io::Error::new(ErrorKind::InvalidData, text));
        }
        let Some((packet, after)) = rest.split_at_checked(len) else { break };
        take(packet);
        count += 1;
        bytes = after;
    }
    Ok((count, bytes))
}

fn is_bad_address(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::EFAULT)
}

fn busy(error: &io::Error) -> bool {
    error.kind() == ErrorKind::WouldBlock || error.raw_os_error() == Some(libc::ENOBUFS)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    fn on_the_wire(packets: &[&[u8]]) -> Vec<u8> {
        let framed = |packet: &&[u8]| [&(packet.len() as u32).to_le_bytes(), *packet].concat();
        packets.iter().flat_map(framed).collect()
    }

    #[test]
    fn packets_are_cut_where_their_lengths_say_and_the_rest_is_kept() {
        let bytes = on_the_wire(&[b"one", b"three", b"!"]);
        for len in 0..=bytes.len() {
            let mut seen = Vec::new();
            let (count, rest) =
                packets(&bytes[..len], &mut |packet| seen.push(packet.to_vec())).unwrap();
            let slices: Vec<&[u8]> = seen.iter().map(Vec::as_slice).collect();
            assert_eq!(count, seen.len());
            assert_eq!([on_the_wire(&slices), rest.to_vec()].concat(), bytes[..len]);
            assert!(rest.len() < PREFIX_BYTES + 5);
        }
    }

    /// Two ends of a connection, as lanes.
    fn connected() -> (Lane, Lane) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (far, _) = listener.accept().unwrap();
        let lane = |stream: TcpStream| {
            stream.set_nodelay(true).unwrap();
            Lane::new(Some(stream), State::Ready, Instant::now())
        };
        (lane(near), lane(far))
    }

    /// Expects the same packet again and again.
    struct Expecting {
        front: Vec<u8>,
        place: Vec<u8>,
        seen: Vec<Vec<u8>>,
    }

    impl Taker for Expecting {
        fn packet(&mut self, packet: &[u8]) {
            self.seen.push(packet.to_vec());
        }

        fn expected(&mut self, from: Peer) -> Option<Expected<'_>> {
            assert_eq!(from, 7);
            let front_end = &self.front[2..];
            Some(Expected { front_bytes: self.front.len(), front_end, place: &mut self.place })
        }

        fn placed(&mut self, front: &[u8]) {
            self.seen.push([b"in its place: ", front, &self.place].concat());
        }
    }

    /// What a lane shows that expects the packet `ab-end` and four bytes, where these come in two
    /// writes.
    fn shown(packets: &[&[u8]], cut: usize) -> Vec<String> {
        let (near, mut far) = connected();
        let (front, place) = (b"ab-end".to_vec(), vec![0; 4]);
        let mut taker = Expecting { front, place, seen: Vec::new() };
        let mut memory = vec![0; 64];
        let bytes = on_the_wire(packets);
        let stream = near.stream.as_ref().unwrap();
        for part in [&bytes[..cut], &bytes[cut..]].into_iter().filter(|part| !part.is_empty()) {
            assert_eq!(sys::send(stream.as_raw_fd(), part).unwrap(), part.len());
            // On loopback all of a write is there when it has ended.
            far.receive(Some(7), &mut memory, &mut taker).unwrap().unwrap();
        }
        assert!(!far.has_partial());
        taker.seen.into_iter().map(|seen| String::from_utf8(seen).unwrap()).collect()
    }

    #[test]
    fn what_is_expected_is_read_into_its_place() {
        let packets: [&[u8]; 3] = [b"xy-end1234", b"next", b"ab-end5678"];
        assert_eq!(shown(&packets, 0), ["in its place: xy-end1234", "next", "ab-end5678"]);
        let second = PREFIX_BYTES + packets[0].len();
        let third = second + PREFIX_BYTES + packets[1].len();
        let placed = ["in its place: xy-end1234", "next", "in its place: ab-end5678"];
        assert_eq!(shown(&packets, third), placed);
    }

    #[test]
    fn what_is_not_expected_is_shown_as_it_came() {
        for other in ["", "a", "ab-enx1234", "ab-end123", "ab-end12345", "abcdefghijklmnopqrst"] {
            let packets = [b"!", other.as_bytes(), b"another packet"];
            let packets = if other.is_empty() { &packets[2..] } else { &packets[1..] };
            let whole: Vec<_> = packets.iter().map(|p| String::from_utf8_lossy(p)).collect();
            for cut in 0..on_the_wire(packets).len() {
                assert_eq!(shown(packets, cut), whole, "cut at {cut}");
            }
        }
    }

    #[test]
    fn an_expected_packet_that_comes_in_two_parts_is_shown_whole() {
        for cut in 1..PREFIX_BYTES + 10 {
            assert_eq!(shown(&[b"ab-end1234"], cut), ["ab-end1234"], "cut at {cut}");
        }
    }

    /// Expects a packet in memory that cannot be written to.
    struct Nowhere(*mut u8, Vec<u8>);

    impl Taker for Nowhere {
        fn packet(&mut self, packet: &[u8]) {
            self.1.extend_from_slice(packet);
        }

        fn expected(&mut self, _: Peer) -> Option<Expected<'_>> {
            // SAFETY: mapped, and touched by the kernel alone, which notices.
            let place = unsafe { std::slice::from_raw_parts_mut(self.0, 4) };
            Some(Expected { front_bytes: 6, front_end: b"-end", place })
        }
    }

    #[test]
    fn a_place_that_is_no_memory_leaves_the_packet_whole() {
        let (near, mut far) = connected();
        let (nowhere, flags) = (std::ptr::null_mut(), libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new mapping, which stays.
        let page = unsafe { libc::mmap(nowhere, 4096, libc::PROT_NONE, flags, -1, 0) };
        assert_ne!(page, libc::MAP_FAILED);
        let mut taker = Nowhere(page.cast(), Vec::new());
        let bytes = on_the_wire(&[b"ab-end1234"]);
        sys::send(near.stream.as_ref().unwrap().as_raw_fd(), &bytes).unwrap();
        far.receive(Some(7), &mut [0; 64], &mut taker).unwrap().unwrap();
        assert_eq!(taker.1, b"ab-end1234");
    }

    #[test]
    fn to_write_to_a_peer_that_has_gone_raises_no_signal() {
        let (mut near, far) = connected();
        near.furnish();
        drop(far);
        // SAFETY: both sets are ours; all zeroes is a valid one to be filled.
        let is_pending = unsafe {
            let (mut pipe, mut pending): (libc::sigset_t, libc::sigset_t) = std::mem::zeroed();
            libc::sigaddset(&raw mut pipe, libc::SIGPIPE);
            libc::pthread_sigmask(libc::SIG_BLOCK, &raw const pipe, std::ptr::null_mut());
            (0..2).for_each(|_| near.post_parts(b"front", b"data"));
            libc::sigpending(&raw mut pending);
            libc::sigismember(&raw const pending, libc::SIGPIPE)
        };
        assert_eq!(is_pending, 0);
        assert_eq!(near.send().unwrap_err().kind(), ErrorKind::BrokenPipe);
    }

    #[test]
    fn a_length_that_no_packet_has_is_an_error() {
        for len in [0, PACKET_BYTES_MAX as u32 + 1, u32::MAX] {
            assert!(packets(&len.to_le_bytes(), &mut |_| panic!("a packet")).is_err(), "{len}");
        }
    }

    #[test]
    fn a_lane_has_room_for_whole_packets_only() {
        let mut lane = Lane::new(None, State::Connecting, Instant::now());
        assert!(lane.space().is_none(), "a stranger has no room");
        lane.furnish();
        let mut packets = 0;
        while let Some(space) = lane.space() {
            assert_eq!(space.len(), PACKET_BYTES_MAX);
            lane.post(PACKET_BYTES_MAX);
            packets += 1;
        }
        assert_eq!(packets, OUT_BYTES / (PREFIX_BYTES + PACKET_BYTES_MAX));
    }

    #[test]
    fn a_packet_in_two_parts_waits_as_one() {
        let mut lane = Lane::new(None, State::Connecting, Instant::now());
        lane.furnish();
        lane.post_parts(b"fr", b"ont");
        lane.post_parts(b"", b"!");
        assert_eq!(lane.out[..lane.end], on_the_wire(&[b"front", b"!"]));
    }
}
