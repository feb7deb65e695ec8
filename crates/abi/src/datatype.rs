//! Datatypes (MPI 5.0, chapter 5): committing, freeing, naming, sizes, and the count of elements in
//! a status. `datatype_construct`, `datatype_arrays` and `datatype_find` create them;
//! `datatype_contents` decodes them.

use std::ffi::{CStr, c_char, c_int};
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_datatype::Datatype;
use dunlin_engine::inquiry::datatype::{ELEMENTS, EXTENT, LB, SIZE, TRUE_EXTENT, TRUE_LB};
use dunlin_engine::{Engine, TypeObject};

use crate::call::on_process;
use crate::convert::{self, get, made_or_full, put, type_handle, type_id};
use crate::environment::{cut, put_string};
use crate::inquiry::{self, answer, answers};
use crate::standard::constants::{
    MPI_DATATYPE_NULL, MPI_MAX_OBJECT_NAME, MPI_SUCCESS, MPI_UNDEFINED,
};
use crate::standard::handles::wrong;
use crate::standard::types::*;

/// The datatype behind a handle.
pub fn datatype(engine: &Engine, handle: MPI_Datatype) -> Result<Datatype> {
    engine.types.datatype(type_id(handle)?).map_err(|_| wrong(handle))
}

/// The object behind a datatype's handle.
pub fn type_object(engine: &Engine, handle: MPI_Datatype) -> Result<Rc<TypeObject>> {
    engine.types.object(type_id(handle)?).map_err(|_| wrong(handle))
}

/// A handle for a datatype: a new one unless the datatype is predefined.
pub fn new_handle(engine: &Engine, datatype: Datatype) -> Result<MPI_Datatype> {
    let id = engine.types.add(datatype);
    type_handle(id).map_or_else(|| made_or_full(id), Ok)
}

/// A number for a variable of the program; `MPI_UNDEFINED`, as the standard says, if it does not
/// fit.
pub fn fitting<N: TryFrom<i64> + From<c_int>>(value: Option<i64>) -> N {
    value.and_then(|v| N::try_from(v).ok()).unwrap_or_else(|| N::from(MPI_UNDEFINED))
}

/// The number of whole elements in a status (`None` if the last one is partial), and the number of
/// basic elements in each, if the inquiry tables have the datatype.
///
/// # Safety
/// `status` is null or points to a status.
#[inline(always)]
unsafe fn whole_elements(
    status: *const MPI_Status,
    datatype: MPI_Datatype,
) -> Option<(Option<i64>, i64)> {
    let known = inquiry::datatype(datatype)?;
    // SAFETY: promised by the caller.
    let bytes = unsafe { status.as_ref() }?.bytes();
    let size = u64::try_from(known.get(SIZE)).ok().filter(|size| *size > 0)?;
    // A 32-bit division takes half the time.
    let (count, rest) = match (u32::try_from(bytes), u32::try_from(size)) {
        (Ok(bytes), Ok(size)) => ((bytes / size).into(), (bytes % size).into()),
        _ => (bytes / size, bytes % size),
    };
    Some(((rest == 0).then_some(count as i64), known.get(ELEMENTS)))
}

/// Sets the bytes of a status to the size of the first `elements` basic elements.
///
/// # Safety
/// `status` is null or points to a status.
unsafe fn set_elements(
    engine: &Engine,
    status: *mut MPI_Status,
    datatype: MPI_Datatype,
    elements: MPI_Count,
) -> Result<()> {
    let datatype = self::datatype(engine, datatype)?;
    let elements = convert::count(elements)?;
    // Elements of a type without data have no bytes, whatever their number.
    let nothing = elements == 0 || datatype.size() == 0;
    let bytes = if nothing { Some(0) } else { datatype.bytes_of_elements(elements) };
    let bytes = bytes.ok_or_else(|| {
        let text = format!("count is {elements}, but the datatype cannot have so many elements");
        Error::new(ErrorClass::Count, text)
    })?;
    // SAFETY: promised by the caller.
    unsafe {
        let mut changed = get(status, "status")?;
        changed.set_bytes(bytes as u64);
        put(status, changed, "status")
    }
}

entry! {
    fn MPI_Type_commit(datatype: *mut MPI_Datatype) -> c_int {
        on_process(FUNCTION, |engine| {
            // SAFETY: the program passes null or the address of a datatype.
            let handle = unsafe { get(datatype, "datatype") }?;
            engine.types.commit(type_id(handle)?).map_err(|_| wrong(handle))
        })
    }

    fn MPI_Type_free(datatype: *mut MPI_Datatype) -> c_int {
        on_process(FUNCTION, |engine| {
            // SAFETY: the program passes null or the address of a datatype.
            let handle = unsafe { get(datatype, "datatype") }?;
            type_object(engine, handle)?;
            engine.types.free(type_id(handle)?)?;
            // SAFETY: as above; it was read.
            unsafe { put(datatype, MPI_DATATYPE_NULL, "datatype") }
        })
    }

    fn MPI_Type_dup(oldtype: MPI_Datatype, newtype: *mut MPI_Datatype) -> c_int {
        on_process(FUNCTION, |engine| {
            // SAFETY: the program passes null or the address of a datatype.
            unsafe { put(newtype, MPI_DATATYPE_NULL, "newtype") }?;
            type_object(engine, oldtype)?;
            let id = engine.types.dup(type_id(oldtype)?)?;
            // SAFETY: as above.
            unsafe { put(newtype, made_or_full(id)?, "newtype") }
        })
    }

    fn MPI_Type_set_name(datatype: MPI_Datatype, type_name: *const c_char) -> c_int {
        on_process(FUNCTION, |engine| {
            let object = type_object(engine, datatype)?;
            if type_name.is_null() {
                return Err(Error::new(ErrorClass::Arg, "type_name is a null pointer"));
            }
            // SAFETY: the program passes a C string.
            let name = unsafe { CStr::from_ptr(type_name) }.to_string_lossy();
            *object.name.borrow_mut() = cut(&name, MPI_MAX_OBJECT_NAME as usize - 1).to_string();
            Ok(())
        })
    }

    fn MPI_Type_get_name(
        datatype: MPI_Datatype,
        type_name: *mut c_char,
        resultlen: *mut c_int,
    ) -> c_int {
        on_process(FUNCTION, |engine| {
            let name = match datatype {
                MPI_DATATYPE_NULL => "MPI_DATATYPE_NULL".to_string(),
                _ => type_object(engine, datatype)?.name.borrow().clone(),
            };
            // SAFETY: the standard requires the program to pass MPI_MAX_OBJECT_NAME characters.
            unsafe {
                put(type_name, 0, "type_name")?;
                put(resultlen, 0, "resultlen")?;
                put_string(&name, type_name, resultlen);
            }
            Ok(())
        })
    }

    fn MPI_Type_size_x(datatype: MPI_Datatype, size: *mut MPI_Count) -> c_int {
        // SAFETY: the program passes null or the address of a size.
        let answered = inquiry::datatype(datatype)
            .is_some_and(|known| unsafe { answer(size, known.get(SIZE)) });
        if answered {
            return MPI_SUCCESS;
        }
        on_process(FUNCTION, |engine| {
            let bytes = self::datatype(engine, datatype)?.size();
            // SAFETY: as above.
            unsafe { put(size, bytes as MPI_Count, "size") }
        })
    }

    fn MPI_Type_get_extent_x(
        datatype: MPI_Datatype,
        lb: *mut MPI_Count,
        extent: *mut MPI_Count,
    ) -> c_int {
        // SAFETY: the program passes the addresses of two variables, or null.
        let answered = inquiry::datatype(datatype).is_some_and(|known| unsafe {
            answers([lb, extent], [known.get(LB), known.get(EXTENT)])
        });
        if answered {
            return MPI_SUCCESS;
        }
        on_process(FUNCTION, |engine| {
            let datatype = self::datatype(engine, datatype)?;
            // SAFETY: the program passes the addresses of two variables.
            unsafe {
                put(lb, datatype.lb(), "lb")?;
                put(extent, datatype.extent(), "extent")
            }
        })
    }

    fn MPI_Type_get_true_extent_x(
        datatype: MPI_Datatype,
        true_lb: *mut MPI_Count,
        true_extent: *mut MPI_Count,
    ) -> c_int {
        // SAFETY: the program passes the addresses of two variables, or null.
        let answered = inquiry::datatype(datatype).is_some_and(|known| unsafe {
            answers([true_lb, true_extent], [known.get(TRUE_LB), known.get(TRUE_EXTENT)])
        });
        if answered {
            return MPI_SUCCESS;
        }
        on_process(FUNCTION, |engine| {
            let datatype = self::datatype(engine, datatype)?;
            // SAFETY: the program passes the addresses of two variables.
            unsafe {
                put(true_lb, datatype.true_lb(), "true_lb")?;
                put(true_extent, datatype.true_extent(), "true_extent")
            }
        })
    }

    fn MPI_Get_elements_x(
        status: *const MPI_Status,
        datatype: MPI_Datatype,
        count: *mut MPI_Count,
    ) -> c_int {
        on_process(FUNCTION, |engine| {
            let datatype = self::datatype(engine, datatype)?;
            // SAFETY: the program passes the addresses of a status and a count.
            unsafe {
                let bytes = get(status, "status")?.bytes() as usize;
                put(count, fitting(datatype.elements(bytes).map(|n| n as i64)), "count")
            }
        })
    }

    fn MPI_Status_set_elements_x(
        status: *mut MPI_Status,
        datatype: MPI_Datatype,
        count: MPI_Count,
    ) -> c_int {
        // SAFETY: the program passes null or the address of a status.
        on_process(FUNCTION, |engine| unsafe { set_elements(engine, status, datatype, count) })
    }
}

entry_c! {
    fn MPI_Type_size / MPI_Type_size_c(datatype: MPI_Datatype, size: *mut N) {
        // SAFETY: the program passes null or the address of a size.
        let answered = inquiry::datatype(datatype)
            .is_some_and(|known| unsafe { answer(size, fitting::<N>(Some(known.get(SIZE)))) });
        if answered {
            return MPI_SUCCESS;
        }
        on_process(FUNCTION, |engine| {
            let bytes = self::datatype(engine, datatype)?.size();
            // SAFETY: as above.
            unsafe { put(size, fitting::<N>(Some(bytes as i64)), "size") }
        })
    }

    fn MPI_Type_get_extent / MPI_Type_get_extent_c(
        datatype: MPI_Datatype,
        lb: *mut Stride,
        extent: *mut Stride,
    ) {
        // SAFETY: the program passes the addresses of two variables, or null.
        let answered = inquiry::datatype(datatype).is_some_and(|known| unsafe {
            answers([lb, extent], [known.get(LB) as Stride, known.get(EXTENT) as Stride])
        });
        if answered {
            return MPI_SUCCESS;
        }
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
        // SAFETY: the program passes the addresses of two variables, or null.
        let answered = inquiry::datatype(datatype).is_some_and(|known| unsafe {
            let values = [known.get(TRUE_LB) as Stride, known.get(TRUE_EXTENT) as Stride];
            answers([true_lb, true_extent], values)
        });
        if answered {
            return MPI_SUCCESS;
        }
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
        // SAFETY: the program passes null or the address of a status.
        let known = unsafe { whole_elements(status, datatype) };
        // SAFETY: the program passes null or the address of a count.
        if known.is_some_and(|n| unsafe { answer(count, fitting::<N>(n.0)) }) {
            return MPI_SUCCESS;
        }
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
        // SAFETY: the program passes null or the address of a status.
        let known = unsafe { whole_elements(status, datatype) };
        let elements = known.and_then(|n| n.0.map(|whole| whole.checked_mul(n.1)));
        // SAFETY: the program passes null or the address of a count.
        if elements.is_some_and(|elements| unsafe { answer(count, fitting::<N>(elements)) }) {
            return MPI_SUCCESS;
        }
        on_process(FUNCTION, |engine| {
            let datatype = self::datatype(engine, datatype)?;
            // SAFETY: the program passes the addresses of a status and a count.
            unsafe {
                let bytes = get(status, "status")?.bytes() as usize;
                put(count, fitting::<N>(datatype.elements(bytes).map(|n| n as i64)), "count")
            }
        })
    }

    fn MPI_Status_set_elements / MPI_Status_set_elements_c(
        status: *mut MPI_Status,
        datatype: MPI_Datatype,
        count: N,
    ) {
        on_process(FUNCTION, |engine| {
            // SAFETY: the program passes null or the address of a status.
            unsafe { set_elements(engine, status, datatype, count.into()) }
        })
    }
}
