//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::Styles;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};
use dunlin_base::settings::{CMA, Settings};
use dunlin_coll::select::{CICO_BYTES_MAX, CallTraits, Params, WITHOUT_SIZE, published_bytes};
use dunlin_coll::selection::OPERATIONS;
use dunlin_coll::table::unknown_operation;
use dunlin_launch::abi::Choice;
use dunlin_shm::cma;

use crate::paint::{GOOD, TITLE};

const STYLES: Styles = Styles::styled().header(TITLE).usage(TITLE).literal(GOOD);

const EXAMPLES: &str = "\
Examples:
  dunlin-info                       version, settings, algorithms
  dunlin-info settings              what can be set, to what it is set, and by whom
  dunlin-info counters              what ranks count; --pid reads it in a running job
  dunlin-info algorithms bcast      the algorithms and rules of one operation
  dunlin-info network               which interfaces and protocol messages between hosts use
  dunlin-info launch                the batch system's job, and who would run where
  dunlin-info launch -n 8 --map-by node
  dunlin-info program ./a.out       which MPI it was built for, and whether it runs here
  dunlin-info explain allreduce --nodes 16 --ppn 64 --bytes 8K
  dunlin-info explain allreduce --ppn 8 --bytes 1M --non-commutative
  dunlin-info --table mine.toml explain bcast --ppn 8 --bytes 64K
  DUNLIN_COLL_ALGORITHM=bcast=binomial dunlin-info --json explain bcast --ppn 8 --bytes 8

Exit status: 0; 1 if a setting or a table is wrong; 2 if this command line is.";

/// What this Dunlin is, how it is set, and why a collective runs the algorithm it runs.
#[derive(Debug, Parser)]
#[command(name = "dunlin-info", version, styles = STYLES, after_help = EXAMPLES)]
pub struct Options {
    /// Answer in JSON.
    #[arg(long, global = true)]
    pub json: bool,

    /// The user's table, in place of the one that DUNLIN_COLL_TUNING names.
    #[arg(long, global = true, value_name = "FILE")]
    pub table: Option<PathBuf>,

    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The questions.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The settings: what they do, their values, and where these come from.
    Settings {
        /// Also those by which mpirun tells a rank who it is.
        #[arg(long)]
        all: bool,
    },
    /// What each process counts: messages, bytes, packets, sleeps; and how far it has come.
    Counters {
        /// Also the numbers of a running job, of its ranks on this host: the process number of one
        /// of them, or of the mpirun of a job on one host.
        #[arg(long)]
        pid: Option<u32>,
    },
    /// The algorithms of collective operations, and the rules that choose among them.
    Algorithms {
        /// Only this operation, e.g. allreduce.
        #[arg(value_parser = operation)]
        operation: Option<String>,
    },
    /// How ranks on other hosts would be reached: fabric, interfaces, and why these.
    Network,
    /// What mpirun would do here: hosts and slots, how ranks get there, what they are bound to.
    Launch {
        /// Options of mpirun, as they would be given to it; the program may be left out.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS")]
        arguments: Vec<OsString>,
    },
    /// Which MPI a program was built for, what mpirun would do for it, and which functions it wants
    /// that Dunlin lacks.
    Program {
        /// As with mpirun: auto, standard, mpich, openmpi or none.
        #[arg(long, value_parser = abi)]
        abi: Option<Choice>,
        /// The program.
        file: PathBuf,
    },
    /// Which algorithm a call runs, by which rule, and which rules come next.
    Explain(Call),
}

/// A collective call.
#[derive(Debug, Args)]
pub struct Call {
    /// The operation, e.g. allreduce.
    #[arg(value_parser = operation)]
    pub operation: String,

    /// Number of nodes.
    #[arg(long, default_value = "1", value_parser = positive)]
    pub nodes: usize,

    /// Ranks per node.
    #[arg(long, value_name = "RANKS", value_parser = positive)]
    pub ppn: usize,

    /// Bytes that one rank contributes: 8192, 8K, 2M or 1G (of 1024).
    #[arg(long, value_parser = bytes)]
    pub bytes: Option<usize>,

    /// The operands of the operator must not be swapped.
    #[arg(long)]
    pub non_commutative: bool,

    /// With MPI_IN_PLACE.
    #[arg(long)]
    pub in_place: bool,

    /// By messages alone: a nonblocking or persistent call, or one of a communicator's first two.
    #[arg(long)]
    pub messages: bool,

    /// A node has more ranks than cores.
    #[arg(long)]
    pub oversubscribed: bool,
}

impl Options {
    /// Reads the command line; ends the program where it is wrong.
    pub fn read() -> Options {
        let options = Options::parse();
        if let Some(Command::Explain(call)) = &options.command {
            if let Err((kind, text)) = call.check() {
                Options::command().error(kind, text).exit();
            }
        }
        options
    }
}

impl Call {
    fn check(&self) -> Result<(), (ErrorKind, String)> {
        let operation = &self.operation;
        let sized = !WITHOUT_SIZE.contains(&operation.as_str());
        match self.bytes {
            None if sized => Err((
                ErrorKind::MissingRequiredArgument,
                format!("{operation} is chosen by size; say how much one rank gives: --bytes 8K"),
            )),
            Some(_) if !sized => Err((
                ErrorKind::ArgumentConflict,
                format!("{operation} is chosen without regard to size; leave out --bytes"),
            )),
            _ if self.nodes.checked_mul(self.ppn).is_none() => {
                Err((ErrorKind::ValueValidation, "--nodes times --ppn is too large".into()))
            }
            _ => Ok(()),
        }
    }

    /// The call as the tables see it, where ranks of a node can read each other's memory unless the
    /// setting forbids it, and copies take as long as on this machine.
    pub fn params(&self, settings: &Settings) -> Params {
        let shape = CallTraits::reduction(self.nodes * self.ppn, !self.non_commutative);
        let (in_place, oversubscribed) = (self.in_place, self.oversubscribed);
        let shape = CallTraits { in_place, oversubscribed, ..shape.on_nodes(self.nodes) };
        let params = Params { shape, bytes_per_rank: self.bytes.unwrap_or(0) };
        if self.messages || self.ppn == 1 {
            return params;
        }
        let shown = published_bytes(&self.operation, &params);
        let is_long = shown > CICO_BYTES_MAX;
        let single_copy = match settings.text(&CMA) {
            Some("off") => false,
            Some("auto") => cma::is_slow().is_ok_and(|is_slow| is_long || !is_slow),
            _ => true,
        };
        Params { shape: shape.sharing(shown, single_copy), ..params }
    }
}

/// An operation, by any spelling of its MPI name.
fn operation(text: &str) -> Result<String, String> {
    let small = text.to_ascii_lowercase();
    let name = small.strip_prefix("mpi_").unwrap_or(&small);
    match OPERATIONS.contains(&name) {
        true => Ok(name.to_string()),
        false => Err(unknown_operation(name)),
    }
}

fn abi(text: &str) -> Result<Choice, String> {
    let found = Choice::WORDS.iter().find(|(word, _)| *word == text).map(|(_, choice)| *choice);
    let words: Vec<&str> = Choice::WORDS.iter().map(|(word, _)| *word).collect();
    found.ok_or_else(|| format!("it must be one of: {}", words.join(", ")))
}

fn positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| "it must be a whole number from 1 on".into())
}

/// A number of bytes, perhaps in units of 1024.
fn bytes(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => Some(0),
        "k" | "kib" => Some(10),
        "m" | "mib" => Some(20),
        "g" | "gib" => Some(30),
        _ => None,
    };
    let number: Option<usize> = digits.parse().ok();
    unit.and_then(|shift| number?.checked_mul(1 << shift))
        .ok_or_else(|| "it must be a whole number, perhaps with K, M or G (of 1024)".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_declared_without_contradictions() {
        Options::command().debug_assert();
    }

    #[test]
    fn bytes_may_have_a_unit() {
        assert_eq!(bytes("8192"), Ok(8192));
        assert_eq!((bytes("8K"), bytes("8KiB"), bytes("8k")), (Ok(8192), Ok(8192), Ok(8192)));
        assert_eq!((bytes("2M"), bytes("1g")), (Ok(2 << 20), Ok(1 << 30)));
        for bad in ["", "K", "8KB", "-1", "1.5M", "99999999999G"] {
            assert!(bytes(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_operation_may_be_spelt_as_in_a_program() {
        assert_eq!(operation("MPI_Allreduce"), Ok("allreduce".into()));
        assert!(operation("MPI_Allredcue").unwrap_err().contains("did you mean `allreduce`?"));
    }

    #[test]
    fn the_call_is_what_the_options_say() {
        let line = "dunlin-info explain alltoall --nodes 3 --ppn 4 --bytes 2K --in-place";
        let options = Options::try_parse_from(line.split(' ')).unwrap();
        let Some(Command::Explain(call)) = options.command else { panic!("not a call") };
        let params = call.params(&Settings::read(std::iter::empty()));
        assert_eq!((params.shape.ranks, params.shape.nodes, params.bytes_per_rank), (12, 3, 2048));
        assert!(params.shape.in_place && params.shape.commutative);
    }
}
