//! Matching: which receive gets which message (MPI 5.0, section 3.5). A pure data structure: posted
//! receives on one side, unexpected messages on the other, each side found by hash, so that
//! thousands of either cost a message no more than one does. No I/O, no clock, no waiting.
//!
//! The rules: among the posted receives that fit an arriving message, the one posted first gets it,
//! whether it names its source and tag or takes any; among the waiting messages that fit a receive,
//! the one that arrived first is taken. Messages must be handed in (`arrive`, then `store`) in the
//! order in which each source sent them.

#![forbid(unsafe_code)]

mod fifos;
mod key;
mod posted;
mod slab;
#[cfg(test)]
mod tests;
mod unexpected;

pub use key::{Envelope, Pattern};
pub use posted::PostedId;

use posted::PostedReceives;
use unexpected::UnexpectedMessages;

/// The receives and messages of one process that have not met yet. `R` names a receive, such as a
/// request number; `M` is an unexpected message or what describes it.
///
/// A receive first asks [`take`](Self::take) and is [`post`](Self::post)ed only when that finds
/// nothing; a message first asks [`arrive`](Self::arrive) and is [`store`](Self::store)d only when
/// that finds nothing. So no posted receive ever fits a stored message.
#[derive(Debug)]
pub struct Matching<R, M> {
    posted: PostedReceives<R>,
    unexpected: UnexpectedMessages<M>,
    notices: usize,
}

/// Set in the tag of a *notice*: a message that no receive is posted for. Whoever waits for
/// something asks whether one has come instead.
pub const NOTICE: i32 = i32::MIN;

impl<R, M> Default for Matching<R, M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<R, M> Matching<R, M> {
    /// Nothing posted, nothing stored; allocates on first use.
    pub const fn new() -> Self {
        let unexpected = UnexpectedMessages::new();
        Matching { posted: PostedReceives::new(), unexpected, notices: 0 }
    }

    /// Posts a receive for which [`take`](Self::take) has just found no message.
    #[inline]
    pub fn post(&mut self, pattern: &Pattern, receive: R) -> PostedId {
        debug_assert!(
            self.unexpected.find(pattern).is_none(),
            "{pattern:?} is posted although a stored message fits it; take() comes first"
        );
        self.posted.post(pattern, receive)
    }

    /// Removes and returns the receive that gets this message: of those that fit, the one posted
    /// first.
    #[inline]
    pub fn arrive(&mut self, envelope: &Envelope) -> Option<R> {
        if self.posted.len() == 0 { None } else { self.posted.take(envelope) }
    }

    /// Keeps a message for which [`arrive`](Self::arrive) has just found no receive.
    #[inline]
    pub fn store(&mut self, envelope: Envelope, message: M) {
        debug_assert!(
            self.posted.find(&envelope).is_none(),
            "{envelope:?} is stored although a posted receive fits it; arrive() comes first"
        );
        self.notices += usize::from(envelope.tag < 0);
        self.unexpected.store(envelope, message);
    }

    /// Removes and returns the stored message that a receive with this pattern gets: of those that
    /// fit, the one that arrived first.
    #[inline]
    pub fn take(&mut self, pattern: &Pattern) -> Option<(Envelope, M)> {
        self.take_if(pattern, |_| true)
    }

    /// The same, if that message is wanted; else it stays.
    #[inline]
    pub fn take_if(
        &mut self,
        pattern: &Pattern,
        is_wanted: impl FnOnce(&M) -> bool,
    ) -> Option<(Envelope, M)> {
        let taken = self.unexpected.take_if(pattern, is_wanted);
        if let Some((Envelope { tag: ..0, .. }, _)) = taken {
            self.notices -= 1;
        }
        taken
    }

    /// Number of notices among the stored messages.
    #[inline]
    pub fn notices(&self) -> usize {
        self.notices
    }

    /// What [`take`](Self::take) would return, left in its place. Exclusive because a search among
    /// many messages may first build an index.
    #[inline]
    pub fn peek(&mut self, pattern: &Pattern) -> Option<(&Envelope, &M)> {
        self.unexpected.peek(pattern)
    }

    /// Withdraws a posted receive; `None` if a message got it, or it was withdrawn, before.
    pub fn cancel(&mut self, id: PostedId) -> Option<R> {
        self.posted.cancel(id)
    }

    /// Whether a receive still waits for its message.
    pub fn is_posted(&self, id: PostedId) -> bool {
        self.posted.has(id)
    }

    /// Removes the stored message that `is_it` means, whoever looks for it.
    pub fn remove_matching(&mut self, is_it: impl Fn(&M) -> bool) -> Option<(Envelope, M)> {
        self.unexpected.remove_matching(is_it)
    }

    /// Removes all stored messages that `is_it` means, the first first.
    pub fn remove_all_matching(&mut self, is_it: impl Fn(&M) -> bool) -> Vec<(Envelope, M)> {
        self.unexpected.remove_all_matching(is_it)
    }

    /// Number of posted receives.
    pub fn posted_len(&self) -> usize {
        self.posted.len()
    }

    /// Number of stored messages.
    pub fn unexpected_len(&self) -> usize {
        self.unexpected.len()
    }

    /// Whether nothing is posted and nothing stored.
    pub fn is_empty(&self) -> bool {
        self.posted_len() == 0 && self.unexpected_len() == 0
    }

    /// The posted receives, in no particular order: for diagnostics.
    pub fn posted(&self) -> impl Iterator<Item = (Pattern, &R)> {
        self.posted.iter()
    }

    /// The stored messages in order of arrival: for diagnostics.
    pub fn unexpected(&self) -> impl Iterator<Item = (&Envelope, &M)> {
        self.unexpected.iter()
    }
}
