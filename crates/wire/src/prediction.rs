//! A part of a message that is known before it comes: the only one that has not. Who reads packets
//! from a stream can put it where it belongs at once.

use crate::fragmenter::{Fragment, Target};
use crate::frame::SEGMENT_BYTES;
use crate::header::HEADER_BYTES;

/// What the next packet of a peer probably is.
#[derive(Debug)]
pub struct Predicted<'a> {
    /// Bytes of it before those that have a place.
    pub front_bytes: usize,
    /// How these end, if it is that packet.
    pub front_end: &'a [u8],
    /// Where all its other bytes belong.
    pub destination: &'a mut [u8],
}

/// The part that makes a message whole.
#[derive(Debug)]
pub(crate) struct PredictedFragment {
    pub receive: u32,
    fragment: Fragment,
    frame: [u8; SEGMENT_BYTES],
}

impl PredictedFragment {
    /// The part that comes as `fragment`, of a message that the upper calls `receive`.
    pub fn new(receive: u32, fragment: Fragment) -> PredictedFragment {
        let mut frame = [0; SEGMENT_BYTES];
        fragment.write_front(&mut frame);
        PredictedFragment { receive, fragment, frame }
    }

    /// What stands before its bytes, behind the header.
    pub fn frame(&self) -> &[u8] {
        &self.frame[..self.fragment.target.front_bytes()]
    }

    pub fn front_bytes(&self) -> usize {
        HEADER_BYTES + self.frame().len()
    }

    pub fn offset(&self) -> u64 {
        self.fragment.offset
    }

    pub fn bytes(&self) -> usize {
        self.fragment.len.into()
    }

    /// The number of the message, if it comes unasked.
    pub fn order(&self) -> Option<u32> {
        match self.fragment.target {
            Target::Message { order, .. } => Some(order.0.0),
            Target::Receive(_) => None,
        }
    }
}
