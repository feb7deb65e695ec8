//! One-sided communication; MPI 5.0 chapter 12. An origin does an operation itself where it gets at
//! the target's memory (`direct.rs`). Every other operation is an active message, and on memory
//! that the kernel copies those are that are sooner done so: the target handles it during progress,
//! in the order in which an origin has sent. So an acknowledgement says that all before it is done,
//! and a flush is one round trip, whatever it follows.

pub(crate) mod answers;
pub(crate) mod bounce;
pub mod cached_target;
pub(crate) mod create;
pub(crate) mod direct;
pub(crate) mod epoch;
pub mod fast_path;
pub(crate) mod long;
pub(crate) mod message;
pub(crate) mod origin;
pub(crate) mod packing;
pub(crate) mod remote;
pub mod short;
#[cfg(test)]
mod simulated_windows;
pub(crate) mod take_back;
pub(crate) mod target;
pub(crate) mod target_buffer;
pub(crate) mod update;
mod zero_copy;
