//! MPI's objects: communicators, groups, attributes, datatypes, operators, sessions, statuses,
//! buffers. No module here sends messages.

pub(crate) mod attribute;
pub(crate) mod barrier_exit;
pub(crate) mod buffer;
pub(crate) mod coll_module;
pub(crate) mod comm;
pub(crate) mod dims;
pub(crate) mod errhandler;
pub(crate) mod group;
pub mod inquiry;
pub(crate) mod layouts;
pub(crate) mod long_ways;
pub(crate) mod op;
pub(crate) mod partition_states;
pub(crate) mod poll_guess;
pub(crate) mod process_table;
pub(crate) mod remote_transfers;
pub(crate) mod schedule;
pub(crate) mod sent_packets;
pub(crate) mod session;
pub(crate) mod staged_arguments;
pub(crate) mod status;
pub(crate) mod table;
pub(crate) mod target_cache;
pub(crate) mod topology;
pub(crate) mod types;
pub(crate) mod window;
pub(crate) mod window_layouts;
pub(crate) mod window_lock;
pub(crate) mod zero_copies;
