//! The datatypes to which a program holds handles: predefined and derived ones.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use dunlin_base::{Error, ErrorClass, Result};
use dunlin_datatype::{Datatype, Primitive};

use crate::objects::attribute::Attributes;
use crate::objects::table::Table;
use crate::objects::{inquiry, layouts};

/// The object of a datatype handle. Operations in progress hold the [`Datatype`], not this object.
#[derive(Debug)]
pub struct TypeObject {
    /// The layout.
    pub datatype: Datatype,
    /// The name that the program sets.
    pub name: RefCell<String>,
    /// Its attributes.
    pub attributes: Attributes,
    committed: Cell<bool>,
}

impl TypeObject {
    fn new(datatype: Datatype, committed: bool) -> TypeObject {
        let committed = Cell::new(committed || datatype.is_predefined());
        TypeObject {
            datatype,
            name: RefCell::default(),
            attributes: Attributes::default(),
            committed,
        }
    }

    fn commit(&self) {
        self.committed.set(true);
    }

    /// The layout; an error unless the type is committed.
    pub fn committed(&self) -> Result<&Datatype> {
        if self.committed.get() {
            return Ok(&self.datatype);
        }
        Err(layouts::not_committed())
    }
}

/// All datatypes of a process by number; predefined ones come first, in the order of
/// `Primitive::ALL`.
#[derive(Debug, Default)]
pub struct Types(RefCell<Numbered>);

#[derive(Debug)]
struct Numbered {
    table: Table<Rc<TypeObject>>,
    /// Predefined types with arguments instead of names: equal arguments give the same handle.
    parametrised: Vec<u32>,
}

impl Default for Numbered {
    fn default() -> Self {
        let mut table = Table::default();
        for primitive in Primitive::ALL {
            let object = TypeObject::new(Datatype::primitive(*primitive), true);
            *object.name.borrow_mut() = primitive.name().to_string();
            let object = Rc::new(object);
            let id = table.insert(object.clone());
            note(id, &object.datatype, true);
        }
        Numbered { table, parametrised: Vec::new() }
    }
}

/// Tells all threads, whatever their VCI, what a number stands for.
fn note(id: u32, datatype: &Datatype, is_committed: bool) {
    inquiry::add_datatype(id, datatype, is_committed);
    layouts::add(id, datatype, is_committed);
}

impl Numbered {
    fn get(&self, id: u32) -> Option<&Rc<TypeObject>> {
        self.table.get(id)
    }

    fn insert(&mut self, datatype: Datatype, committed: bool) -> u32 {
        let object = Rc::new(TypeObject::new(datatype, committed));
        let id = self.table.insert(object.clone());
        note(id, &object.datatype, committed);
        id
    }

    fn remove(&mut self, id: u32) {
        inquiry::DATATYPES.forget(id);
        layouts::forget(id);
        self.table.remove(id);
    }

    /// The number of a predefined datatype, which has at most one.
    fn predefined(&mut self, datatype: Datatype) -> u32 {
        if datatype.contents().is_err() {
            if let Some(primitive) = datatype.as_primitive() {
                return primitive as u32;
            }
        }
        let known = |id: &&u32| {
            self.table.get(**id).is_some_and(|o| has_same_arguments(&o.datatype, &datatype))
        };
        if let Some(id) = self.parametrised.iter().find(known) {
            return *id;
        }
        let id = self.insert(datatype, true);
        self.parametrised.push(id);
        id
    }
}

fn has_same_arguments(a: &Datatype, b: &Datatype) -> bool {
    let integers = |t: &Datatype| t.contents().map(|c| c.integers.clone()).ok();
    a.envelope() == b.envelope() && integers(a) == integers(b)
}

impl Types {
    /// Calls `look` with a datatype, if it exists and no datatype is being made or freed.
    #[inline]
    pub(crate) fn peek<T>(&self, id: u32, look: impl FnOnce(&TypeObject) -> T) -> Option<T> {
        self.0.try_borrow().ok()?.get(id).map(|object| look(object))
    }

    /// The layout of the datatype with this number.
    pub fn datatype(&self, id: u32) -> Result<Datatype> {
        self.object(id).map(|object| object.datatype.clone())
    }

    /// Adds a datatype and returns its number; a predefined one that was added before keeps its
    /// number.
    pub fn add(&self, datatype: Datatype) -> u32 {
        let mut types = self.0.borrow_mut();
        if datatype.is_predefined() {
            types.predefined(datatype)
        } else {
            types.insert(datatype, false)
        }
    }

    /// The object of the datatype with this number.
    pub fn object(&self, id: u32) -> Result<Rc<TypeObject>> {
        self.0.borrow().get(id).cloned().ok_or_else(|| {
            Error::new(ErrorClass::Type, format!("datatype number {id} does not exist"))
        })
    }

    /// Commits a datatype.
    pub fn commit(&self, id: u32) -> Result<()> {
        let object = self.object(id)?;
        object.commit();
        note(id, &object.datatype, true);
        Ok(())
    }

    /// `MPI_Type_dup`: the same layout, committed if the original is, with copies of its
    /// attributes.
    pub fn dup(&self, id: u32) -> Result<u32> {
        let old = self.object(id)?;
        let datatype = old.datatype.dup()?;
        let new_id = self.0.borrow_mut().insert(datatype, old.committed.get());
        let new = self.object(new_id)?;
        old.attributes.copy_to(id, &new.attributes, new_id).inspect_err(|_| {
            self.0.borrow_mut().remove(new_id);
        })?;
        Ok(new_id)
    }

    /// Frees a datatype; operations in progress with it still complete.
    pub fn free(&self, id: u32) -> Result<()> {
        let object = self.object(id)?;
        if object.datatype.is_predefined() {
            let text = "a predefined datatype cannot be freed";
            return Err(Error::new(ErrorClass::Type, text));
        }
        object.attributes.delete_all(id)?;
        self.0.borrow_mut().remove(id);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNDEFINED: i32 = -32766;

    #[test]
    fn equal_arguments_get_the_same_number() {
        let mut types = Numbered::default();
        let mut real = |p| types.predefined(Datatype::f90_real(Some(p), None, UNDEFINED).unwrap());
        let (a, b, c) = (real(6), real(5), real(6));
        assert!(a != b && a == c);
        let int = Datatype::primitive(Primitive::Int);
        assert_eq!(types.predefined(int), Primitive::Int as u32);
    }

    #[test]
    fn a_new_type_must_be_committed() {
        let int = Datatype::primitive(Primitive::Int);
        let object = TypeObject::new(Datatype::contiguous(2, &int).unwrap(), false);
        assert!(object.committed().unwrap_err().text.contains("MPI_Type_commit"));
        object.commit();
        assert_eq!(object.committed().unwrap().size(), 8);
        assert!(TypeObject::new(int, false).committed().is_ok());
    }
}
