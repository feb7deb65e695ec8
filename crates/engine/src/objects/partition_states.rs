//! The states of partitioned operations that threads use without the engine's lock, found by the
//! number of the request. A state is never freed: a thread may still hold one whose request is gone
//! (it has marked the last partition, and another thread has completed the request meanwhile). The
//! next operation of the same size uses it again.

use std::collections::HashMap;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use dunlin_base::Result;
use dunlin_shm::deferred_work::DeferredItem;
use dunlin_shm::partition_flags::{ArrivedUnits, ReadyPartitions};
use parking_lot::Mutex;

use crate::objects::status::{OPERATION, RequestId};
use crate::objects::table::OBJECTS_MAX;

/// No request, and no state.
const NONE: u32 = u32::MAX;
/// The first of a list's blocks has so many places, each later one twice as many as the one before.
const FIRST_BLOCK: usize = 64;
/// Enough blocks for the requests of a process.
const BLOCKS: usize = (OBJECTS_MAX.ilog2() - FIRST_BLOCK.ilog2() + 1) as usize;
/// The bits of a request's number that say where it is among the operations. Those that say in
/// which VCI it is are among them: a number of another VCI than the first, where no partitioned
/// message is, leads to no state, or to that of another request, as the state says.
const PLACE: u32 = OPERATION - 1;
/// The fewest partitions for which a state has room.
const ROOM_MIN: u32 = 64;

/// A list that grows and does not move: any thread reads it, without a lock.
struct Growing<T>([OnceLock<Box<[T]>>; BLOCKS]);

impl<T> Growing<T> {
    const fn new() -> Self {
        Growing([const { OnceLock::new() }; BLOCKS])
    }

    /// The block of a number, and its place there.
    fn place(number: u32) -> (usize, usize) {
        let at = (number as usize).saturating_add(FIRST_BLOCK);
        let block = at.ilog2() - FIRST_BLOCK.ilog2();
        (block as usize, at - (FIRST_BLOCK << block))
    }

    fn get(&self, number: u32) -> Option<&T> {
        let (block, at) = Self::place(number);
        self.0.get(block)?.get()?.get(at)
    }

    fn get_or_grow(&self, number: u32, empty: impl Fn() -> T) -> &T {
        let (block, at) = Self::place(number);
        let fill = || (0..FIRST_BLOCK << block).map(|_| empty()).collect();
        &self.0[block].get_or_init(fill)[at]
    }
}

/// States by their own numbers.
static STATES: Growing<OnceLock<PartitionState>> = Growing::new();
/// The number of the state of a request, by its place among the operations.
static OF_REQUESTS: Growing<AtomicU32> = Growing::new();
/// How many states there are, and those that no request has.
static UNUSED: Mutex<Option<Unused>> = Mutex::new(None);

#[derive(Default)]
struct Unused {
    made: u32,
    receives: Vec<u32>,
    /// By their room.
    sends: HashMap<u32, Vec<u32>>,
}

/// What threads share of one partitioned operation.
#[derive(Debug)]
pub(crate) struct PartitionState {
    number: u32,
    /// The request to which it belongs.
    request: AtomicU32,
    pub(crate) item: DeferredItem,
    pub(crate) flags: Flags,
}

/// By the direction of the operation.
#[derive(Debug)]
pub(crate) enum Flags {
    Send(ReadyPartitions),
    Receive(ArrivedUnits),
}

impl PartitionState {
    /// One for a send of so many partitions, which belongs to no request yet.
    pub fn for_send(partitions: u32) -> Result<&'static PartitionState> {
        let room = partitions.next_power_of_two().max(ROOM_MIN);
        let unused = &mut UNUSED.lock();
        let unused = unused.get_or_insert_default();
        match unused.sends.get_mut(&room).and_then(Vec::pop) {
            Some(number) => Ok(PartitionState::numbered(number)),
            None => Ok(unused.make(Flags::Send(ReadyPartitions::with_room(room)?))),
        }
    }

    /// One for a receive.
    pub fn for_receive() -> &'static PartitionState {
        let unused = &mut UNUSED.lock();
        let unused = unused.get_or_insert_default();
        match unused.receives.pop() {
            Some(number) => PartitionState::numbered(number),
            None => unused.make(Flags::Receive(ArrivedUnits::new())),
        }
    }

    /// The state with this number.
    pub fn numbered(number: u32) -> &'static PartitionState {
        STATES.get(number).and_then(OnceLock::get).expect("numbers come from states")
    }

    /// That of a request, if it has one.
    pub fn of(request: RequestId) -> Option<&'static PartitionState> {
        // Relaxed: the program orders the making of a request and its use in another thread.
        let number = OF_REQUESTS.get(request & PLACE)?.load(Ordering::Relaxed);
        let state = STATES.get(number)?.get()?;
        (state.request.load(Ordering::Relaxed) == request).then_some(state)
    }

    /// Its own number.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The request to which it belongs.
    pub fn request(&self) -> Option<RequestId> {
        Some(self.request.load(Ordering::Relaxed)).filter(|&request| request != NONE)
    }

    /// It belongs to this request from now on.
    pub fn give_to(&self, request: RequestId) {
        self.request.store(request, Ordering::Relaxed);
        let none = || AtomicU32::new(NONE);
        OF_REQUESTS.get_or_grow(request & PLACE, none).store(self.number, Ordering::Relaxed);
    }

    /// The request is gone.
    pub fn give_back(&self) {
        let request = self.request.swap(NONE, Ordering::Relaxed);
        if let Some(place) = OF_REQUESTS.get(request & PLACE) {
            place.store(NONE, Ordering::Relaxed);
        }
        let unused = &mut UNUSED.lock();
        let unused = unused.get_or_insert_default();
        match &self.flags {
            Flags::Send(ready) => {
                ready.end();
                unused.sends.entry(ready.room()).or_default().push(self.number);
            }
            Flags::Receive(_) => unused.receives.push(self.number),
        }
    }
}

impl Unused {
    fn make(&mut self, flags: Flags) -> &'static PartitionState {
        let number = self.made;
        self.made += 1;
        let (request, item) = (AtomicU32::new(NONE), DeferredItem::new());
        let place = STATES.get_or_grow(number, OnceLock::new);
        place.get_or_init(|| PartitionState { number, request, item, flags })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_a_growing_list_follow_one_another() {
        let mut next = (0, 0);
        for number in 0..10 * FIRST_BLOCK as u32 {
            assert_eq!(Growing::<u32>::place(number), next, "number {number}");
            next.1 += 1;
            if next.1 == FIRST_BLOCK << next.0 {
                next = (next.0 + 1, 0);
            }
        }
        assert_eq!(Growing::<u32>::place(OBJECTS_MAX - 1).0, BLOCKS - 1);
    }

    #[test]
    fn a_state_is_found_by_its_request_and_used_again_for_another() {
        let state = PartitionState::for_send(100).unwrap();
        let request = OBJECTS_MAX | 1000;
        state.give_to(request);
        assert!(PartitionState::of(request).is_some_and(|found| found.number == state.number));
        for other in [999, 1000, 1 << 20, request - 1] {
            assert!(PartitionState::of(other).is_none(), "request {other}");
        }
        state.give_back();
        assert!(PartitionState::of(request).is_none());
        assert_eq!(PartitionState::for_send(128).unwrap().number, state.number);
        assert_ne!(PartitionState::for_send(128).unwrap().number, state.number);
        assert_ne!(PartitionState::for_receive().number, state.number);
    }
}
