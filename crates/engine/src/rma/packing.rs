//! What an origin sends to a target on another node, in its order: small messages wait in a buffer
//! and leave together, when a packet is full, something is awaited, or progress is made. A lock
//! goes with the first message after it, so a short epoch is one message and its acknowledgement.

use dunlin_base::{Rank, Result};
use dunlin_shm::window_part::LockKind;

use crate::engine::Engine;
use crate::objects::process_table::Route;
use crate::objects::window::{Peer, Window};
use crate::rma::message::{Kind, PACKED_HEAD_BYTES, pack};

impl Engine {
    /// Whether a process of a window is on another node.
    pub(crate) fn is_far(&self, window: &Window, rank: Rank) -> bool {
        window.comm.process(rank).is_ok_and(|process| matches!(self.route(process), Route::Net(_)))
    }

    /// Sends a message of this process as an origin, after those before it. If `at_once`, it leaves
    /// now; otherwise with the next that does, or when a packet is full.
    pub(crate) fn send_in_order(
        &self,
        window: &Window,
        to: Rank,
        kind: Kind,
        body: Vec<u8>,
        at_once: bool,
    ) -> Result<()> {
        if !self.is_far(window, to) {
            return self.send_to_window(window, to, kind, body);
        }
        let room = self.messages.borrow().packet_bytes_max();
        let bytes = PACKED_HEAD_BYTES + body.len();
        let with_peer = |act: &mut dyn FnMut(&mut Peer) -> bool| {
            act(&mut window.origin.borrow_mut().peers[to as usize])
        };
        with_peer(&mut |peer| {
            peer.pack_lock();
            true
        });
        if with_peer(&mut |peer| !peer.packed.is_empty() && peer.packed.len() + bytes > room) {
            self.send_packed(window, to)?;
        }
        if bytes > room || at_once && with_peer(&mut |peer| peer.packed.is_empty()) {
            return self.send_to_window(window, to, kind, body);
        }
        with_peer(&mut |peer| {
            pack(&mut peer.packed, kind, &body);
            true
        });
        window.has_packed.set(true);
        if at_once { self.send_packed(window, to) } else { Ok(()) }
    }

    /// Progress: sends what waits in the buffers. A program that spins on its own memory until a
    /// target has done something may have told it so by an accumulate, and flushes no more.
    pub(crate) fn send_all_packed(&self, window: &Window) {
        if !window.has_packed.replace(false) {
            return;
        }
        for rank in 0..window.comm.size() {
            if let Err(error) = self.send_packed(window, rank) {
                window.origin.borrow_mut().failure.get_or_insert(error);
            }
        }
    }

    /// Sends what waits in the buffer for a target.
    pub(crate) fn send_packed(&self, window: &Window, to: Rank) -> Result<()> {
        let packed = std::mem::take(&mut window.origin.borrow_mut().peers[to as usize].packed);
        if packed.is_empty() {
            return Ok(());
        }
        self.send_to_window(window, to, Kind::Packed, packed)
    }
}

impl Peer {
    /// Puts the lock that has been asked for before what follows it.
    fn pack_lock(&mut self) {
        let Some(kind) = self.unsent_lock.take() else { return };
        let kind = match kind {
            LockKind::Shared => Kind::LockShared,
            LockKind::Exclusive => Kind::LockExclusive,
        };
        pack(&mut self.packed, kind, &[]);
    }
}
