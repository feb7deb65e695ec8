//! How a process becomes a rank, and how it ends.

pub(crate) mod boot;
pub(crate) mod descriptors;
pub(crate) mod exit;
pub(crate) mod finalize;
pub(crate) mod init_wait;
pub(crate) mod open;
pub(crate) mod out_of_memory;
pub(crate) mod rank_lock;
