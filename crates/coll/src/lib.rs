//! Collective algorithms, each written once as an `async fn` over a [`Channel`]. An executor decides
//! what a message is: bytes through an engine, sets of contributions in a proof, ghosts in virtual
//! time. May use: `base`. Must not know: bytes, clocks, transports.
#![forbid(unsafe_code)]

mod channel;

pub use channel::{Buffer, Channel, View};
