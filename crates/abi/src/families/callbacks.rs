//! Functions of the program that the library calls: they get handles and codes of their family.
//! Where the library passes on a pointer of the program's, ours stands there instead, and with it
//! what the program gave.

use std::ffi::{c_char, c_int, c_void};
use std::sync::Arc;

use dunlin_engine as engine;

use super::convert::*;
use super::types::*;
use super::{Family, Foreign, export_family, families};
use crate::convert::type_handle;
use crate::entries::exported as standard;
use crate::standard::constants::{MPI_DATATYPE_NULL, MPI_SUCCESS};
use crate::standard::types::*;
use crate::user_handlers::{Handler, UserHandler};
use crate::{errhandler, op};

/// The function of an operator, with the length in an `N`.
type Combine<F, N> = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut N, *mut Datatype<F>);

/// What the engine calls.
fn combine<F: Family, N: TryFrom<u64> + Default + 'static>(
    function: Combine<F, N>,
) -> engine::UserFunction {
    Box::new(move |input, inout, count, type_id| {
        let datatype = type_handle(type_id).unwrap_or(MPI_DATATYPE_NULL);
        let mut datatype = Datatype::<F>::from_standard(datatype);
        // What one call gets fits.
        let mut length = N::try_from(count as u64).unwrap_or_default();
        let (input, inout) = (input.cast_mut().cast(), inout.cast());
        // SAFETY: the program passed this function to combine such elements.
        unsafe { function(input, inout, &raw mut length, &raw mut datatype) };
    })
}

/// The same for a function in Fortran, which gets Fortran's handle.
fn combine_in_fortran<F: Family>(function: CombineInFortran) -> engine::UserFunction {
    Box::new(move |input, inout, count, type_id| {
        let datatype = type_handle(type_id).unwrap_or(MPI_DATATYPE_NULL);
        let mut datatype = Datatype::<F>::from_standard(datatype).to_fortran();
        let mut length = c_int::try_from(count).unwrap_or_default();
        let (input, inout) = (input.cast_mut().cast(), inout.cast());
        // SAFETY: the program passed this function to combine such elements.
        unsafe { function(input, inout, &raw mut length, &raw mut datatype) };
    })
}

type CombineInFortran = unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut c_int);

families! {
    fn MPI_Op_create_fortran(
        user_fn: Option<CombineInFortran>, commute: c_int, op: *mut Op<F>,
    ) -> c_int {
        let mut made = OneHandle::wanted(op);
        // SAFETY: the program passes null or the address of an operator.
        unsafe {
            let function = user_fn.map(combine_in_fortran::<F>);
            let code = op::create("MPI_Op_create", function, commute, made.as_mut_ptr());
            made.give_back(op);
            code_back::<F>(code)
        }
    }

    fn MPI_Op_create(
        user_fn: Option<Combine<F, c_int>>, commute: c_int, op: *mut Op<F>,
    ) -> c_int {
        let mut made = OneHandle::wanted(op);
        // SAFETY: the program passes null or the address of an operator.
        unsafe {
            let function = user_fn.map(combine::<F, c_int>);
            let code = op::create("MPI_Op_create", function, commute, made.as_mut_ptr());
            made.give_back(op);
            code_back::<F>(code)
        }
    }

    fn MPI_Op_create_c(
        user_fn: Option<Combine<F, MPI_Count>>, commute: c_int, op: *mut Op<F>,
    ) -> c_int {
        let mut made = OneHandle::wanted(op);
        // SAFETY: as above.
        unsafe {
            let function = user_fn.map(combine::<F, MPI_Count>);
            let code = op::create("MPI_Op_create_c", function, commute, made.as_mut_ptr());
            made.give_back(op);
            code_back::<F>(code)
        }
    }
}

/// The function of an error handler.
pub type Handle<T> = unsafe extern "C" fn(*mut T, *mut c_int, ...);

/// What the library calls for an error on an object of type `S`.
fn handler<F: Family, S, T: Foreign<S> + 'static>(function: Handle<T>) -> Handler<S> {
    Arc::new(move |object, error| {
        let (mut object, mut shown) = (T::from_standard(object), code_back::<F>(*error));
        // SAFETY: the program passed this function for this purpose; both are variables of ours.
        unsafe { function(&raw mut object, &raw mut shown) };
        *error = code::<F>(shown);
    })
}

/// The same for a function in Fortran, which gets Fortran's handle.
fn handler_in_fortran<F: Family, S, T: Foreign<S> + 'static>(
    function: Handle<c_int>,
) -> Handler<S> {
    Arc::new(move |object, error| {
        let mut object = T::from_standard(object).to_fortran();
        let mut shown = code_back::<F>(*error);
        // SAFETY: the program passed this function for this purpose; both are variables of ours.
        unsafe { function(&raw mut object, &raw mut shown) };
        *error = code::<F>(shown);
    })
}

/// # Safety
/// `errhandler` is null or points to a handle.
unsafe fn create_errhandler<F: Family>(
    function: &'static str,
    handler: Option<UserHandler>,
    errhandler: *mut Errhandler<F>,
) -> c_int {
    let mut made = OneHandle::wanted(errhandler);
    // SAFETY: promised by the caller.
    unsafe {
        let code = errhandler::create(function, handler, made.as_mut_ptr());
        made.give_back(errhandler);
        code_back::<F>(code)
    }
}

families! {
    fn MPI_Comm_create_errhandler_fortran(
        comm_errhandler_fn: Option<Handle<c_int>>, errhandler: *mut Errhandler<F>,
    ) -> c_int {
        let given = comm_errhandler_fn
            .map(|f| UserHandler::Comm(handler_in_fortran::<F, _, Comm<F>>(f)));
        // SAFETY: the program passes null or the address of an error handler.
        unsafe { create_errhandler::<F>("MPI_Comm_create_errhandler", given, errhandler) }
    }

    fn MPI_Session_create_errhandler_fortran(
        session_errhandler_fn: Option<Handle<c_int>>, errhandler: *mut Errhandler<F>,
    ) -> c_int {
        let given = session_errhandler_fn
            .map(|f| UserHandler::Session(handler_in_fortran::<F, _, Session<F>>(f)));
        // SAFETY: as above.
        unsafe { create_errhandler::<F>("MPI_Session_create_errhandler", given, errhandler) }
    }

    fn MPI_Win_create_errhandler_fortran(
        win_errhandler_fn: Option<Handle<c_int>>, errhandler: *mut Errhandler<F>,
    ) -> c_int {
        let given = win_errhandler_fn
            .map(|f| UserHandler::Win(handler_in_fortran::<F, _, Win<F>>(f)));
        // SAFETY: as above.
        unsafe { create_errhandler::<F>("MPI_Win_create_errhandler", given, errhandler) }
    }

    fn MPI_File_create_errhandler_fortran(
        file_errhandler_fn: Option<Handle<c_int>>, errhandler: *mut Errhandler<F>,
    ) -> c_int {
        let given = file_errhandler_fn.map(|_| UserHandler::Other);
        // SAFETY: as above.
        unsafe { create_errhandler::<F>("MPI_File_create_errhandler", given, errhandler) }
    }

    fn MPI_Comm_create_errhandler(
        comm_errhandler_fn: Option<Handle<Comm<F>>>, errhandler: *mut Errhandler<F>,
    ) -> c_int {
        let given = comm_errhandler_fn.map(|f| UserHandler::Comm(handler::<F, _, _>(f)));
        // SAFETY: the program passes null or the address of an error handler.
        unsafe { create_errhandler::<F>("MPI_Comm_create_errhandler", given, errhandler) }
    }

    fn MPI_Session_create_errhandler(
        session_errhandler_fn: Option<Handle<Session<F>>>, errhandler: *mut Errhandler<F>,
    ) -> c_int {
        let given = session_errhandler_fn.map(|f| UserHandler::Session(handler::<F, _, _>(f)));
        // SAFETY: as above.
        unsafe { create_errhandler::<F>("MPI_Session_create_errhandler", given, errhandler) }
    }

    fn MPI_Win_create_errhandler(
        win_errhandler_fn: Option<Handle<Win<F>>>, errhandler: *mut Errhandler<F>,
    ) -> c_int {
        let given = win_errhandler_fn.map(|f| UserHandler::Win(handler::<F, _, _>(f)));
        // SAFETY: as above.
        unsafe { create_errhandler::<F>("MPI_Win_create_errhandler", given, errhandler) }
    }

    fn MPI_File_create_errhandler(
        file_errhandler_fn: Option<Handle<File<F>>>, errhandler: *mut Errhandler<F>,
    ) -> c_int {
        let given = file_errhandler_fn.map(|_| UserHandler::Other);
        // SAFETY: as above.
        unsafe { create_errhandler::<F>("MPI_File_create_errhandler", given, errhandler) }
    }
}

/// The functions of an attribute key, and what they get. It lives as long as the process: a key
/// that was freed is still used by the attributes that there are.
struct Key<T> {
    copy: Option<CopyAttr<T>>,
    delete: Option<DeleteAttr<T>>,
    extra_state: *mut c_void,
}

unsafe extern "C" fn copy<F: Family, S, T: Foreign<S>>(
    object: S,
    keyval: c_int,
    key: *mut c_void,
    held: *mut c_void,
    to: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    // SAFETY: `key` was made by `create_keyval`, which found the function there.
    unsafe {
        let key = &*key.cast::<Key<T>>();
        let Some(function) = key.copy else { return MPI_SUCCESS };
        code::<F>(function(T::from_standard(object), keyval, key.extra_state, held, to, flag))
    }
}

unsafe extern "C" fn delete<F: Family, S, T: Foreign<S>>(
    object: S,
    keyval: c_int,
    held: *mut c_void,
    key: *mut c_void,
) -> c_int {
    // SAFETY: as above.
    unsafe {
        let key = &*key.cast::<Key<T>>();
        let Some(function) = key.delete else { return MPI_SUCCESS };
        code::<F>(function(T::from_standard(object), keyval, held, key.extra_state))
    }
}

/// The standard's function that makes a key for objects of type `S`.
type Create<S> = unsafe extern "C" fn(
    Option<CopyAttr<S>>,
    Option<DeleteAttr<S>>,
    *mut c_int,
    *mut c_void,
) -> c_int;

/// # Safety
/// `keyval` is null or points to an int.
unsafe fn create_keyval<F: Family, S, T: Foreign<S>>(
    create: Create<S>,
    given: Key<T>,
    keyval: *mut c_int,
) -> c_int {
    let copy: Option<CopyAttr<S>> = given.copy.map(|_| copy::<F, S, T> as CopyAttr<S>);
    let delete: Option<DeleteAttr<S>> = given.delete.map(|_| delete::<F, S, T> as DeleteAttr<S>);
    let key: *mut c_void = Box::into_raw(Box::new(given)).cast();
    // SAFETY: promised by the caller; the functions accept the key.
    unsafe {
        let returned = create(copy, delete, keyval, key);
        number_back_at(keyval, F::KEYVALS, returned);
        code_back::<F>(returned)
    }
}

families! {
    fn MPI_Comm_create_keyval(
        copy: Option<CopyAttr<Comm<F>>>, delete: Option<DeleteAttr<Comm<F>>>,
        comm_keyval: *mut c_int, extra_state: *mut c_void,
    ) -> c_int {
        let key = Key { copy, delete, extra_state };
        // SAFETY: the program passes null or the address of a key.
        unsafe { create_keyval::<F, _, _>(standard::MPI_Comm_create_keyval, key, comm_keyval) }
    }

    fn MPI_Keyval_create(
        copy: Option<CopyAttr<Comm<F>>>, delete: Option<DeleteAttr<Comm<F>>>,
        keyval: *mut c_int, extra_state: *mut c_void,
    ) -> c_int {
        let key = Key { copy, delete, extra_state };
        // SAFETY: as above.
        unsafe { create_keyval::<F, _, _>(standard::MPI_Keyval_create, key, keyval) }
    }

    fn MPI_Type_create_keyval(
        copy: Option<CopyAttr<Datatype<F>>>, delete: Option<DeleteAttr<Datatype<F>>>,
        type_keyval: *mut c_int, extra_state: *mut c_void,
    ) -> c_int {
        let key = Key { copy, delete, extra_state };
        // SAFETY: as above.
        unsafe { create_keyval::<F, _, _>(standard::MPI_Type_create_keyval, key, type_keyval) }
    }

    fn MPI_Win_create_keyval(
        copy: Option<CopyAttr<Win<F>>>, delete: Option<DeleteAttr<Win<F>>>,
        win_keyval: *mut c_int, extra_state: *mut c_void,
    ) -> c_int {
        let key = Key { copy, delete, extra_state };
        // SAFETY: as above.
        unsafe { create_keyval::<F, _, _>(standard::MPI_Win_create_keyval, key, win_keyval) }
    }
}

type Query<F> = unsafe extern "C" fn(*mut c_void, *mut Status<F>) -> c_int;

/// The functions of a generalized request, and what they get.
struct Grequest<F: Family> {
    query: Query<F>,
    free: MPI_Grequest_free_function,
    cancel: MPI_Grequest_cancel_function,
    extra_state: *mut c_void,
}

unsafe extern "C" fn query<F: Family>(request: *mut c_void, status: *mut MPI_Status) -> c_int {
    let mut filled = empty_status::<F>();
    // SAFETY: `request` was made by `MPI_Grequest_start`, and lives until `free`.
    unsafe {
        let request = &*request.cast::<Grequest<F>>();
        let result = (request.query)(request.extra_state, &raw mut filled);
        status.write(to_standard::<F>(&filled));
        code::<F>(result)
    }
}

unsafe extern "C" fn free<F: Family>(request: *mut c_void) -> c_int {
    // SAFETY: as above; nobody uses it after this.
    unsafe {
        let request = Box::from_raw(request.cast::<Grequest<F>>());
        code::<F>((request.free)(request.extra_state))
    }
}

unsafe extern "C" fn cancel<F: Family>(request: *mut c_void, complete: c_int) -> c_int {
    // SAFETY: as for `query`.
    unsafe {
        let request = &*request.cast::<Grequest<F>>();
        code::<F>((request.cancel)(request.extra_state, complete))
    }
}

families! {
    fn MPI_Grequest_start(
        query_fn: Option<Query<F>>, free_fn: Option<MPI_Grequest_free_function>,
        cancel_fn: Option<MPI_Grequest_cancel_function>, extra_state: *mut c_void,
        request: *mut Request<F>,
    ) -> c_int {
        let mut made = OneHandle::wanted(request);
        // SAFETY: the program passes null or the address of a request; the functions accept what
        // they get.
        unsafe {
            let (Some(query_fn), Some(free_fn), Some(cancel_fn)) = (query_fn, free_fn, cancel_fn)
            else {
                // The standard's function says which one is missing.
                let query = query_fn.map(|_| query::<F> as MPI_Grequest_query_function);
                let to = made.as_mut_ptr();
                let code =
                    standard::MPI_Grequest_start(query, free_fn, cancel_fn, extra_state, to);
                return code_back::<F>(code);
            };
            let functions =
                Grequest::<F> { query: query_fn, free: free_fn, cancel: cancel_fn, extra_state };
            let state: *mut c_void = Box::into_raw(Box::new(functions)).cast();
            let code = standard::MPI_Grequest_start(
                Some(query::<F>), Some(free::<F>), Some(cancel::<F>), state, made.as_mut_ptr());
            made.give_back(request);
            code_back::<F>(code)
        }
    }

    // The library does not convert files: the standard's function says so.
    fn MPI_Register_datarep(
        datarep: *const c_char, _read: *const c_void, _write: *const c_void,
        _extent: *const c_void, _extra_state: *mut c_void,
    ) -> c_int {
        // SAFETY: the program passes a text.
        unsafe {
            code_back::<F>(standard::MPI_Register_datarep(
                datarep, None, None, None, std::ptr::null_mut()))
        }
    }

    fn MPI_Register_datarep_c(
        datarep: *const c_char, _read: *const c_void, _write: *const c_void,
        _extent: *const c_void, _extra_state: *mut c_void,
    ) -> c_int {
        // SAFETY: as above.
        unsafe {
            code_back::<F>(standard::MPI_Register_datarep_c(
                datarep, None, None, None, std::ptr::null_mut()))
        }
    }
}
