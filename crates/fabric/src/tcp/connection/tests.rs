//! Two connections in one process, over loopback, and packets that are cut and altered.

use std::net::TcpListener;

use dunlin_seal::{Direction, JobKey, Keys, Security};

use super::*;
use crate::packet_handler::HandlerFn;

/// The sessions of two ends, always the same.
fn sessions(security: Security) -> [Session; 2] {
    let keys = Keys::new(&JobKey::new([1; 32]), security);
    let seal = |from, to| keys.seal(Direction { from, to, incarnation: 0 });
    [Session { out: seal(0, 1), come: seal(1, 0) }, Session { out: seal(1, 0), come: seal(0, 1) }]
}

/// Packets from the near end as they are sent.
fn on_the_wire(packets: &[&[u8]]) -> Vec<u8> {
    let [near, _] = sessions(Security::Off);
    let framed = |(number, packet): (u64, &&[u8])| {
        let tag = near.out.tag(number, [packet, b""]).to_le_bytes();
        [&(packet.len() as u32).to_le_bytes(), &tag[..], *packet].concat()
    };
    (0..).zip(packets).flat_map(framed).collect()
}

/// What the far end shows of bytes.
fn cut(bytes: &[u8]) -> io::Result<(Vec<Vec<u8>>, Vec<u8>)> {
    let [_, far] = sessions(Security::Off);
    let (mut seen, mut bytes, mut number) = (Vec::new(), bytes.to_vec(), 0);
    let mut opener = Opener { seal: &far.come, number: &mut number };
    let cut = packets(&mut bytes, &mut opener, &mut |packet| seen.push(packet.to_vec()));
    let (count, rest) = cut?;
    assert_eq!(count, seen.len());
    Ok((seen, rest.to_vec()))
}

#[test]
fn packets_are_cut_where_their_lengths_say_and_the_rest_is_kept() {
    let bytes = on_the_wire(&[b"one", b"three", b"!"]);
    for len in 0..=bytes.len() {
        let (seen, rest) = cut(&bytes[..len]).unwrap();
        let slices: Vec<&[u8]> = seen.iter().map(Vec::as_slice).collect();
        assert_eq!([on_the_wire(&slices), rest.clone()].concat(), bytes[..len]);
        assert!(rest.len() < PREFIX_BYTES + 5);
    }
}

#[test]
fn what_is_altered_left_out_or_repeated_ends_the_connection() {
    let bytes = on_the_wire(&[b"one", b"two"]);
    let (first, second) = bytes.split_at(PREFIX_BYTES + 3);
    assert!(cut(second).is_err(), "the first is left out");
    assert!(cut(&[first, first].concat()).is_err(), "it is repeated");
    for at in LEN_BYTES..bytes.len() {
        // Another length means to wait, or an error.
        if (first.len()..first.len() + LEN_BYTES).contains(&at) {
            continue;
        }
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        assert!(cut(&bytes).is_err(), "byte {at}");
    }
}

#[test]
fn packets_that_waited_and_those_that_did_not_are_sealed_alike() {
    for (_, security) in Security::WORDS {
        let (near, far) = raw();
        let [near_session, far_session] = sessions(security);
        let mut near = Connection::new(Some(near), State::Connecting, Instant::now());
        let mut far = Connection::new(Some(far), State::Ready, Instant::now());
        near.allocate(security.trailer_bytes());
        far.allocate(security.trailer_bytes());
        far.begin(far_session);
        near.post_parts(b"wai", b"ted");
        near.space().unwrap()[..2].copy_from_slice(b"so");
        near.post(2);
        near.begin(near_session);
        near.post_parts(&[b'f'; 100], &[b'd'; 500]);
        assert!(near.send().unwrap());
        let (mut seen, mut memory) = (Vec::new(), vec![0; 4096]);
        let mut take = |packet: &[u8]| seen.push(packet.to_vec());
        let come = far.receive(None, &mut memory, &mut HandlerFn(&mut take)).unwrap();
        assert_eq!(come.unwrap().packets, 3, "{security:?}");
        assert_eq!(
            seen,
            [b"waited".to_vec(), b"so".to_vec(), {
                [[b'f'; 100].to_vec(), [b'd'; 500].to_vec()].concat()
            }]
        );
    }
}

/// Two ends of a connection.
fn raw() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (far, _) = listener.accept().unwrap();
    near.set_nodelay(true).unwrap();
    far.set_nodelay(true).unwrap();
    (near, far)
}

/// Two ends of a connection, as connections.
fn connected() -> (Connection, Connection) {
    let (near, far) = raw();
    let [near_session, far_session] = sessions(Security::Off);
    let connection = |stream: TcpStream, session: Session| {
        let mut connection = Connection::new(Some(stream), State::Ready, Instant::now());
        connection.begin(session);
        connection
    };
    (connection(near, near_session), connection(far, far_session))
}

/// Expects the same packet again and again.
struct Expecting {
    front: Vec<u8>,
    destination: Vec<u8>,
    seen: Vec<Vec<u8>>,
}

impl PacketHandler for Expecting {
    fn packet(&mut self, packet: &[u8]) {
        self.seen.push(packet.to_vec());
    }

    fn expected(&mut self, from: Peer) -> Option<Predicted<'_>> {
        assert_eq!(from, 7);
        let front_end = &self.front[2..];
        Some(Predicted {
            front_bytes: self.front.len(),
            front_end,
            destination: &mut self.destination,
        })
    }

    fn placed(&mut self, front: &[u8]) {
        self.seen.push([b"in its place: ", front, &self.destination].concat());
    }
}

/// What a connection shows that expects the packet `ab-end` and four bytes, where these come in two
/// writes.
fn shown(packets: &[&[u8]], cut: usize) -> Vec<String> {
    let (near, mut far) = connected();
    let (front, destination) = (b"ab-end".to_vec(), vec![0; 4]);
    let mut handler = Expecting { front, destination, seen: Vec::new() };
    let mut memory = vec![0; 128];
    let bytes = on_the_wire(packets);
    let stream = near.stream.as_ref().unwrap();
    for part in [&bytes[..cut], &bytes[cut..]].into_iter().filter(|part| !part.is_empty()) {
        assert_eq!(sys::send(stream.as_raw_fd(), part).unwrap(), part.len());
        // On loopback all of a write is there when it has ended.
        far.receive(Some(7), &mut memory, &mut handler).unwrap().unwrap();
    }
    assert!(!far.has_partial());
    handler.seen.into_iter().map(|seen| String::from_utf8(seen).unwrap()).collect()
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

impl PacketHandler for Nowhere {
    fn packet(&mut self, packet: &[u8]) {
        self.1.extend_from_slice(packet);
    }

    fn expected(&mut self, _: Peer) -> Option<Predicted<'_>> {
        // SAFETY: mapped, and touched by the kernel alone, which notices.
        let destination = unsafe { std::slice::from_raw_parts_mut(self.0, 4) };
        Some(Predicted { front_bytes: 6, front_end: b"-end", destination })
    }
}

#[test]
fn a_place_that_is_no_memory_leaves_the_packet_whole() {
    let (near, mut far) = connected();
    let (nowhere, flags) = (std::ptr::null_mut(), libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping, which stays.
    let page = unsafe { libc::mmap(nowhere, 4096, libc::PROT_NONE, flags, -1, 0) };
    assert_ne!(page, libc::MAP_FAILED);
    let mut handler = Nowhere(page.cast(), Vec::new());
    let bytes = on_the_wire(&[b"ab-end1234"]);
    sys::send(near.stream.as_ref().unwrap().as_raw_fd(), &bytes).unwrap();
    far.receive(Some(7), &mut [0; 128], &mut handler).unwrap().unwrap();
    assert_eq!(handler.1, b"ab-end1234");
}

#[test]
fn to_write_to_a_peer_that_has_gone_raises_no_signal() {
    let (mut near, far) = connected();
    near.allocate(0);
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
    for len in [0, (PACKET_BYTES_MAX + TRAILER_BYTES) as u32 + 1, u32::MAX] {
        assert!(cut(&len.to_le_bytes()).is_err(), "{len}");
    }
}

#[test]
fn a_connection_has_room_for_whole_packets_only() {
    let mut connection = Connection::new(None, State::Connecting, Instant::now());
    assert!(connection.space().is_none(), "a stranger has no room");
    connection.allocate(0);
    let mut packets = 0;
    while let Some(space) = connection.space() {
        assert_eq!(space.len(), PACKET_BYTES_MAX);
        connection.post(PACKET_BYTES_MAX);
        packets += 1;
    }
    assert_eq!(packets, OUT_BYTES / ROOM_BYTES);
}

#[test]
fn a_packet_in_two_parts_waits_as_one() {
    let mut connection = Connection::new(None, State::Connecting, Instant::now());
    connection.allocate(0);
    connection.post_parts(b"fr", b"ont");
    connection.post_parts(b"", b"!");
    let [near, _] = sessions(Security::Off);
    connection.begin(near);
    assert_eq!(connection.out[..connection.end], on_the_wire(&[b"front", b"!"]));
}
