//! Every algorithm delivers exactly the right data, without deadlock, in every case we can afford.

use dunlin_coll::symbolic::{cases, subjects};

const LENS: [usize; 4] = [0, 1, 3, 7];
const LARGE: [usize; 4] = [47, 64, 97, 130];
const SEED: u64 = 0x5eed;

fn prove(operation: &str) {
    let mut proved = 0;
    for subject in subjects().iter().filter(|subject| subject.operation == operation) {
        let everything = (1..=40).flat_map(|ranks| cases(subject, ranks, &LENS, SEED));
        let sample = LARGE.into_iter().flat_map(|ranks| cases(subject, ranks, &[1], SEED));
        for case in everything.chain(sample) {
            if let Err(error) = subject.prove(&case) {
                panic!("{error}");
            }
            proved += 1;
        }
    }
    assert!(proved > 0, "no algorithm of {operation} was tried");
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
