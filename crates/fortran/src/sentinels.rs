//! Arguments that stand for something in programs that were built for another ABI: variables of
//! common blocks, each with an address of its own, which the library that such a program loads
//! tells (`families/mpich_fortran.c`, `families/openmpi_fortran.h`).

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a variable stands for, in the order in which the libraries tell them.
#[derive(Clone, Copy)]
#[repr(usize)]
enum Kind {
    Bottom,
    InPlace,
    BufferAutomatic,
    StatusIgnore,
    StatusesIgnore,
    ErrcodesIgnore,
    Unweighted,
    WeightsEmpty,
}

const KINDS: usize = Kind::WeightsEmpty as usize + 1;
/// A variable of `mpif.h` and `mpi`, and one of `mpi_f08`.
const MODULES: usize = 2;
/// No variable is here.
const NOWHERE: usize = usize::MAX;

/// The variables of a family, and what C has in their place.
pub struct Sentinels {
    known: [[AtomicUsize; MODULES]; KINDS],
    in_place: usize,
    buffer_automatic: usize,
    status_ignore: usize,
    unweighted: usize,
    weights_empty: usize,
}

impl Sentinels {
    const fn new(
        [in_place, buffer_automatic]: [usize; 2],
        status_ignore: usize,
        [unweighted, weights_empty]: [usize; 2],
    ) -> Sentinels {
        Sentinels {
            known: [const { [const { AtomicUsize::new(NOWHERE) }; MODULES] }; KINDS],
            in_place,
            buffer_automatic,
            status_ignore,
            unweighted,
            weights_empty,
        }
    }

    #[inline(always)]
    fn is(&self, kind: Kind, address: usize) -> bool {
        // Relaxed: told before the program begins.
        self.known[kind as usize].iter().any(|known| known.load(Ordering::Relaxed) == address)
    }

    /// The address of data.
    #[inline(always)]
    pub fn buffer(&self, address: usize) -> usize {
        match () {
            () if self.is(Kind::Bottom, address) => 0,
            () if self.is(Kind::InPlace, address) => self.in_place,
            () if self.is(Kind::BufferAutomatic, address) => self.buffer_automatic,
            () => address,
        }
    }

    /// Where a status goes.
    #[inline(always)]
    pub fn status(&self, address: usize) -> usize {
        if self.is(Kind::StatusIgnore, address) { self.status_ignore } else { address }
    }

    /// Where several statuses go.
    #[inline(always)]
    pub fn statuses(&self, address: usize) -> usize {
        if self.is(Kind::StatusesIgnore, address) { self.status_ignore } else { address }
    }

    /// Weights of edges.
    pub fn weights(&self, address: usize) -> usize {
        match () {
            () if self.is(Kind::Unweighted, address) => self.unweighted,
            () if self.is(Kind::WeightsEmpty, address) => self.weights_empty,
            () => address,
        }
    }

    /// Where error codes of processes that are started go.
    pub fn error_codes(&self, address: usize) -> usize {
        if self.is(Kind::ErrcodesIgnore, address) { 0 } else { address }
    }

    /// Remembers where the variables of a module are; null for those that it does not have.
    ///
    /// # Safety
    /// There are as many addresses as kinds.
    unsafe fn tell(&self, module: usize, addresses: *const *const c_void) {
        for (i, known) in self.known.iter().enumerate() {
            // SAFETY: promised by the caller.
            let address = unsafe { addresses.add(i).read() }.addr();
            if address != 0 {
                known[module.min(MODULES - 1)].store(address, Ordering::Relaxed);
            }
        }
    }
}

/// The functions that subroutines call, for the variables of one family.
macro_rules! functions {
    ($sentinels:ident) => {
        use std::ffi::{c_int, c_void};

        #[inline]
        pub fn buffer(address: *mut c_void) -> *mut c_void {
            address.with_addr($sentinels.buffer(address.addr()))
        }

        #[inline]
        pub fn status(address: *mut MPI_Status) -> *mut MPI_Status {
            address.with_addr($sentinels.status(address.addr()))
        }

        #[inline]
        pub fn statuses(address: *mut MPI_Status) -> *mut MPI_Status {
            address.with_addr($sentinels.statuses(address.addr()))
        }

        pub fn weights(address: *mut c_int) -> *mut c_int {
            address.with_addr($sentinels.weights(address.addr()))
        }

        pub fn error_codes(address: *mut c_int) -> *mut c_int {
            address.with_addr($sentinels.error_codes(address.addr()))
        }
    };
}
pub(crate) use functions;

/// In C `MPI_IN_PLACE` is -1 and `MPI_BUFFER_AUTOMATIC` -2; statuses are ignored at 1.
pub static MPICH: Sentinels = Sentinels::new([usize::MAX, usize::MAX - 1], 1, [10, 11]);
/// Open MPI 4 and 5 have no automatic buffers.
pub static OPENMPI: Sentinels = Sentinels::new([1, NOWHERE], 0, [2, 3]);

/// The variables of a program of MPICH's family; `module` is 0 for those of `mpif.h`, 1 for those
/// of `mpi_f08`.
///
/// # Safety
/// There are as many addresses as [`Kind`] has values, null for variables that the module lacks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dunlin_mpich_sentinels(module: usize, addresses: *const *const c_void) {
    // SAFETY: promised by the caller.
    unsafe { MPICH.tell(module, addresses) };
}

/// The same of Open MPI's.
///
/// # Safety
/// As above.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dunlin_openmpi_sentinels(module: usize, addresses: *const *const c_void) {
    // SAFETY: promised by the caller.
    unsafe { OPENMPI.tell(module, addresses) };
}
