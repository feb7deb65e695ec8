//! What this Dunlin is.

use serde::Serialize;

use crate::Answer;
use crate::paint::{TITLE, painted};

/// The library's place, seen from the program's own.
const LIBRARY: &str = "../lib/libmpi_abi.so.1";

/// Versions and build.
#[derive(Debug, Serialize)]
pub struct Facts {
    version: &'static str,
    mpi: &'static str,
    abi: &'static str,
    target: &'static str,
    profile: &'static str,
    cpu_features: Vec<&'static str>,
    compiler: &'static str,
    /// The library installed beside this program.
    library: Option<String>,
}

/// Says what was noted when the program was built.
pub fn collect() -> Facts {
    let library =
        std::env::current_exe().and_then(|exe| exe.with_file_name(LIBRARY).canonicalize());
    Facts {
        version: env!("CARGO_PKG_VERSION"),
        mpi: env!("INFO_MPI"),
        abi: env!("INFO_ABI"),
        target: env!("INFO_TARGET"),
        profile: env!("INFO_PROFILE"),
        cpu_features: env!("INFO_CPU").split(',').filter(|feature| !feature.is_empty()).collect(),
        compiler: env!("INFO_COMPILER"),
        library: library.ok().map(|path| path.display().to_string()),
    }
}

impl Answer for Facts {
    fn text(&self) -> String {
        let library = self.library.as_deref().unwrap_or("not installed beside this program");
        let rows = [
            ("MPI", self.mpi.to_string()),
            ("ABI", format!("{} (standard, libmpi_abi.so.1)", self.abi)),
            ("target", self.target.to_string()),
            ("processor", self.cpu_features.join(" ")),
            ("profile", self.profile.to_string()),
            ("compiler", self.compiler.to_string()),
            ("library", library.to_string()),
        ];
        let mut text = format!("{}\n", painted(TITLE, &format!("Dunlin {}", self.version)));
        for (name, value) in rows {
            text.push_str(&format!("  {name:<10}{value}\n"));
        }
        text
    }
}
