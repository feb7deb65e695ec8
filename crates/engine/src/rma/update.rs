//! What accumulates and compare-and-swaps do to memory, wherever it is. Whoever calls this holds
//! the lock of the memory's accumulates, so every element changes as a whole, whatever the sizes of
//! the operations that meet there.

use std::ptr::null_mut;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_copy as copy;
use dunlin_datatype::reduce::{self, Op};
use dunlin_datatype::{Datatype, Piece, Primitive};

use crate::coll::typed_executor::sum_up;
use crate::memory::alloc::zeroed;
use crate::objects::buffer::UserBuffer;
use crate::rma::message::nonsense;

/// Bytes done at a time where what was there before is wanted: they stay in the first cache between
/// the copy and the operation.
const PIECE_BYTES: usize = 16 << 10;

/// `memory := memory op from`, element by element, and `into := ` what was there before.
pub(crate) fn accumulate(
    memory: &mut UserBuffer,
    element: Option<Primitive>,
    op: Op,
    from: &UserBuffer,
    mut into: Option<&mut UserBuffer>,
) -> Result<()> {
    if let Some(element) = element.filter(|e| e.size() == e.extent() && !is_copy(op)) {
        if accumulate_dense(memory, element, op, from, &mut into)? {
            return Ok(());
        }
    }
    if let Some(into) = into {
        into.copy_from(memory);
    }
    match op {
        Op::NoOp => {}
        Op::Replace => memory.copy_from(from),
        _ => memory.unpack(0, &combined(element, op, from, memory)?),
    }
    Ok(())
}

fn is_copy(op: Op) -> bool {
    matches!(op, Op::NoOp | Op::Replace)
}

/// The same where all data is contiguous; false if it is not.
fn accumulate_dense(
    memory: &mut UserBuffer,
    element: Primitive,
    op: Op,
    from: &UserBuffer,
    into: &mut Option<&mut UserBuffer>,
) -> Result<bool> {
    let bytes = memory.bytes();
    let (Some(from), Some(memory)) = (from.as_dense(), memory.as_dense_mut(bytes)) else {
        return Ok(false);
    };
    refuse_lengths(from.len(), memory.len())?;
    let Some(into) = into else { return sum_up(op, element, from, memory).map(|()| true) };
    let piece = PIECE_BYTES - PIECE_BYTES % element.size();
    for (n, (from, memory)) in from.chunks(piece).zip(memory.chunks_mut(piece)).enumerate() {
        into.unpack(n * piece, memory);
        sum_up(op, element, from, memory)?;
    }
    Ok(true)
}

fn refuse_lengths(sent: usize, there: usize) -> Result<()> {
    if sent == there {
        return Ok(());
    }
    let text = format!("an accumulate brings {sent} bytes for {there} bytes at the target");
    Err(Error::new(ErrorClass::RmaRange, text))
}

/// The target's data after an accumulate, packed.
fn combined(
    element: Option<Primitive>,
    op: Op,
    from: &UserBuffer,
    memory: &UserBuffer,
) -> Result<Vec<u8>> {
    let (from, old) = (from.packed()?, memory.packed()?);
    refuse_lengths(from.len(), old.len())?;
    // No element of any type is something that every operator works on.
    if old.is_empty() {
        return Ok(Vec::new());
    }
    let element = element.ok_or_else(nonsense)?;
    let elements = old.len() / element.size();
    let (left, mut right) = (spread(element, elements, &from)?, spread(element, elements, &old)?);
    sum_up(op, element, &left, &mut right)?;
    let mut packed = vec![0; old.len()];
    let memory = Piece { bytes: &right[..], lo: 0 };
    Datatype::primitive(element).pack(elements, &memory, 0, &mut packed);
    Ok(packed)
}

/// Elements as they lie in memory: pairs have gaps that packed data has not.
fn spread(element: Primitive, elements: usize, packed: &[u8]) -> Result<Box<[u8]>> {
    let mut spread = zeroed(elements * element.extent())?;
    let mut memory = Piece { bytes: &mut spread[..], lo: 0 };
    Datatype::primitive(element).unpack(elements, &mut memory, 0, packed);
    Ok(spread)
}

/// `memory := new` if it is `compare`, and `into := ` what was there before.
pub(crate) fn compare_and_swap(
    memory: &mut UserBuffer,
    [new, compare]: [&UserBuffer; 2],
    into: &mut UserBuffer,
) -> Result<()> {
    let old = memory.packed()?;
    if compare.packed()? == old {
        memory.copy_from(new);
    }
    into.unpack(0, &old);
    Ok(())
}

/// What a counter, a flag or a queue does with a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordOp {
    /// `MPI_SUM`
    Add,
    /// `MPI_REPLACE`
    Replace,
    /// `MPI_NO_OP`
    Keep,
}

/// Whether contiguous elements can be updated in one run: they have no gaps, and the operator takes
/// them.
#[inline(always)]
pub(crate) fn is_plain((element, op): (Primitive, Op)) -> bool {
    element.size() == element.extent() && reduce::valid(op, element)
}

/// The same where all is contiguous, in memory that may be anywhere; `None` if there is no such
/// operation on such elements.
///
/// # Safety
/// All point to so many bytes, of any alignment; those of `from` are readable unless the operator
/// is [`Op::NoOp`], the others writable.
#[inline(never)]
pub(crate) unsafe fn update_bytes(
    memory: *mut u8,
    from: *const u8,
    into: Option<*mut u8>,
    (element, op): (Primitive, Op),
    bytes: usize,
) -> Option<()> {
    if bytes <= size_of::<u64>() && op == Op::Sum && Some(bytes) == reduce::word_bytes(element) {
        // SAFETY: promised by the caller.
        unsafe { update_word(memory, from, into.unwrap_or(null_mut()), WordOp::Add, bytes) };
        return Some(());
    }
    let piece = if into.is_some() { PIECE_BYTES - PIECE_BYTES % element.size() } else { bytes };
    let mut done = 0;
    while done < bytes {
        let (len, place) = (piece.min(bytes - done), memory.wrapping_add(done));
        if let Some(into) = into {
            // SAFETY: promised by the caller.
            unsafe { copy_bytes(place, into.wrapping_add(done), len) };
        }
        if op != Op::NoOp {
            // SAFETY: promised by the caller.
            let (from, place) = unsafe {
                let from = std::slice::from_raw_parts(from.wrapping_add(done), len);
                (from, std::slice::from_raw_parts_mut(place, len))
            };
            sum_up(op, element, from, place).ok()?;
        }
        done += len;
    }
    Some(())
}

/// The same for one integer of 4 or 8 bytes, in a few instructions. `into` is null where what was
/// there before is not wanted. [`WordOp::Keep`] writes nothing: what others store there meanwhile
/// stays, and the memory may be read-only.
///
/// # Safety
/// As for [`update_bytes`].
#[inline(always)]
pub(crate) unsafe fn update_word(
    memory: *mut u8,
    from: *const u8,
    into: *mut u8,
    op: WordOp,
    bytes: usize,
) {
    macro_rules! update {
        ($word:ty) => {{
            let memory = memory.cast::<$word>();
            // SAFETY: promised by the caller.
            unsafe {
                let old = memory.read_unaligned();
                let operand = || from.cast::<$word>().read_unaligned();
                match op {
                    WordOp::Add => memory.write_unaligned(old.wrapping_add(operand())),
                    WordOp::Replace => memory.write_unaligned(operand()),
                    WordOp::Keep => {}
                }
                if !into.is_null() {
                    into.cast::<$word>().write_unaligned(old);
                }
            }
        }};
    }
    debug_assert!(bytes == size_of::<u64>() || bytes == size_of::<u32>());
    if bytes == size_of::<u64>() { update!(u64) } else { update!(u32) }
}

/// `memory := new` if it is `compare`, and `into := ` what was there before.
///
/// # Safety
/// All point to so many bytes; those of `memory` and `into` are writable.
#[inline(always)]
pub(crate) unsafe fn swap_bytes(
    memory: *mut u8,
    [new, compare]: [*const u8; 2],
    into: *mut u8,
    bytes: usize,
) {
    // SAFETY: promised by the caller.
    unsafe {
        let is_it =
            std::slice::from_raw_parts(memory, bytes) == std::slice::from_raw_parts(compare, bytes);
        copy_bytes(memory, into, bytes);
        if is_it {
            copy_bytes(new, memory, bytes);
        }
    }
}

/// Copies; one number in one instruction, so that who polls for it sees it whole.
///
/// # Safety
/// As for [`std::ptr::copy`].
#[inline(always)]
pub(crate) unsafe fn copy_bytes(from: *const u8, to: *mut u8, bytes: usize) {
    // SAFETY: promised by the caller.
    unsafe {
        match bytes {
            4 | 8 => copy_word(from, to, bytes),
            _ => copy::copy(from, to, bytes),
        }
    }
}

/// Copies a word of 4 or 8 bytes.
///
/// # Safety
/// As for [`std::ptr::copy`].
#[inline(always)]
pub(crate) unsafe fn copy_word(from: *const u8, to: *mut u8, bytes: usize) {
    debug_assert!(bytes == size_of::<u64>() || bytes == size_of::<u32>());
    // SAFETY: promised by the caller.
    unsafe {
        if bytes == size_of::<u64>() {
            to.cast::<u64>().write_unaligned(from.cast::<u64>().read_unaligned());
        } else {
            to.cast::<u32>().write_unaligned(from.cast::<u32>().read_unaligned());
        }
    }
}

/// `memory := new` if it is `compare`, and `into := ` what was there before; words of 4 or 8 bytes.
///
/// # Safety
/// As for [`swap_bytes`].
#[inline(always)]
pub(crate) unsafe fn swap_word(
    memory: *mut u8,
    [new, compare]: [*const u8; 2],
    into: *mut u8,
    bytes: usize,
) {
    macro_rules! swap {
        ($word:ty) => {{
            // SAFETY: promised by the caller.
            unsafe {
                let old = memory.cast::<$word>().read_unaligned();
                if old == compare.cast::<$word>().read_unaligned() {
                    let new = new.cast::<$word>().read_unaligned();
                    memory.cast::<$word>().write_unaligned(new);
                }
                into.cast::<$word>().write_unaligned(old);
            }
        }};
    }
    debug_assert!(bytes == size_of::<u64>() || bytes == size_of::<u32>());
    if bytes == size_of::<u64>() { swap!(u64) } else { swap!(u32) }
}
