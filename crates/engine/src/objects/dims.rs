//! `MPI_Dims_create` (MPI 5.0, section 8.5.2): factors a number of processes into dimensions that
//! are as close to each other as possible. Pure arithmetic.

use dunlin_base::{Error, ErrorClass, Result};

/// Fills the free dimensions (0) of a grid of `nodes` as evenly as possible, larger ones first;
/// section 8.5.2.
pub fn balance(nodes: u32, dims: &mut [u32]) -> Result<()> {
    // A saturated product exceeds any number of processes.
    let given = dims.iter().filter(|d| **d != 0);
    let fixed = given.fold(1, |product: u64, d| product.saturating_mul(u64::from(*d)));
    let free = dims.iter().filter(|d| **d == 0).count();
    if u64::from(nodes) % fixed != 0 || (free == 0 && fixed != u64::from(nodes)) {
        let text =
            format!("nnodes is {nodes}; the dimensions given make {fixed}, which is no part of it");
        return Err(Error::new(ErrorClass::Dims, text));
    }
    let found = evenly((u64::from(nodes) / fixed) as u32, free);
    let mut found = found.into_iter();
    for dim in dims.iter_mut().filter(|d| **d == 0) {
        *dim = found.next().unwrap_or(1);
    }
    Ok(())
}

/// Splits `product` into `count` factors in falling order, whose largest and smallest are as close
/// as possible. Among equals, the result with the smallest first factor wins, then with the
/// smallest second one, and so on.
///
/// Branch and bound. Only divisors of the product can be factors: at most 1,536 for a 32-bit
/// number. The search tries them in rising order, from the smallest that can be the largest
/// remaining factor, so nearly even factorisations come first. It skips what cannot be closer than
/// the best one so far.
fn evenly(product: u32, count: usize) -> Vec<u32> {
    let divisors = divisors(product);
    let is_prime = |&d: &u32| {
        (2..).take_while(|p| u64::from(*p).pow(2) <= u64::from(d)).all(|p| d % p != 0) && d > 1
    };
    let primes = divisors.iter().copied().filter(is_prime).collect();
    let mut search = Search { divisors, primes, so_far: Vec::new(), best: None, spread: u32::MAX };
    search.extend(product, count);
    search.best.unwrap_or_default()
}

struct Search {
    /// The divisors of the whole product, rising.
    divisors: Vec<u32>,
    /// The primes among them, rising.
    primes: Vec<u32>,
    /// The factors chosen, falling.
    so_far: Vec<u32>,
    best: Option<Vec<u32>>,
    /// The largest factor of the best one minus its smallest.
    spread: u32,
}

impl Search {
    /// Splits `rest` into `count` more factors, in every way that may improve on the best one.
    fn extend(&mut self, rest: u32, count: usize) {
        // Factors of 1 make no difference, and there may be too many of them for the stack.
        if count == 0 || rest == 1 {
            return self.finish(rest, count);
        }
        let most = self.so_far.last().copied().unwrap_or(u32::MAX);
        // The largest remaining factor is at least their geometric mean, and one of them is a
        // multiple of the largest prime.
        let prime = self.primes.iter().rev().copied().find(|p| rest % p == 0).unwrap_or(1);
        let from = self.divisors.partition_point(|&d| d < prime || !reaches(d, count, rest));
        for i in from..self.divisors.len() {
            let d = self.divisors[i];
            let first = self.so_far.first().copied().unwrap_or(d);
            if d > most || !self.may_improve(first, rest, count) {
                return;
            }
            // Only the last factor may be the whole rest.
            if rest % d == 0 && (count > 1 || d == rest) {
                self.so_far.push(d);
                self.extend(rest / d, count - 1);
                self.so_far.pop();
            }
        }
    }

    /// Whether `count` factors of `rest` can all be close enough to the largest one, `first`.
    fn may_improve(&self, first: u32, rest: u32, count: usize) -> bool {
        if self.spread == 0 {
            return false;
        }
        let least = first.saturating_sub(self.spread - 1).max(1);
        u64::from(least).checked_pow(count as u32).is_some_and(|p| p <= u64::from(rest))
    }

    /// The factors chosen, and `ones` factors of 1, are a factorisation if no other factor remains.
    fn finish(&mut self, rest: u32, ones: usize) {
        let most = self.so_far.first().copied().unwrap_or(1);
        let least = if ones > 0 { 1 } else { self.so_far.last().copied().unwrap_or(1) };
        let spread = most - least;
        if rest == 1 && (self.best.is_none() || spread < self.spread) {
            let mut factors = self.so_far.clone();
            factors.resize(factors.len() + ones, 1);
            (self.best, self.spread) = (Some(factors), spread);
        }
    }
}

/// Whether the product of `count` factors of at most `d` can reach `rest`.
fn reaches(d: u32, count: usize, rest: u32) -> bool {
    u64::from(d).checked_pow(count as u32).is_none_or(|p| p >= u64::from(rest))
}

fn divisors(n: u32) -> Vec<u32> {
    let small = (1..).take_while(|d| u64::from(*d) * u64::from(*d) <= u64::from(n));
    let small: Vec<u32> = small.filter(|d| n % d == 0).collect();
    let large = small.iter().rev().map(|d| n / d).filter(|d| u64::from(*d).pow(2) > u64::from(n));
    small.iter().copied().chain(large).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn balanced<const N: usize>(nodes: u32, mut dims: [u32; N]) -> Result<[u32; N]> {
        balance(nodes, &mut dims).map(|()| dims)
    }

    #[test]
    fn dimensions_are_as_even_as_can_be_and_fall() {
        // The examples of section 8.5.2.
        assert_eq!(balanced(6, [0, 0]), Ok([3, 2]));
        assert_eq!(balanced(7, [0, 0]), Ok([7, 1]));
        assert_eq!(balanced(6, [0, 3, 0]), Ok([2, 3, 1]));
        assert_eq!(balanced(7, [0, 3, 0]).unwrap_err().class, ErrorClass::Dims);
        // A greedy choice of prime factors would give 6 x 4 x 3 or worse.
        assert_eq!(balanced(72, [0, 0, 0]), Ok([6, 4, 3]));
        assert_eq!(balanced(1024, [0, 0]), Ok([32, 32]));
        assert_eq!(balanced(16, [0, 0, 0]), Ok([4, 2, 2]));
        assert_eq!(balanced(5, [5]), Ok([5]));
        assert!(balanced(5, [4]).is_err());
        // Their product overflows to 0 in 64 bits.
        assert!(balanced(5, [1 << 16; 4]).is_err());
        let [a, b, c, d, e, f] = balanced(720_720, [0; 6]).unwrap();
        assert_eq!(a * b * c * d * e * f, 720_720);
        assert!(a >= b && b >= c && c >= d && d >= e && e >= f && a - f < 15);
    }

    /// Tries all falling factorisations in turn; the search must find the same.
    fn exhaustively(rest: u32, count: usize, so_far: &mut Vec<u32>, best: &mut Option<Vec<u32>>) {
        let spread = |dims: &[u32]| dims[0] - dims[dims.len() - 1];
        if count == 0 {
            if rest == 1 && best.as_ref().is_none_or(|b| spread(so_far) < spread(b)) {
                *best = Some(so_far.clone());
            }
            return;
        }
        let most = so_far.last().copied().unwrap_or(rest);
        for d in (1..=most.min(rest)).filter(|d| rest % d == 0) {
            so_far.push(d);
            exhaustively(rest / d, count - 1, so_far, best);
            so_far.pop();
        }
    }

    #[test]
    fn the_search_finds_what_trying_everything_finds() {
        for count in 1..=6 {
            let usual = 1..=720;
            let rich = [960, 1024, 1260, 2310, 2520, 4096, 5040, 7560, 10_080, 30_030];
            for product in usual.chain(rich) {
                let mut best = None;
                exhaustively(product, count, &mut Vec::new(), &mut best);
                assert_eq!(Some(evenly(product, count)), best, "{product} as {count} factors");
            }
        }
    }

    #[test]
    fn numbers_with_the_most_divisors_take_no_time() {
        // An exhaustive search took seconds to minutes for each. The test measures no time: with an
        // exhaustive search it would not end.
        for product in [735_134_400, 1_396_755_360, 2_095_133_040, 2_147_483_646, 1 << 30] {
            for count in 2..=16 {
                let found = evenly(product, count);
                assert_eq!(found.len(), count);
                assert_eq!(found.iter().product::<u32>(), product);
                assert!(found.is_sorted_by(|a, b| a >= b), "{found:?}");
            }
        }
        assert_eq!(evenly(735_134_400, 6), [34, 33, 30, 30, 28, 26]);
    }

    #[test]
    fn more_dimensions_than_a_stack_is_deep_are_mostly_1() {
        let found = evenly(12, 1 << 20);
        assert_eq!((found.len(), &found[..4]), (1 << 20, &[3, 2, 2, 1][..]));
        assert!(found[3..].iter().all(|&d| d == 1));
    }
}
