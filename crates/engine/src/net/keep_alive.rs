//! Keep-alive packets: over a fabric that may lose packets, peers cannot tell a process that
//! computes from one that is gone. A thread that sleeps nearly all the time checks whether the
//! process polls the network; if it does not, the thread sends its peers keep-alive packets.

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

/// Keep-alive packets to a peer within the time-out for silent peers: some may get lost.
const KEEP_ALIVES: u32 = 8;
/// Keep-alive packets in a row: a job of thousands of ranks does not flood the network.
const AT_ONCE: usize = 64;
/// Stack of the thread.
const STACK_BYTES: usize = 64 * 1024;
/// Stack where the thread may call a launcher's PMI library, which keeps its messages there. Pages
/// that are not touched take no memory.
const STACK_BYTES_TO_ASK: usize = 2 << 20;

/// Starts the thread.
#[derive(Debug)]
pub(crate) struct KeepAlive;

impl KeepAlive {
    /// Starts the thread. Where the settings limit the ports, it opens its own now: a lack of ports
    /// must be an error at the start, not after a long computation.
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
            // The receiver may be gone; then nobody needs the outcome.
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

/// Bytes of stack that the thread needs.
fn stack_bytes(address_vector: &AddressVector) -> usize {
    if address_vector.process_manager.is_some() { STACK_BYTES_TO_ASK } else { STACK_BYTES }
}

/// The thread has a fabric of its own: peers recognise packets by their seal, not by their source
/// address.
struct KeepAliveThread {
    choice: Choice,
    address_vector: AddressVector,
    me: Rank,
    own: Credentials,
    /// The stamp of the last packet; peers ignore packets with an older one.
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

    /// Sends keep-alive packets while the process does not poll the network, for ever.
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

    /// Sends one to every rank of other nodes, spread over a part of the time until the next check.
    /// After an error, that packet is left out.
    fn send_all(&mut self, pause: Duration) {
        if self.fabric.is_none() && self.open().is_err() {
            return;
        }
        let job_map = self.address_vector.job_map;
        let (world, mut told) = (job_map.world(), 0);
        // Each rank begins behind itself, so that ranks of a node do not all ask the launcher for
        // the same peer.
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

    /// Sends one to a rank.
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
