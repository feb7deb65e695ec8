//! Copies from and to the memory of other ranks of the node: by the kernel, or where this rank maps
//! it, without.

use std::io;
use std::sync::atomic::Ordering;

use dunlin_copy::{copy_apart, copy_slice};

use crate::cma::MemoryFile;
use crate::node::Node;
use crate::{cma, cma_target};

impl Node {
    /// Whether single copy from `peer` works: reads its nonce out of its private memory.
    pub fn can_read(&self, peer: usize) -> bool {
        let record = &self.processes[peer];
        let pid = record.pid.load(Ordering::Acquire);
        let address = record.nonce_address.load(Ordering::Acquire);
        let mut bytes = [0; 8];
        pid != 0
            && cma::read(pid, address, &mut bytes).is_ok()
            && u64::from_ne_bytes(bytes) == record.nonce.load(Ordering::Relaxed)
    }

    /// Whether the kernel copies slowly ([`cma::is_slow`]), as the first rank of the node that has
    /// measured it says. Were each to believe itself, some would find so where it is a close thing,
    /// and others not.
    pub fn has_slow_copies(&self) -> io::Result<bool> {
        const FAST: u32 = 1;
        const SLOW: u32 = 2;
        // Relaxed: the word is all there is to see.
        let found = match self.segment.copies().load(Ordering::Relaxed) {
            0 => {
                let mine = if cma::is_slow()? { SLOW } else { FAST };
                let copies = self.segment.copies();
                let first = copies.compare_exchange(0, mine, Ordering::Relaxed, Ordering::Relaxed);
                first.err().unwrap_or(mine)
            }
            found => found,
        };
        Ok(found == SLOW)
    }

    /// Makes single copy from and to this rank faster where it and a peer copy at the same time, at
    /// the price of a thread. Where the ranks share cores it gains nothing.
    pub fn start_cma_target(&self) {
        if let Some(thread) = cma_target::start() {
            // Relaxed: until a peer sees it, it names the process, which does as well.
            self.processes[self.me].cma_target.store(thread, Ordering::Relaxed);
        }
    }

    /// The thread or process that a copy from or to `peer` names.
    fn task(&self, peer: usize) -> u32 {
        let record = &self.processes[peer];
        match record.cma_target.load(Ordering::Relaxed) {
            0 => record.pid.load(Ordering::Relaxed),
            thread => thread,
        }
    }

    /// Whether this rank copies memory of `peer` without a call of the kernel.
    #[inline]
    pub fn maps(&self, peer: usize, address: u64, bytes: usize) -> bool {
        self.mapped(peer, address, bytes).is_some()
    }

    /// Memory of `peer`, if it is in its heap. The peer must not change it as long as the borrow
    /// lives.
    #[inline]
    pub fn view_of(&self, peer: usize, address: u64, bytes: usize) -> Option<&[u8]> {
        let start = self.mapped(peer, address, bytes)?;
        // SAFETY: mapped as long as this process lives, and any bytes will do.
        Some(unsafe { std::slice::from_raw_parts(start.as_ptr(), bytes) })
    }

    /// Single copy of `to.len()` bytes from address `from` of `peer`.
    pub fn read(&self, peer: usize, from: u64, to: &mut [u8]) -> io::Result<()> {
        if self.read_mapped(peer, from, to) {
            return Ok(());
        }
        cma::read(self.task(peer), from, to)
    }

    /// The same, if it needs no call of the kernel.
    #[inline]
    pub fn read_mapped(&self, peer: usize, from: u64, to: &mut [u8]) -> bool {
        let from = self.view_of(peer, from, to.len());
        from.inspect(|from| copy_slice(from, to)).is_some()
    }

    /// The memory of `peer` as a file, as far as the system lets us open it.
    pub fn memory_file(&self, peer: usize) -> Option<MemoryFile> {
        MemoryFile::open(self.processes[peer].pid.load(Ordering::Relaxed)).ok()
    }

    /// Copies `from` to address `to` of `peer`.
    ///
    /// # Safety
    /// The peer must have set the memory there apart for this, and [`Node::can_read`] must have
    /// said that it is who we think it is.
    pub unsafe fn write(&self, peer: usize, from: &[u8], to: u64) -> io::Result<()> {
        if let Some(to) = self.mapped(peer, to, from.len()) {
            // SAFETY: mapped with room for so much, which the peer has set apart.
            unsafe { copy_apart(from.as_ptr(), to.as_ptr(), from.len()) };
            return Ok(());
        }
        // SAFETY: passed on.
        unsafe { cma::write(self.task(peer), from, to) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::node::tests::pair;

    #[test]
    fn ranks_agree_on_whether_the_kernel_copies_slowly() {
        let (a, b) = pair();
        let mine = a.has_slow_copies().unwrap();
        assert_eq!(b.has_slow_copies().unwrap(), mine);
        let (c, d) = pair();
        for (word, is_slow) in [(1, false), (2, true)] {
            c.segment.copies().store(word, Ordering::Relaxed);
            assert_eq!(d.has_slow_copies().unwrap(), is_slow);
        }
    }
}
