//! Single copy: the kernel copies from one process's private memory straight into another's
//! (`process_vm_readv` and
//! `process_vm_writev`, "cross memory attach"). It is refused across user namespaces, for
//! undumpable processes, by Yama and by old container profiles, so each peer is probed before use.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

use dunlin_base::memory::ask;
use dunlin_base::single_copy::{SLOW_CALL, TIMED_BYTES};
use dunlin_copy::{self as copy, copy_slice};

/// The kernel moves at most this many bytes a call.
const CALL_BYTES_MAX: usize = 0x7fff_f000;

/// Copies `to.len()` bytes from address `from` of process `pid`.
///
/// A long copy that would be slow takes a detour.
///
/// What lies at `from` is the other process's promise; nothing of ours is at risk but the bytes of
/// `to`.
pub fn read(pid: u32, from: u64, to: &mut [u8]) -> io::Result<()> {
    match Detour::needed(from, to.as_ptr() as u64, to.len()) {
        Some(detour) => read_by(detour, pid, from, to),
        None => read_at_once(pid, from, to),
    }
}

fn read_by(mut detour: Detour, pid: u32, from: u64, to: &mut [u8]) -> io::Result<()> {
    for (piece, at) in to.chunks_mut(PIECE_BYTES).zip((0..).step_by(PIECE_BYTES)) {
        let room = detour.room(piece.len());
        read_at_once(pid, from.wrapping_add(at), room)?;
        copy_slice(room, piece);
    }
    Ok(())
}

fn read_at_once(pid: u32, from: u64, to: &mut [u8]) -> io::Result<()> {
    let start = to.as_mut_ptr();
    in_calls(from, to.len(), |done, remote| {
        let local = iovec(start.wrapping_add(done) as u64, remote.iov_len);
        // SAFETY: `local` lies within `to`, which is borrowed mutably here; `remote` is only an
        // address to the kernel, which checks it in the other process.
        unsafe { libc::process_vm_readv(pid as libc::pid_t, &raw const local, 1, remote, 1, 0) }
    })
}

/// Copies `from` to address `to` of process `pid`.
///
/// # Safety
/// That process must have set the memory there apart for this.
pub unsafe fn write(pid: u32, from: &[u8], to: u64) -> io::Result<()> {
    // SAFETY: passed on.
    unsafe {
        match Detour::needed(from.as_ptr() as u64, to, from.len()) {
            Some(detour) => write_by(detour, pid, from, to),
            None => write_at_once(pid, from, to),
        }
    }
}

/// # Safety
/// As for [`write`].
unsafe fn write_by(mut detour: Detour, pid: u32, from: &[u8], to: u64) -> io::Result<()> {
    for (piece, at) in from.chunks(PIECE_BYTES).zip((0..).step_by(PIECE_BYTES)) {
        let room = detour.room(piece.len());
        copy_slice(piece, room);
        // SAFETY: a part of what was promised.
        unsafe { write_at_once(pid, room, to.wrapping_add(at))? };
    }
    Ok(())
}

/// # Safety
/// As for [`write`].
unsafe fn write_at_once(pid: u32, from: &[u8], to: u64) -> io::Result<()> {
    let start = from.as_ptr();
    in_calls(to, from.len(), |done, remote| {
        let local = iovec(start.wrapping_add(done) as u64, remote.iov_len);
        // SAFETY: `local` lies within `from`, which is only read; `remote` is only an address to
        // the kernel, which checks it in the other process.
        unsafe { libc::process_vm_writev(pid as libc::pid_t, &raw const local, 1, remote, 1, 0) }
    })
}

/// Bytes that take the detour at a time.
const PIECE_BYTES: usize = 64 << 10;

/// Memory of this process from and to which copies are not slow. Where the copy itself is
/// ([`copy::is_slow`]), two by way of it take less time: 64 KiB 11 us instead of 50 on an AMD EPYC
/// (Zen 3).
struct Detour {
    memory: Vec<u8>,
    skip: usize,
}

impl Detour {
    /// If a copy of so many bytes needs one, and there is memory.
    fn needed(from: u64, to: u64, bytes: usize) -> Option<Detour> {
        let is_slow = copy::is_slow(from as usize, to as usize, bytes);
        if is_slow { Detour::beside(from, bytes) } else { None }
    }

    /// For copies from or to this address, of so many bytes in all; the other end is near it.
    fn beside(address: u64, bytes: usize) -> Option<Detour> {
        const PAGE: usize = 4 << 10;
        let len = PAGE + bytes.min(PIECE_BYTES);
        let mut memory = Vec::new();
        ask(|| memory.try_reserve_exact(len)).ok()?;
        memory.resize(len, 0);
        // Half a page away from it.
        let start = (memory.as_ptr() as usize).wrapping_add(PAGE / 2);
        Some(Detour { skip: (address as usize).wrapping_sub(start) % PAGE, memory })
    }

    fn room(&mut self, bytes: usize) -> &mut [u8] {
        &mut self.memory[self.skip..][..bytes]
    }
}

/// Calls that are timed. The first ones bring code and tables into the cache.
const TIMED_CALLS: usize = 16;

/// Whether two copies through shared memory are faster than one by the kernel, unless they are
/// long. The kernel copies by the string instruction, which on some processors is slower than
/// vectors are through shared memory ([`copy::shared`]), however soon the call itself returns:
/// there half round trips of 32, 64 and 256 KiB take 2.2, 3.7 and 14 us so, and 5.1, 6.8 and 19 if
/// the kernel copies them (Zen 3; the call for 8 KiB takes less than 1.3 us).
pub fn is_slow() -> io::Result<bool> {
    let time = call_time(TIMED_BYTES)?;
    Ok(time >= SLOW_CALL || copy::has_slow_copies())
}

/// The shortest time in which the kernel copies `bytes` bytes of this process's own memory: what a
/// call takes here, before there is a peer to ask.
fn call_time(bytes: usize) -> io::Result<Duration> {
    let from = vec![1; bytes];
    // Not where such a copy is slow.
    let mut to = Detour::beside(from.as_ptr() as u64, bytes).ok_or(io::ErrorKind::OutOfMemory)?;
    let mut shortest = Duration::MAX;
    for _ in 0..TIMED_CALLS {
        let start = Instant::now();
        read_at_once(std::process::id(), from.as_ptr() as u64, to.room(bytes))?;
        shortest = shortest.min(start.elapsed());
    }
    Ok(shortest)
}

/// Another process's memory as a file. The kernel copies it page by page and twice, but looks no
/// process up: two ranks that read each other at the same time do not take turns at the lines in
/// which the kernel counts who uses a process.
#[derive(Debug)]
pub struct MemoryFile(File);

impl MemoryFile {
    /// Opens the memory of process `pid`, which asks for the same right as [`read`].
    pub fn open(pid: u32) -> io::Result<MemoryFile> {
        File::open(format!("/proc/{pid}/mem")).map(MemoryFile)
    }

    /// Whether a copy is slow: by way of a page of the kernel's, from whose beginning it goes on.
    pub fn is_slow(from: u64, to: &[u8]) -> bool {
        let is_slow = |from, place| copy::is_slow(from, place, to.len());
        is_slow(from as usize, 0) || is_slow(0, to.as_ptr() as usize)
    }

    /// Copies `to.len()` bytes from address `from`.
    pub fn read(&self, from: u64, to: &mut [u8]) -> io::Result<()> {
        self.0.read_exact_at(to, from)
    }
}

/// Moves `len` bytes at `remote` of another process in as many calls as the kernel needs; `call`
/// is told how much is done and what comes next, and returns what the kernel returns.
fn in_calls(
    remote: u64,
    len: usize,
    call: impl Fn(usize, &libc::iovec) -> libc::ssize_t,
) -> io::Result<()> {
    let mut done = 0;
    while done < len {
        // An address that its owner has written too high is an error of the call.
        let next = iovec(remote.wrapping_add(done as u64), (len - done).min(CALL_BYTES_MAX));
        match call(done, &next) {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n if n > 0 => done += n as usize,
            _ => return Err(io::Error::last_os_error()),
        }
    }
    Ok(())
}

fn iovec(start: u64, len: usize) -> libc::iovec {
    libc::iovec { iov_base: start as usize as *mut libc::c_void, iov_len: len }
}

/// Lets the ranks of this node reach our memory where the Yama module would forbid it. Without Yama
/// the call fails, harmlessly.
pub fn allow_peers() {
    // SAFETY: no memory is passed.
    unsafe { libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY, 0, 0, 0) };
}

#[cfg(test)]
mod tests {
    use dunlin_copy::SLOW_BYTES_MIN;

    use super::*;

    #[test]
    fn a_process_reads_its_own_memory() {
        let data: Vec<u8> = (0..10_000).map(|i| i as u8).collect();
        let mut out = vec![0; data.len()];
        read(std::process::id(), data.as_ptr() as u64, &mut out).unwrap();
        assert_eq!(out, data);
    }

    #[test]
    fn data_comes_and_goes_by_a_detour() {
        let me = std::process::id();
        for bytes in [1, SLOW_BYTES_MIN, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES - 7] {
            let data: Vec<u8> = (0..bytes).map(|i| (i ^ (i >> 8)) as u8).collect();
            let mut out = vec![0; bytes];
            let detour = |address| Detour::beside(address, bytes).unwrap();
            let from = data.as_ptr() as u64;
            read_by(detour(from), me, from, &mut out).unwrap();
            assert!(out == data, "{bytes} bytes read");
            out.fill(0);
            let to = out.as_mut_ptr() as u64;
            // SAFETY: as many bytes of ours.
            unsafe { write_by(detour(to), me, &data, to).unwrap() };
            assert!(out == data, "{bytes} bytes written");
            assert!(read_by(detour(8), me, 8, &mut out).is_err());
            // SAFETY: nothing is there.
            assert!(unsafe { write_by(detour(8), me, &data, 8) }.is_err());
        }
    }

    #[test]
    fn a_detour_is_near_neither_end() {
        for address in [0u64, 8, 4080, 4096, 123_456] {
            let mut detour = Detour::beside(address, 100).unwrap();
            let room = detour.room(100).as_ptr() as u64;
            assert_eq!(room.wrapping_sub(address) % 4096, 2048);
        }
    }

    #[test]
    fn a_call_is_timed() {
        let time = call_time(8 << 10).unwrap();
        assert!(time > Duration::ZERO && time < Duration::MAX, "{time:?}");
    }

    #[test]
    fn a_process_writes_its_own_memory() {
        let data: Vec<u8> = (0..10_000).map(|i| i as u8).collect();
        let mut out = vec![0u8; data.len()];
        let to = out.as_mut_ptr() as u64;
        // SAFETY: as many bytes of ours; nothing is at the address 8.
        let written = unsafe { [to, 8].map(|to| write(std::process::id(), &data, to).is_ok()) };
        assert_eq!((written, out), ([true, false], data));
    }

    #[test]
    fn memory_is_read_as_a_file() {
        let data: Vec<u8> = (0..10_000).map(|i| i as u8).collect();
        let mut out = vec![0; data.len()];
        let file = MemoryFile::open(std::process::id()).unwrap();
        file.read(data.as_ptr() as u64, &mut out).unwrap();
        assert_eq!(out, data);
        assert!(file.read(8, &mut out).is_err());
    }

    #[test]
    fn a_bad_address_is_an_error() {
        assert!(read(std::process::id(), 8, &mut [0; 16]).is_err());
    }
}
