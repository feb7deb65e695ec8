//! Messages between nodes as packets. An [`Endpoint`] is one process; it is told the time, is shown
//! packets, writes packets into memory it is given, and calls an [`Upper`] with what arrives. It
//! does no I/O and reads no clock, so the tests run it on virtual time, under every fault a network
//! has.
//!
//! Anybody may send us packets: those count that one of the job's processes has sealed for us,
//! once, unless the fabric vouches for whom its packets are from.
//!
//! What the fabric lacks is added, and nothing else ([`Guarantee`]): on a reliable one neither
//! acknowledgements nor copies for retransmission. Order is restored only where matching needs it,
//! between the first words of messages: pieces of long ones say where they belong.
#![forbid(unsafe_code)]

mod config;
mod endpoint;
mod expected;
mod frame;
mod header;
mod inbox;
mod incoming;
mod numbered;
mod order;
mod outbox;
mod outgoing;
mod peer;
mod queue;
mod rtt;
mod sealing;
mod seq;
mod stats;
mod stream;
mod upper;
mod window;

pub use config::{Config, Guarantee, Nanos};
pub use endpoint::Endpoint;
pub use expected::Expected;
pub use frame::{Frame, Head, Spot, frames};
pub use header::{HEADER_BYTES, Header, Kind};
pub use outgoing::WITHDRAWN;
pub use sealing::{Credentials, alive};
pub use stats::Stats;
pub use upper::{Outlet, Taken, Upper};

/// Bytes that are not what this protocol writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;
