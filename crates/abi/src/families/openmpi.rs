//! The ABI of Open MPI 4 and 5. Handles are addresses: of predefined objects those of variables in
//! the library, which begin with the number of the standard's handle; of others the standard's
//! handle with the highest bit set, which no address has.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Constants, Family, Foreign, ForeignStatus, Pairs};
use crate::standard::constants::*;
use crate::standard::handles::Handle;
use crate::standard::types::*;

/// The family.
pub struct OpenMpi;

include!(concat!(env!("OUT_DIR"), "/openmpi_constants.rs"));

impl Family for OpenMpi {
    const NAME: &str = "Open MPI";
    const VERSION: (c_int, c_int) = (4, 0);
    const OWN_CLASSES: &[(c_int, &str)] = &[
        (75, "MPI_ERR_PROC_FAILED: a process has failed"),
        (76, "MPI_ERR_PROC_FAILED_PENDING: a process that could match has failed"),
        (77, "MPI_ERR_REVOKED: the communicator is revoked"),
    ];
    const FIRST_USER_CODE: c_int = 93;
    type Comm = Address;
    type Datatype = Address;
    type Errhandler = Address;
    type File = Address;
    type Group = Address;
    type Info = Address;
    type Message = Address;
    type Op = Address;
    type Request = Address;
    type Session = Address;
    type Win = Address;
    type Status = Status;

    #[inline(always)]
    fn buffer(address: *mut c_void) -> *mut c_void {
        // MPI_BOTTOM and MPI_IN_PLACE are those of the standard.
        address
    }

    fn buffer_back(address: *mut c_void) -> *mut c_void {
        address
    }

    fn weights(address: *mut c_int) -> *mut c_int {
        let standard = match address.addr() {
            2 => MPI_UNWEIGHTED,
            3 => MPI_WEIGHTS_EMPTY,
            _ => return address,
        };
        std::ptr::without_provenance_mut(standard)
    }

    #[inline(always)]
    fn is_ignored(status: *const Status) -> bool {
        status.is_null()
    }
}

/// `MPI_Status`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Status {
    source: c_int,
    tag: c_int,
    error: c_int,
    cancelled: c_int,
    bytes: usize,
}

impl ForeignStatus for Status {
    #[inline(always)]
    fn fields(&mut self) -> [&mut c_int; 3] {
        [&mut self.source, &mut self.tag, &mut self.error]
    }

    fn received(&self) -> (u64, bool) {
        (self.bytes as u64, self.cancelled != 0)
    }

    #[inline(always)]
    fn set_received(&mut self, bytes: u64, cancelled: bool) {
        self.bytes = bytes as usize;
        self.cancelled = cancelled.into();
    }
}

/// The numbers of the standard's predefined handles are below.
const STANDARD: usize = 0x400;

/// The addresses of the predefined objects, by the number of the standard's handle.
static ADDRESSES: [AtomicUsize; STANDARD] = [const { AtomicUsize::new(0) }; STANDARD];

/// Set in the handles of objects that the library makes at run time.
const MADE: usize = 1 << (usize::BITS - 1);

/// Below are no variables.
const FIRST_PAGE: usize = 0x1000;

/// A handle of any kind.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Address(usize);

impl<S: Handle> Foreign<S> for Address {
    #[inline(always)]
    fn to_standard(self) -> S {
        S::from_bits(match self.0 {
            made if made & MADE != 0 => made & !MADE,
            // Null, which is no handle.
            small if small < FIRST_PAGE => small,
            // SAFETY: a handle that the program got is the address of an object that begins with
            // the number; any other is the program's mistake.
            address => unsafe { std::ptr::with_exposed_provenance::<usize>(address).read() },
        })
    }

    #[inline(always)]
    fn from_standard(handle: S) -> Self {
        // Relaxed: written before the program begins.
        let known = ADDRESSES.get(handle.bits()).map_or(0, |a| a.load(Ordering::Relaxed));
        Address(if known != 0 { known } else { handle.bits() | MADE })
    }

    fn to_fortran(self) -> c_int {
        let bits = Foreign::<S>::to_standard(self).bits();
        let known = fortran_handles(S::KIND).iter().find(|pair| pair.0 == bits);
        known.map_or(bits as c_int, |pair| pair.1)
    }

    fn from_fortran(handle: c_int) -> Self {
        let known = fortran_handles(S::KIND).iter().find(|pair| pair.1 == handle);
        let bits = known.map_or(handle as u32 as usize, |pair| pair.0);
        Foreign::<S>::from_standard(S::from_bits(bits))
    }
}

include!(concat!(env!("OUT_DIR"), "/openmpi_fortran.rs"));

/// A predefined object, which begins with the number of the standard's handle.
#[repr(C)]
pub struct Object {
    number: usize,
}

#[cfg(test)]
impl Object {
    /// An object that stays.
    pub fn of(number: usize) -> &'static Object {
        Box::leak(Box::new(Object { number }))
    }
}

/// Tells the addresses of the predefined objects, which are in the library of the family's name, or
/// in the program, if that is linked to fixed addresses.
///
/// # Safety
/// There are as many addresses, each of an object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dunlin_openmpi_objects(objects: *const &Object, count: usize) {
    // SAFETY: promised by the caller.
    for object in unsafe { std::slice::from_raw_parts(objects, count) } {
        if let Some(place) = ADDRESSES.get(object.number) {
            place.store((&raw const **object).expose_provenance(), Ordering::Relaxed);
        }
    }
}
