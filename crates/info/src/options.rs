//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::Styles;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};
use dunlin_base::settings::Settings;
use dunlin_base::single_copy::SingleCopy;
use dunlin_coll::select::{CICO_BYTES_MAX, CallTraits, Params, WITHOUT_SIZE, published_bytes};
use dunlin_coll::selection::OPERATIONS;
use dunlin_coll::table::{nearest, unknown_operation};
use dunlin_launch::abi::Choice;
use dunlin_shm::cma;

use crate::one_sided_names::{self, Flavor};
use crate::paint::{GOOD, TITLE};

const STYLES: Styles = Styles::styled().header(TITLE).usage(TITLE).literal(GOOD);

const EXAMPLES: &str = "\
Examples:
  dunlin-info                       version, settings, algorithms
  dunlin-info settings              what can be set, to what it is set, and by whom
  dunlin-info counters              what ranks count; --pid reads it in a running job
  dunlin-info algorithms bcast      the algorithms and rules of one operation
  dunlin-info machine               processor, caches, adapters; the model of a machine that fits
  dunlin-info network               which interfaces and protocol messages between hosts use
  dunlin-info launch                the batch system's job, and who would run where
  dunlin-info launch -n 8 --map-by node
  dunlin-info program ./a.out       which MPI it was built for, and whether it runs here
  dunlin-info explain allreduce --nodes 16 --ppn 64 --bytes 8K
  dunlin-info explain allreduce --ppn 8 --bytes 1M --non-commutative
  dunlin-info --table mine.toml explain bcast --ppn 8 --bytes 64K
  DUNLIN_COLL_ALGORITHM=bcast=binomial dunlin-info --json explain bcast --ppn 8 --bytes 8
  dunlin-info explain put --bytes 8 --flavor create

Exit status: 0; 1 if a setting or a table is wrong; 2 if this command line is.";

const EXPLAIN_EXAMPLES: &str = "\
Examples:
  dunlin-info explain allreduce --nodes 16 --ppn 64 --bytes 8K
  dunlin-info explain put --bytes 8        into a window of MPI_Win_allocate, on the same node
  dunlin-info explain get --bytes 64K --another-node
  dunlin-info explain get --bytes 64K --another-node --rdma
  dunlin-info explain accumulate --bytes 1K --flavor create
  dunlin-info explain accumulate --bytes 1M --flavor dynamic --alloc-mem
  dunlin-info explain fetch_and_op --flavor shared";

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
    /// What this machine is: processor, cores, caches, NUMA nodes, adapters; which model of a
    /// machine fits it, and why.
    Machine,
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
    /// Which algorithm a collective call runs, or which way a one-sided operation goes: by which
    /// rule, and which rules come next.
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(Call),
}

/// A call.
#[derive(Debug, Args)]
pub struct Call {
    /// A collective operation, e.g. allreduce, or a one-sided one, e.g. put.
    #[arg(value_parser = any_operation)]
    pub operation: String,

    /// Bytes that one rank contributes, or of a one-sided operation: 8192, 8K, 2M or 1G (of 1024).
    #[arg(long, value_parser = bytes)]
    pub bytes: Option<usize>,

    #[command(flatten)]
    pub collective: Collective,

    #[command(flatten)]
    pub access: Access,
}

/// What a collective call depends on.
#[derive(Debug, Args)]
#[command(next_help_heading = "Of collective operations")]
pub struct Collective {
    /// Number of nodes (default 1).
    #[arg(long, value_parser = positive)]
    pub nodes: Option<usize>,

    /// Ranks per node.
    #[arg(long, value_name = "RANKS", value_parser = positive)]
    pub ppn: Option<usize>,

    /// The operands of the operator must not be swapped.
    #[arg(long)]
    pub non_commutative: bool,

    /// With MPI_IN_PLACE.
    #[arg(long)]
    pub in_place: bool,

    /// By messages alone: one of a communicator's first two calls, or a nonblocking one between
    /// nodes.
    #[arg(long)]
    pub messages: bool,

    /// A node has more ranks than cores. Calls by messages alone are not chosen by that.
    #[arg(long)]
    pub oversubscribed: bool,
}

/// What a one-sided operation depends on.
#[derive(Debug, Args)]
#[command(next_help_heading = "Of one-sided operations")]
pub struct Access {
    /// How the window was made: allocate, shared, create or dynamic (default allocate).
    #[arg(long, value_parser = flavor)]
    pub flavor: Option<Flavor>,

    /// The memory of a created or dynamic window is from MPI_Alloc_mem.
    #[arg(long)]
    pub alloc_mem: bool,

    /// The target's datatype has gaps.
    #[arg(long)]
    pub gaps: bool,

    /// The target is on another node than the origin.
    #[arg(long)]
    pub another_node: bool,

    /// The network between nodes reads and writes memory by itself, as `dunlin-info network` tells
    /// of libfabric's providers.
    #[arg(long)]
    pub rdma: bool,
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
    /// The one-sided operation that is meant, if it is one.
    pub fn one_sided(&self) -> Option<one_sided_names::Operation> {
        one_sided_names::named(&self.operation)
    }

    fn check(&self) -> Result<(), (ErrorKind, String)> {
        match self.one_sided() {
            Some(operation) => self.check_one_sided(operation),
            None => self.check_collective(),
        }
    }

    fn check_collective(&self) -> Result<(), (ErrorKind, String)> {
        let operation = &self.operation;
        let sized = !WITHOUT_SIZE.contains(&operation.as_str());
        if let Some(option) = self.access.given() {
            let text = format!("{operation} has no window; leave out {option}");
            return Err((ErrorKind::ArgumentConflict, text));
        }
        let Some(ppn) = self.collective.ppn else {
            let text = format!("{operation} is chosen by ranks; say how many a node has: --ppn 8");
            return Err((ErrorKind::MissingRequiredArgument, text));
        };
        match self.bytes {
            None if sized => Err((
                ErrorKind::MissingRequiredArgument,
                format!("{operation} is chosen by size; say how much one rank gives: --bytes 8K"),
            )),
            Some(_) if !sized => Err((
                ErrorKind::ArgumentConflict,
                format!("{operation} is chosen without regard to size; leave out --bytes"),
            )),
            _ if self.collective.nodes().checked_mul(ppn).is_none() => {
                Err((ErrorKind::ValueValidation, "--nodes times --ppn is too large".into()))
            }
            _ => Ok(()),
        }
    }

    fn check_one_sided(
        &self,
        operation: one_sided_names::Operation,
    ) -> Result<(), (ErrorKind, String)> {
        let (name, access) = (&self.operation, &self.access);
        let conflict = |text| Err((ErrorKind::ArgumentConflict, text));
        if let Some(option) = self.collective.given() {
            return conflict(format!(
                "{name} has one origin and one target; leave out {option} (--another-node says \
                 that the target is on another node)"
            ));
        }
        let flavor = access.flavor();
        if flavor == Flavor::Shared && access.another_node {
            let text = "a shared window is on one node; leave out --another-node";
            return conflict(text.into());
        }
        if access.rdma && !access.another_node {
            let text = "--rdma tells of the network between nodes; add --another-node";
            return conflict(text.into());
        }
        if flavor.allocates() && access.alloc_mem {
            return conflict(format!(
                "{} makes its own memory; --alloc-mem is for --flavor create and --flavor dynamic",
                flavor.function()
            ));
        }
        match self.bytes {
            None if !operation.is_single => Err((
                ErrorKind::MissingRequiredArgument,
                format!("how {name} goes depends on its size; say it: --bytes 8K"),
            )),
            Some(0) => {
                let text = format!("{name} of no bytes does nothing; --bytes must be 1 or more");
                Err((ErrorKind::ValueValidation, text))
            }
            _ => Ok(()),
        }
    }

    /// The call as the tables see it, where ranks of a node can read each other's memory unless the
    /// setting forbids it, and copies take as long as on this machine.
    pub fn params(&self, settings: &Settings) -> Params {
        let call = &self.collective;
        let (nodes, ppn) = (call.nodes(), call.ppn.unwrap_or(1));
        let shape = CallTraits::reduction(nodes * ppn, !call.non_commutative);
        let shape = CallTraits { in_place: call.in_place, ..shape.on_nodes(nodes) };
        let params = Params { shape, bytes_per_rank: self.bytes.unwrap_or(0) };
        if call.messages || ppn == 1 {
            return params;
        }
        // Of an operation without a size an unknown amount, as in the engine.
        let sized = !WITHOUT_SIZE.contains(&self.operation.as_str()) || self.operation == "barrier";
        let shown = if sized { published_bytes(&self.operation, &params) } else { usize::MAX };
        let mode = SingleCopy::of(settings, cma::is_slow);
        let single_copy = mode != SingleCopy::Off && shown >= mode.shared_bytes_min(CICO_BYTES_MAX);
        let slow_copy = mode.is_slow();
        // What only a communicator with shared memory knows, as in the engine.
        let shape = CallTraits {
            slow_copy,
            oversubscribed: call.oversubscribed,
            ..shape.sharing(shown, single_copy)
        };
        Params { shape, ..params }
    }
}

impl Collective {
    fn nodes(&self) -> usize {
        self.nodes.unwrap_or(1)
    }

    /// Some option that was given.
    fn given(&self) -> Option<&'static str> {
        let options = [
            ("--nodes", self.nodes.is_some()),
            ("--ppn", self.ppn.is_some()),
            ("--non-commutative", self.non_commutative),
            ("--in-place", self.in_place),
            ("--messages", self.messages),
            ("--oversubscribed", self.oversubscribed),
        ];
        options.iter().find(|(_, is_given)| *is_given).map(|(option, _)| *option)
    }
}

impl Access {
    /// How the window was made.
    pub fn flavor(&self) -> Flavor {
        self.flavor.unwrap_or(Flavor::Allocate)
    }

    /// Some option that was given.
    fn given(&self) -> Option<&'static str> {
        let options = [
            ("--flavor", self.flavor.is_some()),
            ("--alloc-mem", self.alloc_mem),
            ("--gaps", self.gaps),
            ("--another-node", self.another_node),
            ("--rdma", self.rdma),
        ];
        options.iter().find(|(_, is_given)| *is_given).map(|(option, _)| *option)
    }
}

/// What `explain` knows: a collective or one-sided operation, by any spelling of its MPI name.
fn any_operation(text: &str) -> Result<String, String> {
    let name = mpi_name(text);
    if OPERATIONS.contains(&&*name) || one_sided_names::named(&name).is_some() {
        return Ok(name);
    }
    let one_sided = || one_sided_names::OPERATIONS.iter().map(|operation| operation.name);
    let meant = nearest(&name, OPERATIONS.iter().copied().chain(one_sided()));
    let (known, more) = (OPERATIONS.join(", "), one_sided().collect::<Vec<_>>().join(", "));
    Err(format!(
        "`{name}` is not an operation; did you mean `{meant}`? The operations are {known}; and, \
         one-sided, {more}"
    ))
}

fn flavor(text: &str) -> Result<Flavor, String> {
    let found = Flavor::ALL.into_iter().find(|flavor| flavor.name() == text);
    let words = Flavor::ALL.map(Flavor::name).join(", ");
    found.ok_or_else(|| format!("it must be one of: {words}"))
}

/// Without the prefix.
fn mpi_name(text: &str) -> String {
    let small = text.to_ascii_lowercase();
    small.strip_prefix("mpi_").unwrap_or(&small).to_string()
}

/// A collective operation, by any spelling of its MPI name.
fn operation(text: &str) -> Result<String, String> {
    let name = mpi_name(text);
    match OPERATIONS.contains(&&*name) {
        true => Ok(name),
        false => Err(unknown_operation(&name)),
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
