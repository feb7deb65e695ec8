//! One MPI process: communicators, requests, matching, progress. The front end (an ABI) stands above
//! and brings handles, constants and codes; nothing here knows their values.

mod attribute;
mod buffer;
mod buffered;
mod channel;
mod collective;
mod collective_blocks;
mod collective_whole;
mod comm;
mod comm_idup;
mod comm_inter;
mod comm_make;
mod completion;
mod engine;
mod errhandler;
mod global;
mod group;
pub mod matching;
mod messages;
#[cfg(test)]
mod messages_tests;
mod nonblocking;
mod offered;
mod op;
mod p2p;
mod packet;
mod persistent;
pub mod quick;
mod request;
mod status;
mod table;
mod talk;
mod topology;
mod types;
mod wait;

pub use attribute::{Attributes, Bearer, CopyFunction, DeleteFunction, Keyval, Place};
pub use buffer::UserBuffer;
pub use buffered::{Pool, PoolMemory};
pub use collective::{Recipe, Typed};
pub use collective_blocks::{Irregular, Varied};
pub use comm::{Comm, CommId, SELF, WORLD};
pub use completion::Finished;
pub use engine::{Engine, initialise};
pub use errhandler::Errhandler;
pub use global::{Entered, enter, enter_anytime, is_threaded, set_threaded};
pub use group::Group;
pub use messages::Mode;
pub use op::{Op, UserFunction};
pub use p2p::{From, Message};
pub use persistent::Spec;
pub use request::RequestId;
pub use status::{Source, Status};
pub use table::Table;
pub use topology::{Cart, DistGraph, Graph, Topology, balance};
pub use types::TypeObject;
