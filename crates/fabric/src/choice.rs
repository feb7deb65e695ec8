//! Which fabric and which interfaces, and why: the choice is made from the wishes and the list of
//! interfaces alone, so that it can be explained and tested without a network.

use std::net::IpAddr;

use dunlin_base::Result;
use dunlin_base::settings::{NET_DEVICES, NET_FABRIC, NET_INTERFACE, Settings};
use dunlin_seal::Security;

use crate::address::Kind;
use crate::devices::{self, Device};
use crate::fault_injector::FaultInjector;
use crate::fault_plan::FaultPlan;
use crate::interface_config::InterfaceConfig;
use crate::interfaces::Interface;
use crate::offer::Offer;
use crate::ofi::{self, Ofi, Wanted};
use crate::preferences::Preferences;
use crate::tcp::Tcp;
use crate::udp::Udp;
use crate::udp_tcp::UdpTcp;
use crate::{Fabric, Identity, Peer, interfaces, wrong};

/// Names of interfaces that containers and virtual machines of this host have among themselves.
/// Every host has them, with the same addresses, and they lead nowhere.
const INWARD: [&str; 9] =
    ["docker", "virbr", "br-", "cni", "flannel", "cali", "lxcbr", "lxdbr", "podman"];

/// The choice.
#[derive(Clone, Debug)]
pub struct Choice {
    /// By which fabric.
    pub fabric: Kind,
    /// Why.
    pub because: String,
    /// The others, and why not.
    pub others: Vec<(Kind, String)>,
    /// All interfaces, the used ones first.
    pub candidates: Vec<Candidate>,
    /// Devices of fast networks.
    pub devices: Vec<Device>,
    /// No fabric is named: what does not work may be replaced by what does.
    pub is_free: bool,
    /// What the fabric is given.
    pub config: InterfaceConfig,
    /// Which of libfabric's providers, if one was named.
    pub provider: Option<String>,
    /// The file of libfabric.
    pub libfabric: String,
    /// How much packets are protected.
    pub security: Security,
    /// Faults it is given.
    pub faults: Option<FaultPlan>,
}

/// An interface and what was thought of it.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// It.
    pub interface: Interface,
    /// It is used.
    pub used: bool,
    /// Why, or why not.
    pub because: String,
}

/// Chooses by the settings, on this host.
pub fn choose(settings: &Settings) -> Result<Choice> {
    let preferences = Preferences::read(settings)?;
    let devices = devices::list(&preferences.devices);
    choose_from(&preferences, interfaces::list()?, devices)
}

/// Chooses by `preferences` among `all` interfaces and the devices of fast networks.
pub fn choose_from(
    preferences: &Preferences,
    all: Vec<Interface>,
    devices: Vec<Device>,
) -> Result<Choice> {
    let mut candidates = match preferences.interfaces.is_empty() {
        true => all.into_iter().map(judged).collect(),
        false => named(preferences, all),
    };
    if preferences.interfaces.is_empty() {
        // The fastest first, else in the system's order.
        let slow =
            |one: &Candidate| (!one.used, std::cmp::Reverse(one.interface.speed.unwrap_or(0)));
        candidates.sort_by_key(slow);
    }
    let used = candidates.iter().filter(|one| one.used);
    let interfaces: Vec<Interface> = used.map(|one| one.interface.clone()).collect();
    if interfaces.is_empty() {
        return Err(nowhere(preferences, &candidates));
    }
    let (fabric, because, others) = fabric(preferences, &devices);
    let config = InterfaceConfig {
        interfaces,
        ports: preferences.ports,
        flows: preferences.flows,
        timeout: preferences.timeout,
    };
    Ok(Choice {
        fabric,
        because,
        others,
        candidates,
        devices,
        is_free: preferences.fabric.is_none(),
        config,
        provider: preferences.provider.clone(),
        libfabric: preferences.libfabric.clone(),
        security: preferences.security,
        faults: preferences.faults.clone(),
    })
}

fn fabric(preferences: &Preferences, devices: &[Device]) -> (Kind, String, Vec<(Kind, String)>) {
    let usual = if devices.is_empty() { Kind::UdpTcp } else { Kind::OfiTcp };
    let kind = preferences.fabric.unwrap_or(usual);
    let because = |one: Kind| match preferences.fabric {
        Some(named) if named == one => format!("{NET_FABRIC} says so"),
        Some(_) => format!("{NET_FABRIC} names another"),
        None if one == Kind::OfiTcp && devices.is_empty() => {
            let places = preferences.devices.join(" or ");
            match places.is_empty() {
                true => format!("{NET_DEVICES} names no place to look for a device"),
                false => format!("there is no device of a fast network in {places}"),
            }
        }
        None if one == Kind::OfiTcp => {
            format!("there is a device of a fast network: {}", devices::named(devices))
        }
        None => unnamed(one, kind).into(),
    };
    let others = Kind::ALL.into_iter().filter(|&one| one != kind);
    (kind, because(kind), others.map(|one| (one, because(one))).collect())
}

/// Why a fabric is used, or not, where none is named and `taken` is.
fn unnamed(kind: Kind, taken: Kind) -> &'static str {
    match kind {
        Kind::UdpTcp if taken != kind => "only where no device of a fast network works",
        Kind::UdpTcp => "datagrams are the quickest for small messages, connections for large",
        Kind::Udp => "slower for large messages; but it needs no connections",
        Kind::Tcp => "slower for small messages",
        Kind::Ofi | Kind::OfiTcp => "only when named: it has no other way to a peer",
    }
}

/// What to think of an interface that nobody has named.
fn judged(mut interface: Interface) -> Candidate {
    let addresses = interface.ifaddrs.len();
    interface.ifaddrs.retain(|place| !is_link_local(place.ip));
    let inward = INWARD.iter().any(|name| interface.name.starts_with(name));
    let (used, because) = if interface.loopback {
        (false, "it reaches this host alone")
    } else if inward {
        (false, "by its name it joins containers or virtual machines of this host")
    } else if !interface.up {
        (false, "it is down or has no carrier")
    } else if !interface.ifaddrs.is_empty() {
        (true, "it is up and has an address")
    } else if addresses > 0 {
        (false, "it has no address but of its own link")
    } else {
        (false, "it has no address")
    };
    Candidate { interface, used, because: because.into() }
}

fn is_link_local(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => ip.is_link_local(),
        IpAddr::V6(ip) => ip.is_unicast_link_local(),
    }
}

/// The interfaces the user has named, in that order, then the others.
fn named(preferences: &Preferences, all: Vec<Interface>) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = Vec::new();
    for name in &preferences.interfaces {
        for interface in &all {
            let mut ifaddrs = name.ifaddrs(interface);
            ifaddrs.retain(|place| !is_link_local(place.ip));
            let again = |one: &Candidate| one.interface.name == interface.name;
            if ifaddrs.is_empty() || candidates.iter().any(again) {
                continue;
            }
            let interface = Interface { ifaddrs, ..interface.clone() };
            let because = match interface.up {
                true => format!("{NET_INTERFACE} names it by `{name}`"),
                false => format!("{NET_INTERFACE} names it by `{name}`, but it is down"),
            };
            candidates.push(Candidate { used: interface.up, interface, because });
        }
    }
    for interface in all {
        if !candidates.iter().any(|one| one.interface.name == interface.name) {
            let because = format!("{NET_INTERFACE} does not name it");
            candidates.push(Candidate { interface, used: false, because });
        }
    }
    candidates.sort_by_key(|one| !one.used);
    candidates
}

fn nowhere(preferences: &Preferences, candidates: &[Candidate]) -> dunlin_base::Error {
    let reasons: Vec<String> =
        candidates.iter().map(|one| format!("{}: {}", one.interface.name, one.because)).collect();
    let reasons = match reasons.is_empty() {
        true => "there is none".into(),
        false => reasons.join("; "),
    };
    if preferences.interfaces.is_empty() {
        return wrong(format!(
            "no network interface leads to other hosts ({reasons}); name one in {NET_INTERFACE}"
        ));
    }
    let names: Vec<String> = preferences.interfaces.iter().map(ToString::to_string).collect();
    let names = names.join(",");
    wrong(format!("{NET_INTERFACE} is `{names}`, and no interface that works fits ({reasons})"))
}

/// What a process has opened at its start.
pub enum Started {
    /// A fabric, for certain.
    Fabric(Box<dyn Fabric>),
    /// What all processes of the job have to offer before it is used.
    Offer(Box<Offer>),
}

impl Choice {
    /// What libfabric has to offer; an error says why it has nothing.
    pub fn libfabric_providers(&self) -> Result<ofi::ProviderList> {
        ofi::probe(&self.libfabric, self.wanted(), &self.config)
    }

    /// Which of libfabric's providers is looked for.
    fn wanted(&self) -> Wanted<'_> {
        match &self.provider {
            Some(name) => Wanted::Named(name),
            None if self.fabric == Kind::OfiTcp && self.is_free => Wanted::Hardware,
            None => Wanted::Any,
        }
    }

    /// Opens what was chosen, at the start of a job. Where nobody has named a fabric and a device
    /// does not work, what goes without it is chosen instead; returned is also why.
    pub fn start(&mut self, identity: Identity) -> Result<(Started, Option<String>)> {
        if !self.is_free || self.fabric != Kind::OfiTcp {
            return Ok((Started::Fabric(self.open(identity)?), None));
        }
        match self.offer(identity) {
            Ok(offer) => Ok((Started::Offer(Box::new(offer)), None)),
            Err(e) => {
                let (taken, text) = (Kind::UdpTcp, e.text.to_string());
                self.fabric = taken;
                self.because = unnamed(taken, taken).into();
                self.others.retain(|(kind, _)| *kind != taken);
                self.others.insert(0, (Kind::OfiTcp, text));
                Ok((Started::Fabric(self.open(identity)?), Some(e.text.to_string())))
            }
        }
    }

    fn offer(&self, identity: Identity) -> Result<Offer> {
        Offer::open(identity, &self.config, &self.libfabric, self.wanted())
    }

    /// The fabric of process `rank`, once it is known whether all processes take its offer.
    pub fn settle(&mut self, offer: Offer, is_taken: bool, rank: Peer) -> Result<Box<dyn Fabric>> {
        self.fabric = if is_taken { Kind::OfiTcp } else { Kind::UdpTcp };
        self.with_faults(offer.settle(is_taken), rank)
    }

    /// Opens the chosen fabric.
    pub fn open(&self, identity: Identity) -> Result<Box<dyn Fabric>> {
        let config = self.config.clone();
        let fabric: Box<dyn Fabric> = match self.fabric {
            Kind::Udp => Box::new(Udp::open(identity, config)?),
            Kind::Tcp => Box::new(Tcp::open(identity, config)?),
            Kind::UdpTcp => Box::new(UdpTcp::open(identity, config)?),
            Kind::OfiTcp => self.offer(identity)?.settle(true),
            Kind::Ofi => Box::new(Ofi::open(identity, &config, &self.libfabric, self.wanted())?),
        };
        self.with_faults(fabric, identity.rank)
    }

    fn with_faults(&self, fabric: Box<dyn Fabric>, rank: Peer) -> Result<Box<dyn Fabric>> {
        Ok(match &self.faults {
            Some(plan) => Box::new(FaultInjector::new(fabric, plan.clone(), rank)?),
            None => fabric,
        })
    }
}

#[cfg(test)]
mod tests {
    use dunlin_base::settings::{NET_FAULTS, Setting};

    use super::*;
    use crate::address::IfAddr;

    fn interface(name: &str, speed: Option<u32>, ifaddrs: &[&str]) -> Interface {
        let place = |text: &&str| {
            let (ip, prefix) = text.split_once('/').unwrap();
            IfAddr { ip: ip.parse().unwrap(), prefix: prefix.parse().unwrap() }
        };
        Interface {
            name: name.into(),
            mtu: if name == "lo" { 65_536 } else { 1500 },
            speed,
            up: name != "eth9",
            loopback: name == "lo",
            ifaddrs: ifaddrs.iter().map(place).collect(),
        }
    }

    fn a_host() -> Vec<Interface> {
        vec![
            interface("lo", None, &["127.0.0.1/8", "::1/128"]),
            interface("eth0", Some(1000), &["192.168.7.3/24", "fe80::1/64"]),
            interface("docker0", Some(10_000), &["172.17.0.1/16"]),
            interface("virbr0", None, &["192.168.122.1/24"]),
            interface("ib0", Some(100_000), &["10.1.2.3/16", "fd00::3/64"]),
            interface("eth9", None, &["10.9.9.9/24"]),
            interface("eth5", None, &["fe80::5/64"]),
            interface("eth6", None, &[]),
        ]
    }

    fn preferences(settings: &[(&Setting, &str)]) -> Preferences {
        crate::preferences::tests::preferences(settings).unwrap()
    }

    fn used(settings: &[(&Setting, &str)]) -> Vec<String> {
        let choice = choose_from(&preferences(settings), a_host(), vec![]).unwrap();
        choice.config.ifaddrs().iter().map(|place| place.ip.to_string()).collect()
    }

    #[test]
    fn the_fastest_that_leads_to_others_goes_first_and_what_leads_inward_is_never_used() {
        assert_eq!(used(&[]), ["10.1.2.3", "192.168.7.3"]);
        let choice = choose_from(&preferences(&[]), a_host(), vec![]).unwrap();
        let why = |name: &str| {
            let found = choice.candidates.iter().find(|one| one.interface.name == name).unwrap();
            assert!(!found.used);
            found.because.clone()
        };
        assert!(why("lo").contains("this host alone"));
        assert!(why("docker0").contains("containers") && why("virbr0").contains("containers"));
        assert!(why("eth9").contains("down") && why("eth6").contains("no address"));
        assert!(why("eth5").contains("of its own link"));
    }

    #[test]
    fn what_the_user_names_is_used_in_that_order() {
        assert_eq!(used(&[(&NET_INTERFACE, "eth0")]), ["192.168.7.3"]);
        assert_eq!(used(&[(&NET_INTERFACE, "eth0,ib0")]), ["192.168.7.3", "10.1.2.3"]);
        assert_eq!(used(&[(&NET_INTERFACE, "10.1.0.0/16")]), ["10.1.2.3"]);
        assert_eq!(used(&[(&NET_INTERFACE, "fd00::/8")]), ["fd00::3"]);
        assert_eq!(used(&[(&NET_INTERFACE, "docker0")]), ["172.17.0.1"]);
        assert_eq!(used(&[(&NET_INTERFACE, "lo")]), ["127.0.0.1"]);
    }

    #[test]
    fn where_nothing_is_left_the_error_says_why_of_each() {
        let error = |settings: &[(&Setting, &str)], all| -> String {
            choose_from(&preferences(settings), all, vec![]).unwrap_err().to_string()
        };
        let named = error(&[(&NET_INTERFACE, "eth7")], a_host());
        assert!(named.contains("`eth7`") && named.contains("eth0: "), "{named}");
        let down = error(&[(&NET_INTERFACE, "eth9")], a_host());
        assert!(down.contains("but it is down"), "{down}");
        let alone = error(&[], vec![interface("lo", None, &["127.0.0.1/8"])]);
        assert!(alone.contains("lo: it reaches this host alone"), "{alone}");
        assert!(error(&[], vec![]).contains("there is none"));
    }

    #[test]
    fn the_fabric_is_udp_and_tcp_unless_another_is_named() {
        let fabric = |settings: &[(&Setting, &str)]| {
            choose_from(&preferences(settings), a_host(), vec![]).unwrap().fabric
        };
        assert_eq!(fabric(&[]), Kind::UdpTcp);
        assert_eq!(fabric(&[(&NET_FABRIC, "udp")]), Kind::Udp);
        assert_eq!(fabric(&[(&NET_FABRIC, "tcp")]), Kind::Tcp);
    }

    #[test]
    fn a_device_of_a_fast_network_is_taken_unless_another_fabric_is_named() {
        let efa = Device { name: "rdmap0s6".into(), driver: Some("efa".into()) };
        let choice = |settings: &[(&Setting, &str)], devices: &[Device]| {
            choose_from(&preferences(settings), a_host(), devices.to_vec()).unwrap()
        };
        let why = |choice: &Choice, kind| {
            choice.others.iter().find(|(one, _)| *one == kind).unwrap().1.clone()
        };
        let taken = choice(&[], std::slice::from_ref(&efa));
        assert_eq!((taken.fabric, taken.wanted()), (Kind::OfiTcp, Wanted::Hardware));
        assert!(taken.because.contains("rdmap0s6 (efa)"), "{}", taken.because);
        assert!(why(&taken, Kind::UdpTcp).contains("no device of a fast network works"));
        let without = choice(&[], &[]);
        assert!(why(&without, Kind::OfiTcp).contains("no device of a fast network in /sys/class"));
        let named = choice(&[(&NET_FABRIC, "udp+tcp")], &[efa]);
        assert_eq!((named.fabric, named.is_free), (Kind::UdpTcp, false));
        let named = choice(&[(&NET_FABRIC, "ofi+tcp")], &[]);
        assert_eq!((named.fabric, named.wanted()), (Kind::OfiTcp, Wanted::Any));
    }

    #[test]
    fn the_choice_opens_with_faults_where_they_are_asked_for() {
        for (name, faults, full) in [
            ("udp", "drop=0.5", "udp with injected faults"),
            ("tcp", "reorder=0.5", "tcp with injected faults"),
            ("tcp", "", "tcp"),
            ("auto", "", "udp+tcp"),
        ] {
            let settings =
                preferences(&[(&NET_INTERFACE, "lo"), (&NET_FABRIC, name), (&NET_FAULTS, faults)]);
            let choice = choose_from(&settings, interfaces::list().unwrap(), vec![]).unwrap();
            let fabric = choice.open(Identity::keyless(0, choice.security)).unwrap();
            assert_eq!(fabric.name(), full);
        }
    }
}
