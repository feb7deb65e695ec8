//! How ranks on other hosts would be reached from this one, and why so.

use dunlin_base::Result;
use dunlin_base::settings::Settings;
use dunlin_fabric::choice::{Candidate, Choice, Started, choose};
use dunlin_fabric::ofi::ProviderList;
use dunlin_fabric::{Fabric, Identity, Kind};
use serde::Serialize;

use crate::Answer;
use crate::paint::{DIM, GOOD, TITLE, painted, wrapped};

/// Columns before a long sentence.
const INDENT: usize = 6;

/// The choice, explained.
#[derive(Debug, Serialize)]
pub struct Network {
    fabric: &'static str,
    because: String,
    others: Vec<Other>,
    /// Devices of fast networks on this host.
    devices: Vec<Device>,
    /// What has come of the attempt to use one, if it was made.
    #[serde(skip_serializing_if = "Option::is_none")]
    attempt: Option<Attempt>,
    /// What it is called when it is open, with faults if any.
    opened_as: &'static str,
    reliable: bool,
    packet_bytes_max: usize,
    flows: usize,
    ports: Option<(u16, u16)>,
    timeout_s: u64,
    libfabric: Libfabric,
    /// What would make it better.
    advice: Option<String>,
    /// The used ones first, in the order in which other hosts try them.
    interfaces: Vec<Interface>,
}

#[derive(Debug, Serialize)]
struct Device {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    driver: Option<String>,
}

#[derive(Debug, Serialize)]
struct Attempt {
    works: bool,
    outcome: String,
}

#[derive(Debug, Serialize)]
struct Other {
    fabric: &'static str,
    because: String,
}

/// What libfabric has to offer, whether it is the fabric or not.
#[derive(Debug, Default, Serialize)]
struct Libfabric {
    /// Who would use it.
    asked_for: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<String>,
    /// Why it cannot be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
    /// What would be taken of it.
    taken: Option<String>,
    others: Vec<Provider>,
}

#[derive(Debug, Serialize)]
struct Provider {
    provider: String,
    because: String,
}

#[derive(Debug, Serialize)]
struct Interface {
    name: String,
    used: bool,
    because: String,
    mtu: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    megabits_per_second: Option<u32>,
    addresses: Vec<String>,
}

/// Chooses as a rank started in this environment would, and opens the fabric for a moment.
pub fn collect(settings: &Settings) -> Result<Network> {
    let mut choice = choose(settings)?;
    let is_for_devices = choice.is_free && choice.fabric == Kind::OfiTcp;
    let asked_for = if is_for_devices { "these devices" } else { "who names `ofi`" };
    let libfabric = Libfabric::new(choice.libfabric_providers(), asked_for);
    let (fabric, attempt) = open(&mut choice)?;
    let shape = fabric.capabilities();
    let Choice { because, others, candidates, config, devices, .. } = choice;
    let other = |(kind, because): (Kind, String)| Other { fabric: kind.name(), because };
    let device = |device: dunlin_fabric::devices::Device| {
        let (name, driver) = (device.name, device.driver);
        Device { name, driver }
    };
    Ok(Network {
        fabric: choice.fabric.name(),
        because,
        others: others.into_iter().map(other).collect(),
        devices: devices.into_iter().map(device).collect(),
        attempt,
        opened_as: fabric.name(),
        reliable: shape.reliable,
        packet_bytes_max: shape.packet_bytes_max,
        flows: config.flows,
        ports: config.ports,
        timeout_s: config.timeout.as_secs(),
        libfabric,
        advice: fabric.advice(),
        interfaces: candidates.into_iter().map(Interface::new).collect(),
    })
}

/// Opens it as a rank does whose peers all have the same devices.
fn open(choice: &mut Choice) -> Result<(Box<dyn Fabric>, Option<Attempt>)> {
    let failed = |why| Attempt { works: false, outcome: why };
    match choice.start(Identity::keyless(0, choice.security))? {
        (Started::Fabric(fabric), refused) => Ok((fabric, refused.map(failed))),
        (Started::Offer(offer), _) => {
            let outcome = offer.description().to_string();
            let fabric = choice.settle(*offer, true, 0)?;
            Ok((fabric, Some(Attempt { works: true, outcome })))
        }
    }
}

impl Libfabric {
    fn new(found: Result<ProviderList>, asked_for: &'static str) -> Libfabric {
        let ProviderList { version, taken, others } = match found {
            Ok(inventory) => inventory,
            Err(e) => return Libfabric { problem: Some(e.to_string()), ..Libfabric::default() },
        };
        let other = |(provider, because)| Provider { provider, because };
        let others = others.into_iter().map(other).collect();
        Libfabric { asked_for, version: Some(version), problem: None, taken, others }
    }

    fn text(&self) -> String {
        let Some(version) = &self.version else {
            let problem = self.problem.as_deref().unwrap_or_default();
            return format!("  no libfabric:\n{}", wrapped(problem, INDENT));
        };
        let taken = self.taken.as_deref().unwrap_or("nothing that fits");
        let mut text = format!("  libfabric {version} has, for {}: {taken}\n", self.asked_for);
        let mut reasons: Vec<&str> = self.others.iter().map(|one| one.because.as_str()).collect();
        reasons.sort_unstable();
        reasons.dedup();
        for because in reasons {
            let refused = self.others.iter().filter(|one| one.because == because);
            let names: Vec<&str> = refused.map(|one| one.provider.as_str()).collect();
            let line = format!("not {}: {}", names.join(", "), painted(DIM, because));
            text.push_str(&wrapped(&line, INDENT));
        }
        text
    }
}

impl Interface {
    fn new(candidate: Candidate) -> Interface {
        let Candidate { interface, used, because } = candidate;
        let ifaddrs = interface.ifaddrs.iter();
        Interface {
            name: interface.name,
            used,
            because,
            mtu: interface.mtu,
            megabits_per_second: interface.speed,
            addresses: ifaddrs.map(|place| format!("{}/{}", place.ip, place.prefix)).collect(),
        }
    }

    fn text(&self) -> String {
        let speed = self.megabits_per_second.map_or(String::new(), |n| format!(", {n} Mb/s"));
        let addresses = match self.addresses.is_empty() {
            true => String::new(),
            false => format!(", {}", self.addresses.join(" ")),
        };
        let (mark, style) = if self.used { (">", GOOD) } else { (" ", DIM) };
        let (name, because) = (painted(TITLE, &self.name), painted(style, &self.because));
        format!("  {mark} {name}  MTU {}{speed}{addresses}\n      {because}\n", self.mtu)
    }
}

impl Network {
    fn devices_text(&self) -> String {
        let driver = |one: &Device| {
            one.driver.as_ref().map_or(String::new(), |driver| format!(" ({driver})"))
        };
        let names: Vec<String> =
            self.devices.iter().map(|one| format!("{}{}", one.name, driver(one))).collect();
        let mut text = match names.is_empty() {
            true => "  no devices of fast networks\n".into(),
            false => format!("  devices of fast networks: {}\n", names.join(", ")),
        };
        if let Some(Attempt { works, outcome }) = &self.attempt {
            let (style, word) = if *works { (GOOD, "works") } else { (DIM, "tried in vain") };
            text.push_str(&wrapped(&format!("{}: {outcome}", painted(style, word)), INDENT));
        }
        text
    }
}

impl Answer for Network {
    fn text(&self) -> String {
        let fabric = painted(GOOD, self.opened_as);
        let mut text = format!("{}\n", painted(TITLE, "Between nodes"));
        text.push_str(&format!("  fabric {fabric}: {}\n", self.because));
        for other in &self.others {
            let because = painted(DIM, &other.because);
            text.push_str(&format!("    not {}: {because}\n", other.fabric));
        }
        let reliable = if self.reliable { "reliable" } else { "unreliable" };
        text.push_str(&self.devices_text());
        let ports = match self.ports {
            Some((first, last)) => format!("ports {first}-{last}"),
            None => "any ports".into(),
        };
        let (bytes, flows, timeout) = (self.packet_bytes_max, self.flows, self.timeout_s);
        text.push_str(&format!(
            "  packets of up to {bytes} bytes, {reliable}; {flows} flows; {ports}\n  a peer is \
             lost after {timeout} s of silence\n{}\n",
            self.libfabric.text()
        ));
        if let Some(advice) = &self.advice {
            text.push_str(&format!("{}{}\n", painted(TITLE, "Advice\n"), wrapped(advice, 2)));
        }
        text.push_str(&format!("{}\n", painted(TITLE, "Interfaces, the best first")));
        self.interfaces.iter().for_each(|one| text.push_str(&one.text()));
        text
    }
}
