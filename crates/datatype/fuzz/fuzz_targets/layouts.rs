//! Datatypes from arbitrary bytes. A recipe with small numbers must behave like its typemap, listed
//! byte by byte; constructors with arguments of any size must return, not panic.
#![no_main]

mod hostile;
mod moving;
mod recipes;
#[path = "../../tests/typemap/mod.rs"]
mod typemap;

use arbitrary::{Result, Unstructured};
use dunlin_datatype::Datatype;
use libfuzzer_sys::fuzz_target;
use typemap::{Model, Recipe};

/// Types with a larger span are not packed: their memory would cost more than it tests.
const SPAN_BYTES_MAX: i64 = 1 << 20;

/// A datatype, its model, and a number of consecutive elements.
pub struct Case {
    pub datatype: Datatype,
    pub model: Model,
    pub count: usize,
}

impl Case {
    fn new(recipe: &Recipe, count: usize) -> Case {
        Case { datatype: recipe.datatype(), model: recipe.model(), count }
    }

    /// Size and bounds are those of the typemap, and the bounds cover every byte and no more.
    fn check_bounds(&self) {
        let (t, m) = (&self.datatype, &self.model);
        assert_eq!(t.size(), m.size(), "size");
        assert_eq!((t.lb(), t.ub(), t.extent()), (m.lb(), m.ub(), m.extent()), "bounds");
        let true_extent = m.true_ub() - m.true_lb();
        assert_eq!((t.true_lb(), t.true_extent()), (m.true_lb(), true_extent), "true bounds");
        assert_eq!(t.elements_each(), m.entries.len(), "elements");
        let bytes = m.bytes(self.count);
        let covered = match (bytes.iter().min(), bytes.iter().max()) {
            (Some(lo), Some(hi)) => (*lo, *hi + 1),
            _ => (0, 0),
        };
        assert_eq!(t.bounds(self.count), covered, "bytes touched by {}", self.count);
    }
}

/// Input that ends early is no failure: the bytes describe only a part of a case.
fn run(u: &mut Unstructured) -> Result<()> {
    if u.ratio(1, 4)? {
        return hostile::check(u);
    }
    let recipe = recipes::recipe(u)?;
    let case = Case::new(&recipe, u.int_in_range(0..=3)?);
    case.check_bounds();
    let (lo, hi) = case.datatype.bounds(case.count);
    if hi - lo > SPAN_BYTES_MAX {
        return Ok(());
    }
    moving::check_native(&case, u)?;
    moving::check_external32(&case, u)
}

fuzz_target!(|data: &[u8]| {
    let _ = run(&mut Unstructured::new(data));
});
