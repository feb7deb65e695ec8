//! Buffered mode: a send copies its message and is done; the copy leaves when it can. The space a
//! program attaches bounds how much may be on its way: to a communicator, or to the process;
//! `MPI_BUFFER_AUTOMATIC` lifts the bound. MPI 5.0 section 3.6.

use std::rc::Rc;
use std::sync::{Arc, Weak};

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};

use crate::engine::Engine;
use crate::engine::operation::Operation;
use crate::memory::pool::{Pool, PoolMemory, SharedPool};
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::Comm;
use crate::objects::session::Session;
use crate::objects::status::{RequestId, Status};
use crate::p2p::request::{Mode, StagedCopy};

/// Where buffered sends find their space.
#[derive(Debug, Clone)]
pub enum BufferOwner {
    /// At a communicator.
    Comm(SharedPool),
    /// At a session.
    Session(Rc<Session>),
    /// At the process.
    Process,
}

impl BufferOwner {
    /// The pools a send on this communicator may use, the first with memory attached being it.
    pub(crate) fn candidates(engine: &Engine, comm: &Comm) -> [Option<BufferOwner>; 3] {
        let session = comm.group.session().and_then(|id| engine.session(id).ok());
        [
            Some(BufferOwner::of_comm(comm)),
            session.map(BufferOwner::Session),
            Some(BufferOwner::Process),
        ]
    }

    /// The space of a communicator.
    pub fn of_comm(comm: &Comm) -> BufferOwner {
        BufferOwner::Comm(comm.pool.clone())
    }
}

/// `MPI_Buffer_iflush`: done when all of these messages have left.
#[derive(Debug)]
struct Flush(Vec<Weak<Box<[u8]>>>);

impl Operation for Flush {
    fn is_complete(&self, _: &Engine) -> bool {
        have_left(&self.0)
    }

    fn status(&self, _: &Engine) -> Result<Status> {
        Ok(Status::EMPTY)
    }
}

fn have_left(copies: &[Weak<Box<[u8]>>]) -> bool {
    copies.iter().all(|copy| copy.strong_count() == 0)
}

impl Engine {
    fn with_pool<R>(&self, owner: &BufferOwner, f: impl FnOnce(&mut Pool) -> R) -> R {
        let pool = match owner {
            BufferOwner::Comm(pool) => pool,
            BufferOwner::Session(session) => &session.pool,
            BufferOwner::Process => &self.pool,
        };
        f(&mut pool.lock())
    }

    /// Gives buffered sends space: at a communicator, a session or the whole process.
    pub fn buffer_attach(&self, owner: &BufferOwner, memory: PoolMemory) -> Result<()> {
        self.with_pool(owner, |pool| {
            if pool.memory.is_some() {
                let text = "a buffer is attached already; detach it first";
                return Err(Error::new(ErrorClass::Buffer, text));
            }
            pool.memory = Some(memory);
            Ok(())
        })
    }

    /// Waits until the messages in the buffer have left, and takes the space back.
    pub fn buffer_detach(&self, owner: &BufferOwner) -> Result<PoolMemory> {
        self.buffer_flush(owner);
        self.with_pool(owner, |pool| pool.memory.take()).ok_or_else(|| {
            Error::new(ErrorClass::Buffer, "no buffer is attached that could be detached")
        })
    }

    /// Waits until the messages in the buffer have left.
    pub fn buffer_flush(&self, owner: &BufferOwner) {
        let copies = self.in_flight(owner);
        self.wait_until(|| have_left(&copies), || None);
    }

    /// Begins to wait for the messages in the buffer.
    pub fn buffer_iflush(&self, owner: &BufferOwner, on: &Rc<Comm>) -> RequestId {
        self.add_operation(on, Rc::new(Flush(self.in_flight(owner))))
    }

    /// The messages still in the pool; those that have left are cleared away.
    fn in_flight(&self, owner: &BufferOwner) -> Vec<Weak<Box<[u8]>>> {
        self.with_pool(owner, |pool| {
            pool.in_flight.retain(|(copy, _)| copy.strong_count() > 0);
            pool.in_flight.iter().map(|(copy, _)| copy.clone()).collect()
        })
    }

    /// Sends in buffered mode on `comm`.
    pub fn bsend(&self, comm: &Rc<Comm>, data: UserBuffer, to: Rank, tag: Tag) -> Result<()> {
        self.buffered_send(comm, &BufferOwner::candidates(self, comm), data, to, tag)
    }

    pub(crate) fn buffered_send(
        &self,
        comm: &Rc<Comm>,
        owners: &[Option<BufferOwner>],
        data: UserBuffer,
        to: Rank,
        tag: Tag,
    ) -> Result<()> {
        let attached = |p: &&BufferOwner| self.with_pool(p, |pool| pool.memory.is_some());
        let Some(owner) = owners.iter().flatten().find(attached) else {
            let text = "no buffer is attached; call MPI_Buffer_attach before buffered sends";
            return Err(Error::new(ErrorClass::Buffer, text));
        };
        let keep = Arc::new(data.packed()?);
        self.with_pool(owner, |pool| add(pool, &keep))?;
        // SAFETY: the request shares the copy until the transfer is done.
        let buffer = unsafe { UserBuffer::dense(keep.as_ptr().cast_mut(), keep.len()) };
        let (context, keep) = (comm.context, Some(keep));
        let id = self.isend_in(context, comm, buffer, keep, to, tag, Mode::Standard)?;
        self.messages.borrow_mut().detach(id)
    }
}

/// Adds a message to the pool, if it has room for it.
fn add(pool: &mut Pool, copy: &StagedCopy) -> Result<()> {
    pool.in_flight.retain(|(copy, _)| copy.strong_count() > 0);
    room_for(pool, copy.len())?;
    pool.in_flight.push((Arc::downgrade(copy), copy.len()));
    Ok(())
}

fn room_for(pool: &Pool, bytes: usize) -> Result<()> {
    let Some(PoolMemory::Attached { bytes: size, .. }) = pool.memory else { return Ok(()) };
    let used: usize = pool.in_flight.iter().map(|(_, b)| b).sum();
    if bytes > size.saturating_sub(used) {
        let text = format!(
            "a buffered send of {bytes} bytes does not fit: the attached buffer has {size} bytes, \
             of which {used} are in use; attach a larger one"
        );
        return Err(Error::new(ErrorClass::Buffer, text));
    }
    Ok(())
}
