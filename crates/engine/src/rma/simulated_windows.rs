//! One-sided communication of whole jobs in one process, drawn from a seed: two to eight ranks on
//! several nodes put, get, accumulate and swap in epochs of every kind, over a network in virtual
//! time that loses, doubles, delays and reorders packets, while ranks stay away for long. Every
//! rank is an engine of its own, in a thread of its own, of which one runs at a time. What the
//! standard promises is checked against a model (`model.rs`).
//!
//! `SEED=123` runs that job alone; `SEEDS=10000` runs so many.

mod model;
mod plan;
mod player;
mod turns;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use dunlin_base::settings::Settings;
use dunlin_fabric::Peer;
use dunlin_shm::Node;

use crate::dice::Dice;
use crate::engine::{Engine, global, selection};
use crate::p2p::messages::Messages;
use crate::p2p::simulated_jobs::job::Nodes;
use crate::p2p::simulated_jobs::network::Network;
use crate::p2p::simulated_jobs::seeds;
use model::Model;
use plan::Plan;
use player::Player;
use turns::Turns;

/// Some seconds.
const SEEDS: u64 = if cfg!(debug_assertions) { 40 } else { 200 };

#[test]
fn windows_of_simulated_jobs_keep_the_promises_of_the_standard() {
    let mut nodes = Nodes::default();
    for seed in seeds(SEEDS) {
        if let Err(why) = run(&mut nodes, seed) {
            let again = format!("SEED={seed} cargo test -p dunlin-engine --release windows_of");
            panic!("the job of seed {seed}: {why}; repeat: {again}");
        }
    }
}

/// What all ranks of a job have in common.
struct Job {
    plan: Plan,
    network: Arc<Network>,
    turns: Turns,
    model: Model,
}

/// The job of a seed; an error is what was wrong in it.
fn run(nodes: &mut Nodes, seed: u64) -> Result<(), String> {
    let mut dice = Dice(seed);
    let plan = Plan::draw(&mut dice);
    let network = match plan.is_long {
        true => Network::draw_remote(&mut dice, plan.nodes.len()),
        false => Network::draw(&mut dice, plan.nodes.len()),
    };
    let places = nodes.fresh(&plan.nodes, Some(&network));
    places.iter().for_each(|node| network.publish(node));
    let turns = Turns::new(network.clone(), plan.nodes.len(), &mut dice);
    let model = Model::new(&plan);
    let job = Arc::new(Job { plan, network, turns, model });
    let looking = Arc::downgrade(&job);
    job.network.on_look(Box::new(move |rank| {
        looking.upgrade().iter().for_each(|job| job.turns.pass(rank as usize));
    }));
    let ranks = places.into_iter().enumerate().map(|(me, node)| {
        let (job, dice) = (job.clone(), Dice(dice.below(u64::MAX)));
        std::thread::spawn(move || play(&job, me, node, dice))
    });
    // All are there before the first has its turn.
    let ranks: Vec<_> = ranks.collect();
    job.turns.begin();
    ranks.into_iter().for_each(|rank| rank.join().expect("a rank catches its panics"));
    match job.turns.failure() {
        Some(why) => Err(why),
        None => job.model.check_histories(),
    }
}

/// The life of a rank.
fn play(job: &Job, me: usize, node: &'static Node, dice: Dice) {
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        job.turns.enter(me);
        let engine = Box::new(engine_of(job, me, node));
        let installed: *const Engine = &*engine;
        // SAFETY: it lives until the thread has forgotten it, below or with its end.
        global::SIMULATED.set(Some(unsafe { &*installed }));
        Player::new(job, me, &engine, dice).play();
        // Not `close`: whether MPI runs is known to the whole process, which other tests share.
        engine.wait_until(|| engine.messages.borrow().is_flushed(), || None);
        engine.leave_network();
        global::SIMULATED.set(None);
    }));
    match outcome {
        Ok(()) => job.turns.leave(me),
        Err(panic) => job.turns.fail(me, &*panic),
    }
}

fn engine_of(job: &Job, me: usize, node: &'static Node) -> Engine {
    let Plan { single_copy, settings, .. } = &job.plan;
    let settings = settings.iter().map(|&(name, value)| (name.into(), value.into()));
    let settings = Settings::checked(settings).expect("settings are right");
    let mut messages = Messages::new(node, *single_copy);
    messages.net = Some(Box::new(job.network.transport(me as Peer, node)));
    let named = selection::Named::read(&settings).expect("no table is named");
    let selection = named.rules(None).expect("the built-in rules");
    let engine = Engine::over(node, messages, None, &settings, selection);
    engine.users.set(1);
    engine
}
