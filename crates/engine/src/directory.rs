//! How ranks on other nodes are found: on the card of the node's segment, which our own launcher
//! has filled; or by asking the launcher that started them, once for each node that is used.

use std::sync::{Arc, OnceLock};

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_pmi::Pmi;
use dunlin_shm::address::Address;
use dunlin_shm::card::{Addresses, JobCard, Place};
use parking_lot::Mutex;

use crate::introduction::Entry;

/// What the first rank of a node tells of its ranks.
const ENTRY: &str = "dunlin-node";

/// The launcher that started this process and is not ours, until this process takes leave of it.
/// It is asked by who uses the network and by the thread that says that this process lives.
pub(crate) type Starter = Arc<Mutex<Option<Box<dyn Pmi>>>>;

/// Where to look.
#[derive(Clone)]
pub(crate) struct Directory {
    pub card: JobCard<'static>,
    /// None where our own launcher fills the card.
    pub starter: Option<Starter>,
    nodes: Arc<OnceLock<Nodes>>,
}

/// The ranks of each node, found in one look at all ranks: a job that uses every node would
/// otherwise look at every rank once for each.
struct Nodes {
    /// Where the ranks of a node begin, and last where those of the last one end.
    starts: Vec<u32>,
    ranks: Vec<Rank>,
}

impl Nodes {
    fn of(places: &[Place]) -> Nodes {
        let count = 1 + places.iter().map(|place| place.node as usize).max().unwrap_or(0);
        let mut starts = vec![0; count + 1];
        places.iter().for_each(|place| starts[place.node as usize + 1] += 1);
        (0..count).for_each(|node| starts[node + 1] += starts[node]);
        let mut ranks = vec![0; places.len()];
        // Places on a node count up from 0 in the order of the ranks.
        for (rank, place) in (0..).zip(places) {
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

impl Directory {
    /// Of the card, and of the launcher where it has to be asked.
    pub fn new(card: JobCard<'static>, starter: Option<Starter>) -> Directory {
        Directory { card, starter, nodes: Arc::default() }
    }

    /// How a rank is reached. `None` until that is known.
    pub fn find(&self, rank: Rank) -> Result<Option<Address>> {
        // Looked at first: the address may come, and the exchange be complete, between two looks.
        let state = self.card.addresses();
        if let Some(address) = self.card.address(rank as usize) {
            return Ok(Some(address));
        }
        match &self.starter {
            Some(starter) => self.ask(starter, rank).map(Some),
            None if state == Addresses::Gathering => Ok(None),
            None => {
                let host = self.card.host_of(rank as usize);
                Err(failed(format!(
                    "rank {rank} on {host} has not told its address: has it called MPI_Init?"
                )))
            }
        }
    }

    /// Asks for the node of a rank, and notes what is told on the card, for all ranks of this node.
    fn ask(&self, starter: &Starter, rank: Rank) -> Result<Address> {
        let mut starter = starter.lock();
        let Some(pmi) = &mut *starter else {
            return Err(failed(format!(
                "rank {rank} is used for the first time after MPI_Finalize has taken leave of the \
                 launcher, which alone knows where it is: begin the session before MPI_Finalize"
            )));
        };
        let node = self.card.places()[rank as usize].node;
        let nodes = self.nodes.get_or_init(|| Nodes::of(self.card.places()));
        let ranks = nodes.ranks(node);
        let told = pmi.get(ranks[0] as usize, ENTRY)?;
        let entry = told.as_deref().and_then(Entry::decode);
        let Some(entry) = entry.filter(|entry| entry.addresses.len() == ranks.len()) else {
            return Err(failed(format!(
                "rank {} has not told by {} how the {} ranks of its host are reached: do all ranks \
                 use the same Dunlin?",
                ranks[0],
                pmi.name(),
                ranks.len()
            )));
        };
        self.card.name_host(node as usize, &entry.host);
        for (&rank, address) in ranks.iter().zip(&entry.addresses) {
            self.card.publish(rank as usize, address);
        }
        self.card
            .address(rank as usize)
            .ok_or_else(|| Error::new(ErrorClass::Intern, "an address that was noted is not there"))
    }
}

/// Tells all other nodes of this one, for its first rank; they find it after the next fence.
pub(crate) fn tell(pmi: &mut dyn Pmi, card: &JobCard<'_>) -> Result<()> {
    let addresses: Option<Vec<_>> =
        card.locals().iter().map(|&rank| card.address(rank as usize)).collect();
    let addresses = addresses.ok_or_else(|| {
        Error::new(ErrorClass::Intern, "a rank of this host has not said how it is reached")
    })?;
    pmi.put(ENTRY, &Entry { host: card.host(card.node()), addresses }.encode())
}

#[cfg(test)]
pub(crate) mod pretended {
    use super::*;
    use std::collections::HashMap;

    /// By rank and key.
    type Values = HashMap<(usize, String), Vec<u8>>;

    /// A launcher that keeps values, and counts how often it is asked.
    #[derive(Debug, Clone, Default)]
    pub struct Kept {
        pub values: Arc<Mutex<Values>>,
        pub asked: Arc<Mutex<usize>>,
        pub rank: usize,
        pub aborted: Arc<Mutex<Option<i32>>>,
    }

    impl Pmi for Kept {
        fn name(&self) -> &'static str {
            "a pretended PMI"
        }

        fn rank(&self) -> usize {
            self.rank
        }

        fn size(&self) -> usize {
            3
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
    use super::pretended::Kept;
    use super::*;
    use dunlin_shm::Segment;
    use dunlin_shm::card::{Job, Place};

    fn address(rank: usize) -> Address {
        Address::new(format!("at {rank}").as_bytes()).unwrap()
    }

    /// The card of a node of a job with rank 0 on node 0, and ranks 1 and 2 on node 1.
    fn card(node: u32) -> JobCard<'static> {
        let places = [(0, 0), (1, 0), (1, 1)].map(|(node, local)| Place { node, local });
        let mut hosts = vec![String::new(); 2];
        hosts[node as usize] = format!("host-{node}");
        let job = Job { key: Default::default(), node, hosts, places: places.into() };
        let segment: &'static Segment = Box::leak(Box::new(Segment::create(&job, 1).unwrap()));
        let card = segment.card();
        card.locals().iter().for_each(|&rank| card.publish(rank as usize, &address(rank as usize)));
        card
    }

    fn directory(kept: &Kept) -> Directory {
        let pmi: Box<dyn Pmi> = Box::new(kept.clone());
        Directory::new(card(0), Some(Arc::new(Mutex::new(Some(pmi)))))
    }

    #[test]
    fn the_ranks_of_a_node_are_known_in_their_order() {
        let places = [(1, 0), (0, 0), (2, 0), (1, 1), (0, 1), (1, 2)];
        let nodes = Nodes::of(&places.map(|(node, local)| Place { node, local }));
        let known = [0, 1, 2].map(|node| nodes.ranks(node));
        assert_eq!(known, [&[1, 4][..], &[0, 3, 5], &[2]]);
    }

    #[test]
    fn a_node_is_asked_for_once_and_known_with_its_name() {
        let kept = Kept { rank: 1, ..Kept::default() };
        tell(&mut kept.clone(), &card(1)).unwrap();
        let directory = directory(&kept);
        assert_eq!(directory.card.host_of(2), "host number 1");
        for rank in [2, 1, 2, 0] {
            assert_eq!(directory.find(rank as Rank).unwrap(), Some(address(rank)));
        }
        assert_eq!(*kept.asked.lock(), 1);
        assert_eq!(directory.card.host_of(2), "host-1");
    }

    #[test]
    fn a_node_that_has_told_nothing_or_too_little_is_named() {
        let kept = Kept { rank: 1, ..Kept::default() };
        let untold = directory(&kept).find(2).unwrap_err();
        assert!(untold.text.contains("rank 1 has not told by a pretended PMI"), "{untold}");
        let few = Entry { host: "h".into(), addresses: vec![address(1)] };
        kept.clone().put(ENTRY, &few.encode()).unwrap();
        assert!(directory(&kept).find(2).is_err());
    }

    #[test]
    fn after_leave_was_taken_nobody_is_asked() {
        let directory = directory(&Kept::default());
        directory.starter.as_ref().unwrap().lock().take();
        let error = directory.find(1).unwrap_err();
        assert!(error.text.contains("begin the session before MPI_Finalize"), "{error}");
        assert_eq!(directory.find(0).unwrap(), Some(address(0)), "what is known stays so");
    }

    #[test]
    fn our_own_launcher_is_waited_for() {
        let directory = Directory::new(card(0), None);
        assert_eq!(directory.find(1).unwrap(), None);
    }
}
