//! Which processor this is: maker and design, from `/proc/cpuinfo` and, on Arm, the register MIDR.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Where the kernel shows MIDR of the first CPU, on Arm.
const MIDR: &str = "sys/devices/system/cpu/cpu0/regs/identification/midr_el1";

/// Enough for the first processor in `/proc/cpuinfo`.
const CPUINFO_BYTES: u64 = 8192;

/// The processor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Processor {
    /// What it calls itself, or its maker and number; empty if nothing says it.
    pub name: String,
    /// Its design, if it is a known one.
    pub design: Option<Design>,
}

/// The designs of processors that servers have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Design {
    /// Intel Skylake, Cascade Lake and Cooper Lake, which have one family and model.
    Skylake,
    /// Intel Ice Lake.
    IceLake,
    /// Intel Sapphire Rapids.
    SapphireRapids,
    /// Intel Emerald Rapids.
    EmeraldRapids,
    /// Intel Granite Rapids.
    GraniteRapids,
    /// AMD Zen, as in EPYC Naples.
    Zen1,
    /// AMD Zen 2, as in EPYC Rome.
    Zen2,
    /// AMD Zen 3, as in EPYC Milan.
    Zen3,
    /// AMD Zen 4, as in EPYC Genoa.
    Zen4,
    /// AMD Zen 5, as in EPYC Turin.
    Zen5,
    /// Arm Neoverse N1: Graviton2, Ampere Altra.
    NeoverseN1,
    /// Arm Neoverse V1: Graviton3 and 3E.
    NeoverseV1,
    /// Arm Neoverse N2.
    NeoverseN2,
    /// Arm Neoverse V2: Graviton4, NVIDIA Grace.
    NeoverseV2,
    /// Ampere's own cores: AmpereOne.
    AmpereOne,
    /// Fujitsu A64FX.
    A64fx,
    /// Cavium, before Broadcom, later Marvell ThunderX2.
    ThunderX2,
    /// HiSilicon Kunpeng 920.
    Kunpeng920,
}

impl Design {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Design::Skylake => "Skylake",
            Design::IceLake => "Ice Lake",
            Design::SapphireRapids => "Sapphire Rapids",
            Design::EmeraldRapids => "Emerald Rapids",
            Design::GraniteRapids => "Granite Rapids",
            Design::Zen1 => "Zen",
            Design::Zen2 => "Zen 2",
            Design::Zen3 => "Zen 3",
            Design::Zen4 => "Zen 4",
            Design::Zen5 => "Zen 5",
            Design::NeoverseN1 => "Neoverse N1",
            Design::NeoverseV1 => "Neoverse V1",
            Design::NeoverseN2 => "Neoverse N2",
            Design::NeoverseV2 => "Neoverse V2",
            Design::AmpereOne => "AmpereOne",
            Design::A64fx => "A64FX",
            Design::ThunderX2 => "ThunderX2",
            Design::Kunpeng920 => "Kunpeng 920",
        }
    }

    /// By vendor, family and model of CPUID.
    fn of_x86(vendor: &str, family: u32, model: u32) -> Option<Design> {
        match (vendor, family, model) {
            ("GenuineIntel", 6, 0x55) => Some(Design::Skylake),
            ("GenuineIntel", 6, 0x6a | 0x6c) => Some(Design::IceLake),
            ("GenuineIntel", 6, 0x8f) => Some(Design::SapphireRapids),
            ("GenuineIntel", 6, 0xcf) => Some(Design::EmeraldRapids),
            ("GenuineIntel", 6, 0xad | 0xae) => Some(Design::GraniteRapids),
            ("AuthenticAMD", 0x17, 0..=0x2f) => Some(Design::Zen1),
            ("AuthenticAMD", 0x17, _) => Some(Design::Zen2),
            ("AuthenticAMD", 0x19, 0x10..=0x1f | 0x60..=0x7f | 0xa0..=0xaf) => Some(Design::Zen4),
            ("AuthenticAMD", 0x19, _) => Some(Design::Zen3),
            ("AuthenticAMD", 0x1a, _) => Some(Design::Zen5),
            _ => None,
        }
    }

    /// By implementer and part of MIDR.
    fn of_arm(implementer: u32, part: u32) -> Option<Design> {
        match (implementer, part) {
            (0x41, 0xd0c) => Some(Design::NeoverseN1),
            (0x41, 0xd40) => Some(Design::NeoverseV1),
            (0x41, 0xd49) => Some(Design::NeoverseN2),
            (0x41, 0xd4f) => Some(Design::NeoverseV2),
            (0xc0, _) => Some(Design::AmpereOne),
            (0x46, 0x001) => Some(Design::A64fx),
            (0x43, 0x0af) | (0x42, 0x516) => Some(Design::ThunderX2),
            (0x48, 0xd01) => Some(Design::Kunpeng920),
            _ => None,
        }
    }
}

impl Processor {
    /// Reads below `root`, which is `/` but for tests.
    pub fn read(root: &Path) -> Processor {
        let text = beginning(&root.join("proc/cpuinfo")).unwrap_or_default();
        let field = |name: &str| field(&text, name);
        let number = |name: &str| field(name)?.parse().ok();
        if let Some(vendor) = field("vendor_id") {
            let (family, model) = (number("cpu family"), number("model"));
            let design = family.zip(model).and_then(|(f, m)| Design::of_x86(vendor, f, m));
            return Processor { name: field("model name").unwrap_or(vendor).into(), design };
        }
        let midr = fs::read_to_string(root.join(MIDR)).ok().and_then(|text| hexadecimal(&text));
        let part = |name| field(name).and_then(hexadecimal);
        let ids = match midr {
            Some(midr) => Some((midr >> 24 & 0xff, midr >> 4 & 0xfff)),
            None => part("CPU implementer").zip(part("CPU part")),
        };
        let Some((implementer, part)) = ids.map(|(i, p)| (i as u32, p as u32)) else {
            return Processor::default();
        };
        let design = Design::of_arm(implementer, part);
        let name = match design {
            Some(design) => design.name().into(),
            None => format!("Arm implementer {implementer:#04x}, part {part:#05x}"),
        };
        Processor { name, design }
    }
}

/// What the kernel says of the first processors: it takes long to tell of hundreds.
fn beginning(cpuinfo: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(cpuinfo)?.take(CPUINFO_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

/// The first value of this name in `/proc/cpuinfo`.
fn field<'a>(cpuinfo: &'a str, name: &str) -> Option<&'a str> {
    let pairs = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    let value = pairs.into_iter().find(|(key, _)| key.trim() == name)?.1.trim();
    (!value.is_empty()).then_some(value)
}

fn hexadecimal(text: &str) -> Option<u64> {
    u64::from_str_radix(text.trim().strip_prefix("0x")?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake_tree::FakeTree;

    #[test]
    fn x86_is_known_by_family_and_model() {
        let cases = [
            ("GenuineIntel", 6, 0x55, Some(Design::Skylake)),
            ("GenuineIntel", 6, 0x6a, Some(Design::IceLake)),
            ("GenuineIntel", 6, 0x8f, Some(Design::SapphireRapids)),
            ("AuthenticAMD", 0x17, 0x01, Some(Design::Zen1)),
            ("AuthenticAMD", 0x17, 0x31, Some(Design::Zen2)),
            ("AuthenticAMD", 0x19, 0x01, Some(Design::Zen3)),
            ("AuthenticAMD", 0x19, 0x30, Some(Design::Zen3)),
            ("AuthenticAMD", 0x19, 0x11, Some(Design::Zen4)),
            ("AuthenticAMD", 0x1a, 0x02, Some(Design::Zen5)),
            ("GenuineIntel", 6, 0x9a, None),
            ("SomebodyElse", 6, 0x55, None),
        ];
        for (vendor, family, model, design) in cases {
            assert_eq!(Design::of_x86(vendor, family, model), design, "{vendor} {family} {model}");
        }
    }

    #[test]
    fn arm_is_known_by_midr_or_by_cpuinfo() {
        let by_midr = |midr: &str| Processor::read(FakeTree::new(&[(MIDR, midr)]).path());
        let cases = [
            ("0x00000000413fd0c1\n", Design::NeoverseN1),
            ("0x00000000411fd401\n", Design::NeoverseV1),
            ("0x00000000410fd4f1\n", Design::NeoverseV2),
            ("0x00000000c00fac30\n", Design::AmpereOne),
            ("0x00000000461f0010\n", Design::A64fx),
            ("0x00000000431f0af1\n", Design::ThunderX2),
            ("0x00000000481fd010\n", Design::Kunpeng920),
        ];
        for (midr, design) in cases {
            let expected = Processor { name: design.name().into(), design: Some(design) };
            assert_eq!(by_midr(midr), expected, "{midr}");
        }
        let cpuinfo = "processor\t: 0\nCPU implementer\t: 0x42\nCPU part\t: 0x516\n";
        let tree = FakeTree::new(&[("proc/cpuinfo", cpuinfo)]);
        assert_eq!(Processor::read(tree.path()).design, Some(Design::ThunderX2));
        let unknown = by_midr("0x00000000610f0280\n");
        assert_eq!(
            (unknown.name.as_str(), unknown.design),
            ("Arm implementer 0x61, part 0x028", None)
        );
    }

    #[test]
    fn what_cannot_be_read_is_not_known() {
        let broken = [("proc/cpuinfo", "vendor_id\t:\ncpu family: x\n"), (MIDR, "nothing\n")];
        assert_eq!(Processor::read(FakeTree::new(&broken).path()), Processor::default());
        assert_eq!(Processor::read(Path::new("/nonexistent")), Processor::default());
    }
}
