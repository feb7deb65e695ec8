//! A cluster in virtual time: runs the collective algorithms of `coll` on a model of a machine, and
//! says how long they take and why. May use: `base`, `coll`. Must not know: data, real clocks, I/O.
#![forbid(unsafe_code)]

mod caches;
mod layout;
pub mod libraries;
pub mod machine;
mod matching;
mod messages;
mod network;
pub mod operation;
pub mod path;
mod process;
mod queue;
mod random;
pub mod run;
mod segment;
mod slots;
mod transfer;
mod world;

pub use layout::Layout;
pub use machine::Machine;
