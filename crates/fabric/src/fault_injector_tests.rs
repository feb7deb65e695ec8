//! Faults over a fabric that is a queue, so that every fault is an injected one.

use std::collections::VecDeque;

use super::*;
use crate::interface_config::tests::loopback;
use crate::tcp::Tcp;
use crate::{Fabric, Identity, RemoteKey};
use dunlin_seal::Security;

/// Shows what was posted, in order, ten packets at a time.
#[derive(Default)]
struct Queue {
    room: [u8; 16],
    posted: VecDeque<Vec<u8>>,
    reliable: bool,
    read: Vec<u64>,
}

impl Fabric for Queue {
    fn name(&self) -> &'static str {
        "queue"
    }

    fn capabilities(&self) -> Capabilities {
        let reliable = self.reliable;
        Capabilities {
            reliable,
            authenticated: false,
            ordered: true,
            packet_bytes_max: 16,
            remote_read: true,
            remote_write: true,
        }
    }

    fn address(&self) -> &[u8] {
        &[]
    }

    fn connect(&mut self, _: Peer, _: &[u8]) -> Result<()> {
        Ok(())
    }

    fn space(&mut self, _: Peer) -> Option<&mut [u8]> {
        Some(&mut self.room)
    }

    fn post(&mut self, _: Peer, len: usize) {
        self.posted.push_back(self.room[..len].to_vec());
    }

    unsafe fn read(&mut self, _: Peer, _: RemoteKey, _: *mut [u8], number: u64) -> bool {
        self.read.push(number);
        true
    }

    unsafe fn write(&mut self, _: Peer, _: RemoteKey, _: *const [u8], number: u64) -> bool {
        self.read.push(number);
        true
    }

    fn rma_done(&mut self, done: &mut dyn FnMut(u64, bool)) {
        self.read.drain(..).for_each(|number| done(number, true));
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    fn is_flushed(&self) -> bool {
        true
    }

    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<usize> {
        let count = self.posted.len().min(10);
        self.posted.drain(..count).for_each(|packet| take(&packet));
        Ok(count)
    }

    fn sleep_fds(&self, _: &mut dyn FnMut(RawFd)) {}

    fn counters(&self, _: &mut dyn FnMut(&'static str, u64)) {}
}

fn faults(text: &str) -> FaultInjector {
    FaultInjector::new(Box::new(Queue::default()), FaultPlan::parse(text).unwrap(), 3).unwrap()
}

/// The numbers that arrive of `count` packets, each with its number.
fn sent(faults: &mut FaultInjector, count: u32) -> Vec<u32> {
    let (mut arrived, mut next, mut quiet) = (Vec::new(), 0, None::<Instant>);
    loop {
        if next < count {
            if let Some(space) = faults.space(0) {
                space[..4].copy_from_slice(&u32::to_le_bytes(next));
                faults.post(0, 4);
                next += 1;
            }
        }
        faults.flush().unwrap();
        let mut take = |packet: &[u8]| arrived.push(u32::from_le_bytes(packet.try_into().unwrap()));
        if faults.receive(&mut take).unwrap() > 0 || next < count {
            quiet = None;
        } else if faults.held.is_empty() && faults.stalled_until.is_none() {
            // Nothing more can come.
            let since = *quiet.get_or_insert_with(Instant::now);
            if since.elapsed() > Duration::from_millis(1) {
                return arrived;
            }
        }
    }
}

fn counter(faults: &FaultInjector, wanted: &str) -> u64 {
    let mut value = None;
    faults.counters(&mut |name, count| value = if name == wanted { Some(count) } else { value });
    value.unwrap()
}

#[test]
fn without_faults_all_is_as_it_was() {
    assert!(sent(&mut faults("seed=1"), 1000).into_iter().eq(0..1000));
}

#[test]
fn the_same_seed_loses_and_doubles_the_same_packets() {
    let text = "seed=5,drop=0.02,duplicate=0.01";
    let (mut one, mut two) = (faults(text), faults(text));
    let (arrived, again) = (sent(&mut one, 20_000), sent(&mut two, 20_000));
    assert_eq!(arrived, again);
    assert_ne!(arrived, sent(&mut faults("seed=6,drop=0.02,duplicate=0.01"), 20_000));
    let (dropped, doubled) =
        (counter(&one, "faults: packets dropped"), counter(&one, "faults: packets doubled"));
    assert!((300..500).contains(&dropped) && (130..270).contains(&doubled), "{dropped} {doubled}");
    assert_eq!(arrived.len() as u64, 20_000 - dropped + doubled);
    let mut different = arrived.clone();
    different.dedup();
    assert_eq!(different.len() as u64, 20_000 - dropped);
}

#[test]
fn overtaken_packets_all_come_but_later_than_their_successors() {
    let mut faults = faults("seed=5,reorder=0.2,distance=4");
    let mut arrived = sent(&mut faults, 10_000);
    let early = arrived.iter().zip(0u32..).filter(|(number, place)| **number > *place).count();
    assert!(early > 2_000, "{early}");
    let reordered = counter(&faults, "faults: packets overtaken");
    assert!((1_800..2_200).contains(&reordered), "{reordered}");
    arrived.sort_unstable();
    assert!(arrived.into_iter().eq(0..10_000));
}

#[test]
fn a_packet_held_back_alone_comes_by_itself_and_wakes_a_sleeper() {
    for text in ["reorder=1", "delay=1,delay_us=1000"] {
        let mut faults = faults(text);
        faults.space(0).unwrap();
        faults.post(0, 4);
        assert_eq!(faults.receive(&mut |_| panic!("too early")).unwrap(), 0);
        let mut poll = libc::pollfd { fd: -1, events: libc::POLLIN, revents: 0 };
        faults.sleep_fds(&mut |fd| poll.fd = fd);
        // SAFETY: one entry, which lives for the call.
        assert_eq!(unsafe { libc::poll(&raw mut poll, 1, 20_000) }, 1);
        assert_eq!(faults.receive(&mut |_| {}).unwrap(), 1);
        // SAFETY: as above.
        assert_eq!(unsafe { libc::poll(&raw mut poll, 1, 0) }, 0, "nothing more is due");
    }
}

#[test]
fn a_stall_stops_everything_for_its_time() {
    let mut faults = faults("stall=1,stall_us=2000");
    faults.space(0).unwrap();
    faults.post(0, 4);
    assert_eq!(faults.receive(&mut |_| {}).unwrap(), 1);
    let begin = Instant::now();
    while faults.space(0).is_none() {
        faults.flush().unwrap();
    }
    assert!(begin.elapsed() > Duration::from_micros(1000));
    assert_eq!(counter(&faults, "faults: stalls"), 1);
}

#[test]
fn being_busy_delays_but_loses_nothing() {
    let mut faults = faults("seed=2,busy=0.3,stall=0.01,stall_us=50");
    assert!(sent(&mut faults, 2_000).into_iter().eq(0..2_000));
    assert!(counter(&faults, "faults: times without room") > 500);
}

#[test]
fn ranks_have_different_faults() {
    let plan = FaultPlan::parse("drop=0.5").unwrap();
    let of = |rank| FaultInjector::new(Box::new(Queue::default()), plan.clone(), rank).unwrap();
    assert_ne!(sent(&mut of(0), 100), sent(&mut of(1), 100));
}

#[test]
fn some_reads_and_writes_fail_and_each_has_one_end() {
    let mut faults = faults("seed=4,read=0.5");
    let (rkey, mut into) = (RemoteKey { address: 0, key: 0 }, [0; 4]);
    for number in 0..100 {
        // SAFETY: the queue reads and writes nothing.
        let has_begun = unsafe {
            match number % 2 {
                0 => faults.read(1, rkey, &raw mut into[..], number),
                _ => faults.write(1, rkey, &raw const into[..], number),
            }
        };
        assert!(has_begun);
    }
    let (mut ends, mut bad) = (Vec::new(), 0);
    faults.rma_done(&mut |number, is_good| {
        ends.push(number);
        bad += u32::from(!is_good);
    });
    ends.sort_unstable();
    assert!(ends.into_iter().eq(0..100) && (20..80).contains(&bad), "{bad}");
    faults.rma_done(&mut |_, _| panic!("told twice"));
}

#[test]
fn what_is_reliable_is_not_made_to_lose() {
    let open = |text| {
        let inner = Tcp::open(Identity::keyless(0, Security::Off), loopback()).unwrap();
        FaultInjector::new(Box::new(inner), FaultPlan::parse(text).unwrap(), 0)
    };
    for text in ["drop=0.1", "duplicate=0.1"] {
        let error = open(text).err().unwrap().to_string();
        assert!(error.contains("`tcp`") && error.contains("DUNLIN_NET_FAULTS"), "{error}");
    }
    let faults = open("reorder=0.5,busy=0.5").unwrap();
    assert!(faults.capabilities().reliable && faults.name() == "tcp with injected faults");
    let reliable = Queue { reliable: true, ..Queue::default() };
    assert!(
        FaultInjector::new(Box::new(reliable), FaultPlan::parse("drop=1").unwrap(), 0).is_err()
    );
}
