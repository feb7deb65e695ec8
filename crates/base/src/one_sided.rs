//! Which way a one-sided operation goes: by the origin alone, or with the help of the target. The
//! engine asks these rules, and `dunlin-info explain put` says which of them decides.

use crate::settings::{RMA, RMA_REMOTE_MIN, Settings};
use crate::single_copy::SingleCopy;

/// The rules, in the order in which they are asked: the first that covers an operation decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// The target is on another node, whose memory the network reads and writes by itself, and it
    /// puts or gets so much (`DUNLIN_RMA_REMOTE_MIN`) without gaps: that (RDMA).
    Remote,
    /// The target is on another node: a message.
    AnotherNode,
    /// `DUNLIN_RMA=messages`: a message.
    Setting,
    /// The origin maps the memory: loads and stores.
    Mapped,
    /// The kernel does not copy, or must not (`DUNLIN_CMA=off`): a message.
    NoCopies,
    /// The target's elements are not contiguous: a message, since the kernel would be called for
    /// each piece.
    Gaps,
    /// It has no short form, no more than [`SHORT_BYTES_MAX`], and the kernel copies fast, or a
    /// message with a short form would not be sure to take less time: the kernel, since a message
    /// could not be taken back when the target stops to poll.
    NoShortForm,
    /// It has no more than [`Operation::short_bytes_max`]: a message while the target polls,
    /// otherwise the kernel.
    Short,
    /// It accumulates, or has no more than [`SHORT_BYTES_MAX`], or the kernel copies slowly and it
    /// has [`BOUNCE_BYTES_MIN`] or more: a message or the kernel, whichever has taken less time;
    /// the kernel while the target does not poll, or more than [`BOUNCED_BYTES_MAX`] are under way.
    Timed,
    /// All else: the kernel copies.
    Copied,
}

/// How an operation goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The origin loads and stores.
    Direct,
    /// The kernel copies between the origin's memory and the target's.
    Kernel,
    /// The network reads or writes the target's memory.
    Network,
    /// The target does what a message asks for.
    Message,
    /// That, or the kernel while the target does not poll.
    MessageWhilePolled,
    /// A message or the kernel, whichever has taken less time; the kernel while the target does not
    /// poll.
    MessageOrKernel,
}

/// Bytes of an operation whose message has a short form, which its origin can take back while the
/// target has not begun with it.
pub const SHORT_BYTES_MAX: usize = 4 << 10;

/// A message brings so many bytes or more in a bounce buffer in memory that the node shares.
pub const BOUNCE_BYTES_MIN: usize = 8 << 10;

/// Where the kernel copies, too, no more than so many bytes are in bounce buffers at a time: they
/// stay in the caches.
pub const BOUNCED_BYTES_MAX: usize = 4 << 20;

/// The target's memory, as the origin sees it.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    /// On the origin's node.
    pub is_near: bool,
    /// On another one, where the network reaches it by itself: it does what has so many bytes or
    /// more.
    pub remote_bytes_min: Option<usize>,
    /// The origin may go there itself (`DUNLIN_RMA`).
    pub by_origin: bool,
    /// Mapped by the origin.
    pub is_mapped: bool,
    /// The kernel copies from and to it, and may (`DUNLIN_CMA`).
    pub is_copied: bool,
}

/// An operation on memory that the kernel copies.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    /// Bytes.
    pub bytes: usize,
    /// Whether the target's elements lie side by side.
    pub is_contiguous: bool,
    /// Whether it changes what is there by what was there, as all but put and get do.
    pub accumulates: bool,
    /// Whether a message for it has a short form, if it has no more than [`SHORT_BYTES_MAX`]:
    /// operations whose results a request awaits have not.
    pub is_short_form: bool,
}

impl Rule {
    /// In the order in which they are asked.
    pub const ALL: [Rule; 10] = [
        Rule::Remote,
        Rule::AnotherNode,
        Rule::Setting,
        Rule::Mapped,
        Rule::NoCopies,
        Rule::Gaps,
        Rule::NoShortForm,
        Rule::Short,
        Rule::Timed,
        Rule::Copied,
    ];

    /// The rule for an operation.
    pub fn of(memory: Memory, operation: Operation, single_copy: SingleCopy) -> Rule {
        let by_network = memory.remote_bytes_min.filter(|_| memory.by_origin);
        match by_network {
            Some(bytes_min) if operation.is_for_network(bytes_min) => Rule::Remote,
            _ => memory.rule().unwrap_or_else(|| operation.rule(single_copy)),
        }
    }

    /// The way of the operations that it covers.
    pub fn way(self) -> Way {
        match self {
            Rule::Remote => Way::Network,
            Rule::Mapped => Way::Direct,
            Rule::NoShortForm | Rule::Copied => Way::Kernel,
            Rule::Short => Way::MessageWhilePolled,
            Rule::Timed => Way::MessageOrKernel,
            Rule::AnotherNode | Rule::Setting | Rule::NoCopies | Rule::Gaps => Way::Message,
        }
    }
}

impl Memory {
    /// The rule for all operations on this memory; `None` if it depends on the operation.
    #[inline]
    pub fn rule(self) -> Option<Rule> {
        match self {
            Memory { is_near: false, .. } => Some(Rule::AnotherNode),
            Memory { by_origin: false, .. } => Some(Rule::Setting),
            Memory { is_mapped: true, .. } => Some(Rule::Mapped),
            Memory { is_copied: false, .. } => Some(Rule::NoCopies),
            _ => None,
        }
    }
}

impl Operation {
    /// Whether the network does it, if that reaches the memory, and does what has so many bytes.
    #[inline]
    pub fn is_for_network(self, bytes_min: usize) -> bool {
        self.bytes >= bytes_min && self.is_contiguous && !self.accumulates
    }

    /// The rule for an operation on memory that the kernel copies.
    #[inline]
    pub fn rule(self, single_copy: SingleCopy) -> Rule {
        let Operation { bytes, is_contiguous, accumulates, is_short_form } = self;
        let is_slow = single_copy == SingleCopy::Long;
        let is_short = bytes <= self.short_bytes_max();
        let bounces = is_slow && bytes >= BOUNCE_BYTES_MIN;
        if single_copy == SingleCopy::Off {
            Rule::NoCopies
        } else if !is_contiguous {
            Rule::Gaps
        } else if bytes <= SHORT_BYTES_MAX && !is_short_form && (!is_slow || !is_short) {
            Rule::NoShortForm
        } else if is_short {
            Rule::Short
        } else if accumulates || bounces || bytes <= SHORT_BYTES_MAX {
            Rule::Timed
        } else {
            Rule::Copied
        }
    }

    /// Up to so many bytes a message takes less time than the kernel where the target polls, alone
    /// as well as among others. Where a call takes 0.4 us, in us, by messages and by the kernel: a
    /// put of 8 bytes 0.44 and 0.50, of 1 KiB 0.82 and 0.52, but of 64 at a time 0.04 and 0.50,
    /// 0.16 and 0.52. An accumulate, which takes two calls, of 8 bytes 0.48 and 1.07, of 1 KiB 0.89
    /// and 1.14. Where a call takes 1.35 us, a put of 1 KiB 0.36 and 1.4.
    pub fn short_bytes_max(self) -> usize {
        if self.accumulates { SHORT_BYTES_MAX } else { 512 }
    }
}

/// Whether origins go to memory of their node themselves (`DUNLIN_RMA`).
pub fn by_origin(settings: &Settings) -> bool {
    settings.choice(&RMA, &[("auto", true), ("messages", false)])
}

/// Of so many bytes or more the network reads and writes memory of other nodes by itself.
pub fn remote_bytes_min(settings: &Settings) -> usize {
    settings.integer(&RMA_REMOTE_MIN) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const COPIED: Memory = Memory {
        is_near: true,
        remote_bytes_min: None,
        by_origin: true,
        is_mapped: false,
        is_copied: true,
    };
    const PUT: Operation =
        Operation { bytes: 8192, is_contiguous: true, accumulates: false, is_short_form: true };

    #[test]
    fn the_first_rule_that_covers_an_operation_decides() {
        let of = |memory| Rule::of(memory, PUT, SingleCopy::Together);
        assert_eq!(of(COPIED), Rule::Copied);
        assert_eq!(of(Memory { is_copied: false, ..COPIED }), Rule::NoCopies);
        let mapped = Memory { is_mapped: true, ..COPIED };
        assert_eq!(of(mapped), Rule::Mapped);
        assert_eq!(of(Memory { by_origin: false, ..mapped }), Rule::Setting);
        let far = Memory { is_near: false, by_origin: false, ..mapped };
        assert_eq!(of(far), Rule::AnotherNode);
    }

    #[test]
    fn the_network_moves_what_is_long_and_contiguous() {
        let remote =
            Memory { is_near: false, remote_bytes_min: Some(4096), is_copied: false, ..COPIED };
        let of = |operation| Rule::of(remote, operation, SingleCopy::Together);
        let long = Operation { bytes: 4096, ..PUT };
        assert_eq!(of(long), Rule::Remote);
        for other in [
            Operation { bytes: 4095, ..long },
            Operation { is_contiguous: false, ..long },
            Operation { accumulates: true, ..long },
        ] {
            assert_eq!(of(other), Rule::AnotherNode);
        }
        let forbidden = Memory { by_origin: false, ..remote };
        assert_eq!(Rule::of(forbidden, long, SingleCopy::Together), Rule::AnotherNode);
    }

    #[test]
    fn short_operations_are_messages_and_some_are_timed() {
        let of = |operation: Operation, mode| Rule::of(COPIED, operation, mode);
        let put = |bytes| Operation { bytes, ..PUT };
        let add = |bytes| Operation { bytes, accumulates: true, ..PUT };
        for (operation, fast, slow) in [
            (put(8), Rule::Short, Rule::Short),
            (put(1024), Rule::Timed, Rule::Timed),
            (put(5000), Rule::Copied, Rule::Copied),
            (put(8192), Rule::Copied, Rule::Timed),
            (add(4096), Rule::Short, Rule::Short),
            (add(5000), Rule::Timed, Rule::Timed),
            (Operation { is_short_form: false, ..put(8) }, Rule::NoShortForm, Rule::Short),
            (Operation { is_short_form: false, ..put(1024) }, Rule::NoShortForm, Rule::NoShortForm),
            (Operation { is_short_form: false, ..add(1024) }, Rule::NoShortForm, Rule::Short),
            (Operation { is_short_form: false, ..add(5000) }, Rule::Timed, Rule::Timed),
        ] {
            assert_eq!(of(operation, SingleCopy::Together), fast, "{operation:?}");
            assert_eq!(of(operation, SingleCopy::Long), slow, "{operation:?}");
        }
        assert_eq!(of(Operation { is_contiguous: false, ..PUT }, SingleCopy::Together), Rule::Gaps);
    }
}
