//! Arrays as gfortran passes them to subroutines that are not C's: those of MPICH's `mpi_f08`. They
//! become the descriptors that C knows (`sections.rs`).

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;

use crate::sections::{Descriptor, Dimension, RANK_MAX};

/// One dimension: the stride in elements.
#[repr(C)]
struct Bounds {
    stride: isize,
    lower: isize,
    upper: isize,
}

/// gfortran's descriptor since version 8.
#[repr(C)]
pub struct Array {
    /// Other compilers' descriptors begin with it too.
    address: *mut c_void,
    offset: isize,
    element: usize,
    version: c_int,
    rank: i8,
    ty: i8,
    attribute: i16,
    /// Bytes that a stride of one means.
    span: isize,
    /// As many as the rank says.
    dimensions: [Bounds; 0],
}

/// gfortran has had one.
const VERSION: c_int = 0;

/// A descriptor of C, with room for its dimensions.
#[repr(C)]
pub struct Converted {
    descriptor: Descriptor,
    dimensions: [MaybeUninit<Dimension>; RANK_MAX],
}

const _: () = assert!(
    std::mem::offset_of!(Converted, dimensions) == std::mem::offset_of!(Descriptor, dimensions),
    "the dimensions follow at once"
);

impl Converted {
    #[inline]
    pub fn as_ptr(&self) -> *const Descriptor {
        // Of the whole: the dimensions are read through it.
        std::ptr::from_ref(self).cast()
    }

    /// Where the array begins.
    #[inline]
    pub fn address(&self) -> *mut c_void {
        self.descriptor.address
    }
}

/// The descriptor that C knows. An array of another compiler is taken for one without gaps.
///
/// # Safety
/// `array` is the descriptor of a compiler.
#[inline]
pub unsafe fn descriptor(array: *const Array) -> Converted {
    // SAFETY: promised by the caller: the address is there, whichever compiler made it.
    let address = unsafe { (*array).address };
    let descriptor = Descriptor {
        address,
        element: 0,
        version: 0,
        rank: 0,
        of_the_compiler: [0; 3],
        dimensions: [],
    };
    let mut converted =
        Converted { descriptor, dimensions: [const { MaybeUninit::uninit() }; RANK_MAX] };
    // SAFETY: a descriptor of gfortran has all of it; others are at least as long as its fixed
    // part where they describe arrays, and scalars are passed in the same form.
    unsafe {
        let rank = (*array).rank;
        if (*array).version != VERSION || !(1..=RANK_MAX as i8).contains(&rank) {
            return converted;
        }
        converted.descriptor.element = (*array).element;
        converted.descriptor.rank = rank as u8;
        let span = if (*array).span != 0 { (*array).span } else { (*array).element as isize };
        let bounds: *const Bounds = (&raw const (*array).dimensions).cast();
        for (i, dimension) in converted.dimensions[..rank as usize].iter_mut().enumerate() {
            let Bounds { stride, lower, upper } = bounds.add(i).read();
            let extent = (upper - lower + 1).max(0);
            dimension.write(Dimension { lower_bound: 0, extent, stride: stride * span });
        }
    }
    converted
}
