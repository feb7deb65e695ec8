//! What the user wants of the network: what the settings that are texts mean.

use std::net::IpAddr;
use std::time::Duration;

use dunlin_base::Result;
use dunlin_base::settings::{
    NET_DEVICES, NET_FABRIC, NET_FAULTS, NET_FLOWS, NET_INTERFACE, NET_LIBFABRIC, NET_PORTS,
    NET_SECURITY, NET_TIMEOUT, Settings,
};
use dunlin_seal::Security;

use crate::address::{IfAddr, Kind};
use crate::fault_plan::FaultPlan;
use crate::interfaces::Interface;
use crate::wrong;

/// The settings of the network.
#[derive(Clone, Debug, PartialEq)]
pub struct Preferences {
    /// By which fabric; none: ours to choose.
    pub fabric: Option<Kind>,
    /// Which of libfabric's providers, where it is the fabric; none: ours to choose.
    pub provider: Option<String>,
    /// The file of libfabric.
    pub libfabric: String,
    /// Directories that list devices of fast networks.
    pub devices: Vec<String>,
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
    /// From the settings.
    pub fn read(settings: &Settings) -> Result<Preferences> {
        let interfaces = settings.text(&NET_INTERFACE).unwrap_or_default();
        let devices = settings.text(&NET_DEVICES).unwrap_or_default();
        let names = interfaces.split(',').map(str::trim).filter(|name| !name.is_empty());
        let named = settings.text(&NET_FABRIC).unwrap_or("auto");
        let (fabric, provider) = match named.split_once(':') {
            Some(("ofi", provider)) if !provider.is_empty() => ("ofi", Some(provider)),
            _ => (named, None),
        };
        Ok(Preferences {
            fabric: fabric_kind(fabric)?,
            provider: provider.map(str::to_string),
            libfabric: settings.text(&NET_LIBFABRIC).unwrap_or_default().into(),
            devices: devices.split(':').filter(|at| at.starts_with('/')).map(Into::into).collect(),
            interfaces: names.map(interface).collect::<Result<_>>()?,
            ports: settings.text(&NET_PORTS).map(ports).transpose()?,
            flows: settings.integer(&NET_FLOWS) as usize,
            timeout: settings.duration(&NET_TIMEOUT),
            security: settings.choice(&NET_SECURITY, &Security::WORDS),
            faults: settings.text(&NET_FAULTS).map(FaultPlan::parse).transpose()?,
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
    if text == "auto" {
        return Ok(None);
    }
    let unknown = || {
        let names = Kind::ALL.map(Kind::name).join(", ");
        let text = format!("{NET_FABRIC} is `{text}`; it must be one of: auto, {names}, or");
        wrong(format!("{text} ofi:PROVIDER"))
    };
    Kind::from_name(text).map(Some).ok_or_else(unknown)
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

#[cfg(test)]
pub(crate) mod tests {
    use dunlin_base::settings::{Kind as SettingKind, Setting};

    use super::*;

    /// What these settings mean.
    pub(crate) fn preferences(given: &[(&Setting, &str)]) -> Result<Preferences> {
        let given = given.iter().map(|(setting, value)| (setting.name.into(), value.into()));
        Preferences::read(&Settings::checked(given)?)
    }

    fn read(setting: &Setting, value: &str) -> Result<Preferences> {
        preferences(&[(setting, value)])
    }

    #[test]
    fn nothing_is_wished_where_nothing_is_set() {
        let preferences = preferences(&[]).unwrap();
        assert_eq!((preferences.fabric, preferences.ports, preferences.faults), (None, None, None));
        assert_eq!((preferences.flows, preferences.timeout), (4, Duration::from_secs(20)));
        assert_eq!(read(&NET_FABRIC, "").unwrap(), read(&NET_FABRIC, "auto").unwrap());
    }

    #[test]
    fn settings_are_read() {
        assert_eq!(read(&NET_FABRIC, "tcp").unwrap().fabric, Some(Kind::Tcp));
        let ofi = read(&NET_FABRIC, "ofi:tcp;ofi_rxm").unwrap();
        assert_eq!((ofi.fabric, ofi.provider.as_deref()), (Some(Kind::Ofi), Some("tcp;ofi_rxm")));
        assert_eq!(read(&NET_FABRIC, "ofi").unwrap().provider, None);
        assert_eq!(read(&NET_LIBFABRIC, "/opt/x.so").unwrap().libfabric, "/opt/x.so");
        assert_eq!(read(&NET_PORTS, "20000-20999").unwrap().ports, Some((20_000, 20_999)));
        assert_eq!(read(&NET_PORTS, "7").unwrap().ports, Some((7, 7)));
        assert_eq!(read(&NET_FLOWS, "8").unwrap().flows, 8);
        let SettingKind::Choice(words) = NET_SECURITY.kind else { panic!("{NET_SECURITY:?}") };
        assert!(words.iter().all(|word| read(&NET_SECURITY, word).is_ok()));
        assert_eq!(read(&NET_SECURITY, "encrypt").unwrap().security, Security::Encrypt);
        assert_eq!(read(&NET_TIMEOUT, "3").unwrap().timeout, Duration::from_secs(3));
        assert_eq!(read(&NET_FAULTS, "drop=0.5").unwrap().faults.unwrap().drop, 0.5);
        let names = read(&NET_INTERFACE, "eth0, 10.1.0.0/16,fd00::/8,10.0.0.7").unwrap().interfaces;
        let names: Vec<String> = names.iter().map(Named::to_string).collect();
        assert_eq!(names, ["eth0", "10.1.0.0/16", "fd00::/8", "10.0.0.7/32"]);
    }

    #[test]
    fn what_makes_no_sense_is_an_error_that_names_the_setting() {
        let wrong = [
            (&NET_FABRIC, "upd"),
            (&NET_FABRIC, "ofi:"),
            (&NET_FABRIC, "udp:eth0"),
            (&NET_PORTS, "5-4"),
            (&NET_PORTS, "0"),
            (&NET_PORTS, "1-70000"),
            (&NET_SECURITY, "on"),
            (&NET_FLOWS, "0"),
            (&NET_FLOWS, "65"),
            (&NET_TIMEOUT, "0"),
            (&NET_INTERFACE, "10.1.0.0/33"),
            (&NET_INTERFACE, "eth0/4"),
            (&NET_FAULTS, "drop=x"),
        ];
        for (name, value) in wrong {
            let error = read(name, value).unwrap_err().to_string();
            assert!(error.contains(name.name), "{error}");
        }
    }
}
