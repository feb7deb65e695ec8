//! MPI datatypes as pure data: predefined types, constructors, layouts, packing, signatures,
//! external32 and reductions. No I/O, no clock, no `unsafe`: a buffer is a byte slice and the offset
//! of its first byte from the address the user gave.
#![forbid(unsafe_code)]

mod construct;
mod datatype;
mod elements;
mod envelope;
mod kernels;
mod layout;
mod pack;
mod primitive;
mod shape;
mod signature;

pub use datatype::Datatype;
pub use envelope::{Combiner, Contents, Envelope};
pub use primitive::Primitive;
