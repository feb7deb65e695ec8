//! Whether CPUs are free for threads of the library beside those of the program.

use std::fmt;

/// The CPUs of a job on one node, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CpuUse {
    /// Ranks there.
    pub ranks: usize,
    /// CPUs to which ranks are bound; threads of the program are there, too.
    pub taken: usize,
    /// CPUs that the job has beside these.
    pub free: usize,
    /// The CPU time that the control groups grant, in CPUs, if that is limited.
    pub quota: Option<usize>,
}

/// Why ranks have no CPU beside their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoFreeCpu {
    /// None is left: all are taken, or ranks are not bound.
    None,
    /// Ranks share CPUs.
    Shared(CpuUse),
    /// Fewer are left than there are ranks.
    Few(CpuUse),
    /// The quota is for the ranks.
    Quota(CpuUse),
}

impl CpuUse {
    /// Whether each rank can have a CPU beside its own.
    pub fn check(self) -> Result<(), NoFreeCpu> {
        let CpuUse { ranks, taken, free, quota } = self;
        match free {
            0 => Err(NoFreeCpu::None),
            _ if taken < ranks => Err(NoFreeCpu::Shared(self)),
            _ if free < ranks => Err(NoFreeCpu::Few(self)),
            _ if quota.is_some_and(|quota| quota < taken + ranks) => Err(NoFreeCpu::Quota(self)),
            _ => Ok(()),
        }
    }
}

impl fmt::Display for NoFreeCpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoFreeCpu::None => f.write_str("no CPU is left beside those that ranks may use"),
            NoFreeCpu::Shared(CpuUse { ranks, taken, .. }) => {
                write!(f, "{ranks} ranks share {taken} CPUs")
            }
            NoFreeCpu::Few(CpuUse { ranks, free, .. }) => {
                write!(f, "{free} CPUs are left for {ranks} ranks")
            }
            NoFreeCpu::Quota(CpuUse { quota, taken, .. }) => {
                let quota = quota.unwrap_or(0);
                write!(f, "the control group grants {quota} CPUs, and ranks may use {taken}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rank_needs_a_cpu_that_no_rank_uses() {
        let cpus = |ranks, taken, free, quota| CpuUse { ranks, taken, free, quota };
        for (cpus, expected) in [
            (cpus(4, 4, 4, None), None),
            (cpus(4, 4, 28, Some(8)), None),
            // Ranks of several threads.
            (cpus(2, 16, 16, None), None),
            (cpus(2, 16, 1, None), Some("1 CPUs are left for 2 ranks")),
            // All taken, or not bound.
            (cpus(8, 8, 0, None), Some("no CPU is left beside those that ranks may use")),
            (cpus(8, 4, 60, None), Some("8 ranks share 4 CPUs")),
            (cpus(4, 4, 60, Some(7)), Some("the control group grants 7 CPUs, and ranks may use 4")),
        ] {
            assert_eq!(cpus.check().err().map(|why| why.to_string()).as_deref(), expected);
        }
    }
}
