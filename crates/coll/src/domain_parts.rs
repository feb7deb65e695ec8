//! Sums in parts by the domains of a node: the ranks that share a cache divide the vector, those
//! that have the same part in the caches of a NUMA domain divide that, and so on.

use crate::domains::Peers;
use crate::node_channel::combine_with_own;
use crate::partition::Partition;
use crate::{NodeChannel, STEPS, Slot, SubChannel, View};
use dunlin_base::Result;

/// The step of the lowest level at which a rank publishes its part of the result; those at which it
/// publishes sums are before it.
const DOWN: usize = STEPS / 2;

/// Puts the operator's result over all ranks' `own` into `result`, which is the same memory or
/// apart from it; see [`first_step_down`]. The operator must commute.
pub(crate) async fn add_up<C: NodeChannel>(
    ch: &C,
    own: View,
    result: View,
    first_down: usize,
) -> Result<()> {
    let levels = ch.domains().counterparts(ch.rank());
    let (mut operand, mut held) = (own, vec![result]);
    for (level, Peers { ranks, me, first }) in levels.iter().enumerate() {
        let sum = held[level];
        let Some(peers) = SubChannel::among(ch, ranks.clone()) else { break };
        let peers = peers.over(operand, sum).from_step(level);
        peers.copy_in(0, View::send(0, sum.len)).await?;
        if me >= first {
            break;
        }
        let parts = Partition::Even { len: sum.len, parts: *first };
        let part = |whole| parts.block(whole, *me);
        let (mine, into) = (part(View::send(0, sum.len)), part(View::recv(0, sum.len)));
        combine_with_own(&peers, 0, mine, into, true).await?;
        operand = part(sum);
        held.push(operand);
    }
    for (level, Peers { ranks, me, first }) in levels.iter().enumerate().rev() {
        let (whole, step) = (held[level], first_down + level);
        if me < first {
            ch.copy_in(step, held[level + 1]).await?;
        }
        let parts = Partition::Even { len: whole.len, parts: *first };
        for number in (0..*first).filter(|number| number != me) {
            let slot = Slot { step, by: ranks[number] };
            ch.get(slot, 0, parts.block(whole, number)).await?;
        }
    }
    ch.all_have_begun()
}

/// Where a rank reads more than so many times the length of the vector, messages are faster.
/// Simulated, 16 KiB by ranks on caches of 8 take, in parts and by messages: 150 ranks, which read
/// 2.1 times the vector, 7 and 10 us; 100 (3.4 times) 9 and 9; 97 (13.5 times) 24 and 9.
const READ_MAX: f64 = 3.0;

/// Where ranks publish their parts of the result, so that all that any of them publishes has room
/// in its stages; none if already the sums have not, or where domains are filled so unevenly that
/// parts are hardly shorter.
pub(crate) fn first_step_down<C: NodeChannel>(ch: &C, own: View) -> Option<usize> {
    if ch.domains().read_in_parts() > READ_MAX {
        return None;
    }
    let (mut part, mut up, mut down, mut levels) = (own.len, 0, 0, 0);
    for divisor in ch.domains().divisors() {
        up += part;
        part = part.div_ceil(divisor);
        down += part;
        levels += 1;
    }
    if levels <= DOWN && up + down <= ch.stage_room(own, 2 * levels) {
        return Some(DOWN);
    }
    (levels <= STEPS && up.max(down) <= ch.stage_room(own, levels)).then_some(STEPS)
}
