//! The predefined datatypes of the standard ABI with their representation, size, alignment and
//! name. Sizes are those of LP64 Linux with Fortran's default kinds (INTEGER, REAL and LOGICAL of 4
//! bytes).

/// The representation of one value, named by width in bits. `Ext` is C's `long double`, 16 bytes in
/// memory on x86-64 (x87, 80 bits used) and on AArch64 (IEEE binary128).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rep {
    I8,
    I16,
    I32,
    I64,
    I128,
    U8,
    U16,
    U32,
    U64,
    F16,
    F32,
    F64,
    Ext,
    F128,
    C16,
    C32,
    C64,
    CExt,
    C128,
    /// A value followed by an index, laid out as a C struct of the two.
    Pair(Primitive, Primitive),
}

impl Rep {
    /// Bytes of data.
    const fn size(self) -> usize {
        match self {
            Rep::I8 | Rep::U8 => 1,
            Rep::I16 | Rep::U16 | Rep::F16 => 2,
            Rep::I32 | Rep::U32 | Rep::F32 | Rep::C16 => 4,
            Rep::I64 | Rep::U64 | Rep::F64 | Rep::C32 => 8,
            Rep::I128 | Rep::Ext | Rep::F128 | Rep::C64 => 16,
            Rep::CExt | Rep::C128 => 32,
            Rep::Pair(value, index) => value.rep().size() + index.rep().size(),
        }
    }

    /// The alignment that a C or Fortran compiler gives it.
    const fn align(self) -> usize {
        match self {
            Rep::C16 | Rep::C32 | Rep::C64 | Rep::CExt | Rep::C128 => self.size() / 2,
            Rep::Pair(value, index) => {
                if value.align() > index.align() {
                    value.align()
                } else {
                    index.align()
                }
            }
            _ => self.size(),
        }
    }
}

/// The groups of types for which MPI 5.0, section 6.9.2, defines operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    CInteger,
    FortranInteger,
    Float,
    Complex,
    Logical,
    Byte,
    /// `MPI_AINT`, `MPI_COUNT`, `MPI_OFFSET`.
    MultiLanguage,
    /// `MPI_CHAR` and `MPI_CHARACTER`: printable characters; programs compute with them all the
    /// same.
    Character,
    /// `MPI_WCHAR` and `MPI_PACKED`: no operator applies.
    Opaque,
    Pair,
}

/// C's `char`: signed on some machines, unsigned on others.
const C_CHAR: Rep = if std::ffi::c_char::MIN == 0 { Rep::U8 } else { Rep::I8 };

macro_rules! primitives {
    ($($id:ident $name:literal $family:ident $rep:expr;)*) => {
        /// A predefined datatype, named after what it is.
        #[allow(missing_docs, reason = "the names are the standard's own")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Primitive { $($id),* }

        impl Primitive {
            /// Every predefined datatype, in the order of their numbers.
            pub const ALL: &'static [Primitive] = &[$(Primitive::$id),*];

            /// The name that `MPI_Type_get_name` returns, such as `MPI_INT`.
            pub const fn name(self) -> &'static str {
                match self { $(Primitive::$id => $name),* }
            }

            pub(crate) const fn family(self) -> Family {
                match self { $(Primitive::$id => Family::$family),* }
            }

            #[inline]
            pub(crate) const fn rep(self) -> Rep {
                use Rep::*;
                match self { $(Primitive::$id => $rep),* }
            }
        }
    };
}

primitives! {
    Aint "MPI_AINT" MultiLanguage I64;
    Count "MPI_COUNT" MultiLanguage I64;
    Offset "MPI_OFFSET" MultiLanguage I64;
    Packed "MPI_PACKED" Opaque U8;
    Short "MPI_SHORT" CInteger I16;
    Int "MPI_INT" CInteger I32;
    Long "MPI_LONG" CInteger I64;
    LongLong "MPI_LONG_LONG_INT" CInteger I64;
    UnsignedShort "MPI_UNSIGNED_SHORT" CInteger U16;
    Unsigned "MPI_UNSIGNED" CInteger U32;
    UnsignedLong "MPI_UNSIGNED_LONG" CInteger U64;
    UnsignedLongLong "MPI_UNSIGNED_LONG_LONG" CInteger U64;
    Float "MPI_FLOAT" Float F32;
    Double "MPI_DOUBLE" Float F64;
    LongDouble "MPI_LONG_DOUBLE" Float Ext;
    CFloatComplex "MPI_C_COMPLEX" Complex C32;
    CDoubleComplex "MPI_C_DOUBLE_COMPLEX" Complex C64;
    CLongDoubleComplex "MPI_C_LONG_DOUBLE_COMPLEX" Complex CExt;
    CxxFloatComplex "MPI_CXX_FLOAT_COMPLEX" Complex C32;
    CxxDoubleComplex "MPI_CXX_DOUBLE_COMPLEX" Complex C64;
    CxxLongDoubleComplex "MPI_CXX_LONG_DOUBLE_COMPLEX" Complex CExt;
    CxxBool "MPI_CXX_BOOL" Logical U8;
    Logical "MPI_LOGICAL" Logical U32;
    Integer "MPI_INTEGER" FortranInteger I32;
    Real "MPI_REAL" Float F32;
    Complex "MPI_COMPLEX" Complex C32;
    DoublePrecision "MPI_DOUBLE_PRECISION" Float F64;
    DoubleComplex "MPI_DOUBLE_COMPLEX" Complex C64;
    Character "MPI_CHARACTER" Character C_CHAR;
    FloatInt "MPI_FLOAT_INT" Pair Pair(Primitive::Float, Primitive::Int);
    DoubleInt "MPI_DOUBLE_INT" Pair Pair(Primitive::Double, Primitive::Int);
    LongInt "MPI_LONG_INT" Pair Pair(Primitive::Long, Primitive::Int);
    TwoInt "MPI_2INT" Pair Pair(Primitive::Int, Primitive::Int);
    ShortInt "MPI_SHORT_INT" Pair Pair(Primitive::Short, Primitive::Int);
    LongDoubleInt "MPI_LONG_DOUBLE_INT" Pair Pair(Primitive::LongDouble, Primitive::Int);
    TwoReal "MPI_2REAL" Pair Pair(Primitive::Real, Primitive::Real);
    TwoDoublePrecision "MPI_2DOUBLE_PRECISION" Pair
        Pair(Primitive::DoublePrecision, Primitive::DoublePrecision);
    TwoInteger "MPI_2INTEGER" Pair Pair(Primitive::Integer, Primitive::Integer);
    CBool "MPI_C_BOOL" Logical U8;
    Wchar "MPI_WCHAR" Opaque U32;
    Int8 "MPI_INT8_T" CInteger I8;
    Uint8 "MPI_UINT8_T" CInteger U8;
    Char "MPI_CHAR" Character C_CHAR;
    SignedChar "MPI_SIGNED_CHAR" CInteger I8;
    UnsignedChar "MPI_UNSIGNED_CHAR" CInteger U8;
    Byte "MPI_BYTE" Byte U8;
    Int16 "MPI_INT16_T" CInteger I16;
    Uint16 "MPI_UINT16_T" CInteger U16;
    Int32 "MPI_INT32_T" CInteger I32;
    Uint32 "MPI_UINT32_T" CInteger U32;
    Int64 "MPI_INT64_T" CInteger I64;
    Uint64 "MPI_UINT64_T" CInteger U64;
    Logical1 "MPI_LOGICAL1" Logical U8;
    Logical2 "MPI_LOGICAL2" Logical U16;
    Logical4 "MPI_LOGICAL4" Logical U32;
    Logical8 "MPI_LOGICAL8" Logical U64;
    Logical16 "MPI_LOGICAL16" Logical I128;
    Integer1 "MPI_INTEGER1" FortranInteger I8;
    Integer2 "MPI_INTEGER2" FortranInteger I16;
    Integer4 "MPI_INTEGER4" FortranInteger I32;
    Integer8 "MPI_INTEGER8" FortranInteger I64;
    Integer16 "MPI_INTEGER16" FortranInteger I128;
    Real2 "MPI_REAL2" Float F16;
    Real4 "MPI_REAL4" Float F32;
    Real8 "MPI_REAL8" Float F64;
    Real16 "MPI_REAL16" Float F128;
    Complex4 "MPI_COMPLEX4" Complex C16;
    Complex8 "MPI_COMPLEX8" Complex C32;
    Complex16 "MPI_COMPLEX16" Complex C64;
    Complex32 "MPI_COMPLEX32" Complex C128;
}

/// Sizes by number of a primitive, computed at compile time: every element-wise operation reads
/// them.
static SIZES: [u8; Primitive::ALL.len()] = {
    let mut table = [0; Primitive::ALL.len()];
    let mut i = 0;
    while i < table.len() {
        assert!(Primitive::ALL[i] as usize == i, "numbers follow the order of the list");
        table[i] = Primitive::ALL[i].rep().size() as u8;
        i += 1;
    }
    table
};
static EXTENTS: [u8; Primitive::ALL.len()] = {
    let mut table = [0; Primitive::ALL.len()];
    let mut i = 0;
    while i < table.len() {
        let (end, align) = (Primitive::ALL[i].index_end(), Primitive::ALL[i].align());
        table[i] = (end.div_ceil(align) * align) as u8;
        i += 1;
    }
    table
};

impl Primitive {
    /// Bytes of data, without padding.
    #[inline]
    pub const fn size(self) -> usize {
        SIZES[self as usize] as usize
    }

    /// The alignment in bytes that a compiler gives a variable of this type.
    pub const fn align(self) -> usize {
        self.rep().align()
    }

    /// Bytes from one element of an array to the next; larger than the size for padded pairs.
    #[inline]
    pub const fn extent(self) -> usize {
        EXTENTS[self as usize] as usize
    }

    /// For a pair (`MPI_DOUBLE_INT` and so on), the types of its value and its index.
    pub const fn pair(self) -> Option<(Primitive, Primitive)> {
        match self.rep() {
            Rep::Pair(value, index) => Some((value, index)),
            _ => None,
        }
    }

    /// For a pair, the offset of the index within the struct.
    pub const fn index_offset(self) -> Option<usize> {
        match self.rep() {
            Rep::Pair(value, index) => Some(value.size().div_ceil(index.align()) * index.align()),
            _ => None,
        }
    }

    /// The number of basic elements that `MPI_Get_elements` counts in it: two for a pair, else one.
    pub const fn elements(self) -> usize {
        if self.pair().is_some() { 2 } else { 1 }
    }

    /// Bytes of data in external32, MPI 5.0, section 14.5.2: `long` has 4 there and `wchar_t` 2.
    pub const fn external32_size(self) -> usize {
        match self {
            Primitive::Long | Primitive::UnsignedLong => 4,
            Primitive::Wchar => 2,
            _ => match self.rep() {
                Rep::Pair(value, index) => value.external32_size() + index.external32_size(),
                rep => rep.size(),
            },
        }
    }

    /// The offset of the first byte after the data.
    const fn index_end(self) -> usize {
        match self.rep() {
            Rep::Pair(_, index) => match self.index_offset() {
                Some(offset) => offset + index.size(),
                None => self.size(),
            },
            _ => self.size(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_have_the_layout_of_c_structs() {
        let layout = |p: Primitive| (p.size(), p.extent(), p.align());
        assert_eq!(layout(Primitive::FloatInt), (8, 8, 4));
        assert_eq!(layout(Primitive::DoubleInt), (12, 16, 8));
        assert_eq!(layout(Primitive::LongInt), (12, 16, 8));
        assert_eq!(layout(Primitive::ShortInt), (6, 8, 4));
        assert_eq!(layout(Primitive::LongDoubleInt), (20, 32, 16));
        assert_eq!(layout(Primitive::TwoDoublePrecision), (16, 16, 8));
        assert_eq!(Primitive::ShortInt.index_offset(), Some(4));
    }

    #[test]
    fn only_pairs_are_padded() {
        for &p in Primitive::ALL.iter().filter(|p| p.pair().is_none()) {
            assert_eq!(p.size(), p.extent(), "{}", p.name());
        }
    }

    #[test]
    fn names_are_unique_and_standard() {
        let mut names: Vec<_> = Primitive::ALL.iter().map(|p| p.name()).collect();
        assert!(names.iter().all(|n| n.starts_with("MPI_")));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Primitive::ALL.len());
    }
}
