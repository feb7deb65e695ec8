//! One-sided operations and kinds of windows, by their names on the command line.

use serde::Serialize;

/// An operation, or the form of it that has a request.
#[derive(Debug, Clone, Copy)]
pub struct Operation {
    /// Without `MPI_`.
    pub name: &'static str,
    /// Whether it changes what is at the target by what was there.
    pub accumulates: bool,
    /// Of one element.
    pub is_single: bool,
}

/// All of them.
pub const OPERATIONS: [Operation; 10] = [
    Operation { name: "put", accumulates: false, is_single: false },
    Operation { name: "get", accumulates: false, is_single: false },
    Operation { name: "accumulate", accumulates: true, is_single: false },
    Operation { name: "get_accumulate", accumulates: true, is_single: false },
    Operation { name: "fetch_and_op", accumulates: true, is_single: true },
    Operation { name: "compare_and_swap", accumulates: true, is_single: true },
    Operation { name: "rput", accumulates: false, is_single: false },
    Operation { name: "rget", accumulates: false, is_single: false },
    Operation { name: "raccumulate", accumulates: true, is_single: false },
    Operation { name: "rget_accumulate", accumulates: true, is_single: false },
];

/// The operation of this name.
pub fn named(name: &str) -> Option<Operation> {
    OPERATIONS.into_iter().find(|operation| operation.name == name)
}

/// How a window was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Flavor {
    Allocate,
    Shared,
    Create,
    Dynamic,
}

impl Flavor {
    pub const ALL: [Flavor; 4] =
        [Flavor::Allocate, Flavor::Shared, Flavor::Create, Flavor::Dynamic];

    /// On the command line.
    pub fn name(self) -> &'static str {
        match self {
            Flavor::Allocate => "allocate",
            Flavor::Shared => "shared",
            Flavor::Create => "create",
            Flavor::Dynamic => "dynamic",
        }
    }

    /// What makes such a window.
    pub fn function(self) -> &'static str {
        match self {
            Flavor::Allocate => "MPI_Win_allocate",
            Flavor::Shared => "MPI_Win_allocate_shared",
            Flavor::Create => "MPI_Win_create",
            Flavor::Dynamic => "MPI_Win_create_dynamic",
        }
    }

    /// Whether that makes the memory, too.
    pub fn allocates(self) -> bool {
        matches!(self, Flavor::Allocate | Flavor::Shared)
    }
}
