//! Which faults, how often: the text of the setting.

use std::time::Duration;

use dunlin_base::Result;
use dunlin_base::settings::NET_FAULTS;

use crate::wrong;

/// Faults and their probabilities, per packet if nothing else is said.
#[derive(Clone, Debug, PartialEq)]
pub struct FaultPlan {
    /// The same seed makes the same faults, as far as the same packets come.
    pub seed: u64,
    /// It is lost.
    pub drop: f64,
    /// It comes twice.
    pub duplicate: f64,
    /// Later ones overtake it.
    pub reorder: f64,
    /// So many of them at most.
    pub distance: u64,
    /// It comes late.
    pub delay: f64,
    /// By this at most.
    pub delay_max: Duration,
    /// From it on nothing goes or comes,
    pub stall: f64,
    /// for so long.
    pub stall_for: Duration,
    /// Each time somebody asks for room: there is none.
    pub busy: f64,
    /// Each time a peer's memory is to be read, or written: that fails.
    pub read: f64,
}

/// Of what is set, everything else is none.
const NONE: FaultPlan = FaultPlan {
    seed: 1,
    drop: 0.0,
    duplicate: 0.0,
    reorder: 0.0,
    distance: 16,
    delay: 0.0,
    delay_max: Duration::from_micros(1000),
    stall: 0.0,
    stall_for: Duration::from_micros(10_000),
    busy: 0.0,
    read: 0.0,
};

const WORDS: &str =
    "seed, drop, duplicate, reorder, distance, delay, delay_us, stall, stall_us, busy, read";

impl FaultPlan {
    /// From a text such as `seed=1,drop=0.02,reorder=0.2`.
    pub fn parse(text: &str) -> Result<FaultPlan> {
        let mut plan = NONE;
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            plan.set(name.trim(), value.trim())?;
        }
        Ok(plan)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        let place = match name {
            "seed" => return whole(name, value, 0).map(|seed| self.seed = seed),
            "distance" => return whole(name, value, 1).map(|n| self.distance = n),
            "delay_us" => return micros(name, value).map(|time| self.delay_max = time),
            "stall_us" => return micros(name, value).map(|time| self.stall_for = time),
            "drop" => &mut self.drop,
            "duplicate" => &mut self.duplicate,
            "reorder" => &mut self.reorder,
            "delay" => &mut self.delay,
            "stall" => &mut self.stall,
            "busy" => &mut self.busy,
            "read" => &mut self.read,
            _ => return Err(wrong(format!("{NET_FAULTS} has `{name}`; it knows {WORDS}"))),
        };
        let probability: Option<f64> = value.parse().ok();
        *place = probability.filter(|p| (0.0..=1.0).contains(p)).ok_or_else(|| {
            wrong(format!("{NET_FAULTS} has `{name}={value}`; it must be a number from 0 to 1"))
        })?;
        Ok(())
    }
}

fn whole(name: &str, value: &str, min: u64) -> Result<u64> {
    value.parse().ok().filter(|&number| number >= min).ok_or_else(|| {
        wrong(format!("{NET_FAULTS} has `{name}={value}`; it must be a whole number from {min} on"))
    })
}

fn micros(name: &str, value: &str) -> Result<Duration> {
    whole(name, value, 1).map(Duration::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_what_the_text_says_and_otherwise_nothing_happens() {
        let plan = FaultPlan::parse("seed=7, drop=0.02,delay=1,delay_us=50").unwrap();
        let delay_max = Duration::from_micros(50);
        assert_eq!(plan, FaultPlan { seed: 7, drop: 0.02, delay: 1.0, delay_max, ..NONE });
        assert_eq!(FaultPlan::parse("").unwrap(), NONE);
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for text in ["drop=2", "drop", "drip=0.1", "seed=-1", "stall_us=0", "distance=0"] {
            let error = FaultPlan::parse(text).unwrap_err().to_string();
            let name = text.split('=').next().unwrap();
            assert!(error.contains("DUNLIN_NET_FAULTS") && error.contains(name), "{error}");
        }
    }
}
