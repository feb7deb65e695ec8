//! The description as data.

use crate::cursor::Place;
use crate::kind::Kind;

/// All of it.
#[derive(Debug, Default)]
pub struct Api {
    /// The chapters of the standard, in its order.
    pub chapters: Vec<Chapter>,
    /// The constants.
    pub constants: Vec<Group>,
}

/// A chapter of the standard.
#[derive(Debug)]
pub struct Chapter {
    /// Its number in MPI 5.0.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// Its functions.
    pub functions: Vec<Function>,
}

/// A function of the standard, in all its forms.
#[derive(Debug)]
pub struct Function {
    /// Where the description says so.
    pub place: Place,
    /// Its name.
    pub name: String,
    /// The names of the nonblocking and the persistent form of a collective operation.
    pub collective: Option<[String; 2]>,
    /// The kind of what it returns; `None` is an error code.
    pub result: Option<&'static Kind>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Whether C callers may pass more than these.
    pub is_variadic: bool,
    /// Whether the library lacks it.
    pub is_missing: bool,
    /// Since when it is deprecated, and what replaces it.
    pub deprecated: Option<(String, String)>,
    /// The language bindings that have it.
    pub interfaces: Vec<Interface>,
    /// Whose error handler hears of a failure.
    pub owner: Owner,
}

/// A language binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interface {
    /// C.
    C,
    /// Fortran's include file.
    MpifH,
    /// Fortran's module `mpi`.
    Mpi,
    /// Fortran's module `mpi_f08`.
    MpiF08,
}

impl Interface {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Interface); 4] = [
        ("c", Interface::C),
        ("mpif.h", Interface::MpifH),
        ("mpi", Interface::Mpi),
        ("mpi_f08", Interface::MpiF08),
    ];
}

/// Whose error handler hears of a failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owner {
    /// The object that this parameter names.
    Parameter(String),
    /// The process: the handler of `MPI_COMM_SELF`.
    Process,
    /// The handler of files that are not open: that of `MPI_FILE_NULL`.
    DefaultFile,
    /// Nobody: the call returns a code.
    Nobody,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Where the description says so.
    pub place: Place,
    /// Its name.
    pub name: String,
    /// Who reads and who writes it.
    pub direction: Direction,
    /// What it means.
    pub kind: &'static Kind,
    /// What the kind depends on, mostly other parameters.
    pub arguments: Vec<String>,
    /// For an array or a string that the library writes: its length.
    pub length: Option<String>,
    /// What else is to be known.
    pub marks: Vec<Mark>,
}

/// Who reads and who writes a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The library reads it.
    In,
    /// The library writes it.
    Out,
    /// The library reads and writes it.
    InOut,
    /// The library writes the handle of an object that it has made, or the null handle on failure.
    New,
    /// The handle of an object whose life ends; the library writes the null handle.
    Free,
    /// A request: the null handle is written when its operation is complete, unless it is
    /// persistent.
    Complete,
}

impl Direction {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Direction); 6] = [
        ("in", Direction::In),
        ("out", Direction::Out),
        ("inout", Direction::InOut),
        ("new", Direction::New),
        ("free", Direction::Free),
        ("complete", Direction::Complete),
    ];

    /// Whether the value that the caller passes matters.
    pub fn is_read(self) -> bool {
        !matches!(self, Direction::Out | Direction::New)
    }

    /// Whether the library writes it.
    pub fn is_written(self) -> bool {
        self != Direction::In
    }
}

/// A property that few parameters have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// `MPI_IN_PLACE` may stand here.
    InPlace,
    /// Means something at the root only.
    AtRoot,
    /// The buffer has one such block for every process of the communicator.
    PerRank,
    /// The buffer has one such block for every neighbor.
    PerNeighbor,
    /// Only the form with large counts has it.
    LargeOnly,
}

impl Mark {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Mark); 5] = [
        ("in-place", Mark::InPlace),
        ("at-root", Mark::AtRoot),
        ("per-rank", Mark::PerRank),
        ("per-neighbor", Mark::PerNeighbor),
        ("large-only", Mark::LargeOnly),
    ];
}

/// Constants of one type and one purpose.
#[derive(Debug)]
pub struct Group {
    /// Where the description says so.
    pub place: Place,
    /// Their type.
    pub class: Class,
    /// Their purpose; for handles the kind.
    pub purpose: String,
    /// Their names.
    pub names: Vec<String>,
}

/// The type of a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A C `int`.
    Int,
    /// An enumerator.
    Enum,
    /// A handle that stands for no object, or the key that is none.
    Null,
    /// A predefined handle.
    Handle,
    /// The address of a buffer, which is none.
    Buffer,
    /// An address that is none, of something else than a buffer.
    Pointer,
    /// A function that the library knows by its address.
    Callback,
    /// A file offset.
    Offset,
}

impl Class {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Class); 8] = [
        ("int", Class::Int),
        ("enum", Class::Enum),
        ("null", Class::Null),
        ("handle", Class::Handle),
        ("buffer", Class::Buffer),
        ("pointer", Class::Pointer),
        ("callback", Class::Callback),
        ("offset", Class::Offset),
    ];
}

impl Api {
    /// Every function, with its chapter.
    pub fn functions(&self) -> impl Iterator<Item = (&Chapter, &Function)> {
        self.chapters.iter().flat_map(|c| c.functions.iter().map(move |f| (c, f)))
    }
}

impl Function {
    /// Whether it has a second form with large counts.
    pub fn has_large_form(&self) -> bool {
        self.parameters.iter().any(Parameter::is_polymorphic)
    }

    /// Its parameter of this name.
    pub fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|p| p.name == name)
    }
}

impl Parameter {
    /// Whether its type in the form with large counts is another one.
    pub fn is_polymorphic(&self) -> bool {
        self.kind.is_polymorphic() || self.arguments.iter().any(|a| is_large_callback(a))
    }

    /// Whether it has this property.
    pub fn has(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }
}

/// Whether functions of this type have a form with large counts.
pub fn is_large_callback(name: &str) -> bool {
    matches!(name, "MPI_User_function" | "MPI_Datarep_conversion_function")
}
