//! Collective modules: how the members of a communicator share memory for collectives.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use dunlin_coll::Domains;
use dunlin_coll::selection::LastChoices;
use dunlin_shm::cma::MemoryFile;
use dunlin_shm::coll_segment as shm;
use dunlin_shm::layout::COLL_AREAS_PER_RANK;

use crate::adaptive::{AdaptiveChoice, Choice};
use crate::objects::barrier_exit::BarrierExit;

/// The state of a communicator's collective module.
#[derive(Debug, Default)]
pub(crate) enum ModuleState {
    /// No collective has requested one yet.
    #[default]
    Untried,
    /// Its members are agreeing on one.
    Making,
    /// The communicator has none.
    Without,
    /// The communicator's module.
    With(Rc<CollModule>),
}

/// Blocking collectives of a communicator over messages before these get a collective segment, and
/// nonblocking ones before those do: many communicators are made for a single one, and areas are
/// few.
pub(crate) const MESSAGES_FIRST: u32 = 2;

/// The order in which nonblocking collectives of a communicator use its segment: that in which they
/// have begun, which is the same at all members (MPI 5.0 section 6.12).
#[derive(Debug, Default)]
pub(crate) struct Turns {
    begun: Cell<u64>,
    ended: Cell<u64>,
}

impl Turns {
    /// The turn of one that begins; `None` of the first ones, which use messages.
    pub fn draw(&self) -> Option<u64> {
        self.begun.replace(self.begun.get() + 1).checked_sub(MESSAGES_FIRST.into())
    }

    /// Whether it is this one's turn.
    pub fn has_come(&self, turn: u64) -> bool {
        self.ended.get() == turn
    }

    /// The one whose turn it was has ended.
    pub fn pass(&self) {
        self.ended.set(self.ended.get() + 1);
    }
}

/// Whether long copies are written through the cache or past it, by how long that and reading take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StoresChoice {
    pub choice: AdaptiveChoice<65>,
    /// By way: how often readers had told how long they read when the choice last learned of it.
    pub told: [u64; 2],
    /// By way: copies that were timed.
    pub written: [Written; 2],
}

/// Copies that were timed, of which readers have not told yet how long they read them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Written {
    /// How long it took to write the last one.
    pub time: Duration,
    pub bytes: usize,
    pub count: u64,
    /// Looks since the first of these: not all are told of.
    pub looks: u32,
}

/// After so many looks none are waited for, and at no time more than so many.
const LOOKS_MAX: u32 = 64;
const WAITED_FOR_MAX: u64 = 8;

impl StoresChoice {
    /// A copy of so many bytes that is timed was written in this time.
    pub fn note_written(
        &mut self,
        segment: &shm::CollSegment<'_>,
        how: shm::Stores,
        time: Duration,
        bytes: usize,
    ) {
        let at = usize::from(how.past_cache);
        let Written { count, looks, .. } = self.written[at];
        if count == 0 {
            // What is told by now is told of others.
            self.told[at] = segment.reading_time(how).map_or(0, |(_, told)| told);
        }
        let looks = if count == 0 { 0 } else { looks };
        self.written[at] = Written { time, bytes, count: WAITED_FOR_MAX.min(count + 1), looks };
    }

    /// Learns of copies that were timed, once of each, when their `readers` have told how long they
    /// read: some have not when the next copy is written, and not all will.
    #[inline]
    pub fn learn(&mut self, segment: &shm::CollSegment<'_>, readers: usize) {
        for (past_cache, way) in [(false, Choice::Usual), (true, Choice::Other)] {
            let at = usize::from(past_cache);
            let written = &mut self.written[at];
            if written.count == 0 {
                continue;
            }
            let how = shm::Stores { past_cache, is_timed: true };
            let Some((reading, told)) = segment.reading_time(how) else { continue };
            written.looks += 1;
            let new = told.saturating_sub(std::mem::replace(&mut self.told[at], told));
            let copies = (new / readers.max(1) as u64).max(1);
            written.count = match new {
                0 if written.looks > LOOKS_MAX => 0,
                0 => written.count,
                _ => written.count.saturating_sub(copies),
            };
            if new > 0 {
                let reading = reading.mul_f64(written.bytes as f64 / 1024.0);
                self.choice.learn(way, written.time + reading, written.bytes);
            }
        }
    }
}

/// A communicator's collective module, as this rank uses it.
#[derive(Debug)]
pub(crate) struct CollModule {
    pub(crate) segment: shm::CollSegment<'static>,
    /// The areas' owners: the members' local ranks in rank order. On several nodes, only the
    /// members on this node.
    pub(crate) members: Box<[usize]>,
    /// On several nodes: the index of each rank among `members`, or [`ELSEWHERE`].
    pub(crate) indices: Option<Box<[usize]>>,
    /// The number of this rank's area.
    pub(crate) area: usize,
    /// The list to which the area returns.
    pub(crate) owner: Rc<RefCell<FreeAreas>>,
    /// Contributions of at least this many bytes are shared by single copy; see
    /// [`SingleCopy::shared_bytes_min`](dunlin_base::single_copy::SingleCopy::shared_bytes_min).
    pub(crate) single_copy_bytes_min: usize,
    /// Some members share cores.
    pub(crate) oversubscribed: bool,
    /// Which of the members here share caches.
    pub(crate) domains: Rc<Domains>,
    /// How this rank writes long copies, where it has a choice. Apart: short ones do not need it.
    pub(crate) stores: Option<Box<Cell<StoresChoice>>>,
    /// The operation in progress has exposed memory of this process.
    pub(crate) exposed: Cell<bool>,
    /// The algorithm of the operation in progress sends messages beside what it publishes.
    pub(crate) sends: Cell<bool>,
    /// Bytes of a rank's whole contribution to the operation in progress: no rank may expose more.
    pub(crate) whole: Cell<usize>,
    /// What comes after barriers, and so who leaves them first, where ranks share cores.
    pub(crate) barrier_exit: BarrierExit,
    /// The algorithms that this communicator ran last.
    pub(crate) last_choices: LastChoices,
    /// With two members: the other one's memory as a file, once it was needed.
    pub(crate) other: OnceCell<Option<MemoryFile>>,
}

impl Drop for CollModule {
    fn drop(&mut self) {
        let module = std::mem::replace(&mut self.segment, shm::CollSegment::none());
        self.owner.borrow_mut().retire(self.area, module);
    }
}

/// The areas of this rank.
#[derive(Debug)]
pub(crate) struct FreeAreas {
    pub(crate) taken: [bool; COLL_AREAS_PER_RANK],
    /// Released by this rank; slower members may still read them.
    retired: Vec<(usize, shm::CollSegment<'static>)>,
}

impl Default for FreeAreas {
    fn default() -> FreeAreas {
        FreeAreas { taken: [false; COLL_AREAS_PER_RANK], retired: Vec::new() }
    }
}

impl FreeAreas {
    /// One, if so many are free beside it.
    pub fn take(&mut self, beside: usize) -> Option<usize> {
        let taken = &mut self.taken;
        self.retired.retain(|(area, module)| {
            let in_use = !module.all_ended();
            taken[*area] = in_use;
            in_use
        });
        let mut free = (0..).zip(taken.iter()).filter(|(_, taken)| !**taken);
        let (area, _) = free.next()?;
        if free.count() < beside {
            return None;
        }
        taken[area] = true;
        Some(area)
    }

    pub fn retire(&mut self, area: usize, module: shm::CollSegment<'static>) {
        self.retired.push((area, module));
    }
}

/// The index of a rank on another node.
pub(crate) const ELSEWHERE: usize = usize::MAX;

impl CollModule {
    /// A module with a collective segment; this rank's area `area` returns to `owner`.
    pub(crate) fn new(
        segment: shm::CollSegment<'static>,
        members: Box<[usize]>,
        (area, owner): (usize, Rc<RefCell<FreeAreas>>),
        single_copy_bytes_min: usize,
        oversubscribed: bool,
    ) -> CollModule {
        let domains = Rc::new(Domains::one(members.len()));
        CollModule {
            segment,
            domains,
            members,
            indices: None,
            area,
            owner,
            single_copy_bytes_min,
            oversubscribed,
            stores: None,
            exposed: Cell::new(false),
            sends: Cell::new(false),
            whole: Cell::new(0),
            barrier_exit: BarrierExit::default(),
            last_choices: LastChoices::default(),
            other: OnceCell::new(),
        }
    }

    /// The index of a rank among the members. An algorithm that uses one of another node is wrong.
    #[inline]
    pub(crate) fn index_of(&self, rank: usize) -> usize {
        match &self.indices {
            None => rank,
            Some(indices) => indices[rank],
        }
    }

    /// Whether it covers only some of the communicator's ranks.
    #[inline]
    pub(crate) fn is_partial(&self) -> bool {
        self.indices.is_some()
    }
}
