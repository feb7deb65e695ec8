//! Bytes as values of a protocol of text: without blanks, semicolons or `=` in the middle, and in
//! as many values as the longest allowed one makes necessary.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as TEXT;

/// Divides `bytes` into values of at most `longest` letters. The first says how many there are.
pub fn divide(bytes: &[u8], longest: usize) -> Vec<String> {
    let text = TEXT.encode(bytes);
    let room = |count: usize| longest.saturating_sub(count.to_string().len() + 1).max(1);
    // The count itself takes room, of the first value alone; all are cut to what that one has.
    let mut count = 1;
    while text.len().div_ceil(room(count)).max(1) > count {
        count = text.len().div_ceil(room(count));
    }
    let mut values: Vec<String> = text
        .as_bytes()
        .chunks(room(count))
        .map(|piece| String::from_utf8_lossy(piece).into_owned())
        .collect();
    values.resize(count, String::new());
    values[0].insert_str(0, &format!("{count}."));
    values
}

/// How many values there are, and what the first holds besides that.
pub fn first(value: &str) -> Option<(usize, &str)> {
    let (count, text) = value.split_once('.')?;
    Some((count.parse().ok().filter(|&count| count > 0)?, text))
}

/// The bytes of values put together again, the count taken off the first.
pub fn join(text: &str) -> Option<Vec<u8>> {
    TEXT.decode(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bytes_come_back(
            bytes in prop::collection::vec(any::<u8>(), 0..3000),
            longest in 8usize..1100,
        ) {
            let values = divide(&bytes, longest);
            prop_assert!(values.iter().all(|value| value.len() <= longest));
            let (count, head) = first(&values[0]).unwrap();
            prop_assert_eq!(count, values.len());
            let text = head.to_string() + &values[1..].concat();
            prop_assert_eq!(join(&text).unwrap(), bytes);
        }
    }

    #[test]
    fn strange_values_are_refused() {
        assert!(first("").is_none() && first("0.x").is_none() && first("x").is_none());
        assert!(join("%%").is_none());
    }
}
