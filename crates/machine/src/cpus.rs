//! A set of CPUs (hardware threads), in the kernel's numbering and list format.

use std::collections::BTreeSet;
use std::fmt;

/// A set of CPU numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cpus(pub BTreeSet<usize>);

impl Cpus {
    /// Reads the kernel's list format, such as `0-3,8`. `None` if the text is malformed.
    pub fn parse(text: &str) -> Option<Cpus> {
        let mut cpus = BTreeSet::new();
        for range in text.trim().split(',').filter(|range| !range.is_empty()) {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            let number = |text: &str| text.parse::<usize>().ok();
            cpus.extend(number(first)?..=number(last)?);
        }
        Some(Cpus(cpus))
    }

    /// The CPUs that are in both sets.
    pub fn and(&self, other: &Cpus) -> Cpus {
        Cpus(self.0.intersection(&other.0).copied().collect())
    }

    /// The CPUs that are in either set.
    pub fn or(&self, other: &Cpus) -> Cpus {
        Cpus(self.0.union(&other.0).copied().collect())
    }
}

impl FromIterator<usize> for Cpus {
    fn from_iter<I: IntoIterator<Item = usize>>(cpus: I) -> Self {
        Cpus(cpus.into_iter().collect())
    }
}

impl fmt::Display for Cpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for &cpu in &self.0 {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == cpu => *last = cpu,
                _ => ranges.push((cpu, cpu)),
            }
        }
        let shown = ranges.iter().map(|(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        });
        f.write_str(&shown.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_joined_and_met() {
        let (a, b) = (Cpus::parse("0-3").unwrap(), Cpus::parse("2-5").unwrap());
        assert_eq!((a.and(&b).to_string(), a.or(&b).to_string()), ("2-3".into(), "0-5".into()));
    }

    #[test]
    fn the_kernels_lists_are_read_and_written() {
        for text in ["0", "0-3", "0-3,8", "1,3,5-7,64-127", ""] {
            assert_eq!(Cpus::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Cpus::parse("0-1\n").unwrap().0.len(), 2);
        assert_eq!(Cpus::parse("a-b"), None);
    }
}
