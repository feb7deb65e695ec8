//! The program's memory as packing sees it: blocks at offsets from the address that the program
//! gave. Only blocks that a datatype names are ever asked for; what lies between them may belong to
//! nobody and not be mapped (`MPI_BOTTOM`).

/// Shorter blocks of irregular lengths are packed by a copy of so many bytes.
pub const WIDE_BYTES: usize = 32;

/// Memory that is packed.
pub trait Memory {
    /// The `len` bytes at `at`, which a datatype names.
    fn block(&self, at: i64, len: usize) -> &[u8];

    /// [`WIDE_BYTES`] bytes at `at`, where a block begins that may be shorter, if so many can be
    /// read.
    fn wide(&self, at: i64) -> Option<&[u8; WIDE_BYTES]>;
}

/// Memory into which is unpacked.
pub trait MemoryMut {
    /// The same memory, by a value of a loop's own: where it lies stays in a register, though the
    /// loop writes to memory.
    fn local(&mut self) -> impl MemoryMut;

    /// The `len` bytes at `at`, which a datatype names.
    fn block_mut(&mut self, at: i64, len: usize) -> &mut [u8];
}

/// Memory that lies in one piece.
#[derive(Clone, Copy, Debug)]
pub struct Piece<B> {
    /// Its bytes.
    pub bytes: B,
    /// The offset of the first.
    pub lo: i64,
}

impl<B> Piece<B> {
    fn index(&self, at: i64) -> usize {
        (at - self.lo) as usize
    }
}

/// # Panics
/// If a block lies outside.
impl Memory for Piece<&[u8]> {
    fn block(&self, at: i64, len: usize) -> &[u8] {
        &self.bytes[self.index(at)..][..len]
    }

    fn wide(&self, at: i64) -> Option<&[u8; WIDE_BYTES]> {
        self.bytes[self.index(at)..].first_chunk()
    }
}

/// # Panics
/// If a block lies outside.
impl MemoryMut for Piece<&mut [u8]> {
    fn local(&mut self) -> impl MemoryMut {
        Piece { bytes: &mut *self.bytes, lo: self.lo }
    }

    fn block_mut(&mut self, at: i64, len: usize) -> &mut [u8] {
        let at = self.index(at);
        &mut self.bytes[at..][..len]
    }
}
