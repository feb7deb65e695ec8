//! The functions of user-level failure mitigation, which MPICH and Open MPI have as extensions. A
//! job of ours ends when one of its ranks does, so no rank that calls them ever sees a failed one:
//! they answer what they answer without failures. MPIX_Comm_revoke is not among them.

use std::ffi::{c_int, c_void};

use super::convert::{OneHandle, code_back};
use super::functions::{MPI_Comm_dup, MPI_Comm_idup};
use super::types::*;
use super::{Family, Foreign, export_family, families};
use crate::entries::exported as standard;
use crate::standard::constants::*;

/// Writes an answer, if the communicator exists.
///
/// # Safety
/// `to` is null or points to a `T`.
unsafe fn answer<F: Family, T>(comm: Comm<F>, to: *mut T, value: T) -> c_int {
    let mut size = 0;
    // SAFETY: promised by the caller.
    unsafe {
        let code = standard::MPI_Comm_size(comm.to_standard(), &raw mut size);
        match (code, to.is_null()) {
            (MPI_SUCCESS, false) => {
                to.write(value);
                code
            }
            (MPI_SUCCESS, true) => code_back::<F>(MPI_ERR_ARG),
            _ => code_back::<F>(code),
        }
    }
}

fn no_group<F: Family>() -> Group<F> {
    Foreign::from_standard(MPI_GROUP_EMPTY)
}

families! {
    fn MPIX_Comm_failure_ack(comm: Comm<F>) -> c_int {
        let mut nobody = ();
        // SAFETY: the answer is a local variable.
        unsafe { answer::<F, ()>(comm, &raw mut nobody, ()) }
    }

    fn MPIX_Comm_failure_get_acked(comm: Comm<F>, failed: *mut Group<F>) -> c_int {
        // SAFETY: the program passes the address of a group.
        unsafe { answer::<F, _>(comm, failed, no_group::<F>()) }
    }

    fn MPIX_Comm_get_failed(comm: Comm<F>, failed: *mut Group<F>) -> c_int {
        // SAFETY: as above.
        unsafe { answer::<F, _>(comm, failed, no_group::<F>()) }
    }

    fn MPIX_Comm_ack_failed(comm: Comm<F>, _to_ack: c_int, acked: *mut c_int) -> c_int {
        // SAFETY: the program passes the address of an int.
        unsafe { answer::<F, _>(comm, acked, 0) }
    }

    fn MPIX_Comm_is_revoked(comm: Comm<F>, flag: *mut c_int) -> c_int {
        // SAFETY: as above.
        unsafe { answer::<F, _>(comm, flag, 0) }
    }

    fn MPIX_Comm_shrink(comm: Comm<F>, newcomm: *mut Comm<F>) -> c_int {
        // SAFETY: the program passes the address of a communicator.
        unsafe { MPI_Comm_dup::<F>(comm, newcomm) }
    }

    fn MPIX_Comm_ishrink(
        comm: Comm<F>, newcomm: *mut Comm<F>, request: *mut Request<F>,
    ) -> c_int {
        // SAFETY: as above.
        unsafe { MPI_Comm_idup::<F>(comm, newcomm, request) }
    }

    // The bits that all ranks set.
    fn MPIX_Comm_agree(comm: Comm<F>, flag: *mut c_int) -> c_int {
        // SAFETY: the program passes the address of an int.
        unsafe {
            let given = flag.as_ref().map_or(0, |flag| *flag);
            let from: *const c_void = (&raw const given).cast();
            let comm = comm.to_standard();
            code_back::<F>(standard::MPI_Allreduce(from, flag.cast(), 1, MPI_INT, MPI_BAND, comm))
        }
    }

    fn MPIX_Comm_iagree(comm: Comm<F>, flag: *mut c_int, request: *mut Request<F>) -> c_int {
        let mut made = OneHandle::wanted(request);
        // SAFETY: the program passes the address of an int that stays.
        unsafe {
            // What is given stays for as long as the process: nobody hears of the operation's end,
            // and between two groups it may not be where the result goes.
            let given: *const c_int = Box::leak(Box::new(flag.as_ref().map_or(0, |flag| *flag)));
            let code = standard::MPI_Iallreduce(
                given.cast(), flag.cast(), 1, MPI_INT, MPI_BAND, comm.to_standard(),
                made.as_mut_ptr());
            made.give_back(request);
            code_back::<F>(code)
        }
    }
}
