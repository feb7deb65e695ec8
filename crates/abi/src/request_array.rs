//! Requests of a program's array, and how they are finished; MPI 5.0 section 3.7.5.

use std::ffi::c_int;

use dunlin_base::memory::room_for;
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_engine::fast_path::COMPLETE;
use dunlin_engine::{Engine, Finished, RequestId, Status};

use crate::convert::{self, put_status, status_code};
use crate::raise::Owner;
use crate::standard::constants::*;
use crate::standard::error_codes;
use crate::standard::types::*;

pub(crate) fn owner_of(engine: &Engine, id: RequestId) -> Option<Owner> {
    match engine.comm_of_request(id)? {
        (Some(comm), _) => convert::comm_handle(comm).ok().map(Owner::Comm),
        (None, handler) => Some(Owner::Handler(handler)),
    }
}

/// Takes a complete request's outcome; its handle becomes null unless it is persistent.
///
/// # Safety
/// `request` points to a request.
pub(crate) unsafe fn take(
    engine: &Engine,
    id: RequestId,
    request: *mut MPI_Request,
) -> Result<Status> {
    let Some(Finished { status, gone }) = engine.finish(id)? else {
        return Err(Error::new(ErrorClass::Intern, "a complete request has no outcome"));
    };
    if gone {
        // SAFETY: promised by the caller.
        unsafe { request.write(MPI_REQUEST_NULL) };
    }
    Ok(status)
}

/// An array of requests of the program.
pub(crate) struct Requests {
    start: *mut MPI_Request,
    pub(crate) ids: Vec<Option<RequestId>>,
}

impl Requests {
    /// # Safety
    /// `start` points to `count` requests, which stay put while this exists.
    pub(crate) unsafe fn new(
        engine: &Engine,
        count: c_int,
        start: *mut MPI_Request,
    ) -> Result<Self> {
        let count = convert::count(count.into())?;
        if start.is_null() && count > 0 {
            let text = "array_of_requests is a null pointer";
            return Err(Error::new(ErrorClass::Request, text));
        }
        let mut ids = room_for(count)?;
        for i in 0..count {
            // SAFETY: within the array promised by the caller.
            let handle: MPI_Request = unsafe { *start.add(i) };
            let id = (handle != MPI_REQUEST_NULL).then(|| convert::request(engine, handle));
            ids.push(id.transpose()?);
        }
        Ok(Requests { start, ids })
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    pub(crate) fn place(&self, i: usize) -> *mut MPI_Request {
        assert!(i < self.len());
        // SAFETY: within the array.
        unsafe { self.start.add(i) }
    }

    pub(crate) fn handle(&self, i: usize) -> MPI_Request {
        // SAFETY: within the array.
        unsafe { *self.place(i) }
    }

    /// Requests that exist.
    pub(crate) fn present(&self) -> Vec<RequestId> {
        self.ids.iter().copied().flatten().collect()
    }

    /// Requests that are in progress or complete: neither null nor inactive.
    pub(crate) fn active(&self, engine: &Engine) -> Vec<RequestId> {
        self.present().into_iter().filter(|&id| engine.is_active(id)).collect()
    }

    /// Positions of the active requests that are complete.
    pub(crate) fn complete(&self, engine: &Engine) -> Vec<usize> {
        let is = |id: RequestId| engine.is_active(id) && engine.is_complete(id);
        (0..self.len()).filter(|&i| self.ids[i].is_some_and(is)).collect()
    }

    /// Finishes request `i`: its outcome, empty for a null one.
    pub(crate) fn take(&self, engine: &Engine, i: usize) -> Result<Status> {
        match self.ids[i] {
            None => Ok(Status::EMPTY),
            // SAFETY: within the array.
            Some(id) => unsafe { take(engine, id, self.place(i)) },
        }
    }

    /// The error handler that hears of errors: the first request's that can have one.
    pub(crate) fn owner(&self, engine: &Engine) -> Owner {
        let mut present = self.ids.iter().copied().flatten().filter(|&id| id != COMPLETE);
        let first = present.next().or_else(|| self.present().first().copied());
        first.and_then(|id| owner_of(engine, id)).unwrap_or(Owner::None)
    }
}

/// Finishes the requests at `positions`, writes their statuses in that order, and says whether any
/// failed.
///
/// # Safety
/// `statuses` is `MPI_STATUSES_IGNORE` or points to as many statuses as there are positions.
pub(crate) unsafe fn take_all(
    engine: &Engine,
    requests: &Requests,
    positions: impl Iterator<Item = usize>,
    statuses: *mut MPI_Status,
) -> Result<()> {
    let mut failed = None;
    for (k, i) in positions.enumerate() {
        let outcome = requests.take(engine, i)?;
        if !statuses.is_null() {
            // SAFETY: within the array promised by the caller.
            unsafe {
                let to = statuses.add(k);
                put_status(to, &outcome);
                (*to).MPI_ERROR = status_code(&outcome);
            }
        }
        failed = failed.or(outcome.error);
    }
    failed.map_or(Ok(()), |e| Err(in_status(&e)))
}

fn in_status(first: &Error) -> Error {
    let code = error_codes::code(first.class);
    let name = error_codes::text(code).and_then(|t| t.split(':').next()).unwrap_or("an error");
    let text = format!("some requests failed, see their statuses; the first with {name}: {first}");
    Error::new(ErrorClass::InStatus, text)
}
