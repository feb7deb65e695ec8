//! Files of arguments: `-configfile` of Hydra and `--app` of Open MPI. Each line is a part of the
//! job, as between `:` on the command line.

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::path::Path;

use dunlin_base::text;

use crate::failure::Failure;

/// The arguments in a file.
pub(super) fn read(option: &str, path: &OsStr) -> Result<VecDeque<OsString>, Failure> {
    let shown = Path::new(path).display();
    let wrong = |why: String| Failure::usage(format!("{option}: `{shown}` {why}"));
    let text =
        File::open(path).and_then(text::read).map_err(|e| wrong(format!("cannot be read: {e}")))?;
    let args = parts(&text).map_err(|(line, why)| wrong(format!("line {line}: {why}")))?;
    if args.is_empty() { Err(wrong("names no program".into())) } else { Ok(args) }
}

/// The words of all lines, with `:` between lines. A line that ends in `\` goes on in the next.
fn parts(text: &str) -> Result<VecDeque<OsString>, (usize, &'static str)> {
    let mut args = VecDeque::new();
    let mut goes_on = false;
    for (number, line) in text.lines().enumerate() {
        let (line, continues) = match line.trim_end().strip_suffix('\\') {
            Some(line) => (line, true),
            None => (line, false),
        };
        let words = words(line).map_err(|why| (number + 1, why))?;
        if !words.is_empty() && !args.is_empty() && !goes_on {
            args.push_back(":".into());
        }
        goes_on = continues && (goes_on || !words.is_empty());
        args.extend(words);
    }
    Ok(args)
}

/// The words of a line as a shell sees them: quotes hold words together, `\` takes the meaning of
/// what follows, `#` begins a comment. Nothing is replaced.
fn words(line: &str) -> Result<Vec<OsString>, &'static str> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '#' if word.is_none() => break,
            '\'' | '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        None => return Err("a quotation mark has no second one"),
                        Some(end) if end == letter => break,
                        Some('\\') if letter == '"' => word.extend(letters.next()),
                        Some(other) => word.push(other),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(letters.next()),
            space if space.is_whitespace() => words.extend(word.take().map(OsString::from)),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word.map(OsString::from));
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> String {
        let parts = parts(text).unwrap();
        parts.iter().map(|word| format!("<{}>", word.to_string_lossy())).collect()
    }

    #[test]
    fn lines_are_parts_and_words_are_those_of_a_shell() {
        assert_eq!(joined("-n 1 a\n\n# all\n-n 2 b c # d\n"), "<-n><1><a><:><-n><2><b><c>");
        assert_eq!(joined("-n 1 \\\n  a 'b c'\nd"), "<-n><1><a><b c><:><d>");
        assert_eq!(joined("a \"b \\\" c\"d '' x\\ y#z"), "<a><b \" cd><><x y#z>");
        assert_eq!(parts("a\nb 'c").unwrap_err().0, 2);
    }
}
