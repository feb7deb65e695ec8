//! Large operations that go on while the program computes, on one node (`DUNLIN_PROGRESS=auto`):
//! which operations, of which programs, and on which cpus. A call that leaves such operations
//! behind releases the engine to the [thread](overlap_thread), and the next call takes it back.
//!
//! A program that waits at once is not helped but hindered by a thread: so only one does this that
//! has computed between the begin and the end of large operations before.

use std::cell::{Cell, RefCell};

use dunlin_base::settings::{JOB_LIFELINE, PROGRESS_CPUS, Settings};
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_machine::{CpuUse, Cpus, cpu_quota};
use dunlin_shm::{FreeCpus, Node};

use crate::engine::Engine;
use crate::engine::clock::monotonic_ns;
use crate::engine::fast_guard;
use crate::engine::global;
use crate::objects::status::RequestId;
use crate::p2p::request::COMPLETE;
use crate::threads::lock;
use crate::threads::overlap_thread::{self, OverlapTurn};
use crate::threads::progress_thread::{Service, Turn};

/// Operations are large from so many bytes on: messages, and what a rank gives to a collective.
const BYTES_MIN: usize = 64 << 10;
/// Computations that are shorter do not count: 64 KiB take about twice as long.
const COMPUTES_NS_MIN: u64 = 4_000;
/// Waits in a row without such a computation before them, after which the program is one that does
/// not compute.
const WAITS_AT_ONCE_MAX: u32 = 2;
/// Large operations of which this is noted; if more are in progress, the newest are not.
const NOTED_MAX: usize = 64;

/// Where the thread runs.
#[derive(Debug, Clone, Copy, Default)]
enum Place {
    /// There is none.
    #[default]
    Nowhere,
    /// Where the user says.
    Named(FreeCpus),
    /// Where no rank does, if there is room.
    Free,
    /// It has been started.
    Started,
}

/// What a process knows of the large operations that it leaves behind.
#[derive(Debug)]
pub(crate) struct Overlap {
    place: Cell<Place>,
    /// [`BYTES_MIN`], or more than anything.
    bytes_min: Cell<usize>,
    /// Large operations, until they are seen to be complete.
    large: RefCell<Vec<RequestId>>,
    /// This call has begun one.
    has_begun: Cell<bool>,
    /// When a call has left some behind; 0 if none has, or the program has waited since.
    left_at_ns: Cell<u64>,
    waits_at_once: Cell<u32>,
    /// The fast path is closed because the engine was released.
    is_closed: Cell<bool>,
}

impl Default for Overlap {
    /// One that never releases the engine.
    fn default() -> Overlap {
        Overlap {
            place: Cell::default(),
            bytes_min: Cell::new(usize::MAX),
            large: RefCell::default(),
            has_begun: Cell::default(),
            left_at_ns: Cell::default(),
            waits_at_once: Cell::new(WAITS_AT_ONCE_MAX),
            is_closed: Cell::default(),
        }
    }
}

impl Overlap {
    /// That of a rank of a job on one node.
    pub fn of(settings: &Settings, service: Service, node: &Node) -> Result<Overlap> {
        let overlap = Overlap::default();
        let named = named_cpus(settings)?;
        if service != Service::Windows || node.ranks() == 1 || node.job_map().nodes() > 1 {
            return Ok(overlap);
        }
        // Of other launchers nobody knows which cpus they have given to whom.
        let is_ours = settings.integer_if_set(&JOB_LIFELINE).is_some();
        let place = match named {
            Some(cpus) => Place::Named(cpus),
            None if is_ours && node.may_have_free_cpus() => Place::Free,
            None => return Ok(overlap),
        };
        overlap.place.set(place);
        overlap.bytes_min.set(BYTES_MIN);
        Ok(overlap)
    }

    /// Whether calls may release the engine.
    pub fn is_possible(&self) -> bool {
        self.bytes_min.get() != usize::MAX
    }

    /// Whether this call has begun something large.
    #[inline(always)]
    pub fn has_begun(&self) -> bool {
        self.has_begun.get()
    }

    /// An operation of so many bytes has begun.
    #[inline(always)]
    pub fn note(&self, id: RequestId, bytes: usize) {
        if bytes >= self.bytes_min.get() {
            self.note_large(id);
        }
    }

    #[cold]
    fn note_large(&self, id: RequestId) {
        let mut large = self.large.borrow_mut();
        if id != COMPLETE && large.len() < NOTED_MAX {
            large.push(id);
            self.has_begun.set(true);
        }
    }

    /// The program waits for what has not come yet.
    #[inline(always)]
    pub fn note_wait(&self) {
        if self.left_at_ns.get() != 0 {
            self.judge(monotonic_ns() - self.left_at_ns.take());
        }
    }

    /// The program has been outside MPI for so long.
    #[cold]
    fn judge(&self, outside_ns: u64) {
        let computes = outside_ns >= COMPUTES_NS_MIN;
        let waits = if computes { 0 } else { self.waits_at_once.get() + 1 };
        self.waits_at_once.set(waits.min(WAITS_AT_ONCE_MAX));
    }

    /// Whether the program is one that computes before it waits.
    fn computes(&self) -> bool {
        self.waits_at_once.get() < WAITS_AT_ONCE_MAX
    }

    fn give_up(&self) {
        self.bytes_min.set(usize::MAX);
        self.place.set(Place::Nowhere);
        self.large.borrow_mut().clear();
    }

    /// Whether there is a thread; starts it when it is first needed. `None` while it is not known
    /// where ranks run.
    fn has_thread(&self, node: &Node) -> Option<bool> {
        let cpus = match self.place.get() {
            Place::Nowhere => return Some(false),
            Place::Started => return Some(!overlap_thread::has_failed()),
            Place::Named(cpus) => cpus,
            Place::Free => {
                let free = node.free_cpus()?;
                let (ranks, quota) = (node.ranks(), cpu_quota());
                let cpus = CpuUse { ranks, taken: free.taken, free: free.count(), quota };
                if cpus.check().is_err() {
                    return Some(false);
                }
                free
            }
        };
        self.place.set(Place::Started);
        Some(overlap_thread::start(turn, move || cpus.run_there()).is_ok())
    }
}

fn named_cpus(settings: &Settings) -> Result<Option<FreeCpus>> {
    let Some(text) = settings.text(&PROGRESS_CPUS).filter(|text| !text.trim().is_empty()) else {
        return Ok(None);
    };
    match Cpus::parse(text).filter(|cpus| !cpus.0.is_empty()) {
        Some(cpus) => Ok(Some(FreeCpus::named(cpus.0))),
        None => {
            let text = format!("{PROGRESS_CPUS} is `{text}`; it must be numbers, as in `8-15,40`");
            Err(Error::new(ErrorClass::Arg, text))
        }
    }
}

/// Calls may release the engine that is about to be installed.
pub(crate) fn may_release() {
    lock::may_release(|| global::installed().end_call());
}

/// A turn of the thread.
fn turn() -> OverlapTurn {
    global::made().map_or(OverlapTurn::Rested, Engine::overlap_turn)
}

impl Engine {
    /// The outermost call ends.
    fn end_call(&'static self) {
        let overlap = &self.overlap;
        overlap.has_begun.set(false);
        if self.leaves_large() {
            overlap.left_at_ns.set(monotonic_ns());
            if overlap.computes() {
                match overlap.has_thread(self.node) {
                    Some(true) => return self.release(),
                    Some(false) => overlap.give_up(),
                    None => {}
                }
            }
        }
        if overlap.is_closed.take() && self.is_running() {
            fast_guard::open(Some(self));
        }
    }

    fn release(&self) {
        if !self.overlap.is_closed.replace(true) {
            fast_guard::open(None);
        }
        overlap_thread::release();
    }

    /// Whether large operations are in progress.
    fn leaves_large(&self) -> bool {
        let mut large = self.overlap.large.borrow_mut();
        // The messages stay borrowed if the program has left a callback by `longjmp`.
        if large.is_empty() || !self.is_running() || self.messages.try_borrow_mut().is_err() {
            large.clear();
            return false;
        }
        large.retain(|&id| !self.is_complete(id));
        !large.is_empty()
    }

    /// The thread, which has the engine, moves everything that needs no function of the program.
    fn overlap_turn(&self) -> OverlapTurn {
        let Ok(mut messages) = self.messages.try_borrow_mut() else { return OverlapTurn::Rested };
        if !self.is_running() {
            return OverlapTurn::Rested;
        }
        let has_moved = matches!(messages.carry_on(true), Turn::Moved);
        drop(messages);
        self.serve_all_windows();
        if self.tasks.poll_as_helper() || has_moved {
            OverlapTurn::Moved
        } else if self.tasks.has_some_for_helper() {
            OverlapTurn::CollectivesWait
        } else if self.messages.borrow().is_under_way_here(true) {
            OverlapTurn::Waits
        } else {
            OverlapTurn::Rested
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_program_that_computes_before_it_waits_is_helped() {
        let overlap = Overlap::default();
        assert!(!overlap.computes());
        overlap.judge(COMPUTES_NS_MIN);
        assert!(overlap.computes());
        overlap.judge(COMPUTES_NS_MIN - 1);
        assert!(overlap.computes());
        overlap.judge(1_000_000);
        overlap.judge(100);
        assert!(overlap.computes());
        overlap.judge(100);
        assert!(!overlap.computes());
    }

    #[test]
    fn large_operations_that_are_in_progress_are_noted() {
        let overlap = Overlap::default();
        overlap.note(7, BYTES_MIN);
        assert!(!overlap.has_begun(), "there is nowhere to go on");
        overlap.bytes_min.set(BYTES_MIN);
        overlap.note(7, BYTES_MIN - 1);
        overlap.note(COMPLETE, BYTES_MIN);
        assert!(!overlap.has_begun());
        (1..1000).for_each(|id| overlap.note(id, BYTES_MIN));
        assert!(overlap.has_begun() && overlap.large.borrow().len() == NOTED_MAX);
        overlap.give_up();
        assert!(!overlap.is_possible() && overlap.large.borrow().is_empty());
    }

    #[test]
    fn cpus_are_named_as_the_kernel_does() {
        let named = |text: &str| {
            let pairs = [(PROGRESS_CPUS.name.into(), text.into())];
            named_cpus(&Settings::read(pairs.into_iter()))
        };
        assert_eq!(named("1,3-4").unwrap().map(|cpus| cpus.count()), Some(3));
        assert!(named(" ").unwrap().is_none());
        assert!(named("all").unwrap_err().text.contains("`all`"));
    }
}
