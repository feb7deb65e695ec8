//! The target's buffer, as an operation of an origin names it.

use dunlin_base::Rank;
use dunlin_datatype::Datatype;
use dunlin_datatype::reduce::Op;

use crate::rma::message::{Data, Header};

/// What an operation names at its target.
#[derive(Debug)]
pub struct Target {
    /// The process, by its rank in the window.
    pub rank: Rank,
    /// Units of displacement; in a dynamic window an address.
    pub displacement: i64,
    /// Elements.
    pub count: usize,
    /// Their type.
    pub datatype: Datatype,
}

impl Target {
    /// Bytes of its elements, which were checked not to be too many.
    pub(crate) fn bytes(&self) -> usize {
        self.datatype.size().saturating_mul(self.count)
    }

    pub(crate) fn header(&self, op: Op, reply: u64, data: Data) -> Header {
        let (displacement, count, datatype) = (self.displacement, self.count, &self.datatype);
        Header { reply, displacement, count, datatype: datatype.clone(), op, data }
    }
}
