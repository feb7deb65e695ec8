//! Storage with stable `u32` slot numbers. A freed slot is used again before a new one is made, so
//! nothing is allocated once the largest number of entries has been seen.

/// No slot: ends every list of slot numbers.
pub(super) const NIL: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct Slab<T> {
    slots: Vec<Slot<T>>,
    /// The slot freed last, whose cache lines are the warmest.
    free: u32,
    len: usize,
}

#[derive(Debug)]
enum Slot<T> {
    Free { next: u32 },
    Used(T),
}

impl<T> Slab<T> {
    pub const fn new() -> Self {
        Slab { slots: Vec::new(), free: NIL, len: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Puts `value` in a free slot and returns its number.
    #[inline]
    pub fn insert(&mut self, value: T) -> u32 {
        if self.free == NIL {
            self.add_slot();
        }
        let slot = self.free;
        let place = &mut self.slots[slot as usize];
        let Slot::Free { next } = *place else { unreachable!("slot {slot} is free and used") };
        self.free = next;
        *place = Slot::Used(value);
        self.len += 1;
        slot
    }

    // Without the value: handing that to a call forces it through memory, written in small pieces
    // and read in large ones, which doubles the time of posting and matching a receive.
    #[cold]
    fn add_slot(&mut self) {
        let slot = self.slots.len();
        assert!(slot < NIL as usize, "more than {NIL} entries wait to be matched");
        self.slots.push(Slot::Free { next: NIL });
        self.free = slot as u32;
    }

    /// Empties a slot. The slot must be in use: its number came from `insert`.
    #[inline]
    pub fn remove(&mut self, slot: u32) -> T {
        let free = Slot::Free { next: self.free };
        match std::mem::replace(&mut self.slots[slot as usize], free) {
            Slot::Used(value) => {
                self.free = slot;
                self.len -= 1;
                value
            }
            Slot::Free { .. } => unreachable!("slot {slot} is freed twice"),
        }
    }

    /// What a slot holds; `None` if it is free or was never made.
    #[inline]
    pub fn get(&self, slot: u32) -> Option<&T> {
        match self.slots.get(slot as usize) {
            Some(Slot::Used(value)) => Some(value),
            _ => None,
        }
    }

    /// Like `get`, to be changed.
    #[inline]
    pub fn get_mut(&mut self, slot: u32) -> Option<&mut T> {
        match self.slots.get_mut(slot as usize) {
            Some(Slot::Used(value)) => Some(value),
            _ => None,
        }
    }

    /// Slot numbers and values, in order of slot number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.slots.iter().enumerate().filter_map(|(slot, entry)| match entry {
            Slot::Used(value) => Some((slot as u32, value)),
            Slot::Free { .. } => None,
        })
    }
}
