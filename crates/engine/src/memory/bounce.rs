//! Bounce buffers in this process's shared heap, which the ranks of its node map: what is copied
//! there needs no call of the kernel to reach them.

use std::cell::RefCell;
use std::ptr::NonNull;

use dunlin_shm::Node;

/// Bytes of the shortest buffer; the others are twice as long as the next shorter ones.
const CAPACITY_MIN: usize = 64 << 10;
/// Bytes of all buffers that are kept for the next use.
const KEPT_BYTES_MAX: usize = 32 << 20;

/// Room for an operation's data and, behind it, for a result of the same length.
#[derive(Debug)]
pub(crate) struct BounceBuffer {
    node: &'static Node,
    start: NonNull<u8>,
    capacity: usize,
    /// Bytes of the data.
    data_bytes: usize,
}

impl BounceBuffer {
    /// Where it begins, for the other ranks of the node.
    pub fn address(&self) -> u64 {
        self.start.as_ptr().expose_provenance() as u64
    }

    /// Bytes of the data.
    pub fn data_bytes(&self) -> usize {
        self.data_bytes
    }

    /// The data's first byte, and that of the result, if there is room for one.
    pub fn places(&mut self) -> [*mut u8; 2] {
        let start = self.start.as_ptr();
        [start, start.wrapping_add(self.data_bytes)]
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
    /// A buffer for so many bytes of data; `None` if the system allows none.
    pub fn take(
        &self,
        node: &'static Node,
        data_bytes: usize,
        has_result: bool,
    ) -> Option<BounceBuffer> {
        let bytes = data_bytes.checked_mul(1 + usize::from(has_result))?;
        let capacity = bytes.max(CAPACITY_MIN).checked_next_power_of_two()?;
        let mut kept = self.0.borrow_mut();
        if let Some(place) = kept.iter().rposition(|buffer| buffer.capacity == capacity) {
            let mut buffer = kept.swap_remove(place);
            buffer.data_bytes = data_bytes;
            return Some(buffer);
        }
        let start = node.allocate(capacity)?;
        Some(BounceBuffer { node, start, capacity, data_bytes })
    }

    /// Takes a buffer back.
    pub fn keep(&self, buffer: BounceBuffer) {
        let mut kept = self.0.borrow_mut();
        let so_far: usize = kept.iter().map(|buffer| buffer.capacity).sum();
        if so_far + buffer.capacity <= KEPT_BYTES_MAX {
            kept.push(buffer);
        }
    }
}
