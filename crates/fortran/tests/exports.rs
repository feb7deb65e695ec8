//! The library has a subroutine for every function that `mpif.h` and the modules have. (Those for
//! other ABIs are all there if the libraries of `families/` can be linked.)

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use dunlin_api::table::Interface;
use dunlin_api::{Prototype, fortran};
use object::{Object, ObjectSymbol};

/// What a compiler needs besides: the common block, functions that programs pass on, and
/// `MPI_Sizeof`.
const OTHERS: [&str; 16] = [
    "mpi_conversion_fn_null_",
    "mpi_conversion_fn_null_c_",
    "mpi_dunlin_",
    "mpi_sizeof_cdesc_",
    "mpi_null_copy_fn_",
    "mpi_dup_fn_",
    "mpi_null_delete_fn_",
    "mpi_comm_null_copy_fn_",
    "mpi_comm_dup_fn_",
    "mpi_comm_null_delete_fn_",
    "mpi_type_null_copy_fn_",
    "mpi_type_dup_fn_",
    "mpi_type_null_delete_fn_",
    "mpi_win_null_copy_fn_",
    "mpi_win_dup_fn_",
    "mpi_win_null_delete_fn_",
];

/// Forms of modules alone, with addresses as `TYPE(C_PTR)`; and subroutines that C does not
/// have, most of them removed by MPI 3.0.
const FORMS: [&str; 18] = [
    "MPI_Address",
    "MPI_Alloc_mem_cptr",
    "MPI_Buffer_detach_f08",
    "MPI_Comm_detach_buffer_f08",
    "MPI_Errhandler_create",
    "MPI_Errhandler_get",
    "MPI_Errhandler_set",
    "MPI_F_sync_reg",
    "MPI_Session_detach_buffer_f08",
    "MPI_Type_extent",
    "MPI_Type_hindexed",
    "MPI_Type_hvector",
    "MPI_Type_lb",
    "MPI_Type_struct",
    "MPI_Type_ub",
    "MPI_Win_allocate_cptr",
    "MPI_Win_allocate_shared_cptr",
    "MPI_Win_shared_query_cptr",
];

#[test]
fn every_subroutine_is_there_and_nothing_else() {
    let api = dunlin_api::read(Path::new("../../api")).unwrap();
    let is_there = |p: &Prototype| match p.is_large {
        false => p.function.interfaces.contains(&Interface::MpifH),
        true => {
            let by_hand = fortran::BY_HAND.contains(&&*p.function.name);
            p.function.interfaces.contains(&Interface::MpiF08) && !by_hand
        }
    };
    let with_descriptors = |p: &Prototype| {
        let takes = fortran::takes_descriptors(p);
        [Some(p.name.clone()), takes.then(|| fortran::descriptor_form(&p.name))]
    };
    let all = dunlin_api::prototypes(&api).filter(is_there);
    let of_fortran = all.flat_map(|p| with_descriptors(&p)).flatten();
    let forms = FORMS.into_iter().map(str::to_string);
    let names = of_fortran.chain(forms).map(|name| name.to_lowercase());
    let both = names.flat_map(|name| [format!("{name}_"), format!("p{name}_")]);
    let expected: BTreeSet<String> = both.chain(OTHERS.map(str::to_string)).collect();

    // For a test Cargo does not build a library that programs alone link to.
    let library = Path::new("../../build/prefix/lib/libmpi_abi_fortran.so.1");
    let bytes = fs::read(library)
        .unwrap_or_else(|e| panic!("run `make build`: cannot read {}: {e}", library.display()));
    let file = object::File::parse(&*bytes).expect("an ELF file");
    let defined = file.dynamic_symbols().filter(|s| s.is_definition());
    let exported: BTreeSet<String> = defined
        .filter_map(|s| s.name().ok())
        .filter(|n| n.starts_with("mpi_") || n.starts_with("pmpi_"))
        .map(String::from)
        .collect();
    let missing: Vec<_> = expected.difference(&exported).collect();
    let extra: Vec<_> = exported.difference(&expected).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "missing {missing:?}, extra {extra:?} (in what `make build` made last)"
    );
}
