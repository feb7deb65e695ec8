//! Any fabric, with faults: packets that are lost, duplicated, late or reordered, times in which
//! nothing moves or there is no space. A seed determines all of them, so that a failure can be
//! repeated. Except for the lack of space, the faults happen where packets arrive.

use std::os::fd::{AsRawFd, RawFd};
use std::time::{Duration, Instant};

use dunlin_base::Result;
use dunlin_base::settings::NET_FAULTS;

pub use crate::fault_plan::FaultPlan;
use crate::random::{Random, mix64};
use crate::sys::Timer;
use crate::{Access, Capabilities, Fabric, Peer, RemoteKey, failed, wrong};

/// A packet that others are to overtake comes after this long even if none does: several round
/// trips, and not so long that a program that sends one message at a time does little but wait.
const OVERTAKEN_WITHIN: Duration = Duration::from_micros(250);
/// Packets held back at a time; more come at once.
const HELD_MAX: usize = 1024;

/// The decorator.
pub struct FaultInjector {
    inner: Box<dyn Fabric>,
    name: &'static str,
    plan: FaultPlan,
    seed: Random,
    held: Vec<Held>,
    /// Memory of packets that are held no more.
    spare: Vec<Vec<u8>>,
    /// Packets that have come.
    passed: u64,
    stalled_until: Option<Instant>,
    /// Reads and writes that are said to have failed, and were never begun.
    spoilt: Vec<u64>,
    timer: Timer,
    counts: Counts,
}

/// A packet to be delivered later: when others have passed or at a time, whichever is first.
struct Held {
    packet: Vec<u8>,
    after: u64,
    due: Instant,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    seen: u64,
    dropped: u64,
    duplicated: u64,
    reordered: u64,
    delayed: u64,
    stalls: u64,
    busy: u64,
    spoilt: u64,
}

impl FaultInjector {
    /// Faults for what `rank` receives by `inner`, as `plan` says.
    pub fn new(inner: Box<dyn Fabric>, plan: FaultPlan, rank: Peer) -> Result<FaultInjector> {
        if inner.capabilities().reliable && (plan.drop > 0.0 || plan.duplicate > 0.0) {
            return Err(wrong(format!(
                "{NET_FAULTS} wants packets lost or doubled, but `{}` is reliable and nobody would \
                 mend it; leave out `drop` and `duplicate`, or use DUNLIN_NET_FABRIC=udp",
                inner.name()
            )));
        }
        let timer = Timer::new().map_err(|e| failed(format!("cannot make a timer: {e}")))?;
        // One name per process.
        let name = Box::leak(format!("{} with injected faults", inner.name()).into_boxed_str());
        let seed = Random(mix64(plan.seed) ^ u64::from(rank));
        Ok(FaultInjector {
            inner,
            name,
            plan,
            seed,
            held: Vec::with_capacity(HELD_MAX),
            spare: Vec::with_capacity(HELD_MAX),
            passed: 0,
            stalled_until: None,
            spoilt: Vec::new(),
            timer,
            counts: Counts::default(),
        })
    }

    /// Whether nothing moves just now.
    fn stalled(&mut self) -> bool {
        self.stalled_until = self.stalled_until.filter(|&until| until > Instant::now());
        self.stalled_until.is_some()
    }

    /// Whether a read or a write shall fail.
    fn spoils(&mut self, number: u64) -> bool {
        let spoils = self.seed.happens(self.plan.read);
        if spoils {
            self.counts.spoilt += 1;
            self.spoilt.push(number);
        }
        spoils
    }

    /// Delivers the packets whose time has come; returns their number.
    fn release(&mut self, take: &mut dyn FnMut(&[u8])) -> usize {
        if self.held.is_empty() {
            return 0;
        }
        let (now, mut at, mut shown) = (Instant::now(), 0, 0);
        while at < self.held.len() {
            let one = &self.held[at];
            if one.after <= self.passed || one.due <= now {
                let one = self.held.swap_remove(at);
                take(&one.packet);
                self.spare.push(one.packet);
                shown += 1;
            } else {
                at += 1;
            }
        }
        shown
    }

    /// Wakes a sleeper when something is due.
    fn set_timer(&self) -> Result<()> {
        let due = self.held.iter().map(|one| one.due).chain(self.stalled_until).min();
        let delay = due.map(|due| due.saturating_duration_since(Instant::now()));
        self.timer.set(delay).map_err(|e| failed(format!("cannot set a timer: {e}")))
    }
}

/// The parts of [`FaultInjector`] that decide about a packet, while `inner` delivers it.
struct Fate<'a> {
    plan: &'a FaultPlan,
    seed: &'a mut Random,
    held: &'a mut Vec<Held>,
    spare: &'a mut Vec<Vec<u8>>,
    passed: &'a mut u64,
    stalled_until: &'a mut Option<Instant>,
    counts: &'a mut Counts,
}

impl Fate<'_> {
    /// Decides about one packet; returns how often it is delivered now.
    fn meet(&mut self, packet: &[u8], take: &mut dyn FnMut(&[u8])) -> usize {
        self.counts.seen += 1;
        if self.seed.happens(self.plan.stall) {
            self.counts.stalls += 1;
            *self.stalled_until = Some(Instant::now() + self.plan.stall_for);
        }
        if self.seed.happens(self.plan.drop) {
            self.counts.dropped += 1;
            return 0;
        }
        let twice = self.seed.happens(self.plan.duplicate);
        self.counts.duplicated += u64::from(twice);
        let copies = 1 + usize::from(twice);
        (0..copies).map(|_| self.show_or_hold(packet, take)).sum()
    }

    fn show_or_hold(&mut self, packet: &[u8], take: &mut dyn FnMut(&[u8])) -> usize {
        if self.held.len() < HELD_MAX {
            if self.seed.happens(self.plan.reorder) {
                self.counts.reordered += 1;
                let after = *self.passed + 1 + self.seed.below(self.plan.distance);
                self.hold(packet, after, OVERTAKEN_WITHIN);
                return 0;
            }
            if self.seed.happens(self.plan.delay) {
                self.counts.delayed += 1;
                let nanos = self.seed.below(self.plan.delay_max.as_nanos() as u64);
                self.hold(packet, u64::MAX, Duration::from_nanos(nanos));
                return 0;
            }
        }
        *self.passed += 1;
        take(packet);
        1
    }

    fn hold(&mut self, packet: &[u8], after: u64, within: Duration) {
        let mut copy = self.spare.pop().unwrap_or_default();
        copy.clear();
        copy.extend_from_slice(packet);
        self.held.push(Held { packet: copy, after, due: Instant::now() + within });
    }
}

impl Fabric for FaultInjector {
    fn name(&self) -> &'static str {
        self.name
    }

    fn capabilities(&self) -> Capabilities {
        let ordered = self.plan.reorder == 0.0 && self.plan.delay == 0.0;
        let inner = self.inner.capabilities();
        Capabilities { ordered: ordered && inner.ordered, ..inner }
    }

    fn set_key(&mut self, key: dunlin_seal::JobKey) {
        self.inner.set_key(key);
    }

    fn address(&self) -> &[u8] {
        self.inner.address()
    }

    fn connect(&mut self, peer: Peer, address: &[u8]) -> Result<()> {
        self.inner.connect(peer, address)
    }

    fn space(&mut self, peer: Peer) -> Option<&mut [u8]> {
        if self.seed.happens(self.plan.busy) || self.stalled() {
            self.counts.busy += 1;
            return None;
        }
        self.inner.space(peer)
    }

    fn post(&mut self, peer: Peer, len: usize) {
        self.inner.post(peer, len);
    }

    fn flush(&mut self) -> Result<()> {
        if self.stalled() { self.set_timer() } else { self.inner.flush() }
    }

    fn is_flushed(&self) -> bool {
        self.inner.is_flushed()
    }

    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<usize> {
        if self.stalled_until.is_some() {
            if self.stalled() {
                return Ok(0);
            }
            self.inner.flush()?;
        }
        let mut fate = Fate {
            plan: &self.plan,
            seed: &mut self.seed,
            held: &mut self.held,
            spare: &mut self.spare,
            passed: &mut self.passed,
            stalled_until: &mut self.stalled_until,
            counts: &mut self.counts,
        };
        let mut shown = 0;
        let seen = self.inner.receive(&mut |packet| shown += fate.meet(packet, take))?;
        let released = self.release(take);
        if seen + released > 0 {
            self.set_timer()?;
        }
        Ok(shown + released)
    }

    unsafe fn register(&mut self, memory: *const [u8], to: Access) -> Option<(u32, RemoteKey)> {
        // SAFETY: the caller says so.
        unsafe { self.inner.register(memory, to) }
    }

    fn deregister(&mut self, number: u32) {
        self.inner.deregister(number);
    }

    unsafe fn read(&mut self, peer: Peer, from: RemoteKey, into: *mut [u8], number: u64) -> bool {
        if self.inner.capabilities().remote_read && self.spoils(number) {
            return true;
        }
        // SAFETY: the caller says so.
        unsafe { self.inner.read(peer, from, into, number) }
    }

    unsafe fn write(&mut self, peer: Peer, to: RemoteKey, from: *const [u8], number: u64) -> bool {
        if self.inner.capabilities().remote_write && self.spoils(number) {
            return true;
        }
        // SAFETY: the caller says so.
        unsafe { self.inner.write(peer, to, from, number) }
    }

    fn rma_done(&mut self, done: &mut dyn FnMut(u64, bool)) {
        self.spoilt.drain(..).for_each(|number| done(number, false));
        self.inner.rma_done(done);
    }

    fn departed(&mut self, each: &mut dyn FnMut(Peer)) {
        self.inner.departed(each);
    }

    /// Spared: what is reliable stays so.
    fn bulk(&mut self) -> Option<&mut dyn Fabric> {
        self.inner.bulk()
    }

    fn sleep_fds(&self, each: &mut dyn FnMut(RawFd)) {
        self.inner.sleep_fds(each);
        each(self.timer.as_raw_fd());
    }

    fn notice(&mut self) -> Option<String> {
        self.inner.notice()
    }

    fn advice(&self) -> Option<String> {
        self.inner.advice()
    }

    fn counters(&self, each: &mut dyn FnMut(&'static str, u64)) {
        self.inner.counters(each);
        let counts = &self.counts;
        each("faults: packets seen", counts.seen);
        each("faults: packets dropped", counts.dropped);
        each("faults: packets doubled", counts.duplicated);
        each("faults: packets overtaken", counts.reordered);
        each("faults: packets late", counts.delayed);
        each("faults: stalls", counts.stalls);
        each("faults: times without room", counts.busy);
        each("faults: reads and writes spoilt", counts.spoilt);
    }
}

#[cfg(test)]
#[path = "fault_injector_tests.rs"]
mod tests;
