//! The richer channel of ranks that share memory: a rank publishes data to all the others, and each
//! copies or reduces straight out of what it sees. No message is sent, nothing is matched.

use crate::{Domains, Member, View};
use dunlin_base::Result;
use std::ops::Range;
use std::rc::Rc;

/// Steps of a stage. At each, a rank publishes one view at most, and only once.
pub const STEPS: usize = 8;

/// Stages that a rank publishes at a time: it publishes the next one only when all others have
/// released the first of these.
pub const STAGES: usize = 4;

/// Stages that an operation can have.
pub const STAGES_MAX: usize = 1 << 12;

/// One of the slices that a view is cut into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Its number, counted from 0.
    pub number: usize,
    /// Slices that fit into a stage, up to [`STEPS`].
    pub per_stage: usize,
}

/// What one rank publishes at one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The step, counted from 0 through all stages of [`STEPS`] each. Most operations have one.
    pub step: usize,
    /// The rank that publishes it.
    pub by: usize,
}

/// Memory that a rank has exposed for puts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PutTarget {
    /// Where it was.
    pub slot: Slot,
    /// Its length, in elements of the data that is put there.
    pub len: usize,
}

/// The world of a collective algorithm whose ranks share memory. Where they are on several nodes,
/// as [`Channel::nodes`] says, it is that of each node: a rank publishes data to those of its own
/// node alone, and reads from no other rank. [`SubChannel::node`] is such a node by itself.
///
/// [`Channel::nodes`]: crate::Channel::nodes
/// [`SubChannel::node`]: crate::SubChannel::node
///
/// A rank that reads what is not published yet waits for it. What a rank has published also says
/// how far it has come.
#[allow(async_fn_in_trait, reason = "one process polls its own futures; none needs to be Send")]
pub trait NodeChannel: Member {
    /// Publishes a copy of `view`, which may be changed at once. [`CallTraits::cico`] says whether
    /// there is room for a rank's whole contribution.
    ///
    /// [`CallTraits::cico`]: crate::CallTraits::cico
    async fn copy_in(&self, step: usize, view: View) -> Result<()>;

    /// Publishes `view` itself: what others may still read must not change before the operation has
    /// ended everywhere, which the executor waits for. [`CallTraits::single_copy`] says whether it
    /// can be done.
    ///
    /// [`CallTraits::single_copy`]: crate::CallTraits::single_copy
    async fn expose(&self, step: usize, view: View) -> Result<()>;

    /// Publishes `view` for [`NodeChannel::get_whole`]: the memory itself or, if it is short, a
    /// copy, whatever is better for this rank alone. Only where memory can be exposed.
    async fn publish(&self, step: usize, view: View) -> Result<()>;

    /// Publishes memory that the ranks fill by [`NodeChannel::put`]. This rank too writes there by
    /// that verb alone; the executor waits until all ranks have ended the operation. Only where
    /// memory can be exposed.
    async fn expose_for_put(&self, step: usize, view: View) -> Result<()>;

    /// Ends a stage, and those before it: this rank reads nothing of them any more. A rank that
    /// publishes more than [`STAGES`] stages ends them as well, or it waits for itself.
    async fn release_stage(&self, stage: usize) -> Result<()>;

    /// How many elements like those of `view` a rank best copies in at a stage, where its data
    /// goes in chunks. [`CallTraits::chunks`] says whether it can be done.
    ///
    /// [`CallTraits::chunks`]: crate::CallTraits::chunks
    fn copy_in_chunk(&self, view: View) -> usize;

    /// How many elements like those of `view` a rank can copy in at one stage, in so many pieces,
    /// each of which takes whole cache lines.
    fn stage_room(&self, view: View, pieces: usize) -> usize;

    /// How many slices `view` is cut into where each stage copies in `per_stage` of them. Slices
    /// are counted in bytes of data, the same at all ranks, whatever their datatypes are.
    fn slices(&self, view: View, per_stage: usize) -> usize;

    /// Publishes a copy of a slice of `view`.
    async fn copy_in_slice(&self, step: usize, view: View, slice: Slice) -> Result<()>;

    /// Fills a slice of `into` with what is published, which is such a slice of as long a view.
    async fn get_slice(&self, slot: Slot, into: View, slice: Slice) -> Result<()>;

    /// Stages that this operation can have.
    fn stages(&self) -> usize {
        STAGES_MAX
    }

    /// Copies `from` to `to`, which is a part of a result of `result_len` elements: with
    /// non-temporal stores, where so long a result would not stay in the cache.
    fn copy_for_long(&self, from: View, to: View, _result_len: usize) -> Result<()> {
        self.copy(from, to)
    }

    /// Cores that the ranks of a node share, the same at every rank.
    fn cores(&self) -> usize;

    /// Which ranks of this rank's node share a cache, a NUMA domain and a socket, counted in the
    /// node; the same at every rank there.
    fn domains(&self) -> Rc<Domains>;

    /// Told by an algorithm where this rank knows, by what it has seen, that all ranks of its node
    /// have begun the operation: so they have ended those before it, and none has to be asked.
    fn all_have_begun(&self) -> Result<()> {
        Ok(())
    }

    /// Whether [`NodeChannel::publish`] exposes so much data instead of copying it in: both ranks
    /// that know its length get the same answer.
    fn is_long(&self, view: View) -> bool;

    /// Whether a block of such a length is better sent than published, where the kernel copies
    /// slowly, and between two ranks: both ranks that know its length get the same answer.
    fn better_sent(&self, view: View) -> bool;

    /// Told by an algorithm that sends messages beside what it publishes: one that comes while a
    /// rank waits for what is published is then no sign that its sender runs another algorithm.
    fn sends_as_well(&self) -> Result<()> {
        Ok(())
    }

    /// Waits until this is published, with the length of `view`.
    async fn await_whole(&self, slot: Slot, view: View) -> Result<()>;

    /// Waits until this is published.
    async fn await_slot(&self, slot: Slot) -> Result<()>;

    /// Fills `into` with what is published, from position `start` on, counted in elements of
    /// `into`.
    async fn get(&self, slot: Slot, start: usize, into: View) -> Result<()>;

    /// Fills `into` with what is published, which has the same length: no other rank knows how long
    /// it must be.
    async fn get_whole(&self, slot: Slot, into: View) -> Result<()>;

    /// `onto := published op onto`, with what is published from position `start` on: what was
    /// published is the operand of the lower ranks when the operator does not commute.
    async fn get_reduce(&self, slot: Slot, start: usize, onto: View) -> Result<()>;

    /// `into := published op operand`, or the other way round, in the order of the two ranks: of
    /// what another rank publishes from `start` on, and of `operand`, which is this rank's own.
    /// `into` is the same memory as `operand` or apart from it. One pass where an executor can.
    async fn get_combine(&self, slot: Slot, start: usize, operand: View, into: View) -> Result<()> {
        if slot.by < self.rank() {
            self.copy(operand, into)?;
            return self.get_reduce(slot, start, into).await;
        }
        let right = self.temp(into.len)?;
        self.get(slot, start, right).await?;
        self.reduce(operand, right)?;
        self.copy(right, into)
    }

    /// Publishes a copy of `published op operand`, or the other way round: for operators that
    /// commute. `scratch` is as long as `operand` and of its kind, for executors that cannot do it
    /// in one pass.
    async fn copy_in_combined(
        &self,
        step: usize,
        slot: Slot,
        operand: View,
        scratch: View,
    ) -> Result<()> {
        self.copy(operand, scratch)?;
        self.get_reduce(slot, 0, scratch).await?;
        self.copy_in(step, scratch).await
    }

    /// Fills what is exposed for puts with `from`, from position `start` on, counted in elements of
    /// `from`. Only one rank puts data at each position.
    async fn put(&self, from: View, exposed: PutTarget, start: usize) -> Result<()>;

    /// How many elements like those of `view` are best worked on at a time: they stay in a cache.
    fn chunk(&self, view: View) -> usize;

    /// Waits until every other rank has published this step.
    #[inline]
    async fn await_all(&self, step: usize) -> Result<()>
    where
        Self: Sized,
    {
        for by in others(self) {
            self.await_slot(Slot { step, by }).await?;
        }
        Ok(())
    }
}

/// Up to here two ranks copy data to shared memory and out of it; beyond, one copy out of the
/// other's own memory is faster, though it takes a system call. A bcast of 2 KiB takes 1.2 us by
/// copies and 1.3 by the call, of 4 KiB 1.6 and 1.4, of 8 KiB 2.4 and 1.4. More ranks do better
/// with copies for longer, since several ranks copy what is in a cache.
pub(crate) const PAIR_CICO_BYTES: usize = 4 << 10;

/// How a rank publishes its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShareMode {
    /// [`NodeChannel::copy_in`]
    CopyIn,
    /// [`NodeChannel::expose`]
    Expose,
}

impl ShareMode {
    /// Publishes `view` this way.
    pub async fn publish<C: NodeChannel>(self, ch: &C, step: usize, view: View) -> Result<()> {
        match self {
            ShareMode::CopyIn => ch.copy_in(step, view).await,
            ShareMode::Expose => ch.expose(step, view).await,
        }
    }
}

/// What is published of a block: nothing, if it is better sent.
pub(crate) fn unless_sent<C: NodeChannel>(ch: &C, block: View) -> View {
    if ch.better_sent(block) { block.part(0, 0) } else { block }
}

/// The step at which `root` publishes what is for rank `rank` alone.
pub(crate) fn own_step(root: usize, rank: usize, ranks: usize) -> usize {
    (rank + ranks - root - 1) % ranks
}

/// Releases the stages before that of `step`, because one rank publishes all of them.
pub(crate) async fn enter<C: NodeChannel>(ch: &C, step: usize) -> Result<()> {
    match (step / STEPS).checked_sub(1) {
        Some(before) => ch.release_stage(before).await,
        None => Ok(()),
    }
}

/// Lets a rank that reads none of the stages up to `last` publish them all: it would wait for
/// itself.
pub(crate) async fn publish_up_to<C: NodeChannel>(ch: &C, last: usize) -> Result<()> {
    if last >= STAGES { ch.release_stage(last - 1).await } else { Ok(()) }
}

/// The other ranks, beginning with the right neighbour, so that not all read from the same one.
pub(crate) fn others<C: Member>(ch: &C) -> impl Iterator<Item = usize> + use<C> {
    let (me, p) = (ch.rank(), ch.size());
    (me + 1..me + p).map(move |by| if by < p { by } else { by - p })
}

/// The blocks, one for each of `p` ranks, that rank `owner` publishes: all in one run, without its
/// own where that is the first or the last. Of two, one is left.
pub(crate) fn wanted(owner: usize, p: usize) -> Range<usize> {
    let end = if owner + 1 == p { owner } else { p };
    usize::from(owner == 0).min(end)..end
}

/// Puts into `sum` the operator's result over what all ranks publish at `step`, from `start` on,
/// combined in the order of ranks. `sum` is none of the memory published.
pub(crate) async fn combine_slots<C: NodeChannel>(
    ch: &C,
    step: usize,
    start: usize,
    sum: View,
) -> Result<()> {
    let last = ch.size() - 1;
    ch.get(Slot { step, by: last }, start, sum).await?;
    for by in (0..last).rev() {
        ch.get_reduce(Slot { step, by }, start, sum).await?;
    }
    Ok(())
}

/// Puts into `sum` what the last two ranks publish at `step`, combined, if this rank is one of
/// them, else what the last one publishes: a combination in the order of ranks begins there.
/// Returns how many ranks are left.
#[inline]
async fn combine_last<C: NodeChannel>(
    ch: &C,
    step: usize,
    operand: View,
    sum: View,
) -> Result<usize> {
    let (me, last) = (ch.rank(), ch.size() - 1);
    if last == 0 {
        ch.copy(operand, sum)?;
        return Ok(0);
    }
    if me + 1 < last {
        ch.get(Slot { step, by: last }, operand.start, sum).await?;
        return Ok(last);
    }
    let by = if me == last { last - 1 } else { last };
    ch.get_combine(Slot { step, by }, operand.start, operand, sum).await?;
    Ok(last - 1)
}

/// Puts into `sum` the operator's result over what all ranks publish at `step`, combined in the
/// order of ranks, of which `operand` is this rank's own part, at the place it has in what is
/// published. `sum` is none of the memory published, and the same memory as `operand` or apart from
/// it.
#[inline]
pub(crate) async fn combine_in_order<C: NodeChannel>(
    ch: &C,
    step: usize,
    operand: View,
    sum: View,
) -> Result<()> {
    let left = combine_last(ch, step, operand, sum).await?;
    for by in (0..left).rev() {
        ch.get_reduce(Slot { step, by }, operand.start, sum).await?;
    }
    Ok(())
}

/// As [`combine_in_order`], but `operand` is read in place: if the operator does not commute, `sum`
/// is apart from it.
pub(crate) async fn combine_with_own<C: NodeChannel>(
    ch: &C,
    step: usize,
    operand: View,
    sum: View,
    commutative: bool,
) -> Result<()> {
    let (me, start) = (ch.rank(), operand.start);
    if commutative {
        let mut others = others(ch);
        let Some(by) = others.next() else { return ch.copy(operand, sum) };
        ch.get_combine(Slot { step, by }, start, operand, sum).await?;
        for by in others {
            ch.get_reduce(Slot { step, by }, start, sum).await?;
        }
        return Ok(());
    }
    for by in (0..combine_last(ch, step, operand, sum).await?).rev() {
        if by == me {
            ch.reduce(operand, sum)?;
        } else {
            ch.get_reduce(Slot { step, by }, start, sum).await?;
        }
    }
    Ok(())
}

/// Puts into `sum` the operator's result over the part `own` of what all ranks publish at step 0.
pub(crate) async fn sum_part<C: NodeChannel>(
    ch: &C,
    own: View,
    sum: View,
    commutative: bool,
) -> Result<()> {
    match commutative {
        true => combine_with_own(ch, 0, own, sum, true).await,
        false => combine_in_order(ch, 0, own, sum).await,
    }
}

/// `whole` in parts of `chunk` elements at most.
pub(crate) fn chunks(whole: View, chunk: usize) -> impl Iterator<Item = View> {
    let chunk = chunk.max(1);
    let starts = (0..whole.len).step_by(chunk);
    starts.map(move |start| whole.part(start, chunk.min(whole.len - start)))
}

/// Hands `deliver` the operator's result over what all ranks publish at step 0, of which `mine` is
/// this rank's own part, in chunks that stay in a cache, and where in the vector each begins. The
/// chunks come in scratch memory, which is used again.
pub(crate) async fn sum_in_chunks<C: NodeChannel>(
    ch: &C,
    mine: View,
    commutative: bool,
    mut deliver: impl AsyncFnMut(View, usize) -> Result<()>,
) -> Result<()> {
    let chunk = ch.chunk(mine);
    let sum = ch.temp(chunk.min(mine.len))?;
    for operand in chunks(mine, chunk) {
        let sum = sum.part(0, operand.len);
        combine_with_own(ch, 0, operand, sum, commutative).await?;
        deliver(sum, operand.start).await?;
    }
    Ok(())
}

/// Puts into `result` the operator's result over what all ranks publish at step 0, of which `mine`
/// is this rank's own part, in chunks that stay in a cache. `result` is none of the memory
/// published that others read, and the same memory as `mine` or apart from it.
pub(crate) async fn sum_into<C: NodeChannel>(
    ch: &C,
    mine: View,
    result: View,
    commutative: bool,
) -> Result<()> {
    let part = |at: View| result.part(at.start - mine.start, at.len);
    if commutative || ch.rank() + 2 >= ch.size() {
        for operand in chunks(mine, ch.chunk(mine)) {
            combine_with_own(ch, 0, operand, part(operand), commutative).await?;
        }
        return Ok(());
    }
    let place = |sum: View, start| ch.copy(sum, part(View { start, ..sum }));
    sum_in_chunks(ch, mine, commutative, async |sum, start| place(sum, start)).await
}
