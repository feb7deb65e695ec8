//! The job's key and its uses. Packets between nodes carry a tag that only a process of the job can
//! make; if the user wishes, their content is encrypted. Nothing here sends or receives.
#![forbid(unsafe_code)]

mod handshake;
mod key;
mod nh;
mod seal;

pub use handshake::{
    CHALLENGE_BYTES, Challenge, Ends, HELLO_BYTES, Hello, PROOF_BYTES, Proved, Session,
    answer_hello,
};
pub use key::{Direction, JOB_KEY_BYTES, JobKey, Keys, draw_incarnation};
pub use seal::{COVERED_BYTES, Seal, TAG_BYTES, TRAILER_BYTES};

/// How much packets between nodes are protected. The same on all hosts of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Security {
    /// The minimum: a tag over the header and the beginning of each packet.
    #[default]
    Off = 0,
    /// The tag covers the whole packet.
    Authenticate = 1,
    /// What follows the header is encrypted, too.
    Encrypt = 2,
}

impl Security {
    /// All of them, with their names.
    pub const WORDS: [(&str, Security); 3] = [
        ("off", Security::Off),
        ("authenticate", Security::Authenticate),
        ("encrypt", Security::Encrypt),
    ];

    /// Its name, as in the setting.
    pub fn name(self) -> &'static str {
        Security::WORDS[self as usize].0
    }

    /// The one with this number.
    pub fn from_number(number: u8) -> Option<Security> {
        Security::WORDS.get(usize::from(number)).map(|word| word.1)
    }

    /// Bytes that a sealed packet has more than an open one, at its end.
    pub const fn trailer_bytes(self) -> usize {
        match self {
            Security::Off | Security::Authenticate => 0,
            Security::Encrypt => TRAILER_BYTES,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_number_and_its_name() {
        for (number, (name, security)) in (0..).zip(Security::WORDS) {
            assert_eq!(Security::from_number(number), Some(security));
            assert_eq!(security.name(), name);
        }
        assert_eq!(Security::from_number(3), None);
    }
}
