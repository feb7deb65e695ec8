//! What arrives from one peer: frames of packets that have arrived for the first time, and when to
//! acknowledge.

use dunlin_base::Rank;

use crate::config::{Config, Nanos};
use crate::farewell::Farewell;
use crate::fragmenter::{Fragment, Target};
use crate::frame::{Frame, MatchHeader, Order};
use crate::header::{Header, Kind};
use crate::id_map::IdMap;
use crate::outgoing::{Outgoing, Written, eager_cost};
use crate::prediction::{Predicted, PredictedFragment};
use crate::receive_window::{Arrival, ReceiveWindow};
use crate::reorder_buffer::{ReorderBuffer, kept_frames};
use crate::seq::Seq;
use crate::upper_layer::{Consumed, UpperLayer};

/// Acknowledgements are due when this part of a window or budget is used up.
const SHARE: u32 = 4;

/// So often a farewell is acknowledged: if all of these are lost, a peer lingers for
/// [`Config::linger`]. Were it one, where 1 % is lost, each hundredth would.
const FAREWELL_ANSWERS: u32 = 3;

/// A message that arrives in fragments.
#[derive(Debug)]
struct Arriving {
    bytes: u64,
    /// Bytes still to come.
    left: u64,
    /// All bytes before this one have arrived, in order from the front.
    in_order: u64,
    /// All from this one on have, in order from the back.
    from_end: u64,
}

impl Arriving {
    fn new(bytes: u64) -> Arriving {
        Arriving { bytes, left: bytes, in_order: 0, from_end: bytes }
    }

    /// A fragment has arrived for the first time.
    fn note(&mut self, offset: u64, len: u64) {
        self.left -= len;
        if offset == self.in_order {
            self.in_order += len;
        } else if offset + len == self.from_end {
            self.from_end = offset;
        }
    }

    /// Where the missing bytes begin, if they are contiguous.
    fn gap(&self) -> Option<u64> {
        (self.in_order + self.left == self.from_end).then_some(self.in_order)
    }
}

/// One direction of a connection.
#[derive(Debug)]
pub(crate) struct Incoming {
    from: Rank,
    receive_window: ReceiveWindow,
    reorder: ReorderBuffer,
    /// Messages in segments whose turn has passed: what the upper layer calls them.
    segmented: IdMap<u32>,
    /// By what the upper layer calls the message.
    arriving: IdMap<Arriving>,
    /// The only fragment of its message that is still missing; it comes over the second path.
    last_part: Option<PredictedFragment>,
    /// No message in segments may be larger.
    eager_budget: u32,
    /// Eager bytes that receives have taken.
    taken: u32,
    taken_told: u32,
    /// The limit that the peer was told last.
    limit_told: Seq,
    /// Packets that have not been answered.
    unanswered: u32,
    answer_by: Nanos,
    /// The peer waits for an answer.
    is_urgent: bool,
    /// Packets to be sent that acknowledge a farewell.
    farewell_answers: u32,
    farewell: Farewell,
    /// Messages that no receive has matched.
    unmatched: u32,
}

impl Incoming {
    pub fn new(from: Rank, config: &Config) -> Self {
        Incoming {
            from,
            receive_window: ReceiveWindow::new(config.window),
            reorder: ReorderBuffer::default(),
            segmented: IdMap::default(),
            arriving: IdMap::default(),
            last_part: None,
            eager_budget: config.eager_budget,
            taken: 0,
            taken_told: 0,
            limit_told: Seq(config.window),
            unanswered: 0,
            answer_by: Nanos::MAX,
            is_urgent: false,
            farewell_answers: 0,
            farewell: Farewell::default(),
            unmatched: 0,
        }
    }

    /// This process is leaving, or is back.
    pub fn part(&mut self, is_parting: bool) {
        self.farewell.part(is_parting);
    }

    /// Whether the peer has left.
    pub fn is_away(&self) -> bool {
        self.farewell.is_away()
    }

    /// Whether this process, which leaves, need not wait for the peer to leave; `may_return`: it
    /// may begin another session. It does if a message of the peer is left to be received, perhaps
    /// by a peer that is in the next session already and waits there: each message sent is received
    /// (MPI 5.0 section 11.4), and none can be before.
    pub fn is_released(&self, may_return: bool) -> bool {
        self.farewell.is_heard() || may_return && self.unmatched > 0
    }

    /// A receive has matched a message that waited for one.
    pub fn matched(&mut self) {
        self.unmatched = self.unmatched.saturating_sub(1);
    }

    /// A packet with frames has arrived; `is_newest`: sent after all others that have.
    pub fn arrive(
        &mut self,
        now: Nanos,
        header: &Header,
        is_newest: bool,
        config: &Config,
    ) -> Arrival {
        let arrival = self.receive_window.arrive(header.sequence);
        self.is_urgent |= header.asks && (is_newest || arrival == Arrival::New);
        match arrival {
            Arrival::New => {
                self.unanswered += 1;
                self.farewell.on_packet(header.sequence);
                if config.retransmits() {
                    self.answer_by = self.answer_by.min(now.saturating_add(config.ack_delay));
                }
            }
            // It was sent again: our acknowledgement was lost, or is late. The very same packet
            // twice means nothing: the network has duplicated it, or an eavesdropper repeats it.
            Arrival::Duplicate => self.is_urgent |= is_newest,
            Arrival::Beyond => {}
        }
        arrival
    }

    /// The number by which the upper layer gets the fragments of a rendezvous message.
    pub fn expect(&mut self, receive: u32, bytes: u64) {
        self.arriving.insert(receive, Arriving::new(bytes));
    }

    /// Receives have taken an eager message of so many bytes.
    pub fn take(&mut self, bytes: u64) {
        self.taken = self.taken.wrapping_add(eager_cost(bytes));
    }

    /// Delivers a frame of packet `number`, if it has one, or keeps it until its turn.
    pub fn on_frame(
        &mut self,
        number: Option<Seq>,
        frame: &Frame<'_>,
        out: &mut Outgoing,
        config: &Config,
        up: &mut impl UpperLayer,
    ) {
        match *frame {
            Frame::Close { next } => {
                if let Some(number) = number {
                    self.farewell.on_close(number, next.0);
                }
                // A peer that leaves waits for the acknowledgement, which nobody may be left to
                // repeat.
                self.farewell_answers = FAREWELL_ANSWERS;
            }
            Frame::Cts { send, receive, wanted } => {
                out.on_cts((send, receive), wanted, config, up);
            }
            Frame::Data { receive, offset, payload } => {
                let is_last = self.take_part(receive, offset, payload, up);
                // Its sender waits until it knows, where packets can be lost.
                self.is_urgent |= is_last && number.is_some();
            }
            Frame::Whole { order, .. } | Frame::Rts { order, .. } => {
                self.farewell.on_message(order.0);
                self.in_turn(order, frame, up);
            }
            Frame::Segment { total, .. } if total > self.eager_budget => {}
            Frame::Segment { order, offset, payload, .. } => {
                self.farewell.on_message(order.0);
                match self.segmented.get(&order.0.0) {
                    Some(&receive) if self.reorder.is_past(order.0) => {
                        self.segment(order, receive, offset, payload, up);
                    }
                    _ => self.in_turn(order, frame, up),
                }
            }
        }
    }

    fn in_turn(&mut self, order: Order, frame: &Frame<'_>, up: &mut impl UpperLayer) {
        if self.reorder.is_past(order.0) {
            return;
        }
        if !self.reorder.is_turn(order.0) {
            return self.reorder.keep(order.0, frame);
        }
        self.begin(frame, up);
        while let Some(kept) = self.reorder.advance() {
            for frame in kept_frames(&kept) {
                self.begin_or_continue(&frame, up);
            }
        }
    }

    /// The first frame of a message whose turn it is.
    fn begin(&mut self, frame: &Frame<'_>, up: &mut impl UpperLayer) {
        match *frame {
            Frame::Whole { head, payload, .. } => {
                let consumed = up.whole(self.from, head, payload);
                self.consume(consumed, payload.len() as u64);
            }
            Frame::Rts { head, bytes, send, rkey, .. } => {
                self.unmatched += 1;
                up.rts(self.from, head, bytes, send, rkey);
            }
            Frame::Segment { order, head, total, offset, payload } => {
                let receive = self.begin_segments(order, head, total, up);
                self.segment(order, receive, offset, payload, up);
            }
            Frame::Cts { .. } | Frame::Data { .. } | Frame::Close { .. } => {
                unreachable!("these have no order")
            }
        }
    }

    /// A frame that was kept: of segments, the first begins the message.
    fn begin_or_continue(&mut self, frame: &Frame<'_>, up: &mut impl UpperLayer) {
        if let Frame::Segment { order, offset, payload, .. } = *frame {
            if let Some(&receive) = self.segmented.get(&order.0.0) {
                return self.segment(order, receive, offset, payload, up);
            }
        }
        self.begin(frame, up);
    }

    fn consume(&mut self, consumed: Consumed, bytes: u64) {
        match consumed {
            Consumed::Now => self.take(bytes),
            Consumed::Later => self.unmatched += 1,
        }
    }

    fn begin_segments(
        &mut self,
        order: Order,
        head: MatchHeader,
        total: u32,
        up: &mut impl UpperLayer,
    ) -> u32 {
        let (receive, taken) = up.begin(self.from, head, total.into());
        self.consume(taken, total.into());
        self.expect(receive, total.into());
        self.segmented.insert(order.0.0, receive);
        receive
    }

    fn segment(
        &mut self,
        order: Order,
        receive: u32,
        offset: u32,
        payload: &[u8],
        up: &mut impl UpperLayer,
    ) {
        if self.take_part(receive, offset.into(), payload, up) {
            self.segmented.remove(&order.0.0);
        }
    }

    /// A frame has arrived over the second path: the next one may be predictable.
    pub fn predict(&mut self, frame: &Frame<'_>, config: &Config) {
        self.last_part = self.after(frame, config);
    }

    /// The end of a message has arrived first, over the first path: then the rest comes over the
    /// second.
    pub fn predict_rest(&mut self, frame: &Frame<'_>, config: &Config) {
        self.last_part = self.after(frame, config).or(self.last_part.take());
    }

    /// Whether the rest of a message is known to come over the second path.
    pub fn awaits_bulk(&self) -> bool {
        self.last_part.is_some()
    }

    fn after(&self, frame: &Frame<'_>, config: &Config) -> Option<PredictedFragment> {
        let (target, receive) = match *frame {
            Frame::Segment { order, head, total, .. } => {
                let target = Target::Message { order, head, total };
                (target, *self.segmented.get(&order.0.0)?)
            }
            Frame::Data { receive, .. } => (Target::Receive(receive), receive),
            _ => return None,
        };
        let arriving = self.arriving.get(&receive).filter(|a| config.in_bulk(a.bytes))?;
        let (offset, room) = (arriving.gap()?, config.bulk_room(target.front_bytes()));
        // A rest that is so short was sent first, over the first path, and is late.
        let end_max = config.end_bytes_max();
        let comes_in_bulk = |&len: &u16| (end_max + 1..=room).contains(&len.into());
        let len = u16::try_from(arriving.left).ok().filter(comes_in_bulk)?;
        Some(PredictedFragment::new(receive, Fragment { target, send: 0, offset, len }))
    }

    /// What the next packet over the second path probably is.
    pub fn predicted<'a>(&'a self, up: &'a mut impl UpperLayer) -> Option<Predicted<'a>> {
        let part = self.last_part.as_ref()?;
        let arriving = self.arriving.get(&part.receive)?;
        if arriving.left != part.bytes() as u64 || arriving.gap() != Some(part.offset()) {
            return None;
        }
        let destination = up.destination(self.from, part.receive, part.offset(), part.bytes())?;
        Some(Predicted { front_bytes: part.front_bytes(), front_end: part.frame(), destination })
    }

    /// That packet has arrived, with this frame, and its bytes are at their destination. False if
    /// it was another packet.
    pub fn placed(&mut self, frame: &[u8], up: &mut impl UpperLayer) -> bool {
        let Some(part) = self.last_part.take().filter(|part| part.frame() == frame) else {
            return false;
        };
        self.arriving.remove(&part.receive);
        if let Some(order) = part.order() {
            self.segmented.remove(&order);
        }
        up.completed(self.from, part.receive);
        true
    }

    /// Whether this was the last fragment.
    fn take_part(
        &mut self,
        receive: u32,
        offset: u64,
        payload: &[u8],
        up: &mut impl UpperLayer,
    ) -> bool {
        let Some(arriving) = self.arriving.get_mut(&receive) else { return false };
        let len = payload.len() as u64;
        // The upper layer never gets fragments that are outside of a message.
        if len > arriving.left || offset > arriving.bytes - len {
            return false;
        }
        arriving.note(offset, len);
        let is_last = arriving.left == 0;
        up.part(self.from, receive, offset, payload);
        if is_last {
            self.arriving.remove(&receive);
            up.completed(self.from, receive);
        }
        is_last
    }

    /// Whether the peer must get an acknowledgement now, even in a packet without frames.
    pub fn is_answer_due(&self, now: Nanos, config: &Config) -> bool {
        let untold = self.taken.wrapping_sub(self.taken_told);
        // By what the peer does not know and not by what has come: one late packet may open a
        // whole window, and where nothing is sent again nobody would ask.
        let room = self.receive_window.limit().from(self.limit_told);
        room >= (config.window / SHARE).max(1)
            || untold > config.eager_budget / SHARE
            || self.owes_answer(now, config)
    }

    /// Whether the peer waits for an acknowledgement.
    pub fn owes_answer(&self, now: Nanos, config: &Config) -> bool {
        let is_due = || self.unanswered >= config.ack_after || self.answer_by <= now;
        config.retransmits() && (self.is_urgent || self.farewell_answers > 0 || is_due())
    }

    /// When an acknowledgement will be due.
    pub fn deadline(&self) -> Nanos {
        self.answer_by
    }

    /// The header of a packet to the peer, which acknowledges what has arrived.
    pub fn answer(&mut self, stamp: u64, source: Rank, kind: Kind, packet: &Written) -> Header {
        self.unanswered = 0;
        self.answer_by = Nanos::MAX;
        self.is_urgent = false;
        self.farewell_answers = self.farewell_answers.saturating_sub(1);
        self.told_room();
        self.header(stamp, source, kind, packet)
    }

    /// A packet with our credit has left.
    pub fn told_room(&mut self) {
        self.taken_told = self.taken;
        self.limit_told = self.receive_window.limit();
    }

    /// The same in a packet that does not count as an acknowledgement.
    pub fn header(&self, stamp: u64, source: Rank, kind: Kind, packet: &Written) -> Header {
        Header {
            tag: 0,
            stamp,
            source,
            kind,
            asks: packet.asks,
            sequence: packet.number,
            ack: self.receive_window.ack(),
            sacks: self.receive_window.sacks(),
            limit: self.receive_window.limit(),
            taken: self.taken,
        }
    }

    /// Whether nothing is incomplete: no message has arrived in part, none is early.
    pub fn is_idle(&self) -> bool {
        self.reorder.is_empty() && self.arriving.is_empty() && self.segmented.is_empty()
    }
}
