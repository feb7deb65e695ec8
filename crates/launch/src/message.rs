//! The messages between the controller of a job, which decides, and the ranks of a host, which act.
//! On one machine they pass within one process, between hosts through the agents' channels.

use std::ffi::OsString;
use std::path::PathBuf;

use dunlin_pmi::{Ask, Pair};
use dunlin_shm::address::Address;
use dunlin_shm::job_map::Key;
use serde::{Deserialize, Serialize};

use crate::exit_status::Fault;
use crate::options::Request;
use crate::serial::{addresses, path, remote};
use crate::stall_report::{Activity, HeldLock};

/// Standard output among the streams of a rank.
pub const OUT: usize = 0;
/// Standard error among the streams of a rank.
pub const ERR: usize = 1;

/// How some ranks are reached.
pub type AddressList = Vec<(u32, Address)>;

/// From the controller to the ranks of a host.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub enum Order {
    /// Only to an agent: who it is, and which agents it starts in turn.
    Begin(Begin),
    /// Only to an agent: start the ranks.
    Start(Box<Start>),
    /// Input for rank 0; empty at the end.
    Input(#[serde(with = "serde_bytes")] Vec<u8>),
    /// No longer read standard output, standard error: their readers are slow.
    Pause([bool; 2]),
    /// Pass this signal on.
    Signal(i32),
    /// Ask with this signal to end, and kill after these milliseconds.
    End(i32, u32),
    /// Kill.
    Kill,
    /// Discard what ranks still write.
    Deaf,
    /// Report what each rank does; the answer carries this number.
    Look(u32),
    /// How all ranks are reached.
    Addresses(#[serde(with = "addresses")] AddressList),
    /// By PMI: all ranks wait in the fence; what they have put.
    Fence(Vec<Pair>),
    /// By PMI: the answer to this rank's request for the table of names.
    Told(u32, Option<String>),
    /// Only to an agent: the job is over.
    Leave,
    /// Nothing, so that the channel is not silent.
    Heartbeat,
}

/// Who an agent is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Begin {
    /// Its number among the hosts, which is its node's.
    pub node: u32,
    /// Its host's name, as the user gave it.
    pub name: String,
    /// The hosts below it, with their numbers.
    pub below: Vec<(u32, String)>,
    /// How agents are started.
    pub remote: Remote,
}

/// How an agent is started on another host.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Remote {
    /// The words of the command that precede the host's name.
    pub rsh: Vec<OsString>,
    /// This program.
    #[serde(with = "path")]
    pub program: PathBuf,
    /// Agents that one starts.
    pub width: u32,
    /// Milliseconds of silence after which a channel counts as dead; 0 is never.
    pub timeout_ms: u32,
}

/// All that an agent needs to start its ranks.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub struct Start {
    /// What the user asked for.
    pub request: Request,
    /// Variables to be added to those of the host, or to replace them.
    pub env: Vec<(OsString, OsString)>,
    /// The working directory.
    #[serde(with = "path")]
    pub directory: PathBuf,
    /// The job's key.
    pub key: Key,
    /// The names of the hosts.
    pub hosts: Vec<String>,
    /// The model of rank 0's host, if one fits.
    pub machine: Option<String>,
    /// The host and the part of the command line of each rank.
    pub ranks: Vec<(u32, u32)>,
    /// For each host, ranks of the job on the same machine: hosts may be containers or namespaces.
    pub sharers: Vec<u32>,
    /// Whether standard output and standard error are read while the job runs.
    pub is_live: [bool; 2],
}

/// From the ranks of a host to the controller.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
pub enum Report {
    /// From an agent: this host can start ranks; which machine it is, and the model that fits it.
    Ready(u32, String, Option<String>),
    /// What the user wants printed at the start.
    Preface(String),
    /// Whole lines of a rank, or the beginning of one: the rank, [`OUT`] or [`ERR`], the text.
    Output(u32, u8, #[serde(with = "serde_bytes")] Vec<u8>),
    /// A rank has ended.
    Ended(u32),
    /// Why the job cannot go on: what is wrong, the rank, its process.
    Fault(Fault, u32, i32),
    /// The job cannot go on for another reason: a sentence and the exit status.
    Trouble(String, i32),
    /// What the user should know of a rank, in a sentence; the job goes on.
    Note(String),
    /// What each rank of a host does; lengths of waits in place of their beginnings.
    Activities(u32, Vec<(u32, Activity)>, Vec<HeldLock>),
    /// How all ranks of these hosts are reached.
    Addresses(#[serde(with = "addresses")] AddressList),
    /// By PMI: this many more ranks wait in the fence; what they have put since the last one.
    Fence(u32, Vec<Pair>),
    /// By PMI: a rank's request for the table of names.
    Ask(u32, #[serde(with = "remote::Ask")] Ask),
    /// Rank 0 has taken its input.
    InputTaken,
    /// Rank 0 reads no more.
    InputClosed,
    /// All ranks of this host have ended, and all their output is reported.
    Over(u32),
    /// The agents of these hosts can no longer be reached.
    Lost(Vec<u32>, String),
    /// Nothing, so that the channel is not silent.
    Heartbeat,
}
