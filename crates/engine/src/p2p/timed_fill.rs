//! What the filler of a bounce buffer keeps of a fragment that is timed.

use std::time::Duration;

use crate::adaptive::Use;

/// How a fragment was written into a bounce buffer whose reader says how long it takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimedFill {
    pub peer: usize,
    pub stores: Use,
    /// The length of the message, if this tells of the whole message.
    pub of_message: Option<usize>,
    /// Whether messages crossed it, as far as is known.
    pub crosses: bool,
    pub time: Duration,
    pub bytes: usize,
}
