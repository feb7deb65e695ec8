//! The interface configuration of a fabric: the interfaces it may use, the ports, the number of
//! flows. Made by `choice`.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use dunlin_base::Result;

use crate::address::IfAddr;
use crate::failed;
use crate::interfaces::Interface;

/// What the fabrics over IP are given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceConfig {
    /// Interfaces to be used, the best first, with the addresses to be used.
    pub interfaces: Vec<Interface>,
    /// First and last port that may be used; none: the kernel chooses.
    pub ports: Option<(u16, u16)>,
    /// Source ports (`udp`) or connections to a peer (`tcp`).
    pub flows: usize,
    /// After so long without an answer a peer is lost.
    pub timeout: Duration,
}

impl InterfaceConfig {
    /// Whether IPv6 is used; not where IPv4 is to be had, whose headers are shorter.
    pub fn is_six(&self) -> bool {
        self.interfaces.iter().flat_map(|one| &one.ifaddrs).all(|place| place.ip.is_ipv6())
    }

    /// The addresses, all of one family.
    pub fn ifaddrs(&self) -> Vec<IfAddr> {
        let six = self.is_six();
        let all = self.interfaces.iter().flat_map(|one| &one.ifaddrs);
        all.filter(|place| place.ip.is_ipv6() == six).copied().collect()
    }

    /// Bytes of an IP packet that all the interfaces carry.
    pub fn mtu_min(&self) -> usize {
        self.interfaces.iter().map(|one| one.mtu).min().unwrap_or(0)
    }

    /// The address to listen at: that of the only place, or all.
    fn own_ip(&self) -> IpAddr {
        match (self.ifaddrs().as_slice(), self.is_six()) {
            ([only], _) => only.ip,
            (_, false) => Ipv4Addr::UNSPECIFIED.into(),
            (_, true) => Ipv6Addr::UNSPECIFIED.into(),
        }
    }
}

/// Binds a socket by `with` to a port that is allowed and free, looking from the `start`-th on.
pub fn bind<S>(
    config: &InterfaceConfig,
    start: usize,
    with: impl Fn(SocketAddr) -> io::Result<S>,
) -> Result<S> {
    let ip = config.own_ip();
    let cannot =
        |e: &io::Error, ports: &str| failed(format!("cannot open a socket at {ip}, {ports}: {e}"));
    let Some((first, last)) = config.ports else {
        return with(SocketAddr::new(ip, 0)).map_err(|e| cannot(&e, "any port"));
    };
    let count = usize::from(last - first) + 1;
    let mut last_error = io::Error::from(io::ErrorKind::AddrInUse);
    for at in 0..count {
        let port = first + ((start + at) % count) as u16;
        match with(SocketAddr::new(ip, port)) {
            Ok(socket) => return Ok(socket),
            Err(e) if e.kind() == io::ErrorKind::AddrInUse => last_error = e,
            Err(e) => return Err(cannot(&e, &format!("port {port}"))),
        }
    }
    let ports = format!("ports {first}-{last} (DUNLIN_NET_PORTS: make it wider)");
    Err(cannot(&last_error, &ports))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::net::UdpSocket;

    /// What reaches this host alone.
    pub fn loopback() -> InterfaceConfig {
        let local = IfAddr { ip: Ipv4Addr::LOCALHOST.into(), prefix: 8 };
        let interface = Interface {
            name: "lo".into(),
            mtu: 65_536,
            speed: None,
            up: true,
            loopback: true,
            ifaddrs: vec![local],
        };
        let timeout = Duration::from_secs(20);
        InterfaceConfig { interfaces: vec![interface], ports: None, flows: 2, timeout }
    }

    #[test]
    fn ports_that_are_taken_are_passed_over_and_a_full_range_is_an_error() {
        let taken = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let first = taken.local_addr().unwrap().port();
        let range = |last| InterfaceConfig { ports: Some((first, last)), ..loopback() };
        let open = |config: &InterfaceConfig, start| bind(config, start, UdpSocket::bind);
        let text = open(&range(first), 0).unwrap_err().to_string();
        assert!(text.contains("DUNLIN_NET_PORTS"), "{text}");
        let wide = range(first.saturating_add(50));
        for start in [0, 7] {
            let port = open(&wide, start).unwrap().local_addr().unwrap().port();
            assert!(port > first && port <= first.saturating_add(50), "{port}");
        }
    }

    #[test]
    fn four_goes_before_six_and_one_place_is_listened_at_alone() {
        let mut config = loopback();
        assert_eq!(config.own_ip(), IpAddr::from(Ipv4Addr::LOCALHOST));
        let six = IfAddr { ip: Ipv6Addr::LOCALHOST.into(), prefix: 128 };
        config.interfaces[0].ifaddrs.push(six);
        assert!(!config.is_six() && config.ifaddrs().len() == 1);
        config.interfaces[0].ifaddrs.remove(0);
        assert!(config.is_six() && config.own_ip() == IpAddr::from(Ipv6Addr::LOCALHOST));
    }
}
