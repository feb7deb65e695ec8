//! The fabric of a process between its opening, after which its address can be published, and the
//! network that uses it. A process that has found a device of a fast network waits meanwhile for
//! the addresses of all others, which say whether they have one, too.

use dunlin_base::settings::Settings;
use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_fabric::choice::{Choice, Started};
use dunlin_fabric::offer::{Offer, Reply};
use dunlin_fabric::{Fabric, Identity};
use dunlin_seal::draw_incarnation;
use dunlin_shm::address::Address;

use crate::net::address_vector::AddressVector;
use crate::net::business_card::BusinessCard;

/// What was opened, and its address can be published.
pub(crate) struct OpenedFabric {
    choice: Choice,
    started: Started,
    incarnation: u64,
    /// Why the device of a fast network is not used.
    notice: Option<String>,
}

/// A fabric on which the ranks of the job agree; the job's key comes later.
pub(crate) struct OpenFabric {
    pub choice: Choice,
    pub fabric: Box<dyn Fabric>,
    pub incarnation: u64,
}

/// Why an offer is not taken.
struct Refusal {
    rank: Rank,
    reply: Reply,
    /// One process of a job tells the user: rank 0 if its own device has failed, else the first one
    /// that has made an offer.
    is_mine_to_tell: bool,
}

impl OpenedFabric {
    /// Opens the fabric that the settings name, for rank `me`.
    pub fn open(settings: &Settings, me: Rank) -> Result<OpenedFabric> {
        let mut choice = dunlin_fabric::choice::choose(settings)?;
        // The key comes later.
        let (started, refused) = choice.start(Identity::keyless(me, choice.security))?;
        let told = refused.filter(|_| me == 0).map(|why| {
            let instead = choice.fabric.name();
            format!(
                "this host's fast network is not used, but {instead}: {why} \
                 (DUNLIN_NET_FABRIC={instead}: do not try it)"
            )
        });
        let incarnation = draw_incarnation().map_err(|e| {
            Error::new(ErrorClass::Other, format!("the network cannot be opened: {e}"))
        })?;
        Ok(OpenedFabric { choice, started, incarnation, notice: told })
    }

    /// The address of this process, for the job map.
    pub fn address(&self) -> Result<Address> {
        let (name, fabric) = match &self.started {
            Started::Fabric(fabric) => (fabric.name(), fabric.address()),
            Started::Offer(offer) => (offer.name(), offer.address()),
        };
        let (security, incarnation) = (self.choice.security, self.incarnation);
        let card = BusinessCard { security, incarnation, fabric };
        card.encode().ok_or_else(|| {
            let text = format!("an address of the fabric {name} is too long");
            Error::new(ErrorClass::Intern, text)
        })
    }

    /// Decides what to use, if that depends on the other ranks, and what to tell the user. While
    /// the address of a rank is not known, `wait` is called with it again and again.
    pub fn agree(
        self,
        me: Rank,
        address_vector: &AddressVector,
        wait: &mut dyn FnMut(Rank) -> Result<()>,
    ) -> Result<(OpenFabric, Option<String>)> {
        let OpenedFabric { mut choice, started, incarnation, notice } = self;
        let offer = match started {
            Started::Fabric(fabric) => {
                return Ok((OpenFabric { choice, fabric, incarnation }, notice));
            }
            Started::Offer(offer) => offer,
        };
        let refusal = refusal(&offer, me, address_vector, wait)?;
        let name = offer.name();
        let fabric = choice.settle(*offer, refusal.is_none(), me)?;
        let told = refusal.filter(|refusal| refusal.is_mine_to_tell).map(|refusal| {
            let host = address_vector.job_map.host_of(refusal.rank as usize);
            refusal.text(name, &host, choice.fabric.name())
        });
        Ok((OpenFabric { choice, fabric, incarnation }, told))
    }
}

/// The first rank that does not offer the same, if there is one.
fn refusal(
    offer: &Offer,
    me: Rank,
    address_vector: &AddressVector,
    wait: &mut dyn FnMut(Rank) -> Result<()>,
) -> Result<Option<Refusal>> {
    let (mut refusal, mut first_offer) = (None, None);
    for rank in 0..address_vector.job_map.world() as Rank {
        let address = loop {
            match address_vector.find(rank)? {
                Some(address) => break address,
                None => wait(rank)?,
            }
        };
        let reply = offer.reply(BusinessCard::read(&address, rank)?.fabric);
        if reply != Reply::None {
            first_offer.get_or_insert(rank);
        }
        if reply != Reply::Same {
            refusal.get_or_insert((rank, reply));
        }
        // All that has to be known.
        if refusal.is_some() && first_offer.is_some() {
            break;
        }
    }
    let is_mine_to_tell = first_offer == Some(me);
    Ok(refusal.map(|(rank, reply)| Refusal { rank, reply, is_mine_to_tell }))
}

impl Refusal {
    fn text(&self, name: &str, host: &str, instead: &str) -> String {
        let rank = self.rank;
        let why = match self.reply {
            Reply::Other => "uses libfabric by another provider or version",
            _ => "has no such device or none that works (`dunlin-info network` there says more)",
        };
        format!("{name} is not used, but {instead}: rank {rank} on {host} {why}")
    }
}
