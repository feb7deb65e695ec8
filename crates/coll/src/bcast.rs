//! Bcast: the root's vector reaches every rank.
//!
//! The data is `View::recv(0, len)` everywhere. Ranks may describe the same data by different
//! counts and datatypes, yet must cut it at the same places: an executor therefore counts a bcast
//! in a unit all ranks share, the packed byte.

use crate::parts::Parts;
use crate::select::{Choice, Rule, Shape, check};
use crate::tree::Binomial;
use crate::{Channel, View};
use dunlin_base::Result;

/// Arguments of a bcast; the same at every rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bcast {
    /// The rank that has the data.
    pub root: usize,
    /// Number of elements, in a unit all ranks share.
    pub len: usize,
}

/// The algorithms of this operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// See [`binomial`].
    Binomial,
    /// See [`scatter_allgather`].
    ScatterAllgather,
    /// See [`pipelined_chain`].
    PipelinedChain {
        /// Elements per message, at least 1.
        segment: usize,
    },
}

/// Large enough that a message's cost is mostly bandwidth, small enough to fill a chain soon.
const SEGMENT_BYTES: usize = 64 << 10;

impl Choice for Algorithm {
    const OPERATION: &'static str = "bcast";
    const ALL: &'static [Self] = &[
        Algorithm::Binomial,
        Algorithm::ScatterAllgather,
        Algorithm::PipelinedChain { segment: SEGMENT_BYTES },
    ];
    const TABLE: &'static [Rule<Self>] = &[
        Rule::up_to_bytes(12 << 10, Algorithm::Binomial),
        Rule::up_to_ranks(7, Algorithm::PipelinedChain { segment: SEGMENT_BYTES }),
        Rule::otherwise(Algorithm::ScatterAllgather),
    ];

    fn name(self) -> &'static str {
        match self {
            Algorithm::Binomial => "binomial",
            Algorithm::ScatterAllgather => "scatter_allgather",
            Algorithm::PipelinedChain { .. } => "pipelined_chain",
        }
    }

    fn fits(self, _: &Shape) -> bool {
        true
    }

    fn parameter(self) -> Option<(&'static str, usize)> {
        match self {
            Algorithm::PipelinedChain { segment } => Some(("segment", segment)),
            _ => None,
        }
    }

    fn with_parameter(self, value: usize) -> Self {
        match self {
            Algorithm::PipelinedChain { .. } => Algorithm::PipelinedChain { segment: value },
            other => other,
        }
    }
}

/// Runs a bcast by algorithm `how`.
pub async fn bcast<C: Channel>(ch: &C, v: Bcast, how: Algorithm) -> Result<()> {
    check(how, &Shape::plain(ch.size()))?;
    match how {
        Algorithm::Binomial => binomial(ch, v).await,
        Algorithm::ScatterAllgather => scatter_allgather(ch, v).await,
        Algorithm::PipelinedChain { segment } => pipelined_chain(ch, v, segment).await,
    }
}

/// Binomial tree: whoever has the data hands it to the rank half the remaining distance away, so
/// the number of ranks that have it doubles in every round.
/// ceil(log2 p) rounds, each moving the whole vector; best for short vectors.
/// Thakur, Rabenseifner, Gropp (2005), section 4.3.
pub async fn binomial<C: Channel>(ch: &C, v: Bcast) -> Result<()> {
    let tree = Binomial::new(ch.rank(), v.root, ch.size());
    let data = View::recv(0, v.len);
    if let Some(parent) = tree.parent() {
        ch.recv(parent, data).await?;
    }
    for child in tree.children().rev() {
        ch.send(tree.rank_of(child), data).await?;
    }
    Ok(())
}

/// Scatter and allgather: a binomial tree gives every rank one chunk of the vector, then the chunks
/// travel round a ring until every rank has all of them.
/// ceil(log2 p) + p - 1 rounds; a rank moves about twice the vector however many ranks there are:
/// best for long vectors. van de Geijn; Thakur, Rabenseifner, Gropp (2005), section 4.3.
pub async fn scatter_allgather<C: Channel>(ch: &C, v: Bcast) -> Result<()> {
    let tree = Binomial::new(ch.rank(), v.root, ch.size());
    let data = View::recv(0, v.len);
    let parts = Parts::Even { len: v.len, parts: tree.size };
    if let Some(parent) = tree.parent() {
        ch.recv(parent, parts.run(data, tree.me, tree.subtree(tree.me))).await?;
    }
    for child in tree.children().rev() {
        let chunks = parts.run(data, child, tree.subtree(child));
        ch.send(tree.rank_of(child), chunks).await?;
    }
    let (right, left) = (tree.rank_of(tree.me + 1), tree.rank_of(tree.me + tree.size - 1));
    for step in 0..tree.size - 1 {
        let mine = parts.block(data, (tree.me + tree.size - step) % tree.size);
        let theirs = parts.block(data, (tree.me + tree.size - step - 1) % tree.size);
        ch.exchange(right, mine, left, theirs).await?;
    }
    Ok(())
}

/// Pipelined chain: the vector travels from rank to rank in segments, and a rank forwards one
/// segment while the next arrives.
/// p - 2 + len/segment rounds of one segment; every rank but the ends moves the vector in and out
/// once: best for long vectors on few ranks. Pjesivac-Grbovic et al. (2007), section 3.
pub async fn pipelined_chain<C: Channel>(ch: &C, v: Bcast, segment: usize) -> Result<()> {
    let chain = Binomial::new(ch.rank(), v.root, ch.size());
    let from = (chain.me > 0).then(|| chain.rank_of(chain.me - 1));
    let to = (chain.me + 1 < chain.size).then(|| chain.rank_of(chain.me + 1));
    let piece = |k: usize| View::recv(k * segment, segment.min(v.len - k * segment));
    let pieces = v.len.div_ceil(segment);
    let receive = |k: usize| match from {
        Some(from) if k < pieces => ch.irecv(from, piece(k)).map(Some),
        _ => Ok(None),
    };
    let mut incoming = receive(0)?;
    let mut outgoing = None;
    for k in 0..pieces {
        let next = receive(k + 1)?;
        if let Some(arriving) = std::mem::replace(&mut incoming, next) {
            ch.wait(arriving).await?;
        }
        let Some(to) = to else { continue };
        let sending = ch.isend(to, piece(k))?;
        if let Some(earlier) = outgoing.replace(sending) {
            ch.wait(earlier).await?;
        }
    }
    ch.wait_all(outgoing).await
}
