//! Small frames that wait for a packet, written out one after the other in one piece of memory.

use std::collections::VecDeque;

use crate::frame::Frame;

/// Beyond this many bytes, memory is given back when the queue is empty.
const KEPT_BYTES: usize = 64 * 1024;

/// Frames in the order in which they came.
#[derive(Debug, Default)]
pub(crate) struct FrameQueue {
    bytes: Vec<u8>,
    /// Bytes of it that have gone.
    gone: usize,
    lens: VecDeque<u16>,
}

impl FrameQueue {
    pub fn is_empty(&self) -> bool {
        self.lens.is_empty()
    }

    /// Bytes that wait.
    pub fn len(&self) -> usize {
        self.bytes.len() - self.gone
    }

    pub fn push(&mut self, frame: &Frame<'_>) {
        self.make_room();
        let before = self.bytes.len();
        frame.append_to(&mut self.bytes);
        self.lens.push_back((self.bytes.len() - before) as u16);
    }

    /// The memory of frames that have gone is used again before more is taken.
    fn make_room(&mut self) {
        if self.gone > self.bytes.len() / 2 {
            self.bytes.drain(..self.gone);
            self.gone = 0;
            if self.bytes.is_empty() {
                self.bytes.shrink_to(KEPT_BYTES);
            }
        }
    }

    /// Takes as many whole frames as fit into `room` bytes.
    pub fn take(&mut self, room: usize) -> &[u8] {
        let start = self.gone;
        while let Some(&len) = self.lens.front() {
            let end = self.gone + usize::from(len);
            if end - start > room {
                break;
            }
            self.lens.pop_front();
            self.gone = end;
        }
        &self.bytes[start..self.gone]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::frames;

    fn cts(send: u32) -> Frame<'static> {
        Frame::Cts { send, receive: 0, wanted: 0 }
    }

    #[test]
    fn whole_frames_leave_in_order_and_memory_is_bounded() {
        let mut queue = FrameQueue::default();
        let one = cts(0).bytes();
        let (mut pushed, mut taken) = (0, 0);
        for _ in 0..10_000 {
            for _ in 0..3 {
                queue.push(&cts(pushed));
                pushed += 1;
            }
            for frame in frames(queue.take(3 * one + one / 2)) {
                assert_eq!(frame.unwrap(), cts(taken));
                taken += 1;
            }
        }
        assert_eq!((pushed, queue.len()), (taken, 0));
        assert!(queue.is_empty() && queue.bytes.capacity() < 100 * one);
    }
}
