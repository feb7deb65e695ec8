//! Where a process is found, in the few bytes that the launcher carries to its peers.
//!
//! ```text
//! 0 version 1 | 1 kind 1 | 2 port 2 | 4 packet bytes 2 | 6 second port 2 | 8 places:
//! family 1, prefix 1, address 4 or 16
//! ```
//!
//! A process with a device of a fast network has two, because its peers may have none:
//!
//! ```text
//! 0 version 1 | 1 kind 1 | 2 length of libfabric's address 1 | libfabric's address | as above
//! ```

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use dunlin_base::Result;

use crate::wrong;

/// Bytes of an address at most: what the job map has room for, less what a process says of itself.
pub const ADDRESS_BYTES: usize = 71;

const VERSION: u8 = 3;
const HEAD_BYTES: usize = 8;
const FOUR: u8 = 4;
const SIX: u8 = 6;

/// Which fabric an address belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The kernel's datagrams.
    Udp = 1,
    /// Packets over TCP connections.
    Tcp = 2,
    /// libfabric.
    Ofi = 3,
    /// Datagrams, and TCP connections for long messages.
    UdpTcp = 4,
    /// libfabric, and TCP connections to peers that it does not reach.
    OfiTcp = 5,
}

impl Kind {
    /// Every one, in the order in which they are taken.
    pub const ALL: [Kind; 5] = [Kind::OfiTcp, Kind::UdpTcp, Kind::Udp, Kind::Tcp, Kind::Ofi];

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Udp => "udp",
            Kind::Tcp => "tcp",
            Kind::Ofi => "ofi",
            Kind::UdpTcp => "udp+tcp",
            Kind::OfiTcp => "ofi+tcp",
        }
    }

    /// The one of this name.
    pub fn from_name(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The name of the fabric whose number this is.
fn name_of(number: u8) -> &'static str {
    Kind::ALL.into_iter().find(|kind| *kind as u8 == number).map_or("unknown", Kind::name)
}

/// Bytes before the two parts of an address.
const JOINED_HEAD_BYTES: usize = 3;

/// An address by libfabric, and one over IP, as far as there is room.
pub fn join(ofi: &[u8], ip: &IpAddress) -> Vec<u8> {
    let room = ADDRESS_BYTES.saturating_sub(JOINED_HEAD_BYTES + ofi.len());
    let head = [VERSION, Kind::OfiTcp as u8, ofi.len() as u8];
    [&head[..], ofi, &ip.encode_within(room)].concat()
}

/// The two parts, if it has two.
pub fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (head, parts) = bytes.split_first_chunk::<JOINED_HEAD_BYTES>()?;
    let is_joined = head[..2] == [VERSION, Kind::OfiTcp as u8];
    is_joined.then(|| parts.split_at_checked(head[2].into())).flatten()
}

/// An address of an interface and the length of its subnet's prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IfAddr {
    /// The address.
    pub ip: IpAddr,
    /// Bits that all addresses of the subnet have in common.
    pub prefix: u8,
}

impl IfAddr {
    /// Whether `ip` lies in the subnet.
    pub fn contains(&self, ip: IpAddr) -> bool {
        match (self.ip, ip) {
            (IpAddr::V4(a), IpAddr::V4(b)) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.prefix)).unwrap_or(0);
                (u32::from(a) ^ u32::from(b)) & mask == 0
            }
            (IpAddr::V6(a), IpAddr::V6(b)) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.prefix)).unwrap_or(0);
                (u128::from(a) ^ u128::from(b)) & mask == 0
            }
            _ => false,
        }
    }
}

/// Where a process is found over IP.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IpAddress {
    /// By which fabric.
    pub kind: Kind,
    /// The port it listens at.
    pub port: u16,
    /// Bytes of the longest packet it expects.
    pub packet_bytes_max: u16,
    /// The port it listens at for connections besides, or 0.
    pub second_port: u16,
    /// Its interfaces, the best first.
    pub ifaddrs: Vec<IfAddr>,
}

impl IpAddress {
    /// As bytes; places for which there is no room are left out.
    pub fn encode(&self) -> Vec<u8> {
        self.encode_within(ADDRESS_BYTES)
    }

    /// The same in `room` bytes.
    fn encode_within(&self, room: usize) -> Vec<u8> {
        let mut bytes = vec![VERSION, self.kind as u8];
        bytes.extend(self.port.to_le_bytes());
        bytes.extend(self.packet_bytes_max.to_le_bytes());
        bytes.extend(self.second_port.to_le_bytes());
        for place in &self.ifaddrs {
            let mut entry = Vec::new();
            match place.ip {
                IpAddr::V4(ip) => {
                    entry.extend([FOUR, place.prefix]);
                    entry.extend(ip.octets());
                }
                IpAddr::V6(ip) => {
                    entry.extend([SIX, place.prefix]);
                    entry.extend(ip.octets());
                }
            }
            if bytes.len() + entry.len() <= room {
                bytes.extend(entry);
            }
        }
        bytes
    }

    /// From the bytes of a peer that must use the fabric `kind`.
    pub fn decode(bytes: &[u8], kind: Kind) -> Result<IpAddress> {
        let bytes = match split(bytes) {
            Some((_, ip)) if kind == Kind::UdpTcp => ip,
            _ => bytes,
        };
        let malformed = || wrong(format!("a peer's network address is malformed: {bytes:02x?}"));
        let (head, mut rest) = bytes.split_first_chunk::<HEAD_BYTES>().ok_or_else(malformed)?;
        if head[0] != VERSION {
            return Err(malformed());
        }
        if head[1] != kind as u8 {
            let (own, other) = (kind.name(), name_of(head[1]));
            return Err(wrong(format!(
                "this process uses the network by `{own}` and a peer by `{other}`; set \
                 DUNLIN_NET_FABRIC to one of them for all"
            )));
        }
        let port = u16::from_le_bytes([head[2], head[3]]);
        let packet_bytes_max = u16::from_le_bytes([head[4], head[5]]);
        let second_port = u16::from_le_bytes([head[6], head[7]]);
        let mut ifaddrs = Vec::new();
        while !rest.is_empty() {
            let (place, after) = place(rest).ok_or_else(malformed)?;
            ifaddrs.push(place);
            rest = after;
        }
        match ifaddrs.is_empty() || port == 0 {
            true => Err(malformed()),
            false => Ok(IpAddress { kind, port, packet_bytes_max, second_port, ifaddrs }),
        }
    }

    /// The address to send to from a host with the places `own`: the first in a subnet that both
    /// are in, or else the first.
    pub fn reached_from(&self, own: &[IfAddr]) -> SocketAddr {
        let near = |place: &&IfAddr| own.iter().any(|mine| mine.contains(place.ip));
        let place = self.ifaddrs.iter().find(near).unwrap_or(&self.ifaddrs[0]);
        SocketAddr::new(place.ip, self.port)
    }
}

/// The first place in `bytes`, and what follows it.
fn place(bytes: &[u8]) -> Option<(IfAddr, &[u8])> {
    let (&[family, prefix], rest) = bytes.split_first_chunk::<2>()?;
    let (ip, rest): (IpAddr, _) = match family {
        FOUR => rest.split_first_chunk::<4>().map(|(ip, rest)| (Ipv4Addr::from(*ip).into(), rest)),
        SIX => rest.split_first_chunk::<16>().map(|(ip, rest)| (Ipv6Addr::from(*ip).into(), rest)),
        _ => None,
    }?;
    let bits = if ip.is_ipv4() { 32 } else { 128 };
    (prefix <= bits).then_some((IfAddr { ip, prefix }, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ip: &str, prefix: u8) -> IfAddr {
        IfAddr { ip: ip.parse().unwrap(), prefix }
    }

    fn an_address(ifaddrs: Vec<IfAddr>) -> IpAddress {
        IpAddress { kind: Kind::Udp, port: 4711, packet_bytes_max: 1472, second_port: 815, ifaddrs }
    }

    #[test]
    fn what_is_encoded_is_decoded_as_far_as_there_is_room() {
        let address = an_address(vec![at("10.1.2.3", 24), at("fd00::7", 64)]);
        assert_eq!(IpAddress::decode(&address.encode(), Kind::Udp).unwrap(), address);
        let many = an_address(vec![at("fd00::7", 64); 5]);
        let bytes = many.encode();
        assert!(bytes.len() <= ADDRESS_BYTES);
        assert_eq!(IpAddress::decode(&bytes, Kind::Udp).unwrap().ifaddrs.len(), 3);
    }

    #[test]
    fn what_is_cut_or_wrong_is_refused() {
        let bytes = an_address(vec![at("10.1.2.3", 24)]).encode();
        for len in 0..bytes.len() {
            assert!(IpAddress::decode(&bytes[..len], Kind::Udp).is_err(), "{len}");
        }
        for (place, value) in [(0, 9), (2, 0), (8, 5), (9, 33)] {
            let mut bytes = bytes.clone();
            bytes[place] = value;
            bytes[3] = if place == 2 { 0 } else { bytes[3] };
            assert!(IpAddress::decode(&bytes, Kind::Udp).is_err(), "byte {place}");
        }
    }

    #[test]
    fn another_fabric_is_named() {
        let bytes = an_address(vec![at("10.1.2.3", 24)]).encode();
        let text = IpAddress::decode(&bytes, Kind::Tcp).unwrap_err().to_string();
        assert!(text.contains("`tcp`") && text.contains("`udp`"), "{text}");
    }

    #[test]
    fn an_address_of_two_parts_leads_to_both_and_keeps_the_longest_of_efa_with_one_of_ipv6() {
        let ip = IpAddress { kind: Kind::UdpTcp, ..an_address(vec![at("fd00::7", 64); 2]) };
        let both = join(&[7; 40], &ip);
        assert!(both.len() <= ADDRESS_BYTES);
        assert_eq!(split(&both).unwrap().0, [7; 40]);
        assert_eq!(IpAddress::decode(&both, Kind::UdpTcp).unwrap().ifaddrs, [at("fd00::7", 64)]);
        let text = IpAddress::decode(&both, Kind::Udp).unwrap_err().to_string();
        assert!(text.contains("`udp`") && text.contains("`ofi+tcp`"), "{text}");
        assert_eq!(split(&ip.encode()), None);
        assert!((0..both.len()).all(|len| IpAddress::decode(&both[..len], Kind::UdpTcp).is_err()));
    }

    #[test]
    fn a_shared_subnet_goes_before_the_first_address() {
        let address = an_address(vec![at("10.1.2.3", 24), at("10.9.0.3", 16), at("fd00::7", 64)]);
        let reached = |own: &[IfAddr]| address.reached_from(own).ip().to_string();
        assert_eq!(reached(&[at("10.9.77.1", 16)]), "10.9.0.3");
        assert_eq!(reached(&[at("fd00::1", 64)]), "fd00::7");
        assert_eq!(reached(&[at("192.168.0.1", 24)]), "10.1.2.3");
        assert_eq!(reached(&[at("0.0.0.0", 0)]), "10.1.2.3");
    }
}
