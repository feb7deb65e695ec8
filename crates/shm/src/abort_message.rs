//! The reason why a rank cannot go on: written once, before the rank's state says that it
//! has ended, and read by the launcher after it has seen that state.

use crate::sync::{AtomicU64, Ordering};

/// Longest text kept, in bytes; a longer one is cut.
const TEXT_BYTES: usize = 512;
const WORD_BYTES: usize = size_of::<u64>();

/// The text, padded with zeroes. All zero means: there is none.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct AbortMessage([AtomicU64; TEXT_BYTES / WORD_BYTES]);

impl AbortMessage {
    /// Keeps `text`. The state that is stored next, with release, publishes it.
    pub fn write(&self, text: &str) {
        let end = (0..=text.len().min(TEXT_BYTES)).rev().find(|&end| text.is_char_boundary(end));
        let mut bytes = [0; TEXT_BYTES];
        let end = end.unwrap_or_default();
        bytes[..end].copy_from_slice(&text.as_bytes()[..end]);
        for (word, bytes) in self.0.iter().zip(bytes.chunks_exact(WORD_BYTES)) {
            let bytes = bytes.try_into().expect("chunks are as long as a word");
            word.store(u64::from_le_bytes(bytes), Ordering::Relaxed);
        }
    }

    /// The text. The state that was read before, with acquire, made it visible.
    pub fn read(&self) -> Option<String> {
        let words = self.0.iter().map(|word| word.load(Ordering::Relaxed).to_le_bytes());
        let bytes: Vec<u8> = words.flatten().take_while(|&byte| byte != 0).collect();
        (!bytes.is_empty()).then(|| String::from_utf8_lossy(&bytes).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_as_it_was_written_and_cut_between_packets() {
        let place = AbortMessage(std::array::from_fn(|_| AtomicU64::new(0)));
        assert_eq!(place.read(), None);
        place.write("rank 3 has gone");
        assert_eq!(place.read().as_deref(), Some("rank 3 has gone"));
        let long = format!("{}\u{f6}", "x".repeat(TEXT_BYTES - 1));
        place.write(&long);
        assert_eq!(place.read().as_deref(), Some(&long[..TEXT_BYTES - 1]));
    }
}
