//! The performance counters of a process: one table that says what each counts, from which whatever
//! shows them takes names and texts. Each belongs to a process; where the numbers lie, `shm` knows.

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
#[allow(missing_docs, reason = "`about` describes each")]
pub enum Counter {
    EagerMessagesSent,
    EagerBytesSent,
    RendezvousMessagesSent,
    RendezvousBytesSent,
    RendezvousMessagesReceived,
    RendezvousBytesReceived,
    UnexpectedMessages,
    UnexpectedQueueMax,
    Sleeps,
    PacketsSent,
    PacketsRetransmitted,
    AnswersSent,
    PacketsReceived,
    PacketsDuplicate,
    PacketsForeign,
    PacketsMalformed,
    PacketsBeyondWindow,
    PacketsStale,
}

/// How a counter moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// It counts up.
    Counter,
    /// It is the highest that something has been.
    HighWatermark,
}

/// Of what it is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "plain words")]
pub enum Unit {
    Messages,
    Bytes,
    Packets,
    Times,
}

/// What a user is told of a counter.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// Its name, e.g. `eager_messages_sent`.
    pub name: &'static str,
    /// How it moves.
    pub class: Class,
    /// Of what it is a number.
    pub unit: Unit,
    /// A sentence.
    pub doc: &'static str,
}

impl Class {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Class::Counter => "counter",
            Class::HighWatermark => "high watermark",
        }
    }
}

impl Unit {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Messages => "messages",
            Unit::Bytes => "bytes",
            Unit::Packets => "packets",
            Unit::Times => "times",
        }
    }
}

const fn counter(name: &'static str, unit: Unit, doc: &'static str) -> About {
    About { name, class: Class::Counter, unit, doc }
}

/// In the order of [`Counter`].
static TABLE: [About; Counter::COUNT] = [
    counter(
        "eager_messages_sent",
        Unit::Messages,
        "Sent to other processes at once, without asking the receiver; with those of collective \
         operations that go by messages. Receivers do not count them.",
    ),
    counter("eager_bytes_sent", Unit::Bytes, "Bytes of the messages sent eagerly."),
    counter("rendezvous_messages_sent", Unit::Messages, "Sent by rendezvous: announced first."),
    counter("rendezvous_bytes_sent", Unit::Bytes, "Bytes of the messages sent by rendezvous."),
    counter(
        "rendezvous_messages_received",
        Unit::Messages,
        "Messages that other ranks have announced for rendezvous.",
    ),
    counter(
        "rendezvous_bytes_received",
        Unit::Bytes,
        "Bytes of the messages announced for rendezvous.",
    ),
    counter("unexpected_messages", Unit::Messages, "Arrived before a receive was posted for them."),
    About {
        name: "unexpected_queue_max",
        class: Class::HighWatermark,
        unit: Unit::Messages,
        doc: "The most messages that waited in the unexpected queue at one time.",
    },
    counter(
        "sleeps",
        Unit::Times,
        "A waiting rank stopped polling, to sleep until it is woken or a short time has passed; \
         not in programs with several threads.",
    ),
    counter(
        "packets_sent",
        Unit::Packets,
        "Sent to other nodes for the first time. This and the next ones are as of the rank's last \
         progress on the network.",
    ),
    counter("packets_retransmitted", Unit::Packets, "Sent to other nodes again."),
    counter("answers_sent", Unit::Packets, "Acknowledgements that carried nothing else."),
    counter("packets_received", Unit::Packets, "Arrived from other nodes for the first time."),
    counter("packets_duplicate", Unit::Packets, "Arrived although they had arrived before."),
    counter("packets_foreign", Unit::Packets, "Dropped: no process of the job has sent them here."),
    counter("packets_malformed", Unit::Packets, "Dropped: they make no sense."),
    counter("packets_beyond_window", Unit::Packets, "Dropped: numbered far outside the window."),
    counter("packets_stale", Unit::Packets, "Dropped: so old that their numbers mean others now."),
];

impl Counter {
    /// How many there are.
    pub const COUNT: usize = Counter::PacketsStale as usize + 1;

    /// All of them, in the order of their numbers.
    pub const ALL: [Counter; Counter::COUNT] = [
        Counter::EagerMessagesSent,
        Counter::EagerBytesSent,
        Counter::RendezvousMessagesSent,
        Counter::RendezvousBytesSent,
        Counter::RendezvousMessagesReceived,
        Counter::RendezvousBytesReceived,
        Counter::UnexpectedMessages,
        Counter::UnexpectedQueueMax,
        Counter::Sleeps,
        Counter::PacketsSent,
        Counter::PacketsRetransmitted,
        Counter::AnswersSent,
        Counter::PacketsReceived,
        Counter::PacketsDuplicate,
        Counter::PacketsForeign,
        Counter::PacketsMalformed,
        Counter::PacketsBeyondWindow,
        Counter::PacketsStale,
    ];

    /// What it is.
    pub fn about(self) -> &'static About {
        &TABLE[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_its_number_and_a_name_of_its_own() {
        for (i, counter) in Counter::ALL.into_iter().enumerate() {
            assert_eq!(counter as usize, i);
            let named = format!("{counter:?}").to_lowercase();
            assert_eq!(counter.about().name.replace('_', ""), named);
        }
    }
}
