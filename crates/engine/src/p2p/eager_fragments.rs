//! Eager messages in bounce buffers: of up to 256 KiB, where the kernel does not copy, or two
//! copies take less time than one by it (`copy_choice.rs`), and scattered data, while the sender
//! has enough bounce buffers. They need no answer, and neither rank waits for the other. The
//! fragments of one follow each other in the ring, the first of them finds its receive. As long as
//! no receive has matched, the data stays in the bounce buffers.

use dunlin_copy::nontemporal;
use dunlin_shm::bounce_buffer::BOUNCE_BUFFER_DATA_BYTES;
use dunlin_shm::queue_pair::Arrived;

use crate::adaptive::Choice;
use crate::matching::Envelope;
use crate::objects::status::Status;
use crate::p2p::copy_choice::{EAGER_BYTES_MAX, Way};
use crate::p2p::fragments::{EagerFragments, HeldMessage, Outbound, OutboundData, Place};
use crate::p2p::fragments::{fragments, packets};
use crate::p2p::messages::Messages;
use crate::p2p::node::{
    MAPPED_EAGER_BYTES_MAX, NodePeer, NodeTransport, PACKETS_PER_TURN, damaged,
};
use crate::p2p::packet::{self, EAGER, FRAGMENT, Fragment, RTS, UNASKED, WORD_BYTES};
use crate::p2p::rendezvous::copy_out_of;
use crate::p2p::request::{LONG_BYTES, RequestId};
use crate::p2p::transfers::Transfers;
use crate::p2p::unexpected::Unexpected;

/// Bounce buffers that no eager message takes: it has them until a receive matches it, and that may
/// come after one whose message goes out in fragments.
const KEPT_FOR_STREAMS: usize = 4;
/// Longer messages do not go by long rings, of which a window of them takes up too much.
const STREAMED_BYTES_MAX: usize = 16 << 10;
/// A rank is behind whose peer has sent so many times the packets of the message that it sends.
const BEHIND: u32 = 4;
/// Looks for the next fragment of a message, whose sender does nothing else until all are there,
/// before it seems to have lost its core: some 20 us, of which it needs one or two.
const LOOKS_FOR_NEXT: u32 = 500;

impl NodeTransport {
    /// Sends a message in bounce buffers, if there are enough of them.
    pub(crate) fn send_in_fragments(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: Envelope,
        send: RequestId,
        is_timed: bool,
    ) -> bool {
        let (data, total) = (OutboundData::of(transfers, send), transfers.send_bytes(send));
        let message = self.eager_message(peer, envelope, data, is_timed, total);
        let goes = self.sends_at_once(&message);
        if goes {
            transfers.requests.complete(send, Status::EMPTY);
            transfers.count_eager_sent(total);
        }
        goes
    }

    /// A long packet that has come by a ring is an answer, as a fragment is.
    fn note_answers_in_rings(&mut self) {
        let connections = &mut self.connections;
        if self.peers.iter().fold(false, |came, &p| came | connections[p].pair.take_read_long()) {
            self.holders.note_answer();
        }
    }

    /// Whether a message goes as one of a stream: it is short enough, and its receiver does not
    /// seem to wait. One that waits would copy the first part while this rank writes the second.
    fn is_of_stream(&self, bytes: usize) -> bool {
        bytes <= STREAMED_BYTES_MAX && !self.holders.is_awaited()
    }

    /// Sends a message of a stream in one packet of the ring, if that is long. Windows of 16 KiB
    /// take 0.49 us a message so, 0.66 in bounce buffers, both ways 0.99 and 1.50; but half round
    /// trips 1.25 instead of 0.92 (Zen 4).
    fn send_in_long_ring(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: &Envelope,
        data: &[u8],
    ) -> bool {
        let NodePeer { backlog, pair, .. } = &mut self.connections[peer];
        let goes =
            backlog.is_empty() && pair.try_push_in_long_ring(&packet::head(EAGER, envelope), data);
        if goes {
            transfers.count_eager_sent(data.len());
            self.node.wake(peer);
        }
        goes
    }

    /// Sends a message in bounce buffers without a request, if it is to go so ([`CopyChoice`]), or
    /// as one of a stream.
    ///
    /// [`CopyChoice`]: crate::p2p::copy_choice::CopyChoice
    #[inline(never)]
    pub(crate) fn send_in_fragments_now(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: &Envelope,
        data: &[u8],
    ) -> bool {
        let total = data.len();
        let is_deferred = self.defers_long && total >= LONG_BYTES;
        let is_copied_once =
            || total > MAPPED_EAGER_BYTES_MAX && self.node.is_shared(data.as_ptr());
        if total > EAGER_BYTES_MAX || !self.holders.is_wide() || is_deferred || is_copied_once() {
            return false;
        }
        self.note_answers_in_rings();
        let is_of_stream = self.is_of_stream(total);
        if is_of_stream && self.send_in_long_ring(transfers, peer, envelope, data) {
            return true;
        }
        self.read_before(transfers, peer, total);
        let way = self.next_way(peer, total, Some(data));
        let (envelope, data) = (*envelope, OutboundData::Dense(data));
        let message = self.eager_message(peer, envelope, data, way.is_timed, total);
        let goes = !way.by_kernel && self.sends_at_once(&message);
        let NodePeer { pair, copy_choice, .. } = &mut self.connections[peer];
        match goes {
            true => transfers.count_eager_sent(total),
            false => copy_choice.keep(total, way),
        }
        if goes && is_of_stream {
            pair.count_elsewhere(total);
        }
        goes
    }

    /// Whether the next message to a peer goes through shared memory, or by the kernel. Where they
    /// cross, both ranks take the same way, which one of them chooses: if one writes what the other
    /// reads while that copies by the kernel, each waits for the other. 256 KiB both ways take 13
    /// us through shared memory, 21 by the kernel, 18 if each rank goes another way (Zen 4; where
    /// its cores share no cache 37 and 22).
    pub(crate) fn next_way(&mut self, peer: usize, bytes: usize, data: Option<&[u8]>) -> Way {
        let has_many = self.holders.uses_many();
        let NodePeer { crossing, copy_choice, .. } = &mut self.connections[peer];
        let follows = peer < self.node.me() && crossing.is_likely();
        let as_peer = if follows { copy_choice.as_peer(has_many, bytes, data) } else { None };
        as_peer.unwrap_or_else(|| copy_choice.next(has_many, bytes, data))
    }

    /// Where messages cross that are longer than those of streams: takes as many fragments from a
    /// peer as a message of so many bytes to it has, or more, if many have come. So neither rank is
    /// ahead of the other by more than a few, and what they write and read stays in their caches.
    /// (Not where they write past these.)
    fn read_before(&mut self, transfers: &mut Transfers, peer: usize, bytes: usize) {
        let NodePeer { crossing, stores, pair, .. } = &self.connections[peer];
        let is_past_cache = nontemporal::EXISTS && stores.best() == Choice::Other;
        if !crossing.is_likely() || is_past_cache || bytes <= STREAMED_BYTES_MAX {
            return;
        }
        let packets = packets(bytes, false);
        let is_behind = pair.has_more_than(packets * BEHIND);
        for _ in 0..if is_behind { PACKETS_PER_TURN } else { packets as usize } {
            let NodePeer { pair, crossing, .. } = &mut self.connections[peer];
            // Others wait: an RTS is better accepted by a rank that waits for it.
            let Some(arrived) = pair.peek().filter(|next| next.packet.kind == FRAGMENT) else {
                break;
            };
            crossing.note(true);
            self.on_packet(transfers, peer, arrived);
        }
        self.wake_if_made_room(peer);
    }

    fn eager_message<'a>(
        &self,
        peer: usize,
        envelope: Envelope,
        data: OutboundData<'a>,
        is_timed: bool,
        total: usize,
    ) -> Outbound<'a> {
        let crosses = self.connections[peer].crossing.is_likely();
        let in_parts = data.is_dense() && self.holders.is_awaited() && !crosses;
        Outbound { peer, envelope, receive: UNASKED, is_timed, in_parts, data, total }
    }

    /// Sends all of it, or nothing.
    fn sends_at_once(&mut self, message: &Outbound<'_>) -> bool {
        let &Outbound { peer, total, .. } = message;
        let needed = fragments(total as u64) as usize;
        // Streams wait for bounce buffers, too, and came first. Nothing of a message that is done
        // may wait for room in the ring: its sender need not come again.
        if total > EAGER_BYTES_MAX
            || !self.fragment_streams.is_empty()
            || !self.connections[peer].backlog.is_empty()
            || !self.connections[peer].pair.has_cells(packets(total, message.in_parts))
            || !self.holders.has_free(self.node, peer, needed, KEPT_FOR_STREAMS)
        {
            return false;
        }
        for offset in (0..total).step_by(BOUNCE_BUFFER_DATA_BYTES) {
            let len = (total - offset).min(BOUNCE_BUFFER_DATA_BYTES);
            let room = self.holders.room(self.node, peer, len).expect("counted as free");
            self.send_fragment(message, room, offset, len);
        }
        self.note_crossing(peer);
        true
    }

    /// A long message to this peer has left, or is announced.
    pub(crate) fn note_crossing(&mut self, peer: usize) {
        let NodePeer { pair, crossing, .. } = &mut self.connections[peer];
        crossing.note(pair.peek().is_some_and(|next| [FRAGMENT, RTS].contains(&next.packet.kind)));
    }

    pub(crate) fn on_eager_fragment(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: Envelope,
        f: Fragment,
    ) {
        let coming = self.connections[peer].eager_fragments.take();
        let before = coming.map(|coming| (coming.arrived, coming.total));
        let arrived = check_next(peer, before, &f);
        let place = match coming {
            Some(coming) => coming.place,
            None => {
                self.connections[peer].copy_choice.note_peers(f.total as usize, false);
                self.begin_eager(transfers, peer, envelope, f.total)
            }
        };
        let is_last = arrived == f.total;
        let coming = EagerFragments { place, arrived, total: f.total };
        if !is_last {
            self.connections[peer].eager_fragments = Some(coming);
        }
        match coming.place {
            Place::Held(number) => {
                let held = self.held.get_mut(number).expect("a claimed message has a receive");
                held.push(f);
            }
            Place::Receive(number) => {
                self.place_fragment(transfers, peer, number, &f);
                if is_last {
                    transfers.completed(number);
                }
            }
        }
    }

    fn begin_eager(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: Envelope,
        bytes: u64,
    ) -> Place {
        if let Some(receive) = transfers.arrive(&envelope) {
            return Place::Receive(transfers.expect_fragments(receive, &envelope, bytes));
        }
        let packets = packets(bytes as usize, true) as usize;
        let number = self.held.insert(HeldMessage::with_capacity(packets));
        transfers.keep_unexpected(envelope, Unexpected::Held { peer, number, bytes });
        Place::Held(number)
    }

    /// A receive has matched a message that is held, of so many bytes.
    pub(crate) fn claim_held(
        &mut self,
        transfers: &mut Transfers,
        receive: RequestId,
        envelope: &Envelope,
        peer: usize,
        (number, bytes): (u32, u64),
    ) {
        let held = self.held.remove(number).expect("an unexpected message is held");
        let receiver = transfers.expect_fragments(receive, envelope, bytes);
        for f in &held {
            self.place_fragment(transfers, peer, receiver, f);
        }
        match &mut self.connections[peer].eager_fragments {
            Some(coming) if coming.place == Place::Held(number) => {
                coming.place = Place::Receive(receiver);
            }
            _ => drop(transfers.completed(receiver)),
        }
    }
}

/// The bytes of an eager message that have come with this fragment. `before`: those that had come,
/// and those of the whole message, if it has begun.
fn check_next(peer: usize, before: Option<(u64, u64)>, f: &Fragment) -> u64 {
    let is_next = match before {
        Some(before) => before == (f.offset, f.total),
        None => f.offset == 0 && f.total <= EAGER_BYTES_MAX as u64,
    };
    if !is_next {
        damaged(peer, "a fragment that does not follow the one before");
    }
    let arrived = f.offset + u64::from(f.len);
    if f.len == 0 || arrived > f.total {
        damaged(peer, "a fragment that is not within its message");
    }
    arrived
}

impl Messages {
    /// Receives an eager message of which the first fragment has just arrived, without a request,
    /// while its sender writes the rest: a receive that is posted first begins to copy 0.2 us
    /// later. `None` if there is no room for it, or its sender seems to have lost its core: then it
    /// is kept until a receive matches it. A core that is shared is better given to the sender.
    pub(crate) fn receive_fragments_now(
        &mut self,
        peer: usize,
        arrived: Arrived,
        into: &mut [u8],
    ) -> Option<(Envelope, usize)> {
        let Messages { transfers, node, .. } = self;
        let envelope = packet::envelope(&arrived.packet);
        let mut f = node.take_fragment(peer, arrived);
        let is_begun = node.connections[peer].eager_fragments.is_some();
        let is_ours = f.receiver == UNASKED && !is_begun && f.total <= into.len() as u64;
        if !is_ours || node.shared_core {
            node.waits = true;
            node.on_fragment(transfers, peer, envelope, f);
            node.waits = false;
            node.wake_if_made_room(peer);
            return None;
        }
        let mut before = None;
        // Given back when all are there: if not all come, these are read again. (That they then
        // take less time does not matter, since the sender's time is wrong, too.)
        let mut taken = std::mem::take(&mut node.fragments_taken);
        let is_whole = loop {
            let come = check_next(peer, before, &f);
            let place = &mut into[f.offset as usize..come as usize];
            let copy = copy_out_of(&f);
            let time = node.read_fragment(peer, &f, f.is_timed, |data| copy(data, place));
            taken.push((f, time));
            before = Some((come, f.total));
            if come == f.total {
                break true;
            }
            let Some(next) = node.await_packet(peer) else { break false };
            if next.packet.kind != FRAGMENT {
                damaged(peer, "something else before all of a message");
            }
            f = node.take_fragment(peer, next);
        };
        if is_whole {
            let last_parts = taken.iter().filter(|(f, _)| !f.has_more);
            last_parts.for_each(|(f, time)| node.done_with(peer, f, *time));
        } else {
            for (f, _) in &taken {
                node.on_eager_fragment(transfers, peer, envelope, *f);
            }
        }
        taken.clear();
        node.fragments_taken = taken;
        node.wake_if_made_room(peer);
        is_whole.then_some((envelope, f.total as usize))
    }
}

impl NodeTransport {
    /// Takes a packet that is a fragment.
    fn take_fragment(&mut self, peer: usize, arrived: Arrived) -> Fragment {
        let mut words = [0; WORD_BYTES];
        if usize::from(arrived.packet.len) > WORD_BYTES {
            damaged(peer, "a packet of the protocol that is too long");
        }
        self.connections[peer].pair.read(arrived, &mut words);
        packet::from_bytes(&words)
    }

    /// The next packet of a peer that is about to send it.
    fn await_packet(&self, peer: usize) -> Option<Arrived> {
        (0..LOOKS_FOR_NEXT).find_map(|_| {
            let arrived = self.connections[peer].pair.peek();
            if arrived.is_none() {
                self.node.pause();
            }
            arrived
        })
    }
}

#[cfg(test)]
#[path = "eager_fragments_tests.rs"]
mod tests;
