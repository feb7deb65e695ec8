//! Messages between nodes as packets. An [`Endpoint`] is one process. Its caller tells it the time
//! and passes it packets; it writes packets into memory it is given, and calls an [`UpperLayer`]
//! with what arrives. It does no I/O and reads no clock, so the tests run it in virtual time, under
//! every fault a network has.
//!
//! Anybody may send us packets. An endpoint accepts only those that a process of the job has sealed
//! for it, and each only once, unless the fabric authenticates its packets itself.
//!
//! It adds what the fabric lacks and nothing else ([`Guarantee`]): on a reliable fabric neither
//! acknowledgements nor copies for retransmission. Order is restored only where matching needs it,
//! between the first fragments of messages; later fragments carry their offset.
#![forbid(unsafe_code)]

mod config;
mod endpoint;
mod farewell;
mod fragmenter;
mod frame;
mod frame_queue;
mod header;
mod id_map;
mod incoming;
mod outgoing;
mod peer;
mod prediction;
mod receive_window;
mod reorder_buffer;
mod retransmit_queue;
mod rtt;
mod sealing;
mod seq;
mod stats;
mod upper_layer;
mod window;

pub use config::{Config, Guarantee, Nanos};
pub use endpoint::Endpoint;
pub use frame::{Frame, MatchHeader, RemoteKey, frames};
pub use header::{HEADER_BYTES, Header, Kind};
pub use outgoing::CANCELLED;
pub use prediction::Predicted;
pub use sealing::{Credentials, alive};
pub use stats::Stats;
pub use upper_layer::{Consumed, PacketSink, UpperLayer};

/// Bytes that this protocol cannot have written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;
