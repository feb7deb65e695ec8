//! Posted receives. Each is filed under its own key, with its open fields blanked; a message looks
//! under its key in every class that has receives, and the earliest posted of the at most four
//! finds wins.

use std::num::NonZeroU64;

use super::fifos::Fifos;
use super::key::{Class, Envelope, Pattern};
use super::slab::Slab;

/// Names one posting of a receive; never reused. A request with `Option` of it fits into two cache
/// lines, because no number is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PostedId {
    slot: u32,
    number: NonZeroU64,
}

#[derive(Debug)]
pub(super) struct PostedReceives<R> {
    receives: Slab<Posted<R>>,
    fifos: Fifos,
    /// Receives posted in each class: a message passes by the classes that have none.
    in_class: [u32; Class::COUNT],
    /// Receives posted in all classes but the exact one.
    wildcards: u32,
    /// Number of the latest posting.
    last_number: u64,
}

#[derive(Debug)]
struct Posted<R> {
    receive: R,
    number: NonZeroU64,
    class: Class,
}

impl<R> PostedReceives<R> {
    pub const fn new() -> Self {
        PostedReceives {
            receives: Slab::new(),
            fifos: Fifos::new(),
            in_class: [0; Class::COUNT],
            wildcards: 0,
            last_number: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.receives.len()
    }

    #[inline]
    pub fn post(&mut self, pattern: &Pattern, receive: R) -> PostedId {
        self.last_number += 1;
        let number = NonZeroU64::new(self.last_number).expect("2^64 receives in no time");
        let class = pattern.class();
        self.in_class[class.index()] += 1;
        self.wildcards += u32::from(class != Class::EXACT);
        let slot = self.receives.insert(Posted { receive, number, class });
        self.fifos.push(pattern.key(), slot);
        PostedId { slot, number }
    }

    /// The slot of the receive that gets this message.
    #[inline]
    pub fn find(&self, envelope: &Envelope) -> Option<u32> {
        let mut best = None;
        let mut earliest = u64::MAX;
        for class in Class::ALL {
            if self.in_class[class.index()] == 0 {
                continue;
            }
            let Some(slot) = self.fifos.first(&envelope.key(class)) else { continue };
            let number = self.receives.get(slot).map_or(u64::MAX, |posted| posted.number.get());
            if number < earliest {
                (best, earliest) = (Some(slot), number);
            }
        }
        best
    }

    #[inline]
    pub fn take(&mut self, envelope: &Envelope) -> Option<R> {
        if self.wildcards == 0 {
            let slot = self.fifos.pop(&envelope.key(Class::EXACT))?;
            return Some(self.free(slot));
        }
        self.find(envelope).map(|slot| self.remove(slot))
    }

    pub fn has(&self, id: PostedId) -> bool {
        self.receives.get(id.slot).is_some_and(|posted| posted.number == id.number)
    }

    pub fn cancel(&mut self, id: PostedId) -> Option<R> {
        self.has(id).then(|| self.remove(id.slot))
    }

    #[inline]
    fn remove(&mut self, slot: u32) -> R {
        self.fifos.remove(slot);
        self.free(slot)
    }

    #[inline]
    fn free(&mut self, slot: u32) -> R {
        let posted = self.receives.remove(slot);
        self.in_class[posted.class.index()] -= 1;
        self.wildcards -= u32::from(posted.class != Class::EXACT);
        posted.receive
    }

    pub fn iter(&self) -> impl Iterator<Item = (Pattern, &R)> {
        self.receives.iter().map(|(slot, posted)| (self.fifos.key(slot).pattern(), &posted.receive))
    }
}
