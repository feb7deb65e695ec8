//! The tables of `tables/`, which `dunlin tune` has made from models of machines: each is for the
//! machine whose model has its name.

/// A table that is part of the library.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// Its file in the tree.
    pub file: &'static str,
    /// What is in it.
    pub text: &'static str,
}

macro_rules! tables {
    ($($machine:literal),*) => {
        const TABLES: &[(&str, Shipped)] = &[$((
            $machine,
            Shipped {
                file: concat!("tables/", $machine, ".toml"),
                text: include_str!(concat!("../../../tables/", $machine, ".toml")),
            },
        )),*];
    };
}

tables!(
    "aitken-milan",
    "aitken-rome",
    "c5n",
    "c6gn",
    "c7gn",
    "discover-milan",
    "hbv2",
    "hbv3",
    "hbv4",
    "hpc6a",
    "hpc6id",
    "hpc7a",
    "hpc7g",
    "ndr",
    "slingshot"
);

/// The table for a machine, by the name of its model.
pub fn table(machine: &str) -> Option<Shipped> {
    TABLES.iter().find(|(name, _)| *name == machine).map(|(_, table)| *table)
}
