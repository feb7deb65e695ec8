#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod abi;
mod cache;
mod dynamic;
mod objects;
mod symbols;

pub use abi::Abi;
pub use dynamic::{Dynamic, is_same};
pub use objects::{Object, Objects};
pub use symbols::Symbols;
