//! The performance counters: what each counts, and how far it has come in a running job.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use dunlin_base::counters::{About, Class, Counter};
use dunlin_base::{Error, ErrorClass, Result};
use dunlin_shm::Segment;
use serde::Serialize;

use crate::Answer;
use crate::paint::{DIM, GOOD, TITLE, painted, wrapped};

/// Columns before the explanations.
const INDENT: usize = 6;
/// What a segment is called among a process's descriptors. Other memory that ranks share has longer
/// names.
const SEGMENT: &str = "/memfd:dunlin (deleted)";

/// All counters.
#[derive(Debug, Serialize)]
pub struct Counters {
    /// The ranks of the node, if a process was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<Vec<u32>>,
    counters: Vec<State>,
}

#[derive(Debug, Serialize)]
struct State {
    name: &'static str,
    class: &'static str,
    unit: &'static str,
    /// What has one: each process its own.
    bound_to: &'static str,
    doc: &'static str,
    /// Of each rank of the node.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<Vec<u64>>,
    /// Of all of them: the sum, or of watermarks the highest.
    #[serde(skip)]
    of_all: u64,
}

/// The counters, and those of the ranks on the node of process `pid`.
pub fn collect(pid: Option<u32>) -> Result<Counters> {
    let segment = pid.map(segment_of).transpose()?;
    let state = |counter: Counter| {
        let About { name, class, unit, doc } = *counter.about();
        let value_of = |segment: &Segment, rank: usize| segment.counter(rank, counter);
        let values = segment.as_ref().map(|segment| {
            (0..segment.ranks()).map(|rank| value_of(segment, rank)).collect::<Vec<_>>()
        });
        let of_ranks = values.iter().flatten().copied();
        let of_all = match class {
            Class::Counter => of_ranks.sum(),
            Class::HighWatermark => of_ranks.max().unwrap_or(0),
        };
        let (class, unit) = (class.name(), unit.name());
        State { name, class, unit, bound_to: "process", doc, values, of_all }
    };
    Ok(Counters {
        ranks: segment.as_ref().map(|segment| segment.job_map().locals().to_vec()),
        counters: Counter::ALL.into_iter().map(state).collect(),
    })
}

/// The segment that a process has open.
fn segment_of(pid: u32) -> Result<Segment> {
    let failed = |what: String| Error::new(ErrorClass::Arg, what);
    let file = descriptor_of(pid).map_err(|e| {
        failed(format!(
            "the descriptors of process {pid} cannot be seen: {e}; name a running process of yours"
        ))
    })?;
    let file = file.ok_or_else(|| {
        failed(format!(
            "process {pid} is no rank of a job of Dunlin, nor the mpirun of one on this host \
             alone; name a rank on this host"
        ))
    })?;
    let opened = File::options().read(true).write(true).open(file);
    let segment = opened.and_then(Segment::open);
    segment.map_err(|e| failed(format!("the memory of process {pid}'s job cannot be read: {e}")))
}

fn descriptor_of(pid: u32) -> io::Result<Option<PathBuf>> {
    for entry in fs::read_dir(Path::new("/proc").join(pid.to_string()).join("fd"))? {
        let path = entry?.path();
        // One that was closed meanwhile is not it.
        let Ok(target) = fs::read_link(&path) else { continue };
        if target == Path::new(SEGMENT) {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

impl Answer for Counters {
    fn text(&self) -> String {
        let mut text = format!("{}\n", painted(TITLE, "Performance counters (of each process)"));
        for state in &self.counters {
            let kind = painted(DIM, &format!("{}, {}", state.class, state.unit));
            let name = painted(TITLE, state.name);
            let line = match (&state.values, &self.ranks) {
                (Some(values), Some(ranks)) => {
                    let of_all = painted(GOOD, &state.of_all.to_string());
                    format!("  {name} = {of_all}  {}\n", spread(ranks, values))
                }
                _ => format!("  {name}  {kind}\n"),
            };
            text.push_str(&line);
            if self.ranks.is_none() {
                text.push_str(&wrapped(state.doc, INDENT));
            }
        }
        text
    }
}

/// How the ranks share in a sum: those that have most and least.
fn spread(ranks: &[u32], values: &[u64]) -> String {
    let of_ranks = || values.iter().zip(ranks);
    match (of_ranks().min(), of_ranks().max_by_key(|(value, _)| *value)) {
        (Some((least, _)), Some((most, _))) if least == most => format!("each rank {most}"),
        (Some((least, few)), Some((most, many))) => {
            format!("least {least} (rank {few}), most {most} (rank {many})")
        }
        _ => String::new(),
    }
}
