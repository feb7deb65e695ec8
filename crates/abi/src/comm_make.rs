//! Creating communicators (MPI 5.0, sections 7.4.2 and 7.6.2).

use std::ffi::{CStr, c_char, c_int};
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_engine::{Comm, CommId, Engine, enter};

use crate::call::{finish, on_comm};
use crate::comm::set_hints;
use crate::convert::{self, comm_handle, error, give_request, put};
use crate::group::group;
use crate::raise::{Owner, raise_to};
use crate::standard::constants::*;
use crate::standard::types::*;
use crate::{errhandler, hardware, info};

/// The color of a split; `None` is `MPI_UNDEFINED`: the process gets no communicator.
fn color(color: c_int) -> Result<Option<u32>> {
    match u32::try_from(color) {
        Ok(color) => Ok(Some(color)),
        Err(_) if color == MPI_UNDEFINED => Ok(None),
        Err(_) => {
            let text = format!("color is {color}; it must be >= 0 or MPI_UNDEFINED");
            Err(Error::new(ErrorClass::Arg, text))
        }
    }
}

/// Returns to the program the communicator that `make` creates. Writes `MPI_COMM_NULL` if it
/// creates none or fails, because programs check for that. After an error in the arguments, which
/// are decoded before, the program's variable is unchanged, as with other libraries.
///
/// # Safety
/// `to` is null or points to a communicator.
pub unsafe fn give(to: *mut MPI_Comm, make: impl FnOnce() -> Result<Option<CommId>>) -> Result<()> {
    // SAFETY: promised by the caller.
    unsafe {
        put(to, MPI_COMM_NULL, "the new communicator")?;
        to.write(make()?.map_or(Ok(MPI_COMM_NULL), comm_handle)?);
    }
    Ok(())
}

/// Sets the hints of a new communicator.
pub fn with_hints(engine: &Engine, id: CommId, info: MPI_Info) -> Result<Option<CommId>> {
    if info != MPI_INFO_NULL {
        set_hints(&*engine.comm(id)?, info)?;
    }
    Ok(Some(id))
}

/// The string by which a program distinguishes concurrent calls.
///
/// # Safety
/// `tag` is null or a C string that lives as long as the call.
unsafe fn string_tag<'a>(tag: *const c_char) -> Result<&'a [u8]> {
    if tag.is_null() {
        return Err(error(ErrorClass::Arg, "stringtag is a null pointer; pass a string"));
    }
    // SAFETY: promised by the caller; not null.
    let bytes = unsafe { CStr::from_ptr(tag) }.to_bytes();
    let most = MPI_MAX_STRINGTAG_LEN as usize - 1;
    if bytes.len() > most {
        let text = format!("stringtag has {} characters; it may have {most}", bytes.len());
        return Err(error(ErrorClass::Arg, text));
    }
    Ok(bytes)
}

/// The criterion of `MPI_Comm_split_type`.
enum Split {
    /// Processes with the same color form a communicator; those without a color get none.
    Color(Option<u32>),
    /// The next smaller hardware resource.
    NextLevel,
}

impl Split {
    fn make(
        self,
        engine: &Engine,
        comm: &Rc<Comm>,
        key: c_int,
        info: MPI_Info,
    ) -> Result<Option<CommId>> {
        match self {
            Split::Color(color) => engine.comm_split(comm, color, key),
            Split::NextLevel => next_level(engine, comm, key, info),
        }
    }
}

/// Decodes a split type and the values in the info object that it uses.
fn split_type(engine: &Engine, kind: c_int, info: MPI_Info) -> Result<Split> {
    let hint = |key| info::read_or_none(info, |i| Ok(i.value(key).map(CStr::to_owned)));
    let hardware = || {
        let kind = hint(c"mpi_hw_resource_type")?;
        Ok(kind.and_then(|k| {
            let node = || Some(engine.node_number());
            if *k == *hardware::SHARED_MEMORY { node() } else { resource(engine, &k) }
        }))
    };
    let color = match kind {
        MPI_UNDEFINED => None,
        MPI_COMM_TYPE_SHARED => Some(engine.node_number()),
        MPI_COMM_TYPE_HW_GUIDED => hardware()?,
        MPI_COMM_TYPE_RESOURCE_GUIDED => {
            match hint(c"mpi_pset_name")?.as_deref().map(CStr::to_bytes) {
                Some(b"mpi://WORLD") => Some(0),
                Some(b"mpi://SELF") => Some(engine.world_rank()),
                Some(_) => None,
                None => hardware()?,
            }
        }
        MPI_COMM_TYPE_HW_UNGUIDED => return Ok(Split::NextLevel),
        _ => {
            let text =
                format!("split_type is {kind}; it must be an MPI_COMM_TYPE or MPI_UNDEFINED");
            return Err(error(ErrorClass::Arg, text));
        }
    };
    Ok(Split::Color(color))
}

/// A number, unique among all nodes, for the resource of this kind to which this process is
/// restricted.
fn resource(engine: &Engine, kind: &CStr) -> Option<u32> {
    const CPU_BITS: u32 = 12;
    let cpu = hardware::instance(kind)?;
    Some((engine.node_number() << CPU_BITS) | (cpu % (1 << CPU_BITS)))
}

/// Splits by the largest resource type that divides the processes of `comm`.
fn next_level(
    engine: &Engine,
    comm: &Rc<Comm>,
    key: c_int,
    info: MPI_Info,
) -> Result<Option<CommId>> {
    for kind in std::iter::once(hardware::SHARED_MEMORY).chain(hardware::kinds()) {
        let color = match kind == hardware::SHARED_MEMORY {
            true => Some(engine.node_number()),
            false => resource(engine, kind),
        };
        let Some(id) = engine.comm_split(comm, color, key)? else {
            return Ok(None);
        };
        if engine.comm(id)?.size() < comm.size() {
            if info != MPI_INFO_NULL {
                info::change(info, |i| {
                    i.set(c"mpi_hw_resource_type", kind);
                    Ok(())
                })?;
            }
            return Ok(Some(id));
        }
        engine.comm_free(id)?;
    }
    Ok(None)
}

/// A call without a communicator; errors go to the given handler.
fn from_groups(
    function: &'static str,
    handler: MPI_Errhandler,
    body: impl FnOnce(&Engine) -> Result<()>,
) -> c_int {
    let outcome = enter(function).and_then(|engine| body(&engine));
    match (outcome, errhandler::decode_for_comm(handler)) {
        (Err(error), Ok(handler)) => raise_to(handler, function, &error),
        (outcome, _) => finish(function, Owner::None, outcome),
    }
}

entry! {
    fn MPI_Comm_dup(comm: MPI_Comm, newcomm: *mut MPI_Comm) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| {
            // SAFETY: the program passes null or the address of a communicator.
            unsafe { give(newcomm, || engine.comm_dup(comm).map(Some)) }
        })
    }

    fn MPI_Comm_dup_with_info(comm: MPI_Comm, info: MPI_Info, newcomm: *mut MPI_Comm) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| {
            // SAFETY: the program passes null or the address of a communicator.
            unsafe { give(newcomm, || with_hints(engine, engine.comm_dup(comm)?, info)) }
        })
    }

    fn MPI_Comm_idup(comm: MPI_Comm, newcomm: *mut MPI_Comm, request: *mut MPI_Request) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| {
            // SAFETY: the program passes null or the addresses of a communicator and a request.
            unsafe {
                put(newcomm, MPI_COMM_NULL, "newcomm")?;
                give_request(engine, request, || {
                    let (id, wait) = engine.comm_idup(comm)?;
                    give(newcomm, || Ok(Some(id)))?;
                    Ok(wait)
                })
            }
        })
    }

    fn MPI_Comm_idup_with_info(
        comm: MPI_Comm,
        info: MPI_Info,
        newcomm: *mut MPI_Comm,
        request: *mut MPI_Request,
    ) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| {
            // SAFETY: the program passes null or the addresses of a communicator and a request.
            unsafe {
                put(newcomm, MPI_COMM_NULL, "newcomm")?;
                give_request(engine, request, || {
                    let (id, wait) = engine.comm_idup(comm)?;
                    give(newcomm, || with_hints(engine, id, info))?;
                    Ok(wait)
                })
            }
        })
    }

    fn MPI_Comm_split(comm: MPI_Comm, color: c_int, key: c_int, newcomm: *mut MPI_Comm) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| {
            let color = self::color(color)?;
            // SAFETY: the program passes null or the address of a communicator.
            unsafe { give(newcomm, || engine.comm_split(comm, color, key)) }
        })
    }

    fn MPI_Comm_split_type(
        comm: MPI_Comm,
        split_type: c_int,
        key: c_int,
        info: MPI_Info,
        newcomm: *mut MPI_Comm,
    ) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| {
            let split = self::split_type(engine, split_type, info)?;
            let make = || match split.make(engine, comm, key, info)? {
                Some(id) => with_hints(engine, id, info),
                None => Ok(None),
            };
            // SAFETY: the program passes null or the address of a communicator.
            unsafe { give(newcomm, make) }
        })
    }

    fn MPI_Comm_create(comm: MPI_Comm, group: MPI_Group, newcomm: *mut MPI_Comm) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| {
            let group = self::group(group)?;
            // SAFETY: the program passes null or the address of a communicator.
            unsafe { give(newcomm, || engine.comm_create(comm, &group)) }
        })
    }

    fn MPI_Comm_create_group(
        comm: MPI_Comm,
        group: MPI_Group,
        tag: c_int,
        newcomm: *mut MPI_Comm,
    ) -> c_int {
        on_comm(FUNCTION, comm, |engine, comm| {
            let (tag, group) = (convert::tag(tag)?, self::group(group)?);
            // SAFETY: the program passes null or the address of a communicator.
            unsafe { give(newcomm, || engine.comm_create_group(comm, &group, tag)) }
        })
    }

    fn MPI_Comm_create_from_group(
        group: MPI_Group,
        stringtag: *const c_char,
        info: MPI_Info,
        errhandler: MPI_Errhandler,
        newcomm: *mut MPI_Comm,
    ) -> c_int {
        from_groups(FUNCTION, errhandler, |engine| {
            let (group, handler) = (self::group(group)?, errhandler::decode_for_comm(errhandler)?);
            if group.size() == 0 {
                // SAFETY: the program passes null or the address of a communicator.
                return unsafe { give(newcomm, || Ok(None)) };
            }
            // SAFETY: the program passes null or a string.
            let tag = unsafe { string_tag(stringtag) }?;
            let make = || engine.comm_create_from_group(&group, tag, handler);
            // SAFETY: as above.
            unsafe { give(newcomm, || with_hints(engine, make()?, info)) }
        })
    }

    fn MPI_Intercomm_create(
        local_comm: MPI_Comm,
        local_leader: c_int,
        peer_comm: MPI_Comm,
        remote_leader: c_int,
        tag: c_int,
        newintercomm: *mut MPI_Comm,
    ) -> c_int {
        on_comm(FUNCTION, local_comm, |engine, local| {
            let leader = convert::rank(local, local_leader)?;
            let tag = convert::tag(tag)?;
            // The remote leader is significant only at the leader.
            let leads = leader == local.rank;
            let peer = if leads { Some(convert::comm(engine, peer_comm)?) } else { None };
            let peer = peer.as_ref().map(|p| Ok((p, convert::rank(p, remote_leader)?)));
            let peer = peer.transpose()?;
            let make = || engine.intercomm_create(local, leader, peer, tag).map(Some);
            // SAFETY: the program passes null or the address of a communicator.
            unsafe { give(newintercomm, make) }
        })
    }

    fn MPI_Intercomm_create_from_groups(
        local_group: MPI_Group,
        local_leader: c_int,
        remote_group: MPI_Group,
        remote_leader: c_int,
        stringtag: *const c_char,
        info: MPI_Info,
        errhandler: MPI_Errhandler,
        newintercomm: *mut MPI_Comm,
    ) -> c_int {
        from_groups(FUNCTION, errhandler, |engine| {
            let (mine, theirs) = (group(local_group)?, group(remote_group)?);
            let handler = errhandler::decode_for_comm(errhandler)?;
            let sides = ((&*mine, local_leader as u32), (&*theirs, remote_leader as u32));
            // SAFETY: the program passes null or a string.
            let tag = unsafe { string_tag(stringtag) }?;
            let make = || engine.intercomm_create_from_groups(sides.0, sides.1, tag, handler);
            // SAFETY: the program passes null or the address of a communicator.
            unsafe { give(newintercomm, || with_hints(engine, make()?, info)) }
        })
    }

    fn MPI_Intercomm_merge(
        intercomm: MPI_Comm,
        high: c_int,
        newintracomm: *mut MPI_Comm,
    ) -> c_int {
        on_comm(FUNCTION, intercomm, |engine, comm| {
            // SAFETY: the program passes null or the address of a communicator.
            unsafe { give(newintracomm, || engine.intercomm_merge(comm, high != 0).map(Some)) }
        })
    }
}
