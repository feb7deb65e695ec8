//! Short operations that a target of this node has not begun when it stops to poll, because it
//! computes or has lost its core: their origin takes the packets back and does them itself, by
//! copies of the kernel, as it would have done had it known. So a message saves time where the
//! target polls, and no origin waits for one that does not. Nothing but short operations, and
//! accumulates whose data is still in the origin's memory, can be taken back: with others under way
//! all waits for the target.

use std::collections::VecDeque;

use dunlin_base::one_sided::SHORT_BYTES_MAX;
use dunlin_base::single_copy::SingleCopy;
use dunlin_base::{Rank, Result};
use dunlin_datatype::reduce::Op;
use dunlin_shm::window_part::WindowPart;

use crate::engine::Engine;
use crate::objects::window::{ShortResult, Window};
use crate::objects::window_layouts::Remembered;
use crate::rma::direct::There;
use crate::rma::message::{Data, Header, Kind, nonsense, unpack};
use crate::rma::short::Short;
use crate::rma::target_buffer::Target;
use crate::rma::update::{swap_bytes, update_bytes};

impl Engine {
    /// Whether a target is expected to handle a short operation soon.
    pub(crate) fn expects_poll(&self, window: &Window, rank: Rank) -> bool {
        let is_slow = self.messages.borrow().node.single_copy == SingleCopy::Long;
        if !self.own_core.get() && !is_slow {
            // It has to get a core first, which takes longer than a quick call of the kernel.
            return false;
        }
        let Some(part) = window.shared_part(rank) else { return true };
        let peer = &mut window.origin.borrow_mut().peers[rank as usize];
        let taken = peer.sent.last_taken();
        let packets = &part.counters[window.comm.rank as usize].packets;
        // The line of this number does not change while the target is away.
        peer.poll_guess.expects(|| Some(packets.skipped()) == taken)
    }

    /// Takes back what a target has not begun, and does it and what has not been sent yet, if the
    /// target does not poll; whether there was anything to take back.
    pub(crate) fn take_back_if_away(&self, window: &Window, rank: Rank) -> bool {
        let Some(part) = window.shared_part(rank) else { return false };
        if window.origin.borrow().peers[rank as usize].sent.last_to_take().is_none() {
            return false;
        }
        let before = part.header.polls.so_far();
        !self.polls_soon(&part.header.polls, before) && self.take_back(window, rank, part)
    }

    fn take_back(&self, window: &Window, rank: Rank, part: WindowPart<'_>) -> bool {
        let packets = &part.counters[window.comm.rank as usize].packets;
        let (taken, mut results) = {
            let peer = &mut window.origin.borrow_mut().peers[rank as usize];
            let keeps_all = peer.sent.keeps_all_behind(packets.done());
            let last = peer.sent.last_to_take().filter(|_| keeps_all);
            let Some((last, done)) = last.and_then(|last| Some((last, packets.take_back(last)?)))
            else {
                return false;
            };
            if done == last {
                // The answers are on their way.
                peer.sent.forget_until(done);
                return false;
            }
            peer.poll_guess.was_wrong();
            // All that was sent is done now, or will be below.
            peer.is_dirty = false;
            peer.long_ways.iter_mut().for_each(|ways| ways.do_not_time());
            let mut taken = peer.sent.take_behind(done);
            taken.push_back(peer.take_packed());
            let count = taken.iter().map(|packet| results_of(packet)).sum();
            let first = peer.short_results.len().saturating_sub(count);
            (taken, peer.short_results.split_off(first))
        };
        for packet in taken {
            if let Err(error) = self.do_packet(window, rank, part, (&packet, &mut results)) {
                window.origin.borrow_mut().failure.get_or_insert(error);
            }
        }
        self.note_acknowledgements(window, rank);
        true
    }

    /// Does what a packet says, all of which this process has written.
    fn do_packet(
        &self,
        window: &Window,
        rank: Rank,
        part: WindowPart<'_>,
        (mut packet, results): (&[u8], &mut VecDeque<ShortResult>),
    ) -> Result<()> {
        let mut outcome = Ok(());
        while !packet.is_empty() {
            if Short::is_next(packet) {
                let (short, data) = Short::unpack(&mut packet)?;
                let result = if short.kind.has_result() { results.pop_front() } else { None };
                outcome = outcome.and(self.do_short(window, rank, part, short, (data, result)));
                let peer = &mut window.origin.borrow_mut().peers[rank as usize];
                peer.replies -= u32::from(result.is_some());
                peer.awaited = peer.awaited.saturating_sub(short.flushes.into());
                continue;
            }
            let (kind, body) = unpack(&mut packet)?;
            match kind {
                Kind::Flush => {
                    let peer = &mut window.origin.borrow_mut().peers[rank as usize];
                    peer.awaited = peer.awaited.saturating_sub(1);
                }
                Kind::Complete => {
                    window.tell_completion(rank, part);
                    self.wake_neighbours(window);
                }
                Kind::Accumulate => {
                    outcome = outcome.and(self.accumulate_what_was_asked(window, rank, body));
                }
                _ => return Err(nonsense()),
            }
        }
        outcome
    }

    /// Does a long accumulate that a target was asked for, of data in this process's memory.
    pub(crate) fn accumulate_what_was_asked(
        &self,
        window: &Window,
        rank: Rank,
        asked: &[u8],
    ) -> Result<()> {
        let (header, _) = Header::decode(asked, &mut Remembered::default())?;
        let Header { displacement, count, datatype, op, data, reply } = header;
        let Data::AtOrigin(address) = data else { return Err(nonsense()) };
        let reply = window.origin.borrow_mut().take_reply(reply).ok_or_else(nonsense)?;
        let target = Target { rank, displacement, count, datatype };
        let start = std::ptr::with_exposed_provenance(address as usize);
        // SAFETY: this process has written what was asked, and the program leaves so many bytes
        // there as they are until the reply is done, which it is not yet.
        let data = unsafe { std::slice::from_raw_parts(start, target.bytes()) };
        let outcome = self.accumulate_by_kernel(window, &target, op, data);
        reply.error.replace(outcome.as_ref().err().cloned());
        reply.is_done.set(true);
        outcome
    }

    fn do_short(
        &self,
        window: &Window,
        rank: Rank,
        part: WindowPart<'_>,
        short: Short,
        (data, result): (&[u8], Option<ShortResult>),
    ) -> Result<()> {
        let at = window.parts[rank as usize].copied_at(short.start as i64);
        let (peer, address) = at.ok_or_else(nonsense)?;
        let there = There { peer, address, is_timed: false };
        let refused = |is_done: bool| if is_done { Ok(()) } else { Err(self.half_done(there)) };
        let bytes = short.bytes as usize;
        if short.kind == Kind::Put {
            return self.write_there(there, data).and_then(refused);
        }
        let _guard = (short.kind != Kind::Get).then(|| part.header.updates.lock());
        let mut memory = [0; SHORT_BYTES_MAX];
        let memory = memory.get_mut(..bytes).ok_or_else(nonsense)?;
        self.read_there(there, memory).and_then(refused)?;
        let writes = match short.kind {
            Kind::CompareAndSwap => data.get(bytes..) == Some(&*memory),
            kind => kind != Kind::Get && short.op != Op::NoOp,
        };
        let (place, into) = (memory.as_mut_ptr(), result.map(|result| result.into));
        // SAFETY: what is written to has so many bytes, and so has the data of such a kind; the
        // program has promised the same of the result.
        unsafe {
            match (short.kind, into) {
                (Kind::Get, Some(into)) => std::ptr::copy_nonoverlapping(place, into, bytes),
                (Kind::CompareAndSwap, Some(into)) => {
                    let values = [data.as_ptr(), data.as_ptr().wrapping_add(bytes)];
                    swap_bytes(place, values, into, bytes);
                }
                (Kind::Accumulate | Kind::GetAccumulate, into) => {
                    let kind = (short.element, short.op);
                    update_bytes(place, data.as_ptr(), into, kind, bytes).ok_or_else(nonsense)?;
                }
                _ => return Err(nonsense()),
            }
        }
        // What is not changed is not written: its owner may have stored something there meanwhile.
        if writes { self.write_there(there, memory).and_then(refused) } else { Ok(()) }
    }

    /// Waits until targets have thrown away all that was taken back: what comes later would be
    /// taken for messages of another window.
    pub(crate) fn wait_for_skips(&self, window: &Window) {
        let have_come = |window: &Window| {
            let origin = window.origin.borrow();
            (0..).zip(&origin.peers).all(|(rank, peer)| {
                let packets = window.shared_part(rank).map(|part| part.counters);
                let skipped = packets.map(|all| all[window.comm.rank as usize].packets.skipped());
                peer.sent.last_taken().is_none_or(|last| skipped == Some(last))
            })
        };
        self.wait_on_window(window, None, have_come);
    }
}

/// How many operations of a packet have a result.
fn results_of(mut packet: &[u8]) -> usize {
    let mut count = 0;
    while !packet.is_empty() {
        match Short::is_next(packet) {
            true => match Short::unpack(&mut packet) {
                Ok((short, _)) => count += usize::from(short.kind.has_result()),
                Err(_) => break,
            },
            false if unpack(&mut packet).is_err() => break,
            false => {}
        }
    }
    count
}
