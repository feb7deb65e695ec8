//! The counters of an endpoint.

/// Counts since the endpoint was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stats {
    /// Packets sent for the first time, with frames.
    pub sent: u64,
    /// Packets sent again.
    pub retransmitted: u64,
    /// Acknowledgements sent that carried nothing else.
    pub answers: u64,
    /// Packets with frames that arrived for the first time.
    pub received: u64,
    /// Packets that had arrived before.
    pub duplicates: u64,
    /// Packets that no process of the job has sealed for this one.
    pub foreign: u64,
    /// Malformed packets.
    pub malformed: u64,
    /// Packets far outside the window.
    pub beyond: u64,
    /// Packets of ours, but so old that their numbers mean something else by now.
    pub stale: u64,
}

impl std::ops::Add for Stats {
    type Output = Stats;

    fn add(self, other: Stats) -> Stats {
        Stats {
            sent: self.sent + other.sent,
            retransmitted: self.retransmitted + other.retransmitted,
            answers: self.answers + other.answers,
            received: self.received + other.received,
            duplicates: self.duplicates + other.duplicates,
            foreign: self.foreign + other.foreign,
            malformed: self.malformed + other.malformed,
            beyond: self.beyond + other.beyond,
            stale: self.stale + other.stale,
        }
    }
}
