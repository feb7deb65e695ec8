//! The addresses of ranks on other nodes: from the job map in the node's segment, which `mpirun`
//! fills, or from the launcher that started the ranks, asked once for each node that is used.

use std::sync::{Arc, OnceLock};

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_pmi::Pmi;
use dunlin_shm::address::Address;
use dunlin_shm::job_map::{Addresses, JobMap, RankLocation};
use parking_lot::Mutex;

use crate::net::node_card::NodeCard;

/// The key under which the first rank of a node publishes the addresses of its ranks.
const ENTRY: &str = "dunlin-node";

/// The connection to another library's launcher, until this process finalizes it. Used by the
/// thread that uses the network and by the keep-alive thread.
pub(crate) type ProcessManager = Arc<Mutex<Option<Box<dyn Pmi>>>>;

/// Where addresses come from.
#[derive(Clone)]
pub(crate) struct AddressVector {
    pub job_map: JobMap<'static>,
    /// None where our own launcher fills the job map.
    pub process_manager: Option<ProcessManager>,
    nodes: Arc<OnceLock<Nodes>>,
}

/// The ranks of each node, sorted once: otherwise a job that uses every node would scan all ranks
/// once for each.
struct Nodes {
    /// Where the ranks of a node begin, and last where those of the last one end.
    starts: Vec<u32>,
    ranks: Vec<Rank>,
}

impl Nodes {
    fn of(locations: &[RankLocation]) -> Nodes {
        let count = 1 + locations.iter().map(|place| place.node as usize).max().unwrap_or(0);
        let mut starts = vec![0; count + 1];
        locations.iter().for_each(|place| starts[place.node as usize + 1] += 1);
        (0..count).for_each(|node| starts[node + 1] += starts[node]);
        let mut ranks = vec![0; locations.len()];
        // Places on a node count up from 0 in the order of the ranks.
        for (rank, place) in (0..).zip(locations) {
            ranks[(starts[place.node as usize] + place.local) as usize] = rank;
        }
        Nodes { starts, ranks }
    }

    fn ranks(&self, node: u32) -> &[Rank] {
        let [from, to] = [node, node + 1].map(|at| self.starts[at as usize] as usize);
        &self.ranks[from..to]
    }
}

fn failed(text: String) -> Error {
    Error::new(ErrorClass::Other, text)
}

impl AddressVector {
    /// Addresses from the job map, or from a launcher that has to be asked.
    pub fn new(job_map: JobMap<'static>, process_manager: Option<ProcessManager>) -> AddressVector {
        AddressVector { job_map, process_manager, nodes: Arc::default() }
    }

    /// The address of a rank; `None` until it is known.
    pub fn find(&self, rank: Rank) -> Result<Option<Address>> {
        // Read before the address: both may change in between, and a complete exchange without an
        // address is an error.
        let state = self.job_map.addresses();
        if let Some(address) = self.job_map.address(rank as usize) {
            return Ok(Some(address));
        }
        match &self.process_manager {
            Some(process_manager) => self.ask(process_manager, rank).map(Some),
            None if state == Addresses::Gathering => Ok(None),
            None => {
                let host = self.job_map.host_of(rank as usize);
                Err(failed(format!(
                    "rank {rank} on {host} has not told its address: has it called MPI_Init?"
                )))
            }
        }
    }

    /// Asks the launcher for the addresses of a rank's node and writes them into the job map, for
    /// all ranks of this node.
    fn ask(&self, process_manager: &ProcessManager, rank: Rank) -> Result<Address> {
        let mut process_manager = process_manager.lock();
        let Some(pmi) = &mut *process_manager else {
            return Err(failed(format!(
                "rank {rank} is used for the first time after MPI_Finalize has taken leave of the \
                 launcher, which alone knows where it is: begin the session before MPI_Finalize"
            )));
        };
        let node = self.job_map.locations()[rank as usize].node;
        let nodes = self.nodes.get_or_init(|| Nodes::of(self.job_map.locations()));
        let ranks = nodes.ranks(node);
        let told = pmi.get(ranks[0] as usize, ENTRY)?;
        let entry = told.as_deref().and_then(NodeCard::decode);
        let Some(entry) = entry.filter(|entry| entry.addresses.len() == ranks.len()) else {
            return Err(failed(format!(
                "rank {} has not told by {} how the {} ranks of its host are reached: do all ranks \
                 use the same Dunlin?",
                ranks[0],
                pmi.name(),
                ranks.len()
            )));
        };
        self.job_map.name_host(node as usize, &entry.host);
        for (&rank, address) in ranks.iter().zip(&entry.addresses) {
            self.job_map.publish(rank as usize, address);
        }
        self.job_map
            .address(rank as usize)
            .ok_or_else(|| Error::new(ErrorClass::Intern, "an address that was noted is not there"))
    }
}

/// Publishes the addresses of this node's ranks; called by its first rank. Others can read them
/// after the next fence.
pub(crate) fn tell(pmi: &mut dyn Pmi, job_map: &JobMap<'_>) -> Result<()> {
    let addresses: Option<Vec<_>> =
        job_map.locals().iter().map(|&rank| job_map.address(rank as usize)).collect();
    let addresses = addresses.ok_or_else(|| {
        Error::new(ErrorClass::Intern, "a rank of this host has not said how it is reached")
    })?;
    pmi.put(ENTRY, &NodeCard { host: job_map.host(job_map.node()), addresses }.encode())
}

#[cfg(test)]
pub(crate) mod pretended {
    use super::*;
    use std::collections::HashMap;

    /// By rank and key.
    type Values = HashMap<(usize, String), Vec<u8>>;

    /// A launcher that keeps values, and counts how often it is asked.
    #[derive(Debug, Clone, Default)]
    pub struct StagedCopy {
        pub values: Arc<Mutex<Values>>,
        pub asked: Arc<Mutex<usize>>,
        pub rank: usize,
        /// Ranks beyond the three of this job.
        pub more: usize,
        pub aborted: Arc<Mutex<Option<i32>>>,
    }

    impl Pmi for StagedCopy {
        fn name(&self) -> &'static str {
            "a pretended PMI"
        }

        fn rank(&self) -> usize {
            self.rank
        }

        fn size(&self) -> usize {
            3 + self.more
        }

        fn job(&self) -> &str {
            "job"
        }

        fn nodes(&mut self) -> Result<Option<Vec<u32>>> {
            Ok(None)
        }

        fn put(&mut self, key: &str, value: &[u8]) -> Result<()> {
            self.values.lock().insert((self.rank, key.into()), value.into());
            Ok(())
        }

        fn fence(&mut self) -> Result<()> {
            Ok(())
        }

        fn get(&mut self, from: usize, key: &str) -> Result<Option<Vec<u8>>> {
            *self.asked.lock() += 1;
            Ok(self.values.lock().get(&(from, key.into())).cloned())
        }

        fn abort(&mut self, code: i32, _: &str) {
            *self.aborted.lock() = Some(code);
        }

        fn finalize(&mut self) -> Result<()> {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::pretended::StagedCopy;
    use super::*;
    use dunlin_shm::Segment;
    use dunlin_shm::job_map::{Job, RankLocation};

    fn address(rank: usize) -> Address {
        Address::new(format!("at {rank}").as_bytes()).unwrap()
    }

    /// The job map of a node of a job with rank 0 on node 0, and ranks 1 and 2 on node 1.
    fn job_map(node: u32) -> JobMap<'static> {
        let locations = [(0, 0), (1, 0), (1, 1)].map(|(node, local)| RankLocation { node, local });
        let mut hosts = vec![String::new(); 2];
        hosts[node as usize] = format!("host-{node}");
        let (key, machine) = Default::default();
        let job = Job { key, node, hosts, machine, locations: locations.into() };
        let segment: &'static Segment = Box::leak(Box::new(Segment::create(&job, 1).unwrap()));
        let job_map = segment.job_map();
        job_map
            .locals()
            .iter()
            .for_each(|&rank| job_map.publish(rank as usize, &address(rank as usize)));
        job_map
    }

    fn address_vector(kept: &StagedCopy) -> AddressVector {
        let pmi: Box<dyn Pmi> = Box::new(kept.clone());
        AddressVector::new(job_map(0), Some(Arc::new(Mutex::new(Some(pmi)))))
    }

    #[test]
    fn the_ranks_of_a_node_are_known_in_their_order() {
        let locations = [(1, 0), (0, 0), (2, 0), (1, 1), (0, 1), (1, 2)];
        let nodes = Nodes::of(&locations.map(|(node, local)| RankLocation { node, local }));
        let known = [0, 1, 2].map(|node| nodes.ranks(node));
        assert_eq!(known, [&[1, 4][..], &[0, 3, 5], &[2]]);
    }

    #[test]
    fn a_node_is_asked_for_once_and_known_with_its_name() {
        let kept = StagedCopy { rank: 1, ..StagedCopy::default() };
        tell(&mut kept.clone(), &job_map(1)).unwrap();
        let address_vector = address_vector(&kept);
        assert_eq!(address_vector.job_map.host_of(2), "host number 1");
        for rank in [2, 1, 2, 0] {
            assert_eq!(address_vector.find(rank as Rank).unwrap(), Some(address(rank)));
        }
        assert_eq!(*kept.asked.lock(), 1);
        assert_eq!(address_vector.job_map.host_of(2), "host-1");
    }

    #[test]
    fn a_node_that_has_told_nothing_or_too_little_is_named() {
        let kept = StagedCopy { rank: 1, ..StagedCopy::default() };
        let untold = address_vector(&kept).find(2).unwrap_err();
        assert!(untold.text.contains("rank 1 has not told by a pretended PMI"), "{untold}");
        let few = NodeCard { host: "h".into(), addresses: vec![address(1)] };
        kept.clone().put(ENTRY, &few.encode()).unwrap();
        assert!(address_vector(&kept).find(2).is_err());
    }

    #[test]
    fn after_leave_was_taken_nobody_is_asked() {
        let address_vector = address_vector(&StagedCopy::default());
        address_vector.process_manager.as_ref().unwrap().lock().take();
        let error = address_vector.find(1).unwrap_err();
        assert!(error.text.contains("begin the session before MPI_Finalize"), "{error}");
        assert_eq!(address_vector.find(0).unwrap(), Some(address(0)), "what is known stays so");
    }

    #[test]
    fn our_own_launcher_is_waited_for() {
        let address_vector = AddressVector::new(job_map(0), None);
        assert_eq!(address_vector.find(1).unwrap(), None);
    }
}
