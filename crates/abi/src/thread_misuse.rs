//! A program that calls MPI from two threads at once at a thread level that does not allow it.
//! Calls do not look for that, which would cost each some time; often the second thread meets what
//! the first has borrowed, and the process ends. Here it is told why.

use std::sync::Once;

use dunlin_engine::{is_threaded, say};

const WHY: &str = "most likely two threads have called MPI at once, which this thread level does \
                   not allow; ask for MPI_THREAD_MULTIPLE by MPI_Init_thread, or set \
                   DUNLIN_THREAD_LEVEL=multiple";

/// From now on a panic that comes of it is explained.
pub fn explain() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            usual(panic);
            if !is_threaded() && is_of_borrowing(&panic.to_string()) {
                say(WHY);
            }
        }));
    });
}

/// Whether a panic says that something is borrowed already.
fn is_of_borrowing(text: &str) -> bool {
    ["already borrowed", "already mutably borrowed"].iter().any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn panics_of_borrowing_are_known() {
        let cell = RefCell::new(0);
        let borrowed = cell.borrow_mut();
        let told = [
            cell.try_borrow().unwrap_err().to_string(),
            cell.try_borrow_mut().unwrap_err().to_string(),
        ];
        drop(borrowed);
        assert!(told.iter().all(|text| is_of_borrowing(text)), "{told:?}");
        assert!(!is_of_borrowing("index out of bounds: the len is 3 but the index is 3"));
    }
}
