//! Runs an operation on a simulated job.

use crate::layout::Layout;
use crate::machine::Machine;
use crate::network::{Fabric, ps};
use crate::path::{Cost, PathPart};
use crate::process::Process;
use crate::queue::Time;
use crate::random::Random;
use crate::world::World;
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll::{Domains, Nodes};
use serde::Serialize;
use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// When ranks begin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arrivals {
    /// All at once.
    Together,
    /// Each some time later, up to so many nanoseconds, drawn from the seed.
    Within(f64),
}

/// What to run, and how.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'m> {
    /// The machine.
    pub machine: &'m Machine,
    /// The job.
    pub layout: Layout,
    /// When ranks begin.
    pub arrivals: Arrivals,
    /// What latencies and arrivals are drawn from.
    pub seed: u64,
    /// Whether to find the critical path, which takes memory for every step of every rank.
    pub path: bool,
    /// Gives up what takes longer, in nanoseconds.
    pub within_ns: f64,
    /// Gives up what takes the simulator more events.
    pub events_max: u64,
}

impl Setup<'_> {
    /// How late the last rank may begin.
    pub fn arrival_ns(&self) -> f64 {
        match self.arrivals {
            Arrivals::Together => 0.0,
            Arrivals::Within(ns) => ns,
        }
    }
}

/// What an operation needs to know of its buffers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Data {
    /// Bytes of an element.
    pub unit: usize,
    /// Bytes of all buffers of rank 0, the root where there is one, without scratch memory.
    pub at_root: f64,
    /// The same of any other rank.
    pub elsewhere: f64,
    /// Whether the call has any.
    pub has_data: bool,
    /// Whether the call takes the fast path of collectives.
    pub is_fast: bool,
}

/// How long an operation took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// From the last rank's beginning until the last rank's end.
    pub completion_ns: f64,
    /// The mean of what each rank spent in the call.
    pub mean_local_ns: f64,
    /// The longest of these.
    pub max_local_ns: f64,
    /// Messages between nodes.
    pub network_messages: u64,
    /// Bytes in them.
    pub network_bytes: u64,
    /// What the simulator did.
    pub events: u64,
    /// What the time until the last rank's end was spent on, the largest part first; empty if it
    /// was not asked for.
    pub path: Vec<PathPart>,
    /// How many ranks that path passes.
    pub path_ranks: usize,
}

/// Runs `algorithm` at every rank; `None` if it was given up. It stands for one call of many: what
/// ranks are told in one they know in the next, so a second run may tell what the first could not.
/// `how` is what the algorithm is given at each rank: kept apart from it, it makes the future of a
/// rank no larger.
pub(crate) fn run<'m, A: Copy>(
    setup: &Setup<'m>,
    data: Data,
    how: A,
    algorithm: impl AsyncFn(&Process<'_, 'm>, A) -> Result<()>,
) -> Result<Option<Outcome>> {
    let ranks = setup.layout.ranks();
    let first = attempt(setup, data, how, &algorithm, &vec![false; ranks])?;
    if !first.looked || (first.outcome.is_some() && !first.told.contains(&true)) {
        return Ok(first.outcome);
    }
    let told = match first.outcome {
        Some(_) => first.told,
        // It was given up, perhaps for what it would have known.
        None => {
            let knowing = attempt(setup, data, how, &algorithm, &vec![true; ranks])?;
            if knowing.outcome.is_none() || !knowing.told.contains(&true) {
                return Ok(None);
            }
            knowing.told
        }
    };
    Ok(attempt(setup, data, how, &algorithm, &told)?.outcome)
}

/// One run.
struct Attempt {
    /// None if it was given up.
    outcome: Option<Outcome>,
    /// By rank: whether it was told that all had begun.
    told: Vec<bool>,
    /// Whether a rank had to look for that.
    looked: bool,
}

/// Runs `algorithm` where the ranks of which `knows` says so have been told in the call before that
/// all had begun it.
fn attempt<'m, A: Copy>(
    setup: &Setup<'m>,
    data: Data,
    how: A,
    algorithm: &impl AsyncFn(&Process<'_, 'm>, A) -> Result<()>,
    knows: &[bool],
) -> Result<Attempt> {
    let Setup { machine, layout, .. } = *setup;
    let arrivals = arrivals(setup);
    let mut world = World::new(machine, layout, &arrivals, setup.path);
    for (rank, &knows) in world.ranks.iter_mut().zip(knows) {
        rank.knows_of_all = knows;
    }
    for rank in 0..layout.ranks() {
        world.works_on(rank, if rank == 0 { data.at_root } else { data.elsewhere });
    }
    world.fabric = fabric(setup)?;
    let labels: Vec<usize> = (0..layout.ranks()).map(|rank| layout.node_of(rank)).collect();
    let nodes = Rc::new(Nodes::from_labels(&labels));
    let domains = Rc::new(Domains::new(&machine.places(layout)));
    let world = RefCell::new(world);
    let process = |rank| Process {
        world: &world,
        rank,
        size: layout.ranks(),
        nodes: nodes.clone(),
        domains: domains.clone(),
        unit: data.unit,
        is_fast: data.is_fast,
        has_data: data.has_data,
    };
    let processes: Vec<Process> = (0..layout.ranks()).map(process).collect();
    let mut futures: Vec<Option<Call>> = processes
        .iter()
        .map(|process| Some(Box::pin(call(process, how, algorithm)) as _))
        .collect();
    let mut context = Context::from_waker(Waker::noop());
    let latest = ps(setup.within_ns);
    loop {
        let Some(rank) = world.borrow_mut().next_rank() else { break };
        let reached = world.borrow();
        if reached.queue.now() > latest || reached.counts.events > setup.events_max {
            return Ok(Attempt::of(&reached, None));
        }
        drop(reached);
        let Some(future) = &mut futures[rank] else { continue };
        match future.as_mut().poll(&mut context) {
            Poll::Ready(result) => {
                result?;
                futures[rank] = None;
                world.borrow_mut().lets_core_go(rank);
            }
            Poll::Pending => world.borrow_mut().suspend(rank),
        }
        if world.borrow().all_ended() {
            break;
        }
    }
    drop(futures);
    let world = world.borrow();
    let found = outcome(&world, &arrivals)?;
    let in_time = found.completion_ns + setup.arrival_ns() <= setup.within_ns;
    Ok(Attempt::of(&world, in_time.then_some(found)))
}

impl Attempt {
    fn of(world: &World, outcome: Option<Outcome>) -> Attempt {
        let told = world.ranks.iter().map(|rank| rank.told_of_all).collect();
        let looked = world.ranks.iter().any(|rank| rank.looked_for_room);
        Attempt { outcome, told, looked }
    }
}

/// A call of one rank.
type Call<'c> = Pin<Box<dyn Future<Output = Result<()>> + 'c>>;

async fn call<'w, 'm, A>(
    process: &Process<'w, 'm>,
    how: A,
    algorithm: &impl AsyncFn(&Process<'_, 'm>, A) -> Result<()>,
) -> Result<()> {
    let node = process.world.borrow().node;
    let general = match process.is_fast {
        true => 0.0,
        false if process.has_data => node.general_call_ns + node.data_call_ns,
        false => node.general_call_ns,
    };
    let half = ps((node.call_ns + general) / 2.0);
    process.world.borrow_mut().spend(process.rank, Cost::Call, half);
    algorithm(process, how).await?;
    process.world.borrow_mut().spend(process.rank, Cost::Call, ps(general / 2.0));
    process.world.borrow_mut().finish(process.rank);
    process.goes_on().await
}

fn arrivals(setup: &Setup) -> Vec<Time> {
    let mut random = Random::new(setup.seed.wrapping_add(1));
    let within = match setup.arrivals {
        // Where ranks share cores, nobody knows whose turn is first.
        Arrivals::Together if setup.machine.has_shared_cores(setup.layout) => 1.0,
        Arrivals::Together => 0.0,
        Arrivals::Within(ns) => ns,
    };
    (0..setup.layout.ranks()).map(|_| ps(random.uniform() * within)).collect()
}

fn fabric<'m>(setup: &Setup<'m>) -> Result<Option<Fabric<'m>>> {
    match &setup.machine.network {
        _ if setup.layout.nodes == 1 => Ok(None),
        Some(network) => {
            let shared = network.hosts_share_cores.then(|| setup.machine.node.cores());
            Ok(Some(Fabric::new(network, setup.layout, shared.unwrap_or(0), setup.seed)))
        }
        None => {
            let nodes = setup.layout.nodes;
            let text = format!("the machine has no network, so it has 1 node, not {nodes}");
            Err(Error::new(ErrorClass::Arg, text))
        }
    }
}

fn outcome(world: &World, arrivals: &[Time]) -> Result<Outcome> {
    if let Some(&first) = world.stuck().first() {
        let text = format!("rank {first} waits for ever: the algorithm deadlocks");
        return Err(Error::new(ErrorClass::Intern, text));
    }
    let last_began = arrivals.iter().copied().max().unwrap_or(0);
    let ns = |time: Time| time as f64 / 1e3;
    let ends = world.ranks.iter().map(|rank| rank.end.0);
    let local: Vec<f64> = ends.enumerate().map(|(rank, end)| ns(end - arrivals[rank])).collect();
    let last = world.ranks.iter().map(|rank| rank.end).max_by_key(|end| end.0);
    let (path, path_ranks) = last.map(|end| world.history.path(end.1)).unwrap_or_default();
    Ok(Outcome {
        completion_ns: ns(last.map_or(0, |end| end.0) - last_began),
        mean_local_ns: local.iter().sum::<f64>() / local.len() as f64,
        max_local_ns: local.iter().copied().fold(0.0, f64::max),
        network_messages: world.counts.network_messages,
        network_bytes: world.counts.network_bytes,
        events: world.counts.events,
        path,
        path_ranks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use dunlin_coll::{Channel, View};

    #[test]
    #[should_panic(expected = "would wait for two things at a time")]
    fn a_rank_that_would_wait_for_two_things_at_a_time_is_noticed() {
        let machine = Machine::parse(include_str!("../../../machines/hpc7a.toml")).unwrap();
        let setup = Setup {
            machine: &machine,
            layout: Layout { nodes: 2, ranks_per_node: 1 },
            arrivals: Arrivals::Together,
            seed: 1,
            path: false,
            within_ns: f64::INFINITY,
            events_max: u64::MAX,
        };
        let data = Data { unit: 1, at_root: 0.0, elsewhere: 0.0, has_data: true, is_fast: false };
        let both = async |process: &Process<'_, '_>, ()| {
            let [one, two] = [0, 8].map(|start| process.irecv(1, View::recv(start, 8)));
            let (first, second) = (process.wait(one?), process.wait(two?));
            first.await?;
            second.await
        };
        let _ = run(&setup, data, (), both);
    }
}
