//! The ABI of MPICH, and of the libraries that keep it: Intel MPI, MVAPICH, Cray MPICH. Handles are
//! integers, of files addresses.

use std::ffi::{c_int, c_void};

use super::{Constants, Family, Foreign, ForeignStatus, Pairs};
use crate::standard::constants::*;
use crate::standard::handles::{Handle, claimed};
use crate::standard::types::*;

/// The family.
pub struct Mpich;

include!(concat!(env!("OUT_DIR"), "/mpich_constants.rs"));

impl Family for Mpich {
    const NAME: &str = "MPICH";
    const VERSION: (c_int, c_int) = (MPI_VERSION, MPI_SUBVERSION);
    const OWN_CLASSES: &[(c_int, &str)] = &[
        // In its row of classes, and without a name.
        (54, "error class 54: MPICH has a class of this number and no name for it"),
        (101, "MPIX_ERR_PROC_FAILED: a process has failed"),
        (102, "MPIX_ERR_PROC_FAILED_PENDING: a process that could match has failed"),
        (103, "MPIX_ERR_REVOKED: the communicator is revoked"),
        (104, "MPIX_ERR_EAGAIN: the operation cannot begin now"),
        (105, "MPIX_ERR_NOREQ: no request can be made"),
        (106, "MPIX_ERR_STREAM: this is no valid stream"),
        (107, "MPIX_ERR_TIMEOUT: the operation took too long"),
    ];
    const FIRST_USER_CODE: c_int = 0x4000_0000;
    type Comm = Comm;
    type Datatype = Datatype;
    type Errhandler = Errhandler;
    type File = File;
    type Group = Group;
    type Info = Info;
    type Message = Message;
    type Op = Op;
    type Request = Request;
    type Session = Session;
    type Win = Win;
    type Status = Status;

    #[inline(always)]
    fn buffer(address: *mut c_void) -> *mut c_void {
        match address.addr() as isize {
            -1 => MPI_IN_PLACE.cast_mut(),
            -2 => MPI_BUFFER_AUTOMATIC.cast_mut(),
            _ => address,
        }
    }

    fn buffer_back(address: *mut c_void) -> *mut c_void {
        match address.cast_const() {
            MPI_BUFFER_AUTOMATIC => std::ptr::without_provenance_mut(-2_isize as usize),
            _ => address,
        }
    }

    fn weights(address: *mut c_int) -> *mut c_int {
        // The library of the family's name defines both as these addresses.
        address
    }

    #[inline(always)]
    fn is_ignored(status: *const Status) -> bool {
        status.addr() <= 1
    }
}

/// `MPI_Status`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
pub struct Status {
    count_low: c_int,
    /// The number's high bits, above the one that says whether the operation was cancelled.
    count_high_and_cancelled: c_int,
    source: c_int,
    tag: c_int,
    error: c_int,
}

impl ForeignStatus for Status {
    #[inline(always)]
    fn fields(&mut self) -> [&mut c_int; 3] {
        [&mut self.source, &mut self.tag, &mut self.error]
    }

    fn received(&self) -> (u64, bool) {
        let high = self.count_high_and_cancelled as u32;
        (u64::from(high >> 1) << 32 | u64::from(self.count_low as u32), high & 1 != 0)
    }

    #[inline(always)]
    fn set_received(&mut self, bytes: u64, cancelled: bool) {
        self.count_low = bytes as u32 as c_int;
        self.count_high_and_cancelled = ((bytes >> 32) << 1) as c_int | c_int::from(cancelled);
    }
}

/// A place for each predefined handle of a kind: what differs is the last byte, and the highest
/// bits, which tell a null handle and the datatypes of pairs from others.
const fn place(handle: c_int) -> usize {
    (handle & 0xff) as usize | (handle as u32 >> 30 << 8) as usize
}

const PLACES: usize = 0x400;
/// The numbers of the standard's predefined handles are below.
const STANDARD: usize = 0x400;

/// The predefined handles of one kind, both ways; 0 where there is none.
struct Predefined {
    /// What is at a family's handle's place: the handle, and the standard's number.
    standard: [(c_int, u16); PLACES],
    family: [c_int; STANDARD],
}

impl Predefined {
    const fn new(pairs: &[(usize, c_int)]) -> Self {
        let mut both = Predefined { standard: [(0, 0); PLACES], family: [0; STANDARD] };
        let mut i = 0;
        while i < pairs.len() {
            let (standard, family) = pairs[i];
            let there = both.standard[place(family)].0;
            assert!(there == 0 || there == family, "a place is taken");
            both.standard[place(family)] = (family, standard as u16);
            both.family[standard] = family;
            i += 1;
        }
        both
    }

    #[inline(always)]
    fn standard(&self, family: c_int) -> Option<usize> {
        let (known, standard) = self.standard[place(family)];
        (known == family && standard != 0).then_some(standard.into())
    }

    #[inline(always)]
    fn family(&self, standard: usize) -> Option<c_int> {
        self.family.get(standard).copied().filter(|family| *family != 0)
    }
}

macro_rules! integer_handles {
    ($name:ident $standard:ident: $($pair:tt),*) => {
        #[doc = concat!("`", stringify!($standard), "`.")]
        #[repr(transparent)]
        #[derive(Clone, Copy)]
        pub struct $name(c_int);

        impl $name {
            const PAIRS: &[(usize, c_int)] = &[$($pair),*];
            const KNOWN: &Predefined = {
                static KNOWN: Predefined = Predefined::new($name::PAIRS);
                &KNOWN
            };
        }

        impl Foreign<$standard> for $name {
            #[inline(always)]
            fn to_standard(self) -> $standard {
                // What the library makes at run time has the same number in both ABIs.
                let same = <$standard>::from_bits(self.0 as u32 as usize);
                if let [(standard, null)] = Self::PAIRS {
                    return if self.0 == *null { <$standard>::from_bits(*standard) } else { same };
                }
                match claimed(same) {
                    Some(_) => same,
                    None => Self::KNOWN.standard(self.0).map_or(same, <$standard>::from_bits),
                }
            }

            #[inline(always)]
            fn from_standard(handle: $standard) -> Self {
                let same = handle.bits() as c_int;
                if let [(standard, null)] = Self::PAIRS {
                    return $name(if handle.bits() == *standard { *null } else { same });
                }
                $name(match claimed(handle) {
                    Some(_) => same,
                    None => Self::KNOWN.family(handle.bits()).unwrap_or(same),
                })
            }

            fn to_fortran(self) -> c_int {
                self.0
            }

            fn from_fortran(handle: c_int) -> Self {
                $name(handle)
            }
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/mpich_handles.rs"));

/// `MPI_File`, an address.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct File(usize);

impl Foreign<MPI_File> for File {
    fn to_standard(self) -> MPI_File {
        if self.0 == 0 { MPI_FILE_NULL } else { MPI_File::from_bits(self.0) }
    }

    fn from_standard(handle: MPI_File) -> Self {
        File(if handle == MPI_FILE_NULL { 0 } else { handle.bits() })
    }

    fn to_fortran(self) -> c_int {
        self.0 as c_int
    }

    fn from_fortran(handle: c_int) -> Self {
        File(handle as u32 as usize)
    }
}
