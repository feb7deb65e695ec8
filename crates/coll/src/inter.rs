//! Collectives on intercommunicators: what one group contributes, the other gets. Each process has
//! two channels over the same buffers: `local`, to its own group, and `remote`, whose peers are the
//! processes of the other group, while `rank` is its own rank in its own group. Never in place.
//!
//! Where one result is for a whole group, the first processes of the two groups, the leaders, speak
//! for them.

use crate::peer_blocks::{PeerBlocks, trade};
use crate::tree::Binomial;
use crate::{Bcast, Channel, View};
use dunlin_base::Result;

/// The part of a process in an operation with a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is the root.
    Root,
    /// Another process of its group is the root: it has nothing to do.
    Idle,
    /// The root is this process of the other group.
    Partner(usize),
}

const LEADER: usize = 0;

/// Hands the leader's vector, at the start of the receive buffer, to all of its group.
async fn spread<L: Channel>(local: &L, len: usize) -> Result<()> {
    crate::bcast::binomial(local, Bcast { root: LEADER, len }).await
}

/// The operator's result over this group, in the order of ranks. It stands at the leader, in the
/// view returned.
async fn sum_up<L: Channel>(local: &L, len: usize) -> Result<View> {
    Binomial::new(local.rank(), LEADER, local.size()).climb(local, len).await
}

/// No process leaves before all of the other group have entered.
pub async fn barrier<L: Channel, R: Channel>(local: &L, remote: &R) -> Result<()> {
    crate::barrier::dissemination(local).await?;
    if local.rank() == LEADER {
        remote.exchange(LEADER, View::EMPTY, LEADER, View::EMPTY).await?;
    }
    spread(local, 0).await
}

/// The root's vector reaches every process of the other group.
pub async fn bcast<L: Channel, R: Channel>(
    local: &L,
    remote: &R,
    role: Role,
    len: usize,
) -> Result<()> {
    let data = View::recv(0, len);
    match role {
        Role::Idle => Ok(()),
        Role::Root => remote.send(LEADER, data).await,
        Role::Partner(root) => {
            if local.rank() == LEADER {
                remote.recv(root, data).await?;
            }
            spread(local, len).await
        }
    }
}

/// Every process of the other group sends `View::send(0, send_len)`; the root receives block i
/// where `recv` says.
pub async fn gather<R: Channel>(
    remote: &R,
    role: Role,
    send_len: usize,
    recv: PeerBlocks<'_>,
) -> Result<()> {
    match role {
        Role::Idle => Ok(()),
        Role::Root => trade(remote, (0..remote.size()).map(|i| (i, recv.recv(i))), []).await,
        Role::Partner(root) => remote.send(root, View::send(0, send_len)).await,
    }
}

/// The root sends block i from where `send` says to process i of the other group, where it lands in
/// `View::recv(0, recv_len)`.
pub async fn scatter<R: Channel>(
    remote: &R,
    role: Role,
    send: PeerBlocks<'_>,
    recv_len: usize,
) -> Result<()> {
    match role {
        Role::Idle => Ok(()),
        Role::Root => trade(remote, [], (0..remote.size()).map(|i| (i, send.send(i)))).await,
        Role::Partner(root) => remote.recv(root, View::recv(0, recv_len)).await,
    }
}

/// Every process trades a block with every process of the other group: allgather, where it sends
/// the same to all, and alltoall. Each begins with another peer, so that none is everybody's first.
pub async fn alltoall<R: Channel>(
    remote: &R,
    send: PeerBlocks<'_>,
    recv: PeerBlocks<'_>,
) -> Result<()> {
    let (me, peers) = (remote.rank(), remote.size());
    let others = (0..peers).map(|k| (me + k) % peers);
    let incoming = others.clone().map(|i| (i, recv.recv(i)));
    trade(remote, incoming, others.map(|i| (i, send.send(i)))).await
}

/// The root gets, in `View::recv(0, len)`, the operator's result over the other group's vectors
/// `View::send(0, len)`.
pub async fn reduce<L: Channel, R: Channel>(
    local: &L,
    remote: &R,
    role: Role,
    len: usize,
) -> Result<()> {
    match role {
        Role::Idle => Ok(()),
        Role::Root => remote.recv(LEADER, View::recv(0, len)).await,
        Role::Partner(root) => {
            let sum = sum_up(local, len).await?;
            if local.rank() == LEADER { remote.send(root, sum).await } else { Ok(()) }
        }
    }
}

/// Every process gets the operator's result over the other group's vectors.
pub async fn allreduce<L: Channel, R: Channel>(local: &L, remote: &R, len: usize) -> Result<()> {
    let sum = sum_up(local, len).await?;
    if local.rank() == LEADER {
        remote.exchange(LEADER, sum, LEADER, View::recv(0, len)).await?;
    }
    spread(local, len).await
}

/// As allreduce, but of the result, `total` elements, process i gets block i of `blocks`: in
/// `View::recv(0, its length)`. The operand is `View::send(0, total)`.
pub async fn reduce_scatter<L: Channel, R: Channel>(
    local: &L,
    remote: &R,
    total: usize,
    blocks: PeerBlocks<'_>,
) -> Result<()> {
    let sum = sum_up(local, total).await?;
    let mine = blocks.recv(local.rank()).len;
    if local.rank() != LEADER {
        return local.recv(LEADER, View::recv(0, mine)).await;
    }
    let result = swapped(local, remote, sum).await?;
    let block = |i: usize| {
        let place = blocks.recv(i);
        result.part(place.start, place.len)
    };
    local.copy(block(LEADER), View::recv(0, mine))?;
    trade(local, [], (1..local.size()).map(|i| (i, block(i)))).await
}

/// The other group's result, in scratch memory of the leader.
async fn swapped<L: Channel, R: Channel>(local: &L, remote: &R, sum: View) -> Result<View> {
    let theirs = local.temp(sum.len)?;
    remote.exchange(LEADER, sum, LEADER, theirs).await?;
    Ok(theirs)
}
