//! A simulated job from its beginning to its end.

use std::os::fd::{AsRawFd, OwnedFd};

use dunlin_shm::layout::SegmentLayout;
use dunlin_shm::{Node, RankState};

use super::plan::{Act, Message, Plan, Slot, Way};
use super::rank::{Player, Receive, Send, State};
use super::verdict::{check_end, check_outcomes, unreceived};
use crate::dice::Dice;
use crate::matching::Pattern;
use crate::p2p::messages::Messages;
use crate::p2p::messages_tests::{node, segments_of};

/// Steps after which a job should long have ended.
const STEPS_MAX: u64 = 2_000_000;
/// The most steps that a rank stays away.
const PAUSE_MAX: u64 = 2000;

/// The same at the start: time enough for others to fill the rings to it.
const LATE_MAX: u64 = 10_000;

/// The ranks of a segment, and its file.
struct Shared {
    file: OwnedFd,
    layout: SegmentLayout,
    nodes: Vec<&'static Node>,
}

/// Segments by number of ranks, used by one job after the other: nodes are never unmapped.
#[derive(Default)]
pub(super) struct Nodes(Vec<Option<Shared>>);

impl Nodes {
    /// The ranks of a segment in which nothing has happened yet.
    fn fresh(&mut self, ranks: usize) -> &[&'static Node] {
        if self.0.len() <= ranks {
            self.0.resize_with(ranks + 1, || None);
        }
        let shared = self.0[ranks].get_or_insert_with(|| {
            let segments = segments_of(ranks);
            let (file, layout) = (segments[0].fd().try_clone().unwrap(), segments[0].layout());
            let nodes = segments.into_iter().enumerate().map(|(me, s)| node(s, me)).collect();
            Shared { file, layout, nodes }
        });
        shared.empty();
        for (me, node) in shared.nodes.iter().enumerate() {
            node.view(me).set_state(RankState::Running);
        }
        &shared.nodes
    }
}

impl Shared {
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
    let Plan { ranks, single_copy, mut messages, scripts } = Plan::draw(&mut dice);
    let nodes = nodes.fresh(ranks);
    let shared_core = dice.chance(30);
    let refused = [0, 0, 20][dice.below(3) as usize];
    let mut players = Vec::new();
    for (me, script) in scripts.into_iter().enumerate() {
        let mut layer = Messages::new(nodes[me], single_copy);
        layer.node.shared_core = shared_core;
        for peer in layer.node.connections.iter_mut().filter(|_| refused > 0) {
            if dice.chance(refused) {
                peer.single_copy = Some(false);
            }
        }
        let mut player = Player::new(ranks, me, layer, script);
        if dice.chance(30) {
            player.pause = dice.below(LATE_MAX);
        }
        players.push(player);
    }
    let mut job = Running { players, now: 0 };
    job.play(&mut messages, &mut dice)?;
    job.receive_the_rest(&messages)?;
    job.play(&mut messages, &mut dice)?;
    let waiting: String = job.players.iter().map(|p| p.waits_for(&messages)).collect();
    if !waiting.is_empty() {
        return Err(waiting);
    }
    check_outcomes(&job.players, &messages)?;
    job.players.iter_mut().zip(nodes).try_for_each(|(p, node)| check_end(p, node, single_copy))
}

struct Running {
    players: Vec<Player>,
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
                self.players[dice.below(ranks) as usize].messages.progress();
            }
            let mut moved = false;
            for player in &mut self.players {
                moved |= player.messages.progress();
                player.collect(self.now);
            }
            if !moved {
                return Ok(());
            }
            if self.now > STEPS_MAX {
                return Err("progress goes on for ever".to_string());
            }
        }
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

/// The message of a send that was not taken back.
pub(super) fn kept(send: &Send) -> Option<usize> {
    match &send.state {
        State::Done(status, _) if status.cancelled => None,
        _ => Some(send.message),
    }
}
