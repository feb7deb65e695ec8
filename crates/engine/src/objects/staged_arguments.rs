//! Buffers with gaps on the fast path of collectives: a packed copy of each stands for it while the
//! operation runs.

use std::cell::RefCell;
use std::ops::Range;

use crate::memory::scratch::ScratchBuffer;
use crate::objects::buffer::UserBuffer;
use crate::objects::schedule::Typed;
use crate::objects::types::{TypeObject, Types};

/// What an operation does with a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It reads it.
    Input,
    /// It writes some or all of it, and may read it.
    Output,
    /// It writes all of it.
    WholeOutput,
}

/// An address and a number of bytes.
type Bytes = (*mut u8, usize);

/// Longer data is better packed by pieces, on the slow path.
const STAGED_BYTES_MAX: usize = 16 << 10;
/// An operation has two buffers at most.
const AREA_BYTES: usize = 2 * STAGED_BYTES_MAX;

/// The staged buffers of the operation in progress. What is left of one that took the slow path
/// after all goes when the next one stages its first.
#[derive(Debug, Default)]
pub(crate) struct StagedArguments(RefCell<Area>);

#[derive(Debug, Default)]
struct Area {
    /// Kept from the first time on.
    memory: Option<ScratchBuffer>,
    used: usize,
    buffers: Vec<Staged>,
}

#[derive(Debug)]
struct Staged {
    buffer: UserBuffer,
    /// Where the elements lie.
    span: Range<usize>,
    packed: Bytes,
    role: Role,
}

impl Area {
    /// Memory for a packed copy.
    fn take(&mut self, bytes: usize) -> Option<*mut u8> {
        if self.memory.is_none() {
            self.memory = Some(ScratchBuffer::new(AREA_BYTES).ok()?);
        }
        assert!(self.used + bytes <= AREA_BYTES, "an operation stages three buffers");
        let start = self.memory.as_ref()?.address().wrapping_add(self.used);
        self.used += bytes;
        Some(start)
    }
}

impl StagedArguments {
    /// Stages a buffer. `None` if it is empty, too long or wrong, or may be another argument as
    /// well: then the slow path says whether that is an error.
    ///
    /// # Safety
    /// The program's promises on its buffer.
    pub(crate) unsafe fn add(
        &self,
        is_first: bool,
        types: &Types,
        given: Typed,
        role: Role,
    ) -> Option<Bytes> {
        let Typed { address, count, type_id } = given;
        let mut area = self.0.try_borrow_mut().ok()?;
        if is_first {
            area.buffers.clear();
            area.used = 0;
        }
        let layout = |object: &TypeObject| object.committed().ok().cloned();
        let datatype = types.peek(type_id, layout)??;
        // SAFETY: promised by the caller.
        let buffer = unsafe { UserBuffer::new(address, count, &datatype) }.ok()?;
        let bytes = buffer.bytes();
        if bytes == 0 || bytes > STAGED_BYTES_MAX {
            return None;
        }
        let (lo, hi) = datatype.bounds(count);
        let end = |offset: i64| address.addr().checked_add_signed(offset as isize);
        let span = end(lo)?..end(hi)?;
        if area.buffers.iter().any(|s| s.span.start < span.end && span.start < s.span.end) {
            return None;
        }
        let packed = (area.take(bytes)?, bytes);
        if role != Role::WholeOutput {
            // SAFETY: a part of the area, which was written when it was new, for this buffer alone.
            buffer.pack(0, unsafe { std::slice::from_raw_parts_mut(packed.0, bytes) });
        }
        area.buffers.push(Staged { buffer, span, packed, role });
        Some(packed)
    }

    /// The operation is over: unpacks what it has written, if it did not fail.
    #[inline(never)]
    pub(crate) fn finish(&self, is_complete: bool) {
        let mut area = self.0.borrow_mut();
        for Staged { mut buffer, packed: (start, bytes), role, .. } in area.buffers.drain(..) {
            if is_complete && role != Role::Input {
                // SAFETY: as in `add`; the operation has ended.
                buffer.unpack(0, unsafe { std::slice::from_raw_parts(start, bytes) });
            }
        }
    }
}
