//! A first-in first-out queue of slot numbers for every key, found by hash. The links live in an
//! array beside the slab whose slots they join, so one slot may cma target several of these.

use super::key::Key;
use super::slab::NIL;

/// Buckets of a table when it is first used.
const FIRST_BUCKETS: usize = 64;

#[derive(Debug)]
pub(super) struct Fifos {
    /// The first head of each bucket; a power of two of them, or none before the first use.
    buckets: Vec<u32>,
    /// Leaves of a hash as many of its upper bits as number the buckets.
    shift: u32,
    /// By slot number. Meaningful only for slots that cma target a queue.
    links: Vec<Link>,
    /// Queues that are not empty.
    heads: usize,
}

/// The place of one slot in its queue. Only the head of a queue stands in the chain of its bucket:
/// so a long queue under one key never lies in the way of another key.
///
/// The order of the fields keeps `tail` and `chain` apart. Side by side they are written one by one
/// and read back as one word, for which the processor waits until both writes are done: posting and
/// matching one receive then takes 12.5 ns instead of 9 (AMD EPYC).
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Link {
    key: Key,
    /// In the head: the last of its queue.
    tail: u32,
    /// Earlier in the same queue, or `NIL` for the head.
    prev: u32,
    /// In the head: the next head in the same bucket, or `NIL`.
    chain: u32,
    /// Later in the same queue, or `NIL`.
    next: u32,
}

impl Fifos {
    pub const fn new() -> Self {
        Fifos { buckets: Vec::new(), shift: 0, links: Vec::new(), heads: 0 }
    }

    /// The first in the queue of `key`.
    #[inline]
    pub fn first(&self, key: &Key) -> Option<u32> {
        if self.heads == 0 {
            return None;
        }
        let head = self.head(self.bucket(key), key);
        (head != NIL).then_some(head)
    }

    /// Takes the first out of the queue of `key`: `first` and `remove` with one search.
    #[inline]
    pub fn pop(&mut self, key: &Key) -> Option<u32> {
        if self.heads == 0 {
            return None;
        }
        let bucket = self.bucket(key);
        let (mut before, mut at) = (NIL, self.buckets[bucket]);
        while at != NIL {
            effort::count_one();
            let link = &self.links[at as usize];
            if link.key == *key {
                let successor = self.bequeath(at);
                self.replace(bucket, before, successor);
                return Some(at);
            }
            (before, at) = (at, link.chain);
        }
        None
    }

    /// Appends `slot`, which stands in no queue here, to the queue of `key`.
    #[inline]
    pub fn push(&mut self, key: Key, slot: u32) {
        self.make_room(slot);
        let bucket = self.bucket(&key);
        let head = self.head(bucket, &key);
        if head == NIL {
            let chain = std::mem::replace(&mut self.buckets[bucket], slot);
            self.links[slot as usize] = Link { key, next: NIL, prev: NIL, tail: slot, chain };
            self.heads += 1;
        } else {
            let prev = std::mem::replace(&mut self.links[head as usize].tail, slot);
            self.links[prev as usize].next = slot;
            self.links[slot as usize] = Link { key, next: NIL, prev, tail: NIL, chain: NIL };
        }
    }

    /// Takes `slot` out of its queue, wherever it stands there.
    #[inline]
    pub fn remove(&mut self, slot: u32) {
        let Link { key, next, prev, .. } = self.links[slot as usize];
        if prev == NIL {
            return self.remove_head(slot, &key);
        }
        self.links[prev as usize].next = next;
        if next == NIL {
            let head = self.head(self.bucket(&key), &key);
            self.links[head as usize].tail = prev;
        } else {
            self.links[next as usize].prev = prev;
        }
    }

    fn remove_head(&mut self, slot: u32, key: &Key) {
        let successor = self.bequeath(slot);
        let bucket = self.bucket(key);
        let (mut before, mut at) = (NIL, self.buckets[bucket]);
        while at != slot {
            effort::count_one();
            (before, at) = (at, self.links[at as usize].chain);
        }
        self.replace(bucket, before, successor);
    }

    /// Hands what a leaving head knows to the next in its queue, if there is one; returns what
    /// stands in the chain in its place.
    #[inline]
    fn bequeath(&mut self, head: u32) -> u32 {
        let Link { next, tail, chain, .. } = self.links[head as usize];
        if next == NIL {
            self.heads -= 1;
            return chain;
        }
        let successor = &mut self.links[next as usize];
        (successor.prev, successor.tail, successor.chain) = (NIL, tail, chain);
        next
    }

    /// Makes `successor` follow `before` in the chain of `bucket`, or begin it.
    #[inline]
    fn replace(&mut self, bucket: usize, before: u32, successor: u32) {
        if before == NIL {
            self.buckets[bucket] = successor;
        } else {
            self.links[before as usize].chain = successor;
        }
    }

    /// The key of the queue in which `slot` stands.
    pub fn key(&self, slot: u32) -> &Key {
        &self.links[slot as usize].key
    }

    /// The head of the queue of `key`, whose bucket is `bucket`; `NIL` if the queue is empty.
    #[inline]
    fn head(&self, bucket: usize, key: &Key) -> u32 {
        let mut at = self.buckets[bucket];
        while at != NIL {
            effort::count_one();
            let link = &self.links[at as usize];
            if link.key == *key {
                break;
            }
            at = link.chain;
        }
        at
    }

    #[inline]
    fn bucket(&self, key: &Key) -> usize {
        (key.hash() >> self.shift) as usize
    }

    /// Makes a link for `slot` and keeps the chains short.
    #[inline]
    fn make_room(&mut self, slot: u32) {
        if slot as usize >= self.links.len() || self.heads >= self.buckets.len() {
            self.grow(slot);
        }
    }

    #[cold]
    fn grow(&mut self, slot: u32) {
        let blank = Link { key: Key::default(), next: NIL, prev: NIL, tail: NIL, chain: NIL };
        let links = self.links.len().max(slot as usize + 1);
        self.links.resize(links, blank);
        if self.heads < self.buckets.len() {
            return;
        }
        let count = (self.buckets.len() * 2).max(FIRST_BUCKETS);
        self.shift = u64::BITS - count.ilog2();
        let old = std::mem::replace(&mut self.buckets, vec![NIL; count]);
        for mut head in old {
            while head != NIL {
                let bucket = self.bucket(&self.links[head as usize].key);
                let after = std::mem::replace(&mut self.buckets[bucket], head);
                head = std::mem::replace(&mut self.links[head as usize].chain, after);
            }
        }
    }
}

/// Counts the entries that searches look at, for the tests that bound them.
pub(super) mod effort {
    #[cfg(test)]
    thread_local! {
        static POLLS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
    }

    #[inline]
    pub fn count_one() {
        #[cfg(test)]
        POLLS.with(|polls| polls.set(polls.get() + 1));
    }

    /// Entries looked at in this thread since the last call.
    #[cfg(test)]
    pub fn take() -> u64 {
        POLLS.with(|polls| polls.replace(0))
    }
}
