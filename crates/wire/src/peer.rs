//! One connection: both directions, and the packets that serve both.

use dunlin_base::Rank;

use crate::config::{Config, Nanos};
use crate::frame::frames;
use crate::header::{HEADER_BYTES, Header, Kind};
use crate::inbox::Arrival;
use crate::incoming::Incoming;
use crate::key::JobKey;
use crate::outgoing::{Outgoing, Written};
use crate::seq::Seq;
use crate::stats::Stats;
use crate::upper::Upper;

/// A process of the job on another node.
#[derive(Debug)]
pub(crate) struct Peer {
    /// What packets to it show.
    check: u64,
    pub out: Outgoing,
    pub incoming: Incoming,
    /// When it was last heard of.
    heard_at: Nanos,
    /// It has been given up.
    pub is_lost: bool,
    /// It stands in the endpoint's list of those with something to send.
    pub is_ready: bool,
    /// It stands in the endpoint's list of those with deadlines.
    pub is_timed: bool,
}

impl Peer {
    pub fn new(key: JobKey, me: Rank, peer: Rank, config: &Config) -> Self {
        Peer {
            check: key.check(me, peer),
            out: Outgoing::new(config),
            incoming: Incoming::new(peer, config),
            heard_at: 0,
            is_lost: false,
            is_ready: false,
            is_timed: false,
        }
    }

    /// It has been heard of, and does not answer.
    pub fn on_alive(&mut self, now: Nanos) {
        self.heard_at = now;
    }

    /// Takes a packet that shows the right check.
    pub fn on_packet(
        &mut self,
        now: Nanos,
        header: &Header,
        body: &[u8],
        config: &Config,
        up: &mut impl Upper,
        stats: &mut Stats,
    ) {
        self.heard_at = now;
        // Before anything of it is believed: half of a packet would be taken twice.
        if frames(body).any(|frame| frame.is_err()) {
            stats.malformed += 1;
            return;
        }
        self.out.on_answer(now, header, config, up);
        if header.kind == Kind::Answer {
            return;
        }
        match self.incoming.arrive(now, header, config) {
            Arrival::New => {
                stats.received += 1;
                for frame in frames(body).flatten() {
                    self.incoming.on_frame(header.sequence, &frame, &mut self.out, up);
                }
            }
            Arrival::Duplicate => stats.duplicates += 1,
            Arrival::Beyond => stats.beyond += 1,
        }
    }

    /// Whether a packet should leave now.
    pub fn wants_to_send(&self, now: Nanos, config: &Config) -> bool {
        !self.is_lost && (self.out.has_packet(config) || self.incoming.is_answer_due(now, config))
    }

    /// Writes a packet; its length.
    pub fn write(
        &mut self,
        now: Nanos,
        me: Rank,
        config: &Config,
        into: &mut [u8],
        up: &mut impl Upper,
        stats: &mut Stats,
    ) -> usize {
        let (head, body) = into.split_at_mut(HEADER_BYTES);
        let (kind, written) = if self.out.has_packet(config) {
            (Kind::Frames, self.out.write(now, config, body, up, stats))
        } else {
            stats.answers += 1;
            (Kind::Answer, Written { number: Seq(0), bytes: 0, asks: false })
        };
        self.incoming.answer(self.check, me, kind, &written).write(head);
        HEADER_BYTES + written.bytes
    }

    /// Whether this process, which has been leaving since then, and the peer are done with each
    /// other. The answer to the very last packet may be lost, and nobody left to repeat it; then a
    /// peer that had not heard that we leave waits in vain, and not for ever.
    pub fn is_done(&self, leaving_since: Nanos, now: Nanos, config: &Config) -> bool {
        let longer_than = |time: Nanos, since: Nanos| since.saturating_add(time) <= now;
        if self.incoming.has_left() {
            self.out.is_flushed() || longer_than(config.farewell, leaving_since)
        } else {
            self.is_lost || longer_than(config.silence, leaving_since.max(self.heard_at))
        }
    }

    /// When [`Peer::on_time`] has something to do.
    pub fn deadline(&self, config: &Config) -> Nanos {
        if self.is_lost || !config.resends() {
            return Nanos::MAX;
        }
        self.out.deadline(config).min(self.incoming.deadline())
    }

    /// Time has passed. True if the peer is given up now.
    pub fn on_time(&mut self, now: Nanos, config: &Config) -> bool {
        if self.is_lost {
            return false;
        }
        if self.incoming.has_left() {
            self.out.on_time(now, config);
            return false;
        }
        let silent_since = self.out.waiting_since().map(|since| since.max(self.heard_at));
        if silent_since.is_some_and(|since| since.saturating_add(config.silence) <= now) {
            self.is_lost = true;
            return true;
        }
        self.out.on_time(now, config);
        false
    }
}
