//! Lines of Fortran's free source form.

/// The longest line.
const COLUMNS: usize = 100;

/// A line in pieces that are short enough.
pub(crate) fn broken(line: &str) -> String {
    let (mut out, mut column) = (String::new(), 0);
    for word in line.split_inclusive(", ") {
        if column + word.len() > COLUMNS {
            out += "&\n        ";
            column = "        ".len();
        }
        out += word;
        column += word.len();
    }
    out + "\n"
}
