//! Which thread works on the engine: the lock, and the progress thread.

pub(crate) mod fork;
pub(crate) mod lock;
pub(crate) mod progress_thread;
pub(crate) mod weight;
