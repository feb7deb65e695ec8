//! Collective algorithms, each written once as an `async fn` over a [`Channel`]. An executor decides
//! what a message is: bytes through an engine, sets of contributions in a proof, ghosts in virtual
//! time. May use: `base`. Must not know: bytes, clocks, transports.
//!
//! One module per operation holds its argument struct, its `Algorithm`s, the algorithms, and one
//! entry named like the operation, which runs the algorithm it is told; [`select`] picks one.
//! [`symbolic`] is the executor that proves them.
#![forbid(unsafe_code)]

pub mod allgather;
pub mod allreduce;
pub mod alltoall;
pub mod barrier;
pub mod bcast;
mod channel;
pub mod gather;
pub mod reduce;
pub mod scatter;
pub mod select;
mod split;
pub mod symbolic;
mod tree;

pub use allgather::{Allgather, allgather};
pub use allreduce::{Allreduce, allreduce};
pub use alltoall::{Alltoall, alltoall};
pub use barrier::barrier;
pub use bcast::{Bcast, bcast};
pub use channel::{Buffer, Channel, View};
pub use gather::{Gather, gather};
pub use reduce::{Reduce, reduce};
pub use scatter::{Scatter, scatter};
pub use select::{Choice, Params, Shape};
