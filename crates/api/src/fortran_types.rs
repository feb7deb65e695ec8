//! The module `mpi_f08_types`: what the modules `mpi` and `mpi_f08` have in common: types of
//! handles and conversions of statuses (MPI 5.0, sections 19.1.3 and 19.3.5). And the abstract
//! interfaces of `mpi_f08` for the program's functions (19.1.17).

use std::fmt::Write;

use crate::fortran_lines::broken;

/// The kinds of handles.
pub(crate) const HANDLES: [&str; 11] = [
    "Comm",
    "Datatype",
    "Errhandler",
    "File",
    "Group",
    "Info",
    "Message",
    "Op",
    "Request",
    "Session",
    "Win",
];

const HEAD: &str = "\
! MPI 5.0 for Fortran: the types of the modules mpi and mpi_f08. Generated.
module mpi_f08_types
  use, intrinsic :: iso_c_binding, only: C_INT
  implicit none
  private :: C_INT
  type, bind(C) :: MPI_Status
    integer(C_INT) :: MPI_SOURCE
    integer(C_INT) :: MPI_TAG
    integer(C_INT) :: MPI_ERROR
    integer(C_INT), private :: internal(5)
  end type
";

/// Two forms of each, for programs and for profiling libraries.
const STATUSES: &str = "\
  subroutine PREFIX_Status_f2f08(f_status, f08_status, ierror)
    integer, intent(in) :: f_status(8)
    type(MPI_Status), intent(out) :: f08_status
    integer, intent(out), optional :: ierror
    f08_status = transfer(f_status, f08_status)
    if (present(ierror)) ierror = 0
  end subroutine
  subroutine PREFIX_Status_f082f(f08_status, f_status, ierror)
    type(MPI_Status), intent(in) :: f08_status
    integer, intent(out) :: f_status(8)
    integer, intent(out), optional :: ierror
    f_status = transfer(f08_status, f_status)
    if (present(ierror)) ierror = 0
  end subroutine
";

/// The source of the module.
pub fn mpi_f08_types() -> String {
    let mut out = HEAD.to_string();
    let mut operators = String::new();
    for kind in HANDLES {
        let ty = format!("MPI_{kind}");
        writeln!(out, "  type, bind(C) :: {ty}\n    integer(C_INT) :: MPI_VAL\n  end type")
            .expect("a string takes all");
        operators += &operators_of(&ty);
    }
    for operator in ["==", "/="] {
        let word = if operator == "==" { "eq" } else { "ne" };
        let all: Vec<String> = HANDLES.iter().map(|kind| format!("MPI_{kind}_{word}")).collect();
        writeln!(out, "  interface operator ({operator})").expect("a string takes all");
        out += &broken(&format!("    module procedure {}", all.join(", ")));
        out += "  end interface\n";
        out += &broken(&format!("  private :: {}", all.join(", ")));
    }
    let statuses = ["MPI", "PMPI"].map(|prefix| STATUSES.replace("PREFIX", prefix)).concat();
    out + "contains\n" + &operators + &statuses + "end module mpi_f08_types\n"
}

fn operators_of(ty: &str) -> String {
    let one = |word: &str, operator: &str| {
        format!(
            "  elemental logical function {ty}_{word}(a, b)\n    \
             type({ty}), intent(in) :: a, b\n    \
             {ty}_{word} = a%MPI_VAL {operator} b%MPI_VAL\n  end function\n"
        )
    };
    one("eq", "==") + &one("ne", "/=")
}

/// The functions of the program: name, arguments, their declarations. `COUNT` is the type of a
/// number of elements.
const CALLBACKS: [(&str, &str, &str); 8] = [
    (
        "MPI_User_function",
        "invec, inoutvec, len, datatype",
        "type(C_PTR), value :: invec, inoutvec\nCOUNT :: len\ntype(MPI_Datatype) :: datatype\n",
    ),
    (
        "MPI_KIND_copy_attr_function",
        "object, keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror",
        "type(MPI_KIND) :: object\ninteger :: keyval, ierror\n\
         integer(kind=MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out\n\
         logical :: flag\n",
    ),
    (
        "MPI_KIND_delete_attr_function",
        "object, keyval, attribute_val, extra_state, ierror",
        "type(MPI_KIND) :: object\ninteger :: keyval, ierror\n\
         integer(kind=MPI_ADDRESS_KIND) :: attribute_val, extra_state\n",
    ),
    (
        "MPI_KIND_errhandler_function",
        "object, error_code",
        "type(MPI_KIND) :: object\ninteger :: error_code\n",
    ),
    (
        "MPI_Grequest_query_function",
        "extra_state, status, ierror",
        "integer(kind=MPI_ADDRESS_KIND) :: extra_state\ntype(MPI_Status) :: status\n\
         integer :: ierror\n",
    ),
    (
        "MPI_Grequest_free_function",
        "extra_state, ierror",
        "integer(kind=MPI_ADDRESS_KIND) :: extra_state\ninteger :: ierror\n",
    ),
    (
        "MPI_Grequest_cancel_function",
        "extra_state, complete, ierror",
        "integer(kind=MPI_ADDRESS_KIND) :: extra_state\nlogical :: complete\ninteger :: ierror\n",
    ),
    (
        "MPI_Datarep_extent_function",
        "datatype, extent, extra_state, ierror",
        "type(MPI_Datatype) :: datatype\n\
         integer(kind=MPI_ADDRESS_KIND) :: extent, extra_state\ninteger :: ierror\n",
    ),
];
const CONVERSION: (&str, &str, &str) = (
    "MPI_Datarep_conversion_function",
    "userbuf, datatype, count, filebuf, position, extra_state, ierror",
    "type(C_PTR), value :: userbuf, filebuf\ntype(MPI_Datatype) :: datatype\nCOUNT :: count\n\
     integer(kind=MPI_OFFSET_KIND) :: position\ninteger(kind=MPI_ADDRESS_KIND) :: extra_state\n\
     integer :: ierror\n",
);

/// The objects whose attributes and errors concern functions of the program.
const WITH_ATTRIBUTES: [&str; 3] = ["Comm", "Type", "Win"];
const WITH_ERRORS: [&str; 4] = ["Comm", "File", "Session", "Win"];

/// The abstract interfaces of `mpi_f08`.
pub(crate) fn abstract_interfaces() -> String {
    let mut out = "  abstract interface\n".to_string();
    for (name, arguments, declarations) in CALLBACKS.iter().chain([&CONVERSION]) {
        let kinds: &[&str] = match () {
            () if name.contains("errhandler") => &WITH_ERRORS,
            () if name.contains("KIND") => &WITH_ATTRIBUTES,
            () => &[""],
        };
        for kind in kinds {
            let ty = if *kind == "Type" { "Datatype" } else { kind };
            let name = name.replace("KIND", kind);
            let declarations = declarations.replace("(MPI_KIND)", &format!("(MPI_{ty})"));
            out += &abstract_interface(&name, arguments, &declarations, "integer");
            if declarations.contains("COUNT") {
                let count = "integer(kind=MPI_COUNT_KIND)";
                out += &abstract_interface(&format!("{name}_c"), arguments, &declarations, count);
            }
        }
    }
    out + "  end interface\n"
}

fn abstract_interface(name: &str, arguments: &str, declarations: &str, count: &str) -> String {
    let mut out = broken(&format!("    subroutine {name}({arguments})"));
    let declarations = declarations.replace("COUNT ::", &format!("{count} ::"));
    let names = ["C_PTR", "MPI_ADDRESS_KIND", "MPI_OFFSET_KIND", "MPI_COUNT_KIND"];
    let names = names.into_iter().map(str::to_string);
    let types = HANDLES.iter().chain(&["Status"]).map(|kind| format!("MPI_{kind}"));
    let used = names.chain(types).filter(|n| {
        declarations.contains(&format!("({n})")) || declarations.contains(&format!("={n})"))
    });
    let used: Vec<String> = used.collect();
    if !used.is_empty() {
        writeln!(out, "      import :: {}", used.join(", ")).expect("a string takes all");
    }
    for line in declarations.lines() {
        writeln!(out, "      {line}").expect("a string takes all");
    }
    out + "    end subroutine\n"
}

/// The predefined functions of attributes, with what is known of them in `mpi_f08`.
pub(crate) fn predefined_with_interfaces() -> String {
    let mut out = "  external :: MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, MPI_DUP_FN\n".to_string();
    for kind in WITH_ATTRIBUTES {
        let name = kind.to_uppercase();
        writeln!(
            out,
            "  procedure(MPI_{kind}_copy_attr_function) :: MPI_{name}_NULL_COPY_FN, \
             MPI_{name}_DUP_FN\n  \
             procedure(MPI_{kind}_delete_attr_function) :: MPI_{name}_NULL_DELETE_FN"
        )
        .expect("a string takes all");
    }
    out + "  procedure(MPI_Datarep_conversion_function) :: MPI_CONVERSION_FN_NULL\n  \
           procedure(MPI_Datarep_conversion_function_c) :: MPI_CONVERSION_FN_NULL_C\n"
}
