//! Receives that completed at once, because their message had arrived or they name `MPI_PROC_NULL`,
//! until the program asks for them: 16 bytes each, beside the table of requests. A whole request
//! has 136 bytes on three cache lines and holds its communicator; to make and drop one costs more
//! than the rest of a short receive.

use dunlin_base::{Rank, Tag};

use crate::matching::Envelope;
use crate::objects::comm::CommId;
use crate::objects::status::RequestId;
use crate::objects::status::Status;

/// Marks a free entry: no short message is as long.
const VACANT: u32 = u32::MAX;
/// The source of a receive from `MPI_PROC_NULL`: no rank is as high.
const NULL: Rank = Rank::MAX;

/// What is known of such a receive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CompletedReceive {
    source: Rank,
    tag: Tag,
    bytes: u32,
    /// Its communicator; it may have been freed since.
    pub comm: CommId,
}

impl CompletedReceive {
    const NONE: CompletedReceive = CompletedReceive { source: 0, tag: 0, bytes: VACANT, comm: 0 };

    /// A receive on `comm` that got a message of so many bytes, a short one.
    #[inline(always)]
    pub fn new(comm: CommId, envelope: &Envelope, bytes: u32) -> CompletedReceive {
        CompletedReceive { source: envelope.source, tag: envelope.tag, bytes, comm }
    }

    /// A receive on `comm` from `MPI_PROC_NULL`.
    #[inline(always)]
    pub fn from_null(comm: CommId) -> CompletedReceive {
        CompletedReceive { source: NULL, bytes: 0, comm, ..CompletedReceive::NONE }
    }

    /// Its outcome.
    #[inline(always)]
    pub fn status(&self) -> Status {
        if self.source == NULL {
            return Status::PROC_NULL;
        }
        let envelope = Envelope { context: 0, source: self.source, tag: self.tag };
        Status::received(&envelope, self.bytes.into())
    }
}

/// Such receives by the number of their request.
#[derive(Debug, Default)]
pub(crate) struct CompletedReceives(Vec<CompletedReceive>);

impl CompletedReceives {
    /// Adds one.
    #[inline(always)]
    pub fn put(&mut self, id: RequestId, completed_receive: CompletedReceive) {
        if id as usize >= self.0.len() {
            self.grow(id);
        }
        self.0[id as usize] = completed_receive;
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, id: RequestId) {
        self.0.resize((id as usize + 1).next_power_of_two(), CompletedReceive::NONE);
    }

    /// Takes one out; `None` if this request is of another kind, or none.
    #[inline(always)]
    pub fn take(&mut self, id: RequestId) -> Option<CompletedReceive> {
        let slot = self.0.get_mut(id as usize)?;
        let completed_receive = *slot;
        slot.bytes = VACANT;
        (completed_receive.bytes != VACANT).then_some(completed_receive)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects::status::Source;

    #[test]
    fn what_has_completed_is_taken_once() {
        let mut inbound = CompletedReceives::default();
        assert!(inbound.take(7).is_none());
        let envelope = Envelope { context: 0, source: 3, tag: 5 };
        inbound.put(7, CompletedReceive::new(2, &envelope, 8));
        assert!(inbound.take(6).is_none() && inbound.take(8).is_none());
        let completed_receive = inbound.take(7).unwrap();
        let status = completed_receive.status();
        assert_eq!((completed_receive.comm, status.source), (2, Source::Rank(3)));
        assert_eq!((status.tag, status.bytes), (Some(5), 8));
        assert!(inbound.take(7).is_none());
        inbound.put(7, CompletedReceive::from_null(2));
        assert_eq!(inbound.take(7).unwrap().status(), Status::PROC_NULL);
    }
}
