//! What it costs to publish and to read what ranks of a node share.

use crate::network::ps;
use crate::path::Cost;
use crate::segment::Exhibit;
use crate::world::{Wait, World};
use dunlin_coll::{STAGES, Slot};
use std::task::Poll;

/// Bytes of data that share the cache line of a slot.
const INLINE_BYTES: f64 = 40.0;
/// A page, whose users the kernel counts while it copies from it.
pub(crate) const PAGE_BYTES: f64 = 4096.0;
/// Pages that have one counter: a huge page, which most long buffers consist of.
pub(crate) const FOLIO_BYTES: f64 = (2 << 20) as f64;

/// In how many calls a rank looks once how far the others are, with data that shares the line of a
/// slot, and with data that fits into a short room; with more it is in [`STAGES`].
const CALLS_PER_LOOK: usize = 32;
const CALLS_PER_LOOK_SHORT: usize = 16;
const SHORT_BYTES: usize = 4160;

impl World<'_> {
    /// What it costs `rank` to see that all others of its node have ended the call that used a slot
    /// before: in a loop of such calls it reads a line of each, once in so many calls, before it
    /// publishes. The loads do not wait for each other. Not where it knows by the
    /// call before, in which it was told that all had begun, or waited for all because of memory
    /// that it had exposed.
    pub fn looks_for_room(&mut self, rank: usize, bytes: usize) {
        let me = &mut self.ranks[rank];
        let others = self.layout.ranks_per_node - 1;
        if me.knows_of_all || me.segment.exposed || me.looked_for_room || others == 0 {
            return;
        }
        me.looked_for_room = true;
        let calls = match bytes {
            _ if bytes as f64 <= INLINE_BYTES => CALLS_PER_LOOK,
            0..=SHORT_BYTES => CALLS_PER_LOOK_SHORT,
            _ => STAGES,
        };
        let line = |other| self.between(rank, other, |node| &node.line_ns).unwrap_or(0.0);
        let farthest = self.layout.members(self.layout.node_of(rank)).map(line).fold(0.0, f64::max);
        let all = farthest + (others - 1) as f64 * self.node.line_next_reader_ns;
        self.spend(rank, Cost::Lines, ps(all / calls as f64));
    }

    /// Whether there is room for `rank` to publish a step.
    pub fn poll_room(&mut self, rank: usize, step: usize) -> Poll<()> {
        if self.has_room(rank, step) {
            if let Some((at, moment)) = self.ranks[rank].room.take() {
                self.goes_on(rank, at, |_| moment);
            }
            return Poll::Ready(());
        }
        self.ranks[rank].wait = Wait::Room(step);
        Poll::Pending
    }

    /// `rank` publishes a step. It does not wait until that can be seen; but of several in a row
    /// each is seen only when the line of the one before, which others have read, has come back.
    pub fn publish(&mut self, rank: usize, step: usize, exposed: Option<f64>) {
        let me = &mut self.ranks[rank];
        let at = me.clock.max(me.segment.next_at);
        me.segment.next_at = at + ps(self.node.line_ns.cache);
        let moment = self.history.add(me.moment, Cost::Lines, rank, at - me.clock);
        let exhibit = Exhibit { step, at, moment, exposed, line_free: 0, pages_free: 0 };
        me.segment.put(exhibit);
        for reader in std::mem::take(&mut me.segment.readers) {
            self.wake(reader as usize, at);
        }
    }

    /// Whether `rank` sees `slot`, and when.
    pub fn poll_slot(&mut self, rank: usize, slot: Slot) -> Poll<()> {
        let (clock, now) = (self.ranks[rank].clock, self.queue.now());
        let seen = slot.by == rank || self.ranks[rank].seen == Some(slot);
        let Some(exhibit) = self.ranks[slot.by].segment.find(slot.step) else {
            self.ranks[slot.by].segment.readers.push(rank as u32);
            self.ranks[rank].wait = Wait::Others;
            return Poll::Pending;
        };
        if seen {
            return Poll::Ready(());
        }
        let (at, moment) = (exhibit.at, exhibit.moment);
        if at > clock && at > now {
            self.wake(rank, at);
            self.ranks[rank].wait = Wait::Others;
            return Poll::Pending;
        }
        self.goes_on(rank, at, |_| moment);
        let line = ps(self.between(rank, slot.by, |node| &node.line_ns).unwrap_or(0.0));
        let clock = self.ranks[rank].clock;
        let next = ps(self.node.line_next_reader_ns);
        let Some(exhibit) = self.ranks[slot.by].segment.find(slot.step) else {
            return Poll::Ready(());
        };
        let begin = clock.max(exhibit.line_free);
        exhibit.line_free = begin + next;
        self.spend(rank, Cost::Lines, begin + line - clock);
        self.ranks[rank].seen = Some(slot);
        Poll::Ready(())
    }

    /// `rank` has come to where it reads `bytes` of a slot that it has seen, and adds them up if
    /// `reduces`.
    pub fn read(&mut self, rank: usize, slot: Slot, bytes: f64, reduces: bool) {
        let exposed =
            self.ranks[slot.by].segment.find(slot.step).is_some_and(|it| it.exposed.is_some());
        let reduced = bytes / self.rate(rank, self.node.reduce_bytes_per_ns);
        let reducing = if reduces { reduced } else { 0.0 };
        if exposed && slot.by != rank {
            self.single_copy(rank, slot, bytes);
            return self.spend(rank, Cost::Reduce, ps(reducing));
        }
        let rate = self.between(rank, slot.by, |node| &node.remote_copy_bytes_per_ns);
        let rate = self.rate_between_ranks(rank, rate.unwrap_or(self.node.copy_bytes_per_ns));
        // What is not in the slot's own line has to be waited for once more.
        let more = (bytes - INLINE_BYTES).max(0.0);
        let line = self.between(rank, slot.by, |node| &node.line_ns).unwrap_or(0.0);
        let copying = if more > 0.0 { line + more / rate } else { 0.0 };
        self.uses_memory(rank, 2.0 * bytes);
        // Adding up reads its operands anyway; what another core's data costs more comes on top.
        let own = if reduces { bytes / self.rate(rank, self.node.copy_bytes_per_ns) } else { 0.0 };
        let all = reducing + (copying - own).max(0.0);
        let cost = if reducing > all / 2.0 { Cost::Reduce } else { Cost::SharedCopy };
        self.spend(rank, cost, ps(all));
    }

    /// `rank` writes `bytes` that it has just made where others of this node have read: what that
    /// costs more than to its own memory.
    pub fn makes_in_place(&mut self, rank: usize, bytes: f64) {
        if self.layout.ranks_per_node > 1 {
            let (shared, own) =
                (self.node.remote_copy_bytes_per_ns.cache, self.node.copy_bytes_per_ns);
            let more = bytes / self.rate(rank, shared) - bytes / self.rate(rank, own);
            self.spend(rank, Cost::Copy, ps(more.max(0.0)));
        }
    }

    /// `rank` copies between its own memory and memory that another exposes. Several that do so at
    /// the same time take turns at the counters of its pages, one for each folio.
    pub fn single_copy(&mut self, rank: usize, slot: Slot, bytes: f64) {
        let call = self.node.single_copy_ns.unwrap_or_default();
        let takes = ps(call + bytes / self.single_copy_rate(rank));
        let pages = (bytes / PAGE_BYTES).ceil() * self.node.single_copy_page_lock_ns;
        let clock = self.ranks[rank].clock;
        let mut end = clock + takes;
        if let Some(exhibit) = self.ranks[slot.by].segment.find(slot.step) {
            let folios = (exhibit.exposed.unwrap_or_default() / FOLIO_BYTES).max(1.0);
            if exhibit.pages_free > clock {
                end = end.max(exhibit.pages_free + ps(pages / folios));
            }
            exhibit.pages_free = exhibit.pages_free.max(clock) + ps(pages / folios);
        }
        self.uses_memory(rank, 2.0 * bytes);
        self.spend(rank, Cost::SingleCopy, end - clock);
    }

    /// Copies or reduces in a rank's own memory.
    pub fn works_alone(&mut self, rank: usize, cost: Cost, bytes: f64) {
        let rate = match cost {
            Cost::Reduce => self.node.reduce_bytes_per_ns,
            _ => self.node.copy_bytes_per_ns,
        };
        self.uses_memory(rank, 2.0 * bytes);
        self.spend(rank, cost, ps(bytes / self.rate(rank, rate)));
    }

    /// Copies to memory that others of this node have read.
    pub fn copies_in(&mut self, rank: usize, bytes: f64) {
        let shared = self.layout.ranks_per_node > 1;
        let rate = if shared { self.node.remote_copy_bytes_per_ns.cache } else { f64::INFINITY };
        self.uses_memory(rank, 2.0 * bytes);
        let rate = self.rate(rank, rate.min(self.node.copy_bytes_per_ns));
        self.spend(rank, Cost::Copy, ps(bytes / rate));
    }

    fn uses_memory(&mut self, rank: usize, bytes: f64) {
        if self.spills(rank) {
            self.ranks[rank].memory_bytes += bytes;
        }
    }
}
