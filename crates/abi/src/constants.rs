//! The constants of the standard ABI, generated from `include/mpi.h`. A constant that is a pointer
//! in C stands here as its address.
#![allow(missing_docs, reason = "the names are the standard's own")]

use crate::types::*;
use std::ffi::c_int;

include!(concat!(env!("OUT_DIR"), "/constants.rs"));
