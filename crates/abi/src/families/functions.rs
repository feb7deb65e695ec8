//! The functions whose arguments are converted one by one, made from `api/`.
#![allow(clippy::let_and_return, reason = "most results are converted, few are not")]
#![allow(unused_mut, unused_variables, reason = "one form serves arguments in all directions")]

use std::ffi::{c_char, c_double, c_int, c_void};

use super::convert::*;
use super::types::*;
use super::{Family, Foreign, bounds, export_family, families, lengths};
use crate::entries::{self as bodies, exported as standard};
use crate::standard::types::*;

include!(concat!(env!("OUT_DIR"), "/family_functions.rs"));
