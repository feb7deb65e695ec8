//! Files of text that a user names: how much of one is read, and what is said of one that is none.

use std::io::{Error, ErrorKind, Read, Result};

/// The longest file of text: a hundred times what a large machine's list of hosts takes.
const TEXT_BYTES_MAX: usize = 64 << 20;

/// Reads a file of text to its end. An error says what is wrong with it, and where.
pub fn read(file: impl Read) -> Result<String> {
    read_within(file, TEXT_BYTES_MAX)
}

fn read_within(file: impl Read, bytes_max: usize) -> Result<String> {
    let mut bytes = Vec::new();
    file.take(bytes_max as u64 + 1).read_to_end(&mut bytes)?;
    let wrong = |text: String| Error::new(ErrorKind::InvalidData, text);
    if bytes.len() > bytes_max {
        return Err(wrong(format!(
            "it has more than {bytes_max} bytes, which is no list of words"
        )));
    }
    // Editors of other systems begin a file so.
    if bytes.starts_with("\u{feff}".as_bytes()) {
        bytes.drain(.."\u{feff}".len());
    }
    String::from_utf8(bytes).map_err(|e| {
        let before = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        wrong(format!("line {line} is not UTF-8"))
    })
}

/// A word of somebody else's as it may stand in a sentence: without what would break the line, and
/// not longer than a reader looks at.
pub fn shown(word: &str) -> String {
    const LETTERS_MAX: usize = 200;
    let end = word.char_indices().nth(LETTERS_MAX).map(|(at, _)| at);
    let shown: String = word[..end.unwrap_or(word.len())].chars().flat_map(printable).collect();
    if end.is_some() { format!("{shown}...") } else { shown }
}

fn printable(letter: char) -> impl Iterator<Item = char> {
    let plain = (!letter.is_control()).then_some(letter);
    let escaped = letter.is_control().then(|| letter.escape_default());
    plain.into_iter().chain(escaped.into_iter().flatten())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_without_the_mark_some_editors_put_before_it() {
        assert_eq!(read(&b"\xef\xbb\xbfa\r\n"[..]).unwrap(), "a\r\n");
    }

    #[test]
    fn what_is_no_text_is_said_with_its_line() {
        let said = |bytes: &[u8]| read_within(bytes, 8).unwrap_err().to_string();
        assert_eq!(said(b"a\nb\n\xff"), "line 3 is not UTF-8");
        assert!(said(&[b'a'; 9]).contains("more than 8 bytes"));
        assert!(read(std::io::repeat(b'a')).is_err(), "a file without an end");
    }

    #[test]
    fn a_word_fits_into_a_sentence() {
        assert_eq!(shown("node1"), "node1");
        assert_eq!(shown("a\0b\n"), "a\\u{0}b\\n");
        assert_eq!(shown(&"é".repeat(300)).chars().count(), 203);
    }
}
