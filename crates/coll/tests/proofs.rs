//! Every algorithm delivers exactly the right data, without deadlock, in every case we can afford.

use std::ops::RangeInclusive;

use dunlin_coll::symbolic::{Subject, cases, subjects};

/// Groups of every size up to 40, and some larger ones, with block sizes that keep the time short
/// where groups are large.
const GROUPS: [(RangeInclusive<usize>, &[usize]); 6] = [
    (1..=9, &[0, 1, 3, 7]),
    (10..=17, &[1, 3]),
    (18..=40, &[1]),
    (64..=64, &[1]),
    (97..=97, &[1]),
    (130..=130, &[1]),
];
const SEED: u64 = 0x5eed;

fn prove(operation: &str) {
    let mut proved = 0;
    for subject in subjects().iter().filter(|subject| subject.operation == operation) {
        let sizes = GROUPS.into_iter().flat_map(|(sizes, lens)| sizes.map(move |n| (n, lens)));
        for case in sizes.flat_map(|(ranks, lens)| cases(subject, ranks, lens, SEED)) {
            if let Err(error) = subject.prove(&case) {
                panic!("{error}");
            }
            proved += 1;
        }
    }
    assert!(proved > 0, "no algorithm of {operation} was tried");
}

/// An operation without a test of its own here would escape its proofs.
#[test]
fn every_operation_has_a_test() {
    let tests = include_str!("proofs.rs");
    for Subject { operation, .. } in subjects() {
        assert!(tests.contains(&format!("    prove(\"{operation}\");")), "{operation} has none");
    }
}

/// An algorithm left out of `ALL` would escape its proof. Each one's variant says `/// See [name].`
#[test]
fn every_algorithm_in_the_source_is_on_the_list_of_proofs() {
    let list = subjects();
    let mut found = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).unwrap() {
        let path = entry.unwrap().path();
        if !path.is_file() {
            continue;
        }
        let operation = path.file_stem().unwrap().to_str().unwrap();
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let see = line.trim().strip_prefix("/// See [`").and_then(|l| l.strip_suffix("`]."));
            let Some(name) = see else { continue };
            let known = |s: &Subject| (s.operation, s.name) == (operation, name);
            assert!(list.iter().any(known), "{operation} by {name} is never proved");
            found += 1;
        }
    }
    assert!(found > 30, "only {found} algorithms found in the source");
}

#[test]
fn barrier_holds_everyone_back() {
    prove("barrier");
}

#[test]
fn bcast_reaches_every_rank() {
    prove("bcast");
}

#[test]
fn reduce_combines_every_operand_once_and_in_order() {
    prove("reduce");
}

#[test]
fn allreduce_combines_every_operand_once_and_in_order() {
    prove("allreduce");
}

#[test]
fn gather_collects_every_block_in_its_place() {
    prove("gather");
}

#[test]
fn scatter_hands_every_rank_its_block() {
    prove("scatter");
}

#[test]
fn allgather_brings_every_block_everywhere() {
    prove("allgather");
}

#[test]
fn alltoall_trades_every_block() {
    prove("alltoall");
}

#[test]
fn scan_combines_the_operands_up_to_each_rank() {
    prove("scan");
}

#[test]
fn exscan_combines_the_operands_before_each_rank() {
    prove("exscan");
}

#[test]
fn reduce_scatter_block_leaves_every_rank_its_block() {
    prove("reduce_scatter_block");
}

#[test]
fn reduce_scatter_leaves_every_rank_its_block() {
    prove("reduce_scatter");
}

#[test]
fn gatherv_collects_blocks_of_any_length() {
    prove("gatherv");
}

#[test]
fn scatterv_hands_out_blocks_of_any_length() {
    prove("scatterv");
}

#[test]
fn allgatherv_brings_blocks_of_any_length_everywhere() {
    prove("allgatherv");
}

#[test]
fn alltoallv_trades_blocks_of_any_length() {
    prove("alltoallv");
}
