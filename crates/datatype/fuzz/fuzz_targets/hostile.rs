//! Nested constructors with arguments of any size: each returns a type with consistent bounds, or
//! an error. None panics or allocates memory in proportion to a count.

use arbitrary::{Result, Unstructured};
use dunlin_datatype::{Datatype, Dimension, Distribution, Order, Piece, Primitive};

/// The most constructors in a row.
const STEPS_MAX: usize = 6;
/// The longest list of arguments.
const LIST_MAX: usize = 6;
/// Numbers at which arithmetic with offsets is likely to overflow.
const EDGES: [i64; 13] = [
    0,
    1,
    -1,
    i32::MAX as i64,
    i32::MIN as i64,
    1 << 61,
    (1 << 62) - 1,
    1 << 62,
    -(1 << 62),
    i64::MAX / 3,
    i64::MAX / 5,
    i64::MAX,
    i64::MIN,
];

/// A number of any size, often near an edge.
fn number(u: &mut Unstructured) -> Result<i64> {
    match u.int_in_range(0..=3)? {
        0 => u.int_in_range(-3..=8),
        1 => u.arbitrary(),
        _ => {
            let edge = *u.choose(&EDGES)?;
            Ok(edge.wrapping_add(u.int_in_range(-2..=2)?))
        }
    }
}

fn numbers(u: &mut Unstructured) -> Result<Vec<i64>> {
    let n = u.int_in_range(0..=LIST_MAX)?;
    (0..n).map(|_| number(u)).collect()
}

/// A list of `n` numbers, seldom of more or fewer.
fn matching(u: &mut Unstructured, n: usize) -> Result<Vec<i64>> {
    if u.ratio(1, 16)? {
        return numbers(u);
    }
    (0..n).map(|_| number(u)).collect()
}

/// Nests constructors until one fails, and checks each type.
pub fn check(u: &mut Unstructured) -> Result<()> {
    let mut made = vec![Datatype::primitive(*u.choose(Primitive::ALL)?)];
    let resized = Datatype::resized(&made[0], number(u)?, number(u)?);
    made.extend(resized);
    for _ in 0..u.int_in_range(1..=STEPS_MAX)? {
        let old = u.choose(&made)?.clone();
        if let Some(t) = construct(u, &old, &made)? {
            ask(u, &t)?;
            made.push(t);
        }
    }
    Ok(())
}

/// One constructor applied to `old`; `None` where it fails.
fn construct(u: &mut Unstructured, old: &Datatype, made: &[Datatype]) -> Result<Option<Datatype>> {
    let (a, b, c) = (number(u)?, number(u)?, number(u)?);
    Ok(match u.int_in_range(0..=11)? {
        0 => Datatype::contiguous(a, old),
        1 => Datatype::vector(a, b, c, old),
        2 => Datatype::hvector(a, b, c, old),
        3 => Datatype::resized(old, a, b),
        4 => old.dup(),
        5 => Datatype::indexed_block(a, &numbers(u)?, old),
        6 => Datatype::hindexed_block(a, &numbers(u)?, old),
        7 => {
            let lengths = numbers(u)?;
            Datatype::indexed(&lengths, &matching(u, lengths.len())?, old)
        }
        8 => {
            let lengths = numbers(u)?;
            Datatype::hindexed(&lengths, &matching(u, lengths.len())?, old)
        }
        9 => {
            let lengths = numbers(u)?;
            let types = lengths.iter().map(|_| Ok(u.choose(made)?.clone()));
            let types = types.collect::<Result<Vec<_>>>()?;
            Datatype::structure(&lengths, &matching(u, lengths.len())?, &types)
        }
        10 => {
            let (sizes, order) = (numbers(u)?, *u.choose(&[Order::C, Order::Fortran])?);
            let subsizes = matching(u, sizes.len())?;
            Datatype::subarray(&sizes, &subsizes, &matching(u, sizes.len())?, order, old)
        }
        _ => return darray(u, a, b, old),
    }
    .ok())
}

fn darray(u: &mut Unstructured, size: i64, rank: i64, old: &Datatype) -> Result<Option<Datatype>> {
    let n = u.int_in_range(0..=3)?;
    let dimensions = (0..n).map(|_| dimension(u)).collect::<Result<Vec<_>>>()?;
    // Only a grid of the right size passes the first check.
    let cells = dimensions.iter().try_fold(1i64, |n, d| n.checked_mul(d.processes));
    let size = if u.ratio(7, 8)? { cells.unwrap_or(size) } else { size };
    let rank = if u.ratio(7, 8)? { rank.checked_rem_euclid(size).unwrap_or(rank) } else { rank };
    let order = *u.choose(&[Order::C, Order::Fortran])?;
    Ok(Datatype::darray(size, rank, &dimensions, order, old).ok())
}

fn dimension(u: &mut Unstructured) -> Result<Dimension> {
    let kinds = [Distribution::None, Distribution::Block, Distribution::Cyclic];
    Ok(Dimension {
        size: number(u)?,
        distribution: *u.choose(&kinds)?,
        argument: if u.arbitrary()? { Some(number(u)?) } else { None },
        processes: number(u)?,
    })
}

/// Every inquiry about a type succeeds, and the results agree.
fn ask(u: &mut Unstructured, t: &Datatype) -> Result<()> {
    let many = number(u)?.unsigned_abs() as usize;
    let width = i128::from(t.ub()) - i128::from(t.lb());
    assert_eq!(i128::from(t.extent()), width, "extent of {t:?}");
    assert!(t.true_extent() >= 0, "true extent of {t:?}");
    assert_eq!(t.true_extent() == 0, t.size() == 0, "true extent of {t:?}");
    if t.size() > 0 {
        let one = (t.true_lb(), t.true_lb() + t.true_extent());
        assert_eq!(t.bounds(1), one, "bounds of {t:?}");
    }
    let (lo, hi) = t.bounds(many);
    assert!(lo <= hi, "bounds of {many} of {t:?}");
    if t.is_contiguous() && t.size() > 0 {
        assert_eq!(t.size() as i64, t.true_extent(), "{t:?} is contiguous");
    }
    assert_eq!(t.elements(t.size()), Some(t.elements_each()), "elements of {t:?}");
    t.count_of(many);
    t.elements(many);
    t.bytes_of_elements(many);
    t.external32_size(many);
    t.signature_digest(many);
    t.envelope();
    assert!(t.contents().is_ok(), "contents of {t:?}");
    let nothing = Piece { bytes: &[][..], lo: 0 };
    assert_eq!(t.pack(many, &nothing, many, &mut []), 0, "nothing is moved");
    let _ = t.clone().with_large_contents().envelope();
    Ok(())
}
