//! What the protocol promises beside getting everything across: see `sim` for that.

use dunlin_seal::{Direction, JobKey, Keys, Security, TAG_BYTES};
use dunlin_wire::{
    Config, Consumed, Credentials, Endpoint, Guarantee, HEADER_BYTES, MatchHeader, Nanos,
    PacketSink, RemoteKey, Stats, UpperLayer, alive,
};

const KEY: [u8; 32] = [0x5a; 32];
const HEAD: MatchHeader = MatchHeader { context: 2, source: 0, tag: 1 };
const PACKET: usize = 1000;

/// Takes everything and says so at once or never.
struct Sink {
    taken: Consumed,
    received: usize,
}

impl UpperLayer for Sink {
    fn whole(&mut self, _: u32, _: MatchHeader, _: &[u8]) -> Consumed {
        self.received += 1;
        self.taken
    }
    fn begin(&mut self, _: u32, _: MatchHeader, _: u64) -> (u32, Consumed) {
        (7, self.taken)
    }
    fn part(&mut self, _: u32, _: u32, offset: u64, data: &[u8]) {
        assert!(offset + data.len() as u64 <= 1 << 20);
    }
    fn completed(&mut self, _: u32, _: u32) {
        self.received += 1;
    }
    fn rts(&mut self, _: u32, _: MatchHeader, _: u64, _: u32, _: Option<RemoteKey>) {
        self.received += 1;
    }
    fn fill(&mut self, _: u32, _: u64, _: &mut [u8]) {}
    fn sent(&mut self, _: u32) {}
    fn lost(&mut self, peer: u32) {
        panic!("{peer} is lost");
    }
}

/// Packets on their way, for the test to deliver or not.
#[derive(Default)]
struct Air {
    packets: Vec<Vec<u8>>,
    space: Vec<u8>,
    is_busy: bool,
}

impl PacketSink for Air {
    fn incarnation(&mut self, peer: u32) -> Option<u64> {
        Some(incarnation(peer))
    }
    fn space(&mut self, _: u32) -> Option<&mut [u8]> {
        self.space.resize(PACKET, 0);
        (!self.is_busy).then_some(&mut self.space)
    }
    fn post(&mut self, _: u32, len: usize) {
        self.packets.push(self.space[..len].to_vec());
    }
}

/// That of each process in these tests.
fn incarnation(rank: u32) -> u64 {
    1000 + u64::from(rank)
}

fn credentials(key: [u8; 32], rank: u32) -> Credentials {
    let keys = Keys::new(&JobKey::new(key), Security::Off);
    Credentials { keys, incarnation: incarnation(rank) }
}

fn endpoint(config: Config, rank: u32) -> Endpoint {
    Endpoint::new(config, credentials(KEY, rank), rank, 2)
}

fn sign_of_life(from: u32, to: u32, stamp: u64) -> Vec<u8> {
    let direction = Direction { from, to, incarnation: incarnation(to) };
    alive(&credentials(KEY, from).keys, direction, stamp).to_vec()
}

struct Two {
    ends: [Endpoint; 2],
    sinks: [Sink; 2],
    now: Nanos,
}

impl Two {
    /// The second says nothing for so long that the first gives it up.
    fn stay_silent(&mut self) {
        self.stay_silent_for(self.ends[0].config().peer_timeout * 9 / 8);
    }

    /// The sink panics when a peer is lost.
    fn stay_silent_for(&mut self, time: u64) {
        for _ in 0..8 {
            self.now += time / 8;
            self.ends[0].on_time(self.now, &mut self.sinks[0]);
            self.packets(0);
        }
    }

    fn new(config: Config, taken: Consumed) -> Two {
        let ends = [0, 1].map(|me| endpoint(config, me));
        Two { ends, sinks: [0, 1].map(|_| Sink { taken, received: 0 }), now: 1 }
    }

    /// What one end has to send now.
    fn packets(&mut self, from: usize) -> Vec<Vec<u8>> {
        let mut air = Air::default();
        while self.ends[from].transmit(self.now, &mut air, &mut self.sinks[from]) {}
        air.packets
    }

    fn deliver(&mut self, to: usize, packets: &[Vec<u8>]) {
        for packet in packets {
            self.ends[to].on_packet(self.now, packet, &mut self.sinks[to]);
        }
    }

    fn send(&mut self, payload: &[u8]) {
        self.ends[0].send_whole(1, HEAD, payload);
    }
}

fn lossy() -> Config {
    Config::new(Guarantee::None, PACKET)
}

#[test]
fn a_loss_is_mended_by_what_arrives_after_it_without_waiting_for_a_timer() {
    let config =
        Config { retransmit_min: Nanos::MAX / 2, retransmit_max: Nanos::MAX / 2, ..lossy() };
    let mut two = Two::new(Config { ack_after: 1, ..config }, Consumed::Now);
    for n in 0..40 {
        two.now += 10_000;
        two.send(&[0; 8]);
        let packets = two.packets(0);
        if n != 20 {
            two.deliver(1, &packets);
        }
        two.now += 10_000;
        let answers = two.packets(1);
        two.deliver(0, &answers);
    }
    assert_eq!(two.sinks[1].received, 40);
    assert_eq!(two.ends[0].stats().retransmitted, 1);
}

#[test]
fn a_receiver_that_takes_nothing_stops_eager_messages_and_no_others() {
    for guarantee in [Guarantee::None, Guarantee::Reliable] {
        let config = Config { eager_budget: 10_000, ..Config::new(guarantee, PACKET) };
        let mut two = Two::new(config, Consumed::Later);
        let mut eager = 0;
        while two.ends[0].may_send_eagerly(1, 500) {
            two.send(&[0; 500]);
            eager += 1;
        }
        assert!((10..=20).contains(&eager), "{eager}");
        two.ends[0].rts(1, HEAD, 500, 1, None);
        let packets = two.packets(0);
        two.deliver(1, &packets);
        assert_eq!(two.sinks[1].received, eager + 1);
        // What receives take then is told without being asked.
        for _ in 0..eager {
            two.ends[1].taken(0, 500);
        }
        let answers = two.packets(1);
        two.deliver(0, &answers);
        assert!(two.ends[0].may_send_eagerly(1, 500), "{guarantee:?}");
    }
}

#[test]
fn a_message_leaves_at_once_unless_something_waits_before_it_or_it_has_no_room() {
    let mut two = Two::new(Config { window: 2, ..lossy() }, Consumed::Now);
    let (mut air, mut busy) = (Air::default(), Air { is_busy: true, ..Air::default() });
    assert!(!two.ends[0].send_whole_now(1, 1, (HEAD, b"a"), &mut air), "nothing has gone to it");
    two.send(b"a");
    assert!(!two.ends[0].send_whole_now(1, 1, (HEAD, b"b"), &mut air), "one waits");
    let packets = two.packets(0);
    two.deliver(1, &packets);
    assert!(!two.ends[0].send_whole_now(1, 1, (HEAD, b"b"), &mut busy), "no room");
    assert!(two.ends[0].send_whole_now(1, 1, (HEAD, b"b"), &mut air));
    assert!(!two.ends[0].send_whole_now(1, 1, (HEAD, b"c"), &mut air), "the window is full");
    two.deliver(1, &air.packets);
    assert_eq!((two.sinks[1].received, two.ends[0].stats().sent), (2, 2));
}

#[test]
fn small_messages_share_a_packet_while_the_fabric_is_busy() {
    let mut two = Two::new(lossy(), Consumed::Now);
    let mut busy = Air { is_busy: true, ..Air::default() };
    for _ in 0..100 {
        two.send(&[0; 8]);
        assert!(!two.ends[0].transmit(two.now, &mut busy, &mut two.sinks[0]));
    }
    let packets = two.packets(0);
    assert!(packets.len() <= 100 * 31 / (PACKET - HEADER_BYTES - 31) + 1, "{}", packets.len());
    two.deliver(1, &packets);
    assert_eq!(two.sinks[1].received, 100);
}

#[test]
fn a_message_costs_one_packet_and_a_stream_of_them_few_answers() {
    let mut two = Two::new(lossy(), Consumed::Now);
    for _ in 0..64 {
        two.send(&[0; 8]);
        let packets = two.packets(0);
        assert_eq!(packets.len(), 1);
        two.deliver(1, &packets);
        let answers = two.packets(1);
        two.deliver(0, &answers);
    }
    assert_eq!(two.ends[1].stats().answers, 3);
    // The last ones, for which the sender has not asked.
    two.now += two.ends[1].config().ack_delay;
    for answers in [1, 0] {
        let sinks = &mut two.sinks;
        two.ends[1].on_time(two.now, &mut sinks[1]);
        assert_eq!(two.packets(1).len(), answers);
    }
}

#[test]
fn a_peer_that_says_it_lives_is_waited_for() {
    let mut two = Two::new(lossy(), Consumed::Now);
    two.send(&[0; 8]);
    two.packets(0);
    let peer_timeout = two.ends[0].config().peer_timeout;
    for stamp in 1..=10 {
        two.now += peer_timeout * 3 / 4;
        two.deliver(0, &[sign_of_life(1, 0, stamp)]);
        // The sink panics when a peer is lost.
        let sinks = &mut two.sinks;
        two.ends[0].on_time(two.now, &mut sinks[0]);
        two.packets(0);
    }
    assert_eq!(two.ends[0].stats().foreign, 0);
    two.deliver(1, &[sign_of_life(0, 1, 1)]);
    assert!(two.ends[1].is_flushed() && two.packets(1).is_empty());
}

#[test]
fn a_peer_is_expected_to_take_leave_once_it_is_known_and_until_one_of_both_leaves() {
    let mut two = Two::new(Config::new(Guarantee::Reliable, PACKET), Consumed::Now);
    assert!(!two.ends[1].expects_farewell(0), "nothing was said");
    two.send(&[0; 8]);
    let first = two.packets(0);
    two.deliver(1, &first);
    assert!(two.ends.iter().zip([1, 0]).all(|(end, peer)| end.expects_farewell(peer)));
    two.ends[0].leave(two.now, false);
    assert!(!two.ends[0].expects_farewell(1), "whoever leaves does not mind");
    assert!(two.ends[1].expects_farewell(0));
    let close = two.packets(0);
    two.deliver(1, &close);
    assert!(!two.ends[1].expects_farewell(0));
}

#[test]
fn a_farewell_that_overtakes_what_was_sent_before_it_still_counts() {
    for guarantee in [Guarantee::None, Guarantee::Reliable] {
        let mut two = Two::new(Config::new(guarantee, PACKET), Consumed::Now);
        two.send(&[0; 8]);
        let late = two.packets(0);
        two.ends[0].leave(two.now, false);
        let close = two.packets(0);
        two.deliver(1, &close);
        two.deliver(1, &late);
        two.ends[1].leave(two.now, false);
        let answers = two.packets(1);
        two.deliver(0, &answers);
        let last = two.packets(0);
        two.deliver(1, &last);
        assert_eq!(two.ends.each_ref().map(|end| end.may_go(two.now)), [true, true]);
        // One that has come back has not left, but who was leaving may go all the same.
        two.ends[0].come_back();
        two.send(&[0; 8]);
        let packets = two.packets(0);
        two.deliver(1, &packets);
        assert!(two.ends[1].may_go(two.now), "{guarantee:?}");
        two.ends[1].come_back();
        two.ends[1].leave(two.now, false);
        let again = two.packets(1);
        two.deliver(0, &again);
        let answers = two.packets(0);
        two.deliver(1, &answers);
        assert!(!two.ends[1].may_go(two.now), "{guarantee:?}");
    }
}

#[test]
fn a_farewell_is_acknowledged_more_than_once_since_nobody_may_be_left_to_repeat_it() {
    let mut two = Two::new(lossy(), Consumed::Now);
    two.send(&[0; 8]);
    two.ends[0].leave(two.now, false);
    let close = two.packets(0);
    two.deliver(1, &close);
    two.ends[1].leave(two.now, false);
    assert!(!two.ends[1].may_go(two.now), "it owes acknowledgements");
    let answers = two.packets(1);
    assert_eq!(answers.len(), 3);
    two.deliver(0, &answers[2..]);
    assert!(two.ends[0].is_flushed());
}

#[test]
fn a_process_that_may_return_does_not_wait_for_who_waits_for_it_in_the_next_session() {
    for guarantee in [Guarantee::None, Guarantee::Reliable] {
        for may_return in [false, true] {
            let mut two = Two::new(Config::new(guarantee, PACKET), Consumed::Later);
            two.send(&[0; 8]);
            let packets = two.packets(0);
            two.deliver(1, &packets);
            two.ends[1].leave(two.now, may_return);
            let answers = two.packets(1);
            assert_eq!(two.ends[1].may_go(two.now), may_return && guarantee == Guarantee::Reliable);
            two.deliver(0, &answers);
            let acknowledgements = two.packets(0);
            two.deliver(1, &acknowledgements);
            assert_eq!(two.ends[1].may_go(two.now), may_return, "{guarantee:?}");
            two.ends[1].come_back();
            two.ends[1].taken(0, 8);
            two.ends[1].leave(two.now, may_return);
            assert!(!two.ends[1].may_go(two.now), "nothing is left to be received");
        }
    }
}

#[test]
fn a_peer_that_has_left_and_is_silent_need_not_know_that_this_process_leaves_too() {
    let mut two = one_that_has_left();
    two.ends[0].leave(two.now, true);
    two.packets(0);
    two.stay_silent();
    assert!(two.ends[0].may_go(two.now) && two.packets(0).is_empty());
    two.ends[0].come_back();
    two.send(&[0; 8]);
    assert!(!two.ends[0].is_flushed());
    let again = two.packets(0);
    assert!(!again.is_empty(), "a message is sent to it all the same");
    two.stay_silent_for(two.ends[0].config().peer_timeout / 2);
    two.deliver(1, &again);
    let answers = two.packets(1);
    two.deliver(0, &answers);
}

#[test]
#[should_panic(expected = "1 is lost")]
fn a_peer_that_has_left_and_is_silent_is_lost_if_it_does_not_answer_a_message() {
    let mut two = one_that_has_left();
    two.send(&[0; 8]);
    two.packets(0);
    two.stay_silent();
}

#[test]
fn who_leaves_and_answers_a_message_announces_again_that_it_leaves() {
    let mut two = Two::new(lossy(), Consumed::Now);
    two.ends[0].rts(1, HEAD, 5000, 3, None);
    two.ends[1].leave(two.now, false);
    for from in [0, 1, 0] {
        let packets = two.packets(from);
        two.deliver(1 - from, &packets);
    }
    two.ends[1].cts(0, 3, 0, 0);
    let answer = two.packets(1);
    two.deliver(0, &answer);
    two.ends[0].leave(two.now, false);
    for from in [0, 1, 0] {
        let packets = two.packets(from);
        two.deliver(1 - from, &packets);
    }
    assert!(two.ends[0].may_go(two.now) && two.ends[1].may_go(two.now));
}

/// Two of which the second has left, and the first knows.
fn one_that_has_left() -> Two {
    let mut two = Two::new(lossy(), Consumed::Now);
    two.send(&[0; 8]);
    let first = two.packets(0);
    two.deliver(1, &first);
    two.ends[1].leave(two.now, true);
    let close = two.packets(1);
    two.deliver(0, &close);
    two
}

/// A packet that comes last opens the window, after the others were answered by the way.
#[test]
fn a_sender_never_waits_for_credit_that_its_peer_has_given() {
    let mut two = Two::new(Config::new(Guarantee::Reliable, PACKET), Consumed::Now);
    let window = two.ends[0].config().window as usize;
    let mut sent = Vec::new();
    for _ in 0..window + 1 {
        two.send(&[0; 8]);
        sent.extend(two.packets(0));
    }
    assert_eq!(sent.len(), window);
    let late = sent.remove(0);
    let rest = sent.split_off(window - 10);
    two.deliver(1, &sent);
    two.ends[1].send_whole(0, HEAD, &[0; 8]);
    let by_the_way = two.packets(1);
    two.deliver(0, &by_the_way);
    two.deliver(1, &rest);
    two.deliver(1, &[late]);
    let answers = two.packets(1);
    two.deliver(0, &answers);
    assert_eq!(two.packets(0).len(), 1);
}

#[test]
fn a_reliable_fabric_is_not_told_what_it_knows() {
    let mut two = Two::new(Config::new(Guarantee::Reliable, PACKET), Consumed::Now);
    for _ in 0..63 {
        two.send(&[0; 8]);
        let packets = two.packets(0);
        two.deliver(1, &packets);
    }
    assert!(two.ends[0].is_flushed());
    assert_eq!(two.packets(1).len(), 0);
    assert_eq!((two.ends[0].next_timeout(), two.ends[1].next_timeout()), (None, None));
}

#[test]
fn packets_of_others_are_counted_and_dropped() {
    let mut two = Two::new(lossy(), Consumed::Now);
    two.send(b"right");
    let right = two.packets(0).remove(0);
    let mut stranger = Endpoint::new(lossy(), credentials([0x5b; 32], 0), 0, 2);
    stranger.send_whole(1, HEAD, b"wrong");
    let mut air = Air::default();
    stranger.transmit(1, &mut air, &mut two.sinks[0]);
    let wrong_key = air.packets.remove(0);
    let mut wrong_source = right.clone();
    wrong_source[16] = 200;
    two.deliver(1, &[wrong_key, wrong_source]);
    assert_eq!(two.ends[1].stats().foreign, 2);
    // Cut within the header, and within a frame.
    two.deliver(1, &[right[..30].to_vec(), right[..right.len() - 1].to_vec()]);
    assert_eq!((two.ends[1].stats().malformed, two.ends[1].stats().foreign), (1, 3));
    assert_eq!(two.sinks[1].received, 0);
    two.deliver(1, &[right.clone(), right.clone(), right]);
    assert_eq!((two.sinks[1].received, two.ends[1].stats().duplicates), (1, 2));
}

#[test]
fn a_sign_of_life_counts_once_and_for_its_receiver_alone() {
    let mut two = Two::new(lossy(), Consumed::Now);
    two.send(&[0; 8]);
    two.packets(0);
    let peer_timeout = two.ends[0].config().peer_timeout;
    let sign = sign_of_life(1, 0, 7);
    let of_an_earlier_process = alive(
        &credentials(KEY, 1).keys,
        Direction { from: 1, to: 0, incarnation: incarnation(0) - 1 },
        8,
    );
    let mut is_lost = false;
    for quarter in 0..8 {
        two.now += peer_timeout / 4;
        let repeated = [sign.clone(), of_an_earlier_process.to_vec(), sign_of_life(1, 0, 6)];
        two.deliver(0, &repeated);
        let mut up = Watch::default();
        two.ends[0].on_time(two.now, &mut up);
        is_lost |= up.is_lost;
        assert!(!is_lost || quarter >= 3, "the first sign counts");
        two.packets(0);
    }
    assert!(is_lost, "a dead peer lives as long as somebody repeats what it has said");
    assert_eq!(two.ends[0].stats().foreign, 8);
}

/// Sees who is lost.
#[derive(Default)]
struct Watch {
    is_lost: bool,
}

impl UpperLayer for Watch {
    fn whole(&mut self, _: u32, _: MatchHeader, _: &[u8]) -> Consumed {
        Consumed::Now
    }
    fn begin(&mut self, _: u32, _: MatchHeader, _: u64) -> (u32, Consumed) {
        (7, Consumed::Now)
    }
    fn part(&mut self, _: u32, _: u32, _: u64, _: &[u8]) {}
    fn completed(&mut self, _: u32, _: u32) {}
    fn rts(&mut self, _: u32, _: MatchHeader, _: u64, _: u32, _: Option<RemoteKey>) {}
    fn fill(&mut self, _: u32, _: u64, _: &mut [u8]) {}
    fn sent(&mut self, _: u32) {}
    fn lost(&mut self, _: u32) {
        self.is_lost = true;
    }
}

#[test]
fn repeated_packets_provoke_no_answer_and_do_not_prolong_a_peers_life() {
    let mut two = Two::new(lossy(), Consumed::Now);
    two.send(b"once");
    let packets = two.packets(0);
    two.deliver(1, &packets);
    two.now += two.ends[1].config().ack_delay;
    let sinks = &mut two.sinks;
    two.ends[1].on_time(two.now, &mut sinks[1]);
    assert_eq!(two.packets(1).len(), 1);
    for _ in 0..1000 {
        two.deliver(1, &packets);
        assert_eq!(two.packets(1).len(), 0);
    }
    assert_eq!((two.sinks[1].received, two.ends[1].stats().duplicates), (1, 1000));
    // One that is sent again has not been answered, and is.
    two.now += two.ends[0].config().retransmit_max;
    let sinks = &mut two.sinks;
    two.ends[0].on_time(two.now, &mut sinks[0]);
    let again = two.packets(0);
    two.deliver(1, &again);
    assert_eq!((again.len(), two.packets(1).len()), (1, 1));
}

/// What receives have taken is counted in a circle: an answer of half a circle ago would look like
/// one of the future.
#[test]
fn an_old_answer_gives_no_credit() {
    let budget = 1 << 20;
    let config = Config { eager_budget: budget, ..Config::new(Guarantee::None, PACKET) };
    let mut two = Two::new(config, Consumed::Later);
    let mut old = Vec::new();
    // The messages themselves need not go: receives take what they like.
    for round in 0..3 * (1u64 << 31) / u64::from(budget / 2) / 2 {
        two.ends[1].taken(0, u64::from(budget / 2));
        let answers = two.packets(1);
        assert_eq!(answers.len(), 1);
        if round == 0 {
            old.clone_from(&answers);
        }
        two.deliver(0, &answers);
    }
    let before = two.ends[0].may_send_eagerly(1, 8);
    two.deliver(0, &old);
    assert_eq!(two.ends[0].may_send_eagerly(1, 8), before);
}

#[test]
fn what_an_earlier_process_of_this_rank_was_sent_is_foreign() {
    let mut two = Two::new(lossy(), Consumed::Now);
    two.send(b"before");
    let packets = two.packets(0);
    let next = Credentials { incarnation: 77, ..credentials(KEY, 1) };
    two.ends[1] = Endpoint::new(lossy(), next, 1, 2);
    two.deliver(1, &packets);
    assert_eq!((two.sinks[1].received, two.ends[1].stats().foreign), (0, 1));
}

/// Right packets with random changes, cut anywhere: what is handed up stays within its message, and
/// nothing breaks. `FUZZED=10000000` for a long run.
#[test]
fn mangled_packets_do_no_harm() {
    let fuzzed = std::env::var("FUZZED").map_or(300_000, |n| n.parse().expect("a number"));
    let mut two = Two::new(Config { window: 16, ..lossy() }, Consumed::Now);
    let mut random = 0x9e37_79b9_u64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random as usize
    };
    two.send(&[1; 100]);
    two.ends[0].rts(1, HEAD, 5000, 3, None);
    two.ends[0].send_segments(1, HEAD, 3000, 4);
    let right = two.packets(0);
    let to = Direction { from: 0, to: 1, incarnation: incarnation(1) };
    let seal = credentials(KEY, 0).keys.seal(to);
    let mut seen = Stats::default();
    for n in 0..fuzzed {
        // A receiver that has seen all numbers would take nothing for new any more.
        if n % 64 == 0 {
            seen = seen + two.ends[1].stats();
            two.ends[1] = endpoint(lossy(), 1);
        }
        let mut packet = right[next() % right.len()].clone();
        for _ in 0..next() % 8 {
            // Mostly behind stamp and source: those before are looked at first.
            let from = if next() % 4 == 0 { 0 } else { 20 };
            let at = from + next() % (packet.len() - from);
            packet[at] = next() as u8;
        }
        packet.truncate(1 + next() % (2 * packet.len()));
        // A wrong tag ends it all, so most get a right one: as if a process of the job had gone
        // mad.
        if packet.len() >= HEADER_BYTES && next() % 4 > 0 {
            let (stamp, rest) = packet[TAG_BYTES..].split_first_chunk().expect("a header");
            let tag = seal.tag(u64::from_le_bytes(*stamp), [rest, b""]);
            packet[..TAG_BYTES].copy_from_slice(&tag.to_le_bytes());
        }
        two.deliver(1, &[packet]);
    }
    eprintln!("{fuzzed} packets: {seen:?}");
    let dropped = [seen.malformed, seen.foreign, seen.duplicates, seen.beyond, seen.stale];
    for kind in dropped.into_iter().chain([seen.received]) {
        assert!(kind > fuzzed / 500, "{seen:?}");
    }
}
