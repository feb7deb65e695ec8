//! How the members of a communicator agree on a collective segment, after enough collectives to be
//! worth one.

use std::cell::Cell;
use std::rc::Rc;

use dunlin_base::Result;
use dunlin_base::single_copy::{NEVER, SingleCopy};
use dunlin_coll::select::CICO_BYTES_MAX;
use dunlin_coll::{Domains, Locality};
use dunlin_copy::nontemporal;
use dunlin_shm::coll_segment as shm;

use crate::adaptive::AdaptiveChoice;
use crate::engine::Engine;
use crate::engine::domains::DomainSource;
use crate::objects::coll_module::{
    CollModule, ELSEWHERE, MESSAGES_FIRST, ModuleState, StoresChoice,
};
use crate::objects::comm::Comm;
use crate::p2p::messages::Route;
use crate::p2p::single_copy::goes_round;

/// What a member tells the others when a collective segment is made, as words.
const ENTRY_WORDS: usize = 5;

/// Members on a node from which on it pays to know where they run: it takes reading some files.
const DOMAINS_FROM_RANKS: usize = 8;

/// How many of this rank's areas may use all of their long rooms, 2 MiB each.
const WIDE_AREAS: usize = 4;

/// What this rank gives to a collective segment that is being made.
#[derive(Debug)]
pub(crate) struct AreaOffer {
    here: LocalMembers,
    area: Option<usize>,
    /// What it tells the others.
    pub(crate) entry: Box<[u8]>,
}

/// The collective segment that follows from what all members tell.
#[derive(Debug, PartialEq, Eq)]
struct Agreement {
    /// The number of every member's place.
    areas: Vec<usize>,
    /// The first stage.
    first: u64,
    single_copy_bytes_min: usize,
    oversubscribed: bool,
    /// Where every member runs.
    localities: Vec<Locality>,
}

impl Agreement {
    /// `None` if a member has no place.
    fn from_entries(entries: &[u8]) -> Option<Agreement> {
        let words = entries.chunks_exact(size_of::<u64>());
        let words: Vec<u64> =
            words.map(|word| u64::from_ne_bytes(word.try_into().expect("eight bytes"))).collect();
        let word = |i: usize| words.iter().copied().skip(i).step_by(ENTRY_WORDS);
        Some(Agreement {
            areas: word(0).map(|area| (area as usize).checked_sub(1)).collect::<Option<_>>()?,
            first: word(1).max().unwrap_or(0),
            single_copy_bytes_min: word(2).max().map_or(NEVER, |bytes| bytes as usize),
            oversubscribed: word(3).any(|oversubscribed| oversubscribed != 0),
            localities: word(4).map(Locality::from_bits).collect(),
        })
    }
}

/// Those of a communicator's members that are on this node.
#[derive(Debug)]
struct LocalMembers {
    /// Their places.
    members: Box<[usize]>,
    /// See [`CollModule::indices`].
    indices: Option<Box<[usize]>>,
    /// The place of each rank, if it is on this node.
    areas: Vec<Option<usize>>,
}

impl Engine {
    /// The collective segment of a communicator, for a blocking collective that all members are
    /// about to begin.
    #[inline]
    pub(crate) fn coll_module_of(&self, comm: &Rc<Comm>) -> Result<Option<Rc<CollModule>>> {
        match &*comm.sharing.borrow() {
            ModuleState::With(module) => return Ok(Some(module.clone())),
            ModuleState::Untried if comm.collectives_begun() >= MESSAGES_FIRST => {}
            _ => return Ok(None),
        }
        comm.sharing.replace(ModuleState::Making);
        let module = self.make_coll_module(comm, 0)?.map(Rc::new);
        comm.sharing.replace(module.clone().map_or(ModuleState::Without, ModuleState::With));
        Ok(module)
    }

    /// Agrees on a collective segment by a blocking collective. Every rank must have `beside` free
    /// areas more than it needs.
    pub(crate) fn make_coll_module(
        &self,
        comm: &Rc<Comm>,
        beside: usize,
    ) -> Result<Option<CollModule>> {
        let Some(offer) = self.offer_area(comm, beside)? else { return Ok(None) };
        let entries = self.allgather_bytes(comm, &offer.entry)?;
        Ok(self.accept_areas(comm, offer, &entries))
    }

    /// What this rank gives to a new collective segment of `comm`; `None` if no member would use
    /// one.
    pub(crate) fn offer_area(&self, comm: &Rc<Comm>, beside: usize) -> Result<Option<AreaOffer>> {
        if comm.size() == 1 || comm.is_inter() {
            return Ok(None);
        }
        if self.spans_nodes && self.nodes_of(comm).count() == comm.size() as usize {
            return Ok(None);
        }
        let here = self.members_here(comm)?;
        let reach = |&peer: &usize| self.messages.borrow_mut().node.can_reach(peer);
        let single_copy = match here.members.iter().all(reach) {
            true => self.messages.borrow().node.single_copy.shared_bytes_min(CICO_BYTES_MAX),
            false => NEVER,
        };
        let (node, me) = (self.node, self.node.me());
        let area = self.coll_areas.borrow_mut().take(beside);
        let first = area.map_or(0, |area| node.area(me, area).first_stage());
        let number = area.map_or(0, |area| area as u64 + 1);
        let locality = self.locality_among(here.members.len()).to_bits();
        let words = [number, first, single_copy as u64, u64::from(!node.own_core()), locality];
        let entry = words.map(u64::to_ne_bytes).as_flattened().into();
        Ok(Some(AreaOffer { here, area, entry }))
    }

    /// The module that follows from what all members have offered.
    pub(crate) fn accept_areas(
        &self,
        comm: &Comm,
        offer: AreaOffer,
        entries: &[u8],
    ) -> Option<CollModule> {
        let AreaOffer { here, area, .. } = offer;
        let area = area?;
        let Some(agreement) = Agreement::from_entries(entries) else {
            self.coll_areas.borrow_mut().taken[area] = false;
            return None;
        };
        let at = here.areas.iter().zip(&agreement.areas);
        let areas = at.filter_map(|(&rank, &area)| Some(self.node.area(rank?, area))).collect();
        let local = here.areas.iter().zip(&agreement.localities);
        let localities: Vec<Locality> =
            local.filter_map(|(rank, locality)| rank.map(|_| *locality)).collect();
        let index_of = here.indices.as_ref().map_or(comm.rank as usize, |s| s[comm.rank as usize]);
        // The members are on one node, and so of one mind.
        let goes_round = !agreement.oversubscribed
            && match agreement.single_copy_bytes_min {
                NEVER => goes_round(SingleCopy::Off),
                bytes_min => bytes_min > 0,
            };
        let is_wide = goes_round && area < WIDE_AREAS;
        // SAFETY: `coll_areas` has given us the area, and has it back when the segment is retired.
        let module = unsafe { shm::CollSegment::new(areas, index_of, agreement.first, is_wide) };
        let home = (area, self.coll_areas.clone());
        let mut module = CollModule::new(
            module,
            here.members,
            home,
            agreement.single_copy_bytes_min,
            agreement.oversubscribed,
        );
        module.indices = here.indices;
        if nontemporal::EXISTS && goes_round {
            let choice = AdaptiveChoice::of_memory(module.segment.long_bytes());
            // Where ranks share a cache, to write past it takes up to 1.7 times as long as to write
            // through it; where they do not, to write through it takes 5 times as long.
            let choice = if module.segment.is_wide() { choice.other_first() } else { choice };
            // What was told before was told by members of other communicators.
            let told = [false, true].map(|past_cache| {
                let stores = shm::Stores { past_cache, is_timed: true };
                module.segment.reading_time(stores).map_or(0, |(_, told)| told)
            });
            module.stores = Some(Box::new(Cell::new(StoresChoice {
                choice,
                told,
                written: Default::default(),
            })));
        }
        module.domains = Rc::new(Domains::new(&localities));
        Some(module)
    }

    /// Where this rank runs, if so many members of a communicator on this node are enough to ask
    /// the system.
    fn locality_among(&self, members: usize) -> Locality {
        if self.domain_source == DomainSource::Binding && members < DOMAINS_FROM_RANKS {
            return Locality::default();
        }
        *self.locality.get_or_init(|| self.domain_source.locality(self.node.me()))
    }

    fn members_here(&self, comm: &Comm) -> Result<LocalMembers> {
        let area = |rank| {
            Ok(match self.route(comm.process(rank)?) {
                Route::Myself => Some(self.node.me()),
                Route::Node(area) => Some(area),
                Route::Net(_) => None,
            })
        };
        let areas = (0..comm.size()).map(area).collect::<Result<Vec<Option<usize>>>>()?;
        let members: Box<[usize]> = areas.iter().flatten().copied().collect();
        let mut next = 0..;
        let mut index_of =
            |area: &Option<usize>| area.map_or(ELSEWHERE, |_| next.next().unwrap_or(0));
        let indices = areas.contains(&None).then(|| areas.iter().map(&mut index_of).collect());
        Ok(LocalMembers { members, indices, areas })
    }
}

#[cfg(test)]
#[path = "module_tests.rs"]
mod tests;
