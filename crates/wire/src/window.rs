//! How many packets may be in flight to a peer over a fabric that loses them: fewer when some are
//! lost, slowly more when none are. The receiver's limit holds too.

/// The window never shrinks below this, so that losses are noticed by what arrives after them.
const PACKETS_MIN: u32 = 8;
/// The first window, until something is known about the network.
const PACKETS_FIRST: u32 = 64;

/// The window of one peer.
#[derive(Debug)]
pub(crate) struct Window {
    packets: u32,
    max: u32,
    /// Below this it grows with every acknowledgement, above it once per window.
    steep_below: u32,
    /// Acknowledgements towards the next growth.
    credit: u32,
}

impl Window {
    pub fn new(max: u32) -> Self {
        Window { packets: PACKETS_FIRST.min(max), max, steep_below: max, credit: 0 }
    }

    /// Packets that may be in flight.
    pub fn packets(&self) -> u32 {
        self.packets
    }

    /// This many packets were acknowledged.
    pub fn answered(&mut self, packets: u32) {
        if self.packets < self.steep_below {
            self.packets = (self.packets + packets).min(self.max);
            return;
        }
        self.credit += packets;
        if self.credit >= self.packets {
            self.credit = 0;
            self.packets = (self.packets + 1).min(self.max);
        }
    }

    /// Packets of one window were lost: call once for all of them.
    pub fn lost(&mut self) {
        self.packets = (self.packets * 3 / 4).max(PACKETS_MIN).min(self.max);
        self.steep_below = self.packets;
        self.credit = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_stays_between_its_bounds_and_grows_back() {
        let mut window = Window::new(100);
        window.answered(500);
        assert_eq!(window.packets(), 100);
        (0..50).for_each(|_| window.lost());
        assert_eq!(window.packets(), PACKETS_MIN);
        window.answered(PACKETS_MIN);
        assert_eq!(window.packets(), PACKETS_MIN + 1);
        let mut tiny = Window::new(2);
        tiny.lost();
        assert_eq!(tiny.packets(), 2);
    }
}
