//! A buffer of the MPI program: an address, and which bytes around it a count of a datatype means.
//! The one place where the engine turns a user's pointer into memory it may touch.

use dunlin_base::Result;
use dunlin_datatype::Datatype;

use crate::memory::alloc::{copied, zeroed};

/// What is copied at a time between two scattered buffers: it stays in a core's own cache.
const PIECE_BYTES: usize = 64 << 10;

/// User memory taking part in an operation. Its maker promised that it stays valid, and is left
/// alone as the standard demands (section 3.7.2), until the operation has completed.
#[derive(Clone, Debug)]
pub struct UserBuffer {
    /// The first byte of dense data; for scattered data the address the program gave.
    start: *mut u8,
    /// Bytes of data, without gaps.
    bytes: usize,
    scattered: Option<Scattered>,
}

#[derive(Clone, Debug)]
struct Scattered {
    datatype: Datatype,
    count: usize,
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
        let scattered = Some(Scattered { datatype: datatype.clone(), count });
        Ok(UserBuffer { start: address, bytes, scattered })
    }

    /// Bytes of data.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The data, if it lies in one piece.
    #[inline]
    pub fn as_dense(&self) -> Option<&[u8]> {
        if self.scattered.is_some() {
            return None;
        }
        // SAFETY: the maker's promise.
        Some(unsafe { std::slice::from_raw_parts(self.start, self.bytes) })
    }

    /// The first `len` bytes of the data, if it lies in one piece.
    #[inline]
    pub fn as_dense_mut(&mut self, len: usize) -> Option<&mut [u8]> {
        if self.scattered.is_some() {
            return None;
        }
        // SAFETY: the maker's promise; `min` keeps within it.
        Some(unsafe { std::slice::from_raw_parts_mut(self.start, len.min(self.bytes)) })
    }

    /// Copies bytes `skip..skip + out.len()` of the data to `out`.
    pub fn pack(&self, skip: usize, out: &mut [u8]) {
        match &self.scattered {
            None => out.copy_from_slice(&self.as_dense().unwrap_or(&[])[skip..skip + out.len()]),
            Some(s) => {
                let (lo, hi) = s.datatype.bounds(s.count);
                let start = self.start.wrapping_offset(lo as isize);
                // SAFETY: the maker's promise covers every byte the datatype names; the bytes in
                // the gaps between belong to the same object of the program.
                let memory = unsafe { std::slice::from_raw_parts(start, (hi - lo) as usize) };
                s.datatype.pack(s.count, memory, lo, skip, out);
            }
        }
    }

    /// Copies `data` to bytes `skip..` of the data; what does not fit is left out.
    pub fn unpack(&mut self, skip: usize, data: &[u8]) {
        let data = &data[..data.len().min(self.bytes.saturating_sub(skip))];
        if data.is_empty() {
            return;
        }
        match &self.scattered {
            None => {
                // SAFETY: the maker's promise; cut to what fits above.
                let to = unsafe { self.start.add(skip) };
                // SAFETY: as above; a receive buffer never overlaps what it receives from.
                unsafe { std::ptr::copy_nonoverlapping(data.as_ptr(), to, data.len()) };
            }
            Some(s) => {
                let (lo, hi) = s.datatype.bounds(s.count);
                let start = self.start.wrapping_offset(lo as isize);
                // SAFETY: as in `pack`; gaps are not written.
                let memory = unsafe { std::slice::from_raw_parts_mut(start, (hi - lo) as usize) };
                s.datatype.unpack(s.count, memory, lo, skip, data);
            }
        }
    }

    /// All data in one piece.
    pub fn packed(&self) -> Result<Box<[u8]>> {
        if let Some(data) = self.as_dense() {
            return copied(data);
        }
        let mut out = zeroed(self.bytes)?;
        self.pack(0, &mut out);
        Ok(out)
    }

    /// Copies all of `from` here, as far as it fits; the two may be described differently.
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

    /// Where neither lies in one piece.
    fn copy_by_pieces(&mut self, from: &UserBuffer) {
        let bytes = from.bytes.min(self.bytes);
        let mut piece = vec![0; bytes.min(PIECE_BYTES)];
        for at in (0..bytes).step_by(PIECE_BYTES) {
            let piece = &mut piece[..PIECE_BYTES.min(bytes - at)];
            from.pack(at, piece);
            self.unpack(at, piece);
        }
    }

    /// Whether the two are the same memory described the same way (`MPI_IN_PLACE`).
    pub fn is_same_memory(&self, other: &UserBuffer) -> bool {
        let is_alike = match (&self.scattered, &other.scattered) {
            (None, None) => true,
            (Some(a), Some(b)) => a.count == b.count && a.datatype.is_same(&b.datatype),
            _ => false,
        };
        is_alike && self.start == other.start && self.bytes == other.bytes
    }
}
