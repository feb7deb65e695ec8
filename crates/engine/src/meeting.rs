//! An operation of this rank on a board: what it shows, and how it waits for what others show. Each
//! verb waits by itself until it is done, making progress meanwhile. So an algorithm never has to
//! be left and entered again, and the compiler turns it into straight code.

use std::rc::Rc;

use dunlin_base::{Rank, Result};
use dunlin_coll::Shown;
use dunlin_shm::board as shm;

use crate::board::Board;
use crate::comm::Comm;
use crate::engine::Engine;
use crate::request::About;
use crate::showing::{not_as_opened, too_long};

/// Looks at what is not shown yet before other progress is made: about 2 us, in which what a peer
/// is about to show arrives.
const POLLS: u32 = 40;
/// Looks before the core is offered to others where a single rank, on another core, has not shown
/// its part: about 1 us, what it takes to give the core away and get it back. A barrier of 4 ranks
/// on 2 cores takes 1.6 instead of 1.85 us.
const POLLS_FOR_ONE: u32 = 20;
/// Looks in vain at what a member shows before it is asked whether it has left the operation, which
/// it does early only after an error of its own. About 10 us: hardly any wait is slowed by asking.
const POLLS_IN_GOOD_FAITH: u32 = 256;

/// An operation in progress of the ranks of `comm`, which meet at its board.
#[derive(Clone, Copy)]
pub(crate) struct Meeting<'e> {
    pub engine: &'e Engine,
    pub comm: &'e Rc<Comm>,
    pub board: &'e Board,
}

impl Meeting<'_> {
    /// Begins an operation; every member begins the same ones in the same order.
    #[inline]
    pub fn begin(self) {
        if !self.engine.own_core.get() {
            self.engine.node.publish_core();
        }
        self.board.places.borrow_mut().begin();
    }

    /// Ends the operation at this rank, and waits for the others if they may still read our memory.
    #[inline]
    pub fn end(self) {
        self.board.places.borrow().end();
        self.wake();
        if self.board.lent.take() {
            self.wait_until(|| self.board.places.borrow().all_ended());
        }
    }

    /// Ends a stage of the operation in progress at this rank.
    pub fn leave(self, stage: usize) {
        self.board.places.borrow().leave(stage);
        self.wake();
    }

    #[inline]
    fn wake(self) {
        self.engine.node.wake_all(self.board.members.iter().copied());
    }

    /// Shows `bytes` that `fill` writes.
    #[inline]
    pub fn post(self, step: usize, bytes: usize, fill: impl FnOnce(&mut [u8])) -> Result<()> {
        let left = self.board.places.borrow().bytes_left(step);
        if bytes > left {
            return Err(too_long(bytes, left));
        }
        self.wait_for_room(step);
        let whole = self.board.whole.get() as u64;
        self.board.places.borrow_mut().post(step, bytes, whole, fill);
        self.wake();
        Ok(())
    }

    /// Shows that `bytes` lie at `address` of this process.
    pub fn lend(self, step: usize, address: u64, bytes: usize) {
        self.wait_for_room(step);
        self.board.lent.set(true);
        self.board.places.borrow_mut().lend(step, address, bytes);
        self.wake();
    }

    #[inline]
    fn wait_for_room(self, step: usize) {
        let has_room = || self.board.places.borrow_mut().has_room(step);
        if !has_room() {
            self.wait_until(has_room);
        }
    }

    /// Waits for several others.
    #[inline(never)]
    fn wait_until(self, ready: impl Fn() -> bool) {
        let own_core = self.engine.own_core.get();
        let comes = |_| {
            if ready() {
                return true;
            }
            if own_core {
                self.engine.node.pause();
            } else {
                std::thread::yield_now();
            }
            false
        };
        if !(0..self.looks()).any(comes) {
            self.make_progress_until(ready, None);
        }
    }

    /// Makes progress everywhere, but seldom looks at the network: nothing shown comes from there.
    fn make_progress_until(self, ready: impl FnMut() -> bool, by: Option<usize>) {
        let about = || self.about(by);
        if !self.engine.spans_nodes {
            return self.engine.wait_until(ready, about);
        }
        let before = self.engine.messages.borrow_mut().expect_from_node();
        self.engine.wait_until(ready, about);
        self.engine.messages.borrow_mut().remote.looks = before;
    }

    /// Looks at one place before progress is made everywhere.
    fn looks(self) -> u32 {
        if self.engine.own_core.get() {
            POLLS
        } else {
            self.engine.yields_for_node(&self.engine.messages.borrow())
        }
    }

    fn about(self, peer: Option<usize>) -> Option<About> {
        Some(About { comm: self.comm.clone(), peer: peer.map(|peer| peer as Rank), tag: None })
    }

    /// What a member shows, once it is there; an error where it will never be, or is too much.
    #[inline]
    pub fn look(self, shown: Shown) -> Result<shm::Shown<'static>> {
        let data = match self.board.look(shown) {
            Some(data) => data,
            None => self.wait_for(shown)?,
        };
        self.board.check_length(shown.by, data)
    }

    /// What is looked at in vain, once it is there.
    #[inline(never)]
    fn wait_for(self, shown: Shown) -> Result<shm::Shown<'static>> {
        let looks = self.looks();
        for _ in 1..looks {
            if self.engine.own_core.get() {
                self.engine.node.pause();
            } else {
                self.offer_core(shown);
            }
            if let Some(data) = self.board.look(shown) {
                return Ok(data);
            }
        }
        let (mut vain, mut seen) = (looks, None);
        let mut comes = || {
            vain = vain.saturating_add(1);
            seen = match vain < POLLS_IN_GOOD_FAITH {
                true => self.board.look(shown).map(Ok),
                false => self.board.look_or_give_up(shown),
            };
            seen.is_some()
        };
        self.make_progress_until(&mut comes, Some(shown.by));
        seen.expect("waited until it was seen")
    }

    /// Where ranks share cores: who is to show it may need this one.
    fn offer_core(self, shown: Shown) {
        let comes = || {
            self.engine.node.pause();
            self.board.look(shown).is_some()
        };
        if !(self.board.misses_one_elsewhere(self.engine.node, shown)
            && (0..POLLS_FOR_ONE).any(|_| comes()))
        {
            std::thread::yield_now();
        }
    }

    /// Where `bytes` of memory are opened, once they are.
    pub fn opened(self, shown: Shown, bytes: usize) -> Result<u64> {
        let data = match self.board.look(shown) {
            Some(data) => data,
            None => self.wait_for(shown)?,
        };
        match data {
            shm::Shown::There { address, bytes: have } if have == bytes => Ok(address),
            other => Err(not_as_opened(shown.by, other.bytes(), bytes)),
        }
    }
}
