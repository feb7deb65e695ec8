//! What a process with a device of a fast network opens before it knows whether its peers have one:
//! libfabric, and what goes without. Its address leads to both. A job uses libfabric where all of
//! its processes offer it by the same provider, and each finds that out for itself from the
//! addresses that all have published.

use dunlin_base::Result;

use crate::address::{IpAddress, Kind, join, split};
use crate::interface_config::InterfaceConfig;
use crate::ofi::{Ofi, Wanted};
use crate::ofi_tcp::OfiTcp;
use crate::udp_tcp::UdpTcp;
use crate::{ADDRESS_BYTES, Fabric, Identity, failed};

/// The offer.
pub struct Offer {
    rank: u32,
    ofi: Ofi,
    udp_tcp: UdpTcp,
    address: Vec<u8>,
    description: String,
}

/// What a peer says to an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It offers the same.
    Same,
    /// It offers another provider, or another version of its addresses.
    Other,
    /// It has no device, or one that does not work, or its user has chosen something else.
    None,
}

impl Offer {
    /// Opens the best of the `wanted` providers of the library in `file`, sees whether packets go
    /// through, and opens what goes without.
    pub fn open(
        identity: Identity,
        config: &InterfaceConfig,
        file: &str,
        wanted: Wanted<'_>,
    ) -> Result<Offer> {
        let mut ofi = Ofi::open(identity, config, file, wanted)?;
        let packets = ofi
            .check(identity.rank)
            .map_err(|e| failed(format!("{} does not work: {e}", ofi.describe(config))))?;
        let description =
            format!("{}; {packets} packets to itself have come back", ofi.describe(config));
        let udp_tcp = UdpTcp::open(identity, config.clone())?;
        let ip = IpAddress::decode(udp_tcp.address(), Kind::UdpTcp)?;
        let address = join(ofi.address(), &ip);
        // A peer that finds no interface in it would have no other way.
        if address.len() > ADDRESS_BYTES || IpAddress::decode(&address, Kind::UdpTcp).is_err() {
            return Err(failed(format!(
                "the addresses of {} are too long to be told with others",
                ofi.name()
            )));
        }
        Ok(Offer { rank: identity.rank, ofi, udp_tcp, address, description })
    }

    /// What is offered, for a person.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// What it is called.
    pub fn name(&self) -> &'static str {
        self.ofi.name()
    }

    /// See [`Fabric::address`].
    pub fn address(&self) -> &[u8] {
        &self.address
    }

    /// What the process at `address` says.
    pub fn reply(&self, address: &[u8]) -> Reply {
        match split(address) {
            Some((ofi, _)) if self.ofi.is_alike(ofi) => Reply::Same,
            Some(_) => Reply::Other,
            None => Reply::None,
        }
    }

    /// The fabric, once it is known whether all take the offer.
    pub fn settle(self, is_taken: bool) -> Box<dyn Fabric> {
        match is_taken {
            true => {
                let tcp = self.udp_tcp.into_tcp();
                Box::new(OfiTcp::new(self.rank, self.ofi, tcp, self.address))
            }
            false => Box::new(self.udp_tcp),
        }
    }
}
