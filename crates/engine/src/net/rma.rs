//! Remote reads and writes, of messages and of windows.

use dunlin_base::Rank;
use dunlin_fabric::Access;
use dunlin_seal::Security;
use dunlin_wire::RemoteKey;

use crate::net::network::{Net, SEGMENTED_BYTES_MAX};

/// Messages from this size on are read remotely where the fabric can: registering memory with a
/// device takes longer than sending a shorter message in packets.
const READ_BYTES_MIN: usize = SEGMENTED_BYTES_MAX;

/// Where data of this process goes, without a message.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Transfer {
    /// From a peer's memory to this.
    Read(*mut [u8]),
    /// From this to a peer's.
    Write(*const [u8]),
}

/// Whose a remote read or write is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RmaOwner {
    /// The inbound transfer with this number.
    Message(u32),
    /// That of a window: its number, and the transfer's.
    Window(u32, u32),
}

impl RmaOwner {
    /// The number by which the fabric knows it.
    pub fn number(self) -> u64 {
        match self {
            RmaOwner::Message(number) => number.into(),
            RmaOwner::Window(window, number) => (u64::from(window) + 1) << 32 | u64::from(number),
        }
    }

    /// The one with this number.
    pub fn of(number: u64) -> RmaOwner {
        match (number >> 32) as u32 {
            0 => RmaOwner::Message(number as u32),
            window => RmaOwner::Window(window - 1, number as u32),
        }
    }
}

/// Where the network finds the memory of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RemotePart {
    pub address: u64,
    pub key: u64,
    /// Whether it writes there, too.
    pub is_writable: bool,
}

impl RemotePart {
    /// The remote key of what begins so many bytes behind the beginning.
    pub fn key_at(&self, offset: u64) -> RemoteKey {
        RemoteKey { address: self.address.wrapping_add(offset), key: self.key }
    }
}

impl Net {
    /// Registers the message `send` for remote reads, if the fabric can and the message is long
    /// enough.
    ///
    /// # Safety
    ///
    /// The data must stay valid until [`Net::deregister`].
    pub unsafe fn register(&mut self, send: u32, data: &[u8]) -> Option<RemoteKey> {
        // Remote reads are neither authenticated nor encrypted.
        if data.len() < READ_BYTES_MIN || self.sink.security != Security::Off {
            return None;
        }
        // SAFETY: the caller's promise; a program does not write to a message that it sends.
        let (number, rkey) = unsafe { self.sink.fabric.register(data, Access::Read) }?;
        self.registered.insert(send, number);
        Some(RemoteKey { address: rkey.address, key: rkey.key })
    }

    /// Ends the registration of the message `send`. True if there was one.
    pub fn deregister(&mut self, send: u32) -> bool {
        let number = self.registered.remove(&send);
        number.inspect(|&number| self.sink.fabric.deregister(number)).is_some()
    }

    /// Lets peers reach `memory` of a window until [`Net::hide`]: the number of the registration,
    /// and where they find it; `None` if the fabric cannot.
    ///
    /// # Safety
    ///
    /// The memory must stay valid, and no reference to what is written may be in use, until then.
    pub unsafe fn show(&mut self, memory: *const [u8]) -> Option<(u32, RemotePart)> {
        // As with messages.
        if self.sink.security != Security::Off {
            return None;
        }
        let is_writable = self.sink.fabric.capabilities().remote_write;
        // SAFETY: the caller's promise.
        let (number, rkey) = unsafe { self.sink.fabric.register(memory, Access::ReadWrite) }?;
        Some((number, RemotePart { address: rkey.address, key: rkey.key, is_writable }))
    }

    /// Ends that.
    pub fn hide(&mut self, number: u32) {
        self.sink.fabric.deregister(number);
    }

    /// Begins to read memory of `peer`, or to write to it. False if the fabric cannot.
    ///
    /// # Safety
    ///
    /// The memory must stay valid, and nobody else may write to it, nor use what is read into,
    /// until [`Net::rma_done`] reports the end.
    pub unsafe fn transfer(
        &mut self,
        peer: Rank,
        there: RemoteKey,
        transfer: Transfer,
        owner: RmaOwner,
    ) -> bool {
        if !self.sink.connected[peer as usize] && self.sink.connect(peer, false).is_none() {
            return false;
        }
        let there = dunlin_fabric::RemoteKey { address: there.address, key: there.key };
        let (fabric, number) = (&mut self.sink.fabric, owner.number());
        // SAFETY: the caller's promise.
        let has_begun = unsafe {
            match transfer {
                Transfer::Read(into) => fabric.read(peer, there, into, number),
                Transfer::Write(from) => fabric.write(peer, there, from, number),
            }
        };
        self.rma_under_way += u32::from(has_begun);
        has_begun
    }

    /// Reports the remote reads and writes that have ended, and whether they succeeded.
    pub fn rma_done(&mut self, done: &mut dyn FnMut(RmaOwner, bool)) {
        if self.rma_under_way == 0 {
            return;
        }
        let under_way = &mut self.rma_under_way;
        self.sink.fabric.rma_done(&mut |number, is_good| {
            *under_way -= 1;
            done(RmaOwner::of(number), is_good);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owners_are_known_by_their_numbers() {
        for owner in [
            RmaOwner::Message(0),
            RmaOwner::Message(u32::MAX),
            RmaOwner::Window(0, 0),
            RmaOwner::Window(7, u32::MAX),
        ] {
            assert_eq!(RmaOwner::of(owner.number()), owner);
        }
    }
}
