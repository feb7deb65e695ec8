//! What a persistent request does: an operation described once and started many times; MPI 5.0
//! section 3.9.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};

use crate::objects::buffer::UserBuffer;
use crate::objects::comm::Direction;
use crate::objects::schedule::Schedule;
use crate::objects::status::RequestId;
use crate::p2p::request::{From, Mode};

/// What a persistent request does each time it is started.
#[derive(Debug, Clone)]
pub enum Spec {
    /// Nothing: the peer is `MPI_PROC_NULL`. A receive reports it.
    Nothing {
        /// Whether it stands for a receive.
        receive: bool,
    },
    /// Sends.
    Send {
        /// What.
        buffer: UserBuffer,
        /// To whom.
        to: Rank,
        /// The tag.
        tag: Tag,
        /// How it completes.
        mode: Mode,
    },
    /// Sends in buffered mode.
    Buffered {
        /// What.
        buffer: UserBuffer,
        /// To whom.
        to: Rank,
        /// The tag.
        tag: Tag,
    },
    /// Receives.
    Receive {
        /// Where to.
        buffer: UserBuffer,
        /// From whom.
        from: From,
        /// The tag; `None` for any.
        tag: Option<Tag>,
    },
    /// Sends or receives in partitions.
    Partitioned(Rc<Partitioned>),
    /// Takes part in a collective.
    Collective(Rc<Schedule>),
}

/// A persistent request and the transfer it is in, if it is active.
#[derive(Debug)]
pub struct Persistent {
    pub(crate) spec: Spec,
    pub(crate) active: Option<Active>,
}

/// What a started persistent request is doing.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Active {
    /// A transfer of its own.
    Transfer(RequestId),
    /// A partitioned send: not all partitions are ready.
    Filling,
    /// Nothing more: it completed as it was started.
    Complete,
}

/// A partitioned operation.
#[derive(Debug)]
pub struct Partitioned {
    pub(crate) direction: Direction,
    pub(crate) buffer: UserBuffer,
    pub(crate) peer: Rank,
    pub(crate) tag: Tag,
    pub(crate) context: u64,
    /// Which partitions of a send are ready since it was started.
    pub(crate) ready: RefCell<Vec<bool>>,
    /// How many are not.
    pub(crate) left: Cell<usize>,
}

impl Partitioned {
    pub(crate) fn check(&self, partition: usize) -> Result<()> {
        let count = self.ready.borrow().len();
        if partition < count {
            return Ok(());
        }
        let text = format!("partition is {partition}; the request has {count}, from 0");
        Err(Error::new(ErrorClass::Arg, text))
    }
}
