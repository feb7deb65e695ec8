//! Numbers that look random: scrambled words, and a sequence of them from a seed.

/// A bijection in which every bit of the input changes half of the output (the finaliser of
/// SplitMix64, by Sebastiano Vigna, public domain).
pub fn mix64(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// SplitMix64: the same numbers for the same seed, everywhere.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix64(self.0)
    }

    /// True once in `1 / probability` times.
    pub fn happens(&mut self, probability: f64) -> bool {
        // The 53 bits that a float holds.
        probability > 0.0 && ((self.next() >> 11) as f64) < probability * (1u64 << 53) as f64
    }

    /// A number below `limit`, which is not 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_is_the_published_one() {
        let mut seed = Random(1_234_567);
        let first = [seed.next(), seed.next(), seed.next()];
        let published =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(first, published);
    }

    #[test]
    fn what_happens_with_a_probability_happens_about_so_often() {
        let mut seed = Random(1);
        let often = (0..100_000).filter(|_| seed.happens(0.02)).count();
        assert!((1_800..2_200).contains(&often), "{often}");
        assert!(!seed.happens(0.0) && seed.happens(1.0));
    }
}
