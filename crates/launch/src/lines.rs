//! Cuts what a rank writes into whole lines, so that lines of different ranks never mix.

use std::time::{Duration, Instant};

/// A line longer than this is passed on in pieces: memory is bounded whatever a rank writes.
const LINE_BYTES_MAX: usize = 64 * 1024;

/// The unfinished line of one stream of one rank.
#[derive(Debug, Default)]
pub struct Lines {
    partial: Vec<u8>,
    since: Option<Instant>,
}

impl Lines {
    /// Takes what was written at `now` and hands whole lines to `put`, all in one piece.
    pub fn push(&mut self, bytes: &[u8], now: Instant, mut put: impl FnMut(&[u8])) {
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |last| last + 1);
        let (lines, rest) = bytes.split_at(whole);
        if !lines.is_empty() && self.partial.is_empty() {
            put(lines);
        } else if !lines.is_empty() {
            self.partial.extend_from_slice(lines);
            self.flush(&mut put);
        }
        if !rest.is_empty() {
            self.partial.extend_from_slice(rest);
            self.since = Some(now);
        }
        if self.partial.len() >= LINE_BYTES_MAX {
            self.flush(put);
        }
    }

    /// Hands over the beginning of a line that may never end.
    pub fn flush(&mut self, mut put: impl FnMut(&[u8])) {
        if !self.partial.is_empty() {
            put(&self.partial);
            self.partial.clear();
        }
        self.since = None;
    }

    /// When to [`flush`](Self::flush) if nothing more comes for `idle`.
    pub fn flush_at(&self, idle: Duration) -> Option<Instant> {
        self.since.map(|since| since + idle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pushed(pieces: &[&str]) -> (Vec<String>, Lines) {
        let mut lines = Lines::default();
        let mut put = Vec::new();
        for piece in pieces {
            lines.push(piece.as_bytes(), Instant::now(), |text| {
                put.push(String::from_utf8(text.to_vec()).unwrap());
            });
        }
        (put, lines)
    }

    #[test]
    fn only_whole_lines_are_handed_over() {
        let (put, mut lines) = pushed(&["a\nb", "c", "\n\nd"]);
        assert_eq!(put, ["a\n", "bc\n\n"]);
        assert!(lines.flush_at(Duration::ZERO).is_some());
        lines.flush(|rest| assert_eq!(rest, b"d"));
        assert_eq!(lines.flush_at(Duration::ZERO), None);
    }

    #[test]
    fn an_endless_line_is_passed_on_in_pieces() {
        let half = "x".repeat(LINE_BYTES_MAX / 2);
        let (put, lines) = pushed(&[&half, &half, "y"]);
        assert_eq!(put.len(), 1);
        assert_eq!(put[0].len(), LINE_BYTES_MAX);
        assert!(lines.flush_at(Duration::ZERO).is_some());
    }

    #[test]
    fn a_finished_line_leaves_nothing_to_flush() {
        let (_, lines) = pushed(&["a\n"]);
        assert_eq!(lines.flush_at(Duration::ZERO), None);
    }
}
