//! Which way a one-sided operation goes: by the origin alone, or with the help of the target. The
//! engine asks these rules, and `dunlin-info explain put` says which of them decides.

use crate::settings::{RMA, Settings};
use crate::single_copy::{NEVER, SingleCopy};

/// The rules, in the order in which they are asked: the first that covers an operation decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
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
    /// It accumulates, for which the kernel copies to and fro, and slowly: a message.
    SlowUpdate,
    /// The operation is shorter than [`one_sided_bytes_min`]: a message.
    Short,
    /// The kernel copies slowly, and the operation has [`BOUNCE_BYTES_MIN`] or more: a message or
    /// the kernel, whichever has taken less time; the kernel while the target does not poll, or
    /// more than [`BOUNCED_BYTES_MAX`] are under way.
    Long,
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
    /// The target does what a message asks for.
    Message,
    /// That or the kernel, whichever has taken less time.
    MessageOrKernel,
}

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
}

impl Rule {
    /// In the order in which they are asked.
    pub const ALL: [Rule; 9] = [
        Rule::AnotherNode,
        Rule::Setting,
        Rule::Mapped,
        Rule::NoCopies,
        Rule::Gaps,
        Rule::SlowUpdate,
        Rule::Short,
        Rule::Long,
        Rule::Copied,
    ];

    /// The rule for an operation.
    pub fn of(memory: Memory, operation: Operation, single_copy: SingleCopy) -> Rule {
        memory.rule().unwrap_or_else(|| operation.rule(single_copy))
    }

    /// The way of the operations that it covers.
    pub fn way(self) -> Way {
        match self {
            Rule::Mapped => Way::Direct,
            Rule::Copied => Way::Kernel,
            Rule::Long => Way::MessageOrKernel,
            Rule::AnotherNode
            | Rule::Setting
            | Rule::NoCopies
            | Rule::Gaps
            | Rule::SlowUpdate
            | Rule::Short => Way::Message,
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
    /// The rule for an operation on memory that the kernel copies.
    #[inline]
    pub fn rule(self, single_copy: SingleCopy) -> Rule {
        if !self.is_contiguous {
            Rule::Gaps
        } else if self.accumulates && single_copy == SingleCopy::Long {
            Rule::SlowUpdate
        } else if self.bytes < one_sided_bytes_min(single_copy) {
            Rule::Short
        } else if self.bytes >= BOUNCE_BYTES_MIN && single_copy == SingleCopy::Long {
            Rule::Long
        } else {
            Rule::Copied
        }
    }
}

/// Whether origins go to memory of their node themselves (`DUNLIN_RMA`).
pub fn by_origin(settings: &Settings) -> bool {
    settings.choice(&RMA, &[("auto", true), ("messages", false)])
}

/// One-sided operations on memory that is not mapped use single copy from so many bytes on;
/// shorter ones go as messages. Where a call takes 1.35 us, in us, by messages and by the
/// kernel: a put of 1 KiB 0.36 and 1.4, of 64 KiB 2.0 and 4.9, of 1 MiB 25 and 63. An accumulate,
/// which takes two calls and is always a message there, of 1 KiB 0.40 and 2.9, of 64 KiB 2.1 and
/// 12.5, of 1 MiB 22 and 190.
pub fn one_sided_bytes_min(single_copy: SingleCopy) -> usize {
    match single_copy {
        SingleCopy::Together | SingleCopy::Receiver => 0,
        SingleCopy::Long => 4 << 10,
        SingleCopy::Off => NEVER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COPIED: Memory =
        Memory { is_near: true, by_origin: true, is_mapped: false, is_copied: true };
    const PUT: Operation = Operation { bytes: 8192, is_contiguous: true, accumulates: false };

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
    fn messages_take_over_where_the_kernel_is_slow() {
        let of = |operation: Operation, mode| Rule::of(COPIED, operation, mode);
        assert_eq!(of(Operation { bytes: 8, ..PUT }, SingleCopy::Long), Rule::Short);
        assert_eq!(of(Operation { bytes: 5000, ..PUT }, SingleCopy::Long), Rule::Copied);
        assert_eq!(of(PUT, SingleCopy::Long), Rule::Long);
        assert_eq!(of(Operation { accumulates: true, ..PUT }, SingleCopy::Long), Rule::SlowUpdate);
        assert_eq!(of(Operation { accumulates: true, ..PUT }, SingleCopy::Together), Rule::Copied);
        assert_eq!(of(Operation { bytes: 8, ..PUT }, SingleCopy::Together), Rule::Copied);
        assert_eq!(of(Operation { is_contiguous: false, ..PUT }, SingleCopy::Together), Rule::Gaps);
    }
}
