//! What a fabric costs beside bare sockets, in one run and in turns, over an interface (loopback,
//! or the one named): half round trips and bandwidth between two threads, and the processor's time
//! for one packet sent and received by the same thread, which a busy machine disturbs least.
//!
//! `cargo run --release -p dunlin-fabric --example pingpong -- [--work] [INTERFACE [FABRIC...]]`

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsRawFd;
use std::thread::scope;
use std::time::{Duration, Instant};

use dunlin_fabric::interfaces::Interface;
use dunlin_fabric::{Fabric, Identity, InterfaceConfig, interfaces, ofi, tcp, udp};
use dunlin_seal::Security;

/// Long enough to be steady, short enough for twenty of them.
const ROUND_TRIPS: usize = 5_000;
const FIRST_TRIPS: usize = 100;
const TURNS: usize = 5;
const SIZES: [usize; 4] = [8, 64, 1024, 8192];
/// Packets on their way at a time, and after how many of them the receiver answers.
const WINDOW: usize = 128;
const ANSWER_AFTER: usize = 32;
const STREAM_BYTES: usize = 64 << 20;
const STREAM_PACKETS: usize = 50_000;

/// One end of a way to send packets.
trait End: Send {
    fn send(&mut self, len: usize);
    fn flush(&mut self);
    /// Whether packets may be so long.
    fn takes(&self, _len: usize) -> bool {
        true
    }
    /// Packets that have come.
    fn poll(&mut self) -> usize;
}

struct Bare<S>(S, Vec<u8>);

impl End for Bare<UdpSocket> {
    fn send(&mut self, len: usize) {
        while self.0.send(&self.1[..len]).is_err() {}
    }

    fn flush(&mut self) {}

    fn poll(&mut self) -> usize {
        usize::from(self.0.recv(&mut self.1).is_ok())
    }
}

/// A stream has no packets: one is as many bytes as the last one sent.
struct BareStream {
    stream: TcpStream,
    buffer: Vec<u8>,
    len: usize,
    have: usize,
}

impl End for BareStream {
    fn send(&mut self, len: usize) {
        self.len = len;
        let mut rest = &self.buffer[..len];
        while !rest.is_empty() {
            if let Ok(done) = self.stream.write(rest) {
                rest = &rest[done..];
            }
        }
    }

    fn flush(&mut self) {}

    fn poll(&mut self) -> usize {
        self.have += self.stream.read(&mut self.buffer).unwrap_or(0);
        // Before anything was sent: whatever comes is one.
        let len = if self.len == 0 { self.have.max(1) } else { self.len };
        let packets = self.have / len;
        self.have -= packets * len;
        packets
    }
}

struct Ours(Box<dyn Fabric>, u32);

impl End for Ours {
    fn send(&mut self, len: usize) {
        while self.0.space(self.1).is_none() {
            self.0.flush().unwrap();
        }
        self.0.post(self.1, len);
    }

    fn flush(&mut self) {
        self.0.flush().unwrap();
    }

    fn takes(&self, len: usize) -> bool {
        len <= self.0.capabilities().packet_bytes_max
    }

    fn poll(&mut self) -> usize {
        self.0.receive(&mut |_| {}).unwrap()
    }
}

type Pair = (Box<dyn End>, Box<dyn End>);

fn wait(end: &mut dyn End, count: usize) {
    let mut come = 0;
    while come < count {
        come += end.poll();
    }
}

/// Nanoseconds of half a round trip.
fn half_round_trip((a, b): &mut Pair, len: usize, trips: usize) -> f64 {
    scope(|scope| {
        scope.spawn(|| {
            for _ in 0..trips {
                wait(&mut **b, 1);
                b.send(len);
                b.flush();
            }
        });
        let begin = Instant::now();
        for _ in 0..trips {
            a.send(len);
            a.flush();
            wait(&mut **a, 1);
        }
        begin.elapsed().as_nanos() as f64 / trips as f64 / 2.0
    })
}

/// Nanoseconds of this thread's own work for one packet sent and received.
fn work((a, b): &mut Pair, len: usize, packets: usize) -> f64 {
    let begin = thread_time();
    for _ in 0..packets / 2 {
        hop(&mut **a, &mut **b, len);
        hop(&mut **b, &mut **a, len);
    }
    (thread_time() - begin) as f64 / packets as f64
}

fn hop(from: &mut dyn End, to: &mut dyn End, len: usize) {
    // Who waits looks in vain at first.
    assert_eq!(to.poll(), 0);
    from.send(len);
    from.flush();
    wait(to, 1);
}

/// Nanoseconds of processor time of this thread.
fn thread_time() -> i64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the kernel writes to a time that lives for the call.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    assert_eq!(result, 0);
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Packets of `len` bytes one way; gigabytes per second. What is lost is not sent again: its part
/// of the window is lost too, so a way that loses much does not end; loopback does not.
fn bandwidth((a, b): &mut Pair, len: usize) -> f64 {
    let count = (STREAM_BYTES / len).min(STREAM_PACKETS) / ANSWER_AFTER * ANSWER_AFTER;
    scope(|scope| {
        scope.spawn(|| {
            let (mut come, mut answered) = (0, 0);
            while come < count {
                come += b.poll();
                while come - answered >= ANSWER_AFTER {
                    answered += ANSWER_AFTER;
                    b.send(len);
                    b.flush();
                }
            }
        });
        let begin = Instant::now();
        let (mut sent, mut done) = (0, 0);
        while done < count {
            while sent < count && sent < done + WINDOW {
                a.send(len);
                sent += 1;
            }
            a.flush();
            done += ANSWER_AFTER * a.poll();
        }
        (count * len) as f64 / begin.elapsed().as_nanos() as f64
    })
}

/// Room for all that is on its way: what a bare socket drops would not come again.
fn enlarge(socket: &UdpSocket) {
    let bytes: i32 = 4 << 20;
    let len = size_of::<i32>() as u32;
    let (level, name) = (libc::SOL_SOCKET, libc::SO_RCVBUF);
    // SAFETY: the option's value is an integer that lives for the call.
    let result = unsafe {
        libc::setsockopt(socket.as_raw_fd(), level, name, (&raw const bytes).cast(), len)
    };
    assert_eq!(result, 0);
}

fn bare_udp(config: &InterfaceConfig) -> Pair {
    let ip = config.ifaddrs()[0].ip;
    let open = || {
        let socket = UdpSocket::bind((ip, 0)).unwrap();
        enlarge(&socket);
        socket
    };
    let (a, b) = (open(), open());
    a.connect(b.local_addr().unwrap()).unwrap();
    b.connect(a.local_addr().unwrap()).unwrap();
    let end = |socket: UdpSocket| {
        socket.set_nonblocking(true).unwrap();
        Box::new(Bare(socket, vec![0; 65_536]))
    };
    (end(a), end(b))
}

fn bare_tcp(config: &InterfaceConfig) -> Pair {
    let listener = TcpListener::bind((config.ifaddrs()[0].ip, 0)).unwrap();
    let a = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (b, _) = listener.accept().unwrap();
    let end = |stream: TcpStream| {
        stream.set_nonblocking(true).unwrap();
        stream.set_nodelay(true).unwrap();
        Box::new(BareStream { stream, buffer: vec![0; 256 << 10], len: 0, have: 0 })
    };
    (end(a), end(b))
}

fn ours(name: &str, config: &InterfaceConfig) -> Pair {
    let open = |rank| -> Box<dyn Fabric> {
        let identity = Identity::keyless(rank, Security::Off);
        match name {
            "udp" => Box::new(udp::Udp::open(identity, config.clone()).unwrap()),
            "tcp" => Box::new(tcp::Tcp::open(identity, config.clone()).unwrap()),
            other => match other.strip_prefix("ofi:") {
                Some(provider) => {
                    let open = ofi::Ofi::open(
                        identity,
                        config,
                        "libfabric.so.1",
                        ofi::Wanted::Named(provider),
                    );
                    Box::new(open.unwrap())
                }
                None => panic!("no fabric is called {other}"),
            },
        }
    };
    let (mut a, mut b) = (open(0), open(1));
    a.connect(1, b.address()).unwrap();
    b.connect(0, a.address()).unwrap();
    (Box::new(Ours(a, 1)), Box::new(Ours(b, 0)))
}

fn config(name: &str) -> InterfaceConfig {
    let all = interfaces::list().unwrap();
    let mut chosen: Vec<Interface> = all.into_iter().filter(|one| one.name == name).collect();
    chosen.iter_mut().for_each(|one| one.ifaddrs.truncate(1));
    let flows = std::env::var("FLOWS").map_or(4, |flows| flows.parse().unwrap());
    InterfaceConfig { interfaces: chosen, ports: None, flows, timeout: Duration::from_secs(20) }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn main() {
    let mut arguments = std::env::args().skip(1).peekable();
    let only_work = arguments.next_if(|argument| argument == "--work").is_some();
    let config = config(arguments.next().as_deref().unwrap_or("lo"));
    let mut names: Vec<String> = arguments.collect();
    if names.is_empty() {
        names = vec!["udp".into(), "tcp".into()];
    }
    let mut pairs =
        vec![("bare udp".into(), bare_udp(&config)), ("bare tcp".into(), bare_tcp(&config))];
    pairs.extend(names.into_iter().map(|name| (name.clone(), ours(&name, &config))));
    println!(
        "{:10} {:>6} {:>10} {:>16} {:>10}",
        "", "bytes", "work (us)", "half trip (us)", "GB/s"
    );
    for len in SIZES {
        let mut seen = vec![[Vec::new(), Vec::new(), Vec::new()]; pairs.len()];
        pairs.retain(|(_, pair)| pair.0.takes(len));
        // Connections are made at first use, by both sides together.
        pairs.iter_mut().for_each(|(_, pair)| _ = half_round_trip(pair, len, FIRST_TRIPS));
        for _ in 0..TURNS {
            for ((_, pair), [works, trips, streams]) in pairs.iter_mut().zip(&mut seen) {
                works.push(work(pair, len, ROUND_TRIPS) / 1000.0);
                if !only_work {
                    trips.push(half_round_trip(pair, len, ROUND_TRIPS) / 1000.0);
                    streams.push(bandwidth(pair, len));
                }
            }
        }
        for ((name, _), columns) in pairs.iter().zip(seen) {
            let [work, trip, stream] = columns.map(median);
            println!("{name:10} {len:6} {work:10.3} {trip:16.3} {stream:10.3}");
        }
    }
}
