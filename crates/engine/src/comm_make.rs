//! Making and ending communicators; MPI 5.0 section 7.4. A new communicator's context is drawn by
//! the process that leads it, and told to the others in the one exchange its making needs anyway.

use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Rank, Result};

use crate::comm::{Comm, CommId, SELF, WORLD, context};
use crate::engine::Engine;
use crate::group::Group;

/// What each member says in a split: color, key, and a context serial in case it leads.
struct Wish {
    /// `None`: takes no part.
    color: Option<u32>,
    key: i32,
    serial: u32,
}

impl Wish {
    const BYTES: usize = 12;

    fn to_bytes(&self) -> [u8; Self::BYTES] {
        let color = self.color.map_or(-1, |c| c as i32);
        let mut bytes = [0; Self::BYTES];
        bytes[..4].copy_from_slice(&color.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.key.to_le_bytes());
        bytes[8..].copy_from_slice(&self.serial.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Self {
        let word = |i: usize| <[u8; 4]>::try_from(&bytes[i..i + 4]).expect("twelve bytes each");
        Wish {
            color: u32::try_from(i32::from_le_bytes(word(0))).ok(),
            key: i32::from_le_bytes(word(4)),
            serial: u32::from_le_bytes(word(8)),
        }
    }
}

impl Engine {
    fn add_comm(&self, context: u64, group: Group, parent: &Comm) -> Result<CommId> {
        let rank = group.rank_of(self.world_rank()).ok_or_else(|| {
            Error::new(ErrorClass::Intern, "this process is not in the communicator it makes")
        })?;
        let comm = Rc::new(Comm::new(context, Rc::new(group), rank, parent.errhandler.get()));
        let id = self.comms.borrow_mut().insert(comm.clone());
        comm.id.set(id);
        Ok(id)
    }

    /// A communicator of the same group with a context of its own; attributes are the front end's.
    pub fn comm_dup(&self, comm: &Rc<Comm>) -> Result<CommId> {
        let mut serial = if comm.rank == 0 { self.draw_context() } else { 0 }.to_le_bytes();
        self.bcast_bytes(comm, &mut serial, 0)?;
        let context = context(comm.world_rank(0)?, u32::from_le_bytes(serial));
        self.add_comm(context, Group::clone(&comm.group), comm)
    }

    /// One communicator per color, ranked by key and then by old rank; `None` for no color.
    pub fn comm_split(
        &self,
        comm: &Rc<Comm>,
        color: Option<u32>,
        key: i32,
    ) -> Result<Option<CommId>> {
        let mine = Wish { color, key, serial: self.draw_context() };
        let all = self.allgather_bytes(comm, &mine.to_bytes())?;
        let wishes: Vec<Wish> = all.chunks_exact(Wish::BYTES).map(Wish::from_bytes).collect();
        if color.is_none() {
            return Ok(None);
        }
        let same = |r: &Rank| wishes[*r as usize].color == color;
        let mut ranks: Vec<Rank> = (0..comm.size()).filter(same).collect();
        ranks.sort_by_key(|&r| (wishes[r as usize].key, r));
        let members = ranks.iter().map(|&r| comm.world_rank(r)).collect::<Result<Vec<_>>>()?;
        let context = context(members[0], wishes[ranks[0] as usize].serial);
        self.add_comm(context, Group::new(members), comm).map(Some)
    }

    /// Gives a communicator up; operations in progress on it still complete.
    pub fn comm_free(&self, id: CommId) -> Result<()> {
        if id == WORLD || id == SELF {
            let text = "MPI_COMM_WORLD and MPI_COMM_SELF cannot be freed";
            return Err(Error::new(ErrorClass::Comm, text));
        }
        self.comm(id)?;
        self.comms.borrow_mut().remove(id);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_survive_the_exchange() {
        for color in [None, Some(0), Some(i32::MAX as u32)] {
            let w = Wish::from_bytes(&Wish { color, key: -3, serial: 77 }.to_bytes());
            assert_eq!((w.color, w.key, w.serial), (color, -3, 77));
        }
    }
}
