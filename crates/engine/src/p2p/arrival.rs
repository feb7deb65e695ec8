//! What arrives: the announcement of a rendezvous message, the data of an eager one.

use dunlin_copy::{append, copy_slice};
use dunlin_wire::RemoteKey;

use crate::objects::buffer::UserBuffer;
use crate::p2p::request::RequestId;

/// A rendezvous message, as its sender announces it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rts {
    /// Bytes of the message.
    pub bytes: u64,
    /// The sender's request.
    pub send: RequestId,
    /// Where a receiver may read it, if it lies in one piece. What the key means is the
    /// transport's own.
    pub rkey: Option<RemoteKey>,
    /// The sender asks how long its copy takes.
    pub is_timed: bool,
    /// The sender has chosen that the kernel copies it, where it has a choice.
    pub by_kernel: bool,
}

/// The data of an eager message that has just arrived.
pub(crate) trait Payload: Sized {
    /// Bytes of it.
    fn len(&self) -> usize;

    /// Moves it into memory of as many bytes.
    fn read(self, into: &mut [u8]);

    /// Moves as much as fits into a receive's buffer; `scratch` is room to unpack from.
    #[inline]
    fn unpack(self, into: &mut UserBuffer, scratch: &mut Vec<u8>) {
        let len = self.len();
        scratch.resize(scratch.len().max(len), 0);
        self.read(&mut scratch[..len]);
        into.unpack(0, &scratch[..len]);
    }

    /// Keeps it.
    fn into_boxed(self) -> Box<[u8]> {
        let mut data = vec![0; self.len()].into_boxed_slice();
        self.read(&mut data);
        data
    }
}

impl Payload for &[u8] {
    fn len(&self) -> usize {
        <[u8]>::len(self)
    }

    fn read(self, into: &mut [u8]) {
        copy_slice(self, into);
    }

    fn unpack(self, into: &mut UserBuffer, _: &mut Vec<u8>) {
        into.unpack(0, self);
    }

    fn into_boxed(self) -> Box<[u8]> {
        let mut data = Vec::with_capacity(<[u8]>::len(self));
        append(&mut data, self);
        data.into_boxed_slice()
    }
}
