//! Memory shared by the ranks of one node, and how they wait for each other.
//! May use: the operating system. Must not know: MPI, matching, protocols.

pub mod address;
pub mod biased;
pub mod board;
pub mod claims;
#[cfg(not(loom))]
pub mod handover;
pub mod layout;
pub mod letterbox;
pub mod line;
pub mod pair;
pub mod ring;
pub mod slab;
pub mod stall;
mod steps;
mod sync;
pub mod wait;

#[cfg(not(loom))]
pub mod card;
#[cfg(not(loom))]
pub mod cma;
#[cfg(not(loom))]
mod core_cell;
#[cfg(not(loom))]
mod doorbell;
#[cfg(not(loom))]
pub mod joining;
#[cfg(not(loom))]
mod last_words;
#[cfg(not(loom))]
mod node;
#[cfg(not(loom))]
mod segment;
#[cfg(not(loom))]
mod stand_in;
#[cfg(not(loom))]
pub use node::{Nap, Node};
#[cfg(not(loom))]
pub use segment::{RankState, RankView, Segment};
