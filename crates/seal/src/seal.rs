//! What proves that a packet is one of the job's: a tag, or authenticated encryption.
//!
//! A tag is SipHash-2-4 (64 bits) over a number that is used once, the length, and the NH ([`Nh`])
//! of the first [`COVERED_BYTES`] of the packet. Where whole packets are covered, the POLYVAL (RFC
//! 8452) of the bytes behind these is included. Both are universal hashes under keys of their own,
//! whose results nobody sees; a keyed function of such a hash and of a number used once is a sound
//! tag (Wegman and Carter, 1981), guessed with a probability of 2^-63 at most at each try. SipHash
//! over all of it would be as strong and take two to three times as long.

use std::hash::Hasher;

use polyval::Polyval;
use polyval::universal_hash::UniversalHash;
use ring::aead::{AES_256_GCM, Aad, LessSafeKey, Nonce, Tag, UnboundKey};
use siphasher::sip::SipHasher24;

use crate::Security;
use crate::nh::{self, Nh};

/// Bytes of a tag.
pub const TAG_BYTES: usize = size_of::<u64>();
/// Bytes of encryption's own tag, behind a packet.
pub const TRAILER_BYTES: usize = 16;
/// Bytes of a packet that a tag always covers: headers, and all of a packet with a small message.
pub const COVERED_BYTES: usize = nh::INPUT_BYTES;

/// Bytes from which a seal is made: keys for tags, NH, POLYVAL and AES.
pub(crate) const SECRET_BYTES: usize = 16 + nh::INPUT_BYTES + 16 + 32;

/// Seals the packets of one direction at its sender, and opens them at its receiver.
pub struct Seal {
    tags: [u8; 16],
    front: Nh,
    whole: Option<Box<Polyval>>,
    cipher: Option<Box<LessSafeKey>>,
}

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal(..)")
    }
}

impl Seal {
    /// One that makes tags of the beginnings of packets.
    pub(crate) fn of_tags(tags: [u8; 16], front: Nh) -> Seal {
        Seal { tags, front, whole: None, cipher: None }
    }

    pub(crate) fn new(security: Security, secret: &[u8; SECRET_BYTES]) -> Seal {
        let (tags, rest) = secret.split_first_chunk::<16>().expect("it is longer");
        let (front, rest) = rest.split_first_chunk().expect("it is longer");
        let (whole, cipher) = rest.split_first_chunk::<16>().expect("it is longer");
        let polyval = || Box::new(Polyval::new(&(*whole).into()));
        let aes = || UnboundKey::new(&AES_256_GCM, cipher).expect("a key of 32 bytes");
        Seal {
            tags: *tags,
            front: Nh::new(front),
            whole: (security == Security::Authenticate).then(polyval),
            cipher: (security == Security::Encrypt).then(|| Box::new(LessSafeKey::new(aes()))),
        }
    }

    /// Whether packets are encrypted, and end in [`TRAILER_BYTES`]; else they have a tag.
    pub fn encrypts(&self) -> bool {
        self.cipher.is_some()
    }

    /// Whether a tag covers more than the beginning.
    pub fn covers_all(&self) -> bool {
        self.whole.is_some() || self.encrypts()
    }

    /// The tag of a packet in two parts, of which the first is no longer than
    /// [`COVERED_BYTES`] if there is a second. Each number is for one packet.
    #[inline]
    pub fn tag(&self, number: u64, parts: [&[u8]; 2]) -> u64 {
        let [front, data] = parts;
        debug_assert!(front.len() <= COVERED_BYTES || data.is_empty());
        let begin = front.len().min(COVERED_BYTES);
        let end = data.len().min(COVERED_BYTES - begin);
        let hash = match end {
            0 => self.front.hash(&front[..begin]),
            _ => {
                let mut covered = [0; COVERED_BYTES];
                covered[..begin].copy_from_slice(front);
                covered[begin..begin + end].copy_from_slice(&data[..end]);
                self.front.hash(&covered[..begin + end])
            }
        };
        let mut hasher = SipHasher24::new_with_key(&self.tags);
        hasher.write_u64(number);
        hasher.write_u64(hash as u64);
        hasher.write_u64((hash >> 64) as u64);
        if let Some(whole) = &self.whole {
            // One of them is empty.
            let (front, data) = (&front[begin..], &data[end..]);
            let rest = if front.is_empty() { data } else { front };
            if !rest.is_empty() {
                let mut polyval = Polyval::clone(whole);
                polyval.update_padded(rest);
                hasher.write(&polyval.finalize());
            }
        }
        hasher.write_u32((front.len() + data.len()) as u32);
        hasher.finish()
    }

    /// Encrypts `body`, whose last [`TRAILER_BYTES`] are room for the tag that detects changes of
    /// it or of `open`. `number` is used once.
    pub fn encrypt(&self, number: u64, open: &[u8], body: &mut [u8]) {
        let cipher = self.cipher.as_ref().expect("a seal that encrypts");
        let end = body.len() - TRAILER_BYTES;
        let (text, trailer) = body.split_at_mut(end);
        let tag = cipher.seal_in_place_separate_tag(nonce(number), Aad::from(open), text);
        trailer.copy_from_slice(tag.expect("packets are short").as_ref());
    }

    /// Decrypts `body` in place; none if it or `open` is not what was sealed under this number.
    pub fn decrypt<'a>(
        &self,
        number: u64,
        open: &[u8],
        body: &'a mut [u8],
    ) -> Option<&'a mut [u8]> {
        let cipher = self.cipher.as_ref().expect("a seal that encrypts");
        let end = body.len().checked_sub(TRAILER_BYTES)?;
        let (text, trailer) = body.split_at_mut(end);
        let tag = Tag::try_from(&*trailer).ok()?;
        let opened =
            cipher.open_in_place_separate_tag(nonce(number), Aad::from(open), tag, text, 0..);
        opened.ok()
    }
}

fn nonce(number: u64) -> Nonce {
    let mut bytes = [0; 12];
    bytes[4..].copy_from_slice(&number.to_le_bytes());
    Nonce::assume_unique_for_key(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seal(security: Security) -> Seal {
        Seal::new(security, &std::array::from_fn(|at| at as u8))
    }

    #[test]
    fn a_tag_is_the_same_however_the_packet_lies() {
        let packet: Vec<u8> = (0..1000).map(|at| at as u8).collect();
        for security in [Security::Off, Security::Authenticate] {
            let whole = seal(security).tag(9, [&packet, b""]);
            for cut in [0, 1, 55, COVERED_BYTES] {
                let (front, data) = packet.split_at(cut);
                assert_eq!(seal(security).tag(9, [front, data]), whole, "{security:?}, {cut}");
            }
        }
    }

    #[test]
    fn every_bit_that_is_covered_counts() {
        for (security, covered) in [(Security::Off, COVERED_BYTES), (Security::Authenticate, 400)] {
            let (seal, packet) = (seal(security), vec![0; 400]);
            let right = seal.tag(1, [&packet, b""]);
            for bit in 0..400 * 8 {
                let mut packet = packet.clone();
                packet[bit / 8] ^= 1 << (bit % 8);
                let is_seen = seal.tag(1, [&packet, b""]) != right;
                assert_eq!(is_seen, bit < covered * 8, "{security:?}, bit {bit}");
            }
            assert_ne!(seal.tag(2, [&packet, b""]), right, "another number");
            assert_ne!(seal.tag(1, [&packet[..399], b""]), right, "a shorter one");
        }
    }

    #[test]
    fn what_is_encrypted_is_opened_whole_or_not_at_all() {
        let seal = seal(Security::Encrypt);
        let sealed = |text: &[u8]| {
            let mut body = [text, &[0; TRAILER_BYTES][..]].concat();
            seal.encrypt(5, b"header", &mut body);
            body
        };
        for text in [&b""[..], b"short", &[7; 9000]] {
            let body = sealed(text);
            assert!(text.is_empty() || body[..text.len()] != *text);
            assert_eq!(seal.decrypt(5, b"header", &mut body.clone()), Some(&mut text.to_vec()[..]));
            assert!(seal.decrypt(6, b"header", &mut body.clone()).is_none());
            assert!(seal.decrypt(5, b"Header", &mut body.clone()).is_none());
            assert!(seal.decrypt(5, b"header", &mut body[1..].to_vec()).is_none());
            for at in (0..body.len()).step_by(101) {
                let mut body = body.clone();
                body[at] ^= 4;
                assert!(seal.decrypt(5, b"header", &mut body).is_none(), "{at}");
            }
        }
    }

    /// The published vector: SipHash-2-4 of 0, 1, .. 14 under the key 0, 1, .. 15.
    #[test]
    fn the_tag_is_siphash_with_2_and_4_rounds() {
        let mut hasher = SipHasher24::new_with_key(&std::array::from_fn(|at| at as u8));
        hasher.write(&std::array::from_fn::<u8, 15, _>(|at| at as u8));
        assert_eq!(hasher.finish(), 0xa129_ca61_49be_45e5);
    }
}
