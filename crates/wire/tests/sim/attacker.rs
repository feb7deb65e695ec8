//! Somebody who hears every packet and sends what can be made of them, at any time and to anybody:
//! what was sent before, altered, to another process, and packets of their own making. Each attack
//! checks that nothing came of it.

use dunlin_seal::{COVERED_BYTES, Security, TAG_BYTES};
use dunlin_wire::{Endpoint, HEADER_BYTES, Stats};

use crate::process::Process;
use crate::random::Random;

/// Packets that are remembered: what was heard long ago is still used.
const REMEMBERED: usize = 500;

/// What was heard: to whom, what, and whether it has arrived.
#[derive(Debug)]
struct Heard {
    to: usize,
    bytes: Vec<u8>,
}

#[derive(Debug)]
pub struct Attacker {
    random: Random,
    /// Bytes of a packet that are covered by its tag.
    covered: usize,
    /// Those under way, which may never arrive.
    sent: Vec<Heard>,
    /// Those that have arrived.
    delivered: Vec<Heard>,
    /// Packets sent.
    pub forged: u64,
}

impl Attacker {
    pub fn new(seed: u64, security: Security) -> Attacker {
        let covered = match security {
            Security::Off => TAG_BYTES + COVERED_BYTES,
            Security::Authenticate | Security::Encrypt => usize::MAX,
        };
        let random = Random::new(seed);
        Attacker { random, covered, sent: Vec::new(), delivered: Vec::new(), forged: 0 }
    }

    /// A packet leaves.
    pub fn hear_sent(&mut self, to: usize, bytes: &[u8]) {
        remember(&mut self.random, &mut self.sent, to, bytes);
    }

    /// A packet has arrived.
    pub fn hear_delivered(&mut self, to: usize, bytes: &[u8]) {
        remember(&mut self.random, &mut self.delivered, to, bytes);
    }

    /// Sends something.
    pub fn attack(&mut self, now: u64, endpoints: &mut [Endpoint], processes: &mut [Process]) {
        let (to, packet) = self.forge(endpoints.len());
        let before = (endpoints[to].stats(), processes[to].received);
        endpoints[to].on_packet(now, &packet, &mut processes[to]);
        let after = (endpoints[to].stats(), processes[to].received);
        assert_eq!(believed(before.0), believed(after.0), "{before:?} {after:?}");
        assert_eq!(before.1, after.1);
        self.forged += 1;
    }

    fn forge(&mut self, processes: usize) -> (usize, Vec<u8>) {
        let choice = self.random.below(4);
        let heard = if choice == 0 { &self.delivered } else { &self.sent };
        if heard.is_empty() || choice == 3 {
            return self.invented(processes);
        }
        let Heard { to, bytes } = &heard[self.random.below(heard.len() as u64) as usize];
        let (mut to, mut bytes) = (*to, bytes.clone());
        match choice {
            0 => {}
            1 => self.alter(&mut bytes),
            _ => to = (to + 1 + self.random.below(processes as u64 - 1) as usize) % processes,
        }
        (to, bytes)
    }

    /// Changes bytes, or cuts, or lengthens.
    fn alter(&mut self, bytes: &mut Vec<u8>) {
        let len = bytes.len() as u64;
        match self.random.below(4) {
            0 => bytes.truncate(self.random.below(len) as usize),
            1 => bytes.extend((0..=self.random.below(40)).map(|at| at as u8)),
            _ => {
                let at = self.random.below(len.min(self.covered as u64)) as usize;
                bytes[at] ^= 1 + self.random.below(255) as u8;
            }
        }
    }

    fn invented(&mut self, processes: usize) -> (usize, Vec<u8>) {
        let len = HEADER_BYTES + self.random.below(100) as usize;
        let bytes = (0..len).map(|_| self.random.next() as u8).collect();
        (self.random.below(processes as u64) as usize, bytes)
    }
}

fn remember(random: &mut Random, heard: &mut Vec<Heard>, to: usize, bytes: &[u8]) {
    let new = Heard { to, bytes: bytes.to_vec() };
    match heard.len() < REMEMBERED {
        true => heard.push(new),
        false => heard[random.below(REMEMBERED as u64) as usize] = new,
    }
}

/// What is counted of packets in which something was believed.
fn believed(stats: Stats) -> Stats {
    Stats { foreign: 0, malformed: 0, duplicates: 0, beyond: 0, stale: 0, ..stats }
}
