//! The receiver of packets, which may know where the next one belongs.

use crate::Peer;

/// What the next packet of a peer probably is.
#[derive(Debug)]
pub struct Predicted<'a> {
    /// Its bytes before those that have a destination.
    pub front_bytes: usize,
    /// How these bytes end, if it is that packet.
    pub front_end: &'a [u8],
    /// Where all its other bytes belong. Nothing is lost if others are written there before.
    pub destination: &'a mut [u8],
}

/// Who takes packets.
pub trait PacketHandler {
    /// A packet.
    fn packet(&mut self, packet: &[u8]);

    /// What a peer probably sends next, where that is known.
    fn expected(&mut self, _from: Peer) -> Option<Predicted<'_>> {
        None
    }

    /// The predicted packet has arrived, at its destination; `front` preceded it.
    fn placed(&mut self, _front: &[u8]) {}
}

/// Takes packets as they come.
pub(crate) struct HandlerFn<'a>(pub &'a mut dyn FnMut(&[u8]));

impl PacketHandler for HandlerFn<'_> {
    fn packet(&mut self, packet: &[u8]) {
        (self.0)(packet);
    }
}
