//! How members of a communicator show each other data on its board, and how they read it.

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll::select::{Params, Shape, shown_bytes};
use dunlin_coll::selection::Listed;
use dunlin_coll::{Member, NodeChannel, Opened, Shown, View};
use dunlin_shm::Node;
use dunlin_shm::board::{self as shm, CONTRIBUTION_BYTES};

use crate::board::Board;
use crate::buffer::UserBuffer;
use crate::channel::{OpChannel, Uniform, combine};
use crate::engine::Engine;
use crate::meeting::Meeting;

const _: () = assert!(CONTRIBUTION_BYTES == dunlin_coll::select::POSTED_BYTES_MAX);
const _: () = assert!(shm::STEPS == dunlin_coll::STEPS && shm::STAGES == dunlin_coll::STAGES);

/// Up to here a copy into shared memory costs less than a peer's reach into our memory.
const POST_BYTES_MAX: usize = 2 << 10;
/// Up to here one rank that copies what several others have copied for it is faster than one that
/// reaches into the memory of each.
const SHOWN_BY_COPY_MAX: usize = 32 << 10;
/// The same where one other copies: the kernel's call takes no longer.
const PAIR_SHOWN_BY_COPY_MAX: usize = 4 << 10;
/// Up to here two ranks that read each other's memory do it by a file: both at once take 0.80
/// instead of 1.15 us for 4 KiB, 1.10 instead of 1.27 for 8 KiB, but 1.65 instead of 1.60 for 16.
const FILE_BYTES_MAX: usize = 8 << 10;
/// The same where one reads and the other does not: 0.79 instead of 0.87 us for 4 KiB, but 1.07
/// instead of 0.97 for 8 KiB.
const FILE_BYTES_MAX_ALONE: usize = 4 << 10;
/// Bytes read from a peer's memory at a time where they are added up: they stay in the cache, and
/// are worth a call of the kernel. An allreduce of 1 MiB by 8, 4 and 2 ranks on 2 cores takes 990,
/// 440 and 117 us in pieces of 32 KiB, 830, 340 and 86 of 128; longer ones gain nothing more.
const PIECE_BYTES: usize = 128 << 10;
/// Bytes of a long vector that a rank posts at a stage: what 8 ranks post stays in the caches of
/// two cores, and every stage costs each of them a turn. An allreduce of 1 MiB by 8 ranks on 2
/// cores takes 1.19 ms in pieces of 32 KiB, 0.97 of 64 KiB and 0.94 of 88 KiB.
pub(crate) const POSTED_PIECE_BYTES: usize = 64 << 10;
/// Bytes `skip..skip + bytes` of what member `by` shows, wherever that is.
pub(crate) struct Piece {
    pub by: usize,
    pub skip: usize,
    pub bytes: usize,
}

impl Board {
    /// The shape of the call in progress, in which no rank shows more than `shown` bytes.
    #[inline]
    pub fn shape(&self, shape: Shape, shown: usize) -> Shape {
        // In two levels one rank of a node also shows what it has from others.
        self.whole.set(if self.is_partial() { usize::MAX } else { shown });
        Shape { crowded: self.crowded, ..shape.showing(shown, self.lends) }
    }

    /// Whether it is better to show a copy of so many bytes than where they are, and there is room.
    #[inline]
    pub fn better_posted(&self, step: usize, bytes: usize) -> bool {
        bytes <= POST_BYTES_MAX && bytes <= self.places.borrow().bytes_left(step)
    }

    /// The same for what one rank alone looks at. Of two ranks, the other is not held up meanwhile.
    #[inline]
    pub fn shows_copy_of(&self, bytes: usize) -> bool {
        let most = if self.members.len() > 2 { SHOWN_BY_COPY_MAX } else { PAIR_SHOWN_BY_COPY_MAX };
        bytes <= most
    }

    /// What is shown at a step of the operation in progress, if it is there.
    #[inline]
    pub fn look(&self, shown: Shown) -> Option<shm::Shown<'static>> {
        self.places.borrow().look(shown.step, self.seat(shown.by))
    }

    /// The same, or an error where it will never be there.
    pub fn look_or_give_up(&self, shown: Shown) -> Option<Result<shm::Shown<'static>>> {
        let has_ended = || self.places.borrow().has_ended(self.seat(shown.by));
        // It may have shown this between our looking at the one and at the other.
        let at_last = || has_ended().then(|| self.look(shown).ok_or_else(|| gone(shown.by)));
        self.look(shown).map(Ok).or_else(at_last)
    }

    /// Whether only one rank has not shown its part of a step, and runs on another core: then it
    /// most likely runs right now. Where three and more ranks share a core it may as well not, and
    /// who polls uses up time for which the system lets it wait later.
    pub fn misses_one_elsewhere(&self, node: &Node, shown: Shown) -> bool {
        let places = self.places.borrow();
        let seat = self.seat(shown.by);
        let has_shown = |by| places.look(shown.step, by).is_some();
        let mut others =
            (0..self.members.len()).filter(|&by| by != seat && self.members[by] != node.me());
        node.at_most_two_on_a_core()
            && node.runs_elsewhere(self.members[seat])
            && others.all(has_shown)
    }

    /// Whether it is, and there is room for the copy at this step.
    #[inline]
    pub fn has_room_for_copy(&self, step: usize, bytes: usize) -> bool {
        self.shows_copy_of(bytes) && bytes <= self.places.borrow().bytes_left(step)
    }

    /// An error if what `by` shows is more than this rank expects.
    #[inline]
    pub fn check_length<'a>(&self, by: usize, data: shm::Shown<'a>) -> Result<shm::Shown<'a>> {
        let (bytes, whole) = (data.bytes(), self.whole.get());
        if bytes > whole { Err(too_much(by, bytes, whole)) } else { Ok(data) }
    }

    /// An error if what is shown is not as long as this rank expects it, or is a piece of more or
    /// less than that.
    #[inline]
    pub fn check_whole(&self, shown: Shown, data: shm::Shown<'_>, bytes: usize) -> Result<()> {
        if data.bytes() != bytes {
            return Err(too_much(shown.by, data.bytes(), bytes));
        }
        let whole =
            self.places.borrow().whole(shown.step, self.seat(shown.by)).map(|whole| whole as usize);
        match whole {
            Some(whole) if whole != self.whole.get() => {
                Err(too_much(shown.by, whole, self.whole.get()))
            }
            _ => Ok(()),
        }
    }

    /// Reads a member's memory.
    pub fn read(&self, engine: &Engine, by: usize, address: u64, to: &mut [u8]) -> Result<()> {
        let member = self.members[self.seat(by)];
        let file_bytes_max = if self.lent.get() { FILE_BYTES_MAX } else { FILE_BYTES_MAX_ALONE };
        if self.members.len() == 2 && to.len() <= file_bytes_max {
            let file = self.other.get_or_init(|| engine.node.memory_file(member));
            if file.as_ref().is_some_and(|file| file.read(address, to).is_ok()) {
                return Ok(());
            }
        }
        engine.node.read(member, address, to).map_err(|e| out_of_reach(by, &e))
    }

    /// Copies `data` to where a member has opened memory for it; `by` may be this rank.
    pub fn write(&self, engine: &Engine, by: usize, data: &[u8], address: u64) -> Result<()> {
        let member = self.members[self.seat(by)];
        if member != engine.node.me() {
            let written = engine.node.write(member, data, address);
            return written.map_err(|e| out_of_reach(by, &e));
        }
        let to = address as *mut u8;
        if to.cast_const() != data.as_ptr() {
            // SAFETY: this rank has opened the memory there, and the caller has checked that the
            // data fits; nobody else gives to this part of it.
            unsafe { std::ptr::copy(data.as_ptr(), to, data.len()) };
        }
        Ok(())
    }

    /// Copies a piece of what is shown.
    #[inline]
    pub fn copy(
        &self,
        engine: &Engine,
        shown: shm::Shown<'_>,
        piece: &Piece,
        to: &mut [u8],
    ) -> Result<()> {
        match shown {
            shm::Shown::Here(data) => to.copy_from_slice(piece.of(data)?),
            shm::Shown::There { address, bytes } => {
                self.read(engine, piece.by, piece.at(address, bytes)?, to)?;
            }
        }
        Ok(())
    }

    /// Hands a piece of what is shown to `use_it`, whole elements of `unit` bytes at a time, and
    /// where in the piece they are.
    #[inline]
    pub fn visit(
        &self,
        engine: &Engine,
        shown: shm::Shown<'_>,
        piece: &Piece,
        unit: usize,
        mut use_it: impl FnMut(usize, &[u8]) -> Result<()>,
    ) -> Result<()> {
        match shown {
            shm::Shown::Here(data) => use_it(0, piece.of(data)?),
            shm::Shown::There { address, bytes } => {
                let address = piece.at(address, bytes)?;
                engine.in_pieces(piece_bytes(unit), piece.bytes, |at, scratch| {
                    self.read(engine, piece.by, address + at as u64, scratch)?;
                    use_it(at, scratch)
                })
            }
        }
    }
}

/// Where slice `number` of so many bytes lies.
#[inline]
pub(crate) fn slice_of(bytes: usize, number: usize) -> std::ops::Range<usize> {
    let start = (number * POSTED_PIECE_BYTES).min(bytes);
    start..(start + POSTED_PIECE_BYTES).min(bytes)
}

/// Bytes read at a time where they are elements of `size` bytes.
#[inline]
pub(crate) fn piece_bytes(size: usize) -> usize {
    (PIECE_BYTES / size).max(1) * size
}

impl Engine {
    /// Runs `use_it` with pieces of scratch memory for `total` bytes, and where each begins.
    fn in_pieces(
        &self,
        piece: usize,
        total: usize,
        mut use_it: impl FnMut(usize, &mut [u8]) -> Result<()>,
    ) -> Result<()> {
        // Taken, because an operator of the program may call MPI and come here again.
        let memory = self.spare_memory(piece.min(total))?;
        // SAFETY: it has room for so much, all of which was written when it was new.
        let scratch = unsafe { std::slice::from_raw_parts_mut(memory.address(), piece.min(total)) };
        let mut steps = (0..total).step_by(piece.max(1));
        let done = steps.try_for_each(|at| use_it(at, &mut scratch[..piece.min(total - at)]));
        self.keep_spares([memory]);
        done
    }
}

impl Piece {
    #[inline]
    pub fn of<'a>(&self, data: &'a [u8]) -> Result<&'a [u8]> {
        data.get(self.skip..self.skip + self.bytes).ok_or_else(|| self.missing(data.len()))
    }

    fn at(&self, address: u64, bytes: usize) -> Result<u64> {
        if self.skip + self.bytes > bytes {
            return Err(self.missing(bytes));
        }
        Ok(address + self.skip as u64)
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

#[cold]
fn out_of_reach(by: usize, why: &std::io::Error) -> Error {
    let text = format!(
        "the memory of rank {by} cannot be reached any more: {why}; start again with \
         DUNLIN_CMA=off"
    );
    Error::new(ErrorClass::Other, text)
}

#[cold]
pub(crate) fn not_as_opened(by: usize, have: usize, bytes: usize) -> Error {
    let text = format!(
        "rank {by} expects {have} bytes from a collective to which this rank's arguments give \
         {bytes}: counts and datatypes must agree"
    );
    Error::new(ErrorClass::Truncate, text)
}

#[cold]
fn gone(by: usize) -> Error {
    let text = format!(
        "rank {by} left this collective early, after an error of its own: counts, datatypes, \
         operators and roots must agree"
    );
    Error::new(ErrorClass::Other, text)
}

#[cold]
pub(crate) fn too_much(by: usize, bytes: usize, whole: usize) -> Error {
    let text = format!(
        "rank {by} gave {bytes} bytes to a collective in which this rank expects {whole} of it: \
         counts and datatypes must agree"
    );
    Error::new(ErrorClass::Truncate, text)
}

#[cold]
pub(crate) fn too_long(bytes: usize, left: usize) -> Error {
    let text = format!(
        "{bytes} bytes were to be shown by a copy, which has room for {left}: force another \
         algorithm for this size"
    );
    Error::new(ErrorClass::Arg, text)
}

impl OpChannel<'_> {
    /// The algorithm for a call.
    #[inline]
    pub(crate) fn choose<A: Listed>(&self, params: &Params) -> A {
        let params = self.spread(params);
        self.choose_showing(&params, shown_bytes(A::OPERATION, &params))
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

    /// The same where the longest that a rank shows is not what tables call the size.
    pub(crate) fn choose_showing<A: Listed>(&self, params: &Params, shown: usize) -> A {
        let params = &self.spread(params);
        let shape = params.shape;
        let shape = self.meeting.map_or(shape, |meeting| meeting.board.shape(shape, shown));
        // A piece of an operand is whole elements, alike at all ranks; slices are of bytes.
        let divides = self.operator().is_err()
            || self.element_bytes(View::EMPTY).map_or(true, |b| b <= POSTED_PIECE_BYTES);
        let shape = Shape { pieces: shape.pieces && divides, ..shape };
        self.engine.choose(&Params { shape, ..*params })
    }

    fn meeting(&self) -> Result<Meeting<'_>> {
        self.meeting.ok_or_else(|| {
            let text = "an algorithm for shared memory was to run without it";
            Error::new(ErrorClass::Intern, text)
        })
    }

    /// The piece of what is shown that belongs into `view`, whose elements are the unit of `start`.
    fn piece_of(&self, shown: Shown, start: usize, view: View, bytes: usize) -> Result<Piece> {
        Ok(Piece { by: shown.by, skip: start * self.element_bytes(view)?, bytes })
    }

    /// Copies a piece of what is shown.
    fn take_piece(&self, data: shm::Shown<'_>, piece: &Piece, mut to: UserBuffer) -> Result<()> {
        let board = self.meeting()?.board;
        if let Some(to) = to.as_dense_mut(piece.bytes) {
            return board.copy(self.engine, data, piece, to);
        }
        board.visit(self.engine, data, piece, 1, |at, bytes| {
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

impl NodeChannel for OpChannel<'_> {
    async fn post(&self, step: usize, view: View) -> Result<()> {
        let (meeting, buffer) = (self.meeting()?, self.user_buffer(view));
        meeting.post(step, buffer.bytes(), |to| buffer.pack(0, to))
    }

    async fn lend(&self, step: usize, view: View) -> Result<()> {
        let (meeting, buffer) = (self.meeting()?, self.user_buffer(view));
        if meeting.board.better_posted(step, buffer.bytes()) {
            return self.post(step, view).await;
        }
        let address = match buffer.as_dense() {
            Some(data) => data.as_ptr() as u64,
            None => self.memory.keep(buffer.packed()?),
        };
        meeting.lend(step, address, buffer.bytes());
        Ok(())
    }

    async fn show(&self, step: usize, view: View) -> Result<()> {
        if self.meeting()?.board.has_room_for_copy(step, self.user_buffer(view).bytes()) {
            return self.post(step, view).await;
        }
        self.lend(step, view).await
    }

    async fn open(&self, step: usize, view: View) -> Result<()> {
        let (meeting, mut buffer) = (self.meeting()?, self.user_buffer(view));
        let bytes = buffer.bytes();
        let address = match buffer.as_dense_mut(bytes) {
            Some(data) => data.as_mut_ptr() as u64,
            None => self.memory.open(buffer)?,
        };
        meeting.lend(step, address, bytes);
        Ok(())
    }

    async fn give(&self, from: View, opened: Opened, start: usize) -> Result<()> {
        let (meeting, buffer) = (self.meeting()?, self.user_buffer(from));
        let size = self.element_bytes(from)?;
        let to = meeting.opened(opened.shown, opened.len * size)?;
        let to = to + (start * size) as u64;
        match buffer.as_dense() {
            _ if buffer.bytes() == 0 => Ok(()),
            Some(data) => meeting.board.write(self.engine, opened.shown.by, data, to),
            None => meeting.board.write(self.engine, opened.shown.by, &buffer.packed()?, to),
        }
    }

    fn piece(&self, view: View) -> usize {
        (PIECE_BYTES / self.element_bytes(view).unwrap_or(1).max(1)).max(1)
    }

    async fn leave(&self, stage: usize) -> Result<()> {
        self.meeting()?.leave(stage);
        Ok(())
    }

    fn posted_piece(&self, view: View) -> usize {
        POSTED_PIECE_BYTES / self.element_bytes(view).unwrap_or(1).max(1)
    }

    fn slices(&self, view: View) -> usize {
        self.user_buffer(view).bytes().div_ceil(POSTED_PIECE_BYTES)
    }

    async fn post_slice(&self, step: usize, view: View, number: usize) -> Result<()> {
        let (meeting, buffer) = (self.meeting()?, self.user_buffer(view));
        let slice = slice_of(buffer.bytes(), number);
        meeting.post(step, slice.len(), |to| buffer.pack(slice.start, to))
    }

    async fn take_slice(&self, shown: Shown, into: View, number: usize) -> Result<()> {
        let (meeting, mut to) = (self.meeting()?, self.user_buffer(into));
        let slice = slice_of(to.bytes(), number);
        let data = meeting.look(shown)?;
        meeting.board.check_whole(shown, data, slice.len())?;
        let piece = Piece { by: shown.by, skip: 0, bytes: slice.len() };
        meeting.board.visit(self.engine, data, &piece, PIECE_BYTES, |at, bytes| {
            to.unpack(slice.start + at, bytes);
            Ok(())
        })
    }

    fn cores(&self) -> usize {
        self.engine.node.cores()
    }

    async fn seen(&self, shown: Shown) -> Result<()> {
        self.meeting()?.look(shown).map(drop)
    }

    async fn take(&self, shown: Shown, start: usize, into: View) -> Result<()> {
        let to = self.user_buffer(into);
        if to.bytes() == 0 {
            return self.seen(shown).await;
        }
        let piece = self.piece_of(shown, start, into, to.bytes())?;
        self.take_piece(self.meeting()?.look(shown)?, &piece, to)
    }

    fn is_long(&self, view: View) -> bool {
        let copied =
            |meeting: Meeting<'_>| meeting.board.shows_copy_of(self.user_buffer(view).bytes());
        !self.meeting().is_ok_and(copied)
    }

    async fn seen_whole(&self, shown: Shown, view: View) -> Result<()> {
        let meeting = self.meeting()?;
        meeting.board.check_whole(shown, meeting.look(shown)?, self.user_buffer(view).bytes())
    }

    async fn take_whole(&self, shown: Shown, into: View) -> Result<()> {
        let (meeting, to) = (self.meeting()?, self.user_buffer(into));
        let data = meeting.look(shown)?;
        meeting.board.check_whole(shown, data, to.bytes())?;
        self.take_piece(data, &Piece { by: shown.by, skip: 0, bytes: to.bytes() }, to)
    }

    async fn take_reduce(&self, shown: Shown, start: usize, onto: View) -> Result<()> {
        let meeting = self.meeting()?;
        let uniform = self.with_region(onto.buffer, |region| region.uniform().cloned())?;
        let size = uniform.datatype.size();
        if onto.len == 0 || size == 0 {
            return self.seen(shown).await;
        }
        if !uniform.is_packed() {
            let left = self.temp(onto.len)?;
            self.take(shown, start, left).await?;
            return self.reduce(left, onto);
        }
        let op = self.operator()?;
        let onto_start = Uniform { address: uniform.element(onto.start), ..uniform };
        let piece = Piece { by: shown.by, skip: start * size, bytes: onto.len * size };
        let data = meeting.look(shown)?;
        meeting.board.visit(self.engine, data, &piece, size, |at, left| {
            let (right, count) = (onto_start.address.wrapping_add(at), left.len() / size);
            // SAFETY: `left` holds `count` elements, and so does what is at `right`: a part of a
            // promised buffer or of scratch memory, which nobody else touches now.
            unsafe { combine(op, left.as_ptr(), right, count, &onto_start) }
        })
    }
}
