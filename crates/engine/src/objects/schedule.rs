//! What a collective operation is: its buffers, its algorithm and the algorithm's arguments. The
//! arguments of a call become a [`Schedule`] once, checked; MPI 5.0 chapter 6.

use std::cell::Cell;
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_coll as coll;
use dunlin_coll::inter::Role;
use dunlin_coll::select::Params;
use dunlin_coll::{BlockLayout, PeerBlocks};
use dunlin_datatype::{Datatype, Primitive};

use crate::objects::buffer::UserBuffer;
use crate::objects::comm::Comm;
use crate::objects::op::Op;

/// A buffer of a collective: `count` elements of the datatype with this number at `address`.
#[derive(Debug, Clone, Copy)]
pub struct Typed {
    /// Address of the first element.
    pub address: *mut u8,
    /// Elements (per block, where an operation has blocks).
    pub count: usize,
    /// Number of the datatype.
    pub type_id: u32,
}

impl Typed {
    /// No data.
    pub const EMPTY: Typed = Typed { address: std::ptr::dangling_mut(), count: 0, type_id: 0 };
}

/// The root of a collective. With an intercommunicator it belongs to one of the two groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Root {
    /// This rank; of an intercommunicator, in the other group.
    Rank(Rank),
    /// This process itself, with an intercommunicator (`MPI_ROOT`).
    Here,
    /// Another process of this group, with an intercommunicator (`MPI_PROC_NULL`).
    Beside,
}

impl Root {
    /// Whether this process is the root.
    pub fn is_here(self, comm: &Comm) -> bool {
        self == Root::Here || (self == Root::Rank(comm.rank) && !comm.is_inter())
    }

    /// Whether the root is a process that this one names: then it takes part as any other does.
    pub fn is_named(self) -> bool {
        matches!(self, Root::Rank(_))
    }
}

/// A collective operation, ready to run: as often as wanted, but not twice at the same time.
#[derive(Debug)]
pub struct Schedule {
    pub(crate) comm: Rc<Comm>,
    /// Keeps this operation's messages apart from those of others in flight.
    pub(crate) tag: Cell<i32>,
    /// The same for the messages within this process's group of an intercommunicator.
    pub(crate) local_tag: Cell<i32>,
    /// Whether another rank has said that it gives this operation up.
    pub(crate) has_notice: Cell<bool>,
    pub(crate) send: Region,
    pub(crate) recv: Region,
    /// Scratch elements are of the send buffer's datatype; see [`coll::Channel::temp`].
    pub(crate) scratch_as_send: bool,
    pub(crate) op: Option<Rc<Op>>,
    /// What the library's own memory stands for while it runs.
    pub(crate) staging: Staging,
    pub(crate) coll_op: CollOp,
}

impl Schedule {
    /// The schedule of a nonblocking or persistent operation. These are counted apart from the
    /// blocking ones, with which they never match (MPI 5.0, section 6.12): a program may begin one
    /// on this side and on that side of a blocking collective.
    #[must_use]
    pub fn apart(self) -> Rc<Schedule> {
        self.draw_tags(Comm::next_collective_apart);
        Rc::new(self)
    }

    pub(crate) fn draw_tags(&self, next: fn(&Comm) -> i32) {
        self.tag.set(next(&self.comm));
        self.local_tag.set(self.comm.local.as_ref().map_or(0, |local| next(local)));
    }
}

/// Data that an operation works on packed, in memory of the library.
#[derive(Debug)]
pub(crate) enum Staging {
    Nothing,
    /// The only buffer of a bcast: the root packs it before, the others unpack it after.
    Bcast {
        buffer: UserBuffer,
        is_root: bool,
    },
    /// What these blocks of the receive buffer hold at first is sent (`MPI_Alltoallw` in place).
    Sent(Rc<[UserBuffer]>),
}

/// Where blocks of different lengths stand.
#[derive(Debug, Clone)]
pub(crate) struct Blocks {
    pub counts: Box<[usize]>,
    pub displacements: Box<[usize]>,
}

impl Blocks {
    /// For ranks where the operation gives the buffer no meaning.
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
    /// With the bytes of the longest block.
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

/// What the elements of a collective's buffer are.
#[derive(Clone, Debug)]
pub(crate) enum Region {
    /// There are none.
    Nothing,
    /// Of one datatype, one after another.
    Uniform(Uniform),
    /// Each a block of its own, as in `MPI_Alltoallw`.
    Blocks(Rc<[UserBuffer]>),
}

/// Memory of elements of one datatype.
#[derive(Clone, Debug)]
pub(crate) struct Uniform {
    /// Address of the first element.
    pub address: *mut u8,
    /// What an element is.
    pub datatype: Datatype,
    /// Its number, for the program's operators.
    pub type_id: u32,
}

impl Uniform {
    /// Whether elements lie one after another without gaps, beginning at their address.
    pub fn is_packed(&self) -> bool {
        let t = &self.datatype;
        t.is_contiguous() && t.true_lb() == 0 && t.extent() as usize == t.size()
    }

    pub fn element(&self, index: usize) -> *mut u8 {
        self.address.wrapping_offset(index as isize * self.datatype.extent() as isize)
    }
}

impl Region {
    /// The datatype of scratch memory for elements like these.
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
                // SAFETY: the caller of the collective promised its buffers until the operation
                // ends; scratch lives in `Memory`, which is kept as long.
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

/// How long the blocks of a buffer are.
#[derive(Debug)]
pub(crate) enum Lengths {
    /// One block, the same for all.
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
    pub(crate) sources: Box<[Option<usize>]>,
    pub(crate) destinations: Box<[Option<usize>]>,
    pub(crate) grid: bool,
    pub(crate) send: Lengths,
    pub(crate) recv: Lengths,
}

impl Neighbourhood {
    pub(crate) fn arguments(&self) -> coll::Neighbourhood<'_> {
        let (sources, destinations) = (&*self.sources, &*self.destinations);
        let neighbours = coll::Neighbours { sources, destinations, grid: self.grid };
        coll::Neighbourhood {
            neighbours,
            send: self.send.peer_blocks(),
            recv: self.recv.peer_blocks(),
        }
    }
}

impl Root {
    /// The part of this process, with an intercommunicator.
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
