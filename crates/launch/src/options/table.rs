//! The options that mean something, in one table: arguments are parsed by it, and the help is made
//! of it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::values::{count, seconds, set_or_pass, word};
use super::{Effect, Parsed, files, others};
use crate::abi::Choice;
use crate::failure::Failure;
use crate::hosts;
use crate::placement::{Binding, Mapping};

/// One option: its names without dashes, the names of its values, and what it does.
pub(crate) struct Opt {
    pub(crate) names: &'static [&'static str],
    pub(crate) values: &'static [&'static str],
    pub(crate) doc: &'static str,
    pub(super) effect: Effect,
}

pub(crate) const OPTIONS: &[Opt] = &[
    Opt {
        names: &["n", "np", "c", "ntasks"],
        values: &["N"],
        doc: "Number of ranks; without it, one per slot of the hosts or the batch system's job, or \
              one per core this process may use.",
        effect: |draft, name, v| {
            draft.part.ranks = Some(count(name, &v[0])?);
            Ok(())
        },
    },
    Opt {
        names: &["host", "hosts", "H", "hostlist"],
        values: &["NAME[:SLOTS],..."],
        doc: "Run on these hosts. A host takes as many ranks as it has slots (1 for each time it \
              is named, unless said) before it is the next one's turn.",
        effect: |draft, name, v| {
            let hosts = hosts::parse_list(name, &v[0].to_string_lossy())?;
            draft.common.hosts.extend(hosts);
            Ok(())
        },
    },
    Opt {
        names: &["hostfile", "machinefile", "f", "machine", "default-hostfile"],
        values: &["FILE"],
        doc: "Run on the hosts of this file, whose lines are `host`, `host:SLOTS` or \
              `host slots=SLOTS`; `#` begins a comment.",
        effect: |draft, name, v| {
            let hosts = hosts::read_file(name, Path::new(&v[0]))?;
            draft.common.hosts.extend(hosts);
            Ok(())
        },
    },
    Opt {
        names: &["ppn", "N", "npernode", "perhost", "grr", "ntasks-per-node"],
        values: &["N"],
        doc: "Ranks for each host before it is the next one's turn, whatever its slots.",
        effect: |draft, name, v| {
            draft.common.per_host = Some(count(name, &v[0])?);
            Ok(())
        },
    },
    Opt {
        names: &["rsh", "launcher-exec", "bootstrap-exec", "rsh-agent"],
        values: &["COMMAND"],
        doc: "Start agents on other hosts with `COMMAND host agent...` instead of ssh, or of \
              what belongs to the batch system.",
        effect: |draft, _, v| {
            draft.common.rsh = Some(v[0].clone());
            Ok(())
        },
    },
    Opt {
        names: &["x"],
        values: &["NAME[=VALUE]"],
        doc: "Set a variable for the ranks of this part, or pass it on.",
        effect: |draft, name, v| set_or_pass(&mut draft.part, name, &v[0]),
    },
    Opt {
        names: &["env"],
        values: &["NAME", "VALUE"],
        doc: "Set a variable for the ranks of this part.",
        effect: |draft, _, v| {
            draft.part.env.push((v[0].clone(), v[1].clone()));
            Ok(())
        },
    },
    Opt {
        names: &["genv"],
        values: &["NAME", "VALUE"],
        doc: "Set a variable for the ranks of all parts.",
        effect: |draft, _, v| {
            draft.common.env.push((v[0].clone(), v[1].clone()));
            Ok(())
        },
    },
    Opt {
        names: &["genvlist", "envlist"],
        values: &["NAME,..."],
        doc: "Pass these variables on. All of them are passed on anyway, but for those that belong \
              to a login.",
        effect: |draft, _, v| {
            let names = v[0].as_bytes().split(|&b| b == b',').filter(|name| !name.is_empty());
            draft.part.pass.extend(names.map(|name| OsStr::from_bytes(name).to_owned()));
            Ok(())
        },
    },
    Opt {
        names: &["genvnone"],
        values: &[],
        doc: "Pass no variable on, but for those that -genv, -env, -x and -genvlist name.",
        effect: |draft, _, _| {
            draft.common.only_named = true;
            Ok(())
        },
    },
    Opt {
        names: &["envnone"],
        values: &[],
        doc: "The same for the ranks of this part.",
        effect: |draft, _, _| {
            draft.part.only_named = true;
            Ok(())
        },
    },
    Opt {
        names: &["export"],
        values: &["ALL|NONE|NAME[=VALUE],..."],
        doc: "As srun has it: pass all variables on, none, or those named; set some.",
        effect: |draft, name, v| others::export(&mut draft.part, name, &v[0]),
    },
    Opt {
        names: &["app", "configfile"],
        values: &["FILE"],
        doc: "Read the parts of the job from this file, one on a line: options, program and its \
              arguments. `#` begins a comment.",
        effect: |draft, name, v| {
            if !draft.from_file.is_empty() {
                return Err(Failure::usage(format!("{name}: there can be one such file")));
            }
            draft.from_file = files::read(name, &v[0])?;
            Ok(())
        },
    },
    Opt {
        names: &["outfile-pattern"],
        values: &["NAME"],
        doc: "Write the standard output of the ranks to files: %r is the rank, %h its host, %p the \
              host's number.",
        effect: |draft, _, v| {
            draft.common.out_pattern = Some(v[0].clone());
            Ok(())
        },
    },
    Opt {
        names: &["errfile-pattern"],
        values: &["NAME"],
        doc: "The same for standard error.",
        effect: |draft, _, v| {
            draft.common.err_pattern = Some(v[0].clone());
            Ok(())
        },
    },
    Opt {
        names: &["output-filename"],
        values: &["DIR"],
        doc: "Also write the output of rank N to DIR/1/rank.N/stdout and stderr; `DIR:nocopy` \
              shows it no more, `DIR:nojobid` leaves the 1 out.",
        effect: |draft, _, v| {
            others::output_directory(&mut draft.common, &v[0]);
            Ok(())
        },
    },
    Opt {
        names: &["s", "stdin"],
        values: &["0|none"],
        doc: "Whether rank 0 reads standard input, or nobody; other ranks are not used.",
        effect: |draft, name, v| {
            others::input(&mut draft.common, name, &v[0]);
            Ok(())
        },
    },
    Opt {
        names: &["wdir", "wd", "chdir", "D"],
        values: &["DIR"],
        doc: "Start the ranks of this part in DIR.",
        effect: |draft, _, v| {
            draft.part.wdir = Some(PathBuf::from(&v[0]));
            Ok(())
        },
    },
    Opt {
        names: &["abi"],
        values: &["auto|standard|mpich|openmpi|none"],
        doc: "Which of Dunlin's libraries the ranks get: that of the ABI for which the program was \
              built (auto, the default; for scripts and interpreters those of MPICH's and Open \
              MPI's), of the one named, which scripts and interpreters have preloaded, or none: \
              they run with the library that they find. Without it, DUNLIN_ABI.",
        effect: |draft, name, v| {
            draft.common.abi = Some(word(name, &v[0], Choice::WORDS)?);
            Ok(())
        },
    },
    Opt {
        names: &["bind-to"],
        values: &["core|socket|numa|none"],
        doc: "What each rank is bound to. Default: core for 2 or more ranks that do not \
              outnumber the cores, else none.",
        effect: |draft, name, v| others::bind_to(&mut draft.common, name, &v[0]),
    },
    Opt {
        names: &["map-by"],
        values: &["slot|node|core|socket|numa|ppr:N:node"],
        doc: "Fill one host after the other (slot), or let hosts take turns (node). On each host, \
              hand out cores one after the other (core), or in turn over sockets or NUMA nodes. \
              Default: slot and core. \
              ppr:N:node is -ppn N; `:PE=N` behind a word gives each rank N CPUs.",
        effect: |draft, name, v| others::map_by(&mut draft.common, name, &v[0]),
    },
    Opt {
        names: &["report-bindings"],
        values: &[],
        doc: "Say on standard error what each rank is bound to.",
        effect: |draft, _, _| {
            draft.common.report_bindings = true;
            Ok(())
        },
    },
    Opt {
        names: &["l", "tag-output", "prepend-rank", "label"],
        values: &[],
        doc: "Begin each line of output with `[rank] `.",
        effect: |draft, _, _| {
            draft.common.tag_output = true;
            Ok(())
        },
    },
    Opt {
        names: &["timeout"],
        values: &["SECONDS"],
        doc: "End the job after this long with exit status 124 and say what each rank waits for.",
        effect: |draft, name, v| {
            draft.common.timeout = seconds(name, &v[0])?;
            Ok(())
        },
    },
    Opt {
        names: &["stall-report"],
        values: &["SECONDS"],
        doc: "Say what each rank waits for once a wait lasts this long; 0 is never. Default: 60.",
        effect: |draft, name, v| {
            draft.common.stall_report = seconds(name, &v[0])?;
            Ok(())
        },
    },
    Opt {
        names: &["oversubscribe", "overcommit"],
        values: &[],
        doc: "Allow more ranks than the batch system has given slots. Elsewhere it is always so.",
        effect: |draft, _, _| {
            draft.common.oversubscribe = true;
            Ok(())
        },
    },
    Opt {
        names: &["allow-run-as-root", "genvall", "envall", "nooversubscribe"],
        values: &[],
        doc: "Accepted for scripts written for other launchers: it is always so.",
        effect: |_, _, _| Ok(()),
    },
    Opt {
        names: &["rr", "bynode"],
        values: &[],
        doc: "As --map-by node.",
        effect: |draft, _, _| {
            draft.common.by_node = true;
            Ok(())
        },
    },
    Opt {
        names: &["byslot", "bycore", "bysocket"],
        values: &[],
        doc: "As --map-by slot, core and socket.",
        effect: |draft, name, _| {
            let word = name.trim_start_matches("--by");
            draft.common.map = super::values::word(name, OsStr::new(word), Mapping::WORDS)?;
            Ok(())
        },
    },
    Opt {
        names: &["bind-to-core", "bind-to-socket", "bind-to-none"],
        values: &[],
        doc: "As --bind-to core, socket and none.",
        effect: |draft, name, _| {
            let bind = name.trim_start_matches("--bind-to-");
            draft.common.bind = Some(word(name, OsStr::new(bind), Binding::WORDS)?);
            Ok(())
        },
    },
    Opt {
        names: &["pernode"],
        values: &[],
        doc: "As -ppn 1.",
        effect: |draft, _, _| {
            draft.common.per_host = Some(1);
            Ok(())
        },
    },
    Opt {
        names: &["cpus-per-rank", "cpus-per-proc", "cpus-per-task"],
        values: &["N"],
        doc: "CPUs for each rank.",
        effect: |draft, name, v| {
            draft.common.cpus_per_rank = Some(count(name, &v[0])?);
            Ok(())
        },
    },
    Opt {
        names: &["launcher", "bootstrap"],
        values: &["ssh|rsh"],
        doc: "As --rsh ssh and --rsh rsh; other words are not used.",
        effect: |draft, name, v| {
            others::launcher(&mut draft.common, name, &v[0]);
            Ok(())
        },
    },
    Opt {
        names: &["iface"],
        values: &["NAME"],
        doc: "Set DUNLIN_NET_INTERFACE, the network interface that ranks use, to this.",
        effect: |draft, _, v| {
            others::interface(&mut draft.common, &v[0]);
            Ok(())
        },
    },
    Opt {
        names: &["mca"],
        values: &["NAME", "VALUE"],
        doc: "Of Open MPI's parameters, plm_rsh_agent is --rsh and btl_tcp_if_include is -iface; \
              the others are not used.",
        effect: |draft, name, v| {
            others::mca(&mut draft.common, name, &v[0], &v[1]);
            Ok(())
        },
    },
    Opt {
        names: &["q", "quiet"],
        values: &[],
        doc: "Do not say which options were not used.",
        effect: |draft, _, _| {
            draft.common.quiet = true;
            Ok(())
        },
    },
    Opt {
        names: &["display-map", "display-allocation", "print-rank-map"],
        values: &[],
        doc: "As -v.",
        effect: |draft, _, _| {
            draft.common.verbose = true;
            Ok(())
        },
    },
    Opt {
        names: &["v", "verbose"],
        values: &[],
        doc: "Say what is started.",
        effect: |draft, _, _| {
            draft.common.verbose = true;
            Ok(())
        },
    },
    Opt {
        names: &["V", "version"],
        values: &[],
        doc: "Print the version.",
        effect: |draft, _, _| {
            draft.answer.get_or_insert(Parsed::Version);
            Ok(())
        },
    },
    Opt {
        names: &["h", "help"],
        values: &[],
        doc: "Print this help.",
        effect: |draft, _, _| {
            draft.answer.get_or_insert(Parsed::Help);
            Ok(())
        },
    },
];
