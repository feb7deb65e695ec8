//! Groups: ordered sets of processes.

use std::collections::HashMap;

use dunlin_base::Rank;

use crate::objects::process_table::ProcessId;

/// An ordered set of processes.
#[derive(Debug, Clone)]
pub struct Group {
    /// The members in group order.
    members: Vec<ProcessId>,
    /// The ranks in this group by process; absent while the group is the world in order.
    places: Option<HashMap<ProcessId, Rank>>,
    /// The session that it comes from; none in the world model.
    session: Option<u32>,
}

impl PartialEq for Group {
    fn eq(&self, other: &Self) -> bool {
        self.members == other.members
    }
}

impl Group {
    /// The group of these processes, in this order.
    pub fn new(members: Vec<ProcessId>) -> Group {
        let in_order = members.iter().enumerate().all(|(i, &m)| i as Rank == m);
        let places =
            (!in_order).then(|| members.iter().enumerate().map(|(i, &m)| (m, i as Rank)).collect());
        Group { members, places, session: None }
    }

    /// Sets the session that it comes from.
    pub fn of_session(self, session: Option<u32>) -> Group {
        Group { session, ..self }
    }

    /// The session that it comes from.
    pub fn session(&self) -> Option<u32> {
        self.session
    }

    /// Number of processes.
    pub fn size(&self) -> u32 {
        self.members.len() as u32
    }

    /// The process of a rank.
    #[inline]
    pub fn process(&self, rank: Rank) -> Option<ProcessId> {
        self.members.get(rank as usize).copied()
    }

    /// The rank of a process in this group.
    pub fn rank_of(&self, process: ProcessId) -> Option<Rank> {
        match &self.places {
            None => (process < self.size()).then_some(process),
            Some(places) => places.get(&process).copied(),
        }
    }

    /// The processes in group order.
    pub fn members(&self) -> &[ProcessId] {
        &self.members
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_translate_both_ways() {
        let g = Group::new(vec![4, 0, 2]);
        assert_eq!((g.process(0), g.process(3)), (Some(4), None));
        assert_eq!((g.rank_of(2), g.rank_of(1)), (Some(2), None));
        let world = Group::new(vec![0, 1, 2]);
        assert_eq!((world.rank_of(2), world.rank_of(3)), (Some(2), None));
    }
}
