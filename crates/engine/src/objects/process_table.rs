//! The process table: the processes that this one can address, and their nodes. Groups hold numbers
//! in it, so no layer above depends on how a process is reached or on the job to which it belongs:
//! processes of another job would get the numbers after those of this job.

use dunlin_base::Rank;
use dunlin_shm::job_map::RankLocation;

/// The number of a process in the table: its rank in `MPI_COMM_WORLD`.
pub type ProcessId = u32;

/// How a process is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// The process itself.
    Myself,
    /// A process on this node, by its local rank.
    Node(usize),
    /// A process on another node, by its rank in the network.
    Net(Rank),
}

/// The process table.
#[derive(Debug)]
pub(crate) struct ProcessTable {
    me: ProcessId,
    node: u32,
    /// The locations of the job's processes, stored once per node in its segment.
    locations: &'static [RankLocation],
}

impl ProcessTable {
    /// The table of process `me`.
    pub fn new(me: ProcessId, locations: &'static [RankLocation]) -> ProcessTable {
        ProcessTable { me, node: locations[me as usize].node, locations }
    }

    /// This process.
    #[inline]
    pub fn me(&self) -> ProcessId {
        self.me
    }

    /// How a process is reached.
    #[inline]
    pub fn route(&self, process: ProcessId) -> Route {
        let location = &self.locations[process as usize];
        match process {
            _ if process == self.me => Route::Myself,
            _ if location.node == self.node => Route::Node(location.local as usize),
            _ => Route::Net(process),
        }
    }

    /// The number of a process's node.
    pub fn node_of(&self, process: ProcessId) -> u32 {
        self.locations[process as usize].node
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_a_process_follows_from_where_it_is() {
        let at = |node, local| RankLocation { node, local };
        let job = Vec::leak(vec![at(1, 0), at(0, 0), at(1, 1)]);
        let table = ProcessTable::new(0, job);
        let routes = [0, 1, 2].map(|process| table.route(process));
        assert_eq!(routes, [Route::Myself, Route::Net(1), Route::Node(1)]);
        assert_eq!((table.me(), table.node_of(1)), (0, 0));
    }
}
