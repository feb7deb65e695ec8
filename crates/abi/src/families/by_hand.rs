//! Functions whose results mean different things, by what was asked for.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_int, c_void};

use parking_lot::Mutex;

use super::convert::*;
use super::types::*;
use super::{Family, Foreign, export_family, families};
use crate::entries::exported as standard;
use crate::standard::constants::*;
use crate::standard::types::*;

/// An int that is never changed, whose address an attribute's value is.
fn constant(value: c_int) -> *mut c_void {
    static CONSTANTS: Mutex<BTreeMap<c_int, &'static c_int>> = Mutex::new(BTreeMap::new());
    let mut constants = CONSTANTS.lock();
    let held = constants.entry(value).or_insert_with(|| Box::leak(Box::new(value)));
    std::ptr::from_ref::<c_int>(held).cast_mut().cast()
}

/// What a predefined attribute's value is in the family; `None` if it is the same.
fn attribute<F: Family>(keyval: c_int, value: c_int) -> Option<c_int> {
    let changed = match keyval {
        MPI_HOST | MPI_IO => number_back(F::RANKS, value),
        MPI_LASTUSEDCODE => code_back::<F>(value),
        MPI_WIN_CREATE_FLAVOR => number_back(F::WINDOW_FLAVOR, value),
        MPI_WIN_MODEL => number_back(F::MEMORY_MODEL, value),
        _ => value,
    };
    (changed != value).then_some(changed)
}

/// Gets an attribute of a communicator or a window.
///
/// # Safety
/// The program's promises on MPI_Comm_get_attr.
unsafe fn get_attribute<F: Family, S>(
    get: unsafe extern "C" fn(S, c_int, *mut c_void, *mut c_int) -> c_int,
    (object, keyval): (impl Foreign<S>, c_int),
    attribute_val: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    let keyval = number(F::KEYVALS, keyval);
    // SAFETY: promised by the caller; a predefined attribute's value is the address of an int.
    unsafe {
        let returned = get(object.to_standard(), keyval, attribute_val, flag);
        if returned == MPI_SUCCESS
            && *flag != 0
            && matches!(
                keyval,
                MPI_HOST | MPI_IO | MPI_LASTUSEDCODE | MPI_WIN_CREATE_FLAVOR | MPI_WIN_MODEL
            )
        {
            let to = attribute_val.cast::<*mut c_void>();
            if let Some(changed) = attribute::<F>(keyval, *(*to).cast::<c_int>()) {
                to.write(constant(changed));
            }
        }
        code_back::<F>(returned)
    }
}

/// What is to be said of an error class that only the family has.
fn own_class<F: Family>(code: c_int) -> Option<&'static str> {
    F::OWN_CLASSES.iter().find(|own| own.0 == code).map(|own| own.1)
}

families! {
    fn MPI_Comm_get_attr(
        comm: Comm<F>, comm_keyval: c_int, attribute_val: *mut c_void, flag: *mut c_int,
    ) -> c_int {
        // SAFETY: the program promises it.
        unsafe {
            get_attribute::<F, _>(
                standard::MPI_Comm_get_attr, (comm, comm_keyval), attribute_val, flag)
        }
    }

    fn MPI_Attr_get(
        comm: Comm<F>, keyval: c_int, attribute_val: *mut c_void, flag: *mut c_int,
    ) -> c_int {
        // SAFETY: the program promises it.
        unsafe {
            get_attribute::<F, _>(standard::MPI_Attr_get, (comm, keyval), attribute_val, flag)
        }
    }

    fn MPI_Win_get_attr(
        win: Win<F>, win_keyval: c_int, attribute_val: *mut c_void, flag: *mut c_int,
    ) -> c_int {
        // SAFETY: the program promises it.
        unsafe {
            get_attribute::<F, _>(
                standard::MPI_Win_get_attr, (win, win_keyval), attribute_val, flag)
        }
    }

    fn MPI_Type_get_contents(
        datatype: Datatype<F>, max_integers: c_int, max_addresses: c_int, max_datatypes: c_int,
        integers: *mut c_int, addresses: *mut MPI_Aint, datatypes: *mut Datatype<F>,
    ) -> c_int {
        let mut made = match Handles::wanted(datatypes, max_datatypes.into()) {
            Ok(made) => made,
            Err(error) => return refused::<F>("MPI_Type_get_contents", &error),
        };
        let (mut counts, mut combiner) = ([0; 3], 0);
        let [n, a, d] = counts.each_mut().map(|c| &raw mut *c);
        let datatype = datatype.to_standard();
        // SAFETY: the program passes arrays of these lengths.
        unsafe {
            let returned = standard::MPI_Type_get_contents(
                datatype, max_integers, max_addresses, max_datatypes, integers, addresses,
                made.as_mut_ptr());
            made.give_back_wanted(datatypes);
            if returned == MPI_SUCCESS
                && standard::MPI_Type_get_envelope(datatype, n, a, d, &raw mut combiner)
                    == MPI_SUCCESS
            {
                convert_integers::<F>(combiner, integers, true);
            }
            code_back::<F>(returned)
        }
    }

    fn MPI_Type_get_contents_c(
        datatype: Datatype<F>, max_integers: MPI_Count, max_addresses: MPI_Count,
        max_large_counts: MPI_Count, max_datatypes: MPI_Count, integers: *mut c_int,
        addresses: *mut MPI_Aint, large_counts: *mut MPI_Count, datatypes: *mut Datatype<F>,
    ) -> c_int {
        let mut made = match Handles::wanted(datatypes, max_datatypes.into()) {
            Ok(made) => made,
            Err(error) => return refused::<F>("MPI_Type_get_contents_c", &error),
        };
        let (mut counts, mut combiner) = ([0; 4], 0);
        let [n, a, l, d] = counts.each_mut().map(|c| &raw mut *c);
        let datatype = datatype.to_standard();
        // SAFETY: the program passes arrays of these lengths.
        unsafe {
            let returned = standard::MPI_Type_get_contents_c(
                datatype, max_integers, max_addresses, max_large_counts, max_datatypes, integers,
                addresses, large_counts, made.as_mut_ptr());
            made.give_back_wanted(datatypes);
            if returned == MPI_SUCCESS
                && standard::MPI_Type_get_envelope_c(datatype, n, a, l, d, &raw mut combiner)
                    == MPI_SUCCESS
            {
                convert_integers::<F>(combiner, integers, counts[2] == 0);
            }
            code_back::<F>(returned)
        }
    }

    fn MPI_Get_version(version: *mut c_int, subversion: *mut c_int) -> c_int {
        // SAFETY: the program passes the addresses of two ints.
        unsafe {
            let returned = standard::MPI_Get_version(version, subversion);
            if returned == MPI_SUCCESS {
                (*version, *subversion) = F::VERSION;
            }
            code_back::<F>(returned)
        }
    }

    // It would describe the standard ABI's Fortran, which these programs do not have.
    fn MPI_Abi_get_fortran_info(info: *mut Info<F>) -> c_int {
        if info.is_null() {
            return code_back::<F>(MPI_ERR_ARG);
        }
        // SAFETY: the program passes the address of an info object.
        unsafe { info.write(Foreign::from_standard(MPI_INFO_NULL)) };
        MPI_SUCCESS
    }

    // These libraries lack the standard ABI. mpi4py's wheel chooses its module by the answer.
    fn MPI_Abi_get_version(abi_major: *mut c_int, abi_minor: *mut c_int) -> c_int {
        if abi_major.is_null() || abi_minor.is_null() {
            return code_back::<F>(MPI_ERR_ARG);
        }
        // SAFETY: the program passes the addresses of two ints.
        unsafe {
            abi_major.write(-1);
            abi_minor.write(-1);
        }
        MPI_SUCCESS
    }

    fn MPI_Error_class(errorcode: c_int, errorclass: *mut c_int) -> c_int {
        // SAFETY: the program passes the address of an int.
        unsafe {
            if own_class::<F>(errorcode).is_some() && !errorclass.is_null() {
                errorclass.write(errorcode);
                return MPI_SUCCESS;
            }
            let returned = standard::MPI_Error_class(code::<F>(errorcode), errorclass);
            code_back_at::<F>(errorclass, returned);
            code_back::<F>(returned)
        }
    }

    fn MPI_Error_string(errorcode: c_int, string: *mut c_char, resultlen: *mut c_int) -> c_int {
        let mut text = Text::wanted(string);
        // SAFETY: the program passes room for a text, and the address of an int.
        unsafe {
            let own = own_class::<F>(errorcode).filter(|_| !resultlen.is_null());
            let returned = match own {
                None => {
                    let code = code::<F>(errorcode);
                    standard::MPI_Error_string(code, text.as_mut_ptr(), resultlen)
                }
                Some(own) => {
                    resultlen.write(text.append(own) as c_int);
                    MPI_SUCCESS
                }
            };
            text.give_back(string, F::MPI_MAX_ERROR_STRING);
            shorten(resultlen, F::MPI_MAX_ERROR_STRING);
            code_back::<F>(returned)
        }
    }

    fn MPI_Get_library_version(version: *mut c_char, resultlen: *mut c_int) -> c_int {
        let mut text = Text::wanted(version);
        // SAFETY: the program passes room for a text, and the address of an int.
        unsafe {
            let returned = standard::MPI_Get_library_version(text.as_mut_ptr(), resultlen);
            if returned == MPI_SUCCESS {
                let added = text.append(&format!("called through the ABI of {}\n", F::NAME));
                *resultlen += added as c_int;
                text.give_back(version, F::MPI_MAX_LIBRARY_VERSION_STRING);
                shorten(resultlen, F::MPI_MAX_LIBRARY_VERSION_STRING);
            }
            code_back::<F>(returned)
        }
    }
}

/// Converts the constants among the integers of a datatype's constructor. Arrays of sizes stand
/// before them, unless these are large counts.
///
/// # Safety
/// There are as many integers as the constructor had.
unsafe fn convert_integers<F: Family>(combiner: c_int, integers: *mut c_int, has_sizes: bool) {
    // SAFETY: promised by the caller.
    let integer = |place: usize| unsafe { &mut *integers.add(place) };
    let change = |place: usize, pairs| {
        let value = integer(place);
        *value = number_back(pairs, *value);
    };
    let arrays = |of_sizes: usize| if has_sizes { of_sizes } else { 0 };
    match combiner {
        // The number of dimensions; sizes, sizes of the part, starts; the order.
        MPI_COMBINER_SUBARRAY => {
            let dimensions = (*integer(0)).max(0) as usize;
            change(1 + arrays(3) * dimensions, F::ARRAY_ORDER);
        }
        // Ranks, this one, the number of dimensions; sizes, distributions, their arguments, ranks
        // of each dimension; the order.
        MPI_COMBINER_DARRAY => {
            let dimensions = (*integer(2)).max(0) as usize;
            let begin = 3 + arrays(1) * dimensions;
            for i in 0..dimensions {
                change(begin + i, F::DISTRIBUTION);
                change(begin + dimensions + i, F::DISTRIBUTION_ARGUMENT);
            }
            change(begin + 3 * dimensions, F::ARRAY_ORDER);
        }
        _ => {}
    }
}
