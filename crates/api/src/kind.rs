//! The kinds of parameters: what a value means, and with it how C passes it.

/// How C passes a value of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passing {
    /// By value; by its address where the library writes it.
    Value,
    /// Always by its address, which may also say that there is none: declared as a pointer, also
    /// where it is the first of several.
    Address,
    /// The address of data, `const` where the library only reads it.
    Data,
    /// An address that never points to `const`.
    Untyped,
    /// An address that always points to `const`.
    UntypedConst,
    /// Characters up to a final zero.
    Text,
    /// Strings up to a null pointer.
    Texts,
    /// The address of the `argv` of `main`.
    MainTexts,
    /// Arrays of three numbers.
    Triples,
    /// The address of a function, whose type is the argument of the kind.
    Function,
}

/// A kind of parameter.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its name in the description.
    pub name: &'static str,
    /// Its type in C.
    pub small: &'static str,
    /// Its type in the form of a function with large counts.
    pub large: &'static str,
    /// How C passes it.
    pub passing: Passing,
}

impl Kind {
    /// The kind of this name.
    pub fn named(name: &str) -> Option<&'static Kind> {
        KINDS.iter().find(|k| k.name == name)
    }

    /// Whether a function with a parameter of this kind has a second form with large counts.
    pub fn is_polymorphic(&self) -> bool {
        self.small != self.large
    }

    /// Whether values of it are handles of objects.
    pub fn is_handle(&self) -> bool {
        HANDLES.contains(&self.name)
    }
}

/// The kinds whose values are handles.
const HANDLES: &[&str] = &[
    "comm",
    "datatype",
    "errhandler",
    "file",
    "group",
    "info",
    "message",
    "op",
    "request",
    "session",
    "win",
    "t-enum",
    "t-cvar",
    "t-pvar",
    "t-pvar-session",
    "t-event-registration",
    "t-event-instance",
];

const fn value(name: &'static str, c: &'static str) -> Kind {
    Kind { name, small: c, large: c, passing: Passing::Value }
}

const fn int(name: &'static str) -> Kind {
    value(name, "int")
}

const fn either(name: &'static str, small: &'static str, large: &'static str) -> Kind {
    Kind { name, small, large, passing: Passing::Value }
}

const fn passed(name: &'static str, c: &'static str, passing: Passing) -> Kind {
    Kind { name, small: c, large: c, passing }
}

/// Every kind; `api/README.md` says what each means.
pub const KINDS: &[Kind] = &[
    // Numbers whose type depends on the form.
    either("count", "int", "MPI_Count"),
    either("stride", "int", "MPI_Count"),
    either("bytes", "int", "MPI_Count"),
    either("displacement", "int", "MPI_Aint"),
    either("displacement-unit", "int", "MPI_Aint"),
    either("byte-displacement", "MPI_Aint", "MPI_Count"),
    // Numbers.
    value("address", "MPI_Aint"),
    value("target-displacement", "MPI_Aint"),
    value("memory-size", "MPI_Aint"),
    value("offset", "MPI_Offset"),
    value("large-count", "MPI_Count"),
    value("tick", "MPI_Count"),
    value("seconds", "double"),
    int("number"),
    int("flag"),
    int("index"),
    int("color"),
    passed("weight", "int", Passing::Address),
    int("choice"),
    int("bits"),
    int("error-code"),
    int("error-class"),
    int("keyval"),
    // Ranks and tags.
    int("rank"),
    int("maybe-rank"),
    int("peer"),
    int("source"),
    int("root"),
    passed("rank-range", "int", Passing::Triples),
    int("tag"),
    int("any-tag"),
    // Handles.
    value("comm", "MPI_Comm"),
    value("datatype", "MPI_Datatype"),
    value("errhandler", "MPI_Errhandler"),
    value("file", "MPI_File"),
    value("group", "MPI_Group"),
    value("info", "MPI_Info"),
    value("message", "MPI_Message"),
    value("op", "MPI_Op"),
    value("request", "MPI_Request"),
    value("session", "MPI_Session"),
    value("win", "MPI_Win"),
    passed("status", "MPI_Status", Passing::Address),
    // Addresses.
    passed("buffer", "void", Passing::Data),
    passed("memory", "void", Passing::Untyped),
    passed("location", "void", Passing::UntypedConst),
    passed("pointer", "void", Passing::Untyped),
    passed("attribute", "void", Passing::Untyped),
    passed("extra-state", "void", Passing::Untyped),
    passed("callback", "", Passing::Function),
    passed("string", "char", Passing::Text),
    passed("arguments", "char", Passing::Texts),
    passed("main-arguments", "char", Passing::MainTexts),
    // The tool interface.
    value("t-enum", "MPI_T_enum"),
    value("t-cvar", "MPI_T_cvar_handle"),
    value("t-pvar", "MPI_T_pvar_handle"),
    value("t-pvar-session", "MPI_T_pvar_session"),
    value("t-event-registration", "MPI_T_event_registration"),
    value("t-event-instance", "MPI_T_event_instance"),
    value("t-safety", "MPI_T_cb_safety"),
    value("t-order", "MPI_T_source_order"),
    passed("t-object", "void", Passing::Untyped),
];
