//! What an element is in a proof: which ranks' contributions it holds, and in which order.

use std::fmt;
use std::rc::Rc;

/// A run of ranks `first..end`.
pub type Run = (usize, usize);

/// The content of one element.
#[derive(Clone, PartialEq, Eq)]
pub enum Value {
    /// Never written: reading it is an error.
    Undefined,
    /// Element `index` of the contributions of the ranks in `runs`, combined in that order. A run
    /// `(first, end)` stands for the ranks `first..end`; neighbouring runs are joined, so that
    /// equal contents have equal forms.
    Of {
        /// Position in each contributing rank's operand.
        index: usize,
        /// The contributing ranks.
        runs: Runs,
    },
}

/// One or several runs. One, by far the most frequent, needs no memory of its own.
#[derive(Clone, PartialEq, Eq)]
pub enum Runs {
    /// A single run.
    One(Run),
    /// More than one.
    Many(Rc<[Run]>),
}

impl Runs {
    fn as_slice(&self) -> &[Run] {
        match self {
            Runs::One(run) => std::slice::from_ref(run),
            Runs::Many(runs) => runs,
        }
    }

    fn overlap(&self, other: &Runs) -> bool {
        let meets = |a: &Run| other.as_slice().iter().any(|b| a.0 < b.1 && b.0 < a.1);
        self.as_slice().iter().any(meets)
    }

    fn join(&self, other: &Runs, commutative: bool) -> Runs {
        match (self, other) {
            (Runs::One(a), Runs::One(b)) if a.1 == b.0 => return Runs::One((a.0, b.1)),
            (Runs::One(a), Runs::One(b)) if commutative && b.1 == a.0 => {
                return Runs::One((b.0, a.1));
            }
            _ => {}
        }
        let mut runs = [self.as_slice(), other.as_slice()].concat();
        if commutative {
            runs.sort_unstable();
        }
        runs.dedup_by(|next, previous| {
            let joined = previous.1 == next.0;
            if joined {
                previous.1 = next.1;
            }
            joined
        });
        if let [run] = runs[..] { Runs::One(run) } else { Runs::Many(runs.into()) }
    }
}

impl Value {
    /// Element `index` of the contribution of `rank`.
    pub fn of(rank: usize, index: usize) -> Value {
        Value::of_ranks(rank, rank + 1, index)
    }

    /// Elements `index` of the contributions of ranks `first..end`, combined in order.
    pub fn of_ranks(first: usize, end: usize, index: usize) -> Value {
        if first == end {
            return Value::Undefined;
        }
        Value::Of { index, runs: Runs::One((first, end)) }
    }

    /// `left op right`. With `commutative`, order is forgotten; a contribution counted twice is an
    /// error either way, as is an operand that was never written.
    pub fn combine(left: &Value, right: &Value, commutative: bool) -> Result<Value, String> {
        let (Value::Of { index: li, runs: lr }, Value::Of { index: ri, runs: rr }) = (left, right)
        else {
            return Err(format!("reduces undefined data: {left} op {right}"));
        };
        if li != ri {
            return Err(format!("reduces element {li} with element {ri}: {left} op {right}"));
        }
        if lr.overlap(rr) {
            return Err(format!("counts a contribution twice: {left} op {right}"));
        }
        Ok(Value::Of { index: *li, runs: lr.join(rr, commutative) })
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Value::Of { index, runs } = self else { return f.write_str("undefined") };
        write!(f, "element {index} of ranks")?;
        for &(first, end) in runs.as_slice() {
            match end - first {
                1 => write!(f, " {first}")?,
                _ => write!(f, " {first}-{}", end - 1)?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_matters_only_without_commutativity() {
        let (a, b) = (Value::of(0, 4), Value::of(1, 4));
        let sum = Value::of_ranks(0, 2, 4);
        assert_eq!(Value::combine(&a, &b, false).unwrap(), sum);
        assert_ne!(Value::combine(&b, &a, false).unwrap(), sum);
        assert_eq!(Value::combine(&b, &a, true).unwrap(), sum);
    }

    #[test]
    fn nonsense_operands_are_refused() {
        let sum = Value::of_ranks(0, 3, 1);
        assert!(Value::combine(&sum, &Value::of(2, 1), true).unwrap_err().contains("twice"));
        assert!(Value::combine(&sum, &Value::of(5, 2), true).unwrap_err().contains("element"));
        assert!(Value::combine(&sum, &Value::Undefined, true).unwrap_err().contains("undefined"));
    }
}
