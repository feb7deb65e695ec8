//! Collectives that fail at one rank, for whose messages the others may wait. Where they cannot see
//! on a collective segment that it has left the operation, it sends each a *notice*, an empty
//! message with a tag of its own, and they fail as well. No transfer of a failed collective
//! outlives it: the program may free its buffers.

use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use dunlin_base::{Error, Rank, Result};
use dunlin_coll::{Buffer, Member, View};

use crate::coll::mismatch::{gone, too_much};
use crate::coll::typed_executor::TypedExecutor;
use crate::engine::Engine;
use crate::matching::Pattern;
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::{CollTag, Comm};
use crate::objects::schedule::{CollOp, Schedule};
use crate::p2p::request::{Mode, RequestId};

impl Schedule {
    /// The communicators on which this operation sends messages, and their tags.
    fn sides(&self) -> impl Iterator<Item = (&Rc<Comm>, CollTag)> {
        let own_side = self.comm.local.as_ref().map(|local| (local, self.local_tag.get()));
        std::iter::once((&self.comm, self.tag.get())).chain(own_side)
    }
}

impl Engine {
    /// Sends notices to all others, unless one of them has sent one before.
    #[cold]
    pub(crate) fn give_up(&self, schedule: &Schedule) {
        if schedule.has_notice.get() {
            return;
        }
        for (comm, tag) in schedule.sides() {
            let is_me = |peer| comm.process(peer).is_ok_and(|rank| rank == self.me());
            for peer in (0..comm.peer_count()).filter(|&peer| !is_me(peer)) {
                let _lost_peer_ends_the_job = self.send_notice(comm, peer, tag.of_notices());
            }
        }
    }

    fn send_notice(&self, comm: &Rc<Comm>, to: Rank, of: CollTag) -> Result<()> {
        let (CollTag { context, tag }, mode) = (of, Mode::Standard);
        let id = self.isend_in(context, comm, UserBuffer::EMPTY, None, to, tag, mode)?;
        self.messages.borrow_mut().transfers.requests.detach(id)
    }

    /// Ends a collective that has failed: its `transfers` in progress, and messages of it that may
    /// still come. Sends and receives that have not matched are cancelled; those that have are
    /// completed. Both may wait until peers are in MPI.
    pub(crate) async fn call_off(&self, schedule: &Schedule, mut transfers: Vec<RequestId>) {
        for (_, tag) in schedule.sides() {
            self.messages.borrow_mut().abandon(tag);
        }
        for &id in &transfers {
            let _is_there = self.cancel(id);
        }
        poll_fn(|_| {
            let requests = &mut self.messages.borrow_mut().transfers.requests;
            transfers.retain(|&id| requests.take_if_done(id).is_none());
            if transfers.is_empty() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }

    /// The error of an operation in which another rank has failed.
    #[inline]
    pub(crate) fn given_up(&self, schedule: &Schedule) -> Option<Error> {
        if self.messages.borrow().transfers.matching.notices() == 0 {
            return None;
        }
        self.find_notice(schedule)
    }

    #[cold]
    fn find_notice(&self, schedule: &Schedule) -> Option<Error> {
        let matching = &mut self.messages.borrow_mut().transfers.matching;
        let mut notices = schedule.sides().filter_map(|(_, tag)| {
            let CollTag { context, tag } = tag.of_notices();
            matching.take(&Pattern { context, source: None, tag: Some(tag) })
        });
        let (notice, _) = notices.next()?;
        schedule.has_notice.set(true);
        Some(gone(notice.source as usize))
    }
}

impl TypedExecutor<'_> {
    /// Refuses a block whose length differs between this rank's send and receive arguments: others
    /// would get bytes that nobody has sent.
    pub(crate) fn check_own_block(&self) -> Result<()> {
        if self.size() == 1 {
            return Ok(());
        }
        let lengths = match &self.schedule.coll_op {
            CollOp::Allgather(v, _) => (v.send_block, 0, v.recv_block),
            CollOp::Alltoall(v, _) => (v.send_block, 0, v.recv_block),
            CollOp::Allgatherv { send_len, recv, .. } => {
                let me = self.rank();
                (*send_len, recv.displacements[me], recv.counts[me])
            }
            _ => return Ok(()),
        };
        let (send_len, start, len) = lengths;
        let given = self.user_buffer(View::send(0, send_len)).bytes();
        let expected = self.user_buffer(View { buffer: Buffer::Recv, start, len }).bytes();
        if given == expected { Ok(()) } else { Err(too_much(self.rank(), given, expected)) }
    }
}
