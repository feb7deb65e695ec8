//! Memory that ranks of one node show each other, in a proof. Ranks that read and write each
//! other's memory are not kept apart by anything but what an algorithm waits for; so that a proof
//! need not try every order, it refuses more than races: an atom that a rank writes in opened
//! memory, no other rank uses while it is lent or opened.

use super::memory::Place;
use super::value::Value;
use super::{Process, Rank, World, fault};
use crate::{NodeChannel, Opened, STAGES, STEPS, Shown, View};
use dunlin_base::Result;
use std::future::poll_fn;
use std::task::Poll;

/// What a rank shows at one step.
#[derive(Debug)]
pub(super) struct Exhibit {
    /// What it was when it was shown; nothing where memory is opened.
    values: Vec<Value>,
    hand: Hand,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hand {
    /// Others look at a copy.
    Post,
    /// Others look at the very memory, which lies there.
    Lend(Place),
    /// Others write there.
    Open(Place),
}

/// Who has used one atom of memory that is lent or opened.
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
            return Err(format!("uses opened memory that rank {other} uses as well"));
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
    pub(super) fn record(&self, by: usize, place: Place, writes: bool) -> Result<(), String> {
        let mut uses = self.uses.borrow_mut();
        place.each().try_for_each(|atom| uses.entry(atom).or_default().add(by, writes))
    }
}

/// How a rank shows data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Post,
    Lend,
    Open,
}

impl World {
    fn show(&mut self, rank: usize, step: usize, view: View, how: Verb) -> Result<(), String> {
        let me = &mut self.ranks[rank];
        let place = me.locate(view, how == Verb::Open)?;
        let (hand, values) = match how {
            Verb::Post => (Hand::Post, me.memory.read(me.touch(view, false)?)?),
            Verb::Lend => (Hand::Lend(place), me.memory.read(place)?),
            Verb::Open => (Hand::Open(place), Vec::new()),
        };
        me.opens |= how == Verb::Open;
        self.exhibit(rank, step, Exhibit { values, hand })
    }

    /// Posts slice `number` of `view`.
    fn show_slice(
        &mut self,
        rank: usize,
        step: usize,
        view: View,
        number: usize,
    ) -> Result<(), String> {
        let me = &mut self.ranks[rank];
        let place = slice_of(me.touch(view, false)?, number);
        let values = me.memory.read(place)?;
        self.exhibit(rank, step, Exhibit { values, hand: Hand::Post })
    }

    fn exhibit(&mut self, rank: usize, step: usize, exhibit: Exhibit) -> Result<(), String> {
        let me = &mut self.ranks[rank];
        let stage = step / STEPS;
        if me.shown.contains_key(&step) || stage < me.stage {
            return Err(format!("shows step {step} twice, or after one of a later stage"));
        }
        // What has stood in the way there is gone.
        me.stage = stage;
        me.shown.retain(|&step, _| step / STEPS + STAGES > stage);
        let (atoms, room) = (exhibit.values.len(), self.rules.room);
        if exhibit.hand == Hand::Post && atoms > room {
            return Err(format!("posts {atoms} atoms where there is room for {room}"));
        }
        me.shown.insert(step, exhibit);
        for other in 0..self.ranks.len() {
            if self.ranks[other].looks_for == Some(Shown { step, by: rank }) {
                self.ranks[other].looks_for = None;
                self.runnable.push(other);
            }
        }
        Ok(())
    }

    /// Whether all ranks have left the stages that stand in the way of what `rank` is to show.
    fn has_room(&self, rank: usize, step: usize) -> bool {
        let others = self.ranks.iter().filter(|other| other.number != rank);
        others.map(|other| other.left).all(|left| left + STAGES > step / STEPS)
    }

    fn leave(&mut self, rank: usize, stage: usize) -> Result<(), String> {
        let me = &mut self.ranks[rank];
        if stage < me.left {
            return Err(format!("leaves stage {stage} twice"));
        }
        me.left = stage + 1;
        self.make_room();
        Ok(())
    }

    /// Wakes those for whom there is room now.
    pub(super) fn make_room(&mut self) {
        for other in 0..self.ranks.len() {
            if self.ranks[other].room_for.is_some_and(|step| self.has_room(other, step)) {
                self.ranks[other].room_for = None;
                self.runnable.push(other);
            }
        }
    }

    /// `atoms` of what is shown, from atom `first` on. Lent memory must not have changed.
    fn look(
        &self,
        by: usize,
        shown: Shown,
        first: usize,
        atoms: usize,
    ) -> Result<Vec<Value>, String> {
        let owner = &self.ranks[shown.by];
        if shown.step / STEPS < self.ranks[by].left {
            return Err(format!("looks at {shown:?}, whose stage it has left"));
        }
        let Some(exhibit) = owner.shown.get(&shown.step) else {
            return Err(format!("looks at {shown:?} too early"));
        };
        let Some(values) = exhibit.values.get(first..first + atoms) else {
            let have = exhibit.values.len();
            return Err(format!("looks at {atoms} atoms from {first} of {shown:?}, of {have}"));
        };
        let values = values.to_vec();
        if let Hand::Lend(place) = exhibit.hand {
            let place = place.part(first, atoms);
            owner.record(by, place, false)?;
            if owner.memory.read(place).as_ref() != Ok(&values) {
                return Err(format!("looks at {shown:?}, which has been changed since"));
            }
        }
        Ok(values)
    }

    /// Writes `from` of `rank` to what is opened, from atom `first` on.
    fn give(&mut self, rank: usize, from: View, to: Opened, first: usize) -> Result<(), String> {
        let me = &self.ranks[rank];
        let from = me.touch(from, false)?;
        let values = me.memory.read(from)?;
        let Opened { shown, .. } = to;
        let hand = self.ranks[shown.by].shown.get(&shown.step).map(|exhibit| exhibit.hand);
        let Some(Hand::Open(place)) = hand else {
            return Err(format!("gives to {shown:?}, which is not opened"));
        };
        if first + values.len() > place.atoms() {
            let (atoms, have) = (values.len(), place.atoms());
            return Err(format!("gives {atoms} atoms from {first} of {shown:?}, of {have}"));
        }
        let place = place.part(first, values.len());
        let owner = &mut self.ranks[shown.by];
        owner.record(rank, place, true)?;
        if shown.by == rank && from.same(place) {
            return Ok(());
        }
        owner.memory.write(place, values)
    }
}

/// Atoms of a slice, or of a piece: few enough that most vectors are several.
const PIECE: usize = 3;

/// Where slice `number` of `whole` lies.
fn slice_of(whole: Place, number: usize) -> Place {
    let start = (number * PIECE).min(whole.atoms());
    whole.part(start, PIECE.min(whole.atoms() - start))
}

impl Process<'_> {
    async fn show(&self, step: usize, view: View, how: Verb) -> Result<()> {
        self.room_for(step).await;
        let shown = self.world.borrow_mut().show(self.rank, step, view, how);
        shown.map_err(|text| fault(self.rank, text))
    }

    async fn room_for(&self, step: usize) {
        poll_fn(|_| {
            let mut world = self.world.borrow_mut();
            if world.has_room(self.rank, step) {
                return Poll::Ready(());
            }
            world.ranks[self.rank].room_for = Some(step);
            Poll::Pending
        })
        .await;
    }

    fn shares_node(&self, rank: usize) -> bool {
        self.nodes.node_of(rank) == self.nodes.node_of(self.rank)
    }

    fn with_shown(
        &self,
        shown: Shown,
        start: usize,
        view: View,
        use_it: impl FnOnce(&mut World, Place, Vec<Value>) -> Result<(), String>,
    ) -> Result<()> {
        let mut world = self.world.borrow_mut();
        let done = world.ranks[self.rank].touch(view, true).and_then(|place| {
            let grain = place.atoms() / view.len.max(1);
            let values = world.look(self.rank, shown, start * grain, place.atoms())?;
            use_it(&mut world, place, values)
        });
        done.map_err(|text| fault(self.rank, text))
    }
}

impl NodeChannel for Process<'_> {
    async fn post(&self, step: usize, view: View) -> Result<()> {
        self.show(step, view, Verb::Post).await
    }

    async fn lend(&self, step: usize, view: View) -> Result<()> {
        self.show(step, view, Verb::Lend).await
    }

    /// By a copy wherever there is room for one.
    async fn show(&self, step: usize, view: View) -> Result<()> {
        Process::show(self, step, view, if self.is_long(view) { Verb::Lend } else { Verb::Post })
            .await
    }

    fn is_long(&self, view: View) -> bool {
        let world = self.world.borrow();
        let place = world.ranks[self.rank].memory.locate(view);
        place.is_ok_and(|place| place.atoms() > world.rules.room)
    }

    async fn seen_whole(&self, shown: Shown, view: View) -> Result<()> {
        self.seen(shown).await?;
        let world = self.world.borrow();
        let place = world.ranks[self.rank].memory.locate(view).map_err(|e| fault(self.rank, e))?;
        let exhibit = world.ranks[shown.by].shown.get(&shown.step);
        let (have, wanted) = (exhibit.map_or(0, |e| e.values.len()), place.atoms());
        if have != wanted {
            let text = format!("expects {wanted} atoms and sees the {have} of {shown:?}");
            return Err(fault(self.rank, text));
        }
        Ok(())
    }

    async fn open(&self, step: usize, view: View) -> Result<()> {
        self.show(step, view, Verb::Open).await
    }

    async fn give(&self, from: View, opened: Opened, start: usize) -> Result<()> {
        self.seen(opened.shown).await?;
        let mut world = self.world.borrow_mut();
        let given = world.ranks[self.rank].touch(from, false).and_then(|place| {
            let grain = place.atoms() / from.len.max(1);
            world.give(self.rank, from, opened, start * grain)
        });
        given.map_err(|text| fault(self.rank, text))
    }

    fn piece(&self, _view: View) -> usize {
        PIECE
    }

    async fn leave(&self, stage: usize) -> Result<()> {
        let left = self.world.borrow_mut().leave(self.rank, stage);
        left.map_err(|text| fault(self.rank, text))
    }

    fn posted_piece(&self, view: View) -> usize {
        self.piece(view)
    }

    fn slices(&self, view: View) -> usize {
        let place = self.world.borrow().ranks[self.rank].memory.locate(view);
        place.map_or(0, |place| place.atoms().div_ceil(PIECE))
    }

    async fn post_slice(&self, step: usize, view: View, number: usize) -> Result<()> {
        self.room_for(step).await;
        let shown = self.world.borrow_mut().show_slice(self.rank, step, view, number);
        shown.map_err(|text| fault(self.rank, text))
    }

    async fn take_slice(&self, shown: Shown, into: View, number: usize) -> Result<()> {
        self.seen(shown).await?;
        let mut world = self.world.borrow_mut();
        let done = world.ranks[self.rank].touch(into, true).and_then(|place| {
            let place = slice_of(place, number);
            let values = world.look(self.rank, shown, 0, place.atoms())?;
            world.ranks[self.rank].memory.write(place, values)
        });
        done.map_err(|text| fault(self.rank, text))
    }

    /// So that there are chains of several lengths.
    fn cores(&self) -> usize {
        3
    }

    async fn seen(&self, shown: Shown) -> Result<()> {
        if shown.by >= self.size || !self.shares_node(shown.by) {
            return Err(fault(self.rank, format!("looks at {shown:?}, which is not on its node")));
        }
        let mut put_off = false;
        poll_fn(|_| {
            let mut world = self.world.borrow_mut();
            if !world.ranks[shown.by].shown.contains_key(&shown.step) {
                world.ranks[self.rank].looks_for = Some(shown);
                return Poll::Pending;
            }
            if world.puts_off(self.rank, &mut put_off) { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
        Ok(())
    }

    async fn take(&self, shown: Shown, start: usize, into: View) -> Result<()> {
        self.seen(shown).await?;
        self.with_shown(shown, start, into, |world, place, values| {
            world.ranks[self.rank].memory.write(place, values)
        })
    }

    async fn take_whole(&self, shown: Shown, into: View) -> Result<()> {
        self.seen(shown).await?;
        self.with_shown(shown, 0, into, |world, place, values| {
            let exhibit = world.ranks[shown.by].shown.get(&shown.step);
            let (have, wanted) = (exhibit.map_or(0, |e| e.values.len()), values.len());
            if have != wanted {
                return Err(format!("takes {wanted} atoms for the {have} of {shown:?}"));
            }
            world.ranks[self.rank].memory.write(place, values)
        })
    }

    async fn take_reduce(&self, shown: Shown, start: usize, onto: View) -> Result<()> {
        self.seen(shown).await?;
        self.with_shown(shown, start, onto, |world, place, values| {
            let commutative = world.rules.commutative;
            let me = &mut world.ranks[self.rank];
            let right = me.memory.read(place)?;
            let combine = |(l, r)| Value::combine(l, r, commutative);
            let sum = values.iter().zip(&right).map(combine).collect::<Result<Vec<_>, _>>()?;
            me.memory.write(place, sum)
        })
    }
}
