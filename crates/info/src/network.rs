//! How ranks on other hosts would be reached from this one, and why so.

use dunlin_base::Result;
use dunlin_fabric::choice::{Candidate, Choice, choose};
use dunlin_fabric::{Identity, Kind};
use serde::Serialize;

use crate::Answer;
use crate::paint::{DIM, GOOD, TITLE, painted, wrapped};

/// The choice, explained.
#[derive(Debug, Serialize)]
pub struct Network {
    fabric: &'static str,
    because: String,
    others: Vec<Other>,
    /// What it is called when it is open, with faults if any.
    opened_as: &'static str,
    reliable: bool,
    packet_bytes_max: usize,
    flows: usize,
    ports: Option<(u16, u16)>,
    timeout_s: u64,
    /// What it would be used for, or why it cannot be.
    libfabric: String,
    /// What would make it better.
    advice: Option<String>,
    /// The used ones first, in the order in which other hosts try them.
    interfaces: Vec<Interface>,
}

#[derive(Debug, Serialize)]
struct Other {
    fabric: &'static str,
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
pub fn collect() -> Result<Network> {
    let choice = choose()?;
    let libfabric = choice.libfabric_offers();
    let fabric = choice.open(Identity { rank: 0, key: 0 })?;
    let shape = fabric.shape();
    let Choice { because, others, candidates, ground, .. } = choice;
    let other = |(kind, because): (Kind, String)| Other { fabric: kind.name(), because };
    Ok(Network {
        fabric: choice.fabric.name(),
        because,
        others: others.into_iter().map(other).collect(),
        opened_as: fabric.name(),
        reliable: shape.reliable,
        packet_bytes_max: shape.packet_bytes_max,
        flows: ground.flows,
        ports: ground.ports,
        timeout_s: ground.timeout.as_secs(),
        libfabric,
        advice: fabric.advice(),
        interfaces: candidates.into_iter().map(Interface::new).collect(),
    })
}

impl Interface {
    fn new(candidate: Candidate) -> Interface {
        let Candidate { interface, used, because } = candidate;
        let places = interface.places.iter();
        Interface {
            name: interface.name,
            used,
            because,
            mtu: interface.mtu,
            megabits_per_second: interface.speed,
            addresses: places.map(|place| format!("{}/{}", place.ip, place.prefix)).collect(),
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
        let ports = match self.ports {
            Some((first, last)) => format!("ports {first}-{last}"),
            None => "any ports".into(),
        };
        let (bytes, flows, timeout) = (self.packet_bytes_max, self.flows, self.timeout_s);
        text.push_str(&format!(
            "  packets of up to {bytes} bytes, {reliable}; {flows} flows; {ports}\n  a peer is \
             lost after {timeout} s of silence\n  libfabric: {}\n\n",
            self.libfabric
        ));
        if let Some(advice) = &self.advice {
            text.push_str(&format!("{}{}\n", painted(TITLE, "Advice\n"), wrapped(advice, 2)));
        }
        text.push_str(&format!("{}\n", painted(TITLE, "Interfaces, the best first")));
        self.interfaces.iter().for_each(|one| text.push_str(&one.text()));
        text
    }
}
