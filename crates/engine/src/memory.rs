//! The library's memory: fallible allocation, pools, scratch space.

pub(crate) mod alloc;
pub(crate) mod bounce;
pub(crate) mod pool;
pub(crate) mod scratch;
