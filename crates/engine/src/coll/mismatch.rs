//! The errors of collectives whose ranks disagree, or cannot reach each other's memory.

use dunlin_base::{Error, ErrorClass};

#[cold]
pub(crate) fn out_of_reach(by: usize, why: &std::io::Error) -> Error {
    let text = format!(
        "the memory of rank {by} cannot be reached any more: {why}; start again with \
         DUNLIN_CMA=off"
    );
    Error::new(ErrorClass::Other, text)
}

#[cold]
pub(crate) fn not_as_exposed(by: usize, have: usize, bytes: usize) -> Error {
    let text = format!(
        "rank {by} expects {have} bytes from a collective to which this rank's arguments give \
         {bytes}: counts and datatypes must agree"
    );
    Error::new(ErrorClass::Truncate, text)
}

#[cold]
pub(crate) fn gone(by: usize) -> Error {
    let text = format!(
        "rank {by} left this collective early, after an error of its own: counts, datatypes, \
         operators and roots must agree"
    );
    Error::new(ErrorClass::Other, text)
}

#[cold]
pub(crate) fn another_algorithm(by: usize) -> Error {
    let text = format!(
        "rank {by} runs another algorithm of this collective than this rank: counts and datatypes \
         must agree"
    );
    Error::new(ErrorClass::Truncate, text)
}

#[cold]
pub(crate) fn too_much(by: usize, bytes: usize, whole: usize) -> Error {
    let text = format!(
        "rank {by} gave {bytes} bytes to a collective in which this rank expects {whole} of it: \
         counts and datatypes must agree"
    );
    Error::new(ErrorClass::Truncate, text)
}

/// One of both lengths is 0: that of a block that is sent.
#[cold]
pub(crate) fn other_length(by: usize, have: usize, expected: usize) -> Error {
    let length = |bytes| match bytes {
        0 => "few enough bytes to be sent".to_string(),
        _ => format!("{bytes} bytes"),
    };
    let text = format!(
        "rank {by} gave {} to a collective in which this rank expects {} of it: counts and \
         datatypes must agree",
        length(have),
        length(expected)
    );
    Error::new(ErrorClass::Truncate, text)
}

#[cold]
pub(crate) fn too_long(bytes: usize, left: usize) -> Error {
    let text = format!(
        "{bytes} bytes were to be shown by a copy, which has room for {left}: force another \
         algorithm for this size"
    );
    Error::new(ErrorClass::Arg, text)
}
