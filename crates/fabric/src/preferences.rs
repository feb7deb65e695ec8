//! What the user wants of the network: the settings, read and checked.

use std::net::IpAddr;
use std::time::Duration;

use dunlin_base::Result;
use dunlin_base::settings::{
    NET_FABRIC, NET_FAULTS, NET_FLOWS, NET_INTERFACE, NET_LIBFABRIC, NET_PORTS, NET_SECURITY,
    NET_TIMEOUT,
};
use dunlin_seal::Security;

use crate::address::{IfAddr, Kind};
use crate::fault_plan::FaultPlan;
use crate::interfaces::Interface;
use crate::wrong;

/// Flows where nothing is said: measured, four carry what one link can, and more only reorder.
const FLOWS_USUAL: usize = 4;
/// More sockets than this help nobody.
const FLOWS_MAX: usize = 64;
const LIBFABRIC_USUAL: &str = "libfabric.so.1";
const TIMEOUT_USUAL: Duration = Duration::from_secs(20);
const TIMEOUT_S_MAX: u64 = 24 * 3600;

/// The settings of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct Preferences {
    /// By which fabric; none: ours to choose.
    pub fabric: Option<Kind>,
    /// Which of libfabric's providers, where it is the fabric; none: ours to choose.
    pub provider: Option<String>,
    /// The file of libfabric.
    pub libfabric: String,
    /// Interfaces by name or subnet, the best first; none: ours to choose.
    pub interfaces: Vec<Named>,
    /// First and last port.
    pub ports: Option<(u16, u16)>,
    /// Flows.
    pub flows: usize,
    /// After so long a silent peer is lost.
    pub timeout: Duration,
    /// How much packets are protected.
    pub security: Security,
    /// Faults.
    pub faults: Option<FaultPlan>,
}

/// An interface as the user names it.
#[derive(Clone, Debug, PartialEq)]
pub enum Named {
    /// By its name.
    Name(String),
    /// By a subnet in which it has an address.
    Subnet(IfAddr),
}

impl Preferences {
    /// From the environment.
    pub fn from_environment() -> Result<Preferences> {
        Preferences::read(|name| std::env::var_os(name).map(|value| value.to_string_lossy().into()))
    }

    /// From what `variable` says of each setting; an empty one is none.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Preferences> {
        let given = |name| {
            let value = variable(name).map(|value| value.trim().to_string());
            value.filter(|value| !value.is_empty())
        };
        let interfaces = given(NET_INTERFACE).unwrap_or_default();
        let names = interfaces.split(',').map(str::trim).filter(|name| !name.is_empty());
        let named = given(NET_FABRIC);
        let (fabric, provider) = match named.as_deref().and_then(|text| text.split_once(':')) {
            Some(("ofi", provider)) if !provider.is_empty() => (Some("ofi"), Some(provider)),
            _ => (named.as_deref(), None),
        };
        Ok(Preferences {
            fabric: fabric.map_or(Ok(None), fabric_kind)?,
            provider: provider.map(str::to_string),
            libfabric: given(NET_LIBFABRIC).unwrap_or_else(|| LIBFABRIC_USUAL.into()),
            interfaces: names.map(interface).collect::<Result<_>>()?,
            ports: given(NET_PORTS).map(|text| ports(&text)).transpose()?,
            flows: given(NET_FLOWS).map_or(Ok(FLOWS_USUAL), |text| flows(&text))?,
            timeout: given(NET_TIMEOUT).map_or(Ok(TIMEOUT_USUAL), |text| timeout(&text))?,
            security: given(NET_SECURITY)
                .map_or(Ok(Security::default()), |text| security(&text))?,
            faults: given(NET_FAULTS).map(|text| FaultPlan::parse(&text)).transpose()?,
        })
    }
}

impl Named {
    /// The addresses of `interface` that are meant; none if it is not.
    pub fn ifaddrs(&self, interface: &Interface) -> Vec<IfAddr> {
        match self {
            Named::Name(name) if *name == interface.name => interface.ifaddrs.clone(),
            Named::Name(_) => Vec::new(),
            Named::Subnet(net) => {
                let all = interface.ifaddrs.iter().copied();
                all.filter(|place| net.contains(place.ip)).collect()
            }
        }
    }
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Named::Name(name) => f.write_str(name),
            Named::Subnet(IfAddr { ip, prefix }) => write!(f, "{ip}/{prefix}"),
        }
    }
}

fn fabric_kind(text: &str) -> Result<Option<Kind>> {
    match text {
        "auto" => Ok(None),
        "udp" => Ok(Some(Kind::Udp)),
        "tcp" => Ok(Some(Kind::Tcp)),
        "ofi" => Ok(Some(Kind::Ofi)),
        "udp+tcp" => Ok(Some(Kind::UdpTcp)),
        _ => Err(wrong(format!(
            "{NET_FABRIC} is `{text}`; it must be one of: auto, udp, tcp, udp+tcp, ofi, or \
             ofi:PROVIDER"
        ))),
    }
}

fn interface(text: &str) -> Result<Named> {
    let Some((ip, prefix)) = text.split_once('/') else {
        return Ok(match text.parse::<IpAddr>() {
            Ok(ip) => Named::Subnet(IfAddr { ip, prefix: if ip.is_ipv4() { 32 } else { 128 } }),
            Err(_) => Named::Name(text.to_string()),
        });
    };
    let (ip, prefix) = (ip.parse::<IpAddr>().ok(), prefix.parse::<u8>().ok());
    match (ip, prefix) {
        (Some(ip), Some(prefix)) if prefix <= if ip.is_ipv4() { 32 } else { 128 } => {
            Ok(Named::Subnet(IfAddr { ip, prefix }))
        }
        _ => Err(wrong(format!(
            "{NET_INTERFACE} has `{text}`, which is no subnet; write it as in 10.1.0.0/16"
        ))),
    }
}

fn ports(text: &str) -> Result<(u16, u16)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last => Ok((first, last)),
        _ => Err(wrong(format!(
            "{NET_PORTS} is `{text}`; write first and last port as in 20000-20999"
        ))),
    }
}

fn flows(text: &str) -> Result<usize> {
    text.parse().ok().filter(|flows| (1..=FLOWS_MAX).contains(flows)).ok_or_else(|| {
        wrong(format!("{NET_FLOWS} is `{text}`; it must be a whole number from 1 to {FLOWS_MAX}"))
    })
}

fn timeout(text: &str) -> Result<Duration> {
    let seconds = text.parse().ok().filter(|s| (1..=TIMEOUT_S_MAX).contains(s));
    seconds.map(Duration::from_secs).ok_or_else(|| {
        wrong(format!(
            "{NET_TIMEOUT} is `{text}`; it must be a whole number of seconds from 1 to \
             {TIMEOUT_S_MAX}"
        ))
    })
}

fn security(text: &str) -> Result<Security> {
    let known = Security::WORDS.iter().find(|(word, _)| *word == text);
    known.map(|(_, security)| *security).ok_or_else(|| {
        let words = Security::WORDS.map(|(word, _)| word).join(", ");
        wrong(format!("{NET_SECURITY} is `{text}`; it must be one of: {words}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, value: &str) -> Result<Preferences> {
        Preferences::read(|asked| (asked == name).then(|| value.to_string()))
    }

    #[test]
    fn nothing_is_wished_where_nothing_is_set() {
        let preferences = read("", "").unwrap();
        assert_eq!((preferences.fabric, preferences.ports, preferences.faults), (None, None, None));
        assert_eq!((preferences.flows, preferences.timeout), (FLOWS_USUAL, TIMEOUT_USUAL));
        assert_eq!(read(NET_FABRIC, "").unwrap(), read(NET_FABRIC, "auto").unwrap());
    }

    #[test]
    fn settings_are_read() {
        assert_eq!(read(NET_FABRIC, "tcp").unwrap().fabric, Some(Kind::Tcp));
        let ofi = read(NET_FABRIC, "ofi:tcp;ofi_rxm").unwrap();
        assert_eq!((ofi.fabric, ofi.provider.as_deref()), (Some(Kind::Ofi), Some("tcp;ofi_rxm")));
        assert_eq!(read(NET_FABRIC, "ofi").unwrap().provider, None);
        assert_eq!(read(NET_LIBFABRIC, "/opt/x.so").unwrap().libfabric, "/opt/x.so");
        assert_eq!(read(NET_PORTS, "20000-20999").unwrap().ports, Some((20_000, 20_999)));
        assert_eq!(read(NET_PORTS, "7").unwrap().ports, Some((7, 7)));
        assert_eq!(read(NET_FLOWS, "8").unwrap().flows, 8);
        assert_eq!(read(NET_SECURITY, "encrypt").unwrap().security, Security::Encrypt);
        assert_eq!(read(NET_TIMEOUT, "3").unwrap().timeout, Duration::from_secs(3));
        assert_eq!(read(NET_FAULTS, "drop=0.5").unwrap().faults.unwrap().drop, 0.5);
        let names = read(NET_INTERFACE, "eth0, 10.1.0.0/16,fd00::/8,10.0.0.7").unwrap().interfaces;
        let names: Vec<String> = names.iter().map(Named::to_string).collect();
        assert_eq!(names, ["eth0", "10.1.0.0/16", "fd00::/8", "10.0.0.7/32"]);
    }

    #[test]
    fn what_makes_no_sense_is_an_error_that_names_the_setting() {
        let wrong = [
            (NET_FABRIC, "upd"),
            (NET_FABRIC, "ofi:"),
            (NET_FABRIC, "udp:eth0"),
            (NET_PORTS, "5-4"),
            (NET_PORTS, "0"),
            (NET_PORTS, "1-70000"),
            (NET_SECURITY, "on"),
            (NET_FLOWS, "0"),
            (NET_FLOWS, "65"),
            (NET_TIMEOUT, "0"),
            (NET_INTERFACE, "10.1.0.0/33"),
            (NET_INTERFACE, "eth0/4"),
            (NET_FAULTS, "drop=x"),
        ];
        for (name, value) in wrong {
            let error = read(name, value).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
    }
}
