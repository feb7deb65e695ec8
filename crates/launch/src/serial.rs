//! How types that are not ours pass between agents: paths byte by byte, because they need not be
//! UTF-8, and the words of other crates.

/// A path.
pub mod path {
    use std::ffi::{OsStr, OsString};
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes it.
    pub fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        let text: &OsStr = path.as_ref();
        text.serialize(to)
    }

    /// Reads it.
    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<PathBuf, D::Error> {
        OsString::deserialize(from).map(PathBuf::from)
    }
}

/// A path, or none.
pub mod optional_path {
    use std::ffi::OsString;
    use std::path::PathBuf;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes it.
    pub fn serialize<S: Serializer>(path: &Option<PathBuf>, to: S) -> Result<S::Ok, S::Error> {
        path.as_ref().map(|path| path.as_os_str()).serialize(to)
    }

    /// Reads it.
    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<Option<PathBuf>, D::Error> {
        Option::<OsString>::deserialize(from).map(|text| text.map(PathBuf::from))
    }
}

/// Ranks and how they are reached.
pub mod addresses {
    use dunlin_shm::address::Address;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};
    use serde_bytes::{ByteBuf, Bytes};

    type AddressList = Vec<(u32, Address)>;

    /// Writes them.
    pub fn serialize<S: Serializer>(list: &[(u32, Address)], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(list.iter().map(|(rank, address)| (rank, Bytes::new(address.as_bytes()))))
    }

    /// Reads them.
    pub fn deserialize<'a, D: Deserializer<'a>>(from: D) -> Result<AddressList, D::Error> {
        let read = |(rank, bytes): (u32, ByteBuf)| Some((rank, Address::new(&bytes)?));
        let list: Option<AddressList> = Vec::deserialize(from)?.into_iter().map(read).collect();
        list.ok_or_else(|| D::Error::custom("an address is too long"))
    }
}

/// What crates below say in plain structures: the same fields again.
pub mod remote {
    #![allow(missing_docs, reason = "explained where the types are")]
    use dunlin_pmi as pmi;
    use dunlin_shm::stall;
    use serde::{Deserialize, Serialize};

    #[derive(Deserialize, Serialize)]
    #[serde(remote = "pmi::Ask")]
    pub enum Ask {
        Publish(String, String),
        Lookup(String),
        Unpublish(String),
    }

    #[derive(Deserialize, Serialize)]
    #[serde(remote = "stall::Stall")]
    pub struct Stall {
        pub function: String,
        pub comm: String,
        pub peer: Option<u32>,
        pub tag: Option<i32>,
        pub holder: Option<u32>,
        pub lock: Option<u64>,
        pub since_ns: u64,
    }
}
