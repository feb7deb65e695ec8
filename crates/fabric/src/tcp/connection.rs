//! One connection: packets that wait to be written to it, and the beginning of one that has arrived
//! in part. On the wire a packet is four bytes of length (little endian), eight of its tag, and its
//! bytes. Each is sealed with its number on this connection: a packet that is altered, omitted,
//! repeated or inserted is detected, and the connection ends.

use std::io::{self, ErrorKind};
use std::net::TcpStream;
use std::os::fd::{AsRawFd, RawFd};
use std::time::Instant;

use dunlin_seal::{
    CHALLENGE_BYTES, Challenge, Hello, Proved, Seal, Session, TAG_BYTES, TRAILER_BYTES,
};

use super::segmentation::GSO_BYTES_MAX;
use crate::Peer;
use crate::packet_handler::{PacketHandler, Predicted};
use crate::sys;

/// Bytes of a packet at most: what the kernel moves in one piece. Each is written by a call of its
/// own; with packets of 32 KiB, 256 KiB take 53 us instead of 43.
pub const PACKET_BYTES_MAX: usize = GSO_BYTES_MAX - PREFIX_BYTES;
/// Bytes that wait in a connection at most.
pub const OUT_BYTES: usize = 2 * ROOM_BYTES;
/// Bytes taken from a connection in one call.
pub const IN_BYTES: usize = 256 << 10;

/// Bytes of a packet's length.
const LEN_BYTES: usize = size_of::<u32>();
/// Bytes of its length and its tag, which precede it.
pub const PREFIX_BYTES: usize = LEN_BYTES + TAG_BYTES;
/// All that a packet takes.
const ROOM_BYTES: usize = PREFIX_BYTES + PACKET_BYTES_MAX + TRAILER_BYTES;

/// How far a connection is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The last try failed; the next is made then.
    Resting(Instant),
    /// The kernel is connecting.
    Connecting,
    /// The two sides authenticate each other.
    Greeting,
    /// Packets go both ways.
    Ready,
}

/// The state of a side during the handshake.
#[derive(Debug, Default)]
pub enum Handshake {
    /// Nothing has been sent.
    #[default]
    Silent,
    /// We have connected and said who we are.
    Said(Hello),
    /// We have proved it, and have no welcome yet.
    Proved(Box<Proved>),
    /// The other side has said who it is, and was asked to prove it.
    Asked(Box<Challenge>),
}

/// What one call has read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// Packets delivered.
    pub packets: usize,
    /// The kernel may have more, which it has reported.
    pub has_more: bool,
}

/// One connection.
#[derive(Debug)]
pub struct Connection {
    /// None while it waits for the next try.
    pub stream: Option<TcpStream>,
    /// Its state.
    pub state: State,
    /// Whose it is: the index of the peer; none while unauthenticated.
    pub peer: Option<u32>,
    /// We made it.
    pub ours: bool,
    /// When we first tried, or when it came.
    pub since: Instant,
    /// Since when tries have failed, of which none came to an end.
    pub failing_since: Option<Instant>,
    /// `flush` knows that something waits here.
    pub dirty: bool,
    /// The kernel tells when it can be written to.
    pub watched: bool,
    /// How far the handshake has come.
    pub handshake: Handshake,
    /// Bytes by which packets grow when they are sealed.
    trailer_bytes: usize,
    /// What seals packets, once each side knows the other.
    session: Option<Box<Session>>,
    /// Packets sealed and opened so far: their numbers.
    sealed: u64,
    opened: u64,
    /// What the kernel has returned for the last packet.
    failed: Option<io::Error>,
    out: Box<[u8]>,
    begin: usize,
    end: usize,
    partial: Vec<u8>,
}

impl Connection {
    /// One that is not authenticated yet, in which no packets wait.
    pub fn new(stream: Option<TcpStream>, state: State, now: Instant) -> Connection {
        Connection {
            stream,
            state,
            peer: None,
            ours: false,
            since: now,
            failing_since: None,
            dirty: false,
            watched: false,
            handshake: Handshake::Silent,
            trailer_bytes: 0,
            session: None,
            sealed: 0,
            opened: 0,
            failed: None,
            out: Box::default(),
            begin: 0,
            end: 0,
            partial: Vec::with_capacity(CHALLENGE_BYTES),
        }
    }

    /// Allocates room for packets both ways, which grow by so many bytes when they are sealed; an
    /// unauthenticated connection gets none.
    pub fn allocate(&mut self, trailer_bytes: usize) {
        self.out = vec![0; OUT_BYTES].into_boxed_slice();
        self.partial.reserve_exact(ROOM_BYTES);
        self.trailer_bytes = trailer_bytes;
    }

    /// Both sides are authenticated: packets may go, and those that wait are sealed.
    pub fn begin(&mut self, session: Session) {
        self.session = Some(Box::new(session));
        self.state = State::Ready;
        let (mut at, end) = (self.begin, self.end);
        while at < end {
            let prefix = self.out[at..].first_chunk().expect("a packet has a prefix");
            let len = PREFIX_BYTES + u32::from_le_bytes(*prefix) as usize;
            self.seal(at, len);
            at += len;
        }
    }

    /// Seals the packet at this position, whose length was written.
    fn seal(&mut self, at: usize, len: usize) {
        let Some(session) = &self.session else { return };
        let (prefix, body) = self.out[at..at + len].split_at_mut(PREFIX_BYTES);
        if session.out.encrypts() {
            session.out.encrypt(self.sealed, &prefix[..LEN_BYTES], body);
        } else {
            let tag = session.out.tag(self.sealed, [body, b""]);
            prefix[LEN_BYTES..].copy_from_slice(&tag.to_le_bytes());
        }
        self.sealed += 1;
    }

    /// Whether something waits to be written.
    pub fn has_out(&self) -> bool {
        self.begin < self.end
    }

    /// Whether a packet has arrived in part.
    pub fn has_partial(&self) -> bool {
        !self.partial.is_empty()
    }

    /// The rest of what has arrived will not come.
    pub fn discard_partial(&mut self) {
        self.partial.clear();
    }

    /// Room for one packet, if there is.
    pub fn space(&mut self) -> Option<&mut [u8]> {
        let wanted = ROOM_BYTES;
        if self.out.len() - self.end < wanted && self.begin > 0 {
            self.out.copy_within(self.begin..self.end, 0);
            (self.begin, self.end) = (0, self.end - self.begin);
        }
        let free = self.out.get_mut(self.end..self.end + wanted)?;
        Some(&mut free[PREFIX_BYTES..PREFIX_BYTES + PACKET_BYTES_MAX])
    }

    /// Takes the first `len` bytes of the last [`Connection::space`] as a packet.
    pub fn post(&mut self, len: usize) {
        assert!(0 < len && len <= PACKET_BYTES_MAX, "a packet of {len} bytes had no room");
        let (at, len) = (self.end, len + self.trailer_bytes);
        self.out[at..at + LEN_BYTES].copy_from_slice(&(len as u32).to_le_bytes());
        self.end += PREFIX_BYTES + len;
        self.seal(at, PREFIX_BYTES + len);
    }

    /// Takes a packet in two parts; [`Connection::space`] has said that there is room. If nothing
    /// waits before it, the kernel gets it at once, and what it does not take is kept. An error is
    /// reported when that is written.
    pub fn post_parts(&mut self, front: &[u8], data: &[u8]) {
        let len = front.len() + data.len();
        assert!(0 < len && len <= PACKET_BYTES_MAX, "a packet of {len} bytes had no room");
        let Some(session) = self.session.as_ref().filter(|session| !session.out.encrypts()) else {
            let room = &mut self.out[self.end + PREFIX_BYTES..];
            room[..front.len()].copy_from_slice(front);
            room[front.len()..len].copy_from_slice(data);
            return self.post(len);
        };
        let mut prefix = [0; PREFIX_BYTES];
        prefix[..LEN_BYTES].copy_from_slice(&(len as u32).to_le_bytes());
        let tag = session.out.tag(self.sealed, [front, data]);
        prefix[LEN_BYTES..].copy_from_slice(&tag.to_le_bytes());
        self.sealed += 1;
        let parts = [&prefix[..], front, data];
        let mut gone = 0;
        if !self.has_out() && self.failed.is_none() {
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

    /// Reads what the kernel has, at most as much as `memory` holds, and delivers the packets that
    /// are complete; none if the other side has closed.
    pub fn receive(
        &mut self,
        peer: Option<Peer>,
        memory: &mut [u8],
        handler: &mut dyn PacketHandler,
    ) -> io::Result<Option<Received>> {
        let Some(stream) = &self.stream else { return Ok(Some(Received::default())) };
        let (fd, had) = (stream.as_raw_fd(), self.partial.len());
        let session = self.session.as_ref().ok_or(ErrorKind::NotConnected)?;
        // Encrypted data cannot be read straight to its destination.
        let knows = |_: &Peer| had == 0 && !session.come.encrypts();
        let expected = peer.filter(knows).and_then(|peer| handler.expected(peer));
        let number = self.opened;
        let mut read = expected.map(|one| read_expected(fd, memory, one, &session.come, number));
        // The program's fault: it is to be reported when the packet is unpacked, as with any other.
        read = read.filter(|read| !read.as_ref().is_err_and(is_bad_address));
        let read = read
            .unwrap_or_else(|| sys::receive_some(fd, &mut memory[had..]).map(ReadResult::plain));
        let ReadResult { come, placed, is_short } = match read {
            Ok(ReadResult { come: 0, .. }) => return Ok(None),
            Ok(read) => read,
            Err(e) if busy(&e) => return Ok(Some(Received::default())),
            Err(e) if e.kind() == ErrorKind::Interrupted => {
                return Ok(Some(Received { packets: 0, has_more: true }));
            }
            Err(e) => return Err(e),
        };
        memory[..had].copy_from_slice(&self.partial);
        let mut first = 0;
        if let Some(Placed { front, len }) = placed {
            handler.placed(&memory[PREFIX_BYTES..front]);
            first = len;
            self.opened += 1;
        }
        let mut opener = Opener { seal: &session.come, number: &mut self.opened };
        let arrived = &mut memory[first..had + come];
        let (whole, rest) = packets(arrived, &mut opener, &mut |packet| handler.packet(packet))?;
        self.partial.clear();
        self.partial.extend_from_slice(rest);
        let packets = whole + usize::from(placed.is_some());
        // A destination that is not mapped ends a read, too.
        let has_more = is_short || had + come == memory.len();
        Ok(Some(Received { packets, has_more }))
    }

    /// Reads what is missing of a handshake message, and returns it once it is complete. Reads not
    /// a byte more.
    pub fn message<const N: usize>(&mut self) -> io::Result<Option<[u8; N]>> {
        let Some(stream) = &self.stream else { return Ok(None) };
        let mut bytes = [0; N];
        let had = self.partial.len();
        match sys::receive_some(stream.as_raw_fd(), &mut bytes[had..]) {
            Ok(0) => {
                let text = "whoever listens there closes the connection";
                return Err(io::Error::new(ErrorKind::UnexpectedEof, text));
            }
            Ok(come) => self.partial.extend_from_slice(&bytes[had..had + come]),
            Err(e) if busy(&e) || e.kind() == ErrorKind::Interrupted => return Ok(None),
            Err(e) => return Err(e),
        }
        let Ok(whole) = self.partial.as_slice().try_into() else { return Ok(None) };
        self.partial.clear();
        Ok(Some(whole))
    }
}

/// What one read has brought, before any of it is delivered.
struct ReadResult {
    come: usize,
    placed: Option<Placed>,
    /// It ended within the destination.
    is_short: bool,
}

/// A packet at the beginning that was expected.
#[derive(Clone, Copy)]
struct Placed {
    /// Bytes before those that are at their destination.
    front: usize,
    /// All its bytes.
    len: usize,
}

impl ReadResult {
    fn plain(come: usize) -> ReadResult {
        ReadResult { come, placed: None, is_short: false }
    }
}

/// Reads the expected packet to its destination instead of `memory`. If it turns out to be another
/// packet, that is in `memory` as usual.
fn read_expected(
    fd: RawFd,
    memory: &mut [u8],
    Predicted { front_bytes, front_end, destination }: Predicted<'_>,
    seal: &Seal,
    number: u64,
) -> io::Result<ReadResult> {
    let front = PREFIX_BYTES + front_bytes;
    let len = front + destination.len();
    let (before, rest) = memory.split_at_mut(front);
    let (instead, behind) = rest.split_at_mut(destination.len());
    let come = sys::receive_parts(fd, [before, destination, behind])?;
    let prefix = ((len - PREFIX_BYTES) as u32).to_le_bytes();
    if come >= len && before.starts_with(&prefix) && before.ends_with(front_end) {
        let (prefix, front_read) = before.split_at(PREFIX_BYTES);
        if seal.tag(number, [front_read, destination]).to_le_bytes() != prefix[LEN_BYTES..] {
            return Err(altered());
        }
        let placed = Some(Placed { front, len });
        return Ok(ReadResult { come, placed, is_short: false });
    }
    let astray = come.saturating_sub(front).min(destination.len());
    instead[..astray].copy_from_slice(&destination[..astray]);
    Ok(ReadResult { come, placed: None, is_short: front < come && come < len })
}

/// Opens the packets of a connection in their order.
struct Opener<'a> {
    seal: &'a Seal,
    number: &'a mut u64,
}

impl Opener<'_> {
    /// What was sealed.
    fn open<'a>(&mut self, prefix: &[u8], body: &'a mut [u8]) -> io::Result<&'a [u8]> {
        let number = *self.number;
        *self.number += 1;
        if self.seal.encrypts() {
            let text = self.seal.decrypt(number, &prefix[..LEN_BYTES], body);
            return text.map(|text| &*text).ok_or_else(altered);
        }
        let is_right = self.seal.tag(number, [body, b""]).to_le_bytes() == prefix[LEN_BYTES..];
        if is_right { Ok(body) } else { Err(altered()) }
    }
}

fn altered() -> io::Error {
    let text = "what comes by it is not what was sent: somebody or something alters it on its way";
    io::Error::new(ErrorKind::InvalidData, text)
}

/// Delivers the complete packets in `bytes`; returns their number, and what follows them.
fn packets<'a>(
    mut bytes: &'a mut [u8],
    opener: &mut Opener<'_>,
    take: &mut dyn FnMut(&[u8]),
) -> io::Result<(usize, &'a [u8])> {
    let mut count = 0;
    while let Some(prefix) = bytes.first_chunk::<LEN_BYTES>() {
        let len = u32::from_le_bytes(*prefix) as usize;
        if len == 0 || len > PACKET_BYTES_MAX + TRAILER_BYTES {
            let text = format!("it sent a packet of {len} bytes");
            return Err(io::Error::new(ErrorKind::InvalidData, text));
        }
        if bytes.len() < PREFIX_BYTES + len {
            break;
        }
        let (packet, after) = bytes.split_at_mut(PREFIX_BYTES + len);
        let (prefix, body) = packet.split_at_mut(PREFIX_BYTES);
        take(opener.open(prefix, body)?);
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
#[path = "connection/tests.rs"]
mod tests;
