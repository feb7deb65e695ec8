//! What a simulated job does, drawn from its seed: which messages, which receives, in which order.

use std::collections::VecDeque;

use dunlin_base::single_copy::SingleCopy;
use dunlin_base::{Rank, Tag};
use dunlin_datatype::{Datatype, Primitive};

use crate::dice::Dice;
use crate::matching::{Envelope, Pattern};
use crate::objects::buffer::UserBuffer;
use crate::p2p::messages_tests::WAYS;
use crate::p2p::request::Mode;

/// Sizes around the borders of the protocols.
const SIZES: [usize; 16] =
    [0, 1, 2, 40, 41, 100, 6143, 6144, 6145, 7660, 7661, 49_151, 49_152, 49_153, 65_536, 204_800];
const LONGEST: usize = 1 << 20;
/// Jobs on several nodes: the node of each rank.
pub(crate) const SEVERAL: [&[u32]; 7] = [
    &[0, 1],
    &[0, 0, 1],
    &[0, 1, 2],
    &[0, 1, 0, 1],
    &[0, 0, 1, 1, 1],
    &[0, 1, 2, 3, 4, 5],
    &[0, 0, 1, 1, 2, 2, 3, 3],
];
/// What receive buffers hold before, and in gaps and behind their data for ever.
const UNTOUCHED: u8 = 0xee;
/// Bytes behind a buffer that nobody may touch.
const GUARD: usize = 8;

/// A buffer of a rank: dense, or every second byte.
pub(super) struct Memory {
    bytes: Vec<u8>,
    pub len: usize,
    scattered: bool,
}

impl Memory {
    pub fn untouched(len: usize, scattered: bool) -> Memory {
        let scattered = scattered && len > 0;
        let span = if scattered { 2 * len } else { len };
        Memory { bytes: vec![UNTOUCHED; span + GUARD], len, scattered }
    }

    /// Filled with what the sequence from `key` gives.
    fn filled(len: usize, scattered: bool, key: u64) -> Memory {
        let mut memory = Memory::untouched(len, scattered);
        let (mut word, step) = (key, if memory.scattered { 2 } else { 1 });
        for (at, place) in memory.bytes.iter_mut().step_by(step).take(len).enumerate() {
            if at % 8 == 0 {
                word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            }
            *place = (word >> (8 * (at % 8))) as u8;
        }
        memory
    }

    pub fn buffer(&mut self) -> UserBuffer {
        let start = self.bytes.as_mut_ptr();
        if !self.scattered {
            // SAFETY: a job keeps its memory until its transfers are done.
            return unsafe { UserBuffer::dense(start, self.len) };
        }
        let byte = Datatype::primitive(Primitive::Byte);
        let every_second = Datatype::vector(self.len as i64, 1, 2, &byte).unwrap();
        // SAFETY: as above.
        unsafe { UserBuffer::new(start, 1, &every_second) }.unwrap()
    }

    /// The data, if it lies in one piece.
    pub fn dense(&mut self) -> Option<&mut [u8]> {
        (!self.scattered).then(|| &mut self.bytes[..self.len])
    }

    /// Whether it begins with `data`, and nothing was written behind that or between.
    pub fn holds(&self, data: impl Iterator<Item = u8>, len: usize) -> bool {
        let step = if self.scattered { 2 } else { 1 };
        let mut ours = self.bytes.chunks(step);
        let begins = data.take(len).all(|byte| ours.next().is_some_and(|place| is_in(place, byte)));
        begins && ours.flatten().all(|&byte| byte == UNTOUCHED)
    }

    pub fn data(&self) -> impl Iterator<Item = u8> {
        let step = if self.scattered { 2 } else { 1 };
        self.bytes.iter().step_by(step).take(self.len).copied()
    }
}

fn is_in(place: &[u8], byte: u8) -> bool {
    place[0] == byte && place[1..].iter().all(|&gap| gap == UNTOUCHED)
}

pub(super) struct Message {
    pub envelope: Envelope,
    pub to: usize,
    pub mode: Mode,
    pub memory: Memory,
    /// Whether its sender tries to take it back.
    pub cancel: bool,
}

/// How a receive begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// It is posted.
    Post,
    /// First the way of nonblocking receives that looks at what has arrived.
    Arrived,
    /// First the way of blocking receives that makes no request.
    Now,
    /// After a probe has found something.
    Probe,
    /// By a matching probe.
    Take,
}

#[derive(Clone)]
pub(super) struct Slot {
    pub pattern: Pattern,
    pub room: usize,
    pub scattered: bool,
    pub way: Way,
    /// Fruitless looks that are left before it is posted.
    pub looks: u64,
    pub cancel: bool,
}

/// What a rank does in a step. Numbers are places in the lists of the plan or the rank.
pub(super) enum Act {
    Send(usize),
    CancelSend(usize),
    Receive(Slot),
    CancelReceive(usize),
    /// Receives what a matching probe has taken.
    ReceiveTaken(usize),
}

pub(super) struct Plan {
    /// The node of each rank.
    pub nodes: Vec<u32>,
    pub single_copy: SingleCopy,
    pub messages: Vec<Message>,
    pub scripts: Vec<VecDeque<Act>>,
}

impl Plan {
    pub fn draw(dice: &mut Dice) -> Plan {
        let nodes = nodes(dice);
        let ranks = nodes.len();
        let single_copy = WAYS[dice.below(4) as usize];
        let messages = messages(dice, ranks);
        let mut sends: Vec<VecDeque<Act>> = (0..ranks).map(|_| VecDeque::new()).collect();
        let mut receives: Vec<Vec<Slot>> = (0..ranks).map(|_| Vec::new()).collect();
        let wild = [0, 10, 50][dice.below(3) as usize];
        for (number, message) in messages.iter().enumerate() {
            sends[message.envelope.source as usize].push_back(Act::Send(number));
            receives[message.to].push(slot(dice, message, wild));
        }
        let in_order = dice.chance(30);
        let scripts = sends
            .into_iter()
            .zip(receives)
            .map(|(sends, mut slots)| {
                if !in_order {
                    shuffle(dice, &mut slots);
                }
                merged(dice, sends, slots)
            })
            .collect();
        Plan { nodes, single_copy, messages, scripts }
    }
}

/// Where the ranks run.
fn nodes(dice: &mut Dice) -> Vec<u32> {
    match dice.chance(50) {
        true => vec![0; 2 + dice.below(7) as usize],
        false => SEVERAL[dice.below(SEVERAL.len() as u64) as usize].to_vec(),
    }
}

fn messages(dice: &mut Dice, ranks: usize) -> Vec<Message> {
    // Bursts fill the ring of a pair; few tags make many messages alike.
    let burst = match dice.below(10) {
        0 | 1 => Burst::Small,
        2 => Burst::Large,
        _ => Burst::No,
    };
    let count = match burst {
        Burst::No => 1 + dice.below(60),
        Burst::Small => 200 + dice.below(400),
        Burst::Large => 30 + dice.below(60),
    };
    let (from, target) = (dice.below(ranks as u64), dice.below(ranks as u64) as usize);
    let (tags, contexts) = (1 + dice.below(3), 1 + dice.below(2));
    let (sources, synchronous) = (1 + dice.below(ranks as u64), dice.below(60));
    let (scattered, cancel) = (dice.below(30), [0, 10, 40][dice.below(3) as usize]);
    (0..count)
        .map(|number| {
            let in_pair = burst != Burst::No && dice.chance(90);
            let source = if in_pair { from } else { dice.below(sources) } as Rank;
            let envelope = Envelope {
                context: 4 + 2 * dice.below(contexts),
                source,
                tag: dice.below(tags) as Tag,
            };
            let is_synchronous = dice.chance(synchronous);
            let mode = if is_synchronous { Mode::Synchronous } else { Mode::Standard };
            let is_scattered = dice.chance(scattered);
            let len = size(dice, burst);
            let memory = Memory::filled(len, is_scattered, dice.below(u64::MAX) ^ number);
            let to = if in_pair { target } else { dice.below(ranks as u64) as usize };
            Message { envelope, to, mode, memory, cancel: dice.chance(cancel) }
        })
        .collect()
}

/// Whether most messages go from one rank to one other, and which.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Burst {
    No,
    Small,
    Large,
}

fn size(dice: &mut Dice, burst: Burst) -> usize {
    if burst == Burst::Large {
        return 8000 + dice.below(130_000) as usize;
    }
    let drawn = match dice.below(100) {
        0 => LONGEST,
        1..50 => SIZES[dice.below(6) as usize],
        50..60 => 2 + dice.below(10_000) as usize,
        _ => SIZES[dice.below(SIZES.len() as u64) as usize],
    };
    if burst == Burst::Small { drawn.min(6145) } else { drawn }
}

/// A receive for a message, which may get another one.
fn slot(dice: &mut Dice, message: &Message, wild: u64) -> Slot {
    let Envelope { context, source, tag } = message.envelope;
    let source = (!dice.chance(wild)).then_some(source);
    let tag = (!dice.chance(wild)).then_some(tag);
    let len = message.memory.len;
    let room = match dice.below(10) {
        0 => dice.below(len as u64 + 1) as usize,
        1 => len + 1 + dice.below(100_000) as usize,
        _ => len,
    };
    let way = match dice.below(10) {
        0..5 => Way::Post,
        5 => Way::Now,
        6 => Way::Arrived,
        7 => Way::Probe,
        _ => Way::Take,
    };
    let pattern = Pattern { context, source, tag };
    let (scattered, cancel) = (dice.chance(10), dice.chance(10));
    Slot { pattern, room, scattered, way, looks: dice.below(20), cancel }
}

fn shuffle(dice: &mut Dice, slots: &mut [Slot]) {
    for end in (1..slots.len()).rev() {
        slots.swap(end, dice.below(end as u64 + 1) as usize);
    }
}

/// Sends and receives of a rank in one order: mixed, or mostly one kind first.
fn merged(dice: &mut Dice, mut sends: VecDeque<Act>, slots: Vec<Slot>) -> VecDeque<Act> {
    let sends_first = [5, 50, 95][dice.below(3) as usize];
    let mut receives: VecDeque<Act> = slots.into_iter().map(Act::Receive).collect();
    let mut script = VecDeque::new();
    while !sends.is_empty() && !receives.is_empty() {
        let next = if dice.chance(sends_first) { &mut sends } else { &mut receives };
        script.extend(next.pop_front());
    }
    script.extend(sends);
    script.extend(receives);
    script
}
