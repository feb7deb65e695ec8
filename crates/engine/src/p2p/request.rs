//! Requests of point-to-point: sends and receives that were begun and have not been completed by
//! their owner yet. What else a request may stand for is an `Operation` of the engine.

use std::rc::Rc;
use std::sync::Arc;

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};

use crate::matching::PostedId;
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::{Comm, CommId};
pub use crate::objects::status::RequestId;
use crate::objects::status::Status;
use crate::objects::table::Table;
use crate::p2p::completed_receive::{CompletedReceive, CompletedReceives};

/// A copy of a message, alive as long as its transfer. Another VCI may ask whether it is.
pub type StagedCopy = Arc<Box<[u8]>>;

/// Whom and what a request waits for, for error handlers and the stall report.
#[derive(Debug, Clone)]
pub struct OpInfo {
    /// The communicator.
    pub comm: Rc<Comm>,
    /// The rank in it; `None` for any.
    pub peer: Option<Rank>,
    /// The tag; `None` for any.
    pub tag: Option<Tag>,
}

/// The number of the one request that stands for every send and every collective that was
/// complete as it began.
pub const COMPLETE: RequestId = 0;

/// A message so long may be worth while to go on with while the program computes: what is shorter
/// takes little more time than to hand the engine over.
pub const LONG_BYTES: usize = 32 << 10;

/// How a send completes; MPI 5.0 section 3.4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// When the buffer may be used again.
    Standard,
    /// Not before a receive has been matched.
    Synchronous,
}

/// Whom a receive takes messages from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// `MPI_ANY_SOURCE`.
    Any,
    /// One rank.
    Rank(Rank),
}

/// What a request does.
#[derive(Debug)]
pub enum Kind {
    /// [`COMPLETE`]: it completes again and again and is never forgotten.
    Shared,
    /// A message on its way out.
    Send {
        /// What is sent.
        buffer: UserBuffer,
        /// The packed copy of a scattered or buffered message, which must outlive its transfer.
        keep: Option<StagedCopy>,
    },
    /// A message on its way in.
    Receive {
        /// Where it goes.
        buffer: UserBuffer,
        /// Its place among the posted receives while it waits for a message.
        posted: Option<PostedId>,
    },
    /// Complete when it began: the message was there, or the peer is `MPI_PROC_NULL`.
    Complete,
}

impl Kind {
    /// How much it moves at most.
    #[inline(always)]
    fn bytes(&self) -> usize {
        match self {
            Kind::Send { buffer, .. } | Kind::Receive { buffer, .. } => buffer.bytes(),
            Kind::Shared | Kind::Complete => 0,
        }
    }
}

/// One operation in progress.
#[derive(Debug)]
pub struct Request {
    /// What it does.
    pub kind: Kind,
    /// Whom it waits for.
    pub op_info: OpInfo,
    /// Whether it has completed; then `status` is final.
    pub done: bool,
    /// Its outcome.
    pub status: Status,
    /// Nobody will wait for it: it goes away when it completes (`MPI_Request_free`).
    pub detached: bool,
    /// It is a send, and the peer that has its message was asked to give it back.
    pub cancelling: bool,
    /// It is in progress, and long: see [`LONG_BYTES`].
    long: bool,
}

/// The requests of a process.
#[derive(Debug, Default)]
pub struct Requests {
    table: Table<Request>,
    /// Sends in progress that nobody will wait for.
    detached_sends: usize,
    /// How many in progress are long.
    long: usize,
    /// Receives that hold a number of the table but are no request yet: see
    /// [`Requests::make_whole`].
    inbound: CompletedReceives,
}

impl Requests {
    /// Begins an operation.
    #[inline(always)]
    pub fn insert(&mut self, kind: Kind, op_info: OpInfo) -> RequestId {
        let status = Status::EMPTY;
        let long = kind.bytes() >= LONG_BYTES;
        if long {
            self.long += 1;
        }
        self.table.insert(Request {
            kind,
            op_info,
            done: false,
            status,
            detached: false,
            cancelling: false,
            long,
        })
    }

    /// Makes [`COMPLETE`], before any other request. An error cannot belong to it, so it does not
    /// matter whom it is about.
    pub fn insert_shared(&mut self, op_info: OpInfo) {
        assert_eq!(self.insert_complete(Kind::Shared, op_info, Status::EMPTY), COMPLETE);
    }

    /// Shows the outcome of a send or receive of one message that has completed well, and forgets
    /// it; false while it is in progress. `None` if it has failed, or is anything else.
    #[inline(always)]
    pub fn take_well(&mut self, id: RequestId, show: impl FnOnce(&Status)) -> Option<bool> {
        if id == COMPLETE {
            show(&Status::EMPTY);
            return Some(true);
        }
        if let Some(completed_receive) = self.inbound.take(id) {
            self.table.give_back(id);
            show(&completed_receive.status());
            return Some(true);
        }
        let request = self.table.get(id)?;
        if !request.done {
            return Some(false);
        }
        if request.status.error.is_some() {
            return None;
        }
        show(&request.status);
        self.table.forget(id);
        Some(true)
    }

    /// An operation that was complete as soon as it began.
    #[inline(always)]
    pub fn insert_complete(&mut self, kind: Kind, op_info: OpInfo, status: Status) -> RequestId {
        self.table.insert(Request {
            kind,
            op_info,
            done: true,
            status,
            detached: false,
            cancelling: false,
            long: false,
        })
    }

    /// A receive that was complete as it began. It becomes a request when anything but
    /// [`Requests::take_well`] is to look at it.
    #[inline(always)]
    pub(crate) fn insert_completed(&mut self, completed_receive: CompletedReceive) -> RequestId {
        let id = self.table.reserve();
        self.inbound.put(id, completed_receive);
        id
    }

    /// Makes sure that what has this number is in the table, where all can look at it.
    pub(crate) fn make_whole(&mut self, id: RequestId, comm: impl FnOnce(CommId) -> Rc<Comm>) {
        if let Some(completed_receive) = self.inbound.take(id) {
            let op_info = OpInfo { comm: comm(completed_receive.comm), peer: None, tag: None };
            let (kind, status) = (Kind::Complete, completed_receive.status());
            self.table.fill(
                id,
                Request {
                    kind,
                    op_info,
                    done: true,
                    status,
                    detached: false,
                    cancelling: false,
                    long: false,
                },
            );
        }
    }

    /// The request with this number.
    #[inline]
    pub fn get(&self, id: RequestId) -> Result<&Request> {
        self.table.get(id).ok_or_else(|| unknown(id))
    }

    /// The request with this number, to change it.
    #[inline]
    pub fn get_mut(&mut self, id: RequestId) -> Result<&mut Request> {
        self.table.get_mut(id).ok_or_else(|| unknown(id))
    }

    /// A request the engine itself keeps alive.
    #[inline]
    pub fn own(&mut self, id: RequestId) -> &mut Request {
        self.table.get_mut(id).expect("a transfer in progress holds its request")
    }

    /// Marks a request complete, or forgets it if nobody waits for it.
    #[inline]
    pub fn complete(&mut self, id: RequestId, status: Status) {
        let request = self.own(id);
        request.done = true;
        request.status = status;
        let was_long = request.long;
        if was_long {
            request.long = false;
        }
        if request.detached {
            self.detached_sends -= usize::from(matches!(request.kind, Kind::Send { .. }));
            self.table.remove(id);
        }
        if was_long {
            self.long -= 1;
        }
    }

    /// Whether any of those in progress is long.
    #[inline]
    pub(crate) fn has_long(&self) -> bool {
        self.long > 0
    }

    /// Takes a completed request's outcome and forgets it; `None` while it is in progress.
    #[inline]
    pub fn take_if_done(&mut self, id: RequestId) -> Option<Status> {
        let request = self.table.get(id)?;
        if !request.done {
            return None;
        }
        if matches!(request.kind, Kind::Shared) {
            return Some(Status::EMPTY);
        }
        self.table.remove(id).map(|r| r.status)
    }

    /// Whether the request has completed; an unknown one has.
    #[inline]
    pub fn is_done(&self, id: RequestId) -> bool {
        self.table.get(id).is_none_or(|r| r.done)
    }

    /// Gives a request up: it goes away now or when it completes.
    pub fn detach(&mut self, id: RequestId) -> Result<()> {
        let request = self.get_mut(id)?;
        if matches!(request.kind, Kind::Shared) {
            return Ok(());
        }
        if request.done {
            self.table.remove(id);
        } else {
            self.detach_new(id);
        }
        Ok(())
    }

    /// The same for a request in progress.
    pub fn detach_new(&mut self, id: RequestId) {
        let request = self.own(id);
        let counts = !request.detached && matches!(request.kind, Kind::Send { .. });
        request.detached = true;
        self.detached_sends += usize::from(counts);
    }

    /// Whether there are sends in progress that nobody will wait for.
    pub fn has_detached_sends(&self) -> bool {
        self.detached_sends > 0
    }

    /// How many numbers are in use, beside the one of what is complete.
    #[inline(always)]
    pub fn in_use(&self) -> usize {
        self.table.in_use().saturating_sub(1)
    }

    /// Whether there are any that the program has not completed yet, in progress or not.
    pub fn has_some(&self) -> bool {
        // Beside `COMPLETE`.
        self.in_use() > 0
    }

    /// Requests in progress, to be shown or waited for.
    pub fn pending(&self) -> impl Iterator<Item = (RequestId, &Request)> {
        self.table.iter().filter(|(_, r)| !r.done)
    }
}

fn unknown(id: RequestId) -> Error {
    Error::new(
        ErrorClass::Request,
        format!("request number {id} does not exist; it was completed or freed before"),
    )
}
