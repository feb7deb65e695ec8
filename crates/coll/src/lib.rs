//! Collective algorithms, each written once as an `async fn` over a [`Channel`]. An executor
//! decides what a message is: bytes through an engine, sets of contributions in a proof. May use:
//! `base`. Must not know: bytes, clocks, transports.
//!
//! One module per operation holds its argument struct, its `Algorithm`s, the algorithms, and one
//! entry named like the operation, which runs the given algorithm; [`select`] picks one.
//! [`symbolic`] is the executor that proves them.
#![forbid(unsafe_code)]

pub mod allgather;
pub mod allgatherv;
pub mod allreduce;
pub mod alltoall;
pub mod alltoallv;
pub mod barrier;
pub mod bcast;
mod chains;
mod channel;
mod domain_parts;
mod domain_tree;
mod domains;
pub mod exscan;
mod fold;
pub mod gather;
pub mod gatherv;
pub mod inter;
mod levels;
mod neighbourhood;
mod node_channel;
mod nodes;
mod partition;
mod peer_blocks;
mod pipeline;
pub mod reduce;
pub mod reduce_scatter;
pub mod reduce_scatter_block;
pub mod scan;
pub mod scatter;
pub mod scatterv;
mod segments;
pub mod select;
pub mod select_docs;
pub mod selection;
pub mod sharing;
pub mod shipped;
mod sources;
mod sub;
pub mod symbolic;
pub mod table;
mod tree;
mod vector_layout;

pub use allgather::{Allgather, allgather};
pub use allgatherv::{Allgatherv, allgatherv};
pub use allreduce::{Allreduce, allreduce};
pub use alltoall::{Alltoall, alltoall};
pub use alltoallv::{Alltoallv, alltoallv};
pub use barrier::barrier;
pub use bcast::{Bcast, bcast};
pub use channel::{Buffer, Channel, Member, View};
pub use domains::{Domains, Locality};
pub use exscan::{Exscan, exscan};
pub use gather::{Gather, gather};
pub use gatherv::{Gatherv, gatherv};
pub use neighbourhood::{Neighbourhood, Neighbours, neighbourhood};
pub use node_channel::{NodeChannel, PutTarget, STAGES, STAGES_MAX, STEPS, Slice, Slot};
pub use nodes::Nodes;
pub use peer_blocks::PeerBlocks;
pub use reduce::{Reduce, reduce};
pub use reduce_scatter::{ReduceScatter, reduce_scatter};
pub use reduce_scatter_block::{ReduceScatterBlock, reduce_scatter_block};
pub use scan::{Scan, scan};
pub use scatter::{Scatter, scatter};
pub use scatterv::{Scatterv, scatterv};
pub use select::{AlgorithmSet, CallTraits, Params};
pub use selection::Selection;
pub use sub::SubChannel;
pub use vector_layout::BlockLayout;
