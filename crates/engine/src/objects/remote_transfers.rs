//! Puts and gets of one window that the network does by itself (`rma/remote.rs`).

use std::collections::HashMap;

use dunlin_base::Rank;
use dunlin_datatype::Datatype;

use crate::objects::buffer::UserBuffer;

/// One of them: what is needed to ask its target, should the network fail.
#[derive(Debug)]
pub(crate) struct RemoteTransfer {
    /// The number under which the origin waits for it.
    pub reply: u64,
    /// The target.
    pub peer: Rank,
    /// A put, or else a get.
    pub is_put: bool,
    /// The origin's memory.
    pub buffer: UserBuffer,
    /// Units of displacement at the target.
    pub displacement: i64,
    /// Elements there.
    pub count: usize,
    /// Their type.
    pub datatype: Datatype,
}

/// Those under way.
#[derive(Debug, Default)]
pub(crate) struct RemoteTransfers {
    under_way: HashMap<u32, RemoteTransfer>,
    last: u32,
}

impl RemoteTransfers {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    /// One more; its number.
    pub fn add(&mut self, new: RemoteTransfer) -> u32 {
        self.last = self.last.wrapping_add(1);
        let before = self.under_way.insert(self.last, new);
        assert!(before.is_none(), "there are never so many at a time");
        self.last
    }

    /// The number of the last one.
    pub fn last(&self) -> u32 {
        self.last
    }

    /// Whether one to a target is under way that was begun no later than that with this number.
    pub fn have_older(&self, peer: Rank, last: u32) -> bool {
        let is_older = |number: &u32| last.wrapping_sub(*number) <= u32::MAX / 2;
        self.under_way.iter().any(|(number, one)| one.peer == peer && is_older(number))
    }

    /// It has ended, or was not begun.
    pub fn take(&mut self, number: u32) -> Option<RemoteTransfer> {
        self.under_way.remove(&number)
    }
}
