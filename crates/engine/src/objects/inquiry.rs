//! The results of the cheapest inquiries (`MPI_Type_size`, `MPI_Comm_rank`, ...), in tables that
//! any thread reads without the lock. Programs call them in their innermost loops, where entering
//! the engine takes three times as long as reading the result.
//!
//! All accesses are relaxed: a program that uses a handle in another thread than the one that
//! created it orders the two itself, and one that uses a freed handle reads an old result or none.

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, Ordering::Relaxed};

use dunlin_base::Rank;
use dunlin_datatype::Datatype;

use crate::objects::comm::Comm;
use crate::objects::topology::{Cart, DIMENSIONS_FEW, Dimension, FewDimensions, Topology};

/// Objects in a table; larger numbers take the slow path. Programs have tens of objects.
const OBJECTS_MAX: usize = 512;

/// The results for one object.
#[derive(Debug)]
pub struct Row<const N: usize> {
    known: AtomicBool,
    answers: [AtomicI64; N],
}

impl<const N: usize> Row<N> {
    const fn new() -> Row<N> {
        Row { known: AtomicBool::new(false), answers: [const { AtomicI64::new(0) }; N] }
    }

    /// One result.
    #[inline(always)]
    pub fn get(&self, which: usize) -> i64 {
        self.answers[which].load(Relaxed)
    }
}

/// The results for objects of one kind, by number.
#[derive(Debug)]
pub struct Answers<const N: usize>([Row<N>; OBJECTS_MAX]);

impl<const N: usize> Answers<N> {
    /// An empty table.
    #[allow(clippy::new_without_default, reason = "statics need a constant function")]
    pub const fn new() -> Self {
        Answers([const { Row::new() }; OBJECTS_MAX])
    }

    /// Sets the results for an object.
    pub fn set(&self, object: u32, answers: [i64; N]) {
        let Some(row) = self.0.get(object as usize) else { return };
        for (place, answer) in row.answers.iter().zip(answers) {
            place.store(answer, Relaxed);
        }
        row.known.store(true, Relaxed);
    }

    /// Changes one result for an object.
    pub(crate) fn change(&self, object: u32, which: usize, answer: i64) {
        if let Some(row) = self.0.get(object as usize) {
            row.answers[which].store(answer, Relaxed);
        }
    }

    /// Removes an object.
    pub fn forget(&self, object: u32) {
        if let Some(row) = self.0.get(object as usize) {
            row.known.store(false, Relaxed);
        }
    }

    /// The results for an object, if they are known and MPI runs.
    #[inline(always)]
    pub fn of(&self, object: u32) -> Option<&Row<N>> {
        let row = self.0.get(object as usize)?;
        (row.known.load(Relaxed) && RUNNING.load(Relaxed)).then_some(row)
    }
}

/// Columns of the results for a datatype.
pub mod datatype {
    /// Bytes of data.
    pub const SIZE: usize = 0;
    /// Lower bound.
    pub const LB: usize = 1;
    /// Extent.
    pub const EXTENT: usize = 2;
    /// Offset of the lowest byte of data.
    pub const TRUE_LB: usize = 3;
    /// Bytes from the lowest to the highest byte of data.
    pub const TRUE_EXTENT: usize = 4;
    /// Basic elements.
    pub const ELEMENTS: usize = 5;
    /// Bytes of an element, if the type is committed and its elements are contiguous from the
    /// buffer's address on; else 0.
    pub const PLAIN: usize = 6;
    /// The number of columns.
    pub const COUNT: usize = 7;
}

/// Columns of the results for a communicator.
pub mod comm {
    /// The rank of this process.
    pub const RANK: usize = 0;
    /// Processes in the local group.
    pub const SIZE: usize = 1;
    /// Whether it is an intercommunicator.
    pub const IS_INTER: usize = 2;
    /// Its topology: none, Cartesian, graph or distributed graph.
    pub const TOPOLOGY: usize = 3;
    /// Its VCI.
    pub const VCI: usize = 4;
    /// The number of columns.
    pub const COUNT: usize = 5;
}

/// Datatypes by number.
pub static DATATYPES: Answers<{ datatype::COUNT }> = Answers::new();
/// Communicators by number.
pub static COMMS: Answers<{ comm::COUNT }> = Answers::new();
/// Those with a Cartesian topology of few dimensions: how many, then the length of each, below 0 if
/// it is periodic.
static CARTS: Answers<{ 1 + DIMENSIONS_FEW }> = Answers::new();
/// Whether MPI is between initialisation and finalisation.
static RUNNING: AtomicBool = AtomicBool::new(false);
static WORLD_RANK: AtomicU32 = AtomicU32::new(0);
/// The number of this process's program in the launcher's command line.
static APP_NUMBER: AtomicU32 = AtomicU32::new(0);
static SPANS_NODES: AtomicBool = AtomicBool::new(false);

/// Enables or disables the tables.
pub(crate) fn set_running(running: bool, world_rank: Rank) {
    WORLD_RANK.store(world_rank, Relaxed);
    RUNNING.store(running, Relaxed);
}

/// Whether MPI is between initialisation and finalisation.
#[inline(always)]
pub fn is_running() -> bool {
    RUNNING.load(Relaxed)
}

/// This process's rank in `MPI_COMM_WORLD`, while MPI runs.
pub fn world_rank() -> Rank {
    WORLD_RANK.load(Relaxed)
}

/// Sets what the launcher said about this process and its job.
pub(crate) fn set_job(app_number: u32, spans_nodes: bool) {
    APP_NUMBER.store(app_number, Relaxed);
    SPANS_NODES.store(spans_nodes, Relaxed);
}

/// The number of this process's program among those of the launcher's command line, from 0.
pub fn app_number() -> u32 {
    APP_NUMBER.load(Relaxed)
}

/// Whether the job spans several nodes, whose clocks differ.
pub fn spans_nodes() -> bool {
    SPANS_NODES.load(Relaxed)
}

/// Sets the results for a datatype; called again when it is committed.
pub(crate) fn add_datatype(number: u32, t: &Datatype, is_committed: bool) {
    let answers = (i64::try_from(t.size()), i64::try_from(t.elements_each()));
    if let (Ok(size), Ok(elements)) = answers {
        let bounds = [t.lb(), t.extent(), t.true_lb(), t.true_extent()];
        let is_plain = is_committed && t.is_contiguous() && t.true_lb() == 0;
        let plain = if is_plain { size } else { 0 };
        DATATYPES.set(number, [size, bounds[0], bounds[1], bounds[2], bounds[3], elements, plain]);
    }
}

/// Sets the results for a communicator.
pub(crate) fn add_comm(number: u32, c: &Comm) {
    let topology = match c.topology.as_deref() {
        None => 0,
        Some(Topology::Cart(_)) => 1,
        Some(Topology::Graph(_)) => 2,
        Some(Topology::DistGraph(_)) => 3,
    };
    let vci = c.vci.get() as i64;
    let answers = [i64::from(c.rank), i64::from(c.size()), c.is_inter().into(), topology, vci];
    COMMS.set(number, answers);
    if let Some(Topology::Cart(cart)) = c.topology.as_deref() {
        add_cart(number, cart);
    }
}

/// Sets the Cartesian topology of a communicator, unless it has too many dimensions.
fn add_cart(number: u32, cart: &Cart) {
    let mut answers = [0; 1 + DIMENSIONS_FEW];
    let [count, lengths @ ..] = &mut answers;
    if cart.dims.len() <= lengths.len() {
        *count = cart.dims.len() as i64;
        for (place, dim) in lengths.iter_mut().zip(&cart.dims) {
            let length = i64::from(dim.length);
            *place = if dim.periodic { -length } else { length };
        }
        CARTS.set(number, answers);
    }
}

/// The Cartesian topology of a communicator, and this process's rank in it, if both are known.
#[inline(always)]
pub fn cart(number: u32) -> Option<(Cart<FewDimensions>, Rank)> {
    let (row, rank) = (CARTS.of(number)?, COMMS.of(number)?.get(comm::RANK) as Rank);
    let mut dims = FewDimensions { count: row.get(0) as usize, ..Default::default() };
    // A loop, since the functions of arrays are not inlined.
    for d in 0..dims.as_ref().len() {
        let length = row.get(1 + d);
        // At least 1, also if another thread frees the communicator, against the rules.
        let length_or_one = length.unsigned_abs().max(1) as u32;
        dims.all[d] = Dimension { length: length_or_one, periodic: length < 0 };
    }
    Some((Cart { dims }, rank))
}

/// Removes a communicator.
pub(crate) fn forget_comm(number: u32) {
    COMMS.forget(number);
    CARTS.forget(number);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_known_until_it_is_forgotten_and_only_while_mpi_runs() {
        static TABLE: Answers<2> = Answers::new();
        TABLE.set(3, [7, -8]);
        set_running(true, 5);
        assert_eq!(TABLE.of(3).map(|row| (row.get(0), row.get(1))), Some((7, -8)));
        assert!(TABLE.of(2).is_none());
        set_running(false, 5);
        assert!(TABLE.of(3).is_none());
        set_running(true, 5);
        TABLE.forget(3);
        assert!(TABLE.of(3).is_none());
        // A number beyond the table is ignored without an error.
        TABLE.set(OBJECTS_MAX as u32, [1, 1]);
        assert!(TABLE.of(OBJECTS_MAX as u32).is_none());
        set_running(false, 0);
    }
}
