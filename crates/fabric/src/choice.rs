//! Which fabric and which interfaces, and why: the choice is made from the wishes and the list of
//! interfaces alone, so that it can be explained and tested without a network.

use std::net::IpAddr;

use dunlin_base::Result;
use dunlin_base::settings::{NET_FABRIC, NET_INTERFACE, Settings};
use dunlin_seal::Security;

use crate::address::Kind;
use crate::fault_injector::FaultInjector;
use crate::fault_plan::FaultPlan;
use crate::interface_config::InterfaceConfig;
use crate::interfaces::Interface;
use crate::ofi::{self, Ofi};
use crate::preferences::Preferences;
use crate::tcp::Tcp;
use crate::udp::Udp;
use crate::udp_tcp::UdpTcp;
use crate::{Fabric, Identity, interfaces, wrong};

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
    choose_from(&Preferences::read(settings)?, interfaces::list()?)
}

/// Chooses by `preferences` among `all` interfaces.
pub fn choose_from(preferences: &Preferences, all: Vec<Interface>) -> Result<Choice> {
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
    let (fabric, because, others) = fabric(preferences);
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
        config,
        provider: preferences.provider.clone(),
        libfabric: preferences.libfabric.clone(),
        security: preferences.security,
        faults: preferences.faults.clone(),
    })
}

fn fabric(preferences: &Preferences) -> (Kind, String, Vec<(Kind, String)>) {
    let kind = preferences.fabric.unwrap_or(Kind::ALL[0]);
    let others = Kind::ALL.into_iter().filter(|&one| one != kind);
    match preferences.fabric {
        Some(_) => {
            let not = others.map(|one| (one, format!("{NET_FABRIC} names another")));
            (kind, format!("{NET_FABRIC} says so"), not.collect())
        }
        None => {
            let not = others.map(|one| (one, unnamed(one).to_string()));
            (kind, unnamed(kind).to_string(), not.collect())
        }
    }
}

/// Why a fabric is used, or not, where none is named.
fn unnamed(kind: Kind) -> &'static str {
    match kind {
        Kind::UdpTcp => "datagrams are the quickest for small messages, connections for large",
        Kind::Udp => "slower for large messages; but it needs no connections",
        Kind::Tcp => "slower for small messages",
        Kind::Ofi => "only when named: not yet run on the hardware it is for",
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

impl Choice {
    /// What libfabric would be used for if it were named; an error says why it cannot be.
    pub fn libfabric_providers(&self) -> Result<ofi::ProviderList> {
        ofi::probe(&self.libfabric, self.provider.as_deref(), &self.config)
    }

    /// Opens the chosen fabric.
    pub fn open(&self, identity: Identity) -> Result<Box<dyn Fabric>> {
        let config = self.config.clone();
        let fabric: Box<dyn Fabric> = match self.fabric {
            Kind::Udp => Box::new(Udp::open(identity, config)?),
            Kind::Tcp => Box::new(Tcp::open(identity, config)?),
            Kind::UdpTcp => Box::new(UdpTcp::open(identity, config)?),
            Kind::Ofi => {
                let provider = self.provider.as_deref();
                Box::new(Ofi::open(identity, &config, &self.libfabric, provider)?)
            }
        };
        Ok(match &self.faults {
            Some(plan) => Box::new(FaultInjector::new(fabric, plan.clone(), identity.rank)?),
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
        let choice = choose_from(&preferences(settings), a_host()).unwrap();
        choice.config.ifaddrs().iter().map(|place| place.ip.to_string()).collect()
    }

    #[test]
    fn the_fastest_that_leads_to_others_goes_first_and_what_leads_inward_is_never_used() {
        assert_eq!(used(&[]), ["10.1.2.3", "192.168.7.3"]);
        let choice = choose_from(&preferences(&[]), a_host()).unwrap();
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
            choose_from(&preferences(settings), all).unwrap_err().to_string()
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
            choose_from(&preferences(settings), a_host()).unwrap().fabric
        };
        assert_eq!(fabric(&[]), Kind::UdpTcp);
        assert_eq!(fabric(&[(&NET_FABRIC, "udp")]), Kind::Udp);
        assert_eq!(fabric(&[(&NET_FABRIC, "tcp")]), Kind::Tcp);
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
            let choice = choose_from(&settings, interfaces::list().unwrap()).unwrap();
            let fabric = choice.open(Identity::keyless(0, choice.security)).unwrap();
            assert_eq!(fabric.name(), full);
        }
    }
}
