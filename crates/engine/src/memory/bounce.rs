//! Bounce buffers in this process's shared heap, which the ranks of its node map: what is copied
//! there needs no call of the kernel to reach them.

use std::cell::RefCell;
use std::ptr::NonNull;

use dunlin_shm::Node;

/// Bytes of the shortest buffer; the others are twice as long as the next shorter ones.
const CAPACITY_MIN: usize = 64 << 10;
/// Bytes of all buffers that are kept for the next use.
const KEPT_BYTES_MAX: usize = 32 << 20;

/// Rooms for an operation's data and its result, of the same length; a single one serves for both.
#[derive(Debug)]
pub(crate) struct BounceBuffer {
    node: &'static Node,
    start: NonNull<u8>,
    capacity: usize,
    room_bytes: usize,
    rooms: usize,
}

impl BounceBuffer {
    /// Where it begins, for the other ranks of the node.
    pub fn address(&self) -> u64 {
        self.start.as_ptr().expose_provenance() as u64
    }

    /// Bytes of a room.
    pub fn room_bytes(&self) -> usize {
        self.room_bytes
    }

    /// The first byte of the data, and of the result.
    pub fn places(&mut self) -> [*mut u8; 2] {
        let start = self.start.as_ptr();
        [start, start.wrapping_add((self.rooms - 1) * self.room_bytes)]
    }
}

impl Drop for BounceBuffer {
    fn drop(&mut self) {
        self.node.free(self.start.as_ptr());
    }
}

/// Buffers that are not in use. Memory that the heap has just given has a page fault for every
/// page, which takes longer than all else that is done with it.
#[derive(Debug, Default)]
pub(crate) struct BounceBuffers(RefCell<Vec<BounceBuffer>>);

impl BounceBuffers {
    /// A buffer with one room or two of so many bytes; `None` if the system allows none.
    pub fn take(
        &self,
        node: &'static Node,
        room_bytes: usize,
        rooms: usize,
    ) -> Option<BounceBuffer> {
        let bytes = room_bytes.checked_mul(rooms)?;
        let capacity = bytes.max(CAPACITY_MIN).checked_next_power_of_two()?;
        let mut kept = self.0.borrow_mut();
        if let Some(place) = kept.iter().rposition(|buffer| buffer.capacity == capacity) {
            let mut buffer = kept.swap_remove(place);
            (buffer.room_bytes, buffer.rooms) = (room_bytes, rooms);
            return Some(buffer);
        }
        let start = node.allocate(capacity)?;
        Some(BounceBuffer { node, start, capacity, room_bytes, rooms })
    }

    /// Takes a buffer back.
    pub fn keep(&self, buffer: BounceBuffer) {
        let mut kept = self.0.borrow_mut();
        kept.push(buffer);
        // The oldest give way: another size may be what is needed now.
        while kept.iter().map(|buffer| buffer.capacity).sum::<usize>() > KEPT_BYTES_MAX {
            kept.remove(0);
        }
    }
}
