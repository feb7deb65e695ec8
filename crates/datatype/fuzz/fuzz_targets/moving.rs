//! Pack and unpack, native and external32, compared with the list of bytes.

use crate::Case;
use arbitrary::{Result, Unstructured};
use dunlin_datatype::{Piece, Primitive};
use std::collections::HashSet;

/// The longest piece of a stream.
const PIECE_BYTES_MAX: usize = 300;
/// Bytes of memory that the fuzzer chooses; memory repeats them to its end.
const PATTERN_BYTES_MAX: usize = 32;
/// The value of memory that unpacking did not write.
const UNTOUCHED: u8 = 0xa5;

/// Memory that covers the bounds of `case`, and the offset of its first byte.
fn memory(case: &Case, byte: impl Fn(usize) -> u8) -> (Vec<u8>, i64) {
    let (lo, hi) = case.datatype.bounds(case.count);
    ((0..(hi - lo) as usize).map(byte).collect(), lo)
}

/// Cuts `0..total` at positions that the fuzzer chooses; some pieces are empty.
fn pieces(u: &mut Unstructured, total: usize) -> Result<Vec<(usize, usize)>> {
    let (mut all, mut done) = (vec![], 0);
    while done < total {
        let wanted = if u.is_empty() { total } else { u.int_in_range(0..=PIECE_BYTES_MAX)? };
        let len = wanted.min(total - done);
        all.push((done, len));
        done += len;
    }
    Ok(all)
}

/// `memory` with only the bytes at `places`; the others are [`UNTOUCHED`].
fn named_only(memory: &[u8], places: &[i64], lo: i64) -> Vec<u8> {
    let mut kept = vec![UNTOUCHED; memory.len()];
    for at in places.iter().map(|at| (at - lo) as usize) {
        kept[at] = memory[at];
    }
    kept
}

/// Packing follows the typemap, whole and in pieces from any byte on; unpacking the pieces, in any
/// order, restores exactly the bytes that the typemap names.
pub fn check_native(case: &Case, u: &mut Unstructured) -> Result<()> {
    let (t, count) = (&case.datatype, case.count);
    let (memory, lo) = memory(case, |i| (i * 7 + i / 251) as u8);
    let places = case.model.bytes(count);
    let wanted: Vec<u8> = places.iter().map(|at| memory[(at - lo) as usize]).collect();
    let mut whole = vec![0; wanted.len()];
    assert_eq!(t.pack(count, &Piece { bytes: &memory[..], lo }, 0, &mut whole), wanted.len());
    assert_eq!(whole, wanted, "packed whole");

    let cuts = pieces(u, wanted.len())?;
    let mut joined = vec![0; wanted.len()];
    let mut back = vec![UNTOUCHED; memory.len()];
    for &(skip, len) in cuts.iter().rev() {
        let piece = &mut joined[skip..skip + len];
        assert_eq!(t.pack(count, &Piece { bytes: &memory[..], lo }, skip, piece), len);
        assert_eq!(t.unpack(count, &mut Piece { bytes: &mut back[..], lo }, skip, piece), len);
    }
    assert_eq!(joined, wanted, "packed in pieces");
    assert_eq!(back, named_only(&memory, &places, lo), "unpacked in pieces");
    let piece = Piece { bytes: &memory[..], lo };
    assert_eq!(t.pack(count, &piece, wanted.len(), &mut [0; 1]), 0, "behind the end");
    Ok(())
}

fn scalars(p: Primitive) -> [Primitive; 2] {
    p.pair().unwrap_or((p, p)).into()
}

/// Whether some values of `p` have no external32 form.
fn is_shorter(p: Primitive) -> bool {
    p.external32_size() < p.size()
}

/// Whether some bits of `p` are padding, or some values are not numbers.
fn is_long_double(p: Primitive) -> bool {
    use Primitive::{CLongDoubleComplex, CxxLongDoubleComplex, LongDouble};
    scalars(p).iter().any(|p| matches!(p, LongDouble | CLongDoubleComplex | CxxLongDoubleComplex))
}

/// The round trip through external32 restores the bytes, or, for a `long double`, the stream. Only
/// a type that is shorter in external32 may reject a value.
pub fn check_external32(case: &Case, u: &mut Unstructured) -> Result<()> {
    let (t, count) = (&case.datatype, case.count);
    let taken = u.len().min(PATTERN_BYTES_MAX);
    let pattern = u.bytes(taken)?;
    let (memory, lo) = memory(case, |i| if taken == 0 { 0 } else { pattern[i % taken] });
    let kinds: Vec<_> = case.model.entries.iter().map(|e| e.0).collect();
    let sizes: usize = kinds.iter().map(|p| p.external32_size()).sum();
    assert_eq!(t.external32_size(count), Some(sizes * count));
    let mut stream = vec![0; sizes * count];
    if let Err(e) = t.pack_external32(count, &Piece { bytes: &memory[..], lo }, &mut stream) {
        assert!(kinds.iter().any(|&p| is_shorter(p)), "{e} from {kinds:?}");
        return Ok(());
    }
    let mut back = vec![UNTOUCHED; memory.len()];
    let mut piece = Piece { bytes: &mut back[..], lo };
    assert_eq!(t.unpack_external32(count, &mut piece, &stream), Ok(stream.len()));
    let places = case.model.bytes(count);
    if !kinds.iter().any(|&p| is_long_double(p)) {
        assert_eq!(back, named_only(&memory, &places, lo), "through external32");
    } else if places.iter().collect::<HashSet<_>>().len() == places.len() {
        let mut again = vec![0; stream.len()];
        let piece = Piece { bytes: &back[..], lo };
        assert_eq!(t.pack_external32(count, &piece, &mut again), Ok(stream.len()));
        assert_eq!(again, stream, "external32 a second time");
    }
    Ok(())
}
