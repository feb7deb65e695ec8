//! Datatypes for parts of multidimensional arrays: subarray and darray (MPI 5.0, sections 5.1.3 and
//! 5.1.4).

use std::ffi::c_int;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_datatype::{Datatype, Dimension, Distribution, Order};

use crate::call::on_process;
use crate::datatype::datatype;
use crate::datatype_construct::{Integer, give, list};
use crate::standard::constants::*;
use crate::standard::types::*;

fn bad(text: String) -> Error {
    Error::new(ErrorClass::Arg, text)
}

fn dimensions(ndims: c_int) -> Result<i64> {
    if ndims > 0 {
        return Ok(ndims.into());
    }
    Err(bad(format!("ndims is {ndims}; it must be >= 1")))
}

fn order(order: c_int) -> Result<Order> {
    match order {
        MPI_ORDER_C => Ok(Order::C),
        MPI_ORDER_FORTRAN => Ok(Order::Fortran),
        _ => Err(bad(format!("order is {order}; it must be MPI_ORDER_C or MPI_ORDER_FORTRAN"))),
    }
}

fn distribution(value: i64) -> Result<Distribution> {
    match c_int::try_from(value) {
        Ok(MPI_DISTRIBUTE_NONE) => Ok(Distribution::None),
        Ok(MPI_DISTRIBUTE_BLOCK) => Ok(Distribution::Block),
        Ok(MPI_DISTRIBUTE_CYCLIC) => Ok(Distribution::Cyclic),
        _ => Err(bad(format!(
            "a distribution is {value}; it must be MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC or \
             MPI_DISTRIBUTE_NONE"
        ))),
    }
}

/// The dimensions of a distributed array.
///
/// # Safety
/// Each pointer is null or points to `n` elements.
unsafe fn distributed<N: Integer>(
    n: i64,
    sizes: *const N,
    distributions: *const c_int,
    arguments: *const c_int,
    processes: *const c_int,
) -> Result<Vec<Dimension>> {
    // SAFETY: promised by the caller.
    let (sizes, distributions, arguments, processes) = unsafe {
        (
            list(sizes, n, "array_of_gsizes")?,
            list(distributions, n, "array_of_distribs")?,
            list(arguments, n, "array_of_dargs")?,
            list(processes, n, "array_of_psizes")?,
        )
    };
    let dimension = |i: usize| {
        let argument =
            (arguments[i] != i64::from(MPI_DISTRIBUTE_DFLT_DARG)).then_some(arguments[i]);
        let distribution = distribution(distributions[i])?;
        Ok(Dimension { size: sizes[i], distribution, argument, processes: processes[i] })
    };
    (0..sizes.len()).map(dimension).collect()
}

entry_c! {
    fn MPI_Type_create_subarray / MPI_Type_create_subarray_c(
        ndims: c_int,
        array_of_sizes: *const N,
        array_of_subsizes: *const N,
        array_of_starts: *const N,
        order: c_int,
        oldtype: MPI_Datatype,
        newtype: *mut MPI_Datatype,
    ) {
        on_process(FUNCTION, |engine| {
            let old = datatype(engine, oldtype)?;
            let (n, order) = (dimensions(ndims)?, self::order(order)?);
            // SAFETY: the program passes arrays of `ndims` elements, and null or the address of a
            // datatype.
            unsafe {
                let sizes = list(array_of_sizes, n, "array_of_sizes")?;
                let subsizes = list(array_of_subsizes, n, "array_of_subsizes")?;
                let starts = list(array_of_starts, n, "array_of_starts")?;
                let made = Datatype::subarray(&sizes, &subsizes, &starts, order, &old)?;
                give::<N>(engine, made, newtype)
            }
        })
    }

    fn MPI_Type_create_darray / MPI_Type_create_darray_c(
        size: c_int,
        rank: c_int,
        ndims: c_int,
        array_of_gsizes: *const N,
        array_of_distribs: *const c_int,
        array_of_dargs: *const c_int,
        array_of_psizes: *const c_int,
        order: c_int,
        oldtype: MPI_Datatype,
        newtype: *mut MPI_Datatype,
    ) {
        on_process(FUNCTION, |engine| {
            let old = datatype(engine, oldtype)?;
            let (n, order) = (dimensions(ndims)?, self::order(order)?);
            // SAFETY: as in MPI_Type_create_subarray.
            unsafe {
                let dimensions = distributed(
                    n,
                    array_of_gsizes,
                    array_of_distribs,
                    array_of_dargs,
                    array_of_psizes,
                )?;
                let made = Datatype::darray(size.into(), rank.into(), &dimensions, order, &old)?;
                give::<N>(engine, made, newtype)
            }
        })
    }
}
