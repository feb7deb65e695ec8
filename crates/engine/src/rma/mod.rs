//! One-sided communication; MPI 5.0 chapter 12. Every operation is an active message: the target
//! handles it during progress, in the order in which an origin has sent. So an acknowledgement
//! says that all before it is done, and a flush is one round trip, whatever it follows.

pub(crate) mod create;
pub(crate) mod epoch;
pub(crate) mod message;
pub(crate) mod origin;
pub(crate) mod target;
