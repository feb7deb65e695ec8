//! What a target answers to an origin, in the order of what was asked: to all of one packet in one
//! packet. To an origin of its node these are results of short operations and
//! acknowledgements, to one of another node messages (`message.rs`).

use dunlin_base::{Error, Rank, Result};

use crate::engine::Engine;
use crate::objects::window::{Flavor, Origin, Window};
use crate::rma::message::{Kind, decode_failure, nonsense, pack};
use crate::rma::packing::FAR_BYTES_MAX;
use crate::rma::short::Short;
use crate::rma::target::{is_attached, outside};
use crate::rma::update::{copy_bytes, swap_bytes, update_bytes};

/// Bytes of answers that go together: a packet that both caches hold.
const BYTES_MAX: usize = 2 << 10;

/// A result; its data follows.
const RESULT: u8 = 0;
/// All before a flush or an unlock is done.
const DONE: u8 = 1;
/// An operation that should have had a result has failed: the length of the text, and that.
const FAILED: u8 = 2;

impl Engine {
    /// Does a short operation on this process's memory.
    pub(crate) fn perform_short(
        &self,
        window: &Window,
        from: Rank,
        short: Short,
        data: &[u8],
    ) -> Result<()> {
        let bytes = short.bytes as usize;
        let memory = match named_memory(window, short) {
            Err(error) if short.kind.has_result() => {
                self.answer_failure(&error);
                return Ok(());
            }
            outcome => outcome?,
        };
        // Origins of this node change the memory themselves, under the same lock.
        let updates = &window.own.get().header.updates;
        let (data, kind) = (data.as_ptr(), (short.element, short.op));
        // SAFETY: the memory is the window's, with so many bytes, which the program has given for
        // such accesses. The data is as long as the kind needs, and so is the room for the result.
        unsafe {
            match short.kind {
                Kind::Put => copy_bytes(data, memory, bytes),
                Kind::Accumulate => {
                    let _guard = updates.lock();
                    update_bytes(memory, data, None, kind, bytes).ok_or_else(nonsense)?;
                }
                Kind::Get => self.answer_result(bytes, |into| copy_bytes(memory, into, bytes)),
                Kind::CompareAndSwap => self.answer_result(bytes, |into| {
                    let _guard = updates.lock();
                    swap_bytes(memory, [data, data.wrapping_add(bytes)], into, bytes);
                }),
                _ => {
                    let mut outcome = None;
                    self.answer_result(bytes, |into| {
                        let _guard = updates.lock();
                        outcome = update_bytes(memory, data, Some(into), kind, bytes);
                    });
                    outcome.ok_or_else(nonsense)?;
                }
            }
        }
        if self.near_windows.answers.borrow().len() > BYTES_MAX {
            return self.send_answers(window, from);
        }
        Ok(())
    }

    /// Adds a result, which `write` writes.
    fn answer_result(&self, bytes: usize, write: impl FnOnce(*mut u8)) {
        let answers = &mut self.near_windows.answers.borrow_mut();
        answers.push(RESULT);
        let start = answers.len();
        answers.resize(start + bytes, 0);
        write(answers[start..].as_mut_ptr());
    }

    fn answer_failure(&self, error: &Error) {
        let text = error.text.as_bytes();
        let length = u16::try_from(text.len()).unwrap_or(u16::MAX);
        let answers = &mut self.near_windows.answers.borrow_mut();
        answers.push(FAILED);
        answers.extend(length.to_le_bytes());
        answers.extend_from_slice(&text[..length.into()]);
    }

    /// Adds an acknowledgement.
    pub(crate) fn answer_done(&self) {
        self.near_windows.answers.borrow_mut().push(DONE);
    }

    /// Answers by a message, to an origin of another node with the others.
    pub(crate) fn answer_in_message(
        &self,
        window: &Window,
        to: Rank,
        (kind, body): (Kind, Vec<u8>),
    ) -> Result<()> {
        if !self.is_far(window, to) {
            return self.send_to_window(window, to, kind, body);
        }
        if self.near_windows.answers.borrow().len() + body.len() > FAR_BYTES_MAX {
            self.send_answers(window, to)?;
        }
        if body.len() > FAR_BYTES_MAX {
            return self.send_to_window(window, to, kind, body);
        }
        pack(&mut self.near_windows.answers.borrow_mut(), kind, |out| {
            out.extend(body);
            Ok(())
        })
    }

    /// Sends what has been added for an origin.
    pub(crate) fn send_answers(&self, window: &Window, to: Rank) -> Result<()> {
        let mut answers = self.near_windows.answers.take();
        if answers.is_empty() {
            return Ok(());
        }
        let kind = if self.is_far(window, to) { Kind::Packed } else { Kind::Answers };
        if !self.send_to_window_now(window, to, kind, &answers)? {
            return self.send_to_window_later(window, to, kind, answers);
        }
        answers.clear();
        // The next need no new memory.
        self.near_windows.answers.replace(answers);
        Ok(())
    }

    /// What an origin hears so.
    pub(crate) fn hear_answers(&self, window: &Window, from: Rank, body: &[u8]) -> Result<()> {
        let Origin { peers, failure, .. } = &mut *window.origin.borrow_mut();
        let peer = peers.get_mut(from as usize).ok_or_else(nonsense)?;
        let mut rest = body;
        while let Some((&answer, mut behind)) = rest.split_first() {
            if answer == DONE {
                peer.awaited = peer.awaited.saturating_sub(1);
                rest = behind;
                continue;
            }
            let result = peer.short_results.pop_front().ok_or_else(nonsense)?;
            peer.replies = peer.replies.saturating_sub(1);
            let mut bytes = result.bytes;
            if answer != RESULT {
                let (length, text) = behind.split_first_chunk().ok_or_else(nonsense)?;
                (bytes, behind) = (u16::from_le_bytes(*length).into(), text);
            }
            let (data, behind) = behind.split_at_checked(bytes).ok_or_else(nonsense)?;
            if answer == RESULT {
                // SAFETY: the origin's promise on its buffer, which has so many bytes.
                unsafe { copy_bytes(data.as_ptr(), result.into, bytes) };
            } else {
                *failure = failure.take().or(decode_failure(data));
            }
            rest = behind;
        }
        peer.forget_if_settled();
        Ok(())
    }
}

/// The memory that an operation names, if all of it belongs to the window.
fn named_memory(window: &Window, short: Short) -> Result<*mut u8> {
    let (start, bytes) = (short.start, u64::from(short.bytes));
    let end = start.checked_add(bytes).and_then(|end| i64::try_from(end).ok());
    let is_within = end.is_some_and(|end| match window.flavor {
        Flavor::Dynamic => is_attached(window, start as i64, end),
        _ => end as usize <= window.own_part().size,
    });
    if !is_within {
        return Err(outside(window, window.comm.rank, start as i64, bytes as usize));
    }
    Ok(match window.flavor {
        Flavor::Dynamic => std::ptr::with_exposed_provenance_mut(start as usize),
        _ => window.base.wrapping_add(start as usize),
    })
}
