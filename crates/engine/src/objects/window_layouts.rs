//! Target datatypes that an origin has described to a target once, on one window: later operations
//! name them by a number. Origin and target count alike, because a target handles the messages of
//! an origin in their order, so nothing has to be agreed.

use dunlin_datatype::Datatype;

/// Datatypes that an origin and a target remember; the oldest gives way to the next.
pub(crate) const LAYOUTS_MAX: usize = 32;

/// What an origin has described to one target.
#[derive(Debug, Clone, Default)]
pub(crate) struct Described {
    datatypes: Vec<Datatype>,
    /// The number of the next one.
    next: usize,
}

impl Described {
    /// The number of a datatype, if the target knows it.
    pub fn number(&self, datatype: &Datatype) -> Option<u8> {
        let place = self.datatypes.iter().position(|known| known.is_same(datatype));
        place.map(|place| place as u8)
    }

    /// The number of a datatype that is described to the target now.
    pub fn add(&mut self, datatype: &Datatype) -> u8 {
        let number = self.next;
        match self.datatypes.get_mut(number) {
            Some(oldest) => *oldest = datatype.clone(),
            None => self.datatypes.push(datatype.clone()),
        }
        self.next = (number + 1) % LAYOUTS_MAX;
        number as u8
    }
}

/// What one origin has described to this target.
#[derive(Debug, Default)]
pub(crate) struct Remembered(Vec<Option<Datatype>>);

impl Remembered {
    /// The datatype with this number.
    pub fn get(&self, number: u8) -> Option<Datatype> {
        self.0.get(usize::from(number))?.clone()
    }

    /// The origin has described a datatype under this number. False if it may not be so high.
    pub fn set(&mut self, number: u8, datatype: &Datatype) -> bool {
        let place = usize::from(number);
        if place >= LAYOUTS_MAX {
            return false;
        }
        if place >= self.0.len() {
            self.0.resize(place + 1, None);
        }
        self.0[place] = Some(datatype.clone());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dunlin_datatype::Primitive;

    #[test]
    fn both_sides_mean_the_same_datatype_also_when_old_ones_give_way() {
        let int = Datatype::primitive(Primitive::Int);
        let all: Vec<_> = (1..=2 * LAYOUTS_MAX as i64)
            .map(|n| Datatype::vector(n, 1, 2, &int).unwrap())
            .collect();
        let (mut origin, mut target) = (Described::default(), Remembered::default());
        for datatype in &all {
            assert_eq!(origin.number(datatype), None);
            assert!(target.set(origin.add(datatype), datatype));
            let number = origin.number(datatype).unwrap();
            assert!(target.get(number).unwrap().is_same(datatype));
        }
        assert_eq!(origin.number(&all[0]), None, "it has given way");
        for datatype in &all[LAYOUTS_MAX..] {
            let number = origin.number(datatype).unwrap();
            assert!(target.get(number).unwrap().is_same(datatype));
        }
        assert!(!target.set(LAYOUTS_MAX as u8, &int));
        assert!(target.get(u8::MAX).is_none());
    }
}
