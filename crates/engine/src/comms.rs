//! Making communicators.

pub(crate) mod control_channel;
pub(crate) mod idup;
pub(crate) mod inter;
pub(crate) mod make;
pub(crate) mod topology;
