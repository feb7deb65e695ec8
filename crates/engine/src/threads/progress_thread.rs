//! The progress thread: makes progress on queued packets while the program computes. Packets wait
//! for room in a window, for an acknowledgement, for a connection; a send that has returned has
//! promised that they leave. Jobs on several nodes have this thread, and others where the user asks
//! for it.
//!
//! It sleeps until a call returns with packets queued. Then it checks every [`TICK`] whether the
//! program itself polls the network; if not, it takes the engine for short turns until nothing is
//! left to do. It sleeps again when nothing is queued, or the program is in a long call, which
//! makes progress itself: where a thousand ranks share few cores, such checks took all
//! their time. The program's thread pays two stores and two loads in each call (`BiasedLock`), and
//! where the thread serves the node a look at what it leaves.
//!
//! Where it *serves*, packets that arrive are work, too: while the program computes, the thread
//! sleeps on the fabric's descriptors and takes a turn for each packet. After a packet it polls for
//! a moment ([`Spin`]): to be woken takes longer than to serve. That is so while a window of
//! processes on several nodes exists, whose operations a target that computes must not hold up.
//!
//! Where it has a core of its own, or the user says so, it stays awake for a while after it had
//! something to do, so that the program can hand it the engine over without a call of the kernel
//! (`engine/overlap.rs`).
//!
//! Under `DUNLIN_PROGRESS=thread` it serves the node as well. While requests or collectives are in
//! progress and the program computes, it sleeps in the node's memory, as a program does that waits,
//! and says what it is to be woken for (`HelperNeeds`). What a rank of this node sends while the
//! thread does not sleep there, since nothing is in progress or the program has just been in MPI,
//! costs that rank no call of the kernel.

use std::os::fd::RawFd;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering, fence};
use std::time::{Duration, Instant};

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_shm::biased_lock::{BiasedLock, TryEnter};
use dunlin_shm::wait::HelperNeeds;
use dunlin_shm::{FdSleep, Node};

use crate::threads::weight::{Weight, set_weight};

/// Between checks of the program: queued packets may wait so long for the thread. A check that
/// finds the program polling costs 2 us of a core that both share.
const TICK: Duration = Duration::from_millis(1);
/// The first of such pauses while the thread serves, doubled while the program polls: an origin may
/// wait so long after the program's last call, then no longer.
const TICK_SERVING: Duration = Duration::from_micros(100);
/// Checks that find nothing to do, or the program in a call, before the thread sleeps until it is
/// woken, which costs the program 2 us.
const TICKS_AT_REST: u32 = 16;
/// While nothing moves, the pauses between turns grow up to this: 60 turns a second.
const PAUSE_MAX: Duration = Duration::from_millis(16);
/// So long the thread that serves polls for the next packet before it sleeps: an origin that goes
/// on at once needs half of that. To be woken takes the thread as long again. Each look is a call
/// of the kernel that waits for the program's core, if that is another one (`BiasedLock::claim`).
const SPIN: Duration = Duration::from_micros(20);
/// How often it does so in vain before it stops, and how many packets later it tries again.
const SPINS_IN_VAIN_MAX: u32 = 4;
const PACKETS_WITHOUT_SPIN: u32 = 32;
/// Between looks whether a thread that was woken runs.
const WAKING: Duration = Duration::from_micros(20);
/// Sleeps that end without anything that is seen to move, after which the thread pauses, where
/// tasks are under way: a step of a collective is not seen unless the collective ends.
const UNSEEN_MAX: u32 = 16;
/// So long the thread stays awake where it has a core: a program that hands the engine over again
/// within that time need not wake it, which takes 2 us and more.
const AWAKE: Duration = Duration::from_millis(1);
/// Looks of such a thread between readings of the clock. Each takes a cache line from the program's
/// core, so that the thread yields its own between looks, which takes some 0.3 us: if that core is
/// not free after all, whoever else needs it has it at once.
const LOOKS_PER_CLOCK: u32 = 16;
/// Looks in a row that find the engine handed over before such a thread takes it although the
/// program is expected back: that should not have to wait for a copy of the first of several
/// messages.
const LOOKS_BEFORE_TURN: u32 = 4;
/// The longest wait in `poll`.
const WAIT_MAX: Duration = Duration::from_millis(100);
/// The thread may call a launcher's PMI library, which keeps its messages on the stack. Pages that
/// are not touched take no memory.
const STACK_BYTES: usize = 2 << 20;

/// Held by the thread that uses the engine: the one of the program's that is inside MPI, or this
/// one.
static LOCK: BiasedLock = BiasedLock::new();
/// Polls of the network so far, by any thread. Written by the thread that holds the engine.
static POLLS: AtomicU64 = AtomicU64::new(0);
/// Whether packets that may arrive are work for the thread.
static SERVES: AtomicBool = AtomicBool::new(false);
/// Whether the thread takes the engine only if it was handed over: calls on the fast path do not
/// take the lock.
static WAITS_FOR_ENGINE: AtomicBool = AtomicBool::new(false);

/// Whether the program, which hands the engine over, is expected back at once.
static EXPECTS_RETURN: AtomicBool = AtomicBool::new(false);

/// How often the engine was handed over. Written by the program, which holds it.
static TIMES_HANDED_OVER: AtomicU64 = AtomicU64::new(0);

/// What the thread is to be woken for by ranks of this node, while it sleeps there; or
/// [`AWAKE_IN_NODE`].
static SLEEPS_FOR: AtomicU32 = AtomicU32::new(AWAKE_IN_NODE);
/// Whether it was woken for what the program has handed over.
static HAS_RUNG: AtomicBool = AtomicBool::new(false);
/// Whether it has a core of its own.
static HAS_CORE: AtomicBool = AtomicBool::new(false);
/// Stands for a thread that does not, where others stand for [`HelperNeeds`].
const AWAKE_IN_NODE: u32 = 0;

/// When the thread serves arriving packets (`DUNLIN_PROGRESS`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Service {
    /// While a window of several nodes exists; and what goes on while the program computes, where
    /// cores are spare.
    Windows,
    /// The same, without knowing that cores are spare.
    Overlap,
    /// Always, and those of this node, too.
    Always,
    /// Never.
    Never,
}

/// Whether the thread sleeps after a turn in which nothing moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// It may take another turn at once.
    Again,
    /// It does.
    Last,
}

/// What a turn of the thread came to.
pub(crate) enum Turn {
    /// The program has the engine, and makes progress itself.
    Consumed,
    /// Nothing is left to do.
    Rested,
    /// Something moved.
    Moved,
    /// Work is left, and waits.
    Waits(Waits),
}

/// What work waits for.
pub(crate) struct Waits {
    /// A descriptor, or a time-out.
    pub fd_sleep: FdSleep,
    /// Something moved in this turn.
    pub has_moved: bool,
    /// Memory that other processes change has to be looked at soon, too.
    pub watches_memory: bool,
    /// Ranks of this node wake the thread, too.
    pub beside: Option<Beside>,
}

impl Default for Waits {
    fn default() -> Waits {
        let fd_sleep = FdSleep { fds: Vec::new(), timeout: Duration::MAX };
        Waits { fd_sleep, has_moved: false, watches_memory: false, beside: None }
    }
}

/// The place in its node where the thread sleeps beside the program.
#[derive(Clone, Copy)]
pub(crate) struct Beside {
    pub node: &'static Node,
    pub needs: HelperNeeds,
}

/// A call takes the engine. False if an outer call holds it.
#[inline(always)]
pub(crate) fn enter() -> bool {
    LOCK.enter()
}

/// A call takes the engine if the thread does not have it. `None` if it has, false if an outer call
/// holds it.
pub(crate) fn try_enter() -> Option<bool> {
    match LOCK.try_enter() {
        TryEnter::Taken => Some(true),
        TryEnter::HeldBefore => Some(false),
        TryEnter::Busy { wakes } => {
            if wakes {
                LOCK.wake();
            }
            None
        }
    }
}

/// Whether the thread has the engine, or is about to look whether it may.
pub(crate) fn has_engine() -> bool {
    LOCK.is_claimed()
}

/// The thread takes the engine, if it may.
fn claim() -> bool {
    match WAITS_FOR_ENGINE.load(Ordering::Relaxed) {
        true => LOCK.claim_handed_over(),
        false => LOCK.claim(),
    }
}

/// The progress thread runs `work` with the engine, unless the program has it: false.
pub(crate) fn with_engine_or_leave_to_program(work: impl FnOnce()) -> bool {
    if WAITS_FOR_ENGINE.load(Ordering::Relaxed) {
        // Then the program has one thread, which leaves no work to others.
        return false;
    }
    while !LOCK.claim() {
        // The program may have been inside only to look, and have found this thread's claim: either
        // it sees after the fence that the claim is gone, or this look sees it outside.
        fence(Ordering::SeqCst);
        if LOCK.is_inside() {
            return false;
        }
    }
    work();
    LOCK.release();
    true
}

/// A call gives it back.
#[inline(always)]
pub(crate) fn leave() {
    if LOCK.leave() {
        LOCK.wake();
    }
}

/// A call gives it back, so that the thread can take it at little cost.
#[inline]
pub(crate) fn hand_over() {
    // Relaxed, and no locked instruction: as for `POLLS`.
    let times = TIMES_HANDED_OVER.load(Ordering::Relaxed);
    TIMES_HANDED_OVER.store(times.wrapping_add(1), Ordering::Relaxed);
    if LOCK.hand_over() {
        LOCK.wake();
    }
}

/// The program, which holds the engine and is about to hand it over, will come back at once, or
/// not.
pub(crate) fn expect_return(expected: bool) {
    EXPECTS_RETURN.store(expected, Ordering::Relaxed);
}

/// The thread, which holds the engine: whether the program waits for it.
pub(crate) fn is_awaited() -> bool {
    LOCK.is_awaited()
}

/// Says whether work is left for the thread; called by the holder of the engine.
#[inline]
pub(crate) fn want(wanted: bool) {
    LOCK.want(wanted);
}

/// Whether work is left for the thread.
pub(crate) fn is_wanted() -> bool {
    LOCK.is_wanted()
}

/// Says whether packets that may arrive are work for the thread; called by the holder of the
/// engine.
pub(crate) fn serve(serves: bool) {
    // Relaxed: the thread learns it late at worst, after a pause.
    SERVES.store(serves, Ordering::Relaxed);
}

/// The thread, which holds the engine and has announced that it will sleep in the node, sleeps as
/// soon as it has given the engine back.
pub(crate) fn say_sleeps_for(needs: HelperNeeds) {
    // Relaxed: the lock orders this and the program's next look.
    SLEEPS_FOR.store(needs as u32, Ordering::Relaxed);
    HAS_RUNG.store(false, Ordering::Relaxed);
}

/// Whether the thread sleeps for less than this, and so must be woken, by the caller; called by the
/// holder of the engine.
pub(crate) fn must_hear_of(needs: HelperNeeds) -> bool {
    let sleeps_for = SLEEPS_FOR.load(Ordering::Relaxed);
    let must = sleeps_for != AWAKE_IN_NODE && sleeps_for < needs as u32;
    // Once: if the thread has woken up meanwhile, it says anew what it sleeps for.
    must && SLEEPS_FOR
        .compare_exchange(sleeps_for, needs as u32, Ordering::Relaxed, Ordering::Relaxed)
        .is_ok()
}

/// The program, which holds the engine and is about to hand it over, wakes the thread by this if it
/// sleeps in the node: once for each sleep.
pub(crate) fn ring(wake: impl FnOnce()) {
    if SLEEPS_FOR.load(Ordering::Relaxed) != AWAKE_IN_NODE && !HAS_RUNG.load(Ordering::Relaxed) {
        // Relaxed: the lock orders this and the thread's next sleep.
        HAS_RUNG.store(true, Ordering::Relaxed);
        wake();
    }
}

/// Whether the thread is known to have a core of its own.
pub(crate) fn has_core() -> bool {
    HAS_CORE.load(Ordering::Relaxed)
}

/// MPI ends: returns when the thread does not sleep in the node, and so will not touch what others
/// see of its sleep. The caller holds the engine, so that no other sleep can begin.
pub(crate) fn end_sleep(wake: impl FnOnce()) {
    // Acquire, here and below: pairs with the release in `sleep_beside`.
    if SLEEPS_FOR.load(Ordering::Acquire) != AWAKE_IN_NODE {
        wake();
    }
    while SLEEPS_FOR.load(Ordering::Acquire) != AWAKE_IN_NODE {
        std::thread::sleep(WAKING);
    }
}

fn serves() -> bool {
    SERVES.load(Ordering::Relaxed)
}

/// Counts a poll of the network.
#[inline]
pub(crate) fn poll() {
    // One writer at a time, so that no locked instruction is needed; nothing else goes with it.
    POLLS.store(polls().wrapping_add(1), Ordering::Relaxed);
}

/// Polls of the network so far.
pub(crate) fn polls() -> u64 {
    POLLS.load(Ordering::Relaxed)
}

/// What the thread does, beside its sleep.
#[derive(Clone, Copy)]
pub(crate) struct Work {
    /// While it holds the engine.
    pub turn: fn(Look) -> Turn,
    /// After it has given it back, or has tried in vain to take it.
    pub after_turn: fn(),
    /// When it takes the engine.
    pub claims: Claims,
}

/// When the thread takes the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claims {
    /// While the program is outside: calls take the lock always.
    Outside,
    /// When it was handed over.
    HandedOver,
}

impl Work {
    fn take_turn(self, look: Look) -> Turn {
        let turn = if claim() {
            let turn = (self.turn)(look);
            LOCK.release();
            turn
        } else {
            Turn::Consumed
        };
        (self.after_turn)();
        turn
    }
}

/// Before the first call takes the engine from the thread, or may.
pub(crate) fn prepare() {
    LOCK.prepare();
}

/// Starts the thread, after [`prepare`]. It calls `find_place` when it is needed after it has
/// slept, until that has found one, and says whether the thread has a core there.
pub(crate) fn start(
    work: Work,
    weight: Weight,
    find_place: impl FnMut() -> Option<bool> + Send + 'static,
) -> Result<()> {
    WAITS_FOR_ENGINE.store(work.claims == Claims::HandedOver, Ordering::Relaxed);
    let builder = std::thread::Builder::new().name("dunlin-progress".into());
    without_signals(|| {
        builder.stack_size(STACK_BYTES).spawn(move || run(work, weight, find_place))
    })
    .map_err(|e| {
        Error::new(ErrorClass::Other, format!("the progress thread could not be started: {e}"))
    })?;
    Ok(())
}

/// Signals are for the program's own threads.
pub(crate) fn without_signals<T>(start: impl FnOnce() -> T) -> T {
    // SAFETY: both sets are ours; all zeroes is a valid one to be filled. The mask of this thread
    // is as before afterwards.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        let started = start();
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut());
        started
    }
}

fn run(work: Work, weight: Weight, mut find_place: impl FnMut() -> Option<bool>) {
    set_weight(weight);
    let (mut spin, mut has_core) = (Spin::default(), None);
    loop {
        LOCK.sleep_until_wanted(Duration::MAX);
        has_core = has_core.or_else(&mut find_place);
        HAS_CORE.store(has_core == Some(true), Ordering::Relaxed);
        if work.claims == Claims::HandedOver || has_core == Some(true) {
            stay_awake(work, &mut spin);
            continue;
        }
        let (mut at_rest, mut seen, mut tick) = (0, polls(), TICK_SERVING);
        while at_rest < TICKS_AT_REST {
            tick = if serves() { tick.min(TICK) } else { TICK };
            std::thread::sleep(tick);
            let is_needed = is_wanted() && !LOCK.is_inside();
            at_rest = if is_needed { 0 } else { at_rest + 1 };
            tick *= 2;
            if is_needed && polls() == seen {
                carry_on(work, &mut spin);
                tick = TICK_SERVING;
            }
            seen = polls();
        }
    }
}

/// Takes a turn whenever the engine is handed over, until that has not happened for a while and
/// nothing has moved.
fn stay_awake(work: Work, spin: &mut Spin) {
    let (mut since, mut looks, mut times) = (Instant::now(), 0, 0);
    loop {
        let now_times = TIMES_HANDED_OVER.load(Ordering::Relaxed);
        if times != now_times {
            (since, times) = (Instant::now(), now_times);
        }
        for _ in 0..LOOKS_PER_CLOCK {
            // First, too: the program that has just woken this thread may need this very core, to
            // leave its call.
            std::thread::yield_now();
            looks = if LOCK.is_handed_over() { looks + 1 } else { 0 };
            // Relaxed: learnt late, it costs a wait.
            let least = if EXPECTS_RETURN.load(Ordering::Relaxed) { LOOKS_BEFORE_TURN } else { 1 };
            if looks >= least {
                let has_moved = match work.take_turn(Look::Again) {
                    Turn::Moved => true,
                    Turn::Waits(waits) => waits.has_moved,
                    Turn::Consumed | Turn::Rested => false,
                };
                if has_moved {
                    since = Instant::now();
                }
            }
        }
        // What is not handed over, the thread takes after a while, if it may.
        let is_left = work.claims == Claims::Outside && is_wanted() && !LOCK.is_inside();
        let (is_handed_over, passed) = (LOCK.is_handed_over(), since.elapsed());
        let limit = if is_left && !is_handed_over { TICK_SERVING } else { AWAKE };
        if passed < limit {
            continue;
        }
        if !(is_handed_over || is_left) {
            return;
        }
        // Work that waits is looked after where others of the node wake the thread.
        carry_on(work, spin);
        since = Instant::now();
    }
}

/// Whether it pays to poll for the next packet. It does where an origin goes on as soon as it has
/// an answer, and not where packets are rare, or the origin waits for this thread's core.
#[derive(Default)]
struct Spin {
    /// Up to [`SPINS_IN_VAIN_MAX`]: how often in a row it was in vain; above that, plus the packets
    /// since.
    in_vain: u32,
    /// When something moved; `None` if that is too long ago.
    since: Option<Instant>,
}

impl Spin {
    /// Something has moved at this time.
    fn note_packet(&mut self, now: Instant) {
        self.in_vain = match self.in_vain {
            _ if self.since.is_some() => 0,
            in_vain if in_vain < SPINS_IN_VAIN_MAX => in_vain,
            in_vain => (in_vain + 1) % (SPINS_IN_VAIN_MAX + PACKETS_WITHOUT_SPIN + 1),
        };
        self.since = (self.in_vain < SPINS_IN_VAIN_MAX).then_some(now);
    }

    /// Whether to look again at once.
    fn goes_on(&mut self, now: Instant) -> bool {
        let Some(since) = self.since else { return false };
        let goes_on = now.duration_since(since) < SPIN;
        if !goes_on {
            (self.since, self.in_vain) = (None, self.in_vain + 1);
        }
        goes_on
    }
}

/// Takes turns until nothing is left to do, or the program polls the network itself.
fn carry_on(work: Work, spin: &mut Spin) {
    let (mut pause, mut was_due, mut unseen) = (TICK, false, 0);
    spin.since = None;
    loop {
        match work.take_turn(Look::Again) {
            Turn::Consumed | Turn::Rested => return,
            Turn::Moved => {
                spin.note_packet(Instant::now());
                (pause, was_due, unseen) = (TICK, false, 0);
            }
            Turn::Waits(waits) => {
                let has_tasks =
                    waits.beside.is_some_and(|beside| beside.needs == HelperNeeds::Everything);
                if waits.has_moved {
                    spin.note_packet(Instant::now());
                    unseen = 0;
                }
                let may_have_moved = has_tasks && unseen < UNSEEN_MAX;
                unseen = if was_due && may_have_moved { unseen + 1 } else { 0 };
                was_due &= !(waits.has_moved || may_have_moved);
                if serves() && spin.goes_on(Instant::now()) {
                    continue;
                }
                // Something came or was due, and nothing has moved.
                if was_due {
                    std::thread::sleep(pause);
                    let pause_max = if waits.beside.is_some() { TICK } else { PAUSE_MAX };
                    pause = (2 * pause).min(pause_max);
                } else {
                    pause = TICK;
                }
                let Some(slept) = sleep(work, &waits) else { continue };
                if slept.has_come && waits.beside.is_some() {
                    std::thread::yield_now();
                }
                was_due = slept.has_come || waits.fd_sleep.timeout <= limit(&waits);
                if polls() != slept.polls_before {
                    return;
                }
            }
        }
    }
}

/// The longest sleep before the thread looks itself.
fn limit(waits: &Waits) -> Duration {
    if waits.watches_memory { TICK } else { WAIT_MAX }
}

/// A sleep of the thread.
struct Slept {
    /// Something has come, not only time has passed.
    has_come: bool,
    /// Polls of the network before it; if there are more now, the program polls.
    polls_before: u64,
}

/// Sleeps, where the thread serves the node after a last turn. `None` if that came to something
/// else.
fn sleep(work: Work, waits: &Waits) -> Option<Slept> {
    if let Some(beside) = waits.beside {
        return sleep_beside(work, beside.node);
    }
    let polls_before = polls();
    Some(Slept { has_come: wait(&waits.fd_sleep, limit(waits)), polls_before })
}

/// Sleeps in the node, so that its ranks wake the thread.
fn sleep_beside(work: Work, node: &Node) -> Option<Slept> {
    let Turn::Waits(waits) = work.take_turn(Look::Last) else { return None };
    // That turn has polled, too.
    let polls_before = polls();
    let limit = limit(&waits);
    let timeout = waits.fd_sleep.timeout.min(limit);
    let has_come = node.sleep_as_helper(FdSleep { timeout, ..waits.fd_sleep });
    node.clear_helper();
    // Release: pairs with the acquires in `end_sleep`.
    SLEEPS_FOR.store(AWAKE_IN_NODE, Ordering::Release);
    Some(Slept { has_come: has_come || timeout < limit, polls_before })
}

/// Sleeps until a descriptor is ready, or time has passed, so long at most: false.
fn wait(fd_sleep: &FdSleep, timeout: Duration) -> bool {
    let entry = |&fd: &RawFd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
    let mut fds: Vec<_> = fd_sleep.fds.iter().map(entry).collect();
    // Rounded up, so that the thread does not wake before the time-out.
    let millis = fd_sleep.timeout.min(timeout).as_micros().div_ceil(1000) as i32;
    // SAFETY: the entries are ours, as many as we say.
    unsafe { libc::poll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, millis) > 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A packet comes, and then nothing does. Whether the thread looked again.
    fn spin_in_vain(spin: &mut Spin, now: &mut Instant) -> bool {
        spin.note_packet(*now);
        let looks = spin.goes_on(*now);
        *now += 2 * SPIN;
        assert!(!spin.goes_on(*now));
        looks
    }

    #[test]
    fn spinning_stops_where_it_is_in_vain_and_is_tried_again() {
        let (mut spin, mut now) = (Spin::default(), Instant::now());
        for _ in 0..2 {
            assert!((0..SPINS_IN_VAIN_MAX).all(|_| spin_in_vain(&mut spin, &mut now)));
            assert!((0..PACKETS_WITHOUT_SPIN).all(|_| !spin_in_vain(&mut spin, &mut now)));
        }
        // What comes in time shows that it is not in vain.
        for _ in 0..2 * SPINS_IN_VAIN_MAX {
            spin.note_packet(now);
            now += SPIN / 2;
            assert!(spin.goes_on(now));
        }
    }
}
