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
use crate::udp::HEADER_BYTES_V6;
use crate::{Fabric, Identity, Peer, Shape, failed, wrong};

mod abi;
mod endpoint;
mod library;
mod offer;

use endpoint::{COMPLETIONS, Done, Endpoint, Slots};
use library::Library;
use offer::{Offer, choose};

/// Bytes of a packet at most, where the provider sets no limit of its own that is less: as long as
/// EFA's, and what is longer gains nothing (see `udp`).
const PACKET_BYTES_MAX: usize = 8_960;
/// Packets on their way, and room for those that come, at most: 6.6 MiB at the longest packets.
const SENDS_MAX: usize = 256;
const RECEIVES_MAX: usize = 512;
/// Not every provider can wake a sleeper; who sleeps looks this often.
const NAP: Duration = Duration::from_micros(500);
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

/// What is at hand, for a person: the offer that would be taken, or why none.
pub fn probe(file: &str, wanted: Option<&str>, ground: &Ground) -> Result<String> {
    let library = Library::load(file)?;
    let (answers, offer, _) = ask(library, wanted, ground, 0)?;
    drop(answers);
    Ok(format!("{} on {}", offer.name(), offer.domain))
}

fn ask(
    library: Library,
    wanted: Option<&str>,
    ground: &Ground,
    rank: Peer,
) -> Result<(library::Answers, Offer, usize)> {
    let places: Vec<_> = ground.interfaces.iter().flat_map(|one| one.places.clone()).collect();
    let direct = library.ask_direct()?;
    let offers = direct.offers();
    if let Ok(at) = choose(&offers, wanted, &places, rank) {
        return Ok((direct, offers[at].clone(), at));
    }
    let all = library.ask_all()?;
    let offers = all.offers();
    match choose(&offers, wanted, &places, rank) {
        Ok(at) => Ok((all, offers[at].clone(), at)),
        Err(reasons) => Err(failed(format!("libfabric offers no network that fits: {reasons}"))),
    }
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
        let (answers, offer, at) = ask(library, wanted, ground, identity.rank)?;
        let room = offer.message_bytes_max - offer.prefix_bytes;
        let packet_bytes_max = room.min(PACKET_BYTES_MAX).min(path_bytes_max(&offer, ground));
        let slots = Slots {
            sends: offer.sends.clamp(1, SENDS_MAX),
            receives: offer.receives.clamp(1, RECEIVES_MAX),
            bytes: offer.prefix_bytes + packet_bytes_max,
        };
        let endpoint = Endpoint::open(library, answers.info(at), &offer, slots)?;
        let name = endpoint.name(ADDRESS_BYTES - HEAD_BYTES)?;
        let timer = Timer::new().map_err(|e| failed(format!("cannot make a timer: {e}")))?;
        let shape = Shape {
            reliable: offer.reliable(),
            ordered: offer.reliable() && offer.ordered,
            packet_bytes_max,
            remote_read: false,
        };
        let mut this = Ofi {
            // One name per process.
            name: Box::leak(format!("ofi:{}", offer.name()).into_boxed_str()),
            shape,
            address: [&head(&offer, name.len())[..], &name].concat(),
            offer,
            endpoint,
            slots,
            ways: Peers::new(),
            free: (0..slots.sends).rev().collect(),
            queue: VecDeque::with_capacity(slots.sends),
            on_the_way: vec![0; slots.sends],
            idle: (slots.sends..slots.sends + slots.receives).collect(),
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

/// Bytes of a packet that the interface carries whole, where a packet is a datagram of IP's:
/// libfabric's own `udp` does not look.
fn path_bytes_max(offer: &Offer, ground: &Ground) -> usize {
    match (offer.reliable(), offer.ip) {
        (false, Some(_)) => ground.mtu_min().saturating_sub(HEADER_BYTES_V6),
        _ => usize::MAX,
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

    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<usize> {
        let packets = self.poll(take)?;
        if !self.idle.is_empty() {
            self.offer_room()?;
        }
        if !self.queue.is_empty() {
            self.send()?;
        }
        Ok(packets)
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
    }
}

impl Drop for Ofi {
    fn drop(&mut self) {
        let begin = Instant::now();
        while self.free.len() < self.slots.sends && begin.elapsed() < LINGER {
            if self.send().and_then(|()| self.poll(&mut |_| {})).is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
#[path = "ofi/tests.rs"]
mod tests;
