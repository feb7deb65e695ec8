//! How much of a core the progress thread gets.

/// How much the scheduler is to favour the thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    /// More than the program.
    More,
    /// Less.
    Less,
}

/// What the scheduler knows of a thread; `sched_setattr(2)`.
#[repr(C)]
#[derive(Default)]
struct SchedAttr {
    size: u32,
    policy: u32,
    flags: u64,
    nice: i32,
    priority: u32,
    slice_ns: u64,
    deadline_ns: u64,
    period_ns: u64,
}

/// How much nicer than the thread the others are, where it has more weight.
const NICER: i32 = 15;
/// How much nicer the thread is, where it has less, a tenth: the program may wait for it, or for
/// what it does. On 2 cores with 4 ranks that compute, and other work, `tests/c/async_progress.c`
/// takes 1.3 s with as much weight as the program, 2.2 with a tenth, 12 with the least there is.
const NICE: i32 = 10;
/// The shortest slice that Linux grants.
const SLICE_NS: u64 = 100_000;

/// Tells the scheduler how to treat this thread. Where the user has chosen a policy, or the kernel
/// does not know this, all stays as it is.
///
/// With more weight, it asks for the core soon after something has come, also from a program that
/// computes on it: shorter slices than others have (Linux 6.12), and more weight than the program
/// where this process may have it (root, `RLIMIT_NICE`). Without, a fetch-and-op on a computing
/// rank of another host takes 60 us, with shorter slices 50, with both 35.
///
/// With less, it leaves most of a core that it shares to the program, and works where one is free.
pub(crate) fn set_weight(weight: Weight) {
    let mut attr = SchedAttr::default();
    let size = size_of::<SchedAttr>();
    // SAFETY: the kernel writes as many bytes as it is told; 0 is this thread.
    let got = unsafe { libc::syscall(libc::SYS_sched_getattr, 0, &raw mut attr, size, 0) };
    if got != 0 || attr.policy != libc::SCHED_OTHER as u32 {
        return;
    }
    (attr.size, attr.slice_ns) = (size as u32, SLICE_NS);
    let own = attr.nice;
    let choices = match weight {
        Weight::More => [own - NICER, own],
        // The kernel takes the nicest there is for what is more.
        Weight::Less => [own + NICE, own],
    };
    for nice in choices {
        attr.nice = nice;
        // SAFETY: the kernel reads as many bytes as `size` says; 0 is this thread, without flags.
        if unsafe { libc::syscall(libc::SYS_sched_setattr, 0, &raw const attr, 0) } == 0 {
            return;
        }
    }
}
