//! The layouts of a process's datatypes by number, for the VCIs that have no datatypes themselves.

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_datatype::Datatype;
use parking_lot::RwLock;

/// While it is locked no other lock is taken.
static LAYOUTS: RwLock<Vec<Option<Layout>>> = RwLock::new(Vec::new());

/// A datatype, and whether it is committed.
#[derive(Clone)]
struct Layout(Datatype, bool);

/// Says what a number stands for; again when it is committed.
pub(crate) fn add(number: u32, datatype: &Datatype, is_committed: bool) {
    let mut layouts = LAYOUTS.write();
    let len = layouts.len().max(number as usize + 1);
    layouts.resize(len, None);
    layouts[number as usize] = Some(Layout(datatype.clone(), is_committed));
}

/// The number is free.
pub(crate) fn forget(number: u32) {
    if let Some(layout) = LAYOUTS.write().get_mut(number as usize) {
        *layout = None;
    }
}

/// The layout of a committed datatype; `None` if there is none of this number.
pub fn committed(number: u32) -> Option<Result<Datatype>> {
    let Layout(datatype, is_committed) = LAYOUTS.read().get(number as usize)?.clone()?;
    Some(if is_committed { Ok(datatype) } else { Err(not_committed()) })
}

/// The error of a datatype that is not committed.
pub(crate) fn not_committed() -> Error {
    Error::new(ErrorClass::Type, "the datatype is not committed; call MPI_Type_commit first")
}

#[cfg(test)]
mod tests {
    use dunlin_datatype::Primitive;

    use super::*;

    /// A number that no test's datatypes have.
    const NUMBER: u32 = 70_000;

    #[test]
    fn a_datatype_is_found_while_it_exists_and_only_committed() {
        let pair = Datatype::contiguous(2, &Datatype::primitive(Primitive::Int)).unwrap();
        assert!(committed(NUMBER).is_none());
        add(NUMBER, &pair, false);
        assert!(committed(NUMBER).is_some_and(|found| found.is_err()));
        add(NUMBER, &pair, true);
        assert!(committed(NUMBER).is_some_and(|found| found.unwrap().is_same(&pair)));
        forget(NUMBER);
        assert!(committed(NUMBER).is_none());
    }
}
