//! What the progress thread does with the engine, and what calls of the program leave for it. The
//! thread holds the engine for a turn. Errors that end the job, and functions of the program, wait
//! for the program's next call.

use dunlin_base::Result;
use dunlin_shm::wait::HelperNeeds;

use crate::engine::{Engine, global};
use crate::threads::lock::{self, Hooks};
use crate::threads::progress_thread::{self, Beside, Claims, Look, Turn, Waits, Work};
use crate::threads::weight::Weight;

/// Rounds of progress in a turn of the progress thread, while something moves: one for what has
/// come and one that finds nothing, after which the thread may sleep. The program may wait for all
/// of them.
const ROUNDS_PER_TURN: u32 = 4;

/// A progress thread is about to be started, or may be later: calls look what they leave for it.
pub(crate) fn share(engine: &Engine) {
    let hooks = Hooks { entered, leave };
    // A thread that sends what is left in the network's queues needs to be told nothing.
    let hears = engine.serves_all || !engine.spans_nodes;
    lock::share_with_progress_thread(hears.then_some(hooks));
    progress_thread::prepare();
}

/// A turn of the progress thread.
fn turn(look: Look) -> Turn {
    global::made().map_or(Turn::Consumed, |engine| engine.carry_on(look))
}

/// A call has taken the engine.
fn entered() {
    if let Some(engine) = global::made() {
        engine.note_return();
    }
}

/// A call gives the engine back.
fn leave() {
    match global::made() {
        Some(engine) => engine.give_back(),
        None => progress_thread::leave(),
    }
}

impl Engine {
    /// Starts the thread.
    pub(crate) fn start_progress_thread(&self) -> Result<()> {
        // From another node may come a small operation of a peer that waits for it; from this node
        // comes data for which this program will wait, and not before it has computed.
        let weight = if self.spans_nodes { Weight::More } else { Weight::Less };
        let sleeps_beside = self.serves_all || !self.spans_nodes;
        if sleeps_beside {
            self.node.prepare_helper();
        }
        let claims = if self.has_progress_thread() { Claims::Outside } else { Claims::HandedOver };
        // Ranks that our launcher has started may use the cpus that it has given to none of them.
        let (node, may_use_more) = (self.node, sleeps_beside && self.lifeline.is_some());
        let find_place = move || match may_use_more {
            true => node.use_spare_cpus(),
            false => Some(false),
        };
        // Threads of the program that have found the engine taken leave their work to this one.
        let work = Work { turn, after_turn: lock::settle_beside_program, claims };
        progress_thread::start(work, weight, find_place)
    }

    /// Whether the thread serves the node.
    fn serves_node(&self) -> bool {
        self.serves_all || self.overlap.is_shared()
    }

    /// A turn of the progress thread, which holds the engine.
    pub(crate) fn carry_on(&self, look: Look) -> Turn {
        let turn = self.take_rounds();
        if !self.serves_node() || !self.is_running() || matches!(turn, Turn::Moved | Turn::Consumed)
        {
            return turn;
        }
        let needs = self.helper_needs(true);
        if !self.spans_nodes {
            progress_thread::want(needs.is_some());
        }
        // Packets of other nodes may come at any time.
        let needs = needs.or(self.spans_nodes.then_some(HelperNeeds::Protocol));
        let Some(needs) = needs else { return Turn::Rested };
        if look == Look::Again {
            return Turn::Waits(self.waits_of(turn, needs));
        }
        self.node.announce_helper(needs);
        // What comes from now on wakes the thread; what came before is seen here.
        match self.take_rounds() {
            moved @ (Turn::Moved | Turn::Consumed) => {
                self.node.clear_helper();
                moved
            }
            turn => {
                progress_thread::say_sleeps_for(needs);
                Turn::Waits(self.waits_of(turn, needs))
            }
        }
    }

    /// What the thread waits for after a turn in which nothing moved at last.
    fn waits_of(&self, turn: Turn, needs: HelperNeeds) -> Waits {
        let beside = Some(Beside { node: self.node, needs });
        match turn {
            Turn::Waits(waits) => Waits { beside, ..waits },
            _ => Waits { beside, ..Waits::default() },
        }
    }

    fn take_rounds(&self) -> Turn {
        let mut turn = Turn::Moved;
        for round in 0..ROUNDS_PER_TURN {
            turn = match self.messages.try_borrow_mut() {
                Ok(mut messages) if self.is_running() => messages.carry_on(self.serves_node()),
                Ok(_) => {
                    progress_thread::want(false);
                    Turn::Rested
                }
                // The program has left a callback by `longjmp`.
                Err(_) => return Turn::Consumed,
            };
            let watches_memory = self.serve_all_windows();
            if self.serves_node() && self.is_running() && self.tasks.poll_as_helper() {
                turn = Turn::Moved;
            }
            turn = match turn {
                // The program goes on itself.
                Turn::Moved if progress_thread::is_awaited() => return Turn::Moved,
                Turn::Moved => Turn::Moved,
                Turn::Waits(waits) => {
                    return Turn::Waits(Waits { has_moved: round > 0, watches_memory, ..waits });
                }
                Turn::Rested if self.serves_node() && round > 0 => {
                    return Turn::Waits(Waits { has_moved: true, ..Waits::default() });
                }
                rested => return rested,
            };
        }
        turn
    }

    /// What the progress thread is to be woken for, if anything that this rank has begun may move
    /// by what ranks of this node do; `surely` as for [`Messages::is_under_way_here`].
    ///
    /// [`Messages::is_under_way_here`]: crate::p2p::messages::Messages::is_under_way_here
    fn helper_needs(&self, surely: bool) -> Option<HelperNeeds> {
        if self.tasks.has_some_for_helper() {
            return Some(HelperNeeds::Everything);
        }
        let messages = self.messages.try_borrow().ok()?;
        messages.is_under_way_here(surely).then_some(HelperNeeds::Protocol)
    }

    /// A call is about to give the engine back: says what it leaves for the progress thread.
    #[cold]
    #[inline(never)]
    pub(crate) fn note_for_helper(&self) {
        let needs = self.helper_needs(false);
        if !self.spans_nodes {
            progress_thread::want(needs.is_some());
        }
        // It may sleep for less than is under way now.
        if needs.is_some_and(progress_thread::must_hear_of) {
            self.node.wake_helper();
        }
    }
}
