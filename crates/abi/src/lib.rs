//! The C entry points of `libmpi_abi.so.1`: each checks its arguments, converts handles to the
//! engine's objects, calls the engine and converts the result to the numbers of the standard ABI.
#![allow(non_camel_case_types, reason = "C types keep their C names")]
#![allow(clippy::too_many_arguments, reason = "the standard decides how many there are")]
#![allow(clippy::useless_conversion, reason = "one body serves the int and the MPI_Count form")]
#![allow(clippy::unnecessary_cast, reason = "as above")]

#[macro_use]
mod entry;

pub mod standard;
pub mod status;

mod abi_info;
mod address;
mod allocator;
mod array;
mod attribute;
mod attribute_world;
mod buffer_attach;
mod call;
mod collective;
mod collective_calls;
mod collective_fast_path;
mod collective_neighbour;
mod collective_neighbour_fast_path;
mod comm;
mod comm_make;
mod convert;
mod datatype;
mod datatype_arrays;
mod datatype_construct;
mod datatype_contents;
mod datatype_find;
mod entries;
mod environment;
mod errhandler;
mod errors;
mod families;
mod grequest;
mod group;
mod hardware;
mod info;
mod inquiry;
mod language;
mod memory;
mod op;
mod p2p;
mod p2p_fast_path;
mod pack;
mod partitioned;
mod persistent;
mod probe;
mod process;
mod raise;
mod request;
mod request_array;
mod request_fast_path;
mod session;
mod staging;
mod thread_misuse;
mod topology;
mod topology_graph;
mod user_handlers;
mod window;
mod window_epochs;
mod window_fast_path;
mod window_operations;
