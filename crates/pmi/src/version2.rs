//! PMI-2: a message is its length, six digits wide, and then fields `key=value;` in which a
//! semicolon that belongs to a value is doubled.

use crate::Message;

/// Digits of the length before each message.
const LENGTH_DIGITS: usize = 6;
/// The longest message that this length can announce.
pub const MESSAGE_BYTES_MAX: usize = 999_999;

/// The bytes of a message.
pub fn encode(message: &Message) -> Vec<u8> {
    let mut text = format!("cmd={};", message.command);
    for (key, value) in message.fields() {
        text.push_str(&format!("{key}={};", value.replace(';', ";;")));
    }
    assert!(text.len() <= MESSAGE_BYTES_MAX, "a message of {} bytes", text.len());
    format!("{:>LENGTH_DIGITS$}{text}", text.len()).into_bytes()
}

/// Takes the first message off what has been received; `None` while it is not complete.
pub fn take(received: &mut Vec<u8>) -> Option<Result<Message, String>> {
    let digits = received.get(..LENGTH_DIGITS)?;
    let length = std::str::from_utf8(digits).ok().and_then(|d| d.trim().parse::<usize>().ok());
    let Some(length) = length else {
        let stray = std::mem::take(received);
        return Some(Err(String::from_utf8_lossy(&stray).into_owned()));
    };
    let text = received.get(LENGTH_DIGITS..LENGTH_DIGITS + length)?;
    let text = String::from_utf8_lossy(text).into_owned();
    received.drain(..LENGTH_DIGITS + length);
    Some(Message::of_words(words(&text)).ok_or(text))
}

/// The fields of a message, each without its semicolon.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word) = (Vec::new(), String::new());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != ';' {
            word.push(letter);
        } else if letters.next_if_eq(&';').is_some() {
            word.push(';');
        } else {
            words.push(std::mem::take(&mut word));
        }
    }
    // Some servers leave out the last semicolon.
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_message_looks_as_the_protocol_says() {
        let message = Message::new("kvs-put").with("key", "k").with("value", "a;b c=d");
        assert_eq!(encode(&message), b"    33cmd=kvs-put;key=k;value=a;;b c=d;");
        assert_eq!(take(&mut encode(&message)), Some(Ok(message)));
    }

    #[test]
    fn the_last_semicolon_may_be_missing() {
        let expected = Message::new("x").with("rc", 0);
        assert_eq!(take(&mut b"    10cmd=x;rc=0".to_vec()), Some(Ok(expected)));
    }

    #[test]
    fn what_has_no_length_is_shown_as_it_came() {
        let mut received = b"cmd=response_to_init".to_vec();
        assert_eq!(take(&mut received), Some(Err("cmd=response_to_init".to_string())));
    }

    proptest! {
        #[test]
        fn any_values_come_back(
            values in prop::collection::vec("[ -~]{0,20}", 0..5),
            cut in 1usize..40,
        ) {
            let message = values.iter().enumerate()
                .fold(Message::new("c"), |m, (i, value)| m.with(&format!("k{i}"), value));
            let (mut received, mut got) = (Vec::new(), None);
            for piece in encode(&message).chunks(cut) {
                received.extend_from_slice(piece);
                got = got.or_else(|| take(&mut received));
            }
            prop_assert_eq!(got, Some(Ok(message)));
        }

        #[test]
        fn no_bytes_break_it(mut bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            while take(&mut bytes).is_some() {}
        }
    }
}
