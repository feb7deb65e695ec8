//! What libfabric offers, read back, and which offer is taken. Pure data, so that the choice is
//! tested with what providers granted on machines we do not have.

use std::ffi::c_int;
use std::net::IpAddr;

use super::abi::{
    FI_CONTEXT, FI_CONTEXT2, FI_EP_DGRAM, FI_EP_RDM, FI_MR_ALLOCATED, FI_MR_ENDPOINT, FI_MR_LOCAL,
    FI_MR_PROV_KEY, FI_MR_VIRT_ADDR, FI_MSG, FI_MSG_PREFIX, FI_READ, FI_REMOTE_READ,
    FI_REMOTE_WRITE, FI_RMA, FI_RX_CQ_DATA, FI_WRITE,
};
use super::transfer::PARTS_MAX;
use crate::Capabilities;
use crate::address::IfAddr;
use crate::udp::HEADER_BYTES_V6;

/// What providers may ask of us.
pub const MODES: u64 = FI_CONTEXT | FI_CONTEXT2 | FI_MSG_PREFIX | FI_RX_CQ_DATA;
/// What they may ask about memory.
pub const MR_MODES: c_int =
    FI_MR_LOCAL | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_VIRT_ADDR | FI_MR_ENDPOINT;

/// What it takes to read a peer's memory and to be read.
pub const READS: u64 = FI_RMA | FI_READ | FI_REMOTE_READ;
/// The same to write.
pub const WRITES: u64 = FI_RMA | FI_WRITE | FI_REMOTE_WRITE;

/// Bytes of a packet at most, where the provider sets no limit of its own that is less: as long as
/// EFA's, and what is longer gains nothing (see `udp`).
const PACKET_BYTES_MAX: usize = 8_960;
/// Packets on their way, and room for those that come, at most: 6.6 MiB at the longest packets.
const SENDS_MAX: usize = 256;
const RECEIVES_MAX: usize = 512;

/// Room for the protocol's header and something to say.
const MESSAGE_BYTES_MIN: usize = 256;

/// Fabrics or providers in the order in which they are taken; whatever is not in the list stands
/// where the empty name is. Amazon's raw one first, whose promises are just what we ask for.
const ORDER: [&str; 8] =
    ["efa-direct", "efa", "verbs;ofi_rxm", "", "tcp", "net", "tcp;ofi_rxm", "udp"];
/// Only taken when named: they stay on this host, are given up by their authors, or do in software
/// what we do ourselves.
const NAMED_ONLY: [&str; 8] =
    ["shm", "sm2", "lnx", "sockets", "udp;ofi_rxd", "psm", "psm2", "verbs;ofi_rxd"];

/// Those for devices that carry packets without the kernel, by the part of the name before `;`.
const HARDWARE: [&str; 5] = ["efa", "verbs", "cxi", "opx", "psm3"];

/// Which provider is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// The best.
    Any,
    /// The best of those for devices.
    Hardware,
    /// The one that the user has named.
    Named(&'a str),
}

/// One of the answers of `fi_getinfo`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProviderInfo {
    /// Name of the provider, e.g. `tcp;ofi_rxm`.
    pub provider: String,
    /// Name of the fabric, e.g. `efa-direct` or a subnet.
    pub fabric: String,
    /// Name of the domain: the device or interface.
    pub domain: String,
    /// FI_EP_RDM or FI_EP_DGRAM.
    pub endpoint: c_int,
    /// FI_MSG and others.
    pub caps: u64,
    /// What it asks of us.
    pub mode: u64,
    /// What it asks about memory.
    pub mr_mode: c_int,
    /// Bytes of a key to memory.
    pub key_bytes: usize,
    /// Bytes of a message at most.
    pub message_bytes_max: usize,
    /// Bytes before each message that are the provider's.
    pub prefix_bytes: usize,
    /// Messages of up to so many bytes need no buffer once they are sent.
    pub inject_bytes: usize,
    /// Sends that may be on their way.
    pub sends: usize,
    /// Receives that may be waiting.
    pub receives: usize,
    /// Sends to one peer arrive in order.
    pub ordered: bool,
    /// Its own IP address, if it has one.
    pub ip: Option<IpAddr>,
    /// Bytes that one read of a peer's memory gets at most, or one write brings; 0: there are no
    /// reads.
    pub rma_bytes_max: usize,
    /// Whether there are writes, too.
    pub writes: bool,
}

/// How much memory the endpoint has for messages.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    /// For sending.
    pub sends: usize,
    /// For receiving.
    pub receives: usize,
    /// Reads and writes of peers' memory that may be under way.
    pub rma: usize,
    /// Bytes of each, with the provider's prefix.
    pub bytes: usize,
}

impl ProviderInfo {
    /// How people call it: the fabric if that is the provider's mode, else the provider.
    pub fn name(&self) -> &str {
        if self.fabric.starts_with("efa") { &self.fabric } else { &self.provider }
    }

    /// Whether it is what the user calls `wanted`.
    fn is(&self, wanted: &str) -> bool {
        self.name() == wanted || self.provider == wanted
    }

    /// Whether each message arrives.
    pub fn reliable(&self) -> bool {
        self.endpoint == FI_EP_RDM
    }

    /// What packets by it are like, over interfaces that carry datagrams of so many bytes.
    pub fn capabilities(&self, mtu_min: usize) -> Capabilities {
        // libfabric's own `udp` does not look at the interface.
        let path_bytes_max = match (self.reliable(), self.ip) {
            (false, Some(_)) => mtu_min.saturating_sub(HEADER_BYTES_V6),
            _ => usize::MAX,
        };
        let room = self.message_bytes_max - self.prefix_bytes;
        Capabilities {
            reliable: self.reliable(),
            authenticated: false,
            ordered: self.reliable() && self.ordered,
            packet_bytes_max: room.min(PACKET_BYTES_MAX).min(path_bytes_max),
            remote_read: self.reliable() && self.rma_bytes_max > 0,
            remote_write: self.reliable() && self.rma_bytes_max > 0 && self.writes,
        }
    }

    /// How much may be under way in packets of that shape.
    pub fn slots(&self, capabilities: &Capabilities) -> Slots {
        Slots {
            sends: self.sends.clamp(1, SENDS_MAX),
            receives: self.receives.clamp(1, RECEIVES_MAX),
            rma: if capabilities.remote_read { PARTS_MAX } else { 0 },
            bytes: self.prefix_bytes + capabilities.packet_bytes_max,
        }
    }

    /// What it is, for a person.
    pub fn describe(&self, mtu_min: usize) -> String {
        let capabilities = self.capabilities(mtu_min);
        let promise = match (capabilities.reliable, capabilities.ordered) {
            (true, true) => "reliable and in order",
            (true, false) => "reliable, in any order",
            (false, _) => "unreliable",
        };
        let reads = match (capabilities.remote_read, capabilities.remote_write) {
            (true, true) => {
                ", large messages are read by the receiver, windows read and written by the origin"
            }
            (true, false) => {
                ", large messages are read by the receiver, windows read by the origin"
            }
            (false, _) => "",
        };
        let pinned = if self.mr_mode & FI_MR_LOCAL != 0 { ", memory must be pinned" } else { "" };
        let (name, domain, bytes) = (self.name(), &self.domain, capabilities.packet_bytes_max);
        format!("{name} on {domain}: {promise}, packets of up to {bytes} bytes{reads}{pinned}")
    }

    /// Why it is not what is looked for, if so.
    fn unwanted_because(&self, wanted: Wanted<'_>) -> Option<&'static str> {
        let below = self.provider.split(';').next().unwrap_or_default();
        match wanted {
            Wanted::Named(name) if !self.is(name) && !self.is_layered(name) => {
                Some("another was named")
            }
            Wanted::Named(_) => None,
            _ if NAMED_ONLY.contains(&self.provider.as_str()) => Some("it is only used when named"),
            Wanted::Hardware if !HARDWARE.contains(&below) => Some("it is for no device"),
            Wanted::Hardware if !self.reliable() => Some("it may lose packets"),
            _ => None,
        }
    }

    /// Why it cannot be used, if so.
    fn lacks(&self, wanted: Wanted<'_>, ifaddrs: &[IfAddr]) -> Option<String> {
        if let Some(why) = self.unwanted_because(wanted) {
            return Some(why.into());
        }
        if self.caps & FI_MSG == 0 || ![FI_EP_RDM, FI_EP_DGRAM].contains(&self.endpoint) {
            return Some("it sends no messages without connections".into());
        }
        if self.mode & !MODES != 0 || self.mr_mode & !MR_MODES != 0 {
            let (mode, mr_mode) = (self.mode & !MODES, self.mr_mode & !MR_MODES);
            return Some(format!("it asks for modes {mode:#x} and {mr_mode:#x}"));
        }
        if self.message_bytes_max < self.prefix_bytes + MESSAGE_BYTES_MIN {
            return Some(format!("its messages have {} bytes at most", self.message_bytes_max));
        }
        if self.ip.is_some_and(|ip| !ifaddrs.iter().any(|place| place.ip == ip)) {
            return Some("its interface is not used".into());
        }
        None
    }

    /// The same with reads of memory, and perhaps writes, if it is among `all`, the answers to the
    /// question for those: its number there, and both in one.
    pub fn with_rma(&self, all: &[ProviderInfo]) -> Option<(usize, ProviderInfo)> {
        let is_same = |other: &ProviderInfo| {
            let name =
                |provider: &ProviderInfo| (provider.provider.clone(), provider.fabric.clone());
            let place =
                |provider: &ProviderInfo| (provider.domain.clone(), provider.endpoint, provider.ip);
            name(other) == name(self) && place(other) == place(self)
        };
        let fits = |other: &ProviderInfo| {
            other.rma_bytes_max > 0
                && other.mode & !MODES == 0
                && other.mr_mode & !MR_MODES == 0
                && other.prefix_bytes == self.prefix_bytes
        };
        let at = all.iter().position(|other| is_same(other) && fits(other))?;
        let other = &all[at];
        let both = ProviderInfo {
            // Of the two questions, this one tells the bytes of a message.
            message_bytes_max: self.message_bytes_max.min(other.message_bytes_max),
            inject_bytes: self.inject_bytes.min(other.inject_bytes),
            ..other.clone()
        };
        Some((at, both))
    }

    /// Whether it is a layer above the provider `wanted` that makes it usable: `tcp;ofi_rxm`.
    fn is_layered(&self, wanted: &str) -> bool {
        self.provider.split_once(';').is_some_and(|(below, _)| below == wanted)
    }

    /// Where it stands in the order of choice; less is better.
    fn place(&self, wanted: Wanted<'_>, ifaddrs: &[IfAddr]) -> (bool, usize, bool, usize) {
        let layered = matches!(wanted, Wanted::Named(name) if !self.is(name));
        let find = |name: &str| ORDER.iter().position(|known| *known == name);
        let below = self.provider.split_once(';').map_or("", |(below, _)| below);
        // An unknown layer above what we use as it is stands with the one we know.
        let name = if below.is_empty() || find(below).is_none() { "" } else { "tcp;ofi_rxm" };
        let order = find(self.name()).or_else(|| find(name)).unwrap_or(ORDER.len());
        let at = self.ip.and_then(|ip| ifaddrs.iter().position(|place| place.ip == ip));
        // EFA offers both by one name, and ranks that take different ones do not find each other.
        (layered, order, !self.reliable(), at.unwrap_or(0))
    }
}

/// The index of the provider that the process with this rank uses: the best or, where several are
/// equally good (a host may have several devices), one of them in turns. If none can be used: why,
/// for each.
pub fn choose(
    providers: &[ProviderInfo],
    wanted: Wanted<'_>,
    ifaddrs: &[IfAddr],
    rank: u32,
) -> Result<usize, String> {
    let lacks: Vec<Option<String>> =
        providers.iter().map(|provider| provider.lacks(wanted, ifaddrs)).collect();
    let usable = || (0..providers.len()).filter(|&at| lacks[at].is_none());
    let place = |at: usize| providers[at].place(wanted, ifaddrs);
    let Some(best) = usable().map(place).min() else {
        let why = |at: &usize| lacks[*at].as_deref().unwrap_or_default();
        let all = (0..providers.len()).map(|at| format!("{}: {}", providers[at].name(), why(&at)));
        let mut reasons: Vec<String> = all.collect();
        reasons.sort();
        reasons.dedup();
        return Err(match reasons.is_empty() {
            true => "it offers nothing here".into(),
            false => reasons.join("; "),
        });
    };
    let mut equals: Vec<usize> = Vec::new();
    for at in usable().filter(|&at| place(at) == best) {
        // The same device may be offered in several ways, the best first.
        if !equals.iter().any(|&other| providers[other].domain == providers[at].domain) {
            equals.push(at);
        }
    }
    Ok(equals[rank as usize % equals.len()])
}

/// Nothing is wrong with what is not taken for this reason.
const BEHIND: &str = "another goes before it";

/// What is not taken, and why, each once.
pub fn others(
    providers: &[ProviderInfo],
    taken: Option<usize>,
    wanted: Wanted<'_>,
    ifaddrs: &[IfAddr],
) -> Vec<(String, String)> {
    let mut others = Vec::new();
    for (at, provider) in providers.iter().enumerate() {
        let kind = match provider.endpoint {
            FI_EP_RDM => "",
            FI_EP_DGRAM => " (datagrams)",
            _ => " (connections)",
        };
        let name = format!("{} on {}{kind}", provider.name(), provider.domain);
        let because = match taken.map(|taken| &providers[taken]) {
            Some(best) if best.domain == provider.domain && best.name() == provider.name() => {
                continue;
            }
            _ => provider.lacks(wanted, ifaddrs).unwrap_or_else(|| BEHIND.into()),
        };
        if Some(at) != taken && !others.contains(&(name.clone(), because.clone())) {
            others.push((name, because));
        }
    }
    // One device is offered by each of its addresses.
    let fits = |(name, _): &(String, String)| name.clone();
    let fitting: Vec<String> = others.iter().filter(|one| one.1 == BEHIND).map(fits).collect();
    others.retain(|(name, because)| because == BEHIND || !fitting.contains(name));
    others
}

#[cfg(test)]
#[path = "provider_tests.rs"]
mod tests;
