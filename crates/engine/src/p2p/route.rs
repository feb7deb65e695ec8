//! Where a rank is.

use dunlin_base::Rank;

/// Where a rank is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// In this process.
    Myself,
    /// On this node, at this place.
    Node(usize),
    /// On another node; its rank in `MPI_COMM_WORLD`.
    Net(Rank),
}
