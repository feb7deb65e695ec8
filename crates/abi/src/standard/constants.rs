//! The constants of the standard ABI, generated from `include/mpi.h`. The address of a
//! buffer is a pointer here too; any other pointer, which only ever is compared, is a number.
#![allow(missing_docs, reason = "the names are the standard's own")]

use crate::standard::types::*;
use std::ffi::c_int;

include!(concat!(env!("OUT_DIR"), "/constants.rs"));
