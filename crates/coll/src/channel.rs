//! What an algorithm sees of the world: its rank, its peers, and views of buffers it can send,
//! receive into, copy and reduce. Nothing here is a byte or a clock.

use crate::Nodes;
use dunlin_base::Result;
use std::future::Future;
use std::rc::Rc;

/// One of the buffers of an operation. Each has a datatype of its own, which only the executor
/// knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Buffer {
    /// The caller's send buffer. With `MPI_IN_PLACE` it is the receive buffer.
    Send,
    /// The caller's receive buffer, or the only buffer of a one-buffer operation such as bcast.
    Recv,
    /// Scratch memory made by [`Member::temp`], which says what its datatype is.
    Temp(u32),
}

/// A run of elements of one buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Which buffer.
    pub buffer: Buffer,
    /// First element, counted in elements of that buffer's datatype.
    pub start: usize,
    /// Number of elements.
    pub len: usize,
}

impl View {
    /// No data: what barriers send.
    pub const EMPTY: View = View { buffer: Buffer::Recv, start: 0, len: 0 };

    /// Elements `start..start + len` of the send buffer.
    pub const fn send(start: usize, len: usize) -> View {
        View { buffer: Buffer::Send, start, len }
    }

    /// Elements `start..start + len` of the receive buffer.
    pub const fn recv(start: usize, len: usize) -> View {
        View { buffer: Buffer::Recv, start, len }
    }

    /// Elements `start..start + len` of this view.
    pub fn part(self, start: usize, len: usize) -> View {
        debug_assert!(start + len <= self.len, "part {start}+{len} of a view of {}", self.len);
        View { buffer: self.buffer, start: self.start + start, len }
    }
}

/// One rank of a collective operation: who it is, and what it does in its own memory.
pub trait Member {
    /// This process, `0..size`.
    fn rank(&self) -> usize;

    /// Number of processes.
    fn size(&self) -> usize;

    /// Scratch memory for `len` elements; lives as long as the operation. Its contents are
    /// undefined. Its datatype is the receive buffer's where the operation gives the receive buffer
    /// a meaning at this rank, and the send buffer's elsewhere: at the non-roots of a gather, and
    /// at a scatter's root with `MPI_IN_PLACE`.
    fn temp(&self, len: usize) -> Result<View>;

    /// Copies `from` to `to`; no data moves where both are the same memory (in place).
    fn copy(&self, from: View, to: View) -> Result<()>;

    /// `right := left op right`, the order of MPI's user functions (`invec`, `inoutvec`): `left` is
    /// the operand of the lower ranks when the operator does not commute.
    fn reduce(&self, left: View, right: View) -> Result<()>;
}

/// The world of a collective algorithm that sends messages.
///
/// Posting is eager: `isend` and `irecv` begin at once, in program order, and messages between one
/// pair of ranks within one operation arrive in the order they were sent. A view must not be
/// touched between posting and the end of its `wait`. Every request must be waited for.
///
/// An executor may make every send synchronous (complete only once its receive is posted): an
/// algorithm that needs buffering to make progress is wrong.
#[allow(async_fn_in_trait, reason = "one process polls its own futures; none needs to be Send")]
pub trait Channel: Member {
    /// A transfer that was posted and not yet waited for.
    type Request;

    /// Which ranks share a node, for algorithms in two levels; the same at every rank. One node if
    /// the executor does not know better.
    fn nodes(&self) -> Rc<Nodes> {
        Rc::new(Nodes::one(self.size()))
    }

    /// Begins to send `from` to rank `to`, which is not this rank.
    fn isend(&self, to: usize, from: View) -> Result<Self::Request>;

    /// Begins to receive from rank `from`, which is not this rank, into `into`.
    fn irecv(&self, from: usize, into: View) -> Result<Self::Request>;

    /// Completes a transfer.
    fn wait(&self, request: Self::Request) -> impl Future<Output = Result<()>>;

    /// Sends and completes.
    async fn send(&self, to: usize, from: View) -> Result<()> {
        let request = self.isend(to, from)?;
        self.wait(request).await
    }

    /// Receives and completes.
    async fn recv(&self, from: usize, into: View) -> Result<()> {
        let request = self.irecv(from, into)?;
        self.wait(request).await
    }

    /// Sends to one rank while receiving from another (or the same).
    async fn exchange(&self, to: usize, data: View, from: usize, into: View) -> Result<()> {
        let incoming = self.irecv(from, into)?;
        let outgoing = self.isend(to, data)?;
        self.wait(incoming).await?;
        self.wait(outgoing).await
    }

    /// Completes all of `requests`.
    async fn wait_all(&self, requests: impl IntoIterator<Item = Self::Request>) -> Result<()> {
        for request in requests {
            self.wait(request).await?;
        }
        Ok(())
    }
}
