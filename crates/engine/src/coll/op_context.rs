//! An operation of this rank on a collective segment: publishing data, and waiting for the data of
//! others. Of a blocking operation each verb waits until it is done, making progress meanwhile, so
//! an algorithm never suspends and the compiler turns it into straight code. A nonblocking one
//! suspends where it would wait: its verbs are those that are `async`.

use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use dunlin_base::{Error, Rank, Result};
use dunlin_coll::Slot;
use dunlin_coll::sharing::STAGE_BYTES;
use dunlin_copy::shared;
use dunlin_shm::coll_segment as shm;

use crate::coll::mismatch::{another_algorithm, not_as_exposed, too_long};
use crate::engine::Engine;
use crate::engine::tasks::TaskAwaits;
use crate::engine::wait::POLLS_FOR_ONE;
use crate::matching::Pattern;
use crate::objects::barrier_exit::First;
use crate::objects::buffer::UserBuffer;
use crate::objects::coll_module::CollModule;
use crate::objects::comm::{CollTag, Comm};
use crate::p2p::request::OpInfo;

/// Polls of a slot before progress is made everywhere: about 2 us, in which data that a peer is
/// about to publish arrives. Operations on windows by ranks of this node are handled between polls.
const POLLS: u32 = 40;
/// Polls of a member's slot, or of a message, before it is read whether the member has left the
/// operation, which happens early only after an error or where ranks disagree on lengths, and so on
/// the algorithm. About 10 us: hardly any wait is slowed by that. A rank that is about to sleep
/// reads it at once.
const POLLS_IN_GOOD_FAITH: u32 = 256;

/// What algorithms count on at a stage is there.
const _: () = assert!(STAGE_BYTES <= shm::ROOM_BYTES);

/// An operation in progress on the collective segment of `comm`.
#[derive(Debug, Clone, Copy)]
pub struct OpContext<'e> {
    pub(crate) engine: &'e Engine,
    pub(crate) comm: &'e Rc<Comm>,
    pub(crate) module: &'e CollModule,
    /// The tag of a nonblocking or persistent operation, which suspends where it would wait.
    pub(crate) apart: Option<CollTag>,
}

impl<'e> OpContext<'e> {
    /// Begins an operation; every member begins the same ones in the same order.
    #[inline]
    pub fn begin(self) {
        if !self.engine.own_core.get() {
            self.engine.node.publish_core();
            self.module.barrier_exit.begin();
        }
        self.module.sends.set(false);
        self.module.segment.begin();
    }

    /// Ends the operation at this rank, and waits for the others if they may still read our memory.
    #[inline]
    pub fn end(self) {
        if self.leave() {
            self.wait_until(|| self.module.segment.all_ended());
        }
    }

    /// The same as [`OpContext::end`] for an operation that may suspend.
    pub async fn ended(self) {
        if self.apart.is_none() {
            return self.end();
        }
        if self.leave() {
            self.suspend_until(|| self.module.segment.all_ended()).await;
        }
    }

    /// Ends the operation at this rank. True if others may still read our memory.
    #[inline(always)]
    fn leave(self) -> bool {
        self.module.segment.end();
        self.wake();
        self.module.exposed.take()
    }

    /// Ends a stage of the operation in progress at this rank.
    pub fn release_stage(self, stage: usize) {
        self.module.segment.release(stage);
        self.wake();
    }

    #[inline]
    fn wake(self) {
        self.engine.node.wake_all(self.module.members.iter().copied());
    }

    /// Waits until a step can be published with a copy of so many bytes.
    #[inline(always)]
    fn room_of(self, step: usize, bytes: usize) -> Result<()> {
        let left = self.module.segment.bytes_left(step);
        if bytes > left {
            return Err(too_long(bytes, left));
        }
        self.wait_for_room(step, bytes);
        Ok(())
    }

    /// Publishes `bytes` that `fill` writes.
    #[inline]
    pub fn copy_in(self, step: usize, bytes: usize, fill: impl FnOnce(&mut [u8])) -> Result<()> {
        self.copy_in_part(step, bytes, self.module.whole.get(), fill)
    }

    /// The same of a part of `whole` bytes.
    #[inline]
    pub fn copy_in_part(
        self,
        step: usize,
        bytes: usize,
        whole: usize,
        fill: impl FnOnce(&mut [u8]),
    ) -> Result<()> {
        self.room_of(step, bytes)?;
        self.module.segment.copy_in(step, bytes, whole as u64, fill);
        self.wake();
        Ok(())
    }

    /// Publishes a copy of `data`, a part of `whole` bytes.
    #[inline(always)]
    pub fn copy_in_data(self, step: usize, data: &[u8], whole: usize) -> Result<()> {
        if data.len() > shm::SHORT_BYTES {
            return self.copy_in_long(step, data, whole);
        }
        self.copy_in_part(step, data.len(), whole, |to| shared::write(data, to))
    }

    #[inline(never)]
    fn copy_in_long(self, step: usize, data: &[u8], whole: usize) -> Result<()> {
        let Some(choice) = &self.module.stores else {
            return self.copy_in_part(step, data.len(), whole, |to| shared::write(data, to));
        };
        self.room_of(step, data.len())?;
        self.module.copy_in_by_choice(choice, step, data, whole);
        self.wake();
        Ok(())
    }

    /// Publishes that `bytes` lie at `address` of this process.
    pub fn expose(self, step: usize, address: u64, bytes: usize) {
        self.wait_for_room(step, 0);
        self.module.exposed.set(true);
        self.module.segment.expose(step, address, bytes);
        self.wake();
    }

    /// For an operation that may suspend: returns when this step can be published without a wait,
    /// with a copy of so many bytes.
    pub async fn room_for(self, step: usize, bytes: usize) {
        // Of more than a stage has room for, publishing itself is an error.
        if self.apart.is_some() && bytes <= self.module.segment.bytes_left(step) {
            self.suspend_until(|| self.module.segment.has_room(step, bytes)).await;
        }
    }

    #[inline]
    fn wait_for_room(self, step: usize, bytes: usize) {
        let has_room = || self.module.segment.has_room(step, bytes);
        if !has_room() {
            self.wait_until(has_room);
        }
    }

    /// Waits until `ready`.
    #[inline(never)]
    fn wait_until(self, ready: impl Fn() -> bool) {
        let own_core = self.engine.own_core.get();
        let comes = |_| {
            if ready() {
                return true;
            }
            if own_core {
                self.engine.pause_or_handle();
            } else {
                std::thread::yield_now();
            }
            false
        };
        if !(0..self.polls()).any(comes) {
            self.make_progress_until(ready, None);
        }
    }

    /// At the end of a barrier, before anything else begins: lets those leave first for whom this
    /// rank would wait next. All have come, so these need nothing but a core. If they do not get
    /// one for so many yields, this rank goes on.
    #[inline(never)]
    pub fn let_others_leave(self) {
        let module = self.module;
        let Some(first) = module.barrier_exit.end_barrier(self.comm.rank as usize) else { return };
        let have_left = || match first {
            First::One(root) => module.has_left(root),
            First::Others => module.segment.all_ended(),
        };
        for _ in 1..self.polls() {
            if have_left() {
                break;
            }
            std::thread::yield_now();
        }
    }

    /// Makes progress everywhere, but polls the network rarely: slots are in the node's memory.
    fn make_progress_until(self, ready: impl FnMut() -> bool, by: Option<usize>) {
        let op_info = || self.op_info(by);
        if !self.engine.spans_nodes {
            return self.engine.wait_until(ready, op_info);
        }
        let before = self.engine.messages.borrow_mut().expect_from_node();
        self.engine.wait_until(ready, op_info);
        self.engine.messages.borrow_mut().expect_as_before(before);
    }

    /// Polls of one place before progress is made everywhere.
    fn polls(self) -> u32 {
        if self.engine.own_core.get() {
            POLLS
        } else {
            self.engine.yields_for_node(&self.engine.messages.borrow())
        }
    }

    fn op_info(self, peer: Option<usize>) -> Option<OpInfo> {
        Some(OpInfo { comm: self.comm.clone(), peer: peer.map(|peer| peer as Rank), tag: None })
    }

    /// The data that a member publishes, once it is there; an error if it never will be, or is too
    /// long.
    #[inline]
    pub fn peek(self, slot: Slot) -> Result<shm::SlotView<'e>> {
        let data = match self.module.peek(slot) {
            Some(data) => data,
            None => self.wait_for(slot)?,
        };
        self.module.check_length(slot.by, data)
    }

    /// The same for an operation that may suspend.
    pub async fn arrival(self, slot: Slot) -> Result<shm::SlotView<'e>> {
        if self.apart.is_none() {
            return self.peek(slot);
        }
        self.module.check_length(slot.by, self.published(slot).await?)
    }

    /// Suspends until a member has published its data.
    async fn published(self, slot: Slot) -> Result<shm::SlotView<'e>> {
        let mut polls = 0u32;
        let found = poll_fn(|_| {
            polls = polls.saturating_add(1);
            let found = match self.engine.in_good_faith(polls) {
                true => self.module.peek(slot).map(Ok),
                false => self.module.peek_or_fail(slot).or_else(|| self.sent_instead().map(Err)),
            };
            if found.is_none() {
                self.module.segment.has_to_wait();
                self.engine.tasks.say_awaited(self.awaited(slot));
            }
            found.map_or(Poll::Pending, Poll::Ready)
        });
        found.await
    }

    fn awaited(self, slot: Slot) -> TaskAwaits {
        let shares_cores = !self.engine.own_core.get();
        match shares_cores && self.module.misses_one_elsewhere(self.engine.node, slot) {
            true => TaskAwaits::OneElsewhere,
            false => TaskAwaits::Memory,
        }
    }

    /// Suspends until `ready`, which looks at memory that others write.
    async fn suspend_until(self, ready: impl Fn() -> bool) {
        let comes = || {
            let is_ready = ready();
            if !is_ready {
                self.engine.tasks.say_awaited(TaskAwaits::Memory);
            }
            is_ready
        };
        until(comes).await;
    }

    /// Waits for data that is not there yet.
    #[inline(never)]
    fn wait_for(self, slot: Slot) -> Result<shm::SlotView<'e>> {
        self.module.segment.has_to_wait();
        let polls = self.polls();
        for _ in 1..polls {
            if self.engine.own_core.get() {
                self.engine.pause_or_handle();
            } else {
                self.offer_core(slot);
            }
            if let Some(data) = self.module.peek(slot) {
                return Ok(data);
            }
        }
        let (mut vain, mut seen) = (polls, None);
        let mut comes = || {
            vain = vain.saturating_add(1);
            seen = match self.engine.in_good_faith(vain) {
                true => self.module.peek(slot).map(Ok),
                false => self.module.peek_or_fail(slot).or_else(|| self.sent_instead().map(Err)),
            };
            seen.is_some()
        };
        self.make_progress_until(&mut comes, Some(slot.by));
        seen.expect("waited until it was seen")
    }

    /// Whether a rank of this node has left the operation, and all that it has sent was looked at.
    pub fn is_left_by(self, by: usize) -> bool {
        self.module.has_left(by) && {
            let member = self.module.members[self.module.index_of(by)];
            self.engine.messages.borrow().node.has_nothing_from(member)
        }
    }

    /// What its messages match by.
    fn tag(self) -> CollTag {
        self.apart.unwrap_or_else(|| self.comm.blocking())
    }

    /// The operation has failed at this rank; ranks that chose another algorithm may have sent to
    /// it.
    #[cold]
    pub fn abandon_messages(self) {
        self.engine.messages.borrow_mut().abandon(self.tag());
    }

    /// The error of an operation on slots in which a rank has sent a message instead. The message
    /// is received and dropped: its sender may wait for that. On several nodes an operation may
    /// well use both, and so may an algorithm that says so.
    fn sent_instead(self) -> Option<Error> {
        if self.module.is_partial() || self.module.sends.get() {
            return None;
        }
        let CollTag { context, tag } = self.tag();
        let tag = Some(tag);
        let pattern = Pattern { context, source: None, tag };
        let mut messages = self.engine.messages.borrow_mut();
        let by = messages.transfers.matching.peek(&pattern)?.0.source;
        let op_info = OpInfo { comm: self.comm.clone(), peer: Some(by), tag };
        let pattern = Pattern { source: Some(by), ..pattern };
        let id = messages.receive(&pattern, UserBuffer::EMPTY, op_info);
        let _is_known = messages.detach(id);
        Some(another_algorithm(by as usize))
    }

    /// Yields the core where ranks share cores: the awaited rank may need it.
    fn offer_core(self, slot: Slot) {
        let comes = || {
            self.engine.node.pause();
            self.module.peek(slot).is_some()
        };
        if !(self.module.misses_one_elsewhere(self.engine.node, slot)
            && (0..POLLS_FOR_ONE).any(|_| comes()))
        {
            std::thread::yield_now();
        }
    }

    /// Where `bytes` of memory are exposed for puts, once they are.
    pub async fn exposed(self, slot: Slot, bytes: usize) -> Result<u64> {
        let data = match self.module.peek(slot) {
            Some(data) => data,
            None if self.apart.is_some() => self.published(slot).await?,
            None => self.wait_for(slot)?,
        };
        match data.data() {
            shm::SlotData::Exposed { address, bytes: have } if have == bytes => Ok(address),
            other => Err(not_as_exposed(slot.by, other.bytes(), bytes)),
        }
    }
}

impl Engine {
    /// Whether a rank for which this one has polled so often is taken to be still in the operation.
    pub(crate) fn in_good_faith(&self, polls: u32) -> bool {
        polls < POLLS_IN_GOOD_FAITH && !self.falls_asleep.get()
    }
}

/// Suspends until `ready`.
pub(crate) async fn until(ready: impl Fn() -> bool) {
    poll_fn(|_| if ready() { Poll::Ready(()) } else { Poll::Pending }).await;
}
