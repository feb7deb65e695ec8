//! Two fabrics in one: datagrams for short messages, and TCP connections for long ones. A datagram
//! arrives sooner; a long message costs less where the kernel segments it, reassembles it and
//! retransmits what is lost. Connections are made when the first long message goes to a peer.

use std::os::fd::RawFd;

use dunlin_base::Result;

use crate::interface_config::InterfaceConfig;
use crate::tcp::Tcp;
use crate::udp::Udp;
use crate::{Capabilities, Fabric, Identity, Peer};

/// The fabric.
pub struct UdpTcp {
    udp: Udp,
    tcp: Tcp,
}

impl UdpTcp {
    /// Opens both.
    pub fn open(identity: Identity, config: InterfaceConfig) -> Result<UdpTcp> {
        let mut tcp = Tcp::open(identity, config.clone())?;
        let mut udp = Udp::open(identity, config)?;
        udp.share(tcp.share()?);
        Ok(UdpTcp { udp, tcp })
    }

    /// The connections alone, at the same address.
    pub(crate) fn into_tcp(self) -> Tcp {
        self.tcp
    }
}

impl Fabric for UdpTcp {
    fn name(&self) -> &'static str {
        "udp+tcp"
    }

    fn capabilities(&self) -> Capabilities {
        self.udp.capabilities()
    }

    fn set_key(&mut self, key: dunlin_seal::JobKey) {
        self.tcp.set_key(key);
    }

    fn address(&self) -> &[u8] {
        self.udp.address()
    }

    fn connect(&mut self, peer: Peer, address: &[u8]) -> Result<()> {
        self.udp.connect(peer, address)
    }

    fn space(&mut self, peer: Peer) -> Option<&mut [u8]> {
        self.udp.space(peer)
    }

    fn post(&mut self, peer: Peer, len: usize) {
        self.udp.post(peer, len);
    }

    fn flush(&mut self) -> Result<()> {
        self.udp.flush()
    }

    fn is_flushed(&self) -> bool {
        self.udp.is_flushed() && self.tcp.is_flushed()
    }

    fn receive(&mut self, take: &mut dyn FnMut(&[u8])) -> Result<usize> {
        self.udp.receive(take)
    }

    fn departed(&mut self, each: &mut dyn FnMut(Peer)) {
        self.tcp.departed(each);
    }

    fn bulk(&mut self) -> Option<&mut dyn Fabric> {
        Some(&mut self.tcp)
    }

    fn sleep_fds(&self, each: &mut dyn FnMut(RawFd)) {
        self.udp.sleep_fds(each);
        self.tcp.sleep_fds(each);
    }

    fn advice(&self) -> Option<String> {
        self.udp.advice()
    }

    fn counters(&self, each: &mut dyn FnMut(&'static str, u64)) {
        self.udp.counters(each);
        self.tcp.counters(each);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interface_config::tests::loopback;
    use dunlin_seal::Security;
    use std::time::{Duration, Instant};

    const PATIENCE: Duration = Duration::from_secs(20);

    fn open(rank: Peer) -> UdpTcp {
        UdpTcp::open(Identity::keyless(rank, Security::Off), loopback()).unwrap()
    }

    fn post(to: &mut dyn Fabric, packet: &[u8]) {
        to.space(1).unwrap()[..packet.len()].copy_from_slice(packet);
        to.post(1, packet.len());
        to.flush().unwrap();
    }

    #[test]
    fn one_address_leads_to_both_and_each_brings_its_own_packets() {
        let (mut a, mut b) = (open(0), open(1));
        let address = b.address().to_vec();
        a.connect(1, &address).unwrap();
        a.bulk().unwrap().connect(1, &address).unwrap();
        post(&mut a, b"short");
        post(a.bulk().unwrap(), b"long");
        let (mut short, mut long, begin) = (Vec::new(), Vec::new(), Instant::now());
        while short.is_empty() || long.is_empty() {
            assert!(begin.elapsed() < PATIENCE, "{short:?} {long:?}");
            a.bulk().unwrap().receive(&mut |_| panic!("nothing was sent")).unwrap();
            b.receive(&mut |packet| short.extend_from_slice(packet)).unwrap();
            b.bulk().unwrap().receive(&mut |packet| long.extend_from_slice(packet)).unwrap();
        }
        assert_eq!((&short[..], &long[..]), (&b"short"[..], &b"long"[..]));
    }
}
