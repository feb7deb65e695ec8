//! Slurm's way to write many hosts and many numbers: `n[1-3,07],m` and `2(x3),1`.

use super::HOSTS_MAX;

/// The hosts of a list, or the word in it that cannot be understood.
pub fn hosts(list: &str) -> Result<Vec<String>, String> {
    let mut hosts = Vec::new();
    for word in words(list)? {
        hosts.extend(expanded(word).ok_or_else(|| word.to_string())?);
        if hosts.len() > HOSTS_MAX {
            return Err(word.to_string());
        }
    }
    Ok(hosts)
}

/// Divides a list at the commas outside of brackets.
fn words(list: &str) -> Result<Vec<&str>, String> {
    let (mut words, mut begin, mut depth) = (Vec::new(), 0, 0);
    for (at, letter) in list.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => {
                words.push(&list[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
        if !(0..=1).contains(&depth) {
            return Err(list.to_string());
        }
    }
    words.push(&list[begin..]);
    let is_whole = depth == 0 && words.iter().all(|word| !word.is_empty());
    is_whole.then_some(words).ok_or_else(|| list.to_string())
}

/// `rack[1-2]n[3-4]` as four names, the last bracket the fastest.
fn expanded(word: &str) -> Option<Vec<String>> {
    let Some((before, rest)) = word.split_once('[') else { return Some(vec![word.to_string()]) };
    let (ranges, after) = rest.split_once(']')?;
    let tails = expanded(after)?;
    let mut names = Vec::new();
    for range in ranges.split(',') {
        for number in numbers(range)? {
            names.extend(tails.iter().map(|tail| format!("{before}{number}{tail}")));
            if names.len() > HOSTS_MAX {
                return None;
            }
        }
    }
    Some(names)
}

/// `08-11`, with as many digits as its beginning has.
fn numbers(range: &str) -> Option<Vec<String>> {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let number = |text: &str| {
        let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| text.parse::<usize>().ok())?
    };
    let (from, to, width) = (number(first)?, number(last)?, first.len());
    let fits = from <= to && to - from < HOSTS_MAX;
    fits.then(|| (from..=to).map(|n| format!("{n:0width$}")).collect())
}

/// `2(x3),1` as 2, 2, 2, 1.
pub fn counts(list: &str) -> Option<Vec<usize>> {
    let mut counts = Vec::new();
    for word in list.split(',') {
        let (count, times) = match word.strip_suffix(')').and_then(|w| w.split_once("(x")) {
            Some((count, times)) => (count, times.parse().ok()?),
            None => (word, 1),
        };
        let count: usize = count.parse().ok()?;
        if times == 0 || times > HOSTS_MAX - counts.len() {
            return None;
        }
        counts.extend(std::iter::repeat_n(count, times));
    }
    Some(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lists_of_hosts_are_written_out() {
        let shown = |list| hosts(list).unwrap().join(" ");
        assert_eq!(shown("n1"), "n1");
        assert_eq!(shown("n[1-3,7],m,x[08-11]-ib"), "n1 n2 n3 n7 m x08-ib x09-ib x10-ib x11-ib");
        assert_eq!(shown("r[1-2]n[3-4]"), "r1n3 r1n4 r2n3 r2n4");
        assert_eq!(shown("n[099-101]"), "n099 n100 n101");
    }

    #[test]
    fn what_is_no_list_is_named() {
        for wrong in ["", ",", "n[1-", "n1]", "n[]", "n[3-1]", "n[a]", "n[1-2x3]", "n[[1]]", "a,,b"]
        {
            assert!(hosts(wrong).is_err(), "{wrong}");
        }
        assert_eq!(hosts("ok,n[0-99999999]").unwrap_err(), "n[0-99999999]");
        assert_eq!(hosts("n[0-9999]m[0-9999]").unwrap_err(), "n[0-9999]m[0-9999]");
    }

    #[test]
    fn counts_are_repeated() {
        assert_eq!(counts("2(x3),1"), Some(vec![2, 2, 2, 1]));
        assert_eq!(counts("16"), Some(vec![16]));
        for wrong in ["", "2(x)", "2(x0)", "(x3)", "2x3", "1,", "-1", "2(x99999999999)"] {
            assert_eq!(counts(wrong), None, "{wrong}");
        }
    }

    /// Numbers as Slurm would write them: neighbours as ranges.
    fn ranges(numbers: &[usize], width: usize) -> String {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for &n in numbers {
            match runs.last_mut() {
                Some((_, last)) if *last + 1 == n => *last = n,
                _ => runs.push((n, n)),
            }
        }
        let shown = runs.iter().map(|&(a, b)| match a == b {
            true => format!("{a:0width$}"),
            false => format!("{a:0width$}-{b:0width$}"),
        });
        shown.collect::<Vec<_>>().join(",")
    }

    proptest! {
        #[test]
        fn what_is_written_short_is_read_in_full(
            groups in prop::collection::vec(
                ("[a-z]{1,4}-?", prop::collection::btree_set(0usize..120, 1..12), 1usize..4), 1..5),
        ) {
            let (mut list, mut names) = (Vec::new(), Vec::new());
            for (prefix, numbers, width) in groups {
                let numbers: Vec<usize> = numbers.into_iter().collect();
                list.push(format!("{prefix}[{}]", ranges(&numbers, width)));
                names.extend(numbers.iter().map(|n| format!("{prefix}{n:0width$}")));
            }
            prop_assert_eq!(hosts(&list.join(",")).unwrap(), names);
        }

        #[test]
        fn counts_survive_being_written_short(
            runs in prop::collection::vec((0usize..300, 1usize..9), 1..9),
        ) {
            let short = runs.iter().map(|(n, times)| match times {
                1 => n.to_string(),
                _ => format!("{n}(x{times})"),
            });
            let short = short.collect::<Vec<_>>().join(",");
            let all: Vec<usize> =
                runs.iter().flat_map(|&(n, times)| std::iter::repeat_n(n, times)).collect();
            prop_assert_eq!(counts(&short), Some(all));
        }

        #[test]
        fn no_text_is_too_odd(text in "[a-c0-3\\[\\],x()-]{0,24}") {
            let _ = (hosts(&text), counts(&text));
        }
    }
}
