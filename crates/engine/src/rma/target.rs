//! What a process does with the messages of a window that arrive: as the target of operations,
//! locks and epochs, and as the origin that hears of their results. Progress calls this; it never
//! waits.

use std::future::poll_fn;
use std::rc::Rc;
use std::sync::Arc;
use std::task::Poll;

use dunlin_base::{Error, ErrorClass, Rank, Result, Tag};
use dunlin_copy::append;
use dunlin_shm::window_part::LockKind;

use crate::engine::tasks::RunBy;
use crate::engine::{Engine, global};
use crate::matching::{Envelope, Pattern};
use crate::memory::alloc::zeroed;
use crate::objects::buffer::UserBuffer;
use crate::objects::comm::Comm;
use crate::objects::window::{Arriving, Flavor, Window};
use crate::objects::zero_copies::LOOKS;
use crate::p2p::node::PACKETS_PER_TURN;
use crate::p2p::request::{Mode, OpInfo};
use crate::rma::message::{
    Data, Header, Kind, decode_failure, encode_failure, nonsense, number, put_number, unpack,
};
use crate::rma::short::Short;
use crate::rma::update;
use crate::threads::progress_thread::Service;

/// In a reply, in place of whether the operation has failed: what was asked follows, since data in
/// the origin's memory could not be read.
const UNREADABLE: u8 = 2;

impl Engine {
    /// Lets progress handle the messages of a window until it is closed; the progress thread, too,
    /// if they may come from other nodes.
    pub(crate) fn serve_window(&self, window: &Rc<Window>) {
        let window = window.clone();
        let by_thread = matches!(self.service, Service::Windows | Service::Overlap)
            && self.nodes_of(&window.comm).count() > 1;
        if by_thread {
            self.messages.borrow_mut().serve(true);
        }
        let serve = poll_fn(move |_| {
            let engine = global::installed();
            if !window.is_closed.get() {
                engine.handle_messages(&window, LOOKS);
                return Poll::Pending;
            }
            if by_thread {
                engine.messages.borrow_mut().serve(false);
            }
            Poll::Ready(())
        });
        self.tasks.add(RunBy::AnybodyForOthers, Box::pin(serve));
    }

    /// Handles the messages that have arrived for any window, in the progress thread. True if a
    /// process of another node waits for a lock, which one of this node may give back without a
    /// message.
    pub(crate) fn serve_all_windows(&self) -> bool {
        let windows = self.windows.borrow();
        let mut is_lock_awaited = false;
        for (_, window) in windows.iter() {
            // The thread may sleep next, until a packet comes.
            self.handle_messages(window, usize::MAX);
            is_lock_awaited |= window.target.borrow().lock.is_awaited();
        }
        is_lock_awaited
    }

    /// Sends a message of a window, which goes when it can.
    pub(crate) fn send_to_window(
        &self,
        window: &Window,
        to: Rank,
        kind: Kind,
        body: Vec<u8>,
    ) -> Result<()> {
        match self.send_to_window_now(window, to, kind, &body)? {
            true => Ok(()),
            false => self.send_to_window_later(window, to, kind, body),
        }
    }

    /// The same, if it can go at once.
    pub(crate) fn send_to_window_now(
        &self,
        window: &Window,
        to: Rank,
        kind: Kind,
        body: &[u8],
    ) -> Result<bool> {
        let Comm { context, rank, .. } = *window.comm;
        let envelope = Envelope { context, source: rank, tag: kind.tag() };
        let route = self.route_in(window, to)?;
        Ok(self.messages.borrow_mut().send_now(route, &envelope, body))
    }

    /// The same, if it cannot.
    pub(crate) fn send_to_window_later(
        &self,
        window: &Window,
        to: Rank,
        kind: Kind,
        body: Vec<u8>,
    ) -> Result<()> {
        let (comm, tag) = (&window.comm, kind.tag());
        let keep = Arc::new(body.into_boxed_slice());
        // SAFETY: the request keeps the message until the transfer is done.
        let buffer = unsafe { UserBuffer::dense(keep.as_ptr().cast_mut(), keep.len()) };
        let mode = Mode::Standard;
        let id = self.isend_in(comm.context, comm, buffer, Some(keep), to, tag, mode)?;
        self.messages.borrow_mut().detach(id)
    }

    /// Handles what ranks of this node have sent to windows, as far as it is next in their rings
    /// and in one packet: to match and to store a message takes longer than to handle it. True if
    /// there was any.
    #[inline]
    pub(crate) fn handle_near_messages(&self) -> bool {
        self.for_near_windows(|window| window.own.get().header.polls.count());
        // Most looks are in vain.
        self.messages.borrow().node.has_something() && self.handle_next_near_messages()
    }

    fn for_near_windows(&self, mut f: impl FnMut(&Window)) {
        for (_, window) in self.windows.borrow().iter().filter(|(_, w)| w.near_messages) {
            f(window);
        }
    }

    #[inline(never)]
    fn handle_next_near_messages(&self) -> bool {
        let windows = self.windows.borrow();
        let of = |context| {
            let is_it = |w: &&Rc<Window>| w.near_messages && w.comm.context == context;
            let window = windows.iter().map(|(_, window)| window).find(is_it)?;
            // What has been matched was sent before what is in the rings.
            window.inbox.borrow().is_empty().then_some(window)
        };
        let (mut body, mut has_handled) = (self.near_windows.arrived.take(), false);
        for _ in 0..PACKETS_PER_TURN {
            let next = self.messages.borrow_mut().take_next(of, &mut body);
            let Some((Envelope { source, tag, .. }, window)) = next else { break };
            if !has_handled {
                self.for_near_windows(|window| window.own.get().header.polls.begin());
            }
            self.handle(window, source, tag, &body);
            has_handled = true;
        }
        self.near_windows.arrived.replace(body);
        if has_handled {
            self.for_near_windows(|window| window.own.get().header.polls.count());
        }
        has_handled
    }

    /// Between two polls: handles such messages, or leaves the line alone for a moment. True if
    /// there was any.
    #[inline]
    pub(crate) fn pause_or_handle(&self) -> bool {
        let has_handled = self.near_windows.count.get() > 0 && self.handle_near_messages();
        if !has_handled {
            self.node.pause();
        }
        has_handled
    }

    /// Handles what has arrived, and looks at so many transfers of data.
    fn handle_messages(&self, window: &Window, looks: usize) {
        self.send_all_packed(window);
        let is_any_kept = self.messages.borrow().transfers.matching.unexpected_len() > 0;
        if is_any_kept || !window.inbox.borrow().is_empty() {
            self.handle_arrived(window);
        }
        self.end_remote_transfers(window);
        let has_transfers = !window.origin.borrow().zero_copies.is_empty();
        if !has_transfers && window.target.borrow().is_idle() {
            return;
        }
        self.end_zero_copies(window, looks);
        if window.target.borrow().lock.is_awaited() {
            self.grant_waiting(window);
        }
        self.handle_released(window);
        self.tell_holder(window);
    }

    fn handle_arrived(&self, window: &Window) {
        let pattern = Pattern { context: window.comm.context, source: None, tag: None };
        loop {
            let mut messages = self.messages.borrow_mut();
            let Some((envelope, body)) = messages.transfers.matching.take(&pattern) else { break };
            let (from, tag) = (envelope.source, envelope.tag);
            let (receive, data) = match messages.take_data(body) {
                Ok(data) => (None, data),
                Err(body) => {
                    let mut data = vec![0; body.bytes() as usize].into_boxed_slice();
                    // SAFETY: the box stays in the inbox until the receive is complete.
                    let buffer = unsafe { UserBuffer::dense(data.as_mut_ptr(), data.len()) };
                    let op_info = OpInfo { comm: window.comm.clone(), peer: Some(from), tag: None };
                    (Some(messages.receive_taken(&envelope, body, buffer, op_info)), data)
                }
            };
            window.inbox.borrow_mut().push_back(Arriving { from, tag, receive, data });
        }
        while let Some(arrived) = self.next_arrived(window) {
            self.handle(window, arrived.from, arrived.tag, &arrived.data);
        }
    }

    /// Tells the launcher who holds the lock for which processes wait that cannot see it.
    fn tell_holder(&self, window: &Window) {
        let mut target = window.target.borrow_mut();
        let (is_awaited, was_told) = (target.lock.is_awaited(), target.is_lock_told);
        if is_awaited || was_told {
            let (locks, context) =
                (self.node.view(self.node.me()).awaited_locks(), window.comm.context);
            match is_awaited {
                true => locks.publish(context, window.own.get().header.lock.holder()),
                false => locks.withdraw(context),
            }
            target.is_lock_told = is_awaited;
        }
    }

    /// Others of this node may have given back the lock for which processes of other nodes wait.
    fn grant_waiting(&self, window: &Window) {
        let granted = window.target.borrow_mut().lock.grant(&window.own.get().header.lock);
        if let Err(error) = self.grant(window, &granted) {
            window.origin.borrow_mut().failure.get_or_insert(error);
        }
    }

    fn next_arrived(&self, window: &Window) -> Option<Arriving> {
        let mut inbox = window.inbox.borrow_mut();
        if let Some(receive) = inbox.front()?.receive {
            self.messages.borrow_mut().transfers.requests.take_if_done(receive)?;
        }
        inbox.pop_front()
    }

    fn handle(&self, window: &Window, from: Rank, tag: Tag, body: &[u8]) {
        let outcome = match Kind::from_tag(tag) {
            Some(Kind::Packed) if self.is_near(window, from) => {
                self.handle_near_packet(window, from, body)
            }
            Some(Kind::Packed) => self.handle_packed(window, from, body),
            Some(kind) => self.handle_or_hold(window, from, kind, body),
            None => Err(nonsense()),
        };
        note_failure(window, from, outcome.and(self.send_answers(window, from)));
        self.handle_released(window);
    }

    /// Handles a packet of this node, unless its origin has taken it back.
    fn handle_near_packet(&self, window: &Window, from: Rank, body: &[u8]) -> Result<()> {
        let packet = {
            let last = &mut window.target.borrow_mut().packets[from as usize];
            *last = last.wrapping_add(1);
            *last
        };
        let packets = &window.own.get().counters[from as usize].packets;
        if !packets.begin(packet) {
            packets.skip(packet);
            self.wake_neighbours(window);
            return Ok(());
        }
        let outcome = self.handle_packed(window, from, body);
        packets.end(packet);
        outcome
    }

    fn handle_packed(&self, window: &Window, from: Rank, mut packed: &[u8]) -> Result<()> {
        while !packed.is_empty() {
            if Short::is_next(packed) {
                let (short, data) = Short::unpack(&mut packed)?;
                note_failure(window, from, self.perform_short(window, from, short, data));
                if short.flushes {
                    note_failure(window, from, self.acknowledge(window, from));
                }
                continue;
            }
            let (kind, body) = unpack(&mut packed)?;
            note_failure(window, from, self.handle_or_hold(window, from, kind, body));
        }
        Ok(())
    }

    /// Handles a message, unless its origin still waits for the lock, or data of what it has asked
    /// before is on its way: then when it has the lock, or the data has moved.
    fn handle_or_hold(&self, window: &Window, from: Rank, kind: Kind, body: &[u8]) -> Result<()> {
        if !kind.is_answer() {
            let mut target = window.target.borrow_mut();
            let waits = match kind.is_transfer() {
                true => target.lock.waits(from),
                false => target.must_wait(from),
            };
            // One of this node waits for the answer itself before it sends anything.
            let waits = waits && self.is_far(window, from);
            // To look into an empty map takes 10 ns.
            if waits || !target.held.is_empty() && target.held.contains_key(&from) {
                target.held.entry(from).or_default().push_back((kind.tag(), body.into()));
                return Ok(());
            }
        }
        self.handle_kind(window, from, kind, body)
    }

    /// Handles what was held of origins that need not wait any more: it may give others the lock.
    fn handle_released(&self, window: &Window) {
        loop {
            let Some(from) = window.target.borrow_mut().released.pop_front() else { break };
            let held = {
                let mut target = window.target.borrow_mut();
                // Another reason may have come meanwhile.
                if target.must_wait(from) { None } else { target.held.remove(&from) }
            };
            for (tag, body) in held.into_iter().flatten() {
                let kind = Kind::from_tag(tag).ok_or_else(nonsense);
                let outcome = kind.and_then(|kind| self.handle_or_hold(window, from, kind, &body));
                note_failure(window, from, outcome);
            }
            note_failure(window, from, self.send_answers(window, from));
        }
    }

    fn handle_kind(&self, window: &Window, from: Rank, kind: Kind, body: &[u8]) -> Result<()> {
        match kind {
            Kind::Accumulate if number(&mut &*body)? > 0 => {
                self.accumulate_at_origin(window, from, body)
            }
            Kind::Put | Kind::Accumulate => self.perform(window, from, kind, body).map(|_| ()),
            Kind::Get | Kind::GetAccumulate | Kind::CompareAndSwap => {
                let result = self.perform(window, from, kind, body).transpose();
                result.map_or(Ok(()), |result| self.answer(window, from, body, result))
            }
            Kind::Flush => self.acknowledge(window, from),
            Kind::Unlock => {
                let lock = &window.own.get().header.lock;
                let granted = window.target.borrow_mut().lock.release(lock, from);
                self.wake_those_who_wait(window, lock);
                self.acknowledge(window, from)?;
                self.grant(window, &granted)
            }
            Kind::LockShared | Kind::LockExclusive => {
                let is_shared = kind == Kind::LockShared;
                let kind = if is_shared { LockKind::Shared } else { LockKind::Exclusive };
                let lock = &window.own.get().header.lock;
                let granted = window.target.borrow_mut().lock.ask(lock, from, kind);
                self.grant(window, &granted)
            }
            Kind::TryLockShared => {
                let lock = &window.own.get().header.lock;
                let is_free = window.target.borrow_mut().lock.try_shared(lock, from);
                let answer = if is_free { Kind::Granted } else { Kind::Refused };
                self.send_to_window(window, from, answer, Vec::new())
            }
            Kind::Complete => {
                let completes = &mut window.target.borrow_mut().completes[from as usize];
                *completes = completes.wrapping_add(1);
                Ok(())
            }
            Kind::Answers => self.hear_answers(window, from, body),
            Kind::Packed => Err(nonsense()),
            _ => self.hear(window, from, kind, body),
        }
    }

    /// Tells those who have the lock now. Those of other nodes do not wait for it: what they have
    /// sent meanwhile is handled.
    fn grant(&self, window: &Window, to: &[Rank]) -> Result<()> {
        if let Some(rank) = window.target.borrow().lock.alone().filter(|_| !to.is_empty()) {
            window.own.get().header.lock.publish_holder(window.comm.process(rank)?);
        }
        let (far, near): (Vec<Rank>, Vec<Rank>) =
            to.iter().partition(|to| self.is_far(window, **to));
        window.target.borrow_mut().released.extend(far);
        near.into_iter()
            .try_for_each(|to| self.send_to_window(window, to, Kind::Granted, Vec::new()))
    }

    fn acknowledge(&self, window: &Window, to: Rank) -> Result<()> {
        let failure = {
            let failures = &mut window.target.borrow_mut().failures;
            // To look into an empty map takes 10 ns.
            if failures.is_empty() { None } else { failures.remove(&to) }
        };
        if failure.is_none() && self.is_near(window, to) {
            self.answer_done();
            return Ok(());
        }
        self.answer_in_message(window, to, (Kind::Acknowledge, encode_failure(failure.as_ref())))
    }

    /// Sends the result of an operation: its number, whether it has failed, and the data or why.
    fn answer(
        &self,
        window: &Window,
        to: Rank,
        body: &[u8],
        result: Result<Box<[u8]>>,
    ) -> Result<()> {
        let (mut rest, mut message) = (body, Vec::new());
        put_number(&mut message, number(&mut rest)?);
        message.push(result.is_err().into());
        match &result {
            Ok(data) => append(&mut message, data),
            Err(error) => message.extend(encode_failure(Some(error))),
        }
        self.answer_in_message(window, to, (Kind::Reply, message))
    }

    /// Accumulates data that is in the origin's memory. If the kernel does not read it, the origin
    /// gets the question back, and does it itself.
    fn accumulate_at_origin(&self, window: &Window, from: Rank, body: &[u8]) -> Result<()> {
        let header = {
            let mut target = window.target.borrow_mut();
            let remembered = target.remembered.get_mut(from as usize).ok_or_else(nonsense)?;
            Header::decode(body, remembered)?.0
        };
        let Data::AtOrigin(address) = header.data else { return Err(nonsense()) };
        let mut done = |mut memory: UserBuffer| {
            self.accumulate_from(window, (from, address), &header, &mut memory)
        };
        match named_memory(window, &header).and_then(&mut done) {
            Ok(true) => self.answer(window, from, body, Ok(Box::default())),
            Err(error) => self.answer(window, from, body, Err(error)),
            Ok(false) => {
                let mut message = Vec::new();
                put_number(&mut message, header.reply);
                message.push(UNREADABLE);
                append(&mut message, body);
                self.answer_in_message(window, from, (Kind::Reply, message))
            }
        }
    }

    /// What an origin hears.
    fn hear(&self, window: &Window, from: Rank, kind: Kind, body: &[u8]) -> Result<()> {
        let mut origin = window.origin.borrow_mut();
        let peer = &mut origin.peers[from as usize];
        peer.has_answered = true;
        match kind {
            Kind::Post => peer.posts = peer.posts.wrapping_add(1),
            Kind::Granted | Kind::Refused => peer.lock_answer = Some(kind == Kind::Granted),
            Kind::Acknowledge => {
                peer.awaited = peer.awaited.saturating_sub(1);
                peer.forget_if_settled();
                if let Some(failure) = decode_failure(body) {
                    origin.failure.get_or_insert(failure);
                }
            }
            _ => {
                let mut rest = body;
                let number = number(&mut rest)?;
                let (failed, data) = rest.split_first().ok_or_else(nonsense)?;
                if *failed == UNREADABLE {
                    peer.sent.note_unreadable();
                    drop(origin);
                    if let Err(error) = self.accumulate_what_was_asked(window, from, data) {
                        window.origin.borrow_mut().failure.get_or_insert(error);
                    }
                    return Ok(());
                }
                let reply = origin.take_reply(number).ok_or_else(nonsense)?;
                if *failed == 0 {
                    match reply.bounce.take() {
                        Some(buffer) => self.copy_result(buffer, &mut reply.buffer.borrow_mut()),
                        None => reply.buffer.borrow_mut().unpack(0, data),
                    }
                } else {
                    self.cancel_zero_copy(&mut origin, number);
                    let failure = decode_failure(data);
                    reply.error.replace(failure.clone());
                    origin.failure = origin.failure.take().or(failure);
                }
                reply.is_done.set(true);
            }
        }
        Ok(())
    }

    /// Does an operation on this process's memory; returns what was there before, where it is
    /// wanted, unless it goes apart.
    fn perform(
        &self,
        window: &Window,
        from: Rank,
        kind: Kind,
        body: &[u8],
    ) -> Result<Option<Box<[u8]>>> {
        let (header, data) = {
            let mut target = window.target.borrow_mut();
            Header::decode(body, target.remembered.get_mut(from as usize).ok_or_else(nonsense)?)?
        };
        let memory = named_memory(window, &header);
        if header.data == Data::Apart {
            self.serve_zero_copy(window, from, kind, &header, memory)?;
            return Ok(None);
        }
        let mut memory = memory?;
        if matches!(header.data, Data::AtOrigin(_)) {
            return Err(nonsense());
        }
        if let Data::Bounced(address) = header.data {
            let bytes = memory.bytes();
            let [data, mut into] = self.in_bounce_buffer(window, from, address, kind, bytes)?;
            match kind {
                Kind::Put => memory.copy_from(&data),
                Kind::Get => into.copy_from(&memory),
                Kind::CompareAndSwap => return Err(nonsense()),
                _ => {
                    let into = (kind == Kind::GetAccumulate).then_some(&mut into);
                    let _guard = window.own.get().header.updates.lock();
                    let element = header.datatype.element();
                    update::accumulate(&mut memory, element, header.op, &data, into)?;
                }
            }
            return Ok(Some(Box::default()));
        }
        let mut old = zeroed(if kind.has_result() { memory.bytes() } else { 0 })?;
        // SAFETY: they live until the end of this function, and nobody changes what was sent.
        let (mut into, sent) = unsafe {
            (UserBuffer::dense(old.as_mut_ptr(), old.len()), |data: &[u8]| {
                UserBuffer::dense(data.as_ptr().cast_mut(), data.len())
            })
        };
        // Origins of this node change the memory themselves, under the same lock.
        let updates = &window.own.get().header.updates;
        match kind {
            Kind::Put => memory.unpack(0, data),
            Kind::Get => into.copy_from(&memory),
            Kind::CompareAndSwap => {
                let (new, compare) = data.split_at_checked(memory.bytes()).ok_or_else(nonsense)?;
                let _guard = updates.lock();
                update::compare_and_swap(&mut memory, [&sent(new), &sent(compare)], &mut into)?;
            }
            _ => {
                let (element, op) = (header.datatype.element(), header.op);
                let into = (kind == Kind::GetAccumulate).then_some(&mut into);
                let _guard = updates.lock();
                update::accumulate(&mut memory, element, op, &sent(data), into)?;
            }
        }
        Ok(Some(old))
    }
}

/// What an origin asked could not be done: it is told when it asks.
pub(crate) fn note_failure(window: &Window, from: Rank, outcome: Result<()>) {
    if let Err(error) = outcome {
        window.target.borrow_mut().failures.entry(from).or_insert(error);
    }
}

/// The memory that an operation names, if all of it belongs to the window.
fn named_memory(window: &Window, header: &Header) -> Result<UserBuffer> {
    let (datatype, count) = (&header.datatype, header.count);
    if datatype.bytes_of(count)? == 0 {
        return Ok(UserBuffer::EMPTY);
    }
    let part = window.own_part();
    let start = match window.flavor {
        Flavor::Dynamic => Some(header.displacement),
        _ => header.displacement.checked_mul(part.unit as i64),
    };
    let (lo, hi) = datatype.bounds(count);
    let ends = start.and_then(|start| Some((start.checked_add(lo)?, start.checked_add(hi)?)));
    let is_within = ends.is_some_and(|(lo, hi)| match window.flavor {
        Flavor::Dynamic => is_attached(window, lo, hi),
        _ => lo >= 0 && hi <= part.size as i64,
    });
    let (Some(start), true) = (start, is_within) else {
        let bytes = datatype.size().saturating_mul(count);
        return Err(outside(window, window.comm.rank, header.displacement, bytes));
    };
    let address = match window.flavor {
        Flavor::Dynamic => std::ptr::with_exposed_provenance_mut(start as usize),
        _ => window.base.wrapping_offset(start as isize),
    };
    // SAFETY: within the window, whose memory the program has given for such accesses until it
    // frees the window or detaches the memory.
    unsafe { UserBuffer::new(address, count, datatype) }
}

/// Whether this process has attached all bytes from `lo` to `hi`.
pub(crate) fn is_attached(window: &Window, lo: i64, hi: i64) -> bool {
    let (Ok(mut lo), Ok(hi)) = (usize::try_from(lo), usize::try_from(hi)) else { return false };
    let target = window.target.borrow();
    // Pieces may follow one another without a gap.
    while lo < hi {
        let below = target.attached.range(..=lo).next_back();
        match below.map(|(start, bytes)| start + bytes) {
            Some(end) if end > lo => lo = end,
            _ => return false,
        }
    }
    true
}

/// Bytes at a displacement of a process's part are not all within it.
pub(crate) fn outside(window: &Window, target: Rank, at: i64, bytes: usize) -> Error {
    let (name, part) = (window.shown_name(), window.parts[target as usize]);
    let what = match window.flavor {
        Flavor::Dynamic => "is not attached".to_string(),
        _ => format!("has {} bytes in units of {}", part.size, part.unit),
    };
    let text =
        format!("{bytes} bytes at displacement {at} of rank {target} in {name}, which {what}");
    Error::new(ErrorClass::RmaRange, text)
}
