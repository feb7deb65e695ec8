//! Which of the machine models that come with Dunlin (`machines/*.toml`) is nearest to a machine.

use std::path::Path;

use crate::adapters::AdapterKind;
use crate::identity::Identity;
use crate::processor::Design;
use crate::system::Cloud;

/// A model, and the machines that it is of.
struct Model {
    /// The name of its file, without `.toml`.
    name: &'static str,
    /// Types of instances that are this machine, or parts of it with the whole network.
    instances: &'static [&'static str],
    /// Processors in Azure's machines, which do not say their size.
    azure: &'static [&'static str],
    /// Other machines that it is nearest to: those with one of these designs and such an adapter.
    fits: Option<(&'static [Design], AdapterKind)>,
}

/// The name by which a user says that no model is to be used.
pub const NO_MODEL: &str = "none";

const NONE: Model = Model { name: "", instances: &[], azure: &[], fits: None };

/// All models.
const MODELS: [Model; 16] = [
    Model {
        name: "c5n",
        instances: &["c5n.18xlarge", "c5n.metal"],
        fits: Some((&[Design::Skylake], AdapterKind::Efa)),
        ..NONE
    },
    Model {
        name: "c6gn",
        instances: &["c6gn.16xlarge"],
        fits: Some((&[Design::NeoverseN1], AdapterKind::Efa)),
        ..NONE
    },
    Model { name: "c7gn", instances: &["c7gn.16xlarge", "c7gn.metal"], ..NONE },
    Model {
        name: "hpc7g",
        instances: &["hpc7g.16xlarge", "hpc7g.8xlarge", "hpc7g.4xlarge"],
        fits: Some((&[Design::NeoverseV1], AdapterKind::Efa)),
        ..NONE
    },
    Model {
        name: "hpc6a",
        instances: &["hpc6a.48xlarge"],
        fits: Some((&[Design::Zen3], AdapterKind::Efa)),
        ..NONE
    },
    Model {
        name: "hpc6id",
        instances: &["hpc6id.32xlarge"],
        fits: Some((&[Design::IceLake], AdapterKind::Efa)),
        ..NONE
    },
    Model {
        name: "hpc7a",
        instances: &["hpc7a.96xlarge", "hpc7a.48xlarge", "hpc7a.24xlarge", "hpc7a.12xlarge"],
        fits: Some((&[Design::Zen4], AdapterKind::Efa)),
        ..NONE
    },
    Model { name: "hbv2", azure: &["EPYC 7V12"], ..NONE },
    Model { name: "hbv3", azure: &["EPYC 7V73X", "EPYC 7V13"], ..NONE },
    Model {
        name: "hbv4",
        azure: &["EPYC 9V33X"],
        fits: Some((&[Design::Zen4], AdapterKind::InfiniBand)),
        ..NONE
    },
    Model { name: "aitken-rome", fits: Some((&[Design::Zen2], AdapterKind::InfiniBand)), ..NONE },
    // Nothing in the hardware tells it from discover-milan, whose network is the usual one.
    Model { name: "aitken-milan", ..NONE },
    Model {
        name: "discover-milan",
        fits: Some((&[Design::Zen3], AdapterKind::InfiniBand)),
        ..NONE
    },
    Model {
        name: "slingshot",
        fits: Some((&[Design::Zen2, Design::Zen3], AdapterKind::Slingshot)),
        ..NONE
    },
    Model {
        name: "ndr",
        fits: Some((&[Design::SapphireRapids, Design::EmeraldRapids], AdapterKind::InfiniBand)),
        ..NONE
    },
    // A virtual machine to compare simulations with; others are not like it.
    Model { name: "epyc-2core", ..NONE },
];

/// A choice among the models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The model, if one fits.
    pub model: Option<&'static str>,
    /// Why this one or none, in a sentence without a full stop.
    pub because: String,
}

/// The names of all models.
pub fn model_names() -> impl Iterator<Item = &'static str> {
    MODELS.iter().map(|model| model.name)
}

/// The model with this name, or `None` for [`NO_MODEL`]. Another name is an error, in words.
pub fn model_named(name: &str) -> Result<Option<&'static str>, String> {
    if name == NO_MODEL {
        return Ok(None);
    }
    let known = model_names().find(|known| *known == name);
    known.map(Some).ok_or_else(|| {
        format!(
            "there is no model of a machine `{name}`; use `{NO_MODEL}`, or one of {}",
            model_names().collect::<Vec<_>>().join(", ")
        )
    })
}

/// The model that fits this machine, found with a few small files.
pub fn recognise() -> Option<&'static str> {
    Identity::read_for_model(Path::new("/")).recognised().model
}

impl Identity {
    /// The model of this machine: what the user has named; else the one that fits.
    pub fn model(&self, named: Option<&str>) -> Result<Choice, String> {
        let Some(name) = named else { return Ok(self.recognised()) };
        Ok(Choice { model: model_named(name)?, because: "it is named by the user".into() })
    }

    /// The model that fits: that of the type of the instance; else that of processor and adapter.
    fn recognised(&self) -> Choice {
        let chosen = |model: &Model, because| Choice { model: Some(model.name), because };
        let found = MODELS.iter().find_map(|model| {
            let because = model.of_instance(self).or_else(|| model.of_azure(self));
            Some(chosen(model, because?))
        });
        let nearest = || MODELS.iter().find_map(|model| Some(chosen(model, model.nearest(self)?)));
        let none = || Choice { model: None, because: self.unlike_all() };
        found.or_else(nearest).unwrap_or_else(none)
    }

    /// Whether the model may depend on the processor.
    pub(crate) fn needs_processor(&self) -> bool {
        let is_instance = MODELS.iter().any(|model| model.of_instance(self).is_some());
        !is_instance && (!self.adapters.is_empty() || self.system.cloud == Some(Cloud::Azure))
    }

    /// Why no model fits.
    fn unlike_all(&self) -> String {
        let mut adapters: Vec<&str> =
            self.adapters.iter().map(|adapter| adapter.kind.name()).collect();
        adapters.dedup();
        match (self.processor.design, adapters.as_slice()) {
            (None, _) => "the processor is of none of the models".into(),
            (Some(_), []) => "there is no adapter of a known kind".into(),
            (Some(design), adapters) => {
                let (design, adapters) = (design.name(), adapters.join(" and "));
                format!("no model has {design} with {adapters}")
            }
        }
    }
}

impl Model {
    fn of_instance(&self, identity: &Identity) -> Option<String> {
        let instance = identity.system.instance()?;
        let place = self.instances.iter().position(|known| *known == instance)?;
        let whole = self.instances[0];
        Some(match place {
            0 => format!("the instance is a {instance}"),
            _ => format!("the instance is a {instance}, of the same machines as {whole}"),
        })
    }

    fn of_azure(&self, identity: &Identity) -> Option<String> {
        let Identity { processor, system, .. } = identity;
        let is_azure = system.cloud == Some(Cloud::Azure);
        let known = self.azure.iter().find(|known| is_azure && processor.name.contains(**known))?;
        Some(format!("it is a virtual machine of Azure with {known}, which says no size"))
    }

    fn nearest(&self, identity: &Identity) -> Option<String> {
        let (designs, adapter) = self.fits?;
        let design = identity.processor.design.filter(|design| designs.contains(design))?;
        let fits = identity.has(adapter);
        let (design, adapter) = (design.name(), adapter.name());
        fits.then(|| format!("it is the nearest to {design} with {adapter}"))
    }
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;
