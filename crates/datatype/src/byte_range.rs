//! The bytes of a count of elements, and their reach in memory. Every product of the program's
//! count with a size or an extent is computed here: a result that memory cannot hold or an address
//! cannot express is an error, never a truncated number.

use dunlin_base::{Error, ErrorClass, Result};

use crate::Datatype;

/// No object in memory is longer: the difference of two addresses in it must fit in an `isize`.
pub const BYTES_MAX: usize = isize::MAX as usize;

/// Bytes of `count` elements of `size` bytes each.
#[inline]
pub fn bytes_of(count: usize, size: usize) -> Result<usize> {
    match count.checked_mul(size) {
        Some(bytes) if bytes <= BYTES_MAX => Ok(bytes),
        _ => Err(too_many(count, size)),
    }
}

/// The sum of counts or of bytes.
pub fn total(parts: impl IntoIterator<Item = usize>) -> Result<usize> {
    let sum = parts.into_iter().try_fold(0usize, usize::checked_add);
    sum.filter(|sum| *sum <= BYTES_MAX).ok_or_else(|| {
        let text = "the counts of all blocks together are more than 2^63 - 1; pass smaller ones";
        Error::new(ErrorClass::Count, text)
    })
}

#[cold]
fn too_many(count: usize, size: usize) -> Error {
    let text = format!(
        "count is {count}, and so many elements of {size} bytes are more than 2^63 - 1 bytes; \
         pass a smaller count"
    );
    Error::new(ErrorClass::Count, text)
}

impl Datatype {
    /// Bytes of data of `count` consecutive elements. Fails unless all of them lie within the range
    /// of addresses: then [`Datatype::bounds`] is exact.
    #[inline]
    pub fn bytes_of(&self, count: usize) -> Result<usize> {
        let bytes = bytes_of(count, self.size())?;
        if bytes > 0 && self.extent() != self.size() as i64 {
            self.check_reach(count)?;
        }
        Ok(bytes)
    }

    /// Bytes of data of `blocks` blocks of `count` elements each, one after another.
    pub fn bytes_of_blocks(&self, count: usize, blocks: usize) -> Result<usize> {
        let elements = count.checked_mul(blocks).ok_or_else(|| too_many(count, self.size()))?;
        self.bytes_of(elements)
    }

    /// The distance of the element at `index` from the first one, in bytes.
    pub fn offset_of(&self, index: isize) -> Result<isize> {
        index.checked_mul(self.extent() as isize).ok_or_else(|| {
            let extent = self.extent();
            let text = format!(
                "a displacement is {index}, in elements {extent} bytes apart: no address is so far"
            );
            Error::new(ErrorClass::Arg, text)
        })
    }

    fn check_reach(&self, count: usize) -> Result<()> {
        let reach = || {
            let last = i64::try_from(count - 1).ok()?.checked_mul(self.extent())?;
            let lo = self.true_lb().checked_add(last.min(0))?;
            let hi = self.true_lb().checked_add(self.true_extent())?.checked_add(last.max(0))?;
            hi.checked_sub(lo)
        };
        reach().map(drop).ok_or_else(|| {
            let extent = self.extent();
            let text = format!(
                "count is {count}, and so many elements, {extent} bytes apart, reach further than \
                 addresses do; pass a smaller count"
            );
            Error::new(ErrorClass::Count, text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Primitive;

    #[test]
    fn what_no_memory_holds_is_refused() {
        let double = Datatype::primitive(Primitive::Double);
        assert_eq!(double.bytes_of(0), Ok(0));
        assert_eq!(double.bytes_of(BYTES_MAX / 8), Ok(BYTES_MAX / 8 * 8));
        for count in [1 << 60, 1 << 61, (1 << 61) + 1, 1 << 63, usize::MAX] {
            let e = double.bytes_of(count).unwrap_err();
            assert_eq!(e.class, ErrorClass::Count);
            assert!(e.text.contains(&count.to_string()), "{e}");
        }
        assert!(double.bytes_of_blocks(1 << 59, 2).is_err());
        assert!(double.bytes_of_blocks(1 << 59, usize::MAX).is_err());
        assert_eq!(double.bytes_of_blocks(1 << 58, 2), Ok(1 << 62));
    }

    #[test]
    fn what_no_address_reaches_is_refused_however_little_data_it_is() {
        let char = Datatype::primitive(Primitive::Char);
        for extent in [1 << 40, -(1 << 40)] {
            let far = Datatype::resized(&char, 0, extent).unwrap();
            assert_eq!(far.bytes_of(1 << 22), Ok(1 << 22));
            assert_eq!(far.bytes_of(1 << 24).unwrap_err().class, ErrorClass::Count);
        }
        let nothing = Datatype::contiguous(0, &char).unwrap();
        assert_eq!(nothing.bytes_of(usize::MAX), Ok(0));
        assert!(char.offset_of(isize::MAX).is_ok());
        let double = Datatype::primitive(Primitive::Double);
        assert_eq!(double.offset_of(1 << 61).unwrap_err().class, ErrorClass::Arg);
        assert_eq!(double.offset_of(-3), Ok(-24));
    }

    #[test]
    fn sums_of_counts_are_checked() {
        assert_eq!(total([1, 2, 3]), Ok(6));
        assert_eq!(total([BYTES_MAX, 1]).unwrap_err().class, ErrorClass::Count);
        assert!(total([usize::MAX, 1]).is_err());
    }
}
