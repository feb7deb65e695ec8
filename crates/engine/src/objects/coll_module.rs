//! Where the members of a communicator share data.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use dunlin_coll::selection::LastChoices;
use dunlin_shm::cma::MemoryFile;
use dunlin_shm::coll_segment as shm;
use dunlin_shm::layout::COLL_AREAS_PER_RANK;

/// Whether a communicator has a collective segment.
#[derive(Debug, Default)]
pub(crate) enum ModuleState {
    /// Nobody has asked yet.
    #[default]
    Untried,
    /// Its members are agreeing on one.
    Making,
    /// It does without.
    Without,
    /// This is it.
    With(Rc<CollModule>),
}

/// A communicator's collective module, as this rank uses it.
#[derive(Debug)]
pub(crate) struct CollModule {
    pub(crate) segment: shm::CollSegment<'static>,
    /// The members' places in the node, in the order of their ranks: of a communicator on several
    /// nodes, of those on this one.
    pub(crate) members: Box<[usize]>,
    /// Of a communicator on several nodes: the index of each rank among `members`, or
    /// [`ELSEWHERE`].
    pub(crate) indices: Option<Box<[usize]>>,
    /// The number of this rank's place.
    pub(crate) area: usize,
    /// Who gets it back.
    pub(crate) owner: Rc<RefCell<FreeAreas>>,
    /// So many bytes of a rank, and more, are shared by single copy; see
    /// [`SingleCopy::shared_bytes_min`](crate::p2p::single_copy::SingleCopy::shared_bytes_min).
    pub(crate) single_copy_bytes_min: usize,
    /// Some of them share cores.
    pub(crate) oversubscribed: bool,
    /// The operation in progress has published memory of this process.
    pub(crate) exposed: Cell<bool>,
    /// Bytes of a rank's whole contribution to the operation in progress: nobody may publish more.
    pub(crate) whole: Cell<usize>,
    /// What this communicator ran last.
    pub(crate) last_choices: LastChoices,
    /// Of two members: the other's memory as a file, once it was needed.
    pub(crate) other: OnceCell<Option<MemoryFile>>,
}

impl Drop for CollModule {
    fn drop(&mut self) {
        let module = std::mem::replace(&mut self.segment, shm::CollSegment::none());
        self.owner.borrow_mut().retire(self.area, module);
    }
}

/// The places of this rank.
#[derive(Debug, Default)]
pub(crate) struct FreeAreas {
    pub(crate) taken: [bool; COLL_AREAS_PER_RANK],
    /// Given up here, but perhaps still looked at by slower members.
    retired: Vec<(usize, shm::CollSegment<'static>)>,
}

impl FreeAreas {
    pub fn take(&mut self) -> Option<usize> {
        let taken = &mut self.taken;
        self.retired.retain(|(area, module)| {
            let in_use = !module.all_ended();
            taken[*area] = in_use;
            in_use
        });
        let area = taken.iter().position(|taken| !taken)?;
        taken[area] = true;
        Some(area)
    }

    pub fn retire(&mut self, area: usize, module: shm::CollSegment<'static>) {
        self.retired.push((area, module));
    }
}

/// Stands for the index of a rank on another node.
pub(crate) const ELSEWHERE: usize = usize::MAX;

impl CollModule {
    /// a collective segment over `areas`, of which place `area` of this rank goes back to `owner`.
    pub(crate) fn new(
        segment: shm::CollSegment<'static>,
        members: Box<[usize]>,
        (area, owner): (usize, Rc<RefCell<FreeAreas>>),
        single_copy_bytes_min: usize,
        oversubscribed: bool,
    ) -> CollModule {
        CollModule {
            segment,
            members,
            indices: None,
            area,
            owner,
            single_copy_bytes_min,
            oversubscribed,
            exposed: Cell::new(false),
            whole: Cell::new(0),
            last_choices: LastChoices::default(),
            other: OnceCell::new(),
        }
    }

    /// Where a rank stands among the members. A look at another node is an algorithm's mistake.
    #[inline]
    pub(crate) fn index_of(&self, rank: usize) -> usize {
        match &self.indices {
            None => rank,
            Some(indices) => indices[rank],
        }
    }

    /// Whether it is for some of the communicator's ranks alone.
    #[inline]
    pub(crate) fn is_partial(&self) -> bool {
        self.indices.is_some()
    }
}
