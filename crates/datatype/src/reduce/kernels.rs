//! The loops of reductions, one for each operator and type, and the tables in which they are found,
//! at the price of a call through a pointer. Whoever may use more processor features than the rest
//! of the library has them all a second time ([`Features`]).

use std::marker::PhantomData;

use super::item::{Complex, Field, Integer, Item, Pair, Real, Soft16};
use super::{Op, Operands, applies};
use crate::primitive::{Primitive, Rep};
use crate::softfloat::{LongDoubleFormat, QuadFormat};
use bytemuck::{bytes_of, bytes_of_mut, cast_slice, cast_slice_mut};
use half::f16;

/// Applies one operator to elements of one type.
pub trait Kernel {
    /// Does it. Is to be inlined always: in a function compiled for more processor features it
    /// makes use of them.
    fn run(on: Operands<'_>);
}

/// A set of processor features for which the kernels are compiled.
pub trait Features {
    /// A pointer to a function that runs a kernel.
    type Call: Copy + 'static;
    /// That of one kernel.
    type Of<K: Kernel>: Compiled<Self::Call>;
    /// Those of all, [`Kernels::new`].
    const KERNELS: &'static Kernels<Self::Call>;
}

/// A kernel compiled for some features.
pub trait Compiled<Call> {
    /// What runs it.
    const CALL: Call;
}

/// What every processor of the architecture has.
#[derive(Debug)]
pub enum AnyProcessor {}

impl Features for AnyProcessor {
    type Call = fn(Operands<'_>);
    type Of<K: Kernel> = Plain<K>;
    const KERNELS: &'static Kernels<Self::Call> = &Kernels::new::<Self>();
}

/// A kernel as the rest of the library is compiled.
#[derive(Debug)]
pub struct Plain<K>(PhantomData<K>);

impl<K: Kernel> Compiled<fn(Operands<'_>)> for Plain<K> {
    const CALL: fn(Operands<'_>) = K::run;
}

const OPS: usize = Op::ALL.len();
const PRIMITIVES: usize = Primitive::ALL.len();

/// All kernels, compiled for some features.
#[derive(Debug)]
pub struct Kernels<Call> {
    /// Of elements as they lie in memory.
    in_memory: [[Call; OPS]; PRIMITIVES],
    /// Of pairs with padding, packed: `Minloc` and `Maxloc`.
    packed: [[Call; 2]; PRIMITIVES],
}

impl<Call: Copy + 'static> Kernels<Call> {
    /// Those for these features.
    pub const fn new<F: Features<Call = Call>>() -> Self {
        Kernels { in_memory: in_memory::<F>(), packed: packed::<F>() }
    }

    /// That of an operator which is known to apply to the type.
    #[inline(always)]
    pub(super) fn of(&self, op: Op, primitive: Primitive) -> Call {
        self.in_memory[primitive as usize][op as usize]
    }

    /// The same of a pair with padding whose parts are packed.
    #[inline(always)]
    pub(super) fn of_packed(&self, op: Op, primitive: Primitive) -> Call {
        self.packed[primitive as usize][usize::from(matches!(op, Op::Maxloc))]
    }
}

const fn in_memory<F: Features>() -> [[F::Call; OPS]; PRIMITIVES] {
    let mut table = [[call::<F, Never>(); OPS]; PRIMITIVES];
    let mut i = 0;
    while i < PRIMITIVES {
        let mut k = 0;
        while k < OPS {
            let (op, primitive) = (Op::ALL[k], Primitive::ALL[i]);
            if applies(op, primitive.family()) {
                table[i][k] = kernel_of::<F>(op, primitive.rep());
            }
            k += 1;
        }
        i += 1;
    }
    table
}

const fn packed<F: Features>() -> [[F::Call; 2]; PRIMITIVES] {
    let mut table = [[call::<F, Never>(); 2]; PRIMITIVES];
    let mut i = 0;
    while i < PRIMITIVES {
        let primitive = Primitive::ALL[i];
        if let (Rep::Pair(value, index), true) =
            (primitive.rep(), primitive.size() != primitive.extent())
        {
            let parts = (value.rep(), index.rep());
            table[i] = [packed_pair::<F>(Op::Minloc, parts), packed_pair::<F>(Op::Maxloc, parts)];
        }
        i += 1;
    }
    table
}

const fn call<F: Features, K: Kernel>() -> F::Call {
    <F::Of<K>>::CALL
}

const fn kernel_of<F: Features>(op: Op, rep: Rep) -> F::Call {
    match (op, rep) {
        (Op::Replace, _) => call::<F, KeepLeft>(),
        (Op::NoOp, _) => call::<F, KeepRight>(),
        (_, Rep::I8) => integer::<F, i8>(op),
        (_, Rep::I16) => integer::<F, i16>(op),
        (_, Rep::I32) => integer::<F, i32>(op),
        (_, Rep::I64) => integer::<F, i64>(op),
        (_, Rep::I128) => integer::<F, i128>(op),
        (_, Rep::U8) => integer::<F, u8>(op),
        (_, Rep::U16) => integer::<F, u16>(op),
        (_, Rep::U32) => integer::<F, u32>(op),
        (_, Rep::U64) => integer::<F, u64>(op),
        (_, Rep::F16) => real::<F, f16>(op),
        (_, Rep::F32) => real::<F, f32>(op),
        (_, Rep::F64) => real::<F, f64>(op),
        (_, Rep::Ext) => real::<F, Soft16<LongDoubleFormat>>(op),
        (_, Rep::F128) => real::<F, Soft16<QuadFormat>>(op),
        (_, Rep::C16) => field::<F, Complex<f16>>(op),
        (_, Rep::C32) => field::<F, Complex<f32>>(op),
        (_, Rep::C64) => field::<F, Complex<f64>>(op),
        (_, Rep::CExt) => field::<F, Complex<Soft16<LongDoubleFormat>>>(op),
        (_, Rep::C128) => field::<F, Complex<Soft16<QuadFormat>>>(op),
        (_, Rep::Pair(value, index)) => pair::<F>(op, (value.rep(), index.rep())),
    }
}

const fn integer<F: Features, T: Integer>(op: Op) -> F::Call {
    match op {
        Op::Sum | Op::Prod => field::<F, T>(op),
        Op::Min => call::<F, Each<T, Min>>(),
        Op::Max => call::<F, Each<T, Max>>(),
        Op::Band => call::<F, Each<T, Band>>(),
        Op::Bor => call::<F, Each<T, Bor>>(),
        Op::Bxor => call::<F, Each<T, Bxor>>(),
        Op::Land => call::<F, Each<T, Land>>(),
        Op::Lor => call::<F, Each<T, Lor>>(),
        Op::Lxor => call::<F, Each<T, Lxor>>(),
        _ => call::<F, Never>(),
    }
}

const fn real<F: Features, T: Real>(op: Op) -> F::Call {
    match op {
        Op::Min => call::<F, Each<T, Min>>(),
        Op::Max => call::<F, Each<T, Max>>(),
        _ => field::<F, T>(op),
    }
}

const fn field<F: Features, T: Field>(op: Op) -> F::Call {
    match op {
        Op::Sum => call::<F, Each<T, Sum>>(),
        Op::Prod => call::<F, Each<T, Prod>>(),
        _ => call::<F, Never>(),
    }
}

const fn pair<F: Features>(op: Op, parts: (Rep, Rep)) -> F::Call {
    match parts {
        (Rep::F32, Rep::I32) => located::<F, f32, i32, 8>(op),
        (Rep::F64, Rep::I32) => located::<F, f64, i32, 16>(op),
        (Rep::Ext, Rep::I32) => located::<F, Soft16<LongDoubleFormat>, i32, 32>(op),
        (Rep::I16, Rep::I32) => located::<F, i16, i32, 8>(op),
        (Rep::I32, Rep::I32) => located::<F, i32, i32, 8>(op),
        (Rep::I64, Rep::I32) => located::<F, i64, i32, 16>(op),
        (Rep::F32, Rep::F32) => located::<F, f32, f32, 8>(op),
        (Rep::F64, Rep::F64) => located::<F, f64, f64, 16>(op),
        _ => panic!("no such predefined pair"),
    }
}

/// The padded ones of the above, without their padding.
const fn packed_pair<F: Features>(op: Op, parts: (Rep, Rep)) -> F::Call {
    match parts {
        (Rep::F64, Rep::I32) => located::<F, f64, i32, 12>(op),
        (Rep::Ext, Rep::I32) => located::<F, Soft16<LongDoubleFormat>, i32, 20>(op),
        (Rep::I16, Rep::I32) => located::<F, i16, i32, 6>(op),
        (Rep::I64, Rep::I32) => located::<F, i64, i32, 12>(op),
        _ => panic!("no such predefined pair with padding"),
    }
}

const fn located<F, V, I, const BYTES: usize>(op: Op) -> F::Call
where
    F: Features,
    V: Item + PartialOrd,
    I: Item + PartialOrd,
{
    match op {
        Op::Minloc => call::<F, Each<Pair<V, I, BYTES>, Minloc>>(),
        Op::Maxloc => call::<F, Each<Pair<V, I, BYTES>, Maxloc>>(),
        _ => call::<F, Never>(),
    }
}

/// In the place of operators that do not apply to a type.
struct Never;

impl Kernel for Never {
    fn run(_: Operands<'_>) {
        unreachable!("the operator was checked to apply to the type");
    }
}

struct KeepLeft;

impl Kernel for KeepLeft {
    #[inline(always)]
    fn run(on: Operands<'_>) {
        match on {
            Operands::OntoLeft(..) => {}
            Operands::OntoRight(left, into) | Operands::Into(left, _, into) => {
                into.copy_from_slice(left);
            }
        }
    }
}

struct KeepRight;

impl Kernel for KeepRight {
    #[inline(always)]
    fn run(on: Operands<'_>) {
        match on {
            Operands::OntoRight(..) => {}
            Operands::OntoLeft(into, right) | Operands::Into(_, right, into) => {
                into.copy_from_slice(right);
            }
        }
    }
}

/// The loop of all others. Elements are read and written through byte slices of constant length,
/// which compiles to plain (vector) loads and stores without a need for alignment.
struct Each<T, C>(PhantomData<(T, C)>);

impl<T: Item, C: Combine<T>> Kernel for Each<T, C> {
    #[inline(always)]
    fn run(on: Operands<'_>) {
        let f = |l: &T::Bytes, r: &T::Bytes| C::combine(T::load(bytes_of(l)), T::load(bytes_of(r)));
        match on {
            Operands::OntoLeft(left, right) => {
                each(elements_mut::<T>(left).iter_mut().zip(elements::<T>(right)), |(l, r)| {
                    f(l, r).store(bytes_of_mut(l));
                });
            }
            Operands::OntoRight(left, right) => {
                each(elements::<T>(left).iter().zip(elements_mut::<T>(right)), |(l, r)| {
                    f(l, r).store(bytes_of_mut(r));
                });
            }
            Operands::Into(left, right, into) => {
                let operands = elements::<T>(left).iter().zip(elements::<T>(right));
                each(operands.zip(elements_mut::<T>(into)), |((l, r), result)| {
                    f(l, r).store(bytes_of_mut(result));
                });
            }
        }
    }
}

#[inline(always)]
fn elements<T: Item>(bytes: &[u8]) -> &[T::Bytes] {
    cast_slice(bytes)
}

#[inline(always)]
fn elements_mut<T: Item>(bytes: &mut [u8]) -> &mut [T::Bytes] {
    cast_slice_mut(bytes)
}

/// Most short reductions have one element, which takes less time than the setup of a loop.
#[inline(always)]
fn each<E>(mut elements: impl ExactSizeIterator<Item = E>, mut f: impl FnMut(E)) {
    if elements.len() == 1 {
        return elements.next().into_iter().for_each(f);
    }
    for element in elements {
        f(element);
    }
}

/// `left op right` of two values.
trait Combine<T> {
    fn combine(left: T, right: T) -> T;
}

macro_rules! combine {
    ($($op:ident($bound:ident) |$left:ident, $right:ident| $result:expr;)*) => { $(
        struct $op;

        impl<T: $bound> Combine<T> for $op {
            #[inline(always)]
            fn combine($left: T, $right: T) -> T {
                $result
            }
        }
    )* };
}

/// A value that can be compared.
trait Ordered: Item + PartialOrd {}

impl<T: Item + PartialOrd> Ordered for T {}

combine! {
    Sum(Field) |l, r| l.sum(r);
    Prod(Field) |l, r| l.product(r);
    Min(Ordered) |l, r| if l < r { l } else { r };
    Max(Ordered) |l, r| if l > r { l } else { r };
    Band(Integer) |l, r| l & r;
    Bor(Integer) |l, r| l | r;
    Bxor(Integer) |l, r| l ^ r;
    Land(Integer) |l, r| T::truth(l.is_true() & r.is_true());
    Lor(Integer) |l, r| T::truth(l.is_true() | r.is_true());
    Lxor(Integer) |l, r| T::truth(l.is_true() ^ r.is_true());
}

macro_rules! combine_pairs {
    ($($op:ident $better:tt)*) => { $(
        struct $op;

        impl<V: Ordered, I: Ordered, const BYTES: usize> Combine<Pair<V, I, BYTES>> for $op {
            #[inline(always)]
            fn combine(l: Pair<V, I, BYTES>, r: Pair<V, I, BYTES>) -> Pair<V, I, BYTES> {
                l.better(r, l.value $better r.value)
            }
        }
    )* };
}

combine_pairs! { Minloc < Maxloc > }
