//! Values of options as numbers, times and words.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use super::Part;
use crate::failure::Failure;

/// The longest time that can be asked for, 30 years: what is longer is a slip, and would overflow
/// clocks.
const SECONDS_MAX: f64 = 1e9;

pub(super) fn count(name: &str, value: &OsStr) -> Result<usize, Failure> {
    let parsed = value.to_str().and_then(|text| text.parse().ok()).filter(|&n| n > 0);
    parsed.ok_or_else(|| {
        let value = value.to_string_lossy();
        Failure::usage(format!("{name} is `{value}`; it must be a whole number of at least 1"))
    })
}

/// A length of time; 0 means never.
pub(super) fn seconds(name: &str, value: &OsStr) -> Result<Option<Duration>, Failure> {
    let parsed = value.to_str().and_then(|text| text.parse().ok());
    let parsed = parsed.filter(|s: &f64| *s <= SECONDS_MAX);
    let duration = parsed.and_then(|s| Duration::try_from_secs_f64(s).ok());
    let duration = duration.ok_or_else(|| {
        let value = value.to_string_lossy();
        let limit = "it must be a number of seconds, from 0 to a thousand million";
        Failure::usage(format!("{name} is `{value}`; {limit}"))
    })?;
    Ok(Some(duration).filter(|d| !d.is_zero()))
}

pub(super) fn word<T: Copy>(name: &str, value: &OsStr, words: &[(&str, T)]) -> Result<T, Failure> {
    words.iter().find(|w| value == w.0).map(|w| w.1).ok_or_else(|| {
        let known = words.iter().map(|w| w.0).collect::<Vec<_>>().join(", ");
        let value = value.to_string_lossy();
        Failure::usage(format!("{name} is `{value}`; it must be one of: {known}"))
    })
}

pub(super) fn set_or_pass(part: &mut Part, name: &str, value: &OsStr) -> Result<(), Failure> {
    let bytes = value.as_bytes();
    match bytes.iter().position(|&b| b == b'=') {
        Some(0) => {
            let value = value.to_string_lossy();
            return Err(Failure::usage(format!("{name} is `{value}`; the name is missing")));
        }
        Some(at) => part.env.push((
            OsStr::from_bytes(&bytes[..at]).to_owned(),
            OsStr::from_bytes(&bytes[at + 1..]).to_owned(),
        )),
        None => part.pass.push(value.to_owned()),
    }
    Ok(())
}
