#![doc = include_str!("../README.md")]

mod client;
mod launcher;
pub mod mapping;
mod message;
mod names;
mod pmix;
mod server;
mod values;
pub mod version1;
pub mod version2;

pub use client::{Client, Protocol};
pub use launcher::{Launcher, PmiChoice, TOLD_BY_PMI, of_innermost};
pub use message::Message;
pub use names::{Ask, Names};
pub use pmix::Pmix;
pub use server::{Facts, Output, Pair, Server, Standing};

use dunlin_base::Result;

/// What a rank can ask of the launcher that started it, whatever its protocol.
pub trait Pmi: std::fmt::Debug + Send {
    /// The protocol's name, for users.
    fn name(&self) -> &'static str;

    /// This process's rank in the job.
    fn rank(&self) -> usize;

    /// Ranks of the job.
    fn size(&self) -> usize;

    /// The launcher's name of the job: the same for all its ranks, different from other jobs that
    /// run on the same hosts.
    fn job(&self) -> &str;

    /// The node of each rank, numbered from 0, if the launcher says.
    fn nodes(&mut self) -> Result<Option<Vec<u32>>>;

    /// Gives all others a value of this rank, which they have once all have called `fence`; once
    /// for each key.
    fn put(&mut self, key: &str, value: &[u8]) -> Result<()>;

    /// Waits until all ranks of the job have called this.
    fn fence(&mut self) -> Result<()>;

    /// The value that rank `from` put before the last fence; `None` if it did not.
    fn get(&mut self, from: usize, key: &str) -> Result<Option<Vec<u8>>>;

    /// Asks the launcher to end the job with this exit code.
    fn abort(&mut self, code: i32, why: &str);

    /// Says that this rank no longer needs the launcher, so that it may end.
    fn finalize(&mut self) -> Result<()>;
}
