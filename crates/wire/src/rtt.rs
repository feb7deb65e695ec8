//! How long an answer takes: RFC 6298, in nanoseconds.

use crate::config::{Config, Nanos};

/// The estimate for one peer.
#[derive(Debug, Default)]
pub(crate) struct Rtt {
    /// Smoothed time; 0 before the first measurement.
    smooth: Nanos,
    /// Smoothed deviation from it.
    deviation: Nanos,
    /// How often the time to wait has been doubled since the last answer.
    doublings: u32,
}

impl Rtt {
    /// An answer to a packet that was sent once.
    pub fn measured(&mut self, time: Nanos) {
        if self.smooth == 0 {
            (self.smooth, self.deviation) = (time.max(1), time / 2);
            return;
        }
        let off = self.smooth.abs_diff(time);
        self.deviation = (3 * self.deviation + off) / 4;
        self.smooth = ((7 * self.smooth + time) / 8).max(1);
    }

    /// The peer has answered.
    pub fn answered(&mut self) {
        self.doublings = 0;
    }

    /// The peer has not answered in time.
    pub fn late(&mut self) {
        self.doublings = self.doublings.saturating_add(1);
    }

    /// How long to wait for an answer before sending again.
    pub fn timeout(&self, config: &Config) -> Nanos {
        let base = (self.smooth + 4 * self.deviation).max(config.retransmit_min);
        base.checked_shl(self.doublings.min(32)).unwrap_or(Nanos::MAX).min(config.retransmit_max)
    }

    /// A packet that has not been answered for so long, while one sent with it or after it has, is
    /// lost and not just overtaken.
    pub fn overdue(&self, config: &Config) -> Nanos {
        match self.smooth {
            0 => config.retransmit_min,
            smooth => (smooth + smooth / 2 + 4 * self.deviation).min(config.retransmit_max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Guarantee;

    #[test]
    fn patience_doubles_up_to_its_bound_and_recovers() {
        let config = Config::new(Guarantee::None, 1000);
        let mut rtt = Rtt::default();
        rtt.measured(10_000_000);
        let first = rtt.timeout(&config);
        assert_eq!(first, 30_000_000);
        rtt.late();
        assert_eq!(rtt.timeout(&config), 2 * first);
        (0..100).for_each(|_| rtt.late());
        assert_eq!(rtt.timeout(&config), config.retransmit_max);
        rtt.answered();
        assert_eq!(rtt.timeout(&config), first);
    }

    #[test]
    fn steady_times_bring_patience_down_to_its_floor() {
        let config = Config::new(Guarantee::None, 1000);
        let mut rtt = Rtt::default();
        (0..100).for_each(|_| rtt.measured(20_000));
        assert_eq!(rtt.timeout(&config), config.retransmit_min);
        assert!((20_000..40_000).contains(&rtt.overdue(&config)));
    }
}
