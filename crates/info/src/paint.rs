//! Colours, which the output stream drops where it is no terminal, and line breaks.

use anstyle::{AnsiColor, Style};

/// Headings and names.
pub const TITLE: Style = Style::new().bold();
/// What is in force.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// What does not count here.
pub const DIM: Style = Style::new().dimmed();
/// What is wrong.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();

/// Columns the text may take.
const WIDTH: usize = 90;

/// `text` in this style.
pub fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// `text` in lines that begin with `indent` blanks.
pub fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        if column > 0 && column + 1 + word.len() > WIDTH {
            lines.push('\n');
            column = 0;
        }
        match column {
            0 => lines.push_str(&" ".repeat(indent)),
            _ => lines.push(' '),
        }
        column += word.len() + if column == 0 { indent } else { 1 };
        lines.push_str(word);
    }
    lines + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_broken_between_words_and_indented() {
        let text = wrapped(&"words ".repeat(60), 4);
        assert!(text.lines().count() > 1);
        assert!(text.lines().all(|line| line.starts_with("    words") && line.len() <= WIDTH));
        assert_eq!(text.split_whitespace().count(), 60);
    }
}
