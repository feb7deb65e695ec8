//! A part of a message that is known before it comes: the only one that has not. Who reads packets
//! from a stream can put it where it belongs at once.

use crate::frame::SEGMENT_BYTES;
use crate::header::HEADER_BYTES;
use crate::stream::{Piece, Target};

/// What the next packet of a peer probably is.
#[derive(Debug)]
pub struct Expected<'a> {
    /// Bytes of it before those that have a place.
    pub front_bytes: usize,
    /// How these end, if it is that packet.
    pub front_end: &'a [u8],
    /// Where all its other bytes belong.
    pub place: &'a mut [u8],
}

/// The part that makes a message whole.
#[derive(Debug)]
pub(crate) struct LastPart {
    pub receive: u32,
    piece: Piece,
    frame: [u8; SEGMENT_BYTES],
}

impl LastPart {
    /// The part that comes as `piece`, of a message that the upper calls `receive`.
    pub fn new(receive: u32, piece: Piece) -> LastPart {
        let mut frame = [0; SEGMENT_BYTES];
        piece.write_front(&mut frame);
        LastPart { receive, piece, frame }
    }

    /// What stands before its bytes, behind the header.
    pub fn frame(&self) -> &[u8] {
        &self.frame[..self.piece.target.front_bytes()]
    }

    pub fn front_bytes(&self) -> usize {
        HEADER_BYTES + self.frame().len()
    }

    pub fn offset(&self) -> u64 {
        self.piece.offset
    }

    pub fn bytes(&self) -> usize {
        self.piece.len.into()
    }

    /// The number of the message, if it comes unasked.
    pub fn order(&self) -> Option<u32> {
        match self.piece.target {
            Target::Message { order, .. } => Some(order.0.0),
            Target::Receive(_) => None,
        }
    }
}
