//! What must hold when a job has ended: who got what, in which order, and that nothing is left.

use std::collections::HashMap;

use dunlin_base::ErrorClass;
use dunlin_base::single_copy::SingleCopy;
use dunlin_shm::Node;
use dunlin_shm::layout::SPLITS_PER_RANK;

use super::plan::Message;
use super::rank::{Player, Receive, Send, State};
use crate::matching::Envelope;
use crate::objects::status::Status;
use crate::p2p::request::Mode;

/// Messages with the same receiver and envelope, by number, in the order in which they were sent.
type Streams = HashMap<(usize, Envelope), Vec<usize>>;

fn streams(players: &[Player], plan: &[Message]) -> Streams {
    let mut streams = Streams::new();
    for number in players.iter().flat_map(|p| &p.sends).filter_map(kept) {
        let message = &plan[number];
        streams.entry((message.to, message.envelope)).or_default().push(number);
    }
    streams
}

/// Messages that nobody has received, where nothing moves any more. An error if a receive waits
/// that would get one.
pub(super) fn unreceived(players: &[Player], plan: &[Message]) -> Result<Vec<usize>, String> {
    let mut streams = streams(players, plan);
    for (to, player) in players.iter().enumerate() {
        for (envelope, _) in player.receives.iter().filter_map(Receive::got) {
            let stream = streams.get_mut(&(to, envelope)).filter(|s| !s.is_empty());
            stream.ok_or(format!("rank {to} got {envelope:?} twice"))?.remove(0);
        }
        let waiting = player.receives.iter().filter(|r| matches!(r.state, State::Pending(_)));
        for Receive { pattern, .. } in waiting {
            let met = |((at, e), left): (&(usize, Envelope), &Vec<usize>)| {
                *at == to && pattern.fits(e) && !left.is_empty()
            };
            if streams.iter().any(met) {
                let waits: String = players.iter().map(|p| p.waits_for(plan)).collect();
                return Err(format!("rank {to} does not get what fits {pattern:?}: {waits}"));
            }
        }
    }
    Ok(streams.into_values().flatten().collect())
}

/// Checks the outcome of every operation, and who got which message.
pub(super) fn check_outcomes(players: &[Player], plan: &[Message]) -> Result<(), String> {
    let mut streams = streams(players, plan);
    let sent = sent(players);
    for (to, player) in players.iter().enumerate() {
        let mut met = Vec::new();
        for (turn, receive) in player.receives.iter().enumerate() {
            let Some((envelope, status)) = receive.got() else {
                check_taken_back(to, receive)?;
                continue;
            };
            // Of messages that are alike in all that receives ask for, the first goes to the first.
            let stream = streams.get_mut(&(to, envelope)).filter(|s| !s.is_empty());
            let number = stream.ok_or(format!("rank {to} got {envelope:?} twice"))?.remove(0);
            check_message(to, receive, &envelope, status, &plan[number])
                .map_err(|why| format!("{why}, message {number}"))?;
            check_synchronous(receive, &plan[number], sent.get(&number))?;
            met.push((turn, number, receive));
        }
        check_order(to, &met, plan, &sent)?;
    }
    match streams.into_values().flatten().next() {
        Some(number) => Err(format!("nobody got {:?}", plan[number].envelope)),
        None => Ok(()),
    }
}

/// Messages by number: their places in the order of their senders, and when they were done.
fn sent(players: &[Player]) -> HashMap<usize, (usize, u64)> {
    let sends = players.iter().flat_map(|p| p.sends.iter().enumerate());
    sends
        .filter_map(|(at, send)| match send.state {
            State::Done(_, when) => Some((send.message, (at, when))),
            _ => None,
        })
        .collect()
}

fn check_taken_back(to: usize, receive: &Receive) -> Result<(), String> {
    let State::Done(status, _) = &receive.state else {
        return Err(format!("rank {to}: {:?} has no outcome", receive.pattern));
    };
    if !status.cancelled || !receive.memory.holds(std::iter::empty(), 0) {
        return Err(format!("rank {to}: {:?} got nothing: {status:?}", receive.pattern));
    }
    Ok(())
}

fn check_message(
    to: usize,
    receive: &Receive,
    envelope: &Envelope,
    status: &Status,
    message: &Message,
) -> Result<(), String> {
    let (len, room) = (message.memory.len, receive.memory.len);
    let is_short = status.error.as_ref().is_some_and(|e| e.class == ErrorClass::Truncate);
    let wrong = |what: &str| Err(format!("rank {to}, receive {:?}: {what}", receive.pattern));
    if !receive.pattern.fits(envelope) || status.cancelled {
        return wrong("a message that does not fit");
    }
    if status.bytes != len.min(room) as u64 {
        return wrong(&format!("{} bytes of {len} into {room}", status.bytes));
    }
    if status.error.is_some() != is_short || is_short != (len > room) {
        return wrong("truncation is not told, or something else is");
    }
    if receive.promised.is_some_and(|promised| promised != (*envelope, len as u64)) {
        return wrong("not the message that the probe has found");
    }
    if !receive.memory.holds(message.memory.data(), len.min(room)) {
        return wrong("other data, or data in the wrong place");
    }
    Ok(())
}

fn check_synchronous(
    receive: &Receive,
    message: &Message,
    sent: Option<&(usize, u64)>,
) -> Result<(), String> {
    match sent {
        Some((_, when)) if message.mode == Mode::Synchronous && *when < receive.begun => {
            Err(format!("a synchronous send, {:?}, was done before its receive", message.envelope))
        }
        _ => Ok(()),
    }
}

/// MPI 5.0 section 3.5: of two messages of a source that fit a receive, it does not get the second
/// while the first is there; so the first has gone to a receive that was begun before.
fn check_order(
    to: usize,
    met: &[(usize, usize, &Receive)],
    plan: &[Message],
    sent: &HashMap<usize, (usize, u64)>,
) -> Result<(), String> {
    for (turn, number, receive) in met {
        let overtaken = met.iter().find(|(other_turn, other, _)| {
            let (first, second) = (&plan[*other].envelope, &plan[*number].envelope);
            first.source == second.source
                && receive.pattern.fits(first)
                && sent[other].0 < sent[number].0
                && other_turn > turn
        });
        if let Some((_, other, _)) = overtaken {
            let envelope = &plan[*number].envelope;
            return Err(format!(
                "rank {to}: message {number}, {envelope:?}, has overtaken message {other}"
            ));
        }
    }
    Ok(())
}

/// Whether all that a rank has used is given back.
pub(super) fn check_end(
    player: &mut Player,
    node: &Node,
    single_copy: SingleCopy,
) -> Result<(), String> {
    let m = &mut player.messages;
    let left = |what: &str| Err(format!("rank {}: {what} left at the end", node.me()));
    if m.transfers.matching.posted_len() > 0 {
        return left("receives");
    }
    if m.transfers.matching.unexpected_len() > 0 {
        return left("messages");
    }
    if m.transfers.requests.pending().next().is_some()
        || (0..1000).any(|id| m.transfers.requests.get(id).is_ok())
    {
        return left("requests");
    }
    if !m.is_idle_here() || !m.is_flushed() {
        return left("packets, streams or copies");
    }
    if m.transfers.inbound.iter().next().is_some() {
        return left("messages in fragments");
    }
    if m.net.as_mut().is_some_and(|net| !net.net.endpoint().is_idle()) {
        return left("fragments or packets out of order");
    }
    if !m.node.cancel_requests.is_empty() {
        return left("cancel requests");
    }
    let splits = if single_copy.by_both() { SPLITS_PER_RANK } else { 0 };
    if m.node.free_splits.count() != splits {
        return left("work splits");
    }
    let (me, all) = (node.me(), 0..node.bounce_buffers());
    let has_borrowed =
        |owner, by| all.clone().filter(|&number| node.is_borrowed(owner, number, by)).count();
    let others = (0..node.ranks()).filter(|&rank| rank != me);
    let free = all.clone().filter(|&number| node.is_free(number)).count();
    let away: usize = others.clone().map(|rank| has_borrowed(me, rank)).sum();
    if free + away != all.len()
        || others.clone().any(|rank| has_borrowed(rank, me) != m.node.holders.borrowed(rank))
    {
        return left("bounce buffers");
    }
    Ok(())
}

/// The message of a send that was not taken back.
fn kept(send: &Send) -> Option<usize> {
    match &send.state {
        State::Done(status, _) if status.cancelled => None,
        _ => Some(send.message),
    }
}
