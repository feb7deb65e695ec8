//! Tables by numbers that the processes of a job have given out themselves, one after the other. It
//! takes no strong hash to spread those, and one is wanted for each packet of a long message.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table by such numbers.
pub(crate) type IdMap<T> = HashMap<u32, T, BuildHasherDefault<IdHasher>>;

/// 2^64 divided by the golden ratio: neighbours end up far from each other.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The hash of one number.
#[derive(Debug, Default)]
pub(crate) struct IdHasher(u64);

impl Hasher for IdHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(FACTOR);
    }

    fn finish(&self) -> u64 {
        // The table looks at the lowest bits and at the highest ones.
        self.0 ^ (self.0 >> 32)
    }
}
