//! Packets by libfabric, which knows EFA, InfiniBand and other networks: loaded at run time if it
//! is there, asked what it offers, and used as it grants. What it promises differs by provider and
//! is read back ([`provider`]). Nothing of EFA has been run on its hardware yet.

use std::collections::VecDeque;
use std::os::fd::{AsRawFd, RawFd};
use std::time::{Duration, Instant};

use dunlin_base::Result;

use crate::address::{ADDRESS_BYTES, Kind};
use crate::interface_config::InterfaceConfig;
use crate::peers::Peers;
use crate::sys::Timer;
use crate::{Access, Capabilities, Fabric, Identity, Peer, RemoteKey, failed, wrong};

mod abi;
mod endpoint;
mod library;
mod memory;
mod provider;
mod rma;
mod self_check;
mod signals;
mod transfer;

pub use provider::Wanted;

use endpoint::{COMPLETIONS, Done, Endpoint};
use library::{Library, Of, Query, RmaCaps};
use provider::{ProviderInfo, Slots, choose};
use rma::Rma;
use transfer::Transfer;

/// Not every provider can wake a sleeper; who sleeps looks this often.
const POLL_INTERVAL: Duration = Duration::from_micros(500);
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
    capabilities: Capabilities,
    address: Vec<u8>,
    provider: ProviderInfo,
    /// Goes before the endpoint whose memory it has registered.
    rma: Rma,
    endpoint: Endpoint,
    slots: Slots,
    peers: Peers<PeerAddress>,
    /// Slots for sending that hold nothing.
    free: Vec<usize>,
    /// Posted and not yet given to the library.
    queue: VecDeque<Posted>,
    /// What each slot holds that is on its way.
    on_the_way: Vec<Option<Posted>>,
    /// How many of those hold a packet that says nothing.
    hellos: usize,
    /// Slots for receiving that the library would not take back yet.
    idle: Vec<usize>,
    /// Looks after which the packet that was injected last has left.
    unsettled: u32,
    timer: Timer,
    counts: Counts,
}

struct PeerAddress {
    rank: Peer,
    peer: u64,
    contact: Contact,
}

/// Whether the device reaches a peer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contact {
    /// Nobody has asked.
    Unknown,
    /// A packet is on its way there.
    Asked,
    /// It has arrived.
    Reached,
    /// It has not, for this reason.
    Failed(String),
}

/// A packet in a slot.
#[derive(Clone, Copy)]
struct Posted {
    slot: usize,
    /// The place of the peer.
    index: u32,
    /// With the provider's prefix.
    bytes: usize,
    /// It is there to learn whether it arrives.
    is_hello: bool,
}

/// Bytes of a packet that says nothing: shorter than any other.
const HELLO_BYTES: usize = 1;

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
pub struct ProviderList {
    /// The library's version.
    pub version: String,
    /// What would be taken.
    pub taken: Option<String>,
    /// What would not, and why.
    pub others: Vec<(String, String)>,
}

/// Finds out which providers the library in `file` has.
pub fn probe(file: &str, wanted: Wanted<'_>, config: &InterfaceConfig) -> Result<ProviderList> {
    let library = Library::load(file)?;
    let asked = ask(library, wanted, config, 0)?;
    let mut others = Vec::new();
    for of in [Of::EfaDirect, Of::All] {
        let providers = library.ask(Query { of, rma: RmaCaps::None })?.providers();
        let taken = asked.taken.as_ref().filter(|taken| taken.of == of).map(|taken| taken.plain);
        others.extend(provider::others(&providers, taken, wanted, &ifaddrs(config)));
    }
    let taken = asked.taken.map(|taken| taken.provider.describe(config.mtu_min()));
    Ok(ProviderList { version: library.version_text(), taken, others })
}

/// The answer to a question, or the reasons of all that was refused.
struct Asked {
    taken: Option<Chosen>,
    reasons: String,
}

/// What was chosen.
struct Chosen {
    answers: library::ProviderInfos,
    provider: ProviderInfo,
    /// Its number among the answers.
    at: usize,
    of: Of,
    /// Its number where it was asked for packets alone.
    plain: usize,
}

fn ifaddrs(config: &InterfaceConfig) -> Vec<crate::IfAddr> {
    config.interfaces.iter().flat_map(|one| one.ifaddrs.clone()).collect()
}

fn ask(
    library: Library,
    wanted: Wanted<'_>,
    config: &InterfaceConfig,
    rank: Peer,
) -> Result<Asked> {
    let mut reasons = String::new();
    for of in [Of::EfaDirect, Of::All] {
        let answers = library.ask(Query { of, rma: RmaCaps::None })?;
        let providers = answers.providers();
        let plain = match choose(&providers, wanted, &ifaddrs(config), rank) {
            Ok(plain) => plain,
            Err(why) => {
                reasons = why;
                continue;
            }
        };
        let provider = ProviderInfo { rma_bytes_max: 0, ..providers[plain].clone() };
        let mut chosen = Chosen { answers, provider, at: plain, of, plain };
        // The ablest first.
        for rma in [RmaCaps::ReadsAndWrites, RmaCaps::Reads] {
            let able = library.ask(Query { of, rma })?;
            if let Some((at, both)) = providers[plain].with_rma(&able.providers()) {
                chosen = Chosen { answers: able, provider: both, at, of, plain };
                break;
            }
        }
        return Ok(Asked { taken: Some(chosen), reasons });
    }
    Ok(Asked { taken: None, reasons })
}

impl Ofi {
    /// Opens the best offer of the library in `file`, or the one of the provider or fabric that is
    /// `wanted`.
    pub fn open(
        identity: Identity,
        config: &InterfaceConfig,
        file: &str,
        wanted: Wanted<'_>,
    ) -> Result<Ofi> {
        let library = Library::load(file)?;
        let Asked { taken, reasons } = ask(library, wanted, config, identity.rank)?;
        let nothing = || failed(format!("libfabric offers no network that fits: {reasons}"));
        Ofi::take(library, taken.ok_or_else(nothing)?, config.mtu_min())
    }

    /// Opens what was chosen, over interfaces that carry datagrams of so many bytes.
    fn take(library: Library, taken: Chosen, mtu_min: usize) -> Result<Ofi> {
        let Chosen { answers, provider, at, .. } = taken;
        let capabilities = provider.capabilities(mtu_min);
        let slots = provider.slots(&capabilities);
        let endpoint = Endpoint::open(library, answers.info(at), &provider, slots)?;
        let name = endpoint.name(ADDRESS_BYTES - HEAD_BYTES)?;
        let timer = Timer::new().map_err(|e| failed(format!("cannot make a timer: {e}")))?;
        let mut this = Ofi {
            // One name per process.
            name: Box::leak(format!("ofi:{}", provider.name()).into_boxed_str()),
            capabilities,
            address: [&head(&provider, name.len())[..], &name].concat(),
            rma: Rma::new(slots.sends + slots.receives, provider.rma_bytes_max),
            provider,
            endpoint,
            slots,
            peers: Peers::new(),
            free: (0..slots.sends).rev().collect(),
            queue: VecDeque::with_capacity(slots.sends),
            on_the_way: vec![None; slots.sends],
            hellos: 0,
            idle: (slots.sends..slots.sends + slots.receives).collect(),
            unsettled: 0,
            timer,
            counts: Counts::default(),
        };
        this.post_receives()?;
        Ok(this)
    }

    /// Gives the library back what it may receive into.
    fn post_receives(&mut self) -> Result<()> {
        while let Some(&slot) = self.idle.last() {
            if !self.endpoint.receive(slot)? {
                break;
            }
            self.idle.pop();
        }
        Ok(())
    }

    /// Whether an address is one of the same provider.
    pub fn is_alike(&self, address: &[u8]) -> bool {
        let own = &self.address;
        address.get(..HEAD_BYTES) == own.get(..HEAD_BYTES) && address.len() == own.len()
    }

    /// What it is, for a person.
    pub fn describe(&self, config: &InterfaceConfig) -> String {
        self.provider.describe(config.mtu_min())
    }

    /// Sends a packet that says nothing to a connected peer, to learn whether it arrives; false
    /// while the network is busy.
    pub fn say_hello(&mut self, peer: Peer) -> bool {
        let Some(slot) = self.free.pop() else { return false };
        let index = self.peers.index(peer).expect("a peer that was connected");
        let bytes = self.provider.prefix_bytes + HELLO_BYTES;
        self.endpoint.memory(slot)[..bytes].fill(0);
        self.peers.at_mut(index).contact = Contact::Asked;
        self.hellos += 1;
        self.queue.push_back(Posted { slot, index, bytes, is_hello: true });
        true
    }

    /// Whether something is to be sent that somebody waits for: nobody waits for what says nothing,
    /// which a device may keep for ever.
    fn holds_packets(&self) -> bool {
        self.free.len() + self.hellos < self.slots.sends
    }

    /// What has come of it.
    pub fn contact(&self, peer: Peer) -> &Contact {
        self.peers.index(peer).map_or(&Contact::Unknown, |index| &self.peers.at(index).contact)
    }

    /// A connected peer, as the library calls it.
    fn number_of(&self, peer: Peer) -> u64 {
        self.peers.at(self.peers.index(peer).expect("a peer that was connected")).peer
    }

    /// Gives the library what waits, as far as it takes it now.
    fn send(&mut self) -> Result<()> {
        while let Some(&posted) = self.queue.front() {
            let Posted { slot, index, bytes, is_hello } = posted;
            let way = self.peers.at_mut(index);
            // Of what is injected nobody hears again.
            let inject = bytes <= self.provider.inject_bytes && !is_hello;
            let taken = match inject {
                true => self.endpoint.inject(slot, bytes, way.peer),
                false => self.endpoint.send(slot, bytes, way.peer),
            };
            match &taken {
                Ok(false) => {
                    self.counts.busy += 1;
                    return Ok(());
                }
                Ok(true) => self.counts.sent += u64::from(!is_hello),
                Err(e) if is_hello => way.contact = Contact::Failed(e.to_string()),
                Err(e) if self.capabilities.reliable => {
                    return Err(failed(format!("rank {}: {e}", way.rank)));
                }
                Err(_) => self.counts.lost += 1,
            }
            self.queue.pop_front();
            if inject || taken.is_err() {
                self.unsettled = LOOKS_AFTER_INJECT;
                self.hellos -= usize::from(is_hello);
                self.free.push(slot);
            } else {
                self.on_the_way[slot] = Some(posted);
            }
        }
        Ok(())
    }

    /// Handles slots that the library has completed; returns the number of packets delivered.
    fn poll(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<usize> {
        let mut done = [Done { slot: 0, len: 0, error: 0 }; COMPLETIONS];
        let count = self.endpoint.poll(&mut done)?;
        let mut packets = 0;
        for &one in &done[..count] {
            if one.slot < self.slots.sends {
                self.sent(one)?;
            } else if one.slot >= self.slots.sends + self.slots.receives {
                self.rma.done(one.slot, one.error == 0);
            } else {
                packets += self.received(one, take)?;
            }
        }
        self.counts.received += packets as u64;
        Ok(packets)
    }

    fn sent(&mut self, done: Done) -> Result<()> {
        self.free.push(done.slot);
        let posted = self.on_the_way[done.slot].take().expect("a slot that was on its way");
        let way = self.peers.at_mut(posted.index);
        if posted.is_hello {
            self.hellos -= 1;
            way.contact = match done.error {
                0 => Contact::Reached,
                error => Contact::Failed(self.endpoint.says(error)),
            };
            return Ok(());
        }
        if done.error == 0 {
            return Ok(());
        }
        self.counts.lost += 1;
        match self.capabilities.reliable {
            true => {
                let says = self.endpoint.says(done.error);
                Err(failed(format!("the network has lost rank {}: {says}", way.rank)))
            }
            false => Ok(()),
        }
    }

    fn received(&mut self, done: Done, take: &mut dyn FnMut(&[u8])) -> Result<usize> {
        let (prefix, mut shown) = (self.provider.prefix_bytes, 0);
        match done.error {
            0 if done.len > prefix + HELLO_BYTES && done.len <= self.slots.bytes => {
                take(&self.endpoint.memory(done.slot)[prefix..done.len]);
                shown = 1;
            }
            0 => {}
            // Nobody of the job sends a packet that is too long.
            abi::FI_ETRUNC => self.counts.truncated += 1,
            // Nobody sends a packet again that a reliable network has lost.
            error if self.capabilities.reliable => {
                let says = self.endpoint.says(error);
                return Err(failed(format!("the network has lost a packet to this rank: {says}")));
            }
            _ => self.counts.lost += 1,
        }
        self.idle.push(done.slot);
        self.post_receives()?;
        Ok(shown)
    }
}

/// The head of an address.
fn head(provider: &ProviderInfo, len: usize) -> [u8; HEAD_BYTES] {
    // Addresses of different providers look alike, but do not reach each other.
    let words = provider.name().bytes().map(u64::from);
    let mark = words.fold(0, |mark, byte| crate::random::mix64(mark ^ byte)) as u32;
    let mark = mark.to_le_bytes();
    [VERSION, Kind::Ofi as u8, len as u8, 0, mark[0], mark[1], mark[2], mark[3]]
}

impl Fabric for Ofi {
    fn name(&self) -> &'static str {
        self.name
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn address(&self) -> &[u8] {
        &self.address
    }

    fn connect(&mut self, peer: Peer, address: &[u8]) -> Result<()> {
        if !self.is_alike(address) {
            return Err(wrong(format!(
                "rank {peer} does not use the network by `{}` as this process does; set \
                 DUNLIN_NET_FABRIC to the same for all",
                self.name
            )));
        }
        let number = self.endpoint.insert(&address[HEAD_BYTES..])?;
        let contact = Contact::Unknown;
        self.peers.set(peer, PeerAddress { rank: peer, peer: number, contact });
        Ok(())
    }

    fn space(&mut self, _peer: Peer) -> Option<&mut [u8]> {
        let Some(&slot) = self.free.last() else {
            self.counts.busy += 1;
            return None;
        };
        Some(&mut self.endpoint.memory(slot)[self.provider.prefix_bytes..])
    }

    fn post(&mut self, peer: Peer, len: usize) {
        assert!(0 < len && len <= self.capabilities.packet_bytes_max, "a packet that had no room");
        let index = self.peers.index(peer).expect("a peer that was connected");
        let slot = self.free.pop().expect("`space` gave this slot");
        let bytes = self.provider.prefix_bytes + len;
        self.queue.push_back(Posted { slot, index, bytes, is_hello: false });
    }

    fn flush(&mut self) -> Result<()> {
        self.send()
    }

    fn is_flushed(&self) -> bool {
        !self.holds_packets() && self.unsettled == 0
    }

    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<usize> {
        self.unsettled = self.unsettled.saturating_sub(1);
        let packets = self.poll(take)?;
        if !self.idle.is_empty() {
            self.post_receives()?;
        }
        if !self.queue.is_empty() {
            self.send()?;
        }
        self.rma.work(&mut self.endpoint);
        Ok(packets)
    }

    unsafe fn register(&mut self, memory: *const [u8], to: Access) -> Option<(u32, RemoteKey)> {
        if !self.capabilities.remote_read {
            return None;
        }
        // An endpoint that was not opened for writes registers nothing for them.
        let access = if self.capabilities.remote_write { to } else { Access::Read };
        // SAFETY: the caller says so.
        unsafe {
            let is_window = to == Access::ReadWrite;
            self.rma.register(&mut self.endpoint, memory, (access, is_window))
        }
    }

    fn deregister(&mut self, number: u32) {
        self.rma.deregister(number);
    }

    unsafe fn read(&mut self, peer: Peer, from: RemoteKey, into: *mut [u8], number: u64) -> bool {
        if !self.capabilities.remote_read {
            return false;
        }
        let peer = self.number_of(peer);
        // SAFETY: the caller says so.
        unsafe { self.rma.begin(&mut self.endpoint, peer, from, Transfer::Read(into), number) }
    }

    unsafe fn write(&mut self, peer: Peer, to: RemoteKey, from: *const [u8], number: u64) -> bool {
        if !self.capabilities.remote_write {
            return false;
        }
        let peer = self.number_of(peer);
        // SAFETY: the caller says so.
        unsafe { self.rma.begin(&mut self.endpoint, peer, to, Transfer::Write(from), number) }
    }

    fn rma_done(&mut self, done: &mut dyn FnMut(u64, bool)) {
        self.rma.tell(done);
    }

    fn sleep_fds(&self, each: &mut dyn FnMut(RawFd)) {
        // A timer that cannot be set leaves the sleeper to its own patience.
        let _ = self.timer.set(Some(POLL_INTERVAL));
        each(self.timer.as_raw_fd());
    }

    fn counters(&self, each: &mut dyn FnMut(&'static str, u64)) {
        let counts = &self.counts;
        each("packets sent", counts.sent);
        each("packets received", counts.received);
        each("times libfabric was busy", counts.busy);
        each("packets lost", counts.lost);
        each("packets cut off on arrival", counts.truncated);
        if self.capabilities.remote_read {
            let counts = &self.rma.counts;
            each("reads of peers' memory", counts.reads);
            each("writes to it", counts.writes);
            each("of these failed", counts.failed);
            each("could not begin", counts.refused);
        }
    }
}

impl Drop for Ofi {
    fn drop(&mut self) {
        let begin = Instant::now();
        let is_busy = |this: &Ofi| this.holds_packets() || this.rma.are_under_way();
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
