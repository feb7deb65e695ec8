//! The standard ABI: the values of its constants, its types, the encoding of its handles and the
//! numbers of its errors. The other modules use names that every ABI has, never their values: only
//! this module can access the number in a handle and the reserved fields of a status. Another ABI
//! over the same entry points needs another module like this one.

pub mod attribute_keys;
pub mod constants;
pub mod error_codes;
pub mod handles;
mod status;
pub mod types;
