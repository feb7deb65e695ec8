//! Answers for a process that computes: over a fabric that may lose packets, peers cannot tell one
//! that is at something else from one that is gone. A thread that sleeps nearly all the time looks
//! whether the process looks at the network; if it does not, its peers are told that it lives.

use std::sync::mpsc;
use std::time::Duration;

use dunlin_base::settings::NET_PORTS;
use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_fabric::choice::Choice;
use dunlin_fabric::{Fabric, Identity};
use dunlin_seal::Direction;
use dunlin_wire::{Credentials, alive};

use crate::net::address_vector::AddressVector;
use crate::net::business_card::BusinessCard;
use crate::threads::progress_thread::{polls, without_signals};

/// Signs of life in the time after which a silent peer is given up: some may get lost.
const KEEP_ALIVES: u32 = 8;
/// Signs given in a row: a job of thousands does not flood the network.
const AT_ONCE: usize = 64;
/// The thread itself does not need much.
const STACK_BYTES: usize = 64 * 1024;
/// Where it may have to ask a launcher it runs that launcher's library, whose messages stand on the
/// stack; what is not used takes no memory.
const STACK_BYTES_TO_ASK: usize = 2 << 20;

/// Tells the peers.
#[derive(Debug)]
pub(crate) struct KeepAlive;

impl KeepAlive {
    /// Starts the thread. Where ports are counted it takes its own now: that there are too few is
    /// to be known before a rank computes for so long that its peers give it up.
    pub fn start(
        choice: Choice,
        address_vector: AddressVector,
        me: Rank,
        own: Credentials,
    ) -> Result<()> {
        let (tell, told) = mpsc::channel();
        let are_ports_counted = choice.config.ports.is_some();
        let stack_bytes = stack_bytes(&address_vector);
        let run = move || {
            let mut keep_alive = KeepAliveThread::new(choice, address_vector, me, own);
            // Nobody may listen any more; then there is nobody to be told.
            let _ = tell.send(if are_ports_counted { keep_alive.open() } else { Ok(()) });
            keep_alive.watch();
        };
        let builder = std::thread::Builder::new().name("dunlin-alive".into());
        let failed = |text: String| Error::new(ErrorClass::Other, text);
        without_signals(|| builder.stack_size(stack_bytes).spawn(run))
            .map_err(|e| failed(format!("a thread could not be started: {e}")))?;
        let opened = told.recv().unwrap_or(Ok(()));
        opened.map_err(|e| {
            failed(format!(
                "{NET_PORTS} leaves no port for the thread by which a rank that computes says that \
                 it lives, which needs one for each rank beside those of its messages: {}",
                e.text
            ))
        })
    }
}

/// What the thread needs.
fn stack_bytes(address_vector: &AddressVector) -> usize {
    if address_vector.process_manager.is_some() { STACK_BYTES_TO_ASK } else { STACK_BYTES }
}

/// A fabric of the thread's own: peers know packets by the job's key, not by where they come from.
struct KeepAliveThread {
    choice: Choice,
    address_vector: AddressVector,
    me: Rank,
    own: Credentials,
    /// That of the last sign; peers believe none with an older one.
    stamp: u64,
    fabric: Option<Box<dyn Fabric>>,
}

impl KeepAliveThread {
    fn new(
        mut choice: Choice,
        address_vector: AddressVector,
        me: Rank,
        own: Credentials,
    ) -> KeepAliveThread {
        choice.config.flows = 1;
        let stamp = own.incarnation;
        KeepAliveThread { choice, address_vector, me, own, stamp, fabric: None }
    }

    fn open(&mut self) -> Result<()> {
        let identity = Identity::keyless(self.me, self.choice.security);
        self.fabric = Some(self.choice.open(identity)?);
        Ok(())
    }

    /// Shines while the process does not look at the network, for ever.
    fn watch(&mut self) {
        let pause = self.choice.config.timeout / KEEP_ALIVES;
        let mut before = 0;
        loop {
            std::thread::sleep(pause);
            let now = polls();
            if now == before {
                self.send_all(pause);
            }
            before = now;
        }
    }

    /// Tells all who may wait that the process lives, spread over a part of the time until the next
    /// look. An error is no more than a sign not given.
    fn send_all(&mut self, pause: Duration) {
        if self.fabric.is_none() && self.open().is_err() {
            return;
        }
        let job_map = self.address_vector.job_map;
        let (world, mut told) = (job_map.world(), 0);
        // Each begins behind itself: ranks of a node do not all ask a launcher for the same.
        let me = self.me as usize;
        for rank in (1..world).map(|n| (me + n) % world) {
            let is_here = job_map.local(rank).is_some();
            let rank = rank as Rank;
            if is_here || self.tell(rank).is_none() {
                continue;
            }
            told += 1;
            if told % AT_ONCE == 0 {
                std::thread::sleep(pause / (1 + world / AT_ONCE) as u32 / 2);
            }
        }
    }

    /// Tells one of them.
    fn tell(&mut self, rank: Rank) -> Option<()> {
        let fabric = self.fabric.as_mut()?;
        let address = self.address_vector.find(rank).ok()??;
        let card = BusinessCard::read(&address, rank).ok()?;
        fabric.connect(rank, card.fabric).ok()?;
        self.stamp += 1;
        let direction = Direction { from: self.me, to: rank, incarnation: card.incarnation };
        let packet = alive(&self.own.keys, direction, self.stamp);
        fabric.space(rank)?[..packet.len()].copy_from_slice(&packet);
        fabric.post(rank, packet.len());
        fabric.flush().ok()
    }
}
