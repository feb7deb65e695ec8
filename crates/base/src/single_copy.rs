//! What uses single copy by the kernel (`DUNLIN_CMA`): the modes that the engine runs in and that
//! `dunlin-info` tells of.

use std::io;
use std::time::Duration;

use crate::settings::{CMA, Settings};

/// The choices of the setting; `auto` is measured.
const WORDS: [(&str, Option<SingleCopy>); 5] = [
    ("auto", None),
    ("on", Some(SingleCopy::Together)),
    ("receiver", Some(SingleCopy::Receiver)),
    ("long", Some(SingleCopy::Long)),
    ("off", Some(SingleCopy::Off)),
];

/// Bytes of the call of the kernel by which `auto` decides.
pub const TIMED_BYTES: usize = 8 << 10;
/// From here on that call is slow. On an Intel Xeon it takes 0.5 us, on one in a virtual machine
/// (Emerald Rapids) 0.85 to 1.1; there messages that cross take 0.4 to 0.6 of the time if the
/// kernel copies them: 64 KiB 7.6 instead of 13.4 us. On an AMD EPYC (Zen 3 and 4, virtual
/// machines) it takes 1.2 to 1.7, in which two copies through the cache move some 40 KB; there it
/// counts as slow whatever it takes.
pub const SLOW_CALL: Duration = Duration::from_nanos(1300);

/// Larger than anything: never.
pub const NEVER: usize = usize::MAX;

/// What uses single copy, and which rank copies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SingleCopy {
    /// Large messages, copied by receiver and sender together, and data of collectives.
    Together,
    /// The same, but the receiver alone copies messages.
    Receiver,
    /// Only long data of collectives, and of long messages what their senders do not send in bounce
    /// buffers: a call is slow.
    Long,
    /// No single copy: large messages go through bounce buffers.
    Off,
}

impl SingleCopy {
    /// The mode that the setting names; `auto` decides by whether a call of the kernel is slow, or
    /// fails.
    pub fn of(settings: &Settings, is_slow: impl FnOnce() -> io::Result<bool>) -> SingleCopy {
        settings.choice(&CMA, &WORDS).unwrap_or_else(|| match is_slow() {
            Ok(false) => SingleCopy::Together,
            Ok(true) => SingleCopy::Long,
            Err(_) => SingleCopy::Off,
        })
    }

    /// Whether sender and receiver share the work of a large message.
    pub fn by_both(self) -> bool {
        matches!(self, SingleCopy::Together | SingleCopy::Long)
    }

    /// Whether a copy by the kernel is slow, or forbidden.
    pub fn is_slow(self) -> bool {
        matches!(self, SingleCopy::Long | SingleCopy::Off)
    }

    /// Collectives use single copy from so many bytes per rank on, if copy-in takes up to
    /// `cico_bytes_max` at once; [`NEVER`] if never. A slow call does not pay where copy-in does.
    pub fn shared_bytes_min(self, cico_bytes_max: usize) -> usize {
        match self {
            SingleCopy::Together | SingleCopy::Receiver => 0,
            SingleCopy::Long => cico_bytes_max + 1,
            SingleCopy::Off => NEVER,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Kind;

    fn under(word: &str, is_slow: io::Result<bool>) -> SingleCopy {
        let settings = Settings::read(std::iter::once(("DUNLIN_CMA".into(), word.into())));
        SingleCopy::of(&settings, || is_slow)
    }

    #[test]
    fn each_declared_word_has_a_meaning() {
        assert!(matches!(CMA.kind, Kind::Choice(words) if *words == WORDS.map(|(word, _)| word)));
    }

    #[test]
    fn only_auto_asks_how_fast_the_kernel_is() {
        assert_eq!(under("auto", Ok(false)), SingleCopy::Together);
        assert_eq!(under("auto", Ok(true)), SingleCopy::Long);
        assert_eq!(under("auto", Err(io::ErrorKind::Other.into())), SingleCopy::Off);
        assert_eq!(under("on", Ok(true)), SingleCopy::Together);
        assert_eq!(under("long", Ok(false)), SingleCopy::Long);
        assert_eq!(under("off", Ok(false)), SingleCopy::Off);
    }
}
