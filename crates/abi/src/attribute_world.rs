//! The predefined attributes (MPI 5.0, sections 9.1.2, 9.4, 11.10.1 and 11.10.3). The standard
//! attaches them to `MPI_COMM_WORLD`; here every communicator has them.

use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, Ordering};

use dunlin_engine::WORLD;
use dunlin_engine::inquiry::comm::SIZE;
use dunlin_engine::inquiry::{self, COMMS};

use crate::errors::last_used_code;
use crate::standard::constants::*;

/// What the values, which are addresses of ints, point to; in the order of the keys.
static VALUES: [AtomicI32; COUNT] = [const { AtomicI32::new(0) }; COUNT];
const FIRST: c_int = MPI_TAG_UB;
const COUNT: usize = (MPI_UNIVERSE_SIZE - FIRST + 1) as usize;

/// Whether the standard defines the key, on communicators or windows.
pub fn is_predefined(keyval: c_int) -> bool {
    (FIRST..=MPI_UNIVERSE_SIZE).contains(&keyval)
        || (MPI_WIN_BASE..=MPI_WIN_MODEL).contains(&keyval)
}

/// The address of a predefined value of communicators; `None` for other keys.
#[inline]
pub fn value(keyval: c_int) -> Option<*const c_int> {
    let value = match keyval {
        MPI_TAG_UB => c_int::MAX,
        // Every process can read and write files.
        MPI_IO => MPI_ANY_SOURCE,
        MPI_HOST => MPI_PROC_NULL,
        // CLOCK_MONOTONIC counts from the start of a host.
        MPI_WTIME_IS_GLOBAL => c_int::from(!inquiry::spans_nodes()),
        MPI_APPNUM => inquiry::app_number() as c_int,
        MPI_LASTUSEDCODE => last_used_code(),
        MPI_UNIVERSE_SIZE => COMMS.of(WORLD)?.get(SIZE) as c_int,
        _ => return None,
    };
    let place = &VALUES[(keyval - FIRST) as usize];
    place.store(value, Ordering::Relaxed);
    Some(place.as_ptr())
}
