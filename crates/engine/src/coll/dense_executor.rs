//! The executor of the fast path: collectives on contiguous buffers over a collective segment.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_coll::sharing::{CICO_CHUNK_BYTES, chunk_bytes, slice_of, slices, stage_elements};
use dunlin_coll::{Buffer, Domains, Member, NodeChannel, PutTarget, Slice, Slot, View};
use dunlin_copy::{self as copy, copy_slice, nontemporal};
use dunlin_datatype::reduce::Operands;
use dunlin_shm::coll_segment as shm;

use crate::coll::op_context::OpContext;
use crate::coll::plain_arguments::{Bytes, Operator, OperatorOfProgram};
use crate::coll::transfer::Chunk;
use crate::coll::typed_executor::{apply_by_pieces, sum_packed};
use crate::memory::scratch::ScratchBuffer;
use crate::objects::op::Op;

/// Steps at which sums publish operands.
const NOTED_STEPS: usize = 4;

/// The buffers of an operation.
#[derive(Debug, Clone, Copy)]
pub struct Buffers {
    pub(crate) send: *mut u8,
    pub(crate) recv: *mut u8,
    pub(crate) operator: Option<Operator>,
}

impl Buffers {
    pub(crate) const NONE: Buffers =
        Buffers::moved(std::ptr::dangling_mut(), std::ptr::dangling_mut());

    pub(crate) const fn moved(send: *mut u8, recv: *mut u8) -> Buffers {
        Buffers { send, recv, operator: None }
    }
}

/// How verbs wait: on the caller's stack, making progress, so that an algorithm never suspends and
/// the compiler turns it into straight code.
#[derive(Debug)]
pub struct OnStack;

/// How verbs wait: they suspend.
#[derive(Debug)]
pub struct Suspending;

/// One rank of an operation on plain data, whose verbs wait in one of these ways.
#[derive(Debug)]
pub struct DenseExecutor<'p, W> {
    /// Not a copy: it would be loaded by vectors that span words just stored, and wait until these
    /// are in the cache (failed store forwarding, 8 ns).
    context: &'p OpContext<'p>,
    waits: PhantomData<W>,
    buffers: Buffers,
    /// Bytes of an element.
    unit: usize,
    /// By step, for the first steps: where the operand that this rank has copied in still is.
    cico: [Cell<Option<Bytes>>; NOTED_STEPS],
    /// Scratch memory, by number.
    scratch: RefCell<Vec<ScratchBuffer>>,
}

impl<'p, W> DenseExecutor<'p, W> {
    pub(crate) fn new(context: &'p OpContext<'p>, buffers: Buffers) -> DenseExecutor<'p, W> {
        let unit = buffers.operator.map_or(1, Operator::element_bytes);
        DenseExecutor {
            context,
            waits: PhantomData,
            buffers,
            unit,
            cico: Default::default(),
            scratch: RefCell::default(),
        }
    }

    /// The operation is over: its scratch memory can be used again.
    #[inline]
    pub(crate) fn done(&self) {
        let scratch = self.scratch.take();
        if !scratch.is_empty() {
            self.context.engine.scratch_buffers.keep(scratch);
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
        // slice, nor suspends: an algorithm names one view to read and another to write, and where
        // the program's buffers may be the same, `copy` and `get_combine` compare addresses first.
        unsafe { std::slice::from_raw_parts(start, bytes) }
    }

    #[inline]
    #[expect(clippy::mut_from_ref, reason = "the memory is the program's, not the executor's")]
    fn room(&self, view: View) -> &mut [u8] {
        let (start, bytes) = self.bytes(view);
        // SAFETY: as for `data`. Each verb takes one such slice, lets it go before it returns or
        // suspends, so that no other verb runs meanwhile; what others read of this rank's
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

    /// This rank's own data, if it is that: taken from its buffer, not from the collective segment,
    /// whose cache lines the others are reading: a sum of two vectors of 8 bytes takes 220 instead
    /// of 310 ns.
    #[inline]
    fn own(&self, slot: Slot) -> Option<shm::SlotView<'_>> {
        let noted = || self.cico.get(slot.step).and_then(Cell::get);
        let (start, bytes) = (slot.by == self.rank()).then(noted)??;
        // SAFETY: a part of a buffer that the program promised and that does not change until the
        // operation is complete.
        Some(shm::SlotView::own(unsafe { std::slice::from_raw_parts(start, bytes) }))
    }

    /// Applies the operator.
    #[inline(always)]
    fn combine(&self, on: Operands<'_>) -> Result<()> {
        match self.buffers.operator {
            Some(Operator::Predefined(op, primitive)) => sum_packed(op, primitive, on),
            Some(Operator::OfProgram(own)) => self.combine_by_program(own, on),
            None => Err(no_operator()),
        }
    }

    /// The same by the program's function, which writes to its right operand. Cold: it must cost
    /// the others nothing.
    #[cold]
    #[inline(never)]
    fn combine_by_program(&self, own: OperatorOfProgram, on: Operands<'_>) -> Result<()> {
        let engine = self.context.engine;
        let op = engine.op(own.op)?;
        let Op::User { function, .. } = &*op else { return Err(no_operator()) };
        let (left_bytes, right_bytes) = on.bytes();
        if left_bytes != right_bytes {
            let text =
                format!("operands of {left_bytes} and {right_bytes} bytes were to be reduced");
            return Err(Error::new(ErrorClass::Intern, text));
        }
        let apply = |left: &[u8], right: &mut [u8]| {
            let count = left.len() / own.element_bytes as usize;
            let extent = own.element_bytes as isize;
            let operands = (left.as_ptr(), right.as_mut_ptr());
            apply_by_pieces(function, operands, count, (extent, own.type_id));
        };
        match on {
            Operands::OntoRight(left, right) => apply(left, right),
            Operands::Into(left, right, to) => {
                copy_slice(right, to);
                apply(left, to);
            }
            Operands::OntoLeft(left, right) => {
                let scratch = engine.scratch_buffers.take(right.len())?;
                // SAFETY: so much memory was asked for, which nobody else knows.
                let summed =
                    unsafe { std::slice::from_raw_parts_mut(scratch.address(), right.len()) };
                copy_slice(right, summed);
                apply(left, summed);
                copy_slice(summed, left);
                engine.scratch_buffers.keep(vec![scratch]);
            }
        }
        Ok(())
    }
}

#[cold]
fn no_operator() -> Error {
    let text = "a collective without an operator was asked to reduce";
    Error::new(ErrorClass::Intern, text)
}

impl<W> Member for DenseExecutor<'_, W> {
    #[inline]
    fn rank(&self) -> usize {
        self.context.comm.rank as usize
    }

    #[inline]
    fn size(&self) -> usize {
        self.context.comm.size() as usize
    }

    fn temp(&self, len: usize) -> Result<View> {
        let mut scratch = self.scratch.borrow_mut();
        scratch.push(self.context.engine.scratch_buffers.take(len * self.unit)?);
        Ok(View { buffer: Buffer::Temp(scratch.len() as u32 - 1), start: 0, len })
    }

    #[inline]
    fn copy(&self, from: View, to: View) -> Result<()> {
        let ((from, bytes), (to, _)) = (self.bytes(from), self.bytes(to));
        if from != to {
            // SAFETY: both are parts of promised buffers; views of an algorithm are as long.
            unsafe { copy::copy(from, to, bytes) }
        }
        Ok(())
    }

    fn reduce(&self, left: View, right: View) -> Result<()> {
        self.combine(Operands::OntoRight(self.data(left), self.room(right)))
    }
}

impl DenseExecutor<'_, OnStack> {
    /// Published data, once it is there.
    #[inline]
    fn arrival(&self, slot: Slot) -> Result<shm::SlotView<'_>> {
        self.own(slot).map_or_else(|| self.context.peek(slot), Ok)
    }

    /// Publishing itself waits for room.
    #[inline]
    fn room_for(&self, _step: usize, _bytes: impl FnOnce() -> usize) {}
}

impl DenseExecutor<'_, Suspending> {
    async fn arrival(&self, slot: Slot) -> Result<shm::SlotView<'_>> {
        match self.own(slot) {
            Some(own) => Ok(own),
            None => self.context.arrival(slot).await,
        }
    }

    /// Suspends until a step can be published without a wait.
    async fn room_for(&self, step: usize, bytes: impl FnOnce() -> usize) {
        self.context.room_for(step, bytes()).await;
    }
}

/// The verbs, which wait in one way. Made twice, not generic: a verb that may suspend, even if it
/// never does, costs an operation on 8 bytes 10 ns of 100.
macro_rules! verbs {
    ($waits:ty, [$($await:tt)*]) => {
        impl NodeChannel for DenseExecutor<'_, $waits> {
            #[inline]
            async fn copy_in(&self, step: usize, view: View) -> Result<()> {
                self.room_for(step, || self.bytes(view).1)$($await)*;
                let data = self.data(view);
                self.note_copied_in(step, view)?;
                self.context.copy_in_data(step, data, self.context.module.whole.get())
            }

            async fn expose(&self, step: usize, view: View) -> Result<()> {
                let (start, bytes) = self.bytes(view);
                if self.context.module.better_copied_in(step, bytes) {
                    return self.copy_in(step, view).await;
                }
                self.room_for(step, || 0)$($await)*;
                self.context.expose(step, start as u64, bytes);
                Ok(())
            }

            async fn publish(&self, step: usize, view: View) -> Result<()> {
                if self.context.module.has_room_for_copy(step, self.bytes(view).1) {
                    return self.copy_in(step, view).await;
                }
                self.expose(step, view).await
            }

            async fn expose_for_put(&self, step: usize, view: View) -> Result<()> {
                let (start, bytes) = self.bytes(view);
                self.room_for(step, || 0)$($await)*;
                self.context.expose(step, start as u64, bytes);
                Ok(())
            }

            async fn put(&self, from: View, exposed: PutTarget, start: usize) -> Result<()> {
                let (OpContext { engine, module, .. }, by) = (self.context, exposed.slot.by);
                let bytes = exposed.len * self.unit;
                let to = self.context.exposed(exposed.slot, bytes).await?;
                module.write(engine, by, self.data(from), to + (start * self.unit) as u64)
            }

            async fn release_stage(&self, stage: usize) -> Result<()> {
                self.context.release_stage(stage);
                Ok(())
            }

            fn copy_in_chunk(&self, _view: View) -> usize {
                CICO_CHUNK_BYTES / self.unit
            }

            fn stage_room(&self, _view: View, pieces: usize) -> usize {
                stage_elements(self.unit, pieces)
            }

            fn slices(&self, view: View, per_stage: usize) -> usize {
                slices(self.bytes(view).1, per_stage)
            }

            async fn copy_in_slice(&self, step: usize, view: View, slice: Slice) -> Result<()> {
                let whole = self.bytes(view).1;
                let slice = slice_of(whole, slice);
                self.room_for(step, || slice.len())$($await)*;
                let data = &self.data(view)[slice];
                self.context.copy_in_data(step, data, whole)
            }

            async fn get_slice(&self, slot: Slot, into: View, slice: Slice) -> Result<()> {
                let OpContext { engine, module, .. } = self.context;
                let view = self.arrival(slot)$($await)*?;
                let to = self.room(into);
                let (whole, range) = (to.len(), slice_of(to.len(), slice));
                let to = &mut to[range];
                module.check_part(slot, view.data(), to.len(), whole)?;
                let chunk = Chunk { by: slot.by, skip: 0, bytes: to.len() };
                module.copy(engine, view.data(), &chunk, to)
            }

            fn copy_for_long(&self, from: View, to: View, result_len: usize) -> Result<()> {
                if result_len * self.unit < nontemporal::NONTEMPORAL_BYTES_MIN {
                    return self.copy(from, to);
                }
                let ((from, bytes), (to, _)) = (self.bytes(from), self.bytes(to));
                if from != to {
                    // SAFETY: both are parts of promised buffers; views of an algorithm are as
                    // long.
                    unsafe { nontemporal::copy(from, to, bytes) }
                }
                Ok(())
            }

            fn domains(&self) -> Rc<Domains> {
                self.context.module.domains.clone()
            }

            #[inline]
            fn all_have_begun(&self) -> Result<()> {
                self.context.module.segment.all_have_begun();
                Ok(())
            }

            fn cores(&self) -> usize {
                self.context.engine.node.cores()
            }

            #[inline]
            fn chunk(&self, _view: View) -> usize {
                chunk_bytes(self.unit) / self.unit
            }

            #[inline]
            async fn await_slot(&self, slot: Slot) -> Result<()> {
                let _arrived = self.arrival(slot)$($await)*?;
                Ok(())
            }

            #[inline]
            async fn get(&self, slot: Slot, start: usize, into: View) -> Result<()> {
                let OpContext { engine, module, .. } = self.context;
                let view = self.arrival(slot)$($await)*?;
                let to = self.room(into);
                module.copy(engine, view.data(), &self.range_of(slot, start, to.len()), to)
            }

            fn is_long(&self, view: View) -> bool {
                !self.context.module.copies_in(self.bytes(view).1)
            }

            fn sends_as_well(&self) -> Result<()> {
                self.context.module.sends.set(true);
                Ok(())
            }

            fn better_sent(&self, view: View) -> bool {
                self.context.module.better_sent(self.bytes(view).1)
            }

            async fn await_whole(&self, slot: Slot, view: View) -> Result<()> {
                let arrived = self.arrival(slot)$($await)*?;
                self.context.module.check_whole(slot, arrived.data(), self.bytes(view).1)
            }

            #[inline]
            async fn get_whole(&self, slot: Slot, into: View) -> Result<()> {
                let OpContext { engine, module, .. } = self.context;
                let view = self.arrival(slot)$($await)*?;
                let to = self.room(into);
                module.check_whole(slot, view.data(), to.len())?;
                module.copy(engine, view.data(), &self.range_of(slot, 0, to.len()), to)
            }

            #[inline]
            async fn get_reduce(&self, slot: Slot, start: usize, onto: View) -> Result<()> {
                let OpContext { engine, module, .. } = self.context;
                let view = self.arrival(slot)$($await)*?;
                let right = self.room(onto);
                let chunk = self.range_of(slot, start, right.len());
                module.visit(engine, view.data(), &chunk, self.unit, |at, left| {
                    let right = &mut right[at..at + left.len()];
                    self.combine(Operands::OntoRight(left, right))
                })
            }

            async fn copy_in_combined(
                &self,
                step: usize,
                slot: Slot,
                operand: View,
                _scratch: View,
            ) -> Result<()> {
                let (_, bytes) = self.bytes(operand);
                let chunk = self.range_of(slot, 0, bytes);
                let view = self.arrival(slot)$($await)*?;
                self.room_for(step, || bytes)$($await)*;
                let own = self.data(operand);
                let shm::SlotData::Copied(data) = view.data() else {
                    let text = "what was to be combined and copied in was exposed";
                    return Err(Error::new(ErrorClass::Intern, text));
                };
                let (theirs, mut summed) = (chunk.of(data)?, Ok(()));
                self.context.copy_in(step, own.len(), |to| {
                    summed = self.combine(Operands::Into(theirs, own, to));
                })?;
                summed
            }

            #[inline]
            async fn get_combine(
                &self,
                slot: Slot,
                start: usize,
                operand: View,
                into: View,
            ) -> Result<()> {
                let OpContext { engine, module, .. } = self.context;
                let view = self.arrival(slot)$($await)*?;
                let ((own, bytes), (to, _)) = (self.bytes(operand), self.bytes(into));
                let (chunk, lower) = (self.range_of(slot, start, bytes), slot.by < self.rank());
                if own == to {
                    let to = self.room(into);
                    return module.visit(engine, view.data(), &chunk, self.unit, |at, theirs| {
                        let to = &mut to[at..at + theirs.len()];
                        self.combine(match lower {
                            true => Operands::OntoRight(theirs, to),
                            false => Operands::OntoLeft(to, theirs),
                        })
                    });
                }
                let (own, to) = (self.data(operand), self.room(into));
                let on = match (view.data(), lower) {
                    (shm::SlotData::Copied(data), true) => {
                        Operands::Into(chunk.of(data)?, own, to)
                    }
                    (shm::SlotData::Copied(data), false) => {
                        Operands::Into(own, chunk.of(data)?, to)
                    }
                    (there, lower) => {
                        module.copy(engine, there, &chunk, to)?;
                        match lower {
                            true => Operands::OntoLeft(to, own),
                            false => Operands::OntoRight(own, to),
                        }
                    }
                };
                module.reading(&chunk, || self.combine(on))
            }
        }
    };
}

verbs!(OnStack, []);
verbs!(Suspending, [.await]);
