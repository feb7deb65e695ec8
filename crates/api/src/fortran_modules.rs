//! The Fortran modules. `mpi` has the constants of `mpif.h` and an interface for each subroutine,
//! so that compilers check calls. `mpi_f08` has types for handles and statuses, optional error
//! codes and large counts; its interfaces are of the same subroutines, since a type of one INTEGER
//! is passed as the INTEGER is. Buffers of any type and rank are accepted.

use std::fmt::Write;

use crate::fortran::{
    BY_HAND, constants_of_include_file, descriptor_form, is_of_fortran, of_include_file,
    takes_descriptors, value,
};
use crate::fortran_lines::broken;
use crate::fortran_types::{HANDLES, abstract_interfaces, predefined_with_interfaces};
use crate::header::Values;
use crate::prototype::{Prototype, all};
use crate::table::{Api, Class, Direction, Interface, Parameter, is_large_callback};

/// An argument in an interface: its name and how it is declared.
struct Argument {
    name: String,
    declaration: String,
    /// The compiler is to accept any type and rank.
    is_choice: bool,
}

/// Arguments of subroutines whose form in Fortran is not that of C: name and declaration.
const OWN_FORMS: &[(&str, &[(&str, &str)])] = &[
    (
        "MPI_Attr_get",
        &[("comm", INT), ("keyval", INT), ("attribute_val", "integer"), ("flag", "logical")],
    ),
    ("MPI_Attr_put", &[("comm", INT), ("keyval", INT), ("attribute_val", INT)]),
    ("MPI_Buffer_detach", &[("buffer_addr", CHOICE), ("size", "integer")]),
    ("MPI_Comm_detach_buffer", &[("comm", INT), ("buffer_addr", CHOICE), ("size", "integer")]),
    ("MPI_Info_create_env", &[("info", "integer")]),
    ("MPI_Init", &[]),
    ("MPI_Init_thread", &[("required", INT), ("provided", "integer")]),
    (
        "MPI_Keyval_create",
        &[
            ("copy_fn", EXTERNAL),
            ("delete_fn", EXTERNAL),
            ("keyval", "integer"),
            ("extra_state", INT),
        ],
    ),
    (
        "MPI_Session_detach_buffer",
        &[("session", INT), ("buffer_addr", CHOICE), ("size", "integer")],
    ),
];
const INT: &str = "integer, intent(in)";
const EXTERNAL: &str = "external";
/// `target` because the library may keep the address: without it gfortran takes the buffer of a
/// nonblocking call for one that later calls leave alone.
const CHOICE: &str = "type(*), dimension(*), asynchronous, target";
/// The same, as a descriptor: also of a section with gaps.
const DESCRIBED: &str = "type(*), dimension(..), asynchronous, target";
/// Functions and a subroutine without error code.
const WITHOUT_CODE: [&str; 5] =
    ["MPI_Aint_add", "MPI_Aint_diff", "MPI_Pcontrol", "MPI_Wtick", "MPI_Wtime"];
/// The interfaces of what has no error code.
const FUNCTIONS: &str = "\
    function PREFIX_Aint_add(base, disp)
      import :: MPI_ADDRESS_KIND
      integer(kind=MPI_ADDRESS_KIND) :: PREFIX_Aint_add
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: base, disp
    end function
    function PREFIX_Aint_diff(addr1, addr2)
      import :: MPI_ADDRESS_KIND
      integer(kind=MPI_ADDRESS_KIND) :: PREFIX_Aint_diff
      integer(kind=MPI_ADDRESS_KIND), intent(in) :: addr1, addr2
    end function
    subroutine PREFIX_F_sync_reg(buf) bind(C, name=\"prefix_f_sync_reg_\")
      type(*), dimension(..), asynchronous :: buf
    end subroutine
    subroutine PREFIX_Pcontrol(level)
      integer, intent(in) :: level
    end subroutine
    function PREFIX_Wtick()
      double precision :: PREFIX_Wtick
    end function
    function PREFIX_Wtime()
      double precision :: PREFIX_Wtime
    end function
";

/// What the form of a subroutine of module `mpi` ends with that returns a `TYPE(C_PTR)`.
const POINTER_FORM: &str = "_cptr";
/// The arguments that it is.
const POINTERS: [&str; 1] = ["baseptr"];
/// Subroutines of `mpi_f08` that return the address of a buffer, as no other form does.
const DETACHING: [&str; 3] =
    ["MPI_Buffer_detach", "MPI_Comm_detach_buffer", "MPI_Session_detach_buffer"];

/// The predefined attribute functions.
const PREDEFINED: &str = "\
  external :: MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, MPI_DUP_FN
  external :: MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, MPI_COMM_DUP_FN
  external :: MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, MPI_TYPE_DUP_FN
  external :: MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, MPI_WIN_DUP_FN
  external :: MPI_CONVERSION_FN_NULL
";

/// Which module an interface is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Module {
    Mpi,
    F08,
}

/// The source of the module `mpi`.
pub fn mpi(api: &Api, values: &Values) -> String {
    let mut out =
        "! MPI 5.0 for Fortran: the module mpi. Generated.\nmodule mpi\n  use, intrinsic :: \
         iso_c_binding, only: C_PTR\n  use mpi_f08_types\n  implicit none\n  private :: C_PTR\n"
            .to_string();
    for line in constants_of_include_file(api, values).lines().filter(|l| !l.starts_with('!')) {
        writeln!(out, "  {}", line.trim_start()).expect("a string takes all");
    }
    out + PREDEFINED + &interfaces(api, Module::Mpi) + SIZEOF + "end module mpi\n"
}

/// The source of the module `mpi_f08`.
pub fn mpi_f08(api: &Api, values: &Values) -> String {
    let mut out = F08_HEAD.to_string();
    for group in &api.constants {
        let kind = HANDLES.iter().find(|k| k.to_lowercase() == group.purpose);
        for name in group.names.iter().filter(|name| is_of_fortran(name)) {
            let Some(number) = value(group, name, values) else { continue };
            match (group.class, kind) {
                (Class::Null | Class::Handle, Some(kind)) => {
                    writeln!(out, "  type(MPI_{kind}), parameter :: {name} = MPI_{kind}({number})")
                }
                (Class::Offset, _) => {
                    writeln!(out, "  integer(kind=8), parameter :: {name} = {number}")
                }
                _ => writeln!(out, "  integer, parameter :: {name} = {number}"),
            }
            .expect("a string takes all");
        }
    }
    out += &abstract_interfaces();
    out += &predefined_with_interfaces();
    out += &interfaces(api, Module::F08);
    out + SIZEOF + "end module mpi_f08\n"
}

const F08_HEAD: &str = "\
! MPI 5.0 for Fortran: the module mpi_f08. Generated.
module mpi_f08
  use, intrinsic :: iso_c_binding, only: C_PTR
  use mpi_f08_types
  implicit none
  private :: C_PTR
  integer, parameter :: MPI_ADDRESS_KIND = 8, MPI_OFFSET_KIND = 8
  integer, parameter :: MPI_COUNT_KIND = 8, MPI_INTEGER_KIND = 4
  integer, parameter :: MPI_STATUS_SIZE = 8
  logical, parameter :: MPI_SUBARRAYS_SUPPORTED = .true.
  logical, parameter :: MPI_ASYNC_PROTECTS_NONBLOCKING = .true.
  integer :: MPI_BOTTOM, MPI_IN_PLACE, MPI_BUFFER_AUTOMATIC
  integer :: MPI_UNWEIGHTED(1), MPI_WEIGHTS_EMPTY(1), MPI_ERRCODES_IGNORE(1)
  type(MPI_Status) :: MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE(1)
  character(len=1) :: MPI_ARGV_NULL(1), MPI_ARGVS_NULL(1, 1)
  common /MPI_DUNLIN/ MPI_BOTTOM, MPI_IN_PLACE, MPI_BUFFER_AUTOMATIC, MPI_UNWEIGHTED
  common /MPI_DUNLIN/ MPI_WEIGHTS_EMPTY, MPI_ERRCODES_IGNORE, MPI_STATUS_IGNORE
  common /MPI_DUNLIN/ MPI_STATUSES_IGNORE
  common /MPI_DUNLIN_TEXT/ MPI_ARGV_NULL, MPI_ARGVS_NULL
  save /MPI_DUNLIN/, /MPI_DUNLIN_TEXT/
";

/// A subroutine for every type: its argument comes with a descriptor.
const SIZEOF: &str = "\
  interface
    subroutine MPI_Sizeof(x, size, ierror) bind(C, name=\"mpi_sizeof_cdesc_\")
      type(*), dimension(..), intent(in) :: x
      integer, intent(out) :: size
      integer, intent(out), optional :: ierror
    end subroutine
  end interface
";

/// Interfaces for all subroutines, by name; where there is one with large counts that a compiler
/// can tell from it, both under one name.
fn interfaces(api: &Api, module: Module) -> String {
    let mut out = String::new();
    for prefix in ["MPI", "PMPI"] {
        for prototype in of_include_file(api).filter(|p| is_in(p, module)) {
            let generic = prototype.name.replacen("MPI", prefix, 1);
            let specific = interface(prefix, &prototype, module, "");
            let mut others = Vec::new();
            if module == Module::F08 && !BY_HAND.contains(&&*prototype.function.name) {
                let large = format!("{}_c", prototype.name);
                let large = all(api).find(|p| p.name == large);
                others.extend(large.map(|large| interface(prefix, &large, module, "")));
            } else if module == Module::Mpi && has_pointer(&prototype) {
                others.push(interface(prefix, &prototype, Module::Mpi, POINTER_FORM));
            }
            let (alike, told): (Vec<_>, Vec<_>) =
                others.into_iter().partition(|other| kinds(other) == kinds(&specific));
            // Under a generic name no element may stand for the array that begins with it.
            let is_alone = told.is_empty() && specific.contains(&format!(" {generic}("));
            let generic = if is_alone { "" } else { &generic };
            let told = told.concat();
            writeln!(out, "  interface {generic}\n{specific}{told}  end interface")
                .expect("a string takes all");
            for other in alike {
                writeln!(out, "  interface\n{other}  end interface").expect("a string takes all");
            }
        }
        let functions = FUNCTIONS.replace("PREFIX", prefix);
        let functions = functions.replace("prefix", &prefix.to_lowercase());
        writeln!(out, "  interface\n{functions}  end interface").expect("a string takes all");
    }
    out
}

/// The declarations of an interface, by which a compiler tells it from another: the kinds of
/// addresses, offsets and counts are one, and procedures have one type.
fn kinds(interface: &str) -> Vec<String> {
    let declarations = interface.lines().filter(|l| l.contains("::") && !l.contains("import"));
    let alike = |l: &str| l.replace("COUNT_KIND", "ADDRESS_KIND").replace("_c) ::", ") ::");
    declarations.map(alike).collect()
}

fn has_pointer(prototype: &Prototype) -> bool {
    prototype.parameters.iter().any(|p| POINTERS.contains(&&*p.name))
}

/// Whether an interface has this function, of those that the standard gives it.
pub(crate) fn is_provided(prototype: &Prototype, interface: Interface) -> bool {
    let is_by_hand = BY_HAND.contains(&&*prototype.function.name);
    interface != Interface::MpiF08 || !(prototype.is_large && is_by_hand)
}

fn is_in(prototype: &Prototype, module: Module) -> bool {
    let interface = if module == Module::F08 { Interface::MpiF08 } else { Interface::Mpi };
    let is_described = prototype.function.interfaces.contains(&interface);
    is_described && !WITHOUT_CODE.contains(&&*prototype.function.name)
}

fn interface(prefix: &str, prototype: &Prototype, module: Module, form: &str) -> String {
    let detaches = module == Module::F08 && DETACHING.contains(&&*prototype.name);
    let form = if detaches { "_f08" } else { form };
    let name = prototype.name.replacen("MPI", prefix, 1) + form;
    let own = OWN_FORMS.iter().find(|(own, _)| *own == prototype.name).map(|(_, form)| *form);
    let mut arguments: Vec<Argument> = match own {
        Some(form) => {
            form.iter().map(|(name, ty)| written(name, &own_type(name, ty, module))).collect()
        }
        None => prototype.parameters.iter().map(|p| argument(prototype, &p.name, module)).collect(),
    };
    let optional = if module == Module::F08 { ", optional" } else { "" };
    arguments.push(written("ierror", &format!("integer, intent(out){optional}")));
    let names: Vec<&str> = arguments.iter().map(|a| &*a.name).collect();
    let is_described = module == Module::F08 && takes_descriptors(prototype);
    let binding = if is_described {
        format!(" bind(C, name=\"{}_\")", descriptor_form(&name))
    } else {
        String::new()
    };
    let mut out = broken(&format!("    subroutine {name}({}){binding}", names.join(", ")));
    let declarations: String = arguments.iter().map(|a| format!("{} ", a.declaration)).collect();
    let has_pointer = form == POINTER_FORM || detaches;
    let declarations = declarations + if has_pointer { "C_PTR" } else { "" };
    let mut used: Vec<String> =
        ["MPI_ADDRESS_KIND", "MPI_OFFSET_KIND", "MPI_COUNT_KIND", "MPI_STATUS_SIZE", "C_PTR"]
            .into_iter()
            .filter(|name| declarations.contains(name))
            .map(str::to_string)
            .collect();
    let types = HANDLES.iter().chain(&["Status"]).map(|kind| format!("MPI_{kind}"));
    used.extend(types.filter(|ty| declarations.contains(&format!("type({ty})"))));
    let procedures = declarations.split("procedure(").skip(1).filter_map(|d| d.split_once(')'));
    used.extend(procedures.map(|(name, _)| name.to_string()));
    used.sort();
    used.dedup();
    if !used.is_empty() {
        out += &broken(&format!("      import :: {}", used.join(", ")));
    }
    let has_buffer = module == Module::Mpi && arguments.iter().any(|a| a.is_choice);
    for Argument { name, declaration, is_choice } in &arguments {
        let is_pointer = form == POINTER_FORM && POINTERS.contains(&&**name);
        if is_pointer || detaches && *is_choice {
            writeln!(out, "      type(C_PTR) :: {name}").expect("takes all");
            continue;
        }
        if is_described && *is_choice {
            writeln!(out, "      {DESCRIBED} :: {name}").expect("takes all");
            continue;
        }
        // Programs pass a number in the place of arrays that mean nothing beside `MPI_IN_PLACE`.
        let is_free_array = has_buffer && declaration.ends_with("(in)|(*)");
        if *is_choice || is_free_array {
            writeln!(out, "      !GCC$ attributes no_arg_check :: {name}").expect("takes all");
            writeln!(out, "      !DIR$ ignore_tkr {name}").expect("takes all");
        }
        let (ty, shape) = declaration.split_once('|').unwrap_or((declaration, ""));
        writeln!(out, "      {ty} :: {name}{shape}").expect("a string takes all");
    }
    out + "    end subroutine\n"
}

/// The type of an argument that is written down for `mpi`, in a module.
fn own_type(name: &str, ty: &str, module: Module) -> String {
    let handle = HANDLES.iter().find(|kind| kind.to_lowercase() == name);
    match handle {
        Some(kind) if module == Module::F08 => {
            ty.replacen("integer", &format!("type(MPI_{kind})"), 1)
        }
        _ => ty.to_string(),
    }
}

/// An argument whose declaration is known; `|` stands before the shape.
fn written(name: &str, declaration: &str) -> Argument {
    let is_choice = declaration.starts_with(CHOICE);
    Argument { name: name.to_string(), declaration: declaration.to_string(), is_choice }
}

fn argument(prototype: &Prototype, name: &str, module: Module) -> Argument {
    let declaration = match prototype.function.parameter(name) {
        Some(parameter) => declaration(parameter, module, prototype.is_large),
        None if name == "info" => own_type("info", INT, module),
        None => own_type("request", "integer", module),
    };
    written(name, &declaration)
}

/// Type, intent and shape. What the library writes has no intent, so that special variables
/// (`MPI_STATUS_IGNORE`) may stand there.
fn declaration(p: &Parameter, module: Module, is_large: bool) -> String {
    let intent = if p.direction == Direction::In { ", intent(in)" } else { "" };
    let shape = if p.length.is_some() { "|(*)" } else { "" };
    let handle = HANDLES.iter().find(|kind| kind.to_lowercase() == p.kind.name);
    match (p.kind.name, module) {
        ("buffer" | "memory" | "location", _) => return CHOICE.to_string(),
        ("callback", Module::Mpi) => return EXTERNAL.to_string(),
        ("callback", Module::F08) => return format!("procedure({})", callback(p, is_large)),
        ("string", _) if p.direction == Direction::In => {
            return format!("character(len=*){intent}{shape}");
        }
        ("string", _) => return "character(len=*)".to_string(),
        ("arguments", _) => {
            let shape = p.length.as_ref().map_or("(*)".to_string(), |n| format!("({n}, *)"));
            return format!("character(len=*){intent}|{shape}");
        }
        ("status", Module::F08) => return format!("type(MPI_Status){intent}{shape}"),
        ("status", Module::Mpi) if p.length.is_some() => {
            return format!("integer{intent}|(MPI_STATUS_SIZE, *)");
        }
        ("status", Module::Mpi) => return format!("integer{intent}|(MPI_STATUS_SIZE)"),
        ("rank-range", _) => return format!("integer{intent}|(3, *)"),
        ("pointer", Module::F08) => return "type(C_PTR)".to_string(),
        ("pointer" | "extra-state" | "attribute", _) => {
            return format!("integer(kind=MPI_ADDRESS_KIND){intent}");
        }
        ("weight", _) => return format!("integer{intent}|(*)"),
        ("flag", _) => return format!("logical{intent}{shape}"),
        _ => {}
    }
    let ty = match (if is_large { p.kind.large } else { p.kind.small }, handle, module) {
        (_, Some(kind), Module::F08) => format!("type(MPI_{kind})"),
        ("MPI_Aint", ..) => "integer(kind=MPI_ADDRESS_KIND)".to_string(),
        ("MPI_Offset", ..) => "integer(kind=MPI_OFFSET_KIND)".to_string(),
        ("MPI_Count", ..) => "integer(kind=MPI_COUNT_KIND)".to_string(),
        _ => "integer".to_string(),
    };
    format!("{ty}{intent}{shape}")
}

/// The type of a function of the program.
fn callback(p: &Parameter, is_large: bool) -> String {
    let [name] = &p.arguments[..] else { unreachable!("a callback has one type") };
    let is_other = is_large && is_large_callback(name);
    if is_other { format!("{name}_c") } else { name.clone() }
}
