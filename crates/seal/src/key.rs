//! The job's key, and the keys derived from it (HKDF-SHA256, RFC 5869), each for one purpose: one
//! key, or all tags made with it, reveal nothing about the others.

use std::hash::Hasher;
use std::time::{SystemTime, UNIX_EPOCH};

use ring::error::Unspecified;
use ring::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};
use ring::rand::{SecureRandom, SystemRandom};
use siphasher::sip128::{Hasher128, SipHasher24};

use crate::Security;
use crate::nh::{self, Nh};
use crate::seal::{SECRET_BYTES, Seal};

/// Bytes of a job's key.
pub const JOB_KEY_BYTES: usize = 32;
/// An incarnation is a time in milliseconds, followed by this many random bits.
const INCARNATION_RANDOM_BITS: u32 = 20;

/// What only the processes of a job and the launcher know.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct JobKey([u8; JOB_KEY_BYTES]);

impl std::fmt::Debug for JobKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JobKey(..)")
    }
}

impl JobKey {
    /// The key of these bytes.
    pub const fn new(bytes: [u8; JOB_KEY_BYTES]) -> JobKey {
        JobKey(bytes)
    }

    /// A new one, from the operating system.
    pub fn draw() -> std::io::Result<JobKey> {
        random().map(JobKey)
    }

    /// Its bytes, to send them to the job's processes.
    pub const fn bytes(&self) -> [u8; JOB_KEY_BYTES] {
        self.0
    }

    /// A public name for the job.
    pub fn public_name(&self) -> u64 {
        let mut bytes = [0; 8];
        expand(&extract(self), &[b"public name"], &mut bytes);
        u64::from_le_bytes(bytes)
    }
}

/// Bytes that nobody can guess.
pub(crate) fn random<const N: usize>() -> std::io::Result<[u8; N]> {
    let mut bytes = [0; N];
    let filled = SystemRandom::new().fill(&mut bytes);
    filled.map_err(|Unspecified| std::io::Error::other("the system gives no random numbers"))?;
    Ok(bytes)
}

/// A number for this process that no process of this rank has had before: the time, and random
/// bits. Packets are numbered from it on, so that no number is used twice with one key.
pub fn draw_incarnation() -> std::io::Result<u64> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let random = u64::from_le_bytes(random()?);
    let millis = since.as_millis() as u64;
    Ok(millis << INCARNATION_RANDOM_BITS | random >> (64 - INCARNATION_RANDOM_BITS))
}

/// Packets from one process to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direction {
    /// Who sends them: rank in `MPI_COMM_WORLD`.
    pub from: u32,
    /// Who gets them.
    pub to: u32,
    /// The receiver's [`draw_incarnation`]: packets that were sent to an earlier process of this
    /// rank are not accepted.
    pub incarnation: u64,
}

impl Direction {
    fn bytes(&self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..4].copy_from_slice(&self.from.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.to.to_le_bytes());
        bytes[8..].copy_from_slice(&self.incarnation.to_le_bytes());
        bytes
    }
}

/// The keys of a job as one process uses them.
#[derive(Clone)]
pub struct Keys {
    pub(crate) security: Security,
    prk: Prk,
    /// From which the key of each direction's tags comes.
    tags: [u8; 16],
    /// The same for keep-alives.
    signs: [u8; 16],
    /// One for all of these: whose results nobody sees may serve many.
    front: Nh,
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Keys({}, ..)", self.security.name())
    }
}

impl Keys {
    /// What this job key gives.
    pub fn new(job: &JobKey, security: Security) -> Keys {
        let prk = extract(job);
        let (mut tags, mut signs, mut front) = ([0; 16], [0; 16], [0; nh::INPUT_BYTES]);
        expand(&prk, &[b"tags", &[security as u8]], &mut tags);
        expand(&prk, &[b"signs of life", &[security as u8]], &mut signs);
        expand(&prk, &[b"fronts", &[security as u8]], &mut front);
        Keys { security, prk, tags, signs, front: Nh::new(&front) }
    }

    /// How much packets are protected.
    pub fn security(&self) -> Security {
        self.security
    }

    /// Seals and opens the packets of one direction. Cheap where only tags are made: outsiders can
    /// make us derive one for each packet.
    pub fn seal(&self, direction: Direction) -> Seal {
        if self.security == Security::Off {
            return Seal::of_tags(derived(&self.tags, &direction), self.front.clone());
        }
        let mut secret = [0; SECRET_BYTES];
        self.expand(&[b"packets", &direction.bytes()], &mut secret);
        Seal::new(self.security, &secret)
    }

    /// The same for keep-alives, which have no content.
    pub fn keep_alive_seal(&self, direction: Direction) -> Seal {
        Seal::of_tags(derived(&self.signs, &direction), self.front.clone())
    }

    pub(crate) fn expand(&self, info: &[&[u8]], out: &mut [u8]) {
        expand(&self.prk, info, out);
    }
}

/// SipHash with 128 bits is a keyed function like any other that derives keys, and costs 30 ns.
fn derived(key: &[u8; 16], direction: &Direction) -> [u8; 16] {
    let mut hasher = SipHasher24::new_with_key(key);
    hasher.write(&direction.bytes());
    hasher.finish128().as_bytes()
}

fn extract(job: &JobKey) -> Prk {
    Salt::new(HKDF_SHA256, b"dunlin packets 1").extract(&job.0)
}

struct Len(usize);

impl KeyType for Len {
    fn len(&self) -> usize {
        self.0
    }
}

fn expand(prk: &Prk, info: &[&[u8]], out: &mut [u8]) {
    let filled = prk.expand(info, Len(out.len())).and_then(|okm| okm.fill(out));
    filled.expect("HKDF gives 8,160 bytes, and less is asked");
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOB: JobKey = JobKey::new([7; JOB_KEY_BYTES]);
    const WAY: Direction = Direction { from: 1, to: 2, incarnation: 3 };

    #[test]
    fn the_key_is_not_printed() {
        assert!(!format!("{JOB:?} {:?}", Keys::new(&JOB, Security::Encrypt)).contains('7'));
    }

    #[test]
    fn keys_differ_by_job_direction_incarnation_purpose_and_security() {
        let keys = Keys::new(&JOB, Security::Off);
        let mut other = JOB.bytes();
        other[31] ^= 1;
        let others = Keys::new(&JobKey::new(other), Security::Off);
        let whole = Keys::new(&JOB, Security::Authenticate);
        let tag = |seal: Seal| seal.tag(0, [b"packet", b""]);
        let tags = [
            tag(keys.seal(WAY)),
            tag(keys.seal(Direction { from: 2, to: 1, ..WAY })),
            tag(keys.seal(Direction { from: 3, ..WAY })),
            tag(keys.seal(Direction { incarnation: 4, ..WAY })),
            tag(keys.keep_alive_seal(WAY)),
            tag(others.seal(WAY)),
            tag(whole.seal(WAY)),
            tag(whole.keep_alive_seal(WAY)),
        ];
        for (at, tag) in tags.iter().enumerate() {
            assert!(!tags[..at].contains(tag), "{at}");
        }
        assert_eq!(tags[0], tag(Keys::new(&JOB, Security::Off).seal(WAY)));
    }

    #[test]
    fn what_is_drawn_is_new() {
        assert_ne!(JobKey::draw().unwrap(), JobKey::draw().unwrap());
        assert_ne!(draw_incarnation().unwrap(), draw_incarnation().unwrap());
        assert_ne!(JOB.public_name(), JobKey::new([8; JOB_KEY_BYTES]).public_name());
    }

    #[test]
    fn a_later_incarnation_leaves_room_for_more_packets_than_can_be_sent() {
        let before = draw_incarnation().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(3));
        assert!(draw_incarnation().unwrap() - before > 1 << INCARNATION_RANDOM_BITS);
    }
}
