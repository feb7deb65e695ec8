//! Partitioned communication (MPI 5.0, chapter 4).

use std::ffi::{c_int, c_void};

use dunlin_base::{ErrorClass, Result};
use dunlin_engine::{Direction, Spec};

use crate::array::list;
use crate::call::{on_comm, on_process};
use crate::convert::{self, error, give_request, put};
use crate::standard::constants::*;
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
        let parts = usize::try_from(partitions).map_err(|_| {
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
        unsafe { give_request(request, describe) }
    })
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
        on_process(FUNCTION, |engine| {
            // SAFETY: the program passes `length` numbers.
            for at in unsafe { list(array_of_partitions, length, "array_of_partitions") }? {
                let at = partition(*at)?;
                engine.pready(convert::request(engine, request)?, at..=at)?;
            }
            Ok(())
        })
    }

    fn MPI_Parrived(request: MPI_Request, partition: c_int, flag: *mut c_int) -> c_int {
        on_process(FUNCTION, |engine| {
            let at = self::partition(partition);
            let arrived = request == MPI_REQUEST_NULL
                || engine.parrived(convert::request(engine, request)?, at?)?;
            // SAFETY: the program passes null or the address of an int.
            unsafe { put(flag, arrived.into(), "flag") }
        })
    }
}
