//! What ranks and nodes say of themselves when a launcher that is not ours has started them: a rank
//! to the first of its node, and that one, by the launcher, to all other nodes. Bytes, because a
//! launcher carries values of a kilobyte or less.

use dunlin_machine::Cpus;
use dunlin_shm::address::Address;

/// What a rank says to the first of its node:
///
/// ```text
/// 0 place 4 | 4 length of the address 1 | address | hardware threads, as text
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RankCard {
    /// Its place on the node.
    pub place: u32,
    /// How ranks on other nodes reach it; none in a job on one node.
    pub address: Option<Address>,
    /// The hardware threads it may use.
    pub cpus: Cpus,
}

impl RankCard {
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = self.place.to_le_bytes().to_vec();
        let address = self.address.as_ref().map_or(&[][..], Address::as_bytes);
        put_short(&mut bytes, address);
        bytes.extend_from_slice(self.cpus.to_string().as_bytes());
        bytes
    }

    pub fn decode(bytes: &[u8]) -> Option<RankCard> {
        let mut reader = Reader(bytes);
        let place = u32::from_le_bytes(reader.take(4)?.try_into().ok()?);
        let address = reader.short()?;
        let address = if address.is_empty() { None } else { Some(Address::new(address)?) };
        let cpus = Cpus::parse(std::str::from_utf8(reader.0).ok()?)?;
        Some(RankCard { place, address, cpus })
    }
}

/// What a node says to all others. Addresses of one node differ in a few bytes only, so that each
/// but the first says what it shares with the first at the front and at the back:
///
/// ```text
/// 0 version 1 | length of the name 1 | name | length of the first address 1 | first address |
/// for each other: bytes shared at the front 1 | at the back 1 | length of the rest 1 | rest
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NodeCard {
    /// The name of its host.
    pub host: String,
    /// How its ranks are reached, in the order of their places.
    pub addresses: Vec<Address>,
}

/// Raised with every change of [`NodeCard`]: all nodes must run the same Dunlin.
const VERSION: u8 = 1;
/// The most that a length of one byte says.
const SHORT_BYTES_MAX: usize = u8::MAX as usize;

impl NodeCard {
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        let cuts = 0..=self.host.len().min(SHORT_BYTES_MAX);
        let end = cuts.rev().find(|&end| self.host.is_char_boundary(end)).unwrap_or(0);
        put_short(&mut bytes, &self.host.as_bytes()[..end]);
        let Some((first, others)) = self.addresses.split_first() else { return bytes };
        put_short(&mut bytes, first.as_bytes());
        for other in others {
            let (front, rest, back) = shared(first.as_bytes(), other.as_bytes());
            bytes.extend([front as u8, back as u8]);
            put_short(&mut bytes, rest);
        }
        bytes
    }

    pub fn decode(bytes: &[u8]) -> Option<NodeCard> {
        let mut reader = Reader(bytes);
        if reader.byte()? != VERSION {
            return None;
        }
        let host = std::str::from_utf8(reader.short()?).ok()?.to_string();
        let mut addresses = Vec::new();
        if !reader.0.is_empty() {
            let first = reader.short()?;
            addresses.push(Address::new(first)?);
            while !reader.0.is_empty() {
                addresses.push(reader.other(first)?);
            }
        }
        Some(NodeCard { host, addresses })
    }
}

/// How many bytes `other` shares with `first` at the front, what is its own, and how many it shares
/// at the back.
fn shared<'a>(first: &[u8], other: &'a [u8]) -> (usize, &'a [u8], usize) {
    let same = |(a, b): &(&u8, &u8)| a == b;
    let front = first.iter().zip(other).take_while(same).count();
    let (first, other) = (&first[front..], &other[front..]);
    let back = first.iter().rev().zip(other.iter().rev()).take_while(same).count();
    (front, &other[..other.len() - back], back)
}

/// Bytes behind their length. The caller keeps them short: addresses have at most 64.
fn put_short(bytes: &mut Vec<u8>, short: &[u8]) {
    assert!(short.len() <= SHORT_BYTES_MAX, "{} bytes", short.len());
    bytes.push(short.len() as u8);
    bytes.extend_from_slice(short);
}

/// Reads from the front.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(n)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    fn short(&mut self) -> Option<&'a [u8]> {
        let length = self.byte()?;
        self.take(length.into())
    }

    /// An address that shares bytes with the first.
    fn other(&mut self, first: &[u8]) -> Option<Address> {
        let (front, back) = (usize::from(self.byte()?), usize::from(self.byte()?));
        let rest = self.short()?;
        let back = first.get(first.len().checked_sub(back)?..)?;
        Address::new(&[first.get(..front)?, rest, back].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dunlin_shm::address::ADDRESS_BYTES;
    use proptest::prelude::*;

    fn address(bytes: &[u8]) -> Address {
        Address::new(bytes).unwrap()
    }

    #[test]
    fn what_a_rank_says_is_understood() {
        for address in [None, Some(address(b"where")), Some(address(&[9; ADDRESS_BYTES]))] {
            let rank_card =
                RankCard { place: 70_000, address, cpus: Cpus::parse("0-3,9").unwrap() };
            assert_eq!(RankCard::decode(&rank_card.encode()), Some(rank_card));
        }
        assert_eq!(RankCard::decode(b"no"), None);
    }

    #[test]
    fn a_node_takes_few_bytes_for_each_of_its_ranks() {
        let of_port = |port: u16| {
            let [high, low] = port.to_be_bytes();
            address(&[&[2, 4, high, low][..], &[7; 36]].concat())
        };
        let entry =
            NodeCard { host: "h".into(), addresses: (40_000..40_064).map(of_port).collect() };
        let bytes = entry.encode();
        assert!(bytes.len() <= 3 + 41 + 63 * 5, "{} bytes", bytes.len());
        assert_eq!(NodeCard::decode(&bytes), Some(entry));
    }

    #[test]
    fn a_long_name_is_cut_between_letters() {
        let host = format!("x{}", "\u{f6}".repeat(200));
        let decoded = NodeCard::decode(&NodeCard { host, addresses: vec![] }.encode()).unwrap();
        assert_eq!(decoded.host.len(), SHORT_BYTES_MAX);
    }

    #[test]
    fn what_another_dunlin_says_is_not_understood() {
        let mut bytes = NodeCard { host: "h".into(), addresses: vec![address(b"a")] }.encode();
        bytes[0] += 1;
        assert_eq!(NodeCard::decode(&bytes), None);
    }

    proptest! {
        #[test]
        fn a_node_is_known_as_it_was_told(
            host in "[a-z.0-9-]{0,80}",
            // Of two values only, so that addresses share bytes in many ways.
            all in prop::collection::vec(prop::collection::vec(0u8..2, 0..12), 0..9),
        ) {
            let entry = NodeCard { host, addresses: all.iter().map(|a| address(a)).collect() };
            prop_assert_eq!(NodeCard::decode(&entry.encode()), Some(entry));
        }

        #[test]
        fn no_bytes_break_it(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = (NodeCard::decode(&bytes), RankCard::decode(&bytes));
            let _ = NodeCard::decode(&[&[VERSION][..], &bytes].concat());
        }
    }
}
