//! Memory for messages (MPI 5.0, section 9.2): the ranks of this node map it, so that they copy
//! messages without a call of the kernel.

use std::ptr::NonNull;

use dunlin_base::single_copy::SingleCopy;
use dunlin_shm::layout::PAGE;

use crate::engine::Engine;

impl Engine {
    /// `None` where memory of this process alone does as well, or there is no other.
    pub fn memory_for_messages(&self, bytes: usize, alignment: usize) -> Option<NonNull<u8>> {
        let is_off = || self.messages.borrow().node.single_copy == SingleCopy::Off;
        if self.node.ranks() == 1 || alignment > PAGE || is_off() {
            return None;
        }
        self.node.allocate(bytes)
    }

    /// False if this is no such memory.
    pub fn free_memory_for_messages(&self, address: *const u8) -> bool {
        self.node.free(address)
    }
}
