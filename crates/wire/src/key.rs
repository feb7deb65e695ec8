//! The job's key: packets that do not show it are not ours.

use dunlin_base::Rank;

/// A random number that only the processes of a job know. It keeps packets of other jobs, which
/// may have had our ports before us, and stray ones apart from ours. It is no protection against
/// somebody who can read the network.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct JobKey(pub u64);

impl std::fmt::Debug for JobKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JobKey(..)")
    }
}

impl JobKey {
    /// What a packet from `source` to `destination` shows. One that went astray within the job
    /// shows the wrong word too.
    pub fn check(self, source: Rank, destination: Rank) -> u64 {
        mix(mix(self.0 ^ u64::from(source)) ^ u64::from(destination))
    }
}

/// A bijection in which every bit of the input changes half of the output (the finaliser of
/// MurmurHash3, by Austin Appleby, public domain).
fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x = (x ^ (x >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_belongs_to_one_job_and_one_direction() {
        let key = JobKey(0x1234_5678);
        assert_ne!(key.check(0, 1), key.check(1, 0));
        assert_ne!(key.check(0, 1), JobKey(0x1234_5679).check(0, 1));
        assert_ne!(key.check(2, 1), key.check(0, 1));
    }

    #[test]
    fn the_key_is_not_printed() {
        assert!(!format!("{:?}", JobKey(77)).contains("77"));
    }
}
