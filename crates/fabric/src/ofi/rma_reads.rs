//! Reads of peers' memory that are under way, and memory of ours that peers may read. A read goes
//! in parts, so that it may be longer than the provider's longest and others get their turn.

use std::collections::VecDeque;

use super::endpoint::Endpoint;
use super::memory::Registration;
use crate::RemoteKey;

/// Bytes of a part at most: long beside what it costs to ask, short enough to take turns.
const PART_BYTES_MAX: usize = 1 << 20;
/// Parts under way at most.
pub const PARTS_MAX: usize = 16;
/// Messages registered and read at a time: each may pin memory. Others go in packets.
const REGISTRATIONS_MAX: usize = 1024;

/// All of them.
pub struct RmaReads {
    /// The first slot of the endpoint that is for reads.
    first_slot: usize,
    part_bytes: usize,
    /// The read of each part that is under way.
    parts: [Option<usize>; PARTS_MAX],
    reads: Vec<Option<Read>>,
    /// Those of which not all has begun, in turn.
    queue: VecDeque<usize>,
    /// Those that have ended and were not told.
    ended: Vec<(u32, bool)>,
    shown: Vec<Option<Registration>>,
    pub counts: Counts,
}

/// What was seen.
#[derive(Default)]
pub struct Counts {
    pub reads: u64,
    pub failed: u64,
    pub refused: u64,
}

struct Read {
    number: u32,
    peer: u64,
    from: RemoteKey,
    into: *mut [u8],
    registration: Option<Registration>,
    begun: usize,
    under_way: usize,
    failed: bool,
}

// SAFETY: the memory at `into` is this read's alone until it ends, whatever thread it is used from.
unsafe impl Send for Read {}

impl Read {
    fn is_over(&self) -> bool {
        self.under_way == 0 && (self.failed || self.begun == self.into.len())
    }
}

impl RmaReads {
    /// None yet. A provider's read gets `bytes_max` bytes at most.
    pub fn new(first_slot: usize, bytes_max: usize) -> RmaReads {
        RmaReads {
            first_slot,
            part_bytes: bytes_max.min(PART_BYTES_MAX),
            parts: [None; PARTS_MAX],
            reads: Vec::new(),
            queue: VecDeque::new(),
            ended: Vec::new(),
            shown: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Whether the provider may still touch memory.
    pub fn are_under_way(&self) -> bool {
        self.parts.iter().any(Option::is_some)
    }

    /// See [`crate::Fabric::register`].
    ///
    /// # Safety
    ///
    /// As there.
    pub unsafe fn register(
        &mut self,
        endpoint: &mut Endpoint,
        memory: *const [u8],
    ) -> Option<(u32, RemoteKey)> {
        // SAFETY: the caller's promise holds until the registration is dropped by `deregister`.
        let index = index(&mut self.shown);
        let made = match index {
            // SAFETY: as above.
            Some(_) => unsafe { endpoint.register(memory) }.ok(),
            None => None,
        };
        let (Some(index), Some((registration, rkey))) = (index, made) else {
            self.counts.refused += 1;
            return None;
        };
        self.shown[index] = Some(registration);
        Some((index as u32, rkey))
    }

    /// See [`crate::Fabric::deregister`].
    pub fn deregister(&mut self, number: u32) {
        self.shown[number as usize] = None;
    }

    /// See [`crate::Fabric::read`].
    ///
    /// # Safety
    ///
    /// As there.
    pub unsafe fn begin(
        &mut self,
        endpoint: &mut Endpoint,
        peer: u64,
        from: RemoteKey,
        into: *mut [u8],
        number: u32,
    ) -> bool {
        let index = index(&mut self.reads);
        let registration = match index {
            // SAFETY: the caller's promise holds until the read ends.
            Some(_) => unsafe { endpoint.prepare(into) }.ok(),
            None => None,
        };
        let (Some(index), Some(registration)) = (index, registration) else {
            self.counts.refused += 1;
            return false;
        };
        let read =
            Read { number, peer, from, into, registration, begun: 0, under_way: 0, failed: false };
        self.reads[index] = Some(read);
        self.queue.push_back(index);
        self.work(endpoint);
        true
    }

    /// Begins parts, as far as the library takes them now.
    pub fn work(&mut self, endpoint: &mut Endpoint) {
        while let Some(&index) = self.queue.front() {
            let Some(part) = self.parts.iter().position(Option::is_none) else { return };
            let read = self.reads[index].as_mut().expect("reads in the queue are there");
            let len = self.part_bytes.min(read.into.len() - read.begun);
            let start = read.into.cast::<u8>().wrapping_add(read.begun);
            let into = std::ptr::slice_from_raw_parts_mut(start, len);
            let address = read.from.address.wrapping_add(read.begun as u64);
            let from = RemoteKey { address, ..read.from };
            let (slot, known) = (self.first_slot + part, read.registration.as_ref());
            // SAFETY: a part of the read's memory that no other part has.
            match unsafe { endpoint.read(slot, into, known, read.peer, from) } {
                Ok(false) => return,
                Ok(true) => {
                    (read.begun, read.under_way) = (read.begun + len, read.under_way + 1);
                    self.parts[part] = Some(index);
                }
                Err(_) => read.failed = true,
            }
            self.queue.pop_front();
            if !read.failed && read.begun < read.into.len() {
                self.queue.push_back(index);
            }
            self.end_if_over(index);
        }
    }

    /// The library has done with a slot that is for reads.
    pub fn done(&mut self, slot: usize, is_good: bool) {
        let index = self.parts[slot - self.first_slot].take().expect("a part that was under way");
        let read = self.reads[index].as_mut().expect("its read is there");
        read.under_way -= 1;
        if !is_good && !read.failed {
            read.failed = true;
            self.queue.retain(|&waiting| waiting != index);
        }
        self.end_if_over(index);
    }

    fn end_if_over(&mut self, index: usize) {
        if let Some(read) = self.reads[index].take_if(|read| read.is_over()) {
            self.counts.reads += 1;
            self.counts.failed += u64::from(read.failed);
            self.ended.push((read.number, !read.failed));
        }
    }

    /// Tells what has ended.
    pub fn tell(&mut self, told: &mut dyn FnMut(u32, bool)) {
        self.ended.drain(..).for_each(|(number, is_good)| told(number, is_good));
    }
}

/// A place that is free.
fn index<T>(places: &mut Vec<Option<T>>) -> Option<usize> {
    if let Some(free) = places.iter().position(Option::is_none) {
        return Some(free);
    }
    if places.len() == REGISTRATIONS_MAX {
        return None;
    }
    places.push(None);
    Some(places.len() - 1)
}
