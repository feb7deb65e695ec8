//! Attributes of communicators and datatypes (MPI 5.0, sections 7.7 and 16.1): keys, whose
//! functions are the program's, and the values under them.

use std::ffi::{c_int, c_void};

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_engine::{
    AttributeKey, Attributes, CopyFunction, DeleteFunction, Engine, Keyval, ObjectKind, fast_path,
};

use crate::attribute_world;
use crate::call::{call_back, on_comm, on_process, on_win};
use crate::convert::{self, comm_handle, comm_id, get, put, type_handle, type_id};
use crate::datatype::type_object;
use crate::inquiry::{self, answer};
use crate::standard::attribute_keys::{FIRST_KEYVAL, predefined_key};
use crate::standard::constants::*;
use crate::standard::error_codes;
use crate::standard::handles::claimed_comm;
use crate::standard::types::*;
use crate::window;

// One address means "copy the value as it is" for every kind of object.
const _: () = assert!(MPI_COMM_DUP_FN == MPI_TYPE_DUP_FN && MPI_COMM_DUP_FN == MPI_WIN_DUP_FN);

/// A kind of handle whose objects bear attributes.
trait Bears: Copy + 'static {
    const BEARER: ObjectKind;
    /// The handle of the object with this number.
    fn handle(object: u32) -> Result<Self>;
    /// Calls `f` with an object's attributes and number.
    fn with<R>(self, engine: &Engine, f: impl FnOnce(&Attributes, u32) -> Result<R>) -> Result<R>;
}

impl Bears for MPI_Comm {
    const BEARER: ObjectKind = ObjectKind::Comm;

    fn handle(object: u32) -> Result<Self> {
        comm_handle(object)
    }

    fn with<R>(self, engine: &Engine, f: impl FnOnce(&Attributes, u32) -> Result<R>) -> Result<R> {
        f(&convert::comm(engine, self)?.attributes, comm_id(self)?)
    }
}

impl Bears for MPI_Datatype {
    const BEARER: ObjectKind = ObjectKind::Type;

    fn handle(object: u32) -> Result<Self> {
        type_handle(object).map_or_else(|| convert::made_or_full(object), Ok)
    }

    fn with<R>(self, engine: &Engine, f: impl FnOnce(&Attributes, u32) -> Result<R>) -> Result<R> {
        f(&type_object(engine, self)?.attributes, type_id(self)?)
    }
}

impl Bears for MPI_Win {
    const BEARER: ObjectKind = ObjectKind::Win;

    fn handle(object: u32) -> Result<Self> {
        convert::made_or_full(object)
    }

    fn with<R>(self, engine: &Engine, f: impl FnOnce(&Attributes, u32) -> Result<R>) -> Result<R> {
        let window = convert::window(engine, self)?;
        f(&window.attributes, window.id.get())
    }
}

/// The engine's number of a key.
fn number(keyval: c_int) -> Result<u32> {
    let number = u32::try_from(keyval).ok().and_then(|k| k.checked_sub(FIRST_KEYVAL));
    number.ok_or_else(|| {
        let text = match keyval {
            MPI_KEYVAL_INVALID => "the key is MPI_KEYVAL_INVALID; make one first".to_string(),
            _ if predefined_key(keyval).is_some() => {
                format!("the key {keyval} is predefined; a program can only read its value")
            }
            _ => format!("the key {keyval} does not exist; it was perhaps never made"),
        };
        Error::new(ErrorClass::Keyval, text)
    })
}

/// The program's word for a key.
fn key(number: u32) -> Result<c_int> {
    let keyval = number.checked_add(FIRST_KEYVAL).and_then(|k| c_int::try_from(k).ok());
    keyval.ok_or_else(|| Error::new(ErrorClass::Intern, "there were too many attribute keys"))
}

/// What a function of the program said.
fn outcome(function: &str, keyval: u32, code: c_int) -> Result<()> {
    if code == MPI_SUCCESS {
        return Ok(());
    }
    let text = format!("the {function} function of attribute key {} returned {code}", key(keyval)?);
    Err(Error::new(error_codes::class(code), text))
}

/// A value as the program gave it; the library never looks behind it.
fn pointer(value: usize) -> *mut c_void {
    std::ptr::with_exposed_provenance_mut(value)
}

fn copy_function<H: Bears>(given: Option<CopyAttr<H>>, extra: *mut c_void) -> CopyFunction {
    let Some(function) = given else { return Box::new(|_, _| Ok(None)) };
    if function as usize == MPI_COMM_DUP_FN {
        return Box::new(|_, value| Ok(Some(value)));
    }
    Box::new(move |place, value| {
        let (handle, keyval) = (H::handle(place.object)?, key(place.keyval)?);
        let (mut copied, mut flag) = (std::ptr::null_mut::<c_void>(), 0);
        let to = (&raw mut copied).cast();
        // SAFETY: the program gave this function for this purpose; the addresses are good.
        let code = call_back(|| unsafe {
            function(handle, keyval, extra, pointer(value), to, &raw mut flag)
        });
        outcome("copy", place.keyval, code)?;
        Ok((flag != 0).then(|| copied.expose_provenance()))
    })
}

fn delete_function<H: Bears>(given: Option<DeleteAttr<H>>, extra: *mut c_void) -> DeleteFunction {
    let Some(function) = given else { return Box::new(|_, _| Ok(())) };
    Box::new(move |place, value| {
        let (handle, keyval) = (H::handle(place.object)?, key(place.keyval)?);
        // SAFETY: the program gave this function for this purpose.
        let code = call_back(|| unsafe { function(handle, keyval, pointer(value), extra) });
        outcome("delete", place.keyval, code)
    })
}

/// # Safety
/// `keyval` is null or points to an int.
unsafe fn create<H: Bears>(
    function: &'static str,
    copy: Option<CopyAttr<H>>,
    delete: Option<DeleteAttr<H>>,
    keyval: *mut c_int,
    extra: *mut c_void,
) -> c_int {
    on_process(function, |engine| {
        // SAFETY: promised by the caller.
        unsafe { put(keyval, MPI_KEYVAL_INVALID, "keyval") }?;
        let (copy, delete) = (copy_function(copy, extra), delete_function(delete, extra));
        let number = engine.keyvals.add(Keyval::new(H::BEARER, copy, delete));
        // SAFETY: as above.
        unsafe { put(keyval, key(number)?, "keyval") }
    })
}

/// # Safety
/// `keyval` is null or points to an int.
unsafe fn free(function: &'static str, object_kind: ObjectKind, keyval: *mut c_int) -> c_int {
    on_process(function, |engine| {
        // SAFETY: promised by the caller.
        unsafe {
            let number = number(get(keyval, "keyval")?)?;
            // Libraries that two parts of a program have freed in turns: once is enough.
            if !engine.keyvals.had(number) {
                engine.keyvals.remove(number, object_kind)?;
            }
            put(keyval, MPI_KEYVAL_INVALID, "keyval")
        }
    })
}

fn set<H: Bears>(engine: &Engine, object: H, keyval: c_int, value: *mut c_void) -> Result<()> {
    object.with(engine, |attributes, object| {
        let place = AttributeKey { object, keyval: number(keyval)? };
        engine.keyvals.set_attribute(attributes, H::BEARER, place, value.expose_provenance())
    })
}

fn delete<H: Bears>(engine: &Engine, object: H, keyval: c_int) -> Result<()> {
    object.with(engine, |attributes, object| {
        let place = AttributeKey { object, keyval: number(keyval)? };
        engine.keyvals.delete_attribute(attributes, H::BEARER, place)
    })
}

/// The value the program attached.
fn attached<H: Bears>(engine: &Engine, object: H, keyval: c_int) -> Result<Option<*mut c_void>> {
    object.with(engine, |attributes, _| {
        let number = number(keyval)?;
        engine.keyvals.get(number, H::BEARER)?;
        Ok(attributes.get(number).map(pointer))
    })
}

/// Writes a value, if there is one, and whether there is.
///
/// # Safety
/// `to` is null or points to a pointer, `flag` is null or points to an int.
unsafe fn tell(found: Option<*mut c_void>, to: *mut c_void, flag: *mut c_int) -> Result<()> {
    // SAFETY: promised by the caller.
    unsafe {
        if let Some(value) = found {
            put(to.cast::<*mut c_void>(), value, "attribute_val")?;
        }
        put(flag, found.is_some().into(), "flag")
    }
}

/// The number that a key of the program's claims.
#[inline(always)]
fn claimed_key(keyval: c_int) -> Option<u32> {
    u32::try_from(keyval).ok()?.checked_sub(FIRST_KEYVAL)
}

/// The value of a communicator's attribute, where the fast path finds it.
#[inline(always)]
fn known_of_comm(comm: MPI_Comm, keyval: c_int) -> Option<*mut c_void> {
    match claimed_key(keyval) {
        Some(number) => fast_path::comm_attribute(claimed_comm(comm)?, number).map(pointer),
        None => {
            inquiry::comm(comm)?;
            Some(attribute_world::value(keyval)?.cast_mut().cast())
        }
    }
}

/// The value of a datatype's attribute, where the fast path finds it.
#[inline(always)]
fn known_of_type(datatype: MPI_Datatype, keyval: c_int) -> Option<*mut c_void> {
    let number = type_id(datatype).ok()?;
    fast_path::type_attribute(number, claimed_key(keyval)?).map(pointer)
}

/// Writes a value that there is; false where an address is missing.
///
/// # Safety
/// As for [`tell`].
#[inline(always)]
unsafe fn tell_known(value: *mut c_void, to: *mut c_void, flag: *mut c_int) -> bool {
    // SAFETY: promised by the caller.
    !flag.is_null() && unsafe { answer(to.cast(), value) && answer(flag, 1) }
}

/// An attribute of a communicator: a predefined one or the program's.
fn of_comm(engine: &Engine, comm: MPI_Comm, keyval: c_int) -> Result<Option<*mut c_void>> {
    match attribute_world::value(keyval) {
        Some(predefined) => Ok(Some(predefined.cast_mut().cast())),
        None => attached(engine, comm, keyval),
    }
}

entry! {
    fn MPI_Comm_create_keyval(
        comm_copy_attr_fn: Option<MPI_Comm_copy_attr_function>,
        comm_delete_attr_fn: Option<MPI_Comm_delete_attr_function>,
        comm_keyval: *mut c_int,
        extra_state: *mut c_void,
    ) -> c_int {
        // SAFETY: the program passes null or the address of a key.
        unsafe {
            create(FUNCTION, comm_copy_attr_fn, comm_delete_attr_fn, comm_keyval, extra_state)
        }
    }

    fn MPI_Keyval_create(
        copy_fn: Option<MPI_Copy_function>,
        delete_fn: Option<MPI_Delete_function>,
        keyval: *mut c_int,
        extra_state: *mut c_void,
    ) -> c_int {
        // SAFETY: as above.
        unsafe { create(FUNCTION, copy_fn, delete_fn, keyval, extra_state) }
    }

    fn MPI_Type_create_keyval(
        type_copy_attr_fn: Option<MPI_Type_copy_attr_function>,
        type_delete_attr_fn: Option<MPI_Type_delete_attr_function>,
        type_keyval: *mut c_int,
        extra_state: *mut c_void,
    ) -> c_int {
        // SAFETY: as above.
        unsafe {
            create(FUNCTION, type_copy_attr_fn, type_delete_attr_fn, type_keyval, extra_state)
        }
    }

    fn MPI_Win_create_keyval(
        win_copy_attr_fn: Option<MPI_Win_copy_attr_function>,
        win_delete_attr_fn: Option<MPI_Win_delete_attr_function>,
        win_keyval: *mut c_int,
        extra_state: *mut c_void,
    ) -> c_int {
        // SAFETY: as above.
        unsafe { create(FUNCTION, win_copy_attr_fn, win_delete_attr_fn, win_keyval, extra_state) }
    }

    fn MPI_Win_free_keyval(win_keyval: *mut c_int) -> c_int {
        // SAFETY: the program passes null or the address of a key.
        unsafe { free(FUNCTION, ObjectKind::Win, win_keyval) }
    }

    fn MPI_Win_set_attr(
        win: MPI_Win,
        win_keyval: c_int,
        attribute_val: *mut c_void,
    ) -> c_int {
        on_win(FUNCTION, win, |engine, _| set(engine, win, win_keyval, attribute_val))
    }

    fn MPI_Win_get_attr(
        win: MPI_Win,
        win_keyval: c_int,
        attribute_val: *mut c_void,
        flag: *mut c_int,
    ) -> c_int {
        on_win(FUNCTION, win, |engine, window| {
            let found = match window::predefined_attribute(window, win_keyval) {
                Some(predefined) => Some(predefined),
                None => attached(engine, win, win_keyval)?,
            };
            // SAFETY: as in MPI_Comm_get_attr.
            unsafe { tell(found, attribute_val, flag) }
        })
    }

    fn MPI_Win_delete_attr(win: MPI_Win, win_keyval: c_int) -> c_int {
        on_win(FUNCTION, win, |engine, _| delete(engine, win, win_keyval))
    }

    fn MPI_Comm_free_keyval(comm_keyval: *mut c_int) -> c_int {
        // SAFETY: the program passes null or the address of a key.
        unsafe { free(FUNCTION, ObjectKind::Comm, comm_keyval) }
    }

    fn MPI_Keyval_free(keyval: *mut c_int) -> c_int {
        // SAFETY: as above.
        unsafe { free(FUNCTION, ObjectKind::Comm, keyval) }
    }

    fn MPI_Type_free_keyval(type_keyval: *mut c_int) -> c_int {
        // SAFETY: as above.
        unsafe { free(FUNCTION, ObjectKind::Type, type_keyval) }
    }

    fn MPI_Comm_set_attr(
        comm: MPI_Comm,
        comm_keyval: c_int,
        attribute_val: *mut c_void,
    ) -> c_int {
        on_comm(FUNCTION, comm, |engine, _| set(engine, comm, comm_keyval, attribute_val))
    }

    fn MPI_Attr_put(comm: MPI_Comm, keyval: c_int, attribute_val: *mut c_void) -> c_int {
        on_comm(FUNCTION, comm, |engine, _| set(engine, comm, keyval, attribute_val))
    }

    fn MPI_Type_set_attr(
        datatype: MPI_Datatype,
        type_keyval: c_int,
        attribute_val: *mut c_void,
    ) -> c_int {
        on_process(FUNCTION, |engine| set(engine, datatype, type_keyval, attribute_val))
    }

    fn MPI_Comm_get_attr(
        comm: MPI_Comm,
        comm_keyval: c_int,
        attribute_val: *mut c_void,
        flag: *mut c_int,
    ) -> c_int {
        let known = known_of_comm(comm, comm_keyval);
        // SAFETY: the program passes the addresses of a pointer and an int, or null.
        if known.is_some_and(|value| unsafe { tell_known(value, attribute_val, flag) }) {
            return MPI_SUCCESS;
        }
        on_comm(FUNCTION, comm, |engine, _| {
            let found = of_comm(engine, comm, comm_keyval)?;
            // SAFETY: the program passes the addresses of a pointer and an int.
            unsafe { tell(found, attribute_val, flag) }
        })
    }

    fn MPI_Attr_get(
        comm: MPI_Comm,
        keyval: c_int,
        attribute_val: *mut c_void,
        flag: *mut c_int,
    ) -> c_int {
        let known = known_of_comm(comm, keyval);
        // SAFETY: the program passes the addresses of a pointer and an int, or null.
        if known.is_some_and(|value| unsafe { tell_known(value, attribute_val, flag) }) {
            return MPI_SUCCESS;
        }
        on_comm(FUNCTION, comm, |engine, _| {
            let found = of_comm(engine, comm, keyval)?;
            // SAFETY: as in MPI_Comm_get_attr.
            unsafe { tell(found, attribute_val, flag) }
        })
    }

    fn MPI_Type_get_attr(
        datatype: MPI_Datatype,
        type_keyval: c_int,
        attribute_val: *mut c_void,
        flag: *mut c_int,
    ) -> c_int {
        let known = known_of_type(datatype, type_keyval);
        // SAFETY: the program passes the addresses of a pointer and an int, or null.
        if known.is_some_and(|value| unsafe { tell_known(value, attribute_val, flag) }) {
            return MPI_SUCCESS;
        }
        on_process(FUNCTION, |engine| {
            let found = attached(engine, datatype, type_keyval)?;
            // SAFETY: as in MPI_Comm_get_attr.
            unsafe { tell(found, attribute_val, flag) }
        })
    }

    fn MPI_Comm_delete_attr(comm: MPI_Comm, comm_keyval: c_int) -> c_int {
        on_comm(FUNCTION, comm, |engine, _| delete(engine, comm, comm_keyval))
    }

    fn MPI_Attr_delete(comm: MPI_Comm, keyval: c_int) -> c_int {
        on_comm(FUNCTION, comm, |engine, _| delete(engine, comm, keyval))
    }

    fn MPI_Type_delete_attr(datatype: MPI_Datatype, type_keyval: c_int) -> c_int {
        on_process(FUNCTION, |engine| delete(engine, datatype, type_keyval))
    }
}
