//! Under other libraries' launchers, a lock makes sure that one process at a time is a rank: it
//! binds an abstract socket name, which the kernel gives to one socket only, until it finalizes.
//! Under `mpirun` the segment has that lock (`dunlin_shm::attach`).

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::ErrorKind;
use std::os::fd::{IntoRawFd, RawFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI32, Ordering};

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_pmi::Launcher;

/// The socket, or -1. An atomic, because a forked process reads it.
static HELD: AtomicI32 = AtomicI32::new(NOTHING);
const NOTHING: RawFd = -1;
/// The name it has.
static NAME: OnceLock<String> = OnceLock::new();

/// Makes this process the rank that `launcher` has started, before it connects to the launcher: a
/// second process would speak in the name of the first.
pub(crate) fn acquire_rank(launcher: &Launcher) -> Result<()> {
    let Some(rank) = rank_of(launcher) else { return Ok(()) };
    let mut hasher = DefaultHasher::new();
    rank.hash(&mut hasher);
    // SAFETY: takes nothing and cannot fail.
    let user = unsafe { libc::getuid() };
    let _ = NAME.set(format!("dunlin-{user}-{:016x}-rank", hasher.finish()));
    reacquire()
}

/// The same after [`release_rank`], which some ends of MPI leave out.
pub(crate) fn reacquire() -> Result<()> {
    let Some(name) = NAME.get() else { return Ok(()) };
    if HELD.load(Ordering::Relaxed) != NOTHING {
        return Ok(());
    }
    let address = SocketAddr::from_abstract_name(name);
    match address.and_then(|address| UnixDatagram::bind_addr(&address)) {
        // Relaxed: nothing goes with it.
        Ok(socket) => HELD.store(socket.into_raw_fd(), Ordering::Relaxed),
        Err(e) if e.kind() == ErrorKind::AddrInUse => {
            let text = "another process is this rank, and one process at a time can be it: a \
                        program that a rank starts is none; start it by an mpirun of its own, or \
                        after MPI_Finalize of the other";
            return Err(Error::new(ErrorClass::Other, text));
        }
        // Without abstract socket names a second process is not detected.
        Err(_) => {}
    }
    Ok(())
}

/// Releases the lock, if this process holds it and is not a forked child.
pub(crate) fn release_rank() {
    let fd = HELD.swap(NOTHING, Ordering::Relaxed);
    if fd != NOTHING {
        // SAFETY: ours, and nobody else closes it, because it was taken out.
        unsafe { libc::close(fd) };
    }
}

/// A name for the rank that no other on this host has.
fn rank_of(launcher: &Launcher) -> Option<String> {
    match launcher {
        Launcher::None | Launcher::Mute(_) => None,
        Launcher::Pmix => {
            let variable = |name| std::env::var(name).ok();
            Some(format!("{} {}", variable("PMIX_NAMESPACE")?, variable("PMIX_RANK")?))
        }
        Launcher::Port { address, id } => Some(format!("{address} {id}")),
        Launcher::Descriptor { fd, .. } => {
            // SAFETY: all zeroes is a valid one to be filled.
            let mut stat: libc::stat = unsafe { std::mem::zeroed() };
            // SAFETY: on any number harmless; the structure is ours.
            let told = unsafe { libc::fstat(*fd, &raw mut stat) };
            (told == 0).then(|| format!("socket {}", stat.st_ino))
        }
    }
}
