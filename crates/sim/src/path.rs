//! What the time of an operation was spent on, along the chain of causes that ends with the last
//! rank.

use crate::queue::Time;
use serde::Serialize;

/// What a rank, or a message on its way, spends time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cost {
    /// The rank began late.
    Arrival,
    /// Entering and leaving the call.
    Call,
    /// Copying in a rank's own memory.
    Copy,
    /// Adding up.
    Reduce,
    /// Reading cache lines that others have written.
    Lines,
    /// Copying what others have written to shared memory.
    SharedCopy,
    /// Single copy by the kernel.
    SingleCopy,
    /// Waiting for memory that all cores of a NUMA domain use.
    MemoryBandwidth,
    /// Waiting for a core that other ranks use.
    CoreSharing,
    /// Messages within a node.
    NodeMessages,
    /// What cores spend on messages between nodes.
    NetworkSoftware,
    /// Latency of the network.
    NetworkLatency,
    /// Waiting for adapters or links that are busy.
    NetworkQueues,
    /// Bytes passing through adapters.
    NetworkBytes,
}

/// A moment in the history of a rank; a number that only [`History`] can read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment(u32);

/// Where every history begins.
pub(crate) const BEGIN: Moment = Moment(u32::MAX);

#[derive(Clone, Copy, Debug)]
struct Step {
    before: Moment,
    cost: Cost,
    rank: u32,
    took: Time,
}

/// What happened, as far as it is recorded.
#[derive(Debug, Default)]
pub(crate) struct History {
    /// `None`: nothing is recorded.
    steps: Option<Vec<Step>>,
}

/// A part of the critical path.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PathPart {
    /// What the time was spent on.
    pub cost: Cost,
    /// All of it.
    pub ns: f64,
    /// How many times.
    pub times: usize,
}

impl History {
    pub fn new(recorded: bool) -> History {
        History { steps: recorded.then(Vec::new) }
    }

    /// The moment `took` after `before`.
    pub fn add(&mut self, before: Moment, cost: Cost, rank: usize, took: Time) -> Moment {
        let Some(steps) = &mut self.steps else { return BEGIN };
        if took == 0 {
            return before;
        }
        steps.push(Step { before, cost, rank: rank as u32, took });
        Moment((steps.len() - 1) as u32)
    }

    /// The parts of the path that ends at `last`, the largest first, and how many ranks it passes.
    pub fn path(&self, last: Moment) -> (Vec<PathPart>, usize) {
        let (mut parts, mut ranks, mut at) = (Vec::<PathPart>::new(), Vec::new(), last);
        while let Some(step) = self.steps.as_ref().and_then(|steps| steps.get(at.0 as usize)) {
            let ns = step.took as f64 / 1e3;
            match parts.iter_mut().find(|part| part.cost == step.cost) {
                Some(part) => (part.ns, part.times) = (part.ns + ns, part.times + 1),
                None => parts.push(PathPart { cost: step.cost, ns, times: 1 }),
            }
            ranks.push(step.rank);
            at = step.before;
        }
        parts.sort_by(|one, other| other.ns.total_cmp(&one.ns));
        ranks.sort_unstable();
        ranks.dedup();
        (parts, ranks.len())
    }
}
