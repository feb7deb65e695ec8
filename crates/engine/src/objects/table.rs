//! A table of objects to which programs hold handles. Their numbers are small and are reused.

use std::sync::atomic::{AtomicU32, Ordering};

use dunlin_shm::layout::VCIS_MAX;

/// The most objects of one kind that a process may have at once.
pub(crate) const OBJECTS_MAX: u32 = 1 << 26;
/// The same of a VCI of a process that has several: the numbers of requests say in which they are.
pub(crate) const OBJECTS_PER_VCI: u32 = OBJECTS_MAX / VCIS_MAX as u32;
/// How many it is in this process.
static LIMIT: AtomicU32 = AtomicU32::new(OBJECTS_PER_VCI);

/// This process has one VCI for ever.
pub(crate) fn allow_most_objects() {
    LIMIT.store(OBJECTS_MAX, Ordering::Relaxed);
}

/// Objects by number.
#[derive(Debug)]
pub struct Table<T> {
    slots: Vec<Option<T>>,
    free: Vec<u32>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table { slots: Vec::new(), free: Vec::new() }
    }
}

impl<T> Table<T> {
    /// Adds an object and returns its number.
    // Inlined, and with one place where the value is stored: the compiler then builds the value
    // there, field by field. Passed through memory, a request of 128 bytes is copied twice.
    #[inline(always)]
    pub fn insert(&mut self, value: T) -> u32 {
        let id = self.reserve();
        self.fill(id, value);
        id
    }

    /// Reserves a number for an object that is stored elsewhere, until it is filled in or given
    /// back.
    #[inline(always)]
    pub fn reserve(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| self.add_slot())
    }

    /// Stores the object of a reserved number.
    #[inline(always)]
    pub fn fill(&mut self, id: u32, value: T) {
        let slot = &mut self.slots[id as usize];
        assert!(slot.is_none(), "object number {id} is free and used");
        *slot = Some(value);
    }

    /// Releases a reserved number that was not filled in.
    #[inline(always)]
    pub fn give_back(&mut self, id: u32) {
        self.free.push(id);
    }

    #[cold]
    #[inline(never)]
    fn add_slot(&mut self) -> u32 {
        let most = LIMIT.load(Ordering::Relaxed);
        assert!(
            self.slots.len() < most as usize,
            "{most} objects of one kind, such as requests, exist, and no more are possible; free \
             some (with DUNLIN_VCIS=1 there may be {OBJECTS_MAX})"
        );
        self.slots.push(None);
        (self.slots.len() - 1) as u32
    }

    /// The object with this number, if there is one.
    #[inline]
    pub fn get(&self, id: u32) -> Option<&T> {
        self.slots.get(id as usize)?.as_ref()
    }

    /// The object with this number, for changes.
    #[inline]
    pub fn get_mut(&mut self, id: u32) -> Option<&mut T> {
        self.slots.get_mut(id as usize)?.as_mut()
    }

    /// Stores an object under a number that another table has drawn. A table for such objects draws
    /// none.
    pub fn put(&mut self, id: u32, value: T) {
        let len = self.slots.len().max(id as usize + 1);
        self.slots.resize_with(len, || None);
        self.slots[id as usize] = Some(value);
    }

    /// Removes an object that was stored so.
    pub fn take_out(&mut self, id: u32) -> Option<T> {
        self.slots.get_mut(id as usize)?.take()
    }

    /// Removes and returns an object; its number may be reused.
    #[inline]
    pub fn remove(&mut self, id: u32) -> Option<T> {
        let value = self.slots.get_mut(id as usize)?.take()?;
        self.free.push(id);
        Some(value)
    }

    /// Drops an object; its number may be reused.
    #[inline(always)]
    pub fn forget(&mut self, id: u32) {
        let slot = &mut self.slots[id as usize];
        if slot.is_some() {
            *slot = None;
            self.free.push(id);
        }
    }

    /// How many numbers are in use.
    pub fn in_use(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Every object with its number.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.slots.iter().enumerate().filter_map(|(i, s)| Some((i as u32, s.as_ref()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_reused_after_release() {
        let mut t = Table::default();
        let (a, b) = (t.insert('a'), t.insert('b'));
        assert_eq!(t.remove(a), Some('a'));
        assert_eq!(t.get(a), None);
        assert_eq!(t.remove(a), None);
        assert_eq!(t.insert('c'), a);
        assert_eq!((t.get(a), t.get(b)), (Some(&'c'), Some(&'b')));
        assert_eq!((t.iter().count(), t.in_use()), (2, 2));
    }

    #[test]
    fn a_copy_stands_under_the_number_that_the_original_has() {
        let mut t = Table::default();
        t.put(3, 'a');
        assert_eq!((t.get(3), t.get(2), t.get(4)), (Some(&'a'), None, None));
        assert_eq!((t.take_out(3), t.take_out(3)), (Some('a'), None));
        t.put(3, 'b');
        assert_eq!(t.get(3), Some(&'b'));
    }
}
