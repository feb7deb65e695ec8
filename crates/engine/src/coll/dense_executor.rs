//! The executor of the fast path: collectives on contiguous buffers over a collective segment.

use std::cell::{Cell, RefCell};

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll::sharing::{CICO_CHUNK_BYTES, chunk_bytes, slice_of};
use dunlin_coll::{Buffer, Member, NodeChannel, PutTarget, Slot, View};
use dunlin_datatype::reduce::Operands;
use dunlin_shm::coll_segment as shm;

use crate::coll::fast_path::{Bytes, CollFastPath, Operator};
use crate::coll::transfer::Chunk;
use crate::coll::typed_executor::{sum, sum_up};
use crate::memory::nontemporal;
use crate::memory::scratch::ScratchBuffer;

/// Steps at which sums publish operands.
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
pub(crate) struct DenseExecutor<'p> {
    plain: &'p CollFastPath,
    buffers: Buffers,
    /// Bytes of an element.
    unit: usize,
    /// By step, for the first steps: where the operand that this rank has copied in still is.
    cico: [Cell<Option<Bytes>>; NOTED_STEPS],
    /// Scratch memory, by number.
    pub scratch: RefCell<Vec<ScratchBuffer>>,
}

impl<'p> DenseExecutor<'p> {
    pub fn new(plain: &'p CollFastPath, buffers: Buffers) -> DenseExecutor<'p> {
        let unit = buffers.operator.map_or(1, |operator| operator.primitive.size());
        DenseExecutor {
            plain,
            buffers,
            unit,
            cico: Default::default(),
            scratch: RefCell::default(),
        }
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
        // SAFETY: the views of an algorithm lie within its buffers, as the symbolic executor
        // proves: this is a part of a buffer that the program promised, or of scratch memory, which
        // stays where it is until the operation ends. No verb below writes to it while it has this
        // slice: an algorithm names one view to read and another to write, and where the program's
        // buffers may be the same, `copy` and `get_combine` compare addresses first.
        unsafe { std::slice::from_raw_parts(start, bytes) }
    }

    #[inline]
    #[expect(clippy::mut_from_ref, reason = "the memory is the program's, not the executor's")]
    fn room(&self, view: View) -> &mut [u8] {
        let (start, bytes) = self.bytes(view);
        // SAFETY: as for `data`. Each verb takes one such slice, lets it go before it returns, and
        // never suspends, so that no other verb runs meanwhile; what others read of this rank's
        // memory they do not read while an algorithm writes it, which is proven as well.
        unsafe { std::slice::from_raw_parts_mut(start, bytes) }
    }

    #[inline]
    fn range_of(&self, slot: Slot, start: usize, bytes: usize) -> Chunk {
        Chunk { by: slot.by, skip: start * self.unit, bytes }
    }

    /// Remembers where a published operand still is: in its buffer, or in a copy, if the result may
    /// overwrite the buffer.
    #[inline]
    fn note_copied_in(&self, step: usize, view: View) -> Result<()> {
        let Buffers { send, recv, operator } = &self.buffers;
        // With two ranks, each combines the other's data with its own.
        if view.buffer != Buffer::Send || operator.is_none() || self.size() == 2 {
            return Ok(());
        }
        let (mut kept, Some(cico)) = (view, self.cico.get(step)) else { return Ok(()) };
        if send == recv {
            kept = self.temp(view.len)?;
            self.copy(view, kept)?;
        }
        cico.set(Some(self.bytes(kept)));
        Ok(())
    }

    /// Published data, once it is there. This rank's own data is taken from its buffer, not from
    /// the collective segment, whose cache lines the others are reading: a sum of two vectors of 8
    /// bytes takes 220 instead of 310 ns.
    #[inline]
    fn peek(&self, slot: Slot) -> Result<shm::SlotView<'_>> {
        if slot.by == self.rank() {
            if let Some((start, bytes)) = self.cico.get(slot.step).and_then(Cell::get) {
                // SAFETY: a part of a buffer that the program promised and that does not change.
                return Ok(shm::SlotView::own(unsafe { std::slice::from_raw_parts(start, bytes) }));
            }
        }
        self.plain.context().peek(slot)
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

impl Member for DenseExecutor<'_> {
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
        scratch.push(self.plain.engine.scratch_buffers.take(len * self.unit)?);
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

impl NodeChannel for DenseExecutor<'_> {
    #[inline]
    async fn copy_in(&self, step: usize, view: View) -> Result<()> {
        let data = self.data(view);
        self.note_copied_in(step, view)?;
        self.plain.context().copy_in(step, data.len(), |to| to.copy_from_slice(data))
    }

    async fn expose(&self, step: usize, view: View) -> Result<()> {
        let (start, bytes) = self.bytes(view);
        if self.plain.module.better_copied_in(step, bytes) {
            return self.copy_in(step, view).await;
        }
        self.plain.context().expose(step, start as u64, bytes);
        Ok(())
    }

    async fn publish(&self, step: usize, view: View) -> Result<()> {
        if self.plain.module.has_room_for_copy(step, self.bytes(view).1) {
            return self.copy_in(step, view).await;
        }
        self.expose(step, view).await
    }

    async fn expose_for_put(&self, step: usize, view: View) -> Result<()> {
        let (start, bytes) = self.bytes(view);
        self.plain.context().expose(step, start as u64, bytes);
        Ok(())
    }

    async fn put(&self, from: View, exposed: PutTarget, start: usize) -> Result<()> {
        let (CollFastPath { engine, module, .. }, by) = (self.plain, exposed.slot.by);
        let bytes = exposed.len * self.unit;
        let to = self.plain.context().exposed(exposed.slot, bytes).await?;
        module.write(engine, by, self.data(from), to + (start * self.unit) as u64)
    }

    async fn release_stage(&self, stage: usize) -> Result<()> {
        self.plain.context().release_stage(stage);
        Ok(())
    }

    fn copy_in_chunk(&self, _view: View) -> usize {
        CICO_CHUNK_BYTES / self.unit
    }

    fn slices(&self, view: View) -> usize {
        self.bytes(view).1.div_ceil(CICO_CHUNK_BYTES)
    }

    async fn copy_in_slice(&self, step: usize, view: View, number: usize) -> Result<()> {
        let data = self.data(view);
        let data = &data[slice_of(data.len(), number)];
        self.plain.context().copy_in(step, data.len(), |to| to.copy_from_slice(data))
    }

    async fn get_slice(&self, slot: Slot, into: View, number: usize) -> Result<()> {
        let CollFastPath { engine, module, .. } = self.plain;
        let view = self.peek(slot)?;
        let to = self.room(into);
        let range = slice_of(to.len(), number);
        let to = &mut to[range];
        module.check_whole(slot, view.data(), to.len())?;
        module.copy(engine, view.data(), &Chunk { by: slot.by, skip: 0, bytes: to.len() }, to)
    }

    fn copy_for_long(&self, from: View, to: View, result_len: usize) -> Result<()> {
        if result_len * self.unit < nontemporal::NONTEMPORAL_BYTES_MIN {
            return self.copy(from, to);
        }
        let ((from, bytes), (to, _)) = (self.bytes(from), self.bytes(to));
        if from != to {
            // SAFETY: both are parts of promised buffers; views of an algorithm are as long.
            unsafe { nontemporal::copy(from, to, bytes) }
        }
        Ok(())
    }

    fn cores(&self) -> usize {
        self.plain.engine.node.cores()
    }

    #[inline]
    fn chunk(&self, _view: View) -> usize {
        chunk_bytes(self.unit) / self.unit
    }

    #[inline]
    async fn await_slot(&self, slot: Slot) -> Result<()> {
        self.peek(slot).map(drop)
    }

    #[inline]
    async fn get(&self, slot: Slot, start: usize, into: View) -> Result<()> {
        let CollFastPath { engine, module, .. } = self.plain;
        let view = self.peek(slot)?;
        let to = self.room(into);
        module.copy(engine, view.data(), &self.range_of(slot, start, to.len()), to)
    }

    fn is_long(&self, view: View) -> bool {
        !self.plain.module.copies_in(self.bytes(view).1)
    }

    async fn await_whole(&self, slot: Slot, view: View) -> Result<()> {
        self.plain.module.check_whole(slot, self.peek(slot)?.data(), self.bytes(view).1)
    }

    #[inline]
    async fn get_whole(&self, slot: Slot, into: View) -> Result<()> {
        let CollFastPath { engine, module, .. } = self.plain;
        let (view, to) = (self.peek(slot)?, self.room(into));
        module.check_whole(slot, view.data(), to.len())?;
        module.copy(engine, view.data(), &self.range_of(slot, 0, to.len()), to)
    }

    #[inline]
    async fn get_reduce(&self, slot: Slot, start: usize, onto: View) -> Result<()> {
        let (Operator { op, primitive }, CollFastPath { engine, module, .. }) =
            (self.operator()?, self.plain);
        let view = self.peek(slot)?;
        let right = self.room(onto);
        let chunk = self.range_of(slot, start, right.len());
        module.visit(engine, view.data(), &chunk, self.unit, |at, left| {
            sum_up(op, primitive, left, &mut right[at..at + left.len()])
        })
    }

    async fn copy_in_combined(
        &self,
        step: usize,
        slot: Slot,
        operand: View,
        _scratch: View,
    ) -> Result<()> {
        let Operator { op, primitive } = self.operator()?;
        let own = self.data(operand);
        let chunk = self.range_of(slot, 0, own.len());
        let view = self.peek(slot)?;
        let shm::SlotData::Copied(data) = view.data() else {
            let text = "what was to be combined and copied in was exposed";
            return Err(Error::new(ErrorClass::Intern, text));
        };
        let (theirs, mut summed) = (chunk.of(data)?, Ok(()));
        self.plain.context().copy_in(step, own.len(), |to| {
            summed = sum(op, primitive, Operands::Into(theirs, own, to));
        })?;
        summed
    }

    #[inline]
    async fn get_combine(&self, slot: Slot, start: usize, operand: View, into: View) -> Result<()> {
        let (Operator { op, primitive }, CollFastPath { engine, module, .. }) =
            (self.operator()?, self.plain);
        let view = self.peek(slot)?;
        let ((own, bytes), (to, _)) = (self.bytes(operand), self.bytes(into));
        let (chunk, lower) = (self.range_of(slot, start, bytes), slot.by < self.rank());
        if own == to {
            let to = self.room(into);
            return module.visit(engine, view.data(), &chunk, self.unit, |at, theirs| {
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
        let on = match (view.data(), lower) {
            (shm::SlotData::Copied(data), true) => Operands::Into(chunk.of(data)?, own, to),
            (shm::SlotData::Copied(data), false) => Operands::Into(own, chunk.of(data)?, to),
            (there, lower) => {
                module.copy(engine, there, &chunk, to)?;
                if lower { Operands::OntoLeft(to, own) } else { Operands::OntoRight(own, to) }
            }
        };
        sum(op, primitive, on)
    }
}
