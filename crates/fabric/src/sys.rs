//! The system calls a fabric is made of, behind safe faces. Nothing here decides anything.

use std::ffi::c_int;
use std::io;
use std::mem::MaybeUninit;
use std::net::{SocketAddr, TcpStream};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

use libc::{cmsghdr, iovec, mmsghdr, msghdr, socklen_t};

/// Runs of datagrams handed to the kernel in one call, and buffers shown to it in one: more do not
/// make the call cheaper per datagram.
pub const BATCH: usize = 8;

/// A socket address as the kernel reads it.
#[derive(Clone, Copy)]
pub union Target {
    four: libc::sockaddr_in,
    six: libc::sockaddr_in6,
}

impl Target {
    /// The kernel's form of `address`.
    pub fn new(address: SocketAddr) -> Target {
        match address {
            SocketAddr::V4(v4) => Target {
                four: libc::sockaddr_in {
                    sin_family: libc::AF_INET as libc::sa_family_t,
                    sin_port: v4.port().to_be(),
                    sin_addr: libc::in_addr { s_addr: u32::from(*v4.ip()).to_be() },
                    sin_zero: [0; 8],
                },
            },
            SocketAddr::V6(v6) => Target {
                six: libc::sockaddr_in6 {
                    sin6_family: libc::AF_INET6 as libc::sa_family_t,
                    sin6_port: v6.port().to_be(),
                    sin6_flowinfo: v6.flowinfo(),
                    sin6_addr: libc::in6_addr { s6_addr: v6.ip().octets() },
                    sin6_scope_id: v6.scope_id(),
                },
            },
        }
    }

    fn len(&self) -> socklen_t {
        // SAFETY: both forms begin with the family, and one of them was written.
        let family = unsafe { self.four.sin_family };
        if family == libc::AF_INET as libc::sa_family_t {
            size_of::<libc::sockaddr_in>() as socklen_t
        } else {
            size_of::<libc::sockaddr_in6>() as socklen_t
        }
    }

    fn start(&self) -> *const libc::sockaddr {
        (&raw const *self).cast()
    }
}

/// Datagrams that lie side by side, all for one address: `bytes` is cut every `segment` bytes.
#[derive(Clone, Copy)]
pub struct Segments<'a> {
    /// Where they go.
    pub target: &'a Target,
    /// All of them; the last may be shorter.
    pub bytes: &'a [u8],
    /// Bytes of each but the last.
    pub segment: usize,
}

/// An ancillary message with one word, as UDP_SEGMENT and UDP_GRO have it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Control {
    header: cmsghdr,
    value: c_int,
    padding: c_int,
}

const NO_CONTROL: Control =
    Control { header: cmsghdr { cmsg_len: 0, cmsg_level: 0, cmsg_type: 0 }, value: 0, padding: 0 };

fn control_len(value_bytes: usize) -> usize {
    std::mem::offset_of!(Control, value) + value_bytes
}

fn done(result: isize) -> io::Result<usize> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result as usize) }
}

/// A call that packets wait for. Those of the C library let a thread be ended inside of them, which
/// costs each 60 ns in a process of several threads; and nobody may end one in the midst of MPI.
macro_rules! call {
    ($number:ident, $($argument:expr),+) => {
        done(libc::syscall(libc::$number, $($argument),+) as isize)
    };
}

/// How many descriptors this process may have.
pub fn descriptors_max() -> usize {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the memory is ours, and the call only writes it.
    let is_known = unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit) } == 0;
    if is_known { usize::try_from(limit.rlim_cur).unwrap_or(usize::MAX) } else { 0 }
}

/// Sends one datagram.
pub fn send_to(socket: RawFd, target: &Target, bytes: &[u8]) -> io::Result<usize> {
    let (start, len, flags) = (bytes.as_ptr(), bytes.len(), libc::MSG_NOSIGNAL);
    // SAFETY: both memories are borrowed for the call, which only reads them.
    unsafe { call!(SYS_sendto, socket, start, len, flags, target.start(), target.len()) }
}

/// Sends the first [`BATCH`] of `runs`; the number of those the kernel has taken, which is less
/// where it could not take the next one. An error is about the first.
pub fn send_runs<'a>(socket: RawFd, runs: impl Iterator<Item = Segments<'a>>) -> io::Result<usize> {
    let mut headers: [MaybeUninit<mmsghdr>; BATCH] = [const { MaybeUninit::uninit() }; BATCH];
    let mut vectors: [MaybeUninit<iovec>; BATCH] = [const { MaybeUninit::uninit() }; BATCH];
    let mut controls = [NO_CONTROL; BATCH];
    let mut count = 0;
    for run in runs.take(BATCH) {
        let (bytes, control) = (run.bytes, &mut controls[count]);
        let base = bytes.as_ptr().cast_mut().cast();
        let vector = vectors[count].write(iovec { iov_base: base, iov_len: bytes.len() });
        let mut header = message(vector, run.target);
        if bytes.len() > run.segment {
            let cmsg_len = control_len(size_of::<u16>());
            control.header =
                cmsghdr { cmsg_len, cmsg_level: libc::SOL_UDP, cmsg_type: libc::UDP_SEGMENT };
            let bytes = (run.segment as u16).to_ne_bytes();
            control.value = c_int::from_ne_bytes([bytes[0], bytes[1], 0, 0]);
            header.msg_control = (&raw mut *control).cast();
            header.msg_controllen = size_of::<Control>();
        }
        headers[count].write(mmsghdr { msg_hdr: header, msg_len: 0 });
        count += 1;
    }
    let start = headers.as_mut_ptr();
    // SAFETY: the first `count` headers are written; what they point to is borrowed or lives here,
    // and the call only reads it, but for the headers' own lengths.
    unsafe { call!(SYS_sendmmsg, socket, start, count, libc::MSG_NOSIGNAL) }
}

fn message(vector: &mut iovec, target: &Target) -> msghdr {
    let mut header = header(std::slice::from_mut(vector));
    header.msg_name = target.start().cast_mut().cast();
    header.msg_namelen = target.len();
    header
}

/// A message of these parts, from or to nobody in particular.
fn header(vectors: &mut [iovec]) -> msghdr {
    // SAFETY: plain data of which zeros are a valid value; its private padding cannot be named.
    let mut header: msghdr = unsafe { std::mem::zeroed() };
    (header.msg_iov, header.msg_iovlen) = (vectors.as_mut_ptr(), vectors.len() as _);
    header
}

/// What the kernel has put into one buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Arrived {
    /// Bytes in the buffer.
    pub len: usize,
    /// Bytes of each datagram in it but the last.
    pub segment: usize,
    /// The datagram was longer than the buffer.
    pub truncated: bool,
}

/// Sends one datagram, or some of a stream, by a socket that is connected.
pub fn send(socket: RawFd, bytes: &[u8]) -> io::Result<usize> {
    let (start, len, flags) = (bytes.as_ptr(), bytes.len(), libc::MSG_NOSIGNAL);
    let nobody = std::ptr::null::<libc::sockaddr>();
    // SAFETY: the memory is borrowed for the call, which only reads it.
    unsafe { call!(SYS_sendto, socket, start, len, flags, nobody, 0) }
}

/// Sends some of a stream that lies in parts.
pub fn send_parts(socket: RawFd, parts: &[&[u8]; 3]) -> io::Result<usize> {
    let mut vectors =
        parts.map(|part| iovec { iov_base: part.as_ptr().cast_mut().cast(), iov_len: part.len() });
    let header = header(&mut vectors);
    // SAFETY: the parts are borrowed for the call, which only reads them.
    unsafe { call!(SYS_sendmsg, socket, &raw const header, libc::MSG_NOSIGNAL) }
}

/// Receives what a stream has, as far as the parts hold it, one after the other; 0 at its end.
pub fn receive_parts(socket: RawFd, parts: [&mut [u8]; 3]) -> io::Result<usize> {
    let mut vectors =
        parts.map(|part| iovec { iov_base: part.as_mut_ptr().cast(), iov_len: part.len() });
    let mut header = header(&mut vectors);
    // SAFETY: the parts are borrowed mutably for the call.
    unsafe { call!(SYS_recvmsg, socket, &raw mut header, 0) }
}

/// Receives what a stream has, as far as the buffer holds it; 0 at its end.
pub fn receive_some(socket: RawFd, buffer: &mut [u8]) -> io::Result<usize> {
    receive_with(socket, buffer, 0)
}

fn receive_with(socket: RawFd, buffer: &mut [u8], flags: c_int) -> io::Result<usize> {
    let (start, len) = (buffer.as_mut_ptr(), buffer.len());
    let (nobody, nothing) = (std::ptr::null_mut::<libc::sockaddr>(), std::ptr::null_mut::<c_int>());
    // SAFETY: the memory is borrowed mutably for the call.
    unsafe { call!(SYS_recvfrom, socket, start, len, flags, nobody, nothing) }
}

/// Receives one datagram into a buffer; what belongs to another piece is not told apart.
pub fn receive(socket: RawFd, buffer: &mut [u8]) -> io::Result<Arrived> {
    // With this flag the kernel says how long the datagram was, whatever the buffer holds.
    let whole = receive_with(socket, buffer, libc::MSG_TRUNC)?;
    let len = whole.min(buffer.len());
    Ok(Arrived { len, segment: len, truncated: whole > len })
}

/// Receives into one buffer.
pub fn receive_run(socket: RawFd, buffer: &mut [u8]) -> io::Result<Arrived> {
    let (mut vector, mut control) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    let mut header = empty_message(buffer, &mut vector, &mut control);
    // SAFETY: the header points to `buffer`, which is borrowed mutably, and to what lives here.
    let len = unsafe { call!(SYS_recvmsg, socket, &raw mut header, 0) }?;
    // SAFETY: the kernel has filled the header, and its control is `control`.
    Ok(unsafe { arrived(&header, &control, len) })
}

/// A message to be received into `buffer`, by way of the other two.
fn empty_message(
    buffer: &mut [u8],
    vector: &mut MaybeUninit<iovec>,
    control: &mut MaybeUninit<Control>,
) -> msghdr {
    let (base, len) = (buffer.as_mut_ptr().cast(), buffer.len());
    let vector = vector.write(iovec { iov_base: base, iov_len: len });
    let mut header = header(std::slice::from_mut(vector));
    header.msg_control = control.as_mut_ptr().cast();
    header.msg_controllen = size_of::<Control>();
    header
}

/// What has come with `header`.
///
/// # Safety
///
/// The kernel has filled it, and what it says of its control message is in `control`.
unsafe fn arrived(header: &msghdr, control: &MaybeUninit<Control>, len: usize) -> Arrived {
    let mut segment = len;
    if header.msg_controllen >= control_len(size_of::<c_int>()) {
        // SAFETY: the kernel says that it has written that much of this control message.
        let (kind, value) = unsafe {
            let control = control.as_ptr();
            ((*control).header, (*control).value)
        };
        if (kind.cmsg_level, kind.cmsg_type) == (libc::SOL_UDP, libc::UDP_GRO) && value > 0 {
            segment = value as usize;
        }
    }
    Arrived { len, segment, truncated: header.msg_flags & libc::MSG_TRUNC != 0 }
}

/// Receives into buffers of `buffer_bytes` that lie side by side in `memory`, as many as fit and at
/// most [`BATCH`]; says of each that was filled what is in it.
pub fn receive_runs(
    socket: RawFd,
    memory: &mut [u8],
    buffer_bytes: usize,
    seen: &mut [Arrived; BATCH],
) -> io::Result<usize> {
    let mut headers: [MaybeUninit<mmsghdr>; BATCH] = [const { MaybeUninit::uninit() }; BATCH];
    let mut vectors: [MaybeUninit<iovec>; BATCH] = [const { MaybeUninit::uninit() }; BATCH];
    let mut controls: [MaybeUninit<Control>; BATCH] = [const { MaybeUninit::uninit() }; BATCH];
    let mut count = 0;
    for buffer in memory.chunks_exact_mut(buffer_bytes).take(BATCH) {
        let msg_hdr = empty_message(buffer, &mut vectors[count], &mut controls[count]);
        headers[count].write(mmsghdr { msg_hdr, msg_len: 0 });
        count += 1;
    }
    let start: *mut mmsghdr = headers.as_mut_ptr().cast();
    let for_ever = std::ptr::null_mut::<libc::timespec>();
    // SAFETY: the first `count` headers are written; they point to parts of `memory`, which is
    // borrowed mutably, and to what lives here.
    let filled = unsafe { call!(SYS_recvmmsg, socket, start, count, 0, for_ever) }?;
    for at in 0..filled {
        // SAFETY: the kernel has filled the first `filled` headers, which were written before, and
        // the control of each.
        seen[at] = unsafe {
            let header = headers[at].assume_init_ref();
            arrived(&header.msg_hdr, &controls[at], header.msg_len as usize)
        };
    }
    Ok(filled)
}

/// Sets a socket option that is an integer.
pub fn set_option(socket: RawFd, level: c_int, name: c_int, value: c_int) -> io::Result<()> {
    let len = size_of::<c_int>() as socklen_t;
    // SAFETY: the option's value is an integer that lives for the call.
    let result = unsafe { libc::setsockopt(socket, level, name, (&raw const value).cast(), len) };
    done(result as isize).map(drop)
}

/// Reads a socket option that is an integer.
pub fn option(socket: RawFd, level: c_int, name: c_int) -> io::Result<c_int> {
    let (mut value, mut len): (c_int, _) = (0, size_of::<c_int>() as socklen_t);
    let start = (&raw mut value).cast();
    // SAFETY: the kernel writes at most `len` bytes to an integer that lives for the call.
    let result = unsafe { libc::getsockopt(socket, level, name, start, &raw mut len) };
    done(result as isize).map(|_| value)
}

/// Which descriptors have something to do: the kernel's own list of those that do.
#[derive(Debug)]
pub struct Epoll(OwnedFd);

/// What [`Epoll::ready`] tells of one descriptor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ready {
    /// The word it was added with.
    pub word: u64,
    /// The other side has closed: behind what can be read is the end.
    pub has_end: bool,
}

impl Epoll {
    /// A list of none.
    pub fn new() -> io::Result<Epoll> {
        // SAFETY: no pointers.
        let fd = done(unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) } as isize)?;
        // SAFETY: the kernel has just made this descriptor for us.
        Ok(Epoll(unsafe { OwnedFd::from_raw_fd(fd as RawFd) }))
    }

    /// Adds a descriptor, known by `word`, that is told as long as it can be read; `write`: or
    /// written to.
    pub fn add(&self, fd: RawFd, word: u64, write: bool) -> io::Result<()> {
        self.control(libc::EPOLL_CTL_ADD, fd, word, write, 0)
    }

    /// From now on the descriptor is told once for what it has and once for what comes, not until
    /// all is read: who is told reads all of it, and with `write` writes until no more is taken.
    pub fn arm(&self, fd: RawFd, word: u64, write: bool) -> io::Result<()> {
        self.control(libc::EPOLL_CTL_MOD, fd, word, write, libc::EPOLLET | libc::EPOLLRDHUP)
    }

    /// Takes a descriptor off the list.
    pub fn remove(&self, fd: RawFd) -> io::Result<()> {
        self.control(libc::EPOLL_CTL_DEL, fd, 0, false, 0)
    }

    fn control(&self, how: c_int, fd: RawFd, word: u64, write: bool, way: c_int) -> io::Result<()> {
        let write = if write { libc::EPOLLOUT } else { 0 };
        let events = (libc::EPOLLIN | write | way) as u32;
        let mut event = libc::epoll_event { events, u64: word };
        // SAFETY: the event lives for the call.
        let result = unsafe { libc::epoll_ctl(self.0.as_raw_fd(), how, fd, &raw mut event) };
        done(result as isize).map(drop)
    }

    /// Fills `ready` with those that have something to do, without waiting; how many there are.
    pub fn ready(&self, ready: &mut [Ready; BATCH]) -> io::Result<usize> {
        let mut events = [libc::epoll_event { events: 0, u64: 0 }; BATCH];
        let (list, start, signals) =
            (self.0.as_raw_fd(), events.as_mut_ptr(), std::ptr::null::<u8>());
        // SAFETY: the kernel writes at most as many events as there is room for.
        let count = unsafe { call!(SYS_epoll_pwait, list, start, BATCH, 0, signals, 0_usize) }?;
        let ends = (libc::EPOLLRDHUP | libc::EPOLLHUP | libc::EPOLLERR) as u32;
        for (ready, event) in ready.iter_mut().zip(&events[..count]) {
            *ready = Ready { word: event.u64, has_end: event.events & ends != 0 };
        }
        Ok(count)
    }
}

impl AsRawFd for Epoll {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

/// Lets nothing in by this socket, so that it never has something to read.
pub fn take_nothing(socket: RawFd) -> io::Result<()> {
    let mut refuse =
        libc::sock_filter { code: (libc::BPF_RET | libc::BPF_K) as u16, jt: 0, jf: 0, k: 0 };
    let program = libc::sock_fprog { len: 1, filter: &raw mut refuse };
    let len = size_of::<libc::sock_fprog>() as socklen_t;
    let (level, name) = (libc::SOL_SOCKET, libc::SO_ATTACH_FILTER);
    // SAFETY: the kernel copies the program, which lives for the call.
    let result = unsafe { libc::setsockopt(socket, level, name, (&raw const program).cast(), len) };
    done(result as isize).map(drop)
}

/// A descriptor that becomes readable at a time.
#[derive(Debug)]
pub struct Timer(OwnedFd);

impl Timer {
    /// One that is not set.
    pub fn new() -> io::Result<Timer> {
        let flags = libc::TFD_CLOEXEC | libc::TFD_NONBLOCK;
        // SAFETY: no pointers.
        let fd = done(unsafe { libc::timerfd_create(libc::CLOCK_MONOTONIC, flags) } as isize)?;
        // SAFETY: the kernel has just made this descriptor for us.
        Ok(Timer(unsafe { OwnedFd::from_raw_fd(fd as RawFd) }))
    }

    /// Readable after `delay`; never, if it is none. What was set before is forgotten.
    pub fn set(&self, delay: Option<Duration>) -> io::Result<()> {
        // A time of zero would stop the timer.
        let delay = delay.map_or(Duration::ZERO, |delay| delay.max(Duration::from_nanos(1)));
        let value = libc::timespec {
            tv_sec: delay.as_secs() as libc::time_t,
            tv_nsec: libc::c_long::from(delay.subsec_nanos() as i32),
        };
        let once = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        let spec = libc::itimerspec { it_interval: once, it_value: value };
        let nothing = std::ptr::null_mut();
        // SAFETY: the specification lives for the call, and the old one is not asked for.
        let result =
            unsafe { libc::timerfd_settime(self.0.as_raw_fd(), 0, &raw const spec, nothing) };
        done(result as isize).map(drop)
    }
}

impl AsRawFd for Timer {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}

/// Begins to connect a stream, which becomes writable when it is connected or has failed.
pub fn begin_connect(address: SocketAddr) -> io::Result<TcpStream> {
    let family = if address.is_ipv4() { libc::AF_INET } else { libc::AF_INET6 };
    let kind = libc::SOCK_STREAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: no pointers.
    let fd = done(unsafe { libc::socket(family, kind, 0) } as isize)?;
    // SAFETY: the kernel has just made this descriptor for us.
    let stream = TcpStream::from(unsafe { OwnedFd::from_raw_fd(fd as RawFd) });
    let target = Target::new(address);
    // SAFETY: the address lives for the call.
    let result = unsafe { libc::connect(stream.as_raw_fd(), target.start(), target.len()) };
    match done(result as isize) {
        Err(e) if e.raw_os_error() != Some(libc::EINPROGRESS) => Err(e),
        _ => Ok(stream),
    }
}

/// Lets `backlog` connections wait at a listening socket.
pub fn set_backlog(socket: RawFd, backlog: c_int) -> io::Result<()> {
    // SAFETY: no pointers.
    done(unsafe { libc::listen(socket, backlog) } as isize).map(drop)
}

/// Bytes given to a stream that the other side's kernel has not confirmed.
pub fn unconfirmed(socket: RawFd) -> io::Result<usize> {
    let mut bytes: c_int = 0;
    // SAFETY: the kernel writes one integer, which lives for the call. (SIOCOUTQ is TIOCOUTQ.)
    let result = unsafe { libc::ioctl(socket, libc::TIOCOUTQ, &raw mut bytes) };
    done(result as isize).map(|_| bytes as usize)
}
