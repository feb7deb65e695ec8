//! external32, MPI 5.0, section 14.5.2: big-endian data with fixed sizes. The data is packed piece
//! by piece in native form, then converted by the signature; the conversion needs no offsets.

use dunlin_copy::copy_slice;

use crate::Datatype;
use crate::memory::{Memory, MemoryMut};
use crate::primitive::{Primitive, Rep};
use crate::softfloat::{long_double_from_quad, quad_from_long_double};
use dunlin_base::{Error, ErrorClass, Result};

/// Native bytes converted at a time: they stay in the first-level cache.
const PIECE_BYTES: usize = 4096;

impl Datatype {
    /// `MPI_Pack_external_size`: bytes of `count` elements in external32; `None` where they exceed
    /// `usize`.
    pub fn external32_size(&self, count: usize) -> Option<usize> {
        self.signature().total.external.checked_mul(count)
    }

    /// `MPI_Pack_external`: packs all of `count` elements to the front of `out`; returns the number
    /// of bytes written.
    ///
    /// # Errors
    /// `Truncate` where `out` is too short, `Conversion` where a value (a `long` beyond 32 bits, a
    /// `wchar_t` beyond 16) has no external32 form.
    pub fn pack_external32(
        &self,
        count: usize,
        memory: &impl Memory,
        out: &mut [u8],
    ) -> Result<usize> {
        let total = self.check_external32(count, out.len())?;
        let (mut native, mut done, mut skip) = ([0; PIECE_BYTES], 0, 0);
        self.signature().repeated(count)?.visit_runs(&mut |p, n| {
            for batch in batches(p, n) {
                let piece = &mut native[..batch * p.size()];
                skip += self.pack(count, memory, skip, piece);
                let end = done + batch * p.external32_size();
                encode(p, piece, &mut out[done..end])?;
                done = end;
            }
            Ok(())
        })?;
        Ok(total)
    }

    /// `MPI_Unpack_external`: fills `count` elements from the front of `input`; returns the number
    /// of bytes used.
    ///
    /// # Errors
    /// `Truncate` where `input` is too short.
    pub fn unpack_external32(
        &self,
        count: usize,
        memory: &mut impl MemoryMut,
        input: &[u8],
    ) -> Result<usize> {
        let total = self.check_external32(count, input.len())?;
        let (mut native, mut done, mut skip) = ([0; PIECE_BYTES], 0, 0);
        self.signature().repeated(count)?.visit_runs(&mut |p, n| {
            for batch in batches(p, n) {
                let piece = &mut native[..batch * p.size()];
                let end = done + batch * p.external32_size();
                decode(p, &input[done..end], piece);
                skip += self.unpack(count, memory, skip, piece);
                done = end;
            }
            Ok(())
        })?;
        Ok(total)
    }

    fn check_external32(&self, count: usize, available: usize) -> Result<usize> {
        match self.external32_size(count) {
            Some(total) if total <= available => Ok(total),
            _ => Err(Error::new(
                ErrorClass::Truncate,
                format!(
                    "{count} elements need {} bytes each in external32; the buffer has {available} \
                     left; ask MPI_Pack_external_size",
                    self.signature().total.external
                ),
            )),
        }
    }
}

/// Splits `n` elements of `p` into numbers that fit in a piece.
fn batches(p: Primitive, n: usize) -> impl Iterator<Item = usize> {
    let most = PIECE_BYTES / p.size();
    (0..n).step_by(most).map(move |i| most.min(n - i))
}

/// Bytes of the scalar whose bytes are reversed: for a complex number, half of it.
fn scalar_size(p: Primitive) -> usize {
    match p.rep() {
        Rep::C16 | Rep::C32 | Rep::C64 | Rep::CExt | Rep::C128 => p.size() / 2,
        _ => p.size(),
    }
}

fn is_long_double(p: Primitive) -> bool {
    matches!(p.rep(), Rep::Ext | Rep::CExt)
}

/// Converts native elements of `p` to external32.
fn encode(p: Primitive, native: &[u8], out: &mut [u8]) -> Result<()> {
    if let Some((value, index)) = p.pair() {
        let pairs = native.chunks_exact(p.size()).zip(out.chunks_exact_mut(p.external32_size()));
        for (from, to) in pairs {
            let (head, tail) = to.split_at_mut(value.external32_size());
            encode(value, &from[..value.size()], head)?;
            encode(index, &from[value.size()..], tail)?;
        }
        return Ok(());
    }
    if is_long_double(p) {
        for (from, to) in native.chunks_exact(16).zip(out.chunks_exact_mut(16)) {
            let bits = u128::from_ne_bytes(from.try_into().expect("16 bytes"));
            to.copy_from_slice(&quad_from_long_double(bits).to_be_bytes());
        }
        return Ok(());
    }
    if p.external32_size() < p.size() {
        return narrow(p, native, out);
    }
    big_endian(scalar_size(p), native, out);
    Ok(())
}

/// The inverse of [`encode`]. It cannot fail, since every external32 value has a native form.
fn decode(p: Primitive, input: &[u8], native: &mut [u8]) {
    if let Some((value, index)) = p.pair() {
        let pairs = input.chunks_exact(p.external32_size()).zip(native.chunks_exact_mut(p.size()));
        for (from, to) in pairs {
            let (head, tail) = to.split_at_mut(value.size());
            decode(value, &from[..value.external32_size()], head);
            decode(index, &from[value.external32_size()..], tail);
        }
    } else if is_long_double(p) {
        for (from, to) in input.chunks_exact(16).zip(native.chunks_exact_mut(16)) {
            let bits = u128::from_be_bytes(from.try_into().expect("16 bytes"));
            to.copy_from_slice(&long_double_from_quad(bits).to_ne_bytes());
        }
    } else if p.external32_size() < p.size() {
        widen(p, input, native);
    } else {
        big_endian(scalar_size(p), input, native);
    }
}

/// Copies scalars of `size` bytes between native and big-endian order; the function is its own
/// inverse.
fn big_endian(size: usize, from: &[u8], to: &mut [u8]) {
    copy_slice(from, to);
    if cfg!(target_endian = "little") && size > 1 {
        to.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
}

/// A native integer, widened.
fn load(p: Primitive, bytes: &[u8]) -> i128 {
    match p {
        Primitive::Long => i64::from_ne_bytes(bytes.try_into().expect("8 bytes")).into(),
        Primitive::UnsignedLong => u64::from_ne_bytes(bytes.try_into().expect("8 bytes")).into(),
        _ => u32::from_ne_bytes(bytes.try_into().expect("4 bytes")).into(),
    }
}

/// Converts integers that are shorter in external32.
fn narrow(p: Primitive, native: &[u8], out: &mut [u8]) -> Result<()> {
    let short = p.external32_size();
    let range = match p {
        Primitive::Long => i32::MIN.into()..=i32::MAX.into(),
        Primitive::UnsignedLong => 0..=u32::MAX.into(),
        _ => 0..=u16::MAX.into(),
    };
    for (from, to) in native.chunks_exact(p.size()).zip(out.chunks_exact_mut(short)) {
        let value = load(p, from);
        if !range.contains(&value) {
            let text = format!(
                "a value of {} is {value}; external32 holds {short} bytes of it; use a type of \
                 fixed size such as MPI_INT64_T",
                p.name()
            );
            return Err(Error::new(ErrorClass::Conversion, text));
        }
        to.copy_from_slice(&value.to_be_bytes()[size_of::<i128>() - short..]);
    }
    Ok(())
}

/// The inverse of [`narrow`].
fn widen(p: Primitive, input: &[u8], native: &mut [u8]) {
    let (short, long) = (p.external32_size(), p.size());
    for (from, to) in input.chunks_exact(short).zip(native.chunks_exact_mut(long)) {
        let negative = p == Primitive::Long && from[0] >= 0x80;
        let mut wide = [if negative { 0xff } else { 0 }; size_of::<i64>()];
        wide[size_of::<i64>() - short..].copy_from_slice(from);
        let value = i64::from_be_bytes(wide).to_le_bytes();
        native_from_little(&value[..long], to);
    }
}

/// Stores little-endian bytes in native order.
fn native_from_little(bytes: &[u8], to: &mut [u8]) {
    to.copy_from_slice(bytes);
    if cfg!(target_endian = "big") {
        to.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Piece;

    fn packed(p: Primitive, native: &[u8]) -> Result<Vec<u8>> {
        let t = Datatype::primitive(p);
        let count = native.len() / p.extent();
        let mut out = vec![0; t.external32_size(count).unwrap()];
        t.pack_external32(count, &Piece { bytes: native, lo: 0 }, &mut out)?;
        let mut back = vec![0; native.len()];
        t.unpack_external32(count, &mut Piece { bytes: &mut back[..], lo: 0 }, &out)?;
        assert_eq!(back, native, "{}", p.name());
        Ok(out)
    }

    #[test]
    fn integers_are_big_endian_and_long_has_four_bytes() {
        assert_eq!(packed(Primitive::Int, &0x0102_0304i32.to_ne_bytes()).unwrap(), [1, 2, 3, 4]);
        assert_eq!(packed(Primitive::Long, &(-2i64).to_ne_bytes()).unwrap(), [255, 255, 255, 254]);
        assert_eq!(packed(Primitive::Wchar, &0x20acu32.to_ne_bytes()).unwrap(), [0x20, 0xac]);
        let aint = packed(Primitive::Aint, &1i64.to_ne_bytes()).unwrap();
        assert_eq!(aint, [0, 0, 0, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn a_long_beyond_32_bits_is_a_conversion_error() {
        let e = packed(Primitive::Long, &(1i64 << 40).to_ne_bytes()).unwrap_err();
        assert_eq!(e.class, ErrorClass::Conversion);
        assert!(e.text.contains("1099511627776"), "{e}");
    }

    #[test]
    fn the_parts_of_a_complex_number_are_reversed_each() {
        let native = [1.0f32.to_ne_bytes(), (-2.0f32).to_ne_bytes()].concat();
        let out = packed(Primitive::CFloatComplex, &native).unwrap();
        assert_eq!(out, [1.0f32.to_be_bytes(), (-2.0f32).to_be_bytes()].concat());
    }

    #[test]
    fn pairs_lose_their_padding() {
        let mut native = [0; 16];
        native[..8].copy_from_slice(&1.5f64.to_ne_bytes());
        native[8..12].copy_from_slice(&7i32.to_ne_bytes());
        let out = packed(Primitive::DoubleInt, &native).unwrap();
        assert_eq!(out, [&1.5f64.to_be_bytes()[..], &7i32.to_be_bytes()].concat());
    }

    #[test]
    fn long_double_travels_as_binary128() {
        let one = long_double_from_quad(0x3fff << 112).to_ne_bytes();
        let out = packed(Primitive::LongDouble, &one).unwrap();
        assert_eq!(out, (0x3fffu128 << 112).to_be_bytes());
    }

    #[test]
    fn more_than_one_piece_is_converted_in_order() {
        let numbers: Vec<u8> = (0..5000i32).flat_map(i32::to_ne_bytes).collect();
        let wanted: Vec<u8> = (0..5000i32).flat_map(i32::to_be_bytes).collect();
        assert_eq!(packed(Primitive::Int, &numbers).unwrap(), wanted);
    }

    #[test]
    fn a_short_buffer_is_refused() {
        let t = Datatype::primitive(Primitive::Int);
        let e =
            t.pack_external32(2, &Piece { bytes: &[0; 8][..], lo: 0 }, &mut [0; 7]).unwrap_err();
        assert_eq!(e.class, ErrorClass::Truncate);
    }
}
