//! `MPI_Finalize` waits for what this process has sent, but not for receives that nobody will post:
//! see [`crate::p2p::unreceived`].

use std::time::Duration;

use crate::engine::Engine;
use crate::engine::clock::monotonic_ns;
use crate::p2p::request::OpInfo;

/// How often a rank in `MPI_Finalize` asks its peers to drop what they do not receive. It does not
/// know when they come to `MPI_Finalize`.
const ASK_EVERY: Duration = Duration::from_millis(50);

impl Engine {
    /// Waits until all queued messages have left this process, in all VCIs: a peer may need what is
    /// in one before it takes what is in another.
    pub(crate) fn flush_at_end(&self) {
        let is_flushed = || self.messages.borrow().is_flushed() && self.are_other_vcis_flushed();
        let mut ask_at_ns = 0;
        self.wait_until(
            || {
                if is_flushed() && !self.has_freed_collectives() {
                    return true;
                }
                let now_ns = monotonic_ns();
                if now_ns >= ask_at_ns {
                    ask_at_ns = now_ns + ASK_EVERY.as_nanos() as u64;
                    self.for_each_free_vci(Engine::end_unreceived);
                }
                self.for_each_free_vci(Engine::drop_unreceived);
                false
            },
            || self.first_send(),
        );
    }

    /// This process may use MPI again.
    pub(crate) fn end_of_finalizing(&self) {
        self.for_each_free_vci(|engine| engine.messages.borrow_mut().set_finalizing(false));
    }

    /// Drops what peers in `MPI_Finalize` have asked this process, which is there, too, to drop.
    /// Collectives that the program has freed still receive.
    pub(crate) fn drop_unreceived(&self) {
        let receives = self.has_freed_collectives();
        let mut messages = self.messages.borrow_mut();
        messages.set_finalizing(!receives);
        messages.drop_unreceived();
    }

    fn end_unreceived(&self) {
        let mut messages = self.messages.borrow_mut();
        messages.end_unreceived(|to| {
            let process = to.peer.and_then(|peer| to.comm.peer(peer))?;
            Some(self.route(process))
        });
    }

    /// A send that `MPI_Finalize` waits for, for the stall report.
    fn first_send(&self) -> Option<OpInfo> {
        self.messages.borrow().sends().next().map(|(_, to)| to.clone())
    }
}
