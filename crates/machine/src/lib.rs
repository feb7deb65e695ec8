#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod cpus;
#[cfg(test)]
mod fake_tree;
mod machine;
mod quota;
mod topology;

pub use cpus::Cpus;
pub use machine::Machine;
pub use topology::{Core, Topology};
