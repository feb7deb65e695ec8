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
use crate::p2p::fragments::{CHOICE_BYTES_MIN, FragmentStream, Outbound, part};
use crate::p2p::last_read::Room;
use crate::p2p::node::{NodePeer, NodeTransport, damaged};
use crate::p2p::packet::{self, CTS, Cts, FIN, FRAGMENT, Fin, Fragment, RTS, UNASKED, WORD_BYTES};
use crate::p2p::request::RequestId;
use crate::p2p::timed_fill::TimedFill;
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
        while let Some(&first) = self.fragment_streams.get(place) {
            let (peer, total) = (first.peer, transfers.send_bytes(first.send));
            let is_blocked = blocked == Some(peer);
            let room = if is_blocked { None } else { self.room_for_fragment(&first, total) };
            let is_all_taken = || self.is_all_taken(transfers, &self.fragment_streams[place]);
            if room.is_none() && !is_all_taken() {
                (place, blocked) = (place + 1, Some(peer));
                continue;
            }
            let Some(mut stream) = self.fragment_streams.remove(place) else { break };
            moved = true;
            if !self.takes_fragment(transfers, &stream) {
                room.inspect(|&room| self.holders.put_back(self.node, peer, room));
                continue;
            }
            let Some(room) = room else {
                damaged(peer, "what has changed the work split of another message")
            };
            let len = stream.next_len(total);
            let message = Outbound::of_stream(transfers, &stream);
            self.send_fragment(&message, room, stream.sent, len);
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

    /// Room for the next fragment of a message of so many bytes that leaves this process at once.
    fn room_for_fragment(&mut self, stream: &FragmentStream, total: usize) -> Option<Room> {
        let NodePeer { backlog, pair, .. } = &mut self.connections[stream.peer];
        if !backlog.is_empty() || !pair.has_room(WORD_BYTES) {
            return None;
        }
        self.holders.room(self.node, stream.peer, stream.next_len(total))
    }

    /// Writes so many bytes of a message, from an offset on, into a bounce buffer, and names them
    /// to the receiver, perhaps in parts, so that it copies one while the next is written. They are
    /// written through the cache, or, into one of ours that the peer has read, past it. Where both
    /// ranks share a cache the first takes down to 0.6 of the time; where they do not, each line
    /// that the peer has read has to be taken from it again, and the second takes down to a fifth.
    /// The ring must have room: for one packet if the receiver has asked for the message, else for
    /// one for each part.
    pub(crate) fn send_fragment(
        &mut self,
        message: &Outbound<'_>,
        room: Room,
        offset: usize,
        len: usize,
    ) {
        let own = (room.owner == self.node.me()).then_some(room.number);
        self.learn_timed(message.peer, own);
        self.reuse.sends(len);
        let NodeTransport { node, connections, holders, .. } = self;
        let NodePeer { pair, stores, crossing, copy_choice, .. } = &mut connections[message.peer];
        let (crosses, usual) = (crossing.is_likely(), stores.best());
        let is_dense = message.data.is_dense();
        // Where we have read last there is no better way.
        let has_choice = !room.is_last_read && is_dense && len >= CHOICE_BYTES_MIN;
        let stores = match nontemporal::EXISTS && has_choice {
            true if holders.are_all_in_turn() => stores.next(len),
            true => Use { way: usual, is_timed: false },
            false => Use::USUAL,
        };
        let is_first = own.is_some_and(|number| !holders.was_filled(number));
        let has_copy_choice = is_dense && copy_choice.learns_from_fragments(message.total);
        let is_sample = has_copy_choice && room.is_last_read && holders.is_sample(message.peer);
        let is_asked = message.is_timed && offset == 0;
        let is_timed = !is_first && (stores.is_timed || is_sample || is_asked);
        let is_asked_for = message.receive != UNASKED;
        let in_parts = message.in_parts && !is_timed && len >= CHOICE_BYTES_MIN;
        let part = if in_parts { part(len) } else { len };
        let may_be_borrowed = own.is_some_and(|number| holders.may_be_borrowed(number));
        holders.note_sent(node, len);
        holders.note_fragment(node, message.peer, room, is_asked_for);
        let watch = Stopwatch::start(is_timed);
        let fill = |at, into: &mut [u8]| message.data.write(offset + at, into, stores.way);
        let name = |at, bytes| {
            if let Some(time) = watch.time() {
                // It tells of the whole message.
                let is_like_most = stores.is_timed && stores.way == usual;
                let tells = is_asked || is_sample || is_like_most && has_copy_choice;
                let of_message = tells.then_some(message.total);
                let peer = message.peer;
                let fill = TimedFill { peer, stores, of_message, crosses, time, bytes };
                holders.time(own, room.number, fill);
            }
            let fragment = Fragment {
                receiver: message.receive,
                bounce_buffer: room.number as u32,
                start: (room.start + at) as u32,
                len: bytes as u32,
                is_timed,
                is_past_cache: stores.way == Choice::Other,
                has_more: at + bytes < len,
                is_receivers: own.is_none(),
                may_be_borrowed,
                offset: (offset + at) as u64,
                total: message.total as u64,
            };
            let (words, count) = packet::to_bytes(&fragment);
            let is_sent =
                pair.try_push(&packet::head(FRAGMENT, &message.envelope), &words[..count]);
            assert!(is_sent, "there was room for each part");
            node.wake(message.peer);
        };
        let (from, place) = ((room.owner, room.number), (room.start, len));
        let is_filled = node.fill_bounce_buffer(from, place, part, fill, name);
        assert!(is_filled, "bounce buffer {} of rank {} is ours", room.number, room.owner);
    }

    /// Learns from fragments that were timed and have been read: of those in our bounce buffers the
    /// oldest, and the one that is in this, and one in a bounce buffer of a peer.
    fn learn_timed(&mut self, peer: usize, bounce_buffer: Option<usize>) {
        let node = self.node;
        let read = self.holders.timed_and_read(node);
        for number in read.into_iter().chain(bounce_buffer) {
            if let Some(fill) = self.holders.take_timed(number) {
                self.learn(fill, node.reading_time(node.me(), number));
            }
        }
        self.learn_timed_in_borrowed(peer, None);
    }

    fn learn_timed_in_borrowed(&mut self, peer: usize, again: Option<usize>) {
        let node = self.node;
        while let Some((number, fill)) = self.holders.take_timed_in_borrowed(node, peer, again) {
            self.learn(fill, self.node.reading_time(peer, number));
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

    /// Copies a fragment to where it belongs, and is done with its bounce buffer if that has no
    /// more of the message. The bytes of the message that have come, where they are counted.
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
            self.done_with(peer, f, time);
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
        let number = f.bounce_buffer as usize;
        if f.is_receivers && !self.node.is_returned(self.node.me(), number, peer) {
            damaged(peer, "data in a bounce buffer that it has not borrowed");
        }
        let from = (if f.is_receivers { self.node.me() } else { peer }, number);
        let watch = Stopwatch::start(is_timed);
        if !self.node.read_bounce_buffer(from, (f.start as usize, f.len as usize), copy_out) {
            damaged(peer, "a bounce buffer that does not exist");
        }
        watch.time()
    }

    /// The last part of what is in a bounce buffer was read, in this time. What its flag says of
    /// the fragment before, which went the other way, is looked at first.
    pub(crate) fn done_with(&mut self, peer: usize, f: &Fragment, time: Option<Duration>) {
        let number = f.bounce_buffer as usize;
        if !f.is_receivers {
            self.learn_timed_in_borrowed(peer, Some(number));
        } else if let Some(fill) = self.holders.take_timed(number) {
            self.learn(fill, self.node.reading_time(self.node.me(), number));
        }
        self.holders.note_read(self.node, peer, f, time.filter(|_| f.is_timed));
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
