//! MPI datatypes as pure data: predefined types, constructors, layouts, packing, signatures,
//! external32 and reductions. No I/O, no clock, no `unsafe`: a buffer is a [`Memory`], which
//! returns blocks at offsets from the address that the program gave.
#![forbid(unsafe_code)]

mod array;
pub mod byte_range;
mod construct;
mod datatype;
mod description;
mod digest;
mod elements;
mod envelope;
mod external32;
mod kernels;
mod layout;
mod memory;
mod pack;
mod predefined;
mod primitive;
pub mod reduce;
mod signature;
mod softfloat;
mod type_map;

pub use array::{Dimension, Distribution, Order};
pub use datatype::Datatype;
pub use envelope::{Combiner, Contents, Envelope};
pub use memory::{Memory, MemoryMut, Piece, WIDE_BYTES};
pub use predefined::TypeClass;
pub use primitive::Primitive;
