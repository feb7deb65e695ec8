//! The texts of `--help` and `--version`.

use crate::options::{OPTIONS, UNUSED, dashed};

/// Columns the help may take.
const WIDTH: usize = 78;
/// Column at which the explanations begin.
const INDENT: usize = 6;

const HEAD: &str = "\
mpirun starts the ranks of an MPI job, passes on their output, and ends them together.

Usage: mpirun [options] program [arguments] [: [options] program [arguments]]...

Options (with one dash or two; a single value may also follow after `=`):
";

const EXAMPLES: &str = "
Examples:
  mpirun ./a.out                        one rank per core
  mpirun -n 8 ./a.out input.dat         8 ranks, also if there are fewer cores
  mpirun -n 1 ./server : -n 7 ./client  two programs in one job
  mpirun -n 4 -x LEVEL=2 -wdir /scratch ./a.out
  mpirun -n 4 -l ./a.out                each line says which rank wrote it
  mpirun -host node1:4,node2:4 ./a.out  4 ranks on each of two hosts
  mpirun -hostfile nodes -ppn 2 ./a.out 2 ranks on each host of a file
  mpirun -hostfile nodes -n 64 --map-by node ./a.out
  mpirun -host node1,node2 --rsh \"ssh -p 2222\" ./a.out
  mpirun -n 4 --abi none ./a.out        with the MPI that it was built with
  mpirun -n 4 --timeout 60 ./a.out      in a test: never hangs for longer
";

/// What `--help` prints.
pub fn help() -> String {
    let mut text = String::from(HEAD);
    for option in OPTIONS {
        let names: Vec<String> = option.names.iter().map(|name| dashed(name)).collect();
        let values: String = option.values.iter().map(|value| format!(" {value}")).collect();
        text.push_str(&format!("  {}{values}\n", names.join(", ")));
        text.push_str(&indented(option.doc));
    }
    text.push_str("\nAccepted for scripts written for other launchers, and not used:\n");
    for option in UNUSED {
        let names: Vec<_> = option.names.iter().map(|name| dashed(name)).collect();
        text.push_str(&format!("  {}\n", names.join(", ")));
        text.push_str(&indented(option.doc));
    }
    text.push_str(EXAMPLES);
    text
}

/// What `--version` prints.
pub fn version() -> String {
    format!("mpirun (Dunlin) {}\n", env!("CARGO_PKG_VERSION"))
}

fn indented(doc: &str) -> String {
    let mut text = String::new();
    let mut line = String::new();
    for word in doc.split_whitespace() {
        if INDENT + line.len() + 1 + word.len() > WIDTH {
            text.push_str(&format!("{:INDENT$}{line}\n", ""));
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    text + &format!("{:INDENT$}{line}\n", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_option_and_fits_a_terminal() {
        let text = help();
        for option in OPTIONS {
            for name in option.names {
                assert!(text.contains(&dashed(name)), "{name}");
            }
        }
        assert!(UNUSED.iter().all(|o| o.names.iter().all(|name| text.contains(&dashed(name)))));
        assert!(text.lines().all(|line| line.len() <= 90), "{text}");
    }
}
