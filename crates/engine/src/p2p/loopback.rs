//! The transport from a process to itself: a message goes straight from buffer to buffer.

use crate::matching::Envelope;
use crate::objects::process_table::Route;
use crate::objects::status::Status;
use crate::p2p::arrival::Rts;
use crate::p2p::request::{Kind, Mode, RequestId};
use crate::p2p::transfers::Transfers;
use crate::p2p::transport::Transport;

/// The longest message that goes without a request, and is received without one if it is kept: the
/// copy of a longer one takes far longer than to make a request.
pub(crate) const SHORT_BYTES_MAX: usize = 64 << 10;

/// The transport.
#[derive(Debug)]
pub(crate) struct Loopback;

impl Transport for Loopback {
    type Peer = ();

    /// Into the receive that waits for it; without one a copy is kept.
    #[inline]
    fn send_now(
        &mut self,
        transfers: &mut Transfers,
        (): (),
        envelope: &Envelope,
        data: &[u8],
    ) -> bool {
        if data.len() > SHORT_BYTES_MAX {
            return false;
        }
        match transfers.matching.arrive(envelope) {
            Some(receive) => transfers.deliver(receive, envelope, data),
            None => transfers.keep_own(*envelope, data.into()),
        }
        true
    }

    /// Standard mode keeps a copy where no receive is posted, so that a blocking send to oneself
    /// before the receive succeeds.
    fn send(
        &mut self,
        transfers: &mut Transfers,
        (): (),
        envelope: Envelope,
        send: RequestId,
        mode: Mode,
    ) {
        let bytes = transfers.send_bytes(send) as u64;
        let rts = Rts { bytes, send, rkey: None, is_timed: false, by_kernel: false };
        if let Some(receive) = transfers.matching.arrive(&envelope) {
            return self.accept(transfers, (), &envelope, rts, receive);
        }
        if mode == Mode::Synchronous {
            return transfers.keep_own_rts(envelope, rts);
        }
        let Kind::Send { buffer, .. } = &transfers.requests.own(send).kind else { unreachable!() };
        let copy = buffer.packed();
        let sent = copy.map(|copy| transfers.keep_own(envelope, copy));
        transfers.requests.complete(send, Status::of(sent));
    }

    fn accept(
        &mut self,
        transfers: &mut Transfers,
        (): (),
        envelope: &Envelope,
        rts: Rts,
        receive: RequestId,
    ) {
        let Kind::Send { buffer, .. } = &transfers.requests.own(rts.send).kind else {
            unreachable!("only sends go out")
        };
        let from = buffer.clone();
        transfers.receive_buffer(receive).copy_from(&from);
        transfers.received(receive, envelope, rts.bytes);
        transfers.requests.complete(rts.send, Status::EMPTY);
    }

    fn consumed(&mut self, _: &mut Transfers, (): (), _: u64) {}

    fn cancel(&mut self, transfers: &mut Transfers, (): (), send: RequestId) {
        if transfers.withdraw_rts(Route::Myself, send).is_some() {
            transfers.requests.complete(send, Status::CANCELLED);
        }
    }

    fn is_flushed(&self) -> bool {
        true
    }
}
