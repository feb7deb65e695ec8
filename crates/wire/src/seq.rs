//! Numbers that count on past their largest value.

/// One of 2^32 numbers in a circle; of two that are compared, the one less than half the circle
/// behind is before the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct Seq(pub u32);

impl Seq {
    /// The number `n` further on.
    pub fn plus(self, n: u32) -> Seq {
        Seq(self.0.wrapping_add(n))
    }

    /// How far it is from `base`, which is not after it, to this number.
    pub fn from(self, base: Seq) -> u32 {
        self.0.wrapping_sub(base.0)
    }

    /// Whether it comes before `other`.
    pub fn is_before(self, other: Seq) -> bool {
        (self.0.wrapping_sub(other.0) as i32) < 0
    }

    /// The later of the two.
    pub fn later(self, other: Seq) -> Seq {
        if self.is_before(other) { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_circle_has_no_seam() {
        let last = Seq(u32::MAX);
        assert!(last.is_before(last.plus(1)) && !last.plus(1).is_before(last));
        assert_eq!(Seq(3).from(Seq(u32::MAX)), 4);
        assert_eq!(Seq(u32::MAX).later(Seq(0)), Seq(0));
    }
}
