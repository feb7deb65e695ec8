//! Random datatypes, compared with the slow, obvious model of [`typemap`].

mod typemap;

use dunlin_datatype::{Datatype, Distribution, Order, Piece, Primitive};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use std::collections::HashSet;
use typemap::Recipe;
use typemap::Recipe::*;

fn primitive() -> impl Strategy<Value = Recipe> {
    use dunlin_datatype::Primitive as P;
    let common = [P::Byte, P::Short, P::Int, P::Double, P::Float, P::LongDouble];
    prop_oneof![
        3 => prop::sample::select(common.to_vec()).prop_map(Recipe::Primitive),
        1 => prop::sample::select(P::ALL.to_vec()).prop_map(Recipe::Primitive),
    ]
}

fn order() -> impl Strategy<Value = Order> {
    prop_oneof![Just(Order::C), Just(Order::Fortran)]
}

fn subarray_dimension() -> impl Strategy<Value = (i64, i64, i64)> {
    (1i64..5)
        .prop_flat_map(|size| (Just(size), 1..=size))
        .prop_flat_map(|(size, sub)| (Just(size), Just(sub), 0..=size - sub))
}

fn darray_dimension() -> impl Strategy<Value = (i64, Distribution, i64, i64)> {
    (1i64..8, 1i64..4, 1i64..4, 0..3).prop_map(|(size, argument, processes, kind)| match kind {
        0 => (size, Distribution::None, 1, 1),
        1 => (size, Distribution::Block, argument.max((size - 1) / processes + 1), processes),
        _ => (size, Distribution::Cyclic, argument, processes),
    })
}

/// A count below `end`, seldom 0: types without data test little.
fn few(end: i64) -> impl Strategy<Value = i64> {
    prop_oneof![1 => Just(0), 20 => 1..end]
}

fn composed(old: impl Strategy<Value = Recipe> + Clone + 'static) -> impl Strategy<Value = Recipe> {
    let boxed = || old.clone().prop_map(Box::new);
    let blocks = |reach: i64| prop::collection::vec((few(4), -reach..reach), 1..5);
    let places = |reach: i64| prop::collection::vec(-reach..reach, 1..20);
    let fields = prop::collection::vec((few(3), -40i64..80, old.clone()), 1..4);
    prop_oneof![
        1 => (few(5), boxed()).prop_map(|(n, o)| Contiguous(n, o)),
        1 => (few(20), few(4), -4i64..6, boxed()).prop_map(|(n, b, s, o)| Vector(n, b, s, o)),
        1 => (few(5), few(4), -40i64..60, boxed()).prop_map(|(n, b, s, o)| Hvector(n, b, s, o)),
        1 => (blocks(6), boxed()).prop_map(|(b, o)| Indexed(b, o)),
        1 => (blocks(60), boxed()).prop_map(|(b, o)| Hindexed(b, o)),
        1 => (few(3), places(9), boxed()).prop_map(|(b, d, o)| IndexedBlock(b, d, o)),
        1 => (few(3), places(90), boxed()).prop_map(|(b, d, o)| HindexedBlock(b, d, o)),
        4 => fields.prop_map(Struct),
        1 => (prop::collection::vec(subarray_dimension(), 1..4), order(), boxed())
            .prop_map(|(d, order, o)| Subarray(d, order, o)),
        1 => (prop::collection::vec(darray_dimension(), 1..3), order(), 0i64..9, boxed())
            .prop_map(|(d, order, rank, o)| Darray(d, order, rank, o)),
        1 => (-20i64..20, -8i64..70, boxed()).prop_map(|(lb, e, o)| Resized(lb, e, o)),
        1 => boxed().prop_map(Dup),
    ]
}

/// Recipes whose typemaps are small enough for the model.
fn recipe() -> impl Strategy<Value = Recipe> {
    primitive()
        .prop_recursive(4, 24, 4, composed)
        .prop_filter("a model of bearable length", |r| r.model().entries.len() <= 3000)
}

/// Memory that covers `bounds`, in which each byte differs from its neighbours, and its lowest
/// offset.
fn memory(t: &Datatype, count: usize) -> (Vec<u8>, i64) {
    let (lo, hi) = t.bounds(count);
    ((0..hi - lo).map(|i| (i * 7 + i / 251) as u8).collect(), lo)
}

/// One test rejects types that overlap themselves, hence the generous limit. A failure prints the
/// smallest recipe and saves its seed in a file beside this one.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 2000,
        max_global_rejects: 100_000,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn sizes_and_bounds_are_those_of_the_typemap(recipe in recipe(), count in 1usize..4) {
        let (t, m) = (recipe.datatype(), recipe.model());
        prop_assert_eq!(t.size(), m.size());
        prop_assert_eq!((t.lb(), t.ub(), t.extent()), (m.lb(), m.ub(), m.extent()));
        prop_assert_eq!((t.true_lb(), t.true_extent()), (m.true_lb(), m.true_ub() - m.true_lb()));
        let bytes = m.bytes(count);
        if let (Some(lo), Some(hi)) = (bytes.iter().min(), bytes.iter().max()) {
            prop_assert_eq!(t.bounds(count), (*lo, *hi + 1));
        }
        let dense: Vec<_> = (0..bytes.len() as i64).map(|i| t.true_lb() + i).collect();
        if t.is_contiguous() {
            prop_assert_eq!(&bytes, &dense);
        } else if count > 1 {
            prop_assert_ne!(&bytes, &dense);
        }
        let kinds: Vec<_> = m.entries.iter().map(|e| e.0).collect();
        if let Some(p) = t.element().filter(|p| p.pair().is_none()) {
            prop_assert!(kinds.iter().all(|&k| k == p));
        }
        prop_assert_eq!(t.elements_each(), kinds.len());
    }

    #[test]
    fn packing_follows_the_typemap_from_any_byte(
        recipe in recipe(),
        count in 0usize..4,
        skip in any::<prop::sample::Index>(),
        len in any::<prop::sample::Index>(),
    ) {
        let (t, m) = (recipe.datatype(), recipe.model());
        let (memory, lo) = memory(&t, count);
        let wanted: Vec<u8> =
            m.bytes(count).iter().map(|at| memory[(at - lo) as usize]).collect();
        let skip = skip.index(wanted.len() + 1);
        let mut out = vec![0; len.index(wanted.len() - skip + 1) + 1];
        let n = t.pack(count, &Piece { bytes: &memory[..], lo }, skip, &mut out);
        prop_assert_eq!(n, out.len().min(wanted.len() - skip));
        prop_assert_eq!(&out[..n], &wanted[skip..skip + n]);
    }

    #[test]
    fn unpacking_pieces_in_order_fills_the_typemap_and_nothing_else(
        recipe in recipe(),
        count in 0usize..4,
        piece in 1usize..60,
    ) {
        let (t, m) = (recipe.datatype(), recipe.model());
        let (mut memory, lo) = memory(&t, count);
        let mut wanted = memory.clone();
        let places = m.bytes(count);
        let input: Vec<u8> = (0..places.len()).map(|i| (i * 13 + 5) as u8).collect();
        places.iter().zip(&input).for_each(|(at, b)| wanted[(at - lo) as usize] = *b);
        let mut done = 0;
        for chunk in input.chunks(piece) {
            let mut piece = Piece { bytes: &mut memory[..], lo };
            prop_assert_eq!(t.unpack(count, &mut piece, done, chunk), chunk.len());
            done += chunk.len();
        }
        prop_assert_eq!(memory, wanted);
    }

    #[test]
    fn element_counts_are_those_of_the_typemap(
        recipe in recipe(),
        cut in any::<prop::sample::Index>(),
    ) {
        let (t, m) = (recipe.datatype(), recipe.model());
        let mut ends = vec![0];
        for entry in m.entries.iter().chain(&m.entries) {
            ends.push(ends[ends.len() - 1] + entry.0.size());
        }
        let bytes = cut.index(2 * m.size() + 1);
        prop_assert_eq!(t.elements(bytes), ends.iter().position(|&e| e == bytes));
        if m.size() > 0 {
            let n = cut.index(ends.len());
            prop_assert_eq!(t.bytes_of_elements(n), Some(ends[n]));
            prop_assert_eq!(t.count_of(bytes), (bytes % m.size() == 0).then_some(bytes / m.size()));
        }
    }

    #[test]
    fn the_digest_is_that_of_the_elements_one_by_one(
        recipe in recipe(),
        n in any::<prop::sample::Index>(),
    ) {
        let (t, m) = (recipe.datatype(), recipe.model());
        let types: Vec<_> = m.entries.iter().map(|e| Datatype::primitive(e.0)).collect();
        let n = n.index(2 * types.len() + 1);
        let flat: Vec<i64> = vec![0; types.len()];
        let flat = Datatype::structure(&vec![1; types.len()], &flat, &types).unwrap();
        prop_assert_eq!(t.signature_digest(n), flat.signature_digest(n));
    }

    #[test]
    fn external32_is_big_endian_in_typemap_order(recipe in recipe(), count in 1usize..3) {
        let (t, m) = (recipe.datatype(), recipe.model());
        let places = m.bytes(count);
        prop_assume!(places.iter().collect::<HashSet<_>>().len() == places.len());
        let (lo, hi) = t.bounds(count);
        let (mut memory, mut wanted) = (vec![0u8; (hi - lo) as usize], Vec::new());
        let mut places = places.iter().map(|at| (at - lo) as usize);
        for (i, &(p, _)) in std::iter::repeat_n(&m.entries, count).flatten().enumerate() {
            let native: Vec<_> = places.by_ref().take(p.size()).collect();
            let (low, external) = small_number(p, (i % 120 + 1) as u8);
            low.iter().for_each(|&(at, byte)| memory[native[at]] = byte);
            wanted.extend(external);
        }
        let mut out = vec![0xff; t.external32_size(count).unwrap()];
        let piece = Piece { bytes: &memory[..], lo };
        prop_assert_eq!(t.pack_external32(count, &piece, &mut out).unwrap(), out.len());
        prop_assert_eq!(&out, &wanted);
        let mut back = vec![0; memory.len()];
        t.unpack_external32(count, &mut Piece { bytes: &mut back[..], lo }, &out).unwrap();
        prop_assert_eq!(back, memory);
    }
}

/// A value of `p` whose scalars have `byte` as their lowest byte: the bytes to set on this
/// little-endian machine, and its external32 form. A `long double` stays 0: most of its bit
/// patterns are not numbers.
fn small_number(p: Primitive, byte: u8) -> (Vec<(usize, u8)>, Vec<u8>) {
    use dunlin_datatype::Primitive as P;
    let mut external = vec![0; p.external32_size()];
    let halves = p.name().contains("COMPLEX");
    let scalars = if halves { 2 } else { 1 };
    if matches!(p, P::LongDouble | P::CLongDoubleComplex | P::CxxLongDoubleComplex) {
        return (vec![], external);
    }
    let (native, short) = (p.size() / scalars, external.len() / scalars);
    (0..scalars).for_each(|i| external[(i + 1) * short - 1] = byte);
    ((0..scalars).map(|i| (i * native, byte)).collect(), external)
}
