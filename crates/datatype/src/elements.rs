//! The number of elements in received bytes: `MPI_Get_count`, `MPI_Get_elements` and the inverse
//! that `MPI_Status_set_elements` needs.

use crate::Datatype;

impl Datatype {
    /// Whole elements in `bytes` of packed data; `None` (`MPI_UNDEFINED`) where the last one is
    /// partial.
    pub fn count_of(&self, bytes: usize) -> Option<usize> {
        match self.size() {
            0 => (bytes == 0).then_some(0),
            size => (bytes % size == 0).then_some(bytes / size),
        }
    }

    /// Basic elements in `bytes` of packed data; `None` where the last one is partial. A pair such
    /// as `MPI_DOUBLE_INT` is two basic elements, a complex number one.
    pub fn elements(&self, bytes: usize) -> Option<usize> {
        let Some(count) = bytes.checked_div(self.size()) else {
            return (bytes == 0).then_some(0);
        };
        let rest = self.signature().amount_before(bytes % self.size())?;
        count.checked_mul(self.signature().total.elements)?.checked_add(rest.elements)
    }

    /// Basic elements in one element of this type.
    pub fn elements_each(&self) -> usize {
        self.signature().total.elements
    }

    /// Packed bytes of the first `elements` basic elements of an array of this type; `None` where
    /// the type has no data or the number of bytes exceeds `usize`.
    pub fn bytes_of_elements(&self, elements: usize) -> Option<usize> {
        let each = self.elements_each();
        let count = elements.checked_div(each)?;
        let rest = self.signature().amount_of_elements(elements % each)?;
        count.checked_mul(self.size())?.checked_add(rest.bytes)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Datatype, Primitive};

    #[test]
    fn half_a_pair_is_an_element_but_not_a_count() {
        // MPI 5.0, section 5.1.11: a receive of two reals into contiguous pairs, then of three.
        let pair = Datatype::contiguous(2, &Datatype::primitive(Primitive::Real)).unwrap();
        assert_eq!((pair.count_of(8), pair.elements(8)), (Some(1), Some(2)));
        assert_eq!((pair.count_of(12), pair.elements(12)), (None, Some(3)));
        assert_eq!((pair.count_of(13), pair.elements(13)), (None, None));
    }

    #[test]
    fn the_halves_of_a_value_and_index_are_elements() {
        let t = Datatype::primitive(Primitive::DoubleInt);
        assert_eq!(t.elements(12), Some(2));
        assert_eq!(t.elements(8), Some(1));
        assert_eq!(t.elements(20), Some(3));
        assert_eq!(t.elements(4), None);
        assert_eq!(t.bytes_of_elements(3), Some(20));
    }

    #[test]
    fn a_type_without_data_holds_nothing() {
        let t = Datatype::contiguous(0, &Datatype::primitive(Primitive::Int)).unwrap();
        assert_eq!((t.count_of(0), t.elements(0)), (Some(0), Some(0)));
        assert_eq!((t.count_of(4), t.elements(4)), (None, None));
        assert_eq!(t.bytes_of_elements(1), None);
    }
}
