//! What a rank publishes for the others of its node.

use crate::path::Moment;
use crate::queue::Time;
use dunlin_coll::{STAGES, STEPS};

/// Steps whose slots exist at a time.
const SLOTS: usize = STAGES * STEPS;

/// What a rank publishes at one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exhibit {
    pub step: usize,
    pub at: Time,
    pub moment: Moment,
    /// Bytes of its own memory, if it is that and no copy.
    pub exposed: Option<f64>,
    /// When the next reader gets the line.
    pub line_free: Time,
    /// When the next reader may count itself a user of pages of the owner's memory.
    pub pages_free: Time,
}

/// What a rank publishes.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    slots: Vec<Option<Exhibit>>,
    /// Ranks that wait for one of its steps.
    pub readers: Vec<u32>,
    /// When the next thing that it publishes can be seen at the earliest.
    pub next_at: Time,
    /// Stages that this rank has left.
    pub left: usize,
    /// Whether any of its own memory is exposed.
    pub exposed: bool,
}

impl Segment {
    pub fn find(&mut self, step: usize) -> Option<&mut Exhibit> {
        let slot = self.slots.get_mut(step % SLOTS)?.as_mut();
        slot.filter(|exhibit| exhibit.step == step)
    }

    /// Publishes; what has stood there is gone.
    pub fn put(&mut self, exhibit: Exhibit) {
        self.exposed |= exhibit.exposed.is_some();
        if self.slots.is_empty() {
            self.slots.resize(SLOTS, None);
        }
        self.slots[exhibit.step % SLOTS] = Some(exhibit);
    }
}
