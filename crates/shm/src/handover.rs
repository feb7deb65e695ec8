//! How ranks of one node get their segment where no launcher of ours made it: the first rank of
//! the node makes it and hands its descriptor to the others through a socket whose name only
//! exists in the kernel, so that no file is left behind.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{
    ControlMessage, ControlMessageOwned, MsgFlags, getsockopt, recvmsg, sendmsg, sockopt,
};
use nix::unistd::getuid;

/// How long a rank that looks for the first rank waits between two tries: twice as long each time,
/// up to the longest.
const RETRY: Duration = Duration::from_micros(50);
const RETRY_MAX: Duration = Duration::from_millis(1);
/// How long the first rank waits for others before it looks at the clock.
const LOOK_MS: u8 = 100;
/// After this long the user is told what the rank waits for.
const PATIENCE: Duration = Duration::from_secs(60);
/// The longest greeting of a rank.
const HELLO_BYTES_MAX: usize = 64 * 1024;

/// The greeting of a rank, whose format the caller defines.
pub type Hello = Vec<u8>;

/// The first rank of a node, to which all others have connected.
pub struct SegmentHandover {
    others: Vec<UnixStream>,
    hellos: Vec<Hello>,
}

impl SegmentHandover {
    /// Waits at `name` until `others` ranks of the same user have connected. `late` is called once,
    /// after a minute, with their number so far.
    pub fn gather(name: &str, others: usize, late: &dyn Fn(usize)) -> io::Result<SegmentHandover> {
        let listener = UnixListener::bind_addr(&address(name)?).map_err(|e| match e.kind() {
            io::ErrorKind::AddrInUse => io::Error::new(
                e.kind(),
                "another process is the first rank of this job on this host already: start each \
                 rank once",
            ),
            _ => e,
        })?;
        listener.set_nonblocking(true)?;
        let mut handover = SegmentHandover { others: Vec::new(), hellos: Vec::new() };
        let mut timeout = Patience::new();
        while handover.others.len() < others {
            match listener.accept() {
                Ok((stream, _)) if is_ours(&stream) => handover.admit(stream)?,
                // Somebody else connects: not one of us.
                Ok(_) => {}
                Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
                    timeout.look(|| late(handover.others.len()));
                    wait_for_connection(&listener);
                }
                Err(e) => return Err(e),
            }
        }
        Ok(handover)
    }

    fn admit(&mut self, stream: UnixStream) -> io::Result<()> {
        let hello = read_hello(&stream).map_err(|e| {
            let text = format!("a rank of this host does not say who it is; has it ended? ({e})");
            io::Error::new(e.kind(), text)
        })?;
        self.hellos.push(hello);
        self.others.push(stream);
        Ok(())
    }

    /// The greetings of the others, in the order in which they came.
    pub fn hellos(&self) -> &[Hello] {
        &self.hellos
    }

    /// Gives all others a descriptor of their own for the file behind `fd`.
    pub fn hand_over(self, fd: BorrowedFd<'_>) -> io::Result<()> {
        let fds = [fd.as_raw_fd()];
        for stream in self.others {
            let about = [io::IoSlice::new(&[0])];
            let message = [ControlMessage::ScmRights(&fds)];
            let (to, flags) = (stream.as_raw_fd(), MsgFlags::MSG_NOSIGNAL);
            uninterrupted(|| Ok(sendmsg::<()>(to, &about, &message, flags, None)?))?;
        }
        Ok(())
    }
}

/// Connects to the first rank of the node, which waits or will wait at `name`, sends `hello` and
/// gets the descriptor. `late` is called once, after a minute.
pub fn join(name: &str, hello: &[u8], late: &dyn Fn()) -> io::Result<OwnedFd> {
    let address = address(name)?;
    let mut timeout = Patience::new();
    let stream = loop {
        match UnixStream::connect_addr(&address) {
            Ok(stream) if is_ours(&stream) => break stream,
            Ok(_) => {
                let text = "another user waits where the first rank of this host should";
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, text));
            }
            // Not there yet, or its queue is full, or a signal came.
            Err(e)
                if matches!(
                    e.kind(),
                    io::ErrorKind::ConnectionRefused
                        | io::ErrorKind::WouldBlock
                        | io::ErrorKind::Interrupted
                ) =>
            {
                timeout.look(late);
                timeout.pause();
            }
            Err(e) => return Err(e),
        }
    };
    let told = (&stream).write_all(&(hello.len() as u32).to_le_bytes());
    let told = told.and_then(|()| (&stream).write_all(hello));
    told.and_then(|()| uninterrupted(|| receive(&stream))).map_err(|e| {
        let text = format!("the first rank of this host has not shared its memory: {e}");
        io::Error::new(e.kind(), text)
    })
}

fn read_hello(mut stream: &UnixStream) -> io::Result<Hello> {
    stream.set_nonblocking(false)?;
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = u32::from_le_bytes(length) as usize;
    if length > HELLO_BYTES_MAX {
        let text = format!("it says {length} bytes of itself; the limit is {HELLO_BYTES_MAX}");
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    let mut hello = vec![0; length];
    stream.read_exact(&mut hello)?;
    Ok(hello)
}

/// Calls again what signals have interrupted: the program may have had handlers before MPI_Init.
fn uninterrupted<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match call() {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

fn receive(stream: &UnixStream) -> io::Result<OwnedFd> {
    let mut byte = [0];
    let mut about = [io::IoSliceMut::new(&mut byte)];
    let mut space = nix::cmsg_space!(RawFd);
    let flags = MsgFlags::MSG_CMSG_CLOEXEC;
    let message = recvmsg::<()>(stream.as_raw_fd(), &mut about, Some(&mut space), flags)?;
    for part in message.cmsgs()? {
        if let ControlMessageOwned::ScmRights(fds) = part {
            if let [fd] = fds[..] {
                // SAFETY: the kernel has just made this descriptor for us.
                return Ok(unsafe { OwnedFd::from_raw_fd(fd) });
            }
        }
    }
    Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it has ended"))
}

fn address(name: &str) -> io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(name)
}

/// Whether a process of the same user is at the other end.
fn is_ours(stream: &UnixStream) -> bool {
    getsockopt(stream, sockopt::PeerCredentials).is_ok_and(|peer| peer.uid() == getuid().as_raw())
}

/// Until somebody connects, a signal comes, or it is time to look at the clock.
fn wait_for_connection(listener: &UnixListener) {
    let mut awaited = [PollFd::new(listener.as_fd(), PollFlags::POLLIN)];
    // If this fails, the next `accept` says why.
    let _whatever_has_come = poll(&mut awaited, PollTimeout::from(LOOK_MS));
}

/// Waits in small steps, and complains once.
struct Patience {
    since: Instant,
    told: bool,
    next: Duration,
}

impl Patience {
    fn new() -> Patience {
        Patience { since: Instant::now(), told: false, next: RETRY }
    }

    fn look(&mut self, late: impl FnOnce()) {
        if !self.told && self.since.elapsed() > PATIENCE {
            self.told = true;
            late();
        }
    }

    fn pause(&mut self) {
        std::thread::sleep(self.next);
        self.next = (2 * self.next).min(RETRY_MAX);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};

    fn name() -> String {
        format!("dunlin-test-{}-{:?}", std::process::id(), std::thread::current().id())
    }

    #[test]
    fn all_get_the_file_of_the_first_whoever_comes_when() {
        let name = name();
        let others: Vec<_> = (1..4)
            .map(|rank| {
                let name = name.clone();
                std::thread::spawn(move || {
                    join(&name, format!("rank {rank}").as_bytes(), &|| {}).unwrap()
                })
            })
            .collect();
        let handover = SegmentHandover::gather(&name, 3, &|_| {}).unwrap();
        let mut hellos = handover.hellos().to_vec();
        hellos.sort();
        assert_eq!(hellos, [b"rank 1", b"rank 2", b"rank 3"]);
        let file = std::fs::File::open("/proc/self/exe").unwrap();
        handover.hand_over(file.as_fd()).unwrap();
        for other in others {
            let fd = std::fs::File::from(other.join().unwrap());
            let inode = |file: &std::fs::File| {
                std::os::unix::fs::MetadataExt::ino(&file.metadata().unwrap())
            };
            assert_eq!(inode(&fd), inode(&file));
        }
    }

    #[test]
    fn signals_that_the_program_takes_disturb_nobody() {
        extern "C" fn nothing(_: libc::c_int) {}
        let action = SigAction::new(
            SigHandler::Handler(nothing),
            // Without SA_RESTART: calls that wait are interrupted.
            SaFlags::empty(),
            SigSet::empty(),
        );
        // SAFETY: the handler does nothing, and no other test uses this signal.
        unsafe { sigaction(Signal::SIGUSR1, &action) }.unwrap();
        let name = name();
        let file = std::fs::File::open("/proc/self/exe").unwrap();
        std::thread::scope(|scope| {
            let (tell, told) = std::sync::mpsc::channel();
            let name = &name;
            let joined = scope.spawn(move || {
                // SAFETY: takes nothing.
                tell.send(unsafe { libc::pthread_self() }).unwrap();
                join(name, b"me", &|| {})
            });
            let handover = SegmentHandover::gather(name, 1, &|_| {}).unwrap();
            let thread = told.recv().unwrap();
            for _ in 0..20 {
                std::thread::sleep(RETRY);
                // SAFETY: the thread is joined below, so that its name holds also if it has ended.
                unsafe { libc::pthread_kill(thread, libc::SIGUSR1) };
            }
            // Should it have ended, that is no news here.
            let _ = handover.hand_over(file.as_fd());
            joined.join().unwrap().unwrap();
        });
    }

    #[test]
    fn a_second_first_rank_is_said() {
        let name = name();
        let first = UnixListener::bind_addr(&address(&name).unwrap()).unwrap();
        let error = SegmentHandover::gather(&name, 0, &|_| {}).err().unwrap();
        assert!(error.to_string().contains("start each rank once"), "{error}");
        drop(first);
    }

    #[test]
    fn a_rank_that_ends_while_it_says_who_it_is_is_said() {
        for said in [&b""[..], &5u32.to_le_bytes(), &u32::MAX.to_le_bytes()] {
            let (ours, mut theirs) = UnixStream::pair().unwrap();
            theirs.write_all(said).unwrap();
            drop(theirs);
            let mut handover = SegmentHandover { others: Vec::new(), hellos: Vec::new() };
            let error = handover.admit(ours).unwrap_err();
            assert!(error.to_string().contains("does not say who it is"), "{error}");
        }
    }

    #[test]
    fn a_first_rank_that_ends_early_is_said() {
        let name = name();
        let first = UnixListener::bind_addr(&address(&name).unwrap()).unwrap();
        let leaves = std::thread::spawn(move || drop(first.accept().unwrap()));
        let error = join(&name, b"", &|| {}).unwrap_err();
        assert!(error.to_string().contains("first rank"), "{error}");
        leaves.join().unwrap();
    }
}
