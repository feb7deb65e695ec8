//! Memory shared by the ranks of one node, and how they wait for each other.
//! May use: the operating system. Must not know: MPI, matching, protocols.

pub mod address;
pub mod awaited_locks;
pub mod biased_lock;
pub mod bounce_buffer;
pub mod cell;
mod coll_area;
pub mod coll_segment;
pub mod deferred_work;
pub mod fast_box;
#[cfg(not(loom))]
pub mod handover;
mod job_steps;
pub mod layout;
mod long_rooms;
pub mod partition_flags;
mod prefault;
pub mod queue_pair;
pub mod ring;
mod ring_extent;
pub mod stall;
mod store_choice;
mod sync;
pub mod wait;
pub mod window_counters;
mod window_lock;
pub mod window_part;
pub mod work_split;

#[cfg(not(loom))]
mod abort_message;
#[cfg(not(loom))]
pub mod attach;
#[cfg(not(loom))]
pub mod cma;
#[cfg(not(loom))]
mod cma_target;
#[cfg(not(loom))]
mod core_cell;
#[cfg(not(loom))]
pub mod counters;
#[cfg(not(loom))]
mod doorbell;
#[cfg(not(loom))]
pub mod job_map;
#[cfg(not(loom))]
mod node;
#[cfg(not(loom))]
mod rank_record;
#[cfg(not(loom))]
mod region;
#[cfg(not(loom))]
mod segment;
#[cfg(not(loom))]
mod shared_heap;
#[cfg(not(loom))]
pub mod shared_memory;
#[cfg(not(loom))]
pub use node::{FdSleep, Node};
#[cfg(not(loom))]
pub use rank_record::{RankState, RankView};
#[cfg(not(loom))]
pub use segment::Segment;
