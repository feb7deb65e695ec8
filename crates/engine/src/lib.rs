//! One MPI process: communicators, requests, matching, progress. The front end (an ABI) stands
//! above and brings handles, constants and codes; nothing here knows their values.

mod adaptive;
mod calls;
mod coll;
mod comms;
#[cfg(test)]
mod dice;
mod engine;
pub mod matching;
mod memory;
mod net;
mod objects;
mod p2p;
mod rma;
mod runtime;
mod threads;

pub use calls::buffered::BufferOwner;
pub use calls::completion::Finished;
pub use calls::fast_path;
pub use calls::generalised::GeneralisedFunctions;
pub use calls::partitioned;
pub use calls::persistent::Spec;
pub use calls::request_fast_path;
pub use calls::send_recv::Message;
pub use calls::staged::Staging;
pub use coll::blocks::{Irregular, Varied};
pub use coll::fast_path::{CollFastPath, reduce_local};
pub use coll::fast_path_alone::CollAlone;
pub use coll::fast_path_apart::{Beside, Described};
pub use coll::fast_path_neighbours::{NeighbourFastPath, Traded};
pub use coll::plain_arguments::{Bytes, Members, Operator, OperatorOfProgram, PlainBlocks, Role};
pub use comms::topology::Edge;
pub use dunlin_coll::BlockLayout;
pub use dunlin_shm::window_part::LockKind;
pub use engine::Engine;
pub use engine::global::{Entered, enter, enter_anytime, set_threaded};
pub use engine::vci::{enter_for_messages, enter_vci, settle_vcis, try_enter_vci};
pub use memory::pool::{Pool, PoolMemory};
pub use objects::attribute::{
    AttributeKey, Attributes, CopyFunction, DeleteFunction, Keyval, Keyvals, ObjectKind,
};
pub use objects::buffer::{UserBuffer, UserMemory};
pub use objects::comm::{Comm, CommId, Direction, SELF, WORLD};
pub use objects::dims::balance;
pub use objects::errhandler::Errhandler;
pub use objects::group::Group;
pub use objects::inquiry;
pub use objects::layouts::committed as committed_layout;
pub use objects::op::{Op, UserFunction};
pub use objects::schedule::{Root, Schedule, Typed};
pub use objects::session::{ProcessSet, Session, SessionId};
pub use objects::status::{Source, Status, number_in_vci, number_of_program, vci_in};
pub use objects::table::Table;
pub use objects::topology::{Cart, Dimension, DistGraph, FewDimensions, Graph, Topology};
pub use objects::types::{TypeObject, Types};
pub use objects::window::{Flavor, Window, WindowId};
pub use p2p::request::{From, Mode, RequestId};
pub use rma::cached_target as rma_cached_target;
pub use rma::create::{WindowSource, ranks_in_window};
pub use rma::fast_path as rma_fast_path;
pub use rma::short as rma_short;
pub use rma::target_buffer::Target;
pub use runtime::exit::say;
pub use runtime::open::{give_up, is_for_threads, open};
pub use runtime::out_of_memory::end_without_memory;
pub use threads::fork::{end_forked, is_forked};
pub use threads::lock::is_threaded;
