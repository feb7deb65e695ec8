//! The network adapters of this machine and what drives them, from `/sys/class`.

use std::fs;
use std::path::Path;

/// An adapter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adapter {
    /// The kernel's name for it, as in `mlx5_0` or `eth0`.
    pub name: String,
    /// What it is.
    pub kind: AdapterKind,
    /// The rate of its first port in the kernel's words, where it says it.
    pub rate: Option<String>,
}

/// Kinds of adapters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdapterKind {
    /// Amazon's Elastic Fabric Adapter.
    Efa,
    /// InfiniBand.
    InfiniBand,
    /// Remote access over Ethernet: RoCE or iWARP.
    RdmaEthernet,
    /// Intel's and Cornelis' Omni-Path.
    OmniPath,
    /// HPE's Slingshot.
    Slingshot,
    /// Amazon's Elastic Network Adapter, by its kernel driver alone.
    Ena,
}

impl AdapterKind {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            AdapterKind::Efa => "EFA",
            AdapterKind::InfiniBand => "InfiniBand",
            AdapterKind::RdmaEthernet => "RDMA over Ethernet",
            AdapterKind::OmniPath => "Omni-Path",
            AdapterKind::Slingshot => "Slingshot",
            AdapterKind::Ena => "ENA",
        }
    }
}

impl Adapter {
    /// All that are known, below `root`, which is `/` but for tests.
    pub fn read_all(root: &Path) -> Vec<Adapter> {
        let mut adapters = Adapter::read_fast(root);
        let net = root.join("sys/class/net");
        let is_ena = |name: &String| driver(&net.join(name)).as_deref() == Some("ena");
        let ena = entries(&net).into_iter().filter(is_ena);
        adapters.extend(ena.map(|name| Adapter { name, kind: AdapterKind::Ena, rate: None }));
        adapters
    }

    /// Those of fast networks, likewise.
    pub fn read_fast(root: &Path) -> Vec<Adapter> {
        let class = root.join("sys/class");
        let mut adapters: Vec<Adapter> = entries(&class.join("infiniband"))
            .into_iter()
            .filter_map(|name| rdma(&class.join("infiniband").join(&name), name))
            .collect();
        let slingshot = |name| Adapter { name, kind: AdapterKind::Slingshot, rate: None };
        adapters.extend(entries(&class.join("cxi")).into_iter().map(slingshot));
        adapters
    }
}

/// The names in a directory, sorted.
fn entries(directory: &Path) -> Vec<String> {
    let found = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        found.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable();
    names
}

/// The driver of a device, in the text that the kernel sends about it.
fn driver(device: &Path) -> Option<String> {
    let text = fs::read_to_string(device.join("device/uevent")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("DRIVER=")).map(str::to_string)
}

/// A device of the kernel's RDMA subsystem: by its driver, and by its name where that is hidden, as
/// in a container. udev may have renamed it (`rdmap0s6`); such names tell nothing.
fn rdma(device: &Path, name: String) -> Option<Adapter> {
    let port = |file: &str| fs::read_to_string(device.join("ports/1").join(file)).ok();
    let by_name = || name.split('_').next().unwrap_or_default().to_string();
    let kind = match driver(device).unwrap_or_else(by_name).as_str() {
        "efa" => AdapterKind::Efa,
        "hfi1" => AdapterKind::OmniPath,
        _ => match port("link_layer")?.trim() {
            "InfiniBand" => AdapterKind::InfiniBand,
            "Ethernet" => AdapterKind::RdmaEthernet,
            _ => return None,
        },
    };
    let rate = port("rate").map(|rate| rate.trim().to_string());
    Some(Adapter { name, kind, rate })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_tree::FakeTree;

    fn kinds(files: &[(&str, &str)]) -> Vec<(String, AdapterKind)> {
        let adapters = Adapter::read_all(FakeTree::new(files).path());
        adapters.into_iter().map(|adapter| (adapter.name, adapter.kind)).collect()
    }

    #[test]
    fn the_driver_says_what_an_adapter_is() {
        let found = kinds(&[
            ("sys/class/infiniband/rdmap0s6/device/uevent", "DRIVER=efa\nPCI_ID=1D0F:EFA1\n"),
            ("sys/class/infiniband/mlx5_0/device/uevent", "DRIVER=mlx5_core\n"),
            ("sys/class/infiniband/mlx5_0/ports/1/link_layer", "InfiniBand\n"),
            ("sys/class/infiniband/mlx5_1/device/uevent", "DRIVER=mlx5_core\n"),
            ("sys/class/infiniband/mlx5_1/ports/1/link_layer", "Ethernet\n"),
            ("sys/class/infiniband/rdmap3s0/device/uevent", "DRIVER=irdma\n"),
            ("sys/class/infiniband/rdmap3s0/ports/1/link_layer", "Ethernet\n"),
            ("sys/class/infiniband/unknown/device/uevent", "DRIVER=unknown\n"),
            ("sys/class/cxi/cxi0/device/uevent", "DRIVER=cxi_ss1\n"),
            ("sys/class/net/eth0/device/uevent", "DRIVER=ena\n"),
            ("sys/class/net/lo/mtu", "65536\n"),
        ]);
        let expected = [
            ("mlx5_0", AdapterKind::InfiniBand),
            ("mlx5_1", AdapterKind::RdmaEthernet),
            ("rdmap0s6", AdapterKind::Efa),
            ("rdmap3s0", AdapterKind::RdmaEthernet),
            ("cxi0", AdapterKind::Slingshot),
            ("eth0", AdapterKind::Ena),
        ];
        assert_eq!(found, expected.map(|(name, kind)| (name.to_string(), kind)));
    }

    #[test]
    fn names_help_where_drivers_are_hidden() {
        let found = kinds(&[
            ("sys/class/infiniband/efa_0/ports/1/link_layer", "Unspecified\n"),
            ("sys/class/infiniband/hfi1_0/ports/1/link_layer", "InfiniBand\n"),
            ("sys/class/infiniband/hns_0/ports/1/link_layer", "Ethernet\n"),
            ("sys/class/infiniband/rdmap0s6/ports/1/link_layer", "Unspecified\n"),
        ]);
        let expected = [
            ("efa_0", AdapterKind::Efa),
            ("hfi1_0", AdapterKind::OmniPath),
            ("hns_0", AdapterKind::RdmaEthernet),
        ];
        assert_eq!(found, expected.map(|(name, kind)| (name.to_string(), kind)));
    }
}
