//! Words between processes as bytes: numbers in little-endian order, lists with their length
//! first, choices with their number first. What cannot be read is `None`, never a panic, and never
//! makes the reader take more memory than a small multiple of what was sent.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::time::Duration;

/// Something that can be written as bytes and read again.
pub trait Code: Sized {
    /// Appends the bytes.
    fn put(&self, to: &mut Vec<u8>);
    /// Takes the bytes from the beginning of `from`.
    fn get(from: &mut &[u8]) -> Option<Self>;
}

/// The bytes of `value` alone.
pub fn encode(value: &impl Code) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.put(&mut bytes);
    bytes
}

/// What [`encode`] wrote; all of it must be used.
pub fn decode<T: Code>(mut bytes: &[u8]) -> Option<T> {
    let value = T::get(&mut bytes)?;
    bytes.is_empty().then_some(value)
}

fn take<'a>(from: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (taken, rest) = from.split_at_checked(len)?;
    *from = rest;
    Some(taken)
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Code for $number {
            fn put(&self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }
            fn get(from: &mut &[u8]) -> Option<Self> {
                let bytes = take(from, size_of::<$number>())?;
                Some(<$number>::from_le_bytes(bytes.try_into().ok()?))
            }
        }
    )*};
}

numbers!(u8, u32, u64, i32);

impl Code for bool {
    fn put(&self, to: &mut Vec<u8>) {
        u8::from(*self).put(to);
    }

    fn get(from: &mut &[u8]) -> Option<Self> {
        match u8::get(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Code for usize {
    fn put(&self, to: &mut Vec<u8>) {
        (*self as u64).put(to);
    }

    fn get(from: &mut &[u8]) -> Option<Self> {
        u64::get(from)?.try_into().ok()
    }
}

/// Bytes after their number.
fn put_bytes(bytes: &[u8], to: &mut Vec<u8>) {
    (bytes.len() as u32).put(to);
    to.extend_from_slice(bytes);
}

fn get_bytes<'a>(from: &mut &'a [u8]) -> Option<&'a [u8]> {
    let len = u32::get(from)?;
    take(from, len as usize)
}

impl Code for String {
    fn put(&self, to: &mut Vec<u8>) {
        put_bytes(self.as_bytes(), to);
    }

    fn get(from: &mut &[u8]) -> Option<Self> {
        String::from_utf8(get_bytes(from)?.to_vec()).ok()
    }
}

impl Code for OsString {
    fn put(&self, to: &mut Vec<u8>) {
        put_bytes(self.as_bytes(), to);
    }

    fn get(from: &mut &[u8]) -> Option<Self> {
        Some(OsString::from_vec(get_bytes(from)?.to_vec()))
    }
}

impl Code for PathBuf {
    fn put(&self, to: &mut Vec<u8>) {
        put_bytes(self.as_os_str().as_bytes(), to);
    }

    fn get(from: &mut &[u8]) -> Option<Self> {
        OsString::get(from).map(PathBuf::from)
    }
}

impl Code for Duration {
    fn put(&self, to: &mut Vec<u8>) {
        (self.as_nanos() as u64).put(to);
    }

    fn get(from: &mut &[u8]) -> Option<Self> {
        u64::get(from).map(Duration::from_nanos)
    }
}

impl<T: Code> Code for Option<T> {
    fn put(&self, to: &mut Vec<u8>) {
        self.is_some().put(to);
        if let Some(value) = self {
            value.put(to);
        }
    }

    fn get(from: &mut &[u8]) -> Option<Self> {
        Some(if bool::get(from)? { Some(T::get(from)?) } else { None })
    }
}

impl<T: Code> Code for Vec<T> {
    fn put(&self, to: &mut Vec<u8>) {
        (self.len() as u32).put(to);
        self.iter().for_each(|value| value.put(to));
    }

    fn get(from: &mut &[u8]) -> Option<Self> {
        let len = u32::get(from)? as usize;
        // Everything takes a byte at least, so a length that lies is noticed before it costs.
        (len <= from.len()).then(|| (0..len).map(|_| T::get(from)).collect())?
    }
}

impl<T: Code, const N: usize> Code for [T; N] {
    fn put(&self, to: &mut Vec<u8>) {
        self.iter().for_each(|value| value.put(to));
    }

    fn get(from: &mut &[u8]) -> Option<Self> {
        let values: Option<Vec<T>> = (0..N).map(|_| T::get(from)).collect();
        values?.try_into().ok()
    }
}

impl<A: Code, B: Code> Code for (A, B) {
    fn put(&self, to: &mut Vec<u8>) {
        self.0.put(to);
        self.1.put(to);
    }

    fn get(from: &mut &[u8]) -> Option<Self> {
        Some((A::get(from)?, B::get(from)?))
    }
}

/// Writes and reads a structure field by field, in the order of their names here.
macro_rules! fields {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl $crate::codec::Code for $type {
            fn put(&self, to: &mut Vec<u8>) {
                $($crate::codec::Code::put(&self.$field, to);)*
            }
            fn get(from: &mut &[u8]) -> Option<Self> {
                $(let $field = $crate::codec::Code::get(from)?;)*
                Some(Self { $($field),* })
            }
        }
    };
}

/// Writes and reads a choice: the number of the variant, then what it holds.
macro_rules! choices {
    ($type:ty { $($number:literal => $variant:ident $(($($field:ident),*))?),* $(,)? }) => {
        impl $crate::codec::Code for $type {
            fn put(&self, to: &mut Vec<u8>) {
                match self {
                    $(Self::$variant $(($($field),*))? => {
                        to.push($number);
                        $($($crate::codec::Code::put($field, to);)*)?
                    })*
                }
            }
            fn get(from: &mut &[u8]) -> Option<Self> {
                Some(match <u8 as $crate::codec::Code>::get(from)? {
                    $($number => {
                        $($(let $field = $crate::codec::Code::get(from)?;)*)?
                        Self::$variant $(($($field),*))?
                    })*
                    _ => return None,
                })
            }
        }
    };
}

pub(crate) use {choices, fields};

#[cfg(test)]
mod tests {
    use super::*;

    fn survives<T: Code + PartialEq + std::fmt::Debug>(value: T) {
        let bytes = encode(&value);
        assert_eq!(decode::<T>(&bytes).as_ref(), Some(&value));
        for len in 0..bytes.len() {
            assert_eq!(decode::<T>(&bytes[..len]), None, "{value:?} cut to {len} bytes");
        }
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(decode::<T>(&longer), None, "{value:?} with a byte too many");
    }

    #[test]
    fn what_is_written_is_read_and_nothing_less() {
        survives((7u8, -3i32));
        survives(u64::MAX);
        survives((String::from("h\u{f6}st"), OsString::from_vec(vec![0xff, b'=', 1])));
        survives(vec![(1u32, Some(String::from("a"))), (2, None)]);
        survives(([true, false], Duration::from_millis(1500)));
        survives(PathBuf::from("/a b"));
    }

    #[test]
    fn lengths_that_lie_are_refused_before_they_cost() {
        assert_eq!(decode::<Vec<u8>>(&[0xff; 8]), None);
        assert_eq!(decode::<Vec<(u64, String)>>(&[0xff; 64]), None);
        assert_eq!(decode::<String>(&[0xff, 0xff, 0xff, 0x7f, b'a']), None);
        assert_eq!(decode::<String>(&[1, 0, 0, 0, 0xff]), None, "no UTF-8");
        assert_eq!(decode::<bool>(&[2]), None);
    }
}
