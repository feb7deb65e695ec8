//! The rendezvous protocol within a node, for large messages and for those in synchronous mode. The
//! sender's RTS has the address of the message. Once a receive matches, the receiver copies the
//! message straight out of the sender's memory and sends FIN. Where the kernel forbids that, it
//! sends a CTS, and the message comes in bounce buffers with their offsets. Where it is slow, both
//! ways are open (`offers.rs`, `copy_choice.rs`), and most shorter messages go without an RTS
//! (`eager_fragments.rs`).

use std::time::Duration;

use dunlin_copy::{CopyFn, nontemporal, shared};
use dunlin_shm::bounce_buffer::BOUNCE_BUFFER_DATA_BYTES;
use dunlin_wire::RemoteKey;

use crate::adaptive::{Choice, Stopwatch, Use};
use crate::matching::Envelope;
use crate::objects::status::Status;
use crate::p2p::arrival::Rts;
use crate::p2p::copy_choice::Way;
use crate::p2p::fragments::{CHOICE_BYTES_MIN, FragmentStream, Outbound, TimedFill, part};
use crate::p2p::node::{NodePeer, NodeTransport, damaged};
use crate::p2p::packet::{self, CTS, Cts, FIN, FRAGMENT, Fin, Fragment, RTS, UNASKED, WORD_BYTES};
use crate::p2p::request::RequestId;
use crate::p2p::transfers::Transfers;

/// Shorter messages are written through the cache, unless the memory to which they go has left it
/// (`reuse_distance.rs`): they are often read from there soon. (Past it, half round trips of 256
/// KiB and 1 MiB take 16.6 and 70 instead of 13.7 and 52 us, although the copy itself is quicker;
/// of 4 MiB 355 instead of 521.)
const RESULT_BYTES_MIN: u64 = 4 << 20;

impl NodeTransport {
    /// Sends an RTS. Scattered data has no address: it is packed into bounce buffers one by one
    /// after the CTS, so that no copy of the whole is ever made.
    pub(crate) fn rts(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: Envelope,
        send: RequestId,
        way: Way,
    ) {
        let bytes = transfers.send_bytes(send) as u64;
        let address = transfers.send_data(send).map(|data| data.as_ptr() as u64);
        let rkey =
            address.map(|address| RemoteKey { address, key: self.free_splits.take().into() });
        transfers.count_rendezvous_sent(bytes);
        let Way { by_kernel, is_timed, .. } = way;
        let rts = Rts { bytes, send, rkey, is_timed, by_kernel };
        self.control(transfers, peer, packet::head(RTS, &envelope), &rts);
        self.note_crossing(peer);
    }

    /// Tells the sender that its message has been received, and how long that took, if it asked.
    pub(crate) fn fin(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: &Envelope,
        rts: &Rts,
        time: Option<Duration>,
    ) {
        let took_ns = time.map_or(0, |time| u32::try_from(time.as_nanos()).unwrap_or(u32::MAX));
        let fin = Fin { request: rts.send, split: rts.split(), took_ns };
        self.control(transfers, peer, packet::head(FIN, envelope), &fin);
    }

    /// Asks the sender for its message in bounce buffers.
    pub(crate) fn cts(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: &Envelope,
        rts: &Rts,
        receive: RequestId,
    ) {
        let receiver = transfers.expect_fragments(receive, envelope, rts.bytes);
        let (split, is_timed) = (rts.split(), false);
        let cts = Cts { request: rts.send, receiver, split, first: 0, is_timed };
        self.control(transfers, peer, packet::head(CTS, envelope), &cts);
    }

    pub(crate) fn on_fin(&mut self, transfers: &mut Transfers, peer: usize, fin: Fin) {
        if fin.took_ns > 0 {
            // Only of messages that were timed, unless the peer is damaged.
            let time = Duration::from_nanos(fin.took_ns.into());
            self.copied(peer, transfers.send_bytes(fin.request), time);
        }
        self.end_stream(fin.split);
        self.free_splits.give_back(fin.split);
        transfers.requests.complete(fin.request, Status::EMPTY);
    }

    /// Whether the kernel lets this rank access the peer's memory, and it is that peer's.
    pub(crate) fn can_reach(&mut self, peer: usize) -> bool {
        let node = self.node;
        *self.connections[peer].single_copy.get_or_insert_with(|| node.can_read(peer))
    }

    /// The receiver copies a message alone, or asks for it in bounce buffers: false.
    pub(crate) fn copy_alone(
        &mut self,
        transfers: &mut Transfers,
        receive: RequestId,
        envelope: &Envelope,
        peer: usize,
        rts: &Rts,
    ) -> bool {
        let watch = Stopwatch::start(rts.is_timed);
        let is_copied = self.copy_from_peer(transfers, receive, peer, rts, 0);
        if is_copied {
            self.fin(transfers, peer, envelope, rts, watch.time());
            transfers.received(receive, envelope, rts.bytes);
        } else {
            self.cts(transfers, peer, envelope, rts, receive);
        }
        is_copied
    }

    /// Single copy of what follows the first `begin` bytes, as much as fits; false if the kernel
    /// does not let this rank read the peer.
    pub(crate) fn copy_from_peer(
        &mut self,
        transfers: &mut Transfers,
        receive: RequestId,
        peer: usize,
        rts: &Rts,
        begin: usize,
    ) -> bool {
        let len = (rts.bytes as usize).min(transfers.receive_buffer(receive).bytes());
        if len <= begin {
            return true;
        }
        let Some(RemoteKey { address, .. }) = rts.rkey else { return false };
        if !self.can_reach(peer) {
            return false;
        }
        let node = self.node;
        let copied = transfers
            .receive_buffer(receive)
            .as_dense_mut(len)
            .map(|to| node.read(peer, address.wrapping_add(begin as u64), &mut to[begin..]));
        let copied = copied.unwrap_or_else(|| {
            (begin..len).step_by(BOUNCE_BUFFER_DATA_BYTES).try_for_each(|at| {
                let bytes = (len - at).min(BOUNCE_BUFFER_DATA_BYTES);
                transfers.unpack_from(receive, at, bytes, |piece| {
                    node.read(peer, address.wrapping_add(at as u64), piece)
                })
            })
        });
        // After one refusal (the peer has changed its credentials, say) single copy is not tried
        // again.
        if copied.is_err() {
            self.connections[peer].single_copy = Some(false);
        }
        copied.is_ok()
    }

    pub(crate) fn on_cts(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: Envelope,
        cts: Cts,
    ) {
        self.check_asked_for(transfers, peer, &cts);
        self.end_stream(cts.split);
        self.free_splits.give_back(cts.split);
        // Scattered data is asked for so, too.
        if transfers.send_data(cts.request).is_some() {
            self.connections[peer].copy_choice.give_up_single_copy();
        }
        let sent = cts.first as usize * BOUNCE_BUFFER_DATA_BYTES;
        if sent > 0 && sent >= transfers.send_bytes(cts.request) {
            damaged(peer, "a wish for a part of a message that has no such part");
        }
        let (send, receive) = (cts.request, cts.receiver);
        let stream = FragmentStream::new(peer, envelope, send, receive, sent);
        self.fragment_streams.push_back(stream);
        self.feed_streams(transfers);
    }

    /// A peer has asked for a message: it must have bytes, and the CTS or offer name a receive.
    pub(crate) fn check_asked_for(&self, transfers: &Transfers, peer: usize, cts: &Cts) {
        if cts.receiver == UNASKED || transfers.send_bytes(cts.request) == 0 {
            damaged(peer, "a CTS that names no receive, or a message of no bytes");
        }
    }

    /// Fills free bounce buffers from the streams, in turn. True if anything was sent.
    pub(crate) fn feed_streams(&mut self, transfers: &mut Transfers) -> bool {
        let mut moved = false;
        let (mut place, mut blocked) = (0, None);
        while let Some(&FragmentStream { peer, .. }) = self.fragment_streams.get(place) {
            let free = if blocked == Some(peer) { None } else { self.room_for_fragment(peer) };
            let is_all_taken = || self.is_all_taken(transfers, &self.fragment_streams[place]);
            if free.is_none() && !is_all_taken() {
                (place, blocked) = (place + 1, Some(peer));
                continue;
            }
            let Some(mut stream) = self.fragment_streams.remove(place) else { break };
            moved = true;
            if !self.takes_fragment(transfers, &stream) {
                continue;
            }
            let Some(bounce_buffer) = free else {
                damaged(peer, "what has changed the work split of another message")
            };
            let total = transfers.send_bytes(stream.send);
            let len = (total - stream.sent).min(BOUNCE_BUFFER_DATA_BYTES);
            let message = Outbound::of_stream(transfers, &stream);
            self.send_fragment(&message, bounce_buffer, stream.sent, len);
            stream.sent += len;
            if stream.sent == total && stream.split.is_none() {
                transfers.requests.complete(stream.send, Status::EMPTY);
            } else if self.fragment_streams.iter().all(|other| other.peer == peer) {
                // To one peer, one message after the other: each reads memory in order. In turns,
                // windows of 1 MiB messages run at 0.85 of the rate.
                self.fragment_streams.insert(place, stream);
            } else {
                self.fragment_streams.push_back(stream);
            }
        }
        moved
    }

    /// A bounce buffer for a fragment that leaves this process at once.
    fn room_for_fragment(&mut self, peer: usize) -> Option<usize> {
        let NodePeer { backlog, pair, .. } = &mut self.connections[peer];
        let has_room = backlog.is_empty() && pair.has_room(WORD_BYTES);
        if has_room { self.holders.free(self.node, peer) } else { None }
    }

    /// Writes so many bytes of a message, from an offset on, into a bounce buffer, and names them
    /// to the receiver, perhaps in parts, so that it copies one while the next is written. They are
    /// written through the cache, or past it. Where both ranks share a cache the first takes down
    /// to 0.6 of the time; where they do not, each line that the peer has read has to be
    /// taken from it again, and the second takes down to a fifth. The ring must have room: for one
    /// packet if the receiver has asked for the message, else for one for each part.
    pub(crate) fn send_fragment(
        &mut self,
        message: &Outbound<'_>,
        bounce_buffer: usize,
        offset: usize,
        len: usize,
    ) {
        self.learn_timed(bounce_buffer);
        self.reuse.sends(len);
        let NodeTransport { node, connections, holders, .. } = self;
        let NodePeer { pair, stores, crossing, copy_choice, .. } = &mut connections[message.peer];
        let (crosses, usual) = (crossing.is_likely(), stores.best());
        let is_dense = message.data.is_dense();
        let stores = match nontemporal::EXISTS && len >= CHOICE_BYTES_MIN && is_dense {
            true if holders.are_all_in_turn() => stores.next(len),
            true => Use { way: usual, is_timed: false },
            false => Use::USUAL,
        };
        let is_first = !holders.was_filled(bounce_buffer);
        let is_timed = !is_first && (stores.is_timed || message.is_timed && offset == 0);
        let has_copy_choice = is_dense && copy_choice.learns_from_fragments(message.total);
        let start = holders.start(bounce_buffer, len);
        let is_asked_for = message.receive != UNASKED;
        let in_parts = message.in_parts && !is_timed && len >= CHOICE_BYTES_MIN;
        let part = if in_parts { part(len) } else { len };
        holders.note_sent(node, len);
        holders.note(bounce_buffer, is_asked_for.then_some(message.peer));
        let watch = Stopwatch::start(is_timed);
        let fill = |at, into: &mut [u8]| message.data.write(offset + at, into, stores.way);
        let name = |at, bytes| {
            if let Some(time) = watch.time() {
                // It tells of the whole message.
                let is_like_most = stores.is_timed && stores.way == usual;
                let tells = message.is_timed && offset == 0 || is_like_most && has_copy_choice;
                let of_message = tells.then_some(message.total);
                let peer = message.peer;
                let fill = TimedFill { peer, stores, of_message, crosses, time, bytes };
                holders.time(bounce_buffer, fill);
            }
            let fragment = Fragment {
                receiver: message.receive,
                bounce_buffer: bounce_buffer as u32,
                start: (start + at) as u32,
                len: bytes as u32,
                is_timed,
                is_past_cache: stores.way == Choice::Other,
                has_more: at + bytes < len,
                offset: (offset + at) as u64,
                total: message.total as u64,
            };
            let (words, count) = packet::to_bytes(&fragment);
            let is_sent =
                pair.try_push(&packet::head(FRAGMENT, &message.envelope), &words[..count]);
            assert!(is_sent, "there was room for each part");
            node.wake(message.peer);
        };
        let is_filled = node.fill_bounce_buffer(bounce_buffer, (start, len), part, fill, name);
        assert!(is_filled, "bounce buffer {bounce_buffer} was free");
    }

    /// Learns from fragments that were timed and have been read: the oldest, and the one that is in
    /// this bounce buffer.
    fn learn_timed(&mut self, bounce_buffer: usize) {
        let read = self.holders.timed_and_read(self.node);
        for number in read.into_iter().chain([bounce_buffer]) {
            if let Some(fill) = self.holders.take_timed(number) {
                self.learn(fill, self.node.reading_time(number));
            }
        }
    }

    /// A fragment was read in this time.
    fn learn(&mut self, fill: TimedFill, reading: Duration) {
        let TimedFill { peer, stores, of_message, crosses, time, bytes } = fill;
        let connection = &mut self.connections[peer];
        if stores.is_timed {
            connection.stores.learn(stores.way, time + reading, bytes);
        }
        if let Some(len) = of_message {
            let whole = |time: Duration| time.mul_f64(len as f64 / bytes as f64);
            connection.copy_choice.learn_shared(whole(time), whole(reading), len, crosses);
        }
    }

    /// A message to this peer was copied by the kernel in this time.
    pub(crate) fn copied(&mut self, peer: usize, bytes: usize, time: Duration) {
        self.connections[peer].copy_choice.learn_single_copy(time, bytes);
    }

    pub(crate) fn on_fragment(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        envelope: Envelope,
        f: Fragment,
    ) {
        if f.receiver == UNASKED {
            return self.on_eager_fragment(transfers, peer, envelope, f);
        }
        let arrived = self.place_fragment(transfers, peer, f.receiver, &f);
        if !self.offers.is_empty() {
            self.hear_of_offer(transfers, peer, f.receiver, arrived == f.total);
        }
        if arrived == f.total {
            transfers.completed(f.receiver);
        }
    }

    /// Copies a fragment to where it belongs, and gives its bounce buffer back if that has no more
    /// of the message. The bytes of the message that have come, where they are counted.
    pub(crate) fn place_fragment(
        &mut self,
        transfers: &mut Transfers,
        peer: usize,
        receiver: u32,
        f: &Fragment,
    ) -> u64 {
        let len = f.len as usize;
        let may_go_past_cache = self.may_go_past_cache(transfers, receiver, f);
        let results = &mut self.connections[peer].results;
        // What the sender times goes as most do, and is no trial.
        let result = match may_go_past_cache {
            true if f.is_timed => Use { way: results.best(), is_timed: false },
            true => results.next(len),
            false => Use::USUAL,
        };
        let copy = match result.way {
            Choice::Other => nontemporal::copy_slice,
            Choice::Usual => copy_out_of(f),
        };
        let mut arrived = 0;
        let is_timed = f.is_timed || result.is_timed;
        let time = self.read_fragment(peer, f, is_timed, |data| {
            arrived = transfers.fragment(receiver, f.offset, data, copy);
        });
        if let Some(time) = time.filter(|_| result.is_timed) {
            self.connections[peer].results.learn(result.way, time, len);
        }
        if !f.has_more {
            self.give_back(peer, f, time);
        }
        arrived
    }

    /// Whether a fragment may be written past the cache: it lies in one piece, and its message is
    /// long, or goes to memory that has left the caches.
    fn may_go_past_cache(
        &mut self,
        transfers: &mut Transfers,
        receiver: u32,
        f: &Fragment,
    ) -> bool {
        let len = f.len as usize;
        if !nontemporal::EXISTS || len < CHOICE_BYTES_MIN {
            return false;
        }
        let Some(to) = transfers.destination(receiver, f.offset, len) else { return false };
        let has_left = self.reuse.receives(to.as_ptr().addr(), len);
        has_left || f.total >= RESULT_BYTES_MIN
    }

    /// Reads a fragment; how long that takes, if it is timed.
    pub(crate) fn read_fragment(
        &mut self,
        peer: usize,
        f: &Fragment,
        is_timed: bool,
        copy_out: impl FnOnce(&[u8]),
    ) -> Option<Duration> {
        self.holders.note_answer();
        let from = (peer, f.bounce_buffer as usize);
        let watch = Stopwatch::start(is_timed);
        if !self.node.read_bounce_buffer(from, (f.start as usize, f.len as usize), copy_out) {
            damaged(peer, "a bounce buffer that does not exist");
        }
        watch.time()
    }

    /// Gives back the bounce buffer whose last part this is, which was read in this time.
    pub(crate) fn give_back(&self, peer: usize, f: &Fragment, time: Option<Duration>) {
        let time = time.filter(|_| f.is_timed);
        self.node.give_back_bounce_buffer(peer, f.bounce_buffer as usize, time);
    }
}

/// How a fragment is copied to memory that is written through the cache.
pub(crate) fn copy_out_of(f: &Fragment) -> CopyFn {
    if f.is_past_cache { shared::read } else { shared::read_cached }
}

#[cfg(test)]
mod tests {
    use crate::p2p::messages_tests::{bytes, done, messages, receive, segments_of, send};
    use crate::p2p::request::Mode;
    use dunlin_base::single_copy::SingleCopy;
    use dunlin_shm::job_map::Job;

    #[test]
    fn receivers_that_are_away_leave_bounce_buffers_for_others() {
        const LEN: usize = 1_000_000;
        let segments = segments_of(&Job::on_one_node("here", 4)).into_iter().zip(0..);
        let mut ranks: Vec<_> = segments.map(|(s, me)| messages(s, me, SingleCopy::Off)).collect();
        let (mut out, mut into) = (vec![bytes(LEN); 4], vec![vec![0; LEN]; 4]);
        let mut step = |ranks: &mut Vec<_>, to: usize| {
            let s = send(&mut ranks[0], to, 3, &mut out[to], Mode::Standard);
            let r = receive(&mut ranks[to], None, &mut into[to]);
            ranks[to].progress();
            ranks[0].progress();
            (s, r)
        };
        // The receivers of these two have gone after they have asked for them.
        step(&mut ranks, 1);
        step(&mut ranks, 2);
        let (s, r) = step(&mut ranks, 3);
        while ranks[0].progress() | ranks[3].progress() {}
        done(&mut ranks[0], s);
        done(&mut ranks[3], r);
        assert!(into[3] == out[3]);
    }
}
