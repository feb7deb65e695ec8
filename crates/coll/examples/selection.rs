//! Prints docs/selection.md from the tables the library uses. Its test holds the page to them:
//! `cargo run -q -p dunlin-coll --example selection > docs/selection.md` after a change.

use dunlin_coll::select_docs::summary;
use dunlin_coll::selection::{Listed, OPERATIONS, Visitor, visit};
use dunlin_coll::table::KEYS;

const HEAD: &str = "\
# Which algorithm runs

A collective operation has several algorithms. Which of them a call runs is data: each operation
has a list of rules, and the first rule that covers the call, with an algorithm that fits it,
decides. An algorithm does not fit where it would give a wrong result, for instance a ring with an
operator that does not commute; then the next rule is tried.

Rules are tried in this order:

1. those of `DUNLIN_COLL_ALGORITHM`, for experiments:
   `DUNLIN_COLL_ALGORITHM=allreduce=ring,bcast=binomial`. An algorithm that takes a number
   accepts one: `bcast=pipelined_chain:8192`.
2. those of the file that `DUNLIN_COLL_TUNING` names, if it is set;
3. those of the table that is shipped for this machine, if it is recognised and there is one
   (docs/machines.md; `DUNLIN_MACHINE` names another machine, or `none`);
4. the built-in ones, below.

All ranks of a job must see the same settings and the same file: each rank chooses for itself,
and all must make the same choice. The machine is that of the host of rank 0, which all ranks are
told. `dunlin-info explain allreduce --nodes 16 --ppn 64 --bytes 8192` tells which rule decides for
a call, and which would be next, in a job whose rank 0 is on this host.

This page is generated: `cargo run -q -p dunlin-coll --example selection > docs/selection.md`.

## A table file

TOML; a list of rules per operation, in the order in which they are tried:

```toml
[[allreduce]]
ranks_max = 8
bytes_max = 4096
algorithm = \"recursive_doubling\"

[[bcast]]
nodes_min = 2
algorithm = \"pipelined_chain\"
segment = 8192
```

A rule without conditions covers every call. The conditions, all of which must hold:

| key | meaning |
|---|---|
";

const SIZES: &str = "
*Bytes per rank* are the bytes that one rank contributes, before anything is sent: the vector of a
reduction, scan or bcast; the send block of gather and allgather (the mean one of allgatherv); the
receive block of scatter; the block for one peer of alltoall; the whole vector of a reduce-scatter.
Always 0 for barrier, and for gatherv, scatterv and alltoallv, where no rank knows all counts.

A mistake in a file or a setting ends the program at start-up, with the line and the nearest
valid name.

## Algorithms for shared memory

Those called `cico...` (copy-in-copy-out) and `single_copy...` send no messages: each rank copies
its data into shared memory, or exposes its own memory, and the others read it there. They are for
ranks of one node.
Those called `two_level_cico...`, `two_level_single_copy` and `multi_leader_single_copy` are for
several nodes: the ranks of each node share data, and one or several ranks of each node exchange
messages with their counterparts. They do not fit, and the next rule is tried,

- in calls among neighbours or between two groups, in nonblocking ones of ranks on several nodes,
  and where no algorithm for shared memory is listed below: these use messages;
- in the first two blocking and the first two nonblocking collectives of a communicator, because
  many communicators are made for a single one;
- beyond the 64 areas that a rank has room for at a time: one for a communicator's blocking
  collectives, one for its nonblocking ones, and one for each persistent request, of which 32 at
  most have one;
- those with copy-in-copy-out: where a rank has more than 64 KiB to publish, which in a scatter or
  an alltoall are its blocks for all ranks together, and in an allgather on several nodes the blocks
  of all ranks;
- those with single copy: where ranks of a node cannot read each other's memory, or may not
  (`DUNLIN_CMA=off`); and where the kernel copies slowly (`DUNLIN_CMA`), if no rank has more than
  64 KiB to publish.

`dunlin-info explain` answers for calls that may use shared memory; `--messages` makes it answer
for the others.

`cico_tree`, `two_level_cico_tree` and `cico_levels` follow the caches, NUMA domains and sockets of
a node, which are found from where ranks are bound: so does the order of their sums.
`DUNLIN_DOMAINS=none` fixes it (docs/reductions.md).

## Built-in rules and algorithms
";

struct Section;

impl Visitor for Section {
    type Out = String;

    fn visit<A: Listed>(self) -> String {
        let mut text = format!("\n### {}\n\n", A::OPERATION);
        for rule in A::TABLE {
            let conditions = rule.when.conditions();
            let when = match conditions.is_empty() {
                true => "otherwise".to_string(),
                false => format!("`{}`", conditions.join("`, `")),
            };
            let how = named(rule.algorithm);
            text.push_str(&format!("1. {when}: {how}\n"));
        }
        text.push_str("\n| algorithm | what it is |\n|---|---|\n");
        for algorithm in A::ALL {
            let what = summary(A::OPERATION, algorithm.name()).unwrap_or_default();
            text.push_str(&format!("| {} | {what} |\n", named(*algorithm)));
        }
        text
    }
}

fn named<A: Listed>(algorithm: A) -> String {
    let number = algorithm.parameter().map(|(name, value)| format!(" ({name} = {value})"));
    format!("`{}`{}", algorithm.name(), number.unwrap_or_default())
}

fn page() -> String {
    let keys = KEYS.iter().map(|key| format!("| `{}` | {} |\n", key.name, key.doc));
    let sections = OPERATIONS.iter().filter_map(|name| visit(name, Section));
    format!("{HEAD}{}{SIZES}{}", keys.collect::<String>(), sections.collect::<String>())
}

fn main() {
    print!("{}", page());
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_says_what_the_tables_say() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/selection.md");
        let written = std::fs::read_to_string(file).unwrap();
        assert!(written == super::page(), "docs/selection.md is old; see examples/selection.rs");
    }
}
