//! What a fabric knows of the peers it was told of: four bytes per rank of the job up to the
//! highest one used, and an entry for each that is used.

use crate::Peer;

/// Entries by rank.
#[derive(Debug)]
pub struct Peers<T> {
    /// One more than the place in `entries`; 0 where there is none.
    places: Vec<u32>,
    entries: Vec<T>,
}

impl<T> Peers<T> {
    /// None.
    pub const fn new() -> Peers<T> {
        Peers { places: Vec::new(), entries: Vec::new() }
    }

    /// Where the entry of `peer` stands, if there is one.
    pub fn index(&self, peer: Peer) -> Option<u32> {
        self.places.get(peer as usize).and_then(|index| index.checked_sub(1))
    }

    /// Adds or replaces the entry of `peer`.
    pub fn set(&mut self, peer: Peer, entry: T) {
        if let Some(index) = self.index(peer) {
            self.entries[index as usize] = entry;
            return;
        }
        if self.places.len() <= peer as usize {
            self.places.resize(peer as usize + 1, 0);
        }
        self.entries.push(entry);
        self.places[peer as usize] = self.entries.len() as u32;
    }

    /// The entry at a place that [`Peers::index`] gave.
    pub fn at(&self, index: u32) -> &T {
        &self.entries[index as usize]
    }

    /// The same, to change.
    pub fn at_mut(&mut self, index: u32) -> &mut T {
        &mut self.entries[index as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_rank_and_replaced() {
        let mut peers = Peers::new();
        peers.set(9, 'a');
        peers.set(2, 'b');
        peers.set(9, 'c');
        assert_eq!(peers.index(2).map(|p| *peers.at(p)), Some('b'));
        assert_eq!(peers.index(9).map(|p| *peers.at(p)), Some('c'));
        assert_eq!((peers.index(3), peers.index(1000)), (None, None));
        assert_eq!(peers.entries.len(), 2);
    }
}
