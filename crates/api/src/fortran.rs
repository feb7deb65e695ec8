//! The Fortran interface in Rust: for each function a subroutine as Fortran compilers call it
//! (every argument by its address, the error code last, the lengths of strings after it), which
//! converts its arguments and calls the C function; and the include file `mpif.h`.

use std::fmt::Write;

pub use crate::fortran_arguments::BY_HAND;
use crate::fortran_arguments::passed_as;
use crate::fortran_descriptors::{form_of_family, form_with_descriptors, is_choice};
pub use crate::fortran_descriptors::{symbol as descriptor_form, takes_descriptors};
use crate::header::Values;
use crate::prototype::{Prototype, Type, all};
use crate::rust::{rust_type, usable};
use crate::table::{Api, Class, Group, Interface};

/// The group of constants that are lengths of C strings.
const STRING_LENGTHS: &str = "string-length";

/// Addresses that stand for something: their order is that of `Special` in the crate `fortran`.
const INCLUDE_HEAD: &str = "\
!     MPI 5.0 for Fortran, in fixed and in free form. Generated.
      INTEGER MPI_BOTTOM, MPI_IN_PLACE, MPI_BUFFER_AUTOMATIC
      INTEGER MPI_UNWEIGHTED(1), MPI_WEIGHTS_EMPTY(1)
      INTEGER MPI_ERRCODES_IGNORE(1)
      INTEGER MPI_STATUS_IGNORE(8), MPI_STATUSES_IGNORE(8,1)
      CHARACTER*1 MPI_ARGV_NULL(1), MPI_ARGVS_NULL(1,1)
      COMMON /MPI_DUNLIN/ MPI_BOTTOM, MPI_IN_PLACE
      COMMON /MPI_DUNLIN/ MPI_BUFFER_AUTOMATIC
      COMMON /MPI_DUNLIN/ MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY
      COMMON /MPI_DUNLIN/ MPI_ERRCODES_IGNORE
      COMMON /MPI_DUNLIN/ MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE
      COMMON /MPI_DUNLIN_TEXT/ MPI_ARGV_NULL, MPI_ARGVS_NULL
      SAVE /MPI_DUNLIN/, /MPI_DUNLIN_TEXT/
      INTEGER MPI_STATUS_SIZE
      PARAMETER (MPI_STATUS_SIZE=8)
      INTEGER MPI_SOURCE, MPI_TAG, MPI_ERROR
      PARAMETER (MPI_SOURCE=1, MPI_TAG=2, MPI_ERROR=3)
      INTEGER MPI_ADDRESS_KIND, MPI_OFFSET_KIND
      PARAMETER (MPI_ADDRESS_KIND=8, MPI_OFFSET_KIND=8)
      INTEGER MPI_COUNT_KIND, MPI_INTEGER_KIND
      PARAMETER (MPI_COUNT_KIND=8, MPI_INTEGER_KIND=4)
      LOGICAL MPI_SUBARRAYS_SUPPORTED
      PARAMETER (MPI_SUBARRAYS_SUPPORTED=.FALSE.)
      LOGICAL MPI_ASYNC_PROTECTS_NONBLOCKING
      PARAMETER (MPI_ASYNC_PROTECTS_NONBLOCKING=.FALSE.)
";
const INCLUDE_TAIL: &str = "\
!     Functions, and subroutines that programs pass on.
      DOUBLE PRECISION MPI_WTIME, MPI_WTICK
      DOUBLE PRECISION PMPI_WTIME, PMPI_WTICK
      EXTERNAL MPI_WTIME, MPI_WTICK, PMPI_WTIME, PMPI_WTICK
      INTEGER(KIND=8) MPI_AINT_ADD, MPI_AINT_DIFF
      INTEGER(KIND=8) PMPI_AINT_ADD, PMPI_AINT_DIFF
      EXTERNAL MPI_AINT_ADD, MPI_AINT_DIFF
      EXTERNAL PMPI_AINT_ADD, PMPI_AINT_DIFF
      EXTERNAL MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, MPI_DUP_FN
      EXTERNAL MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN
      EXTERNAL MPI_COMM_DUP_FN
      EXTERNAL MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN
      EXTERNAL MPI_TYPE_DUP_FN
      EXTERNAL MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN
      EXTERNAL MPI_WIN_DUP_FN, MPI_CONVERSION_FN_NULL
";

/// The functions that Fortran's include file has. It has none with large counts.
pub(crate) fn of_include_file(api: &Api) -> impl Iterator<Item = Prototype<'_>> {
    all(api).filter(|p| !p.is_large && p.function.interfaces.contains(&Interface::MpifH))
}

/// The forms with large counts, which `mpi_f08` has.
fn large_of_modules(api: &Api) -> impl Iterator<Item = Prototype<'_>> {
    all(api).filter(|p| p.is_large && p.function.interfaces.contains(&Interface::MpiF08))
}

fn is_generated(p: &Prototype) -> bool {
    !BY_HAND.contains(&&*p.function.name)
}

/// Declarations of the C functions, then the subroutines that call them.
pub fn subroutines_in_rust(api: &Api) -> String {
    let (mut c, mut fortran) = (String::new(), String::new());
    for prototype in of_include_file(api) {
        for prefix in ["", "P"] {
            let signature = c_signature(prefix, &prototype);
            writeln!(c, "    pub fn {signature};").expect("a string takes all");
        }
    }
    for prototype in of_include_file(api).chain(large_of_modules(api)).filter(is_generated) {
        for prefix in ["", "P"] {
            if prototype.is_large {
                let signature = c_signature(prefix, &prototype);
                writeln!(c, "    pub fn {signature};").expect("a string takes all");
            }
            fortran += &subroutine("", prefix, &prototype, "");
            if takes_descriptors(&prototype) {
                fortran += &form_with_descriptors(prefix, &prototype);
            }
            if !prototype.is_large && prototype.parameters.iter().any(|p| p.name == "baseptr") {
                fortran += &subroutine("", prefix, &prototype, "_cptr");
            }
        }
    }
    format!("unsafe extern \"C\" {{\n{c}}}\n\n{fortran}")
}

/// Whether `mpi_f08` has buffers of this function.
fn has_choice(prototype: &Prototype) -> bool {
    let function = prototype.function;
    is_generated(prototype)
        && function.interfaces.contains(&Interface::MpiF08)
        && function.parameters.iter().any(is_choice)
}

/// The same for programs that were built for another ABI: `mpich_mpi_send_` calls `mpich_MPI_Send`.
/// A family with descriptors has `mpich_mpi_send_f08ts_` too.
pub fn subroutines_of_family_in_rust(api: &Api, family: &str, has_descriptors: bool) -> String {
    let (mut c, mut fortran) = (String::new(), String::new());
    // Those of `mpi_f08` alone.
    let large = large_of_modules(api).filter(|p| has_descriptors && is_generated(p));
    for prototype in of_include_file(api).chain(large) {
        let signature = c_signature("", &prototype);
        // Operators and error handlers of Fortran get Fortran's handles.
        let calls_back = ["MPI_Op_create", "_create_errhandler"];
        let is_called_back = calls_back.iter().any(|name| prototype.name.ends_with(name));
        let of_fortran = if is_called_back { "_fortran" } else { "" };
        writeln!(
            c,
            "    #[link_name = \"{family}_{}{of_fortran}\"]\n    pub fn {signature};",
            prototype.name
        )
        .expect("a string takes all");
        if !is_generated(&prototype) {
            continue;
        }
        fortran += &subroutine(family, "", &prototype, "");
        if has_descriptors && has_choice(&prototype) {
            fortran += &form_of_family(family, &prototype);
        }
    }
    format!("unsafe extern \"C\" {{\n{c}}}\n\n{fortran}")
}

/// Subroutines of families beside those of functions in C.
const FORMS: &[&str] = &[
    "Address",
    "Errhandler_create",
    "Errhandler_get",
    "Errhandler_set",
    "Type_extent",
    "Type_hindexed",
    "Type_hvector",
    "Type_lb",
    "Type_struct",
    "Type_ub",
];

/// Those whose form in `mpi_f08` differs.
const DETACHING: &[&str] =
    &["MPI_Buffer_detach", "MPI_Comm_detach_buffer", "MPI_Session_detach_buffer"];

/// The names of the subroutines of families, in C: `SUBROUTINE(send, SEND, Send)`; `CHOICE` has
/// buffers of any type, and `LARGE` and `LARGE_CHOICE` large counts.
pub fn names_of_subroutines(api: &Api) -> String {
    let word = |p: &Prototype| match (p.is_large, has_choice(p)) {
        _ if DETACHING.contains(&&*p.function.name) => "DETACHING",
        (false, false) => "SUBROUTINE",
        (false, true) => "CHOICE",
        (true, false) => "LARGE",
        (true, true) => "LARGE_CHOICE",
    };
    let name = |p: &Prototype| match p.is_large {
        true => p.name.trim_end_matches("_c").to_string(),
        false => p.name.clone(),
    };
    let large = large_of_modules(api).filter(is_generated);
    let of_functions = of_include_file(api).chain(large).map(|p| (word(&p), name(&p)));
    let forms = FORMS.iter().map(|form| ("SUBROUTINE", format!("MPI_{form}")));
    let mut out = String::new();
    for (word, name) in of_functions.chain(forms) {
        let name = name.strip_prefix("MPI_").expect("each is one of MPI");
        let (small, capital) = (name.to_lowercase(), name.to_uppercase());
        writeln!(out, "{word}({small}, {capital}, {name})").expect("a string takes all");
    }
    out
}

/// `MPI_Wait(request: *mut MPI_Request, status: *mut MPI_Status) -> c_int`
fn c_signature(prefix: &str, p: &Prototype) -> String {
    let parameter = |name: &str, ty: &Type| format!("{}: {}", usable(name), rust_type(ty));
    let mut parameters: Vec<String> =
        p.parameters.iter().map(|p| parameter(&p.name, &p.ty)).collect();
    if p.function.is_variadic {
        parameters.push("...".to_string());
    }
    let returns = rust_type(&p.returns);
    format!("{prefix}{}({}) -> {returns}", p.name, parameters.join(", "))
}

/// A subroutine of the standard's ABI, or of a family (`family` is not empty).
fn subroutine(family: &str, prefix: &str, prototype: &Prototype, form: &str) -> String {
    let name = format!("{prefix}{}", prototype.name);
    let (mut parameters, mut lengths) = (String::new(), String::new());
    let (mut before, mut arguments, mut after) = (String::new(), Vec::new(), String::new());
    for declared in &prototype.parameters {
        let name = usable(&declared.name);
        let passed = passed_as(prototype, declared);
        write!(parameters, "{name}: {}, ", passed.ty).expect("a string takes all");
        if passed.has_length {
            write!(lengths, ", {name}_len: usize").expect("a string takes all");
        }
        before += &passed.before;
        arguments.push(passed.argument);
        after += &passed.after;
    }
    let (symbol, arguments) = (name.to_lowercase(), arguments.join(", "));
    let export = match family {
        "" => "no_mangle".to_string(),
        family => format!("export_name = \"{family}_{symbol}_\""),
    };
    format!(
        "/// `{name}`.\n#[unsafe({export})]\npub unsafe extern \"C\" fn \
         {symbol}{form}_({parameters}ierror: *mut c_int{lengths}) {{\n    \
         // SAFETY: the program passes what the standard says.\n    unsafe {{\n{before}        \
         let code = {name}({arguments});\n{after}        set(ierror, code);\n    }}\n}}\n\n"
    )
}

/// The integer constants and null handles, for the subroutines that are written by hand.
pub fn integers_in_rust(api: &Api, value: impl Fn(&str) -> Option<i64>) -> String {
    let mut out = String::new();
    for group in api.constants.iter().filter(|g| matches!(g.class, Class::Int | Class::Null)) {
        for name in group.names.iter().filter(|n| is_of_fortran(n)) {
            let value = value(name).unwrap_or(0) as i32;
            writeln!(out, "pub const {name}: c_int = {value};").expect("a string takes all");
        }
    }
    out
}

/// The include file, for both source forms.
pub fn include_file(api: &Api, values: &Values) -> String {
    constants_of_include_file(api, values) + INCLUDE_TAIL
}

/// Its variables and constants.
pub(crate) fn constants_of_include_file(api: &Api, values: &Values) -> String {
    let mut out = INCLUDE_HEAD.to_string();
    for group in &api.constants {
        let ty = if group.class == Class::Offset { "INTEGER(KIND=8)" } else { "INTEGER" };
        for name in group.names.iter().filter(|n| is_of_fortran(n)) {
            let Some(number) = value(group, name, values) else { continue };
            writeln!(out, "      {ty} {name}\n      PARAMETER ({name}={number})")
                .expect("a string takes all");
        }
    }
    out
}

/// The value of a constant, if it is a number in Fortran.
pub(crate) fn value(group: &Group, name: &str, values: &Values) -> Option<i64> {
    if !matches!(group.class, Class::Int | Class::Null | Class::Handle | Class::Offset) {
        return None;
    }
    let number = number(values.get(name)?.number);
    // C's strings end with a byte that Fortran's do not have.
    Some(number - i64::from(group.purpose == STRING_LENGTHS))
}

/// Not of C and of its tool interface alone.
pub(crate) fn is_of_fortran(name: &str) -> bool {
    !name.starts_with("MPI_T_") && !name.starts_with("MPI_F_")
}

/// The standard's value of a constant.
pub fn standard_number(values: &Values, name: &str) -> Option<i64> {
    values.get(name).map(|v| number(v.number))
}

fn number(value: &str) -> i64 {
    let hex = value.strip_prefix("0x").map(|h| i64::from_str_radix(h, 16));
    hex.unwrap_or_else(|| value.parse()).expect("the header's constants are numbers")
}
