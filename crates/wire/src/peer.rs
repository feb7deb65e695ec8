//! One connection: both directions, and the packets that serve both.

use dunlin_base::Rank;
use dunlin_seal::{Direction, Seal};

use crate::config::{Config, Nanos};
use crate::frame::{MatchHeader, SEGMENT_BYTES, WHOLE_BYTES, frames};
use crate::header::{HEADER_BYTES, Header, Kind};
use crate::incoming::Incoming;
use crate::outgoing::{Outgoing, Written};
use crate::receive_window::Arrival;
use crate::sealing::{Age, Credentials, Stamps, close};
use crate::seq::Seq;
use crate::stats::Stats;
use crate::upper_layer::{PacketSink, UpperLayer};

/// This process leaves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leaving {
    pub since: Nanos,
    /// It may come back, in another session.
    pub may_return: bool,
}

/// A process of the job on another node.
#[derive(Debug)]
pub(crate) struct Peer {
    /// Seals what goes to it; made when its incarnation is known.
    seal_out: Option<Seal>,
    /// Opens what comes from it.
    pub seal_in: Seal,
    /// The stamp of the last packet that went to it.
    stamp: u64,
    /// Those of packets that came.
    stamps: Stamps,
    /// Those of its keep-alives.
    signs: Stamps,
    pub out: Outgoing,
    pub incoming: Incoming,
    /// When it last answered.
    heard_at: Nanos,
    /// A long message has been sent since then.
    sent_long: bool,
    /// It has been given up.
    pub is_lost: bool,
    /// It had left before, and has not acknowledged that this process leaves: it may be gone, and
    /// nothing is sent until it is heard again or there is something else to send.
    is_forgotten: bool,
    /// It is in the endpoint's list of those with something to send.
    pub is_ready: bool,
    /// It is in the endpoint's list of those with deadlines.
    pub is_timed: bool,
    /// The endpoint has counted it among those to which something has not left, and among those
    /// that have been sent an RTS.
    pub counted: (bool, bool),
}

impl Peer {
    pub fn new(own: &Credentials, me: Rank, peer: Rank, config: &Config) -> Self {
        let incarnation = own.incarnation;
        Peer {
            seal_out: None,
            seal_in: own.keys.seal(Direction { from: peer, to: me, incarnation }),
            // What an earlier process of this rank has sent has other stamps.
            stamp: incarnation,
            stamps: Stamps::default(),
            signs: Stamps::default(),
            out: Outgoing::new(config),
            incoming: Incoming::new(peer, config),
            heard_at: 0,
            sent_long: false,
            is_lost: false,
            is_forgotten: false,
            is_ready: false,
            is_timed: false,
            counted: (false, false),
        }
    }

    /// It is alive, and does not answer.
    pub fn on_alive(&mut self, now: Nanos, stamp: u64) {
        if self.signs.note(stamp) == Age::Newest {
            self.heard_at = now;
            self.is_forgotten = false;
        }
    }

    /// The seal of packets to it, if that was made.
    pub fn has_seal(&self) -> bool {
        self.seal_out.is_some()
    }

    /// It is known now, and this is its incarnation.
    pub fn make_seal(&mut self, own: &Credentials, me: Rank, peer: Rank, incarnation: u64) {
        self.seal_out = Some(own.keys.seal(Direction { from: me, to: peer, incarnation }));
    }

    fn on_heard(&mut self, now: Nanos) {
        self.heard_at = now;
        self.sent_long = false;
        self.is_forgotten = false;
    }

    /// Whether nothing is sent to it.
    pub fn is_given_up(&self) -> bool {
        self.is_lost || self.is_forgotten && !self.out.has_spoken()
    }

    /// Takes a packet that it has sealed for us.
    pub fn on_packet(
        &mut self,
        now: Nanos,
        header: &Header,
        body: &[u8],
        config: &Config,
        up: &mut impl UpperLayer,
        stats: &mut Stats,
    ) {
        // Before any of it is used: half of a packet would be processed twice.
        if frames(body).any(|frame| frame.is_err()) {
            stats.malformed += 1;
            return;
        }
        let age = self.stamps.note(header.stamp);
        if age == Age::Newest {
            self.on_heard(now);
        }
        if header.kind == Kind::Bulk {
            if matches!(age, Age::Newest | Age::Recent) {
                self.out.on_room(header);
            }
            for frame in frames(body).flatten() {
                self.incoming.on_frame(None, &frame, &mut self.out, config, up);
                self.incoming.predict(&frame, config);
            }
            return;
        }
        match age {
            Age::Newest | Age::Recent => self.out.on_answer(now, header, config, up),
            Age::Old => {}
            Age::Stale => {
                stats.stale += 1;
                return;
            }
        }
        if header.kind == Kind::Answer {
            return;
        }
        match self.incoming.arrive(now, header, age == Age::Newest, config) {
            Arrival::New => {
                stats.received += 1;
                for frame in frames(body).flatten() {
                    let number = Some(header.sequence);
                    self.incoming.on_frame(number, &frame, &mut self.out, config, up);
                    self.incoming.predict_rest(&frame, config);
                }
            }
            Arrival::Duplicate => stats.duplicates += 1,
            Arrival::Beyond => stats.beyond += 1,
        }
    }

    /// The same for one whose data is at its destination already; `frame` preceded it.
    pub fn on_placed(
        &mut self,
        now: Nanos,
        header: &Header,
        frame: &[u8],
        up: &mut impl UpperLayer,
        stats: &mut Stats,
    ) {
        self.on_heard(now);
        if matches!(self.stamps.note(header.stamp), Age::Newest | Age::Recent) {
            self.out.on_room(header);
        }
        stats.malformed += u64::from(!self.incoming.placed(frame, up));
    }

    /// Whether something should leave now.
    pub fn wants_to_send(&self, now: Nanos, config: &Config) -> bool {
        self.wants_packet(now, config) || self.wants_bulk()
    }

    /// Whether something should go over the second path.
    pub fn wants_bulk(&self) -> bool {
        !self.is_given_up() && self.out.has_bulk()
    }

    /// Whether a packet should leave now.
    pub fn wants_packet(&self, now: Nanos, config: &Config) -> bool {
        !self.is_given_up()
            && (self.out.has_packet(config) || self.incoming.is_answer_due(now, config))
    }

    /// Writes a packet; its length.
    pub fn write(
        &mut self,
        now: Nanos,
        me: Rank,
        config: &Config,
        into: &mut [u8],
        up: &mut impl UpperLayer,
        stats: &mut Stats,
    ) -> usize {
        let (head, body) = into[..config.packet_bytes_max].split_at_mut(HEADER_BYTES);
        let (kind, written) = if self.out.has_packet(config) {
            (Kind::Frames, self.out.write(now, config, body, up, stats))
        } else {
            stats.answers += 1;
            (Kind::Answer, Written { number: Seq(0), bytes: 0, asks: false })
        };
        let stamp = self.draw_stamp();
        self.incoming.answer(stamp, me, kind, &written).write(head);
        self.close(into, HEADER_BYTES + written.bytes)
    }

    /// Whether a message may leave now, with nothing before it.
    pub fn is_free(&self, config: &Config) -> bool {
        let is_known = config.is_authenticated || self.seal_out.is_some();
        is_known && !self.is_given_up() && self.out.is_free(config)
    }

    /// Writes a packet with a message of its own; its length.
    pub fn write_whole(
        &mut self,
        now: Nanos,
        me: Rank,
        config: &Config,
        into: &mut [u8],
        message: (MatchHeader, &[u8]),
    ) -> usize {
        let (head, body) = into[..config.packet_bytes_max].split_at_mut(HEADER_BYTES);
        let written = self.out.write_whole(now, config, body, message);
        let stamp = self.draw_stamp();
        self.incoming.answer(stamp, me, Kind::Frames, &written).write(head);
        self.close(into, HEADER_BYTES + written.bytes)
    }

    fn draw_stamp(&mut self) -> u64 {
        self.stamp += 1;
        self.stamp
    }

    /// Seals a packet, where that is done here; its length then.
    fn close(&self, packet: &mut [u8], len: usize) -> usize {
        self.seal_out.as_ref().map_or(len, |seal| close(seal, self.stamp, packet, len))
    }

    /// Writes the header of a packet that goes over the second path.
    fn write_bulk_header(&mut self, me: Rank, into: &mut [u8]) {
        let written = Written { number: Seq(0), bytes: 0, asks: false };
        let stamp = self.draw_stamp();
        self.incoming.header(stamp, me, Kind::Bulk, &written).write(into);
    }

    /// A packet has gone over the second path.
    fn on_sent_long(&mut self) {
        self.sent_long = true;
        self.incoming.told_room();
    }

    /// Hands over a message that goes over the second path in one packet. False if it cannot go
    /// now.
    pub fn post_whole(
        &mut self,
        (me, peer): (Rank, Rank),
        head: MatchHeader,
        payload: &[u8],
        out: &mut impl PacketSink,
    ) -> bool {
        // What waits goes first.
        if self.is_given_up() || self.out.has_bulk() {
            return false;
        }
        let mut front = [0; HEADER_BYTES + WHOLE_BYTES];
        self.write_bulk_header(me, &mut front);
        self.out.write_whole_front(head, payload.len(), &mut front[HEADER_BYTES..]);
        let posted = out.post_parts(peer, &front, payload);
        if posted {
            self.on_sent_long();
            self.out.sent_whole(payload.len());
        }
        posted
    }

    /// Sends the end of a long message first, over the first path, if the message follows another:
    /// messages of 64 KiB reach 4.7 GB/s that way, in halves 4.1; but a single one takes 17.6 us,
    /// and in halves, of which the first is received while the second leaves, 16.9.
    pub fn queue_end(&mut self, config: &Config, up: &mut impl UpperLayer) {
        if self.sent_long {
            self.out.queue_end(config, up);
        }
    }

    /// Hands over a packet that goes over the second path. False if there is none, or no room.
    pub fn post_bulk(
        &mut self,
        (me, peer): (Rank, Rank),
        config: &Config,
        out: &mut impl PacketSink,
        up: &mut impl UpperLayer,
    ) -> bool {
        if !self.out.has_bulk() {
            return false;
        }
        let room = config.bulk_room(0);
        let Some(fragment) = self.out.next_bulk(room) else { return false };
        let mut front = [0; HEADER_BYTES + SEGMENT_BYTES];
        self.write_bulk_header(me, &mut front);
        let len = HEADER_BYTES + fragment.write_front(&mut front[HEADER_BYTES..]);
        let (front, bytes) = (&front[..len], usize::from(fragment.len));
        let posted = match up.data(fragment.send, fragment.offset, bytes) {
            Some(data) => out.post_parts(peer, front, data),
            None => out
                .bulk_space(peer)
                .map(|space| {
                    space[..len].copy_from_slice(front);
                    up.fill(fragment.send, fragment.offset, &mut space[len..len + bytes]);
                })
                .map(|()| out.post_bulk(peer, len + bytes))
                .is_some(),
        };
        if posted {
            self.on_sent_long();
            self.out.sent_bulk(room, up);
        }
        posted
    }

    /// Whether this process, which leaves, and the peer are done with each other. All copies of the
    /// acknowledgement of the very last packet may be lost, with nobody left to repeat it; then a
    /// peer that does not know that we leave waits in vain, but not for ever.
    pub fn is_done(&self, leaving: &Leaving, now: Nanos, config: &Config) -> bool {
        let longer_than = |time: Nanos, since: Nanos| since.saturating_add(time) <= now;
        let leaving_since = leaving.since;
        if self.incoming.is_released(leaving.may_return) {
            let is_quiet = self.out.is_flushed() && !self.incoming.owes_answer(now, config);
            is_quiet || self.is_given_up() || longer_than(config.linger, leaving_since)
        } else {
            self.is_lost || longer_than(config.peer_timeout, leaving_since.max(self.heard_at))
        }
    }

    /// When [`Peer::on_time`] has something to do.
    pub fn deadline(&self, config: &Config) -> Nanos {
        if self.is_given_up() || !config.retransmits() {
            return Nanos::MAX;
        }
        self.out.deadline(config).min(self.incoming.deadline())
    }

    /// Time has passed. True if the peer is given up now.
    pub fn on_time(&mut self, now: Nanos, config: &Config) -> bool {
        if self.is_given_up() {
            return false;
        }
        if std::mem::take(&mut self.is_forgotten) {
            // It has all the time to answer what was sent since.
            self.heard_at = now;
        }
        let silent_since = self.out.waiting_since().map(|since| since.max(self.heard_at));
        if silent_since.is_some_and(|since| since.saturating_add(config.peer_timeout) <= now) {
            // One that has left need not know that this process leaves, too.
            self.is_forgotten = self.incoming.is_away() && !self.out.has_spoken();
            self.is_lost = !self.is_forgotten;
            return self.is_lost;
        }
        self.out.on_time(now, config);
        false
    }
}
