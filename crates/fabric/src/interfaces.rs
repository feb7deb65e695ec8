//! The network interfaces of this host, as the kernel lists them.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use dunlin_base::Result;

use crate::address::IfAddr;
use crate::failed;

/// An interface and its addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// Its name, e.g. `eth0`.
    pub name: String,
    /// Bytes of the longest IP packet it carries.
    pub mtu: usize,
    /// Megabits per second, where the driver knows.
    pub speed: Option<u32>,
    /// It works, and has a carrier.
    pub up: bool,
    /// It reaches this host alone.
    pub loopback: bool,
    /// Its addresses.
    pub ifaddrs: Vec<IfAddr>,
}

/// Interfaces whose MTU cannot be read: what every Ethernet carries.
const MTU_USUAL: usize = 1500;

/// All of them, in the kernel's order.
pub fn list() -> Result<Vec<Interface>> {
    let mut first = std::ptr::null_mut();
    // SAFETY: the call writes one pointer, to a list that is freed below.
    if unsafe { libc::getifaddrs(&raw mut first) } != 0 {
        let error = io::Error::last_os_error();
        return Err(failed(format!("cannot list the network interfaces: {error}")));
    }
    let mut found: Vec<Interface> = Vec::new();
    let mut ifaddrs: BTreeMap<String, Vec<IfAddr>> = BTreeMap::new();
    let mut next = first.cast_const();
    while !next.is_null() {
        // SAFETY: an entry of the list, which is not freed yet.
        let entry = unsafe { &*next };
        // SAFETY: the name is a string that lives as long as the list.
        let name = unsafe { CStr::from_ptr(entry.ifa_name) }.to_string_lossy().into_owned();
        // SAFETY: address and mask are null or a socket address of the family they say.
        if let Some(place) = unsafe { place(entry.ifa_addr, entry.ifa_netmask) } {
            ifaddrs.entry(name.clone()).or_default().push(place);
        }
        if !found.iter().any(|one| one.name == name) {
            found.push(described(name, entry.ifa_flags as i32));
        }
        next = entry.ifa_next;
    }
    // SAFETY: the list that `getifaddrs` made, to which nothing points any more.
    unsafe { libc::freeifaddrs(first) };
    for one in &mut found {
        one.ifaddrs = ifaddrs.remove(&one.name).unwrap_or_default();
    }
    Ok(found)
}

fn described(name: String, flags: i32) -> Interface {
    let read = |what: &str| std::fs::read_to_string(format!("/sys/class/net/{name}/{what}")).ok();
    let number = |what| read(what).and_then(|text| text.trim().parse::<i64>().ok());
    let wanted = libc::IFF_UP | libc::IFF_RUNNING;
    Interface {
        mtu: number("mtu").map_or(MTU_USUAL, |mtu| mtu as usize),
        // A driver that does not know says -1, or refuses.
        speed: number("speed").filter(|&speed| speed > 0).map(|speed| speed as u32),
        up: flags & wanted == wanted,
        loopback: flags & libc::IFF_LOOPBACK != 0,
        ifaddrs: Vec::new(),
        name,
    }
}

/// An IP address with its subnet.
///
/// # Safety
///
/// Both are null or point to a socket address of the family that it says.
unsafe fn place(address: *const libc::sockaddr, mask: *const libc::sockaddr) -> Option<IfAddr> {
    // SAFETY: passed on.
    let (ip, mask) = unsafe { (ip(address)?, ip(mask)?) };
    let prefix = match mask {
        IpAddr::V4(mask) => u32::from(mask).leading_ones(),
        IpAddr::V6(mask) => u128::from(mask).leading_ones(),
    };
    Some(IfAddr { ip, prefix: prefix as u8 })
}

/// # Safety
///
/// `address` is null or points to a socket address of the family that it says.
unsafe fn ip(address: *const libc::sockaddr) -> Option<IpAddr> {
    if address.is_null() {
        return None;
    }
    // SAFETY: every socket address begins with its family.
    match i32::from(unsafe { (*address).sa_family }) {
        libc::AF_INET => {
            // SAFETY: the family says that it is an IPv4 address.
            let bits = unsafe { (*address.cast::<libc::sockaddr_in>()).sin_addr.s_addr };
            Some(Ipv4Addr::from(u32::from_be(bits)).into())
        }
        libc::AF_INET6 => {
            // SAFETY: the family says that it is an IPv6 address.
            let bytes = unsafe { (*address.cast::<libc::sockaddr_in6>()).sin6_addr.s6_addr };
            Some(Ipv6Addr::from(bytes).into())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loopback_interface_is_found_with_its_subnet() {
        let all = list().unwrap();
        let lo = all.iter().find(|one| one.loopback).unwrap();
        assert!(lo.up && lo.mtu >= MTU_USUAL, "{lo:?}");
        let local = IfAddr { ip: Ipv4Addr::LOCALHOST.into(), prefix: 8 };
        assert!(lo.ifaddrs.contains(&local), "{lo:?}");
    }
}
