//! A descriptor that ranks of a node ring: for a rank that sleeps on descriptors of the network and
//! must be woken by its node too. It is a datagram socket with a name that the kernel chooses,
//! which is in no file system and disappears with the process.

use std::io;
use std::mem::{offset_of, size_of};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::OnceLock;

/// Where the name begins in a socket's address: behind the zero that stands for no file.
const NAME_AT: usize = offset_of!(libc::sockaddr_un, sun_path) + 1;
/// The longest name that fits into a word of the segment; the system draws five characters.
const NAME_BYTES_MAX: usize = size_of::<u64>();

/// The doorbell's name: characters, the rest zeroes; 0 if there is none.
pub(crate) type Name = u64;

/// The sleeper's end.
#[derive(Debug)]
pub(crate) struct Doorbell {
    fd: OwnedFd,
    name: Name,
}

impl Doorbell {
    /// Creates it.
    pub fn new() -> io::Result<Doorbell> {
        let fd = socket()?;
        let mut address = unnamed();
        // An address without a name asks the system for one.
        let len = size_of::<libc::sa_family_t>() as libc::socklen_t;
        // SAFETY: the address is ours and at least so long.
        let bound = unsafe { libc::bind(fd.as_raw_fd(), (&raw const address).cast(), len) };
        let mut len = size_of::<libc::sockaddr_un>() as libc::socklen_t;
        // SAFETY: the address is ours, and as long as we say.
        let told =
            unsafe { libc::getsockname(fd.as_raw_fd(), (&raw mut address).cast(), &raw mut len) };
        if bound < 0 || told < 0 {
            return Err(io::Error::last_os_error());
        }
        let drawn = (len as usize).saturating_sub(NAME_AT);
        if drawn == 0 || drawn > NAME_BYTES_MAX {
            return Err(io::Error::other(format!("the system drew a name of {drawn} characters")));
        }
        let mut name = [0; NAME_BYTES_MAX];
        for (to, from) in name.iter_mut().zip(&address.sun_path[1..=drawn]) {
            *to = *from as u8;
        }
        Ok(Doorbell { fd, name: Name::from_ne_bytes(name) })
    }

    pub fn name(&self) -> Name {
        self.name
    }

    pub fn as_raw_fd(&self) -> RawFd {
        self.fd.as_raw_fd()
    }

    /// Clears it. A rank that rang before has published before what it rang for.
    pub fn drain(&self) {
        let mut word = 0u8;
        loop {
            // SAFETY: one byte of ours; the socket does not wait.
            let n = unsafe { libc::recv(self.as_raw_fd(), (&raw mut word).cast(), 1, 0) };
            if n < 0 {
                break;
            }
        }
    }
}

/// Rings a doorbell. A full queue wakes the sleeper anyway, and a process that is gone need not be
/// woken.
pub(crate) fn ring(name: Name) {
    static RINGER: OnceLock<Option<OwnedFd>> = OnceLock::new();
    let Some(fd) = RINGER.get_or_init(|| socket().ok()) else { return };
    let mut address = unnamed();
    let name = name.to_ne_bytes();
    let len = name.iter().position(|&c| c == 0).unwrap_or(name.len());
    for (to, from) in address.sun_path[1..].iter_mut().zip(&name[..len]) {
        *to = *from as libc::c_char;
    }
    let bytes = (NAME_AT + len) as libc::socklen_t;
    // SAFETY: the address is ours and at least so long; no data is read.
    unsafe {
        let address = (&raw const address).cast();
        libc::sendto(fd.as_raw_fd(), std::ptr::null(), 0, libc::MSG_NOSIGNAL, address, bytes);
    }
}

fn socket() -> io::Result<OwnedFd> {
    let kind = libc::SOCK_DGRAM | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK;
    // SAFETY: no memory is passed.
    let fd = unsafe { libc::socket(libc::AF_UNIX, kind, 0) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor was just made and nobody else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

fn unnamed() -> libc::sockaddr_un {
    // SAFETY: all zeroes is a valid address.
    let mut address: libc::sockaddr_un = unsafe { std::mem::zeroed() };
    address.sun_family = libc::AF_UNIX as libc::sa_family_t;
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_ringing(wakeup: &Doorbell) -> bool {
        let mut poll = libc::pollfd { fd: wakeup.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one valid entry, no waiting.
        unsafe { libc::poll(&raw mut poll, 1, 0) == 1 }
    }

    #[test]
    fn a_doorbell_is_readable_until_it_is_drained() {
        let (one, other) = (Doorbell::new().unwrap(), Doorbell::new().unwrap());
        assert_ne!(one.name(), other.name());
        for times in [1, 1000] {
            assert!(!is_ringing(&one));
            (0..times).for_each(|_| ring(one.name()));
            assert!(is_ringing(&one) && !is_ringing(&other));
            one.drain();
        }
        assert!(!is_ringing(&one));
    }

    #[test]
    fn ringing_a_doorbell_that_is_gone_does_nothing() {
        let name = Doorbell::new().unwrap().name();
        ring(name);
    }
}
