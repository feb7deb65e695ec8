//! The numbers of the acknowledgements that short messages in synchronous mode await. A number fits
//! into the header of a packet, so that neither the message nor the acknowledgement has to carry
//! more.

use crate::p2p::request::RequestId;

/// Stands for no number of an acknowledgement, in the packets about messages that await none.
pub(crate) const NO_ACK: u8 = 0;

/// The sends to one peer that await an acknowledgement, by the number that it will have.
#[derive(Debug, Default)]
pub(crate) struct AwaitedAcks {
    /// The first is that of number 1.
    sends: Vec<Option<RequestId>>,
    free: Vec<u8>,
}

impl AwaitedAcks {
    /// The number for a send; `None` if all are in use.
    pub fn add(&mut self, send: RequestId) -> Option<u8> {
        if let Some(number) = self.free.pop() {
            self.sends[usize::from(number) - 1] = Some(send);
            return Some(number);
        }
        let number = u8::try_from(self.sends.len() + 1).ok()?;
        self.sends.push(Some(send));
        Some(number)
    }

    /// The send with this number, which is free again.
    pub fn take(&mut self, number: u8) -> Option<RequestId> {
        let send = self.sends.get_mut(usize::from(number).checked_sub(1)?)?.take()?;
        self.free.push(number);
        Some(send)
    }

    /// The number of a send, or [`NO_ACK`].
    pub fn number_of(&self, send: RequestId) -> u8 {
        let place = self.sends.iter().position(|&awaits| awaits == Some(send));
        place.map_or(NO_ACK, |place| place as u8 + 1)
    }

    /// Whether any send awaits one.
    #[inline]
    pub fn has_any(&self) -> bool {
        self.free.len() < self.sends.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_acknowledgements_are_used_again() {
        let mut acks = AwaitedAcks::default();
        let numbers: Vec<_> = (0..255).map(|send| acks.add(send).unwrap()).collect();
        assert!(!numbers.contains(&NO_ACK) && acks.add(255).is_none());
        assert_eq!((acks.number_of(7), acks.take(numbers[7])), (numbers[7], Some(7)));
        assert_eq!(
            (acks.number_of(7), acks.take(numbers[7]), acks.take(NO_ACK)),
            (NO_ACK, None, None)
        );
        assert_eq!(acks.add(300), Some(numbers[7]));
        assert!(numbers.iter().all(|&number| acks.has_any() && acks.take(number).is_some()));
        assert!(!acks.has_any());
    }
}
