//! Whether a target of this node is expected to poll, so that a message to it is done soon. To look
//! costs a cache line that the target keeps changing. So it is believed until a packet had to be
//! taken back, and again when the target has thrown that packet away, which shows that it has
//! polled since.

/// Operations by the kernel after a packet was taken back: at first, and when it has been wrong
/// again and again to believe that the target polls.
const APART_MIN: u32 = 16;
const APART_MAX: u32 = 1024;
/// After so many operations it was right to believe it.
const RIGHT: u32 = 256;

/// See the module.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PollGuess {
    is_away: bool,
    /// Operations since that changed.
    operations: u32,
    /// Operations before the target is believed to be back.
    apart: u32,
}

impl PollGuess {
    /// Whether it is expected to poll; `has_come` says whether it has since a packet was taken
    /// back.
    #[inline]
    pub fn expects(&mut self, has_come: impl FnOnce() -> bool) -> bool {
        self.operations = self.operations.saturating_add(1);
        if self.is_away && self.operations >= self.apart && has_come() {
            (self.is_away, self.operations) = (false, 0);
        }
        !self.is_away
    }

    /// A packet was taken back.
    pub fn was_wrong(&mut self) {
        let was_right = self.operations >= RIGHT || self.apart == 0;
        self.apart = match () {
            () if self.is_away => self.apart,
            () if was_right => APART_MIN,
            () => (2 * self.apart).min(APART_MAX),
        };
        (self.is_away, self.operations) = (true, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Operations until it is believed to be back.
    fn until_back(guess: &mut PollGuess) -> u32 {
        1 + (0..).take_while(|_| !guess.expects(|| true)).count() as u32
    }

    #[test]
    fn who_is_away_is_believed_to_be_back_when_it_has_come() {
        let mut guess = PollGuess::default();
        assert!(guess.expects(|| unreachable!("believed without a look")));
        guess.was_wrong();
        assert!((0..4096).all(|_| !guess.expects(|| false)));
        assert!(guess.expects(|| true));
        assert!(guess.expects(|| unreachable!("believed again")));
    }

    #[test]
    fn who_comes_for_a_moment_is_believed_ever_later() {
        let mut guess = PollGuess::default();
        guess.was_wrong();
        assert_eq!(until_back(&mut guess), APART_MIN);
        guess.was_wrong();
        assert_eq!(until_back(&mut guess), 2 * APART_MIN);
        for _ in 0..10 {
            guess.was_wrong();
            guess.was_wrong();
            until_back(&mut guess);
        }
        guess.was_wrong();
        assert_eq!(until_back(&mut guess), APART_MAX);
        (0..RIGHT).for_each(|_| assert!(guess.expects(|| unreachable!())));
        guess.was_wrong();
        assert_eq!(until_back(&mut guess), APART_MIN);
    }
}
