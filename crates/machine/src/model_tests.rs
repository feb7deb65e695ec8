//! Faked machines, from their files to the model that is chosen.

use super::*;
use crate::fake_tree::FakeTree;

const EC2: (&str, &str) = ("sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
const MIDR: &str = "sys/devices/system/cpu/cpu0/regs/identification/midr_el1";
const PRODUCT: &str = "sys/class/dmi/id/product_name";

/// CPUs `0..cpus`, each a core, in `numa` nodes of equal size on one socket.
fn cores(cpus: usize, numa: usize) -> Vec<(String, String)> {
    let devices = "sys/devices/system";
    let mut files = vec![
        (format!("{devices}/cpu/online"), format!("0-{}\n", cpus - 1)),
        (format!("{devices}/node/online"), format!("0-{}\n", numa - 1)),
    ];
    for node in 0..numa {
        let (first, last) = (node * cpus / numa, (node + 1) * cpus / numa - 1);
        files.push((format!("{devices}/node/node{node}/cpulist"), format!("{first}-{last}\n")));
    }
    files
}

fn identity(cores: Vec<(String, String)>, files: &[(&str, &str)]) -> Identity {
    let cores = cores.iter().map(|(path, text)| (path.as_str(), text.as_str()));
    let files: Vec<(&str, &str)> = cores.chain(files.iter().copied()).collect();
    let tree = FakeTree::new(&files);
    let identity = Identity::read(tree.path());
    // What jobs read is enough.
    assert_eq!(
        Identity::read_for_model(tree.path()).recognised().model,
        identity.recognised().model
    );
    identity
}

fn cpuinfo(vendor: &str, family: u32, model: u32, name: &str) -> String {
    format!("vendor_id : {vendor}\ncpu family : {family}\nmodel : {model}\nmodel name : {name}\n")
}

#[track_caller]
fn assert_chosen(identity: &Identity, model: Option<&str>, because: &str) {
    let choice = identity.model(None).unwrap();
    assert_eq!((choice.model, choice.because.as_str()), (model, because));
}

#[test]
fn hpc7g_is_known_by_its_instance() {
    let mut files = vec![EC2, (PRODUCT, "hpc7g.16xlarge\n"), (MIDR, "0x00000000411fd401\n")];
    files.push(("sys/class/infiniband/efa_0/device/uevent", "DRIVER=efa\n"));
    let machine = identity(cores(64, 1), &files);
    assert_eq!((machine.sockets, machine.numa_nodes, machine.cores, machine.cpus), (1, 1, 64, 64));
    assert_eq!(machine.system.instance(), Some("hpc7g.16xlarge"));
    assert_eq!(machine.processor_product(), Some("Graviton3"));
    assert_chosen(&machine, Some("hpc7g"), "the instance is a hpc7g.16xlarge");
    files[1].1 = "hpc7g.4xlarge\n";
    let because = "the instance is a hpc7g.4xlarge, of the same machines as hpc7g.16xlarge";
    assert_chosen(&identity(cores(16, 1), &files), Some("hpc7g"), because);
    files[1].1 = "m7g.16xlarge\n";
    let because = "it is the nearest to Neoverse V1 with EFA";
    assert_chosen(&identity(cores(64, 1), &files), Some("hpc7g"), because);
}

#[test]
fn c6gn_is_known_by_its_instance_and_needs_efa_without() {
    let cpuinfo = "processor : 0\nCPU implementer : 0x41\nCPU part : 0xd0c\n";
    let mut files = vec![EC2, (PRODUCT, "c6gn.16xlarge\n"), ("proc/cpuinfo", cpuinfo)];
    files.push(("sys/class/net/eth0/device/uevent", "DRIVER=ena\n"));
    let machine = identity(cores(64, 1), &files);
    assert_eq!(machine.processor.design, Some(Design::NeoverseN1));
    assert_chosen(&machine, Some("c6gn"), "the instance is a c6gn.16xlarge");
    files[1].1 = "m6g.large\n";
    let small = identity(cores(2, 1), &files);
    assert_chosen(&small, None, "no model has Neoverse N1 with ENA");
}

#[test]
fn hpc6a_has_four_numa_nodes() {
    let cpuinfo = cpuinfo("AuthenticAMD", 25, 1, "AMD EPYC 7R13 48-Core Processor");
    let files = [EC2, (PRODUCT, "hpc6a.48xlarge\n"), ("proc/cpuinfo", cpuinfo.as_str())];
    let machine = identity(cores(96, 4), &files);
    assert_eq!((machine.numa_nodes, machine.cores), (4, 96));
    assert_eq!(machine.processor.name, "AMD EPYC 7R13 48-Core Processor");
    assert_chosen(&machine, Some("hpc6a"), "the instance is a hpc6a.48xlarge");
}

#[test]
fn azure_is_known_by_tag_and_processor() {
    let azure = |cpu: &str| {
        let cpuinfo = cpuinfo("AuthenticAMD", 25, 1, cpu);
        let files = [
            ("sys/class/dmi/id/sys_vendor", "Microsoft Corporation\n"),
            (PRODUCT, "Virtual Machine\n"),
            ("sys/class/dmi/id/chassis_asset_tag", "7783-7084-3265-9085-8269-3286-77\n"),
            ("proc/cpuinfo", cpuinfo.as_str()),
            ("sys/class/infiniband/mlx5_ib0/device/uevent", "DRIVER=mlx5_core\n"),
            ("sys/class/infiniband/mlx5_ib0/ports/1/link_layer", "InfiniBand\n"),
            ("sys/class/infiniband/mlx5_ib0/ports/1/rate", "200 Gb/sec (4X HDR)\n"),
        ];
        identity(cores(120, 4), &files)
    };
    let machine = azure("AMD EPYC 7V73X 64-Core Processor");
    assert_eq!((machine.system.cloud, machine.system.instance()), (Some(Cloud::Azure), None));
    assert_eq!(machine.adapters[0].rate.as_deref(), Some("200 Gb/sec (4X HDR)"));
    let because = "it is a virtual machine of Azure with EPYC 7V73X, which says no size";
    assert_chosen(&machine, Some("hbv3"), because);
    let because = "it is the nearest to Zen 3 with InfiniBand";
    assert_chosen(&azure("AMD EPYC 7763"), Some("discover-milan"), because);
}

#[test]
fn a64fx_fits_no_model() {
    let machine = identity(cores(48, 4), &[(MIDR, "0x00000000461f0010\n")]);
    assert_eq!((machine.processor.name.as_str(), machine.numa_nodes), ("A64FX", 4));
    assert_chosen(&machine, None, "there is no adapter of a known kind");
}

#[test]
fn grace_and_graviton4_have_the_same_core() {
    let of = |vendor: &str| {
        let vendor = ("sys/class/dmi/id/sys_vendor", vendor);
        identity(cores(72, 1), &[(MIDR, "0x00000000410fd4f0\n"), vendor]).processor_product()
    };
    assert_eq!(of("NVIDIA\n"), Some("Grace"));
    assert_eq!(of("Amazon EC2\n"), Some("Graviton4"));
    assert_eq!(of("Somebody\n"), None);
}

#[test]
fn a_laptop_fits_no_model() {
    let cpuinfo = cpuinfo("GenuineIntel", 6, 0x9a, "12th Gen Intel(R) Core(TM) i7-1260P");
    let files = [
        ("sys/class/dmi/id/sys_vendor", "LENOVO\n"),
        (PRODUCT, "21CB000FGE\n"),
        ("sys/class/net/wlan0/device/uevent", "DRIVER=iwlwifi\n"),
        ("proc/cpuinfo", cpuinfo.as_str()),
    ];
    let machine = identity(cores(16, 1), &files);
    assert_eq!((machine.system.cloud, machine.adapters.len()), (None, 0));
    assert_chosen(&machine, None, "the processor is of none of the models");
}

#[test]
fn a_broken_tree_is_a_machine_of_which_nothing_is_known() {
    let files = [
        ("proc/cpuinfo", "vendor_id\n:::\nmodel"),
        ("sys/devices/system/cpu/online", "0-\n"),
        ("sys/devices/system/cpu/cpu0/cache/index0/size", "K\n"),
        (MIDR, "0xzz\n"),
        ("sys/class/infiniband/mlx5_0/ports/1/link_layer", "\n"),
        (PRODUCT, "\n"),
    ];
    let broken = identity(vec![], &files);
    assert_eq!(broken, Identity::default());
    assert_chosen(&broken, None, "the processor is of none of the models");
}

#[test]
fn the_user_has_the_last_word() {
    let machine = Identity::default();
    let choice = machine.model(Some("aitken-milan")).unwrap();
    let because = "it is named by the user".into();
    assert_eq!(choice, Choice { model: Some("aitken-milan"), because });
    let error = machine.model(Some("hpc9z")).unwrap_err();
    assert!(error.contains("`hpc9z`; use `none`, or one of c5n, c6gn, "), "{error}");
    assert_eq!(machine.model(Some("none")).unwrap().model, None);
}

#[test]
fn every_file_of_a_model_is_known() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../machines");
    let files = std::fs::read_dir(folder).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let files: Vec<String> =
        names.filter_map(|name| name.strip_suffix(".toml").map(str::to_string)).collect();
    assert!(files.len() >= 15, "{files:?}");
    for file in files {
        assert!(model_names().any(|model| model == file), "model.rs lacks machines/{file}.toml");
    }
}
