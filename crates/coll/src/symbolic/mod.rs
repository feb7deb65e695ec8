//! The executor that proves algorithms. All ranks run as futures of one process; a message carries
//! symbols that say whose contribution it is, so a run that ends with the expected symbols would
//! end right with any data. What it refuses: reading undefined data, wrong lengths, contributions
//! lost, doubled or out of order, touching memory in flight, messages nobody receives, deadlock.
//!
//! Which rank runs next is drawn from a seed, so that one run of a test is like any other.

mod layouts;
mod memory;
mod node_channel;
mod proofs;
mod value;

pub use layouts::{DomainMap, NodeMap};
pub use memory::{Buffers, Overlay};
pub use proofs::{Case, Subject, cases, subjects};
pub use value::Value;

use crate::{Channel, Member, Nodes, STAGES, Slot, View};
use dunlin_base::{Error, ErrorClass, Result};
use memory::{Atom, Extent, Memory};
use node_channel::{Exhibit, Uses};
use std::cell::RefCell;
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// When a send is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sends {
    /// At once: the executor buffers it.
    Eager,
    /// When its receive is posted: an algorithm that relies on buffering deadlocks.
    Synchronous,
}

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// When a send is complete.
    pub sends: Sends,
    /// Whether operands may be combined in any order.
    pub commutative: bool,
    /// Draws the order in which ranks run.
    pub seed: u64,
    /// Atoms that a rank may copy in at one step.
    pub room: usize,
    /// Which ranks of a node share caches.
    pub domains: DomainMap,
}

/// What one rank sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Messages sent.
    pub messages: usize,
    /// Atoms sent in all of them.
    pub atoms: usize,
}

/// What a run left behind.
#[derive(Debug)]
pub struct Outcome {
    /// Every rank's receive buffer.
    pub recv: Vec<Vec<Value>>,
    /// What every rank sent.
    pub traffic: Vec<Traffic>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Out,
    In,
}

#[derive(Debug)]
struct Transfer {
    peer: usize,
    direction: Direction,
    place: Extent,
    /// What an eager send took along.
    payload: Option<Vec<Value>>,
    complete: bool,
}

#[derive(Debug)]
struct Rank {
    number: usize,
    memory: Memory,
    /// Every transfer ever posted; a request is an index.
    transfers: Vec<Transfer>,
    /// Transfers whose other half is missing, in the order of posting.
    unmatched: Vec<usize>,
    /// Transfers not yet waited for.
    in_flight: Vec<usize>,
    /// What the rank's future waits for.
    waits_for: Option<usize>,
    /// What it publishes the other ranks of its node, by step.
    published: HashMap<usize, Exhibit>,
    /// The last stage of that.
    stage: usize,
    /// Stages it has left.
    left: usize,
    /// Whether any of that is exposed for puts.
    exposes_for_put: bool,
    /// Who has used memory that it exposes or has exposed for puts, by atom.
    uses: RefCell<HashMap<Atom, Uses>>,
    /// What it waits to see.
    waits_for_slot: Option<Slot>,
    /// What it waits to publish: others have not left a stage in the way.
    room_for: Option<usize>,
    traffic: Traffic,
    begun: bool,
    finished: bool,
}

#[derive(Debug)]
struct World {
    rules: Rules,
    random: u64,
    ranks: Vec<Rank>,
    /// Ranks that can go on.
    runnable: Vec<usize>,
}

/// One rank, as the algorithm sees it.
#[derive(Debug)]
pub struct Process<'w> {
    world: &'w RefCell<World>,
    rank: usize,
    size: usize,
    nodes: Rc<Nodes>,
}

/// Runs `algorithm` at every rank until all are done. An error says which rank did what; with the
/// same seed it comes again. All ranks are on one node.
pub fn run(
    rules: Rules,
    buffers: Vec<Buffers>,
    algorithm: impl AsyncFn(&Process<'_>) -> Result<()>,
) -> Result<Outcome> {
    run_on(NodeMap::One, rules, buffers, algorithm)
}

/// As [`run`], with the ranks on nodes as `map` says.
pub fn run_on(
    map: NodeMap,
    rules: Rules,
    buffers: Vec<Buffers>,
    algorithm: impl AsyncFn(&Process<'_>) -> Result<()>,
) -> Result<Outcome> {
    let size = buffers.len();
    let nodes = Rc::new(map.nodes(size));
    let world = RefCell::new(World::new(rules, buffers));
    let process = |rank| Process { world: &world, rank, size, nodes: nodes.clone() };
    let processes: Vec<_> = (0..size).map(process).collect();
    let mut futures: Vec<Pin<Box<dyn Future<Output = Result<()>> + '_>>> = Vec::new();
    for process in &processes {
        futures.push(Box::pin(algorithm(process)));
    }
    let mut context = Context::from_waker(Waker::noop());
    loop {
        let Some(rank) = world.borrow_mut().next_runnable() else { break };
        world.borrow_mut().ranks[rank].begun = true;
        if let Poll::Ready(result) = futures[rank].as_mut().poll(&mut context) {
            result?;
            world.borrow_mut().finish(rank)?;
        }
    }
    drop(futures);
    world.into_inner().outcome()
}

fn fault(rank: usize, text: impl std::fmt::Display) -> Error {
    Error::new(ErrorClass::Intern, format!("rank {rank} {text}"))
}

impl World {
    fn new(rules: Rules, buffers: Vec<Buffers>) -> World {
        let runnable = (0..buffers.len()).collect();
        let rank = |(number, buffers)| Rank {
            number,
            memory: Memory::new(buffers),
            transfers: Vec::new(),
            unmatched: Vec::new(),
            in_flight: Vec::new(),
            waits_for: None,
            published: HashMap::new(),
            stage: 0,
            left: 0,
            exposes_for_put: false,
            uses: RefCell::default(),
            waits_for_slot: None,
            room_for: None,
            traffic: Traffic::default(),
            begun: false,
            finished: false,
        };
        let ranks = buffers.into_iter().enumerate().map(rank).collect();
        // The generator stands still at zero.
        World { rules, random: rules.seed | 1, ranks, runnable }
    }

    /// Xorshift, Marsaglia (2003).
    fn draw(&mut self, below: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 32) as usize % below
    }

    fn next_runnable(&mut self) -> Option<usize> {
        if self.runnable.is_empty() {
            return None;
        }
        let at = self.draw(self.runnable.len());
        Some(self.runnable.swap_remove(at))
    }

    fn finish(&mut self, rank: usize) -> Result<()> {
        let me = &mut self.ranks[rank];
        me.finished = true;
        me.left = usize::MAX - STAGES;
        if let Some(&request) = me.in_flight.first() {
            let transfer = me.describe(request);
            return Err(fault(rank, format!("ends without waiting for its transfer: {transfer}")));
        }
        self.make_room();
        Ok(())
    }

    fn outcome(self) -> Result<Outcome> {
        let stuck: Vec<usize> =
            (0..self.ranks.len()).filter(|&rank| !self.ranks[rank].finished).collect();
        if let Some(&first) = stuck.first() {
            let waits =
                stuck.iter().map(|&rank| format!("rank {rank}: {}", self.ranks[rank].wait()));
            let list: Vec<String> = waits.collect();
            return Err(fault(first, format!("deadlocks; waiting are {}", list.join("; "))));
        }
        for (rank, state) in self.ranks.iter().enumerate() {
            if let Some(&lost) = state.unmatched.first() {
                let text = format!("leaves a message nobody received: {}", state.describe(lost));
                return Err(fault(rank, text));
            }
        }
        Ok(Outcome {
            recv: self.ranks.iter().map(|rank| rank.memory.recv().to_vec()).collect(),
            traffic: self.ranks.iter().map(|rank| rank.traffic).collect(),
        })
    }

    /// Posts a transfer and delivers it if the other side has posted its half.
    fn post(
        &mut self,
        rank: usize,
        peer: usize,
        direction: Direction,
        view: View,
    ) -> Result<usize> {
        if peer == rank || peer >= self.ranks.len() {
            return Err(fault(rank, format!("names rank {peer} as the peer of a transfer")));
        }
        let eager = direction == Direction::Out && self.rules.sends == Sends::Eager;
        let me = &mut self.ranks[rank];
        let place = me.touch(view, direction == Direction::In).map_err(|e| fault(rank, e))?;
        let mut payload = None;
        if direction == Direction::Out {
            let values = me.memory.read(place).map_err(|e| fault(rank, e))?;
            payload = eager.then_some(values);
            me.traffic.messages += 1;
            me.traffic.atoms += place.atoms();
        }
        let transfer = Transfer { peer, direction, place, payload, complete: eager };
        let request = me.transfers.len();
        me.transfers.push(transfer);
        me.in_flight.push(request);
        me.unmatched.push(request);
        let other = match direction {
            Direction::Out => Direction::In,
            Direction::In => Direction::Out,
        };
        if let Some(half) = self.ranks[peer].first_unmatched(rank, other) {
            match direction {
                Direction::Out => self.deliver((rank, request), (peer, half))?,
                Direction::In => self.deliver((peer, half), (rank, request))?,
            }
        }
        Ok(request)
    }

    fn deliver(
        &mut self,
        (from, send): (usize, usize),
        (to, receive): (usize, usize),
    ) -> Result<()> {
        let sender = &mut self.ranks[from];
        let transfer = &mut sender.transfers[send];
        let values = match transfer.payload.take() {
            Some(values) => values,
            None => sender.memory.read(transfer.place).map_err(|e| fault(from, e))?,
        };
        let place = self.ranks[to].transfers[receive].place;
        let written = self.ranks[to].memory.write(place, values);
        written.map_err(|e| fault(to, format!("receives from rank {from} and {e}")))?;
        self.complete(from, send);
        self.complete(to, receive);
        Ok(())
    }

    fn complete(&mut self, rank: usize, request: usize) {
        let me = &mut self.ranks[rank];
        me.unmatched.retain(|&other| other != request);
        me.transfers[request].complete = true;
        if me.waits_for == Some(request) {
            me.waits_for = None;
            self.runnable.push(rank);
        }
    }

    /// Now and then a wait is put off although it could end, so that ranks meet in many orders.
    fn puts_off(&mut self, rank: usize, put_off: &mut bool) -> bool {
        const PUT_OFF_ONE_IN: usize = 4;
        if *put_off || self.draw(PUT_OFF_ONE_IN) != 0 {
            return false;
        }
        *put_off = true;
        self.runnable.push(rank);
        true
    }

    /// Whether a wait may end.
    fn poll_wait(&mut self, rank: usize, request: usize, put_off: &mut bool) -> Poll<Result<()>> {
        if !self.ranks[rank].transfers[request].complete {
            self.ranks[rank].waits_for = Some(request);
            return Poll::Pending;
        }
        if self.puts_off(rank, put_off) {
            return Poll::Pending;
        }
        self.ranks[rank].in_flight.retain(|&other| other != request);
        Poll::Ready(Ok(()))
    }
}

impl Rank {
    /// What it waits for, as text.
    fn wait(&self) -> String {
        match (self.waits_for, self.waits_for_slot, self.room_for) {
            (Some(request), ..) => self.describe(request),
            (_, Some(published), _) => {
                format!("read step {} of rank {}", published.step, published.by)
            }
            (.., Some(step)) => format!("room for step {step}"),
            (None, None, None) => String::new(),
        }
    }

    fn describe(&self, request: usize) -> String {
        let transfer = &self.transfers[request];
        let verb = match transfer.direction {
            Direction::Out => "send to",
            Direction::In => "receive from",
        };
        format!("{verb} rank {} of {} atoms", transfer.peer, transfer.place.atoms())
    }

    /// The place of `view`, unless using it so would disturb a transfer in flight or another rank
    /// that uses memory exposed for puts.
    fn touch(&self, view: View, write: bool) -> Result<Extent, String> {
        let place = self.locate(view, write)?;
        if self.exposes_for_put {
            self.record(self.number, place, write)?;
        }
        Ok(place)
    }

    /// The place of `view`, unless using it so would disturb a transfer in flight.
    fn locate(&self, view: View, write: bool) -> Result<Extent, String> {
        let place = self.memory.locate(view)?;
        for &request in &self.in_flight {
            let transfer = &self.transfers[request];
            let harmful = write || transfer.direction == Direction::In;
            if harmful && transfer.place.overlaps(place) {
                return Err(format!("touches {view:?} during its {}", self.describe(request)));
            }
        }
        Ok(place)
    }

    fn first_unmatched(&self, peer: usize, direction: Direction) -> Option<usize> {
        self.unmatched.iter().copied().find(|&request| {
            let transfer = &self.transfers[request];
            transfer.peer == peer && transfer.direction == direction
        })
    }

    fn copy(&mut self, from: View, to: View) -> Result<(), String> {
        let (from, target) = (self.touch(from, false)?, self.memory.locate(to)?);
        if from.same(target) {
            return Ok(());
        }
        self.touch(to, true)?;
        if from.overlaps(target) {
            return Err(format!("copies between overlapping views {from:?} and {target:?}"));
        }
        self.memory.write(target, self.memory.read(from)?)
    }

    fn reduce(&mut self, left: View, right: View, commutative: bool) -> Result<(), String> {
        let (from, onto) = (self.touch(left, false)?, self.touch(right, true)?);
        if from.overlaps(onto) {
            return Err(format!("reduces overlapping views {left:?} and {right:?}"));
        }
        if from.atoms() != onto.atoms() {
            return Err(format!("reduces views of different lengths {left:?} and {right:?}"));
        }
        let (left, right) = (self.memory.read(from)?, self.memory.read(onto)?);
        let combine = |(l, r)| Value::combine(l, r, commutative);
        let values = left.iter().zip(&right).map(combine).collect::<Result<Vec<_>, _>>()?;
        self.memory.write(onto, values)
    }
}

impl Member for Process<'_> {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn temp(&self, len: usize) -> Result<View> {
        Ok(self.world.borrow_mut().ranks[self.rank].memory.temp(len))
    }

    fn copy(&self, from: View, to: View) -> Result<()> {
        let copied = self.world.borrow_mut().ranks[self.rank].copy(from, to);
        copied.map_err(|text| fault(self.rank, text))
    }

    fn reduce(&self, left: View, right: View) -> Result<()> {
        let mut world = self.world.borrow_mut();
        let commutative = world.rules.commutative;
        let reduced = world.ranks[self.rank].reduce(left, right, commutative);
        reduced.map_err(|text| fault(self.rank, text))
    }
}

impl Channel for Process<'_> {
    type Request = usize;

    fn nodes(&self) -> Rc<Nodes> {
        self.nodes.clone()
    }

    fn isend(&self, to: usize, from: View) -> Result<usize> {
        self.world.borrow_mut().post(self.rank, to, Direction::Out, from)
    }

    fn irecv(&self, from: usize, into: View) -> Result<usize> {
        self.world.borrow_mut().post(self.rank, from, Direction::In, into)
    }

    fn wait(&self, request: usize) -> impl Future<Output = Result<()>> {
        let mut put_off = false;
        poll_fn(move |_| self.world.borrow_mut().poll_wait(self.rank, request, &mut put_off))
    }
}
