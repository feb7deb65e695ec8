//! Packing into buffers of the program, in native form and in external32 (MPI 5.0, sections 5.2 and
//! 5.3).

use std::ffi::{c_char, c_void};

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_datatype::Datatype;
use dunlin_engine::inquiry::datatype::SIZE;
use dunlin_engine::{Engine, UserMemory};

use crate::call::{on_comm, on_process};
use crate::convert::{self, get, put};
use crate::datatype::{datatype, fitting, type_object};
use crate::datatype_construct::Integer;
use crate::inquiry::{self, answer};
use crate::standard::constants::{MPI_SUCCESS, MPI_UNDEFINED};
use crate::standard::types::*;

/// The part of a packed buffer from a position to its end.
struct Packed {
    at: *mut u8,
    left: usize,
    position: i64,
}

impl Packed {
    /// The rest of a packed buffer of `size` bytes from `position` on.
    ///
    /// # Safety
    /// `position` is null or points to a number.
    #[inline(always)]
    unsafe fn at<P: Integer>(
        start: *const c_void,
        size: MPI_Count,
        position: *const P,
    ) -> Result<Packed> {
        let size = convert::count(size)?;
        // SAFETY: promised by the caller.
        let position = unsafe { get(position, "position") }?.wide();
        let skip = usize::try_from(position).ok().filter(|p| *p <= size).ok_or_else(|| {
            let text = format!("position is {position}; it must be 0 to {size}, the buffer's size");
            Error::new(ErrorClass::Arg, text)
        })?;
        let at = start.cast_mut().cast::<u8>().wrapping_add(skip);
        Ok(Packed { at, left: size - skip, position })
    }

    /// Rejects data that is longer than the rest of the buffer.
    fn check(&self, bytes: usize) -> Result<()> {
        if bytes > self.left {
            let (left, position) = (self.left, self.position);
            let text = format!(
                "the data have {bytes} bytes packed, but behind position {position} the buffer has \
                 only {left}"
            );
            return Err(Error::new(ErrorClass::Truncate, text));
        }
        if bytes > 0 && self.at.wrapping_sub(self.position as usize).is_null() {
            return Err(Error::new(ErrorClass::Buffer, "the packed buffer is a null pointer"));
        }
        Ok(())
    }

    /// The bytes to read.
    ///
    /// # Safety
    /// The program's promise about the packed buffer.
    unsafe fn bytes<'a>(&self, bytes: usize) -> Result<&'a [u8]> {
        self.check(bytes)?;
        if bytes == 0 {
            return Ok(&[]);
        }
        // SAFETY: promised by the caller; size and null were checked above.
        Ok(unsafe { std::slice::from_raw_parts(self.at, bytes) })
    }

    /// The bytes to write.
    ///
    /// # Safety
    /// As for [`Packed::bytes`].
    unsafe fn room<'a>(&self, bytes: usize) -> Result<&'a mut [u8]> {
        self.check(bytes)?;
        if bytes == 0 {
            return Ok(&mut []);
        }
        // SAFETY: as in `bytes`.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.at, bytes) })
    }

    /// The position after `bytes` more.
    fn behind<P: Integer + TryFrom<i64>>(&self, bytes: usize) -> Result<P> {
        P::try_from(self.position + bytes as i64)
            .map_err(|_| Error::new(ErrorClass::Intern, "a position is beyond its buffer's size"))
    }
}

/// Elements in the program's memory, for external32.
struct Elements {
    datatype: Datatype,
    count: usize,
    memory: UserMemory,
}

impl Elements {
    /// # Safety
    /// As for [`UserMemory::new`].
    unsafe fn of(
        engine: &Engine,
        address: *const c_void,
        count: MPI_Count,
        datatype: MPI_Datatype,
    ) -> Result<Elements> {
        let count = convert::count(count)?;
        let datatype = type_object(engine, datatype)?.committed()?.clone();
        let address = address.cast_mut().cast::<u8>();
        let first = address.wrapping_offset(datatype.true_lb() as isize);
        if datatype.bytes_of(count)? > 0 && first.is_null() {
            let text = format!("the buffer is a null pointer, but has {count} elements");
            return Err(Error::new(ErrorClass::Buffer, text));
        }
        // SAFETY: promised by the caller.
        let memory = unsafe { UserMemory::new(address, count, &datatype) };
        Ok(Elements { datatype, count, memory })
    }

    fn external32_size(&self) -> Result<usize> {
        self.datatype.external32_size(self.count).ok_or_else(|| {
            Error::new(ErrorClass::Count, format!("{} elements are too many", self.count))
        })
    }
}

/// The size in external32; `None` if it does not fit in an `i64`.
fn external32_size(engine: &Engine, count: MPI_Count, handle: MPI_Datatype) -> Result<Option<i64>> {
    let count = convert::count(count)?;
    let bytes = datatype(engine, handle)?.external32_size(count);
    Ok(bytes.and_then(|n| i64::try_from(n).ok()))
}

entry_c! {
    fn MPI_Pack / MPI_Pack_c(
        inbuf: *const c_void,
        incount: N,
        datatype: MPI_Datatype,
        outbuf: *mut c_void,
        outsize: N,
        position: *mut N,
        comm: MPI_Comm,
    ) {
        on_comm(FUNCTION, comm, |engine, _| {
            // SAFETY: the program's promises on its buffers and the address of a position.
            unsafe {
                let data = convert::buffer_here(engine, inbuf, incount.into(), datatype)?;
                let packed = Packed::at(outbuf, outsize.into(), position)?;
                data.pack(0, packed.room(data.bytes())?);
                put(position, packed.behind(data.bytes())?, "position")
            }
        })
    }

    fn MPI_Unpack / MPI_Unpack_c(
        inbuf: *const c_void,
        insize: N,
        position: *mut N,
        outbuf: *mut c_void,
        outcount: N,
        datatype: MPI_Datatype,
        comm: MPI_Comm,
    ) {
        on_comm(FUNCTION, comm, |engine, _| {
            // SAFETY: as in MPI_Pack.
            unsafe {
                let mut data = convert::buffer_here(engine, outbuf, outcount.into(), datatype)?;
                let packed = Packed::at(inbuf, insize.into(), position)?;
                data.unpack(0, packed.bytes(data.bytes())?);
                put(position, packed.behind(data.bytes())?, "position")
            }
        })
    }

    fn MPI_Pack_size / MPI_Pack_size_c(
        incount: N,
        datatype: MPI_Datatype,
        comm: MPI_Comm,
        size: *mut N,
    ) {
        let count = MPI_Count::from(incount);
        let known = inquiry::datatype(datatype).filter(|_| inquiry::comm(comm).is_some());
        let bytes = known.filter(|_| count >= 0).map(|known| known.get(SIZE).checked_mul(count));
        // SAFETY: the program passes null or the address of a size.
        if bytes.is_some_and(|bytes| unsafe { answer(size, fitting::<N>(bytes)) }) {
            return MPI_SUCCESS;
        }
        on_comm(FUNCTION, comm, |engine, _| {
            let count = convert::count(count)?;
            let bytes = self::datatype(engine, datatype)?.size().checked_mul(count);
            let bytes = bytes.and_then(|n| i64::try_from(n).ok());
            // SAFETY: as above.
            unsafe { put(size, fitting::<N>(bytes), "size") }
        })
    }

    fn MPI_Pack_external / MPI_Pack_external_c(
        _datarep: *const c_char,
        inbuf: *const c_void,
        incount: N,
        datatype: MPI_Datatype,
        outbuf: *mut c_void,
        outsize: Stride,
        position: *mut Stride,
    ) {
        on_process(FUNCTION, |engine| {
            // SAFETY: the program's promises on its buffers and a position's address.
            unsafe {
                let data = Elements::of(engine, inbuf, incount.into(), datatype)?;
                let packed = Packed::at(outbuf, outsize.wide(), position)?;
                let bytes = data.external32_size()?;
                let out = packed.room(bytes)?;
                data.datatype.pack_external32(data.count, &data.memory, out)?;
                put(position, packed.behind(bytes)?, "position")
            }
        })
    }

    fn MPI_Unpack_external / MPI_Unpack_external_c(
        _datarep: *const c_char,
        inbuf: *const c_void,
        insize: Stride,
        position: *mut Stride,
        outbuf: *mut c_void,
        outcount: N,
        datatype: MPI_Datatype,
    ) {
        on_process(FUNCTION, |engine| {
            // SAFETY: as in MPI_Pack_external.
            unsafe {
                let mut data = Elements::of(engine, outbuf, outcount.into(), datatype)?;
                let packed = Packed::at(inbuf, insize.wide(), position)?;
                let bytes = data.external32_size()?;
                let input = packed.bytes(bytes)?;
                data.datatype.unpack_external32(data.count, &mut data.memory, input)?;
                put(position, packed.behind(bytes)?, "position")
            }
        })
    }

    fn MPI_Pack_external_size / MPI_Pack_external_size_c(
        _datarep: *const c_char,
        incount: N,
        datatype: MPI_Datatype,
        size: *mut Stride,
    ) {
        on_process(FUNCTION, |engine| {
            let bytes = external32_size(engine, incount.into(), datatype)?;
            // SAFETY: the program passes null or the address of a size.
            unsafe { put(size, bytes.unwrap_or(i64::from(MPI_UNDEFINED)) as Stride, "size") }
        })
    }
}
