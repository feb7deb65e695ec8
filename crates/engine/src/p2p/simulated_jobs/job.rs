//! A simulated job from its beginning to its end.

use std::collections::HashMap;
use std::os::fd::{AsRawFd, OwnedFd};
use std::sync::Arc;

use dunlin_fabric::Peer;
use dunlin_shm::job_map::{Job, RankLocation};
use dunlin_shm::layout::SegmentLayout;
use dunlin_shm::{Node, RankState};

use super::network::Network;
use super::plan::{Act, Message, Plan, Slot, Way};
use super::rank::{Player, Receive, Send, State};
use super::verdict::{check_end, check_outcomes, unreceived};
use crate::dice::Dice;
use crate::matching::Pattern;
use crate::objects::process_table::{ProcessId, ProcessTable};
use crate::p2p::messages::Messages;
use crate::p2p::messages_tests::{node as node_of, segments_of};

/// Steps after which a job should long have ended.
const STEPS_MAX: u64 = 2_000_000;
/// The most steps that a rank stays away.
const PAUSE_MAX: u64 = 2000;

/// The same at the start: time enough for others to fill the rings to it.
const LATE_MAX: u64 = 10_000;

/// Nanoseconds of a step.
const STEP_NANOS: u64 = 300;
/// Turns in which all ranks should long have left.
const LEAVING_MAX: u64 = 1_000_000;

/// The ranks of a segment, and its file.
struct Shared {
    file: OwnedFd,
    layout: SegmentLayout,
    nodes: Vec<&'static Node>,
}

/// Segments by the nodes of their job's ranks and by what those have told of themselves, which
/// never changes, used by one job after the other: nodes are never unmapped.
#[derive(Default)]
pub(crate) struct Nodes(HashMap<(Vec<u32>, u8), Vec<Shared>>);

impl Nodes {
    /// The node of each rank of a job, with segments in which nothing has happened yet.
    pub fn fresh(&mut self, nodes: &[u32], network: Option<&Network>) -> Vec<&'static Node> {
        let security = network.map_or(0, |network| network.security() as u8);
        let segments = self.0.entry((nodes.to_vec(), security)).or_insert_with(|| {
            let count = 1 + nodes.iter().max().expect("a job has ranks");
            (0..count).map(|node| Shared::new(nodes, node)).collect()
        });
        segments.iter().for_each(Shared::empty);
        let place = |&RankLocation { node, local }: &RankLocation| {
            let node = segments[node as usize].nodes[local as usize];
            node.view(node.me()).set_state(RankState::Running);
            node
        };
        locations(nodes).iter().map(place).collect()
    }
}

/// Where the ranks are.
fn locations(nodes: &[u32]) -> Vec<RankLocation> {
    let before = |rank: usize| nodes[..rank].iter().filter(|&&node| node == nodes[rank]).count();
    (0..nodes.len())
        .map(|rank| RankLocation { node: nodes[rank], local: before(rank) as u32 })
        .collect()
}

impl Shared {
    fn new(nodes: &[u32], node: u32) -> Shared {
        let hosts = (0..=*nodes.iter().max().unwrap()).map(|node| format!("host-{node}"));
        let (key, hosts) = (Default::default(), hosts.collect());
        let machine = String::new();
        let job = Job { key, node, hosts, machine, locations: locations(nodes) };
        let segments = segments_of(&job);
        let (file, layout) = (segments[0].fd().try_clone().unwrap(), segments[0].layout());
        let nodes = segments.into_iter().enumerate().map(|(me, s)| node_of(s, me)).collect();
        Shared { file, layout, nodes }
    }

    /// Zeroes all that messages use: rings, splits, bounce buffers.
    fn empty(&self) {
        let (start, end) = (self.layout.ring(0, 0), self.layout.bytes());
        let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        let (start, len) = (start as libc::off_t, (end - start) as libc::off_t);
        // SAFETY: a file of ours; nobody holds references into what is zeroed.
        let outcome = unsafe { libc::fallocate(self.file.as_raw_fd(), mode, start, len) };
        assert_eq!(outcome, 0, "{}", std::io::Error::last_os_error());
    }
}

/// The job of a seed; an error is what was wrong in it.
pub(super) fn run(nodes: &mut Nodes, seed: u64) -> Result<(), String> {
    let mut dice = Dice(seed);
    let Plan { nodes: places, single_copy, mut messages, scripts } = Plan::draw(&mut dice);
    let spans_nodes = places.iter().any(|&node| node > 0);
    let network = spans_nodes.then(|| Network::draw(&mut dice, places.len()));
    let nodes = nodes.fresh(&places, network.as_deref());
    for node in &nodes {
        network.iter().for_each(|network| network.publish(node));
    }
    let shared_core = dice.chance(30);
    let refused = [0, 0, 20][dice.below(3) as usize];
    let mut players = Vec::new();
    for (me, script) in scripts.into_iter().enumerate() {
        let mut layer = Messages::new(nodes[me], single_copy);
        layer.node.share_core(shared_core);
        for peer in layer.node.connections.iter_mut().filter(|_| refused > 0) {
            if dice.chance(refused) {
                peer.single_copy = Some(false);
            }
        }
        layer.net = network.as_ref().map(|net| Box::new(net.transport(me as Peer, nodes[me])));
        let processes = ProcessTable::new(me as ProcessId, nodes[me].job_map().locations());
        let routes = (0..places.len() as ProcessId).map(|rank| processes.route(rank)).collect();
        let mut player = Player::new(me, routes, layer, script);
        player.waits = [0, 50, 90, 100][dice.below(4) as usize];
        if dice.chance(30) {
            player.pause = dice.below(LATE_MAX);
        }
        players.push(player);
    }
    let mut job = Running { players, network, now: 0 };
    job.play(&mut messages, &mut dice)?;
    job.receive_the_rest(&messages)?;
    job.play(&mut messages, &mut dice)?;
    let waiting: String = job.players.iter().map(|p| p.waits_for(&messages)).collect();
    if !waiting.is_empty() {
        return Err(waiting);
    }
    check_outcomes(&job.players, &messages)?;
    job.players.iter_mut().zip(nodes).try_for_each(|(p, node)| check_end(p, node, single_copy))?;
    job.leave(&mut dice)
}

struct Running {
    players: Vec<Player>,
    /// Of a job on several nodes.
    network: Option<Arc<Network>>,
    now: u64,
}

impl Running {
    /// Steps until all scripts are played and nothing moves any more.
    fn play(&mut self, plan: &mut [Message], dice: &mut Dice) -> Result<(), String> {
        let pauses = [0, 0, 1][dice.below(3) as usize];
        let favourite = dice.below(self.players.len() as u64);
        while self.players.iter().any(|p| !p.script.is_empty()) {
            let drawn = dice.below(self.players.len() as u64);
            let me = if dice.chance(20) { favourite } else { drawn };
            let player = &mut self.players[me as usize];
            self.now += 1;
            self.network.iter().for_each(|network| network.advance(STEP_NANOS));
            if player.pause > self.now {
                continue;
            }
            if pauses > 0 && dice.chance(1) {
                player.pause = self.now + dice.below(PAUSE_MAX);
            }
            player.step(plan, dice, self.now);
            if self.now > STEPS_MAX {
                return Err("it goes on for ever".to_string());
            }
        }
        self.settle(dice)
    }

    /// Progress in any order until none of the ranks finds anything to do.
    fn settle(&mut self, dice: &mut Dice) -> Result<(), String> {
        let ranks = self.players.len() as u64;
        loop {
            for _ in 0..ranks {
                self.now += 1;
                self.players[dice.below(ranks) as usize].progress(dice);
            }
            let mut moved = false;
            for player in &mut self.players {
                moved |= player.progress(dice);
                player.collect(self.now);
            }
            for player in &mut self.players {
                if let Some(error) = player.messages.net_failure() {
                    return Err(error.text.to_string());
                }
            }
            if !moved && !self.awaits_packets() {
                return Ok(());
            }
            if let (false, Some(network)) = (moved, &self.network) {
                network.advance_to_next();
            }
            if self.now > STEPS_MAX {
                return Err("progress goes on for ever".to_string());
            }
        }
    }

    /// Whether time alone will bring something: packets are under way, or will be sent again.
    fn awaits_packets(&self) -> bool {
        let Some(network) = &self.network else { return false };
        let rests = |p: &Player| p.messages.net.as_ref().is_none_or(|net| net.net.is_at_rest());
        !network.is_empty() || !self.players.iter().all(rests)
    }

    /// All ranks leave MPI; each may go once its peers have heard of it.
    fn leave(&mut self, dice: &mut Dice) -> Result<(), String> {
        let Some(network) = self.network.clone() else { return Ok(()) };
        for player in &mut self.players {
            player.messages.net.iter_mut().for_each(|net| net.net.leave(false));
            player.messages.progress();
        }
        for _ in 0..LEAVING_MAX {
            let stays = |p: &Player| p.messages.net.as_ref().is_some_and(|n| !n.net.may_go());
            let Some(slow) = self.players.iter().position(stays) else { return Ok(()) };
            let other = dice.below(self.players.len() as u64) as usize;
            self.players[slow].messages.progress();
            self.players[other].messages.progress();
            network.advance_to_next();
        }
        Err("a rank may never leave".to_string())
    }

    /// Wildcards have taken messages meant for others: what is left over on both sides meets now.
    fn receive_the_rest(&mut self, plan: &[Message]) -> Result<(), String> {
        let left = unreceived(&self.players, plan)?;
        // A cancelled operation completes without its peer's receive; MPI 5.0 section 3.8.4.
        let waits = |s: &Send| s.asked && matches!(s.state, State::Pending(_));
        if self.players.iter().flat_map(|p| &p.sends).any(waits) {
            let waits: String = self.players.iter().map(|p| p.waits_for(plan)).collect();
            return Err(format!("a cancelled send does not complete: {waits}"));
        }
        for (me, player) in self.players.iter_mut().enumerate() {
            for number in 0..player.receives.len() {
                player.cancel_receive(number, self.now);
                if let Receive { state: State::Pending(_), pattern, .. } = &player.receives[number]
                {
                    return Err(format!("rank {me}: receive {pattern:?} is not taken back"));
                }
            }
            player.script.clear();
            for message in left.iter().map(|&n| &plan[n]).filter(|m| m.to == me) {
                let context = message.envelope.context;
                let longest = plan.iter().map(|m| m.memory.len).max().unwrap_or(0);
                let pattern = Pattern { context, source: None, tag: None };
                let (way, room, scattered) = (Way::Post, longest, false);
                let slot = Slot { pattern, room, scattered, way, looks: 0, cancel: false };
                player.script.push_back(Act::Receive(slot));
            }
        }
        Ok(())
    }
}
