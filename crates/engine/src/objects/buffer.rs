//! A buffer of the MPI program: an address, a count and a datatype, which name bytes in memory.
//! This is the only place where the engine accesses memory through a pointer of the program.

use dunlin_base::Result;
use dunlin_copy::{CopyFn, append, copy_apart, copy_slice};
use dunlin_datatype::{Datatype, Memory, MemoryMut, WIDE_BYTES};

use crate::memory::alloc::{copied, zeroed};

/// Bytes copied at a time between two noncontiguous buffers: they stay in a core's first caches.
const PIECE_BYTES: usize = 64 << 10;

/// Page sizes are multiples of this.
const PAGE_BYTES: usize = 4096;

/// The memory that elements of a datatype at an address name, block by block. No slice spans a gap,
/// which may belong to another object or be unmapped. (Device memory would be another
/// implementation of [`Memory`].)
pub struct UserMemory {
    address: *mut u8,
    /// The end of the object that contains all blocks, if one object does.
    end: usize,
}

impl UserMemory {
    /// `count` elements of `datatype` at `address`.
    ///
    /// # Safety
    /// As for [`UserBuffer::new`], while this value lives; and callers access only blocks that
    /// these elements name, as [`Datatype::pack`] and [`Datatype::unpack`] do.
    pub unsafe fn new(address: *mut u8, count: usize, datatype: &Datatype) -> UserMemory {
        // All blocks at offsets from a buffer's address lie in that buffer; MPI 5.0, section
        // 5.1.12. Blocks at offsets from `MPI_BOTTOM` may lie anywhere.
        let end = match address.is_null() {
            true => 0,
            false => address.addr().wrapping_add_signed(datatype.bounds(count).1 as isize),
        };
        UserMemory { address, end }
    }

    fn at(&self, at: i64) -> *mut u8 {
        self.address.wrapping_offset(at as isize)
    }
}

impl Memory for UserMemory {
    #[inline(always)]
    fn block(&self, at: i64, len: usize) -> &[u8] {
        // SAFETY: the promise made to [`UserMemory::new`], for a block that the datatype names.
        unsafe { std::slice::from_raw_parts(self.at(at), len) }
    }

    #[inline(always)]
    fn wide(&self, at: i64) -> Option<&[u8; WIDE_BYTES]> {
        let from = self.at(at);
        // A wide read must also stay within one page: some programs pass buffers that are several
        // objects, but the page of a block's first byte is always mapped.
        let is_there = from.addr().checked_add(WIDE_BYTES)? <= self.end
            && from.addr() % PAGE_BYTES <= PAGE_BYTES - WIDE_BYTES;
        // SAFETY: the bytes after the block are mapped and lie before the end of the object that
        // contains all blocks. They may belong to a gap, which other threads of the program may
        // write meanwhile: packing uses no byte of a gap, the next block overwrites its copy.
        is_there.then(|| unsafe { &*from.cast() })
    }
}

impl MemoryMut for UserMemory {
    #[inline(always)]
    fn local(&mut self) -> impl MemoryMut {
        UserMemory { ..*self }
    }

    #[inline(always)]
    fn block_mut(&mut self, at: i64, len: usize) -> &mut [u8] {
        // SAFETY: the promise made to [`UserMemory::new`], for a block that the datatype names.
        unsafe { std::slice::from_raw_parts_mut(self.at(at), len) }
    }
}

/// User memory in an operation. The caller of the constructor promised that it stays valid, and
/// that the program accesses it only as the standard allows (section 3.7.2), until the operation
/// has completed.
#[derive(Clone, Debug)]
pub struct UserBuffer {
    /// The first byte of contiguous data; for noncontiguous data the address that the program gave.
    start: *mut u8,
    /// Bytes of data, without gaps.
    bytes: usize,
    scattered: Option<Scattered>,
}

#[derive(Clone, Debug)]
struct Scattered {
    datatype: Datatype,
    /// How many elements; or, with [`PART`], how many bytes of data come before this part of them.
    /// One word for both: every request has a buffer, and few are parts.
    count_or_skip: usize,
}

/// Longer than any message: BYTES_MAX.
const PART: usize = 1 << (usize::BITS - 1);

impl Scattered {
    /// Elements up to the end of a buffer of so many bytes, and bytes of data before it.
    fn elements(&self, bytes: usize) -> (usize, usize) {
        match self.count_or_skip & PART {
            0 => (self.count_or_skip, 0),
            _ => {
                let skip = self.count_or_skip & !PART;
                ((skip + bytes).div_ceil(self.datatype.size()), skip)
            }
        }
    }
}

impl UserBuffer {
    /// No data.
    pub const EMPTY: UserBuffer =
        UserBuffer { start: std::ptr::dangling_mut(), bytes: 0, scattered: None };

    /// `bytes` consecutive bytes.
    ///
    /// # Safety
    /// The memory must be valid for the operation (reading, and writing if it receives) until the
    /// operation has completed.
    #[inline]
    pub unsafe fn dense(start: *mut u8, bytes: usize) -> UserBuffer {
        let start = if bytes == 0 { std::ptr::dangling_mut() } else { start };
        UserBuffer { start, bytes, scattered: None }
    }

    /// `count` elements of `datatype` at `address`.
    ///
    /// # Safety
    /// As for [`UserBuffer::dense`], for every byte the datatype names.
    #[inline(always)]
    pub unsafe fn new(address: *mut u8, count: usize, datatype: &Datatype) -> Result<UserBuffer> {
        let bytes = datatype.bytes_of(count)?;
        if bytes == 0 {
            return Ok(UserBuffer::EMPTY);
        }
        if datatype.is_contiguous() {
            let start = address.wrapping_offset(datatype.true_lb() as isize);
            return Ok(UserBuffer { start, bytes, scattered: None });
        }
        let scattered = Some(Scattered { datatype: datatype.clone(), count_or_skip: count });
        Ok(UserBuffer { start: address, bytes, scattered })
    }

    /// A part of the data, as far as there is any.
    pub fn part(&self, skip: usize, bytes: usize) -> UserBuffer {
        let skip = skip.min(self.bytes);
        let bytes = bytes.min(self.bytes - skip);
        if bytes == 0 {
            return UserBuffer::EMPTY;
        }
        match &self.scattered {
            // In the memory of which the constructor was told.
            None => UserBuffer { start: self.start.wrapping_add(skip), bytes, scattered: None },
            Some(s) => {
                let before = s.elements(self.bytes).1 + skip;
                let scattered = Scattered { count_or_skip: before | PART, ..s.clone() };
                UserBuffer { start: self.start, bytes, scattered: Some(scattered) }
            }
        }
    }

    /// Bytes of data.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The data, if it is contiguous.
    #[inline]
    pub fn as_dense(&self) -> Option<&[u8]> {
        if self.scattered.is_some() {
            return None;
        }
        // SAFETY: the promise made to the constructor.
        Some(unsafe { std::slice::from_raw_parts(self.start, self.bytes) })
    }

    /// The first `len` bytes of the data, if it is contiguous.
    #[inline]
    pub fn as_dense_mut(&mut self, len: usize) -> Option<&mut [u8]> {
        if self.scattered.is_some() {
            return None;
        }
        // SAFETY: the promise made to the constructor; `min` keeps the slice within it.
        Some(unsafe { std::slice::from_raw_parts_mut(self.start, len.min(self.bytes)) })
    }

    /// Copies bytes `skip..skip + out.len()` of the data to `out`.
    pub fn pack(&self, skip: usize, out: &mut [u8]) {
        match &self.scattered {
            None => {
                let data = self.as_dense().unwrap_or(&[]);
                copy_slice(&data[skip..skip + out.len()], out);
            }
            Some(s) => {
                let (count, before) = s.elements(self.bytes);
                // SAFETY: the promise made to the constructor.
                let memory = unsafe { UserMemory::new(self.start, count, &s.datatype) };
                s.datatype.pack(count, &memory, before + skip, out);
            }
        }
    }

    /// As [`UserBuffer::unpack`]; data that is not scattered is copied so.
    pub fn unpack_by(&mut self, skip: usize, data: &[u8], copy: CopyFn) {
        let end = skip.saturating_add(data.len());
        match self.as_dense_mut(end) {
            Some(to) if to.len() == end => copy(data, &mut to[skip..]),
            _ => self.unpack(skip, data),
        }
    }

    /// Copies `data` to bytes `skip..` of the data; the part that does not fit is left out.
    pub fn unpack(&mut self, skip: usize, data: &[u8]) {
        let data = &data[..data.len().min(self.bytes.saturating_sub(skip))];
        if data.is_empty() {
            return;
        }
        match &self.scattered {
            None => {
                // SAFETY: the promise made to the constructor; `data` was cut to what fits.
                let to = unsafe { self.start.add(skip) };
                // SAFETY: as above; a receive buffer never overlaps what it receives from.
                unsafe { copy_apart(data.as_ptr(), to, data.len()) };
            }
            Some(s) => {
                let (count, before) = s.elements(self.bytes);
                // SAFETY: the promise made to the constructor.
                let mut memory = unsafe { UserMemory::new(self.start, count, &s.datatype) };
                s.datatype.unpack(count, &mut memory, before + skip, data);
            }
        }
    }

    /// A packed copy of all data.
    pub fn packed(&self) -> Result<Box<[u8]>> {
        if let Some(data) = self.as_dense() {
            return copied(data);
        }
        let mut out = zeroed(self.bytes)?;
        self.pack(0, &mut out);
        Ok(out)
    }

    /// Adds all data, packed, to bytes that have room for it.
    pub fn append_to(&self, out: &mut Vec<u8>) {
        match self.as_dense() {
            Some(data) => append(out, data),
            None => {
                let at = out.len();
                out.resize(at + self.bytes, 0);
                self.pack(0, &mut out[at..]);
            }
        }
    }

    /// Copies all data of `from`, as far as it fits; the two datatypes may differ.
    pub fn copy_from(&mut self, from: &UserBuffer) {
        match from.as_dense() {
            Some(data) => self.unpack(0, data),
            None => match self.as_dense_mut(from.bytes) {
                Some(out) => {
                    from.pack(0, out);
                }
                None => self.copy_by_pieces(from),
            },
        }
    }

    /// Copies between two noncontiguous buffers, a piece at a time.
    fn copy_by_pieces(&mut self, from: &UserBuffer) {
        let bytes = from.bytes.min(self.bytes);
        let mut piece = vec![0; bytes.min(PIECE_BYTES)];
        for at in (0..bytes).step_by(PIECE_BYTES) {
            let piece = &mut piece[..PIECE_BYTES.min(bytes - at)];
            from.pack(at, piece);
            self.unpack(at, piece);
        }
    }

    /// Whether the two have the same address, count and layout (`MPI_IN_PLACE`).
    pub fn is_same_memory(&self, other: &UserBuffer) -> bool {
        let is_alike = match (&self.scattered, &other.scattered) {
            (None, None) => true,
            (Some(a), Some(b)) => {
                a.count_or_skip == b.count_or_skip && a.datatype.is_same(&b.datatype)
            }
            _ => false,
        };
        is_alike && self.start == other.start && self.bytes == other.bytes
    }
}
