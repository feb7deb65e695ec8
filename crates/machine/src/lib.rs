#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod adapters;
mod caches;
mod cpus;
mod domains;
#[cfg(test)]
mod fake_tree;
mod identity;
mod machine;
mod model;
mod process;
mod processor;
mod quota;
mod system;
mod topology;

pub use adapters::{Adapter, AdapterKind};
pub use caches::Cache;
pub use cpus::Cpus;
pub use domains::CpuDomains;
pub use identity::Identity;
pub use machine::Machine;
pub use model::{Choice, model_named, model_names, recognise};
pub use process::{group_of, parent_of};
pub use processor::{Design, Processor};
pub use system::{Cloud, System};
pub use topology::{Core, Topology};
