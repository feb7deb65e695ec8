//! Two fabrics in one process, over loopback.

use std::io::{Read, Write};
use std::net::TcpStream;

use dunlin_seal::{CHALLENGE_BYTES, Ends, HELLO_BYTES, Hello, Security};

use super::*;
use crate::interface_config::tests::loopback;
use crate::random::Random;

const PATIENCE: Duration = Duration::from_secs(20);
const KEY: JobKey = JobKey::new([0x5e; 32]);

fn identity(rank: Peer) -> Identity {
    Identity { rank, key: KEY, security: Security::Off }
}

fn open(rank: Peer, config: &InterfaceConfig) -> Tcp {
    Tcp::open(identity(rank), config.clone()).unwrap()
}

fn pair() -> (Tcp, Tcp) {
    (open(0, &loopback()), open(1, &loopback()))
}

fn try_post(from: &mut Tcp, to: Peer, packet: &[u8]) -> bool {
    let Some(space) = from.space(to) else { return false };
    space[..packet.len()].copy_from_slice(packet);
    from.post(to, packet.len());
    true
}

fn take(from: &mut Tcp, packets: &mut Vec<Vec<u8>>) {
    from.receive(&mut |packet| packets.push(packet.to_vec())).unwrap();
}

/// Lets all have their turn until it is `done`.
fn run(all: &mut [(&mut Tcp, &mut Vec<Vec<u8>>)], done: impl Fn(&[usize]) -> bool) {
    let begin = Instant::now();
    loop {
        let counts: Vec<usize> = all.iter().map(|(_, packets)| packets.len()).collect();
        if done(&counts) {
            return;
        }
        assert!(begin.elapsed() < PATIENCE, "{counts:?} packets came");
        for (fabric, packets) in all.iter_mut() {
            fabric.flush().unwrap();
            take(fabric, packets);
        }
    }
}

fn counter(fabric: &Tcp, wanted: &str) -> u64 {
    let mut value = None;
    fabric.counters(&mut |name, count| value = if name == wanted { Some(count) } else { value });
    value.unwrap()
}

#[test]
fn a_key_that_is_told_late_is_the_one_that_counts() {
    let (mut a, mut b) = pair();
    let (mut at_a, mut at_b) = (Vec::new(), Vec::new());
    a.set_key(JobKey::new([1; 32]));
    b.set_key(JobKey::new([1; 32]));
    let mut unauthenticated = open(2, &loopback());
    unauthenticated.connect(1, &b.address.clone()).unwrap();
    assert!(try_post(&mut unauthenticated, 1, b"old key"));
    a.connect(1, &b.address.clone()).unwrap();
    assert!(try_post(&mut a, 1, b"new key"));
    let mut at_stranger = Vec::new();
    let all =
        &mut [(&mut a, &mut at_a), (&mut b, &mut at_b), (&mut unauthenticated, &mut at_stranger)];
    run(all, |counts| counts[1] == 1);
    assert_eq!(at_b, [b"new key"]);
}

#[test]
fn the_first_packet_makes_the_connections_and_the_answer_uses_them() {
    let (mut a, mut b) = pair();
    let (mut at_a, mut at_b) = (Vec::new(), Vec::new());
    a.connect(1, &b.address.clone()).unwrap();
    assert!(try_post(&mut a, 1, b"question"));
    run(&mut [(&mut a, &mut at_a), (&mut b, &mut at_b)], |n| n[1] == 1);
    b.connect(0, &a.address.clone()).unwrap();
    assert!(try_post(&mut b, 0, b"answer"));
    run(&mut [(&mut a, &mut at_a), (&mut b, &mut at_b)], |n| n[0] == 1);
    assert_eq!((&at_b[0][..], &at_a[0][..]), (&b"question"[..], &b"answer"[..]));
    assert!(counter(&b, "connections") <= a.config.flows as u64);
}

#[test]
fn what_waits_for_a_connection_or_for_room_has_not_left() {
    let (mut a, mut b) = pair();
    let (mut at_a, mut at_b) = (Vec::new(), Vec::new());
    assert!(a.is_flushed());
    a.connect(1, &b.address.clone()).unwrap();
    assert!(try_post(&mut a, 1, b"question"));
    a.flush().unwrap();
    assert!(!a.is_flushed(), "nobody has accepted the connection");
    run(&mut [(&mut a, &mut at_a), (&mut b, &mut at_b)], |n| n[1] == 1);
    assert!(a.is_flushed());
    let packet = vec![7; a.capabilities().packet_bytes_max];
    let mut posted = 1;
    while try_post(&mut a, 1, &packet) {
        posted += 1;
        a.flush().unwrap();
    }
    assert!(!a.is_flushed(), "the kernel's buffers are full");
    run(&mut [(&mut a, &mut at_a), (&mut b, &mut at_b)], |n| n[1] == posted);
    a.flush().unwrap();
    assert!(a.is_flushed());
}

#[test]
fn both_sides_may_begin_at_once_and_nothing_is_lost() {
    let (mut a, mut b) = pair();
    a.connect(1, &b.address.clone()).unwrap();
    b.connect(0, &a.address.clone()).unwrap();
    let (mut at_a, mut at_b) = (Vec::new(), Vec::new());
    let (mut from_a, mut from_b) = (0u32, 0u32);
    let begin = Instant::now();
    while (from_a, from_b) != (500, 500) {
        assert!(begin.elapsed() < PATIENCE);
        from_a += u32::from(from_a < 500 && try_post(&mut a, 1, &from_a.to_le_bytes()));
        from_b += u32::from(from_b < 500 && try_post(&mut b, 0, &from_b.to_le_bytes()));
        a.flush().unwrap();
        take(&mut b, &mut at_b);
        b.flush().unwrap();
        take(&mut a, &mut at_a);
    }
    run(&mut [(&mut a, &mut at_a), (&mut b, &mut at_b)], |n| n == [500, 500]);
    for mut packets in [at_a, at_b] {
        packets.sort_by_key(|p| u32::from_le_bytes(p[..].try_into().unwrap()));
        assert!((0..500u32).zip(&packets).all(|(at, packet)| at.to_le_bytes()[..] == packet[..]));
    }
    let all = 2 * a.config.flows as u64;
    run(&mut [(&mut a, &mut vec![]), (&mut b, &mut vec![])], |_| true);
    assert!(counter(&a, "connections") <= all && counter(&b, "connections") <= all);
}

#[test]
fn many_packets_of_all_lengths_arrive_once_and_whole_in_no_order() {
    let (mut a, mut b) = pair();
    a.connect(1, &b.address.clone()).unwrap();
    let (count, mut seed) = (3_000u32, Random(7));
    let (mut packets, mut sent, begin) = (Vec::new(), 0u32, Instant::now());
    while packets.len() < count as usize {
        assert!(begin.elapsed() < PATIENCE, "{} packets came", packets.len());
        // The receiver lags, so that connections fill.
        let mut packet = vec![sent as u8; 4 + seed.below(PACKET_BYTES_MAX as u64 - 3) as usize];
        packet[..4].copy_from_slice(&sent.to_le_bytes());
        while sent < count && try_post(&mut a, 1, &packet) {
            sent += 1;
            packet.fill(sent as u8);
            packet[..4].copy_from_slice(&sent.to_le_bytes());
        }
        a.flush().unwrap();
        a.receive(&mut |_| panic!("nothing was sent")).unwrap();
        take(&mut b, &mut packets);
    }
    let numbers: Vec<u32> =
        packets.iter().map(|p| u32::from_le_bytes(p[..4].try_into().unwrap())).collect();
    assert!(packets.iter().zip(&numbers).all(|(p, &n)| p[4..].iter().all(|&b| b == n as u8)));
    assert!(!numbers.is_sorted(), "all connections were used");
    let mut sorted = numbers;
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(0..count));
    assert!(counter(&a, "times a connection was full") > 0);
}

/// One connection between two that have spoken, of which the second reads a packet at a time.
fn slow_reader() -> (Tcp, Tcp, Vec<Vec<u8>>) {
    let config = InterfaceConfig { flows: 1, ..loopback() };
    let (mut a, mut b, mut packets) = (open(0, &config), open(1, &config), Vec::new());
    a.connect(1, &b.address.clone()).unwrap();
    assert!(try_post(&mut a, 1, b"first"));
    run(&mut [(&mut a, &mut vec![]), (&mut b, &mut packets)], |n| n[1] == 1);
    b.memory = vec![0; PACKET_BYTES_MAX + PREFIX_BYTES].into_boxed_slice();
    (a, b, packets)
}

#[test]
fn of_a_connection_that_is_told_once_everything_is_read() {
    let (mut a, mut b, mut packets) = slow_reader();
    // So few that the kernel usually takes all of them at once, and tells once.
    for _ in 0..4 {
        assert!(try_post(&mut a, 1, &[7; PACKET_BYTES_MAX / 2]));
        a.flush().unwrap();
    }
    run(&mut [(&mut a, &mut vec![]), (&mut b, &mut packets)], |n| n[1] == 5);
}

#[test]
fn a_connection_that_ends_is_read_to_its_end() {
    let (mut a, mut b, mut packets) = slow_reader();
    assert!(try_post(&mut a, 1, b"last"));
    a.flush().unwrap();
    a.connections[0] = None;
    run(&mut [(&mut b, &mut packets)], |n| n[0] == 2);
    let begin = Instant::now();
    while b.peers.at(0).gone().is_none() {
        assert!(begin.elapsed() < PATIENCE);
        b.receive(&mut |_| {}).unwrap();
    }
}

#[test]
fn unauthenticated_peers_are_refused_and_harm_nobody() {
    let (mut a, mut b) = pair();
    let to = b.listener.local_addr().unwrap();
    let mut silent = TcpStream::connect(to).unwrap();
    let mut wrong = TcpStream::connect(to).unwrap();
    let hello = Hello::new(Ends { from: 0, to: 1 }).unwrap().bytes();
    wrong.write_all(&hello).unwrap();
    // In place of the proof.
    wrong.write_all(&[7; 100]).unwrap();
    let mut short = TcpStream::connect(to).unwrap();
    short.write_all(&hello[..10]).unwrap();
    drop(short);
    a.connect(1, &b.address.clone()).unwrap();
    assert!(try_post(&mut a, 1, b"ours"));
    let mut packets = Vec::new();
    run(&mut [(&mut a, &mut vec![]), (&mut b, &mut packets)], |n| n[1] == 1);
    let begin = Instant::now();
    while counter(&b, "unauthenticated connections refused") < 2 {
        assert!(begin.elapsed() < PATIENCE);
        take(&mut b, &mut packets);
    }
    assert_eq!(packets, [b"ours"]);
    wrong.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut told = Vec::new();
    let _ = wrong.read_to_end(&mut told);
    assert!(told.len() <= CHALLENGE_BYTES, "it learns no more than a number and a proof of it");
    silent.set_nonblocking(true).unwrap();
    assert!(silent.read(&mut [0; HELLO_BYTES]).is_err(), "it is still waited for");
}

#[test]
fn many_unauthenticated_connections_do_not_keep_a_peer_out() {
    let (mut a, mut b) = pair();
    let to = b.listener.local_addr().unwrap();
    let crowd: Vec<_> = (0..300).map(|_| TcpStream::connect(to).unwrap()).collect();
    a.connect(1, &b.address.clone()).unwrap();
    assert!(try_post(&mut a, 1, b"ours"));
    let mut packets = Vec::new();
    run(&mut [(&mut a, &mut vec![]), (&mut b, &mut packets)], |n| n[1] == 1);
    drop(crowd);
    assert!(
        counter(&b, "unauthenticated connections refused")
            >= 300 - unauthenticated::UNAUTHENTICATED_MAX as u64
    );
}

/// What was heard of a connection, said again by somebody else on a new one.
#[test]
fn a_greeting_that_was_heard_opens_nothing() {
    let (mut a, mut b) = pair();
    let to = b.listener.local_addr().unwrap();
    // A connection of which everything is heard: through somebody in between.
    let between = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut address = IpAddress::decode(&b.address, Kind::Tcp).unwrap();
    address.port = between.local_addr().unwrap().port();
    a.config.flows = 1;
    a.connect(1, &address.encode()).unwrap();
    assert!(try_post(&mut a, 1, b"ours"));
    let (from_a, _) = between.accept().unwrap();
    let to_b = TcpStream::connect(to).unwrap();
    let mut streams = [(from_a, Vec::new()), (to_b, Vec::new())];
    streams.iter().for_each(|(stream, _)| stream.set_nonblocking(true).unwrap());
    let (mut packets, begin) = (Vec::new(), Instant::now());
    while packets.is_empty() {
        assert!(begin.elapsed() < PATIENCE);
        a.flush().unwrap();
        take(&mut a, &mut vec![]);
        take(&mut b, &mut packets);
        for at in [0, 1] {
            let mut bytes = [0; 4096];
            if let Ok(come) = streams[at].0.read(&mut bytes) {
                streams[at].1.extend_from_slice(&bytes[..come]);
                streams[1 - at].0.write_all(&bytes[..come]).unwrap();
            }
        }
    }
    // Repeated on connections of their own, as a whole and as far as each message.
    let heard = streams[0].1.clone();
    let said_again: Vec<_> = (0..50)
        .map(|round| {
            let mut again = TcpStream::connect(to).unwrap();
            again.write_all(&heard[..heard.len().min(HELLO_BYTES + 4 * round)]).unwrap();
            again
        })
        .collect();
    let begin = Instant::now();
    while counter(&b, "unauthenticated connections refused") < 40 {
        assert!(begin.elapsed() < PATIENCE);
        take(&mut b, &mut packets);
    }
    assert_eq!((packets.len(), counter(&b, "connections")), (1, 1));
    drop(said_again);
}

#[test]
fn every_security_carries_packets_of_all_lengths() {
    for (_, security) in Security::WORDS {
        let open = |rank| {
            let identity = Identity { security, ..identity(rank) };
            Tcp::open(identity, loopback()).unwrap()
        };
        let (mut a, mut b) = (open(0), open(1));
        a.connect(1, &b.address.clone()).unwrap();
        let (mut packets, longest) = (Vec::new(), a.capabilities().packet_bytes_max);
        for len in [1, 127, 128, 129, 1000, longest] {
            let packet: Vec<u8> = (0..len).map(|at| at as u8).collect();
            assert!(try_post(&mut a, 1, &packet));
            let came = packets.len();
            run(&mut [(&mut a, &mut vec![]), (&mut b, &mut packets)], |n| n[1] > came);
            assert_eq!(packets[came], packet, "{security:?}");
        }
    }
}

#[test]
fn who_answers_for_another_gets_no_packet() {
    let mut a = open(0, &loopback());
    let two = open(2, &loopback());
    let mut packets = Vec::new();
    let mut two = two;
    // The address of rank 2 under the name of rank 1.
    a.connect(1, &two.address.clone()).unwrap();
    assert!(try_post(&mut a, 1, b"for one"));
    let begin = Instant::now();
    while counter(&a, "connections tried again") == 0 {
        assert!(begin.elapsed() < PATIENCE);
        a.flush().unwrap();
        take(&mut a, &mut packets);
        take(&mut two, &mut packets);
    }
    assert!(packets.is_empty());
}

#[test]
fn a_peer_that_is_not_there_is_an_error_that_names_it() {
    let b = open(1, &loopback());
    let (address, port) = (b.address.clone(), b.listener.local_addr().unwrap().port());
    drop(b);
    let error = why_not_reached(&address, &mut || {});
    assert!(error.contains(&format!("rank 1 (127.0.0.1:{port})")), "{error}");
}

#[test]
fn a_foreign_listener_at_the_port_of_a_peer_is_an_error_and_no_endless_wait() {
    let mut two = open(2, &loopback());
    let address = two.address.clone();
    let error = why_not_reached(&address, &mut || {
        take(&mut two, &mut vec![]);
    });
    let port = two.listener.local_addr().unwrap().port();
    let wanted = [format!("rank 1 (127.0.0.1:{port})"), "closes the connection".into()];
    assert!(wanted.iter().all(|wanted| error.contains(wanted)), "{error}");
}

/// What is said of rank 1, which is not where it is said to be; `meanwhile` somebody else runs.
fn why_not_reached(address: &[u8], meanwhile: &mut dyn FnMut()) -> String {
    let config = InterfaceConfig { timeout: Duration::from_millis(100), ..loopback() };
    let mut a = Tcp::open(identity(0), config).unwrap();
    a.connect(1, address).unwrap();
    assert!(try_post(&mut a, 1, b"anybody?"));
    let begin = Instant::now();
    loop {
        assert!(begin.elapsed() < PATIENCE);
        meanwhile();
        if let Err(e) = a.flush().and_then(|()| a.receive(&mut |_| {}).map(drop)) {
            return e.to_string();
        }
    }
}

/// Two that have spoken, and the second has a packet that it has not read.
fn acquainted() -> (Tcp, Tcp) {
    let (mut a, mut b) = pair();
    a.connect(1, &b.address.clone()).unwrap();
    b.connect(0, &a.address.clone()).unwrap();
    assert!(try_post(&mut a, 1, b"first"));
    let mut packets = Vec::new();
    run(&mut [(&mut a, &mut vec![]), (&mut b, &mut packets)], |n| n[1] == 1);
    assert!(try_post(&mut a, 1, b"unread"));
    a.flush().unwrap();
    (a, b)
}

#[test]
fn a_peer_that_leaves_is_no_error_and_what_it_is_still_told_is_nothing() {
    let (mut a, b) = acquainted();
    drop(b);
    let begin = Instant::now();
    while a.peers.at(0).gone().is_none() {
        assert!(begin.elapsed() < PATIENCE);
        // It may hear of it in any way.
        assert!(try_post(&mut a, 1, b"too late"));
        a.flush().unwrap();
        a.receive(&mut |_| {}).unwrap();
    }
    assert_eq!(a.peers.at(0).gone(), Some(&Gone::Left));
    let mut departed = Vec::new();
    a.departed(&mut |peer| departed.push(peer));
    assert!(!departed.is_empty() && departed.iter().all(|&peer| peer == 1), "{departed:?}");
    a.departed(&mut |peer| panic!("rank {peer} departs once"));
    assert!(try_post(&mut a, 1, b"too late"));
    a.flush().unwrap();
    assert!(counter(&a, "packets to peers that had left") > 0);
}

#[test]
fn a_connection_that_is_cut_is_an_error_for_who_still_writes_to_it() {
    let (mut a, mut b) = acquainted();
    // As when a process is killed.
    b.connections.iter_mut().flatten().for_each(|connection| connection.stream = None);
    let begin = Instant::now();
    let error = loop {
        assert!(begin.elapsed() < PATIENCE);
        if let Err(e) = a.receive(&mut |_| {}).map(drop).and_then(|()| a.flush()) {
            break e.to_string();
        }
        try_post(&mut a, 1, b"are you there?");
    };
    assert!(error.contains("rank 1"), "{error}");
}

#[test]
fn what_was_flushed_arrives_though_its_sender_leaves() {
    let (mut a, mut b) = pair();
    a.connect(1, &b.address.clone()).unwrap();
    b.connect(0, &a.address.clone()).unwrap();
    let (mut at_a, mut packets) = (Vec::new(), Vec::new());
    assert!(try_post(&mut a, 1, b"first") && try_post(&mut b, 0, b"first"));
    run(&mut [(&mut a, &mut at_a), (&mut b, &mut packets)], |n| n == [1, 1]);
    // Something `a` will not read.
    assert!(try_post(&mut b, 0, b"too late"));
    b.flush().unwrap();
    let mut sent = 0;
    // As much as the kernels hold, for nobody reads while `a` leaves.
    while sent < 10 && try_post(&mut a, 1, &[1; 10_000]) {
        sent += 1;
    }
    a.flush().unwrap();
    drop(a);
    let begin = Instant::now();
    while packets.len() < 1 + sent {
        assert!(begin.elapsed() < PATIENCE, "{} of {sent}", packets.len() - 1);
        // The other side has gone: an error would be about that.
        let _ = b.receive(&mut |packet| packets.push(packet.to_vec()));
    }
}

#[test]
fn a_sleeper_is_woken_by_a_packet() {
    let (mut a, mut b) = pair();
    a.connect(1, &b.address.clone()).unwrap();
    assert!(try_post(&mut a, 1, b"first"));
    let mut packets = Vec::new();
    run(&mut [(&mut a, &mut vec![]), (&mut b, &mut packets)], |n| n[1] == 1);
    let readable = |b: &Tcp, wait_ms| {
        let mut poll = libc::pollfd { fd: -1, events: libc::POLLIN, revents: 0 };
        b.sleep_fds(&mut |fd| poll.fd = fd);
        // SAFETY: one entry, which lives for the call.
        unsafe { libc::poll(&raw mut poll, 1, wait_ms) == 1 }
    };
    // The other connections may still be greeting.
    while readable(&b, 50) || readable(&a, 50) {
        take(&mut a, &mut packets);
        take(&mut b, &mut packets);
    }
    assert!(try_post(&mut a, 1, b"wake"));
    a.flush().unwrap();
    assert!(readable(&b, 20_000));
}
