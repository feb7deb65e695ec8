//! What a simulated job does, drawn from its seed: where its ranks are, its windows, and a script
//! for every rank. The scripts are correct programs: free of races and of deadlocks.

use dunlin_base::Rank;
use dunlin_base::single_copy::SingleCopy;

use crate::dice::Dice;
use crate::p2p::messages_tests::WAYS;
use crate::p2p::simulated_jobs::plan::SEVERAL;
use crate::rma::simulated_windows::plan::Act::*;
use dunlin_shm::window_part::LockKind::{self, Exclusive, Shared};

/// Cells for each origin: operations fit into a packet, or do not, or copy nothing.
const SLOTS: [usize; 4] = [8, 60, 900, 40_000];
/// Percent of the operations that may be as long as a slot: usually, and in jobs of long ones.
const LONG: [u64; 2] = [30, 80];
/// Words of `DUNLIN_RMA` and `DUNLIN_PROGRESS`.
const RMA: [&str; 2] = ["auto", "messages"];
const PROGRESS: [&str; 2] = ["auto", "none"];

/// Where a rank's cells, of eight bytes, lie in its part of a window. Behind them, for each origin,
/// are a slot that only that origin accesses, and one that only it accumulates to.
pub(super) const COUNTER: usize = 0;
pub(super) const SWAPPED: usize = 1;
/// Changed by who has the lock alone, without atomic operations.
pub(super) const GUARDED: usize = 2;
/// The same, all cells to one number.
pub(super) const BLOCK: std::ops::Range<usize> = 3..19;
/// Sums of what all add.
pub(super) const SUMS: std::ops::Range<usize> = 19..23;

/// How a window is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    Created,
    Allocated,
    Dynamic,
}

/// A window.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub made: Made,
    /// Bytes of a unit of displacement, where it is not dynamic.
    pub unit: usize,
    /// Cells of a slot.
    pub slot: usize,
    pub ranks: usize,
}

impl Shape {
    /// Cells of a part.
    pub fn cells(&self) -> usize {
        SUMS.end + 2 * self.slot * self.ranks
    }

    /// Where the slot begins that an origin puts to.
    pub fn put_slot(&self, origin: usize) -> usize {
        SUMS.end + 2 * self.slot * origin
    }

    /// Where the slot begins that it accumulates to.
    pub fn sum_slot(&self, origin: usize) -> usize {
        self.put_slot(origin) + self.slot
    }
}

/// What a rank does next. Operations name the target; where in its slot, they say in cells.
#[derive(Debug, Clone)]
pub(super) enum Act {
    Fence(bool),
    Lock {
        target: Rank,
        kind: LockKind,
        asks: bool,
    },
    Unlock(Rank),
    LockAll(bool),
    UnlockAll,
    /// To lock another window, while this one is in use.
    LockAllOther,
    UnlockAllOther,
    Post(Vec<Rank>),
    Start(Vec<Rank>),
    Complete,
    Wait,
    /// Until it is true.
    Test,
    /// A barrier, after which all origins have completed: so the test is true at once.
    BarrierAndTest,
    Flush(Option<Rank>),
    FlushLocal(Option<Rank>),
    Put {
        target: Rank,
        at: usize,
        cells: usize,
        strided: bool,
        by_request: bool,
    },
    Get {
        target: Rank,
        at: usize,
        cells: usize,
        by_request: bool,
    },
    /// In order: to the slot of this origin, a sum or a replacement, fetching or not.
    InOrder {
        target: Rank,
        at: usize,
        cells: usize,
        replaces: bool,
        fetches: bool,
    },
    Add {
        target: Rank,
        sum: usize,
    },
    Count(Rank),
    Swap(Rank),
    /// With the lock alone, in this window or the other one.
    Increment {
        target: Rank,
        in_other: bool,
    },
    WriteBlock(Rank),
    /// With a lock.
    ReadBlock(Rank),
    /// So many turns without a call of MPI.
    Compute(u64),
}

/// A part of the job that begins and ends with a barrier.
#[derive(Debug)]
pub(super) struct Phase {
    pub window: usize,
    pub scripts: Vec<Vec<Act>>,
}

/// A job.
#[derive(Debug)]
pub(super) struct Plan {
    pub nodes: Vec<u32>,
    pub single_copy: SingleCopy,
    pub settings: Vec<(&'static str, &'static str)>,
    /// Whether ranks that compute have a progress thread.
    pub have_thread: bool,
    /// Whether most operations are long, on allocated and created windows: for networks that do
    /// these by themselves.
    pub is_long: bool,
    pub windows: [Shape; 2],
    pub phases: Vec<Phase>,
}

impl Plan {
    pub fn draw(dice: &mut Dice) -> Plan {
        let nodes = SEVERAL[dice.below(SEVERAL.len() as u64) as usize].to_vec();
        let ranks = nodes.len();
        let progress = PROGRESS[dice.below(2) as usize];
        let is_long = dice.chance(20);
        let (kinds, slots) = if is_long { (2, &SLOTS[3..]) } else { (3, &SLOTS[..]) };
        let windows = std::array::from_fn(|_| Shape {
            made: [Made::Created, Made::Allocated, Made::Dynamic][dice.below(kinds) as usize],
            unit: [1, 8][dice.below(2) as usize],
            slot: slots[dice.below(slots.len() as u64) as usize],
            ranks,
        });
        let phases = (0..2 + dice.below(3)).map(|_| {
            let window = dice.below(2) as usize;
            let long = LONG[usize::from(is_long)];
            let mut draw = Draw { dice, ranks, slot: windows[window].slot, long };
            let scripts = match draw.dice.below(4) {
                0 => draw.fences(),
                1 => draw.groups(),
                _ => draw.locks(),
            };
            Phase { window, scripts }
        });
        let phases = phases.collect();
        let rma = if is_long { RMA[0] } else { RMA[dice.below(2) as usize] };
        Plan {
            nodes,
            single_copy: WAYS[dice.below(WAYS.len() as u64) as usize],
            settings: vec![
                ("DUNLIN_WAIT", "spin"),
                ("DUNLIN_RMA", rma),
                ("DUNLIN_PROGRESS", progress),
            ],
            have_thread: progress == "auto",
            is_long,
            windows,
            phases,
        }
    }
}

/// Draws the scripts of a phase.
struct Draw<'a> {
    dice: &'a mut Dice,
    ranks: usize,
    slot: usize,
    long: u64,
}

impl Draw<'_> {
    fn rank(&mut self) -> Rank {
        self.dice.below(self.ranks as u64) as Rank
    }

    /// An operation that is right in every epoch.
    fn operation(&mut self, target: Rank) -> Act {
        let longest = if self.dice.chance(self.long) { self.slot } else { self.slot.min(8) };
        let cells = 1 + self.dice.below(longest as u64) as usize;
        let at = self.dice.below((self.slot - cells + 1) as u64) as usize;
        match self.dice.below(11) {
            0..=2 => {
                let (strided, by_request) = (self.dice.chance(30), self.dice.chance(30));
                Put { target, at, cells, strided, by_request }
            }
            3 | 4 => Get { target, at, cells, by_request: self.dice.chance(30) },
            5 | 6 => {
                let (replaces, fetches) = (self.dice.chance(50), self.dice.chance(40));
                InOrder { target, at, cells, replaces, fetches }
            }
            7 => Add { target, sum: self.dice.below(SUMS.len() as u64) as usize },
            8 | 9 => Count(target),
            _ => Swap(target),
        }
    }

    fn idle(&mut self, script: &mut Vec<Act>) {
        if self.dice.chance(10) {
            script.push(Compute(self.dice.below(60)));
        }
    }

    /// Operations on some of these, and what may stand between them where locks are held.
    fn operations(&mut self, targets: &[Rank], script: &mut Vec<Act>, has_locks: bool) {
        for _ in 0..self.dice.below(7) {
            let target = targets[self.dice.below(targets.len() as u64) as usize];
            let act = self.operation(target);
            script.push(act);
            self.idle(script);
            if has_locks && self.dice.chance(20) {
                let which = Some(target).filter(|_| self.dice.chance(60));
                script.push(if self.dice.chance(60) { Flush(which) } else { FlushLocal(which) });
            }
        }
    }

    fn for_all(&mut self, mut script: impl FnMut(&mut Self, usize) -> Vec<Act>) -> Vec<Vec<Act>> {
        (0..self.ranks).map(|me| script(self, me)).collect()
    }

    fn fences(&mut self) -> Vec<Vec<Act>> {
        let (all, fences): (Vec<Rank>, _) = ((0..self.ranks as Rank).collect(), self.dice.below(3));
        self.for_all(|draw, _| {
            let mut script = vec![Fence(true)];
            for last in (0..=fences).rev() {
                draw.operations(&all, &mut script, false);
                script.push(Fence(last > 0));
            }
            script
        })
    }

    /// Post, start, complete and wait among groups that are drawn: who accesses whom.
    fn groups(&mut self) -> Vec<Vec<Act>> {
        let mut scripts = vec![Vec::new(); self.ranks];
        for _ in 0..1 + self.dice.below(3) {
            let pairs = self.ranks * self.ranks;
            let accesses: Vec<bool> = (0..pairs).map(|_| self.dice.chance(40)).collect();
            let has_barrier = self.dice.chance(30);
            for (me, script) in scripts.iter_mut().enumerate() {
                let others = 0..self.ranks;
                let members = |accesses: &dyn Fn(usize) -> bool| {
                    others.clone().filter(|r| accesses(*r)).map(|r| r as Rank).collect::<Vec<_>>()
                };
                let origins = members(&|origin| accesses[origin * self.ranks + me]);
                let targets = members(&|target| accesses[me * self.ranks + target]);
                script.push(Post(origins));
                self.idle(script);
                script.push(Start(targets.clone()));
                if !targets.is_empty() {
                    self.operations(&targets, script, false);
                }
                script.push(Complete);
                self.idle(script);
                script.push(match self.dice.chance(50) {
                    _ if has_barrier => BarrierAndTest,
                    true => Wait,
                    false => Test,
                });
            }
        }
        scripts
    }

    /// Locks of every kind, in the order of ranks where several are held.
    fn locks(&mut self) -> Vec<Vec<Act>> {
        let alone = [0, 40, 90][self.dice.below(3) as usize];
        let guards_other = alone > 0 && self.dice.chance(30);
        self.for_all(|draw, _| {
            let mut script = Vec::new();
            script.extend(guards_other.then_some(LockAllOther));
            for _ in 0..1 + draw.dice.below(5) {
                match draw.dice.chance(25) {
                    true => draw.lock_all(&mut script, alone == 0),
                    false => draw.lock_some(&mut script, alone, guards_other),
                }
                draw.idle(&mut script);
            }
            script.extend(guards_other.then_some(UnlockAllOther));
            script
        })
    }

    fn lock_all(&mut self, script: &mut Vec<Act>, may_trust: bool) {
        let all: Vec<Rank> = (0..self.ranks as Rank).collect();
        let asks = !may_trust || self.dice.chance(50);
        script.push(LockAll(asks));
        for _ in 0..1 + self.dice.below(2) {
            self.operations(&all, script, true);
            if asks && self.dice.chance(40) {
                script.push(ReadBlock(self.rank()));
            }
        }
        script.push(UnlockAll);
    }

    fn lock_some(&mut self, script: &mut Vec<Act>, alone: u64, guards_other: bool) {
        let mut targets = vec![self.rank()];
        if self.dice.chance(25) {
            targets.extend([self.rank(), self.rank()]);
            targets.sort_unstable();
            targets.dedup();
        }
        for &target in &targets {
            let kind = if self.dice.chance(alone) { Exclusive } else { Shared };
            let asks = alone > 0 || self.dice.chance(70);
            script.push(Lock { target, kind, asks });
            if kind == Exclusive {
                let in_other = guards_other && self.dice.chance(50);
                script.push(Increment { target, in_other });
                if self.dice.chance(50) {
                    script.push(WriteBlock(target));
                }
            } else if self.dice.chance(50) {
                script.push(ReadBlock(target));
            }
            self.idle(script);
        }
        self.operations(&targets, script, true);
        while !targets.is_empty() {
            let at = self.dice.below(targets.len() as u64) as usize;
            script.push(Unlock(targets.swap_remove(at)));
        }
    }
}
