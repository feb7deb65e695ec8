//! The messages of a job, and which of them are still unmatched: sends and receives between two
//! ranks match in the order in which they are posted.

use crate::queue::NEVER;
use crate::transfer::{Message, Side};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::ops::{Index, IndexMut};

/// The unmatched sends, or the unmatched receives, between two ranks: a queue, linked by
/// [`Message::next`].
#[derive(Clone, Copy, Debug)]
struct Unmatched {
    first: u32,
    last: u32,
}

/// Messages by number.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    all: Vec<Message>,
    /// Numbers of messages that are over.
    free: Vec<u32>,
    /// By sender and receiver.
    unmatched: FxHashMap<(u32, u32), Unmatched>,
}

impl Messages {
    /// The message of which this side is posted: one whose other side is there already, or a new
    /// one.
    pub fn post(&mut self, from: usize, to: usize, bytes: f64, side: Side) -> u32 {
        let pair = (from as u32, to as u32);
        match self.unmatched.entry(pair) {
            Entry::Occupied(mut place) => {
                let Unmatched { first, last } = *place.get();
                let waits = &self.all[first as usize];
                let other = match side {
                    Side::Sender => waits.sent,
                    Side::Receiver => waits.posted,
                };
                if other == NEVER {
                    match first == last {
                        true => _ = place.remove(),
                        false => place.get_mut().first = waits.next,
                    }
                    return first;
                }
                let number = add(&mut self.all, &mut self.free, Message::new(pair, bytes));
                self.all[last as usize].next = number;
                place.get_mut().last = number;
                number
            }
            Entry::Vacant(place) => {
                let number = add(&mut self.all, &mut self.free, Message::new(pair, bytes));
                place.insert(Unmatched { first: number, last: number });
                number
            }
        }
    }

    /// A message is over; another may get its number.
    pub fn release(&mut self, number: u32) {
        self.free.push(number);
    }
}

/// Gives a message a number.
fn add(all: &mut Vec<Message>, free: &mut Vec<u32>, message: Message) -> u32 {
    match free.pop() {
        Some(number) => {
            all[number as usize] = message;
            number
        }
        None => {
            all.push(message);
            (all.len() - 1) as u32
        }
    }
}

impl Index<u32> for Messages {
    type Output = Message;

    fn index(&self, number: u32) -> &Message {
        &self.all[number as usize]
    }
}

impl IndexMut<u32> for Messages {
    fn index_mut(&mut self, number: u32) -> &mut Message {
        &mut self.all[number as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
        #[test]
        fn sends_and_receives_of_a_pair_match_in_order(
            posts in prop::collection::vec((0usize..3, 0usize..3, any::<bool>()), 1..200),
        ) {
            let mut messages = Messages::default();
            // By sender and receiver: what misses a side, and whether it has been sent.
            let mut waiting: [[VecDeque<(u32, bool)>; 3]; 3] = Default::default();
            for (from, to, sends) in posts {
                let side = if sends { Side::Sender } else { Side::Receiver };
                let number = messages.post(from, to, 1.0, side);
                let message = &mut messages[number];
                prop_assert_eq!(message.pair, (from as u32, to as u32));
                *(if sends { &mut message.sent } else { &mut message.posted }) = 0;
                if waiting[from][to].front().is_some_and(|first| first.1 != sends) {
                    prop_assert_eq!(waiting[from][to].pop_front(), Some((number, !sends)));
                    messages.release(number);
                } else {
                    prop_assert!(waiting.iter().flatten().flatten().all(|m| m.0 != number));
                    waiting[from][to].push_back((number, sends));
                }
            }
        }
    }
}
