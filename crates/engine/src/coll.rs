//! Collectives: checks, choice of the algorithm, the executors that run it.

pub(crate) mod blocks;
pub(crate) mod check;
pub(crate) mod collective;
pub(crate) mod dense_executor;
pub(crate) mod failure;
pub(crate) mod fast_path;
pub(crate) mod fast_path_alone;
pub(crate) mod fast_path_apart;
pub(crate) mod fast_path_irregular;
pub(crate) mod fast_path_neighbours;
pub(crate) mod inter;
pub(crate) mod mismatch;
pub(crate) mod module;
pub(crate) mod neighbour;
pub(crate) mod nonblocking;
pub(crate) mod op_context;
pub(crate) mod plain_arguments;
pub(crate) mod transfer;
pub(crate) mod typed_executor;
pub(crate) mod whole;
