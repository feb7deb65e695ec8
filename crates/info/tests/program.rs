//! The program as a user meets it: answers, exit statuses, and errors that teach.

use std::path::PathBuf;
use std::process::{Command, Output};

use dunlin_base::counters::Counter;
use dunlin_coll::selection::OPERATIONS;
use dunlin_shm::Segment;
use dunlin_shm::job_map::Job;
use dunlin_shm::shared_memory::SharedMemory;

struct Said {
    status: i32,
    out: String,
    err: String,
}

/// Runs the program with `variables` set and no other setting of Dunlin.
fn ask(arguments: &str, variables: &[(&str, &str)]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dunlin-info"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("DUNLIN_")) {
        command.env_remove(name);
    }
    command.args(arguments.split_whitespace()).envs(variables.iter().copied());
    let Output { status, stdout, stderr } = command.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Said { status: status.code().unwrap(), out: text(stdout), err: text(stderr) }
}

/// A file of this test's own.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[track_caller]
fn json(arguments: &str, variables: &[(&str, &str)]) -> serde_json::Value {
    let said = ask(&format!("--json {arguments}"), variables);
    assert_eq!(said.status, 0, "{}", said.err);
    serde_json::from_str(&said.out).unwrap()
}

#[track_caller]
fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is missing in: {text}");
    }
}

#[test]
fn without_a_question_it_tells_versions_settings_and_algorithms() {
    let said = ask("", &[]);
    assert_eq!(said.status, 0);
    let version = concat!("Dunlin ", env!("CARGO_PKG_VERSION"));
    assert_has(&said.out, &[version, "ABI       1.0", "DUNLIN_COLL_TUNING = -", "\nallreduce\n"]);
    let all = json("", &[]);
    assert_eq!(all["dunlin"]["mpi"], "5.0");
    assert_eq!(all["operations"].as_array().unwrap().len(), OPERATIONS.len());
}

#[test]
fn what_is_no_terminal_gets_no_colours() {
    assert!(!ask("", &[]).out.contains('\x1b'));
    assert!(ask("", &[("CLICOLOR_FORCE", "1")]).out.contains('\x1b'));
}

#[test]
fn settings_say_who_set_them_and_a_misspelt_one_is_an_error() {
    let settings = json("settings", &[("DUNLIN_WAIT", "sleep")]);
    let state = |name: &str| {
        let all = settings.as_array().unwrap();
        all.iter().find(|state| state["name"] == name).cloned().unwrap()
    };
    assert_eq!(state("DUNLIN_WAIT")["value"], "sleep");
    assert_eq!(state("DUNLIN_WAIT")["set_by"], "environment");
    assert_eq!(state("DUNLIN_CMA")["set_by"], "default");
    let said = ask("settings", &[("DUNLIN_WIAT", "sleep")]);
    assert_eq!(said.status, 1);
    assert_has(&said.err, &["DUNLIN_WIAT", "did you mean DUNLIN_WAIT?"]);
    assert!(!ask("settings", &[]).out.contains("DUNLIN_JOB_FD"));
    assert!(ask("settings --all", &[]).out.contains("DUNLIN_JOB_FD"));
}

#[test]
fn an_explanation_names_the_deciding_rule_and_those_that_did_not() {
    let call = "explain allreduce --nodes 16 --ppn 64 --bytes 8K";
    let table = "[[allreduce]]\nnodes_max = 15\nalgorithm = 'ring'\n\n\
                 [[allreduce]]\nnodes_min = 16\nalgorithm = 'reduce_bcast'\n";
    let path = file("explained.toml", table);
    let name = path.to_str().unwrap();
    let told = json(call, &[("DUNLIN_COLL_TUNING", name)]);
    assert_eq!(told["algorithm"], "reduce_bcast");
    assert_eq!(told["decided_by"], format!("{name}:5"));
    assert_eq!(told["call"]["ranks"], 1024);
    assert_eq!(told["rules"][0]["because"], "nodes 16 > 15");
    assert_eq!(told["rules"][2]["rule"], "built-in rule 1");
    let by_option = json(&format!("--table {name} {call}"), &[]);
    assert_eq!(by_option, told);
}

#[test]
fn the_setting_wins_over_the_tables_where_its_algorithm_fits() {
    let forced = [("DUNLIN_COLL_ALGORITHM", "allreduce=ring")];
    let told = json("explain MPI_Allreduce --ppn 4 --bytes 8", &forced);
    assert_eq!(
        (&told["algorithm"], &told["decided_by"]),
        (&"ring".into(), &"DUNLIN_COLL_ALGORITHM".into())
    );
    let told = json("explain allreduce --ppn 4 --bytes 8 --non-commutative", &forced);
    assert_ne!(told["algorithm"], "ring");
    assert_eq!(told["rules"][0]["verdict"], "does not fit");
    let said = ask("explain allreduce --ppn 4 --bytes 8", &forced);
    assert_has(&said.out, &["4 ranks, 8 bytes", "runs ring\n", "Ring: ", "would be next"]);
}

#[test]
fn ranks_of_one_node_show_each_other_data_unless_the_call_goes_by_messages() {
    let runs = |call: &str, variables: &[(&str, &str)]| {
        json(&format!("explain {call}"), variables)["algorithm"].as_str().unwrap().to_string()
    };
    assert_eq!(runs("bcast --ppn 4 --bytes 8", &[]), "cico");
    assert_eq!(runs("allgather --ppn 4 --bytes 1M", &[]), "single_copy_put");
    let off = [("DUNLIN_CMA", "off")];
    assert_eq!(runs("allgather --ppn 4 --bytes 1M", &off), "ring");
    assert_eq!(runs("bcast --ppn 4 --bytes 1M", &[]), "cico_pipelined");
    assert_eq!(runs("bcast --ppn 4 --bytes 1M", &off), "cico_pipelined");
    // The root of a scatter shows all blocks together.
    assert_eq!(runs("scatter --ppn 4 --bytes 4K", &[]), "cico");
    assert_eq!(runs("scatter --ppn 8 --bytes 12K", &[]), "single_copy");
    assert_eq!(runs("bcast --ppn 4 --nodes 2 --bytes 8", &[]), "two_level_cico");
    assert_eq!(runs("bcast --ppn 4 --nodes 2 --bytes 1M", &[]), "two_level_cico_pipelined");
    assert_eq!(runs("bcast --ppn 2 --nodes 2 --bytes 1M", &[]), "pipelined_chain");
    // What the lowest rank of a node hands on are the blocks of all ranks.
    assert_eq!(runs("allgather --ppn 4 --nodes 16 --bytes 1K", &[]), "two_level_cico");
    assert_eq!(runs("allgather --ppn 4 --nodes 16 --bytes 2K", &[]), "k_bruck");
    // How much a rank shares is not known where blocks differ.
    assert_eq!(runs("alltoallv --ppn 4", &[("DUNLIN_CMA", "on")]), "single_copy");
    assert_eq!(runs("gatherv --ppn 2", &[("DUNLIN_CMA", "on")]), "single_copy");
    assert_eq!(runs("gatherv --ppn 2", &[("DUNLIN_CMA", "long")]), "per_block");
    assert_eq!(runs("gatherv --ppn 2", &off), "linear");
    let shows = |name: &str| name.starts_with("cico") || name.starts_with("single_copy");
    for (call, variables) in [
        ("bcast --ppn 4 --bytes 8 --messages", &[][..]),
        ("bcast --ppn 1 --nodes 8 --bytes 8", &[]),
        ("scatter --ppn 8 --bytes 12K", &off),
        ("alltoallv --ppn 4 --in-place", &[]),
    ] {
        assert!(!shows(&runs(call, variables)), "{call}");
    }
    let said = ask("explain bcast --ppn 4 --bytes 1M", &[]).out;
    assert_has(
        &said,
        &["4 ranks, 1048576 bytes per rank, in shared memory", "runs cico_pipelined\n"],
    );
    let said = ask("explain gatherv --ppn 4", &[("DUNLIN_CMA", "on")]).out;
    assert_has(&said, &["gatherv on 1 x 4 = 4 ranks, in shared memory"]);
    let said = ask("explain bcast --ppn 4 --bytes 8 --messages", &[]).out;
    assert_has(&said, &["does not fit: cico cannot serve", "by messages alone"]);
    // Nobody counts cores for a communicator without shared memory.
    for alone in ["--ppn 4 --messages", "--ppn 1 --nodes 8"] {
        let said = ask(&format!("explain allreduce {alone} --bytes 8 --oversubscribed"), &[]).out;
        assert!(!said.contains("more of them than cores"), "{said}");
    }
    let said = ask("explain allreduce --ppn 4 --bytes 8 --oversubscribed", &[]).out;
    assert_has(&said, &["more of them than cores"]);
}

#[test]
fn algorithms_of_one_operation_come_with_their_rules() {
    let said = ask("algorithms bcast", &[]);
    assert_has(&said.out, &["bcast\n", "binomial", "segment = ", "built-in rule 1"]);
    assert!(!said.out.contains("allreduce\n"));
}

#[test]
fn mistakes_on_the_command_line_end_with_2_and_the_nearest_name() {
    for (arguments, parts) in [
        ("explain allredcue --ppn 4", ["did you mean `allreduce`?", "operations are"]),
        ("explian allreduce --ppn 4", ["explian", "'explain'"]),
        ("explain allreduce --ppn 4", ["say how much", "--bytes 8K"]),
        ("explain barrier --ppn 4 --bytes 8", ["without regard to size", "leave out --bytes"]),
        ("explain bcast --ppn 0 --bytes 8", ["--ppn", "from 1 on"]),
        ("explain bcast --ppn 4 --bytes 8X", ["8X", "K, M or G"]),
        ("explain allreduce --bytes 8", ["how many a node has", "--ppn 8"]),
        ("explain bcast --ppn 4 --bytes 8 --gaps", ["has no window", "leave out --gaps"]),
        ("explain pot --bytes 8", ["did you mean `put`?", "one-sided, put, get"]),
        ("explain put", ["depends on its size", "--bytes 8K"]),
        ("explain put --bytes 0", ["no bytes", "1 or more"]),
        ("explain put --bytes 8 --ppn 2", ["leave out --ppn", "--another-node"]),
        ("explain put --bytes 8 --flavor heap", ["heap", "allocate, shared, create, dynamic"]),
        ("explain put --bytes 8 --alloc-mem", ["MPI_Win_allocate", "--flavor create"]),
        ("explain put --bytes 8 --rdma", ["between nodes", "add --another-node"]),
        (
            "explain put --bytes 8 --flavor shared --another-node",
            ["on one node", "leave out --another-node"],
        ),
    ] {
        let said = ask(arguments, &[]);
        assert_eq!(said.status, 2, "{arguments}: {}", said.err);
        assert_has(&said.err, &parts);
    }
}

#[test]
fn mistakes_in_tables_end_with_1_and_the_line() {
    let path = file("wrong.toml", "[[bcast]]\nalgorithm = 'binomail'\n");
    let said = ask("algorithms", &[("DUNLIN_COLL_TUNING", path.to_str().unwrap())]);
    assert_eq!((said.status, said.out.as_str()), (1, ""));
    assert_has(&said.err, &["wrong.toml:2: ", "did you mean `binomial`?"]);
    let said = ask("algorithms", &[("DUNLIN_COLL_TUNING", "not/there.toml")]);
    assert_eq!(said.status, 1);
    assert_has(&said.err, &["DUNLIN_COLL_TUNING is `not/there.toml`", "cannot be read"]);
    let said = ask("", &[("DUNLIN_COLL_ALGORITHM", "ring")]);
    assert_eq!(said.status, 1);
    assert_has(&said.err, &["DUNLIN_COLL_ALGORITHM: `ring` has no `=`"]);
    assert_has(&said.out, &["Dunlin ", "DUNLIN_COLL_ALGORITHM = ring"]);
}

#[test]
fn an_answer_that_cannot_be_written_is_an_error_but_a_reader_that_left_is_none() {
    let program = env!("CARGO_BIN_EXE_dunlin-info");
    let run = |command: &str| {
        let line = format!("{command}; exit $?");
        Command::new("sh").args(["-c", &line, program]).output().unwrap()
    };
    let full = run("\"$0\" algorithms >/dev/full");
    assert_eq!(full.status.code(), Some(1));
    assert_has(&String::from_utf8_lossy(&full.stderr), &["cannot be written"]);
    let left = run("{ \"$0\" --json; echo \"status $?\" >&2; } | true");
    assert_eq!(String::from_utf8_lossy(&left.stderr), "status 0\n");
}

#[test]
fn a_one_sided_operation_goes_by_what_the_memory_is_and_by_its_size() {
    let by = |call: &str, cma: &str| {
        let told = json(&format!("explain {call}"), &[("DUNLIN_CMA", cma)]);
        (told["way"].as_str().unwrap().to_string(), told["decided_by"].clone())
    };
    let direct = ("loads and stores".to_string(), "the origin maps the memory".into());
    let copied = ("copies of the kernel".to_string(), "all else".into());
    let message = |rule: &str| ("messages".to_string(), rule.into());
    assert_eq!(by("put --bytes 8", "on"), direct);
    assert_eq!(by("MPI_Accumulate --bytes 1M --flavor shared", "off"), direct);
    assert_eq!(by("get --bytes 8 --flavor dynamic --alloc-mem", "on"), direct);
    let polled = "messages, or copies of the kernel while the target computes".to_string();
    let awaited =
        ("copies of the kernel".to_string(), by("rget --bytes 8 --flavor create", "on").1);
    assert_eq!(by("rget --bytes 8 --flavor dynamic", "on"), awaited);
    assert_eq!(awaited.1, "it is short, and its request awaits a result");
    assert_eq!(by("rput --bytes 8 --flavor dynamic", "on"), (polled.clone(), "it is short".into()));
    assert_eq!(by("compare_and_swap --flavor create", "on"), (polled, "it is short".into()));
    let timed = "messages or copies of the kernel, whichever has taken less time".to_string();
    let timed = (timed, "either way may be quicker".into());
    assert_eq!(by("put --bytes 1K --flavor create", "on"), timed);
    assert_eq!(by("accumulate --bytes 1M --flavor create", "on"), timed);
    assert_eq!(by("put --bytes 64K --flavor create", "on"), copied);
    let (forbidden, gaps) =
        ("the kernel does not copy the memory", "the target's elements have gaps");
    assert_eq!(by("put --bytes 8 --flavor create --alloc-mem", "off"), message(forbidden));
    assert_eq!(by("put --bytes 8 --flavor create --gaps", "on"), message(gaps));
    let far = by("put --bytes 8 --another-node", "on");
    assert_eq!(far, message("the target is on another node"));
    let network = "remote reads and writes of the network".to_string();
    let remote = by("put --bytes 64K --another-node --rdma", "on");
    assert_eq!(remote, (network, "the network reaches the target's memory".into()));
    for other in ["put --bytes 63K", "get --bytes 1M --flavor dynamic", "accumulate --bytes 1M"] {
        let far = by(&format!("{other} --another-node --rdma"), "on");
        assert_eq!(far, message("the target is on another node"), "{other}");
    }
    let from_63k = [("DUNLIN_RMA_REMOTE_MIN", "64512")];
    let earlier = json("explain put --bytes 63K --another-node --rdma", &from_63k);
    assert_eq!(earlier["decided_by"], "the network reaches the target's memory");
}

#[test]
fn a_one_sided_operation_says_which_rules_do_not_cover_it_and_who_handles_messages() {
    let said = ask("explain put --bytes 8K --flavor create", &[("DUNLIN_CMA", "on")]).out;
    assert_has(
        &said,
        &[
            "put of 8192 bytes, window of MPI_Win_create, target on the same node\n",
            "goes by copies of the kernel\n",
            "does not cover: memory given to MPI_Win_create is mapped if it is from MPI_Alloc_mem",
            "does not cover: 8192 bytes > 512",
            "where calls of the kernel count as fast (DUNLIN_CMA is on)",
            "> all else: copies of the kernel\n      decides\n",
        ],
    );
    let said = ask("explain put --bytes 8", &[("DUNLIN_RMA", "messages")]).out;
    assert_has(&said, &["decided by: DUNLIN_RMA=messages", "inside MPI", "comes later"]);
    let far = |progress| {
        ask("explain get --bytes 8 --another-node", &[("DUNLIN_PROGRESS", progress)]).out
    };
    assert_has(&far("auto"), &["progress thread"]);
    assert!(!far("none").contains("progress thread"));
    assert_eq!(ask("explain put --bytes 8", &[("DUNLIN_RMA", "kernel")]).status, 1);
}

#[test]
fn the_help_has_examples_that_work() {
    let help = ask("--help", &[]).out + &ask("explain --help", &[]).out;
    let examples = help.lines().filter_map(|line| line.trim().strip_prefix("dunlin-info "));
    let mut tried = 0;
    for example in examples.filter(|line| !line.contains("mine.toml") && !line.contains("a.out")) {
        let line = example.split("  ").next().unwrap();
        let said = ask(line, &[]);
        assert_eq!(said.status, 0, "{line}: {}", said.err);
        tried += 1;
    }
    assert!(tried >= 4, "{help}");
}

#[test]
fn the_network_is_chosen_and_explained() {
    let lo = [("DUNLIN_NET_INTERFACE", "lo"), ("DUNLIN_NET_FAULTS", "seed=1,drop=0.1")];
    let said = ask("network", &lo);
    assert_eq!(said.status, 0, "{}", said.err);
    assert_has(
        &said.out,
        &["fabric udp+tcp with injected faults", "not tcp", "> lo", "names it by `lo`"],
    );
    let said = json("network", &[("DUNLIN_NET_INTERFACE", "lo"), ("DUNLIN_NET_FABRIC", "tcp")]);
    assert_eq!((&said["fabric"], &said["reliable"]), (&"tcp".into(), &true.into()));
    assert_eq!(said["interfaces"][0]["name"], "lo");
}

#[test]
fn a_network_that_cannot_be_is_explained_too() {
    let said = ask("network", &[("DUNLIN_NET_INTERFACE", "10.255.255.0/30")]);
    assert_eq!(said.status, 1);
    assert_has(&said.err, &["DUNLIN_NET_INTERFACE", "lo: "]);
    let said = ask("network", &[("DUNLIN_NET_INTERFAEC", "lo")]);
    assert_eq!(said.status, 1);
    assert_has(&said.err, &["did you mean DUNLIN_NET_INTERFACE?"]);
}

#[test]
fn a_job_of_a_batch_system_is_shown_with_who_would_run_where() {
    let slurm = [
        ("SLURM_JOB_ID", "17"),
        ("SLURM_JOB_NODELIST", "n[1-2]"),
        ("SLURM_TASKS_PER_NODE", "2,1"),
        ("SLURMD_NODENAME", "n1"),
    ];
    let said = json("launch", &slurm);
    assert_eq!(said["allocation"]["system"], "Slurm");
    assert_eq!(said["allocation"]["hosts"][0], serde_json::json!({"name": "n1", "slots": 2}));
    assert_eq!((&said["ranks"], &said["hosts"][1]["name"]), (&3.into(), &"n2".into()));
    assert_eq!(said["hosts"][1]["ranks"], serde_json::json!([2]));
    assert!(said["hosts"][1]["bindings"].is_null() && said["hosts"][0]["bindings"].is_array());
    let text = ask("launch -n 2 --bind-to none", &slurm).out;
    assert_has(&text, &["Slurm job 17 has 2 hosts with 3 slots", "rank 1: not bound"]);
    assert!(!text.contains("rank 2"), "{text}");
    let said = ask("launch -n 4", &slurm);
    assert_eq!(said.status, 1);
    assert_has(&said.err, &["4 ranks, but Slurm job 17 has 3 slots (n1:2,n2:1)"]);
    let said = ask("launch -n 2", &[&slurm[..], &[("DUNLIN_ALLOCATION", "none")]].concat());
    assert_has(&said.out, &["no batch system's job", "mpirun starts them itself"]);
}

#[test]
fn this_machine_is_described_and_its_model_is_named() {
    let said = json("machine", &[]);
    let number = |name: &str| said[name].as_u64().unwrap();
    assert!(number("cores") >= number("sockets") && number("cpus") >= number("cores"));
    assert!(number("sockets") >= 1 && said["because"].as_str().unwrap().len() > 10);
    let models = said["models"].as_array().unwrap();
    assert!(models.contains(&"hpc7g".into()), "{models:?}");
    let named = [("DUNLIN_MACHINE", "hpc7g")];
    let told = json("machine", &named);
    assert_eq!((&told["model"], &told["table"]), (&"hpc7g".into(), &"tables/hpc7g.toml".into()));
    let text = ask("machine", &named).out;
    assert_has(
        &text,
        &[
            "  cores      ",
            "Model that fits\n  hpc7g\n    it is named by the user\n",
            "    collectives run by tables/hpc7g.toml, then by the built-in rules\n",
        ],
    );
    let none = json("machine", &[("DUNLIN_MACHINE", "none")]);
    assert!(none["model"].is_null() && none["table"].is_null(), "{none}");
    let without = ask("machine", &[("DUNLIN_MACHINE", "epyc-2core")]).out;
    assert_has(&without, &["no table is shipped for it: the built-in rules decide"]);
    let said = ask("machine", &[("DUNLIN_MACHINE", "hpc9z")]);
    assert_eq!(said.status, 1);
    assert_has(&said.err, &["DUNLIN_MACHINE: there is no model of a machine `hpc9z`", "hpc7g"]);
    assert_eq!(json("machine", &[])["model"], json("machine", &[("DUNLIN_MACHINE", "")])["model"]);
}

#[test]
fn the_table_of_the_machine_is_explained() {
    // A table is silent where the built-in rules are as fast, and each tuning may say otherwise
    // where that is; somewhere among these calls it has something to say.
    let calls = ["allgather", "allreduce", "bcast"].map(|name| {
        [1, 64].map(|nodes| format!("explain {name} --nodes {nodes} --ppn 32 --bytes 16384"))
    });
    let decided = |machine| {
        calls.as_flattened().iter().map(move |call| {
            let said = json(call, &[("DUNLIN_MACHINE", machine)]);
            said["decided_by"].as_str().unwrap().to_string()
        })
    };
    assert!(decided("hpc7g").any(|rule| rule.starts_with("tables/hpc7g.toml:")));
    assert!(decided("none").all(|rule| rule.starts_with("built-in rule ")));
    let error = ask(&calls[0][0], &[("DUNLIN_MACHINE", "hpc9z")]);
    assert_eq!(error.status, 1);
    assert_has(&error.err, &["DUNLIN_MACHINE: there is no model of a machine `hpc9z`"]);
}

#[test]
fn who_has_started_a_process_is_said() {
    let hydra = [("PMI_FD", "9"), ("PMI_RANK", "3"), ("PMI_SIZE", "4")];
    let said = ask("launch", &hydra);
    assert_has(&said.out, &["a launcher that speaks PMI-1, as rank 3 of 4"]);
    let said = ask("launch", &[&hydra[..], &[("DUNLIN_PMI", "pmi2")]].concat());
    assert_has(&said.out, &["a launcher that speaks PMI-2, as rank 3 of 4"]);
    let said = ask("launch", &[("SLURM_STEP_NUM_TASKS", "2"), ("SLURM_PROCID", "1")]);
    assert_has(&said.out, &["srun has started this process as rank 1 of 2, but offers no way"]);
}

#[test]
fn counters_are_explained_and_those_of_a_running_job_are_read() {
    let said = ask("counters", &[]);
    assert_has(&said.out, &["unexpected_queue_max  high watermark, messages", "eager_bytes_sent"]);
    // This process holds the segment of a job, as its ranks do, beside memory of windows.
    let _other = SharedMemory::create(4096).unwrap();
    let job = Job::on_one_node("here", 2);
    let segment = Segment::create(&job, 1).unwrap();
    segment.rank(0).counters().add(Counter::EagerMessagesSent, 2);
    segment.rank(1).counters().add(Counter::EagerMessagesSent, 5);
    let question = format!("counters --pid {}", std::process::id());
    let said = ask(&question, &[]);
    assert_has(&said.out, &["eager_messages_sent = 7  least 2 (rank 0), most 5 (rank 1)"]);
    let told = json(&question, &[]);
    assert_eq!(told["ranks"], serde_json::json!([0, 1]));
    assert_eq!(told["counters"][0]["values"], serde_json::json!([2, 5]));
}

#[test]
fn a_process_without_counters_is_named() {
    let said = ask("counters --pid 4000000000", &[]);
    assert_eq!(said.status, 1);
    assert_has(&said.err, &["4000000000", "name a running process of yours"]);
}

#[test]
fn a_program_tells_for_which_mpi_it_was_built() {
    let empty = file("empty.c", "int main(void) { return 0; }");
    let library = empty.with_file_name("libmpi.so.40");
    let program = empty.with_file_name("built-with-open-mpi");
    let compile = |words: &[&str], made: &PathBuf| {
        let mut compiler = Command::new("cc");
        compiler.arg("-Wl,--no-as-needed").arg(&empty).args(words).arg("-o").arg(made);
        assert!(compiler.status().unwrap().success());
    };
    compile(&["-shared", "-fPIC", "-Wl,-soname,libmpi.so.40"], &library);
    compile(&[library.to_str().unwrap(), "-Wl,-rpath,$ORIGIN"], &program);
    let said = json(&format!("program {}", program.display()), &[]);
    assert_eq!(
        (&said["abi"], &said["libraries"][0]["name"]),
        (&"openmpi".into(), &"libmpi.so.40".into())
    );
    assert_eq!(said["libraries"][0]["found"], library.to_str().unwrap());
    // Beside this program there are no libraries of Dunlin.
    assert_eq!(said["under_mpirun"], "several ranks are refused; one runs with its own library");
    assert_eq!(json("program sh", &[])["abi"], serde_json::Value::Null);
    assert_has(&ask("program ./no-such-file", &[]).err, &["no file `./no-such-file`"]);
    assert_has(&ask("program --abi x sh", &[]).err, &["auto, standard, mpich, openmpi, none"]);
}
