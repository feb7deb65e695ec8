//! The transport to other nodes. Small messages are sent eagerly, in one packet or in segments;
//! large and synchronous ones by rendezvous: the receiver sends a CTS once a receive has matched.

use std::sync::Arc;
use std::time::Duration;

use dunlin_base::Rank;
use dunlin_copy::copy_slice;
use dunlin_shm::FdSleep;
use dunlin_wire::{Consumed, MatchHeader, RemoteKey, UpperLayer};

use crate::matching::Envelope;
use crate::net::network::Net;
use crate::objects::buffer::UserBuffer;
use crate::objects::process_table::Route;
use crate::objects::status::Status;
use crate::p2p::arrival::Rts;
use crate::p2p::request::{Kind, Mode, RequestId};
use crate::p2p::rma_reads::{PendingCts, RmaReads};
use crate::p2p::transfers::Transfers;
use crate::p2p::transport::Transport;
use crate::threads::progress_thread::{self, Turn, Waits};

/// Polls of the node per poll of the network, while messages come from the node.
const POLLS_OF_NODE: u32 = 16;
/// The same where ranks share cores: others usually get the core between two polls. An allreduce of
/// 8 bytes by 4 ranks on 2 hosts, two ranks to a core, takes 51 us with 16, 18 with 2, by messages
/// alone.
const POLLS_OF_NODE_IN_TURN: u32 = 2;

fn head(envelope: &Envelope) -> MatchHeader {
    MatchHeader { context: envelope.context, source: envelope.source, tag: envelope.tag }
}

fn envelope(head: &MatchHeader) -> Envelope {
    Envelope { context: head.context, source: head.source, tag: head.tag }
}

/// The transport.
#[derive(Debug)]
pub(crate) struct NetTransport {
    pub net: Net,
    pub outbox: Outbox,
    /// Polls of the node per poll of the network.
    polls: u32,
    /// Polls of the node since the last poll of the network.
    polled: u32,
    /// Why the progress thread serves arriving packets: windows, and the user's wish.
    services: u32,
}

/// What `wire` must be told after it has returned: it may not be called from its own callbacks.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    /// CTS to be sent.
    pub pending_cts: Vec<PendingCts>,
    /// Remote reads, planned and in progress.
    pub reads: RmaReads,
    /// Senders and bytes of eager messages that receives have consumed, not reported yet.
    taken: Vec<(Rank, u64)>,
    /// Peers that have just timed out.
    lost: Vec<Rank>,
}

impl NetTransport {
    pub fn new(net: Net) -> NetTransport {
        NetTransport { net, outbox: Outbox::default(), polls: 0, polled: 0, services: 0 }
    }

    /// Tells the progress thread whether it is needed: for queued packets, for rendezvous messages
    /// that the program does not wait for (`MPI_Bsend`, `MPI_Request_free`), which must leave after
    /// their CTS, and for what may arrive, where it serves.
    pub fn note_what_is_left(&self, transfers: &Transfers) {
        let has_detached_rts = self.net.awaits_cts() && transfers.requests.has_detached_sends();
        progress_thread::want(!self.net.is_at_rest() || has_detached_rts || self.services > 0);
    }

    /// One reason more, or less, for the progress thread to serve arriving packets.
    pub fn serve(&mut self, transfers: &Transfers, more: bool) {
        self.services = if more { self.services + 1 } else { self.services - 1 };
        progress_thread::serve(self.services > 0);
        self.note_what_is_left(transfers);
    }

    /// Progress that looks at every path. True if anything moved.
    pub fn look_everywhere(&mut self, transfers: &mut Transfers) -> bool {
        self.net.poll_all();
        self.progress(transfers)
    }

    /// A turn of the progress thread.
    pub fn carry_on(&mut self, transfers: &mut Transfers) -> Turn {
        if self.look_everywhere(transfers) {
            Turn::Moved
        } else if progress_thread::is_wanted() {
            Turn::Waits(Waits { fd_sleep: self.fd_sleep(Duration::MAX, 0), ..Waits::default() })
        } else {
            Turn::Rested
        }
    }

    /// Sends what windows and credits allow. True if anything left.
    pub fn transmit(&mut self, transfers: &mut Transfers) -> bool {
        self.hand_down(transfers);
        let NetTransport { net, outbox, .. } = self;
        let moved = net.transmit(&mut Arrivals { transfers, outbox });
        outbox.reads.deregister_sent(net);
        self.note_what_is_left(transfers);
        moved
    }

    /// Hands the outbox down to `wire`.
    fn hand_down(&mut self, transfers: &mut Transfers) {
        let NetTransport { net, outbox, .. } = self;
        if outbox.reads.have_new() {
            outbox.reads.begin(transfers, net, &mut outbox.pending_cts);
        }
        for pending in outbox.pending_cts.drain(..) {
            net.endpoint().cts(pending.from, pending.send, pending.receive, pending.wanted);
        }
        for (from, bytes) in outbox.taken.drain(..) {
            net.endpoint().taken(from, bytes);
        }
    }

    /// Receives and sends. True if anything moved.
    fn progress(&mut self, transfers: &mut Transfers) -> bool {
        let NetTransport { net, outbox, .. } = self;
        let came = net.receive(&mut Arrivals { transfers, outbox })
            | outbox.reads.end(transfers, net, &mut outbox.pending_cts);
        outbox.lost.drain(..).for_each(|peer| net.lost(peer));
        if came {
            self.polls = 0;
        }
        let moved = came | self.transmit(transfers);
        if moved {
            // Costs nothing beside the system calls just made.
            self.net.count(transfers.counters);
        }
        moved
    }

    /// Polls the network rarely, because the awaited message comes from this node. The number of
    /// polls before, for [`NetTransport::look_after`].
    pub fn expect_from_node(&mut self, shared_core: bool) -> u32 {
        self.look_after(if shared_core { POLLS_OF_NODE_IN_TURN } else { POLLS_OF_NODE })
    }

    /// Polls the network once per `polls` polls of the node. The number before.
    pub fn look_after(&mut self, polls: u32) -> u32 {
        std::mem::replace(&mut self.polls, polls)
    }

    /// Polls the network, which is a system call and costs as much as many polls of the node: each
    /// time while messages come from there, more rarely while they come from the node.
    pub fn progress_in_turn(
        &mut self,
        transfers: &mut Transfers,
        has_moved: bool,
        shared_core: bool,
    ) -> bool {
        if has_moved {
            self.expect_from_node(shared_core);
        }
        self.polled += 1;
        if self.polled < self.polls {
            return false;
        }
        self.polled = 0;
        self.progress(transfers)
    }

    /// Whether the last poll included the network.
    pub fn has_just_polled(&self) -> bool {
        self.polled == 0
    }

    /// The descriptors and the time-out for a rank that sleeps, after `sleeps` that found nothing.
    pub fn fd_sleep(&self, timeout: Duration, sleeps: u32) -> FdSleep {
        self.net.fd_sleep(timeout, sleeps)
    }

    /// Completes a send whose message may have to be retransmitted: a copy goes on in its place,
    /// which is faster than to wait for the acknowledgement. The request that sends it: the same
    /// one where there is no memory for a copy.
    fn send_copy(transfers: &mut Transfers, id: RequestId) -> RequestId {
        let requests = &mut transfers.requests;
        let request = requests.own(id);
        let Kind::Send { buffer, keep } = &request.kind else { unreachable!("only sends go out") };
        let copy = || buffer.packed().ok().map(Arc::new);
        let Some(keep) = keep.clone().or_else(copy) else { return id };
        let (kind, op_info) =
            (Kind::Send { buffer: UserBuffer::EMPTY, keep: Some(keep) }, request.op_info.clone());
        let copy = requests.insert(kind, op_info);
        requests.detach_new(copy);
        requests.complete(id, Status::EMPTY);
        copy
    }
}

impl Transport for NetTransport {
    type Peer = Rank;

    /// If the message fits into a packet and the peer has credit.
    fn send_now(
        &mut self,
        transfers: &mut Transfers,
        to: Rank,
        envelope: &Envelope,
        data: &[u8],
    ) -> bool {
        if !self.net.may_send_eagerly(to, data.len()) {
            return false;
        }
        if data.len() > self.net.whole_bytes_max() {
            let sent = self.net.send_long_now(to, head(envelope), data);
            self.note_what_is_left(transfers);
            if sent {
                transfers.count_eager_sent(data.len());
            }
            return sent;
        }
        self.hand_down(transfers);
        let NetTransport { net, outbox, .. } = self;
        net.send_whole(to, head(envelope), data, &mut Arrivals { transfers, outbox });
        outbox.reads.deregister_sent(net);
        self.note_what_is_left(transfers);
        transfers.count_eager_sent(data.len());
        true
    }

    fn send(
        &mut self,
        transfers: &mut Transfers,
        to: Rank,
        envelope: Envelope,
        send: RequestId,
        mode: Mode,
    ) {
        let bytes = transfers.send_bytes(send);
        let head = head(&envelope);
        if mode == Mode::Synchronous || !self.net.may_send_eagerly(to, bytes) {
            let rkey = self.outbox.reads.register(transfers, &mut self.net, send);
            self.net.endpoint().rts(to, head, bytes as u64, send, rkey);
            transfers.count_rendezvous_sent(bytes as u64);
        } else if bytes <= self.net.whole_bytes_max() {
            transfers.count_eager_sent(bytes);
            transfers.with_packed(send, |data| self.net.endpoint().send_whole(to, head, data));
            transfers.requests.complete(send, Status::EMPTY);
        } else {
            transfers.count_eager_sent(bytes);
            let again = self.net.retransmits(bytes);
            let send = if again { Self::send_copy(transfers, send) } else { send };
            self.net.endpoint().send_segments(to, head, bytes as u32, send);
        }
        self.transmit(transfers);
    }

    /// By a CTS, after which it comes in fragments, or by a remote read where the fabric can.
    fn accept(
        &mut self,
        transfers: &mut Transfers,
        from: Rank,
        envelope: &Envelope,
        rts: Rts,
        receive: RequestId,
    ) {
        self.outbox.accept(transfers, from, envelope, rts, receive);
        self.transmit(transfers);
    }

    fn consumed(&mut self, transfers: &mut Transfers, from: Rank, bytes: u64) {
        self.outbox.taken.push((from, bytes));
        self.transmit(transfers);
    }

    fn cancel(&mut self, transfers: &mut Transfers, to: Rank, send: RequestId) {
        self.cancel_send(transfers, to, send);
    }

    fn is_flushed(&self) -> bool {
        self.net.is_flushed()
    }
}

impl Outbox {
    /// Plans the CTS or the remote read for a rendezvous message that a receive has matched.
    fn accept(
        &mut self,
        transfers: &mut Transfers,
        from: Rank,
        envelope: &Envelope,
        rts: Rts,
        receive: RequestId,
    ) {
        let wanted = rts.bytes.min(transfers.receive_buffer(receive).bytes() as u64);
        let number = match wanted {
            0 => {
                transfers.received(receive, envelope, rts.bytes);
                0
            }
            _ => transfers.expect_fragments(receive, envelope, rts.bytes),
        };
        let pending = PendingCts { from, send: rts.send, receive: number, wanted };
        match rts.rkey {
            Some(rkey) if wanted > 0 => self.reads.plan(pending, rkey),
            _ => self.pending_cts.push(pending),
        }
    }
}

/// The upper layer of `wire`.
pub(crate) struct Arrivals<'a> {
    pub transfers: &'a mut Transfers,
    pub outbox: &'a mut Outbox,
}

impl UpperLayer for Arrivals<'_> {
    fn whole(&mut self, from: Rank, head: MatchHeader, data: &[u8]) -> Consumed {
        if self.outbox.takes_back(self.transfers, from, &head) {
            return Consumed::Now;
        }
        self.transfers.eager(Route::Net(from), envelope(&head), data)
    }

    fn begin(&mut self, from: Rank, head: MatchHeader, bytes: u64) -> (u32, Consumed) {
        self.transfers.begin(Route::Net(from), envelope(&head), bytes)
    }

    fn part(&mut self, _: Rank, number: u32, offset: u64, data: &[u8]) {
        self.transfers.fragment(number, offset, data, copy_slice);
    }

    fn destination(
        &mut self,
        _: Rank,
        number: u32,
        offset: u64,
        bytes: usize,
    ) -> Option<&mut [u8]> {
        self.transfers.destination(number, offset, bytes)
    }

    fn completed(&mut self, from: Rank, number: u32) {
        if let Some((_, bytes)) = self.transfers.completed(number) {
            self.outbox.taken.push((from, bytes));
        }
    }

    fn rts(
        &mut self,
        from: Rank,
        head: MatchHeader,
        bytes: u64,
        send: u32,
        rkey: Option<RemoteKey>,
    ) {
        let (envelope, (is_timed, by_kernel)) = (envelope(&head), (false, false));
        let rts = Rts { bytes, send, rkey, is_timed, by_kernel };
        if let Some(receive) = self.transfers.rts(Route::Net(from), envelope, rts) {
            self.outbox.accept(self.transfers, from, &envelope, rts, receive);
        }
    }

    fn fill(&mut self, send: u32, offset: u64, into: &mut [u8]) {
        self.transfers.pack(send, offset as usize, into);
    }

    fn data(&self, send: u32, offset: u64, len: usize) -> Option<&[u8]> {
        self.transfers.send_data(send)?.get(offset as usize..offset as usize + len)
    }

    fn sent(&mut self, send: u32) {
        self.outbox.reads.sent(send);
        self.transfers.requests.complete(send, Status::EMPTY);
    }

    fn cancelled(&mut self, send: u32) {
        self.outbox.reads.sent(send);
        self.transfers.requests.complete(send, Status::CANCELLED);
    }

    fn lost(&mut self, peer: Rank) {
        self.outbox.lost.push(peer);
    }
}
