//! What this machine is: processor, caches, NUMA nodes, system and adapters, whatever part of it
//! this process may use.

use std::fs;
use std::path::Path;

use crate::adapters::{Adapter, AdapterKind};
use crate::caches::Cache;
use crate::cpus::Cpus;
use crate::processor::{Design, Processor};
use crate::system::{Cloud, System};
use crate::topology::Topology;

/// The machine as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// Its processor; all sockets have the same.
    pub processor: Processor,
    /// The number of sockets.
    pub sockets: usize,
    /// The number of NUMA nodes that have CPUs.
    pub numa_nodes: usize,
    /// The number of cores.
    pub cores: usize,
    /// The number of CPUs (hardware threads).
    pub cpus: usize,
    /// The caches of the first CPU, the nearest first.
    pub caches: Vec<Cache>,
    /// Whose it is.
    pub system: System,
    /// Its network adapters, of known kinds.
    pub adapters: Vec<Adapter>,
}

impl Identity {
    /// Reads what this machine is.
    pub fn this() -> Identity {
        Identity::read(Path::new("/"))
    }

    /// Reads below `root`. What is missing there is unknown, and nothing is an error.
    pub fn read(root: &Path) -> Identity {
        let devices = root.join("sys/devices/system");
        let online = fs::read_to_string(devices.join("cpu/online")).unwrap_or_default();
        let online = Cpus::parse(&online).unwrap_or_default();
        let cores = Topology::read(&devices, &online).cores;
        let count = |last: Option<usize>| last.map_or(0, |last| last + 1);
        Identity {
            processor: Processor::read(root),
            sockets: count(cores.iter().map(|core| core.socket).max()),
            numa_nodes: count(cores.iter().map(|core| core.numa).max()),
            cores: cores.len(),
            cpus: online.0.len(),
            caches: Cache::read_all(&devices),
            system: System::read(root),
            adapters: Adapter::read_all(root),
        }
    }

    /// Reads what decides on the model of this machine, and no more: each job does this when it
    /// starts.
    pub(crate) fn read_for_model(root: &Path) -> Identity {
        let (system, adapters) = (System::read(root), Adapter::read_fast(root));
        let mut identity = Identity { system, adapters, ..Identity::default() };
        if identity.needs_processor() {
            identity.processor = Processor::read(root);
        }
        identity
    }

    /// The processor's name in its shop, where its design and the system tell it.
    pub fn processor_product(&self) -> Option<&'static str> {
        let is_ec2 = self.system.cloud == Some(Cloud::Ec2);
        match self.processor.design? {
            Design::NeoverseN1 if is_ec2 => Some("Graviton2"),
            Design::NeoverseV1 if is_ec2 => Some("Graviton3"),
            Design::NeoverseV2 if is_ec2 => Some("Graviton4"),
            Design::NeoverseV2 if self.system.vendor == "NVIDIA" => Some("Grace"),
            _ => None,
        }
    }

    /// Whether it has an adapter of this kind.
    pub fn has(&self, kind: AdapterKind) -> bool {
        self.adapters.iter().any(|adapter| adapter.kind == kind)
    }
}
