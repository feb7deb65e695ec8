//! PMI-1: a message is a line of words `key=value` with blanks between them. Values therefore have
//! neither blanks nor line ends. One command, to start other programs, comes in many lines: a word
//! in each, the first begins with `mcmd`, the last is `endcmd`.

use crate::Message;

/// The bytes of a message.
pub fn encode(message: &Message) -> Vec<u8> {
    let mut line = format!("cmd={}", message.command);
    for (key, value) in message.fields() {
        line.push_str(&format!(" {key}={value}"));
    }
    line.push('\n');
    line.into_bytes()
}

/// How a command of many lines begins, and its last line.
const MANY_LINES: &[u8] = b"mcmd=";
const LAST_LINE: &[u8] = b"\nendcmd\n";

/// Takes the first message off what has been received; `None` while it is not complete.
pub fn take(received: &mut Vec<u8>) -> Option<Result<Message, String>> {
    let has_many = received.starts_with(MANY_LINES);
    let last: &[u8] = if has_many { LAST_LINE } else { b"\n" };
    let end = received.windows(last.len()).position(|bytes| bytes == last)?;
    let text: Vec<u8> = received.drain(..end + last.len()).collect();
    let text = String::from_utf8_lossy(&text[..end]);
    let message = match has_many {
        true => Message::of_words(text.lines().map(str::to_string)),
        false => Message::of_words(text.split_ascii_whitespace().map(str::to_string)),
    };
    Some(message.ok_or_else(|| text.trim_end().to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back_from_any_pieces() {
        let messages = [
            Message::new("init").with("pmi_version", 1).with("pmi_subversion", 1),
            Message::new("put").with("key", "a").with("value", "x=y="),
            Message::new("barrier_in"),
        ];
        let bytes: Vec<u8> = messages.iter().flat_map(encode).collect();
        for piece in 1..=bytes.len() {
            let (mut received, mut got) = (Vec::new(), Vec::new());
            for bytes in bytes.chunks(piece) {
                received.extend_from_slice(bytes);
                while let Some(message) = take(&mut received) {
                    got.push(message.unwrap());
                }
            }
            assert_eq!(got, messages, "{piece}");
        }
    }

    #[test]
    fn a_command_of_many_lines_is_one_message() {
        let mut received = b"mcmd=spawn\nnprocs=2\nexecname=a b\nendcmd\ncmd=x\n".to_vec();
        let expected = Message::new("spawn").with("nprocs", 2).with("execname", "a b");
        assert_eq!(take(&mut received), Some(Ok(expected)));
        assert_eq!(take(&mut received), Some(Ok(Message::new("x"))));
        assert_eq!(take(&mut b"mcmd=spawn\nnprocs=2\n".to_vec()), None);
    }

    #[test]
    fn a_line_that_is_no_command_is_shown_as_it_came() {
        let mut received = b"hello world\ncmd=x\n".to_vec();
        assert_eq!(take(&mut received), Some(Err("hello world".to_string())));
        assert_eq!(take(&mut received), Some(Ok(Message::new("x"))));
        assert_eq!(take(&mut received), None);
    }
}
