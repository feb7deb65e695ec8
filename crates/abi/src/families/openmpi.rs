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

/// `MPI_Status`. Fortran's stands wherever an INTEGER may.
#[repr(C, packed(4))]
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

/// Where predefined objects lie: in the library of the family's name and, if that is linked to
/// fixed addresses, in the program.
static OBJECTS: [Stretch; 2] = [const { Stretch::new() }; 2];

/// Addresses that follow one another.
struct Stretch {
    first: AtomicUsize,
    /// How many of them a number begins at; in between are also other variables.
    count: AtomicUsize,
}

impl Stretch {
    const fn new() -> Stretch {
        Stretch { first: AtomicUsize::new(0), count: AtomicUsize::new(0) }
    }

    // Relaxed: written before the program begins.
    fn set(&self, first: usize, last: usize) {
        self.first.store(first, Ordering::Relaxed);
        self.count.store(last - first + 1, Ordering::Relaxed);
    }

    #[inline(always)]
    fn holds(&self, address: usize) -> bool {
        let offset = address.wrapping_sub(self.first.load(Ordering::Relaxed));
        offset < self.count.load(Ordering::Relaxed)
    }
}

/// The number in the object at an address; 0, which is no handle, where there is none: programs
/// may pass anything where MPI does not look.
#[inline(always)]
fn number_at(address: usize) -> usize {
    if !OBJECTS.iter().any(|objects| objects.holds(address)) {
        return 0;
    }
    let object = std::ptr::with_exposed_provenance::<usize>(address);
    // SAFETY: the address lies between objects of one image, in variables that stay mapped, or is
    // that of the last; a number has room from there on.
    unsafe { object.read_unaligned() }
}

/// A handle of any kind.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Address(usize);

impl<S: Handle> Foreign<S> for Address {
    #[inline(always)]
    fn to_standard(self) -> S {
        S::from_bits(match self.0 {
            made if made & MADE != 0 => made & !MADE,
            address => number_at(address),
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
        fortran_of_standard(S::KIND, bits).unwrap_or(bits as c_int)
    }

    fn from_fortran(handle: c_int) -> Self {
        let known = standard_of_fortran(S::KIND, handle);
        let bits = known.unwrap_or(handle as u32 as usize);
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
impl Address {
    /// What a program may pass.
    pub fn of(address: usize) -> Address {
        Address(address)
    }
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
/// There are as many addresses, each of an object; those of an image follow one another with
/// nothing between them but variables, and stay mapped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dunlin_openmpi_objects(objects: *const &Object, count: usize) {
    // SAFETY: promised by the caller.
    let objects = unsafe { std::slice::from_raw_parts(objects, count) };
    let address = |object: &&Object| (&raw const **object).expose_provenance();
    for object in objects {
        if let Some(place) = ADDRESSES.get(object.number) {
            place.store(address(object), Ordering::Relaxed);
        }
    }
    let mut addresses: Vec<usize> = objects.iter().map(address).collect();
    addresses.sort_unstable();
    tell_stretches(&addresses);
}

/// Sorted addresses are those of two images where the largest gap is.
fn tell_stretches(addresses: &[usize]) {
    let (Some(&first), Some(&last)) = (addresses.first(), addresses.last()) else { return };
    let gap = (1..addresses.len()).max_by_key(|&i| addresses[i] - addresses[i - 1]);
    match gap {
        Some(i) => {
            OBJECTS[0].set(first, addresses[i - 1]);
            OBJECTS[1].set(addresses[i], last);
        }
        None => OBJECTS[0].set(first, last),
    }
}
