//! How a rank waits: it polls for a moment, then gives its core away between polls, and when a wait
//! has become really long it sleeps until somebody rings.
//!
//! Which of these comes when depends on whether every rank has a core of its own. On two cores with
//! eight ranks a token ring costs 4,667 us a hop with pure spinning, 1 us with yielding and 31 us
//! with sleeping; with a core each, a yield that finds nobody costs 60 ns and a sleep 30 us.

use std::time::Duration;

use crate::sync::{AtomicU32, AtomicU64, Ordering, fence};

/// How the user wants ranks to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// From cores and ranks.
    Auto,
    /// Never give the core away.
    Spin,
    /// Give the core away, never sleep.
    Yield,
    /// Sleep as soon as a short poll finds nothing.
    Sleep,
}

/// What a waiting loop does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitAction {
    /// Poll again at once.
    Poll,
    /// Give the core away, then poll again.
    Yield,
    /// Ring-and-sleep, see [`Wakeup`].
    Sleep,
}

/// Polls before the first yield where each rank has a core: about 20 us, well over any message on
/// its way inside a node.
const POLLS_OWN_CORE: u32 = 400;
/// Polls beyond the first before a yield where ranks share cores: the one waited for may need this
/// core. A token ring of 8 ranks on 2 cores takes 2.7 us a hop with 0, 3.5 with 2, 7.5 with 20.
const POLLS_SHARED_CORE: u32 = 0;
/// Polls of a line, one every 50 ns, that take as long as one of the network: a system call of 0.3
/// us.
const POLLS_PER_NETWORK_POLL: u32 = 6;
/// Polls between yields afterwards.
const POLLS_BETWEEN: u32 = 8;
/// Fruitless yields before sleeping where each rank has a core: about 50 ms.
const YIELDS_OWN_CORE: u32 = 100_000;
/// Fruitless yields before sleeping where ranks share cores. A yield then takes a turn of the
/// others; see [`Waiter::tire`].
const YIELDS_SHARED_CORE: u32 = 2_000;
/// With few cores for many ranks yields take long: after this time a rank sleeps all the same, and
/// leaves the cores to those who compute. A thousand ranks that yielded in turn kept two cores busy
/// for minutes.
const YIELD_TIME_MAX: Duration = Duration::from_millis(50);

/// How long a rank leaves a line alone between two polls. Every poll takes the line away from
/// the peer that is about to write it, which must then fetch it back first: an 8-byte ping-pong
/// takes 170 ns when the line is looked at without pause, 110 with 13 ns between, 80 with 40 to 50,
/// and 90 to 100 with 65 and more (Intel Xeon, whose `pause` takes 13 ns).
///
/// It is four of that processor's pauses, and neither three nor five if the measurement is off by a
/// tenth: with 45 ns some launches took three (97 ns a ping-pong) and some four (88 ns).
#[cfg(not(loom))]
const POLL_INTERVAL_NS: u32 = 50;
/// Bounds of what [`Pace::measure`] finds.
#[cfg(not(loom))]
const PAUSES_MAX: u32 = 16;

/// The pause between two polls.
#[cfg(not(loom))]
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    pauses: u32,
}

#[cfg(not(loom))]
impl Pace {
    /// Finds out how long the processor's waiting hint takes: 3 to 50 ns, depending on the
    /// processor. This takes about 2 us.
    pub fn measure() -> Pace {
        const BATCHES: u32 = 5;
        const PAUSES: u32 = 20;
        let batch_ns = || {
            let began = std::time::Instant::now();
            (0..PAUSES).for_each(|_| std::hint::spin_loop());
            began.elapsed().as_nanos() as u32
        };
        // The least: nothing makes a batch faster than it is.
        let least_ns = (0..BATCHES).map(|_| batch_ns()).min().unwrap_or(0).max(1);
        let pauses = (POLL_INTERVAL_NS * PAUSES + least_ns / 2) / least_ns;
        Pace { pauses: pauses.clamp(1, PAUSES_MAX) }
    }

    /// Waits until it is time for the next poll.
    #[inline(always)]
    pub fn pause(self) {
        (0..self.pauses).for_each(|_| std::hint::spin_loop());
    }
}

/// One wait in progress: counts what was tried in vain.
#[derive(Debug)]
pub struct Waiter {
    polls_first: u32,
    polls_between: u32,
    yields_max: u32,
    polls: u32,
    yields: u32,
}

impl Waiter {
    /// A wait of a rank that has a core to itself, or not.
    pub const fn new(policy: Policy, own_core: bool) -> Self {
        let (polls_first, polls_between, yields_max) = match policy {
            Policy::Spin => (u32::MAX, u32::MAX, u32::MAX),
            Policy::Sleep => (POLLS_OWN_CORE, 0, 0),
            Policy::Auto if own_core => (POLLS_OWN_CORE, POLLS_BETWEEN, YIELDS_OWN_CORE),
            Policy::Auto => (POLLS_SHARED_CORE, POLLS_SHARED_CORE, YIELDS_SHARED_CORE),
            Policy::Yield => (POLLS_SHARED_CORE, POLLS_SHARED_CORE, u32::MAX),
        };
        Waiter { polls_first, polls_between, yields_max, polls: polls_first, yields: 0 }
    }

    /// Something happened: the next wait begins anew.
    pub fn reset(&mut self) {
        self.polls = self.polls_first;
        self.yields = 0;
    }

    /// Nothing happened: what to do before polling again.
    #[inline]
    pub fn step(&mut self) -> WaitAction {
        if self.polls > 0 {
            self.polls -= 1;
            return WaitAction::Poll;
        }
        if self.yields >= self.yields_max {
            return WaitAction::Sleep;
        }
        self.polls = self.polls_between;
        self.yields = self.yields.saturating_add(1);
        WaitAction::Yield
    }

    /// The last poll was one of the network, too.
    #[inline]
    pub fn polled_network(&mut self) {
        self.polls = self.polls.saturating_sub(POLLS_PER_NETWORK_POLL - 1);
    }

    /// Nothing has happened for this time: if it is long, the next step is to sleep.
    pub fn tire(&mut self, time: Duration) {
        if self.yields_max != u32::MAX && time > YIELD_TIME_MAX {
            self.yields = self.yields_max;
        }
    }

    /// Yields in vain so far: a measure of how long this wait has been.
    pub fn yields(&self) -> u32 {
        self.yields
    }
}

/// Where a rank sleeps, and how it is woken from there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum SleepKind {
    /// On the futex word itself.
    Futex = 1,
    /// On descriptors, one of which is its doorbell.
    Doorbell = 2,
}

/// What the progress thread of a rank is to be woken for, while it sleeps beside the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u32)]
pub enum HelperNeeds {
    /// All but whole short messages, which wait for the program as well.
    Protocol = 4,
    /// Everything: collectives are under way, each step of which may be a short message.
    Everything = 8,
}

/// Stands for a rank that is awake, where others stand for a [`SleepKind`] or [`HelperNeeds`].
const AWAKE: u32 = 0;
/// The bits of a sleeping program.
const PROGRAM: u32 = SleepKind::Futex as u32 | SleepKind::Doorbell as u32;
/// The bits of a sleeping progress thread.
const HELPER: u32 = HelperNeeds::Protocol as u32 | HelperNeeds::Everything as u32;

/// Who is woken by what was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum News {
    /// A whole short message.
    Short = PROGRAM | HelperNeeds::Everything as u32,
    /// Anything else.
    Other = PROGRAM | HELPER,
}

/// How long to sleep after so many sleeps in a row that found nothing: each time twice as long.
pub fn doubled(first: Duration, sleeps: u32, most: Duration) -> Duration {
    first.saturating_mul(1 << sleeps.min(16)).min(most)
}

/// Where one rank sleeps and others wake it.
///
/// The sleeper raises its flag, makes sure that every sender either sees the flag or has its packet
/// seen, polls a last time, and sleeps. A sender publishes its packet and then checks the flag.
/// Between these two a full barrier is needed on both sides; the sleeper pays for both
/// (`membarrier`, [`crate::Segment`] registers each rank), so that a send stays a plain store.
///
/// Two may sleep here: the thread of the program that waits, and the progress thread, each by bits
/// of its own.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Wakeup {
    /// Where the program's thread sleeps or is about to, and what the progress thread is to be
    /// woken for; or [`AWAKE`].
    asleep: AtomicU32,
    /// What the doorbell of the program's thread is called, or 0.
    doorbell: AtomicU64,
    /// The same of the progress thread.
    helper_doorbell: AtomicU64,
}

#[cfg(test)]
impl Wakeup {
    fn unused() -> Self {
        Wakeup {
            asleep: AtomicU32::new(AWAKE),
            doorbell: AtomicU64::new(0),
            helper_doorbell: AtomicU64::new(0),
        }
    }
}

/// The sleepers that a sender has to wake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Woken(u32);

impl Woken {
    /// Where the program's thread sleeps, if it does.
    pub fn program(self) -> Option<SleepKind> {
        match self.0 & PROGRAM {
            AWAKE => None,
            kind if kind == SleepKind::Doorbell as u32 => Some(SleepKind::Doorbell),
            _ => Some(SleepKind::Futex),
        }
    }

    /// Whether the progress thread sleeps.
    pub fn helper(self) -> bool {
        self.0 & HELPER != 0
    }
}

impl Wakeup {
    /// Owner: announces sleep. After `barrier` (a full barrier on every core that runs a rank) the
    /// owner must poll once more before it sleeps.
    pub fn announce(&self, kind: SleepKind, barrier: impl FnOnce()) {
        self.raise(kind as u32, barrier);
    }

    /// The same of the progress thread.
    pub fn announce_helper(&self, needs: HelperNeeds, barrier: impl FnOnce()) {
        self.raise(needs as u32, barrier);
    }

    fn raise(&self, bits: u32, barrier: impl FnOnce()) {
        // Release: pairs with the acquire in `must_wake`, so that the doorbell's name is seen with
        // it.
        self.asleep.fetch_or(bits, Ordering::Release);
        fence(Ordering::SeqCst);
        barrier();
    }

    /// Owner: does not sleep after all, or woke up.
    pub fn clear(&self) {
        self.asleep.fetch_and(!PROGRAM, Ordering::Relaxed);
    }

    /// The same of the progress thread.
    pub fn clear_helper(&self) {
        self.asleep.fetch_and(!HELPER, Ordering::Relaxed);
    }

    /// Sender: after publishing, who must be woken. Lowers the flags, so that one sleep is ended by
    /// one sender.
    pub fn must_wake(&self, news: News, light_fence: impl FnOnce()) -> Option<Woken> {
        light_fence();
        let whom = news as u32;
        if self.asleep.load(Ordering::Relaxed) & whom == AWAKE {
            return None;
        }
        // Acquire: pairs with the release in `raise`.
        match self.asleep.fetch_and(!whom, Ordering::Acquire) & whom {
            AWAKE => None,
            woken => Some(Woken(woken)),
        }
    }
}

#[cfg(not(loom))]
mod system {
    use super::*;
    use crate::doorbell;

    impl Wakeup {
        /// Owner: sleeps until woken or `timeout` has passed, unless the flag fell meanwhile.
        pub fn sleep(&self, timeout: Duration) {
            // With the bits of the progress thread, which may change: then it is as if woken.
            let raised = self.asleep.load(Ordering::Relaxed);
            if raised & SleepKind::Futex as u32 != 0 {
                let timeout = libc::timespec {
                    tv_sec: timeout.as_secs() as libc::time_t,
                    tv_nsec: timeout.subsec_nanos().into(),
                };
                // SAFETY: the futex word is a live atomic; the kernel only reads it, and the
                // timeout is a valid pointer for the length of the call.
                unsafe {
                    let word = (&raw const self.asleep).cast::<u32>();
                    let wait = libc::FUTEX_WAIT;
                    libc::syscall(libc::SYS_futex, word, wait, raised, &raw const timeout);
                }
            }
            self.clear();
        }

        /// Sender: after publishing. A compiler fence is all that is needed here when the sleeper
        /// can make this core execute a barrier; else (`heavy`) the sender pays.
        #[inline(always)]
        pub fn ring_if_asleep(&self, news: News, heavy: bool) {
            fence_of_sender(heavy);
            // As the first look of `must_wake`, which is apart to keep the fast path short.
            if self.asleep.load(Ordering::Relaxed) & news as u32 != AWAKE {
                self.ring(news);
            }
        }

        #[cold]
        #[inline(never)]
        fn ring(&self, news: News) {
            if let Some(woken) = self.must_wake(news, || ()) {
                self.wake(woken);
            }
        }

        /// Owner: says what its doorbell is called, before it sleeps there.
        pub(crate) fn set_doorbell(&self, doorbell: doorbell::Name) {
            // Relaxed: the release in `raise` comes after it.
            self.doorbell.store(doorbell, Ordering::Relaxed);
        }

        /// The same of the progress thread.
        pub(crate) fn set_helper_doorbell(&self, doorbell: doorbell::Name) {
            // Relaxed: the release in `raise` comes after it.
            self.helper_doorbell.store(doorbell, Ordering::Relaxed);
        }

        /// Wakes the progress thread, whether it has announced that it sleeps or not.
        pub(crate) fn wake_helper(&self) {
            doorbell::ring(self.helper_doorbell.load(Ordering::Relaxed));
        }

        fn wake(&self, woken: Woken) {
            if woken.helper() {
                self.wake_helper();
            }
            match woken.program() {
                None => {}
                Some(SleepKind::Doorbell) => doorbell::ring(self.doorbell.load(Ordering::Relaxed)),
                Some(SleepKind::Futex) => {
                    // SAFETY: the futex word is a live atomic; FUTEX_WAKE touches no memory.
                    unsafe {
                        let word = (&raw const self.asleep).cast::<u32>();
                        libc::syscall(libc::SYS_futex, word, libc::FUTEX_WAKE, 1);
                    }
                }
            }
        }
    }

    /// What a sender puts between publishing and looking whether somebody sleeps.
    #[inline(always)]
    pub fn fence_of_sender(heavy: bool) {
        if heavy {
            fence(Ordering::SeqCst);
        } else {
            std::sync::atomic::compiler_fence(Ordering::SeqCst);
        }
    }

    const MEMBARRIER_GLOBAL_EXPEDITED: libc::c_int = 1 << 1;
    const MEMBARRIER_REGISTER_GLOBAL_EXPEDITED: libc::c_int = 1 << 2;

    fn membarrier(command: libc::c_int) -> bool {
        // SAFETY: no memory is passed.
        unsafe { libc::syscall(libc::SYS_membarrier, command, 0, 0) == 0 }
    }

    /// Lets sleepers of other processes run a barrier on our core. False where the kernel or a
    /// sandbox refuses: then senders must pay for their own fence.
    pub fn register_for_barriers() -> bool {
        membarrier(MEMBARRIER_REGISTER_GLOBAL_EXPEDITED)
    }

    /// A full barrier on every core that runs a registered process.
    pub fn barrier_everywhere() {
        membarrier(MEMBARRIER_GLOBAL_EXPEDITED);
    }
}

#[cfg(not(loom))]
pub use system::{barrier_everywhere, fence_of_sender, register_for_barriers};

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    fn steps(w: &mut Waiter, n: usize) -> Vec<WaitAction> {
        (0..n).map(|_| w.step()).collect()
    }

    #[test]
    fn ranks_that_share_a_core_offer_it_almost_at_once() {
        let mut w = Waiter::new(Policy::Auto, false);
        assert!(steps(&mut w, 4).contains(&WaitAction::Yield));
    }

    #[test]
    fn a_rank_with_its_own_core_polls_first_then_yields_then_sleeps() {
        let mut w = Waiter::new(Policy::Auto, true);
        assert!(steps(&mut w, POLLS_OWN_CORE as usize).iter().all(|s| *s == WaitAction::Poll));
        assert_eq!(w.step(), WaitAction::Yield);
        let all = steps(&mut w, ((POLLS_BETWEEN + 1) * YIELDS_OWN_CORE) as usize + 1);
        assert_eq!(all.last(), Some(&WaitAction::Sleep));
        w.reset();
        assert_eq!(w.step(), WaitAction::Poll);
    }

    #[test]
    fn a_network_is_polled_for_as_long_as_lines_are_and_not_as_often() {
        let mut w = Waiter::new(Policy::Auto, true);
        let polls = std::iter::from_fn(|| {
            let polls = w.step() == WaitAction::Poll;
            w.polled_network();
            polls.then_some(())
        });
        assert_eq!(polls.count() as u32, POLLS_OWN_CORE.div_ceil(POLLS_PER_NETWORK_POLL));
    }

    #[test]
    fn a_rank_that_is_told_to_yield_does_so_at_once() {
        assert_eq!(Waiter::new(Policy::Yield, true).step(), WaitAction::Yield);
    }

    #[test]
    fn a_rank_that_has_yielded_for_long_sleeps() {
        let mut w = Waiter::new(Policy::Auto, false);
        w.tire(YIELD_TIME_MAX);
        assert_eq!(w.step(), WaitAction::Yield);
        w.tire(2 * YIELD_TIME_MAX);
        assert_eq!(w.step(), WaitAction::Sleep);
        let pauses = [0, 1, 3, 20].map(|n| doubled(YIELD_TIME_MAX, n, 10 * YIELD_TIME_MAX));
        assert_eq!(pauses, [1, 2, 8, 10].map(|n| n * YIELD_TIME_MAX));
    }

    #[test]
    fn policies_that_must_not_sleep_do_not() {
        for policy in [Policy::Spin, Policy::Yield] {
            let mut w = Waiter::new(policy, false);
            w.tire(2 * YIELD_TIME_MAX);
            assert!(!steps(&mut w, 1_000_000).contains(&WaitAction::Sleep), "{policy:?}");
        }
    }

    #[test]
    fn short_messages_wake_the_progress_thread_only_for_collectives() {
        let wakeup = Wakeup::unused();
        let rings = |news| wakeup.must_wake(news, || ()).map(|w| (w.program(), w.helper()));
        wakeup.announce_helper(HelperNeeds::Protocol, || ());
        assert_eq!(rings(News::Short), None);
        assert_eq!((rings(News::Other), rings(News::Other)), (Some((None, true)), None));
        wakeup.announce_helper(HelperNeeds::Everything, || ());
        assert_eq!((rings(News::Short), rings(News::Other)), (Some((None, true)), None));
        // Beside a program that sleeps.
        wakeup.announce_helper(HelperNeeds::Protocol, || ());
        wakeup.announce(SleepKind::Futex, || ());
        assert_eq!(rings(News::Short), Some((Some(SleepKind::Futex), false)));
        wakeup.announce(SleepKind::Doorbell, || ());
        wakeup.clear();
        assert_eq!(rings(News::Other), Some((None, true)));
    }

    #[test]
    fn a_sleeper_is_woken() {
        let wakeup = Wakeup::unused();
        std::thread::scope(|s| {
            wakeup.announce(SleepKind::Futex, || ());
            s.spawn(|| {
                std::thread::sleep(Duration::from_millis(5));
                wakeup.ring_if_asleep(News::Short, true);
            });
            let start = std::time::Instant::now();
            wakeup.sleep(Duration::from_secs(20));
            assert!(start.elapsed() < Duration::from_secs(10));
        });
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;
    use loom::sync::{Arc, Condvar, Mutex};

    const SLEEP_KINDS: [SleepKind; 2] = [SleepKind::Futex, SleepKind::Doorbell];

    /// A packet published while its receiver goes to sleep is either seen by the last poll or its
    /// sender sees the flag: never neither. The sender's fence stands for the barrier that the
    /// sleeper makes the sender's core execute.
    #[test]
    fn no_wake_is_lost() {
        for kind in SLEEP_KINDS {
            loom::model(move || {
                let shared = Arc::new((Wakeup::unused(), AtomicU32::new(0)));
                let other = shared.clone();
                let sender = loom::thread::spawn(move || {
                    other.1.store(1, Ordering::Release);
                    other.0.must_wake(News::Short, || fence(Ordering::SeqCst))
                });
                let (wakeup, packet) = (&shared.0, &shared.1);
                wakeup.announce(kind, || ());
                let seen = packet.load(Ordering::Acquire) == 1;
                let rang = sender.join().unwrap();
                assert!(seen || rang.and_then(Woken::program) == Some(kind));
            });
        }
    }

    /// The same where the progress thread sleeps as well: neither takes the other's wake.
    #[test]
    fn program_and_progress_thread_are_both_woken() {
        loom::model(|| {
            let shared = Arc::new((Wakeup::unused(), AtomicU32::new(0)));
            let (helps, sends) = (shared.clone(), shared.clone());
            let helper = loom::thread::spawn(move || {
                let (wakeup, packet) = (&helps.0, &helps.1);
                wakeup.announce_helper(HelperNeeds::Everything, || ());
                packet.load(Ordering::Acquire) == 1
            });
            let sender = loom::thread::spawn(move || {
                sends.1.store(1, Ordering::Release);
                sends.0.must_wake(News::Other, || fence(Ordering::SeqCst))
            });
            let (wakeup, packet) = (&shared.0, &shared.1);
            wakeup.announce(SleepKind::Futex, || ());
            let seen = packet.load(Ordering::Acquire) == 1;
            if seen {
                wakeup.clear();
            }
            let helper_has_seen = helper.join().unwrap();
            let rang = sender.join().unwrap();
            assert!(seen || rang.and_then(Woken::program) == Some(SleepKind::Futex));
            assert!(helper_has_seen || rang.is_some_and(Woken::helper));
        });
    }

    /// A doorbell as the system has it: a rank sleeps there until it is rung.
    #[derive(Default)]
    struct Door {
        rings: Mutex<u32>,
        rung: Condvar,
    }

    /// Rings are kept, so that one for an earlier sleep may end a later one too soon, but what a
    /// silenced ring was for is seen by the next poll. A lost ring is a deadlock here.
    #[test]
    fn a_rank_that_sleeps_on_a_doorbell_hears_of_everything() {
        const PACKETS: u32 = 2;
        loom::model(|| {
            let shared = Arc::new((Wakeup::unused(), AtomicU32::new(0), Door::default()));
            let other = shared.clone();
            let sender = loom::thread::spawn(move || {
                for packet in 1..=PACKETS {
                    other.1.store(packet, Ordering::Release);
                    if other.0.must_wake(News::Short, || fence(Ordering::SeqCst)).is_some() {
                        *other.2.rings.lock().unwrap() += 1;
                        other.2.rung.notify_one();
                    }
                }
            });
            let (wakeup, packets, doorbell) = (&shared.0, &shared.1, &shared.2);
            let all_seen = || packets.load(Ordering::Acquire) == PACKETS;
            while !all_seen() {
                wakeup.announce(SleepKind::Doorbell, || ());
                if !all_seen() {
                    let mut rings = doorbell.rings.lock().unwrap();
                    while *rings == 0 {
                        rings = doorbell.rung.wait(rings).unwrap();
                    }
                    *rings = 0;
                }
                wakeup.clear();
            }
            sender.join().unwrap();
        });
    }
}
