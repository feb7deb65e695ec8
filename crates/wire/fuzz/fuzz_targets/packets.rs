//! Bytes as packets: whatever comes, an endpoint takes it or drops it, hands up only what lies
//! within its message, and stays within its memory.
#![no_main]

use dunlin_wire::{
    Config, Endpoint, Guarantee, HEADER_BYTES, Head, JobKey, Taken, Upper, Spot, frames,
};
use libfuzzer_sys::fuzz_target;

const KEY: JobKey = JobKey(0);
const SOURCE: u32 = 0;

struct Bounds(u64);

impl Upper for Bounds {
    fn whole(&mut self, _: u32, _: Head, _: &[u8]) -> Taken {
        Taken::Now
    }
    fn begin(&mut self, _: u32, _: Head, bytes: u64) -> (u32, Taken) {
        self.0 = self.0.max(bytes);
        (0, Taken::Later)
    }
    fn part(&mut self, _: u32, _: u32, offset: u64, payload: &[u8]) {
        assert!(offset + payload.len() as u64 <= self.0);
    }
    fn landed(&mut self, _: u32, _: u32) {}
    fn offer(&mut self, _: u32, _: Head, _: u64, _: u32, _: Option<Spot>) {}
    fn fill(&mut self, _: u32, _: u64, _: &mut [u8]) {
        panic!("nothing was sent");
    }
    fn sent(&mut self, _: u32) {
        panic!("nothing was sent");
    }
    fn lost(&mut self, _: u32) {}
}

// The first byte of each packet is its length.
// The check is made right: nothing gets past a wrong one.
fuzz_target!(|bytes: &[u8]| {
    for _ in frames(bytes) {}
    let mut endpoint = Endpoint::new(Config::new(Guarantee::None, 1500), KEY, 1, 2);
    let (mut up, mut rest) = (Bounds(0), bytes);
    while let [len, after @ ..] = rest {
        let (packet, next) = after.split_at(after.len().min(usize::from(*len) + HEADER_BYTES));
        let mut packet = packet.to_vec();
        if packet.len() >= HEADER_BYTES {
            packet[..8].copy_from_slice(&KEY.check(SOURCE, 1).to_le_bytes());
            packet[8..12].copy_from_slice(&SOURCE.to_le_bytes());
        }
        endpoint.on_packet(1, &packet, &mut up);
        rest = next;
    }
});
