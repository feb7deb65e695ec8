//! Envelopes, patterns, and the key under which either is filed.

/// What a message says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Envelope {
    /// Context id of the communicator, distinct for its point-to-point and collective messages.
    pub context: u64,
    /// Rank of the sender in the communicator; below 2^30.
    pub source: u32,
    /// The tag.
    pub tag: i32,
}

/// What a receive accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pattern {
    /// Context id; there is no wildcard for it.
    pub context: u64,
    /// Rank of the sender, or `None` for any.
    pub source: Option<u32>,
    /// The tag, or `None` for any.
    pub tag: Option<i32>,
}

/// Which fields a pattern leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Class(u8);

const ANY_SOURCE: u8 = 1;
const ANY_TAG: u8 = 2;

impl Class {
    /// Number of classes; `index` lies below it.
    pub const COUNT: usize = 4;

    /// Nothing is left open.
    pub const EXACT: Class = Class(0);

    /// Every class, by index.
    pub const ALL: [Class; Class::COUNT] =
        [Class::EXACT, Class(ANY_SOURCE), Class(ANY_TAG), Class(ANY_SOURCE | ANY_TAG)];

    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// An envelope or pattern with its open fields blanked and its class noted: equal keys match, and
/// within one class only equal keys do. Two words, because they hash and compare quickly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Key {
    /// The context.
    origin: u64,
    /// Source in the upper 30 bits, class in two, tag in the lower half.
    label: u64,
}

const CLASS_SHIFT: u32 = 32;
const SOURCE_SHIFT: u32 = 34;

/// Odd constants without pattern in their bits: 2^64 divided by the golden ratio and by the plastic
/// number.
const ORIGIN_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
const LABEL_FACTOR: u64 = 0xc13f_a9a9_02a6_328f;

impl Key {
    fn new(class: Class, context: u64, source: u32, tag: i32) -> Key {
        Key {
            origin: context,
            label: u64::from(source) << SOURCE_SHIFT
                | u64::from(class.0) << CLASS_SHIFT
                | u64::from(tag as u32),
        }
    }

    /// Multiply-shift hashing: the upper bits are the good ones. The two products do not depend on
    /// each other, so the hash costs the time of one multiplication.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.origin.wrapping_mul(ORIGIN_FACTOR).wrapping_add(self.label.wrapping_mul(LABEL_FACTOR))
    }

    /// The pattern this key was made of.
    pub fn pattern(&self) -> Pattern {
        let class = (self.label >> CLASS_SHIFT) as u8 & (ANY_SOURCE | ANY_TAG);
        Pattern {
            context: self.origin,
            source: (class & ANY_SOURCE == 0).then_some((self.label >> SOURCE_SHIFT) as u32),
            tag: (class & ANY_TAG == 0).then_some(self.label as u32 as i32),
        }
    }
}

impl Envelope {
    /// The key under which a receive of this class that fits this envelope is filed.
    #[inline]
    pub(super) fn key(&self, class: Class) -> Key {
        let source = if class.0 & ANY_SOURCE == 0 { self.source } else { 0 };
        let tag = if class.0 & ANY_TAG == 0 { self.tag } else { 0 };
        Key::new(class, self.context, source, tag)
    }
}

impl Pattern {
    /// Whether a receive with this pattern may get a message with this envelope.
    #[inline(always)]
    pub fn fits(&self, envelope: &Envelope) -> bool {
        self.context == envelope.context
            && self.source.is_none_or(|source| source == envelope.source)
            && self.tag.is_none_or(|tag| tag == envelope.tag)
    }

    #[inline]
    pub(super) fn class(&self) -> Class {
        let source = if self.source.is_none() { ANY_SOURCE } else { 0 };
        let tag = if self.tag.is_none() { ANY_TAG } else { 0 };
        Class(source | tag)
    }

    #[inline]
    pub(super) fn key(&self) -> Key {
        Key::new(self.class(), self.context, self.source.unwrap_or(0), self.tag.unwrap_or(0))
    }
}
