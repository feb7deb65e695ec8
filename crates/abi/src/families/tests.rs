use super::convert::*;
use super::{Constants, Family, Foreign, ForeignStatus, Mpich, OpenMpi, bounds, openmpi};
use crate::standard::constants::*;
use crate::standard::handles::{Handle, made};
use crate::standard::types::*;

/// The predefined datatypes that MPICH has too.
fn datatypes() -> impl Iterator<Item = MPI_Datatype> {
    DATATYPE_NAMES.iter().map(|(_, datatype)| *datatype)
}

fn there_and_back<S: Handle + PartialEq + std::fmt::Debug, T: Foreign<S>>(handle: S) {
    assert_eq!(T::from_standard(handle).to_standard(), handle);
    let fortran = T::from_standard(handle).to_fortran();
    assert_eq!(T::from_fortran(fortran).to_standard(), handle);
}

#[test]
fn handles_of_mpich_stand_for_those_of_the_standard() {
    type Of = <Mpich as Family>::Datatype;
    datatypes().for_each(there_and_back::<_, Of>);
    OP_NAMES.iter().for_each(|(_, op)| there_and_back::<_, <Mpich as Family>::Op>(*op));
    for number in [0, 1, (1 << 27) - 1] {
        there_and_back::<_, Of>(made::<MPI_Datatype>(number).expect("fits"));
        there_and_back::<_, <Mpich as Family>::Comm>(made::<MPI_Comm>(number).expect("fits"));
    }
    let known = |handle: i32| Of::from_fortran(handle).to_standard();
    assert_eq!(known(0x4c00_0405), MPI_INT);
    assert_eq!(known(0x4c00_0246), MPI_REAL2, "MPIX_C_FLOAT16");
    // The last bytes are those of MPI_INT.
    assert_ne!(known(0x4c00_0505), MPI_INT);
}

#[test]
fn handles_of_open_mpi_are_addresses_or_have_the_highest_bit() {
    type Of = <OpenMpi as Family>::Comm;
    let world = openmpi::Object::of(MPI_COMM_WORLD.bits());
    // SAFETY: there is one object, which lives on.
    unsafe { openmpi::dunlin_openmpi_objects(&raw const world, 1) };
    let handle: Of = Foreign::from_standard(MPI_COMM_WORLD);
    assert_eq!(Foreign::<MPI_Comm>::to_fortran(handle), 0);
    there_and_back::<_, Of>(MPI_COMM_WORLD);
    there_and_back::<_, Of>(made::<MPI_Comm>(12).expect("fits"));
    let null = <Of as Foreign<MPI_Comm>>::from_fortran(0);
    assert_eq!(Foreign::<MPI_Comm>::to_standard(null), MPI_COMM_WORLD);
    // Where no object is, nothing is read.
    for no_object in [0, 1, 0x7fff_fff1] {
        let handle: MPI_Comm = Foreign::to_standard(openmpi::Address::of(no_object));
        assert_eq!(handle.bits(), 0);
    }
}

#[test]
fn constants_of_the_standard_alone_are_not_valid_in_a_family() {
    assert_eq!(number(Mpich::TAGS, -1), MPI_ANY_TAG);
    assert_eq!(number(Mpich::RANKS, -1), MPI_PROC_NULL);
    assert_eq!(number(Mpich::RANKS, 7), 7);
    // MPI_ANY_TAG of the standard; MPICH refuses it.
    assert!(number(Mpich::TAGS, -2) < MPI_ANY_TAG);
    for pairs in [Mpich::THREAD_LEVEL, OpenMpi::COMBINER, Mpich::LOCK_TYPE] {
        assert!(pairs.iter().all(|p| number(pairs, p.1) == p.0 && number_back(pairs, p.0) == p.1));
    }
    let both = MPI_MODE_CREATE | MPI_MODE_RDWR;
    assert_eq!(bits(OpenMpi::FILE_MODE, 1 | 8), both);
    assert_eq!(bits_back(OpenMpi::FILE_MODE, both), 1 | 8);
    assert!(bits(OpenMpi::FILE_MODE, 1 << 20) < 0, "an unknown bit");
}

#[test]
fn error_codes_go_there_and_back() {
    for class in MPI_SUCCESS..=MPI_ERR_ABI {
        assert_eq!(code::<Mpich>(code_back::<Mpich>(class)), class);
    }
    assert_eq!(code_back::<OpenMpi>(MPI_ERR_ERRHANDLER), MPI_ERR_ARG, "which it lacks");
    let mine = MPI_ERR_LASTCODE + 5;
    assert!(code_back::<Mpich>(mine) > number_back(Mpich::ERROR_CODES, MPI_ERR_LASTCODE));
    assert_eq!(code::<Mpich>(code_back::<Mpich>(mine)), mine);
    assert_eq!(code::<OpenMpi>(code_back::<OpenMpi>(mine)), mine);
}

fn a_status_survives<F: Family>() {
    let mut given = empty_status::<F>();
    given.set_received(1 << 40, true);
    let [source, tag, error] = given.fields();
    (*source, *tag, *error) = (number_back(F::RANKS, MPI_PROC_NULL), 3, 0);
    let standard = to_standard::<F>(&given);
    assert_eq!((standard.bytes(), standard.is_cancelled()), (1 << 40, true));
    assert_eq!((standard.MPI_SOURCE, standard.MPI_TAG), (MPI_PROC_NULL, 3));

    let mut written = OneStatus::wanted::<F>(&raw const given);
    // SAFETY: the address is that of a status, or null.
    unsafe { (*written.as_mut_ptr()).MPI_ERROR = MPI_ERR_TRUNCATE };
    // SAFETY: the variable is ours.
    unsafe { written.give_back::<F>(&raw mut given) };
    assert_eq!(given.received(), (1 << 40, true), "only the error was written");
    assert_eq!(*given.fields()[2], number_back(F::ERROR_CODES, MPI_ERR_TRUNCATE));
}

#[test]
fn statuses_keep_what_the_library_does_not_write() {
    a_status_survives::<Mpich>();
    a_status_survives::<OpenMpi>();
}

#[test]
fn bounds_of_structures_have_numbers_of_their_own() {
    let numbers = dunlin_api::family::BOUNDS.map(|(_, number)| number as usize);
    assert_eq!(numbers, [bounds::LB, bounds::UB]);
    assert!(datatypes().all(|known| !numbers.contains(&known.bits())), "one is taken");
}
