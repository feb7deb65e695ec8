//! A thread that only sleeps, so that others can name it instead of the process it belongs to. A
//! call of the kernel that copies memory counts itself in lines of the task that it names, and a
//! task that runs needs the same lines at every call of its own: two ranks that copy from each
//! other would hinder each other. A sleeping thread does not need those lines.
//!
//! The thread is made without the C library, which therefore does not know of it: `malloc` and the
//! rest keep the fast paths of a process with one thread. It has no stack and no memory, takes no
//! signals and ends with the process.

use std::sync::atomic::AtomicU64;

/// What the thread shares with the one that starts it: all that makes it part of the process. It
/// then gives up the files: a table that threads share is slower at every call of the kernel.
const SHARED: libc::c_int = libc::CLONE_VM
    | libc::CLONE_FS
    | libc::CLONE_FILES
    | libc::CLONE_SIGHAND
    | libc::CLONE_THREAD
    | libc::CLONE_SYSVSEM;

/// What the thread is told its stack is. It uses none, but Valgrind complains if there is nothing
/// that could be one.
static STACK: [AtomicU64; 2] = [const { AtomicU64::new(0) }; 2];

/// Starts the thread: its number, where the system lets us have one.
pub fn start() -> Option<u32> {
    let all_signals = u64::MAX;
    let before = signal_mask(all_signals)?;
    let number = clone_that_sleeps(STACK.as_ptr() as usize);
    signal_mask(before);
    u32::try_from(number).ok().filter(|&number| number != 0)
}

/// Sets the signals that this thread does not take, and says which it did not take before. The C
/// library's call would leave out those that it uses itself.
fn signal_mask(set: u64) -> Option<u64> {
    let mut before = 0u64;
    // SAFETY: both sets are as long as the kernel is told.
    let failed = unsafe {
        libc::syscall(
            libc::SYS_rt_sigprocmask,
            libc::SIG_SETMASK,
            &raw const set,
            &raw mut before,
            size_of::<u64>(),
        )
    };
    (failed == 0).then_some(before)
}

/// What the kernel's `clone` returns here; there, it does not return.
#[cfg(target_arch = "x86_64")]
fn clone_that_sleeps(stack: usize) -> i64 {
    let number: i64;
    // SAFETY: the new thread never leaves this block. It makes only calls of the kernel that touch
    // no memory, and all signals are blocked, so nothing is ever written to its stack.
    unsafe {
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 3f",
            "xor edi, edi",
            "mov esi, -1",
            "mov edx, {unshare}",
            "mov eax, {close_range}",
            "syscall",
            "2: mov eax, {pause}",
            "syscall",
            "jmp 2b",
            "3:",
            unshare = const libc::CLOSE_RANGE_UNSHARE,
            close_range = const libc::SYS_close_range,
            pause = const libc::SYS_pause,
            inlateout("rax") libc::SYS_clone => number,
            in("rdi") i64::from(SHARED),
            in("rsi") stack,
            in("rdx") 0,
            in("r10") 0,
            in("r8") 0,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack)
        );
    }
    number
}

/// What the kernel's `clone` returns here; there, it does not return.
#[cfg(target_arch = "aarch64")]
fn clone_that_sleeps(stack: usize) -> i64 {
    let number: i64;
    // SAFETY: the new thread never leaves this block. It makes only calls of the kernel that touch
    // no memory, and all signals are blocked, so nothing is ever written to its stack. `ppoll` of
    // nothing without an end waits for a signal.
    unsafe {
        std::arch::asm!(
            "svc 0",
            "cbnz x0, 3f",
            "mov x0, 0",
            "mov x1, -1",
            "mov x2, {unshare}",
            "mov x8, {close_range}",
            "svc 0",
            "2: mov x0, 0",
            "mov x1, 0",
            "mov x2, 0",
            "mov x3, 0",
            "mov x8, {ppoll}",
            "svc 0",
            "b 2b",
            "3:",
            unshare = const libc::CLOSE_RANGE_UNSHARE,
            close_range = const libc::SYS_close_range,
            ppoll = const libc::SYS_ppoll,
            in("x8") libc::SYS_clone,
            inlateout("x0") i64::from(SHARED) => number,
            in("x1") stack,
            in("x2") 0,
            in("x3") 0,
            in("x4") 0,
            options(nostack)
        );
    }
    number
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn clone_that_sleeps(_stack: usize) -> i64 {
    0
}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
    use super::*;
    use crate::cma;

    #[test]
    fn memory_is_read_in_the_name_of_the_thread() {
        let number = start().expect("a thread");
        assert_ne!(number, std::process::id());
        let data = [7; 100];
        let mut out = [0; 100];
        cma::read(number, data.as_ptr() as u64, &mut out).unwrap();
        assert_eq!(out, data);
    }

    #[test]
    fn the_thread_takes_no_signals_and_this_one_as_many_as_before() {
        let before = blocked("thread-self");
        let number = start().expect("a thread");
        // All but SIGKILL and SIGSTOP, which cannot be blocked.
        let all = !(1 << (libc::SIGKILL - 1) | 1 << (libc::SIGSTOP - 1));
        assert_eq!(blocked(&format!("self/task/{number}")), all);
        assert_eq!(blocked("thread-self"), before);
    }

    /// The signals that a thread does not take.
    fn blocked(thread: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{thread}/status")).unwrap();
        let text = status.lines().find_map(|line| line.strip_prefix("SigBlk:")).unwrap();
        u64::from_str_radix(text.trim(), 16).unwrap()
    }
}
