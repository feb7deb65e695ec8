//! One rank's buffers in a proof, and where a view of them lies.

use super::value::Value;
use crate::{Buffer, View};

/// Whether the caller's two buffers share memory; offsets are in atoms.
#[derive(Clone, Copy, Debug)]
pub enum Overlay {
    /// They do not.
    Apart,
    /// `MPI_IN_PLACE` as the send buffer: it lies over the receive buffer, from this atom on.
    SendOverRecv(usize),
    /// `MPI_IN_PLACE` as the receive buffer, at a scatter's root: it lies over the send buffer.
    RecvOverSend(usize),
}

/// The buffers of one rank. Contents are counted in atoms: an element of a buffer is as many atoms
/// as the buffer's grain says, so that datatypes of different sizes can be told apart.
#[derive(Clone, Debug)]
pub struct Buffers {
    /// The send buffer, which nobody may write.
    pub send: Vec<Value>,
    /// The receive buffer; empty where the operation gives it no meaning.
    pub recv: Vec<Value>,
    /// Whether one of the two is a view of the other, and then empty here.
    pub overlay: Overlay,
    /// Atoms per element of the send buffer.
    pub send_grain: usize,
    /// Atoms per element of the receive buffer.
    pub recv_grain: usize,
    /// Atoms per element of scratch memory.
    pub temp_grain: usize,
}

impl Buffers {
    /// Separate buffers whose elements are all one atom.
    pub fn plain(send: Vec<Value>, recv: Vec<Value>) -> Buffers {
        Buffers { send, recv, overlay: Overlay::Apart, send_grain: 1, recv_grain: 1, temp_grain: 1 }
    }

    /// A call in place: `recv` holds the operand and takes the result.
    pub fn in_place(recv: Vec<Value>) -> Buffers {
        Buffers { overlay: Overlay::SendOverRecv(0), ..Buffers::plain(Vec::new(), recv) }
    }
}

/// Consecutive atoms of one chunk of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    slot: usize,
    pub start: usize,
    pub end: usize,
    read_only: bool,
}

/// An atom of one chunk of memory.
pub(super) type Atom = (usize, usize);

impl Extent {
    pub fn each(self) -> impl Iterator<Item = Atom> {
        (self.start..self.end).map(move |atom| (self.slot, atom))
    }

    pub fn overlaps(self, other: Extent) -> bool {
        self.slot == other.slot && self.start < other.end && other.start < self.end
    }

    /// `atoms` of it, from atom `first` on.
    pub fn part(self, first: usize, atoms: usize) -> Extent {
        let start = self.start + first;
        Extent { start, end: start + atoms, ..self }
    }

    pub fn atoms(self) -> usize {
        self.end - self.start
    }

    /// The same memory, however it was reached.
    pub fn same(self, other: Extent) -> bool {
        (self.slot, self.start, self.end) == (other.slot, other.start, other.end)
    }
}

/// The send buffer's slot, the receive buffer's, and the first of scratch memory.
const SEND: usize = 0;
const RECV: usize = 1;
const TEMP: usize = 2;

#[derive(Debug)]
pub(super) struct Memory {
    slots: Vec<Vec<Value>>,
    overlay: Overlay,
    send_grain: usize,
    recv_grain: usize,
    temp_grain: usize,
}

impl Memory {
    pub fn new(buffers: Buffers) -> Memory {
        Memory {
            slots: vec![buffers.send, buffers.recv],
            overlay: buffers.overlay,
            send_grain: buffers.send_grain,
            recv_grain: buffers.recv_grain,
            temp_grain: buffers.temp_grain,
        }
    }

    pub fn recv(&self) -> &[Value] {
        match self.overlay {
            Overlay::RecvOverSend(offset) => &self.slots[SEND][offset..],
            _ => &self.slots[RECV],
        }
    }

    pub fn temp(&mut self, len: usize) -> View {
        let number = self.slots.len() - TEMP;
        self.slots.push(vec![Value::Undefined; len * self.temp_grain]);
        View { buffer: Buffer::Temp(number as u32), start: 0, len }
    }

    pub fn locate(&self, view: View) -> Result<Extent, String> {
        let (slot, grain, offset) = match (view.buffer, self.overlay) {
            (Buffer::Send, Overlay::SendOverRecv(offset)) => (RECV, self.send_grain, offset),
            (Buffer::Send, _) => (SEND, self.send_grain, 0),
            (Buffer::Recv, Overlay::RecvOverSend(offset)) => (SEND, self.recv_grain, offset),
            (Buffer::Recv, _) => (RECV, self.recv_grain, 0),
            (Buffer::Temp(number), _) => (TEMP + number as usize, self.temp_grain, 0),
        };
        let start = offset + view.start * grain;
        let end = start + view.len * grain;
        let have = self.slots.get(slot).map_or(0, Vec::len);
        if end > have && view.len > 0 {
            return Err(format!("touches {view:?}, past the end of that buffer ({have} atoms)"));
        }
        Ok(Extent { slot, start, end, read_only: view.buffer == Buffer::Send || slot == SEND })
    }

    pub fn read(&self, place: Extent) -> Result<Vec<Value>, String> {
        if place.atoms() == 0 {
            return Ok(Vec::new());
        }
        let values = &self.slots[place.slot][place.start..place.end];
        match values.iter().position(|value| *value == Value::Undefined) {
            Some(at) => Err(format!("reads undefined data: atom {at} of {place:?}")),
            None => Ok(values.to_vec()),
        }
    }

    pub fn write(&mut self, place: Extent, values: Vec<Value>) -> Result<(), String> {
        if values.len() != place.atoms() {
            let (have, want) = (values.len(), place.atoms());
            return Err(format!("puts {have} atoms where {want} are expected"));
        }
        if place.read_only && !values.is_empty() {
            return Err(format!("writes to the send buffer: {place:?}"));
        }
        for (atom, value) in (place.start..place.end).zip(values) {
            self.slots[place.slot][atom] = value;
        }
        Ok(())
    }
}
