//! Some of the ranks of a channel as a channel of their own, so that an algorithm in two levels is
//! made of the algorithms of its parts.

use crate::{Buffer, Channel, Member, NodeChannel, Nodes, Opened, Shown, View};
use dunlin_base::Result;
use std::future::Future;

/// A channel among some of the ranks of another. What its algorithms call the send and the receive
/// buffer are views of the other channel's buffers; both may be one, as in place. Scratch memory is
/// the other channel's, and so is its datatype: counts of an algorithm that uses scratch memory
/// must be in its elements.
#[derive(Debug)]
pub struct SubChannel<'c, C> {
    channel: &'c C,
    /// The ranks, in the order of their numbers here.
    ranks: Vec<usize>,
    /// This rank's number here.
    me: usize,
    send: View,
    recv: View,
    /// What is step 0 here.
    first_step: usize,
}

impl<'c, C: Member> SubChannel<'c, C> {
    /// The ranks of this rank's node, over the buffers of `channel`.
    pub fn node(channel: &'c C, nodes: &Nodes) -> Self {
        let ranks = nodes.members(nodes.node_of(channel.rank())).to_vec();
        SubChannel::new(channel, ranks, nodes.place_of(channel.rank()))
    }

    /// `ranks`, if this rank is one of them, over the buffers of `channel`.
    pub fn among(channel: &'c C, ranks: Vec<usize>) -> Option<Self> {
        let me = ranks.iter().position(|&rank| rank == channel.rank())?;
        Some(SubChannel::new(channel, ranks, me))
    }

    fn new(channel: &'c C, ranks: Vec<usize>, me: usize) -> Self {
        let (send, recv) = (View::send(0, 0), View::recv(0, 0));
        SubChannel { channel, ranks, me, send, recv, first_step: 0 }
    }

    /// The same ranks, with the buffers here beginning where `send` and `recv` do.
    pub fn over(self, send: View, recv: View) -> Self {
        SubChannel { send, recv, ..self }
    }

    /// The same ranks, for an algorithm after one that uses the steps before `first_step`.
    pub fn from_step(self, first_step: usize) -> Self {
        SubChannel { first_step, ..self }
    }

    /// A view of a buffer here as a view of the other channel's.
    fn outer(&self, view: View) -> View {
        let base = match view.buffer {
            Buffer::Send => self.send,
            Buffer::Recv => self.recv,
            Buffer::Temp(_) => return view,
        };
        View { buffer: base.buffer, start: base.start + view.start, len: view.len }
    }
}

impl<C: Member> Member for SubChannel<'_, C> {
    fn rank(&self) -> usize {
        self.me
    }

    fn size(&self) -> usize {
        self.ranks.len()
    }

    fn temp(&self, len: usize) -> Result<View> {
        self.channel.temp(len)
    }

    fn copy(&self, from: View, to: View) -> Result<()> {
        self.channel.copy(self.outer(from), self.outer(to))
    }

    fn reduce(&self, left: View, right: View) -> Result<()> {
        self.channel.reduce(self.outer(left), self.outer(right))
    }
}

impl<C: Channel> Channel for SubChannel<'_, C> {
    type Ticket = C::Ticket;

    fn isend(&self, to: usize, from: View) -> Result<C::Ticket> {
        self.channel.isend(self.ranks[to], self.outer(from))
    }

    fn irecv(&self, from: usize, into: View) -> Result<C::Ticket> {
        self.channel.irecv(self.ranks[from], self.outer(into))
    }

    fn wait(&self, ticket: C::Ticket) -> impl Future<Output = Result<()>> {
        self.channel.wait(ticket)
    }
}

impl<C: NodeChannel> SubChannel<'_, C> {
    fn outer_shown(&self, shown: Shown) -> Shown {
        Shown { step: self.first_step + shown.step, by: self.ranks[shown.by] }
    }
}

impl<C: NodeChannel> NodeChannel for SubChannel<'_, C> {
    async fn post(&self, step: usize, view: View) -> Result<()> {
        self.channel.post(self.first_step + step, self.outer(view)).await
    }

    async fn lend(&self, step: usize, view: View) -> Result<()> {
        self.channel.lend(self.first_step + step, self.outer(view)).await
    }

    async fn show(&self, step: usize, view: View) -> Result<()> {
        self.channel.show(self.first_step + step, self.outer(view)).await
    }

    async fn open(&self, step: usize, view: View) -> Result<()> {
        self.channel.open(self.first_step + step, self.outer(view)).await
    }

    async fn give(&self, from: View, opened: Opened, start: usize) -> Result<()> {
        let opened = Opened { shown: self.outer_shown(opened.shown), ..opened };
        self.channel.give(self.outer(from), opened, start).await
    }

    async fn leave(&self, stage: usize) -> Result<()> {
        self.channel.leave(stage).await
    }

    fn posted_piece(&self, view: View) -> usize {
        self.channel.posted_piece(self.outer(view))
    }

    fn slices(&self, view: View) -> usize {
        self.channel.slices(self.outer(view))
    }

    async fn post_slice(&self, step: usize, view: View, number: usize) -> Result<()> {
        self.channel.post_slice(self.first_step + step, self.outer(view), number).await
    }

    async fn take_slice(&self, shown: Shown, into: View, number: usize) -> Result<()> {
        self.channel.take_slice(self.outer_shown(shown), self.outer(into), number).await
    }

    fn cores(&self) -> usize {
        self.channel.cores()
    }

    fn piece(&self, view: View) -> usize {
        self.channel.piece(self.outer(view))
    }

    async fn seen(&self, shown: Shown) -> Result<()> {
        self.channel.seen(self.outer_shown(shown)).await
    }

    async fn take(&self, shown: Shown, start: usize, into: View) -> Result<()> {
        self.channel.take(self.outer_shown(shown), start, self.outer(into)).await
    }

    fn is_long(&self, view: View) -> bool {
        self.channel.is_long(self.outer(view))
    }

    async fn seen_whole(&self, shown: Shown, view: View) -> Result<()> {
        self.channel.seen_whole(self.outer_shown(shown), self.outer(view)).await
    }

    async fn take_whole(&self, shown: Shown, into: View) -> Result<()> {
        self.channel.take_whole(self.outer_shown(shown), self.outer(into)).await
    }

    async fn take_reduce(&self, shown: Shown, start: usize, onto: View) -> Result<()> {
        self.channel.take_reduce(self.outer_shown(shown), start, self.outer(onto)).await
    }

    async fn post_combined(
        &self,
        step: usize,
        shown: Shown,
        operand: View,
        scratch: View,
    ) -> Result<()> {
        let (step, shown) = (self.first_step + step, self.outer_shown(shown));
        self.channel.post_combined(step, shown, self.outer(operand), self.outer(scratch)).await
    }

    async fn take_combine(
        &self,
        shown: Shown,
        start: usize,
        operand: View,
        into: View,
    ) -> Result<()> {
        let (operand, into) = (self.outer(operand), self.outer(into));
        self.channel.take_combine(self.outer_shown(shown), start, operand, into).await
    }
}
