//! Buffered mode: a send copies its message and is done; the copy leaves when it can. The space a
//! program attaches bounds how much may be on its way: to a communicator, or to the process;
//! `MPI_BUFFER_AUTOMATIC` lifts the bound. MPI 5.0 section 3.6.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};

use crate::buffer::UserBuffer;
use crate::comm::Comm;
use crate::engine::{Engine, Place};
use crate::messages::Mode;
use crate::request::{About, Kind, RequestId};

/// What a program attached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PoolMemory {
    /// Memory of its own; the library keeps its copies elsewhere, but within this size.
    Attached {
        /// The address, which detaching returns.
        address: usize,
        /// Bytes.
        bytes: usize,
    },
    /// `MPI_BUFFER_AUTOMATIC`: as much as it takes.
    Automatic,
}

/// Buffer space and the messages in it.
#[derive(Debug, Default)]
pub struct Pool {
    memory: Option<PoolMemory>,
    /// The copies, alive until they have left, and their sizes.
    in_flight: Vec<(Weak<Box<[u8]>>, usize)>,
}

impl Pool {
    /// The pools a send on this communicator may use, the first with memory attached being it.
    pub(crate) fn candidates(engine: &Engine, comm: &Comm) -> [Option<Place>; 3] {
        let session = comm.group.session().and_then(|id| engine.session(id).ok());
        [Some(Place::of_comm(comm)), session.map(Place::Session), Some(Place::Process)]
    }
}

impl Place {
    /// The space of a communicator.
    pub fn of_comm(comm: &Comm) -> Place {
        Place::Comm(comm.pool.clone())
    }
}

impl Engine {
    fn with_pool<R>(&self, place: &Place, f: impl FnOnce(&mut Pool) -> R) -> R {
        let cell: &RefCell<Pool> = match place {
            Place::Comm(pool) => pool,
            Place::Session(session) => &session.pool,
            Place::Process => &self.pool,
        };
        f(&mut cell.borrow_mut())
    }

    /// Gives buffered sends space: at a communicator, a session or the whole process.
    pub fn buffer_attach(&self, place: &Place, memory: PoolMemory) -> Result<()> {
        self.with_pool(place, |pool| {
            if pool.memory.is_some() {
                let text = "a buffer is attached already; detach it first";
                return Err(Error::new(ErrorClass::Buffer, text));
            }
            pool.memory = Some(memory);
            Ok(())
        })
    }

    /// Waits until the messages in the buffer have left, and takes the space back.
    pub fn buffer_detach(&self, place: &Place) -> Result<PoolMemory> {
        self.buffer_flush(place);
        self.with_pool(place, |pool| pool.memory.take()).ok_or_else(|| {
            Error::new(ErrorClass::Buffer, "no buffer is attached that could be detached")
        })
    }

    /// Waits until the messages in the buffer have left.
    pub fn buffer_flush(&self, place: &Place) {
        let copies = self.in_flight(place);
        self.wait_until(|| copies.iter().all(|copy| copy.strong_count() == 0), || None);
    }

    /// Begins to wait for the messages in the buffer.
    pub fn buffer_iflush(&self, place: &Place, on: &Rc<Comm>) -> RequestId {
        let copies = self.in_flight(place);
        let about = About { comm: on.clone(), peer: None, tag: None };
        self.messages.borrow_mut().requests.insert(Kind::Flush(copies), about)
    }

    /// The messages still in the pool; those that have left are cleared away.
    fn in_flight(&self, place: &Place) -> Vec<Weak<Box<[u8]>>> {
        self.with_pool(place, |pool| {
            pool.in_flight.retain(|(copy, _)| copy.strong_count() > 0);
            pool.in_flight.iter().map(|(copy, _)| copy.clone()).collect()
        })
    }

    /// Sends in buffered mode on `comm`.
    pub fn bsend(&self, comm: &Rc<Comm>, data: UserBuffer, to: Rank, tag: Tag) -> Result<()> {
        self.buffered_send(comm, &Pool::candidates(self, comm), data, to, tag)
    }

    pub(crate) fn buffered_send(
        &self,
        comm: &Rc<Comm>,
        places: &[Option<Place>],
        data: UserBuffer,
        to: Rank,
        tag: Tag,
    ) -> Result<()> {
        let attached = |p: &&Place| self.with_pool(p, |pool| pool.memory.is_some());
        let Some(place) = places.iter().flatten().find(attached) else {
            let text = "no buffer is attached; call MPI_Buffer_attach before buffered sends";
            return Err(Error::new(ErrorClass::Buffer, text));
        };
        self.in_flight(place);
        self.with_pool(place, |pool| room_for(pool, data.bytes()))?;
        let keep = Rc::new(data.packed()?);
        let copy = Rc::downgrade(&keep);
        // SAFETY: the request keeps the copy until the transfer is done; moving a box does not
        // move its memory.
        let buffer = unsafe { UserBuffer::dense(keep.as_ptr().cast_mut(), keep.len()) };
        let (context, keep) = (comm.context, Some(keep));
        let id = self.isend_in(context, comm, buffer, keep, to, tag, Mode::Standard)?;
        self.messages.borrow_mut().detach(id)?;
        self.with_pool(place, |pool| pool.in_flight.push((copy, data.bytes())));
        Ok(())
    }
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
