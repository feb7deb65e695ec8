//! The place where one rank tells the others how it is reached over the network: bytes that only
//! the fabric understands, written once by the rank itself, or on its behalf by whoever the
//! launcher has told, and read by anybody.

use crate::sync::{AtomicU32, AtomicU64, Ordering};

/// The longest address of any fabric, and what a process says of itself before it.
pub const ADDRESS_BYTES: usize = 80;
const WORD_BYTES: usize = size_of::<u64>();
const WORDS: usize = ADDRESS_BYTES / WORD_BYTES;

/// An address that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address {
    bytes: [u8; ADDRESS_BYTES],
    len: usize,
}

impl Address {
    /// An address of these bytes; `None` if they are more than [`ADDRESS_BYTES`].
    pub fn new(bytes: &[u8]) -> Option<Address> {
        let mut address = Address { bytes: [0; ADDRESS_BYTES], len: bytes.len() };
        address.bytes.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(address)
    }

    /// The bytes as the fabric gave them.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// A rank's address in shared memory. All zero means: not known.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct AddressSlot {
    words: [AtomicU64; WORDS],
    /// One more than the length, which may be 0; 0 while nothing is known.
    length: AtomicU32,
}

impl AddressSlot {
    #[cfg(test)]
    fn unused() -> AddressSlot {
        AddressSlot { words: std::array::from_fn(|_| AtomicU64::new(0)), length: AtomicU32::new(0) }
    }

    /// Writes the address. Tells whether it is the first: an address never changes, and a second
    /// one is not taken. Where several write at the same time, all write the same.
    pub(crate) fn publish(&self, address: &Address) -> bool {
        // Relaxed: whoever else writes writes the same words.
        if self.length.load(Ordering::Relaxed) != 0 {
            return false;
        }
        for (word, bytes) in self.words.iter().zip(address.bytes.chunks_exact(WORD_BYTES)) {
            let bytes = bytes.try_into().expect("a chunk is a word long");
            word.store(u64::from_le_bytes(bytes), Ordering::Relaxed);
        }
        // Release: pairs with the acquire in `read`, so that the length is seen after the words.
        self.length.store(address.len as u32 + 1, Ordering::Release);
        true
    }

    /// The address, once it is known.
    pub(crate) fn read(&self) -> Option<Address> {
        // Acquire: pairs with the release in `publish`.
        let length = self.length.load(Ordering::Acquire);
        let len = (length as usize).checked_sub(1)?.min(ADDRESS_BYTES);
        let mut bytes = [0; ADDRESS_BYTES];
        for (word, bytes) in self.words.iter().zip(bytes.chunks_exact_mut(WORD_BYTES)) {
            bytes.copy_from_slice(&word.load(Ordering::Relaxed).to_le_bytes());
        }
        Some(Address { bytes, len })
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_any_length_is_read_as_it_was_published() {
        let longest: Vec<u8> = (0..ADDRESS_BYTES as u8).collect();
        for len in 0..=ADDRESS_BYTES {
            let slot = AddressSlot::unused();
            assert_eq!(slot.read(), None);
            assert!(slot.publish(&Address::new(&longest[..len]).unwrap()));
            assert_eq!(slot.read().unwrap().as_bytes(), &longest[..len]);
        }
        assert_eq!(Address::new(&[0; ADDRESS_BYTES + 1]), None);
    }

    #[test]
    fn a_second_address_is_not_taken() {
        let slot = AddressSlot::unused();
        assert!(slot.publish(&Address::new(b"first").unwrap()));
        assert!(!slot.publish(&Address::new(b"other").unwrap()));
        assert_eq!(slot.read().unwrap().as_bytes(), b"first");
    }
}

#[cfg(all(test, loom))]
mod model {
    use super::*;

    /// Who sees that there is an address sees all of it.
    #[test]
    fn a_reader_never_sees_half_an_address() {
        loom::model(|| {
            let slot = loom::sync::Arc::new(AddressSlot::unused());
            let writer = slot.clone();
            let address = Address::new(&[7; ADDRESS_BYTES]).unwrap();
            let t = loom::thread::spawn(move || writer.publish(&address));
            assert!(slot.read().is_none_or(|read| read == address));
            t.join().unwrap();
        });
    }
}
