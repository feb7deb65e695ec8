//! Two fabrics in one process, over loopback.

use std::net::{Ipv6Addr, UdpSocket};
use std::time::{Duration, Instant};

use dunlin_seal::Security;

use super::*;
use crate::address::IfAddr;
use crate::interface_config::tests::loopback;

/// Loopback loses nothing while the socket's buffer has room; what takes longer is lost.
const PATIENCE: Duration = Duration::from_secs(20);

fn pair(config: &InterfaceConfig) -> (Udp, Udp) {
    let open = |rank| Udp::open(Identity::keyless(rank, Security::Off), config.clone()).unwrap();
    let (mut a, mut b) = (open(0), open(1));
    a.connect(1, &b.encoded.clone()).unwrap();
    b.connect(0, &a.encoded.clone()).unwrap();
    (a, b)
}

fn post(from: &mut Udp, to: Peer, packet: &[u8]) {
    from.space(to).expect("room")[..packet.len()].copy_from_slice(packet);
    from.post(to, packet.len());
}

/// Takes `count` packets.
fn take(from: &mut Udp, count: usize) -> Vec<Vec<u8>> {
    let (mut packets, begin) = (Vec::new(), Instant::now());
    while packets.len() < count {
        from.receive(&mut |packet| packets.push(packet.to_vec())).unwrap();
        assert!(begin.elapsed() < PATIENCE, "{} of {count} packets came", packets.len());
    }
    packets
}

fn counter(fabric: &Udp, wanted: &str) -> u64 {
    let mut value = None;
    fabric.counters(&mut |name, count| value = if name == wanted { Some(count) } else { value });
    value.unwrap()
}

#[test]
fn a_packet_alone_costs_one_call_and_arrives_as_it_was() {
    let (mut a, mut b) = pair(&loopback());
    post(&mut a, 1, b"hello");
    a.flush().unwrap();
    assert_eq!(take(&mut b, 1), [b"hello"]);
    assert_eq!(counter(&a, "system calls to send"), 1);
    assert_eq!(b.receive(&mut |_| panic!("nothing was sent")).unwrap(), 0);
}

#[test]
fn packets_of_all_lengths_arrive_whole_from_pieces() {
    let (mut a, mut b) = pair(&loopback());
    let longest = a.capabilities().packet_bytes_max;
    assert_eq!(longest, PACKET_BYTES_MAX);
    let lengths = [longest, longest, 17, 17, 17, 16, 1, 1, longest - 1, longest - 1, 5];
    for (at, &len) in lengths.iter().enumerate() {
        post(&mut a, 1, &vec![at as u8; len]);
    }
    a.flush().unwrap();
    assert!(counter(&a, "system calls to send") < lengths.len() as u64);
    let mut arrived = take(&mut b, lengths.len());
    arrived.sort();
    for (at, (packet, len)) in arrived.iter().zip(lengths).enumerate() {
        assert_eq!(*packet, vec![at as u8; len], "packet {at}");
    }
    assert_eq!(counter(&b, "packets received"), lengths.len() as u64);
}

#[test]
fn several_peers_are_served_by_one_flush_and_answer_each() {
    let config = loopback();
    let (mut a, mut b) = pair(&config);
    let mut c = Udp::open(Identity::keyless(70, Security::Off), config).unwrap();
    a.connect(70, &c.encoded.clone()).unwrap();
    for round in 0..20u8 {
        post(&mut a, 1, &[1, round]);
        post(&mut a, 70, &[70, round]);
    }
    a.flush().unwrap();
    assert!(take(&mut b, 20).iter().all(|packet| packet[0] == 1));
    assert!(take(&mut c, 20).iter().all(|packet| packet[0] == 70));
}

#[test]
fn many_packets_come_in_few_calls() {
    let (mut a, mut b) = pair(&loopback());
    let packet = [7; 1000];
    let (mut sent, mut received, begin) = (0, 0, Instant::now());
    while received < 20_000 && begin.elapsed() < PATIENCE {
        for _ in 0..60 {
            post(&mut a, 1, &packet);
        }
        a.flush().unwrap();
        sent += 60;
        while received < sent && begin.elapsed() < PATIENCE {
            received += b.receive(&mut |p| assert_eq!(p, packet)).unwrap();
        }
    }
    assert!(received >= 20_000, "{received} of {sent}");
    let calls = counter(&a, "system calls to send");
    assert!(calls * 10 < sent as u64, "{calls} calls for {sent} packets");
}

#[test]
fn a_fabric_without_offload_and_without_gathering_works_too() {
    let (mut a, mut b) = pair(&loopback());
    a.queue = SendQueue::new(false);
    b.receive_queue = ReceiveQueue::new(PACKET_BYTES_MAX, PACKET_BYTES_MAX, false);
    for at in 0..10 {
        post(&mut a, 1, &[at; 100]);
    }
    a.flush().unwrap();
    assert_eq!(take(&mut b, 10).len(), 10);
}

#[test]
fn what_the_kernel_will_not_take_in_one_piece_goes_packet_by_packet() {
    let (mut a, mut b) = pair(&loopback());
    for at in 0..10 {
        post(&mut a, 1, &[at; 100]);
    }
    a.refused(&io::Error::from_raw_os_error(libc::EIO)).unwrap();
    assert!(a.queue.is_empty());
    post(&mut a, 1, &[10; 100]);
    post(&mut a, 1, &[11; 100]);
    assert_eq!(a.queue.runs().count(), 2, "the way remembers");
    a.flush().unwrap();
    assert_eq!(take(&mut b, 12).len(), 12);
}

#[test]
fn a_packet_too_long_for_its_path_is_cut_by_the_network_and_counted() {
    let (mut a, mut b) = pair(&loopback());
    post(&mut a, 1, &[3; 5000]);
    a.refused(&io::Error::from_raw_os_error(libc::EMSGSIZE)).unwrap();
    assert_eq!(take(&mut b, 1), [[3; 5000]]);
    assert_eq!(counter(&a, "packets too long for their path"), 1);
}

#[test]
fn a_link_that_is_away_loses_packets_and_is_no_error() {
    let (mut a, mut b) = pair(&loopback());
    post(&mut a, 1, b"lost");
    a.refused(&io::Error::from_raw_os_error(libc::ENETUNREACH)).unwrap();
    post(&mut a, 1, b"next");
    a.flush().unwrap();
    assert_eq!(take(&mut b, 1), [b"next"]);
    assert_eq!(counter(&a, "packets the kernel refused"), 1);
}

#[test]
fn nobody_listening_is_no_error() {
    let (mut a, b) = pair(&loopback());
    drop(b);
    for _ in 0..10 {
        post(&mut a, 1, b"anybody?");
        a.flush().unwrap();
        a.receive(&mut |_| panic!("nobody answers")).unwrap();
    }
}

#[test]
fn foreign_datagrams_are_shown_as_they_are_and_empty_ones_are_nothing() {
    let (_, mut b) = pair(&loopback());
    let unauthenticated = UdpSocket::bind("127.0.0.1:0").unwrap();
    let to = b.sockets[0].local_addr().unwrap();
    for len in [0, PACKET_BYTES_MAX, 1] {
        unauthenticated.send_to(&vec![9; len], to).unwrap();
    }
    let lengths: Vec<usize> = take(&mut b, 2).iter().map(Vec::len).collect();
    assert_eq!(lengths, [PACKET_BYTES_MAX, 1]);
}

#[test]
fn what_is_longer_than_a_packet_is_dropped_and_counted() {
    for offload in [false, true] {
        let (_, mut b) = pair(&loopback());
        b.receive_queue = ReceiveQueue::new(PACKET_BYTES_MAX, PACKET_BYTES_MAX, offload);
        let unauthenticated = UdpSocket::bind("127.0.0.1:0").unwrap();
        let to = b.sockets[0].local_addr().unwrap();
        unauthenticated.send_to(&[9; 20_000], to).unwrap();
        unauthenticated.send_to(&[1], to).unwrap();
        assert_eq!(take(&mut b, 1), [[1]]);
        assert_eq!(counter(&b, "packets longer than ours"), 1);
    }
}

#[test]
fn a_sending_port_lets_nothing_in() {
    let (a, _) = pair(&loopback());
    let unauthenticated = UdpSocket::bind("127.0.0.1:0").unwrap();
    unauthenticated.send_to(&[1], a.sockets[1].local_addr().unwrap()).unwrap();
    let mut buffer = [0];
    let nothing = a.sockets[1].recv_from(&mut buffer).unwrap_err();
    assert_eq!(nothing.kind(), io::ErrorKind::WouldBlock);
}

#[test]
fn six_works_as_four_does() {
    let mut config = loopback();
    config.interfaces[0].ifaddrs = vec![IfAddr { ip: Ipv6Addr::LOCALHOST.into(), prefix: 128 }];
    if UdpSocket::bind((Ipv6Addr::LOCALHOST, 0)).is_err() {
        return; // A kernel without IPv6.
    }
    let (mut a, mut b) = pair(&config);
    for _ in 0..3 {
        post(&mut a, 1, &[6; 3000]);
    }
    a.flush().unwrap();
    assert_eq!(take(&mut b, 3).len(), 3);
}

#[test]
fn ports_that_are_named_are_the_only_ones_used() {
    let free = UdpSocket::bind("127.0.0.1:0").unwrap();
    let first = free.local_addr().unwrap().port().min(u16::MAX - 40);
    let config = InterfaceConfig { ports: Some((first, first + 40)), ..loopback() };
    let (mut a, mut b) = pair(&config);
    post(&mut a, 1, b"from a port in the range");
    a.flush().unwrap();
    assert_eq!(take(&mut b, 1).len(), 1);
    let peers = [0].map(|place| a.peers.at(place).own.is_some());
    assert_eq!(peers, [false]);
    for socket in &a.sockets {
        let port = socket.local_addr().unwrap().port();
        assert!((first..=first + 40).contains(&port), "{port}");
    }
}

#[test]
fn packets_fit_the_interface() {
    let mut config = loopback();
    config.interfaces[0].mtu = 1500;
    let a = Udp::open(Identity::keyless(0, Security::Off), config.clone()).unwrap();
    assert_eq!(a.capabilities().packet_bytes_max, 1472);
    config.interfaces[0].mtu = 9001;
    let a = Udp::open(Identity::keyless(0, Security::Off), config).unwrap();
    assert_eq!(a.capabilities().packet_bytes_max, 8960);
}

#[test]
fn a_sleeper_is_woken_by_a_packet() {
    let (mut a, mut b) = pair(&loopback());
    let readable = |b: &Udp| {
        let mut poll = libc::pollfd { fd: -1, events: libc::POLLIN, revents: 0 };
        b.sleep_fds(&mut |fd| poll.fd = fd);
        // SAFETY: one entry, which lives for the call.
        unsafe { libc::poll(&raw mut poll, 1, 0) == 1 }
    };
    assert!(!readable(&b));
    post(&mut a, 1, b"wake");
    a.flush().unwrap();
    assert!(readable(&b));
    take(&mut b, 1);
    assert!(!readable(&b));
}
