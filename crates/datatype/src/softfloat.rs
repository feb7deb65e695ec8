//! Floating-point formats that neither the processor nor Rust offers: C's `long double` and IEEE
//! binary128, computed in software, correctly rounded to nearest even. An operation takes tens of
//! nanoseconds: programs with quad precision expect exactness rather than speed.

use rustc_apfloat::ieee::Quad;
use rustc_apfloat::{Float, FloatConvert};

/// The format that the C compiler uses for `long double`: x87 extended precision on x86, else
/// binary128.
#[cfg(any(target_arch = "x86_64", target_arch = "x86"))]
type LongDouble = rustc_apfloat::ieee::X87DoubleExtended;
#[cfg(not(any(target_arch = "x86_64", target_arch = "x86")))]
type LongDouble = Quad;

/// Bytes of a `long double` or binary128 in memory.
pub(crate) const SIZE: usize = 16;

/// Bits of a `long double` that are data; the rest of the 16 bytes is padding.
const LONG_DOUBLE_BITS: usize = <LongDouble as Float>::BITS;

/// A number of one of the two formats.
pub(crate) trait Soft: Copy {
    type Number: Float;

    /// The bits of data within the 16 bytes in memory.
    const BITS: usize;

    fn number(bits: u128) -> Self::Number {
        Self::Number::from_bits(bits & (u128::MAX >> (u128::BITS as usize - Self::BITS)))
    }
}

/// Marks C's `long double`.
#[derive(Clone, Copy)]
pub(crate) struct LongDoubleFormat;

impl Soft for LongDoubleFormat {
    type Number = LongDouble;
    const BITS: usize = LONG_DOUBLE_BITS;
}

/// Marks IEEE binary128.
#[derive(Clone, Copy)]
pub(crate) struct QuadFormat;

impl Soft for QuadFormat {
    type Number = Quad;
    const BITS: usize = <Quad as Float>::BITS;
}

/// The binary128 bits of a `long double` in memory; the conversion is exact.
pub(crate) fn quad_from_long_double(bits: u128) -> u128 {
    let number = LongDoubleFormat::number(bits);
    let quad: Quad = number.convert(&mut false).value;
    quad.to_bits()
}

/// The `long double` nearest to a binary128 number.
pub(crate) fn long_double_from_quad(bits: u128) -> u128 {
    let number: LongDouble = Quad::from_bits(bits).convert(&mut false).value;
    number.to_bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1.0 as binary128: the exponent's bias in the 15 bits below the sign.
    const QUAD_ONE: u128 = 0x3fff << 112;

    #[test]
    fn one_survives_the_way_to_binary128_and_back() {
        let one = long_double_from_quad(QUAD_ONE);
        assert_eq!(quad_from_long_double(one), QUAD_ONE);
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn x87_keeps_64_bits_of_significand() {
        assert_eq!(long_double_from_quad(QUAD_ONE), 0x3fff_8000_0000_0000_0000);
        // The 64th bit after the point is a tie and rounds to the even neighbour: down here, up
        // below.
        assert_eq!(long_double_from_quad(QUAD_ONE | 1 << 48), 0x3fff_8000_0000_0000_0000);
        assert_eq!(long_double_from_quad(QUAD_ONE | 3 << 48), 0x3fff_8000_0000_0000_0002);
    }
}
