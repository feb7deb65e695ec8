//! The arguments of neighbourhood collectives on the fast path: where the block of each neighbour
//! is. `None` for arguments that are wrong or that the fast path does not support.

use std::ffi::{c_int, c_void};
use std::rc::Rc;

use dunlin_base::Result;
use dunlin_datatype::byte_range::BYTES_MAX;
use dunlin_engine::{Bytes, Comm, Engine, NeighbourFastPath, Schedule, Traded};

use crate::call::{finish, on_comm};
use crate::collective::{self, Given, GivenBlocks, GivenVaried, Number};
use crate::convert::{plain_bytes, plain_length};
use crate::raise::Owner;
use crate::standard::handles::claimed_comm;
use crate::standard::types::{MPI_Comm, MPI_Datatype};

/// Runs a neighbourhood collective to completion: what the fast path leaves by the slow path.
#[inline]
pub fn blocking(
    function: &'static str,
    comm: MPI_Comm,
    trade: impl FnOnce(&NeighbourFastPath) -> Option<Traded>,
    decode: impl FnOnce(&Engine, &Rc<Comm>) -> Result<Schedule>,
) -> c_int {
    let neighbours = claimed_comm(comm).and_then(|id| NeighbourFastPath::on(function, id));
    // The fast path leaves the engine before the slow path enters it.
    match neighbours.and_then(|neighbours| trade(&neighbours)) {
        Some(Traded::All(outcome)) => finish(function, Owner::Comm(comm), outcome),
        Some(Traded::Part(done, so_far)) => on_comm(function, comm, |engine, comm| {
            // The rest is taken in any case: its messages must not be left for the next operation.
            let rest = engine.collect(&decode(engine, comm)?.without(done));
            so_far.and(rest)
        }),
        None => collective::blocking(function, comm, decode),
    }
}

/// One block for all neighbours.
#[inline]
pub fn same(given: Given) -> Option<impl Fn(usize) -> Option<Bytes>> {
    let block = plain_bytes(given.0, given.1, given.2)?;
    Some(move |_| Some(block))
}

/// Equal blocks, one for each of so many neighbours.
#[inline]
pub fn equal(given: Given, neighbours: usize) -> Option<impl Fn(usize) -> Option<Bytes>> {
    let (start, each) = plain_bytes(given.0, given.1, given.2)?;
    each.checked_mul(neighbours).filter(|all| *all <= BYTES_MAX)?;
    Some(move |i| Some((start.wrapping_add(i * each), each)))
}

/// Blocks of different lengths.
///
/// # Safety
/// The arrays are null or have an entry for each neighbour for which the result is called.
#[inline]
pub unsafe fn irregular<N: Number, D: Number>(
    (address, counts, displacements, datatype): GivenBlocks<N, D>,
) -> Option<impl Fn(usize) -> Option<Bytes>> {
    let each = plain_length(1, datatype)? as i64;
    (!counts.is_null() && !displacements.is_null()).then_some(move |i| {
        // SAFETY: promised by the caller.
        let (count, at) = unsafe { (*counts.add(i), *displacements.add(i)) };
        block(address, count, at.wide().checked_mul(each)?, datatype)
    })
}

/// Blocks with a datatype each.
///
/// # Safety
/// As for `irregular`.
#[inline]
pub unsafe fn varied<N: Number, D: Number>(
    (address, counts, displacements, datatypes): GivenVaried<N, D>,
) -> Option<impl Fn(usize) -> Option<Bytes>> {
    let is_null = counts.is_null() || displacements.is_null() || datatypes.is_null();
    (!is_null).then_some(move |i| {
        // SAFETY: promised by the caller.
        let (count, at) = unsafe { (*counts.add(i), *displacements.add(i)) };
        // SAFETY: promised by the caller.
        block(address, count, at.wide(), unsafe { *datatypes.add(i) })
    })
}

/// A block that begins so many bytes after an address.
#[inline]
fn block(
    address: *const c_void,
    count: impl Number,
    offset: i64,
    datatype: MPI_Datatype,
) -> Option<Bytes> {
    let (start, bytes) = plain_bytes(address, count.wide(), datatype)?;
    // What an empty block's displacement says is not significant.
    let start = if bytes == 0 { start } else { start.wrapping_offset(offset as isize) };
    Some((start, bytes))
}
