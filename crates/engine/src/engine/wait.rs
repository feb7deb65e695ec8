//! The waiting loop: make progress, and between polls spin, then yield, then sleep. A long wait is
//! published for the launcher's stall report, and checks whether the launcher still runs.

use std::time::Duration;

use dunlin_base::Rank;
use dunlin_shm::Node;
use dunlin_shm::stall::Stall;
use dunlin_shm::wait::{Policy, WaitAction, Waiter, doubled};

use crate::engine::Engine;
use crate::engine::clock::{PUBLISH_AFTER, monotonic_ns};
use crate::engine::vci::{is_alone, progress_elsewhere};
use crate::p2p::messages::Messages;
use crate::p2p::request::OpInfo;
use crate::threads::lock;

/// Steps between readings of the clock: a step takes 50 ns (a poll) to some us (a yield).
const STEPS_PER_LOOK: u32 = 4096;
/// Looks for one-sided operations after each of those steps, while a window may get some.
const LOOKS_FOR_OPERATIONS: u32 = 4;
/// Looks for the next after one that has come: longer than its origin takes to send it.
const LOOKS_FOR_NEXT_OPERATION: u32 = 16;
/// Looks before progress is made all the same.
const LOOKS_FOR_OPERATIONS_MAX: u32 = 64;
/// Yields are slower than polls, so the clock is read more often.
const YIELDS_PER_LOOK: u32 = 64;
/// Polls of one place between yields, see [`Engine::yields`]. A rank that gets its core back checks
/// that place before it makes progress everywhere: a hop of a token round 8 ranks on 2 cores takes
/// 2.1 instead of 2.7 us.
const YIELDS: u32 = 16;
/// Polls before the core is yielded where only one rank, on another core, has not published its
/// part: about 1 us, as long as two switches take. A barrier of 4 ranks on 2 cores takes 1.6
/// instead of 1.85 us.
pub(crate) const POLLS_FOR_ONE: u32 = 20;
/// Polls between pushes of the other VCIs of the process. A thread that waits may be the only one
/// inside MPI; but where others are, what it touches there has to come back to their caches.
const POLLS_PER_PUSH_ELSEWHERE: u32 = 32;
/// A yield takes as long as so many polls.
const POLLS_PER_YIELD: u32 = 8;
/// Of so many calls that take their message as it comes, one makes general progress: what else is
/// under way must go on where every message comes at once (MPI 5.0 section 2.9).
const CALLS_PER_PROGRESS: u32 = 64;
/// The same for what tasks do, and one-sided operations: others may wait for these.
const CALLS_PER_PUSH: u32 = 8;
/// Calls that find nothing, closer to one another than this, are a loop that waits.
const AT_ONCE_NS: u64 = 5_000;
/// A sleeping rank wakes after this time, to check the launcher and as a safeguard; each time that
/// it finds nothing it sleeps twice as long, up to the maximum: a thousand ranks that wake ten
/// times a second keep two cores busy, and ranks that are still to begin wait for a core.
const SLEEP_MIN: Duration = Duration::from_millis(100);
const SLEEP_MAX: Duration = Duration::from_secs(1);
/// The same with several threads: another thread may have completed what this one waits for.
const SLEEP_MAX_THREADS: Duration = Duration::from_millis(1);

/// A wait that may become long.
#[derive(Default)]
struct Watch {
    steps: u32,
    /// Polls since the other VCIs were pushed.
    polls: u32,
    since_ns: Option<u64>,
    /// When was first seen that nothing happens.
    quiet_since_ns: Option<u64>,
    published: bool,
    /// Sleeps in a row that found nothing.
    sleeps: u32,
}

impl Watch {
    /// So many polls more: whether it is time to push the other VCIs.
    fn pushes_after(&mut self, polls: u32) -> bool {
        self.polls += polls;
        let is_time = self.polls >= POLLS_PER_PUSH_ELSEWHERE;
        if is_time {
            self.polls = 0;
        }
        is_time
    }
}

/// Whether a rank keeps its core while it waits. Who asks for yields knows of others who need it,
/// such as ranks in other containers of this machine.
pub(crate) fn has_own_core(node: &Node, policy: Policy) -> bool {
    policy != Policy::Yield && node.own_core()
}

impl Engine {
    /// Makes progress until `ready`. `op_info` says what is awaited, for the stall report.
    #[inline]
    pub(crate) fn wait_until(
        &self,
        mut ready: impl FnMut() -> bool,
        op_info: impl Fn() -> Option<OpInfo>,
    ) {
        if ready() {
            return;
        }
        self.count_wait(true);
        loop {
            if !self.progress_awaited() {
                self.wait_slowly(&mut ready, &op_info);
                break;
            }
            if ready() {
                break;
            }
        }
        if self.messages.borrow().has_offers() {
            self.messages.borrow_mut().settle_offers();
        }
        self.count_wait(false);
    }

    /// A wait begins or ends: peers see whether there is any, of whatever thread.
    #[inline]
    pub(crate) fn count_wait(&self, begins: bool) {
        let now = if begins { self.waits.get() + 1 } else { self.waits.get() - 1 };
        self.waits.set(now);
        self.node.view(self.node.me()).set_waiting(now > 0);
    }

    /// Where ranks share cores: how often to poll one place, yielding the core between polls,
    /// before making progress everywhere. Once if this rank has work that only general progress
    /// moves.
    pub(crate) fn yields(&self, messages: &Messages) -> u32 {
        if messages.is_idle() { self.yields_for_node(messages) } else { 1 }
    }

    /// The same for what a rank of this node publishes, whatever may arrive from other nodes.
    pub(crate) fn yields_for_node(&self, messages: &Messages) -> u32 {
        let may_yield = matches!(self.wait_policy, Policy::Auto | Policy::Yield);
        if may_yield && !lock::is_threaded() && messages.is_idle_here() { YIELDS } else { 1 }
    }

    /// The answer of a call that does not wait, as `MPI_Test`: what `look` finds at once, or after
    /// a poll. If that is nothing and the call yields, it polls and looks once more: its answer
    /// must not be older than the yield. A program that asks in turns for a message of any rank and
    /// for the end of a nonblocking barrier, after which a rank's next message may come, counts on
    /// it: an old "no message" does no harm, an old "not over" does.
    #[inline(always)]
    pub fn poll_for<T>(&self, mut look: impl FnMut() -> T, is_nothing: impl Fn(&T) -> bool) -> T {
        let at_once = look();
        if !is_nothing(&at_once) {
            return at_once;
        }
        self.poll();
        let found = look();
        if !is_nothing(&found) || !self.found_nothing() {
            return found;
        }
        self.poll();
        look()
    }

    /// A call that does not wait (`MPI_Test`, `MPI_Iprobe`) has found nothing. A program that asks
    /// again and again keeps the core from the rank that it wants to hear of, where they share one:
    /// such calls yield, as waiting does. hypre on 4 ranks and 2 cores: 0.02 instead of 0.9 s.
    ///
    /// True if it has yielded.
    pub fn found_nothing(&self) -> bool {
        let tries = self.tries_in_vain.get().wrapping_add(1);
        self.tries_in_vain.set(tries);
        if !is_alone() {
            self.push_elsewhere_after(tries);
        }
        if self.own_core.get() || !matches!(self.wait_policy, Policy::Auto | Policy::Yield) {
            return false;
        }
        let yields = monotonic_ns() - self.found_nothing_at.get() < AT_ONCE_NS;
        if yields {
            lock::unlocked(self.vci, std::thread::yield_now);
        }
        self.found_nothing_at.set(monotonic_ns());
        yields
    }

    /// A call that does not wait has found nothing, the last of so many: pushes the other VCIs now
    /// and then, and whenever the program has done something else meanwhile.
    fn push_elsewhere_after(&self, tries: u32) {
        let is_loop = monotonic_ns() - self.tried_at.get() < AT_ONCE_NS;
        if !is_loop || tries % POLLS_PER_PUSH_ELSEWHERE == 0 {
            self.rest(true, || ());
        }
        self.tried_at.set(monotonic_ns());
    }

    /// Lets other threads have this VCI for the length of `f`, and pushes the others if `pushes`.
    /// True if anything moved there.
    fn rest(&self, pushes: bool, f: impl FnOnce()) -> bool {
        let mut has_moved = false;
        lock::unlocked(self.vci, || {
            f();
            has_moved = pushes && progress_elsewhere(self.vci);
        });
        has_moved
    }

    /// Counts a receive that may take its message without general progress, and makes some if it is
    /// its turn and anything is under way.
    #[inline(always)]
    pub(crate) fn make_progress_now_and_then(&self) {
        let calls = self.calls_at_once.get().wrapping_add(1);
        self.calls_at_once.set(calls);
        if calls % CALLS_PER_PROGRESS == 0 {
            self.make_progress_beside();
        }
    }

    #[cold]
    #[inline(never)]
    fn make_progress_beside(&self) {
        if self.has_more_under_way(0) {
            self.progress();
        }
    }

    /// The same for a wait, while more is under way than so many requests. Tasks are pushed more
    /// often.
    #[inline(always)]
    pub(crate) fn make_progress_in_turn(&self, own_requests: usize) {
        if self.has_more_under_way(own_requests) {
            self.count_wait_beside_more();
        }
    }

    #[inline(never)]
    fn count_wait_beside_more(&self) {
        let calls = self.calls_at_once.get().wrapping_add(1);
        self.calls_at_once.set(calls);
        if calls % CALLS_PER_PROGRESS == 0 {
            self.progress();
        } else if calls % CALLS_PER_PUSH == 0 {
            self.push_tasks();
            self.pause_or_handle();
        }
    }

    #[inline(always)]
    fn has_more_under_way(&self, own_requests: usize) -> bool {
        // The program may call this while something of it is pushed already.
        let Ok(messages) = self.messages.try_borrow_mut() else { return false };
        messages.transfers.requests.in_use() > own_requests || self.has_tasks()
    }

    fn wait_slowly(&self, ready: &mut dyn FnMut() -> bool, op_info: &dyn Fn() -> Option<OpInfo>) {
        let mut waiter = Waiter::new(self.wait_policy, self.own_core.get());
        let mut watch = Watch::default();
        loop {
            if self.progress_awaited() {
                if ready() {
                    break;
                }
                waiter.reset();
                (watch.quiet_since_ns, watch.sleeps) = (None, 0);
                continue;
            }
            let has_moved;
            let weight = match waiter.step() {
                WaitAction::Poll => {
                    // A poll of the network is a system call, and pause enough.
                    let has_looked_far = self.messages.borrow().has_just_polled_net();
                    if has_looked_far {
                        waiter.polled_network();
                    }
                    let has_pushed = self.rest(watch.pushes_after(1), || {
                        if !has_looked_far {
                            self.node.pause();
                        }
                    });
                    has_moved = self.look_for_operations(ready) || has_pushed;
                    1
                }
                WaitAction::Yield => {
                    has_moved =
                        self.rest(watch.pushes_after(POLLS_PER_YIELD), std::thread::yield_now);
                    STEPS_PER_LOOK / YIELDS_PER_LOOK
                }
                WaitAction::Sleep => {
                    has_moved = self.sleep(watch.sleeps, ready);
                    watch.sleeps = watch.sleeps.saturating_add(1);
                    STEPS_PER_LOOK
                }
            };
            if has_moved {
                waiter.reset();
                (watch.quiet_since_ns, watch.sleeps) = (None, 0);
            }
            watch.steps += weight;
            if watch.steps >= STEPS_PER_LOOK {
                watch.steps = 0;
                self.look_around(&mut watch, &mut waiter, op_info);
            }
            // Another thread, or a callback, may have completed it.
            if ready() {
                break;
            }
        }
        if watch.published {
            self.stall_cell().publish(None);
        }
    }

    /// Looks for one-sided operations of this node between two rounds of progress, each of which
    /// takes longer than such a look, until anything else happens. True if there were any: their
    /// origin may send the next as soon as it has heard of the last.
    fn look_for_operations(&self, ready: &mut dyn FnMut() -> bool) -> bool {
        let is_useful = self.near_windows.count.get() > 0 && self.own_core.get();
        if !is_useful || self.spans_nodes || lock::is_threaded() {
            return false;
        }
        let (mut has_handled, mut left) = (false, LOOKS_FOR_OPERATIONS);
        for look in 0..LOOKS_FOR_OPERATIONS_MAX {
            let handles = self.pause_or_handle();
            if handles {
                (has_handled, left) = (true, LOOKS_FOR_NEXT_OPERATION);
                // The origin has to read the answer first: its line is left alone for a moment.
                self.node.pause();
            }
            left -= 1;
            // What is waited for takes longer to look at.
            let is_time = handles || look % 2 != 0;
            if is_time && (ready() || self.messages.borrow().node.has_something()) || left == 0 {
                break;
            }
        }
        has_handled
    }

    /// True if this thread has moved something on meanwhile, in another VCI.
    fn sleep(&self, sleeps: u32, ready: &mut dyn FnMut() -> bool) -> bool {
        if lock::is_threaded() {
            // The futex has one sleeper; with several threads a short sleep is simpler.
            return self.rest(true, || std::thread::sleep(SLEEP_MAX_THREADS));
        }
        let longest = doubled(SLEEP_MIN, sleeps, SLEEP_MAX);
        self.falls_asleep.set(true);
        match self.spans_nodes {
            true => self.node.sleep_on(|| {
                let found = self.progress_awaited() || ready();
                (!found).then(|| self.messages.borrow().fd_sleep(longest, sleeps))
            }),
            false => self.node.sleep(longest, || self.progress_awaited() || ready()),
        }
        self.falls_asleep.set(false);
        false
    }

    fn look_around(
        &self,
        watch: &mut Watch,
        waiter: &mut Waiter,
        op_info: &dyn Fn() -> Option<OpInfo>,
    ) {
        let own_core = has_own_core(self.node, self.wait_policy);
        if own_core != self.own_core.replace(own_core) {
            *waiter = Waiter::new(self.wait_policy, own_core);
            self.messages.borrow_mut().node.share_core(!own_core);
        }
        let now = monotonic_ns();
        let since_ns = *watch.since_ns.get_or_insert(now);
        let quiet_since_ns = *watch.quiet_since_ns.get_or_insert(now);
        waiter.tire(Duration::from_nanos(now - quiet_since_ns));
        let is_long = now - since_ns > PUBLISH_AFTER.as_nanos() as u64;
        // Whoever holds an awaited lock may change while this rank waits.
        if is_long && (!watch.published || self.awaited_lock.get().is_some()) {
            self.stall_cell().publish(Some(&self.stall(since_ns, op_info())));
            watch.published = true;
        }
        if watch.published {
            self.leave_if_launcher_is_gone();
        }
    }

    fn stall(&self, since_ns: u64, op_info: Option<OpInfo>) -> Stall {
        let world = |a: &OpInfo| a.peer.and_then(|p| a.comm.process(p).ok());
        Stall {
            function: self.function.get().to_string(),
            comm: op_info.as_ref().map_or_else(String::new, |a| a.comm.shown_name()),
            peer: op_info.as_ref().and_then(world),
            tag: op_info.as_ref().and_then(|a| a.tag),
            holder: self.holder_of_awaited_lock(),
            lock: self.far_lock(),
            since_ns,
        }
    }

    /// The window whose lock is awaited, if only its owner sees who holds it.
    fn far_lock(&self) -> Option<u64> {
        let (window, rank) = self.awaited_lock.get()?;
        let windows = self.windows.try_borrow().ok()?;
        let window = windows.get(window)?;
        window.shared_part(rank).is_none().then_some(window.comm.context)
    }

    fn holder_of_awaited_lock(&self) -> Option<Rank> {
        let (window, rank) = self.awaited_lock.get()?;
        let window = self.windows.try_borrow().ok()?.get(window)?.clone();
        window.shared_part(rank)?.header.lock.holder()
    }
}
