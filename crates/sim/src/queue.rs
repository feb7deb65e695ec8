//! The events of a simulation in the order of their times: a radix heap (Ahuja, Mehlhorn, Orlin,
//! Tarjan 1990), which costs a constant number of moves per event because time never goes back.

/// Picoseconds since the beginning.
pub(crate) type Time = u64;

/// A time that has not come yet.
pub(crate) const NEVER: Time = Time::MAX;

/// Buckets: one for the present, and one for each bit in which a later time may first differ.
const BUCKETS: usize = Time::BITS as usize + 1;

/// Events that have not happened yet.
#[derive(Debug)]
pub(crate) struct EventQueue<E> {
    now: Time,
    buckets: Vec<Vec<(Time, E)>>,
}

impl<E> EventQueue<E> {
    pub fn new() -> EventQueue<E> {
        EventQueue { now: 0, buckets: (0..BUCKETS).map(|_| Vec::new()).collect() }
    }

    /// The time of the last event taken.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Whether nothing else happens now, as far as is known.
    pub fn is_over(&self) -> bool {
        self.buckets[0].is_empty()
    }

    /// Adds an event. One that should have happened already happens now.
    pub fn push(&mut self, at: Time, event: E) {
        let at = at.max(self.now);
        let bucket = self.bucket(at);
        self.buckets[bucket].push((at, event));
    }

    /// Takes the earliest event; which of several at the same time depends on nothing but what was
    /// pushed.
    pub fn pop(&mut self) -> Option<(Time, E)> {
        if self.buckets[0].is_empty() {
            let first = self.buckets.iter().position(|bucket| !bucket.is_empty())?;
            let mut events = std::mem::take(&mut self.buckets[first]);
            self.now = events.iter().map(|event| event.0).min()?;
            for event in events.drain(..) {
                let bucket = self.bucket(event.0);
                self.buckets[bucket].push(event);
            }
            // All have gone to buckets before this one, which keeps its memory.
            self.buckets[first] = events;
        }
        self.buckets[0].pop()
    }

    fn bucket(&self, at: Time) -> usize {
        (Time::BITS - (at ^ self.now).leading_zeros()) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn events_come_in_the_order_of_their_times(steps in prop::collection::vec(
            prop::collection::vec(0u64..1000, 0..5), 1..50,
        )) {
            let (mut queue, mut taken, mut put) = (EventQueue::new(), Vec::new(), 0);
            for delays in steps {
                for delay in delays {
                    queue.push(queue.now() + delay, ());
                    put += 1;
                }
                taken.extend(queue.pop().map(|event| event.0));
            }
            taken.extend(std::iter::from_fn(|| queue.pop().map(|event| event.0)));
            prop_assert!(taken.is_sorted());
            prop_assert_eq!(taken.len(), put);
        }
    }
}
