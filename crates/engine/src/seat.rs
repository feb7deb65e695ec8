//! One rank of a collective operation on plain runs of bytes: where a view lies, and how it is
//! shown and read.

use std::cell::{Cell, RefCell};

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll::{Buffer, Member, NodeChannel, Opened, Shown, View};
use dunlin_datatype::reduce::Operands;
use dunlin_shm::board as shm;

use crate::channel::{sum, sum_up};
use crate::plain::{Bytes, Operator, Plain};
use crate::showing::{POSTED_PIECE_BYTES, Piece, piece_bytes, slice_of};
use crate::spare::Spare;
use crate::streaming;

/// Steps at which sums show operands.
const NOTED_STEPS: usize = 4;

/// The buffers of an operation.
pub(crate) struct Buffers {
    pub send: *mut u8,
    pub recv: *mut u8,
    pub operator: Option<Operator>,
}

impl Buffers {
    pub const NONE: Buffers = Buffers::moved(std::ptr::dangling_mut(), std::ptr::dangling_mut());

    pub const fn moved(send: *mut u8, recv: *mut u8) -> Buffers {
        Buffers { send, recv, operator: None }
    }
}

/// One rank of an operation on plain data.
pub(crate) struct Seat<'p> {
    plain: &'p Plain,
    buffers: Buffers,
    /// Bytes of an element.
    unit: usize,
    /// By step, of the first ones: where what this rank has posted still stands.
    posted: [Cell<Option<Bytes>>; NOTED_STEPS],
    /// Scratch memory, by number.
    pub scratch: RefCell<Vec<Spare>>,
}

impl<'p> Seat<'p> {
    pub fn new(plain: &'p Plain, buffers: Buffers) -> Seat<'p> {
        let unit = buffers.operator.map_or(1, |operator| operator.primitive.size());
        Seat { plain, buffers, unit, posted: Default::default(), scratch: RefCell::default() }
    }

    /// Where a view lies.
    #[inline]
    fn bytes(&self, view: View) -> Bytes {
        let start = match view.buffer {
            Buffer::Send => self.buffers.send,
            Buffer::Recv => self.buffers.recv,
            Buffer::Temp(n) => self.scratch.borrow()[n as usize].address(),
        };
        (start.wrapping_add(view.start * self.unit), view.len * self.unit)
    }

    #[inline]
    fn data(&self, view: View) -> &[u8] {
        let (start, bytes) = self.bytes(view);
        // SAFETY: a part of a buffer that the program promised, or of scratch memory, which an
        // algorithm does not change while it is read.
        unsafe { std::slice::from_raw_parts(start, bytes) }
    }

    #[inline]
    #[expect(clippy::mut_from_ref, reason = "the memory is the program's, not the seat's")]
    fn room(&self, view: View) -> &mut [u8] {
        let (start, bytes) = self.bytes(view);
        // SAFETY: as for `data`; an algorithm does nothing else with it meanwhile.
        unsafe { std::slice::from_raw_parts_mut(start, bytes) }
    }

    #[inline]
    fn piece_of(&self, shown: Shown, start: usize, bytes: usize) -> Piece {
        Piece { by: shown.by, skip: start * self.unit, bytes }
    }

    /// Notes where an operand that is shown still stands: where it is, or, if the result goes there
    /// too and may come over it, in a copy.
    #[inline]
    fn note_posted(&self, step: usize, view: View) -> Result<()> {
        let Buffers { send, recv, operator } = &self.buffers;
        // Of two ranks each combines what the other shows with what it has.
        if view.buffer != Buffer::Send || operator.is_none() || self.size() == 2 {
            return Ok(());
        }
        let (mut kept, Some(posted)) = (view, self.posted.get(step)) else { return Ok(()) };
        if send == recv {
            kept = self.temp(view.len)?;
            self.copy(view, kept)?;
        }
        posted.set(Some(self.bytes(kept)));
        Ok(())
    }

    /// What is shown, once it is there. This rank's own data it has nearer than on the board, whose
    /// lines the others are reading: a sum of two vectors of 8 bytes takes 220 instead of 310 ns.
    #[inline]
    fn look(&self, shown: Shown) -> Result<shm::Shown<'_>> {
        if shown.by == self.rank() {
            if let Some((start, bytes)) = self.posted.get(shown.step).and_then(Cell::get) {
                // SAFETY: a part of a buffer that the program promised and that does not change.
                return Ok(shm::Shown::Here(unsafe { std::slice::from_raw_parts(start, bytes) }));
            }
        }
        self.plain.meeting().look(shown)
    }

    #[inline(always)]
    fn operator(&self) -> Result<Operator> {
        self.buffers.operator.ok_or_else(no_operator)
    }
}

#[cold]
fn no_operator() -> Error {
    let text = "a collective without an operator was asked to reduce";
    Error::new(ErrorClass::Intern, text)
}

impl Member for Seat<'_> {
    #[inline]
    fn rank(&self) -> usize {
        self.plain.rank()
    }

    #[inline]
    fn size(&self) -> usize {
        self.plain.size()
    }

    fn temp(&self, len: usize) -> Result<View> {
        let mut scratch = self.scratch.borrow_mut();
        scratch.push(self.plain.engine.spare_memory(len * self.unit)?);
        Ok(View { buffer: Buffer::Temp(scratch.len() as u32 - 1), start: 0, len })
    }

    #[inline]
    fn copy(&self, from: View, to: View) -> Result<()> {
        let ((from, bytes), (to, _)) = (self.bytes(from), self.bytes(to));
        if from != to {
            // SAFETY: both are parts of promised buffers; views of an algorithm are as long.
            unsafe { std::ptr::copy(from, to, bytes) }
        }
        Ok(())
    }

    fn reduce(&self, left: View, right: View) -> Result<()> {
        let Operator { op, primitive } = self.operator()?;
        sum_up(op, primitive, self.data(left), self.room(right))
    }
}

impl NodeChannel for Seat<'_> {
    #[inline]
    async fn post(&self, step: usize, view: View) -> Result<()> {
        let data = self.data(view);
        self.note_posted(step, view)?;
        self.plain.meeting().post(step, data.len(), |to| to.copy_from_slice(data))
    }

    async fn lend(&self, step: usize, view: View) -> Result<()> {
        let (start, bytes) = self.bytes(view);
        if self.plain.board.better_posted(step, bytes) {
            return self.post(step, view).await;
        }
        self.plain.meeting().lend(step, start as u64, bytes);
        Ok(())
    }

    async fn show(&self, step: usize, view: View) -> Result<()> {
        if self.plain.board.has_room_for_copy(step, self.bytes(view).1) {
            return self.post(step, view).await;
        }
        self.lend(step, view).await
    }

    async fn open(&self, step: usize, view: View) -> Result<()> {
        let (start, bytes) = self.bytes(view);
        self.plain.meeting().lend(step, start as u64, bytes);
        Ok(())
    }

    async fn give(&self, from: View, opened: Opened, start: usize) -> Result<()> {
        let (Plain { engine, board, .. }, by) = (self.plain, opened.shown.by);
        let to = self.plain.meeting().opened(opened.shown, opened.len * self.unit)?;
        board.write(engine, by, self.data(from), to + (start * self.unit) as u64)
    }

    async fn leave(&self, stage: usize) -> Result<()> {
        self.plain.meeting().leave(stage);
        Ok(())
    }

    fn posted_piece(&self, _view: View) -> usize {
        POSTED_PIECE_BYTES / self.unit
    }

    fn slices(&self, view: View) -> usize {
        self.bytes(view).1.div_ceil(POSTED_PIECE_BYTES)
    }

    async fn post_slice(&self, step: usize, view: View, number: usize) -> Result<()> {
        let data = self.data(view);
        let data = &data[slice_of(data.len(), number)];
        self.plain.meeting().post(step, data.len(), |to| to.copy_from_slice(data))
    }

    async fn take_slice(&self, shown: Shown, into: View, number: usize) -> Result<()> {
        let Plain { engine, board, .. } = self.plain;
        let data = self.look(shown)?;
        let to = self.room(into);
        let range = slice_of(to.len(), number);
        let to = &mut to[range];
        board.check_whole(shown, data, to.len())?;
        board.copy(engine, data, &Piece { by: shown.by, skip: 0, bytes: to.len() }, to)
    }

    fn copy_for_long(&self, from: View, to: View, result_len: usize) -> Result<()> {
        if result_len * self.unit < streaming::STREAMED_BYTES_MIN {
            return self.copy(from, to);
        }
        let ((from, bytes), (to, _)) = (self.bytes(from), self.bytes(to));
        if from != to {
            // SAFETY: both are parts of promised buffers; views of an algorithm are as long.
            unsafe { streaming::copy(from, to, bytes) }
        }
        Ok(())
    }

    fn cores(&self) -> usize {
        self.plain.engine.node.cores()
    }

    #[inline]
    fn piece(&self, _view: View) -> usize {
        piece_bytes(self.unit) / self.unit
    }

    #[inline]
    async fn seen(&self, shown: Shown) -> Result<()> {
        self.look(shown).map(drop)
    }

    #[inline]
    async fn take(&self, shown: Shown, start: usize, into: View) -> Result<()> {
        let Plain { engine, board, .. } = self.plain;
        let data = self.look(shown)?;
        let to = self.room(into);
        board.copy(engine, data, &self.piece_of(shown, start, to.len()), to)
    }

    fn is_long(&self, view: View) -> bool {
        !self.plain.board.shows_copy_of(self.bytes(view).1)
    }

    async fn seen_whole(&self, shown: Shown, view: View) -> Result<()> {
        self.plain.board.check_whole(shown, self.look(shown)?, self.bytes(view).1)
    }

    #[inline]
    async fn take_whole(&self, shown: Shown, into: View) -> Result<()> {
        let Plain { engine, board, .. } = self.plain;
        let (data, to) = (self.look(shown)?, self.room(into));
        board.check_whole(shown, data, to.len())?;
        board.copy(engine, data, &self.piece_of(shown, 0, to.len()), to)
    }

    #[inline]
    async fn take_reduce(&self, shown: Shown, start: usize, onto: View) -> Result<()> {
        let (Operator { op, primitive }, Plain { engine, board, .. }) =
            (self.operator()?, self.plain);
        let data = self.look(shown)?;
        let right = self.room(onto);
        let piece = self.piece_of(shown, start, right.len());
        board.visit(engine, data, &piece, self.unit, |at, left| {
            sum_up(op, primitive, left, &mut right[at..at + left.len()])
        })
    }

    async fn post_combined(
        &self,
        step: usize,
        shown: Shown,
        operand: View,
        _scratch: View,
    ) -> Result<()> {
        let Operator { op, primitive } = self.operator()?;
        let own = self.data(operand);
        let piece = self.piece_of(shown, 0, own.len());
        let shm::Shown::Here(data) = self.look(shown)? else {
            let text = "what was to be combined and posted was lent";
            return Err(Error::new(ErrorClass::Intern, text));
        };
        let (theirs, mut summed) = (piece.of(data)?, Ok(()));
        self.plain.meeting().post(step, own.len(), |to| {
            summed = sum(op, primitive, Operands::Into(theirs, own, to));
        })?;
        summed
    }

    #[inline]
    async fn take_combine(
        &self,
        shown: Shown,
        start: usize,
        operand: View,
        into: View,
    ) -> Result<()> {
        let (Operator { op, primitive }, Plain { engine, board, .. }) =
            (self.operator()?, self.plain);
        let data = self.look(shown)?;
        let ((own, bytes), (to, _)) = (self.bytes(operand), self.bytes(into));
        let (piece, lower) = (self.piece_of(shown, start, bytes), shown.by < self.rank());
        if own == to {
            let to = self.room(into);
            return board.visit(engine, data, &piece, self.unit, |at, theirs| {
                let to = &mut to[at..at + theirs.len()];
                sum(
                    op,
                    primitive,
                    match lower {
                        true => Operands::OntoRight(theirs, to),
                        false => Operands::OntoLeft(to, theirs),
                    },
                )
            });
        }
        let (own, to) = (self.data(operand), self.room(into));
        let on = match (data, lower) {
            (shm::Shown::Here(data), true) => Operands::Into(piece.of(data)?, own, to),
            (shm::Shown::Here(data), false) => Operands::Into(own, piece.of(data)?, to),
            (there, lower) => {
                board.copy(engine, there, &piece, to)?;
                if lower { Operands::OntoLeft(to, own) } else { Operands::OntoRight(own, to) }
            }
        };
        sum(op, primitive, on)
    }
}
