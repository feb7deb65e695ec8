//! What time it is for the protocol between nodes.

use std::time::Instant;

use dunlin_wire::Nanos;

/// A clock that begins with the network.
#[derive(Debug, Clone)]
pub(crate) enum NetClock {
    /// Of the system.
    System(Instant),
    /// Of a simulation.
    #[cfg(test)]
    Virtual(std::sync::Arc<std::sync::atomic::AtomicU64>),
}

impl NetClock {
    /// That of the system, from now on.
    pub fn system() -> NetClock {
        NetClock::System(Instant::now())
    }

    /// The time.
    #[inline]
    pub fn now(&self) -> Nanos {
        match self {
            // One more than 0, which stands for never.
            NetClock::System(began) => 1 + began.elapsed().as_nanos() as Nanos,
            #[cfg(test)]
            NetClock::Virtual(now) => 1 + now.load(std::sync::atomic::Ordering::Relaxed),
        }
    }
}
