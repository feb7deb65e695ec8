//! Whose turn it is: of the threads of a simulated job one runs at a time, and passes the turn on
//! when it looks for packets or has nothing to do. So a seed always gives the same job.

use std::any::Any;
use std::sync::Arc;

use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::dice::Dice;
use crate::p2p::simulated_jobs::network::Network;

/// Nanoseconds of a turn.
const TURN_NANOS: u64 = 300;
/// Turns after which a job should long have ended.
const TURNS_MAX: u64 = 2_000_000;
/// The most turns that a rank stays away.
const PAUSE_MAX: u64 = 1000;
/// Rounds without a packet after which time passes faster.
const QUIET_ROUNDS: u64 = 3;

/// The panic of a rank that ends because another has failed.
struct Stopped;

struct State {
    dice: Dice,
    /// Whose turn it is; nobody's before the job begins.
    current: Option<usize>,
    /// Ranks that still run.
    left: Vec<usize>,
    /// The turn until which each stays away.
    away: Vec<u64>,
    turn: u64,
    /// Packets so far, and in which turn that was first seen.
    posted: (u64, u64),
    failure: Option<String>,
}

/// The turns of a job.
pub(super) struct Turns {
    network: Arc<Network>,
    /// Whether ranks stay away at times.
    have_pauses: bool,
    /// A rank that has more turns than others.
    favourite: usize,
    state: Mutex<State>,
    places: Vec<Condvar>,
}

impl Turns {
    pub fn new(network: Arc<Network>, ranks: usize, dice: &mut Dice) -> Turns {
        let state = State {
            dice: Dice(dice.below(u64::MAX)),
            current: None,
            left: (0..ranks).collect(),
            away: vec![0; ranks],
            turn: 0,
            posted: (0, 0),
            failure: None,
        };
        Turns {
            network,
            have_pauses: dice.chance(40),
            favourite: dice.below(ranks as u64) as usize,
            state: Mutex::new(state),
            places: (0..ranks).map(|_| Condvar::new()).collect(),
        }
    }

    /// The first turn.
    pub fn begin(&self) {
        self.choose(&mut self.state.lock());
    }

    /// Waits for the first turn of a rank.
    pub fn enter(&self, me: usize) {
        self.wait(self.state.lock(), me);
    }

    /// The number of this turn.
    pub fn now(&self) -> u64 {
        self.state.lock().turn
    }

    /// Another rank may have its turn now.
    pub fn pass(&self, me: usize) {
        let mut state = self.state.lock();
        state.turn += 1;
        let turn = state.turn;
        if turn > TURNS_MAX && state.failure.is_none() {
            state.failure = Some(format!("it goes on for ever; these run: {:?}", state.left));
            self.places.iter().for_each(|place| _ = place.notify_one());
        }
        if self.have_pauses && state.dice.chance(1) && state.dice.chance(20) {
            state.away[me] = turn + state.dice.below(PAUSE_MAX);
        }
        self.network.advance(TURN_NANOS);
        let posted = self.network.posted();
        if posted != state.posted.0 {
            state.posted = (posted, turn);
        } else if turn - state.posted.1 > QUIET_ROUNDS * self.places.len() as u64 {
            self.network.advance_to_next();
        }
        self.choose(&mut state);
        self.wait(state, me);
    }

    /// A rank has ended.
    pub fn leave(&self, me: usize) {
        let mut state = self.state.lock();
        state.left.retain(|rank| *rank != me);
        self.choose(&mut state);
    }

    /// So has one whose check has failed: all end.
    pub fn fail(&self, me: usize, panic: &(dyn Any + Send)) {
        let mut state = self.state.lock();
        if !panic.is::<Stopped>() {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or(panic.downcast_ref::<&str>().copied());
            let why = format!("rank {me}: {}", text.unwrap_or("a panic without a word"));
            state.failure.get_or_insert(why);
        }
        self.places.iter().for_each(|place| _ = place.notify_one());
    }

    /// What was wrong in the job.
    pub fn failure(&self) -> Option<String> {
        self.state.lock().failure.clone()
    }

    fn choose(&self, state: &mut State) {
        let State { dice, left, away, turn, .. } = state;
        let here: Vec<usize> = left.iter().copied().filter(|rank| away[*rank] <= *turn).collect();
        let among = if here.is_empty() { left } else { &here };
        if among.is_empty() {
            return;
        }
        let drawn = among[dice.below(among.len() as u64) as usize];
        let is_favoured = among.contains(&self.favourite) && dice.chance(20);
        let next = if is_favoured { self.favourite } else { drawn };
        state.current = Some(next);
        self.places[next].notify_one();
    }

    fn wait(&self, mut state: MutexGuard<'_, State>, me: usize) {
        while state.current != Some(me) && state.failure.is_none() {
            self.places[me].wait(&mut state);
        }
        // A rank whose panic goes through its destructors passes here again.
        if state.failure.is_some() && !std::thread::panicking() {
            drop(state);
            std::panic::resume_unwind(Box::new(Stopped));
        }
    }
}
