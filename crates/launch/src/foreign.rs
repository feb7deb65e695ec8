//! Ranks of another MPI library: each inherits a socket, by which such a library asks for others in
//! the words of PMI. Ranks of Dunlin never speak there, and no server is made for them.

use std::os::fd::{AsRawFd, OwnedFd};

use dunlin_pmi::{Facts, Output, Pair, Server, Standing};
use dunlin_shm::stall::Stall;
use nix::errno::Errno;
use nix::sys::socket::{MsgFlags, recv, send};

use crate::poller::{Poller, Token};
use crate::ranks::monotonic_ns;

/// Read at once; more than most questions have.
const READ_BYTES: usize = 4096;
/// Taken from a rank before it is somebody else's turn: more than its socket holds, so that the
/// last words of one that has ended are all read.
const TURN_BYTES_MAX: usize = 1 << 20;

/// The ranks' sockets.
pub struct Foreign {
    sockets: Vec<Option<OwnedFd>>,
    /// Made when a rank speaks.
    server: Option<Server>,
    /// Since when each rank waits for all others, by the clock of [`monotonic_ns`].
    since_ns: Vec<Option<u64>>,
}

impl Foreign {
    /// Listens to these sockets, one for each rank of this host.
    pub fn new(sockets: Vec<Option<OwnedFd>>, poller: &Poller) -> nix::Result<Foreign> {
        for (place, socket) in sockets.iter().enumerate() {
            socket.iter().try_for_each(|socket| poller.add(socket, Token::Pmi(place)))?;
        }
        let since_ns = vec![None; sockets.len()];
        Ok(Foreign { sockets, server: None, since_ns })
    }

    /// A rank may have said something; answers with what others must see to. `facts` are what ranks
    /// are told of their job.
    pub fn on_readable(
        &mut self,
        place: usize,
        poller: &Poller,
        facts: impl FnOnce() -> Facts,
    ) -> Vec<Output> {
        let said = self.read(place, poller);
        if said.is_empty() {
            return Vec::new();
        }
        let server = self.server.get_or_insert_with(|| Server::new(facts()));
        server.on_bytes(place, &said);
        self.since_ns[place] = server.is_in_fence(place).then(monotonic_ns);
        self.carry_out(poller)
    }

    fn read(&mut self, place: usize, poller: &Poller) -> Vec<u8> {
        let mut said = Vec::new();
        let mut buffer = [0; READ_BYTES];
        while let (Some(socket), true) = (&self.sockets[place], said.len() < TURN_BYTES_MAX) {
            match recv(socket.as_raw_fd(), &mut buffer, MsgFlags::MSG_DONTWAIT) {
                Ok(0) => self.close(place, poller),
                Ok(count) => said.extend_from_slice(&buffer[..count]),
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => break,
                Err(_) => self.close(place, poller),
            }
        }
        said
    }

    fn close(&mut self, place: usize, poller: &Poller) {
        if let Some(socket) = self.sockets[place].take() {
            poller.remove(&socket);
        }
    }

    /// Tells ranks what they are to be told; answers with the rest.
    fn carry_out(&mut self, poller: &Poller) -> Vec<Output> {
        let mut rest = Vec::new();
        while let Some(output) = self.server.as_mut().and_then(Server::poll_output) {
            match output {
                Output::Write(place, bytes) => self.write(place, &bytes, poller),
                Output::HangUp(place) => self.close(place, poller),
                other => rest.push(other),
            }
        }
        rest
    }

    fn write(&mut self, place: usize, bytes: &[u8], poller: &Poller) {
        let Some(socket) = &self.sockets[place] else { return };
        let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_NOSIGNAL;
        let sent = loop {
            match send(socket.as_raw_fd(), bytes, flags) {
                Err(Errno::EINTR) => {}
                sent => break sent,
            }
        };
        // Who asks reads the answer before it asks again, and a socket holds a hundred answers: a
        // rank that does not read is not waited for.
        if sent != Ok(bytes.len()) {
            self.close(place, poller);
        }
    }

    /// All ranks of the job wait in the fence; what they have put.
    pub fn on_fence(&mut self, pairs: &[Pair], poller: &Poller) {
        if let Some(server) = &mut self.server {
            server.on_fence(pairs.to_vec());
        }
        self.since_ns.fill(None);
        self.carry_out(poller);
    }

    /// The answer to what a rank asked of the job's book of names.
    pub fn on_told(&mut self, place: usize, told: Option<String>, poller: &Poller) {
        if let Some(server) = &mut self.server {
            server.on_told(place, told);
        }
        self.carry_out(poller);
    }

    /// What a rank has let know of itself.
    pub fn standing(&self, place: usize) -> Standing {
        self.server.as_ref().map_or(Standing::Silent, |server| server.standing(place))
    }

    /// The wait of a rank for all others, if it is in one.
    pub fn stall(&self, place: usize) -> Option<Stall> {
        self.since_ns[place].map(|since_ns| Stall {
            function: "a barrier of PMI".into(),
            comm: "MPI_COMM_WORLD".into(),
            peer: None,
            tag: None,
            since_ns,
        })
    }
}

/// Hosts on their way to the fence.
#[derive(Default)]
pub struct Fence {
    ranks: usize,
    pairs: Vec<Pair>,
}

impl Fence {
    /// So many ranks more have reached it. What all have put, once `wanted` have.
    pub fn on_reached(&mut self, ranks: u32, pairs: Vec<Pair>, wanted: usize) -> Option<Vec<Pair>> {
        self.ranks += ranks as usize;
        self.pairs.extend(pairs);
        (self.ranks >= wanted).then(|| std::mem::take(self).pairs)
    }
}
