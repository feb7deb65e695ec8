//! The words of [`crate::message`] on the channel between two agents: a greeting, then frames,
//! each its length and its bytes.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// How an agent's first words begin, whatever its version. A login that prints a greeting of its
/// own comes before.
const GREETING: &[u8] = b"\x02Dunlin agent\x03";
/// Raised with every change of the frames.
const PROTOCOL: u32 = 6;
/// The longest frame: addresses of a million ranks.
const FRAME_BYTES_MAX: usize = 128 << 20;
/// What a login may print before the agent's first words.
const NOISE_BYTES_MAX: usize = 64 * 1024;
/// The longest version in a greeting.
const VERSION_BYTES_MAX: usize = 64;
/// Bytes of the length before a frame.
const LENGTH_BYTES: usize = size_of::<u32>();

/// What this program and those it talks to must have in common.
pub fn version() -> String {
    format!("{} (protocol {PROTOCOL})", env!("CARGO_PKG_VERSION"))
}

/// An agent's first words.
pub fn greeting() -> Vec<u8> {
    greeting_of(&version())
}

fn greeting_of(version: &str) -> Vec<u8> {
    [GREETING, &[version.len() as u8], version.as_bytes()].concat()
}

/// The bytes of a frame.
pub fn frame(word: &impl Serialize) -> Vec<u8> {
    // It fails where memory runs out, and for types that none of the messages has.
    let mut frame = postcard::to_extend(word, vec![0; LENGTH_BYTES]).expect("messages have bytes");
    let body = (frame.len() - LENGTH_BYTES) as u32;
    frame[..LENGTH_BYTES].copy_from_slice(&body.to_le_bytes());
    frame
}

/// What is wrong with what came through a channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Garbled {
    /// These are not an agent's first words.
    NoAgent,
    /// An agent of this version.
    Version(String),
    /// Not a frame.
    Frame,
}

/// Takes bytes as they come and gives frames.
#[derive(Debug, Default)]
pub struct FrameReader {
    bytes: Vec<u8>,
    used: usize,
}

impl FrameReader {
    /// Appends what was read.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.used);
        self.used = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// What has come and is not used yet.
    pub fn rest(&self) -> &[u8] {
        &self.bytes[self.used..]
    }

    /// Takes the greeting; tells whether it is complete.
    pub fn greeting(&mut self) -> Result<bool, Garbled> {
        let rest = self.rest();
        let Some(at) = rest.windows(GREETING.len()).position(|w| w == GREETING) else {
            return if rest.len() > NOISE_BYTES_MAX { Err(Garbled::NoAgent) } else { Ok(false) };
        };
        let after = &rest[at + GREETING.len()..];
        let Some((&len, after)) = after.split_first() else { return Ok(false) };
        if usize::from(len) > VERSION_BYTES_MAX {
            return Err(Garbled::NoAgent);
        }
        let Some(theirs) = after.get(..len.into()) else { return Ok(false) };
        if theirs != version().as_bytes() {
            return Err(Garbled::Version(String::from_utf8_lossy(theirs).into_owned()));
        }
        self.used += at + GREETING.len() + 1 + usize::from(len);
        Ok(true)
    }

    /// Takes the next frame, if all of it has come.
    pub fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Garbled> {
        let rest = self.rest();
        let Some((length, rest)) = rest.split_first_chunk() else { return Ok(None) };
        let length = u32::from_le_bytes(*length) as usize;
        if length > FRAME_BYTES_MAX {
            return Err(Garbled::Frame);
        }
        let Some(body) = rest.get(..length) else { return Ok(None) };
        let Ok((word, [])) = postcard::take_from_bytes(body) else { return Err(Garbled::Frame) };
        self.used += LENGTH_BYTES + length;
        Ok(Some(word))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use dunlin_pmi::Ask;
    use dunlin_shm::address::Address;
    use dunlin_shm::stall::Stall;

    use super::*;
    use crate::exit_status::Fault;
    use crate::message::{Order, Report, Start};
    use crate::options::{Common, Part, Request};
    use crate::stall_report::{Activity, HeldLock};

    fn start() -> Start {
        let part = Part { program: "a.out".into(), ranks: Some(3), ..Part::default() };
        let common = Common { timeout: Some(Duration::from_secs(9)), ..Common::default() };
        Start {
            request: Request { parts: vec![part], common },
            env: vec![("A".into(), "b".into())],
            directory: "/scratch".into(),
            key: [17; 32],
            hosts: vec!["a".into(), "b".into()],
            machine: Some("hpc7g".into()),
            ranks: vec![(0, 0), (1, 0), (1, 0)],
            sharers: vec![1, 2],
            is_live: [true, false],
        }
    }

    fn reports() -> Vec<Report> {
        let stall = Stall {
            function: "MPI_Recv".into(),
            comm: "w".into(),
            peer: Some(1),
            tag: None,
            holder: Some(4),
            lock: Some(5),
            since_ns: 8,
        };
        vec![
            Report::Ready(3, "m".into(), Some("hpc7g".into())),
            Report::Output(7, 1, b"text\xff\n".to_vec()),
            Report::Fault(Fault::Killed(9), 2, 4711),
            Report::Fault(Fault::CutOff("gone".into()), 1, 4712),
            Report::Activities(
                1,
                vec![(0, Activity::Waiting(stall)), (1, Activity::Finished)],
                vec![HeldLock { target: 2, window: 1 << 40, holder: 0 }],
            ),
            Report::Addresses(vec![(5, Address::new(&[1, 2, 3]).unwrap())]),
            Report::Lost(vec![1, 2], "host b: gone".into()),
            Report::Fence(3, vec![("key".into(), "value".into())]),
            Report::Ask(2, Ask::Publish("name".into(), "port".into())),
            Report::Heartbeat,
        ]
    }

    #[test]
    fn frames_arrive_however_they_are_cut() {
        let orders = [Order::Start(Box::new(start())), Order::End(15, 400), Order::Leave];
        let bytes: Vec<u8> = orders.iter().flat_map(frame).collect();
        for piece in [1, 3, 64, bytes.len()] {
            let (mut frame_reader, mut arrived) = (FrameReader::default(), Vec::new());
            for bytes in bytes.chunks(piece) {
                frame_reader.push(bytes);
                while let Some(order) = frame_reader.next::<Order>().unwrap() {
                    arrived.push(order);
                }
            }
            assert_eq!(arrived, orders);
        }
        let (mut frame_reader, all) = (FrameReader::default(), reports());
        frame_reader.push(&all.iter().flat_map(frame).collect::<Vec<u8>>());
        let arrived = std::iter::from_fn(|| frame_reader.next::<Report>().unwrap());
        assert_eq!(arrived.collect::<Vec<_>>(), all);
    }

    #[test]
    fn a_greeting_is_found_behind_what_a_login_prints() {
        let mut frame_reader = FrameReader::default();
        for byte in b"Welcome to \x02Dunlin island!\n".iter().chain(&greeting()) {
            assert_eq!(frame_reader.greeting(), Ok(false));
            frame_reader.push(&[*byte]);
        }
        assert_eq!(frame_reader.greeting(), Ok(true));
        frame_reader.push(&frame(&Report::Heartbeat));
        assert_eq!(frame_reader.next(), Ok(Some(Report::Heartbeat)));
    }

    #[test]
    fn another_version_is_named_and_no_agent_is_no_agent() {
        let mut frame_reader = FrameReader::default();
        frame_reader.push(&greeting_of("9.9 (protocol 7)"));
        assert_eq!(frame_reader.greeting(), Err(Garbled::Version("9.9 (protocol 7)".into())));
        let mut frame_reader = FrameReader::default();
        frame_reader.push(&vec![b'x'; NOISE_BYTES_MAX + 1]);
        assert_eq!(frame_reader.greeting(), Err(Garbled::NoAgent));
    }

    #[test]
    fn random_bytes_are_refused_or_incomplete_but_never_a_panic() {
        let seed = 0x5eed_u64;
        let mut state = seed;
        let mut next = || {
            // Steele and Vigna's splitmix64.
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        let good = frame(&Order::Start(Box::new(start())));
        for _ in 0..20_000 {
            let mut bytes = good.clone();
            for _ in 0..1 + next() % 4 {
                let at = LENGTH_BYTES + next() as usize % (bytes.len() - LENGTH_BYTES);
                bytes[at] = next() as u8;
            }
            let mut frame_reader = FrameReader::default();
            frame_reader.push(&bytes);
            // Changed bytes may make another valid order; what counts is that reading ends.
            let _ = frame_reader.next::<Order>();
            let mut frame_reader = FrameReader::default();
            frame_reader.push(&bytes[LENGTH_BYTES..]);
            let _ = frame_reader.next::<Report>();
        }
    }

    #[test]
    fn a_frame_of_absurd_length_is_refused_at_once() {
        let mut frame_reader = FrameReader::default();
        frame_reader.push(&u32::MAX.to_le_bytes());
        assert_eq!(frame_reader.next::<Order>(), Err(Garbled::Frame));
    }
}
