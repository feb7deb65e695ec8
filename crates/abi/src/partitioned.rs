//! Partitioned communication (MPI 5.0, chapter 4).

use std::ffi::{c_int, c_void};
use std::iter::once;

use dunlin_base::{ErrorClass, Result};
use dunlin_engine::{Direction, RequestId, Spec, partitioned};

use crate::array::list;
use crate::call::{on_comm, on_process};
use crate::convert::{self, error, give_request, put};
use crate::standard::constants::*;
use crate::standard::handles;
use crate::standard::types::*;

/// The arguments of a partitioned operation.
struct Operation {
    buffer: *const c_void,
    partitions: c_int,
    count: MPI_Count,
    datatype: MPI_Datatype,
    peer: c_int,
    tag: c_int,
    comm: MPI_Comm,
}

/// # Safety
/// The program's promises on its buffer, until the request is freed.
unsafe fn init(
    function: &'static str,
    direction: Direction,
    operation: Operation,
    request: *mut MPI_Request,
) -> c_int {
    on_comm(function, operation.comm, |engine, comm| {
        let Operation { buffer, partitions, count, datatype, .. } = operation;
        let parts = u32::try_from(partitions).map_err(|_| {
            error(ErrorClass::Arg, format!("partitions is {partitions}; it must be >= 0"))
        })?;
        let total = count.checked_mul(partitions.into()).ok_or_else(|| {
            let text = format!("{partitions} partitions of {count} elements are too many");
            error(ErrorClass::Count, text)
        })?;
        convert::count(count)?;
        // SAFETY: promised by the caller.
        let buffer = unsafe { convert::buffer(engine, buffer, total, datatype) }?;
        let tag = convert::tag(operation.tag)?;
        // Wildcards are not allowed for source and tag: section 4.2.1.
        let peer = convert::destination(comm, operation.peer)?;
        let describe = || match peer {
            None => engine.persistent(comm, Spec::Nothing { receive: direction == Direction::In }),
            Some(peer) => engine.partitioned(comm, direction, (buffer, parts), peer, tag),
        };
        // SAFETY: the program passes null or the address of a request.
        unsafe { give_request(engine, request, describe) }
    })
}

/// The request behind a handle, for the calls that do not wait for the engine.
fn claimed(request: MPI_Request) -> Option<RequestId> {
    handles::claimed(request)
}

/// Marks partitions without waiting for the engine, as far as that goes: how many of these ranges.
fn mark(
    function: &'static str,
    request: MPI_Request,
    ranges: impl Iterator<Item = (c_int, c_int)>,
) -> usize {
    let Some(id) = claimed(request) else { return 0 };
    let range = |(low, high)| {
        let (low, high) = (usize::try_from(low).ok()?, usize::try_from(high).ok()?);
        (low <= high).then_some(low..=high)
    };
    partitioned::mark_ready(function, id, ranges.map(range))
}

fn partition(partition: c_int) -> Result<usize> {
    usize::try_from(partition)
        .map_err(|_| error(ErrorClass::Arg, format!("partition is {partition}; it must be >= 0")))
}

entry! {
    fn MPI_Psend_init(
        buf: *const c_void,
        partitions: c_int,
        count: MPI_Count,
        datatype: MPI_Datatype,
        dest: c_int,
        tag: c_int,
        comm: MPI_Comm,
        _info: MPI_Info,
        request: *mut MPI_Request,
    ) -> c_int {
        let peer = dest;
        let operation = Operation { buffer: buf, partitions, count, datatype, peer, tag, comm };
        // SAFETY: the program's promises.
        unsafe { init(FUNCTION, Direction::Out, operation, request) }
    }

    fn MPI_Precv_init(
        buf: *mut c_void,
        partitions: c_int,
        count: MPI_Count,
        datatype: MPI_Datatype,
        dest: c_int,
        tag: c_int,
        comm: MPI_Comm,
        _info: MPI_Info,
        request: *mut MPI_Request,
    ) -> c_int {
        let peer = dest;
        let operation = Operation { buffer: buf, partitions, count, datatype, peer, tag, comm };
        // SAFETY: the program's promises.
        unsafe { init(FUNCTION, Direction::In, operation, request) }
    }

    fn MPI_Pready(partition: c_int, request: MPI_Request) -> c_int {
        if mark(FUNCTION, request, once((partition, partition))) == 1 {
            return MPI_SUCCESS;
        }
        on_process(FUNCTION, |engine| {
            let at = self::partition(partition)?;
            engine.pready(convert::request(engine, request)?, at..=at)
        })
    }

    fn MPI_Pready_range(
        partition_low: c_int,
        partition_high: c_int,
        request: MPI_Request,
    ) -> c_int {
        if mark(FUNCTION, request, once((partition_low, partition_high))) == 1 {
            return MPI_SUCCESS;
        }
        on_process(FUNCTION, |engine| {
            let range = partition(partition_low)?..=partition(partition_high)?;
            engine.pready(convert::request(engine, request)?, range)
        })
    }

    fn MPI_Pready_list(
        length: c_int,
        array_of_partitions: *const c_int,
        request: MPI_Request,
    ) -> c_int {
        let mut done = 0;
        // SAFETY: the program passes `length` numbers.
        if let Ok(all) = unsafe { list(array_of_partitions, length, "array_of_partitions") } {
            done = mark(FUNCTION, request, all.iter().map(|&at| (at, at)));
            if done > 0 && done == all.len() {
                return MPI_SUCCESS;
            }
        }
        on_process(FUNCTION, |engine| {
            // SAFETY: as above.
            let all = unsafe { list(array_of_partitions, length, "array_of_partitions") }?;
            let id = convert::request(engine, request)?;
            for at in &all[done..] {
                let at = partition(*at)?;
                engine.pready(id, at..=at)?;
            }
            Ok(())
        })
    }

    fn MPI_Parrived(request: MPI_Request, partition: c_int, flag: *mut c_int) -> c_int {
        let at = usize::try_from(partition).ok();
        let arrived = claimed(request)
            .zip(at)
            .and_then(|(id, at)| partitioned::has_arrived(FUNCTION, id, at));
        if let (Some(arrived), false) = (arrived, flag.is_null()) {
            // SAFETY: the program passes the address of an int.
            unsafe { flag.write(arrived.into()) };
            return MPI_SUCCESS;
        }
        on_process(FUNCTION, |engine| {
            let at = self::partition(partition);
            let arrived = request == MPI_REQUEST_NULL
                || engine.parrived(convert::request(engine, request)?, at?)?;
            // SAFETY: the program passes null or the address of an int.
            unsafe { put(flag, arrived.into(), "flag") }
        })
    }
}
