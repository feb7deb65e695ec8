//! The end of a job for lack of memory that the library cannot do without: its error message is
//! built without allocation.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use dunlin_base::Rank;

use crate::engine::global;

/// Bytes of the longest message.
const SENTENCE_BYTES_MAX: usize = 400;

/// A message in a buffer of fixed size.
struct Sentence {
    bytes: [u8; SENTENCE_BYTES_MAX],
    len: usize,
}

impl Write for Sentence {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        let len = text.len().min(SENTENCE_BYTES_MAX - self.len);
        self.bytes[self.len..self.len + len].copy_from_slice(&text.as_bytes()[..len]);
        self.len += len;
        Ok(())
    }
}

fn sentence(rank: Option<Rank>, function: &str, bytes: usize) -> Sentence {
    let mut said = Sentence { bytes: [0; SENTENCE_BYTES_MAX], len: 0 };
    // Never fails: what is too long is cut.
    let _ = match rank {
        Some(rank) => write!(said, "dunlin: rank {rank}: {function}: "),
        None => write!(said, "dunlin: "),
    };
    let _ = writeln!(
        said,
        "out of memory: the system refused {bytes} bytes that the library cannot do without; use \
         smaller messages or fewer at a time, or raise the limit of the process"
    );
    said
}

/// Ends the job for lack of memory; the message names the rank, the call and the bytes.
pub fn end_without_memory(bytes: usize, code: i32) -> ! {
    static ENDS: AtomicBool = AtomicBool::new(false);
    let engine = global::running();
    // Relaxed: it guards nothing but this function, against itself.
    if !ENDS.swap(true, Ordering::Relaxed) {
        let (rank, function) =
            engine.map_or((None, ""), |e| (Some(e.world_rank()), e.function.get()));
        let said = sentence(rank, function, bytes);
        // SAFETY: writes initialised bytes to standard error.
        unsafe { libc::write(libc::STDERR_FILENO, said.bytes.as_ptr().cast(), said.len) };
        if let Some(engine) = engine {
            engine.abort(code);
        }
    }
    // SAFETY: may be called at any time; nothing comes after it.
    unsafe { libc::_exit(code) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_sentence_says_rank_call_and_bytes() {
        let said = sentence(Some(7), "MPI_Recv", 1 << 40);
        let text = std::str::from_utf8(&said.bytes[..said.len]).unwrap();
        assert!(text.starts_with("dunlin: rank 7: MPI_Recv: out of memory"), "{text}");
        assert!(text.contains("1099511627776 bytes") && text.ends_with('\n'), "{text}");
        assert!(sentence(None, "", 1).len < SENTENCE_BYTES_MAX);
    }
}
