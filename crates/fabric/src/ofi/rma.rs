//! Reads of peers' memory and writes to it that are under way, and memory of ours that peers may
//! reach. An operation goes in parts, so that it may be longer than the provider's longest and
//! others get their turn.

use std::collections::VecDeque;

use super::endpoint::Endpoint;
use super::memory::Registration;
use super::transfer::{PARTS_MAX, Transfer};
use crate::{Access, RemoteKey};

/// Bytes of a part at most: long beside what it costs to ask, short enough to take turns.
const PART_BYTES_MAX: usize = 1 << 20;
/// Pieces of memory registered, and operations under way, at a time: each may pin memory. Other
/// data goes in packets.
const REGISTRATIONS_MAX: usize = 1024;
/// Of these, parts of windows, which keep theirs for long.
const WINDOWS_MAX: usize = REGISTRATIONS_MAX / 2;

/// All of them.
pub struct Rma {
    /// The first slot of the endpoint that is for these.
    first_slot: usize,
    part_bytes: usize,
    /// The operation of each part that is under way.
    parts: [Option<usize>; PARTS_MAX],
    operations: Vec<Option<Operation>>,
    /// Those of which not all has begun, in turn.
    queue: VecDeque<usize>,
    /// Those that have ended and were not told.
    ended: Vec<(u64, bool)>,
    shown: Vec<Option<Shown>>,
    pub counts: Counts,
}

/// Memory that peers reach.
struct Shown {
    /// Held until it is dropped.
    _registration: Registration,
    is_window: bool,
}

/// What was seen.
#[derive(Default)]
pub struct Counts {
    pub reads: u64,
    pub writes: u64,
    pub failed: u64,
    pub refused: u64,
}

struct Operation {
    number: u64,
    peer: u64,
    there: RemoteKey,
    transfer: Transfer,
    registration: Option<Registration>,
    begun: usize,
    under_way: usize,
    failed: bool,
}

// SAFETY: the memory is this operation's until it ends, whatever thread it is used from.
unsafe impl Send for Operation {}

impl Operation {
    fn is_over(&self) -> bool {
        self.under_way == 0 && (self.failed || self.begun == self.transfer.memory().len())
    }
}

impl Rma {
    /// None yet. An operation of the provider's moves `bytes_max` bytes at most.
    pub fn new(first_slot: usize, bytes_max: usize) -> Rma {
        Rma {
            first_slot,
            part_bytes: bytes_max.min(PART_BYTES_MAX),
            parts: [None; PARTS_MAX],
            operations: Vec::new(),
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
        (access, is_window): (Access, bool),
    ) -> Option<(u32, RemoteKey)> {
        let windows = self.shown.iter().flatten().filter(|shown| shown.is_window).count();
        let has_room = !is_window || windows < WINDOWS_MAX;
        let index = if has_room { index(&mut self.shown) } else { None };
        let made = match index {
            // SAFETY: the caller's promise holds until the registration is dropped by `deregister`.
            Some(_) => unsafe { endpoint.register(memory, access) }.ok(),
            None => None,
        };
        let (Some(index), Some((registration, rkey))) = (index, made) else {
            self.counts.refused += 1;
            return None;
        };
        self.shown[index] = Some(Shown { _registration: registration, is_window });
        Some((index as u32, rkey))
    }

    /// See [`crate::Fabric::deregister`].
    pub fn deregister(&mut self, number: u32) {
        self.shown[number as usize] = None;
    }

    /// See [`crate::Fabric::read`] and [`crate::Fabric::write`].
    ///
    /// # Safety
    ///
    /// As there.
    pub unsafe fn begin(
        &mut self,
        endpoint: &mut Endpoint,
        peer: u64,
        there: RemoteKey,
        transfer: Transfer,
        number: u64,
    ) -> bool {
        let index = index(&mut self.operations);
        let registration = match index {
            // SAFETY: the caller's promise holds until the operation ends.
            Some(_) => unsafe { endpoint.prepare(transfer) }.ok(),
            None => None,
        };
        let (Some(index), Some(registration)) = (index, registration) else {
            self.counts.refused += 1;
            return false;
        };
        let (begun, under_way, failed) = (0, 0, false);
        let operation =
            Operation { number, peer, there, transfer, registration, begun, under_way, failed };
        self.operations[index] = Some(operation);
        self.queue.push_back(index);
        self.work(endpoint);
        true
    }

    /// Begins parts, as far as the library takes them now.
    pub fn work(&mut self, endpoint: &mut Endpoint) {
        while let Some(&index) = self.queue.front() {
            let Some(part) = self.parts.iter().position(Option::is_none) else { return };
            let operation = self.operations[index].as_mut().expect("what is in the queue is there");
            let all = operation.transfer.memory().len();
            let len = self.part_bytes.min(all - operation.begun);
            let transfer = operation.transfer.part(operation.begun, len);
            let address = operation.there.address.wrapping_add(operation.begun as u64);
            let there = RemoteKey { address, ..operation.there };
            let (slot, known) = (self.first_slot + part, operation.registration.as_ref());
            // SAFETY: a part of the operation's memory that no other part has.
            match unsafe { endpoint.transfer(slot, transfer, known, operation.peer, there) } {
                Ok(false) => return,
                Ok(true) => {
                    (operation.begun, operation.under_way) =
                        (operation.begun + len, operation.under_way + 1);
                    self.parts[part] = Some(index);
                }
                Err(_) => operation.failed = true,
            }
            self.queue.pop_front();
            if !operation.failed && operation.begun < all {
                self.queue.push_back(index);
            }
            self.end_if_over(index);
        }
    }

    /// The library has done with a slot that is for these.
    pub fn done(&mut self, slot: usize, is_good: bool) {
        let index = self.parts[slot - self.first_slot].take().expect("a part that was under way");
        let operation = self.operations[index].as_mut().expect("its operation is there");
        operation.under_way -= 1;
        if !is_good && !operation.failed {
            operation.failed = true;
            self.queue.retain(|&waiting| waiting != index);
        }
        self.end_if_over(index);
    }

    fn end_if_over(&mut self, index: usize) {
        if let Some(ended) = self.operations[index].take_if(|operation| operation.is_over()) {
            let count = match ended.transfer {
                Transfer::Read(_) => &mut self.counts.reads,
                Transfer::Write(_) => &mut self.counts.writes,
            };
            *count += 1;
            self.counts.failed += u64::from(ended.failed);
            self.ended.push((ended.number, !ended.failed));
        }
    }

    /// Tells what has ended.
    pub fn tell(&mut self, told: &mut dyn FnMut(u64, bool)) {
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
