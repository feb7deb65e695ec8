//! Attributes: values that a program hangs on communicators, datatypes and windows under keys of
//! its own; MPI 5.0 section 7.7. The functions behind a key are the program's: they are called
//! while nothing is borrowed, for they may call MPI.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::rc::{Rc, Weak};

use dunlin_base::{Error, ErrorClass, Result};

/// A kind of object that bears attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    /// Communicators.
    Comm,
    /// Datatypes.
    Type,
    /// Windows.
    Win,
}

/// Whose attribute a function is called about: the number of the object, and of the key.
#[derive(Debug, Clone, Copy)]
pub struct AttributeKey {
    /// The number of the object.
    pub object: u32,
    /// The number of the key.
    pub keyval: u32,
}

/// What the copy of an object gets for this value; `None`: nothing.
pub type CopyFunction = Box<dyn Fn(AttributeKey, usize) -> Result<Option<usize>>>;
/// Hears that a value is no longer attached.
pub type DeleteFunction = Box<dyn Fn(AttributeKey, usize) -> Result<()>>;

/// What a key does with the values under it.
pub struct Keyval {
    object_kind: ObjectKind,
    copy: CopyFunction,
    delete: DeleteFunction,
}

impl Keyval {
    /// A key for objects of one kind.
    pub fn new(object_kind: ObjectKind, copy: CopyFunction, delete: DeleteFunction) -> Keyval {
        Keyval { object_kind, copy, delete }
    }
}

impl fmt::Debug for Keyval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keyval({:?})", self.object_kind)
    }
}

/// The keys of a process. A number is never given twice: an attribute outlives the release of its
/// key, and its functions still hear the key's number.
#[derive(Debug, Default)]
pub struct Keyvals(RefCell<Table>);

#[derive(Debug, Default)]
struct Table {
    by_number: HashMap<u32, Rc<Keyval>>,
    /// Those that were given up while attributes had them: they exist until the last of these is
    /// gone.
    given_up: HashMap<u32, Weak<Keyval>>,
    next: u32,
}

impl Table {
    fn find(&self, number: u32) -> Option<Rc<Keyval>> {
        let given_up = || self.given_up.get(&number)?.upgrade();
        self.by_number.get(&number).cloned().or_else(given_up)
    }
}

#[derive(Debug, Clone)]
struct Attribute {
    number: u32,
    keyval: Rc<Keyval>,
    value: usize,
}

/// The attributes of one object, in the order they were set.
#[derive(Debug, Default)]
pub struct Attributes(RefCell<Vec<Attribute>>);

impl Attributes {
    /// The value under a key.
    pub fn get(&self, keyval: u32) -> Option<usize> {
        self.0.borrow().iter().find(|a| a.number == keyval).map(|a| a.value)
    }

    fn find(&self, number: u32) -> Option<Attribute> {
        self.0.borrow().iter().find(|a| a.number == number).cloned()
    }

    /// Calls the delete function, and forgets the attribute unless that fails.
    fn delete(&self, object: u32, attribute: &Attribute) -> Result<()> {
        let key = AttributeKey { object, keyval: attribute.number };
        (attribute.keyval.delete)(key, attribute.value)?;
        self.0.borrow_mut().retain(|a| a.number != attribute.number);
        Ok(())
    }

    /// Deletes all, the last one set first. Stops at a delete function that fails.
    pub fn delete_all(&self, object: u32) -> Result<()> {
        loop {
            let last = self.0.borrow().last().cloned();
            match last {
                Some(attribute) => self.delete(object, &attribute)?,
                None => return Ok(()),
            }
        }
    }

    /// Gives `copy` what the copy functions say. If one fails, what was copied is deleted again.
    pub(crate) fn copy_to(&self, object: u32, copy: &Attributes, copied: u32) -> Result<()> {
        let originals = self.0.borrow().clone();
        for Attribute { number, keyval, value } in originals {
            match (keyval.copy)(AttributeKey { object, keyval: number }, value) {
                Ok(None) => {}
                Ok(Some(value)) => copy.0.borrow_mut().push(Attribute { number, keyval, value }),
                Err(error) => {
                    // The program hears of the first failure.
                    let _ = copy.delete_all(copied);
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}

impl Keyvals {
    /// Adds a key and returns its number.
    pub fn add(&self, keyval: Keyval) -> u32 {
        let mut keyvals = self.0.borrow_mut();
        let number = keyvals.next;
        keyvals.next += 1;
        keyvals.by_number.insert(number, Rc::new(keyval));
        number
    }

    /// The key with this number, which must be one for such objects.
    pub fn get(&self, number: u32, object_kind: ObjectKind) -> Result<Rc<Keyval>> {
        match self.0.borrow().find(number) {
            None => Err(error("the key does not exist; it was perhaps freed, or never made")),
            Some(keyval) if keyval.object_kind != object_kind => {
                Err(error("the key is one for objects of another kind"))
            }
            Some(keyval) => Ok(keyval),
        }
    }

    /// Gives a key up. Attributes that have it keep it, and as long as there are any, programs that
    /// have kept its number use it as before: libraries make a key, attach and free it at once.
    pub fn remove(&self, number: u32, object_kind: ObjectKind) -> Result<()> {
        self.get(number, object_kind)?;
        let mut keyvals = self.0.borrow_mut();
        let Some(keyval) = keyvals.by_number.remove(&number) else { return Ok(()) };
        // Now and then: to look at all each time would take longer and longer.
        if keyvals.given_up.len().is_power_of_two() {
            keyvals.given_up.retain(|_, keyval| keyval.strong_count() > 0);
        }
        if Rc::strong_count(&keyval) > 1 {
            keyvals.given_up.insert(number, Rc::downgrade(&keyval));
        }
        Ok(())
    }

    /// Whether there was a key with this number, which was freed.
    pub fn had(&self, number: u32) -> bool {
        let keyvals = self.0.borrow();
        number < keyvals.next && !keyvals.by_number.contains_key(&number)
    }

    /// Attaches a value; one that was there under the same key is deleted first.
    pub fn set_attribute(
        &self,
        attributes: &Attributes,
        object_kind: ObjectKind,
        key: AttributeKey,
        value: usize,
    ) -> Result<()> {
        let keyval = self.get(key.keyval, object_kind)?;
        if let Some(old) = attributes.find(key.keyval) {
            attributes.delete(key.object, &old)?;
        }
        attributes.0.borrow_mut().push(Attribute { number: key.keyval, keyval, value });
        Ok(())
    }

    /// Takes a value away.
    pub fn delete_attribute(
        &self,
        attributes: &Attributes,
        object_kind: ObjectKind,
        key: AttributeKey,
    ) -> Result<()> {
        self.get(key.keyval, object_kind)?;
        // Where there is none, there is nothing to do: MPICH and Intel MPI say so too.
        let Some(found) = attributes.find(key.keyval) else { return Ok(()) };
        attributes.delete(key.object, &found)
    }
}

fn error(text: &'static str) -> Error {
    Error::new(ErrorClass::Keyval, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Log = Rc<RefCell<Vec<(u32, usize)>>>;

    /// A key whose copies are one more than the original; values from 100 on cannot be copied.
    fn keyval(log: &Log) -> Rc<Keyval> {
        let log = log.clone();
        let copy = |_, value| {
            if value < 100 { Ok(Some(value + 1)) } else { Err(error("too large")) }
        };
        let delete = move |key: AttributeKey, value| {
            log.borrow_mut().push((key.object, value));
            Ok(())
        };
        Rc::new(Keyval::new(ObjectKind::Comm, Box::new(copy), Box::new(delete)))
    }

    fn with(log: &Log, values: &[usize]) -> Attributes {
        let attribute = |(number, &value): (usize, &usize)| Attribute {
            number: number as u32,
            keyval: keyval(log),
            value,
        };
        Attributes(RefCell::new(values.iter().enumerate().map(attribute).collect()))
    }

    #[test]
    fn the_last_one_set_is_the_first_one_deleted() {
        let log = Log::default();
        with(&log, &[1, 2, 3]).delete_all(7).unwrap();
        assert_eq!(*log.borrow(), [(7, 3), (7, 2), (7, 1)]);
    }

    #[test]
    fn a_copy_has_what_the_copy_functions_say() {
        let log = Log::default();
        let copy = Attributes::default();
        with(&log, &[1, 2]).copy_to(7, &copy, 8).unwrap();
        assert_eq!((copy.get(0), copy.get(1), copy.get(2)), (Some(2), Some(3), None));
        assert!(log.borrow().is_empty());
    }

    #[test]
    fn a_copy_that_fails_deletes_what_it_copied() {
        let log = Log::default();
        let copy = Attributes::default();
        assert!(with(&log, &[1, 2, 100]).copy_to(7, &copy, 8).is_err());
        assert_eq!(*log.borrow(), [(8, 3), (8, 2)]);
        assert_eq!(copy.get(0), None);
    }
}
