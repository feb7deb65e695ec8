//! The messages that this process sends and receives, whatever carries them: requests in progress,
//! posted receives, unexpected messages, and the delivery of what arrives into the buffers of
//! receives. Transports call here; nothing here knows them.

use std::collections::HashSet;

use dunlin_base::counters::Counter;
use dunlin_base::{Error, ErrorClass, Tag};
use dunlin_copy::{CopyFn, copy_slice};
use dunlin_shm::counters::Counters;
use dunlin_wire::Consumed;

use crate::matching::{Envelope, Matching};
use crate::objects::buffer::UserBuffer;
use crate::objects::process_table::Route;
use crate::objects::status::Status;
use crate::objects::table::Table;
use crate::p2p::arrival::{Payload, Rts};
use crate::p2p::inbound_transfer::{InboundTransfer, StagedMessage};
use crate::p2p::request::{Kind, RequestId, Requests};
use crate::p2p::unexpected::Unexpected;

/// What is in progress.
#[derive(Debug)]
pub(crate) struct Transfers {
    pub requests: Requests,
    pub matching: Matching<RequestId, Unexpected>,
    /// Contexts and tags of operations that have failed.
    pub abandoned: HashSet<(u64, Tag)>,
    /// Messages that nobody will receive, and whose senders wait.
    pub dropped: Vec<(Envelope, Unexpected)>,
    /// Messages that come in fragments.
    pub inbound: Table<InboundTransfer>,
    pub scratch: Vec<u8>,
    /// How many receives have failed.
    pub failures: u64,
    pub counters: &'static Counters,
}

impl Transfers {
    pub fn new(counters: &'static Counters) -> Transfers {
        Transfers {
            requests: Requests::default(),
            matching: Matching::new(),
            abandoned: HashSet::new(),
            dropped: Vec::new(),
            inbound: Table::default(),
            scratch: Vec::new(),
            failures: 0,
            counters,
        }
    }

    /// An eager message has arrived: it goes into the receive that it matches, or is kept.
    #[inline]
    pub fn eager(&mut self, from: Route, envelope: Envelope, payload: impl Payload) -> Consumed {
        if let Some(receive) = self.arrive(&envelope) {
            self.deliver(receive, &envelope, payload);
            return Consumed::Now;
        }
        self.keep_unexpected(envelope, Unexpected::Whole { from, data: payload.into_boxed() });
        Consumed::Later
    }

    /// Moves a whole message into the receive that has matched it.
    #[inline]
    pub fn deliver(&mut self, receive: RequestId, envelope: &Envelope, payload: impl Payload) {
        let len = payload.len();
        let buffer = receive_buffer(&mut self.requests, receive);
        match buffer.as_dense_mut(len) {
            Some(to) if to.len() == len => {
                payload.read(to);
                return self.requests.complete(receive, Status::received(envelope, len as u64));
            }
            _ => payload.unpack(buffer, &mut self.scratch),
        }
        self.received(receive, envelope, len as u64);
    }

    /// A message has been announced: the receive that has matched it, to which the transport must
    /// bring it; without one it is kept.
    pub fn rts(&mut self, from: Route, envelope: Envelope, rts: Rts) -> Option<RequestId> {
        self.counters.add(Counter::RendezvousMessagesReceived, 1);
        self.counters.add(Counter::RendezvousBytesReceived, rts.bytes);
        let receive = self.arrive(&envelope);
        if receive.is_none() {
            self.keep_unexpected(envelope, Unexpected::Rendezvous { from, rts });
        }
        receive
    }

    /// Forgets a message that was announced, if no receive has matched it.
    pub fn withdraw_rts(&mut self, from: Route, send: RequestId) -> Option<(Envelope, Rts)> {
        let is_it = |message: &Unexpected| match message {
            Unexpected::Rendezvous { from: by, rts } => *by == from && rts.send == send,
            _ => false,
        };
        match self.matching.remove_matching(is_it)? {
            (envelope, Unexpected::Rendezvous { rts, .. }) => Some((envelope, rts)),
            _ => unreachable!("an RTS was looked for"),
        }
    }

    /// Forgets a message in synchronous mode from a peer of the node, which awaits this
    /// acknowledgement, if no receive has matched it.
    pub fn withdraw_sync(&mut self, from: usize, awaited: u8) -> Option<Envelope> {
        let is_it = |message: &Unexpected| match message {
            Unexpected::Synchronous { peer, number, .. } => *peer == from && *number == awaited,
            _ => false,
        };
        self.matching.remove_matching(is_it).map(|(envelope, _)| envelope)
    }

    /// A message of `bytes` begins to come in fragments, unasked; returns the number by which they
    /// are delivered.
    pub fn begin(&mut self, from: Route, envelope: Envelope, bytes: u64) -> (u32, Consumed) {
        if let Some(receive) = self.arrive(&envelope) {
            return (self.expect_fragments(receive, &envelope, bytes), Consumed::Now);
        }
        let data = vec![0; bytes as usize].into_boxed_slice();
        let staged = StagedMessage { from, data, is_whole: false, claimed: None };
        let number = self.inbound.insert(InboundTransfer::Staged(staged));
        self.keep_unexpected(envelope, Unexpected::Coming { number, bytes });
        (number, Consumed::Later)
    }

    /// A message of `bytes` is to come into a receive in fragments, by the number returned.
    pub fn expect_fragments(&mut self, receive: RequestId, envelope: &Envelope, bytes: u64) -> u32 {
        let envelope = *envelope;
        self.inbound.insert(InboundTransfer::Receive { receive, envelope, bytes, arrived: 0 })
    }

    /// Puts a fragment where it belongs, out of a packet or out of shared memory. The bytes of the
    /// message that have come, where they are counted here.
    pub fn fragment(&mut self, number: u32, offset: u64, data: &[u8], copy: CopyFn) -> u64 {
        let offset = offset as usize;
        match self.inbound.get_mut(number) {
            Some(InboundTransfer::Receive { receive, arrived, .. }) => {
                *arrived += data.len() as u64;
                receive_buffer(&mut self.requests, *receive).unpack_by(offset, data, copy);
                *arrived
            }
            Some(InboundTransfer::Staged(staged)) => {
                copy_slice(data, &mut staged.data[offset..offset + data.len()]);
                0
            }
            None => unreachable!("fragments come of messages that have begun"),
        }
    }

    /// This rank itself has put so much of a message where it belongs. The bytes that have come.
    pub fn copied(&mut self, number: u32, bytes: u64) -> u64 {
        match self.inbound.get_mut(number) {
            Some(InboundTransfer::Receive { arrived, .. }) => {
                *arrived += bytes;
                *arrived
            }
            _ => unreachable!("a rank copies what it has not kept"),
        }
    }

    /// Where a fragment belongs, if that memory is contiguous.
    pub fn destination(&mut self, number: u32, offset: u64, bytes: usize) -> Option<&mut [u8]> {
        let (begin, end) = (offset as usize, offset as usize + bytes);
        let data = match self.inbound.get_mut(number)? {
            InboundTransfer::Staged(staged) => &mut staged.data[..],
            InboundTransfer::Receive { receive, .. } => {
                receive_buffer(&mut self.requests, *receive).as_dense_mut(end)?
            }
        };
        data.get_mut(begin..end)
    }

    /// All fragments have come. A kept message that a receive has claimed meanwhile: its sender and
    /// its bytes.
    pub fn completed(&mut self, number: u32) -> Option<(Route, u64)> {
        match self.inbound.get_mut(number)? {
            InboundTransfer::Staged(staged) => {
                staged.is_whole = true;
                staged.claimed.is_some().then(|| self.release(number))
            }
            &mut InboundTransfer::Receive { receive, envelope, bytes, .. } => {
                self.inbound.remove(number);
                self.received(receive, &envelope, bytes);
                None
            }
        }
    }

    /// A receive takes a message that has begun to come: now, if it is whole (its sender and its
    /// bytes), or when it is.
    pub fn claim(
        &mut self,
        receive: RequestId,
        envelope: &Envelope,
        number: u32,
    ) -> Option<(Route, u64)> {
        let Some(InboundTransfer::Staged(staged)) = self.inbound.get_mut(number) else {
            unreachable!("a message that waits is kept")
        };
        staged.claimed = Some((receive, *envelope));
        staged.is_whole.then(|| self.release(number))
    }

    /// The data of a message that was kept, if all of it has come.
    pub fn take_whole(&mut self, number: u32) -> Option<(Route, Box<[u8]>)> {
        match self.inbound.get_mut(number)? {
            InboundTransfer::Staged(staged) if staged.is_whole => {
                let taken = (staged.from, std::mem::take(&mut staged.data));
                self.inbound.remove(number);
                Some(taken)
            }
            _ => None,
        }
    }

    fn release(&mut self, number: u32) -> (Route, u64) {
        let Some(InboundTransfer::Staged(StagedMessage {
            from,
            data,
            claimed: Some((receive, envelope)),
            ..
        })) = self.inbound.remove(number)
        else {
            unreachable!("a message that a receive has claimed is kept")
        };
        self.deliver(receive, &envelope, &data[..]);
        (from, data.len() as u64)
    }

    /// Completes a receive whose data is in place, of a message of `bytes`.
    #[inline]
    pub fn received(&mut self, id: RequestId, envelope: &Envelope, bytes: u64) {
        let room = receive_buffer(&mut self.requests, id).bytes() as u64;
        let error = (bytes > room).then(|| Box::new(truncated(envelope, bytes, room)));
        self.failures += u64::from(error.is_some());
        let status = Status { error, ..Status::received(envelope, bytes.min(room)) };
        self.requests.complete(id, status);
    }

    /// Unpacks a part of a message, as far as there is room, that `read` puts into memory of ours.
    pub fn unpack_from<E>(
        &mut self,
        receive: RequestId,
        offset: usize,
        bytes: usize,
        read: impl FnOnce(&mut [u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.scratch.resize(self.scratch.len().max(bytes), 0);
        let piece = &mut self.scratch[..bytes];
        read(piece)?;
        receive_buffer(&mut self.requests, receive).unpack(offset, piece);
        Ok(())
    }

    /// The buffer of a receive.
    #[inline]
    pub fn receive_buffer(&mut self, receive: RequestId) -> &mut UserBuffer {
        receive_buffer(&mut self.requests, receive)
    }

    /// Whether a receive still waits for its message.
    pub fn is_posted(&self, receive: RequestId) -> bool {
        match self.requests.get(receive).map(|r| &r.kind) {
            Ok(&Kind::Receive { posted: Some(place), .. }) => self.matching.is_posted(place),
            _ => false,
        }
    }

    /// Bytes of a message on its way out.
    pub fn send_bytes(&self, send: RequestId) -> usize {
        match self.requests.get(send).map(|r| &r.kind) {
            Ok(Kind::Send { buffer, .. }) => buffer.bytes(),
            _ => unreachable!("only sends go out"),
        }
    }

    /// The data of a message on its way out, where it lies in one piece.
    #[inline]
    pub fn send_data(&self, send: RequestId) -> Option<&[u8]> {
        match self.requests.get(send).map(|r| &r.kind) {
            Ok(Kind::Send { buffer, keep }) => keep.as_ref().map(|k| &k[..]).or(buffer.as_dense()),
            _ => unreachable!("only sends go out"),
        }
    }

    /// Packs a part of a message on its way out.
    pub fn pack(&self, send: RequestId, offset: usize, into: &mut [u8]) {
        if let Some(data) = self.send_data(send) {
            return copy_slice(&data[offset..offset + into.len()], into);
        }
        match self.requests.get(send).map(|r| &r.kind) {
            Ok(Kind::Send { buffer, .. }) => buffer.pack(offset, into),
            _ => unreachable!("only sends go out"),
        }
    }

    /// Shows the packed data of a whole message on its way out.
    #[inline]
    pub fn with_packed<T>(&mut self, send: RequestId, show: impl FnOnce(&[u8]) -> T) -> T {
        if let Some(data) = self.send_data(send) {
            return show(data);
        }
        let bytes = self.send_bytes(send);
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.resize(scratch.len().max(bytes), 0);
        self.pack(send, 0, &mut scratch[..bytes]);
        let shown = show(&scratch[..bytes]);
        self.scratch = scratch;
        shown
    }

    /// Keeps a message that no receive has matched.
    pub fn keep_unexpected(&mut self, envelope: Envelope, message: Unexpected) {
        self.matching.store(envelope, message);
        self.counters.add(Counter::UnexpectedMessages, 1);
        self.counters.raise(Counter::UnexpectedQueueMax, self.matching.unexpected_len() as u64);
    }

    /// Keeps a copy of a message to this process itself.
    pub fn keep_own(&mut self, envelope: Envelope, data: Box<[u8]>) {
        self.keep_unexpected(envelope, Unexpected::Whole { from: Route::Myself, data });
    }

    /// Keeps a synchronous message to this process itself where it is.
    pub fn keep_own_rts(&mut self, envelope: Envelope, rts: Rts) {
        self.keep_unexpected(envelope, Unexpected::Rendezvous { from: Route::Myself, rts });
    }

    /// Two additions in a line that this core owns. Receivers do not count such messages: with two
    /// more there, a stream of 8-byte messages took 22.7 ns each instead of 22.1.
    #[inline(always)]
    pub fn count_eager_sent(&self, bytes: usize) {
        self.counters.add(Counter::EagerMessagesSent, 1);
        self.counters.add(Counter::EagerBytesSent, bytes as u64);
    }

    pub fn count_rendezvous_sent(&self, bytes: u64) {
        self.counters.add(Counter::RendezvousMessagesSent, 1);
        self.counters.add(Counter::RendezvousBytesSent, bytes);
    }
}

/// The buffer of a receive, where the rest of the transfers is borrowed otherwise.
#[inline]
fn receive_buffer(requests: &mut Requests, receive: RequestId) -> &mut UserBuffer {
    match &mut requests.own(receive).kind {
        Kind::Receive { buffer, .. } => buffer,
        _ => unreachable!("a posted receive is a receive"),
    }
}

#[cold]
pub(crate) fn truncated(envelope: &Envelope, bytes: u64, room: u64) -> Error {
    Error::new(
        ErrorClass::Truncate,
        format!(
            "a message of {bytes} bytes from rank {} with tag {} was received into a buffer of \
             {room} bytes; the excess was dropped: receive into a larger buffer",
            envelope.source, envelope.tag
        ),
    )
}
