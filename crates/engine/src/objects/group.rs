//! Groups: ordered sets of processes, named by their rank in `MPI_COMM_WORLD`.

use std::collections::HashMap;

use dunlin_base::Rank;

/// An ordered set of processes.
#[derive(Debug, Clone)]
pub struct Group {
    /// World ranks in group order.
    members: Vec<Rank>,
    /// Group rank by world rank; absent while the group is the world in order.
    places: Option<HashMap<Rank, Rank>>,
    /// The session it comes from; none for the world model's.
    session: Option<u32>,
}

impl PartialEq for Group {
    fn eq(&self, other: &Self) -> bool {
        self.members == other.members
    }
}

impl Group {
    /// The group of these world ranks, in this order.
    pub fn new(members: Vec<Rank>) -> Group {
        let in_order = members.iter().enumerate().all(|(i, &m)| i as Rank == m);
        let places =
            (!in_order).then(|| members.iter().enumerate().map(|(i, &m)| (m, i as Rank)).collect());
        Group { members, places, session: None }
    }

    /// Says which session it belongs to.
    pub fn of_session(self, session: Option<u32>) -> Group {
        Group { session, ..self }
    }

    /// The session it comes from.
    pub fn session(&self) -> Option<u32> {
        self.session
    }

    /// Number of processes.
    pub fn size(&self) -> u32 {
        self.members.len() as u32
    }

    /// The world rank of a member.
    #[inline]
    pub fn world_rank(&self, rank: Rank) -> Option<Rank> {
        self.members.get(rank as usize).copied()
    }

    /// The rank in this group of a process of the world.
    pub fn rank_of(&self, world: Rank) -> Option<Rank> {
        match &self.places {
            None => (world < self.size()).then_some(world),
            Some(places) => places.get(&world).copied(),
        }
    }

    /// World ranks, in group order.
    pub fn members(&self) -> &[Rank] {
        &self.members
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_translate_both_ways() {
        let g = Group::new(vec![4, 0, 2]);
        assert_eq!((g.world_rank(0), g.world_rank(3)), (Some(4), None));
        assert_eq!((g.rank_of(2), g.rank_of(1)), (Some(2), None));
        let world = Group::new(vec![0, 1, 2]);
        assert_eq!((world.rank_of(2), world.rank_of(3)), (Some(2), None));
    }
}
