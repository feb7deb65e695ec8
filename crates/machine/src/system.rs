//! Whose machine this is, from the firmware's tables (DMI): maker, product, and in a cloud the type
//! of the instance, where it says it.

use std::fs;
use std::path::Path;

/// The asset tag that Azure gives the chassis of all its virtual machines.
const AZURE_TAG: &str = "7783-7084-3265-9085-8269-3286-77";

/// The system as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct System {
    /// Its maker; empty if the firmware does not say it.
    pub vendor: String,
    /// What the maker calls it; empty likewise.
    pub product: String,
    /// The cloud that it is part of, if it is a known one.
    pub cloud: Option<Cloud>,
}

/// Clouds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cloud {
    /// Amazon EC2: the product is the type of the instance.
    Ec2,
    /// Microsoft Azure, which does not say the size of a virtual machine here.
    Azure,
}

impl Cloud {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Cloud::Ec2 => "Amazon EC2",
            Cloud::Azure => "Microsoft Azure",
        }
    }
}

impl System {
    /// Reads below `root`, which is `/` but for tests.
    pub fn read(root: &Path) -> System {
        let dmi = root.join("sys/class/dmi/id");
        let text = |name: &str| {
            let text = fs::read_to_string(dmi.join(name)).unwrap_or_default();
            text.trim().to_string()
        };
        let (vendor, product) = (text("sys_vendor"), text("product_name"));
        let cloud = match vendor.as_str() {
            "Amazon EC2" => Some(Cloud::Ec2),
            _ if text("chassis_asset_tag") == AZURE_TAG => Some(Cloud::Azure),
            _ => None,
        };
        System { vendor, product, cloud }
    }

    /// The type of the instance, where the cloud says it.
    pub fn instance(&self) -> Option<&str> {
        let is_said = self.cloud == Some(Cloud::Ec2) && !self.product.is_empty();
        is_said.then_some(self.product.as_str())
    }
}
