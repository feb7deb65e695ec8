//! The only fragment of a message that is still missing, predicted before it arrives: a fabric that
//! reads packets from a stream can read it straight to where it belongs.

use crate::fragmenter::{Fragment, Target};
use crate::frame::SEGMENT_BYTES;
use crate::header::HEADER_BYTES;

/// What the next packet of a peer probably is.
#[derive(Debug)]
pub struct Predicted<'a> {
    /// Its bytes before those that have a destination.
    pub front_bytes: usize,
    /// How these bytes end, if it is that packet.
    pub front_end: &'a [u8],
    /// Where all its other bytes belong.
    pub destination: &'a mut [u8],
}

/// The fragment that completes a message.
#[derive(Debug)]
pub(crate) struct PredictedFragment {
    pub receive: u32,
    fragment: Fragment,
    frame: [u8; SEGMENT_BYTES],
}

impl PredictedFragment {
    /// The fragment `fragment` of a message that the upper layer calls `receive`.
    pub fn new(receive: u32, fragment: Fragment) -> PredictedFragment {
        let mut frame = [0; SEGMENT_BYTES];
        fragment.write_front(&mut frame);
        PredictedFragment { receive, fragment, frame }
    }

    /// The frame before its bytes, behind the header.
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

    /// The number of the message, if it is eager.
    pub fn order(&self) -> Option<u32> {
        match self.fragment.target {
            Target::Message { order, .. } => Some(order.0.0),
            Target::Receive(_) => None,
        }
    }
}
