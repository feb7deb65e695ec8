//! Some of the ranks of a channel as a channel of their own, so that an algorithm in two levels is
//! made of the algorithms of its parts.

use crate::{
    Buffer, Channel, Domains, Member, NodeChannel, Nodes, PutTarget, STEPS, Slice, Slot, View,
};
use dunlin_base::Result;
use std::future::Future;
use std::rc::Rc;

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
    /// Whether these are all ranks of a node.
    is_node: bool,
}

impl<'c, C: Member> SubChannel<'c, C> {
    /// The ranks of this rank's node, over the buffers of `channel`.
    pub fn node(channel: &'c C, nodes: &Nodes) -> Self {
        let ranks = nodes.members(nodes.node_of(channel.rank())).to_vec();
        let node = SubChannel::new(channel, ranks, nodes.local_rank_of(channel.rank()));
        SubChannel { is_node: true, ..node }
    }

    /// `ranks`, if this rank is one of them, over the buffers of `channel`.
    pub fn among(channel: &'c C, ranks: Vec<usize>) -> Option<Self> {
        let me = ranks.iter().position(|&rank| rank == channel.rank())?;
        Some(SubChannel::new(channel, ranks, me))
    }

    fn new(channel: &'c C, ranks: Vec<usize>, me: usize) -> Self {
        let (send, recv) = (View::send(0, 0), View::recv(0, 0));
        SubChannel { channel, ranks, me, send, recv, first_step: 0, is_node: false }
    }

    /// The same ranks, with the buffers here beginning where `send` and `recv` do.
    pub fn over(self, send: View, recv: View) -> Self {
        SubChannel { send, recv, ..self }
    }

    /// The same ranks, for an algorithm after one that uses the steps before `first_step`: where it
    /// has stages, the first step of one.
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
    type Request = C::Request;

    fn isend(&self, to: usize, from: View) -> Result<C::Request> {
        self.channel.isend(self.ranks[to], self.outer(from))
    }

    fn irecv(&self, from: usize, into: View) -> Result<C::Request> {
        self.channel.irecv(self.ranks[from], self.outer(into))
    }

    fn wait(&self, request: C::Request) -> impl Future<Output = Result<()>> {
        self.channel.wait(request)
    }

    fn exchange(
        &self,
        to: usize,
        data: View,
        from: usize,
        into: View,
    ) -> impl Future<Output = Result<()>> {
        let (to, from) = (self.ranks[to], self.ranks[from]);
        self.channel.exchange(to, self.outer(data), from, self.outer(into))
    }
}

impl<C: NodeChannel> SubChannel<'_, C> {
    fn outer_slot(&self, slot: Slot) -> Slot {
        Slot { step: self.first_step + slot.step, by: self.ranks[slot.by] }
    }
}

impl<C: NodeChannel> NodeChannel for SubChannel<'_, C> {
    async fn copy_in(&self, step: usize, view: View) -> Result<()> {
        self.channel.copy_in(self.first_step + step, self.outer(view)).await
    }

    async fn expose(&self, step: usize, view: View) -> Result<()> {
        self.channel.expose(self.first_step + step, self.outer(view)).await
    }

    async fn publish(&self, step: usize, view: View) -> Result<()> {
        self.channel.publish(self.first_step + step, self.outer(view)).await
    }

    async fn expose_for_put(&self, step: usize, view: View) -> Result<()> {
        self.channel.expose_for_put(self.first_step + step, self.outer(view)).await
    }

    async fn put(&self, from: View, exposed: PutTarget, start: usize) -> Result<()> {
        let exposed = PutTarget { slot: self.outer_slot(exposed.slot), ..exposed };
        self.channel.put(self.outer(from), exposed, start).await
    }

    async fn release_stage(&self, stage: usize) -> Result<()> {
        self.channel.release_stage(self.first_step / STEPS + stage).await
    }

    fn copy_in_chunk(&self, view: View) -> usize {
        self.channel.copy_in_chunk(self.outer(view))
    }

    fn stage_room(&self, view: View, pieces: usize) -> usize {
        self.channel.stage_room(self.outer(view), pieces)
    }

    fn slices(&self, view: View, per_stage: usize) -> usize {
        self.channel.slices(self.outer(view), per_stage)
    }

    async fn copy_in_slice(&self, step: usize, view: View, slice: Slice) -> Result<()> {
        self.channel.copy_in_slice(self.first_step + step, self.outer(view), slice).await
    }

    async fn get_slice(&self, slot: Slot, into: View, slice: Slice) -> Result<()> {
        self.channel.get_slice(self.outer_slot(slot), self.outer(into), slice).await
    }

    fn stages(&self) -> usize {
        self.channel.stages().saturating_sub(self.first_step / STEPS)
    }

    fn cores(&self) -> usize {
        self.channel.cores()
    }

    fn domains(&self) -> Rc<Domains> {
        if self.is_node { self.channel.domains() } else { Rc::new(Domains::one(self.size())) }
    }

    fn all_have_begun(&self) -> Result<()> {
        if self.is_node { self.channel.all_have_begun() } else { Ok(()) }
    }

    fn chunk(&self, view: View) -> usize {
        self.channel.chunk(self.outer(view))
    }

    async fn await_slot(&self, slot: Slot) -> Result<()> {
        self.channel.await_slot(self.outer_slot(slot)).await
    }

    async fn get(&self, slot: Slot, start: usize, into: View) -> Result<()> {
        self.channel.get(self.outer_slot(slot), start, self.outer(into)).await
    }

    fn is_long(&self, view: View) -> bool {
        self.channel.is_long(self.outer(view))
    }

    fn sends_as_well(&self) -> Result<()> {
        self.channel.sends_as_well()
    }

    fn better_sent(&self, view: View) -> bool {
        self.channel.better_sent(self.outer(view))
    }

    async fn await_whole(&self, slot: Slot, view: View) -> Result<()> {
        self.channel.await_whole(self.outer_slot(slot), self.outer(view)).await
    }

    async fn get_whole(&self, slot: Slot, into: View) -> Result<()> {
        self.channel.get_whole(self.outer_slot(slot), self.outer(into)).await
    }

    async fn get_reduce(&self, slot: Slot, start: usize, onto: View) -> Result<()> {
        self.channel.get_reduce(self.outer_slot(slot), start, self.outer(onto)).await
    }

    async fn copy_in_combined(
        &self,
        step: usize,
        slot: Slot,
        operand: View,
        scratch: View,
    ) -> Result<()> {
        let (step, slot) = (self.first_step + step, self.outer_slot(slot));
        self.channel.copy_in_combined(step, slot, self.outer(operand), self.outer(scratch)).await
    }

    async fn get_combine(&self, slot: Slot, start: usize, operand: View, into: View) -> Result<()> {
        let (operand, into) = (self.outer(operand), self.outer(into));
        self.channel.get_combine(self.outer_slot(slot), start, operand, into).await
    }
}
