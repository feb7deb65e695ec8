//! Buffers of `mpi_f08`, which come as descriptors of arrays (`CFI_cdesc_t`, Fortran 2018 section
//! 18.5), and may be sections with gaps. A call means by its count and datatype the elements that
//! are there, without the gaps (MPI 5.0, section 19.1.12).
//!
//! A message gets a datatype that steps over the gaps. Where there is none for it (reductions,
//! whose operators need their own datatypes; several blocks in one buffer; datatypes with gaps),
//! the elements stand in a staging buffer as long as the operation lasts.

use std::ffi::{c_int, c_void};
use std::marker::PhantomData;

use crate::convert::MPI_Count;
use crate::library::{Library, StagingFunctions, Text};

/// The most dimensions that an array has.
pub const RANK_MAX: usize = 15;

/// One dimension of an array.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Dimension {
    pub lower_bound: isize,
    /// Elements; negative in the last dimension of an array of assumed size.
    pub extent: isize,
    /// Bytes from one element to the next.
    pub stride: isize,
}

/// What Fortran passes for an array: the part of `CFI_cdesc_t` in which compilers agree.
#[repr(C)]
#[derive(Debug)]
pub struct Descriptor {
    pub address: *mut c_void,
    pub element: usize,
    pub version: c_int,
    pub rank: u8,
    pub of_the_compiler: [u8; 3],
    /// As many as the rank says.
    pub dimensions: [Dimension; 0],
}

impl Descriptor {
    /// Where the array begins.
    ///
    /// # Safety
    /// `this` is a descriptor.
    #[inline]
    pub unsafe fn address(this: *const Descriptor) -> *mut c_void {
        // SAFETY: promised by the caller.
        unsafe { (*this).address }
    }

    /// Bytes of an element.
    ///
    /// # Safety
    /// As [`address`](Self::address).
    pub unsafe fn element(this: *const Descriptor) -> usize {
        // SAFETY: promised by the caller.
        unsafe { (*this).element }
    }

    /// Its dimensions.
    ///
    /// # Safety
    /// As [`address`](Self::address), for as long as they are used.
    #[inline]
    unsafe fn dimensions<'a>(this: *const Descriptor) -> &'a [Dimension] {
        // SAFETY: promised by the caller: as many follow the fixed part.
        unsafe {
            let first = (&raw const (*this).dimensions).cast();
            std::slice::from_raw_parts(first, usize::from((*this).rank).min(RANK_MAX))
        }
    }

    /// Whether its elements stand side by side, if that is seen at once.
    ///
    /// # Safety
    /// As [`address`](Self::address).
    #[inline(always)]
    pub unsafe fn is_plain(this: *const Descriptor) -> bool {
        // SAFETY: promised by the caller; an array of one dimension has one.
        unsafe {
            let first: *const Dimension = (&raw const (*this).dimensions).cast();
            let rank = (*this).rank;
            rank == 0 || rank == 1 && (*first).stride == (*this).element as isize
        }
    }

    /// Whether its elements stand side by side.
    ///
    /// # Safety
    /// As [`address`](Self::address).
    pub unsafe fn is_contiguous(this: *const Descriptor) -> bool {
        // SAFETY: promised by the caller.
        let (dimensions, mut expected) = unsafe {
            // What was never allocated has no dimensions that mean anything.
            if (*this).address.is_null() {
                return true;
            }
            (Self::dimensions(this), (*this).element as isize)
        };
        for dimension in dimensions {
            if dimension.extent != 1 && dimension.stride != expected {
                return dimensions.iter().any(|d| d.extent == 0);
            }
            expected = expected.wrapping_mul(dimension.extent);
        }
        true
    }
}

/// An array with gaps.
#[derive(Clone, Debug)]
struct Section {
    address: *mut u8,
    /// Bytes of an element.
    element: usize,
    /// The number of elements and the stride in bytes of each dimension; dimensions that continue
    /// one another are one.
    dimensions: Vec<(usize, isize)>,
}

impl Section {
    /// # Safety
    /// `from` is a descriptor.
    unsafe fn new(from: *const Descriptor) -> Section {
        // SAFETY: promised by the caller.
        let (address, element, all) =
            unsafe { ((*from).address.cast(), (*from).element, Descriptor::dimensions(from)) };
        let mut dimensions: Vec<(usize, isize)> = Vec::with_capacity(all.len());
        for dimension in all.iter().filter(|d| d.extent != 1) {
            let (extent, stride) = (dimension.extent.max(0) as usize, dimension.stride);
            match dimensions.last_mut() {
                Some((before, step)) if *before as isize * *step == stride => *before *= extent,
                _ => dimensions.push((extent, stride)),
            }
        }
        Section { address, element, dimensions }
    }

    /// Whether elements stand closer to one another than they are long: no array is so.
    fn overlaps(&self) -> bool {
        self.dimensions.iter().any(|(_, stride)| stride.unsigned_abs() < self.element)
    }

    fn elements(&self) -> usize {
        self.dimensions.iter().map(|(extent, _)| extent).product()
    }

    /// Calls `f` with each element, in Fortran's order.
    fn for_each(&self, mut f: impl FnMut(usize, *mut u8)) {
        let mut places = vec![0; self.dimensions.len()];
        let mut at = self.address;
        for number in 0..self.elements() {
            f(number, at);
            for (place, (extent, stride)) in places.iter_mut().zip(&self.dimensions) {
                *place += 1;
                at = at.wrapping_offset(*stride);
                if *place < *extent {
                    break;
                }
                at = at.wrapping_offset(-stride * *extent as isize);
                *place = 0;
            }
        }
    }
}

/// A message as C gets it.
#[derive(Debug)]
pub struct Message {
    pub address: *mut c_void,
    pub count: MPI_Count,
    pub datatype: c_int,
}

/// The elements of a section, side by side.
#[derive(Debug)]
struct Staged {
    section: Section,
    /// What the library reads and writes.
    buffer: Vec<Aligned>,
    /// What was there before; `None` if the library only reads.
    before: Option<Vec<Aligned>>,
}

/// Memory in which elements of any type may stand.
type Aligned = u128;

fn bytes_of(buffer: &[Aligned]) -> &[u8] {
    // SAFETY: any bytes are bytes.
    unsafe { std::slice::from_raw_parts(buffer.as_ptr().cast(), size_of_val(buffer)) }
}

impl Staged {
    /// # Safety
    /// The section's memory may be read.
    unsafe fn fill(&mut self) {
        let element = self.section.element;
        let to: *mut u8 = self.buffer.as_mut_ptr().cast();
        // SAFETY: promised by the caller; the buffer has room for all elements.
        self.section.for_each(|number, from| unsafe {
            to.add(number * element).copy_from_nonoverlapping(from, element);
        });
        if let Some(before) = &mut self.before {
            before.copy_from_slice(&self.buffer);
        }
    }

    /// Writes what the library has written: the program may change other elements meanwhile.
    ///
    /// # Safety
    /// The section's memory may be written.
    unsafe fn drain(&self) {
        let Some(before) = &self.before else { return };
        let (now, before) = (bytes_of(&self.buffer), bytes_of(before));
        let element = self.section.element;
        self.section.for_each(|number, to| {
            let at = number * element..(number + 1) * element;
            let (now, then) = (&now[at.clone()], &before[at]);
            if now != then {
                // SAFETY: promised by the caller.
                unsafe { to.copy_from_nonoverlapping(now.as_ptr(), element) };
            }
        });
    }
}

/// The sections of one call of a library.
pub struct Sections<L: Library> {
    staged: Vec<Staged>,
    /// Datatypes that step over gaps.
    datatypes: Vec<Datatype<L>>,
    /// Why the call cannot take a buffer.
    refused: Option<&'static str>,
}

impl<L: Library> Default for Sections<L> {
    fn default() -> Self {
        Sections { staged: Vec::new(), datatypes: Vec::new(), refused: None }
    }
}

/// A datatype that was made here, by Fortran's number, until it is freed.
struct Datatype<L: Library>(c_int, PhantomData<L>);

impl<L: Library> Datatype<L> {
    fn contiguous(count: MPI_Count, of: c_int) -> Self {
        Datatype(L::contiguous(count, of), PhantomData)
    }
}

impl<L: Library> Drop for Datatype<L> {
    fn drop(&mut self) {
        L::free(self.0);
    }
}

const UNDESCRIBED: &str = "the buffer is an array section with gaps, which this call takes with a \
                           committed datatype without gaps only, and in partitions if all elements \
                           are equally far from one another; pass a contiguous array";
const NOT_WHOLE: &str = "the buffer is an array section with gaps; its memory must be in one piece";
const OVERLAPPING: &str = "the compiler says of the buffer that its elements overlap, as gfortran \
                           does of class(*) sections; pass a variable of the type itself, as in \
                           `select type`";

impl<L: Library> Sections<L> {
    /// A buffer of one message, which the library writes if `is_written`.
    ///
    /// # Safety
    /// `buffer` is the descriptor of memory that the call may use.
    pub unsafe fn message(
        &mut self,
        buffer: *const Descriptor,
        count: impl Into<MPI_Count>,
        datatype: c_int,
        is_written: bool,
    ) -> Message {
        let count = count.into();
        // SAFETY: promised by the caller.
        unsafe {
            self.described(buffer, count, datatype).unwrap_or_else(|| Message {
                address: self.staged(buffer, is_written),
                count,
                datatype,
            })
        }
    }

    /// A buffer of one message of a call that does not say when it is done with it.
    ///
    /// # Safety
    /// As [`message`](Self::message).
    pub unsafe fn lasting(
        &mut self,
        buffer: *const Descriptor,
        count: impl Into<MPI_Count>,
        datatype: c_int,
    ) -> Message {
        // SAFETY: promised by the caller.
        unsafe {
            let (address, count) = ((*buffer).address, count.into());
            self.described(buffer, count, datatype).unwrap_or_else(|| {
                self.refused = Some(UNDESCRIBED);
                Message { address, count, datatype }
            })
        }
    }

    /// A buffer of partitions, each of `count` elements.
    ///
    /// # Safety
    /// As [`message`](Self::message).
    pub unsafe fn partitions(
        &mut self,
        buffer: *const Descriptor,
        count: impl Into<MPI_Count>,
        datatype: c_int,
    ) -> Message {
        // SAFETY: promised by the caller.
        unsafe {
            let (address, count) = ((*buffer).address, count.into());
            let evenly = self.evenly_spaced(buffer, datatype);
            if evenly.is_none() {
                self.refused = Some(UNDESCRIBED);
            }
            Message { address, count, datatype: evenly.unwrap_or(datatype) }
        }
    }

    /// The address of a buffer's elements side by side.
    ///
    /// # Safety
    /// As [`message`](Self::message).
    pub unsafe fn staged(&mut self, buffer: *const Descriptor, is_written: bool) -> *mut c_void {
        // SAFETY: promised by the caller.
        unsafe {
            if Descriptor::is_contiguous(buffer) {
                return (*buffer).address;
            }
            let section = Section::new(buffer);
            if section.overlaps() {
                self.refused = Some(OVERLAPPING);
                return section.address.cast();
            }
            let length = (section.elements() * section.element).div_ceil(size_of::<Aligned>());
            let before = is_written.then(|| vec![0; length]);
            let mut staged = Staged { section, buffer: vec![0; length], before };
            staged.fill();
            let address = staged.buffer.as_mut_ptr().cast();
            self.staged.push(staged);
            address
        }
    }

    /// The address of memory that must be in one piece.
    ///
    /// # Safety
    /// As [`message`](Self::message).
    pub unsafe fn whole(&mut self, buffer: *const Descriptor) -> *mut c_void {
        // SAFETY: promised by the caller.
        unsafe {
            if !Descriptor::is_contiguous(buffer) {
                self.refused = Some(NOT_WHOLE);
            }
            (*buffer).address
        }
    }

    /// The error code of a call that cannot take one of its buffers, which its communicator's error
    /// handler has heard of, if there is one.
    pub fn refusal(&self, function: &'static str, comm: Option<c_int>) -> Option<c_int> {
        Some(L::refuse(Text::new(function), comm, Text::new(self.refused?)))
    }

    /// One element of a datatype for all that a message has.
    unsafe fn described(
        &mut self,
        buffer: *const Descriptor,
        count: MPI_Count,
        datatype: c_int,
    ) -> Option<Message> {
        // SAFETY: promised by the caller.
        let (address, is_contiguous) =
            unsafe { ((*buffer).address, Descriptor::is_contiguous(buffer)) };
        if is_contiguous || count <= 0 {
            return Some(Message { address, count, datatype });
        }
        let bytes = dense_size::<L>(datatype)?;
        // SAFETY: promised by the caller.
        let section = unsafe { Section::new(buffer) };
        if section.overlaps() {
            return None;
        }
        let total = count.checked_mul(bytes)?;
        let element = section.element as MPI_Count;
        if element == 0 || element % bytes != 0 || total % element != 0 {
            return None;
        }
        let one = Datatype::<L>::contiguous(element / bytes, datatype);
        let all = first::<L>(&section.dimensions, total / element, &one);
        L::commit(all.0);
        let datatype = all.0;
        self.datatypes.push(all);
        Some(Message { address, count: 1, datatype })
    }

    /// A datatype whose elements are as far from one another as those of the section, if that is
    /// the same everywhere.
    unsafe fn evenly_spaced(&mut self, buffer: *const Descriptor, of: c_int) -> Option<c_int> {
        // SAFETY: promised by the caller.
        let (section, is_contiguous) =
            unsafe { (Section::new(buffer), Descriptor::is_contiguous(buffer)) };
        if is_contiguous {
            return Some(of);
        }
        let [(_, stride)] = section.dimensions[..] else { return None };
        if dense_size::<L>(of)? != section.element as MPI_Count {
            return None;
        }
        let spaced = L::resized(of, stride as MPI_Count);
        L::commit(spaced);
        self.datatypes.push(Datatype(spaced, PhantomData));
        Some(spaced)
    }

    /// After a call that is done with its buffers.
    pub fn finish(self) {
        for staged in &self.staged {
            // SAFETY: the call's buffers, which it may write.
            unsafe { staged.drain() };
        }
    }

    /// After a call that returned a request: the buffers live as long as that. Returns an error
    /// code.
    ///
    /// # Safety
    /// `request` points to the request that the call made, unless it failed.
    pub unsafe fn finish_with(mut self, request: *mut c_int) -> c_int {
        let staged = std::mem::take(&mut self.staged);
        // SAFETY: promised by the caller.
        if staged.is_empty() || unsafe { *request } == L::REQUEST_NULL {
            return L::SUCCESS;
        }
        let state = Box::into_raw(Box::new(staged)).cast();
        let functions = StagingFunctions { fill, drain, free: release };
        // SAFETY: the functions are for such a state; the program's promises on its buffers hold
        // until the request is complete.
        unsafe { L::stage_request(&mut *request, functions, state) }
    }
}

/// The bytes of a datatype's element, if it has no gaps and messages can have it.
fn dense_size<L: Library>(datatype: c_int) -> Option<MPI_Count> {
    let size = L::dense_size(datatype);
    (size > 0).then_some(size)
}

/// The first elements of an array with these dimensions: as many whole hyperplanes of the last one
/// as there are, and what is left of the next.
fn first<L: Library>(
    dimensions: &[(usize, isize)],
    count: MPI_Count,
    one: &Datatype<L>,
) -> Datatype<L> {
    let Some(((_, stride), inner)) = dimensions.split_last() else {
        return Datatype::contiguous(count, one.0);
    };
    let plane: usize = inner.iter().map(|(extent, _)| extent).product();
    let plane = plane as MPI_Count;
    let (whole, rest) = (count / plane, count % plane);
    let stride = *stride as MPI_Count;
    let of = first(inner, plane, one);
    let planes = Datatype(L::hvector(whole, stride, of.0), PhantomData);
    if rest == 0 {
        return planes;
    }
    let last = first(inner, rest, one);
    Datatype(L::one_after_other(planes.0, whole * stride, last.0), PhantomData)
}

unsafe extern "C" fn fill(state: *mut c_void) {
    // SAFETY: the state of `finish_with`, which nobody else uses meanwhile.
    let all = unsafe { &mut *state.cast::<Vec<Staged>>() };
    // SAFETY: the program starts the operation: the library may read its buffers.
    all.iter_mut().for_each(|staged| unsafe { staged.fill() });
}

unsafe extern "C" fn drain(state: *mut c_void) {
    // SAFETY: as above.
    let all = unsafe { &*state.cast::<Vec<Staged>>() };
    // SAFETY: the program completes the operation: the library may write its buffers.
    all.iter().for_each(|staged| unsafe { staged.drain() });
}

unsafe extern "C" fn release(state: *mut c_void) {
    // SAFETY: the state of `finish_with`, for the last time.
    drop(unsafe { Box::from_raw(state.cast::<Vec<Staged>>()) });
}
