//! Datatypes (MPI 5.0, chapter 5): sizes, and what a status means in elements.

use std::ffi::c_int;

use dunlin_base::Result;
use dunlin_datatype::Datatype;
use dunlin_engine::Engine;

use crate::call::on_process;
use crate::constants::MPI_UNDEFINED;
use crate::convert::{get, put, type_id};
use crate::handles::wrong;
use crate::types::*;

/// The datatype behind a handle.
pub fn datatype(engine: &Engine, handle: MPI_Datatype) -> Result<Datatype> {
    engine.datatype(type_id(handle)?).map_err(|_| wrong(handle))
}

/// A number that must fit the program's variable; else it is `MPI_UNDEFINED`, as the standard says.
fn fitting<N: TryFrom<i64> + From<c_int>>(value: Option<i64>) -> N {
    value.and_then(|v| N::try_from(v).ok()).unwrap_or_else(|| N::from(MPI_UNDEFINED))
}

entry_c! {
    fn MPI_Type_size / MPI_Type_size_c(datatype: MPI_Datatype, size: *mut N) {
        on_process(FUNCTION, |engine| {
            let bytes = self::datatype(engine, datatype)?.size();
            // SAFETY: the program passes null or the address of a size.
            unsafe { put(size, fitting::<N>(Some(bytes as i64)), "size") }
        })
    }

    fn MPI_Type_get_extent / MPI_Type_get_extent_c(
        datatype: MPI_Datatype,
        lb: *mut Stride,
        extent: *mut Stride,
    ) {
        on_process(FUNCTION, |engine| {
            let datatype = self::datatype(engine, datatype)?;
            // SAFETY: the program passes the addresses of two variables.
            unsafe {
                put(lb, datatype.lb() as Stride, "lb")?;
                put(extent, datatype.extent() as Stride, "extent")
            }
        })
    }

    fn MPI_Type_get_true_extent / MPI_Type_get_true_extent_c(
        datatype: MPI_Datatype,
        true_lb: *mut Stride,
        true_extent: *mut Stride,
    ) {
        on_process(FUNCTION, |engine| {
            let datatype = self::datatype(engine, datatype)?;
            // SAFETY: the program passes the addresses of two variables.
            unsafe {
                put(true_lb, datatype.true_lb() as Stride, "true_lb")?;
                put(true_extent, datatype.true_extent() as Stride, "true_extent")
            }
        })
    }

    fn MPI_Get_count / MPI_Get_count_c(
        status: *const MPI_Status,
        datatype: MPI_Datatype,
        count: *mut N,
    ) {
        on_process(FUNCTION, |engine| {
            let datatype = self::datatype(engine, datatype)?;
            // SAFETY: the program passes the addresses of a status and a count.
            unsafe {
                let bytes = get(status, "status")?.bytes() as usize;
                put(count, fitting::<N>(datatype.count_of(bytes).map(|n| n as i64)), "count")
            }
        })
    }

    fn MPI_Get_elements / MPI_Get_elements_c(
        status: *const MPI_Status,
        datatype: MPI_Datatype,
        count: *mut N,
    ) {
        on_process(FUNCTION, |engine| {
            let datatype = self::datatype(engine, datatype)?;
            // SAFETY: the program passes the addresses of a status and a count.
            unsafe {
                let bytes = get(status, "status")?.bytes() as usize;
                put(count, fitting::<N>(datatype.elements(bytes).map(|n| n as i64)), "count")
            }
        })
    }
}
