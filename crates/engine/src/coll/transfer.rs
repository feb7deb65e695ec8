//! How members of a communicator share data through its collective segment.

use std::cell::Cell;
use std::io;
use std::rc::Rc;

use dunlin_base::single_copy::NEVER;
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll::select::{CallTraits, Params, published_bytes};
use dunlin_coll::selection::Listed;
use dunlin_coll::sharing::{self, CHUNK_BYTES, CICO_CHUNK_BYTES, chunk_bytes, slice_of};
use dunlin_coll::{Domains, Member, NodeChannel, PutTarget, STAGES_MAX, Slice, Slot, View};
use dunlin_copy::{copy, nontemporal, shared};
use dunlin_shm::Node;
use dunlin_shm::cma::MemoryFile;
use dunlin_shm::coll_segment::{self as shm, CONTRIBUTION_BYTES};

use crate::adaptive::{Choice, Stopwatch, Use};
use crate::coll::mismatch::{gone, other_length, out_of_reach, too_much};
use crate::coll::op_context::OpContext;
use crate::coll::typed_executor::{TypedExecutor, combine};
use crate::engine::Engine;
use crate::objects::buffer::UserBuffer;
use crate::objects::coll_module::{CollModule, ELSEWHERE, StoresChoice};
use crate::objects::schedule::Uniform;

const _: () = assert!(CONTRIBUTION_BYTES == dunlin_coll::select::CICO_BYTES_MAX);
const _: () = assert!(shm::STEPS == dunlin_coll::STEPS && shm::STAGES == dunlin_coll::STAGES);
const _: () = assert!(shm::STAGES_MAX == STAGES_MAX);

/// Stands for the unknown length of what a rank publishes: more than there is room to copy in.
pub(crate) const UNKNOWN: usize = usize::MAX;

/// Up to this size two ranks that read each other's data use copy-in: both at once take 0.80
/// instead of 1.15 us for 4 KiB, 1.10 instead of 1.27 for 8 KiB, but 1.65 instead of 1.60 for 16.
const FILE_BYTES_MAX: usize = 8 << 10;
/// The same where only one reads: 0.79 instead of 0.87 us for 4 KiB, but 1.07 instead of 0.97 for 8
/// KiB.
const FILE_BYTES_MAX_ALONE: usize = 4 << 10;

/// Bytes `skip..skip + bytes` of what member `by` publishes, wherever they are.
pub(crate) struct Chunk {
    pub by: usize,
    pub skip: usize,
    pub bytes: usize,
}

impl CollModule {
    /// The shape of the call in progress, in which no rank publishes more than `shown` bytes.
    #[inline]
    pub fn shape(&self, shape: CallTraits, shown: usize) -> CallTraits {
        // In two levels one rank of a node also publishes what it has from others.
        self.whole.set(if self.is_partial() { usize::MAX } else { shown });
        self.traits(shape, shown)
    }

    /// The same of a call that is still to run.
    #[inline]
    pub fn traits(&self, shape: CallTraits, shown: usize) -> CallTraits {
        let single_copy = shown >= self.single_copy_bytes_min && self.single_copy_bytes_min < NEVER;
        CallTraits {
            oversubscribed: self.oversubscribed,
            // Where it is quick, all members use single copy however little they publish.
            slow_copy: self.has_slow_copies(),
            ..shape.sharing(shown, single_copy)
        }
    }

    /// Whether single copy by the kernel is slow, or forbidden.
    #[inline]
    fn has_slow_copies(&self) -> bool {
        self.single_copy_bytes_min > 0
    }

    /// Whether copy-in is better than exposing so many bytes, and there is room.
    #[inline]
    pub fn better_copied_in(&self, step: usize, bytes: usize) -> bool {
        sharing::better_copied_in(bytes) && bytes <= self.segment.bytes_left(step)
    }

    /// The same for data that one rank alone reads. With two ranks, the other is not delayed.
    #[inline]
    pub fn copies_in(&self, bytes: usize) -> bool {
        sharing::copies_in(bytes, self.members.len(), self.has_slow_copies())
    }

    /// Whether data of one rank for another is better sent.
    #[inline]
    pub fn better_sent(&self, bytes: usize) -> bool {
        sharing::better_sent(bytes, self.members.len(), self.has_slow_copies())
    }

    /// What is published at a step of the operation in progress, if it is there.
    #[inline]
    pub fn peek(&self, slot: Slot) -> Option<shm::SlotView<'_>> {
        self.segment.peek(slot.step, self.index_of(slot.by))
    }

    /// The same, or an error where it will never be there.
    pub fn peek_or_fail(&self, slot: Slot) -> Option<Result<shm::SlotView<'_>>> {
        let has_ended = || self.segment.has_ended(self.index_of(slot.by));
        // It may have published this between our two checks.
        let at_last = || has_ended().then(|| self.peek(slot).ok_or_else(|| gone(slot.by)));
        self.peek(slot).map(Ok).or_else(at_last)
    }

    /// Whether a rank of this node has ended the operation in progress.
    pub fn has_left(&self, rank: usize) -> bool {
        let index = self.index_of(rank);
        index != ELSEWHERE && self.segment.has_ended(index)
    }

    /// Whether only one rank has not published its part of a step, and runs on another core: then
    /// it most likely runs right now. Where three or more ranks share a core it may not, and
    /// polling uses up time for which the scheduler makes this rank wait later.
    pub fn misses_one_elsewhere(&self, node: &Node, slot: Slot) -> bool {
        let places = &self.segment;
        let index_of = self.index_of(slot.by);
        let has_shown = |by| places.has_published(slot.step, by);
        let mut others =
            (0..self.members.len()).filter(|&by| by != index_of && self.members[by] != node.me());
        node.at_most_two_on_a_core()
            && node.runs_elsewhere(self.members[index_of])
            && others.all(has_shown)
    }

    /// Whether it is, and there is room for the copy at this step.
    #[inline]
    pub fn has_room_for_copy(&self, step: usize, bytes: usize) -> bool {
        self.copies_in(bytes) && bytes <= self.segment.bytes_left(step)
    }

    /// An error if `by` publishes more than this rank expects.
    #[inline]
    pub fn check_length<'a>(
        &self,
        by: usize,
        view: shm::SlotView<'a>,
    ) -> Result<shm::SlotView<'a>> {
        let (bytes, whole) = (view.data().bytes(), self.whole.get());
        if bytes > whole { Err(too_much(by, bytes, whole)) } else { Ok(view) }
    }

    /// An error if what is published is not as long as this rank expects it, or is a chunk of more
    /// or less than that.
    #[inline]
    pub fn check_whole(&self, slot: Slot, data: shm::SlotData<'_>, bytes: usize) -> Result<()> {
        if self.sends.get() && (data.bytes() == 0) != (bytes == 0) {
            return Err(other_length(slot.by, data.bytes(), bytes));
        }
        if data.bytes() != bytes {
            return Err(too_much(slot.by, data.bytes(), bytes));
        }
        let whole =
            self.segment.total(slot.step, self.index_of(slot.by)).map(|whole| whole as usize);
        match whole {
            Some(whole) if whole != self.whole.get() => {
                Err(too_much(slot.by, whole, self.whole.get()))
            }
            _ => Ok(()),
        }
    }

    /// An error if what is published is not as long as this rank expects it, or a part of more or
    /// less than `whole` bytes.
    pub fn check_part(
        &self,
        slot: Slot,
        data: shm::SlotData<'_>,
        bytes: usize,
        whole: usize,
    ) -> Result<()> {
        let total = self.segment.total(slot.step, self.index_of(slot.by));
        match total.map_or(data.bytes(), |total| total as usize) {
            total if total != whole => Err(too_much(slot.by, total, whole)),
            _ if data.bytes() != bytes => Err(too_much(slot.by, data.bytes(), bytes)),
            _ => Ok(()),
        }
    }

    /// Reads a member's memory.
    pub fn read(&self, engine: &Engine, by: usize, address: u64, to: &mut [u8]) -> Result<()> {
        let member = self.members[self.index_of(by)];
        if engine.node.read_mapped(member, address, to) {
            return Ok(());
        }
        let file_bytes_max = if self.exposed.get() { FILE_BYTES_MAX } else { FILE_BYTES_MAX_ALONE };
        if self.members.len() == 2
            && to.len() <= file_bytes_max
            && !MemoryFile::is_slow(address, to)
        {
            let file = self.other.get_or_init(|| engine.node.memory_file(member));
            if file.as_ref().is_some_and(|file| file.read(address, to).is_ok()) {
                return Ok(());
            }
        }
        engine.node.read(member, address, to).map_err(|why| not_copied(engine, (by, member), &why))
    }

    /// Copies `data` to where a member has memory exposed for puts for it; `by` may be this rank.
    pub fn write(&self, engine: &Engine, by: usize, data: &[u8], address: u64) -> Result<()> {
        let member = self.members[self.index_of(by)];
        if member != engine.node.me() {
            // SAFETY: the member has exposed memory for puts there, and it was found to be the one
            // we mean when the segment was made.
            let written = unsafe { engine.node.write(member, data, address) };
            return written.map_err(|why| not_copied(engine, (by, member), &why));
        }
        let to = address as *mut u8;
        if to.cast_const() != data.as_ptr() {
            // SAFETY: `address` is what this rank itself has exposed for puts, from a pointer to
            // memory that it may write, and not what others could write into the segment. The
            // caller has checked its length; an algorithm puts within it, and only one rank puts to
            // each position, as the symbolic executor proves.
            unsafe { copy(data.as_ptr(), to, data.len()) };
        }
        Ok(())
    }

    /// Copies a chunk of what is published.
    #[inline]
    pub fn copy(
        &self,
        engine: &Engine,
        shown: shm::SlotData<'_>,
        chunk: &Chunk,
        to: &mut [u8],
    ) -> Result<()> {
        match shown {
            shm::SlotData::Copied(data) => {
                let data = chunk.of(data)?;
                self.reading(chunk, || match chunk.bytes > shm::SHORT_BYTES {
                    true if self.is_in_a_cache_elsewhere(chunk) => shared::read_cached(data, to),
                    _ => shared::read(data, to),
                });
            }
            shm::SlotData::Exposed { address, bytes } => {
                self.read(engine, chunk.by, chunk.at(address, bytes)?, to)?;
            }
        }
        Ok(())
    }

    /// Hands a chunk of what is published to `use_it`, whole elements of `unit` bytes at a time,
    /// and where in the chunk they are.
    #[inline]
    pub fn visit(
        &self,
        engine: &Engine,
        shown: shm::SlotData<'_>,
        chunk: &Chunk,
        unit: usize,
        mut use_it: impl FnMut(usize, &[u8]) -> Result<()>,
    ) -> Result<()> {
        match shown {
            shm::SlotData::Copied(data) => {
                let data = chunk.of(data)?;
                self.reading(chunk, || use_it(0, data))
            }
            shm::SlotData::Exposed { address, bytes } => {
                let address = chunk.at(address, bytes)?;
                let member = self.members[self.index_of(chunk.by)];
                if let Some(data) = engine.node.view_of(member, address, chunk.bytes) {
                    return use_it(0, data);
                }
                engine.in_chunks(chunk_bytes(unit), chunk.bytes, |at, scratch| {
                    self.read(engine, chunk.by, address.wrapping_add(at as u64), scratch)?;
                    use_it(at, scratch)
                })
            }
        }
    }
}

impl CollModule {
    /// Reads a chunk of the copy that was looked at last; how long that takes is told, if its
    /// writer wants to know.
    #[inline(always)]
    pub fn reading<T>(&self, chunk: &Chunk, read: impl FnOnce() -> T) -> T {
        let timed =
            if chunk.bytes > shm::SHORT_BYTES { self.begin_timed_reading(chunk) } else { None };
        let done = read();
        if let Some((stores, watch)) = timed {
            self.tell_reading(stores, watch, chunk.bytes);
        }
        done
    }

    /// Whether a long chunk of the copy that was looked at last was written through the cache of
    /// another rank.
    #[inline(never)]
    fn is_in_a_cache_elsewhere(&self, chunk: &Chunk) -> bool {
        // Of its own data a rank may not have looked at the copy.
        !self.segment.is_own(self.index_of(chunk.by)) && !self.segment.is_past_cache()
    }

    #[inline(never)]
    fn begin_timed_reading(&self, chunk: &Chunk) -> Option<(shm::Stores, Stopwatch)> {
        // Of its own data a rank may not have looked at the copy.
        let is_own = self.segment.is_own(self.index_of(chunk.by));
        let timed = self.segment.timed_stores().filter(|_| !is_own);
        timed.map(|stores| (stores, Stopwatch::start(true)))
    }

    #[inline(never)]
    fn tell_reading(&self, stores: shm::Stores, watch: Stopwatch, bytes: usize) {
        if let Some(time) = watch.time() {
            self.segment.tell_reading(stores, time.mul_f64(1024.0 / bytes as f64));
        }
    }

    /// Copies `data` into the room of a step, through the cache or past it: where ranks share a
    /// cache the first is quicker, where they do not, each line that others have read has to be
    /// taken from them again.
    pub fn copy_in_by_choice(
        &self,
        choice: &Cell<StoresChoice>,
        step: usize,
        data: &[u8],
        whole: usize,
    ) {
        let mut stores = choice.get();
        stores.learn(&self.segment, self.members.len() - 1);
        let Use { way, is_timed } = match self.segment.uses_all_of_it() {
            true => stores.choice.next(data.len()),
            false => Use { way: stores.choice.best(), is_timed: false },
        };
        let how = shm::Stores { past_cache: way == Choice::Other, is_timed };
        let mut taken = None;
        self.segment.copy_in_by(how, step, data.len(), whole as u64, |to| {
            let watch = Stopwatch::start(is_timed);
            match way {
                Choice::Usual => shared::write(data, to),
                Choice::Other => nontemporal::copy_slice(data, to),
            }
            taken = watch.time();
        });
        if let Some(time) = taken {
            stores.note_written(&self.segment, how, time, data.len());
        }
        choice.set(stores);
    }
}

impl Engine {
    /// Runs `use_it` with chunks of scratch memory for `total` bytes, and where each begins.
    fn in_chunks(
        &self,
        chunk: usize,
        total: usize,
        mut use_it: impl FnMut(usize, &mut [u8]) -> Result<()>,
    ) -> Result<()> {
        // Taken, because an operator of the program may call MPI and come here again.
        let memory = self.scratch_buffers.take(chunk.min(total))?;
        // SAFETY: it has room for so much, all of which was written when it was new.
        let scratch = unsafe { std::slice::from_raw_parts_mut(memory.address(), chunk.min(total)) };
        let mut steps = (0..total).step_by(chunk.max(1));
        let done = steps.try_for_each(|at| use_it(at, &mut scratch[..chunk.min(total - at)]));
        self.scratch_buffers.keep([memory]);
        done
    }
}

impl Chunk {
    #[inline]
    pub fn of<'a>(&self, data: &'a [u8]) -> Result<&'a [u8]> {
        data.get(self.skip..self.skip + self.bytes).ok_or_else(|| self.missing(data.len()))
    }

    fn at(&self, address: u64, bytes: usize) -> Result<u64> {
        if self.skip + self.bytes > bytes {
            return Err(self.missing(bytes));
        }
        Ok(address.wrapping_add(self.skip as u64))
    }

    #[cold]
    fn missing(&self, have: usize) -> Error {
        let text = format!(
            "rank {} gave {have} bytes to a collective in which this rank expects {} from byte {} \
             on: counts and datatypes must agree",
            self.by, self.bytes, self.skip
        );
        Error::new(ErrorClass::Truncate, text)
    }
}

impl TypedExecutor<'_> {
    /// The algorithm for a call.
    #[inline]
    pub(crate) fn choose<A: Listed>(&self, params: &Params) -> A {
        let params = self.spread(params);
        self.choose_shared(&params, published_bytes(A::OPERATION, &params))
    }

    /// The same call with its ranks on the nodes where they are.
    #[inline]
    fn spread(&self, params: &Params) -> Params {
        if !self.engine.spans_nodes {
            return *params;
        }
        let nodes = self.engine.nodes_of(self.comm).count();
        Params { shape: params.shape.on_nodes(nodes), ..*params }
    }

    /// The same where the longest that a rank publishes is not what tables call the size.
    pub(crate) fn choose_shared<A: Listed>(&self, params: &Params, shown: usize) -> A {
        let params = &self.spread(params);
        let shape = params.shape;
        let shape = self.context.map_or(shape, |context| context.module.shape(shape, shown));
        // A chunk of an operand is whole elements, alike at all ranks; slices are of bytes.
        let divides = self.operator().is_err()
            || self.element_bytes(View::EMPTY).map_or(true, |b| b <= CICO_CHUNK_BYTES);
        let shape = CallTraits { chunks: shape.chunks && divides, ..shape };
        self.engine.selection.choose(&Params { shape, ..*params })
    }

    fn context(&self) -> Result<OpContext<'_>> {
        self.context.ok_or_else(|| {
            let text = "an algorithm for shared memory was to run without it";
            Error::new(ErrorClass::Intern, text)
        })
    }

    /// The chunk of what is published that belongs into `view`, whose elements are the unit of
    /// `start`.
    fn range_of(&self, slot: Slot, start: usize, view: View, bytes: usize) -> Result<Chunk> {
        Ok(Chunk { by: slot.by, skip: start * self.element_bytes(view)?, bytes })
    }

    /// Copies a chunk of what is published.
    fn get_chunk(&self, data: shm::SlotData<'_>, chunk: &Chunk, mut to: UserBuffer) -> Result<()> {
        let module = self.context()?.module;
        if let Some(to) = to.as_dense_mut(chunk.bytes) {
            return module.copy(self.engine, data, chunk, to);
        }
        module.visit(self.engine, data, chunk, 1, |at, bytes| {
            to.unpack(at, bytes);
            Ok(())
        })
    }

    /// Bytes of data of an element of a buffer.
    fn element_bytes(&self, view: View) -> Result<usize> {
        self.with_region(view.buffer, |region| {
            region.uniform().map(|uniform| uniform.datatype.size())
        })
    }
}

impl NodeChannel for TypedExecutor<'_> {
    async fn copy_in(&self, step: usize, view: View) -> Result<()> {
        let (context, buffer) = (self.context()?, self.user_buffer(view));
        context.room_for(step, buffer.bytes()).await;
        context.copy_in(step, buffer.bytes(), |to| buffer.pack(0, to))
    }

    async fn expose(&self, step: usize, view: View) -> Result<()> {
        let (context, buffer) = (self.context()?, self.user_buffer(view));
        // What lies in several chunks is packed anyhow: where there is room, into the segment.
        let is_scattered = buffer.as_dense().is_none();
        if context.module.better_copied_in(step, buffer.bytes())
            || is_scattered && context.module.has_room_for_copy(step, buffer.bytes())
        {
            return self.copy_in(step, view).await;
        }
        let address = match buffer.as_dense() {
            Some(data) => data.as_ptr() as u64,
            None => self.memory.keep(buffer.packed()?),
        };
        context.room_for(step, 0).await;
        context.expose(step, address, buffer.bytes());
        Ok(())
    }

    async fn publish(&self, step: usize, view: View) -> Result<()> {
        if self.context()?.module.has_room_for_copy(step, self.user_buffer(view).bytes()) {
            return self.copy_in(step, view).await;
        }
        self.expose(step, view).await
    }

    async fn expose_for_put(&self, step: usize, view: View) -> Result<()> {
        let (context, mut buffer) = (self.context()?, self.user_buffer(view));
        let bytes = buffer.bytes();
        let address = match buffer.as_dense_mut(bytes) {
            Some(data) => data.as_mut_ptr() as u64,
            None => self.memory.expose_for_put(buffer)?,
        };
        context.room_for(step, 0).await;
        context.expose(step, address, bytes);
        Ok(())
    }

    async fn put(&self, from: View, exposed: PutTarget, start: usize) -> Result<()> {
        let (context, buffer) = (self.context()?, self.user_buffer(from));
        let size = self.element_bytes(from)?;
        let to = context.exposed(exposed.slot, exposed.len * size).await?;
        let to = to + (start * size) as u64;
        match buffer.as_dense() {
            _ if buffer.bytes() == 0 => Ok(()),
            Some(data) => context.module.write(self.engine, exposed.slot.by, data, to),
            None => context.module.write(self.engine, exposed.slot.by, &buffer.packed()?, to),
        }
    }

    fn chunk(&self, view: View) -> usize {
        (CHUNK_BYTES / self.element_bytes(view).unwrap_or(1).max(1)).max(1)
    }

    async fn release_stage(&self, stage: usize) -> Result<()> {
        self.context()?.release_stage(stage);
        Ok(())
    }

    fn copy_in_chunk(&self, view: View) -> usize {
        // Elements without data need no stage but the first.
        CICO_CHUNK_BYTES.checked_div(self.element_bytes(view).unwrap_or(1)).unwrap_or(usize::MAX)
    }

    fn stage_room(&self, view: View, pieces: usize) -> usize {
        sharing::stage_elements(self.element_bytes(view).unwrap_or(1), pieces)
    }

    fn slices(&self, view: View, per_stage: usize) -> usize {
        sharing::slices(self.user_buffer(view).bytes(), per_stage)
    }

    async fn copy_in_slice(&self, step: usize, view: View, slice: Slice) -> Result<()> {
        let (context, buffer) = (self.context()?, self.user_buffer(view));
        let (whole, slice) = (buffer.bytes(), slice_of(buffer.bytes(), slice));
        context.room_for(step, slice.len()).await;
        context.copy_in_part(step, slice.len(), whole, |to| buffer.pack(slice.start, to))
    }

    async fn get_slice(&self, slot: Slot, into: View, slice: Slice) -> Result<()> {
        let (context, mut to) = (self.context()?, self.user_buffer(into));
        let slice = slice_of(to.bytes(), slice);
        let view = context.arrival(slot).await?;
        context.module.check_part(slot, view.data(), slice.len(), to.bytes())?;
        let chunk = Chunk { by: slot.by, skip: 0, bytes: slice.len() };
        context.module.visit(self.engine, view.data(), &chunk, CHUNK_BYTES, |at, bytes| {
            to.unpack(slice.start + at, bytes);
            Ok(())
        })
    }

    fn domains(&self) -> Rc<Domains> {
        match self.context() {
            Ok(context) => context.module.domains.clone(),
            Err(_) => Rc::new(Domains::one(self.size())),
        }
    }

    fn all_have_begun(&self) -> Result<()> {
        self.context()?.module.segment.all_have_begun();
        Ok(())
    }

    fn sends_as_well(&self) -> Result<()> {
        self.context()?.module.sends.set(true);
        Ok(())
    }

    fn cores(&self) -> usize {
        self.engine.node.cores()
    }

    async fn await_slot(&self, slot: Slot) -> Result<()> {
        self.context()?.arrival(slot).await.map(drop)
    }

    async fn get(&self, slot: Slot, start: usize, into: View) -> Result<()> {
        let to = self.user_buffer(into);
        if to.bytes() == 0 {
            return self.await_slot(slot).await;
        }
        let chunk = self.range_of(slot, start, into, to.bytes())?;
        self.get_chunk(self.context()?.arrival(slot).await?.data(), &chunk, to)
    }

    fn is_long(&self, view: View) -> bool {
        let copied =
            |context: OpContext<'_>| context.module.copies_in(self.user_buffer(view).bytes());
        !self.context().is_ok_and(copied)
    }

    fn better_sent(&self, view: View) -> bool {
        let sent =
            |context: OpContext<'_>| context.module.better_sent(self.user_buffer(view).bytes());
        self.context().is_ok_and(sent)
    }

    async fn await_whole(&self, slot: Slot, view: View) -> Result<()> {
        let context = self.context()?;
        context.module.check_whole(
            slot,
            context.arrival(slot).await?.data(),
            self.user_buffer(view).bytes(),
        )
    }

    async fn get_whole(&self, slot: Slot, into: View) -> Result<()> {
        let (context, to) = (self.context()?, self.user_buffer(into));
        let view = context.arrival(slot).await?;
        context.module.check_whole(slot, view.data(), to.bytes())?;
        self.get_chunk(view.data(), &Chunk { by: slot.by, skip: 0, bytes: to.bytes() }, to)
    }

    async fn get_reduce(&self, slot: Slot, start: usize, onto: View) -> Result<()> {
        let context = self.context()?;
        let uniform = self.with_region(onto.buffer, |region| region.uniform().cloned())?;
        let size = uniform.datatype.size();
        if onto.len == 0 || size == 0 {
            return self.await_slot(slot).await;
        }
        if !uniform.is_packed() {
            let left = self.temp(onto.len)?;
            self.get(slot, start, left).await?;
            return self.reduce(left, onto);
        }
        let op = self.operator()?;
        let onto_start = Uniform { address: uniform.element(onto.start), ..uniform };
        let chunk = Chunk { by: slot.by, skip: start * size, bytes: onto.len * size };
        let view = context.arrival(slot).await?;
        context.module.visit(self.engine, view.data(), &chunk, size, |at, left| {
            let (right, count) = (onto_start.address.wrapping_add(at), left.len() / size);
            // SAFETY: `left` holds `count` elements, and so does what is at `right`: a part of a
            // promised buffer or of scratch memory, which nobody else touches now.
            unsafe { combine(op, left.as_ptr(), right, count, &onto_start) }
        })
    }
}

/// The kernel does not copy from or to this member, which has this place on the node.
#[cold]
fn not_copied(engine: &Engine, (by, place): (usize, usize), why: &io::Error) -> Error {
    engine.end_if_ended(place, why);
    out_of_reach(by, why)
}
