//! The library's memory: fallible allocation, pools, scratch space, nontemporal stores.

pub(crate) mod alloc;
pub(crate) mod bounce;
pub(crate) mod nontemporal;
pub(crate) mod pool;
pub(crate) mod scratch;
