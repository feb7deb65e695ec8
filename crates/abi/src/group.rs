//! Groups: ordered sets of processes, and the operations on them (MPI 5.0, section 7.3).

use std::collections::HashSet;
use std::ffi::c_int;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use dunlin_base::{Error, ErrorClass, Rank, Result};
use dunlin_engine::inquiry::{Answers, Row, world_rank};
use dunlin_engine::{Group, Table};

use crate::array::list;
use crate::call::{on_comm, on_process};
use crate::convert::{error, get, made_or_full, put};
use crate::inquiry::answer;
use crate::standard::constants::*;
use crate::standard::handles::{claimed, number, wrong};
use crate::standard::types::*;

static GROUPS: LazyLock<Mutex<Table<Arc<Group>>>> = LazyLock::new(Mutex::default);
/// The size of each group and the rank of this process in it, for inquiries without the lock.
static ANSWERS: Answers<2> = Answers::new();
static EMPTY: LazyLock<Arc<Group>> = LazyLock::new(|| Arc::new(Group::new(Vec::new())));

/// No code panics with the lock held; if one did, the table would still be consistent.
fn groups() -> MutexGuard<'static, Table<Arc<Group>>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The group behind a handle.
pub fn group(handle: MPI_Group) -> Result<Arc<Group>> {
    with_group(handle, |group| Ok(group.clone()))
}

/// Calls `f` with the group behind a handle, which stays where it is meanwhile: not to count who
/// uses it saves two atomic instructions.
pub fn with_group<T>(handle: MPI_Group, f: impl FnOnce(&Arc<Group>) -> Result<T>) -> Result<T> {
    match handle {
        MPI_GROUP_EMPTY => f(&EMPTY),
        _ => f(groups().get(number(handle)?).ok_or_else(|| wrong(handle))?),
    }
}

/// The results of the cheapest inquiries about a group.
#[inline(always)]
fn known(handle: MPI_Group) -> Option<&'static Row<2>> {
    ANSWERS.of(claimed(handle)?)
}

/// Returns a group to the program; an empty one is `MPI_GROUP_EMPTY`.
///
/// # Safety
/// `to` is null or points to a handle.
pub unsafe fn give(group: impl Into<Arc<Group>>, to: *mut MPI_Group) -> Result<()> {
    let group = group.into();
    let handle = match group.size() {
        0 => MPI_GROUP_EMPTY,
        size => {
            let mine = group.rank_of(world_rank()).map_or(MPI_UNDEFINED, |rank| rank as c_int);
            let number = groups().insert(group);
            ANSWERS.set(number, [size.into(), mine.into()]);
            made_or_full(number)?
        }
    };
    // SAFETY: promised by the caller.
    unsafe { put(to, handle, "the new group") }
}

fn no_such_rank(rank: i64, group: &Group) -> Error {
    let size = group.size();
    error(ErrorClass::Rank, format!("rank is {rank}; the group has {size} processes, from 0"))
}

/// The processes of distinct ranks of a group.
fn members(group: &Group, ranks: &[c_int]) -> Result<Vec<Rank>> {
    // There are at most as many distinct ranks as members.
    let mut seen = HashSet::with_capacity(ranks.len().min(group.size() as usize));
    let world = |rank: &c_int| {
        let world = Rank::try_from(*rank).ok().and_then(|r| group.process(r));
        let world = world.ok_or_else(|| no_such_rank((*rank).into(), group))?;
        if !seen.insert(world) {
            return Err(error(ErrorClass::Rank, format!("rank {rank} is listed twice")));
        }
        Ok(world)
    };
    ranks.iter().map(world).collect()
}

/// The members of `a` for which `keep` is true, in order.
fn filtered(a: &Group, keep: impl Fn(Rank) -> bool) -> Group {
    let members = a.members().iter().copied().filter(|m| keep(*m)).collect();
    Group::new(members).of_session(a.session())
}

fn has(group: &Group, world: Rank) -> bool {
    group.rank_of(world).is_some()
}

fn union(a: &Group, b: &Group) -> Group {
    let new = b.members().iter().filter(|m| !has(a, **m));
    Group::new(a.members().iter().chain(new).copied().collect()).of_session(a.session())
}

fn without(group: &Group, ranks: &[c_int]) -> Result<Group> {
    let gone: HashSet<Rank> = members(group, ranks)?.into_iter().collect();
    Ok(filtered(group, |m| !gone.contains(&m)))
}

/// The result of comparing two groups.
pub fn compared(a: &Group, b: &Group) -> c_int {
    if a == b {
        MPI_IDENT
    } else if a.size() == b.size() && a.members().iter().all(|m| has(b, *m)) {
        MPI_SIMILAR
    } else {
        MPI_UNEQUAL
    }
}

fn translated(from: &Group, rank: c_int, to: &Group) -> Result<c_int> {
    if rank == MPI_PROC_NULL {
        return Ok(MPI_PROC_NULL);
    }
    let world = Rank::try_from(rank).ok().and_then(|r| from.process(r));
    let world = world.ok_or_else(|| no_such_rank(rank.into(), from))?;
    Ok(to.rank_of(world).map_or(MPI_UNDEFINED, |r| r as c_int))
}

/// The ranks that `(first, last, stride)` triplets denote.
fn spelled_out(ranges: &[[c_int; 3]], group: &Group) -> Result<Vec<c_int>> {
    let mut ranks = Vec::new();
    for [first, last, stride] in ranges.iter().map(|r| r.map(i64::from)) {
        if stride == 0 {
            return Err(error(ErrorClass::Arg, "a range's stride is 0; it must not be"));
        }
        let (steps, size) = ((last - first) / stride, i64::from(group.size()));
        if (last - first).signum() * stride.signum() < 0 {
            let text = format!("the range {first}, {last}, {stride} never reaches its end");
            return Err(error(ErrorClass::Arg, text));
        }
        // Checks both ends first, so that an invalid range does not exhaust the memory.
        for end in [first, first + steps * stride] {
            if !(0..size).contains(&end) {
                return Err(no_such_rank(end, group));
            }
        }
        ranks.extend((0..=steps).map(|i| (first + i * stride) as c_int));
    }
    Ok(ranks)
}

/// A call that makes a group from two groups.
unsafe fn combine(
    function: &'static str,
    handles: [MPI_Group; 2],
    to: *mut MPI_Group,
    f: impl FnOnce(&Group, &Group) -> Group,
) -> c_int {
    on_process(function, |_| {
        let new = f(&*group(handles[0])?, &*group(handles[1])?);
        // SAFETY: the program passes null or the address of a handle.
        unsafe { give(new, to) }
    })
}

entry! {
    fn MPI_Comm_group(comm: MPI_Comm, group: *mut MPI_Group) -> c_int {
        // SAFETY: the program passes null or the address of a handle.
        on_comm(FUNCTION, comm, |_, comm| unsafe { give(comm.group.clone(), group) })
    }

    fn MPI_Group_size(group: MPI_Group, size: *mut c_int) -> c_int {
        // SAFETY: the program passes null or the address of an int.
        if known(group).is_some_and(|row| unsafe { answer(size, row.get(0) as c_int) }) {
            return MPI_SUCCESS;
        }
        on_process(FUNCTION, |_| {
            let n = self::group(group)?.size() as c_int;
            // SAFETY: as above.
            unsafe { put(size, n, "size") }
        })
    }

    fn MPI_Group_rank(group: MPI_Group, rank: *mut c_int) -> c_int {
        // SAFETY: the program passes null or the address of an int.
        if known(group).is_some_and(|row| unsafe { answer(rank, row.get(1) as c_int) }) {
            return MPI_SUCCESS;
        }
        on_process(FUNCTION, |engine| {
            let mine = self::group(group)?.rank_of(engine.world_rank());
            let mine = mine.map_or(MPI_UNDEFINED, |r| r as c_int);
            // SAFETY: as above.
            unsafe { put(rank, mine, "rank") }
        })
    }

    fn MPI_Group_translate_ranks(
        group1: MPI_Group,
        n: c_int,
        ranks1: *const c_int,
        group2: MPI_Group,
        ranks2: *mut c_int,
    ) -> c_int {
        on_process(FUNCTION, |_| {
            let (from, to) = (group(group1)?, group(group2)?);
            // SAFETY: the program passes `n` ranks.
            let ranks = unsafe { list(ranks1, n, "ranks1") }?;
            for (i, rank) in ranks.iter().enumerate() {
                let there = translated(&from, *rank, &to)?;
                // SAFETY: the program passes space for `n` ranks; a null pointer stays null for the
                // first element, where `put` rejects it.
                unsafe { put(ranks2.wrapping_add(i), there, "ranks2") }?;
            }
            Ok(())
        })
    }

    fn MPI_Group_compare(group1: MPI_Group, group2: MPI_Group, result: *mut c_int) -> c_int {
        on_process(FUNCTION, |_| {
            let outcome = compared(&*group(group1)?, &*group(group2)?);
            // SAFETY: the program passes null or the address of an int.
            unsafe { put(result, outcome, "result") }
        })
    }

    fn MPI_Group_union(group1: MPI_Group, group2: MPI_Group, newgroup: *mut MPI_Group) -> c_int {
        // SAFETY: the program's promises.
        unsafe { combine(FUNCTION, [group1, group2], newgroup, union) }
    }

    fn MPI_Group_intersection(
        group1: MPI_Group,
        group2: MPI_Group,
        newgroup: *mut MPI_Group,
    ) -> c_int {
        let both = |a: &Group, b: &Group| filtered(a, |m| has(b, m));
        // SAFETY: the program's promises.
        unsafe { combine(FUNCTION, [group1, group2], newgroup, both) }
    }

    fn MPI_Group_difference(
        group1: MPI_Group,
        group2: MPI_Group,
        newgroup: *mut MPI_Group,
    ) -> c_int {
        let rest = |a: &Group, b: &Group| filtered(a, |m| !has(b, m));
        // SAFETY: the program's promises.
        unsafe { combine(FUNCTION, [group1, group2], newgroup, rest) }
    }

    fn MPI_Group_incl(
        group: MPI_Group,
        n: c_int,
        ranks: *const c_int,
        newgroup: *mut MPI_Group,
    ) -> c_int {
        on_process(FUNCTION, |_| {
            // SAFETY: the program passes `n` ranks.
            let ranks = unsafe { list(ranks, n, "ranks") }?;
            let old = self::group(group)?;
            let new = Group::new(members(&old, ranks)?).of_session(old.session());
            // SAFETY: the program passes null or the address of a handle.
            unsafe { give(new, newgroup) }
        })
    }

    fn MPI_Group_excl(
        group: MPI_Group,
        n: c_int,
        ranks: *const c_int,
        newgroup: *mut MPI_Group,
    ) -> c_int {
        on_process(FUNCTION, |_| {
            // SAFETY: the program passes `n` ranks.
            let ranks = unsafe { list(ranks, n, "ranks") }?;
            let new = without(&*self::group(group)?, ranks)?;
            // SAFETY: the program passes null or the address of a handle.
            unsafe { give(new, newgroup) }
        })
    }

    fn MPI_Group_range_incl(
        group: MPI_Group,
        n: c_int,
        ranges: *mut [c_int; 3],
        newgroup: *mut MPI_Group,
    ) -> c_int {
        on_process(FUNCTION, |_| {
            let old = self::group(group)?;
            // SAFETY: the program passes `n` triplets.
            let ranks = spelled_out(unsafe { list(ranges, n, "ranges") }?, &old)?;
            let new = Group::new(members(&old, &ranks)?).of_session(old.session());
            // SAFETY: the program passes null or the address of a handle.
            unsafe { give(new, newgroup) }
        })
    }

    fn MPI_Group_range_excl(
        group: MPI_Group,
        n: c_int,
        ranges: *mut [c_int; 3],
        newgroup: *mut MPI_Group,
    ) -> c_int {
        on_process(FUNCTION, |_| {
            let old = self::group(group)?;
            // SAFETY: the program passes `n` triplets.
            let ranks = spelled_out(unsafe { list(ranges, n, "ranges") }?, &old)?;
            // SAFETY: the program passes null or the address of a handle.
            unsafe { give(without(&old, &ranks)?, newgroup) }
        })
    }

    fn MPI_Group_free(group: *mut MPI_Group) -> c_int {
        on_process(FUNCTION, |_| {
            // SAFETY: the program passes null or the address of a handle.
            let handle = unsafe { get(group, "group") }?;
            if handle != MPI_GROUP_EMPTY {
                let number = number(handle)?;
                ANSWERS.forget(number);
                groups().remove(number).ok_or_else(|| wrong(handle))?;
            }
            // SAFETY: as above.
            unsafe { put(group, MPI_GROUP_NULL, "group") }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn g(members: &[Rank]) -> Group {
        Group::new(members.to_vec())
    }

    #[test]
    fn set_operations_keep_the_order_of_the_first_group() {
        let (a, b) = (g(&[4, 0, 2]), g(&[2, 3, 4]));
        assert_eq!(union(&a, &b), g(&[4, 0, 2, 3]));
        assert_eq!(filtered(&a, |m| has(&b, m)), g(&[4, 2]));
        assert_eq!(filtered(&a, |m| !has(&b, m)), g(&[0]));
    }

    #[test]
    fn comparison_tells_order_from_membership() {
        assert_eq!(compared(&g(&[1, 2]), &g(&[1, 2])), MPI_IDENT);
        assert_eq!(compared(&g(&[1, 2]), &g(&[2, 1])), MPI_SIMILAR);
        assert_eq!(compared(&g(&[1, 2]), &g(&[1, 3])), MPI_UNEQUAL);
        assert_eq!(compared(&g(&[1, 2]), &g(&[1, 2, 3])), MPI_UNEQUAL);
    }

    #[test]
    fn ranks_are_chosen_and_left_out() {
        let a = g(&[7, 5, 3, 1]);
        assert_eq!(members(&a, &[2, 0]), Ok(vec![3, 7]));
        assert_eq!(without(&a, &[2, 0]), Ok(g(&[5, 1])));
        for wrong in [&[4][..], &[-1], &[1, 1]] {
            assert_eq!(members(&a, wrong).unwrap_err().class, ErrorClass::Rank);
        }
    }

    #[test]
    fn ranges_run_both_ways_and_stay_inside() {
        let a = g(&[0, 1, 2, 3, 4, 5, 6, 7]);
        let ranks = |r: [c_int; 3]| spelled_out(&[r], &a);
        assert_eq!(ranks([1, 6, 2]), Ok(vec![1, 3, 5]));
        assert_eq!(ranks([6, 1, -2]), Ok(vec![6, 4, 2]));
        assert_eq!(ranks([3, 3, 5]), Ok(vec![3]));
        assert_eq!(ranks([1, 6, 0]).unwrap_err().class, ErrorClass::Arg);
        assert_eq!(ranks([1, 6, -1]).unwrap_err().class, ErrorClass::Arg);
        assert_eq!(ranks([0, i32::MAX, 1]).unwrap_err().class, ErrorClass::Rank);
    }

    #[test]
    fn translation_knows_strangers_and_the_null_process() {
        let (a, b) = (g(&[4, 0, 2]), g(&[2, 4]));
        let there = |rank| translated(&a, rank, &b);
        assert_eq!((there(0), there(1), there(2)), (Ok(1), Ok(MPI_UNDEFINED), Ok(0)));
        assert_eq!(there(MPI_PROC_NULL), Ok(MPI_PROC_NULL));
        assert!(there(3).is_err());
    }
}
