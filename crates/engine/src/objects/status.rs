//! Statuses: the outcomes of operations.

use std::sync::atomic::{AtomicU32, Ordering};

use dunlin_base::{Error, Result, Tag};

use crate::matching::Envelope;
use crate::objects::table::{OBJECTS_MAX, OBJECTS_PER_VCI, allow_most_objects};

/// The number of a request. In its VCI it is below [`OBJECTS_PER_VCI`], but for a mark; the number
/// that the program holds also says in which VCI. In a process of one VCI it is below
/// [`OBJECTS_MAX`].
pub type RequestId = u32;

/// The bits of a request's number that say in which VCI it is.
const VCI: u32 = OBJECTS_MAX - OBJECTS_PER_VCI;
/// The same in this process: none if it has one.
static VCI_BITS: AtomicU32 = AtomicU32::new(VCI);
/// Above them is the bit that tells an operation from a send or receive.
pub(crate) const OPERATION: u32 = OBJECTS_MAX;

/// This process has one VCI for ever, before it has requests.
pub(crate) fn number_for_one_vci() {
    VCI_BITS.store(0, Ordering::Relaxed);
    allow_most_objects();
}

#[inline]
fn vci_bits() -> u32 {
    VCI_BITS.load(Ordering::Relaxed)
}

/// The VCI of the request with this number of the program.
#[inline]
pub fn vci_in(number: u32) -> usize {
    ((number & vci_bits()) / OBJECTS_PER_VCI) as usize
}

/// The number of that request in its VCI.
#[inline]
pub fn number_in_vci(number: u32) -> RequestId {
    number & !vci_bits()
}

/// The number for the program of a request in this VCI.
#[inline]
pub fn number_of_program(vci: usize, id: RequestId) -> u32 {
    id | (vci as u32 * OBJECTS_PER_VCI)
}

/// The source of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// `MPI_ANY_SOURCE`, in the empty status.
    Any,
    /// `MPI_PROC_NULL`.
    Null,
    /// A rank of the communicator (of the remote group of an intercommunicator).
    Rank(u32),
}

/// The outcome of one operation; MPI 5.0, section 3.2.5.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// The source of a received message.
    pub source: Source,
    /// Its tag; `None` is `MPI_ANY_TAG` of the empty status.
    pub tag: Option<Tag>,
    /// Bytes of data received.
    pub bytes: u64,
    /// Whether the operation was cancelled.
    pub cancelled: bool,
    /// The error, in a box: every message has this field, and few have an error.
    pub error: Option<Box<Error>>,
}

impl Status {
    /// The status of a null request, an inactive persistent request, or a send.
    pub const EMPTY: Status =
        Status { source: Source::Any, tag: None, bytes: 0, cancelled: false, error: None };
    /// The status of a receive from `MPI_PROC_NULL`.
    pub const PROC_NULL: Status =
        Status { source: Source::Null, tag: None, bytes: 0, cancelled: false, error: None };

    /// The status of an operation that was cancelled before it matched.
    pub(crate) const CANCELLED: Status = Status { cancelled: true, ..Status::EMPTY };

    /// The status of a send with this outcome.
    pub(crate) fn of(outcome: Result<()>) -> Status {
        Status { error: outcome.err().map(Box::new), ..Status::EMPTY }
    }

    /// The status of a receive that got `bytes` of the message with this envelope.
    #[inline(always)]
    pub(crate) fn received(envelope: &Envelope, bytes: u64) -> Status {
        Status {
            source: Source::Rank(envelope.source),
            tag: Some(envelope.tag),
            bytes,
            cancelled: false,
            error: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use dunlin_shm::layout::VCIS_MAX;

    use super::*;

    #[test]
    fn the_number_of_a_request_says_in_which_vci_it_is() {
        for vci in 0..VCIS_MAX {
            for id in [0, 1, OBJECTS_PER_VCI - 1, OPERATION, OPERATION | (OBJECTS_PER_VCI - 1)] {
                let number = number_of_program(vci, id);
                assert_eq!((vci_in(number), number_in_vci(number)), (vci, id));
            }
        }
        assert_eq!(number_of_program(0, 5), 5);
    }
}
