//! Prints docs/settings.md from the table the library reads. Its test holds the page to the table:
//! `cargo run -q -p dunlin-base --example settings > docs/settings.md` after a change.

use dunlin_base::settings::{Scope, Setting, TABLE};

const HEAD: &str = "\
# Settings

Dunlin is told its settings by environment variables. A variable that begins with `DUNLIN_` and is
not listed here is an error, at the start of the program, that names the nearest one; so is a value
that a setting cannot have. An empty variable counts as absent. Each process reads them once, when
it starts.

*Scope* says whom a setting concerns: `whole job` must be the same for all ranks, `each rank` may
differ from rank to rank, `mpirun` is read by the launcher and its agents, `mpicc, mpicxx, mpifort`
by the compiler wrappers. `dunlin-info settings` shows the present values and where they come from.

This page is generated: `cargo run -q -p dunlin-base --example settings > docs/settings.md`.
";

const INTERNAL_HEAD: &str = "
## Set by the launcher

By these `mpirun` tells a rank who it is. Setting them by hand is of no use.
";

fn row(setting: &Setting) -> String {
    let Setting { name, kind, scope, default, doc } = setting;
    let default = if default.is_empty() { "-" } else { default };
    format!("| `{name}` | {kind} | {} | {default} | {doc} |\n", scope.name())
}

fn table(identity: bool) -> String {
    let rows = TABLE.iter().filter(|s| (s.scope == Scope::Identity) == identity);
    let rows: String = rows.map(|setting| row(setting)).collect();
    format!("\n| variable | value | scope | default | meaning |\n|---|---|---|---|---|\n{rows}")
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
