//! Devices of fast networks, as the kernel lists them: to look for two directories takes 5 us, to
//! load Debian's libfabric 1.17 and ask it 380 ms, which no host without such a device shall pay.

use std::fmt;
use std::path::Path;

/// A device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Its name, such as `rdmap0s6`.
    pub name: String,
    /// The kernel's driver, where that is known.
    pub driver: Option<String>,
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.driver {
            Some(driver) => write!(f, "{} ({driver})", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// Those in the given directories, in the order of their names.
pub fn list(directories: &[String]) -> Vec<Device> {
    let entries = directories.iter().filter_map(|at| std::fs::read_dir(at).ok()).flatten();
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut devices: Vec<Device> = paths.filter_map(|path| device(&path)).collect();
    devices.sort_by(|a, b| a.name.cmp(&b.name));
    devices
}

fn device(path: &Path) -> Option<Device> {
    let name = path.file_name()?.to_str()?.to_string();
    let driver = std::fs::read_link(path.join("device/driver")).ok();
    let driver = driver.and_then(|link| Some(link.file_name()?.to_str()?.to_string()));
    path.is_dir().then_some(Device { name, driver })
}

/// Names of several, for a sentence.
pub fn named(devices: &[Device]) -> String {
    let names: Vec<String> = devices.iter().map(Device::to_string).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_listed_with_their_drivers_and_a_missing_directory_has_none() {
        let root = std::env::temp_dir().join(format!("dunlin-devices-{}", std::process::id()));
        let at = |name: &str| root.join(name);
        std::fs::create_dir_all(at("class/rdmap0s6/device")).unwrap();
        std::fs::create_dir_all(at("class/mlx5_0")).unwrap();
        std::fs::create_dir_all(at("drivers/efa")).unwrap();
        std::fs::write(at("class/a_file"), "").unwrap();
        std::os::unix::fs::symlink(at("drivers/efa"), at("class/rdmap0s6/device/driver")).unwrap();
        let text = |name: &str| at(name).to_str().unwrap().to_string();
        let found = list(&[text("none"), text("class")]);
        std::fs::remove_dir_all(&root).unwrap();
        assert_eq!(named(&found), "mlx5_0, rdmap0s6 (efa)");
        assert_eq!(list(&[text("none")]), []);
    }
}
