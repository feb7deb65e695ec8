//! One rank, as an algorithm sees it: each verb costs what the machine's model says.

use crate::machine::Node;
use crate::network::ps;
use crate::path::Cost;
use crate::slots::PAGE_BYTES;
use crate::transfer::Request;
use crate::world::World;
use dunlin_base::Result;
use dunlin_coll::sharing::{
    CICO_CHUNK_BYTES, better_copied_in, better_sent, chunk_bytes, copies_in, slice_of, slices,
    stage_elements,
};
use dunlin_coll::{
    Buffer, Channel, Domains, Member, NodeChannel, Nodes, PutTarget, Slice, Slot, View, barrier,
};
use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;

/// Longer pieces of scratch memory are fresh in each call: `memory/scratch.rs` of the engine.
const KEPT_BYTES_MAX: usize = 4 << 20;

/// A rank of a simulated job.
#[derive(Debug)]
pub(crate) struct Process<'w, 'm> {
    pub world: &'w RefCell<World<'m>>,
    pub rank: usize,
    pub size: usize,
    pub nodes: Rc<Nodes>,
    pub domains: Rc<Domains>,
    /// Bytes of an element.
    pub unit: usize,
    /// Whether the call takes the fast path of collectives.
    pub is_fast: bool,
    /// Whether the call has data.
    pub has_data: bool,
}

impl Process<'_, '_> {
    fn bytes(&self, view: View) -> usize {
        view.len * self.unit
    }

    /// Ranks of this node.
    fn members(&self) -> usize {
        self.world.borrow().layout.ranks_per_node
    }

    fn has_slow_copies(&self) -> bool {
        self.world.borrow().machine.node.single_copy_is_slow()
    }

    fn work(&self, cost: Cost, view: View) {
        match cost {
            Cost::Copy => self.general(|node| node.general_copy_ns),
            _ => self.verb(),
        }
        self.world.borrow_mut().works_alone(self.rank, cost, self.bytes(view) as f64);
    }

    /// What a verb costs beside its data.
    fn verb(&self) {
        self.general(|node| node.general_verb_ns);
    }

    /// What a call that does not take the fast path costs beside its data.
    fn general(&self, ns: impl FnOnce(&Node) -> f64) {
        if !self.is_fast {
            let mut world = self.world.borrow_mut();
            let cost = ps(ns(world.node));
            world.spend(self.rank, Cost::Call, cost);
        }
    }

    /// See [`World::poll_settled`].
    async fn settle(&self) {
        poll_fn(|_| self.world.borrow_mut().poll_settled(self.rank)).await;
    }

    fn post_send(&self, to: usize, from: View) -> Request {
        self.world.borrow_mut().isend(self.rank, to, self.bytes(from) as f64)
    }

    fn post_receive(&self, from: usize, into: View) -> Request {
        self.world.borrow_mut().irecv(self.rank, from, self.bytes(into) as f64)
    }

    fn wait_for(&self, requests: [Option<Request>; 2]) -> impl Future<Output = Result<()>> {
        let waits = &mut self.world.borrow_mut().ranks[self.rank].requests;
        assert!(
            waits[0].is_none(),
            "rank {} would wait for two things at a time: an algorithm must await one of them \
             before it begins to wait for the next",
            self.rank
        );
        *waits = requests;
        poll_fn(|_| self.world.borrow_mut().poll_requests(self.rank).map(Ok))
    }

    /// Publishes a copy of so many bytes.
    async fn show(&self, step: usize, bytes: usize) {
        self.verb();
        self.world.borrow_mut().looks_for_room(self.rank, bytes);
        self.show_at(step, None).await;
    }

    /// Publishes memory of its own.
    async fn show_memory(&self, step: usize, view: View) {
        self.verb();
        self.show_at(step, Some(self.bytes(view) as f64)).await;
    }

    async fn show_at(&self, step: usize, exposed: Option<f64>) {
        self.settle().await;
        poll_fn(|_| self.world.borrow_mut().poll_room(self.rank, step)).await;
        self.world.borrow_mut().publish(self.rank, step, exposed);
    }

    /// What a rank does that has done its part, where another may wait for its core: it goes on to
    /// a barrier, for which the leaders of nodes exchange messages. They keep the core for those
    /// that they send before they wait.
    pub async fn goes_on(&self) -> Result<()> {
        let (layout, shared) = {
            let world = self.world.borrow();
            (world.layout, world.shared_core(self.rank).is_some())
        };
        if !shared || layout.nodes == 1 || layout.local_rank(self.rank) != 0 {
            return Ok(());
        }
        poll_fn(|_| self.world.borrow_mut().poll_node_ended(self.rank)).await;
        barrier::between_nodes(self, &self.nodes).await
    }

    async fn read(&self, slot: Slot, into: View, reduces: bool) -> Result<()> {
        self.await_slot(slot).await?;
        self.world.borrow_mut().read(self.rank, slot, self.bytes(into) as f64, reduces);
        Ok(())
    }
}

impl Member for Process<'_, '_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn temp(&self, len: usize) -> Result<View> {
        self.verb();
        let (bytes, mut world) = (len * self.unit, self.world.borrow_mut());
        world.works_on(self.rank, bytes as f64);
        if bytes > KEPT_BYTES_MAX {
            let faults = bytes as f64 / PAGE_BYTES * world.node.page_fault_ns;
            world.spend(self.rank, Cost::Copy, ps(faults));
        }
        let temps = &mut world.ranks[self.rank].temps;
        *temps += 1;
        Ok(View { buffer: Buffer::Temp(*temps), start: 0, len })
    }

    fn copy(&self, from: View, to: View) -> Result<()> {
        if from.len > 0 && (from.buffer, from.start) != (to.buffer, to.start) {
            self.work(Cost::Copy, from);
        }
        Ok(())
    }

    fn reduce(&self, left: View, _right: View) -> Result<()> {
        self.work(Cost::Reduce, left);
        Ok(())
    }
}

impl Channel for Process<'_, '_> {
    type Request = Request;

    fn nodes(&self) -> Rc<Nodes> {
        let mut world = self.world.borrow_mut();
        if !std::mem::replace(&mut world.ranks[self.rank].found_levels, true) {
            let levels = ps(world.node.levels_ns);
            world.spend(self.rank, Cost::Call, levels);
        }
        self.nodes.clone()
    }

    fn isend(&self, to: usize, from: View) -> Result<Request> {
        Ok(self.post_send(to, from))
    }

    fn irecv(&self, from: usize, into: View) -> Result<Request> {
        Ok(self.post_receive(from, into))
    }

    fn wait(&self, request: Request) -> impl Future<Output = Result<()>> {
        self.wait_for([Some(request), None])
    }

    // The requests lie in the world, so the future is a pointer: those of more ranks fit into the
    // caches of the machine that simulates.
    fn exchange(
        &self,
        to: usize,
        data: View,
        from: usize,
        into: View,
    ) -> impl Future<Output = Result<()>> {
        let (incoming, outgoing) = (self.post_receive(from, into), self.post_send(to, data));
        self.wait_for([Some(incoming), Some(outgoing)])
    }
}

impl NodeChannel for Process<'_, '_> {
    async fn copy_in(&self, step: usize, view: View) -> Result<()> {
        self.world.borrow_mut().copies_in(self.rank, self.bytes(view) as f64);
        self.show(step, self.bytes(view)).await;
        Ok(())
    }

    async fn expose(&self, step: usize, view: View) -> Result<()> {
        if better_copied_in(self.bytes(view)) {
            return self.copy_in(step, view).await;
        }
        self.show_memory(step, view).await;
        Ok(())
    }

    async fn publish(&self, step: usize, view: View) -> Result<()> {
        if self.is_long(view) {
            return self.expose(step, view).await;
        }
        self.copy_in(step, view).await
    }

    async fn expose_for_put(&self, step: usize, view: View) -> Result<()> {
        self.show_memory(step, view).await;
        Ok(())
    }

    async fn release_stage(&self, stage: usize) -> Result<()> {
        self.settle().await;
        self.world.borrow_mut().leaves_stages(self.rank, stage + 1);
        Ok(())
    }

    fn copy_in_chunk(&self, _view: View) -> usize {
        CICO_CHUNK_BYTES / self.unit
    }

    fn stage_room(&self, _view: View, pieces: usize) -> usize {
        stage_elements(self.unit, pieces)
    }

    fn slices(&self, view: View, per_stage: usize) -> usize {
        slices(self.bytes(view), per_stage)
    }

    async fn copy_in_slice(&self, step: usize, view: View, slice: Slice) -> Result<()> {
        let bytes = slice_of(self.bytes(view), slice).len();
        self.world.borrow_mut().copies_in(self.rank, bytes as f64);
        self.show(step, bytes).await;
        Ok(())
    }

    async fn get_slice(&self, slot: Slot, into: View, slice: Slice) -> Result<()> {
        self.await_slot(slot).await?;
        let bytes = slice_of(self.bytes(into), slice).len();
        self.world.borrow_mut().read(self.rank, slot, bytes as f64, false);
        Ok(())
    }

    fn cores(&self) -> usize {
        self.world.borrow().node.cores()
    }

    fn domains(&self) -> Rc<Domains> {
        self.domains.clone()
    }

    fn all_have_begun(&self) -> Result<()> {
        self.world.borrow_mut().ranks[self.rank].told_of_all = true;
        Ok(())
    }

    fn is_long(&self, view: View) -> bool {
        !copies_in(self.bytes(view), self.members(), self.has_slow_copies())
    }

    fn better_sent(&self, view: View) -> bool {
        better_sent(self.bytes(view), self.members(), self.has_slow_copies())
    }

    async fn await_whole(&self, slot: Slot, _view: View) -> Result<()> {
        self.await_slot(slot).await
    }

    async fn await_slot(&self, slot: Slot) -> Result<()> {
        self.verb();
        self.settle().await;
        poll_fn(|_| self.world.borrow_mut().poll_slot(self.rank, slot)).await;
        Ok(())
    }

    async fn get(&self, slot: Slot, _start: usize, into: View) -> Result<()> {
        self.read(slot, into, false).await
    }

    async fn get_whole(&self, slot: Slot, into: View) -> Result<()> {
        self.read(slot, into, false).await
    }

    async fn get_reduce(&self, slot: Slot, _start: usize, onto: View) -> Result<()> {
        self.read(slot, onto, true).await
    }

    async fn get_combine(
        &self,
        slot: Slot,
        _start: usize,
        _operand: View,
        into: View,
    ) -> Result<()> {
        self.read(slot, into, true).await
    }

    async fn copy_in_combined(
        &self,
        step: usize,
        slot: Slot,
        operand: View,
        _scratch: View,
    ) -> Result<()> {
        self.read(slot, operand, true).await?;
        self.world.borrow_mut().makes_in_place(self.rank, self.bytes(operand) as f64);
        self.show(step, self.bytes(operand)).await;
        Ok(())
    }

    async fn put(&self, from: View, exposed: PutTarget, _start: usize) -> Result<()> {
        self.await_slot(exposed.slot).await?;
        if exposed.slot.by == self.rank {
            self.work(Cost::Copy, from);
        } else {
            let bytes = self.bytes(from) as f64;
            self.world.borrow_mut().single_copy(self.rank, exposed.slot, bytes);
        }
        Ok(())
    }

    fn chunk(&self, _view: View) -> usize {
        chunk_bytes(self.unit) / self.unit
    }
}
