//! Unexpected messages, in order of arrival. Few are searched one by one. The first search of a
//! class among many files them all under their keys of that class, and the index is kept from then
//! on until the queue runs empty: so no kind of receive is slow on a long queue, and a message that
//! is soon taken is never indexed.

use super::fifos::{Fifos, effort};
use super::key::{Class, Envelope, Pattern};
use super::slab::{NIL, Slab};

/// Up to this many messages are searched without an index. On an AMD EPYC a message at the end of a
/// list of 8 costs 24 ns to store and find, one of 15 costs 47 ns, one in an index of any size
/// 13 ns; the first in a list, where most are found, 9 ns.
const SCAN_MAX: usize = 8;

#[derive(Debug)]
pub(super) struct UnexpectedMessages<M> {
    messages: Slab<Unexpected<M>>,
    oldest: u32,
    newest: u32,
    /// One index per class; those with `indexed` set hold every message, the others none.
    indexes: [Fifos; Class::COUNT],
    indexed: [bool; Class::COUNT],
    /// Whether any of `indexed` is set.
    any_index: bool,
}

#[derive(Debug)]
struct Unexpected<M> {
    envelope: Envelope,
    message: M,
    older: u32,
    newer: u32,
}

impl<M> UnexpectedMessages<M> {
    pub const fn new() -> Self {
        UnexpectedMessages {
            messages: Slab::new(),
            oldest: NIL,
            newest: NIL,
            indexes: [const { Fifos::new() }; Class::COUNT],
            indexed: [false; Class::COUNT],
            any_index: false,
        }
    }

    pub fn len(&self) -> usize {
        self.messages.len()
    }

    #[inline]
    pub fn store(&mut self, envelope: Envelope, message: M) {
        let older = self.newest;
        let slot = self.messages.insert(Unexpected { envelope, message, older, newer: NIL });
        match self.messages.get_mut(older) {
            Some(before) => before.newer = slot,
            None => self.oldest = slot,
        }
        self.newest = slot;
        if self.any_index {
            for class in Class::ALL.into_iter().filter(|class| self.indexed[class.index()]) {
                self.indexes[class.index()].push(envelope.key(class), slot);
            }
        }
    }

    #[inline]
    pub fn take_if(
        &mut self,
        pattern: &Pattern,
        is_wanted: impl FnOnce(&M) -> bool,
    ) -> Option<(Envelope, M)> {
        let slot = self.find(pattern)?;
        self.messages.get(slot).is_some_and(|found| is_wanted(&found.message)).then_some(())?;
        Some(self.remove(slot))
    }

    #[inline]
    pub fn peek(&mut self, pattern: &Pattern) -> Option<(&Envelope, &M)> {
        let slot = self.find(pattern)?;
        self.messages.get(slot).map(|found| (&found.envelope, &found.message))
    }

    /// Removes the message that `is_it` means. All are looked at: this is rare.
    #[cold]
    pub fn remove_matching(&mut self, is_it: impl Fn(&M) -> bool) -> Option<(Envelope, M)> {
        let (slot, _) = self.slots().find(|(_, stored)| is_it(&stored.message))?;
        Some(self.remove(slot))
    }

    /// Removes all messages that `is_it` means.
    #[cold]
    pub fn remove_all_matching(&mut self, is_it: impl Fn(&M) -> bool) -> Vec<(Envelope, M)> {
        let meant = self.slots().filter(|(_, stored)| is_it(&stored.message));
        let slots: Vec<_> = meant.map(|(slot, _)| slot).collect();
        slots.into_iter().map(|slot| self.remove(slot)).collect()
    }

    /// The slot of the message that a receive with this pattern gets.
    #[inline]
    pub fn find(&mut self, pattern: &Pattern) -> Option<u32> {
        if self.oldest == NIL {
            return None;
        }
        let class = pattern.class();
        if !self.indexed[class.index()] {
            if self.len() <= SCAN_MAX {
                return self.scan(pattern);
            }
            self.build_index(class);
        }
        self.indexes[class.index()].first(&pattern.key())
    }

    fn scan(&self, pattern: &Pattern) -> Option<u32> {
        self.slots()
            .find(|(_, stored)| {
                effort::count_one();
                pattern.fits(&stored.envelope)
            })
            .map(|(slot, _)| slot)
    }

    #[cold]
    fn build_index(&mut self, class: Class) {
        let mut index = std::mem::replace(&mut self.indexes[class.index()], Fifos::new());
        for (slot, stored) in self.slots() {
            index.push(stored.envelope.key(class), slot);
        }
        self.indexes[class.index()] = index;
        self.indexed[class.index()] = true;
        self.any_index = true;
    }

    #[inline]
    fn remove(&mut self, slot: u32) -> (Envelope, M) {
        if self.any_index {
            self.remove_from_indexes(slot);
        }
        let Unexpected { envelope, message, older, newer } = self.messages.remove(slot);
        match self.messages.get_mut(older) {
            Some(before) => before.newer = newer,
            None => self.oldest = newer,
        }
        match self.messages.get_mut(newer) {
            Some(after) => after.older = older,
            None => self.newest = older,
        }
        (envelope, message)
    }

    fn remove_from_indexes(&mut self, slot: u32) {
        for class in Class::ALL.into_iter().filter(|class| self.indexed[class.index()]) {
            self.indexes[class.index()].remove(slot);
        }
        if self.len() == 1 {
            // The last message leaves, so the indexes are empty too and cost nothing to give up.
            self.indexed = [false; Class::COUNT];
            self.any_index = false;
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Envelope, &M)> {
        self.slots().map(|(_, stored)| (&stored.envelope, &stored.message))
    }

    /// Slots and messages in order of arrival.
    fn slots(&self) -> impl Iterator<Item = (u32, &Unexpected<M>)> {
        let at = |slot| self.messages.get(slot).map(|stored| (slot, stored));
        std::iter::successors(at(self.oldest), move |(_, stored)| at(stored.newer))
    }
}
