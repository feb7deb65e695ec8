//! Whether a target of this node is expected to poll, so that a message to it is done soon. To look
//! costs a cache line that the target keeps changing, so it is believed until a message was taken
//! back, and then looked for once in so many operations.

/// Operations between two looks at a target that does not poll: at first, and when it has been
/// wrong again and again to believe that it does.
const APART_MIN: u32 = 16;
const APART_MAX: u32 = 1024;
/// After so many operations it was right to believe it.
const RIGHT: u32 = 256;

/// See the module.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PollGuess {
    /// It did not when it was last needed.
    is_away: bool,
    /// Operations since that changed.
    operations: u32,
    /// Operations between two looks, while it is away.
    apart: u32,
    /// What it had counted at the last look.
    seen: u32,
}

impl PollGuess {
    /// Whether it is expected to poll; `polls` says how often it has.
    #[inline]
    pub fn expects(&mut self, polls: impl FnOnce() -> u32) -> bool {
        self.operations = self.operations.saturating_add(1);
        if self.is_away && self.operations % self.apart == 0 {
            let now = polls();
            self.is_away = std::mem::replace(&mut self.seen, now) == now;
            self.operations = if self.is_away { self.operations } else { 0 };
        }
        !self.is_away
    }

    /// It does not poll, though it had been expected to; it has done so this often.
    pub fn was_wrong(&mut self, polls: u32) {
        let again = !self.is_away && self.apart > 0 && self.operations < RIGHT;
        let apart = if again { (2 * self.apart).min(APART_MAX) } else { APART_MIN };
        *self = PollGuess { is_away: true, operations: 0, apart, seen: polls };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_away_is_looked_for_seldom() {
        let mut guess = PollGuess::default();
        assert!(guess.expects(|| unreachable!("believed without a look")));
        guess.was_wrong(10);
        let looks = |guess: &mut PollGuess| {
            let mut looks = 0;
            (0..4096).for_each(|_| {
                let look = || {
                    looks += 1;
                    10
                };
                assert!(!guess.expects(look));
            });
            looks
        };
        assert_eq!(looks(&mut guess), 4096 / APART_MIN);
        // It looks as if it polled, time and again, but does not.
        for _ in 0..10 {
            while !guess.expects(|| 11) {}
            guess.was_wrong(10);
        }
        assert_eq!(looks(&mut guess), 4096 / APART_MAX);
    }

    #[test]
    fn who_has_polled_for_long_is_soon_looked_for_again() {
        let mut guess = PollGuess::default();
        for _ in 0..10 {
            guess.was_wrong(0);
            while !guess.expects(|| 1) {}
        }
        (0..RIGHT).for_each(|_| assert!(guess.expects(|| unreachable!())));
        guess.was_wrong(2);
        assert_eq!((0..APART_MIN).filter(|_| guess.expects(|| 3)).count(), 1);
    }
}
