//! Shared data of the ranks of one node, in a proof. Only what an algorithm waits for keeps ranks
//! apart that read and write each other's memory. So that a proof need not try every order, it
//! refuses more than races: while memory is exposed, for gets or for puts, no other rank uses an
//! atom of it that one rank has put there.

use super::memory::Extent;
use super::value::Value;
use super::{Process, Rank, Rules, World, fault};
use crate::{Domains, NodeChannel, PutTarget, STAGES, STAGES_MAX, STEPS, Slice, Slot, View};
use dunlin_base::Result;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

/// What a rank publishes at one step.
#[derive(Debug)]
pub(super) struct Exhibit {
    /// What it was when it was published; nothing where memory is exposed for puts.
    values: Vec<Value>,
    share_mode: ShareMode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ShareMode {
    /// Others read a copy.
    CopyIn,
    /// Others read the memory itself, which lies there.
    Expose(Extent),
    /// Others write there.
    ExposeForPut(Extent),
}

/// Who has used one atom of memory that is exposed or exposed for puts.
#[derive(Clone, Debug, Default)]
pub(super) struct Uses {
    users: Vec<usize>,
    writer: Option<usize>,
}

impl Uses {
    fn add(&mut self, rank: usize, writes: bool) -> Result<(), String> {
        let other = match self.writer {
            Some(writer) => Some(writer).filter(|&writer| writer != rank),
            None if writes => self.users.iter().copied().find(|&user| user != rank),
            None => None,
        };
        if let Some(other) = other {
            return Err(format!("uses memory exposed for puts that rank {other} uses as well"));
        }
        self.users.push(rank);
        if writes {
            self.writer = Some(rank);
        }
        Ok(())
    }
}

impl Rank {
    /// Remembers that rank `by` uses this memory, which the others may reach.
    pub(super) fn record(&self, by: usize, place: Extent, writes: bool) -> Result<(), String> {
        let mut uses = self.uses.borrow_mut();
        place.each().try_for_each(|atom| uses.entry(atom).or_default().add(by, writes))
    }
}

/// How a rank publishes data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    CopyIn,
    Expose,
    ExposeForPut,
}

impl World {
    fn publish(&mut self, rank: usize, step: usize, view: View, how: Verb) -> Result<(), String> {
        let me = &mut self.ranks[rank];
        let place = me.locate(view, how == Verb::ExposeForPut)?;
        let (share_mode, values) = match how {
            Verb::CopyIn => (ShareMode::CopyIn, me.memory.read(me.touch(view, false)?)?),
            Verb::Expose => (ShareMode::Expose(place), me.memory.read(place)?),
            Verb::ExposeForPut => (ShareMode::ExposeForPut(place), Vec::new()),
        };
        me.exposes_for_put |= how == Verb::ExposeForPut;
        let (atoms, room) = (values.len(), self.rules.room);
        if share_mode == ShareMode::CopyIn && atoms > room {
            return Err(format!("copies in {atoms} atoms where there is room for {room}"));
        }
        self.exhibit(rank, step, Exhibit { values, share_mode })
    }

    /// Copies in a slice of `view`: there is room for as many at a stage as it says.
    fn show_slice(
        &mut self,
        rank: usize,
        step: usize,
        view: View,
        slice: Slice,
    ) -> Result<(), String> {
        let me = &mut self.ranks[rank];
        let place = slice_of(me.touch(view, false)?, slice);
        let values = me.memory.read(place)?;
        let (stage, most) = (step / STEPS, slice.per_stage);
        if me.published.keys().filter(|&step| step / STEPS == stage).count() >= most {
            return Err(format!("copies in more than {most} slices at stage {stage}"));
        }
        self.exhibit(rank, step, Exhibit { values, share_mode: ShareMode::CopyIn })
    }

    fn exhibit(&mut self, rank: usize, step: usize, exhibit: Exhibit) -> Result<(), String> {
        let me = &mut self.ranks[rank];
        let stage = step / STEPS;
        if me.published.contains_key(&step) || stage < me.stage {
            return Err(format!("publishes step {step} twice, or after one of a later stage"));
        }
        // What has stood in the way there is gone.
        me.stage = stage;
        me.published.retain(|&step, _| step / STEPS + STAGES > stage);
        me.published.insert(step, exhibit);
        for other in 0..self.ranks.len() {
            if self.ranks[other].waits_for_slot == Some(Slot { step, by: rank }) {
                self.ranks[other].waits_for_slot = None;
                self.runnable.push(other);
            }
        }
        Ok(())
    }

    /// Whether all ranks, the publisher among them, have left the stages that stand in the way of a
    /// step.
    fn has_room(&self, step: usize) -> bool {
        self.ranks.iter().all(|rank| rank.left + STAGES > step / STEPS)
    }

    fn release_stage(&mut self, rank: usize, stage: usize) -> Result<(), String> {
        let me = &mut self.ranks[rank];
        if stage < me.left {
            return Err(format!("releases stage {stage} twice"));
        }
        me.left = stage + 1;
        self.make_room();
        Ok(())
    }

    /// Wakes those for whom there is room now.
    pub(super) fn make_room(&mut self) {
        for other in 0..self.ranks.len() {
            if self.ranks[other].room_for.is_some_and(|step| self.has_room(step)) {
                self.ranks[other].room_for = None;
                self.runnable.push(other);
            }
        }
    }

    /// `atoms` of what is published, from atom `first` on. Lent memory must not have changed.
    fn peek(
        &self,
        by: usize,
        slot: Slot,
        first: usize,
        atoms: usize,
    ) -> Result<Vec<Value>, String> {
        let owner = &self.ranks[slot.by];
        if slot.step / STEPS < self.ranks[by].left {
            return Err(format!("reads {slot:?}, whose stage it has left"));
        }
        let Some(exhibit) = owner.published.get(&slot.step) else {
            return Err(format!("reads {slot:?} too early"));
        };
        let Some(values) = exhibit.values.get(first..first + atoms) else {
            let have = exhibit.values.len();
            return Err(format!("reads {atoms} atoms from {first} of {slot:?}, of {have}"));
        };
        let values = values.to_vec();
        if let ShareMode::Expose(place) = exhibit.share_mode {
            let place = place.part(first, atoms);
            owner.record(by, place, false)?;
            if owner.memory.read(place).as_ref() != Ok(&values) {
                return Err(format!("reads {slot:?}, which has been changed since"));
            }
        }
        Ok(values)
    }

    /// Writes `from` of `rank` to what is exposed for puts, from atom `first` on.
    fn put(&mut self, rank: usize, from: View, to: PutTarget, first: usize) -> Result<(), String> {
        let me = &self.ranks[rank];
        let from = me.touch(from, false)?;
        let values = me.memory.read(from)?;
        let PutTarget { slot: published, .. } = to;
        let share_mode = self.ranks[published.by]
            .published
            .get(&published.step)
            .map(|exhibit| exhibit.share_mode);
        let Some(ShareMode::ExposeForPut(place)) = share_mode else {
            return Err(format!("puts to {published:?}, which is not exposed for puts"));
        };
        if first + values.len() > place.atoms() {
            let (atoms, have) = (values.len(), place.atoms());
            return Err(format!("puts {atoms} atoms from {first} of {published:?}, of {have}"));
        }
        let place = place.part(first, values.len());
        let owner = &mut self.ranks[published.by];
        owner.record(rank, place, true)?;
        if published.by == rank && from.same(place) {
            return Ok(());
        }
        owner.memory.write(place, values)
    }
}

/// Atoms of a slice, or of a chunk: few enough that most vectors are several.
const PIECE: usize = 3;

/// Atoms of a slice: fewer where a stage has several.
fn slice_atoms(per_stage: usize) -> usize {
    if per_stage > 1 { PIECE - 1 } else { PIECE }
}

/// Where a slice of `whole` lies.
fn slice_of(whole: Extent, slice: Slice) -> Extent {
    let atoms = slice_atoms(slice.per_stage);
    let start = (slice.number * atoms).min(whole.atoms());
    whole.part(start, atoms.min(whole.atoms() - start))
}

impl Process<'_> {
    async fn publish(&self, step: usize, view: View, how: Verb) -> Result<()> {
        self.room_for(step).await;
        let published = self.world.borrow_mut().publish(self.rank, step, view, how);
        published.map_err(|text| fault(self.rank, text))
    }

    async fn room_for(&self, step: usize) {
        poll_fn(|_| {
            let mut world = self.world.borrow_mut();
            if world.has_room(step) {
                return Poll::Ready(());
            }
            world.ranks[self.rank].room_for = Some(step);
            Poll::Pending
        })
        .await;
    }

    /// Whether `view` takes more than so many times the room for a copy.
    fn exceeds_room(&self, times: usize, view: View) -> bool {
        let world = self.world.borrow();
        let place = world.ranks[self.rank].memory.locate(view);
        place.is_ok_and(|place| place.atoms() > times.saturating_mul(world.rules.room))
    }

    fn shares_node(&self, rank: usize) -> bool {
        self.nodes.node_of(rank) == self.nodes.node_of(self.rank)
    }

    fn with_shown(
        &self,
        slot: Slot,
        start: usize,
        view: View,
        use_it: impl FnOnce(&mut World, Extent, Vec<Value>) -> Result<(), String>,
    ) -> Result<()> {
        let mut world = self.world.borrow_mut();
        let done = world.ranks[self.rank].touch(view, true).and_then(|place| {
            let grain = place.atoms() / view.len.max(1);
            let values = world.peek(self.rank, slot, start * grain, place.atoms())?;
            use_it(&mut world, place, values)
        });
        done.map_err(|text| fault(self.rank, text))
    }
}

impl NodeChannel for Process<'_> {
    async fn copy_in(&self, step: usize, view: View) -> Result<()> {
        self.publish(step, view, Verb::CopyIn).await
    }

    async fn expose(&self, step: usize, view: View) -> Result<()> {
        self.publish(step, view, Verb::Expose).await
    }

    /// By a copy wherever there is room for one.
    async fn publish(&self, step: usize, view: View) -> Result<()> {
        Process::publish(
            self,
            step,
            view,
            if self.is_long(view) { Verb::Expose } else { Verb::CopyIn },
        )
        .await
    }

    fn is_long(&self, view: View) -> bool {
        self.exceeds_room(1, view)
    }

    /// What needs more than the room, and at most twice as much.
    fn better_sent(&self, view: View) -> bool {
        self.exceeds_room(1, view) && !self.exceeds_room(2, view)
    }

    async fn await_whole(&self, slot: Slot, view: View) -> Result<()> {
        self.await_slot(slot).await?;
        let world = self.world.borrow();
        let place = world.ranks[self.rank].memory.locate(view).map_err(|e| fault(self.rank, e))?;
        let exhibit = world.ranks[slot.by].published.get(&slot.step);
        let (have, wanted) = (exhibit.map_or(0, |e| e.values.len()), place.atoms());
        if have != wanted {
            let text = format!("expects {wanted} atoms and sees the {have} of {slot:?}");
            return Err(fault(self.rank, text));
        }
        Ok(())
    }

    async fn expose_for_put(&self, step: usize, view: View) -> Result<()> {
        self.publish(step, view, Verb::ExposeForPut).await
    }

    async fn put(&self, from: View, exposed: PutTarget, start: usize) -> Result<()> {
        self.await_slot(exposed.slot).await?;
        let mut world = self.world.borrow_mut();
        let given = world.ranks[self.rank].touch(from, false).and_then(|place| {
            let grain = place.atoms() / from.len.max(1);
            world.put(self.rank, from, exposed, start * grain)
        });
        given.map_err(|text| fault(self.rank, text))
    }

    fn chunk(&self, _view: View) -> usize {
        PIECE
    }

    async fn release_stage(&self, stage: usize) -> Result<()> {
        let left = self.world.borrow_mut().release_stage(self.rank, stage);
        left.map_err(|text| fault(self.rank, text))
    }

    fn copy_in_chunk(&self, view: View) -> usize {
        self.chunk(view)
    }

    /// By the seed so much that the parts of every level have room, or as much as elsewhere: not
    /// enough for two contributions.
    fn stage_room(&self, _view: View, _pieces: usize) -> usize {
        let Rules { seed, room, .. } = self.world.borrow().rules;
        if seed % 2 == 0 { room.saturating_mul(8) } else { room.saturating_add(room / 2) }
    }

    fn slices(&self, view: View, per_stage: usize) -> usize {
        let place = self.world.borrow().ranks[self.rank].memory.locate(view);
        place.map_or(0, |place| place.atoms().div_ceil(slice_atoms(per_stage)))
    }

    /// By the seed as many as elsewhere, few for each rank, or too few for all that a rank has.
    fn stages(&self) -> usize {
        match self.world.borrow().rules.seed % 3 {
            0 => STAGES_MAX,
            1 => (STAGES + 1) * self.size,
            _ => 1,
        }
    }

    async fn copy_in_slice(&self, step: usize, view: View, slice: Slice) -> Result<()> {
        self.room_for(step).await;
        let published = self.world.borrow_mut().show_slice(self.rank, step, view, slice);
        published.map_err(|text| fault(self.rank, text))
    }

    async fn get_slice(&self, slot: Slot, into: View, slice: Slice) -> Result<()> {
        self.await_slot(slot).await?;
        let mut world = self.world.borrow_mut();
        let done = world.ranks[self.rank].touch(into, true).and_then(|place| {
            let place = slice_of(place, slice);
            let values = world.peek(self.rank, slot, 0, place.atoms())?;
            world.ranks[self.rank].memory.write(place, values)
        });
        done.map_err(|text| fault(self.rank, text))
    }

    /// So that there are chains of several lengths.
    fn cores(&self) -> usize {
        3
    }

    fn domains(&self) -> Rc<Domains> {
        let map = self.world.borrow().rules.domains;
        Rc::new(map.domains(self.nodes.members(self.nodes.node_of(self.rank)).len()))
    }

    fn all_have_begun(&self) -> Result<()> {
        let world = self.world.borrow();
        let mut here = (0..self.size).filter(|&rank| self.shares_node(rank));
        match here.find(|&rank| !world.ranks[rank].begun) {
            Some(late) => Err(fault(self.rank, format!("knows that {late} has begun; it has not"))),
            None => Ok(()),
        }
    }

    async fn await_slot(&self, slot: Slot) -> Result<()> {
        if slot.by >= self.size || !self.shares_node(slot.by) {
            return Err(fault(self.rank, format!("reads {slot:?}, which is not on its node")));
        }
        let mut put_off = false;
        poll_fn(|_| {
            let mut world = self.world.borrow_mut();
            if !world.ranks[slot.by].published.contains_key(&slot.step) {
                world.ranks[self.rank].waits_for_slot = Some(slot);
                return Poll::Pending;
            }
            if world.puts_off(self.rank, &mut put_off) { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
        Ok(())
    }

    async fn get(&self, slot: Slot, start: usize, into: View) -> Result<()> {
        self.await_slot(slot).await?;
        self.with_shown(slot, start, into, |world, place, values| {
            world.ranks[self.rank].memory.write(place, values)
        })
    }

    async fn get_whole(&self, slot: Slot, into: View) -> Result<()> {
        self.await_slot(slot).await?;
        self.with_shown(slot, 0, into, |world, place, values| {
            let exhibit = world.ranks[slot.by].published.get(&slot.step);
            let (have, wanted) = (exhibit.map_or(0, |e| e.values.len()), values.len());
            if have != wanted {
                return Err(format!("takes {wanted} atoms for the {have} of {slot:?}"));
            }
            world.ranks[self.rank].memory.write(place, values)
        })
    }

    async fn get_reduce(&self, slot: Slot, start: usize, onto: View) -> Result<()> {
        self.await_slot(slot).await?;
        self.with_shown(slot, start, onto, |world, place, values| {
            let commutative = world.rules.commutative;
            let me = &mut world.ranks[self.rank];
            let right = me.memory.read(place)?;
            let combine = |(l, r)| Value::combine(l, r, commutative);
            let sum = values.iter().zip(&right).map(combine).collect::<Result<Vec<_>, _>>()?;
            me.memory.write(place, sum)
        })
    }
}
