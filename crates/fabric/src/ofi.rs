//! Packets by libfabric, which knows EFA, InfiniBand and other networks: loaded at run time if it
//! is there, asked what it offers, and used as it grants. What it promises differs by provider and
//! is read back ([`offer`]). Nothing of EFA has been run on its hardware yet.

use std::collections::VecDeque;
use std::os::fd::{AsRawFd, RawFd};
use std::time::{Duration, Instant};

use dunlin_base::Result;

use crate::address::{ADDRESS_BYTES, Kind};
use crate::ground::Ground;
use crate::peers::Peers;
use crate::sys::Timer;
use crate::{Fabric, Identity, Peer, Shape, Spot, failed, wrong};

mod abi;
mod endpoint;
mod library;
mod memory;
mod offer;
mod reads;
mod signals;

use endpoint::{COMPLETIONS, Done, Endpoint, Slots};
use library::{Library, Of, Question};
use offer::{Offer, choose};
use reads::Reads;

/// Not every provider can wake a sleeper; who sleeps looks this often.
const NAP: Duration = Duration::from_micros(500);
/// A packet that was injected has left as far as the library says; but a provider that makes
/// progress in calls alone may still have it. After so many looks, with ever longer pauses between,
/// it counts as gone: a provider keeps one only while the kernel's buffers, of megabytes, are full.
const LOOKS_AFTER_INJECT: u32 = 64;
/// Who drops a fabric waits this long for its last packets to go.
const LINGER: Duration = Duration::from_secs(5);
/// The head of an address: version, kind, length, zero, and which offer it belongs to.
const HEAD_BYTES: usize = 8;
const VERSION: u8 = 1;

/// The fabric.
pub struct Ofi {
    name: &'static str,
    shape: Shape,
    address: Vec<u8>,
    offer: Offer,
    /// Goes before the endpoint whose memory it has registered.
    reads: Reads,
    endpoint: Endpoint,
    slots: Slots,
    ways: Peers<Way>,
    /// Slots for sending that hold nothing.
    free: Vec<usize>,
    /// Posted and not yet given to the library: slot, place of the peer, bytes.
    queue: VecDeque<(usize, u32, usize)>,
    /// The peer of each slot that is on its way.
    on_the_way: Vec<u32>,
    /// Slots for receiving that the library would not take back yet.
    idle: Vec<usize>,
    /// Looks after which the packet that was injected last has left.
    unsettled: u32,
    timer: Timer,
    counts: Counts,
}

struct Way {
    rank: Peer,
    peer: u64,
}

#[derive(Default)]
struct Counts {
    sent: u64,
    received: u64,
    busy: u64,
    lost: u64,
    truncated: u64,
}

/// What a library offers, for a person.
#[derive(Clone, Debug, Default)]
pub struct Inventory {
    /// The library's version.
    pub version: String,
    /// What would be taken.
    pub taken: Option<String>,
    /// What would not, and why.
    pub others: Vec<(String, String)>,
}

/// Looks at what the library in `file` offers.
pub fn probe(file: &str, wanted: Option<&str>, ground: &Ground) -> Result<Inventory> {
    let library = Library::load(file)?;
    let asked = ask(library, wanted, ground, 0)?;
    let mut others = Vec::new();
    for of in [Of::EfaDirect, Of::All] {
        let offers = library.ask(Question { of, reads: false })?.offers();
        let taken = asked.taken.as_ref().filter(|taken| taken.of == of).map(|taken| taken.plain);
        others.extend(offer::others(&offers, taken, wanted, &places(ground)));
    }
    let taken = asked.taken.map(|taken| taken.offer.describe(ground.mtu_min()));
    Ok(Inventory { version: library.version_text(), taken, others })
}

/// The answer to a question, or the reasons of all that was refused.
struct Asked {
    taken: Option<Taken>,
    reasons: String,
}

/// What was chosen.
struct Taken {
    answers: library::Answers,
    offer: Offer,
    /// Its number among the answers.
    at: usize,
    of: Of,
    /// Its number where it was asked for packets alone.
    plain: usize,
}

fn places(ground: &Ground) -> Vec<crate::Place> {
    ground.interfaces.iter().flat_map(|one| one.places.clone()).collect()
}

fn ask(library: Library, wanted: Option<&str>, ground: &Ground, rank: Peer) -> Result<Asked> {
    let mut reasons = String::new();
    for of in [Of::EfaDirect, Of::All] {
        let answers = library.ask(Question { of, reads: false })?;
        let offers = answers.offers();
        let plain = match choose(&offers, wanted, &places(ground), rank) {
            Ok(plain) => plain,
            Err(why) => {
                reasons = why;
                continue;
            }
        };
        let readable = library.ask(Question { of, reads: true })?;
        let (answers, offer, at) = match offers[plain].with_reads(&readable.offers()) {
            Some((at, both)) => (readable, both, at),
            None => (answers, Offer { read_bytes_max: 0, ..offers[plain].clone() }, plain),
        };
        let taken = Some(Taken { answers, offer, at, of, plain });
        return Ok(Asked { taken, reasons });
    }
    Ok(Asked { taken: None, reasons })
}

impl Ofi {
    /// Opens the best offer of the library in `file`, or the one of the provider or fabric that is
    /// `wanted`.
    pub fn open(
        identity: Identity,
        ground: &Ground,
        file: &str,
        wanted: Option<&str>,
    ) -> Result<Ofi> {
        let library = Library::load(file)?;
        let Asked { taken, reasons } = ask(library, wanted, ground, identity.rank)?;
        let nothing = || failed(format!("libfabric offers no network that fits: {reasons}"));
        Ofi::take(library, taken.ok_or_else(nothing)?, ground.mtu_min())
    }

    /// Opens what was chosen, over interfaces that carry datagrams of so many bytes.
    fn take(library: Library, taken: Taken, mtu_min: usize) -> Result<Ofi> {
        let Taken { answers, offer, at, .. } = taken;
        let shape = offer.shape(mtu_min);
        let slots = offer.slots(&shape);
        let endpoint = Endpoint::open(library, answers.info(at), &offer, slots)?;
        let name = endpoint.name(ADDRESS_BYTES - HEAD_BYTES)?;
        let timer = Timer::new().map_err(|e| failed(format!("cannot make a timer: {e}")))?;
        let mut this = Ofi {
            // One name per process.
            name: Box::leak(format!("ofi:{}", offer.name()).into_boxed_str()),
            shape,
            address: [&head(&offer, name.len())[..], &name].concat(),
            reads: Reads::new(slots.sends + slots.receives, offer.read_bytes_max),
            offer,
            endpoint,
            slots,
            ways: Peers::new(),
            free: (0..slots.sends).rev().collect(),
            queue: VecDeque::with_capacity(slots.sends),
            on_the_way: vec![0; slots.sends],
            idle: (slots.sends..slots.sends + slots.receives).collect(),
            unsettled: 0,
            timer,
            counts: Counts::default(),
        };
        this.offer_room()?;
        Ok(this)
    }

    /// Gives the library back what it may receive into.
    fn offer_room(&mut self) -> Result<()> {
        while let Some(&slot) = self.idle.last() {
            if !self.endpoint.receive(slot)? {
                break;
            }
            self.idle.pop();
        }
        Ok(())
    }

    /// Gives the library what waits, as far as it takes it now.
    fn send(&mut self) -> Result<()> {
        while let Some(&(slot, place, len)) = self.queue.front() {
            let way = self.ways.at(place);
            let bytes = self.offer.prefix_bytes + len;
            let inject = bytes <= self.offer.inject_bytes;
            let taken = match inject {
                true => self.endpoint.inject(slot, bytes, way.peer),
                false => self.endpoint.send(slot, bytes, way.peer),
            };
            match taken {
                Ok(false) => {
                    self.counts.busy += 1;
                    return Ok(());
                }
                Ok(true) => self.counts.sent += 1,
                Err(e) if self.shape.reliable => {
                    return Err(failed(format!("rank {}: {e}", way.rank)));
                }
                Err(_) => self.counts.lost += 1,
            }
            self.queue.pop_front();
            if inject || taken.is_err() {
                self.unsettled = LOOKS_AFTER_INJECT;
                self.free.push(slot);
            } else {
                self.on_the_way[slot] = place;
            }
        }
        Ok(())
    }

    /// Deals with slots that the library has done with; the number of packets shown.
    fn poll(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<usize> {
        let mut done = [Done { slot: 0, len: 0, error: 0 }; COMPLETIONS];
        let count = self.endpoint.poll(&mut done)?;
        let mut packets = 0;
        for &one in &done[..count] {
            if one.slot < self.slots.sends {
                self.sent(one)?;
            } else if one.slot >= self.slots.sends + self.slots.receives {
                self.reads.done(one.slot, one.error == 0);
            } else {
                packets += self.received(one, take)?;
            }
        }
        self.counts.received += packets as u64;
        Ok(packets)
    }

    fn sent(&mut self, done: Done) -> Result<()> {
        self.free.push(done.slot);
        if done.error == 0 {
            return Ok(());
        }
        self.counts.lost += 1;
        let rank = self.ways.at(self.on_the_way[done.slot]).rank;
        match self.shape.reliable {
            true => {
                let says = self.endpoint.says(done.error);
                Err(failed(format!("the network has lost rank {rank}: {says}")))
            }
            false => Ok(()),
        }
    }

    fn received(&mut self, done: Done, take: &mut dyn FnMut(&[u8])) -> Result<usize> {
        let (prefix, mut shown) = (self.offer.prefix_bytes, 0);
        if done.error == abi::FI_ETRUNC {
            self.counts.truncated += 1;
        } else if done.error == 0 && done.len > prefix && done.len <= self.slots.bytes {
            take(&self.endpoint.memory(done.slot)[prefix..done.len]);
            shown = 1;
        }
        self.idle.push(done.slot);
        self.offer_room()?;
        Ok(shown)
    }
}

/// The head of an address.
fn head(offer: &Offer, len: usize) -> [u8; HEAD_BYTES] {
    // Addresses of different offers look alike but lead nowhere.
    let words = offer.name().bytes().map(u64::from);
    let mark = words.fold(0, |mark, byte| crate::seed::scrambled(mark ^ byte)) as u32;
    let mark = mark.to_le_bytes();
    [VERSION, Kind::Ofi as u8, len as u8, 0, mark[0], mark[1], mark[2], mark[3]]
}

impl Fabric for Ofi {
    fn name(&self) -> &'static str {
        self.name
    }

    fn shape(&self) -> Shape {
        self.shape
    }

    fn address(&self) -> &[u8] {
        &self.address
    }

    fn connect(&mut self, peer: Peer, address: &[u8]) -> Result<()> {
        let own = &self.address;
        if address.get(..HEAD_BYTES) != own.get(..HEAD_BYTES) || address.len() != own.len() {
            return Err(wrong(format!(
                "rank {peer} does not use the network by `{}` as this process does; set \
                 DUNLIN_NET_FABRIC to the same for all",
                self.name
            )));
        }
        let number = self.endpoint.insert(&address[HEAD_BYTES..])?;
        self.ways.set(peer, Way { rank: peer, peer: number });
        Ok(())
    }

    fn space(&mut self, _peer: Peer) -> Option<&mut [u8]> {
        let Some(&slot) = self.free.last() else {
            self.counts.busy += 1;
            return None;
        };
        Some(&mut self.endpoint.memory(slot)[self.offer.prefix_bytes..])
    }

    fn post(&mut self, peer: Peer, len: usize) {
        assert!(0 < len && len <= self.shape.packet_bytes_max, "a packet that had no room");
        let place = self.ways.place(peer).expect("a peer that was connected");
        let slot = self.free.pop().expect("`space` gave this slot");
        self.queue.push_back((slot, place, len));
    }

    fn flush(&mut self) -> Result<()> {
        self.send()
    }

    fn is_flushed(&self) -> bool {
        self.queue.is_empty() && self.free.len() == self.slots.sends && self.unsettled == 0
    }

    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<usize> {
        self.unsettled = self.unsettled.saturating_sub(1);
        let packets = self.poll(take)?;
        if !self.idle.is_empty() {
            self.offer_room()?;
        }
        if !self.queue.is_empty() {
            self.send()?;
        }
        self.reads.work(&mut self.endpoint);
        Ok(packets)
    }

    unsafe fn show(&mut self, memory: *const [u8]) -> Option<(u32, Spot)> {
        if !self.shape.remote_read {
            return None;
        }
        // SAFETY: the caller says so.
        unsafe { self.reads.show(&mut self.endpoint, memory) }
    }

    fn hide(&mut self, number: u32) {
        self.reads.hide(number);
    }

    unsafe fn read(&mut self, peer: Peer, from: Spot, into: *mut [u8], number: u32) -> bool {
        if !self.shape.remote_read {
            return false;
        }
        let peer = self.ways.at(self.ways.place(peer).expect("a peer that was connected")).peer;
        // SAFETY: the caller says so.
        unsafe { self.reads.begin(&mut self.endpoint, peer, from, into, number) }
    }

    fn reads_done(&mut self, done: &mut dyn FnMut(u32, bool)) {
        self.reads.tell(done);
    }

    fn sleep_fds(&self, each: &mut dyn FnMut(RawFd)) {
        // A timer that cannot be set leaves the sleeper to its own patience.
        let _ = self.timer.set(Some(NAP));
        each(self.timer.as_raw_fd());
    }

    fn counters(&self, each: &mut dyn FnMut(&'static str, u64)) {
        let counts = &self.counts;
        each("packets sent", counts.sent);
        each("packets received", counts.received);
        each("times libfabric was busy", counts.busy);
        each("packets lost on sending", counts.lost);
        each("packets cut off on arrival", counts.truncated);
        if self.shape.remote_read {
            let counts = &self.reads.counts;
            each("messages read", counts.reads);
            each("reads that failed", counts.failed);
            each("messages that could not be read", counts.refused);
        }
    }
}

impl Drop for Ofi {
    fn drop(&mut self) {
        let begin = Instant::now();
        let is_busy = |this: &Ofi| this.free.len() < this.slots.sends || this.reads.are_under_way();
        while is_busy(self) && begin.elapsed() < LINGER {
            if self.send().and_then(|()| self.poll(&mut |_| {})).is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
#[path = "ofi/tests.rs"]
mod tests;
