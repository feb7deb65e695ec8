//! The constructor of a datatype: envelope and contents (MPI 5.0, section 5.1.13).

use std::ffi::c_int;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_datatype::{Combiner, Datatype};
use dunlin_engine::Engine;

use crate::call::on_process;
use crate::convert::put;
use crate::datatype::{datatype, new_handle};
use crate::standard::constants::*;
use crate::standard::types::*;

fn combiner(combiner: Combiner) -> c_int {
    match combiner {
        Combiner::Named => MPI_COMBINER_NAMED,
        Combiner::Dup => MPI_COMBINER_DUP,
        Combiner::Contiguous => MPI_COMBINER_CONTIGUOUS,
        Combiner::Vector => MPI_COMBINER_VECTOR,
        Combiner::Hvector => MPI_COMBINER_HVECTOR,
        Combiner::Indexed => MPI_COMBINER_INDEXED,
        Combiner::Hindexed => MPI_COMBINER_HINDEXED,
        Combiner::IndexedBlock => MPI_COMBINER_INDEXED_BLOCK,
        Combiner::HindexedBlock => MPI_COMBINER_HINDEXED_BLOCK,
        Combiner::Struct => MPI_COMBINER_STRUCT,
        Combiner::Subarray => MPI_COMBINER_SUBARRAY,
        Combiner::Darray => MPI_COMBINER_DARRAY,
        Combiner::F90Real => MPI_COMBINER_F90_REAL,
        Combiner::F90Complex => MPI_COMBINER_F90_COMPLEX,
        Combiner::F90Integer => MPI_COMBINER_F90_INTEGER,
        Combiner::Resized => MPI_COMBINER_RESIZED,
    }
}

/// Rejects a datatype whose arguments do not fit the functions without `_c`.
fn without_large_counts(datatype: &Datatype, instead: &str) -> Result<()> {
    match datatype.envelope().counts {
        0 => Ok(()),
        n => {
            let text = format!(
                "the datatype was made with {n} large counts, which this function cannot report; \
                 call {instead}"
            );
            Err(Error::new(ErrorClass::Type, text))
        }
    }
}

/// The program's array for arguments of one kind.
struct Room<T> {
    /// The name that the function gives this kind.
    kind: &'static str,
    most: MPI_Count,
    at: *mut T,
}

impl<T> Room<T> {
    /// Writes arguments to the array.
    ///
    /// # Safety
    /// `at` is null or has space for `most` elements.
    unsafe fn fill<A>(&self, values: &[A], convert: impl Fn(&A) -> Result<T>) -> Result<()> {
        let (kind, most, len) = (self.kind, self.most, values.len());
        if (len as MPI_Count) > most {
            let text = format!("max_{kind} is {most}; the datatype has {len}: ask its envelope");
            return Err(Error::new(ErrorClass::Arg, text));
        }
        if len > 0 && self.at.is_null() {
            let text = format!("array_of_{kind} is a null pointer; it must have {len} elements");
            return Err(Error::new(ErrorClass::Arg, text));
        }
        for (i, value) in values.iter().enumerate() {
            // SAFETY: promised by the caller; `i < most`, and not null.
            unsafe { self.at.add(i).write(convert(value)?) };
        }
        Ok(())
    }
}

/// Writes all arguments of a constructor.
///
/// # Safety
/// As for [`Room::fill`], for each array.
unsafe fn give_contents(
    engine: &Engine,
    datatype: &Datatype,
    integers: Room<c_int>,
    addresses: Room<MPI_Aint>,
    counts: Room<MPI_Count>,
    types: Room<MPI_Datatype>,
) -> Result<()> {
    let contents = datatype.contents()?;
    // SAFETY: promised by the caller.
    unsafe {
        integers.fill(&contents.integers, |n| Ok(*n as c_int))?;
        addresses.fill(&contents.addresses, |n| Ok(*n as MPI_Aint))?;
        counts.fill(&contents.counts, |n| Ok(*n))?;
        types.fill(&contents.types, |t| new_handle(engine, t.clone()))
    }
}

entry! {
    fn MPI_Type_get_envelope(
        datatype: MPI_Datatype,
        num_integers: *mut c_int,
        num_addresses: *mut c_int,
        num_datatypes: *mut c_int,
        combiner: *mut c_int,
    ) -> c_int {
        on_process(FUNCTION, |engine| {
            let datatype = self::datatype(engine, datatype)?;
            without_large_counts(&datatype, "MPI_Type_get_envelope_c")?;
            let envelope = datatype.envelope();
            // SAFETY: the program passes the addresses of four variables.
            unsafe {
                put(num_integers, envelope.integers as c_int, "num_integers")?;
                put(num_addresses, envelope.addresses as c_int, "num_addresses")?;
                put(num_datatypes, envelope.types as c_int, "num_datatypes")?;
                put(combiner, self::combiner(envelope.combiner), "combiner")
            }
        })
    }

    fn MPI_Type_get_envelope_c(
        datatype: MPI_Datatype,
        num_integers: *mut MPI_Count,
        num_addresses: *mut MPI_Count,
        num_large_counts: *mut MPI_Count,
        num_datatypes: *mut MPI_Count,
        combiner: *mut c_int,
    ) -> c_int {
        on_process(FUNCTION, |engine| {
            let envelope = self::datatype(engine, datatype)?.envelope();
            // SAFETY: the program passes the addresses of five variables.
            unsafe {
                put(num_integers, envelope.integers as MPI_Count, "num_integers")?;
                put(num_addresses, envelope.addresses as MPI_Count, "num_addresses")?;
                put(num_large_counts, envelope.counts as MPI_Count, "num_large_counts")?;
                put(num_datatypes, envelope.types as MPI_Count, "num_datatypes")?;
                put(combiner, self::combiner(envelope.combiner), "combiner")
            }
        })
    }

    fn MPI_Type_get_contents(
        datatype: MPI_Datatype,
        max_integers: c_int,
        max_addresses: c_int,
        max_datatypes: c_int,
        array_of_integers: *mut c_int,
        array_of_addresses: *mut MPI_Aint,
        array_of_datatypes: *mut MPI_Datatype,
    ) -> c_int {
        on_process(FUNCTION, |engine| {
            let datatype = self::datatype(engine, datatype)?;
            without_large_counts(&datatype, "MPI_Type_get_contents_c")?;
            // SAFETY: the program passes arrays of the given lengths.
            unsafe {
                give_contents(
                    engine,
                    &datatype,
                    Room { kind: "integers", most: max_integers.into(), at: array_of_integers },
                    Room { kind: "addresses", most: max_addresses.into(), at: array_of_addresses },
                    Room { kind: "large_counts", most: 0, at: std::ptr::null_mut() },
                    Room { kind: "datatypes", most: max_datatypes.into(), at: array_of_datatypes },
                )
            }
        })
    }

    fn MPI_Type_get_contents_c(
        datatype: MPI_Datatype,
        max_integers: MPI_Count,
        max_addresses: MPI_Count,
        max_large_counts: MPI_Count,
        max_datatypes: MPI_Count,
        array_of_integers: *mut c_int,
        array_of_addresses: *mut MPI_Aint,
        array_of_large_counts: *mut MPI_Count,
        array_of_datatypes: *mut MPI_Datatype,
    ) -> c_int {
        on_process(FUNCTION, |engine| {
            let datatype = self::datatype(engine, datatype)?;
            // SAFETY: the program passes arrays of the given lengths.
            unsafe {
                give_contents(
                    engine,
                    &datatype,
                    Room { kind: "integers", most: max_integers, at: array_of_integers },
                    Room { kind: "addresses", most: max_addresses, at: array_of_addresses },
                    Room {
                        kind: "large_counts",
                        most: max_large_counts,
                        at: array_of_large_counts,
                    },
                    Room { kind: "datatypes", most: max_datatypes, at: array_of_datatypes },
                )
            }
        })
    }
}
