//! The symbolic executor is only worth what it refuses: algorithms with one mistake each.

use dunlin_base::Result;
use dunlin_coll::select::{AlgorithmSet, CallTraits, Params};
use dunlin_coll::symbolic::{
    Buffers, DomainMap, NodeMap, Outcome, Process, Rules, Sends, Value, run, run_on,
};
use dunlin_coll::{
    Allreduce, Bcast, Channel, Member, NodeChannel, PutTarget, Reduce, STAGES, STEPS, Slice, Slot,
    SubChannel, View, allreduce, bcast, reduce,
};

const LEN: usize = 2;

/// A step has room for a copy of one operand and no more.
fn rules(sends: Sends) -> Rules {
    let domains = DomainMap::Nested;
    Rules { sends, commutative: false, seed: 7, room: LEN, domains }
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
        let request = ch.irecv(peer, View::recv(0, LEN))?;
        ch.send(peer, View::send(0, LEN)).await?;
        ch.reduce(View::recv(0, 1), View::recv(1, 1))?;
        ch.wait(request).await
    });
}

#[test]
fn writing_what_is_still_being_sent_is_noticed() {
    refused(Sends::Eager, 2, "during its send to rank", async |ch| {
        let peer = 1 - ch.rank();
        ch.copy(View::send(0, LEN), View::recv(0, LEN))?;
        let request = ch.isend(peer, View::recv(0, LEN))?;
        ch.recv(peer, View::recv(0, LEN)).await?;
        ch.wait(request).await
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

/// Adds up what all ranks publish, at step 0, of a copy of their operands; `by_turns` says in which
/// order a rank takes the others' copies.
async fn sum_shown(ch: &Process<'_>, by_turns: impl Iterator<Item = usize>) -> Result<()> {
    let sum = View::recv(0, LEN);
    ch.copy_in(0, View::send(0, LEN)).await?;
    for (turn, by) in by_turns.enumerate() {
        match turn {
            0 => ch.get(Slot { step: 0, by }, 0, sum).await?,
            _ => ch.get_reduce(Slot { step: 0, by }, 0, sum).await?,
        }
    }
    Ok(())
}

#[test]
fn shown_operands_that_do_not_commute_must_be_taken_from_the_last_rank_to_the_first() {
    let total = Value::of_ranks(0, 4, 0);
    let right = attempt(4, Sends::Eager, async |ch| sum_shown(ch, (0..4).rev()).await).unwrap();
    assert!(right.recv.iter().all(|recv| recv[0] == total));
    let wrong = attempt(4, Sends::Eager, async |ch| sum_shown(ch, 0..4).await).unwrap();
    assert!(wrong.recv.iter().all(|recv| recv[0] != total));
    let mut swappable = rules(Sends::Eager);
    swappable.commutative = true;
    let forwards = async |ch: &Process<'_>| sum_shown(ch, 0..4).await;
    let any_order = run(swappable, operands(4), forwards).unwrap();
    assert!(any_order.recv.iter().all(|recv| recv[0] == total));
}

#[test]
fn a_shown_operand_taken_twice_is_noticed() {
    let twice = async |ch: &Process<'_>| sum_shown(ch, [1, 0, 0].into_iter()).await;
    refused(Sends::Eager, 2, "counts a contribution twice", twice);
}

/// Adds the neighbour's operand to this rank's own, in the very memory that it publishes.
async fn sum_onto_shown(ch: &Process<'_>, single_copy: bool) -> Result<()> {
    let own = View::recv(0, LEN);
    ch.copy(View::send(0, LEN), own)?;
    match single_copy {
        true => ch.expose(0, own).await?,
        false => ch.copy_in(0, own).await?,
    }
    ch.get_reduce(Slot { step: 0, by: 1 - ch.rank() }, 0, own).await
}

#[test]
fn changing_exposed_memory_before_the_operation_has_ended_is_noticed() {
    refused(Sends::Eager, 2, "has been changed since", async |ch| sum_onto_shown(ch, true).await);
    let mut swappable = rules(Sends::Eager);
    swappable.commutative = true;
    let cico = async |ch: &Process<'_>| sum_onto_shown(ch, false).await;
    run(swappable, operands(2), cico).expect("a copy may be published and the original changed");
}

#[test]
fn showing_a_step_twice_or_after_a_later_stage_is_noticed() {
    refused(Sends::Eager, 2, "publishes step 1 twice", async |ch| {
        ch.copy_in(1, View::send(0, 1)).await?;
        ch.expose(1, View::send(1, 1)).await
    });
    refused(Sends::Eager, 1, "after one of a later stage", async |ch| {
        ch.copy_in(STEPS, View::EMPTY).await?;
        ch.copy_in(STEPS - 1, View::EMPTY).await
    });
}

#[test]
fn more_slices_than_fit_into_a_stage_are_noticed() {
    refused(Sends::Eager, 1, "more than 1 slices at stage 0", async |ch| {
        let slice = |number| Slice { number, per_stage: 1 };
        ch.copy_in_slice(0, View::send(0, LEN), slice(0)).await?;
        ch.copy_in_slice(1, View::send(0, LEN), slice(1)).await
    });
}

#[test]
fn a_stage_waits_until_the_others_have_left_the_one_whose_room_it_takes() {
    let show_all = async |ch: &Process<'_>| {
        for stage in 0..=STAGES {
            ch.copy_in(stage * STEPS, View::send(0, LEN)).await?;
        }
        Ok(())
    };
    let waits = format!("rank 0: room for step {}", STAGES * STEPS);
    refused(Sends::Eager, 2, &waits, show_all);
    let leaving = async |ch: &Process<'_>| {
        ch.await_slot(Slot { step: 0, by: 1 - ch.rank() }).await?;
        ch.release_stage(0).await
    };
    run(rules(Sends::Eager), operands(2), async |ch| {
        ch.copy_in(0, View::send(0, LEN)).await?;
        leaving(ch).await?;
        for stage in 1..=STAGES {
            ch.copy_in(stage * STEPS, View::send(0, LEN)).await?;
        }
        Ok(())
    })
    .expect("all have left the stage in the way");
}

#[test]
fn looking_at_a_stage_that_was_left_is_noticed() {
    refused(Sends::Eager, 2, "whose stage it has left", async |ch| {
        let shown = Slot { step: 0, by: 1 - ch.rank() };
        ch.copy_in(0, View::send(0, LEN)).await?;
        ch.await_slot(shown).await?;
        ch.release_stage(0).await?;
        ch.get(shown, 0, View::recv(0, LEN)).await
    });
    refused(Sends::Eager, 1, "releases stage 0 twice", async |ch| {
        ch.release_stage(0).await?;
        ch.release_stage(0).await
    });
}

#[test]
fn looking_at_a_step_nobody_shows_is_a_deadlock() {
    let waits = "rank 0 deadlocks; waiting are rank 0: read step 1 of rank 1";
    refused(Sends::Eager, 2, waits, async |ch| {
        ch.copy_in(0, View::send(0, LEN)).await?;
        match ch.rank() {
            0 => ch.get(Slot { step: 1, by: 1 }, 0, View::recv(0, LEN)).await,
            _ => ch.get(Slot { step: 0, by: 0 }, 0, View::recv(0, LEN)).await,
        }
    });
    let each_first = "rank 0: read step 0 of rank 1; rank 1: read step 0 of rank 0";
    refused(Sends::Eager, 2, each_first, async |ch| {
        ch.await_slot(Slot { step: 0, by: 1 - ch.rank() }).await?;
        ch.copy_in(0, View::send(0, LEN)).await
    });
}

#[test]
fn posting_more_than_there_is_room_for_is_noticed() {
    refused(Sends::Eager, 2, "copies in 4 atoms where there is room for 2", async |ch| {
        let all = ch.temp(2 * LEN)?;
        ch.copy(View::send(0, LEN), all.part(0, LEN))?;
        ch.copy(View::send(0, LEN), all.part(LEN, LEN))?;
        ch.expose(0, all).await?;
        ch.copy_in(1, all).await
    });
}

/// What [`dunlin_coll::CallTraits::cico`] means: without it nothing that copies in is chosen for a
/// call.
#[test]
fn where_a_contribution_has_no_room_nothing_that_copies_it_in_is_chosen() {
    let narrow = Rules { room: LEN - 1, ..rules(Sends::Eager) };
    let v = Allreduce { len: LEN, commutative: false, in_place: false };
    let cico = async |ch: &Process<'_>| allreduce::cico(ch, v).await;
    let error = run(narrow, operands(2), cico).expect_err("a mistake went unnoticed");
    assert!(error.text.contains("room for 1"), "{}", error.text);
    let chosen = allreduce::Algorithm::choose(&Params {
        shape: CallTraits::reduction(2, false).shared(false, true),
        bytes_per_rank: LEN,
    });
    let chosen = async |ch: &Process<'_>| dunlin_coll::allreduce(ch, v, chosen).await;
    run(narrow, operands(2), chosen).unwrap();
}

#[test]
fn looking_past_the_end_of_what_is_shown_is_noticed() {
    refused(Sends::Eager, 2, "reads 2 atoms from 1", async |ch| {
        ch.copy_in(0, View::send(0, LEN)).await?;
        ch.get(Slot { step: 0, by: 1 - ch.rank() }, 1, View::recv(0, LEN)).await
    });
}

#[test]
fn looking_at_a_rank_of_another_node_is_noticed() {
    let peek = async |ch: &Process<'_>| ch.await_slot(Slot { step: 0, by: 1 - ch.rank() }).await;
    let apart = run_on(NodeMap::Consecutive(1), rules(Sends::Eager), operands(2), peek);
    let error = apart.expect_err("a mistake went unnoticed");
    assert!(error.text.contains("which is not on its node"), "{}", error.text);
}

/// An allreduce in two levels whose leaders share their sums, `by_messages` or not.
async fn leaders_show(ch: &Process<'_>, by_messages: bool) -> Result<()> {
    let v = Allreduce { len: LEN, commutative: true, in_place: true };
    let (nodes, own, sum) = (ch.nodes(), View::send(0, LEN), View::recv(0, LEN));
    let node = SubChannel::node(ch, &nodes).over(own, sum);
    reduce::cico(&node, Reduce { root: 0, len: LEN, commutative: true }).await?;
    if let Some(top) = SubChannel::among(ch, nodes.leaders(0)) {
        let top = top.over(sum, sum).from_step(1);
        match by_messages {
            true => allreduce::recursive_doubling(&top, v).await?,
            false => allreduce::cico(&top, v).await?,
        }
    }
    bcast::cico(&node.from_step(2), Bcast { root: 0, len: LEN }).await
}

#[test]
fn what_crosses_nodes_must_be_messages_and_what_stays_on_one_may_be_shown() {
    let rules = Rules { commutative: true, ..rules(Sends::Synchronous) };
    let map = NodeMap::RoundRobin(2);
    let right = run_on(map, rules, operands(5), async |ch| leaders_show(ch, true).await).unwrap();
    assert!(right.recv.iter().all(|recv| recv[0] == Value::of_ranks(0, 5, 0)));
    let wrong = run_on(map, rules, operands(5), async |ch| leaders_show(ch, false).await);
    let error = wrong.expect_err("a mistake went unnoticed");
    assert!(error.text.contains("which is not on its node"), "{}", error.text);
}

#[test]
fn giving_to_a_rank_of_another_node_is_noticed() {
    let put = async |ch: &Process<'_>| give_halves(ch, LEN / 2).await;
    let apart = run_on(NodeMap::Consecutive(1), rules(Sends::Eager), operands(2), put);
    let error = apart.expect_err("a mistake went unnoticed");
    assert!(error.text.contains("which is not on its node"), "{}", error.text);
}

/// Both halves of an algorithm publish their first step, the second of them `first_step` later.
async fn sum_twice(ch: &Process<'_>, first_step: usize) -> Result<()> {
    let v = Reduce { root: 0, len: LEN, commutative: true };
    let node = SubChannel::node(ch, &ch.nodes()).over(View::send(0, LEN), View::recv(0, LEN));
    reduce::cico(&node, v).await?;
    reduce::cico(&node.from_step(first_step), v).await
}

#[test]
fn two_algorithms_of_one_operation_need_steps_of_their_own() {
    let mut swappable = rules(Sends::Eager);
    swappable.commutative = true;
    run(swappable, operands(3), async |ch| sum_twice(ch, 1).await).expect("steps 0 and 1");
    refused(Sends::Eager, 3, "publishes step 0 twice", async |ch| sum_twice(ch, 0).await);
}

/// Each of two ranks exposes its result and gives the first half of it to both, the second to
/// itself.
async fn give_halves(ch: &Process<'_>, start_of_second: usize) -> Result<()> {
    ch.expose_for_put(0, View::recv(0, LEN)).await?;
    let (me, half) = (ch.rank(), LEN / 2);
    for by in 0..2 {
        let exposed = PutTarget { slot: Slot { step: 0, by }, len: LEN };
        let start = if me == 0 { 0 } else { start_of_second };
        ch.put(View::send(start, half), exposed, start).await?;
    }
    Ok(())
}

#[test]
fn two_ranks_that_give_to_the_same_place_are_noticed() {
    run(rules(Sends::Eager), operands(2), async |ch| give_halves(ch, LEN / 2).await)
        .expect("each gives a half of its own");
    let text = "uses memory exposed for puts that rank";
    refused(Sends::Eager, 2, text, async |ch| give_halves(ch, 0).await);
}

#[test]
fn touching_what_others_give_before_the_operation_has_ended_is_noticed() {
    refused(Sends::Eager, 2, "uses memory exposed for puts that rank", async |ch| {
        give_halves(ch, LEN / 2).await?;
        ch.copy(View::send(0, LEN), View::recv(0, LEN))
    });
}

/// Rank 0 exposes its result for gets and for puts; rank 1 reads it while rank 2 writes it.
#[test]
fn giving_where_another_rank_looks_is_noticed() {
    refused(Sends::Eager, 3, "uses memory exposed for puts that rank", async |ch| {
        let (data, exposed) = (View::recv(0, LEN), Slot { step: 1, by: 0 });
        match ch.rank() {
            0 => {
                ch.copy(View::send(0, LEN), data)?;
                ch.expose(0, data).await?;
                ch.expose_for_put(1, data).await
            }
            1 => ch.get(Slot { step: 0, by: 0 }, 0, data).await,
            _ => ch.put(View::send(0, LEN), PutTarget { slot: exposed, len: LEN }, 0).await,
        }
    });
}

#[test]
fn a_put_into_read_only_memory_or_past_its_end_is_noticed() {
    refused(Sends::Eager, 2, "which is not exposed for puts", async |ch| {
        ch.expose(0, View::send(0, LEN)).await?;
        let exposed = PutTarget { slot: Slot { step: 0, by: 1 - ch.rank() }, len: LEN };
        ch.put(View::send(0, LEN), exposed, 0).await
    });
    refused(Sends::Eager, 2, "puts 2 atoms from 1", async |ch| {
        ch.expose_for_put(0, View::recv(0, LEN)).await?;
        let exposed = PutTarget { slot: Slot { step: 0, by: 1 - ch.rank() }, len: LEN };
        ch.put(View::send(0, LEN), exposed, 1).await
    });
}

/// A root that says that all have begun when it has seen `seen` of them.
async fn says_that_all_have_begun(ch: &Process<'_>, seen: usize) -> Result<()> {
    if ch.rank() != 0 {
        return ch.copy_in(0, View::send(0, LEN)).await;
    }
    for by in 1..=seen {
        ch.await_slot(Slot { step: 0, by }).await?;
    }
    ch.all_have_begun()
}

/// By chance all may have begun by then: each order of the ranks is one more chance to see that
/// they need not have.
#[test]
fn saying_that_all_have_begun_where_one_may_not_have_is_noticed() {
    let attempt = |seed, seen| {
        let rules = Rules { seed, ..rules(Sends::Eager) };
        run(rules, operands(4), async |ch| says_that_all_have_begun(ch, seen).await)
    };
    for seen in 0..3 {
        let refused = (0..32).filter_map(|seed| attempt(seed, seen).err()).collect::<Vec<_>>();
        assert!(!refused.is_empty(), "with {seen} of 3 seen a mistake went unnoticed");
        for error in refused {
            assert!(error.text.contains("has begun; it has not"), "{}", error.text);
        }
    }
    for seed in 0..32 {
        attempt(seed, 3).expect("it has seen all others");
    }
}
