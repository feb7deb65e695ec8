//! Receives whose message was there as they began, and that nobody has looked at since: 16 bytes
//! each, beside the table of requests. A whole request is 136 bytes on three lines and holds its
//! communicator: to make and drop one costs more than all else that a short message needs.

use dunlin_base::{Rank, Tag};
use dunlin_shm::line::Packet;

use crate::comm::CommId;
use crate::matching::Envelope;
use crate::request::RequestId;
use crate::status::Status;

/// No message is as long: what arrives at once is a packet of a ring.
const VACANT: u32 = u32::MAX;

/// What is known of such a receive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Landed {
    source: Rank,
    tag: Tag,
    bytes: u32,
    /// Its communicator; it may have been freed since.
    pub comm: CommId,
}

impl Landed {
    const NONE: Landed = Landed { source: 0, tag: 0, bytes: VACANT, comm: 0 };

    /// A receive on `comm` that got the message in this packet.
    #[inline(always)]
    pub fn new(comm: CommId, packet: &Packet) -> Landed {
        Landed { source: packet.source, tag: packet.tag, bytes: packet.len.into(), comm }
    }

    /// Its outcome.
    #[inline(always)]
    pub fn status(&self) -> Status {
        let envelope = Envelope { context: 0, source: self.source, tag: self.tag };
        Status::received(&envelope, self.bytes.into())
    }
}

/// Such receives by the number of their request.
#[derive(Debug, Default)]
pub(crate) struct Landings(Vec<Landed>);

impl Landings {
    /// Notes one down.
    #[inline(always)]
    pub fn put(&mut self, id: RequestId, landed: Landed) {
        if id as usize >= self.0.len() {
            self.grow(id);
        }
        self.0[id as usize] = landed;
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, id: RequestId) {
        self.0.resize((id as usize + 1).next_power_of_two(), Landed::NONE);
    }

    /// Takes one out; `None` if this request is of another kind, or none.
    #[inline(always)]
    pub fn take(&mut self, id: RequestId) -> Option<Landed> {
        let slot = self.0.get_mut(id as usize)?;
        let landed = *slot;
        slot.bytes = VACANT;
        (landed.bytes != VACANT).then_some(landed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::status::Source;

    #[test]
    fn what_has_landed_is_taken_once() {
        let mut landings = Landings::default();
        assert!(landings.take(7).is_none());
        let packet = Packet { source: 3, tag: 5, len: 8, ..Packet::default() };
        landings.put(7, Landed::new(2, &packet));
        assert!(landings.take(6).is_none() && landings.take(8).is_none());
        let landed = landings.take(7).unwrap();
        let status = landed.status();
        assert_eq!((landed.comm, status.source), (2, Source::Rank(3)));
        assert_eq!((status.tag, status.bytes), (Some(5), 8));
        assert!(landings.take(7).is_none());
    }
}
