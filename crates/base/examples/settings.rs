//! Prints docs/settings.md from the table the library reads. Its test holds the page to the table:
//! `cargo run -q -p dunlin-base --example settings > docs/settings.md` after a change.

use dunlin_base::settings::{Setting, TABLE};

const HEAD: &str = "\
# Settings

Dunlin is told its settings by environment variables. A variable that begins with `DUNLIN_` and is
not listed here is an error, at the start of the program, that names the nearest one.

This page is generated: `cargo run -q -p dunlin-base --example settings > docs/settings.md`.
";

const INTERNAL_HEAD: &str = "
## Set by the launcher

By these `mpirun` tells a rank who it is. Setting them by hand is of no use.
";

fn row(setting: &Setting) -> String {
    let default = if setting.default.is_empty() { "-" } else { setting.default };
    format!("| `{}` | {default} | {} |\n", setting.name, setting.doc)
}

fn table(internal: bool) -> String {
    let rows = TABLE.iter().filter(|s| s.internal == internal).map(row);
    format!("\n| variable | default | meaning |\n|---|---|---|\n{}", rows.collect::<String>())
}

fn page() -> String {
    format!("{HEAD}{}{INTERNAL_HEAD}{}", table(false), table(true))
}

fn main() {
    print!("{}", page());
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_says_what_the_table_says() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/settings.md");
        let written = std::fs::read_to_string(file).unwrap();
        assert!(written == super::page(), "docs/settings.md is old; see examples/settings.rs");
    }
}
