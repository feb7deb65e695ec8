//! What goes to one peer: small frames, long messages, and packets that must be sent again.

use std::collections::VecDeque;

use crate::config::{Config, Nanos};
use crate::fragmenter::{Fragment, Fragmenter, Target};
use crate::frame::{Frame, MatchHeader, Order, RemoteKey};
use crate::frame_queue::FrameQueue;
use crate::header::Header;
use crate::id_map::IdMap;
use crate::retransmit_queue::{Load, RetransmitQueue};
use crate::rtt::Rtt;
use crate::seq::Seq;
use crate::stats::Stats;
use crate::upper_layer::UpperLayer;
use crate::window::Window;

/// In place of the number of a receive: a rendezvous message is not received but dropped, because
/// its sender has cancelled it.
pub const CANCELLED: u32 = u32::MAX;

/// What a message takes of the receiver's memory besides its bytes.
const MESSAGE_COST: u32 = 64;

/// The end of a message that is sent first takes this many packets at most: more cost as much as
/// one more of the second path.
const ENDS_MAX: usize = 2;

/// Acknowledgements requested per window of packets.
const ASKS_PER_WINDOW: u32 = 4;

/// What an eager message counts against [`Config::eager_budget`].
pub(crate) fn eager_cost(bytes: u64) -> u32 {
    (bytes as u32).wrapping_add(MESSAGE_COST)
}

/// One direction of a connection.
#[derive(Debug)]
pub(crate) struct Outgoing {
    queue: FrameQueue,
    fragmenters: VecDeque<Fragmenter>,
    /// Those that take the second path.
    bulk: VecDeque<Fragmenter>,
    retransmit_queue: RetransmitQueue,
    window: Window,
    rtt: Rtt,
    /// The peer takes packets before this one.
    limit: Seq,
    next_order: Seq,
    /// The peer does not know that this process leaves: it was never told, or something was sent
    /// since.
    has_spoken: bool,
    eager_sent: u32,
    eager_taken: u32,
    /// Bytes of messages that wait for a CTS, by number.
    rts: IdMap<u64>,
    /// Bytes of fragmented messages that have not arrived, by number.
    unarrived: IdMap<u64>,
    /// Packets sent since an acknowledgement was requested.
    unasked: u32,
    /// Losses before this packet have narrowed the window already.
    narrowed_until: Seq,
    /// When the first of the unacknowledged packets was sent.
    waiting_since: Nanos,
}

/// What a packet came to be.
pub(crate) struct Written {
    pub number: Seq,
    pub bytes: usize,
    /// It requests an acknowledgement.
    pub asks: bool,
}

impl Outgoing {
    pub fn new(config: &Config) -> Self {
        Outgoing {
            queue: FrameQueue::default(),
            fragmenters: VecDeque::new(),
            bulk: VecDeque::new(),
            retransmit_queue: RetransmitQueue::default(),
            window: Window::new(config.window),
            rtt: Rtt::default(),
            // As the peer would say if it had been asked.
            limit: Seq(config.window),
            next_order: Seq(0),
            has_spoken: true,
            eager_sent: 0,
            eager_taken: 0,
            rts: IdMap::default(),
            unarrived: IdMap::default(),
            unasked: 0,
            narrowed_until: Seq(0),
            waiting_since: 0,
        }
    }

    pub fn may_send_eagerly(&self, bytes: u64, config: &Config) -> bool {
        let untaken = self.eager_sent.wrapping_sub(self.eager_taken);
        bytes <= u64::from(config.eager_budget)
            && u64::from(untaken) + u64::from(eager_cost(bytes)) <= config.eager_budget.into()
    }

    /// An eager message of this many bytes is sent.
    fn count_eager(&mut self, bytes: u64) {
        self.eager_sent = self.eager_sent.wrapping_add(eager_cost(bytes));
    }

    fn draw_order(&mut self) -> Order {
        let order = Order(self.next_order);
        self.next_order = self.next_order.plus(1);
        self.has_spoken = true;
        order
    }

    pub fn whole(&mut self, head: MatchHeader, payload: &[u8]) {
        let order = self.draw_order();
        self.count_eager(payload.len() as u64);
        self.queue.push(&Frame::Whole { order, head, payload });
    }

    /// Writes the front of a message that leaves in one packet over the second path.
    pub fn write_whole_front(&self, head: MatchHeader, len: usize, into: &mut [u8]) {
        let order = Order(self.next_order);
        Frame::Whole { order, head, payload: &[] }.write_front(len, into);
    }

    /// That message has left.
    pub fn sent_whole(&mut self, len: usize) {
        self.draw_order();
        self.count_eager(len as u64);
    }

    pub fn segments(&mut self, head: MatchHeader, total: u32, send: u32, config: &Config) {
        let order = self.draw_order();
        self.count_eager(total.into());
        let target = Target::Message { order, head, total };
        self.fragmenter(Fragmenter::new(target, send, total.into()), config);
    }

    pub fn rts(&mut self, head: MatchHeader, bytes: u64, send: u32, rkey: Option<RemoteKey>) {
        let order = self.draw_order();
        self.rts.insert(send, bytes);
        self.queue.push(&Frame::Rts { order, head, bytes, send, rkey });
    }

    pub fn cts(&mut self, send: u32, receive: u32, wanted: u64) {
        self.has_spoken = true;
        self.queue.push(&Frame::Cts { send, receive, wanted });
    }

    /// Announces that this process leaves. A peer that knows may be gone, and would not answer.
    pub fn close(&mut self) {
        if std::mem::take(&mut self.has_spoken) {
            self.queue.push(&Frame::Close { next: Order(self.next_order) });
        }
    }

    /// The peer sends a CTS for a message. One that was not announced to it is not sent.
    pub fn on_cts(
        &mut self,
        (send, receive): (u32, u32),
        wanted: u64,
        config: &Config,
        up: &mut impl UpperLayer,
    ) {
        let Some(bytes) = self.rts.remove(&send) else { return };
        match wanted.min(bytes) {
            0 if receive == CANCELLED => up.cancelled(send),
            0 => up.sent(send),
            wanted => {
                self.fragmenter(Fragmenter::new(Target::Receive(receive), send, wanted), config)
            }
        }
    }

    fn fragmenter(&mut self, fragmenter: Fragmenter, config: &Config) {
        self.unarrived.insert(fragmenter.send, fragmenter.left());
        match config.in_bulk(fragmenter.left()) {
            true => self.bulk.push_back(fragmenter),
            false => self.fragmenters.push_back(fragmenter),
        }
    }

    /// If the next message for the second path fills its packets except for a short end, that end
    /// is sent first, over the first path: it tells the receiver what comes.
    pub fn queue_end(&mut self, config: &Config, up: &mut impl UpperLayer) {
        let Some(fragmenter) = self.bulk.front_mut() else { return };
        let piece_max = config.end_bytes_max();
        let Some(end) = fragmenter.split_end(config.bulk_room(0), ENDS_MAX * piece_max) else {
            return;
        };
        let (target, send, mut offset) = (fragmenter.target, fragmenter.send, end.start);
        let mut data = vec![0; (end.end - end.start) as usize];
        up.fill(send, offset, &mut data);
        for payload in data.chunks(piece_max) {
            self.queue.push(&target.frame(offset, payload));
            offset += payload.len() as u64;
        }
        if let Some(left) = self.unarrived.get_mut(&send) {
            *left -= data.len() as u64;
        }
    }

    /// Whether something is to go over the second path.
    pub fn has_bulk(&self) -> bool {
        !self.bulk.is_empty()
    }

    /// What a packet of this many bytes over the second path would carry.
    pub fn next_bulk(&self, room: usize) -> Option<Fragment> {
        self.bulk.front().and_then(|fragmenter| { *fragmenter }.next_even(room))
    }

    /// That packet has been handed over, and arrives.
    pub fn sent_bulk(&mut self, room: usize, up: &mut impl UpperLayer) {
        if let Some(fragment) = next_piece(&mut self.bulk, |fragmenter| fragmenter.next_even(room))
        {
            self.on_arrived(&fragment, up);
        }
    }

    /// Whether there are frames to send and a packet may leave.
    pub fn has_packet(&self, config: &Config) -> bool {
        let has_new = !self.queue.is_empty() || !self.fragmenters.is_empty();
        self.retransmit_queue.has_lost() || has_new && self.may_leave(config)
    }

    /// Whether a new packet may leave.
    fn may_leave(&self, config: &Config) -> bool {
        self.retransmit_queue.next().is_before(self.limit)
            && (!config.retransmits() || self.retransmit_queue.in_flight() < self.window.packets())
    }

    /// Whether nothing waits, and a packet may leave.
    pub fn is_free(&self, config: &Config) -> bool {
        let has_none = self.queue.is_empty() && self.fragmenters.is_empty();
        has_none && !self.retransmit_queue.has_lost() && self.may_leave(config)
    }

    /// Bytes of frames that wait for a packet.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Whether anything was sent since the last farewell, before which everything had arrived.
    pub fn has_spoken(&self) -> bool {
        self.has_spoken
    }

    /// Whether everything has left, and has arrived where that is known.
    pub fn is_flushed(&self) -> bool {
        self.queue.is_empty()
            && self.fragmenters.is_empty()
            && self.bulk.is_empty()
            && self.retransmit_queue.is_empty()
    }

    /// Whether messages wait for a CTS.
    pub fn awaits_cts(&self) -> bool {
        !self.rts.is_empty()
    }

    /// Writes the frames of a packet; [`Outgoing::has_packet`] has said that there are any.
    pub fn write(
        &mut self,
        now: Nanos,
        config: &Config,
        into: &mut [u8],
        up: &mut impl UpperLayer,
        stats: &mut Stats,
    ) -> Written {
        if let Some((number, load)) = self.retransmit_queue.send_lost(now) {
            stats.retransmitted += 1;
            let at = load.frames.len();
            into[..at].copy_from_slice(&load.frames);
            let fragment =
                load.fragment.map_or(0, |fragment| write_piece(&fragment, &mut into[at..], up));
            return Written { number, bytes: at + fragment, asks: true };
        }
        stats.sent += 1;
        let number = self.retransmit_queue.next();
        let frames = self.queue.take(into.len());
        let at = frames.len();
        into[..at].copy_from_slice(frames);
        let room = into.len() - at;
        let fragment = next_piece(&mut self.fragmenters, |fragmenter| fragmenter.next(room));
        let bytes = at + fragment.map_or(0, |fragment| write_piece(&fragment, &mut into[at..], up));
        let asks = self.count(now, config, &into[..at], fragment);
        if let Some(fragment) = fragment.filter(|_| !config.retransmits()) {
            self.on_arrived(&fragment, up);
        }
        Written { number, bytes, asks }
    }

    /// Writes a message straight into a packet, not through the queue; [`Outgoing::is_free`].
    pub fn write_whole(
        &mut self,
        now: Nanos,
        config: &Config,
        into: &mut [u8],
        (head, payload): (MatchHeader, &[u8]),
    ) -> Written {
        let (number, order) = (self.retransmit_queue.next(), self.draw_order());
        self.count_eager(payload.len() as u64);
        let bytes = Frame::Whole { order, head, payload }.write(into);
        let asks = self.count(now, config, &into[..bytes], None);
        Written { number, bytes, asks }
    }

    /// A new packet leaves; what it must be kept for is kept. Whether it asks for an answer.
    /// Inlined so that `fragment` stays in registers: read back from the stack in wider words than
    /// it was written in, it cost 4 ns of each packet.
    #[inline(always)]
    fn count(
        &mut self,
        now: Nanos,
        config: &Config,
        frames: &[u8],
        fragment: Option<Fragment>,
    ) -> bool {
        if !config.retransmits() {
            self.retransmit_queue.count();
            return false;
        }
        self.keep(now, frames, fragment);
        self.asks(config)
    }

    /// Whether to ask for an answer: several times in a window, so that it moves on before it is
    /// full, and when nothing more may leave.
    fn asks(&mut self, config: &Config) -> bool {
        self.unasked += 1;
        let has_more = !self.queue.is_empty() || !self.fragmenters.is_empty();
        let asks = self.unasked >= self.window.packets().div_ceil(ASKS_PER_WINDOW)
            || has_more && !self.has_packet(config);
        if asks {
            self.unasked = 0;
        }
        asks
    }

    #[inline(always)]
    fn keep(&mut self, now: Nanos, frames: &[u8], fragment: Option<Fragment>) {
        if self.retransmit_queue.is_empty() {
            self.waiting_since = now;
        }
        let mut memory = Vec::new();
        if !frames.is_empty() {
            memory = self.retransmit_queue.memory();
            memory.extend_from_slice(frames);
        }
        self.retransmit_queue.keep(now, Load { frames: memory, fragment });
    }

    fn on_arrived(&mut self, fragment: &Fragment, up: &mut impl UpperLayer) {
        arrived(&mut self.unarrived, fragment, up);
    }

    /// Takes what the peer says of the room it has.
    pub fn on_room(&mut self, header: &Header) {
        self.limit = self.limit.later(header.limit);
        if Seq(self.eager_taken).is_before(Seq(header.taken)) {
            self.eager_taken = header.taken;
        }
    }

    /// Takes what a packet of the peer says of ours.
    pub fn on_answer(
        &mut self,
        now: Nanos,
        header: &Header,
        config: &Config,
        up: &mut impl UpperLayer,
    ) {
        self.on_room(header);
        if !config.retransmits() {
            return;
        }
        let unarrived = &mut self.unarrived;
        let answered = self.retransmit_queue.on_answer(now, header.ack, header.sacks, |fragment| {
            arrived(unarrived, &fragment, up);
        });
        if answered.packets == 0 {
            return;
        }
        self.rtt.answered();
        self.waiting_since = now;
        self.window.answered(answered.packets);
        if let Some(time) = answered.time {
            self.rtt.measured(time);
        }
        self.find_lost(now, config);
    }

    fn find_lost(&mut self, now: Nanos, config: &Config) {
        if let Some(last) = self.retransmit_queue.find_lost(now, self.rtt.overdue(config)) {
            self.narrow(last);
        }
    }

    /// Losses of packets up to `last`: all that were under way when the window was narrowed count
    /// as one.
    fn narrow(&mut self, last: Seq) {
        if !last.is_before(self.narrowed_until) {
            self.window.lost();
            self.narrowed_until = self.retransmit_queue.next();
        }
    }

    /// When something must be done if no answer comes.
    pub fn deadline(&self, config: &Config) -> Nanos {
        let after = |since: Option<Nanos>, time: Nanos| {
            since.map_or(Nanos::MAX, |since| since.saturating_add(time))
        };
        let unanswered = after(self.retransmit_queue.oldest(), self.rtt.timeout(config));
        unanswered.min(after(self.retransmit_queue.overtaken(), self.rtt.overdue(config)))
    }

    /// The deadline has passed.
    pub fn on_time(&mut self, now: Nanos, config: &Config) {
        self.find_lost(now, config);
        if self.deadline(config) <= now {
            self.rtt.late();
            self.narrow(self.retransmit_queue.first());
            self.retransmit_queue.lose_oldest();
        }
    }

    /// Since when packets have been unanswered, if any are.
    pub fn waiting_since(&self) -> Option<Nanos> {
        (!self.retransmit_queue.is_empty()).then_some(self.waiting_since)
    }
}

fn next_piece(
    fragmenters: &mut VecDeque<Fragmenter>,
    next: impl FnOnce(&mut Fragmenter) -> Option<Fragment>,
) -> Option<Fragment> {
    let fragmenter = fragmenters.front_mut()?;
    let fragment = next(fragmenter);
    if fragmenter.is_over() {
        fragmenters.pop_front();
    }
    fragment
}

fn arrived(unarrived: &mut IdMap<u64>, fragment: &Fragment, up: &mut impl UpperLayer) {
    let Some(left) = unarrived.get_mut(&fragment.send) else { return };
    *left -= u64::from(fragment.len);
    if *left == 0 {
        unarrived.remove(&fragment.send);
        up.sent(fragment.send);
    }
}

fn write_piece(fragment: &Fragment, into: &mut [u8], up: &mut impl UpperLayer) -> usize {
    fragment.write(into, |payload| up.fill(fragment.send, fragment.offset, payload))
}
