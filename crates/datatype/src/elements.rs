//! How much of a type some received bytes are: `MPI_Get_count`, `MPI_Get_elements` and the inverse
//! that `MPI_Status_set_elements` needs.

use crate::Datatype;

impl Datatype {
    /// Whole elements in `bytes` of packed data; `None` (`MPI_UNDEFINED`) where the last is partial.
    pub fn count_of(&self, bytes: usize) -> Option<usize> {
        match self.size() {
            0 => (bytes == 0).then_some(0),
            size => (bytes % size == 0).then_some(bytes / size),
        }
    }

    /// Basic elements in `bytes` of packed data; `None` where the last is partial. A pair such as
    /// `MPI_DOUBLE_INT` is two basic elements, a complex number one.
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
    /// the type has no data or the bytes are more than a `usize` can count.
    pub fn bytes_of_elements(&self, elements: usize) -> Option<usize> {
        let each = self.elements_each();
        let count = elements.checked_div(each)?;
        let rest = self.signature().amount_of_elements(elements % each)?;
        count.checked_mul(self.size())?.checked_add(rest.bytes)
    }
}
