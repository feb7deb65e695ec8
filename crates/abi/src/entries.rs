//! The exported functions, generated from `api/`. Each calls the body of its name in one of the
//! modules imported here; the compiler reports a body that is missing or has other types. Functions
//! that are not implemented are exported too: programs that use them link, and a call reports the
//! function's name.

use std::ffi::{c_char, c_double, c_int, c_void};

use crate::raise::{Owner, unsupported};
use crate::standard::constants::MPI_FILE_NULL;
use crate::standard::types::*;

use crate::abi_info::*;
use crate::address::*;
use crate::attribute::*;
use crate::buffer_attach::*;
pub(crate) use crate::collective_calls::*;
use crate::collective_neighbour::*;
use crate::comm::*;
use crate::comm_make::*;
use crate::datatype::*;
use crate::datatype_arrays::*;
use crate::datatype_construct::*;
use crate::datatype_contents::*;
use crate::datatype_find::*;
use crate::environment::*;
use crate::errhandler::*;
use crate::errors::*;
use crate::grequest::*;
use crate::group::*;
use crate::info::*;
use crate::language::*;
use crate::memory::*;
use crate::op::*;
pub(crate) use crate::p2p::*;
use crate::pack::*;
use crate::partitioned::*;
use crate::persistent::*;
use crate::probe::*;
use crate::process::*;
pub(crate) use crate::request::*;
use crate::session::*;
use crate::status::*;
use crate::topology::*;
use crate::topology_graph::*;
use crate::window::*;
use crate::window_epochs::*;
use crate::window_operations::*;

include!(concat!(env!("OUT_DIR"), "/entries.rs"));
