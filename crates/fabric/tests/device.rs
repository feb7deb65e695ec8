//! libfabric's fabric over a stand-in for an EFA device (`tests/efa`), which libfabric loads as a
//! provider: what goes wrong with devices goes wrong here on demand. Skipped where libfabric or its
//! headers are not installed.

use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use dunlin_base::settings::{NET_DEVICES, NET_FABRIC, NET_INTERFACE, Settings};
use dunlin_fabric::choice::{Choice, Started, choose};
use dunlin_fabric::offer::{Offer, Reply};
use dunlin_fabric::{Access, Fabric, Identity, RemoteKey};
use dunlin_seal::{JOB_KEY_BYTES, JobKey, Security};

const PATIENCE: Duration = Duration::from_secs(20);

/// The directory with the devices, if the stand-in could be built. Variables are the process's, so
/// one test runs at a time.
static STAND_IN: LazyLock<Option<Mutex<PathBuf>>> = LazyLock::new(|| {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("efa");
    // Of an earlier run.
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(dir.join("class/rdmap0s6/ports/1/hw_counters")).unwrap();
    std::fs::create_dir_all(dir.join("provider")).unwrap();
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/efa");
    let mut cc = std::process::Command::new("cc");
    cc.args(["-shared", "-fPIC", "-O1", "-o"]).arg(dir.join("provider/libefastandin-fi.so"));
    for name in ["provider.c", "objects.c", "endpoint.c", "shared.c"] {
        cc.arg(sources.join(name));
    }
    let is_built = cc.status().is_ok_and(|status| status.success());
    // SAFETY: no other test of this process begins before this has ended.
    unsafe { std::env::set_var("FI_PROVIDER_PATH", dir.join("provider")) };
    // It may be built and not be loaded, where there is no libfabric.
    let is_there = is_built && std::fs::exists("/usr/include/rdma/fabric.h").unwrap_or(false);
    is_there.then(|| Mutex::new(dir))
});

/// A device with which this goes wrong.
struct Device {
    dir: MutexGuard<'static, PathBuf>,
}

impl Device {
    fn with(faults: &str) -> Option<Device> {
        let Some(dir) = STAND_IN.as_ref() else {
            eprintln!("not tested: libfabric's headers are not here");
            return None;
        };
        let device = Device { dir: dir.lock().unwrap_or_else(|e| e.into_inner()) };
        device.set(faults);
        Some(device)
    }

    /// What is opened from now on has these faults.
    fn set(&self, faults: &str) {
        let text = format!("dir={},{faults}", self.dir.display());
        // SAFETY: the lock keeps other tests away, which are all that read variables.
        unsafe { std::env::set_var("EFA_STANDIN", text) };
    }

    fn choice(&self, fabric: &str) -> Choice {
        let devices = format!("{}/class", self.dir.display());
        let given = [(&NET_DEVICES, &devices[..]), (&NET_FABRIC, fabric), (&NET_INTERFACE, "lo")];
        let given = given.map(|(setting, value)| (setting.name.into(), value.into()));
        choose(&Settings::checked(given.into_iter()).unwrap()).unwrap()
    }

    fn start(&self, rank: u32) -> (Started, Option<String>) {
        self.choice("auto").start(identity(rank)).unwrap()
    }

    fn offer(&self, rank: u32) -> Offer {
        match self.start(rank) {
            (Started::Offer(offer), None) => *offer,
            (_, why) => panic!("no offer: {why:?}"),
        }
    }

    /// Two processes that have agreed and know each other.
    fn pair(&self) -> [Box<dyn Fabric>; 2] {
        let offers = [self.offer(0), self.offer(1)];
        assert_eq!(offers[0].reply(offers[1].address()), Reply::Same);
        let mut ends = offers.map(|offer| offer.settle(true));
        for at in 0..2 {
            ends[at].set_key(JobKey::new([7; JOB_KEY_BYTES]));
            let address = ends[1 - at].address().to_vec();
            ends[at].connect(1 - at as u32, &address).unwrap();
        }
        ends
    }
}

fn identity(rank: u32) -> Identity {
    Identity::keyless(rank, Security::Off)
}

/// Sends so many packets both ways and takes them; in which order the first end has got them.
fn exchange(ends: &mut [Box<dyn Fabric>; 2], count: u32) -> dunlin_base::Result<Vec<u32>> {
    let longest = ends[0].capabilities().packet_bytes_max;
    let (mut sent, mut came, begin) = ([0; 2], [Vec::new(), Vec::new()], Instant::now());
    while came.iter().any(|came| came.len() < count as usize) {
        assert!(begin.elapsed() < PATIENCE, "{} and {}", came[0].len(), came[1].len());
        for at in 0..2 {
            let (end, peer) = (&mut ends[at], 1 - at as u32);
            while sent[at] < count {
                let len = 4 + sent[at] as usize * 37 % (longest - 3);
                let Some(space) = end.space(peer) else { break };
                space[..len].fill(sent[at] as u8);
                space[..4].copy_from_slice(&sent[at].to_le_bytes());
                end.post(peer, len);
                sent[at] += 1;
            }
            end.flush()?;
            end.receive(&mut |packet| {
                let number = u32::from_le_bytes(packet[..4].try_into().unwrap());
                assert!(packet[4..].iter().all(|&byte| byte == number as u8));
                came[at].push(number);
            })?;
        }
    }
    let [first, second] = &mut came;
    let in_order = first.clone();
    for seen in [first, second] {
        seen.sort_unstable();
        assert!(seen.iter().copied().eq(0..count));
    }
    Ok(in_order)
}

fn counted(end: &dyn Fabric, wanted: &str) -> u64 {
    let mut found = 0;
    end.counters(&mut |name, count| found += if name == wanted { count } else { 0 });
    found
}

fn read(ends: &mut [Box<dyn Fabric>; 2], rkey: RemoteKey, count: usize) -> Option<Vec<u8>> {
    let (mut into, begin, mut ended) = (vec![0; count], Instant::now(), None);
    // SAFETY: `into` is used by nobody until the read has ended.
    if !unsafe { ends[0].read(1, rkey, &raw mut into[..], 9) } {
        return None;
    }
    while ended.is_none() {
        assert!(begin.elapsed() < PATIENCE, "a read has no end");
        ends[0].receive(&mut |_| {}).unwrap();
        ends[0].rma_done(&mut |_, is_good| ended = Some(is_good));
    }
    ended.unwrap().then_some(into)
}

#[test]
fn a_device_that_works_is_offered_and_brings_packets_in_any_order() {
    let Some(device) = Device::with("") else { return };
    let offer = device.offer(0);
    let text = offer.description();
    let promise = "efa-direct on rdmap0s6-rdm: reliable, in any order, packets of up to 8928 bytes";
    assert!(text.starts_with(promise) && text.contains("4 packets to itself"), "{text}");
    drop(offer);
    let mut ends = device.pair();
    assert_eq!(ends[0].name(), "ofi:efa-direct+tcp");
    let shape = ends[0].capabilities();
    assert!(shape.reliable && !shape.ordered && shape.packet_bytes_max == 8928);
    let order = exchange(&mut ends, 600).unwrap();
    assert!(!order.is_sorted());
    assert_eq!(counted(&*ends[0], "peers reached over TCP"), 0);
}

#[test]
fn a_device_that_cannot_be_opened_or_loses_packets_leaves_the_choice_to_what_goes_without() {
    let Some(device) = Device::with("no_domain=1") else { return };
    for (faults, why) in [
        ("no_domain=1", "libfabric cannot set up its domain: Permission denied"),
        ("lose_own=1", "of 4 packets to itself 0 have come back in 2 s"),
        ("registrations=0", "it is asked to pin"),
    ] {
        device.set(faults);
        let mut choice = device.choice("auto");
        let (started, refused) = choice.start(identity(0)).unwrap();
        let refused = refused.unwrap();
        assert!(refused.contains(why), "{refused}");
        assert!(choice.others.iter().any(|(_, text)| *text == refused));
        match started {
            Started::Fabric(fabric) => assert_eq!(fabric.name(), "udp+tcp"),
            Started::Offer(_) => panic!("{faults}"),
        }
    }
}

#[test]
fn a_peer_that_the_device_does_not_reach_is_reached_over_tcp() {
    let Some(device) = Device::with("no_peers=1") else { return };
    let mut ends = device.pair();
    exchange(&mut ends, 300).unwrap();
    let notices: Vec<String> = ends.iter_mut().filter_map(|end| end.notice()).collect();
    assert_eq!(notices.len(), 2);
    let text = &notices[0];
    let said = text.contains("rank 0 does not reach rank 1 by ofi:efa-direct (No route to host)")
        && text.contains("go over TCP");
    assert!(said, "{text}");
    assert_eq!(counted(&*ends[0], "peers reached over TCP"), 1);
    assert_eq!(read(&mut ends, RemoteKey { address: 0, key: 0 }, 1), None);
}

#[test]
fn a_peer_of_which_the_device_says_nothing_is_reached_over_tcp_after_a_while() {
    let Some(device) = Device::with("silent_peers=1") else { return };
    let mut ends = device.pair();
    exchange(&mut ends, 30).unwrap();
    let text = ends[0].notice().unwrap();
    assert!(text.contains("no packet has arrived in 5 s"), "{text}");
    let begin = Instant::now();
    while !ends.iter().all(|end| end.is_flushed()) {
        assert!(begin.elapsed() < PATIENCE, "what nobody waits for keeps a process from ending");
        ends.iter_mut().for_each(|end| assert_eq!(end.receive(&mut |_| {}).unwrap(), 0));
    }
}

#[test]
fn a_full_queue_makes_packets_wait() {
    let Some(device) = Device::with("queue=3") else { return };
    let mut ends = device.pair();
    exchange(&mut ends, 1_000).unwrap();
    assert!(counted(&*ends[0], "times libfabric was busy") > 0);
}

#[test]
fn an_error_of_a_completion_is_an_error_of_the_fabric() {
    let Some(device) = Device::with("send_error=100") else { return };
    let error = exchange(&mut device.pair(), 300).unwrap_err().to_string();
    assert!(
        error.contains("the network has lost rank") && error.contains("Input/output"),
        "{error}"
    );
    device.set("recv_error=100");
    let error = exchange(&mut device.pair(), 300).unwrap_err().to_string();
    assert!(error.contains("has lost a packet to this rank: Input/output"), "{error}");
}

#[test]
fn memory_is_read_as_long_as_it_may_be_registered() {
    let Some(device) = Device::with("registrations=3") else { return };
    let mut ends = device.pair();
    exchange(&mut ends, 10).unwrap();
    let memory: Vec<u8> = (0..3_000_001u32).map(|at| (at % 251) as u8).collect();
    // SAFETY: the memory outlives what is shown of it.
    let register =
        |end: &mut dyn Fabric| unsafe { end.register(&raw const memory[..], Access::Read) };
    let (number, rkey) = register(&mut *ends[1]).unwrap();
    assert_eq!(read(&mut ends, rkey, memory.len()).as_ref(), Some(&memory));
    assert_eq!(read(&mut ends, RemoteKey { key: rkey.key + 1, ..rkey }, 777), None);
    let other = register(&mut *ends[1]).unwrap().0;
    assert_eq!(register(&mut *ends[1]), None, "one is for packets, and the device has three");
    ends[1].deregister(number);
    let again = register(&mut *ends[1]).unwrap().0;
    [other, again].into_iter().for_each(|number| ends[1].deregister(number));
}

#[test]
fn memory_is_written_where_the_device_can_and_it_was_registered_for_that() {
    let Some(device) = Device::with("") else { return };
    let mut ends = device.pair();
    exchange(&mut ends, 10).unwrap();
    let from: Vec<u8> = (0..3_000_001u32).map(|at| (at % 251) as u8).collect();
    let mut memory = vec![0; from.len()];
    let shown = &raw mut memory[..];
    let write = |ends: &mut [Box<dyn Fabric>; 2], rkey: RemoteKey| {
        let (begin, mut ended) = (Instant::now(), None);
        // SAFETY: nobody writes to `from`.
        let has_begun = unsafe { ends[0].write(1, rkey, &raw const from[..], 9) };
        while has_begun && ended.is_none() {
            assert!(begin.elapsed() < PATIENCE, "a write has no end");
            ends[0].receive(&mut |_| {}).unwrap();
            ends[0].rma_done(&mut |_, is_good| ended = Some(is_good));
        }
        ended
    };
    for (access, is_good) in [(Access::Read, false), (Access::ReadWrite, true)] {
        // SAFETY: the memory outlives what is shown of it, and is looked at when nobody writes.
        let (number, rkey) = unsafe { ends[1].register(shown, access) }.unwrap();
        assert_eq!(write(&mut ends, rkey), Some(is_good));
        ends[1].deregister(number);
    }
    assert_eq!(memory, from);
    device.set("writes=0");
    let mut ends = device.pair();
    exchange(&mut ends, 10).unwrap();
    let shape = ends[0].capabilities();
    assert!(shape.remote_read && !shape.remote_write);
    assert_eq!(write(&mut ends, RemoteKey { address: 0, key: 0 }), None);
}

#[test]
fn reads_that_fail_say_so_and_a_device_without_reads_has_none() {
    let Some(device) = Device::with("read_error=2") else { return };
    let mut ends = device.pair();
    exchange(&mut ends, 10).unwrap();
    let memory = [7; 10_000];
    // SAFETY: the memory outlives what is shown of it.
    let (_, rkey) = unsafe { ends[1].register(&raw const memory[..], Access::Read) }.unwrap();
    assert_eq!(read(&mut ends, rkey, memory.len()), Some(memory.to_vec()));
    assert_eq!(read(&mut ends, rkey, memory.len()), None);
    device.set("reads=0");
    let mut ends = device.pair();
    assert!(!ends[0].capabilities().remote_read);
    exchange(&mut ends, 100).unwrap();
    // SAFETY: nothing is shown.
    assert_eq!(unsafe { ends[1].register(&raw const memory[..], Access::Read) }, None);
}

#[test]
fn the_offer_knows_who_offers_the_same_and_leads_to_those_without_a_device() {
    let Some(device) = Device::with("") else { return };
    let offer = device.offer(0);
    let mut without = device.choice("udp+tcp").open(identity(1)).unwrap();
    assert_eq!(offer.reply(without.address()), Reply::None);
    let tcp = device.choice("ofi+tcp").open(identity(2)).unwrap();
    assert_eq!(offer.reply(tcp.address()), Reply::Same);
    let mut other = tcp.address().to_vec();
    // The mark of the provider.
    other[7] ^= 1;
    assert_eq!(offer.reply(&other), Reply::Other);
    let address = offer.address().to_vec();
    let mut fabric = offer.settle(false);
    assert_eq!(fabric.name(), "udp+tcp");
    without.connect(0, &address).unwrap();
    fabric.connect(1, without.address()).unwrap();
    exchange(&mut [fabric, without], 20).unwrap();
}
