//! Bytes as packets: whatever comes, an endpoint takes it or drops it, hands up only what lies
//! within its message, and stays within its memory.
#![no_main]

use dunlin_seal::{Direction, JobKey, Keys, Security, TAG_BYTES};
use dunlin_wire::{
    Config, Consumed, Credentials, Endpoint, Guarantee, HEADER_BYTES, MatchHeader, RemoteKey,
    UpperLayer, frames,
};
use libfuzzer_sys::fuzz_target;

const SOURCE: u32 = 0;
const SOURCE_AT: usize = 16;

struct Bounds(u64);

impl UpperLayer for Bounds {
    fn whole(&mut self, _: u32, _: MatchHeader, _: &[u8]) -> Consumed {
        Consumed::Now
    }
    fn begin(&mut self, _: u32, _: MatchHeader, bytes: u64) -> (u32, Consumed) {
        self.0 = self.0.max(bytes);
        (0, Consumed::Later)
    }
    fn part(&mut self, _: u32, _: u32, offset: u64, payload: &[u8]) {
        assert!(offset + payload.len() as u64 <= self.0);
    }
    fn completed(&mut self, _: u32, _: u32) {}
    fn rts(&mut self, _: u32, _: MatchHeader, _: u64, _: u32, _: Option<RemoteKey>) {}
    fn fill(&mut self, _: u32, _: u64, _: &mut [u8]) {
        panic!("nothing was sent");
    }
    fn sent(&mut self, _: u32) {
        panic!("nothing was sent");
    }
    fn lost(&mut self, _: u32) {}
}

// The first byte of each packet is its length.
// The tag is made right: nothing gets past a wrong one.
fuzz_target!(|bytes: &[u8]| {
    for _ in frames(bytes) {}
    let keys = Keys::new(&JobKey::new([0; 32]), Security::Off);
    let seal = keys.seal(Direction { from: SOURCE, to: 1, incarnation: 0 });
    let own = Credentials { keys, incarnation: 0 };
    let mut endpoint = Endpoint::new(Config::new(Guarantee::None, 1500), own, 1, 2);
    let (mut up, mut rest) = (Bounds(0), bytes);
    while let [len, after @ ..] = rest {
        let (packet, next) = after.split_at(after.len().min(usize::from(*len) + HEADER_BYTES));
        let mut packet = packet.to_vec();
        if packet.len() >= HEADER_BYTES {
            packet[SOURCE_AT..SOURCE_AT + 4].copy_from_slice(&SOURCE.to_le_bytes());
            let (stamp, rest) = packet[TAG_BYTES..].split_first_chunk().expect("a header");
            let tag = seal.tag(u64::from_le_bytes(*stamp), [rest, b""]);
            packet[..TAG_BYTES].copy_from_slice(&tag.to_le_bytes());
        }
        endpoint.on_packet(1, &packet, &mut up);
        rest = next;
    }
});
