//! Memory of our own: allocation that may fail, pools, scratch space, stores that pass the caches.

pub(crate) mod alloc;
pub(crate) mod nontemporal;
pub(crate) mod pool;
pub(crate) mod scratch;
