//! Schedules: the buffers of a collective operation, its algorithm and the algorithm's arguments.
//! The arguments of a call are checked once and become a [`Schedule`]; MPI 5.0, chapter 6.

use std::cell::Cell;
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_coll as coll;
use dunlin_coll::inter::Role;
use dunlin_coll::select::Params;
use dunlin_coll::{BlockLayout, PeerBlocks};
use dunlin_datatype::{Datatype, Primitive};

use crate::objects::buffer::UserBuffer;
use crate::objects::comm::{CollTag, Comm};
use crate::objects::op::Op;
use crate::objects::topology::Neighbours;

/// A buffer of a collective: `count` elements of the datatype with this number at `address`.
#[derive(Debug, Clone, Copy)]
pub struct Typed {
    /// Address of the first element.
    pub address: *mut u8,
    /// The number of elements (per block, where an operation has blocks).
    pub count: usize,
    /// Number of the datatype.
    pub type_id: u32,
}

impl Typed {
    /// No data.
    pub const EMPTY: Typed = Typed { address: std::ptr::dangling_mut(), count: 0, type_id: 0 };
}

/// The root of a collective. With an intercommunicator it is in one of the two groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// This rank; with an intercommunicator, of the remote group.
    Rank(Rank),
    /// This process, with an intercommunicator (`MPI_ROOT`).
    Here,
    /// Another process of the local group, with an intercommunicator (`MPI_PROC_NULL`).
    Beside,
}

impl Root {
    /// Whether this process is the root.
    pub fn is_here(self, comm: &Comm) -> bool {
        self == Root::Here || (self == Root::Rank(comm.rank) && !comm.is_inter())
    }

    /// Whether the root is given by its rank: then this process takes part as in any other
    /// collective.
    pub fn is_named(self) -> bool {
        matches!(self, Root::Rank(_))
    }
}

/// A collective operation, ready to start: any number of times, but not concurrently with itself.
#[derive(Debug)]
pub struct Schedule {
    pub(crate) comm: Rc<Comm>,
    /// Separates this operation's messages from those of others in flight.
    pub(crate) tag: Cell<CollTag>,
    /// The same for messages within the local group of an intercommunicator.
    pub(crate) local_tag: Cell<CollTag>,
    /// Whether another rank has sent a notice that it abandons this operation.
    pub(crate) has_notice: Cell<bool>,
    pub(crate) send: Region,
    pub(crate) recv: Region,
    /// Scratch elements have the send buffer's datatype; see [`coll::Channel::temp`].
    pub(crate) scratch_as_send: bool,
    pub(crate) op: Option<Rc<Op>>,
    /// Data that is staged in the library's memory while it runs.
    pub(crate) staging: Staging,
    pub(crate) coll_op: CollOp,
}

impl Schedule {
    /// The schedule of a nonblocking operation. These have a counter of their own,
    /// because they never match blocking ones (MPI 5.0, section 6.12): one process may start one
    /// before a blocking collective, and another process after it.
    #[must_use]
    pub fn apart(self) -> Rc<Schedule> {
        self.draw_tags(Comm::next_apart);
        Rc::new(self)
    }

    /// The schedule of a persistent operation. Members may start those of a communicator in
    /// different orders, so each has a context, and each start of it a tag.
    #[must_use]
    pub fn persistent(self) -> Rc<Schedule> {
        self.draw_tags(Comm::next_persistent);
        Rc::new(self)
    }

    /// A persistent operation is started once more.
    pub(crate) fn next_start(&self) {
        self.tag.set(self.tag.get().of_next_start());
        self.local_tag.set(self.local_tag.get().of_next_start());
    }

    /// Whether any algorithm of this operation uses shared memory.
    pub(crate) fn may_share(&self) -> bool {
        !matches!(self.coll_op, CollOp::Neighbourhood(_) | CollOp::Inter(_))
    }

    /// Whether this rank's arguments say that no rank gives or gets data.
    pub(crate) fn has_no_data(&self) -> bool {
        let nothing = |region: &Region, count| {
            count == 0 || region.uniform().is_ok_and(|uniform| uniform.datatype.size() == 0)
        };
        let none = |sent, received| nothing(&self.send, sent) && nothing(&self.recv, received);
        match &self.coll_op {
            CollOp::Bcast(v, _) => v.len == 0,
            CollOp::Gather(v, _) => none(v.send_block, v.recv_block),
            CollOp::Scatter(v, _) => none(v.send_block, v.recv_block),
            CollOp::Allgather(v, _) => none(v.send_block, v.recv_block),
            CollOp::Allgatherv { send_len, recv, .. } => none(*send_len, recv.counts.iter().sum()),
            CollOp::Alltoall(v, _) => none(v.send_block, v.recv_block),
            CollOp::Reduce(v, _) => v.len == 0,
            CollOp::Allreduce(v, _) => v.len == 0,
            CollOp::ReduceScatter { starts, .. } => starts.last() == Some(&0),
            CollOp::ReduceScatterBlock(v, _) => v.block == 0,
            CollOp::Scan(v, _) => v.len == 0,
            CollOp::Exscan(v, _) => v.len == 0,
            // A barrier synchronises; in the others a rank knows its own part only.
            CollOp::Barrier(_)
            | CollOp::Gatherv { .. }
            | CollOp::Scatterv { .. }
            | CollOp::Alltoallv { .. }
            | CollOp::Neighbourhood(_)
            | CollOp::Inter(_) => false,
        }
    }

    pub(crate) fn draw_tags(&self, next: fn(&Comm) -> CollTag) {
        self.tag.set(next(&self.comm));
        self.local_tag
            .set(self.comm.local.as_ref().map_or_else(CollTag::default, |local| next(local)));
    }
}

/// Data that an operation processes packed, in the library's memory.
#[derive(Debug)]
pub(crate) enum Staging {
    Nothing,
    /// The only buffer of a bcast: the root packs it before the operation, the others unpack it
    /// after.
    Bcast {
        buffer: UserBuffer,
        is_root: bool,
    },
    /// The original contents of these blocks of the receive buffer are sent (`MPI_Alltoallw` in
    /// place).
    Sent(Rc<[UserBuffer]>),
}

/// The positions of blocks of different lengths.
#[derive(Debug, Clone)]
pub(crate) struct Blocks {
    pub counts: Box<[usize]>,
    pub displacements: Box<[usize]>,
}

impl Blocks {
    /// For ranks at which the buffer is not significant.
    pub(crate) fn none() -> Blocks {
        Blocks { counts: [].into(), displacements: [].into() }
    }

    pub(crate) fn places(&self) -> BlockLayout<'_> {
        BlockLayout { counts: &self.counts, displacements: &self.displacements }
    }
}

/// The algorithm and its arguments.
#[derive(Debug)]
pub(crate) enum CollOp {
    Barrier(Params),
    Bcast(coll::Bcast, Params),
    Gather(coll::Gather, Params),
    Gatherv {
        root: usize,
        send_len: usize,
        recv: Blocks,
        params: Params,
    },
    Scatter(coll::Scatter, Params),
    Scatterv {
        root: usize,
        send: Blocks,
        recv_len: usize,
        params: Params,
    },
    Allgather(coll::Allgather, Params),
    /// Includes the bytes of the longest block.
    Allgatherv {
        send_len: usize,
        recv: Blocks,
        params: Params,
        longest: usize,
    },
    Alltoall(coll::Alltoall, Params),
    Alltoallv {
        send: Blocks,
        recv: Blocks,
        in_place: bool,
        params: Params,
    },
    Reduce(coll::Reduce, Params),
    Allreduce(coll::Allreduce, Params),
    ReduceScatter {
        starts: Box<[usize]>,
        commutative: bool,
        params: Params,
    },
    ReduceScatterBlock(coll::ReduceScatterBlock, Params),
    Scan(coll::Scan, Params),
    Exscan(coll::Exscan, Params),
    Neighbourhood(Neighbourhood),
    Inter(Inter),
}

/// The elements of a collective's buffer.
#[derive(Clone, Debug)]
pub(crate) enum Region {
    /// No elements.
    Nothing,
    /// Consecutive elements of one datatype.
    Uniform(Uniform),
    /// Blocks with a datatype and an address each, as in `MPI_Alltoallw`.
    Blocks(Rc<[UserBuffer]>),
}

/// Consecutive elements of one datatype.
#[derive(Clone, Debug)]
pub(crate) struct Uniform {
    /// Address of the first element.
    pub address: *mut u8,
    /// The datatype of an element.
    pub datatype: Datatype,
    /// The datatype's number, for the program's operators.
    pub type_id: u32,
}

impl Uniform {
    /// Whether the elements are contiguous, beginning at their address.
    pub fn is_packed(&self) -> bool {
        let t = &self.datatype;
        t.is_contiguous() && t.true_lb() == 0 && t.extent() as usize == t.size()
    }

    pub fn element(&self, index: usize) -> *mut u8 {
        self.address.wrapping_offset(index as isize * self.datatype.extent() as isize)
    }
}

impl Region {
    /// The elements whose datatype scratch memory uses; an error where there are several datatypes.
    pub fn uniform(&self) -> Result<&Uniform> {
        match self {
            Region::Uniform(uniform) => Ok(uniform),
            Region::Nothing | Region::Blocks(_) => {
                let text = "blocks of several datatypes have no scratch memory and no operator";
                Err(Error::new(ErrorClass::Intern, text))
            }
        }
    }

    pub fn buffer(&self, start: usize, len: usize) -> UserBuffer {
        match self {
            Region::Uniform(u) => {
                // SAFETY: the caller of the collective promised that its buffers stay valid until
                // the operation ends; scratch memory lives in `Memory`, which lives as long.
                let part = unsafe { UserBuffer::new(u.element(start), len, &u.datatype) };
                part.expect("a part of elements that were checked as a whole")
            }
            Region::Nothing => UserBuffer::EMPTY,
            Region::Blocks(blocks) => {
                debug_assert!(len == 1, "blocks of several datatypes are moved one by one");
                blocks[start].clone()
            }
        }
    }
}

/// The lengths of the blocks of a buffer.
#[derive(Debug)]
pub(crate) enum Lengths {
    /// One block, the same for all peers.
    Same(usize),
    Equal(usize),
    BlockLayout(Blocks),
}

impl Lengths {
    pub(crate) fn peer_blocks(&self) -> PeerBlocks<'_> {
        match self {
            Lengths::Same(len) => PeerBlocks::Same(*len),
            Lengths::Equal(len) => PeerBlocks::Equal(*len),
            Lengths::BlockLayout(blocks) => PeerBlocks::BlockLayout(blocks.places()),
        }
    }
}

/// An operation on an intercommunicator and its arguments.
#[derive(Debug)]
pub(crate) enum Inter {
    Barrier,
    Bcast { role: Role, len: usize },
    Gather { role: Role, send_len: usize, recv: Lengths },
    Scatter { role: Role, send: Lengths, recv_len: usize },
    Alltoall { send: Lengths, recv: Lengths },
    Reduce { role: Role, len: usize },
    Allreduce { len: usize },
    ReduceScatter { total: usize, blocks: Lengths },
}

/// A neighbourhood collective and its arguments.
#[derive(Debug)]
pub(crate) struct Neighbourhood {
    pub(crate) neighbours: Neighbours,
    pub(crate) send: Lengths,
    pub(crate) recv: Lengths,
}

impl Neighbourhood {
    pub(crate) fn arguments(&self) -> coll::Neighbourhood<'_> {
        coll::Neighbourhood {
            neighbours: self.neighbours.places(),
            send: self.send.peer_blocks(),
            recv: self.recv.peer_blocks(),
        }
    }
}

impl Root {
    /// This process's role in an operation on an intercommunicator.
    pub(crate) fn role(self) -> Role {
        match self {
            Root::Rank(rank) => Role::Partner(rank as usize),
            Root::Here => Role::Root,
            Root::Beside => Role::Idle,
        }
    }
}

/// The root's rank, where there is one group.
pub(crate) fn place(root: Root) -> usize {
    match root {
        Root::Rank(rank) => rank as usize,
        Root::Here | Root::Beside => unreachable!("roots of intercommunicators alone"),
    }
}

/// Bytes at `address`.
pub(crate) fn packed(address: *mut u8) -> Uniform {
    let datatype = Datatype::primitive(Primitive::Byte);
    Uniform { address, datatype, type_id: Primitive::Byte as u32 }
}

#[cold]
pub(crate) fn aliased() -> Error {
    let text = "the send buffer is where the result goes; pass MPI_IN_PLACE in its place";
    Error::new(ErrorClass::Buffer, text)
}
