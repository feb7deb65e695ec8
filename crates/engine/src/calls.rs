//! What the point-to-point and completion calls of MPI do.

mod alloc_mem;
pub(crate) mod buffered;
pub(crate) mod completion;
pub mod fast_path;
pub(crate) mod generalised;
pub(crate) mod isendrecv;
pub mod partitioned;
pub(crate) mod persistent;
pub mod request_fast_path;
pub(crate) mod send_recv;
pub(crate) mod staged;
pub(crate) mod transfer_units;
