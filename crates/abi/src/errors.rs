//! Error codes and their texts (MPI 5.0, section 9.4). A code of ours is its class.

use crate::constants::*;
use crate::environment::put_string;
use crate::error_codes;
use crate::raise::{Owner, null_argument, raise};
use dunlin_base::{Error, ErrorClass};
use std::ffi::{c_char, c_int};

fn unknown_code(function: &'static str, code: c_int) -> c_int {
    let text = format!("error code {code} is none the library or MPI_Add_error_code gave out");
    raise(function, Owner::None, &Error::new(ErrorClass::Arg, text))
}

entry! {
    fn MPI_Error_class(errorcode: c_int, errorclass: *mut c_int) -> c_int {
        // SAFETY: the program passes null or the address of an int.
        let Some(errorclass) = (unsafe { errorclass.as_mut() }) else {
            return null_argument("MPI_Error_class", Owner::None, "errorclass", "an int");
        };
        if error_codes::text(errorcode).is_none() {
            return unknown_code("MPI_Error_class", errorcode);
        }
        *errorclass = errorcode;
        MPI_SUCCESS
    }

    fn MPI_Error_string(errorcode: c_int, string: *mut c_char, resultlen: *mut c_int) -> c_int {
        if string.is_null() || resultlen.is_null() {
            let needs = "MPI_MAX_ERROR_STRING characters, and of an int";
            return null_argument("MPI_Error_string", Owner::None, "an argument", needs);
        }
        let Some(text) = error_codes::text(errorcode) else {
            return unknown_code("MPI_Error_string", errorcode);
        };
        // SAFETY: the standard asks for MPI_MAX_ERROR_STRING characters; every text is shorter.
        unsafe { put_string(text, string, resultlen) };
        MPI_SUCCESS
    }
}
