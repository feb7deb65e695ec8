//! The fast path of inquiries: reads the result from a table, without the lock. If the table has
//! none, the slow path finds the result or the error.

use dunlin_engine::inquiry::{self, Row};

use crate::standard::handles::{claimed, claimed_comm, primitive};
use crate::standard::types::{MPI_Comm, MPI_Datatype};

/// The results for a datatype.
#[inline(always)]
pub fn datatype(handle: MPI_Datatype) -> Option<&'static Row<{ inquiry::datatype::COUNT }>> {
    let number = match primitive(handle) {
        Some(position) => position as u32,
        None => claimed(handle)?,
    };
    inquiry::DATATYPES.of(number)
}

/// Bytes of an element of a committed datatype that was created at run time and is contiguous; 0
/// for every other.
#[inline]
pub fn plain_bytes(handle: MPI_Datatype) -> usize {
    let row = claimed(handle).and_then(|number| inquiry::DATATYPES.of(number));
    row.map_or(0, |row| row.get(inquiry::datatype::PLAIN) as usize)
}

/// The results for a communicator.
#[inline(always)]
pub fn comm(handle: MPI_Comm) -> Option<&'static Row<{ inquiry::comm::COUNT }>> {
    inquiry::COMMS.of(claimed_comm(handle)?)
}

/// Writes a result to the program's variable; false if the address is null.
///
/// # Safety
/// `to` is null or points to a `T`.
#[inline(always)]
pub unsafe fn answer<T>(to: *mut T, value: T) -> bool {
    if to.is_null() {
        return false;
    }
    // SAFETY: promised by the caller; not null.
    unsafe { to.write(value) };
    true
}

/// [`answer`] for two results.
///
/// # Safety
/// As for [`answer`], for both.
#[inline(always)]
pub unsafe fn answers<T>(to: [*mut T; 2], values: [T; 2]) -> bool {
    if to.iter().any(|to| to.is_null()) {
        return false;
    }
    // SAFETY: promised by the caller; not null.
    to.into_iter().zip(values).for_each(|(to, value)| unsafe { to.write(value) });
    true
}
