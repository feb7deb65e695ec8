//! The messages of a partitioned operation. A partitioned message moves in transfer units: each
//! unit, one or several neighbouring partitions of the sender, is a message of its own, whose tag
//! is the number of the unit. It leaves when its last partition is ready.
//!
//! The receiver may have other partitions, so the sender tells it the units before the first ones
//! leave. The receiver posts a receive for each in every round: messages of one tag arrive in the
//! order of rounds.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};
use dunlin_shm::partition_flags::{ArrivedUnits, ReadyPartitions, UNITS_MAX, Units};

use crate::engine::tasks::RunBy;
use crate::engine::{Engine, global};
use crate::matching::{Envelope, Pattern};
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::{Comm, Direction};
use crate::objects::partition_states::{Flags, PartitionState};
use crate::objects::process_table::ProcessId;
use crate::objects::status::{RequestId, Source, Status};
use crate::p2p::messages::{Messages, Route};
use crate::p2p::request::{Mode, OpInfo};
use crate::p2p::transfers::truncated;
use crate::threads::lock;

/// Units have at least so many bytes, if the message has: each pays for a message of its own. 8
/// partitions of 4 KiB take 1.9 us as 8 units, 1.5 as units of 8 KiB, 1.3 as one message; from 16
/// KiB on units by themselves are as quick as one message, or quicker.
const UNIT_BYTES_MIN: u64 = 8 << 10;
/// The tag of the message that describes the units.
const DESCRIPTION: Tag = UNITS_MAX as Tag;
/// Its numbers: bytes of each unit, units, bytes in all.
const DESCRIPTION_WORDS: usize = 3;

/// A partitioned operation.
#[derive(Debug)]
pub struct Partitioned {
    comm: Rc<Comm>,
    pub(crate) direction: Direction,
    buffer: UserBuffer,
    partitions: u32,
    /// Of a unit; this side alone cuts by it.
    per_unit: u32,
    peer: Rank,
    process: ProcessId,
    tag: Tag,
    /// That of the pair alone.
    context: u64,
    /// What threads use without the lock, until the request is freed.
    state: Cell<Option<&'static PartitionState>>,
    /// Of a receive, once the sender has described them.
    units: Cell<Option<Units>>,
    /// Whether a sender has done so.
    has_described: Cell<bool>,
    /// Units of this round that have not left, or for which no receive is posted yet.
    to_begin: Cell<usize>,
    /// Transfers in progress, and the units of which they are.
    pending: RefCell<Vec<(usize, RequestId)>>,
    /// The receive of the description.
    awaited: Cell<Option<RequestId>>,
    /// What the units that have ended came to.
    outcome: RefCell<Status>,
}

/// How a sender cuts its message: a unit has so many partitions.
fn cut(partitions: u32, partition_bytes: u64) -> (u32, Units) {
    let enough = match partition_bytes {
        0 => partitions,
        bytes => UNIT_BYTES_MIN.div_ceil(bytes).min(partitions.into()) as u32,
    };
    let per_unit = enough.max(partitions.div_ceil(UNITS_MAX as u32)).max(1);
    let bytes_each = partition_bytes * u64::from(per_unit);
    let count = partitions.div_ceil(per_unit).max(1) as usize;
    (per_unit, Units { bytes_each, count, bytes: partition_bytes * u64::from(partitions) })
}

impl Partitioned {
    pub(crate) fn new(
        comm: &Rc<Comm>,
        direction: Direction,
        (buffer, partitions): (UserBuffer, u32),
        (peer, tag): (Rank, Tag),
        context: u64,
    ) -> Result<Partitioned> {
        let process = comm.process(peer)?;
        let bytes = buffer.bytes().checked_div(partitions as usize).unwrap_or(0) as u64;
        let (per_unit, units) = cut(partitions, bytes);
        let (state, units) = match direction {
            Direction::Out => (PartitionState::for_send(partitions)?, Some(units)),
            Direction::In => {
                let state = PartitionState::for_receive();
                arrived(state).describe(partitions, bytes);
                (state, None)
            }
        };
        Ok(Partitioned {
            comm: comm.clone(),
            direction,
            buffer,
            partitions,
            per_unit,
            peer,
            process,
            tag,
            context,
            state: Cell::new(Some(state)),
            units: Cell::new(units),
            has_described: Cell::new(false),
            to_begin: Cell::new(0),
            pending: RefCell::default(),
            awaited: Cell::new(None),
            outcome: RefCell::new(Status::EMPTY),
        })
    }

    pub(crate) fn state(&self) -> Option<&'static PartitionState> {
        self.state.get()
    }

    pub(crate) fn check(&self, partition: usize) -> Result<()> {
        let count = self.partitions;
        if partition < count as usize {
            return Ok(());
        }
        let text = format!("partition is {partition}; the request has {count}, from 0");
        Err(Error::new(ErrorClass::Arg, text))
    }

    fn envelope(&self, tag: Tag) -> Envelope {
        Envelope { context: self.context, source: self.comm.rank, tag }
    }

    fn op_info(&self) -> OpInfo {
        OpInfo { comm: self.comm.clone(), peer: Some(self.peer), tag: Some(self.tag) }
    }

    /// Begins a round.
    pub(crate) fn begin(self: &Rc<Self>, engine: &Engine) {
        *self.outcome.borrow_mut() = Status::EMPTY;
        self.to_begin.set(self.units.get().map_or(0, |units| units.count));
        match self.state.get().map(|state| &state.flags) {
            Some(Flags::Send(flags)) => self.begin_send(engine, flags),
            Some(Flags::Receive(flags)) => {
                flags.begin();
                match self.units.get() {
                    Some(units) => self.post(engine, units),
                    None => self.await_description(engine),
                }
            }
            None => unreachable!("a request that was freed is not started"),
        }
    }

    fn begin_send(&self, engine: &Engine, flags: &ReadyPartitions) {
        if !self.has_described.replace(true) {
            self.describe_units(engine);
        }
        flags.begin(self.partitions, self.per_unit);
        // Without partitions the message is one unit, for which nothing has to be ready.
        if self.partitions == 0 {
            self.send(&mut engine.messages.borrow_mut(), engine.route(self.process), 0);
        }
    }

    fn describe_units(&self, engine: &Engine) {
        let units = self.units.get().expect("a sender knows its units");
        let words: [u64; DESCRIPTION_WORDS] = [units.bytes_each, units.count as u64, units.bytes];
        let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
        let keep = Arc::new(bytes.into_boxed_slice());
        // SAFETY: the request shares the bytes until the transfer is done.
        let buffer = unsafe { UserBuffer::dense(keep.as_ptr().cast_mut(), keep.len()) };
        let (route, envelope) = (engine.route(self.process), self.envelope(DESCRIPTION));
        let (op_info, mode) = (self.op_info(), Mode::Standard);
        let mut messages = engine.messages.borrow_mut();
        let id = messages.send(route, envelope, buffer, Some(keep), mode, op_info);
        messages.detach(id).expect("it has just begun");
    }

    /// Sends the units that are ready.
    pub(crate) fn send_ready(&self, engine: &Engine) {
        if let Some(Flags::Send(flags)) = self.state.get().map(|state| &state.flags) {
            let mut messages = engine.messages.borrow_mut();
            let route = engine.route(self.process);
            flags.take(lock::is_threaded(), |unit| self.send(&mut messages, route, unit));
        }
    }

    fn send(&self, messages: &mut Messages, route: Route, unit: usize) {
        let (skip, bytes) = range(unit, self.units.get().expect("a sender knows its units"));
        let (part, envelope) = (self.buffer.part(skip, bytes), self.envelope(unit as Tag));
        let has_left = |data: &[u8]| messages.send_now(route, &envelope, data);
        if !part.as_dense().is_some_and(has_left) {
            let op_info = self.op_info();
            let id = messages.send(route, envelope, part, None, Mode::Standard, op_info);
            self.pending.borrow_mut().push((unit, id));
        }
        self.to_begin.set(self.to_begin.get() - 1);
    }

    /// Posts a receive for each unit.
    fn post(&self, engine: &Engine, units: Units) {
        let (mut pending, mut messages) = (self.pending.borrow_mut(), engine.messages.borrow_mut());
        // Waits look at the last of those in progress: that the first are there is likely then.
        for unit in 0..units.count {
            let pattern = self.pattern(unit as Tag);
            let (skip, bytes) = range(unit, units);
            let part = self.buffer.part(skip, bytes);
            pending.push((unit, messages.receive(&pattern, part, self.op_info())));
        }
        self.to_begin.set(0);
    }

    fn pattern(&self, tag: Tag) -> Pattern {
        Pattern { context: self.context, source: Some(self.peer), tag: Some(tag) }
    }

    /// Waits for the description of the units in the background, as a program that has freed the
    /// request or waits for another one expects.
    fn await_description(self: &Rc<Self>, engine: &Engine) {
        let words: Rc<[Cell<u64>; DESCRIPTION_WORDS]> = Rc::default();
        // SAFETY: cells may be written through a shared pointer, and the task below keeps them
        // until the receive has completed.
        let into =
            unsafe { UserBuffer::dense(words.as_ptr().cast_mut().cast(), size_of_val(&*words)) };
        let pattern = self.pattern(DESCRIPTION);
        let id = engine.messages.borrow_mut().receive(&pattern, into, self.op_info());
        self.awaited.set(Some(id));
        let own = self.clone();
        engine.tasks.add(
            RunBy::Anybody,
            Box::pin(poll_fn(move |_| {
                let engine = global::installed();
                let status = engine.messages.borrow_mut().transfers.requests.take_if_done(id);
                let Some(status) = status else { return Poll::Pending };
                own.awaited.set(None);
                let words = words.each_ref().map(|word| u64::from_le(word.get()));
                own.take_description(engine, status, words);
                Poll::Ready(())
            })),
        );
    }

    fn take_description(&self, engine: &Engine, status: Status, words: [u64; DESCRIPTION_WORDS]) {
        if status.cancelled || status.error.is_some() {
            *self.outcome.borrow_mut() = status;
            return;
        }
        let [bytes_each, count, bytes] = words;
        let units = Units { bytes_each, count: count as usize, bytes };
        assert!(is_cut(units), "partitions that no sender makes: {units:?}");
        self.units.set(Some(units));
        if let Some(state) = self.state.get() {
            arrived(state).cut(units);
        }
        self.post(engine, units);
        if self.state.get().is_none() {
            self.give_up(engine);
        }
    }

    /// Whether the round is over.
    pub(crate) fn is_complete(&self, engine: &Engine) -> bool {
        if self.to_begin.get() > 0 || self.awaited.get().is_some() {
            return false;
        }
        let (mut pending, mut messages) = (self.pending.borrow_mut(), engine.messages.borrow_mut());
        while let Some(&(unit, id)) = pending.last() {
            match messages.transfers.requests.take_if_done(id) {
                Some(status) => self.note(unit, status),
                None => return false,
            }
            pending.pop();
        }
        true
    }

    /// Partitions of a send are ready. False if some were before.
    pub(crate) fn mark(&self, engine: &Engine, partitions: RangeInclusive<usize>) -> bool {
        let Some(Flags::Send(flags)) = self.state.get().map(|state| &state.flags) else {
            return false;
        };
        let is_first = flags.mark(partitions, lock::is_threaded()).is_some();
        self.send_ready(engine);
        is_first
    }

    /// Whether a partition of a receive is there.
    pub(crate) fn has_arrived(&self, engine: &Engine, partition: usize) -> bool {
        self.note_arrived(engine);
        match self.state.get().map(|state| &state.flags) {
            Some(Flags::Receive(flags)) => flags.has_arrived(partition).unwrap_or(false),
            _ => false,
        }
    }

    /// Tells other threads what is there.
    pub(crate) fn note_arrived(&self, engine: &Engine) {
        let mut messages = engine.messages.borrow_mut();
        self.pending.borrow_mut().retain(|&(unit, id)| {
            match messages.transfers.requests.take_if_done(id) {
                Some(status) => self.note(unit, status),
                None => return true,
            }
            false
        });
    }

    /// The transfer of a unit has ended.
    fn note(&self, unit: usize, status: Status) {
        let mut outcome = self.outcome.borrow_mut();
        outcome.cancelled |= status.cancelled;
        outcome.bytes += status.bytes;
        if outcome.error.is_none() {
            outcome.error = status.error;
        }
        if let Some(Flags::Receive(flags)) = self.state.get().map(|state| &state.flags) {
            flags.add(unit);
        }
    }

    /// Shows what the round has come to, if it is over and has gone well: true. False while it
    /// goes on.
    pub(crate) fn show_if_ended_well(
        &self,
        engine: &Engine,
        show: &mut dyn FnMut(&Status),
    ) -> Option<bool> {
        if !self.is_complete(engine) {
            return Some(false);
        }
        self.outcome.borrow().error.is_none().then(|| {
            show(&self.status());
            true
        })
    }

    /// What the round has come to, once it is over.
    pub(crate) fn status(&self) -> Status {
        let outcome = self.outcome.borrow();
        if outcome.cancelled {
            return Status::CANCELLED;
        }
        let mut error = outcome.error.clone();
        let Direction::In = self.direction else { return Status { error, ..Status::EMPTY } };
        if error.as_ref().is_some_and(|error| error.class == ErrorClass::Truncate) {
            // Of the whole message, not of the first unit that was too long.
            let envelope = Envelope { source: self.peer, ..self.envelope(self.tag) };
            let (sent, room) = (self.units.get().map_or(0, |u| u.bytes), self.buffer.bytes());
            error = Some(Box::new(truncated(&envelope, sent, room as u64)));
        }
        let (source, tag) = (Source::Rank(self.peer), Some(self.tag));
        Status { source, tag, bytes: outcome.bytes, cancelled: false, error }
    }

    /// The round is over, and its outcome is known.
    pub(crate) fn end(&self) {
        match self.state.get().map(|state| &state.flags) {
            Some(Flags::Send(flags)) => flags.end(),
            Some(Flags::Receive(flags)) => flags.end(),
            None => {}
        }
    }

    /// A transfer in progress.
    pub(crate) fn inner(&self) -> Option<RequestId> {
        self.awaited.get().or_else(|| self.pending.borrow().last().map(|&(_, id)| id))
    }

    /// `MPI_Cancel`: a receive of which nothing has come is taken back.
    pub(crate) fn cancel(&self, engine: &Engine) {
        if self.direction == Direction::Out {
            return;
        }
        let mut messages = engine.messages.borrow_mut();
        if let Some(id) = self.awaited.get() {
            return messages.cancel(id, None);
        }
        let pending = self.pending.borrow();
        let waits = |&(_, id): &(usize, RequestId)| messages.transfers.is_posted(id);
        let nothing_has_come = self.units.get().is_some_and(|u| u.count == pending.len());
        if nothing_has_come && pending.iter().all(waits) {
            pending.iter().for_each(|&(_, id)| messages.cancel(id, None));
        }
    }

    /// `MPI_Request_free`: what has begun still completes.
    pub(crate) fn free(&self, engine: &Engine) {
        self.send_ready(engine);
        if let Some(state) = self.state.take() {
            state.give_back();
        }
        self.give_up(engine);
    }

    /// Nobody waits for the transfers any more.
    fn give_up(&self, engine: &Engine) {
        let mut messages = engine.messages.borrow_mut();
        for (_, id) in self.pending.take() {
            let _is_there = messages.detach(id);
        }
    }
}

/// Whether a message can be cut so.
fn is_cut(units: Units) -> bool {
    let Units { bytes_each, count, bytes } = units;
    let all_but_one = (count as u64).checked_sub(1).and_then(|n| n.checked_mul(bytes_each));
    count <= UNITS_MAX && all_but_one.is_some_and(|n| n <= bytes && bytes - n <= bytes_each)
}

/// Where a unit is in the data.
fn range(unit: usize, units: Units) -> (usize, usize) {
    let skip = unit as u64 * units.bytes_each;
    (skip as usize, units.bytes_each.min(units.bytes - skip) as usize)
}

fn arrived(state: &PartitionState) -> &ArrivedUnits {
    match &state.flags {
        Flags::Receive(flags) => flags,
        Flags::Send(_) => unreachable!("the state of a receive"),
    }
}
