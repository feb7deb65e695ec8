//! What other MPI libraries would run for a call, expressed with the algorithms of `coll`: their
//! published rules, and for each of their algorithms the nearest of ours. `docs/simulation.md` says
//! where the nearest is not the same.

mod mpich;
mod openmpi;

use crate::operation::{Call, algorithms};
use crate::run::Setup;

/// A library whose choices are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// Open MPI 5: `coll/han` where several ranks share each of several nodes, else `coll/tuned`.
    OpenMpi,
    /// MPICH 5 on ch4.
    Mpich,
}

/// A call as the rules of libraries ask about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub operation: &'static str,
    pub nodes: usize,
    pub ranks_per_node: usize,
    /// As [`Call::bytes`].
    pub bytes: usize,
    /// Elements in them, where elements are combined.
    pub count: usize,
}

impl Asked {
    pub fn ranks(&self) -> usize {
        self.nodes * self.ranks_per_node
    }

    /// Whether there are two levels: several nodes with several ranks each.
    pub fn has_levels(&self) -> bool {
        self.nodes > 1 && self.ranks_per_node > 1
    }
}

impl Library {
    /// Every library with its name, which no algorithm has.
    pub const ALL: [(&'static str, Library); 2] =
        [("openmpi", Library::OpenMpi), ("mpich", Library::Mpich)];

    /// The library called `name`.
    pub fn from_name(name: &str) -> Option<Library> {
        Library::ALL.iter().find(|(known, _)| *known == name).map(|(_, library)| *library)
    }

    /// The algorithm of ours that is nearest to what the library would run. Of several that would
    /// do, the first that fits the call.
    pub fn algorithm(self, setup: &Setup, call: &Call) -> String {
        let layout = setup.layout;
        let asked = Asked {
            operation: call.operation,
            nodes: layout.nodes,
            ranks_per_node: layout.ranks_per_node,
            bytes: call.bytes,
            count: call.elements(),
        };
        let wanted = match self {
            Library::OpenMpi => openmpi::choices(&asked),
            Library::Mpich => mpich::choices(&asked),
        };
        let fitting = algorithms(setup, call);
        let fits = |name: &String| {
            let base = name.split(':').next().unwrap_or_default();
            fitting.iter().any(|known| known == base)
        };
        let last = wanted.last().cloned().unwrap_or_default();
        wanted.into_iter().find(fits).unwrap_or(last)
    }
}

/// Names as the simulator takes them.
fn names<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
