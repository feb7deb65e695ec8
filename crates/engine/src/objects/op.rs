//! Reduction operators: the standard's, and the program's own.

use std::fmt;

use dunlin_datatype::reduce;

/// What a program's operator does: `inout[i] := in[i] op inout[i]` for so many elements of the
/// datatype with this number. It may call MPI's inquiry functions.
pub type UserFunction = Box<dyn Fn(*const u8, *mut u8, usize, u32)>;

/// An operator; MPI 5.0 section 6.9.
pub enum Op {
    /// One of the standard's.
    Predefined(reduce::Op),
    /// The program's.
    User {
        /// Whether operands may be swapped.
        commutative: bool,
        /// What it does.
        function: UserFunction,
    },
}

impl Op {
    /// Whether operands may be swapped.
    pub fn is_commutative(&self) -> bool {
        match self {
            Op::Predefined(op) => op.is_commutative(),
            Op::User { commutative, .. } => *commutative,
        }
    }
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Op::Predefined(op) => write!(f, "{op:?}"),
            Op::User { commutative, .. } => write!(f, "User(commutative: {commutative})"),
        }
    }
}
