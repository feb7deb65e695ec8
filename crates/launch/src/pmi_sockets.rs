//! Ranks of another MPI library: each inherits a socket, by which the library finds the other ranks
//! with PMI. Ranks of Dunlin never use it, and no server is made for them.

use std::os::fd::{AsRawFd, OwnedFd};

use dunlin_pmi::{Facts, Output, Pair, Server, Standing};
use dunlin_shm::stall::Stall;
use nix::errno::Errno;
use nix::sys::socket::{MsgFlags, recv, send};

use crate::clock::monotonic_ns;
use crate::poller::{Poller, Token};

/// Bytes read at once; more than most requests have.
const READ_BYTES: usize = 4096;
/// Bytes taken from a rank before the next rank's turn: more than its socket holds, so that the
/// last requests of a rank that has ended are all read.
const TURN_BYTES_MAX: usize = 1 << 20;

/// The ranks' sockets.
pub struct PmiSockets {
    sockets: Vec<Option<OwnedFd>>,
    /// Made when a rank sends its first request.
    server: Option<Server>,
    /// Since when each rank waits for all others, by the clock of [`monotonic_ns`].
    since_ns: Vec<Option<u64>>,
}

impl PmiSockets {
    /// Listens to these sockets, one for each rank of this host.
    pub fn new(sockets: Vec<Option<OwnedFd>>, poller: &Poller) -> nix::Result<PmiSockets> {
        for (local_rank, socket) in sockets.iter().enumerate() {
            socket.iter().try_for_each(|socket| poller.add(socket, Token::Pmi(local_rank)))?;
        }
        let since_ns = vec![None; sockets.len()];
        Ok(PmiSockets { sockets, server: None, since_ns })
    }

    /// A rank may have sent something; returns what others must do. `facts` are what ranks are told
    /// about their job.
    pub fn on_readable(
        &mut self,
        local_rank: usize,
        poller: &Poller,
        facts: impl FnOnce() -> Facts,
    ) -> Vec<Output> {
        let said = self.read(local_rank, poller);
        if said.is_empty() {
            return Vec::new();
        }
        let server = self.server.get_or_insert_with(|| Server::new(facts()));
        server.on_bytes(local_rank, &said);
        self.since_ns[local_rank] = server.is_in_fence(local_rank).then(monotonic_ns);
        self.carry_out(poller)
    }

    fn read(&mut self, local_rank: usize, poller: &Poller) -> Vec<u8> {
        let mut said = Vec::new();
        let mut buffer = [0; READ_BYTES];
        while let (Some(socket), true) = (&self.sockets[local_rank], said.len() < TURN_BYTES_MAX) {
            match recv(socket.as_raw_fd(), &mut buffer, MsgFlags::MSG_DONTWAIT) {
                Ok(0) => self.close(local_rank, poller),
                Ok(count) => said.extend_from_slice(&buffer[..count]),
                Err(Errno::EINTR) => {}
                Err(Errno::EAGAIN) => break,
                Err(_) => self.close(local_rank, poller),
            }
        }
        said
    }

    fn close(&mut self, local_rank: usize, poller: &Poller) {
        if let Some(socket) = self.sockets[local_rank].take() {
            poller.remove(&socket);
        }
    }

    /// Tells ranks what they are to be told; answers with the rest.
    fn carry_out(&mut self, poller: &Poller) -> Vec<Output> {
        let mut rest = Vec::new();
        while let Some(output) = self.server.as_mut().and_then(Server::poll_output) {
            match output {
                Output::Write(local_rank, bytes) => self.write(local_rank, &bytes, poller),
                Output::HangUp(local_rank) => self.close(local_rank, poller),
                other => rest.push(other),
            }
        }
        rest
    }

    fn write(&mut self, local_rank: usize, bytes: &[u8], poller: &Poller) {
        let Some(socket) = &self.sockets[local_rank] else { return };
        let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_NOSIGNAL;
        let sent = loop {
            match send(socket.as_raw_fd(), bytes, flags) {
                Err(Errno::EINTR) => {}
                sent => break sent,
            }
        };
        // A rank reads the answer before its next request, and a socket holds a hundred answers: we
        // do not wait for a rank that does not read.
        if sent != Ok(bytes.len()) {
            self.close(local_rank, poller);
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

    /// The answer to a rank's request for the job's table of names.
    pub fn on_told(&mut self, local_rank: usize, told: Option<String>, poller: &Poller) {
        if let Some(server) = &mut self.server {
            server.on_answer(local_rank, told);
        }
        self.carry_out(poller);
    }

    /// What a rank has told about itself.
    pub fn standing(&self, local_rank: usize) -> Standing {
        self.server.as_ref().map_or(Standing::Silent, |server| server.standing(local_rank))
    }

    /// The wait of a rank for all others, if it is in one.
    pub fn stall(&self, local_rank: usize) -> Option<Stall> {
        self.since_ns[local_rank].map(|since_ns| Stall {
            function: "a barrier of PMI".into(),
            comm: "MPI_COMM_WORLD".into(),
            peer: None,
            tag: None,
            holder: None,
            lock: None,
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
