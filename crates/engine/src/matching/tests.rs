use super::fifos::effort;
use super::{Envelope, Matching, Pattern, PostedId};
use crate::dice::Dice;

/// The largest source a key has room for.
const SOURCE_MAX: u32 = (1 << 30) - 1;

const fn envelope(context: u64, source: u32, tag: i32) -> Envelope {
    Envelope { context, source, tag }
}

fn pattern(context: u64, source: impl Into<Option<u32>>, tag: impl Into<Option<i32>>) -> Pattern {
    Pattern { context, source: source.into(), tag: tag.into() }
}

#[test]
fn the_receive_posted_first_gets_the_message_whatever_its_wildcards() {
    let kinds =
        [pattern(1, 2, 3), pattern(1, None, 3), pattern(1, 2, None), pattern(1, None, None)];
    for first in 0..kinds.len() {
        let mut matching = Matching::<usize, ()>::new();
        for turn in 0..kinds.len() {
            matching.post(&kinds[(first + turn) % kinds.len()], turn);
        }
        for turn in 0..kinds.len() {
            assert_eq!(matching.arrive(&envelope(1, 2, 3)), Some(turn), "first is {first}");
        }
        assert!(matching.is_empty());
    }
}

#[test]
fn the_message_that_arrived_first_is_taken_by_every_kind_of_receive() {
    let kinds =
        [pattern(1, 2, 3), pattern(1, None, 3), pattern(1, 2, None), pattern(1, None, None)];
    for kind in kinds {
        let mut matching = Matching::<(), u32>::new();
        matching.store(envelope(9, 2, 3), 0);
        matching.store(envelope(1, 2, 3), 1);
        matching.store(envelope(1, 2, 3), 2);
        assert_eq!(matching.peek(&kind), Some((&envelope(1, 2, 3), &1)));
        assert_eq!(matching.take(&kind), Some((envelope(1, 2, 3), 1)));
        assert_eq!(matching.take(&kind), Some((envelope(1, 2, 3), 2)));
        assert_eq!(matching.take(&kind), None);
        assert_eq!(matching.unexpected_len(), 1);
    }
}

#[test]
fn another_context_source_or_tag_does_not_match() {
    let mut matching = Matching::<u32, ()>::new();
    matching.post(&pattern(1, 2, 3), 0);
    matching.post(&pattern(1, None, 4), 1);
    matching.post(&pattern(1, 5, None), 2);
    for other in [envelope(2, 2, 3), envelope(1, 3, 3), envelope(1, 2, 5), envelope(2, 5, 4)] {
        assert_eq!(matching.arrive(&other), None, "{other:?}");
    }
    assert_eq!(matching.posted_len(), 3);
}

#[test]
fn extreme_ranks_and_tags_are_no_wildcards() {
    let mut matching = Matching::<u32, u32>::new();
    let extreme = envelope(u64::MAX, SOURCE_MAX, i32::MAX);
    matching.post(&pattern(u64::MAX, SOURCE_MAX, i32::MAX), 7);
    assert_eq!(matching.arrive(&envelope(u64::MAX, 0, 0)), None);
    assert_eq!(matching.arrive(&extreme), Some(7));
    matching.store(extreme, 8);
    assert_eq!(matching.take(&pattern(u64::MAX, 0, None)), None);
    assert_eq!(matching.take(&pattern(u64::MAX, None, i32::MAX)), Some((extreme, 8)));
}

#[test]
fn a_cancelled_receive_is_gone_and_its_id_stays_dead_when_the_slot_is_used_again() {
    let mut matching = Matching::<u32, ()>::new();
    let first = matching.post(&pattern(1, 0, 0), 10);
    let second = matching.post(&pattern(1, 0, 0), 11);
    assert_eq!(matching.cancel(first), Some(10));
    assert_eq!(matching.cancel(first), None);
    let third = matching.post(&pattern(1, 0, 0), 12);
    assert_eq!(matching.cancel(first), None);
    assert_eq!(matching.arrive(&envelope(1, 0, 0)), Some(11));
    assert_eq!(matching.cancel(second), None);
    assert_eq!(matching.cancel(third), Some(12));
    assert!(matching.is_empty());
}

#[test]
fn diagnostics_show_patterns_and_messages_as_they_were_given() {
    let mut matching = Matching::<u32, &str>::new();
    let kinds =
        [pattern(1, 2, 3), pattern(4, None, 5), pattern(6, 7, None), pattern(8, None, None)];
    for (number, kind) in kinds.iter().enumerate() {
        matching.post(kind, number as u32);
    }
    matching.store(envelope(20, 1, 1), "older");
    matching.store(envelope(20, 0, 0), "newer");
    let mut seen: Vec<_> = matching.posted().map(|(pattern, id)| (*id, pattern)).collect();
    seen.sort_by_key(|(id, _)| *id);
    assert_eq!(seen, [(0, kinds[0]), (1, kinds[1]), (2, kinds[2]), (3, kinds[3])]);
    let messages: Vec<_> = matching.unexpected().map(|(_, message)| *message).collect();
    assert_eq!(messages, ["older", "newer"]);
}

/// The rules and nothing else: two lists searched from their beginning.
#[derive(Default)]
struct Model {
    posted: Vec<(PostedId, Pattern, u64)>,
    stored: Vec<(Envelope, u64)>,
}

impl Model {
    fn arrive(&mut self, envelope: &Envelope) -> Option<u64> {
        let at = self.posted.iter().position(|(_, pattern, _)| pattern.fits(envelope))?;
        Some(self.posted.remove(at).2)
    }

    fn peek(&self, pattern: &Pattern) -> Option<&(Envelope, u64)> {
        self.stored.iter().find(|(envelope, _)| pattern.fits(envelope))
    }

    fn take(&mut self, pattern: &Pattern) -> Option<(Envelope, u64)> {
        let at = self.stored.iter().position(|(envelope, _)| pattern.fits(envelope))?;
        Some(self.stored.remove(at))
    }

    fn cancel(&mut self, id: PostedId) -> Option<u64> {
        let at = self.posted.iter().position(|(posted, ..)| *posted == id)?;
        Some(self.posted.remove(at).2)
    }
}

/// One random history: how many contexts, sources and tags there are, how often a receive leaves a
/// field open, and whether receives or messages run ahead.
struct History {
    dice: Dice,
    spread: u64,
    wild_percent: u64,
    receive_percent: u64,
    ids: Vec<PostedId>,
    next: u64,
    matching: Matching<u64, u64>,
    model: Model,
}

impl History {
    fn new(seed: u64) -> History {
        let mut dice = Dice(seed);
        let spread = [1, 2, 5, 40][dice.below(4) as usize];
        let wild_percent = [0, 10, 50, 100][dice.below(4) as usize];
        let receive_percent = 20 + dice.below(60);
        let (matching, model) = (Matching::new(), Model::default());
        History {
            dice,
            spread,
            wild_percent,
            receive_percent,
            ids: vec![],
            next: 0,
            matching,
            model,
        }
    }

    fn envelope(&mut self) -> Envelope {
        let context = self.dice.below(self.spread.min(3));
        envelope(context, self.dice.below(self.spread) as u32, self.dice.below(self.spread) as i32)
    }

    fn pattern(&mut self) -> Pattern {
        let Envelope { context, source, tag } = self.envelope();
        let source = (!self.dice.chance(self.wild_percent)).then_some(source);
        let tag = (!self.dice.chance(self.wild_percent)).then_some(tag);
        Pattern { context, source, tag }
    }

    fn receive(&mut self) {
        let pattern = self.pattern();
        if self.dice.chance(10) {
            let first = self.model.peek(&pattern).map(|(_, message)| *message);
            let mut seen = None;
            let refuse = |message: &u64| seen.replace(*message).is_some();
            assert_eq!(self.matching.take_if(&pattern, refuse), None, "refuse {pattern:?}");
            assert_eq!(seen, first, "refuse {pattern:?}");
        }
        let taken = self.matching.take(&pattern);
        assert_eq!(taken, self.model.take(&pattern), "take {pattern:?}");
        if taken.is_none() {
            let id = self.matching.post(&pattern, self.next);
            self.model.posted.push((id, pattern, self.next));
            self.ids.push(id);
        }
    }

    fn message(&mut self) {
        let envelope = self.envelope();
        let got = self.matching.arrive(&envelope);
        assert_eq!(got, self.model.arrive(&envelope), "arrive {envelope:?}");
        if got.is_none() {
            self.matching.store(envelope, self.next);
            self.model.stored.push((envelope, self.next));
        }
    }

    fn step(&mut self) {
        self.next += 1;
        match self.dice.below(10) {
            0 if !self.ids.is_empty() => {
                let id = self.ids[self.dice.below(self.ids.len() as u64) as usize];
                assert_eq!(self.matching.cancel(id), self.model.cancel(id), "cancel {id:?}");
            }
            1 => {
                let pattern = self.pattern();
                let found = self.matching.peek(&pattern).map(|(envelope, m)| (*envelope, *m));
                assert_eq!(found, self.model.peek(&pattern).copied(), "peek {pattern:?}");
            }
            _ if self.dice.chance(self.receive_percent) => self.receive(),
            _ => self.message(),
        }
        assert_eq!(self.matching.posted_len(), self.model.posted.len());
        assert_eq!(self.matching.unexpected_len(), self.model.stored.len());
    }

    fn compare_iterations(&self) {
        let stored: Vec<_> = self.matching.unexpected().map(|(e, m)| (*e, *m)).collect();
        assert_eq!(stored, self.model.stored);
        let mut posted: Vec<_> = self.matching.posted().map(|(p, r)| (*r, p)).collect();
        posted.sort_by_key(|(receive, _)| *receive);
        let expected: Vec<_> = self.model.posted.iter().map(|(_, p, r)| (*r, *p)).collect();
        assert_eq!(posted, expected);
    }
}

#[test]
fn random_histories_agree_with_two_plain_lists() {
    const HISTORIES: u64 = 200;
    const STEPS: usize = 1500;
    for seed in 0..HISTORIES {
        println!("seed {seed}");
        let mut history = History::new(seed);
        for _ in 0..STEPS {
            history.step();
        }
        history.compare_iterations();
        // Now let the other side run ahead, so that the queue empties and its indexes go.
        history.receive_percent = 100 - history.receive_percent;
        for _ in 0..STEPS {
            history.step();
        }
        history.compare_iterations();
    }
}

/// Entries looked at for one message or receive, at most, on average over a test.
const POLLS_PER_CALL: u64 = 8;
const MANY: u32 = 10_000;

fn check_effort(what: &str, calls: u64) {
    let polls = effort::take();
    assert!(polls <= POLLS_PER_CALL * calls, "{what}: {polls} entries looked at in {calls} calls");
}

/// Spreads 10,000 messages over sources and tags.
fn scattered(number: u32) -> Envelope {
    envelope(1, number % 100, (number / 100) as i32)
}

/// Withdraws the fields that class number `kind` leaves open.
fn widen(envelope: &Envelope, kind: u32) -> Pattern {
    let source = (kind & 1 == 0).then_some(envelope.source);
    let tag = (kind & 2 == 0).then_some(envelope.tag);
    Pattern { context: envelope.context, source, tag }
}

#[test]
fn a_message_is_not_slowed_by_ten_thousand_posted_receives() {
    for kind in 0..4 {
        let mut matching = Matching::<u32, ()>::new();
        effort::take();
        for number in 0..MANY {
            matching.post(&widen(&scattered(number), kind), number);
        }
        // Latest posted first: the worst order for a list.
        for number in (0..MANY).rev() {
            assert!(matching.arrive(&scattered(number)).is_some());
        }
        assert!(matching.is_empty());
        check_effort(&format!("cico, class {kind}"), u64::from(2 * MANY));
    }
}

#[test]
fn a_receive_is_not_slowed_by_ten_thousand_stored_messages() {
    for kind in 0..4 {
        let mut matching = Matching::<(), u32>::new();
        effort::take();
        for number in 0..MANY {
            matching.store(scattered(number), number);
        }
        for number in (0..MANY).rev() {
            assert!(matching.take(&widen(&scattered(number), kind)).is_some());
        }
        assert!(matching.is_empty());
        check_effort(&format!("stored, class {kind}"), u64::from(2 * MANY));
    }
}

#[test]
fn a_long_queue_under_one_key_is_not_in_the_way_of_others() {
    let mut matching = Matching::<u32, u32>::new();
    effort::take();
    for number in 0..MANY {
        matching.post(&pattern(1, 0, 0), number);
        matching.store(envelope(2, 0, 0), number);
    }
    for number in 0..MANY {
        assert_eq!(matching.arrive(&envelope(1, 1, number as i32)), None);
        assert_eq!(matching.take(&pattern(2, 1, number as i32)), None);
    }
    check_effort("one long queue", u64::from(4 * MANY));
}

#[test]
fn cancelling_in_any_order_is_cheap() {
    let mut matching = Matching::<u32, ()>::new();
    for reverse in [false, true] {
        let mut ids: Vec<_> =
            (0..MANY).map(|number| matching.post(&pattern(1, number % 7, None), number)).collect();
        effort::take();
        if reverse {
            ids.reverse();
        }
        for id in ids {
            assert!(matching.cancel(id).is_some());
        }
        assert!(matching.is_empty());
        check_effort("cancel", u64::from(MANY));
    }
}

#[test]
fn mixed_kinds_of_receives_empty_a_flood_cheaply_and_in_order() {
    let mut matching = Matching::<(), u32>::new();
    for number in 0..MANY {
        matching.store(scattered(number), number);
    }
    effort::take();
    for number in 0..MANY {
        let oldest = scattered(number);
        let taken = matching.take(&widen(&oldest, number % 4));
        assert_eq!(taken, Some((oldest, number)));
    }
    check_effort("mixed flood", u64::from(5 * MANY));
}
