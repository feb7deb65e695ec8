//! The values that reductions combine: how to load and store each, and its operations.

use crate::softfloat::{SIZE, Soft};
use bytemuck::Pod;
use half::f16;
use rustc_apfloat::Float;
use std::ops::{BitAnd, BitOr, BitXor, Sub};

/// A value in an array in memory.
pub(super) trait Item: Copy {
    /// The bytes from one value to the next. A loop over slices of this type divides no length at
    /// run time: that takes longer than a short reduction (two elements 17 instead of 10 ns).
    type Bytes: Pod;
    /// How many they are.
    const EXTENT: usize = size_of::<Self::Bytes>();
    /// Reads from a slice of `EXTENT` bytes.
    fn load(bytes: &[u8]) -> Self;
    /// Writes to a slice of `EXTENT` bytes; padding is unchanged.
    fn store(self, bytes: &mut [u8]);
}

/// A value with sum and product.
pub(super) trait Field: Item {
    fn sum(self, other: Self) -> Self;
    fn product(self, other: Self) -> Self;
}

/// A number with an order.
pub(super) trait Real: Field + PartialOrd + Sub<Output = Self> {}

/// An integer, with bitwise and logical operations.
pub(super) trait Integer:
    Field + PartialOrd + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    fn is_true(self) -> bool;
    fn truth(value: bool) -> Self;
}

macro_rules! item {
    ($($t:ty)*) => { $(
        impl Item for $t {
            type Bytes = [u8; size_of::<$t>()];
            #[inline(always)]
            fn load(bytes: &[u8]) -> Self {
                <$t>::from_ne_bytes(bytes.try_into().expect("a slice of EXTENT bytes"))
            }
            #[inline(always)]
            fn store(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_ne_bytes());
            }
        }
    )* };
}

macro_rules! integer {
    ($($t:ty)*) => { $(
        impl Field for $t {
            #[inline(always)]
            fn sum(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn product(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
        }
        impl Integer for $t {
            #[inline(always)]
            fn is_true(self) -> bool {
                self != 0
            }
            #[inline(always)]
            fn truth(value: bool) -> Self {
                <$t>::from(value)
            }
        }
    )* };
}

macro_rules! real {
    ($($t:ty)*) => { $(
        impl Field for $t {
            #[inline(always)]
            fn sum(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn product(self, other: Self) -> Self {
                self * other
            }
        }
        impl Real for $t {}
    )* };
}

item! { i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f16 f32 f64 }
integer! { i8 i16 i32 i64 i128 u8 u16 u32 u64 }
// f16 computes in f32 and rounds back: with 24 bits of precision against 11, the result is the same
// as with one rounding.
real! { f16 f32 f64 }

/// A number of 16 bytes computed in software.
#[derive(Clone, Copy)]
pub(super) struct Soft16<S: Soft>(S::Number);

impl<S: Soft> Item for Soft16<S> {
    type Bytes = [u8; SIZE];

    fn load(bytes: &[u8]) -> Self {
        Soft16(S::number(u128::load(bytes)))
    }

    fn store(self, bytes: &mut [u8]) {
        self.0.to_bits().store(bytes);
    }
}

impl<S: Soft> PartialEq for Soft16<S> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<S: Soft> PartialOrd for Soft16<S> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        self.0.partial_cmp(&other.0)
    }
}

impl<S: Soft> Sub for Soft16<S> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Soft16((self.0 - other.0).value)
    }
}

impl<S: Soft> Field for Soft16<S> {
    fn sum(self, other: Self) -> Self {
        Soft16((self.0 + other.0).value)
    }

    fn product(self, other: Self) -> Self {
        Soft16((self.0 * other.0).value)
    }
}

impl<S: Soft> Real for Soft16<S> {}

/// A complex number: real part, imaginary part.
#[derive(Clone, Copy)]
pub(super) struct Complex<T> {
    re: T,
    im: T,
}

impl<T: Real> Item for Complex<T> {
    type Bytes = [T::Bytes; 2];

    #[inline(always)]
    fn load(bytes: &[u8]) -> Self {
        Complex { re: T::load(&bytes[..T::EXTENT]), im: T::load(&bytes[T::EXTENT..]) }
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        self.re.store(&mut bytes[..T::EXTENT]);
        self.im.store(&mut bytes[T::EXTENT..]);
    }
}

impl<T: Real> Field for Complex<T> {
    #[inline(always)]
    fn sum(self, other: Self) -> Self {
        Complex { re: self.re.sum(other.re), im: self.im.sum(other.im) }
    }

    /// The textbook formula, without C's recovery of infinities from NaN.
    #[inline(always)]
    fn product(self, other: Self) -> Self {
        Complex {
            re: self.re.product(other.re) - self.im.product(other.im),
            im: self.re.product(other.im).sum(self.im.product(other.re)),
        }
    }
}

/// A value and its index, which take so many bytes: laid out as a C struct of the two, or packed,
/// one after the other.
#[derive(Clone, Copy)]
pub(super) struct Pair<V, I, const BYTES: usize> {
    pub value: V,
    index: I,
}

impl<V: Item + PartialOrd, I: Item + PartialOrd, const BYTES: usize> Pair<V, I, BYTES> {
    /// Scalars are aligned to their size, so the index is at the next multiple of its own size.
    const INDEX_AT: usize = match BYTES == V::EXTENT + I::EXTENT {
        true => V::EXTENT,
        false => V::EXTENT.next_multiple_of(I::EXTENT),
    };

    /// `self` if it is `strictly` better; the pair with the smaller index if the values are equal;
    /// else `right`.
    #[inline(always)]
    pub fn better(self, right: Self, strictly: bool) -> Self {
        if strictly || (self.value == right.value && self.index < right.index) {
            self
        } else {
            right
        }
    }
}

impl<V: Item + PartialOrd, I: Item + PartialOrd, const BYTES: usize> Item for Pair<V, I, BYTES> {
    type Bytes = [u8; BYTES];

    #[inline(always)]
    fn load(bytes: &[u8]) -> Self {
        let index = &bytes[Self::INDEX_AT..Self::INDEX_AT + I::EXTENT];
        Pair { value: V::load(&bytes[..V::EXTENT]), index: I::load(index) }
    }

    #[inline(always)]
    fn store(self, bytes: &mut [u8]) {
        self.value.store(&mut bytes[..V::EXTENT]);
        self.index.store(&mut bytes[Self::INDEX_AT..Self::INDEX_AT + I::EXTENT]);
    }
}

#[cfg(test)]
impl<V: Item, I: Item, const BYTES: usize> Pair<V, I, BYTES> {
    pub fn new(value: V, index: I) -> Self {
        Pair { value, index }
    }

    pub fn parts(&self) -> (V, I) {
        (self.value, self.index)
    }
}
