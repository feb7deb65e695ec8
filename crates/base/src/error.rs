//! The error every layer returns: a class of the MPI standard and a sentence for the user.
//! The numeric values of the classes belong to the ABI front end, not here.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// Error classes of MPI 5.0, section 9.4, without their numeric values.
#[allow(missing_docs, reason = "the names are the standard's own")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorClass {
    Buffer,
    Count,
    Type,
    Tag,
    Comm,
    Rank,
    Request,
    Root,
    Group,
    Op,
    Topology,
    Dims,
    Arg,
    Unknown,
    Truncate,
    Other,
    Intern,
    Pending,
    InStatus,
    Access,
    Amode,
    Assert,
    BadFile,
    Base,
    Conversion,
    Disp,
    DupDatarep,
    FileExists,
    FileInUse,
    File,
    InfoKey,
    InfoNokey,
    InfoValue,
    Info,
    Io,
    Keyval,
    Locktype,
    Name,
    NoMem,
    NotSame,
    NoSpace,
    NoSuchFile,
    Port,
    Quota,
    ReadOnly,
    RmaAttach,
    RmaConflict,
    RmaRange,
    RmaShared,
    RmaSync,
    Service,
    Size,
    Spawn,
    UnsupportedDatarep,
    UnsupportedOperation,
    Win,
    RmaFlavor,
    ProcAborted,
    ValueTooLarge,
    Session,
    Errhandler,
    Abi,
    /// A code a user's callback returned or `MPI_Add_error_class` made; passed through untouched.
    User(i32),
}

/// What went wrong: the class decides what a program can do about it, the text tells a person what
/// was wrong, the value seen and what to do.
///
/// One word: a `Result<()>` passes through all layers in a register. Errors may cost what they
/// like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<ErrorDetails>);

/// What an [`Error`] tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorDetails {
    /// The class of the MPI standard.
    pub class: ErrorClass,
    /// One sentence: what was wrong, the value seen, what to do.
    pub text: Cow<'static, str>,
}

/// The result type of every layer.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error of `class` explained by `text`.
    pub fn new(class: ErrorClass, text: impl Into<Cow<'static, str>>) -> Self {
        Error(Box::new(ErrorDetails { class, text: text.into() }))
    }
}

impl Deref for Error {
    type Target = ErrorDetails;

    fn deref(&self) -> &ErrorDetails {
        &self.0
    }
}

impl DerefMut for Error {
    fn deref_mut(&mut self) -> &mut ErrorDetails {
        &mut self.0
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}
