//! The first bytes on a connection, from each side: who is there, and that it belongs to the job.
//! Before they have come and are right, nothing is taken from a connection and no packet is given
//! to it.
//!
//! ```text
//! 0 magic 8 | 8 check 8 | 16 rank 4 | 20 zero 4        (little endian)
//! ```

use crate::seed::scrambled;
use crate::{Identity, Peer};

/// Bytes of a greeting.
pub const GREETING_BYTES: usize = 24;

/// Other protocols and other versions of this one begin otherwise.
const MAGIC: [u8; 8] = *b"DUNLTCP1";
/// Keeps this check apart from others made of the same key.
const PURPOSE: u64 = u64::from_le_bytes(MAGIC);

/// What `identity` says to `to`.
pub fn greeting(identity: Identity, to: Peer) -> [u8; GREETING_BYTES] {
    let mut bytes = [0; GREETING_BYTES];
    bytes[..8].copy_from_slice(&MAGIC);
    bytes[8..16].copy_from_slice(&check(identity.key, identity.rank, to).to_le_bytes());
    bytes[16..20].copy_from_slice(&identity.rank.to_le_bytes());
    bytes
}

/// Who has said `bytes` to `identity`; nobody of this job if they are wrong.
pub fn greeted(identity: Identity, bytes: &[u8; GREETING_BYTES]) -> Option<Peer> {
    let rank = Peer::from_le_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]);
    let right = greeting(Identity { rank, ..identity }, identity.rank);
    (*bytes == right).then_some(rank)
}

fn check(key: u64, from: Peer, to: Peer) -> u64 {
    let direction = u64::from(from) << 32 | u64::from(to);
    scrambled(scrambled(key ^ PURPOSE) ^ direction)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEVEN: Identity = Identity { rank: 7, key: 0x1234 };
    const NINE: Identity = Identity { rank: 9, key: 0x1234 };

    #[test]
    fn a_greeting_says_who_greets() {
        assert_eq!(greeted(NINE, &greeting(SEVEN, 9)), Some(7));
    }

    #[test]
    fn another_key_another_receiver_or_a_changed_byte_is_nobody() {
        assert_eq!(greeted(NINE, &greeting(Identity { key: 1, ..SEVEN }, 9)), None);
        assert_eq!(greeted(NINE, &greeting(SEVEN, 8)), None);
        assert_eq!(greeted(SEVEN, &greeting(SEVEN, 9)), None, "our own, sent back");
        for at in 0..GREETING_BYTES {
            let mut bytes = greeting(SEVEN, 9);
            bytes[at] ^= 1;
            assert_eq!(greeted(NINE, &bytes), None, "byte {at}");
        }
    }
}
