//! `MPI_LB` and `MPI_UB`, which MPI 3.0 removed: in a structure they say where it begins and ends.

use std::ffi::c_int;

use dunlin_base::{Result, memory};

use crate::entries::exported as standard;
use crate::raise::{Owner, raise};
use crate::standard::constants::*;
use crate::standard::handles::Handle;
use crate::standard::types::*;

/// What stands for them among the handles of datatypes: numbers that the standard does not use.
pub const LB: usize = 0x2fe;
pub const UB: usize = 0x2ff;

/// The blocks of a structure, and the bounds that it shall have.
#[derive(Default)]
struct Bounded {
    lengths: Vec<c_int>,
    displacements: Vec<MPI_Aint>,
    types: Vec<MPI_Datatype>,
    lower: Option<MPI_Aint>,
    upper: Option<MPI_Aint>,
}

impl Bounded {
    fn new(lengths: &[c_int], displacements: &[MPI_Aint], types: &[MPI_Datatype]) -> Result<Self> {
        let mut structure = Bounded {
            lengths: memory::room_for(types.len())?,
            displacements: memory::room_for(types.len())?,
            types: memory::room_for(types.len())?,
            ..Bounded::default()
        };
        for ((&length, &at), &ty) in lengths.iter().zip(displacements).zip(types) {
            match ty.bits() {
                LB | UB if length == 0 => {}
                LB => structure.lower = Some(structure.lower.map_or(at, |l| l.min(at))),
                UB => structure.upper = Some(structure.upper.map_or(at, |u| u.max(at))),
                _ => {
                    structure.lengths.push(length);
                    structure.displacements.push(at);
                    structure.types.push(ty);
                }
            }
        }
        Ok(structure)
    }

    /// Makes the datatype.
    fn make(&self, newtype: &mut MPI_Datatype) -> c_int {
        let mut inner = MPI_DATATYPE_NULL;
        let (mut lower, mut extent) = (0, 0);
        // SAFETY: the arrays are of the same length, and results go to variables.
        unsafe {
            let code = standard::MPI_Type_create_struct(
                self.types.len() as c_int,
                self.lengths.as_ptr(),
                self.displacements.as_ptr(),
                self.types.as_ptr(),
                &raw mut inner,
            );
            if code != MPI_SUCCESS {
                return code;
            }
            let mut code = standard::MPI_Type_get_extent(inner, &raw mut lower, &raw mut extent);
            if code == MPI_SUCCESS {
                let upper = self.upper.unwrap_or(lower + extent);
                let lower = self.lower.unwrap_or(lower);
                code = standard::MPI_Type_create_resized(
                    inner,
                    lower,
                    upper.wrapping_sub(lower),
                    newtype,
                );
            }
            // What is made of it keeps it.
            standard::MPI_Type_free(&raw mut inner);
            code
        }
    }
}

/// The standard's function, for structures that may have such bounds.
///
/// # Safety
/// As the standard's.
#[allow(non_snake_case, reason = "functions keep their C names")]
pub unsafe fn MPI_Type_create_struct(
    count: c_int,
    lengths: *const c_int,
    displacements: *const MPI_Aint,
    types: *const MPI_Datatype,
    newtype: *mut MPI_Datatype,
) -> c_int {
    let blocks = usize::try_from(count).unwrap_or(0);
    let is_whole = !(lengths.is_null() || displacements.is_null() || types.is_null());
    if is_whole && !newtype.is_null() {
        // SAFETY: promised by the caller.
        let (types, newtype) =
            unsafe { (std::slice::from_raw_parts(types, blocks), &mut *newtype) };
        if types.iter().any(|ty| matches!(ty.bits(), LB | UB)) {
            // SAFETY: promised by the caller.
            let (lengths, displacements) = unsafe {
                (
                    std::slice::from_raw_parts(lengths, blocks),
                    std::slice::from_raw_parts(displacements, blocks),
                )
            };
            return match Bounded::new(lengths, displacements, types) {
                Ok(structure) => structure.make(newtype),
                Err(error) => raise("MPI_Type_create_struct", Owner::None, &error),
            };
        }
    }
    // SAFETY: promised by the caller.
    unsafe { standard::MPI_Type_create_struct(count, lengths, displacements, types, newtype) }
}
