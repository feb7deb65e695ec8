//! The values of predefined attributes. The standard attaches them to `MPI_COMM_WORLD`; here every
//! communicator has them.

use std::ffi::c_int;
use std::sync::atomic::{AtomicI32, Ordering};

use dunlin_engine::WORLD;
use dunlin_engine::inquiry::comm::SIZE;
use dunlin_engine::inquiry::{self, COMMS};

use crate::errors::last_used_code;
use crate::standard::attribute_keys::{PredefinedKey, predefined_key};
use crate::standard::constants::*;

/// What the values, which are addresses of ints, point to.
static VALUES: [AtomicI32; PredefinedKey::OF_COMMS] =
    [const { AtomicI32::new(0) }; PredefinedKey::OF_COMMS];

/// The address of a predefined value of communicators; `None` for other keys.
#[inline]
pub fn value(keyval: c_int) -> Option<*const c_int> {
    let key = predefined_key(keyval)?;
    let value = match key {
        PredefinedKey::TagUb => c_int::MAX,
        // Every process can read and write files.
        PredefinedKey::Io => MPI_ANY_SOURCE,
        PredefinedKey::Host => MPI_PROC_NULL,
        // CLOCK_MONOTONIC counts from the start of a host.
        PredefinedKey::WtimeIsGlobal => c_int::from(!inquiry::spans_nodes()),
        PredefinedKey::AppNum => inquiry::app_number() as c_int,
        PredefinedKey::LastUsedCode => last_used_code(),
        PredefinedKey::UniverseSize => COMMS.of(WORLD)?.get(SIZE) as c_int,
        PredefinedKey::OfWindows => return None,
    };
    let place = &VALUES[key as usize];
    place.store(value, Ordering::Relaxed);
    Some(place.as_ptr())
}
