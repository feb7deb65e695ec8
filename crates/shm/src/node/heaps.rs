//! The heaps of this rank and of its peers: memory for the program's messages that ranks map from
//! each other.

use std::ptr::NonNull;
use std::sync::OnceLock;

use crate::node::Node;
use crate::shared_heap::{self, PeerHeapCell, SharedHeap};

/// What all VCIs of a process share.
#[derive(Debug)]
pub(super) struct Heaps {
    /// Memory for messages that the peers map; once it was asked for.
    own: OnceLock<Option<SharedHeap>>,
    /// By peer: its heap.
    of_peers: Box<[PeerHeapCell]>,
}

impl Heaps {
    /// Those of a node with so many ranks, for ever.
    pub fn of_node(ranks: usize) -> &'static Heaps {
        let of_peers = (0..ranks).map(|_| PeerHeapCell::new()).collect();
        Box::leak(Box::new(Heaps { own: OnceLock::new(), of_peers }))
    }
}

impl Node {
    /// Zeroed memory for messages, which the peers map. `None` for short pieces, and where the
    /// system allows none: then any other memory does.
    pub fn allocate(&self, bytes: usize) -> Option<NonNull<u8>> {
        let make = || SharedHeap::new(&self.processes[self.me].heap).ok();
        self.heaps.own.get_or_init(make).as_ref()?.allocate(bytes)
    }

    /// Takes back what [`Node::allocate`] returned; false if it is other memory.
    pub fn free(&self, address: *const u8) -> bool {
        self.heaps.own.get().and_then(Option::as_ref).is_some_and(|heap| heap.free(address))
    }

    /// Whether memory of this rank is in its heap.
    #[inline]
    pub fn is_shared(&self, start: *const u8) -> bool {
        self.heaps.own.get().and_then(Option::as_ref).is_some_and(|heap| heap.has(start))
    }

    /// Where this rank maps `bytes` bytes at an address of `peer`, if they are in its heap.
    #[inline]
    pub fn mapped(&self, peer: usize, address: u64, bytes: usize) -> Option<NonNull<u8>> {
        if peer == self.me {
            return self.heaps.own.get()?.as_ref()?.part(address, bytes);
        }
        shared_heap::find(&self.heaps.of_peers[peer], &self.processes[peer], address, bytes)
    }
}
