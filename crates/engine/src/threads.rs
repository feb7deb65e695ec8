//! Which thread works on the engine: the locks, and the threads that make
//! progress while the program computes.

pub(crate) mod fork;
pub(crate) mod lock;
pub(crate) mod overlap_thread;
pub(crate) mod progress_thread;
