//! What an origin sends to a target, in its order: small messages wait in a buffer and leave
//! together, when there are enough of them, something is awaited, or progress is made. A put and
//! its flush are one message; on another node, where a lock goes with the first message after it,
//! so is a whole short epoch.

use dunlin_base::{Rank, Result};
use dunlin_shm::window_part::LockKind;

use crate::engine::Engine;
use crate::objects::process_table::Route;
use crate::objects::window::{Peer, Window};
use crate::objects::window_layouts::Described;
use crate::rma::message::{Kind, PACKED_HEAD_BYTES, pack};

/// Bytes of messages that go to a rank of this node together: few enough that the target handles
/// some while the origin writes the next.
pub(crate) const NEAR_BYTES_MAX: usize = 1 << 10;

/// The same to a rank of another node.
pub(crate) const FAR_BYTES_MAX: usize = 17 << 10;
/// Bytes of an operation that waits alone for the next message to a rank of another node, which may
/// be the flush: a put of 16 or 64 KiB and its flush take 6 us less as one message.
const FAR_ALONE_BYTES_MAX: usize = 65 << 10;
/// Looks for room for a packet to a rank of this node, 1 us in all, before it waits for progress: a
/// target that polls makes room, and to send later takes longer.
const LOOKS_FOR_ROOM: u32 = 20;
/// Bytes of messages that are no operations: locks.
const WORDS_BYTES_MAX: usize = 4 * PACKED_HEAD_BYTES;

impl Engine {
    /// The way to a process of a window.
    pub(crate) fn route_in(&self, window: &Window, rank: Rank) -> Result<Route> {
        Ok(self.route(window.comm.process(rank)?))
    }

    /// Whether a process of a window is on another node.
    pub(crate) fn is_far(&self, window: &Window, rank: Rank) -> bool {
        matches!(self.route_in(window, rank), Ok(Route::Net(_)))
    }

    /// Whether a process of a window is another one of this node.
    pub(crate) fn is_near(&self, window: &Window, rank: Rank) -> bool {
        matches!(self.route_in(window, rank), Ok(Route::Node(_)))
    }

    /// Sends a message of this process as an origin that says nothing but its kind, now and after
    /// those before it.
    pub(crate) fn send_word_in_order(&self, window: &Window, to: Rank, kind: Kind) -> Result<()> {
        if !matches!(kind, Kind::Flush | Kind::Complete) {
            window.origin.borrow_mut().peers[to as usize].sent.note_others();
        }
        self.send_in_order(window, to, (kind, 0), true, |_, _| Ok(()))
    }

    /// Sends a message of this process as an origin, after those before it. If `at_once`, it leaves
    /// now; otherwise with the next that does, or when there are enough. `write` writes it, for a
    /// target that knows what was described to it: so many bytes at most.
    pub(crate) fn send_in_order(
        &self,
        window: &Window,
        to: Rank,
        (kind, bytes): (Kind, usize),
        at_once: bool,
        write: impl FnOnce(&mut Vec<u8>, &mut Described) -> Result<()>,
    ) -> Result<()> {
        let is_far = matches!(self.route_in(window, to)?, Route::Net(_));
        let (place, is_word) = (to as usize, bytes == 0);
        let bytes = bytes + PACKED_HEAD_BYTES;
        let bytes_max = if is_far { FAR_ALONE_BYTES_MAX } else { NEAR_BYTES_MAX };
        let has_no_room = {
            let origin = &mut window.origin.borrow_mut();
            let peer = origin.active_peer(to);
            peer.pack_lock()?;
            let room = match is_far {
                // A word goes with what is there.
                _ if is_word => usize::MAX,
                true if peer.packed.len() > WORDS_BYTES_MAX => FAR_BYTES_MAX,
                _ => bytes_max,
            };
            !peer.packed.is_empty() && peer.packed.len() + bytes > room
        };
        if has_no_room {
            self.send_packed(window, to)?;
        }
        if bytes > bytes_max {
            let mut body = Vec::new();
            write(&mut body, &mut window.origin.borrow_mut().peers[place].described)?;
            return self.send_to_window(window, to, kind, body);
        }
        {
            let peer = &mut window.origin.borrow_mut().peers[place];
            peer.last_short = None;
            let Peer { packed, described, .. } = peer;
            pack(packed, kind, |out| write(out, described))?;
        }
        window.has_packed.set(true);
        if at_once { self.send_packed(window, to) } else { Ok(()) }
    }

    /// Progress: sends what waits in the buffers. A program that spins on its own memory until a
    /// target has done something may have told it so by an accumulate, and flushes no more.
    pub(crate) fn send_all_packed(&self, window: &Window) {
        if !window.has_packed.replace(false) {
            return;
        }
        for rank in window.active_ranks() {
            if let Err(error) = self.send_packed(window, rank) {
                window.origin.borrow_mut().failure.get_or_insert(error);
            }
        }
    }

    /// Sends what waits in the buffer for a target; later, if there is no room.
    pub(crate) fn send_packed(&self, window: &Window, to: Rank) -> Result<()> {
        if self.send_packed_now(window, to)? {
            return Ok(());
        }
        let packed = window.origin.borrow_mut().peers[to as usize].take_packed();
        self.send_to_window_later(window, to, Kind::Packed, packed.clone())?;
        self.note_sent(window, to, packed);
        Ok(())
    }

    /// The same for an operation that has no other reason to wait: as long as a target that polls,
    /// or that sends, too, may make room, that is sooner done than to send later. If the target
    /// does not poll, this process does what is in the buffer, too.
    pub(crate) fn send_full(&self, window: &Window, to: Rank) -> Result<()> {
        let looks = if self.own_core.get() { LOOKS_FOR_ROOM } else { 0 };
        for _ in 0..looks {
            if self.send_packed_now(window, to)? {
                return Ok(());
            }
            self.pause_or_handle();
        }
        if self.take_back_if_away(window, to) {
            return Ok(());
        }
        self.send_packed(window, to)
    }

    /// The same, if there is room.
    fn send_packed_now(&self, window: &Window, to: Rank) -> Result<bool> {
        if window.origin.borrow().peers[to as usize].packed.is_empty() {
            return Ok(true);
        }
        let packed = window.origin.borrow_mut().peers[to as usize].take_packed();
        let outcome = self.send_to_window_now(window, to, Kind::Packed, &packed);
        match outcome {
            Ok(true) => self.note_sent(window, to, packed),
            _ => window.origin.borrow_mut().peers[to as usize].packed = packed,
        }
        outcome
    }

    /// Keeps a packet that has been sent if its target's memory is reached by the kernel: it may be
    /// taken back (`take_back.rs`). Otherwise the next needs no new memory.
    fn note_sent(&self, window: &Window, to: Rank, mut packed: Vec<u8>) {
        let part = &window.parts[to as usize];
        let kept = part.shared.filter(|_| part.copied_at(0).is_some());
        let is_near = kept.is_some() || self.is_near(window, to);
        let peer = &mut window.origin.borrow_mut().peers[to as usize];
        let Some(part) = kept else {
            if is_near {
                peer.sent.count();
            }
            packed.clear();
            packed.shrink_to(2 * FAR_BYTES_MAX);
            peer.packed = packed;
            return;
        };
        peer.sent.keep(packed);
        peer.packed = peer.sent.buffer();
        if peer.sent.are_many() {
            peer.sent.forget_until(part.counters[window.comm.rank as usize].packets.done());
        }
    }
}

impl Peer {
    /// What waits to be sent to it.
    pub fn take_packed(&mut self) -> Vec<u8> {
        self.last_short = None;
        std::mem::take(&mut self.packed)
    }

    /// Puts the lock that has been asked for before what follows it.
    fn pack_lock(&mut self) -> Result<()> {
        let Some(kind) = self.unsent_lock.take() else { return Ok(()) };
        let kind = match kind {
            LockKind::Shared => Kind::LockShared,
            LockKind::Exclusive => Kind::LockExclusive,
        };
        pack(&mut self.packed, kind, |_| Ok(()))
    }
}
