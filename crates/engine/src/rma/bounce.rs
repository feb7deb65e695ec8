//! Long accumulates on memory of this node that the origin has not mapped. The origin copies its
//! data to a bounce buffer that its node maps; the target works on the data there, without a copy
//! of its own, and puts the result there, too.

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_datatype::reduce::Op;

use crate::engine::Engine;
use crate::memory::bounce::BounceBuffer;
use crate::objects::buffer::UserBuffer;
use crate::objects::process_table::Route;
use crate::objects::window::{Flavor, Window};
use crate::rma::message::Kind;
use crate::rma::origin::Target;

/// Bytes of data from which on a bounce buffer pays.
const BYTES_MIN: usize = 8 << 10;
/// Bytes of data in the bounce buffers of one window; what exceeds them goes in messages.
const BYTES_IN_USE_MAX: usize = 64 << 20;

/// Bytes of data in one bounce buffer, if the operation can be cut: while the target works on one
/// piece, the origin copies the next.
const PIECE_BYTES: usize = 128 << 10;

impl Engine {
    /// Sends an accumulate without a result.
    pub(crate) fn send_accumulate(
        &self,
        window: &Window,
        target: &Target,
        op: Op,
        from: &UserBuffer,
    ) -> Result<()> {
        let datatype = &target.datatype;
        let unit = match window.flavor {
            Flavor::Dynamic => 1,
            _ => window.parts[target.rank as usize].unit,
        };
        let step = datatype.size().saturating_mul(unit.max(1)).max(1);
        let piece = (PIECE_BYTES / step).max(1).saturating_mul(step);
        let is_cut = datatype.is_predefined() && datatype.is_contiguous() && unit > 0;
        let Some(data) = from.as_dense().filter(|data| is_cut && data.len() > piece) else {
            return self.send_piece(window, target, op, from);
        };
        for (n, data) in data.chunks(piece).enumerate() {
            let displacement = target.displacement + (n * (piece / unit)) as i64;
            let (count, datatype) = (data.len() / datatype.size(), datatype.clone());
            let part = Target { rank: target.rank, displacement, count, datatype };
            // SAFETY: a part of what the caller has promised.
            let from = unsafe { UserBuffer::dense(data.as_ptr().cast_mut(), data.len()) };
            self.send_piece(window, &part, op, &from)?;
        }
        Ok(())
    }

    fn send_piece(
        &self,
        window: &Window,
        target: &Target,
        op: Op,
        from: &UserBuffer,
    ) -> Result<()> {
        let to = target.rank;
        let Some(buffer) = self.bounce(window, to, target.bytes(), Some(from), false) else {
            let header = target.header(op, 0, None);
            return self.send_operation(window, Kind::Accumulate, to, &header, &[from]);
        };
        let header = target.header(op, 0, Some(buffer.address()));
        window.origin.borrow_mut().bounce_buffers.push((to, buffer));
        self.send_operation(window, Kind::Accumulate, to, &header, &[])
    }

    /// The data of an accumulate in a bounce buffer for its target; `None` if the operation goes as
    /// a message.
    pub(crate) fn bounce(
        &self,
        window: &Window,
        to: Rank,
        bytes: usize,
        data: Option<&UserBuffer>,
        has_result: bool,
    ) -> Option<BounceBuffer> {
        let is_near = matches!(self.route_in(window, to), Ok(Route::Node(_)));
        // A target whose memory this process maps has mapped this process's.
        if bytes < BYTES_MIN || !is_near || window.shared_part(to).is_none() {
            return None;
        }
        let in_use = &window.origin.borrow().bounce_buffers;
        let so_far: usize = in_use.iter().map(|(_, buffer)| buffer.data_bytes()).sum();
        if so_far + bytes > BYTES_IN_USE_MAX {
            return None;
        }
        let mut buffer = self.near_windows.bounce_buffers.take(self.node, bytes, has_result)?;
        if let Some(data) = data {
            let [start, _] = buffer.places();
            // SAFETY: the buffer has so many bytes, and nobody else uses it yet.
            unsafe { UserBuffer::dense(start, bytes) }.copy_from(data);
        }
        Some(buffer)
    }

    /// Copies what a target has put into a bounce buffer to where the program wants it.
    pub(crate) fn copy_result(&self, mut buffer: BounceBuffer, into: &mut UserBuffer) {
        let [_, result] = buffer.places();
        // SAFETY: the target was told to put as many bytes there, and has.
        into.copy_from(&unsafe { UserBuffer::dense(result, buffer.data_bytes()) });
        self.near_windows.bounce_buffers.keep(buffer);
    }

    /// Takes back the bounce buffers of operations that a target has acknowledged.
    pub(crate) fn take_bounce_buffers_back(&self, window: &Window, from: Rank) {
        let mut origin = window.origin.borrow_mut();
        // Another thread may have begun an operation since.
        if !origin.peers[from as usize].is_settled() {
            return;
        }
        let in_use = &mut origin.bounce_buffers;
        let mut at = 0;
        while at < in_use.len() {
            match in_use[at].0 == from {
                true => self.near_windows.bounce_buffers.keep(in_use.swap_remove(at).1),
                false => at += 1,
            }
        }
    }

    /// The data in an origin's bounce buffer, and the room for the result.
    pub(crate) fn in_bounce_buffer(
        &self,
        window: &Window,
        from: Rank,
        address: u64,
        bytes: usize,
        has_result: bool,
    ) -> Result<[UserBuffer; 2]> {
        let all = bytes.saturating_mul(1 + usize::from(has_result));
        let start = match self.route_in(window, from)? {
            Route::Node(peer) => self.node.mapped(peer, address, all),
            _ => None,
        };
        let Some(start) = start else {
            let text = format!(
                "a bounce buffer of {all} bytes at {address:#x} of rank {from} for an accumulate \
                 on {} cannot be mapped",
                window.shown_name()
            );
            return Err(Error::new(ErrorClass::Other, text));
        };
        let part = |at: usize, bytes| {
            // SAFETY: mapped, and not used by its owner, as long as that waits for this operation.
            unsafe { UserBuffer::dense(start.as_ptr().add(at), bytes) }
        };
        Ok([part(0, bytes), if has_result { part(bytes, bytes) } else { UserBuffer::EMPTY }])
    }
}
