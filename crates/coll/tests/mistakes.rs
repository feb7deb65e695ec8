//! The symbolic executor is only worth what it refuses: algorithms with one mistake each.

use dunlin_base::Result;
use dunlin_coll::symbolic::{Buffers, Outcome, Process, Rules, Sends, Value, run};
use dunlin_coll::{Channel, Reduce, View, reduce};

const LEN: usize = 2;

fn rules(sends: Sends) -> Rules {
    Rules { sends, commutative: false, seed: 7 }
}

/// Buffers of a reduction: rank r's operand, an undefined result.
fn operands(ranks: usize) -> Vec<Buffers> {
    let of = |rank| (0..LEN).map(|index| Value::of(rank, index)).collect();
    (0..ranks).map(|rank| Buffers::plain(of(rank), vec![Value::Undefined; LEN])).collect()
}

fn attempt(
    ranks: usize,
    sends: Sends,
    algorithm: impl AsyncFn(&Process<'_>) -> Result<()>,
) -> Result<Outcome> {
    run(rules(sends), operands(ranks), algorithm)
}

fn refused(
    sends: Sends,
    ranks: usize,
    why: &str,
    algorithm: impl AsyncFn(&Process<'_>) -> Result<()>,
) {
    let error = attempt(ranks, sends, algorithm).expect_err("a mistake went unnoticed");
    assert!(error.text.contains(why), "expected {why:?} in {:?}", error.text);
}

async fn send_then_receive(ch: &Process<'_>) -> Result<()> {
    let p = ch.size();
    ch.send((ch.rank() + 1) % p, View::send(0, LEN)).await?;
    ch.recv((ch.rank() + p - 1) % p, View::recv(0, LEN)).await
}

#[test]
fn relying_on_buffered_sends_is_a_deadlock_when_sends_are_synchronous() {
    assert!(attempt(4, Sends::Eager, send_then_receive).is_ok());
    refused(
        Sends::Synchronous,
        4,
        "deadlocks; waiting are rank 0: send to rank 1",
        send_then_receive,
    );
}

#[test]
fn waiting_for_a_message_nobody_sends_is_a_deadlock() {
    refused(Sends::Eager, 2, "rank 1: receive from rank 0", async |ch| match ch.rank() {
        0 => Ok(()),
        _ => ch.recv(0, View::recv(0, LEN)).await,
    });
}

#[test]
fn a_rotated_tree_disorders_operands_that_do_not_commute() {
    let v = Reduce { root: 2, len: LEN, commutative: false };
    let rotated = async |ch: &Process<'_>| reduce::binomial(ch, v).await;
    let outcome = attempt(5, Sends::Eager, rotated).unwrap();
    assert_ne!(outcome.recv[2][0], Value::of_ranks(0, 5, 0));
    let ordered = async |ch: &Process<'_>| reduce::in_order(ch, v).await;
    let outcome = attempt(5, Sends::Eager, ordered).unwrap();
    assert_eq!(outcome.recv[2][0], Value::of_ranks(0, 5, 0));
}

/// Recursive doubling that forgets that its ranks may not be a power of two, or its last rounds.
async fn naive_doubling(ch: &Process<'_>, rounds: u32) -> Result<()> {
    let (partial, incoming) = (View::recv(0, LEN), ch.temp(LEN)?);
    ch.copy(View::send(0, LEN), partial)?;
    for round in 0..rounds {
        let (right, left) = (1 << round, ch.size() - (1 << round));
        let peers = ((ch.rank() + right) % ch.size(), (ch.rank() + left) % ch.size());
        ch.exchange(peers.0, partial, peers.1, incoming).await?;
        ch.reduce(incoming, partial)?;
    }
    Ok(())
}

#[test]
fn a_missing_round_leaves_contributions_out() {
    let outcome = attempt(4, Sends::Eager, async |ch| naive_doubling(ch, 1).await).unwrap();
    assert!(outcome.recv.iter().all(|recv| recv[0] != Value::of_ranks(0, 4, 0)));
}

#[test]
fn doubling_on_three_ranks_counts_a_contribution_twice() {
    refused(Sends::Eager, 3, "twice", async |ch| naive_doubling(ch, 2).await);
}

#[test]
fn forwarding_before_receiving_reads_undefined_data() {
    refused(Sends::Eager, 3, "rank 1 reads undefined data", async |ch| match ch.rank() {
        0 => ch.send(1, View::send(0, LEN)).await,
        1 => {
            ch.send(2, View::recv(0, LEN)).await?;
            ch.recv(0, View::recv(0, LEN)).await
        }
        _ => ch.recv(1, View::recv(0, LEN)).await,
    });
}

#[test]
fn adding_up_different_elements_is_noticed() {
    refused(Sends::Eager, 1, "reduces element 0 with element 1", async |ch| {
        ch.copy(View::send(1, 1), View::recv(0, 1))?;
        ch.reduce(View::send(0, 1), View::recv(0, 1))
    });
}

#[test]
fn a_message_of_another_length_than_expected_is_noticed() {
    refused(Sends::Synchronous, 2, "puts 1 atoms where 2 are expected", async |ch| {
        match ch.rank() {
            0 => ch.send(1, View::send(0, 1)).await,
            _ => ch.recv(0, View::recv(0, 2)).await,
        }
    });
}

#[test]
fn a_message_nobody_receives_is_noticed() {
    refused(Sends::Eager, 2, "nobody received: send to rank 1", async |ch| match ch.rank() {
        0 => ch.send(1, View::send(0, LEN)).await,
        _ => Ok(()),
    });
}

#[test]
fn a_transfer_nobody_waits_for_is_noticed() {
    refused(Sends::Eager, 2, "without waiting", async |ch| match ch.rank() {
        0 => ch.isend(1, View::send(0, LEN)).map(drop),
        _ => ch.recv(0, View::recv(0, LEN)).await,
    });
}

#[test]
fn reading_what_is_still_arriving_is_noticed() {
    refused(Sends::Eager, 2, "during its receive from rank", async |ch| {
        let peer = 1 - ch.rank();
        let ticket = ch.irecv(peer, View::recv(0, LEN))?;
        ch.send(peer, View::send(0, LEN)).await?;
        ch.reduce(View::recv(0, 1), View::recv(1, 1))?;
        ch.wait(ticket).await
    });
}

#[test]
fn writing_what_is_still_being_sent_is_noticed() {
    refused(Sends::Eager, 2, "during its send to rank", async |ch| {
        let peer = 1 - ch.rank();
        ch.copy(View::send(0, LEN), View::recv(0, LEN))?;
        let ticket = ch.isend(peer, View::recv(0, LEN))?;
        ch.recv(peer, View::recv(0, LEN)).await?;
        ch.wait(ticket).await
    });
}

#[test]
fn writing_to_the_send_buffer_is_noticed() {
    refused(Sends::Eager, 1, "writes to the send buffer", async |ch| {
        ch.copy(View::send(0, 1), View::send(1, 1))
    });
}

#[test]
fn going_past_the_end_of_a_buffer_is_noticed() {
    refused(Sends::Eager, 1, "past the end", async |ch| {
        ch.copy(View::send(0, LEN), View::recv(1, LEN))
    });
}
