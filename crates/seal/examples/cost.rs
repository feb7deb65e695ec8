//! What a packet's tag and its encryption cost, in nanoseconds at each end: medians of many runs.
//!
//! `cargo run --release -p dunlin-seal --example cost`

use std::hint::black_box;
use std::time::Instant;

use dunlin_seal::{Direction, JobKey, Keys, Seal, Security, TRAILER_BYTES};

const RUNS: usize = 31;
const BYTES_PER_RUN: usize = 4 << 20;
/// A header alone, with 8 bytes, 1 KiB, a full packet at an MTU of 1,500 and of 9,001, and over
/// TCP.
const SIZES: [usize; 6] = [48, 83, 1_099, 1_472, 8_960, 65_160];

fn median_ns(bytes: usize, mut act: impl FnMut()) -> f64 {
    let count = (BYTES_PER_RUN / (bytes + 64)).max(16);
    let mut runs: Vec<f64> = (0..RUNS)
        .map(|_| {
            let begin = Instant::now();
            (0..count).for_each(|_| act());
            begin.elapsed().as_nanos() as f64 / count as f64
        })
        .collect();
    runs.sort_by(f64::total_cmp);
    runs[RUNS / 2]
}

fn seal(security: Security) -> Seal {
    let job = JobKey::new([7; 32]);
    Keys::new(&job, security).seal(Direction { from: 0, to: 1, incarnation: 2 })
}

fn main() {
    println!(
        "{:>8} {:>9} {:>13} {:>9} {:>9}",
        "bytes", "off", "authenticate", "encrypt", "decrypt"
    );
    for bytes in SIZES {
        let mut packet = vec![5; bytes + TRAILER_BYTES];
        let tags = [Security::Off, Security::Authenticate].map(|security| {
            let seal = seal(security);
            median_ns(bytes, || {
                black_box(seal.tag(0, [black_box(&packet[..bytes]), b""]));
            })
        });
        let (cipher, open) = (seal(Security::Encrypt), [1; 40]);
        let encrypt = median_ns(bytes, || cipher.encrypt(1, &open, black_box(&mut packet)));
        // Of a packet that is opened in its place, only the first opening succeeds; it costs no
        // less.
        let decrypt = median_ns(bytes, || {
            black_box(cipher.decrypt(1, &open, black_box(&mut packet)));
        });
        println!("{bytes:>8} {:>9.0} {:>13.0} {encrypt:>9.0} {decrypt:>9.0}", tags[0], tags[1]);
    }
    let direction = Direction { from: 0, to: 1, incarnation: 2 };
    for (name, security) in Security::WORDS {
        let keys = Keys::new(&JobKey::new([7; 32]), security);
        let derive = median_ns(4096, || {
            black_box(keys.seal(black_box(direction)));
        });
        println!("a direction's keys, {name}: {derive:.0} ns");
    }
}
