//! Requests of a program's array, and how they are finished; MPI 5.0 section 3.7.5.

use std::collections::BTreeMap;
use std::ffi::c_int;
use std::ops::Deref;

use dunlin_base::memory::room_for;
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_engine::fast_path::COMPLETE;
use dunlin_engine::{Engine, Entered, Finished, RequestId, Status, enter_vci, try_enter_vci};

use crate::convert::{self, put_status, status_code, vci_of_request};
use crate::raise::Owner;
use crate::standard::constants::*;
use crate::standard::error_codes;
use crate::standard::handles::{COMPLETE_HANDLE, wrong};
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

/// An array of requests of the program. Those of several VCIs are looked at in one VCI after the
/// other, so that no thread waits for one with the lock of another.
pub(crate) struct Requests {
    function: &'static str,
    start: *mut MPI_Request,
    /// The VCI and the number there of each; none for a null one.
    ids: Vec<Option<InVci>>,
    /// The VCI of them all, which is kept for the length of the call.
    only: Option<Entered>,
}

/// A thread that waits for requests of several VCIs looks into all but one without waiting; after
/// so many looks in which other threads had them, it waits for its turn.
const MISSES_MAX: u32 = 1000;

/// A request in its VCI.
type InVci = (usize, RequestId);

/// A VCI that this call has entered, for its length or for a moment.
enum Inside<'a> {
    Kept(&'a Engine),
    Now(Entered),
}

impl Deref for Inside<'_> {
    type Target = Engine;
    fn deref(&self) -> &Engine {
        match self {
            Inside::Kept(engine) => engine,
            Inside::Now(engine) => engine,
        }
    }
}

impl Requests {
    /// # Safety
    /// `start` points to `count` requests, which stay put while this exists.
    pub(crate) unsafe fn new(
        function: &'static str,
        count: c_int,
        start: *mut MPI_Request,
    ) -> Result<Self> {
        let is_there = !start.is_null();
        // SAFETY: within the array promised by the caller.
        let handle = |i: usize| unsafe { *start.add(i) };
        let positions = 0..usize::try_from(count).unwrap_or(0);
        // What was complete as it began is so in each VCI.
        let is_of_one = |handle| handle != MPI_REQUEST_NULL && handle != COMPLETE_HANDLE;
        let mut present = positions.filter(|&i| is_there && is_of_one(handle(i)));
        let first = present.next().map_or(0, |i| vci_of_request(handle(i)));
        let is_one = present.all(|i| vci_of_request(handle(i)) == first);
        // If MPI does not run, this says so first.
        let entered = enter_vci(function, first)?;
        let count = convert::count(count.into())?;
        if !is_there && count > 0 {
            let text = "array_of_requests is a null pointer";
            return Err(Error::new(ErrorClass::Request, text));
        }
        // Of several, none is kept: this call would wait for one with the lock of another.
        let only = is_one.then_some(entered);
        let mut requests = Requests { function, start, ids: room_for(count)?, only };
        for i in 0..count {
            let (handle, mut id) = (handle(i), None);
            if handle == COMPLETE_HANDLE {
                id = Some((first, COMPLETE));
            } else if handle != MPI_REQUEST_NULL {
                let vci = vci_of_request(handle);
                id = Some((vci, convert::request(&*requests.enter(vci)?, handle)?));
            }
            requests.ids.push(id);
        }
        Ok(requests)
    }

    fn enter(&self, vci: usize) -> Result<Inside<'_>> {
        match &self.only {
            Some(engine) => Ok(Inside::Kept(engine)),
            None => enter_vci(self.function, vci).map(Inside::Now),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    fn place(&self, i: usize) -> *mut MPI_Request {
        assert!(i < self.len());
        // SAFETY: within the array.
        unsafe { self.start.add(i) }
    }

    /// Requests that exist, and where they stand.
    fn present(&self) -> impl Iterator<Item = (usize, InVci)> + '_ {
        self.ids.iter().enumerate().filter_map(|(i, id)| Some((i, (*id)?)))
    }

    /// The numbers of those in each VCI.
    fn by_vci(&self) -> BTreeMap<usize, Vec<RequestId>> {
        let mut all: BTreeMap<usize, Vec<RequestId>> = BTreeMap::new();
        self.present().for_each(|(_, (vci, id))| all.entry(vci).or_default().push(id));
        all
    }

    /// Requests that are in progress or complete: neither null nor inactive.
    fn active(&self) -> Result<Vec<InVci>> {
        let mut active = Vec::new();
        for (_, (vci, id)) in self.present() {
            if self.enter(vci)?.is_active(id) {
                active.push((vci, id));
            }
        }
        Ok(active)
    }

    /// Whether there are any of those.
    pub(crate) fn has_active(&self) -> Result<bool> {
        Ok(!self.active()?.is_empty())
    }

    /// Positions of the active requests that are complete.
    pub(crate) fn complete(&self) -> Result<Vec<usize>> {
        let mut complete = Vec::new();
        for (i, (vci, id)) in self.present() {
            let engine = self.enter(vci)?;
            if engine.is_active(id) && engine.is_complete(id) {
                complete.push(i);
            }
        }
        Ok(complete)
    }

    /// Whether all are complete, or inactive.
    pub(crate) fn are_complete(&self) -> Result<bool> {
        for (_, (vci, id)) in self.present() {
            if !self.enter(vci)?.is_complete(id) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// As [`Engine::poll_for`], in each VCI after the other: the lock of none is kept.
    pub(crate) fn polled(&self, ready: impl Fn() -> Result<bool>) -> Result<bool> {
        if ready()? {
            return Ok(true);
        }
        let vcis = self.by_vci();
        let push = || vcis.keys().try_for_each(|&vci| self.enter(vci).map(|engine| engine.poll()));
        push()?;
        if ready()? {
            return Ok(true);
        }
        let Some(&vci) = vcis.keys().next() else { return Ok(false) };
        if !self.enter(vci)?.found_nothing() {
            return Ok(false);
        }
        push()?;
        ready()
    }

    /// Waits until all have completed, or one has failed whose error ends the job.
    pub(crate) fn wait_all(&self) -> Result<()> {
        for (vci, ids) in self.by_vci() {
            self.enter(vci)?.wait_all_or_fail(&ids)?;
        }
        Ok(())
    }

    /// Waits until one of the active ones has completed; false if there are none.
    pub(crate) fn wait_any(&self) -> Result<bool> {
        let active = self.active()?;
        let Some(&(first, _)) = active.first() else { return Ok(false) };
        let (here, elsewhere): (Vec<_>, Vec<_>) = active.iter().partition(|(vci, _)| *vci == first);
        let here: Vec<_> = here.into_iter().map(|(_, id)| id).collect();
        loop {
            // How often another thread was in the way.
            let mut misses = 0;
            let mut is_complete = |&(vci, id): &InVci| match try_enter_vci(vci) {
                Some(engine) => engine.is_complete(id),
                None => {
                    misses += 1;
                    misses >= MISSES_MAX
                }
            };
            self.enter(first)?.wait_any(&here, || elsewhere.iter().any(&mut is_complete));
            // Waits for other threads, without the lock of the first.
            if elsewhere.is_empty() || !self.complete()?.is_empty() {
                return Ok(true);
            }
        }
    }

    /// Starts request `i`, a persistent one.
    pub(crate) fn start(&self, i: usize) -> Result<()> {
        let (vci, id) = self.ids[i].ok_or_else(|| wrong(MPI_REQUEST_NULL))?;
        self.enter(vci)?.start(id)
    }

    /// Finishes request `i`: its outcome, empty for a null one.
    pub(crate) fn take(&self, i: usize) -> Result<Status> {
        match self.ids[i] {
            None => Ok(Status::EMPTY),
            // SAFETY: within the array.
            Some((vci, id)) => unsafe { take(&*self.enter(vci)?, id, self.place(i)) },
        }
    }

    /// The outcome of request `i`, which stays, if it is complete; none for a null one.
    pub(crate) fn peek(&self, i: usize) -> Result<Option<Status>> {
        self.ids[i].map_or(Ok(None), |(vci, id)| self.enter(vci)?.peek_status(id))
    }

    /// The error handler that hears of errors: the first request's that can have one.
    pub(crate) fn owner(&self) -> Owner {
        let mut present = self.present().map(|(_, id)| id).filter(|(_, id)| *id != COMPLETE);
        let first = present.next().or_else(|| self.present().next().map(|(_, id)| id));
        let owner = |(vci, id)| owner_of(&*self.enter(vci).ok()?, id);
        first.and_then(owner).unwrap_or(Owner::None)
    }
}

/// Finishes the requests at `positions`, writes their statuses in that order, and says whether any
/// failed.
///
/// # Safety
/// `statuses` is `MPI_STATUSES_IGNORE` or points to as many statuses as there are positions.
pub(crate) unsafe fn take_all(
    requests: &Requests,
    positions: impl Iterator<Item = usize>,
    statuses: *mut MPI_Status,
) -> Result<()> {
    let mut failed = None;
    for (k, i) in positions.enumerate() {
        let outcome = requests.take(i)?;
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
