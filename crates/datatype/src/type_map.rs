//! A typemap under construction: bytes, signature, alignment and the markers that `resized` sets.
//! Every constructor is a composition of two operations, repetition and sequence.

use crate::Primitive;
use crate::layout::{Layout, Sequence, add, mul, too_large};
use crate::signature::{SigSequence, Signature};
use dunlin_base::Result;

/// A typemap in compact form.
#[derive(Clone, Debug)]
pub(crate) struct Typemap {
    pub layout: Layout,
    pub signature: Signature,
    /// The strictest alignment of its primitives; it decides the padding of the upper bound.
    pub align: usize,
    /// The highest upper bound among the parts, padding included, if there is no marker: a part
    /// never reaches beyond the datatype that is built from it.
    pub parts_end: i64,
    /// The lowest lower-bound marker, if any.
    pub lb_marker: Option<i64>,
    /// The highest upper-bound marker, if any.
    pub ub_marker: Option<i64>,
}

impl Typemap {
    pub const EMPTY: Typemap = Typemap {
        layout: Layout::EMPTY,
        signature: Signature::EMPTY,
        align: 1,
        parts_end: 0,
        lb_marker: None,
        ub_marker: None,
    };

    /// One primitive; a pair with padding between its halves has two runs.
    pub fn primitive(p: Primitive) -> Result<Typemap> {
        let mut sequence = Sequence::default();
        match (p.pair(), p.index_offset()) {
            (Some((value, index)), Some(offset)) => {
                sequence.push(&Layout::dense(0, value.size())?, 0)?;
                sequence.push(&Layout::dense(offset as i64, index.size())?, 0)?;
            }
            _ => sequence.push(&Layout::dense(0, p.size())?, 0)?,
        }
        let (layout, signature) = (sequence.finish(), Signature::primitive(p));
        let (align, parts_end) = (p.align(), layout.hi);
        Ok(Typemap { layout, signature, align, parts_end, lb_marker: None, ub_marker: None })
    }

    /// Whether it has neither data nor markers: then any offset is valid for it.
    pub fn is_empty(&self) -> bool {
        self.layout.size == 0 && self.lb_marker.is_none() && self.ub_marker.is_none()
    }

    /// Lower bound, MPI 5.0, section 5.1.7: the lowest marker, or else the lowest byte.
    pub fn lb(&self) -> i64 {
        self.lb_marker.unwrap_or(self.layout.lo)
    }

    /// Upper bound: the highest marker, or else the end of the parts plus the padding that makes
    /// the extent a multiple of the alignment.
    pub fn ub(&self) -> Result<i64> {
        match self.ub_marker {
            Some(ub) => Ok(ub),
            None => {
                let extent = self.parts_end - self.lb();
                let excess = extent.rem_euclid(self.align as i64);
                add(self.parts_end, if excess == 0 { 0 } else { self.align as i64 - excess })
            }
        }
    }

    pub fn extent(&self) -> Result<i64> {
        Ok(self.ub()? - self.lb())
    }

    /// `count` copies, `stride` bytes apart.
    pub fn repeated(&self, count: usize, stride: i64) -> Result<Typemap> {
        if count == 0 {
            return Ok(Typemap::EMPTY);
        }
        let span = match count {
            1 => 0,
            _ => mul(i64::try_from(count - 1).map_err(|_| too_large())?, stride)?,
        };
        // Copies without data do not extend the upper bound, at any stride.
        let is_empty = self.layout.lo == self.layout.hi;
        let parts_end = add(self.ub()?, if is_empty { 0 } else { span.max(0) })?;
        let moved = |marker: Option<i64>, by: i64| marker.map(|m| add(m, by)).transpose();
        Ok(Typemap {
            layout: self.layout.repeated(count, stride)?,
            signature: self.signature.repeated(count)?,
            align: self.align,
            parts_end,
            lb_marker: moved(self.lb_marker, span.min(0))?,
            ub_marker: moved(self.ub_marker, span.max(0))?,
        })
    }

    /// The same typemap with explicit bounds.
    pub fn with_bounds(&self, lb: i64, ub: i64) -> Typemap {
        Typemap { lb_marker: Some(lb), ub_marker: Some(ub), ..self.clone() }
    }
}

/// Concatenates typemaps.
pub(crate) struct TypemapSequence {
    layout: Sequence,
    signature: SigSequence,
    align: usize,
    parts_end: Option<i64>,
    lb_marker: Option<i64>,
    ub_marker: Option<i64>,
}

impl TypemapSequence {
    pub fn new() -> Self {
        TypemapSequence {
            layout: Sequence::default(),
            signature: SigSequence::default(),
            align: 1,
            parts_end: None,
            lb_marker: None,
            ub_marker: None,
        }
    }

    /// Adds `typemap`, moved by `distance` bytes.
    pub fn push(&mut self, typemap: &Typemap, distance: i64) -> Result<()> {
        self.layout.push(&typemap.layout, distance)?;
        self.signature.push(&typemap.signature)?;
        self.align = self.align.max(typemap.align);
        if typemap.layout.lo < typemap.layout.hi {
            let end = add(typemap.ub()?, distance)?;
            self.parts_end = Some(self.parts_end.map_or(end, |e| e.max(end)));
        }
        if let Some(lb) = typemap.lb_marker {
            let lb = add(lb, distance)?;
            self.lb_marker = Some(self.lb_marker.map_or(lb, |m| m.min(lb)));
        }
        if let Some(ub) = typemap.ub_marker {
            let ub = add(ub, distance)?;
            self.ub_marker = Some(self.ub_marker.map_or(ub, |m| m.max(ub)));
        }
        Ok(())
    }

    pub fn finish(self) -> Typemap {
        let layout = self.layout.finish();
        Typemap {
            parts_end: self.parts_end.unwrap_or(layout.hi),
            layout,
            signature: self.signature.finish(),
            align: self.align,
            lb_marker: self.lb_marker,
            ub_marker: self.ub_marker,
        }
    }
}
