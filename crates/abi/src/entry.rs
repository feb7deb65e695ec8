//! The macros for entry points: `entry!`, `entry_c!` and `entry_coll!` make their bodies; `export!`
//! and `missing!` take the list of functions that is generated from `api/` (`entries.rs`).

/// Exports each function as `MPI_X` and `PMPI_X`: both call the body of that name. The library
/// itself calls neither by its name, so a tool that defines `MPI_X` intercepts only the program's
/// calls. The optimiser merges the two.
macro_rules! export {
    ($(fn $name:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty;)*) => {
        $(const _: () = {
            // The types must be identical: in a call, a pointer to data would convert to one to
            // `const` data.
            const _: unsafe fn($($ty),*) -> $ret = $name;

            #[unsafe(export_name = stringify!($name))]
            unsafe extern "C" fn exported($($arg: $ty),*) -> $ret {
                // SAFETY: the same function; promised by the caller.
                unsafe { self::exported::$name($($arg),*) }
            }
        };)*

        /// The functions as they are exported, for callers within the library.
        #[allow(clippy::missing_safety_doc, reason = "each promises what the standard says")]
        #[allow(non_snake_case, reason = "functions keep their C names")]
        pub mod exported {
            use super::*;
            $(
                #[unsafe(export_name = concat!("P", stringify!($name)))]
                pub unsafe extern "C" fn $name($($arg: $ty),*) -> $ret {
                    // SAFETY: promised by the caller.
                    unsafe { super::$name($($arg),*) }
                }
            )*
        }
    };
}

/// The body of each function that is not implemented: it fails with an error that names the
/// function.
macro_rules! missing {
    ($(fn $name:ident ( $($arg:ident : $ty:ty),* ) -> $ret:ty, $owner:expr;)*) => {$(
        #[allow(unused_variables, reason = "it looks at the error handler's owner alone")]
        #[allow(non_snake_case, reason = "functions keep their C names")]
        unsafe fn $name($($arg: $ty),*) -> $ret {
            unsupported(stringify!($name), $owner)
        }
    )*};
}

/// Makes the body of each function. A function that `api/` describes as implemented must have one,
/// with the types that follow from its description, and no other function may.
macro_rules! entry {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident ( $($arg:ident : $ty:ty),* $(,)? ) -> $ret:ty $body:block
    )*) => {$(
        // Its only caller is the exported function, if `api/` says that there is one.
        #[inline(always)]
        #[deny(dead_code)]
        #[allow(non_snake_case, reason = "functions keep their C names")]
        $(#[$attribute])*
        pub(crate) unsafe fn $name($($arg: $ty),*) -> $ret {
            /// The name in errors and stall reports.
            #[allow(dead_code, reason = "some functions cannot fail")]
            const FUNCTION: &str = stringify!($name);
            $body
        }
    )*};
}

/// Makes bodies whose shortest way, the block after `at_once`, needs no call of a function: `Some`
/// if it has done all. The rest is a function of its own, to which it jumps with the arguments as
/// they came, so it saves no register for it: that took a third of an operation on a window.
macro_rules! entry_at_once {
    ($(
        fn $name:ident ( $($arg:ident : $ty:ty),* $(,)? ) at_once $at_once:block $body:block
    )*) => {
        entry! {$(
            fn $name($($arg: $ty),*) -> std::ffi::c_int {
                at_once_or_rest!($at_once, ($($arg: $ty),*) $body)
            }
        )*}
    };
}

/// The same for both forms of `entry_c!`.
macro_rules! entry_c_at_once {
    ($(
        fn $name:ident / $name_c:ident ( $($arg:ident : $ty:ty),* $(,)? )
        at_once $at_once:block $body:block
    )*) => {
        entry_c! {$(
            fn $name / $name_c($($arg: $ty),*) {
                at_once_or_rest!($at_once, ($($arg: $ty),*) $body)
            }
        )*}
    };
}

/// The body of such a function: the shortest way, else the rest.
macro_rules! at_once_or_rest {
    ($at_once:block, ( $($arg:ident : $ty:ty),* ) $body:block) => {{
        #[inline(never)]
        unsafe extern "C" fn rest($($arg: $ty),*) -> std::ffi::c_int $body
        match $at_once {
            Some(()) => MPI_SUCCESS,
            // SAFETY: the program's promises.
            None => unsafe { rest($($arg),*) },
        }
    }};
}

/// Makes the bodies of a function's two forms from one. In the first a count `N` is an `int`, in
/// the second, whose name ends in `_c`, an `MPI_Count`; `Disp` (displacements of collectives) is
/// `int` and `MPI_Aint`, `Stride` (bytes in datatypes) is `MPI_Aint` and `MPI_Count`.
macro_rules! entry_c {
    ($(
        fn $name:ident / $name_c:ident ( $($arg:ident : $ty:ty),* $(,)? ) $body:block
    )*) => {$(
        entry_form! { int, fn $name($($arg: $ty),*) $body }
        entry_form! { large, fn $name_c($($arg: $ty),*) $body }
    )*};
}

/// Makes the body of one form, in a module where the type names have their meaning.
macro_rules! entry_form {
    ($form:ident, fn $name:ident ( $($arg:ident : $ty:ty),* ) $body:block) => {
        #[allow(non_snake_case, reason = "functions keep their C names")]
        mod $name {
            use super::*;
            #[allow(unused_imports, reason = "few functions use all three words")]
            use crate::entry::$form::*;
            entry! { fn $name($($arg: $ty),*) -> std::ffi::c_int $body }
        }
        pub(crate) use $name::$name;
    };
}

/// Makes the six bodies of a collective operation from one decoder of its arguments, which returns
/// a schedule: blocking, nonblocking and persistent, each in the two forms of `entry_c!`. The macro
/// adds the final arguments of all collectives: `comm`, then `request`, or `info` and `request`.
/// The block after `plain`, if there is one, is the fast path of the blocking, the nonblocking and
/// the persistent form. `entry_coll_fast!` makes that too. The block after `trade` is the fast path
/// of the blocking form of a neighbourhood collective.
macro_rules! entry_coll {
    ($(
        fn $now:ident / $now_c:ident / $begin:ident / $begin_c:ident / $init:ident / $init_c:ident (
            $($arg:ident : $ty:ty),* $(,)?
        ) $(plain |$ranks:ident| $plain:block)? $(trade |$neighbours:ident| $trade:block)?
        |$engine:ident, $on:ident| $decode:block
    )*) => {$(
        entry_c! {
            fn $now / $now_c($($arg: $ty,)* comm: MPI_Comm) {
                $(
                    let plain = |$ranks: dunlin_engine::CollFastPath| $plain;
                    let ranks = crate::collective_fast_path::plain_on(FUNCTION, comm);
                    let alone = |$ranks: dunlin_engine::CollAlone| $plain;
                    let outcome = match ranks {
                        Some(ranks) => plain(ranks),
                        None => crate::collective_fast_path::alone_on(comm).and_then(alone),
                    };
                    if let Some(outcome) = outcome {
                        return crate::call::finish(FUNCTION, Owner::Comm(comm), outcome);
                    }
                )?
                blocking!(FUNCTION, comm, $(|$neighbours| $trade,)? |$engine, $on| $decode)
            }
            fn $begin / $begin_c($($arg: $ty,)* comm: MPI_Comm, request: *mut MPI_Request) {
                $(
                    let plain = |$ranks: dunlin_engine::CollFastPath<dunlin_engine::Beside>| $plain;
                    // SAFETY: the program passes null or the address of a request.
                    let begun = unsafe {
                        crate::collective_fast_path::begin(FUNCTION, comm, request, plain)
                    };
                    if let Some(outcome) = begun {
                        return crate::call::finish(FUNCTION, Owner::Comm(comm), outcome);
                    }
                )?
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
                let code = unsafe {
                    crate::collective::persistent(FUNCTION, comm, request, decode)
                };
                $(
                    let plain = |$ranks: dunlin_engine::CollFastPath<dunlin_engine::Described>| {
                        $plain
                    };
                    if code == MPI_SUCCESS {
                        // SAFETY: it has been made.
                        unsafe { crate::collective_fast_path::describe(FUNCTION, request, plain) };
                    }
                )?
                code
            }
        }
    )*};
}

/// The end of the blocking form of a collective.
macro_rules! blocking {
    ($function:expr, $comm:expr, |$engine:ident, $on:ident| $decode:block) => {
        crate::collective::blocking($function, $comm, |$engine, $on| $decode)
    };
    (
        $function:expr, $comm:expr, |$neighbours:ident| $trade:block,
        |$engine:ident, $on:ident| $decode:block
    ) => {{
        let trade = |$neighbours: &dunlin_engine::NeighbourFastPath| $trade;
        crate::collective_neighbour_fast_path::blocking($function, $comm, trade, |$engine, $on| {
            $decode
        })
    }};
}

/// Makes the same six bodies, and the fast paths of the three kinds, from one decoder. It is
/// compiled for `Plain` arguments of each and for `Checked` ones, whose methods have the same
/// names. The operation after `=>` has the same name in the engine's fast path and in the engine.
macro_rules! entry_coll_fast {
    ($(
        fn $now:ident / $now_c:ident / $begin:ident / $begin_c:ident / $init:ident / $init_c:ident (
            $($arg:ident : $ty:ty),* $(,)?
        ) |$on:ident| $decode:block => $operation:ident $values:tt
    )*) => {$(
        entry_coll! {
            fn $now / $now_c / $begin / $begin_c / $init / $init_c ($($arg: $ty),*) plain |ranks| {
                let $on = crate::collective_fast_path::Plain(&ranks);
                let $values = $decode;
                // SAFETY: the program's promises on its buffers, passed on.
                unsafe { ranks.$operation $values }
            } |engine, comm| {
                let $on = crate::collective::Checked { engine, comm };
                let $values = $decode;
                schedule!(engine, $operation, comm, $values)
            }
        }
    )*};
}

/// The engine's schedule of an operation on a communicator.
macro_rules! schedule {
    ($engine:ident, $operation:ident, $comm:ident, ($($value:ident),*)) => {
        $engine.$operation($comm, $($value),*)
    };
}

/// The type names of `entry_c!` in the form with `int` counts.
pub mod int {
    #![allow(missing_docs, dead_code, reason = "explained at entry_c!, for those who need them")]
    use crate::standard::types::MPI_Aint;
    use std::ffi::c_int;

    pub type N = c_int;
    pub type Disp = c_int;
    pub type Stride = MPI_Aint;
}

/// The type names of `entry_c!` in the form with large counts.
pub mod large {
    #![allow(missing_docs, dead_code, reason = "explained at entry_c!, for those who need them")]
    use crate::standard::types::{MPI_Aint, MPI_Count};

    pub type N = MPI_Count;
    pub type Disp = MPI_Aint;
    pub type Stride = MPI_Count;
}
