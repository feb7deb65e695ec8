//! Synchronisation on windows; MPI 5.0 section 12.5.

use std::cell::Cell;
use std::sync::atomic::{Ordering, fence};

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_shm::window_part::{LockKind, WindowLock, WindowPart};

use crate::coll::fast_path::CollFastPath;
use crate::engine::Engine;
use crate::objects::process_table::Route;
use crate::objects::window::{Held, Window};
use crate::rma::message::Kind;
use crate::threads::lock;

impl Engine {
    /// `MPI_Win_fence`. `opens` is false where no operation will follow before the next one.
    pub fn win_fence(&self, window: &Window, opens: bool) -> Result<()> {
        refuse_passive(window, "MPI_Win_fence")?;
        self.flush_dirty(window)?;
        let outcome = take_failure(window);
        self.barrier_of(window)?;
        window.origin.borrow_mut().fence_open = opens;
        outcome
    }

    /// Waits for all processes of the window.
    pub(crate) fn barrier_of(&self, window: &Window) -> Result<()> {
        let fast = CollFastPath::on(self.function.get(), window.comm.id.get());
        match fast.and_then(|members| members.barrier()) {
            Some(outcome) => outcome,
            None => self.collect(&self.barrier(&window.comm)?).map(|_| ()),
        }
    }

    /// `MPI_Win_post`.
    pub fn win_post(&self, window: &Window, group: Vec<Rank>) -> Result<()> {
        if window.target.borrow().posted.is_some() {
            return Err(sync(window, "MPI_Win_post again before MPI_Win_wait or MPI_Win_test"));
        }
        for &rank in &group {
            match window.shared_part(rank) {
                Some(part) => window.tell_post(rank, part),
                None => self.send_to_window(window, rank, Kind::Post, Vec::new())?,
            }
        }
        self.wake_neighbours(window);
        window.target.borrow_mut().posted = Some(group);
        Ok(())
    }

    /// `MPI_Win_start`: waits until all of the group have posted.
    pub fn win_start(&self, window: &Window, group: Vec<Rank>) -> Result<()> {
        refuse_passive(window, "MPI_Win_start")?;
        if window.origin.borrow().started.is_some() {
            return Err(sync(window, "MPI_Win_start again before MPI_Win_complete"));
        }
        if window.origin.borrow().fence_open {
            self.flush_dirty(window)?;
        }
        for &rank in &group {
            self.wait_on_window(window, Some(rank), |window| window.has_posted(rank));
            {
                let peer = &mut window.origin.borrow_mut().peers[rank as usize];
                peer.starts = peer.starts.wrapping_add(1);
                peer.is_started = true;
                peer.unsettled_bytes = 0;
                peer.sent.forget();
            }
            // A target posts again when it has done all of the epoch before. Whether it could, the
            // next flush asks: the process stays dirty until then.
            self.free_bounce_buffers(window, rank, |_| true);
        }
        let mut origin = window.origin.borrow_mut();
        origin.started = Some(group);
        origin.fence_open = false;
        Ok(())
    }

    /// `MPI_Win_complete`.
    pub fn win_complete(&self, window: &Window) -> Result<()> {
        let Some(group) = window.origin.borrow_mut().started.take() else {
            return Err(sync(window, "MPI_Win_complete without MPI_Win_start"));
        };
        for &rank in &group {
            let is_settled = {
                let peer = &mut window.origin.borrow_mut().peers[rank as usize];
                peer.is_started = false;
                peer.is_settled()
            };
            // What follows operations that went as messages must not overtake them.
            match window.shared_part(rank).filter(|_| is_settled) {
                Some(part) => window.tell_completion(rank, part),
                None => {
                    self.send_completion(window, rank)?;
                    self.wait_until_sent(window, rank);
                }
            }
        }
        self.wake_neighbours(window);
        for &rank in &group {
            self.wait_for_acknowledgements(window, rank);
        }
        take_failure(window)
    }

    /// Waits until nothing for a target of this node waits in this process for room: the target may
    /// wait for it, and the program does not call MPI for long.
    fn wait_until_sent(&self, window: &Window, rank: Rank) {
        let Ok(Route::Node(peer)) = self.route_in(window, rank) else { return };
        let is_sent = |window: &Window| {
            self.messages.borrow().node.has_sent_all(peer)
                || window.origin.borrow().peers[rank as usize].sent.are_all_taken()
        };
        if !is_sent(window) {
            self.wait_on_window(window, Some(rank), is_sent);
        }
    }

    /// Tells a target that this origin has sent all. Between nodes the target confirms it: what
    /// follows `MPI_Win_complete`, a barrier for instance, goes other ways and may be there before
    /// a packet that was lost, but `MPI_Win_test` must be true then.
    fn send_completion(&self, window: &Window, rank: Rank) -> Result<()> {
        if !self.is_far(window, rank) {
            return self.send_word_in_order(window, rank, Kind::Complete);
        }
        self.wait_for_remote_transfers(window, rank);
        self.send_in_order(window, rank, (Kind::Complete, 0), false, |_, _| Ok(()))?;
        self.send_flush(window, rank)
    }

    /// After something was changed in memory that processes of this node watch: wakes those that
    /// sleep.
    #[inline]
    pub(crate) fn wake_neighbours(&self, window: &Window) {
        self.node.wake_all(window.neighbours.iter().copied());
    }

    /// After a lock was given back: the same, if anybody waits for it. A rank that asks for a
    /// process of another node may do so with its last look before it sleeps; it is always woken.
    #[inline]
    pub(crate) fn wake_those_who_wait(&self, window: &Window, lock: &WindowLock) {
        let is_awaited = || self.spans_nodes || lock.is_awaited();
        self.node.wake_all_if(window.neighbours.iter().copied(), is_awaited);
    }

    /// `MPI_Win_wait`.
    pub fn win_wait(&self, window: &Window) -> Result<()> {
        if window.target.borrow().posted.is_none() {
            return Err(sync(window, "MPI_Win_wait without MPI_Win_post"));
        }
        // One by one: progress, which the wait makes, borrows it too.
        let posted = |place: usize| window.target.borrow().posted.as_ref()?.get(place).copied();
        for rank in (0..).map_while(posted) {
            self.wait_on_window(window, Some(rank), |window| window.has_completed(rank));
        }
        end_exposure(window);
        Ok(())
    }

    /// `MPI_Win_test`.
    pub fn win_test(&self, window: &Window) -> Result<bool> {
        if window.target.borrow().posted.is_none() {
            return Err(sync(window, "MPI_Win_test without MPI_Win_post"));
        }
        let is_over = || {
            let target = window.target.borrow();
            target.posted.iter().flatten().all(|rank| window.has_completed(*rank))
        };
        // Programs expect that what was complete before a barrier of theirs is seen after it.
        let look = || {
            while !is_over() && self.messages.borrow_mut().look_at_network() {
                self.push_tasks();
            }
            is_over()
        };
        let is_over = self.poll_for(look, |&is_over| !is_over);
        if is_over {
            end_exposure(window);
        }
        Ok(is_over)
    }

    /// `MPI_Win_lock`. Without `asks` the program promises that nobody else holds a lock that
    /// conflicts.
    pub fn win_lock(&self, window: &Window, rank: Rank, kind: LockKind, asks: bool) -> Result<()> {
        self.refuse_second_lock(window, rank)?;
        if asks {
            self.confirm_lock()?;
            self.ask_for_lock(window, rank, kind)?;
            self.wait_for_lock(window, rank, kind);
        }
        window.hold_lock(rank, Held { kind, asked: asks });
        Ok(())
    }

    /// `MPI_Win_lock_all`.
    pub fn win_lock_all(&self, window: &Window, asks: bool) -> Result<()> {
        {
            let origin = window.origin.borrow();
            if origin.lock_all.is_some() || origin.locks > 0 {
                return Err(sync(window, "MPI_Win_lock_all while this process holds a lock"));
            }
            refuse_started(window, origin.started.is_some())?;
        }
        if asks {
            self.confirm_lock()?;
            // One after the other: two processes that each hold a lock for which the other waits,
            // behind a third that asks for it alone, would wait for ever.
            for rank in self.try_locks(window)?..window.comm.size() {
                self.ask_for_lock(window, rank, LockKind::Shared)?;
                self.wait_for_lock(window, rank, LockKind::Shared);
                self.confirm_lock()?;
            }
        }
        let mut origin = window.origin.borrow_mut();
        origin.lock_all = Some(asks);
        origin.fence_open = false;
        Ok(())
    }

    /// Takes the locks that are free, all at the same time: who tries does not wait. Returns the
    /// first that is not; those behind it are not kept.
    fn try_locks(&self, window: &Window) -> Result<Rank> {
        let ranks = 0..window.comm.size();
        for rank in ranks.clone().filter(|rank| window.shared_part(*rank).is_none()) {
            self.send_word_in_order(window, rank, Kind::TryLockShared)?;
        }
        let is_taken = |rank| match window.shared_part(rank) {
            Some(part) => part.header.lock.try_enter(LockKind::Shared),
            None => self.answer_to_lock(window, rank),
        };
        let taken: Vec<bool> = ranks.clone().map(is_taken).collect();
        let first = taken.iter().position(|taken| !taken).unwrap_or(taken.len()) as Rank;
        for rank in (first..ranks.end).filter(|rank| taken[*rank as usize]) {
            self.give_lock_back(window, rank, Held { kind: LockKind::Shared, asked: true })?;
        }
        Ok(first)
    }

    fn refuse_second_lock(&self, window: &Window, rank: Rank) -> Result<()> {
        let origin = window.origin.borrow();
        if origin.peers[rank as usize].lock.is_some() || origin.lock_all.is_some() {
            let text =
                format!("MPI_Win_lock of rank {rank}, which this process has locked already");
            return Err(sync(window, &text));
        }
        refuse_started(window, origin.started.is_some())
    }

    /// Waits until the lock of another node that was asked for last is held. Where the program has
    /// one thread, the call that asks for it does not wait, but locks that a program takes one
    /// after the other must be taken in this order, or two programs with the same order might wait
    /// for each other.
    fn confirm_lock(&self) -> Result<()> {
        match self.unconfirmed_lock.get() {
            Some((window, rank)) => self.flush_lock(&*self.window(window)?, rank),
            None => Ok(()),
        }
    }

    /// The same before an operation on another window: programs use the lock of one window for the
    /// memory of another, too.
    pub(crate) fn confirm_other_lock(&self, window: &Window) -> Result<()> {
        match self.unconfirmed_lock.get() {
            Some((locked, _)) if locked != window.id.get() => self.confirm_lock(),
            _ => Ok(()),
        }
    }

    /// Waits until all that was asked of a process of another node is done, also its lock.
    pub(crate) fn flush_lock(&self, window: &Window, rank: Rank) -> Result<()> {
        self.send_flush(window, rank)?;
        self.wait_for_acknowledgements(window, rank);
        Ok(())
    }

    /// Asks for the lock of a process whose lock this one does not reach; on another node, with the
    /// next message. With several threads this waits until it is held: others could not tell
    /// whether what they do now is meant to come behind it, and if all of them waited for it, who
    /// holds it might wait for one of them.
    fn ask_for_lock(&self, window: &Window, rank: Rank, kind: LockKind) -> Result<()> {
        let message = match kind {
            LockKind::Shared => Kind::LockShared,
            LockKind::Exclusive => Kind::LockExclusive,
        };
        if self.is_far(window, rank) {
            window.origin.borrow_mut().peers[rank as usize].unsent_lock = Some(kind);
            if lock::is_threaded() {
                let is_taking =
                    |is| window.origin.borrow_mut().peers[rank as usize].is_lock_being_taken = is;
                is_taking(true);
                let taken = self.flush_lock(window, rank);
                is_taking(false);
                return taken;
            }
            self.unconfirmed_lock.set(Some((window.id.get(), rank)));
            return Ok(());
        }
        match window.shared_part(rank) {
            Some(_) => Ok(()),
            None => self.send_to_window(window, rank, message, Vec::new()),
        }
    }

    fn wait_for_lock(&self, window: &Window, rank: Rank, kind: LockKind) {
        if let Some(part) = window.shared_part(rank) {
            return self.queue_for_lock(window, &part.header.lock, rank, kind);
        }
        if self.is_far(window, rank) {
            return;
        }
        self.answer_to_lock(window, rank);
    }

    /// Waits until a process says whether this one has its lock.
    fn answer_to_lock(&self, window: &Window, rank: Rank) -> bool {
        let answer = |window: &Window| window.origin.borrow().peers[rank as usize].lock_answer;
        self.wait_on_window(window, Some(rank), |window| answer(window).is_some());
        window.origin.borrow_mut().peers[rank as usize].lock_answer.take() == Some(true)
    }

    fn queue_for_lock(&self, window: &Window, lock: &WindowLock, rank: Rank, kind: LockKind) {
        if kind == LockKind::Exclusive {
            // It has tried in vain, and may have been in the way of another for a moment.
            self.wake_those_who_wait(window, lock);
        }
        let (ticket, has_entered) = (Cell::new(lock.ask(kind)), Cell::new(false));
        self.awaited_lock.set(Some((window.id.get(), rank)));
        self.wait_on_window(window, Some(rank), |_| {
            // A ticket lets in once, but this may be asked again.
            let mut now = ticket.get();
            has_entered.set(has_entered.get() || lock.enter(&mut now));
            ticket.set(now);
            has_entered.get()
        });
        self.awaited_lock.set(None);
        if kind == LockKind::Exclusive {
            lock.publish_holder(self.world_rank());
        }
    }

    /// `MPI_Win_unlock`.
    pub fn win_unlock(&self, window: &Window, rank: Rank) -> Result<()> {
        let Some(held) = window.drop_lock(rank) else {
            let text = format!("MPI_Win_unlock of rank {rank}, which this process has not locked");
            return Err(sync(window, &text));
        };
        if self.unconfirmed_lock.get() == Some((window.id.get(), rank)) {
            self.unconfirmed_lock.set(None);
        }
        self.give_lock_back(window, rank, held)?;
        self.wait_for_acknowledgements(window, rank);
        self.let_others_in();
        take_failure(window)
    }

    /// `MPI_Win_unlock_all`.
    pub fn win_unlock_all(&self, window: &Window) -> Result<()> {
        let Some(asked) = window.origin.borrow_mut().lock_all.take() else {
            return Err(sync(window, "MPI_Win_unlock_all without MPI_Win_lock_all"));
        };
        let (ranks, held) = (0..window.comm.size(), Held { kind: LockKind::Shared, asked });
        ranks.clone().try_for_each(|rank| self.give_lock_back(window, rank, held))?;
        ranks.for_each(|rank| self.wait_for_acknowledgements(window, rank));
        self.let_others_in();
        take_failure(window)
    }

    fn give_lock_back(&self, window: &Window, rank: Rank, held: Held) -> Result<()> {
        if !held.asked {
            return self.begin_flush(window, rank);
        }
        if let Some(part) = window.shared_part(rank) {
            self.settle(window, rank)?;
            part.header.lock.give_back(held.kind);
            self.wake_those_who_wait(window, &part.header.lock);
            return Ok(());
        }
        self.wait_for_remote_transfers(window, rank);
        await_one_more(window, rank);
        self.send_word_in_order(window, rank, Kind::Unlock)
    }

    /// `MPI_Win_flush`, of one process or of all.
    pub fn win_flush(&self, window: &Window, rank: Option<Rank>) -> Result<()> {
        require_passive(window, rank)?;
        match rank {
            Some(rank) => {
                self.begin_flush(window, rank)?;
                self.wait_for_acknowledgements(window, rank);
            }
            None => {
                self.flush_dirty(window)?;
                self.confirm_lock()?;
            }
        }
        self.let_others_in();
        // Orders this process's own loads and stores of the target's memory, too.
        fence(Ordering::SeqCst);
        take_failure(window)
    }

    /// `MPI_Win_flush_local`, of one process or of all.
    pub fn win_flush_local(&self, window: &Window, rank: Option<Rank>) -> Result<()> {
        require_passive(window, rank)?;
        let ranks = rank.map_or_else(|| window.active_ranks(), |rank| vec![rank]);
        ranks.into_iter().try_for_each(|rank| self.send_packed(window, rank))?;
        self.wait_for_replies(window, rank);
        self.let_others_in();
        take_failure(window)
    }

    /// Whoever waits for a change of a window's memory makes such calls in a loop, and may look at
    /// memory of its own alone: they make progress, since others may need this process's help to
    /// change it, and leave the core to another rank where they share one.
    pub(crate) fn let_others_in(&self) {
        if !self.progress() {
            self.found_nothing();
        }
    }

    /// `MPI_Win_sync`.
    pub fn win_sync(&self, _: &Window) {
        self.let_others_in();
        // Orders this process's loads and stores of the window among all processes.
        fence(Ordering::SeqCst);
    }

    /// Waits until all that was sent to anybody is done. Not for a lock that another thread waits
    /// for: it has sent nothing yet, and who holds that lock may wait for this thread.
    pub(crate) fn flush_dirty(&self, window: &Window) -> Result<()> {
        let mut ranks = window.active_ranks();
        ranks.retain(|rank| !window.origin.borrow().peers[*rank as usize].is_lock_being_taken);
        ranks.iter().try_for_each(|rank| self.begin_flush(window, *rank))?;
        ranks.iter().for_each(|rank| self.wait_for_acknowledgements(window, *rank));
        Ok(())
    }

    /// Waits until what was sent to one process is done, also by the network alone.
    pub(crate) fn settle(&self, window: &Window, rank: Rank) -> Result<()> {
        if window.origin.borrow().peers[rank as usize].is_settled() {
            return Ok(());
        }
        self.begin_flush(window, rank)?;
        self.wait_for_acknowledgements(window, rank);
        Ok(())
    }

    /// Asks a target to tell when all is done that was sent to it. Results tell it of themselves.
    /// A lock without any operation is asked for: programs that flush it want to hold it.
    pub(crate) fn begin_flush(&self, window: &Window, rank: Rank) -> Result<()> {
        self.wait_for_remote_transfers(window, rank);
        let asks = {
            let peer = &window.origin.borrow().peers[rank as usize];
            peer.is_dirty || (peer.unsent_lock.is_some() && peer.packed.is_empty())
        };
        match asks {
            true => self.send_flush(window, rank),
            false => self.send_packed(window, rank),
        }
    }

    fn send_flush(&self, window: &Window, rank: Rank) -> Result<()> {
        await_one_more(window, rank);
        if window.origin.borrow_mut().peers[rank as usize].flush_with_short() {
            return self.send_packed(window, rank);
        }
        self.send_word_in_order(window, rank, Kind::Flush)
    }

    fn wait_for_acknowledgements(&self, window: &Window, rank: Rank) {
        let is_done = |window: &Window| {
            let peer = &window.origin.borrow().peers[rank as usize];
            peer.awaited == 0 && peer.replies == 0
        };
        let wait = || self.wait_on_window(window, Some(rank), is_done);
        self.timed_wait(window, rank, wait);
        self.note_acknowledgements(window, rank);
        if self.unconfirmed_lock.get() == Some((window.id.get(), rank)) {
            // What was sent with a lock, or behind it, is done, so it is held.
            let peer = &window.origin.borrow().peers[rank as usize];
            if peer.unsent_lock.is_none() && peer.is_settled() {
                self.unconfirmed_lock.set(None);
            }
        }
    }
}

impl Window {
    /// Whether `rank` has called `MPI_Win_post` for this process, and no `MPI_Win_start` has used
    /// that.
    fn has_posted(&self, rank: Rank) -> bool {
        let place = rank as usize;
        let peer = &self.origin.borrow().peers[place];
        self.own.get().counters[place].posts().wrapping_add(peer.posts) != peer.starts
    }

    /// The same of `MPI_Win_complete` and `MPI_Win_wait`.
    fn has_completed(&self, rank: Rank) -> bool {
        let (place, target) = (rank as usize, self.target.borrow());
        let told = self.own.get().counters[place].completes();
        told.wrapping_add(target.completes[place]) != target.waits[place]
    }

    /// Tells a process, by what it shares, that this one has posted.
    fn tell_post(&self, rank: Rank, part: WindowPart<'_>) {
        let posts = &mut self.target.borrow_mut().posts[rank as usize];
        *posts = posts.wrapping_add(1);
        part.counters[self.comm.rank as usize].post(*posts);
    }

    /// Tells a process, by what it shares, that this one has ended its access epoch there.
    pub(crate) fn tell_completion(&self, rank: Rank, part: WindowPart<'_>) {
        let completes = &mut self.origin.borrow_mut().peers[rank as usize].completes;
        *completes = completes.wrapping_add(1);
        part.counters[self.comm.rank as usize].complete(*completes);
    }
}

fn await_one_more(window: &Window, rank: Rank) {
    let origin = &mut window.origin.borrow_mut();
    let peer = origin.active_peer(rank);
    peer.awaited += 1;
    peer.flushes = peer.flushes.wrapping_add(1);
    peer.is_dirty = false;
}

fn end_exposure(window: &Window) {
    let mut target = window.target.borrow_mut();
    for rank in target.posted.take().into_iter().flatten() {
        let waits = &mut target.waits[rank as usize];
        *waits = waits.wrapping_add(1);
    }
}

/// What a target could not do of what this synchronisation completes.
pub(crate) fn take_failure(window: &Window) -> Result<()> {
    window.origin.borrow_mut().failure.take().map_or(Ok(()), Err)
}

fn sync(window: &Window, what: &str) -> Error {
    let text =
        format!("{what}, on {}; epochs must be opened and closed in turns", window.shown_name());
    Error::new(ErrorClass::RmaSync, text)
}

fn refuse_started(window: &Window, has_started: bool) -> Result<()> {
    match has_started {
        true => Err(sync(window, "a lock between MPI_Win_start and MPI_Win_complete")),
        false => Ok(()),
    }
}

fn refuse_passive(window: &Window, function: &str) -> Result<()> {
    let origin = window.origin.borrow();
    if origin.lock_all.is_none() && origin.locks == 0 {
        return Ok(());
    }
    Err(sync(window, &format!("{function} while this process holds a lock")))
}

fn require_passive(window: &Window, rank: Option<Rank>) -> Result<()> {
    let origin = window.origin.borrow();
    let has_lock = match rank {
        Some(rank) => origin.peers[rank as usize].lock.is_some(),
        None => origin.locks > 0,
    };
    if has_lock || origin.lock_all.is_some() {
        return Ok(());
    }
    let of = rank.map_or_else(|| "any process".to_string(), |rank| format!("rank {rank}"));
    Err(sync(window, &format!("a flush without a lock of {of}")))
}

/// Refuses to free a window within an epoch.
pub(crate) fn refuse_open_epoch(window: &Window) -> Result<()> {
    refuse_passive(window, "MPI_Win_free")?;
    let is_open =
        window.origin.borrow().started.is_some() || window.target.borrow().posted.is_some();
    match is_open {
        true => Err(sync(window, "MPI_Win_free within an epoch")),
        false => Ok(()),
    }
}
