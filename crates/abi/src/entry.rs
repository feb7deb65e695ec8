//! The macros that export a function under its `MPI_` and its `PMPI_` name.

/// Exports each function as `MPI_X` and `PMPI_X`. The library itself calls neither name, so a tool
/// that defines `MPI_X` sees the program's calls only. The optimiser folds the two into one.
macro_rules! entry {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident ( $($arg:ident : $ty:ty),* $(,)? ) -> $ret:ty $body:block
    )*) => {$(
        const _: () = {
            /// The name that errors and stall reports give.
            #[allow(dead_code, reason = "some functions cannot fail")]
            const FUNCTION: &str = stringify!($name);

            $(#[$attribute])*
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($arg: $ty),*) -> $ret {
                // SAFETY: the same function, and the caller's promises, passed on.
                unsafe { profiled($($arg),*) }
            }

            #[unsafe(export_name = concat!("P", stringify!($name)))]
            unsafe extern "C" fn profiled($($arg: $ty),*) -> $ret $body
        };
    )*};
}

/// Exports a function in two forms from one body. In the first a count `N` is an `int`, in the
/// second, whose name ends in `_c`, an `MPI_Count`; `Disp` (displacements of collectives) is `int`
/// and `MPI_Aint`, `Stride` (bytes in datatypes) is `MPI_Aint` and `MPI_Count`.
macro_rules! entry_c {
    ($(
        fn $name:ident / $name_c:ident ( $($arg:ident : $ty:ty),* $(,)? ) $body:block
    )*) => {$(
        const _: () = {
            #[allow(unused_imports, reason = "few functions use all three words")]
            use crate::entry::int::*;
            entry! { fn $name($($arg: $ty),*) -> std::ffi::c_int $body }
        };
        const _: () = {
            #[allow(unused_imports, reason = "few functions use all three words")]
            use crate::entry::large::*;
            entry! { fn $name_c($($arg: $ty),*) -> std::ffi::c_int $body }
        };
    )*};
}

/// The type words of `entry_c!` in the form with `int` counts.
pub mod int {
    #![allow(missing_docs, dead_code, reason = "explained at entry_c!, for those who need them")]
    use crate::types::MPI_Aint;
    use std::ffi::c_int;

    pub type N = c_int;
    pub type Disp = c_int;
    pub type Stride = MPI_Aint;
}

/// The type words of `entry_c!` in the form with large counts.
pub mod large {
    #![allow(missing_docs, dead_code, reason = "explained at entry_c!, for those who need them")]
    use crate::types::{MPI_Aint, MPI_Count};

    pub type N = MPI_Count;
    pub type Disp = MPI_Aint;
    pub type Stride = MPI_Count;
}
