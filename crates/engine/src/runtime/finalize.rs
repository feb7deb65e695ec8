//! The end of MPI waits for what this process has sent, but not for receives that nobody will post:
//! see [`crate::p2p::unreceived`].

use std::time::Duration;

use crate::engine::Engine;
use crate::engine::clock::monotonic_ns;
use crate::objects::process_table::Route;
use crate::p2p::request::OpInfo;
use crate::p2p::unreceived::set_finalizing;

/// How often a rank that ends MPI looks whether its peers have left it. It asks them to drop what
/// they do not receive after that time, then after twice as long, and so on: it does not know when
/// they end MPI.
const LOOK_AFTER: Duration = Duration::from_millis(10);
const ASK_AFTER_MAX: Duration = Duration::from_millis(500);

impl Engine {
    /// Waits until all queued messages have left this process, in all VCIs: a peer may need what is
    /// in one before it takes what is in another. Or until another thread uses MPI again.
    pub(crate) fn flush_at_end(&self) {
        let is_flushed = || self.messages.borrow().is_flushed() && self.are_other_vcis_flushed();
        let (mut look_at_ns, mut ask_at_ns, mut after) = (0, 0, LOOK_AFTER);
        self.wait_until(
            || {
                if self.is_used_by_others() || is_flushed() && !self.has_freed_collectives() {
                    return true;
                }
                self.drop_unreceived();
                let now_ns = monotonic_ns();
                if now_ns >= look_at_ns {
                    look_at_ns = now_ns + LOOK_AFTER.as_nanos() as u64;
                    self.for_each_free_vci(Engine::end_sends_to_the_gone);
                }
                if now_ns >= ask_at_ns {
                    ask_at_ns = now_ns + after.as_nanos() as u64;
                    after = (2 * after).min(ASK_AFTER_MAX);
                    self.for_each_free_vci(Engine::ask_to_drop);
                }
                false
            },
            || self.first_send(),
        );
    }

    /// Drops what peers that end MPI have asked this process, which does so, too, to drop.
    /// Collectives that the program has freed still receive.
    pub(crate) fn drop_unreceived(&self) {
        set_finalizing(!self.is_used_by_others() && !self.may_have_freed_collectives());
        self.for_each_free_vci(|engine| engine.messages.borrow_mut().drop_unreceived());
    }

    fn ask_to_drop(&self) {
        self.messages.borrow_mut().ask_to_drop(|to| self.route_of(to));
    }

    fn end_sends_to_the_gone(&self) {
        self.messages.borrow_mut().end_sends_to_the_gone(|to| self.route_of(to));
    }

    fn route_of(&self, to: &OpInfo) -> Option<Route> {
        let process = to.peer.and_then(|peer| to.comm.peer(peer))?;
        Some(self.route(process))
    }

    /// Whether others use MPI beside whoever ends it.
    fn is_used_by_others(&self) -> bool {
        self.users.get() > 1
    }

    /// A send that the end of MPI waits for, for the stall report.
    fn first_send(&self) -> Option<OpInfo> {
        self.messages.borrow().sends().next().map(|(_, to)| to.clone())
    }
}
