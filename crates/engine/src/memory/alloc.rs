//! Memory that the library allocates for itself: copies of messages and scratch memory.

use std::alloc::{Layout, alloc_zeroed};

use dunlin_base::Result;
use dunlin_base::memory::{ask, refused, room_for};
use dunlin_copy::append;

/// `bytes` zero bytes, from the allocator's zeroed pages: writing the zeroes would touch every
/// page.
pub(crate) fn zeroed(bytes: usize) -> Result<Box<[u8]>> {
    if bytes == 0 {
        return Ok(Box::default());
    }
    let layout = Layout::array::<u8>(bytes).map_err(|_| refused(bytes))?;
    // SAFETY: the layout's size is not zero.
    let memory = ask(|| unsafe { alloc_zeroed(layout) });
    if memory.is_null() {
        return Err(refused(bytes));
    }
    // SAFETY: the global allocator returned it with the layout of such a box, and zeroes are valid
    // bytes.
    Ok(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(memory, bytes)) })
}

/// A copy of `data`. Its memory is not zeroed first, which would take a third of the time for 64
/// KiB.
pub(crate) fn copied(data: &[u8]) -> Result<Box<[u8]>> {
    let mut copy = room_for(data.len())?;
    append(&mut copy, data);
    Ok(copy.into_boxed_slice())
}

#[cfg(test)]
mod tests {
    use super::*;
    use dunlin_base::ErrorClass;

    #[test]
    fn too_many_bytes_are_an_error_and_others_are_zero() {
        assert_eq!(zeroed(1 << 60).unwrap_err().class, ErrorClass::NoMem);
        assert_eq!(zeroed(usize::MAX).unwrap_err().class, ErrorClass::NoMem);
        assert_eq!(*zeroed(3).unwrap(), [0; 3]);
        assert!(zeroed(0).unwrap().is_empty());
    }
}
