//! Intercommunicators: two groups that send to each other; MPI 5.0 section 7.6. The first process
//! of each side speaks with that of the other, and tells its own side what was agreed.

use std::rc::Rc;
use std::sync::Arc;

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};

use crate::comms::control_channel::{self, ControlChannel, not_a_member};
use crate::comms::make::{SplitEntry, in_order};
use crate::engine::Engine;
use crate::objects::comm::{Comm, CommId, context};
use crate::objects::errhandler::Errhandler;
use crate::objects::group::Group;

/// Serials a side's leader draws: of the intercommunicator, and of its side alone.
const SERIALS: u32 = 2;

/// One side of an intercommunicator to be.
struct Side {
    group: Group,
    leader: Rank,
    /// The first of two that `leader` drew.
    serial: u32,
}

impl Side {
    fn words(&self) -> Vec<u32> {
        let head = [self.leader, self.serial];
        head.into_iter().chain(self.group.members().iter().copied()).collect()
    }

    fn from_words(words: &[u32]) -> Result<Side> {
        let [leader, serial, members @ ..] = words else {
            let text = "the two leaders do not make the same communicator; check their arguments";
            return Err(Error::new(ErrorClass::Comm, text));
        };
        Ok(Side { group: Group::new(members.to_vec()), leader: *leader, serial: *serial })
    }
}

impl Engine {
    /// Joins two sides that both know. The leader with the smaller world rank gives the context.
    fn join(&self, mine: Side, theirs: Side, errhandler: Errhandler) -> Result<CommId> {
        if let Some(both) =
            mine.group.members().iter().find(|m| theirs.group.rank_of(**m).is_some())
        {
            let text = format!("the two groups share a process: world rank {both} is in both");
            return Err(Error::new(ErrorClass::Group, text));
        }
        let rank = mine.group.rank_of(self.me()).ok_or_else(not_a_member)?;
        let group = Arc::new(mine.group);
        let own = context(mine.leader, mine.serial + 1);
        let local = Rc::new(Comm::new(own, group.clone(), rank, errhandler));
        let first = (mine.leader, mine.serial).min((theirs.leader, theirs.serial));
        let comm = Comm::new(context(first.0, first.1), group, rank, errhandler);
        Ok(self.add_comm(comm.toward(Arc::new(theirs.group), local)))
    }

    /// Swaps `mine` with the other side's leader if this process leads, and tells the rest of the
    /// group what came.
    fn across(
        &self,
        control: &ControlChannel<'_>,
        group: &Group,
        leader: Rank,
        swap: impl FnOnce() -> Result<Vec<u8>>,
    ) -> Result<Vec<u8>> {
        let leads = group.process(leader) == Some(self.me());
        let mut theirs = if leads { swap()? } else { Vec::new() };
        let mut length = (theirs.len() as u32).to_le_bytes();
        control.bcast(group, leader, &mut length)?;
        theirs.resize(u32::from_le_bytes(length) as usize, 0);
        control.bcast(group, leader, &mut theirs)?;
        Ok(theirs)
    }

    /// An intercommunicator of this group and the one of a leader that ours can reach; section
    /// 7.6.2. `peer` is the leader's: the communicator they meet in, the other one's rank there.
    pub fn intercomm_create(
        &self,
        local: &Rc<Comm>,
        leader: Rank,
        peer: Option<(&Rc<Comm>, Rank)>,
        tag: Tag,
    ) -> Result<CommId> {
        local.require_intra()?;
        let leader_world = local.process(leader)?;
        let mut mine = Side { group: Group::clone(&local.group), leader: leader_world, serial: 0 };
        if leader == local.rank {
            mine.serial = self.draw_contexts(SERIALS);
        }
        let own = ControlChannel::collective(self, local)?;
        let mut serial = mine.serial.to_le_bytes();
        own.bcast(&local.group, leader, &mut serial)?;
        mine.serial = u32::from_le_bytes(serial);
        let theirs = self.across(&own, &local.group, leader, || {
            let (comm, rank) = peer.ok_or_else(not_a_member)?;
            let to = comm.process(rank)?;
            ControlChannel::beside(self, comm, tag)?
                .swap(to, &control_channel::to_bytes(mine.words()))
        })?;
        let theirs = Side::from_words(&control_channel::from_bytes(&theirs))?;
        self.join(mine, theirs, local.errhandler.get())
    }

    /// An intercommunicator out of two groups; section 7.6.2.
    pub fn intercomm_create_from_groups(
        &self,
        (mine, leader): (&Group, Rank),
        (theirs, their_leader): (&Group, Rank),
        name: &[u8],
        errhandler: Errhandler,
    ) -> Result<CommId> {
        let outside = || Error::new(ErrorClass::Rank, "a leader's rank is not in its group");
        let leader_world = mine.process(leader).ok_or_else(outside)?;
        let to = theirs.process(their_leader).ok_or_else(outside)?;
        let leads = leader_world == self.me();
        let serial = if leads { self.draw_contexts(SERIALS) } else { 0 };
        let control = ControlChannel::named(self, name)?;
        let mut own = serial.to_le_bytes();
        control.bcast(mine, leader, &mut own)?;
        let serial = u32::from_le_bytes(own);
        let other = self.across(&control, mine, leader, || control.swap(to, &own))?;
        let &[other] = &control_channel::from_bytes(&other)[..] else { return Err(not_a_member()) };
        let mine = Side { group: mine.clone(), leader: leader_world, serial };
        let theirs = Side { group: theirs.clone(), leader: to, serial: other };
        self.join(mine, theirs, errhandler)
    }

    /// What the first process of each side says, at every process of the other side.
    fn swap_sides(&self, comm: &Comm, local: &Comm, mine: &[u8]) -> Result<Vec<u8>> {
        let control = ControlChannel::collective(self, comm)?;
        self.across(&control, &local.group, 0, || control.swap(comm.process(0)?, mine))
    }

    /// One intracommunicator of both sides; the one that is not `high` comes first. Section 7.6.2.
    pub fn intercomm_merge(&self, comm: &Rc<Comm>, high: bool) -> Result<CommId> {
        let Some(local) = &comm.local else { return Err(not_inter(comm)) };
        let leader = local.process(0)?;
        let draw = || {
            let agree = self.use_as_many_vcis(comm, comm.group.members());
            self.spread(self.draw_context(), agree)
        };
        let serial = if local.rank == 0 { draw() } else { 0 };
        let words = control_channel::to_bytes([leader, serial, high.into()]);
        let mut own = words.clone();
        self.bcast_bytes(local, &mut own, 0)?;
        let theirs = self.swap_sides(comm, local, &words)?;
        let (own, theirs) =
            (control_channel::from_bytes(&own), control_channel::from_bytes(&theirs));
        let (&[leader, serial, high], &[their_leader, their_serial, their_high]) =
            (&own[..], &theirs[..])
        else {
            return Err(not_a_member());
        };
        let first = (high, leader) < (their_high, their_leader);
        let (a, b) = if first { (&comm.group, &comm.peers) } else { (&comm.peers, &comm.group) };
        let members = a.members().iter().chain(b.members()).copied().collect();
        let context =
            if first { context(leader, serial) } else { context(their_leader, their_serial) };
        Ok(self.add_comm(self.child(context, Group::new(members), comm)?))
    }

    /// `MPI_Comm_split` of an intercommunicator: sides stay sides.
    pub(crate) fn split_inter(
        &self,
        comm: &Rc<Comm>,
        local: &Rc<Comm>,
        mine: &SplitEntry,
    ) -> Result<Option<CommId>> {
        let entries = self.entries(local, mine)?;
        let bytes: Vec<u8> = entries.iter().flat_map(|w| w.to_bytes()).collect();
        let theirs = self.swap_sides(comm, local, &bytes)?;
        let theirs: Vec<SplitEntry> =
            theirs.chunks_exact(SplitEntry::BYTES).map(SplitEntry::from_bytes).collect();
        let side = |group: &Group, entries: &[SplitEntry]| {
            let ranks = in_order(entries, mine.color);
            let first = *ranks.first()? as usize;
            let members: Vec<Rank> = ranks.iter().map(|r| group.members()[*r as usize]).collect();
            let leader = members[0];
            let group = Group::new(members).of_session(group.session());
            Some(Side { group, leader, serial: entries[first].serial })
        };
        let sides = (side(&comm.group, &entries), side(&comm.peers, &theirs));
        match sides {
            (Some(ours), Some(theirs)) if mine.color.is_some() => {
                self.join(ours, theirs, comm.errhandler.get()).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `MPI_Comm_create` of an intercommunicator; `group` is the part of this side.
    pub(crate) fn create_inter(
        &self,
        comm: &Rc<Comm>,
        local: &Rc<Comm>,
        group: &Group,
    ) -> Result<Option<CommId>> {
        let serial = self.draw_contexts(SERIALS);
        let serials =
            control_channel::from_bytes(&self.allgather_bytes(local, &serial.to_le_bytes())?);
        let leader = group.process(0);
        let place = leader.and_then(|l| comm.group.rank_of(l)).unwrap_or(0) as usize;
        let mine = Side {
            group: group.clone(),
            leader: leader.unwrap_or(comm.group.members()[0]),
            serial: serials[place],
        };
        let theirs = self.swap_sides(comm, local, &control_channel::to_bytes(mine.words()))?;
        let theirs = Side::from_words(&control_channel::from_bytes(&theirs))?;
        let member = group.rank_of(self.me()).is_some();
        if !member || theirs.group.size() == 0 {
            return Ok(None);
        }
        self.join(mine, theirs, comm.errhandler.get()).map(Some)
    }
}

/// Refuses what only an intercommunicator can do.
pub(crate) fn not_inter(comm: &Comm) -> Error {
    let text = format!("{} is not an intercommunicator", comm.shown_name());
    Error::new(ErrorClass::Comm, text)
}
