//! What goes to one peer: small frames, long messages, and packets that must be sent again.

use std::collections::VecDeque;

use crate::config::{Config, Nanos};
use crate::frame::{Frame, Head, Order, Spot};
use crate::header::Header;
use crate::numbered::Numbered;
use crate::outbox::{Load, Outbox};
use crate::queue::Queue;
use crate::rtt::Rtt;
use crate::seq::Seq;
use crate::stats::Stats;
use crate::stream::{Piece, Stream, Target};
use crate::upper::Upper;
use crate::window::Window;

/// Stands for the number of a receive where an offered message is not taken but dropped, because
/// its sender has asked for that.
pub const WITHDRAWN: u32 = u32::MAX;

/// What a message costs of the receiver's memory besides its bytes.
const MESSAGE_COST: u32 = 64;

/// Packets by which the end of a message goes ahead at most: more cost as much as one more of the
/// second way.
const ENDS_MAX: usize = 2;

/// Answers asked for while a window of packets leaves.
const ASKS_PER_WINDOW: u32 = 4;

/// What an eager message counts against [`Config::eager_budget`].
pub(crate) fn eager_cost(bytes: u64) -> u32 {
    (bytes as u32).wrapping_add(MESSAGE_COST)
}

/// One direction of a connection.
#[derive(Debug)]
pub(crate) struct Outgoing {
    queue: Queue,
    streams: VecDeque<Stream>,
    /// Those that go the second way.
    bulk: VecDeque<Stream>,
    outbox: Outbox,
    window: Window,
    rtt: Rtt,
    /// The peer takes packets before this one.
    limit: Seq,
    next_order: Seq,
    eager_sent: u32,
    eager_taken: u32,
    /// Bytes of messages that wait to be asked for, by number.
    offered: Numbered<u64>,
    /// Bytes of messages in pieces that have not arrived, by number.
    unarrived: Numbered<u64>,
    /// Packets sent since an answer was asked for.
    unasked: u32,
    /// Losses before this packet have narrowed the window already.
    narrowed_until: Seq,
    /// When the first of the packets that are unanswered now was sent.
    waiting_since: Nanos,
}

/// What a packet came to be.
pub(crate) struct Written {
    pub number: Seq,
    pub bytes: usize,
    /// An answer is wanted now.
    pub asks: bool,
}

impl Outgoing {
    pub fn new(config: &Config) -> Self {
        Outgoing {
            queue: Queue::default(),
            streams: VecDeque::new(),
            bulk: VecDeque::new(),
            outbox: Outbox::default(),
            window: Window::new(config.window),
            rtt: Rtt::default(),
            // As the peer would say if it had been asked.
            limit: Seq(config.window),
            next_order: Seq(0),
            eager_sent: 0,
            eager_taken: 0,
            offered: Numbered::default(),
            unarrived: Numbered::default(),
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

    /// A message of so many bytes goes unasked.
    fn count_eager(&mut self, bytes: u64) {
        self.eager_sent = self.eager_sent.wrapping_add(eager_cost(bytes));
    }

    fn draw_order(&mut self) -> Order {
        let order = Order(self.next_order);
        self.next_order = self.next_order.plus(1);
        order
    }

    pub fn whole(&mut self, head: Head, payload: &[u8]) {
        let order = self.draw_order();
        self.count_eager(payload.len() as u64);
        self.queue.push(&Frame::Whole { order, head, payload });
    }

    /// Writes what stands before a message that leaves in one packet of the second way.
    pub fn write_whole_front(&self, head: Head, len: usize, into: &mut [u8]) {
        let order = Order(self.next_order);
        Frame::Whole { order, head, payload: &[] }.write_front(len, into);
    }

    /// That message has left.
    pub fn sent_whole(&mut self, len: usize) {
        self.draw_order();
        self.count_eager(len as u64);
    }

    pub fn segments(&mut self, head: Head, total: u32, send: u32, config: &Config) {
        let order = self.draw_order();
        self.count_eager(total.into());
        let target = Target::Message { order, head, total };
        self.stream(Stream::new(target, send, total.into()), config);
    }

    pub fn offer(&mut self, head: Head, bytes: u64, send: u32, spot: Option<Spot>) {
        let order = self.draw_order();
        self.offered.insert(send, bytes);
        self.queue.push(&Frame::Offer { order, head, bytes, send, spot });
    }

    pub fn pull(&mut self, send: u32, receive: u32, wanted: u64) {
        self.queue.push(&Frame::Pull { send, receive, wanted });
    }

    pub fn bye(&mut self) {
        self.queue.push(&Frame::Bye);
    }

    /// The peer asks for a message. One that was not offered to it is not given.
    pub fn on_pull(
        &mut self,
        (send, receive): (u32, u32),
        wanted: u64,
        config: &Config,
        up: &mut impl Upper,
    ) {
        let Some(bytes) = self.offered.remove(&send) else { return };
        match wanted.min(bytes) {
            0 if receive == WITHDRAWN => up.withdrawn(send),
            0 => up.sent(send),
            wanted => self.stream(Stream::new(Target::Receive(receive), send, wanted), config),
        }
    }

    fn stream(&mut self, stream: Stream, config: &Config) {
        self.unarrived.insert(stream.send, stream.left());
        match config.in_bulk(stream.left()) {
            true => self.bulk.push_back(stream),
            false => self.streams.push_back(stream),
        }
    }

    /// If the message that is next to go the second way fills packets and little sticks out, that
    /// goes ahead by the first way: who has it knows what comes.
    pub fn queue_end(&mut self, config: &Config, up: &mut impl Upper) {
        let Some(stream) = self.bulk.front_mut() else { return };
        let piece_max = config.end_bytes_max();
        let Some(end) = stream.split_end(config.bulk_room(0), ENDS_MAX * piece_max) else {
            return;
        };
        let (target, send, mut offset) = (stream.target, stream.send, end.start);
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

    /// Whether something is to go the second way.
    pub fn has_bulk(&self) -> bool {
        !self.bulk.is_empty()
    }

    /// What a packet of so many bytes that goes the second way would carry.
    pub fn next_bulk(&self, room: usize) -> Option<Piece> {
        self.bulk.front().and_then(|stream| { *stream }.next_even(room))
    }

    /// That packet has been handed over, and arrives.
    pub fn sent_bulk(&mut self, room: usize, up: &mut impl Upper) {
        if let Some(piece) = next_piece(&mut self.bulk, |stream| stream.next_even(room)) {
            self.on_arrived(&piece, up);
        }
    }

    /// Whether there are frames to send and a packet may leave.
    pub fn has_packet(&self, config: &Config) -> bool {
        if self.outbox.has_lost() {
            return true;
        }
        let has_new = !self.queue.is_empty() || !self.streams.is_empty();
        has_new
            && self.outbox.next().is_before(self.limit)
            && (!config.resends() || self.outbox.flying() < self.window.packets())
    }

    /// Bytes of frames that wait for a packet.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Whether everything has left, and has arrived where that is known.
    pub fn is_flushed(&self) -> bool {
        self.queue.is_empty()
            && self.streams.is_empty()
            && self.bulk.is_empty()
            && self.outbox.is_empty()
    }

    /// Whether messages wait to be asked for.
    pub fn has_offers(&self) -> bool {
        !self.offered.is_empty()
    }

    /// Writes the frames of a packet; [`Outgoing::has_packet`] has said that there are any.
    pub fn write(
        &mut self,
        now: Nanos,
        config: &Config,
        into: &mut [u8],
        up: &mut impl Upper,
        stats: &mut Stats,
    ) -> Written {
        if let Some((number, load)) = self.outbox.send_lost(now) {
            stats.sent_again += 1;
            let at = load.frames.len();
            into[..at].copy_from_slice(&load.frames);
            let piece = load.piece.map_or(0, |piece| write_piece(&piece, &mut into[at..], up));
            return Written { number, bytes: at + piece, asks: true };
        }
        stats.sent += 1;
        let number = self.outbox.next();
        let frames = self.queue.take(into.len());
        let at = frames.len();
        into[..at].copy_from_slice(frames);
        let room = into.len() - at;
        let piece = next_piece(&mut self.streams, |stream| stream.next(room));
        let bytes = at + piece.map_or(0, |piece| write_piece(&piece, &mut into[at..], up));
        let mut asks = false;
        if config.resends() {
            self.keep(now, &into[..at], piece);
            asks = self.asks(config);
        } else {
            self.outbox.count();
            if let Some(piece) = piece {
                self.on_arrived(&piece, up);
            }
        }
        Written { number, bytes, asks }
    }

    /// Whether to ask for an answer: several times in a window, so that it moves on before it is
    /// full, and when nothing more may leave.
    fn asks(&mut self, config: &Config) -> bool {
        self.unasked += 1;
        let has_more = !self.queue.is_empty() || !self.streams.is_empty();
        let asks = self.unasked >= self.window.packets().div_ceil(ASKS_PER_WINDOW)
            || has_more && !self.has_packet(config);
        if asks {
            self.unasked = 0;
        }
        asks
    }

    fn keep(&mut self, now: Nanos, frames: &[u8], piece: Option<Piece>) {
        if self.outbox.is_empty() {
            self.waiting_since = now;
        }
        let mut memory = Vec::new();
        if !frames.is_empty() {
            memory = self.outbox.memory();
            memory.extend_from_slice(frames);
        }
        self.outbox.keep(now, Load { frames: memory, piece });
    }

    fn on_arrived(&mut self, piece: &Piece, up: &mut impl Upper) {
        arrived(&mut self.unarrived, piece, up);
    }

    /// Takes what the peer says of the room it has.
    pub fn on_room(&mut self, header: &Header) {
        self.limit = self.limit.later(header.limit);
        if Seq(self.eager_taken).is_before(Seq(header.taken)) {
            self.eager_taken = header.taken;
        }
    }

    /// Takes what a packet of the peer says of ours.
    pub fn on_answer(&mut self, now: Nanos, header: &Header, config: &Config, up: &mut impl Upper) {
        self.on_room(header);
        if !config.resends() {
            return;
        }
        let unarrived = &mut self.unarrived;
        let answered = self.outbox.on_answer(now, header.ack, header.sacks, |piece| {
            arrived(unarrived, &piece, up);
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
        if let Some(last) = self.outbox.find_lost(now, self.rtt.overdue(config)) {
            self.narrow(last);
        }
    }

    /// Losses of packets up to `last`: all that were under way when the window was narrowed count
    /// as one.
    fn narrow(&mut self, last: Seq) {
        if !last.is_before(self.narrowed_until) {
            self.window.lost();
            self.narrowed_until = self.outbox.next();
        }
    }

    /// When something must be done if no answer comes.
    pub fn deadline(&self, config: &Config) -> Nanos {
        let after = |since: Option<Nanos>, time: Nanos| {
            since.map_or(Nanos::MAX, |since| since.saturating_add(time))
        };
        let unanswered = after(self.outbox.oldest(), self.rtt.patience(config));
        unanswered.min(after(self.outbox.overtaken(), self.rtt.overdue(config)))
    }

    /// The deadline has passed.
    pub fn on_time(&mut self, now: Nanos, config: &Config) {
        self.find_lost(now, config);
        if self.deadline(config) <= now {
            self.rtt.late();
            self.narrow(self.outbox.first());
            self.outbox.lose_oldest();
        }
    }

    /// Since when packets have been unanswered, if any are.
    pub fn waiting_since(&self) -> Option<Nanos> {
        (!self.outbox.is_empty()).then_some(self.waiting_since)
    }
}

fn next_piece(
    streams: &mut VecDeque<Stream>,
    next: impl FnOnce(&mut Stream) -> Option<Piece>,
) -> Option<Piece> {
    let stream = streams.front_mut()?;
    let piece = next(stream);
    if stream.is_over() {
        streams.pop_front();
    }
    piece
}

fn arrived(unarrived: &mut Numbered<u64>, piece: &Piece, up: &mut impl Upper) {
    let Some(left) = unarrived.get_mut(&piece.send) else { return };
    *left -= u64::from(piece.len);
    if *left == 0 {
        unarrived.remove(&piece.send);
        up.sent(piece.send);
    }
}

fn write_piece(piece: &Piece, into: &mut [u8], up: &mut impl Upper) -> usize {
    piece.write(into, |payload| up.fill(piece.send, piece.offset, payload))
}
