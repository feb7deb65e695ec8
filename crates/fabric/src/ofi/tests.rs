//! Two fabrics in one process over libfabric's own providers, where the library is installed.

use dunlin_seal::Security;

use dunlin_base::settings::NET_LIBFABRIC;

use super::*;
use crate::interface_config::tests::loopback;
use crate::random::Random;

const PATIENCE: Duration = Duration::from_secs(20);
const FILE: &str = "libfabric.so.1";

/// The library to be tested: another version may be named as for a job.
fn file() -> String {
    std::env::var(NET_LIBFABRIC.name).unwrap_or_else(|_| FILE.into())
}

/// Two ends by a provider; none where the library or the provider is not here.
fn pair(provider: &str) -> Option<(Ofi, Ofi)> {
    pair_with(provider, |_| {})
}

/// The same of a provider that asks for more than it does.
fn pair_with(provider: &str, change: fn(&mut ProviderInfo)) -> Option<(Ofi, Ofi)> {
    let open = |rank| {
        let library = Library::load(&file())?;
        let asked = ask(library, Wanted::Named(provider), &loopback(), rank)?;
        let mut taken = asked.taken.ok_or_else(|| failed(asked.reasons))?;
        change(&mut taken.provider);
        Ofi::take(library, taken, loopback().mtu_min())
    };
    match (open(0), open(1)) {
        (Ok(mut a), Ok(mut b)) => {
            a.connect(1, &b.address.clone()).unwrap();
            b.connect(0, &a.address.clone()).unwrap();
            Some((a, b))
        }
        (Err(e), _) | (_, Err(e)) => {
            eprintln!("not tested over {provider}: {e}");
            None
        }
    }
}

fn post(from: &mut Ofi, to: Peer, packet: &[u8]) -> bool {
    let Some(space) = from.space(to) else { return false };
    space[..packet.len()].copy_from_slice(packet);
    from.post(to, packet.len());
    true
}

/// Sends `count` packets of all lengths both ways, at most `window` ahead, and takes them.
fn exchange(a: &mut Ofi, b: &mut Ofi, count: u32, window: usize) {
    let longest = a.capabilities.packet_bytes_max;
    let (mut sent, mut numbers) = ([0u32; 2], [Vec::new(), Vec::new()]);
    let (mut seed, begin) = (Random(3), Instant::now());
    while numbers.iter().any(|seen| seen.len() < count as usize) {
        assert!(begin.elapsed() < PATIENCE, "{} and {}", numbers[0].len(), numbers[1].len());
        let ends = [&mut *a, &mut *b];
        for (at, end) in ends.into_iter().enumerate() {
            while sent[at] < count && (sent[at] as usize) < numbers[1 - at].len() + window {
                let len = 4 + seed.below(longest as u64 - 3) as usize;
                let mut packet = vec![sent[at] as u8; len];
                packet[..4].copy_from_slice(&sent[at].to_le_bytes());
                if !post(end, 1 - at as u32, &packet) {
                    break;
                }
                sent[at] += 1;
            }
            end.flush().unwrap();
            end.receive(&mut |packet| {
                let number = u32::from_le_bytes(packet[..4].try_into().unwrap());
                assert!(packet[4..].iter().all(|&byte| byte == number as u8));
                numbers[at].push(number);
            })
            .unwrap();
        }
    }
    for mut seen in numbers {
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..count));
    }
}

#[test]
fn packets_go_both_ways_over_every_provider_that_is_here() {
    for provider in ["udp", "tcp", "net"] {
        let Some((mut a, mut b)) = pair(provider) else { continue };
        assert_eq!(a.capabilities.reliable, provider != "udp", "{provider}");
        assert!(a.name.starts_with(&format!("ofi:{provider}")), "{}", a.name);
        // Loopback loses nothing while there is room for what comes.
        exchange(&mut a, &mut b, 1_000, 16);
        exchange(&mut a, &mut b, 100, 1);
    }
}

#[test]
fn a_reliable_provider_loses_nothing_when_its_receiver_lags() {
    let Some((mut a, mut b)) = pair("tcp").or_else(|| pair("net")) else { return };
    let packet = [7; 4000];
    let (mut sent, mut received, begin) = (0, 0, Instant::now());
    while received < 2_000 {
        assert!(begin.elapsed() < PATIENCE, "{received} of {sent}");
        while sent < 2_000 && post(&mut a, 1, &packet) {
            sent += 1;
        }
        a.flush().unwrap();
        a.receive(&mut |_| panic!("nothing was sent")).unwrap();
        received += b.receive(&mut |p| assert_eq!(p, packet)).unwrap();
    }
    assert!(a.counts.busy > 0, "there was more than there is room for");
}

#[test]
fn what_was_flushed_arrives_though_its_sender_leaves() {
    let Some((mut a, mut b)) = pair("net").or_else(|| pair("tcp")) else { return };
    exchange(&mut a, &mut b, 10, 1);
    for at in 0..50 {
        assert!(post(&mut a, 1, &[at; 1000]));
    }
    a.flush().unwrap();
    drop(a);
    let (mut received, begin) = (0, Instant::now());
    while received < 50 {
        assert!(begin.elapsed() < PATIENCE, "{received}");
        received += b.receive(&mut |_| {}).unwrap();
    }
}

/// Reads `count` bytes at `rkey` of `b`; what was read, if that can be.
fn read(a: &mut Ofi, b: &mut Ofi, rkey: RemoteKey, count: usize) -> Option<Vec<u8>> {
    let (mut into, begin, mut ended) = (vec![0; count], Instant::now(), None);
    // SAFETY: `into` is used by nobody until the read has ended.
    assert!(unsafe { a.read(1, rkey, &raw mut into[..], 9) });
    while ended.is_none() {
        assert!(begin.elapsed() < PATIENCE, "a read has no end");
        // What a refusal does to the connection is the provider's affair.
        let _ = (a.receive(&mut |_| {}), b.receive(&mut |_| {}));
        a.rma_done(&mut |number, is_good| ended = Some((number, is_good)));
    }
    let (number, is_good) = ended.unwrap();
    assert_eq!(number, 9);
    is_good.then_some(into)
}

#[test]
fn memory_that_is_shown_is_read_in_parts_and_beyond_it_nothing() {
    for provider in ["tcp", "net"] {
        let Some((mut a, mut b)) = pair(provider) else { continue };
        assert!(a.capabilities.remote_read, "{provider}");
        exchange(&mut a, &mut b, 10, 1);
        let memory: Vec<u8> = (0..3_000_001u32).map(|at| (at % 251) as u8).collect();
        // SAFETY: the memory outlives what is shown of it.
        let (number, rkey) = unsafe { b.register(&raw const memory[..], Access::Read) }.unwrap();
        assert_eq!(read(&mut a, &mut b, rkey, memory.len()).as_ref(), Some(&memory));
        let some = RemoteKey { address: rkey.address + 1000, ..rkey };
        assert_eq!(read(&mut a, &mut b, some, 777), Some(memory[1000..1777].into()));
        let no_key = RemoteKey { key: rkey.key + 1, ..rkey };
        assert_eq!(read(&mut a, &mut b, no_key, 777), None, "{provider}");
        b.deregister(number);
        assert_eq!((a.rma.counts.reads, a.rma.counts.failed), (3, 1));
    }
}

/// Writes to memory of `b` at `rkey`; whether that could be.
fn write(a: &mut Ofi, b: &mut Ofi, rkey: RemoteKey, from: &[u8]) -> bool {
    let (begin, mut ended) = (Instant::now(), None);
    // SAFETY: `from` is not written to.
    assert!(unsafe { a.write(1, rkey, from, 1 << 40) });
    while ended.is_none() {
        assert!(begin.elapsed() < PATIENCE, "a write has no end");
        let _ = (a.receive(&mut |_| {}), b.receive(&mut |_| {}));
        a.rma_done(&mut |number, is_good| ended = Some((number, is_good)));
    }
    let (number, is_good) = ended.unwrap();
    assert_eq!(number, 1 << 40);
    is_good
}

#[test]
fn memory_that_is_shown_for_that_is_written_in_parts_and_other_memory_is_not() {
    for provider in ["tcp", "net"] {
        let Some((mut a, mut b)) = pair(provider) else { continue };
        assert!(a.capabilities.remote_write, "{provider}");
        exchange(&mut a, &mut b, 10, 1);
        let from: Vec<u8> = (0..3_000_001u32).map(|at| (at % 251) as u8).collect();
        let mut memory = vec![0; from.len()];
        let shown = &raw mut memory[..];
        // SAFETY: the memory outlives what is shown of it, and is looked at when nobody writes.
        let (number, rkey) = unsafe { b.register(shown, Access::ReadWrite) }.unwrap();
        assert!(write(&mut a, &mut b, rkey, &from), "{provider}");
        let some = RemoteKey { address: rkey.address + 1000, ..rkey };
        assert!(write(&mut a, &mut b, some, &[255; 777]), "{provider}");
        // SAFETY: all writes have ended.
        let now = unsafe { &*shown };
        let around = (&now[..1000], &now[1777..]);
        assert!(around == (&from[..1000], &from[1777..]) && now[1000..1777] == [255; 777]);
        b.deregister(number);
        // SAFETY: as above.
        let (_, readable) = unsafe { b.register(shown, Access::Read) }.unwrap();
        let to = readable;
        assert!(!write(&mut a, &mut b, to, &[9; 777]), "{provider}");
        assert_eq!((a.rma.counts.writes, a.rma.counts.failed), (3, 1));
    }
}

#[test]
fn memory_is_shown_up_to_a_bound_and_again_when_some_is_hidden() {
    let Some((mut a, _)) = pair("tcp") else { return };
    let memory = [7; 64];
    // SAFETY: the memory outlives what is shown of it.
    let register = |a: &mut Ofi| unsafe { a.register(&raw const memory[..], Access::Read) };
    let mut numbers = Vec::new();
    while let Some((number, _)) = register(&mut a) {
        numbers.push(number);
    }
    assert_eq!((numbers.len(), a.rma.counts.refused), (1024, 1));
    a.deregister(numbers[77]);
    assert_eq!(register(&mut a).unwrap().0, numbers[77]);
}

#[test]
fn windows_leave_registrations_to_messages_also_where_nothing_is_written() {
    let changes: [fn(&mut ProviderInfo); 2] = [|_| {}, |provider| provider.writes = false];
    for change in changes {
        let Some((mut a, _)) = pair_with("tcp", change) else { return };
        let memory = [7; 64];
        // SAFETY: the memory outlives what is shown of it.
        let register = |a: &mut Ofi, to| unsafe { a.register(&raw const memory[..], to) };
        let windows = std::iter::from_fn(|| register(&mut a, Access::ReadWrite)).count();
        assert_eq!(windows, 512);
        let messages = std::iter::from_fn(|| register(&mut a, Access::Read)).count();
        assert_eq!(messages, 512);
    }
}

#[test]
fn memory_is_registered_and_prefixes_are_kept_free_where_a_provider_wants_that() {
    let devices = |provider: &mut ProviderInfo| {
        provider.mr_mode |= abi::FI_MR_LOCAL;
        provider.prefix_bytes = 40;
    };
    for provider in ["tcp", "net"] {
        let Some((mut a, mut b)) = pair_with(provider, devices) else { continue };
        exchange(&mut a, &mut b, 300, 16);
        let memory: Vec<u8> = (0..1_500_000u32).map(|at| (at % 241) as u8).collect();
        // SAFETY: the memory outlives what is shown of it.
        let (_, rkey) = unsafe { b.register(&raw const memory[..], Access::Read) }.unwrap();
        assert_eq!(read(&mut a, &mut b, rkey, memory.len()), Some(memory.clone()));
    }
}

#[test]
fn memory_that_the_library_refuses_is_not_shown_nor_read_into() {
    let Some((mut a, b)) = pair_with("tcp", |provider| provider.mr_mode |= abi::FI_MR_LOCAL) else {
        return;
    };
    // A key that is used already is a refusal that can be had without a device; 2.x takes it.
    if Library::load(&file()).unwrap().version() >= abi::version(2, 0) {
        return;
    }
    let mut memory = [7; 64];
    let before = a.endpoint.next_key;
    // SAFETY: the memory outlives what is shown of it.
    let (number, rkey) = unsafe { a.register(&raw const memory[..], Access::Read) }.unwrap();
    a.endpoint.next_key = before;
    // SAFETY: nothing is shown.
    assert!(unsafe { a.register(&raw const memory[..], Access::Read) }.is_none());
    a.endpoint.next_key = before;
    // SAFETY: nothing is read.
    assert!(!unsafe { a.read(1, rkey, &raw mut memory[..], 1) });
    assert_eq!(a.rma.counts.refused, 2);
    a.deregister(number);
    drop(b);
}

#[test]
fn a_provider_without_reads_shows_nothing() {
    let Some((mut a, _)) = pair("udp") else { return };
    assert!(!a.capabilities.remote_read);
    let memory = [0; 9];
    // SAFETY: nothing is shown.
    assert!(unsafe { a.register(&raw const memory[..], Access::Read) }.is_none());
}

#[test]
fn peers_by_another_provider_are_refused_by_name() {
    let (Some((mut a, _)), Some((b, _))) = (pair("udp"), pair("net").or_else(|| pair("tcp")))
    else {
        return;
    };
    let error = a.connect(5, &b.address).unwrap_err().to_string();
    assert!(error.contains("rank 5") && error.contains("ofi:udp"), "{error}");
    assert!(a.connect(5, &[]).is_err());
}

#[test]
fn a_library_that_is_not_there_is_an_error_that_says_what_to_do() {
    let error =
        Ofi::open(Identity::keyless(0, Security::Off), &loopback(), "libnowhere.so.9", Wanted::Any);
    let error = error.err().unwrap().to_string();
    assert!(error.contains("libnowhere.so.9") && error.contains("DUNLIN_NET_LIBFABRIC"), "{error}");
}

#[test]
fn a_file_that_is_another_library_is_refused_by_what_it_lacks() {
    let error = Library::load("libc.so.6").err().unwrap().to_string();
    assert!(error.contains("it has no function fi_version"), "{error}");
}

#[test]
fn a_library_that_is_too_old_is_refused_by_its_version() {
    let text = "unsigned fi_version(void) { return 1 << 16 | 11; }\n\
                int fi_getinfo, fi_freeinfo, fi_dupinfo, fi_fabric, fi_strerror;\n";
    let stem = std::env::temp_dir().join(format!("dunlin-old-libfabric-{}", std::process::id()));
    let (source, library) = (stem.with_extension("c"), stem.with_extension("so"));
    std::fs::write(&source, text).unwrap();
    let mut cc = std::process::Command::new("cc");
    let made = cc.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    let error = Library::load(library.to_str().unwrap()).err().unwrap().to_string();
    std::fs::remove_file(source).and_then(|()| std::fs::remove_file(library)).unwrap();
    assert!(made.unwrap().success());
    assert!(error.contains("its version is 1.11; install version 1.17 or later"), "{error}");
}

#[test]
fn a_provider_that_is_not_there_is_an_error_that_says_what_is() {
    if Library::load(&file()).is_err() {
        return;
    }
    let error =
        Ofi::open(Identity::keyless(0, Security::Off), &loopback(), &file(), Wanted::Named("gni"));
    let error = error.err().unwrap().to_string();
    assert!(error.contains("udp: another was named"), "{error}");
}
