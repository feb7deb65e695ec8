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

/// Exports a collective operation in six functions from one decoder of its arguments, which gives a
/// recipe: blocking, nonblocking and persistent, each in the two forms of `entry_c!`. The arguments
/// that all collectives end with are added: `comm`, then `request`, or `info` and `request`. What
/// stands after `plain`, if anything does, is the short way of the blocking form.
macro_rules! entry_coll {
    ($(
        fn $now:ident / $now_c:ident / $begin:ident / $begin_c:ident / $init:ident / $init_c:ident (
            $($arg:ident : $ty:ty),* $(,)?
        ) $(plain |$ranks:ident| $plain:block)? |$engine:ident, $on:ident| $decode:block
    )*) => {$(
        entry_c! {
            fn $now / $now_c($($arg: $ty,)* comm: MPI_Comm) {
                $(
                    // SAFETY: the program's promises on its buffers, passed on.
                    let plain = |$ranks: dunlin_engine::Plain| unsafe { $plain };
                    let outcome = crate::collective_plain::plain_on(FUNCTION, comm).and_then(plain);
                    if let Some(outcome) = outcome {
                        return crate::call::finish(FUNCTION, Owner::Comm(comm), outcome);
                    }
                )?
                crate::collective::blocking(FUNCTION, comm, |$engine, $on| $decode)
            }
            fn $begin / $begin_c($($arg: $ty,)* comm: MPI_Comm, request: *mut MPI_Request) {
                let decode = |$engine: &Engine, $on: &Rc<Comm>| $decode;
                // SAFETY: the program passes null or the address of a request.
                unsafe { crate::collective::begin(FUNCTION, comm, request, decode) }
            }
            fn $init / $init_c(
                $($arg: $ty,)* comm: MPI_Comm, info: MPI_Info, request: *mut MPI_Request
            ) {
                let _no_hint_matters = info;
                let decode = |$engine: &Engine, $on: &Rc<Comm>| $decode;
                // SAFETY: the program passes null or the address of a request.
                unsafe { crate::collective::persistent(FUNCTION, comm, request, decode) }
            }
        }
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
