//! Sums that travel in segments by messages: one is added up while the next arrives.

use crate::{Channel, View};
use dunlin_base::Result;

/// A rank's neighbours in a binary tree that, read from left to right, has the order of ranks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InOrder {
    pub left: Option<usize>,
    pub right: Option<usize>,
    pub parent: Option<usize>,
}

impl InOrder {
    pub fn binary(me: usize, root: usize, size: usize) -> InOrder {
        let middle = |low: usize, high: usize| (low < high).then(|| low + (high - low) / 2);
        let (mut low, mut high, mut at, mut parent) = (0, size, root, None);
        while at != me {
            parent = Some(at);
            (low, high) = if me < at { (low, at) } else { (at + 1, high) };
            at = low + (high - low) / 2;
        }
        InOrder { left: middle(low, me), right: middle(me + 1, high), parent }
    }

    /// The same with these ranks instead of their places.
    pub fn of(self, ranks: &[usize]) -> InOrder {
        let [left, right, parent] =
            [self.left, self.right, self.parent].map(|place| place.map(|place| ranks[place]));
        InOrder { left, right, parent }
    }
}

/// Reduces along such a tree, segment by segment. The receives of one segment are posted before
/// the previous segment is added up, so every buffer exists twice.
pub(crate) async fn segmented<C: Channel>(
    ch: &C,
    link: InOrder,
    len: usize,
    segment: usize,
) -> Result<()> {
    let (chunks, longest) = (len.div_ceil(segment), segment.min(len));
    let chunk = |k: usize| View::send(k * segment, segment.min(len - k * segment));
    let twice = |needed: bool| ch.temp(if needed { 2 * longest } else { 0 });
    let (left, right) = (twice(link.left.is_some())?, twice(link.right.is_some())?);
    let own = twice(link.left.is_some() && link.right.is_none())?;
    let half = |both: View, k: usize| both.part(k % 2 * longest, chunk(k).len);
    let receive = |k: usize| -> Result<Vec<C::Request>> {
        let sides = [(link.left, left), (link.right, right)];
        let here = sides.into_iter().filter_map(|(from, into)| Some((from?, into)));
        here.filter(|_| k < chunks).map(|(from, into)| ch.irecv(from, half(into, k))).collect()
    };
    let mut incoming = receive(0)?;
    let mut outgoing = None;
    for k in 0..chunks {
        // The next segment arrives where the last one may still be leaving from.
        ch.wait_all(outgoing.take()).await?;
        let next = receive(k + 1)?;
        ch.wait_all(std::mem::replace(&mut incoming, next)).await?;
        let mut sum = chunk(k);
        if link.right.is_some() {
            ch.reduce(sum, half(right, k))?;
            sum = half(right, k);
        } else if link.left.is_some() {
            ch.copy(sum, half(own, k))?;
            sum = half(own, k);
        }
        if link.left.is_some() {
            ch.reduce(half(left, k), sum)?;
        }
        match link.parent {
            Some(parent) => outgoing = Some(ch.isend(parent, sum)?),
            None => ch.copy(sum, View::recv(k * segment, sum.len))?,
        }
    }
    ch.wait_all(outgoing).await
}

/// Sends `data` to a rank and adds what another sends to `sum`, in segments, each of which arrives
/// while the one before it is added.
pub(crate) async fn pass_and_add<C: Channel>(
    ch: &C,
    (to, data): (usize, View),
    (from, sum): (usize, View),
    incoming: [View; 2],
    segment: usize,
) -> Result<()> {
    // What holds no data is one empty message.
    let chunks = |whole: View| whole.len.div_ceil(segment).max(1);
    let chunk = |whole: View, k: usize| {
        let start = k.saturating_mul(segment);
        whole.part(start, segment.min(whole.len - start))
    };
    let arriving = |k: usize| incoming[k % 2].part(0, chunk(sum, k).len);
    let receive = |k: usize| (k < chunks(sum)).then(|| ch.irecv(from, arriving(k))).transpose();
    let mut request = receive(0)?;
    let sends = (0..chunks(data)).map(|k| ch.isend(to, chunk(data, k)));
    let leaving = sends.collect::<Result<Vec<_>>>()?;
    for k in 0..chunks(sum) {
        let next = receive(k + 1)?;
        ch.wait_all(std::mem::replace(&mut request, next)).await?;
        ch.reduce(arriving(k), chunk(sum, k))?;
    }
    ch.wait_all(leaving).await
}
