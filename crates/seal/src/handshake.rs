//! How two ends of a connection prove to each other that they know the job's key, and agree on keys
//! for this connection alone. Each sends a fresh random number, and each proof covers both: a
//! replay of another connection proves nothing here.
//!
//! ```text
//! connects:  hello      magic 8 | from 4 | to 4 | nonce 16
//! listens:   challenge  magic 8 | nonce 16 | proof 16
//! connects:  proof 16
//! listens:   welcome 16, and packets
//! ```
//!
//! The connecting end sends packets only after the welcome: until then the listening end may close
//! the connection for lack of room, and nothing is lost.

use crate::key::{Keys, random};
use crate::seal::{SECRET_BYTES, Seal};

/// Bytes of the first message.
pub const HELLO_BYTES: usize = 32;
/// Bytes of its answer.
pub const CHALLENGE_BYTES: usize = 40;
/// Bytes of a proof.
pub const PROOF_BYTES: usize = 16;
const NONCE_BYTES: usize = 16;
/// Other protocols, and other versions of this one, begin differently.
const MAGIC: [u8; 8] = *b"DUNLTCP2";

/// Who connects and who listens: ranks in `MPI_COMM_WORLD`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ends {
    /// The end that connects.
    pub from: u32,
    /// The end that listens.
    pub to: u32,
}

/// What the connecting end has sent, and keeps until the answer.
#[derive(Debug, Clone, Copy)]
pub struct Hello {
    ends: Ends,
    nonce: [u8; NONCE_BYTES],
}

/// What the listening end keeps until it knows who is there.
#[derive(Debug)]
pub struct Challenge {
    /// Who it claims to be.
    pub ends: Ends,
    expected: [u8; PROOF_BYTES],
    welcome: [u8; PROOF_BYTES],
    session: Session,
}

/// What the connecting end keeps until it is welcomed.
#[derive(Debug)]
pub struct Proved {
    welcome: [u8; PROOF_BYTES],
    session: Session,
}

/// The keys of one connection, as one of its ends uses them.
#[derive(Debug)]
pub struct Session {
    /// For what it sends.
    pub out: Seal,
    /// For what it receives.
    pub come: Seal,
}

impl Hello {
    /// A new one.
    pub fn new(ends: Ends) -> std::io::Result<Hello> {
        Ok(Hello { ends, nonce: random()? })
    }

    /// What is sent.
    pub fn bytes(&self) -> [u8; HELLO_BYTES] {
        let mut bytes = [0; HELLO_BYTES];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&self.ends.from.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.ends.to.to_le_bytes());
        bytes[16..].copy_from_slice(&self.nonce);
        bytes
    }

    fn read(bytes: &[u8; HELLO_BYTES]) -> Option<Hello> {
        let word = |at: usize| bytes[at..at + 4].try_into().map(u32::from_le_bytes).ok();
        let ends = Ends { from: word(8)?, to: word(12)? };
        let nonce = bytes[16..].try_into().ok()?;
        (bytes[..8] == MAGIC).then_some(Hello { ends, nonce })
    }

    /// Our own proof and the connection's keys, if the answer proves that the other end knows the
    /// job's key.
    pub fn answered(
        &self,
        keys: &Keys,
        bytes: &[u8; CHALLENGE_BYTES],
    ) -> Option<([u8; PROOF_BYTES], Proved)> {
        let nonce = bytes[8..24].try_into().ok()?;
        let right = proof(keys, b"listens", self, &nonce);
        let is_right = bytes[..8] == MAGIC && same(&right, &bytes[24..]);
        is_right.then(|| {
            let [out, come] = seals(keys, self, &nonce);
            let welcome = proof(keys, b"welcomes", self, &nonce);
            let proved = Proved { welcome, session: Session { out, come } };
            (proof(keys, b"connects", self, &nonce), proved)
        })
    }
}

/// What the listening end `me` answers to a hello, and keeps; none if the hello is not for it.
pub fn answer_hello(
    keys: &Keys,
    me: u32,
    bytes: &[u8; HELLO_BYTES],
) -> Option<([u8; CHALLENGE_BYTES], Challenge)> {
    let hello = Hello::read(bytes).filter(|hello| hello.ends.to == me && hello.ends.from != me)?;
    let nonce = random().ok()?;
    let mut answer = [0; CHALLENGE_BYTES];
    answer[..8].copy_from_slice(&MAGIC);
    answer[8..24].copy_from_slice(&nonce);
    answer[24..].copy_from_slice(&proof(keys, b"listens", &hello, &nonce));
    let [come, out] = seals(keys, &hello, &nonce);
    let expected = proof(keys, b"connects", &hello, &nonce);
    let session = Session { out, come };
    let welcome = proof(keys, b"welcomes", &hello, &nonce);
    Some((answer, Challenge { ends: hello.ends, expected, welcome, session }))
}

impl Challenge {
    /// What to welcome the connecting end with, and the connection's keys, if it has proved that it
    /// knows the job's key.
    pub fn proved(self, proof: &[u8; PROOF_BYTES]) -> Option<([u8; PROOF_BYTES], Session)> {
        same(&self.expected, proof).then_some((self.welcome, self.session))
    }
}

impl Proved {
    /// The connection's keys, if that welcome is the other end's.
    pub fn welcomed(self, welcome: &[u8; PROOF_BYTES]) -> Option<Session> {
        same(&self.welcome, welcome).then_some(self.session)
    }
}

fn proof(keys: &Keys, who: &[u8], hello: &Hello, nonce: &[u8; NONCE_BYTES]) -> [u8; PROOF_BYTES] {
    let mut proof = [0; PROOF_BYTES];
    let security = [keys.security() as u8];
    keys.expand(&[b"connection: ", who, &security, &hello.bytes(), nonce], &mut proof);
    proof
}

/// For packets from the connecting end, and for those to it.
fn seals(keys: &Keys, hello: &Hello, nonce: &[u8; NONCE_BYTES]) -> [Seal; 2] {
    [&b"forth"[..], b"back"].map(|way| {
        let mut secret = [0; SECRET_BYTES];
        keys.expand(&[b"stream: ", way, &hello.bytes(), nonce], &mut secret);
        Seal::new(keys.security(), &secret)
    })
}

/// Takes the same time wherever the inputs differ: its duration tells an attacker nothing.
fn same(a: &[u8], b: &[u8]) -> bool {
    let differs = a.iter().zip(b).fold(0, |differs, (a, b)| differs | (a ^ b));
    a.len() == b.len() && std::hint::black_box(differs) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JobKey, Security};

    const ENDS: Ends = Ends { from: 7, to: 9 };

    fn keys(job: u8, security: Security) -> Keys {
        Keys::new(&JobKey::new([job; 32]), security)
    }

    #[test]
    fn both_ends_get_the_same_keys_and_each_direction_its_own() {
        let keys = keys(1, Security::Off);
        let hello = Hello::new(ENDS).unwrap();
        let (answer, challenge) = answer_hello(&keys, 9, &hello.bytes()).unwrap();
        let (proof, proved) = hello.answered(&keys, &answer).unwrap();
        assert_eq!(challenge.ends, ENDS);
        let (welcome, far) = challenge.proved(&proof).unwrap();
        let near = proved.welcomed(&welcome).unwrap();
        let tag = |seal: &Seal| seal.tag(1, [b"packet", b""]);
        assert_eq!(tag(&near.out), tag(&far.come));
        assert_eq!(tag(&near.come), tag(&far.out));
        assert_ne!(tag(&near.out), tag(&near.come));
    }

    #[test]
    fn what_was_heard_of_one_connection_proves_nothing_on_another() {
        let keys = keys(1, Security::Off);
        let hello = Hello::new(ENDS).unwrap();
        let (answer, _) = answer_hello(&keys, 9, &hello.bytes()).unwrap();
        let (proof, _) = hello.answered(&keys, &answer).unwrap();
        let (_, again) = answer_hello(&keys, 9, &hello.bytes()).unwrap();
        assert!(again.proved(&proof).is_none(), "the listening end draws anew");
        let other = Hello::new(ENDS).unwrap();
        assert!(other.answered(&keys, &answer).is_none(), "so does the connecting one");
    }

    #[test]
    fn another_key_security_receiver_or_byte_is_nobody() {
        let ours = keys(1, Security::Off);
        let hello = Hello::new(ENDS).unwrap();
        assert!(answer_hello(&ours, 8, &hello.bytes()).is_none(), "for another");
        let own = Hello::new(Ends { from: 9, to: 9 }).unwrap();
        assert!(answer_hello(&ours, 9, &own.bytes()).is_none(), "from ourselves");
        for theirs in [keys(2, Security::Off), keys(1, Security::Encrypt)] {
            let (answer, challenge) = answer_hello(&theirs, 9, &hello.bytes()).unwrap();
            assert!(hello.answered(&ours, &answer).is_none());
            assert!(challenge.proved(&answer[24..].try_into().unwrap()).is_none(), "an echo");
        }
        let (answer, challenge) = answer_hello(&ours, 9, &hello.bytes()).unwrap();
        for at in 0..CHALLENGE_BYTES {
            let mut answer = answer;
            answer[at] ^= 1;
            assert!(hello.answered(&ours, &answer).is_none(), "byte {at}");
        }
        let (mut proof, proved) = hello.answered(&ours, &answer).unwrap();
        assert!(proved.welcomed(&proof).is_none(), "an echo");
        proof[15] ^= 0x80;
        assert!(challenge.proved(&proof).is_none());
    }
}
