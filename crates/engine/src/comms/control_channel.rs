//! The control channel by which processes agree on new communicators: small messages addressed to
//! processes, in contexts of their own.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};

use crate::engine::Engine;
use crate::matching::Pattern;
use crate::memory::alloc::zeroed;
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::{Comm, MAKING, PARTITIONED, WORLD, collective};
use crate::objects::group::Group;
use crate::p2p::request::{Mode, OpInfo, RequestId, StagedCopy};

/// Set in contexts that come from the program's string tags.
const FROM_STRING: u64 = 1;

/// A channel.
pub(crate) struct ControlChannel<'e> {
    engine: &'e Engine,
    world: Rc<Comm>,
    context: u64,
    tag: Tag,
}

impl<'e> ControlChannel<'e> {
    /// For a collective call on `comm`, by all of its processes.
    pub fn collective(engine: &'e Engine, comm: &Comm) -> Result<ControlChannel<'e>> {
        Self::new(engine, collective(comm.context), comm.next_collective())
    }

    /// For some processes of `comm`, told apart by the program's tag.
    pub fn beside(engine: &'e Engine, comm: &Comm, tag: Tag) -> Result<ControlChannel<'e>> {
        Self::new(engine, comm.context, tag)
    }

    /// Without a communicator, told apart by the program's string.
    pub fn named(engine: &'e Engine, name: &[u8]) -> Result<ControlChannel<'e>> {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        // The world's own context is 0: a string must not mean it, nor partitioned messages.
        let context = (hasher.finish() << 2 | 2 | FROM_STRING) & !PARTITIONED;
        Self::new(engine, context, 0)
    }

    fn new(engine: &'e Engine, context: u64, tag: Tag) -> Result<ControlChannel<'e>> {
        Ok(ControlChannel { engine, world: engine.comm(WORLD)?, context: context | MAKING, tag })
    }

    /// Sends a copy of the bytes, without waiting.
    pub fn send(&self, to: Rank, bytes: &[u8]) -> Result<()> {
        let keep: StagedCopy = Arc::new(bytes.into());
        // SAFETY: the request keeps the copy until the transfer is done.
        let buffer = unsafe { UserBuffer::dense(keep.as_ptr().cast_mut(), keep.len()) };
        let (context, world, tag) = (self.context, &self.world, self.tag);
        let mode = Mode::Standard;
        let id = self.engine.isend_in(context, world, buffer, Some(keep), to, tag, mode)?;
        self.engine.messages.borrow_mut().detach(id)
    }

    /// Begins to receive.
    ///
    /// # Safety
    /// `into` must stay until the request has completed.
    pub unsafe fn begin_receive(&self, from: Rank, into: &mut [u8]) -> RequestId {
        // SAFETY: promised by the caller.
        let buffer = unsafe { UserBuffer::dense(into.as_mut_ptr(), into.len()) };
        let (source, tag) = (Some(from), Some(self.tag));
        let pattern = Pattern { context: self.context, source, tag };
        let op_info = OpInfo { comm: self.world.clone(), peer: source, tag };
        self.engine.messages.borrow_mut().receive(&pattern, buffer, op_info)
    }

    /// Receives exactly as many bytes as `into` has.
    pub fn receive(&self, from: Rank, into: &mut [u8]) -> Result<()> {
        // SAFETY: waited for here.
        let id = unsafe { self.begin_receive(from, into) };
        let status = self.engine.wait(id);
        if let Some(error) = status.error {
            return Err(*error);
        }
        if status.bytes != into.len() as u64 {
            let text = "the processes do not make the same communicator; check their arguments";
            return Err(Error::new(ErrorClass::Comm, text));
        }
        Ok(())
    }

    /// Exchanges bytes with another process.
    pub fn swap(&self, with: Rank, mine: &[u8]) -> Result<Vec<u8>> {
        self.send(with, &(mine.len() as u32).to_le_bytes())?;
        self.send(with, mine)?;
        let mut length = [0; 4];
        self.receive(with, &mut length)?;
        let mut theirs = zeroed(u32::from_le_bytes(length) as usize)?;
        self.receive(with, &mut theirs)?;
        Ok(theirs.into_vec())
    }

    /// The root's bytes, at every member of `group`; a binomial tree, ceil(log2 p) rounds.
    pub fn bcast(&self, group: &Group, root: Rank, bytes: &mut [u8]) -> Result<()> {
        let size = group.size();
        let me = group.rank_of(self.engine.me()).ok_or_else(not_a_member)?;
        let member = |place: u32| group.members()[((place + root) % size) as usize];
        let place = (me + size - root) % size;
        let first =
            if place == 0 { size.next_power_of_two() } else { place & place.wrapping_neg() };
        if place != 0 {
            self.receive(member(place & (place - 1)), bytes)?;
        }
        let mut step = first / 2;
        while step > 0 {
            if place + step < size {
                self.send(member(place + step), bytes)?;
            }
            step /= 2;
        }
        Ok(())
    }
}

/// The error of a process that calls for a group to which it does not belong.
pub(crate) fn not_a_member() -> Error {
    let text = "this process is not in the group; only its members may call this";
    Error::new(ErrorClass::Group, text)
}

/// The numbers of processes as bytes.
pub(crate) fn to_bytes(words: impl IntoIterator<Item = u32>) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// And back.
pub(crate) fn from_bytes(bytes: &[u8]) -> Vec<u32> {
    let word = |b: &[u8]| u32::from_le_bytes(b.try_into().expect("four bytes each"));
    bytes.chunks_exact(size_of::<u32>()).map(word).collect()
}
