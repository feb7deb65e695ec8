//! What a completed operation tells.

use dunlin_base::{Error, Result, Tag};

use crate::matching::Envelope;

/// The number of a request.
pub type RequestId = u32;

/// Who a message came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Nobody in particular: the empty status.
    Any,
    /// `MPI_PROC_NULL`.
    Null,
    /// A rank of the communicator (of the remote group of an intercommunicator).
    Rank(u32),
}

/// The outcome of one operation; MPI 5.0 section 3.2.5.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// Where a received message came from.
    pub source: Source,
    /// Its tag; `None` is `MPI_ANY_TAG` of the empty status.
    pub tag: Option<Tag>,
    /// Bytes of data received.
    pub bytes: u64,
    /// Whether the operation was cancelled.
    pub cancelled: bool,
    /// What went wrong; in a box, because every message carries this and few go wrong.
    pub error: Option<Box<Error>>,
}

impl Status {
    /// Of a null request, an inactive persistent one, and of sends.
    pub const EMPTY: Status =
        Status { source: Source::Any, tag: None, bytes: 0, cancelled: false, error: None };
    /// Of a receive from `MPI_PROC_NULL`.
    pub const PROC_NULL: Status =
        Status { source: Source::Null, tag: None, bytes: 0, cancelled: false, error: None };

    /// Of what was taken back before it met anything.
    pub(crate) const CANCELLED: Status = Status { cancelled: true, ..Status::EMPTY };

    /// Of a send that has ended so.
    pub(crate) fn of(outcome: Result<()>) -> Status {
        Status { error: outcome.err().map(Box::new), ..Status::EMPTY }
    }

    /// Of a receive that got `bytes` of the message with this envelope.
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
