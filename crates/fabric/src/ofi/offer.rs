//! What libfabric offers, read back, and which offer is taken. Pure data, so that the choice is
//! tested with what providers granted on machines we do not have.

use std::ffi::c_int;
use std::net::IpAddr;

use super::abi::{
    FI_CONTEXT, FI_CONTEXT2, FI_EP_DGRAM, FI_EP_RDM, FI_MR_ALLOCATED, FI_MR_ENDPOINT, FI_MR_LOCAL,
    FI_MR_PROV_KEY, FI_MR_VIRT_ADDR, FI_MSG, FI_MSG_PREFIX, FI_RX_CQ_DATA,
};
use crate::address::Place;

/// What providers may ask of us.
pub const MODES: u64 = FI_CONTEXT | FI_CONTEXT2 | FI_MSG_PREFIX | FI_RX_CQ_DATA;
/// What they may ask about memory.
pub const MR_MODES: c_int =
    FI_MR_LOCAL | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_VIRT_ADDR | FI_MR_ENDPOINT;

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

/// One of the answers of `fi_getinfo`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
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
}

impl Offer {
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

    /// Why it cannot be used, if so.
    fn lacks(&self, wanted: Option<&str>, places: &[Place]) -> Option<String> {
        if wanted.is_some_and(|wanted| !self.is(wanted) && !self.is_layered(wanted)) {
            return Some("another was named".into());
        }
        if wanted.is_none() && NAMED_ONLY.contains(&self.provider.as_str()) {
            return Some("it is only used when named".into());
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
        if self.ip.is_some_and(|ip| !places.iter().any(|place| place.ip == ip)) {
            return Some("its interface is not used".into());
        }
        None
    }

    /// Whether it is a layer above the provider `wanted` that makes it usable: `tcp;ofi_rxm`.
    fn is_layered(&self, wanted: &str) -> bool {
        self.provider.split_once(';').is_some_and(|(below, _)| below == wanted)
    }

    /// Where it stands in the order of choice; less is better.
    fn place(&self, wanted: Option<&str>, places: &[Place]) -> (bool, usize, usize) {
        let layered = wanted.is_some_and(|wanted| !self.is(wanted));
        let find = |name: &str| ORDER.iter().position(|known| *known == name);
        let below = self.provider.split_once(';').map_or("", |(below, _)| below);
        // An unknown layer above what we use as it is stands with the one we know.
        let name = if below.is_empty() || find(below).is_none() { "" } else { "tcp;ofi_rxm" };
        let order = find(self.name()).or_else(|| find(name)).unwrap_or(ORDER.len());
        let at = self.ip.and_then(|ip| places.iter().position(|place| place.ip == ip));
        (layered, order, at.unwrap_or(0))
    }
}

/// The number of the offer that is taken by the process with this rank: the best, or one of those
/// that are as good, in turns (a host may have several devices). If none: why, of each.
pub fn choose(
    offers: &[Offer],
    wanted: Option<&str>,
    places: &[Place],
    rank: u32,
) -> Result<usize, String> {
    let lacks: Vec<Option<String>> =
        offers.iter().map(|offer| offer.lacks(wanted, places)).collect();
    let usable = || (0..offers.len()).filter(|&at| lacks[at].is_none());
    let place = |at: usize| offers[at].place(wanted, places);
    let Some(best) = usable().map(place).min() else {
        let why = |at: &usize| lacks[*at].as_deref().unwrap_or_default();
        let all = (0..offers.len()).map(|at| format!("{}: {}", offers[at].name(), why(&at)));
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
        if !equals.iter().any(|&other| offers[other].domain == offers[at].domain) {
            equals.push(at);
        }
    }
    Ok(equals[rank as usize % equals.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = "10.1.2.3";

    fn places() -> Vec<Place> {
        vec![Place { ip: HERE.parse().unwrap(), prefix: 24 }]
    }

    /// As `fi_info -v` shows it on Debian 12.
    fn on_ethernet(provider: &str, endpoint: c_int, ip: &str) -> Offer {
        Offer {
            provider: provider.into(),
            fabric: "10.1.2.0/24".into(),
            domain: "eth0".into(),
            endpoint,
            caps: FI_MSG,
            mode: 0,
            mr_mode: 0,
            message_bytes_max: if provider == "udp" { 1472 } else { usize::MAX },
            prefix_bytes: 0,
            inject_bytes: 64,
            sends: 256,
            receives: 256,
            ordered: endpoint == FI_EP_RDM,
            ip: Some(ip.parse().unwrap()),
        }
    }

    /// What libfabric's documents say that EFA grants. Not yet run on hardware.
    fn on_efa(fabric: &str, device: &str) -> Offer {
        let direct = fabric == "efa-direct";
        Offer {
            provider: "efa".into(),
            fabric: fabric.into(),
            domain: format!("{device}-rdm"),
            endpoint: FI_EP_RDM,
            caps: FI_MSG | FI_RECV_AND_SEND,
            mode: if direct { FI_CONTEXT2 } else { 0 },
            mr_mode: FI_MR_LOCAL | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_VIRT_ADDR,
            message_bytes_max: if direct { 8_928 } else { usize::MAX },
            prefix_bytes: 0,
            inject_bytes: 32,
            sends: 768,
            receives: 768,
            ordered: !direct,
            ip: None,
        }
    }

    const FI_RECV_AND_SEND: u64 = super::super::abi::FI_RECV | super::super::abi::FI_SEND;

    fn chosen(offers: &[Offer], wanted: Option<&str>) -> String {
        let at = choose(offers, wanted, &places(), 0).unwrap();
        format!("{} {}", offers[at].name(), offers[at].endpoint)
    }

    fn debian() -> Vec<Offer> {
        vec![
            on_ethernet("udp;ofi_rxd", FI_EP_RDM, HERE),
            on_ethernet("net;ofi_rxm", FI_EP_RDM, HERE),
            on_ethernet("tcp;ofi_rxm", FI_EP_RDM, HERE),
            on_ethernet("net", FI_EP_RDM, "192.168.0.1"),
            on_ethernet("net", FI_EP_RDM, HERE),
            on_ethernet("udp", FI_EP_DGRAM, HERE),
            on_ethernet("shm", FI_EP_RDM, HERE),
            on_ethernet("sockets", FI_EP_RDM, HERE),
        ]
    }

    #[test]
    fn the_raw_protocol_of_efa_goes_before_all() {
        let mut offers = debian();
        offers.push(on_efa("efa", "rdmap0s6"));
        assert_eq!(chosen(&offers, None), "efa 3");
        offers.push(on_efa("efa-direct", "rdmap0s6"));
        assert_eq!(chosen(&offers, None), "efa-direct 3");
        assert_eq!(chosen(&offers, Some("efa-direct")), "efa-direct 3");
        assert!(!offers[choose(&offers, None, &[], 0).unwrap()].ordered);
    }

    #[test]
    fn ranks_share_the_devices_that_are_alike() {
        let offers = [on_efa("efa-direct", "a"), on_efa("efa-direct", "b"), on_efa("efa", "c")];
        let taken: Vec<usize> =
            (0..4).map(|rank| choose(&offers, None, &places(), rank).unwrap()).collect();
        assert_eq!(taken, [0, 1, 0, 1]);
    }

    #[test]
    fn without_devices_what_is_closest_to_the_network_and_on_the_right_interface_is_taken() {
        let offers = debian();
        assert_eq!(choose(&offers, None, &places(), 0), Ok(4));
        assert_eq!(chosen(&offers, Some("udp")), "udp 2");
        assert_eq!(chosen(&offers, Some("tcp")), "tcp;ofi_rxm 3");
        assert_eq!(chosen(&offers, Some("tcp;ofi_rxm")), "tcp;ofi_rxm 3");
        assert_eq!(chosen(&offers, Some("sockets")), "sockets 3");
        let native = [debian(), vec![on_ethernet("tcp", FI_EP_RDM, HERE)]].concat();
        assert_eq!(chosen(&native, Some("tcp")), "tcp 3");
    }

    #[test]
    fn what_asks_for_more_than_we_give_is_refused_with_a_reason() {
        let ask = |change: fn(&mut Offer)| {
            let mut offer = on_ethernet("psm3", FI_EP_RDM, HERE);
            change(&mut offer);
            choose(&[offer], None, &places(), 0).unwrap_err()
        };
        assert!(ask(|o| o.caps = 0).contains("psm3: it sends no messages"));
        assert!(ask(|o| o.mode = 1 << 51).contains("modes 0x8000000000000"));
        assert!(ask(|o| o.mr_mode = 1 << 10).contains("0x400"));
        assert!(ask(|o| o.message_bytes_max = 200).contains("200 bytes"));
        assert!(ask(|o| o.ip = Some([10, 9, 9, 9].into())).contains("interface"));
        assert!(choose(&[], None, &places(), 0).unwrap_err().contains("nothing"));
        assert!(choose(&debian(), Some("cxi"), &places(), 0).unwrap_err().contains("another"));
    }
}
