//! Packets to oneself, before anything depends on a device: that it can be opened does not say that
//! it works. A virtual machine may have one whose security group lets nothing through.

use std::time::{Duration, Instant};

use dunlin_base::Result;

use super::{HELLO_BYTES, Ofi};
use crate::{Fabric, Peer, failed};

/// They come back within some ten microseconds; this is for a host that is busy.
const PATIENCE: Duration = Duration::from_secs(2);
/// How many: the shortest and the longest, and some between.
const PACKETS: u8 = 4;

impl Ofi {
    /// Sends packets to itself, as process `me`, and waits until they are there. The number of
    /// packets.
    pub fn check(&mut self, me: Peer) -> Result<u8> {
        let own = self.address.clone();
        self.connect(me, &own)?;
        let longest = self.capabilities.packet_bytes_max;
        let len = |at: u8| match at {
            0 => HELLO_BYTES + 1,
            at => longest * usize::from(at) / usize::from(PACKETS - 1),
        };
        let (mut sent, mut came) = (0, [false; PACKETS as usize]);
        let begin = Instant::now();
        while came.contains(&false) {
            if begin.elapsed() > PATIENCE {
                let count = came.iter().filter(|&&came| came).count();
                return Err(failed(format!(
                    "of {PACKETS} packets to itself {count} have come back in {} s",
                    PATIENCE.as_secs()
                )));
            }
            if sent < PACKETS {
                if let Some(space) = self.space(me) {
                    space[..len(sent)].fill(sent);
                    self.post(me, len(sent));
                    sent += 1;
                }
            }
            self.flush()?;
            self.receive(&mut |packet| {
                let at = packet[0];
                let is_whole = at < PACKETS && packet.len() == len(at);
                if is_whole && packet.iter().all(|&byte| byte == at) {
                    came[usize::from(at)] = true;
                }
            })?;
        }
        Ok(PACKETS)
    }
}
