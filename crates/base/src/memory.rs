//! Memory of a size that comes from the program or from a peer: where there is none, that is
//! `MPI_ERR_NO_MEM` and not the end of the process. What the library needs for itself it just
//! takes; the allocator of the front end then says what was missing, and asks here which of the two
//! it is.

use std::cell::Cell;
use std::collections::TryReserveError;

use crate::{Error, ErrorClass, Result};

thread_local! {
    /// Whether this thread asks for memory that it can do without.
    static MAY_FAIL: Cell<bool> = const { Cell::new(false) };
}

/// Whether who asks for memory now deals with a refusal.
pub fn may_fail() -> bool {
    MAY_FAIL.get()
}

/// Asks for memory, ready to be refused.
pub fn ask<T>(ask: impl FnOnce() -> T) -> T {
    let before = MAY_FAIL.replace(true);
    let answer = ask();
    MAY_FAIL.set(before);
    answer
}

/// The error of a refusal.
#[cold]
pub fn refused(bytes: usize) -> Error {
    let text = format!(
        "there is no memory for {bytes} bytes; use smaller messages or fewer at a time, or raise \
         the limit of the process (ulimit -v, the job's control group)"
    );
    Error::new(ErrorClass::NoMem, text)
}

/// A list with room for exactly so many elements.
pub fn room_for<T>(len: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    reserved(len, size_of::<T>(), ask(|| list.try_reserve_exact(len)))?;
    Ok(list)
}

/// The elements of `from` in a list of their own.
pub fn collected<T>(from: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>> {
    let mut list = room_for(from.len())?;
    list.extend(from);
    Ok(list)
}

fn reserved(len: usize, size: usize, outcome: Result<(), TryReserveError>) -> Result<()> {
    outcome.map_err(|_| refused(len.saturating_mul(size)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_memory_holds_is_an_error_that_says_how_much() {
        let error = room_for::<u64>(1 << 58).unwrap_err();
        assert_eq!(error.class, ErrorClass::NoMem);
        assert!(error.text.contains(&(1u64 << 61).to_string()), "{error}");
        assert_eq!(collected([1, 2, 3].iter().map(|n| n + 1)), Ok(vec![2, 3, 4]));
    }

    #[test]
    fn only_who_asks_may_be_refused() {
        assert!(!may_fail());
        assert!(ask(|| ask(may_fail) && may_fail()));
        assert!(!may_fail());
    }
}
