//! PMI-1: a message is a line of words `key=value` with blanks between them. Values therefore have
//! neither blanks nor line ends.

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

/// Takes the first message off what has been received; `None` while its line is not complete.
pub fn take(received: &mut Vec<u8>) -> Option<Result<Message, String>> {
    let end = received.iter().position(|&b| b == b'\n')?;
    let line: Vec<u8> = received.drain(..=end).collect();
    let line = String::from_utf8_lossy(&line);
    let words = line.split_ascii_whitespace().map(str::to_string);
    Some(Message::of_words(words).ok_or_else(|| line.trim_end().to_string()))
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
    fn a_line_that_is_no_command_is_shown_as_it_came() {
        let mut received = b"hello world\ncmd=x\n".to_vec();
        assert_eq!(take(&mut received), Some(Err("hello world".to_string())));
        assert_eq!(take(&mut received), Some(Ok(Message::new("x"))));
        assert_eq!(take(&mut received), None);
    }
}
