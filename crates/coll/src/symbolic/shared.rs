//! Memory that ranks of one node show each other, in a proof.

use super::memory::Place;
use super::value::Value;
use super::{Process, World, fault};
use crate::{NodeChannel, STEPS, Shown, View};
use dunlin_base::Result;
use std::future::poll_fn;
use std::task::Poll;

/// What a rank shows at one step.
#[derive(Debug)]
pub(super) struct Exhibit {
    /// What it was when it was shown.
    values: Vec<Value>,
    /// Where it lies, if others look at the very memory.
    lent: Option<Place>,
}

impl World {
    fn show(&mut self, rank: usize, step: usize, view: View, lend: bool) -> Result<(), String> {
        let me = &mut self.ranks[rank];
        let place = me.touch(view, false)?;
        let values = me.memory.read(place)?;
        if step >= STEPS || me.shown[step].is_some() {
            return Err(format!("shows step {step} twice, or past the last of {STEPS}"));
        }
        if !lend && place.atoms() > self.rules.room {
            let (atoms, room) = (place.atoms(), self.rules.room);
            return Err(format!("posts {atoms} atoms where there is room for {room}"));
        }
        me.shown[step] = Some(Exhibit { values, lent: lend.then_some(place) });
        for other in 0..self.ranks.len() {
            if self.ranks[other].looks_for == Some(Shown { step, by: rank }) {
                self.ranks[other].looks_for = None;
                self.runnable.push(other);
            }
        }
        Ok(())
    }

    /// `atoms` of what is shown, from atom `first` on. Lent memory must not have changed.
    fn look(&self, shown: Shown, first: usize, atoms: usize) -> Result<Vec<Value>, String> {
        let owner = &self.ranks[shown.by];
        let Some(exhibit) = &owner.shown[shown.step] else {
            return Err(format!("looks at {shown:?} too early"));
        };
        let Some(values) = exhibit.values.get(first..first + atoms) else {
            let have = exhibit.values.len();
            return Err(format!("looks at {atoms} atoms from {first} of {shown:?}, of {have}"));
        };
        if let Some(place) = exhibit.lent {
            if owner.memory.read(place.part(first, atoms)).as_deref() != Ok(values) {
                return Err(format!("looks at {shown:?}, which has been changed since"));
            }
        }
        Ok(values.to_vec())
    }
}

impl Process<'_> {
    fn show(&self, step: usize, view: View, lend: bool) -> Result<()> {
        let shown = self.world.borrow_mut().show(self.rank, step, view, lend);
        shown.map_err(|text| fault(self.rank, text))
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
            let values = world.look(shown, start * grain, place.atoms())?;
            use_it(&mut world, place, values)
        });
        done.map_err(|text| fault(self.rank, text))
    }
}

impl NodeChannel for Process<'_> {
    async fn post(&self, step: usize, view: View) -> Result<()> {
        self.show(step, view, false)
    }

    async fn lend(&self, step: usize, view: View) -> Result<()> {
        self.show(step, view, true)
    }

    async fn seen(&self, shown: Shown) -> Result<()> {
        if shown.by >= self.size || !self.shares_node(shown.by) {
            return Err(fault(self.rank, format!("looks at {shown:?}, which is not on its node")));
        }
        let mut put_off = false;
        poll_fn(|_| {
            let mut world = self.world.borrow_mut();
            if world.ranks[shown.by].shown[shown.step].is_none() {
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
