//! Cartesian topologies, and the topology type of a communicator (MPI 5.0, section 8.5).

use std::ffi::c_int;
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_engine::inquiry::comm::TOPOLOGY;
use dunlin_engine::{Cart, Comm, Dimension, FewDimensions, Topology, balance};

use crate::array::{fill, list};
use crate::call::{on_comm, on_process};
use crate::comm_make::give;
use crate::convert::{self, error, put};
use crate::inquiry::{self, answer, answers};
use crate::standard::constants::*;
use crate::standard::handles::claimed_comm;
use crate::standard::types::*;

/// The error of a communicator without the topology that a call needs.
pub fn no_topology(comm: &Comm, kind: &str) -> Error {
    error(ErrorClass::Topology, format!("{} has no {kind} topology", comm.shown_name()))
}

/// The Cartesian topology of a communicator whose arguments need no error, and this process's rank.
#[inline(always)]
fn known_cart(comm: MPI_Comm) -> Option<(Cart<FewDimensions>, Rank)> {
    dunlin_engine::inquiry::cart(claimed_comm(comm)?)
}

fn cart(comm: &Comm) -> Result<&Cart> {
    match comm.topology.as_deref() {
        Some(Topology::Cart(cart)) => Ok(cart),
        _ => Err(no_topology(comm, "Cartesian")),
    }
}

/// The Cartesian topology that a program describes.
///
/// # Safety
/// Both arrays have `ndims` elements.
unsafe fn described(ndims: c_int, dims: *const c_int, periods: *const c_int) -> Result<Cart> {
    // SAFETY: promised by the caller.
    let (lengths, periods) =
        unsafe { (list(dims, ndims, "dims")?, list(periods, ndims, "periods")?) };
    let length = |d: &c_int| match u32::try_from(*d) {
        Ok(length) if length > 0 => Ok(length),
        _ => Err(error(ErrorClass::Dims, format!("a dimension is {d}; it must be > 0"))),
    };
    let dimension =
        |(d, p): (&c_int, &c_int)| Ok(Dimension { length: length(d)?, periodic: *p != 0 });
    Ok(Cart { dims: lengths.iter().zip(periods).map(dimension).collect::<Result<_>>()? })
}

/// The rank that a process would get: its current one, or none beyond the topology.
pub fn mapped(comm: &Comm, size: u64) -> Result<c_int> {
    if size > u64::from(comm.size()) {
        let (name, ranks) = (comm.shown_name(), comm.size());
        let text = format!("the topology has {size} places, but {name} has {ranks} processes");
        return Err(error(ErrorClass::Topology, text));
    }
    Ok(if u64::from(comm.rank) < size { comm.rank as c_int } else { MPI_UNDEFINED })
}

fn or_null(rank: Option<Rank>) -> c_int {
    rank.map_or(MPI_PROC_NULL, |r| r as c_int)
}

entry! {
    fn MPI_Topo_test(comm: MPI_Comm, status: *mut c_int) -> c_int {
        const KINDS: [c_int; 4] = [MPI_UNDEFINED, MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH];
        let known = inquiry::comm(comm).and_then(|k| KINDS.get(k.get(TOPOLOGY) as usize));
        // SAFETY: the program passes null or the address of an int.
        if known.is_some_and(|kind| unsafe { answer(status, *kind) }) {
            return MPI_SUCCESS;
        }
        on_comm(FUNCTION, comm, |_, comm| {
            let kind = match comm.topology.as_deref() {
                None => MPI_UNDEFINED,
                Some(Topology::Cart(_)) => MPI_CART,
                Some(Topology::Graph(_)) => MPI_GRAPH,
                Some(Topology::DistGraph(_)) => MPI_DIST_GRAPH,
            };
            // SAFETY: as above.
            unsafe { put(status, kind, "status") }
        })
    }

    fn MPI_Dims_create(nnodes: c_int, ndims: c_int, dims: *mut c_int) -> c_int {
        on_process(FUNCTION, |_| {
            let positive = |n: c_int, name: &str, least: c_int| match u32::try_from(n) {
                Ok(value) if n >= least => Ok(value),
                _ => Err(error(ErrorClass::Dims, format!("{name} is {n}; it must be >= {least}"))),
            };
            // A call without dimensions has no result: MPICH and Intel MPI return without an error.
            if ndims == 0 {
                return Ok(());
            }
            let nodes = positive(nnodes, "nnodes", 1)?;
            // SAFETY: the program passes `ndims` numbers.
            let given = unsafe { list(dims.cast_const(), ndims, "dims") }?;
            let each = given.iter().map(|d| positive(*d, "a dimension", 0));
            let mut lengths = each.collect::<Result<Vec<u32>>>()?;
            balance(nodes, &mut lengths)?;
            // SAFETY: as above.
            unsafe { fill(dims, ndims, lengths.into_iter().map(|d| d as c_int), "dims") }
        })
    }

    fn MPI_Cart_create(
        comm_old: MPI_Comm,
        ndims: c_int,
        dims: *const c_int,
        periods: *const c_int,
        _reorder: c_int,
        comm_cart: *mut MPI_Comm,
    ) -> c_int {
        on_comm(FUNCTION, comm_old, |engine, comm| {
            // SAFETY: the program passes `ndims` numbers each, and the address of a handle.
            unsafe {
                let cart = described(ndims, dims, periods)?;
                give(comm_cart, || engine.cart_create(comm, cart))
            }
        })
    }

    fn MPI_Cart_map(
        comm: MPI_Comm,
        ndims: c_int,
        dims: *const c_int,
        periods: *const c_int,
        newrank: *mut c_int,
    ) -> c_int {
        on_comm(FUNCTION, comm, |_, comm| {
            // SAFETY: the program passes `ndims` numbers each, and the address of an int.
            unsafe {
                // A grid without places is an error where one is made. Here the other libraries
                // accept it: no process has a place in it.
                let lengths = list(dims, ndims, "dims")?;
                let is_empty = lengths.contains(&0) && lengths.iter().all(|length| *length >= 0);
                let size = if is_empty { 0 } else { described(ndims, dims, periods)?.size() };
                put(newrank, mapped(comm, size)?, "newrank")
            }
        })
    }

    fn MPI_Cart_sub(
        comm: MPI_Comm,
        remain_dims: *const c_int,
        newcomm: *mut MPI_Comm,
    ) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm: &Rc<Comm>| {
            let cart = cart(comm)?;
            // SAFETY: the program passes one flag per dimension.
            let flags = unsafe { list(remain_dims, cart.dims.len() as c_int, "remain_dims") }?;
            let remain: Vec<bool> = flags.iter().map(|f| *f != 0).collect();
            // SAFETY: the program passes null or the address of a handle.
            unsafe { give(newcomm, || engine.cart_sub(comm, cart, &remain)) }
        })
    }
}

/// Writes what `MPI_Cart_get` returns.
///
/// # Safety
/// Each array has space for `room` numbers.
#[inline(always)]
unsafe fn describe<D: AsRef<[Dimension]>>(
    (cart, rank): (&Cart<D>, Rank),
    room: c_int,
    [dims, periods, coords]: [*mut c_int; 3],
) -> Result<()> {
    // SAFETY: promised by the caller.
    unsafe {
        fill(dims, room, cart.dims.as_ref().iter().map(|d| d.length as c_int), "dims")?;
        fill(periods, room, cart.dims.as_ref().iter().map(|d| d.periodic.into()), "periods")?;
        fill(coords, room, cart.coords(rank).map(|c| c as c_int), "coords")
    }
}

/// The rank at the coordinates that a program passes.
///
/// # Safety
/// There is one coordinate per dimension.
#[inline(always)]
unsafe fn rank_at<D: AsRef<[Dimension]>>(cart: &Cart<D>, coords: *const c_int) -> Result<Rank> {
    // SAFETY: promised by the caller.
    let at = unsafe { list(coords, cart.dims.as_ref().len() as c_int, "coords") }?;
    cart.rank(at.iter().map(|c| i64::from(*c))).ok_or_else(|| {
        let lengths: Vec<u32> = cart.dims.as_ref().iter().map(|d| d.length).collect();
        let text = format!("coords are {at:?}, outside of a grid of {lengths:?}");
        error(ErrorClass::Arg, text)
    })
}

/// What `MPI_Cart_shift` returns.
#[inline(always)]
fn shifted<D: AsRef<[Dimension]>>(
    cart: &Cart<D>,
    rank: Rank,
    direction: c_int,
    distance: c_int,
) -> Result<[c_int; 2]> {
    let count = cart.dims.as_ref().len();
    let dimension = usize::try_from(direction).ok().filter(|d| *d < count).ok_or_else(|| {
        let text = format!("direction is {direction}; the grid has {count} dimensions, from 0");
        error(ErrorClass::Arg, text)
    })?;
    let [down, up] = cart.shifted(rank, dimension, distance.into());
    Ok([or_null(down), or_null(up)])
}

entry_at_once! {
    fn MPI_Cartdim_get(comm: MPI_Comm, ndims: *mut c_int)
    at_once {
        // SAFETY: the program passes null or the address of an int.
        known_cart(comm).and_then(|(cart, _)| unsafe {
            answer(ndims, cart.dims.as_ref().len() as c_int).then_some(())
        })
    }
    {
        on_comm(FUNCTION, comm, |_, comm| {
            let count = cart(comm)?.dims.len() as c_int;
            // SAFETY: the program passes null or the address of an int.
            unsafe { put(ndims, count, "ndims") }
        })
    }

    fn MPI_Cart_get(
        comm: MPI_Comm,
        maxdims: c_int,
        dims: *mut c_int,
        periods: *mut c_int,
        coords: *mut c_int,
    )
    at_once {
        known_cart(comm).and_then(|(cart, rank)| {
            // SAFETY: the program passes space for `maxdims` numbers each.
            unsafe { describe((&cart, rank), maxdims, [dims, periods, coords]) }.ok()
        })
    }
    {
        on_comm(FUNCTION, comm, |_, comm| {
            // SAFETY: the program passes space for `maxdims` numbers each.
            unsafe { describe((cart(comm)?, comm.rank), maxdims, [dims, periods, coords]) }
        })
    }

    fn MPI_Cart_rank(comm: MPI_Comm, coords: *const c_int, rank: *mut c_int)
    at_once {
        known_cart(comm).and_then(|(cart, _)| {
            // SAFETY: the program passes one coordinate per dimension, and null or the address of
            // an int.
            unsafe { answer(rank, rank_at(&cart, coords).ok()? as c_int) }.then_some(())
        })
    }
    {
        on_comm(FUNCTION, comm, |_, comm| {
            // SAFETY: as above.
            unsafe { put(rank, rank_at(cart(comm)?, coords)? as c_int, "rank") }
        })
    }

    fn MPI_Cart_coords(comm: MPI_Comm, rank: c_int, maxdims: c_int, coords: *mut c_int)
    at_once {
        known_cart(comm).and_then(|(cart, _)| {
            let there = Rank::try_from(rank).ok().filter(|r| u64::from(*r) < cart.size())?;
            // SAFETY: the program passes space for `maxdims` numbers.
            unsafe { fill(coords, maxdims, cart.coords(there).map(|c| c as c_int), "coords") }.ok()
        })
    }
    {
        on_comm(FUNCTION, comm, |_, comm| {
            let there = cart(comm)?.coords(convert::rank(comm, rank)?);
            // SAFETY: the program passes space for `maxdims` numbers.
            unsafe { fill(coords, maxdims, there.map(|c| c as c_int), "coords") }
        })
    }

    fn MPI_Cart_shift(
        comm: MPI_Comm,
        direction: c_int,
        disp: c_int,
        rank_source: *mut c_int,
        rank_dest: *mut c_int,
    )
    at_once {
        known_cart(comm).and_then(|(cart, rank)| {
            let ranks = shifted(&cart, rank, direction, disp).ok()?;
            // SAFETY: the program passes null or the addresses of ints.
            unsafe { answers([rank_source, rank_dest], ranks) }.then_some(())
        })
    }
    {
        on_comm(FUNCTION, comm, |_, comm| {
            let [source, destination] = shifted(cart(comm)?, comm.rank, direction, disp)?;
            // SAFETY: the program passes null or the addresses of ints.
            unsafe {
                put(rank_source, source, "rank_source")?;
                put(rank_dest, destination, "rank_dest")
            }
        })
    }
}
