//! Reduction operators: predefined ones and the program's.

use std::fmt;

use dunlin_datatype::reduce;

/// A program's operator: `inout[i] := in[i] op inout[i]` for a number of elements of the datatype
/// with this number. It may call MPI's inquiry functions.
pub type UserFunction = Box<dyn Fn(*const u8, *mut u8, usize, u32)>;

/// An operator; MPI 5.0 section 6.9.
pub enum Op {
    /// A predefined operator.
    Predefined(reduce::Op),
    /// An operator of the program.
    User {
        /// Whether it is commutative.
        commutative: bool,
        /// The function that applies it.
        function: UserFunction,
    },
}

impl Op {
    /// Whether it is commutative.
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
