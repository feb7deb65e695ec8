//! The choice, held to what providers grant on machines we do not have.

use super::*;

const HERE: &str = "10.1.2.3";

fn ifaddrs() -> Vec<IfAddr> {
    vec![IfAddr { ip: HERE.parse().unwrap(), prefix: 24 }]
}

/// As `fi_info -v` shows it on Debian 12.
fn on_ethernet(provider: &str, endpoint: c_int, ip: &str) -> ProviderInfo {
    ProviderInfo {
        provider: provider.into(),
        fabric: "10.1.2.0/24".into(),
        domain: "eth0".into(),
        endpoint,
        caps: FI_MSG,
        mode: 0,
        mr_mode: 0,
        key_bytes: 8,
        message_bytes_max: if provider == "udp" { 1472 } else { usize::MAX },
        prefix_bytes: 0,
        inject_bytes: 64,
        sends: 256,
        receives: 256,
        ordered: endpoint == FI_EP_RDM,
        ip: Some(ip.parse().unwrap()),
        rma_bytes_max: 0,
        writes: false,
    }
}

/// What libfabric's documents say that EFA grants. Not yet run on hardware.
fn on_efa(fabric: &str, device: &str) -> ProviderInfo {
    let direct = fabric == "efa-direct";
    ProviderInfo {
        provider: "efa".into(),
        fabric: fabric.into(),
        domain: format!("{device}-rdm"),
        endpoint: FI_EP_RDM,
        caps: FI_MSG | FI_RECV_AND_SEND,
        mode: if direct { FI_CONTEXT2 } else { 0 },
        mr_mode: FI_MR_LOCAL | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_VIRT_ADDR,
        key_bytes: 4,
        message_bytes_max: if direct { 8_928 } else { usize::MAX },
        prefix_bytes: 0,
        inject_bytes: 32,
        sends: 768,
        receives: 768,
        ordered: !direct,
        ip: None,
        rma_bytes_max: 0,
        writes: false,
    }
}

const FI_RECV_AND_SEND: u64 = super::super::abi::FI_RECV | super::super::abi::FI_SEND;

fn chosen(providers: &[ProviderInfo], wanted: Wanted<'_>) -> String {
    let at = choose(providers, wanted, &ifaddrs(), 0).unwrap();
    format!("{} {}", providers[at].name(), providers[at].endpoint)
}

fn debian() -> Vec<ProviderInfo> {
    vec![
        on_ethernet("udp;ofi_rxd", FI_EP_RDM, HERE),
        on_ethernet("net;ofi_rxm", FI_EP_RDM, HERE),
        on_ethernet("tcp;ofi_rxm", FI_EP_RDM, HERE),
        on_ethernet("net", FI_EP_RDM, "192.168.0.1"),
        on_ethernet("net", FI_EP_RDM, HERE),
        on_ethernet("udp", FI_EP_DGRAM, HERE),
        on_ethernet("shm", FI_EP_RDM, HERE),
        on_ethernet("sockets", FI_EP_RDM, HERE),
    ]
}

#[test]
fn the_raw_protocol_of_efa_goes_before_all() {
    let mut providers = debian();
    providers.push(on_efa("efa", "rdmap0s6"));
    assert_eq!(chosen(&providers, Wanted::Any), "efa 3");
    providers.push(on_efa("efa-direct", "rdmap0s6"));
    assert_eq!(chosen(&providers, Wanted::Any), "efa-direct 3");
    assert_eq!(chosen(&providers, Wanted::Named("efa-direct")), "efa-direct 3");
    assert!(!providers[choose(&providers, Wanted::Any, &[], 0).unwrap()].ordered);
}

#[test]
fn ranks_share_the_devices_that_are_alike() {
    let providers = [on_efa("efa-direct", "a"), on_efa("efa-direct", "b"), on_efa("efa", "c")];
    let taken: Vec<usize> =
        (0..4).map(|rank| choose(&providers, Wanted::Any, &ifaddrs(), rank).unwrap()).collect();
    assert_eq!(taken, [0, 1, 0, 1]);
}

#[test]
fn without_devices_what_is_closest_to_the_network_and_on_the_right_interface_is_taken() {
    let providers = debian();
    assert_eq!(choose(&providers, Wanted::Any, &ifaddrs(), 0), Ok(4));
    assert_eq!(chosen(&providers, Wanted::Named("udp")), "udp 2");
    assert_eq!(chosen(&providers, Wanted::Named("tcp")), "tcp;ofi_rxm 3");
    assert_eq!(chosen(&providers, Wanted::Named("tcp;ofi_rxm")), "tcp;ofi_rxm 3");
    assert_eq!(chosen(&providers, Wanted::Named("sockets")), "sockets 3");
    let native = [debian(), vec![on_ethernet("tcp", FI_EP_RDM, HERE)]].concat();
    assert_eq!(chosen(&native, Wanted::Named("tcp")), "tcp 3");
}

#[test]
fn what_asks_for_more_than_we_give_is_refused_with_a_reason() {
    let ask = |change: fn(&mut ProviderInfo)| {
        let mut provider = on_ethernet("psm3", FI_EP_RDM, HERE);
        change(&mut provider);
        choose(&[provider], Wanted::Any, &ifaddrs(), 0).unwrap_err()
    };
    assert!(ask(|o| o.caps = 0).contains("psm3: it sends no messages"));
    assert!(ask(|o| o.mode = 1 << 51).contains("modes 0x8000000000000"));
    assert!(ask(|o| o.mr_mode = 1 << 10).contains("0x400"));
    assert!(ask(|o| o.message_bytes_max = 200).contains("200 bytes"));
    assert!(ask(|o| o.ip = Some([10, 9, 9, 9].into())).contains("interface"));
    assert!(choose(&[], Wanted::Any, &ifaddrs(), 0).unwrap_err().contains("nothing"));
    assert!(
        choose(&debian(), Wanted::Named("cxi"), &ifaddrs(), 0).unwrap_err().contains("another")
    );
}

/// InfiniBand, as the provider's documents describe it. Not yet run on hardware.
fn on_verbs() -> ProviderInfo {
    ProviderInfo {
        provider: "verbs;ofi_rxm".into(),
        fabric: "IB-0xfe80000000000000".into(),
        domain: "mlx5_0".into(),
        mr_mode: FI_MR_LOCAL | FI_MR_ALLOCATED | FI_MR_PROV_KEY | FI_MR_VIRT_ADDR,
        message_bytes_max: 1 << 30,
        ..on_ethernet("verbs", FI_EP_RDM, "192.168.50.1")
    }
}

/// EFA's datagrams, which it offers under the same name as what is reliable.
fn on_efa_datagrams() -> ProviderInfo {
    ProviderInfo {
        domain: "rdmap0s6-dgrm".into(),
        endpoint: FI_EP_DGRAM,
        mode: FI_MSG_PREFIX,
        message_bytes_max: 8_928,
        prefix_bytes: 40,
        inject_bytes: 0,
        ..on_efa("efa", "rdmap0s6")
    }
}

/// The answer to the question for reads.
fn readable(provider: &ProviderInfo, bytes: usize) -> ProviderInfo {
    ProviderInfo {
        caps: provider.caps | READS,
        message_bytes_max: bytes,
        rma_bytes_max: bytes,
        ..provider.clone()
    }
}

const MTU: usize = 1500;

#[test]
fn a_packet_is_as_long_as_a_message_also_where_reads_are_longer() {
    let plain = on_efa("efa-direct", "rdmap0s6");
    let all = [on_efa("efa", "rdmap0s6"), readable(&plain, 1 << 30)];
    let (at, both) = plain.with_rma(&all).unwrap();
    assert_eq!((at, both.message_bytes_max, both.rma_bytes_max), (1, 8_928, 1 << 30));
    let capabilities = both.capabilities(MTU);
    let srd = Capabilities {
        reliable: true,
        authenticated: false,
        ordered: false,
        packet_bytes_max: 8_928,
        remote_read: true,
        remote_write: false,
    };
    assert_eq!(capabilities, srd);
    let slots = both.slots(&capabilities);
    assert_eq!((slots.sends, slots.receives, slots.bytes), (256, 512, 8_928));
    assert_eq!(
        both.describe(MTU),
        "efa-direct on rdmap0s6-rdm: reliable, in any order, packets of up to 8928 bytes, large \
         messages are read by the receiver, windows read by the origin, memory must be pinned"
    );
    let writes = ProviderInfo { writes: true, ..both };
    assert!(writes.capabilities(MTU).remote_write);
    assert!(writes.describe(MTU).contains("windows read and written by the origin"));
    let no_reads = ProviderInfo { rma_bytes_max: 0, ..writes };
    assert!(!no_reads.capabilities(MTU).remote_write);
}

#[test]
fn devices_that_cannot_be_read_are_used_for_packets_alone() {
    let plain = on_efa("efa-direct", "rdmap0s6");
    let others = [
        readable(&on_efa("efa-direct", "rdmap0s7"), 1 << 30),
        readable(&on_efa("efa", "rdmap0s6"), 1 << 30),
        ProviderInfo { rma_bytes_max: 0, ..readable(&plain, 1 << 30) },
        ProviderInfo { mr_mode: 1 << 10, ..readable(&plain, 1 << 30) },
        ProviderInfo { prefix_bytes: 8, ..readable(&plain, 1 << 30) },
    ];
    assert_eq!(plain.with_rma(&others), None);
    assert!(!plain.capabilities(MTU).remote_read);
    assert_eq!(plain.slots(&plain.capabilities(MTU)).rma, 0);
}

#[test]
fn of_two_kinds_of_one_name_all_ranks_take_the_reliable_one() {
    let providers = [on_efa_datagrams(), on_efa("efa", "rdmap0s6")];
    for rank in 0..3 {
        assert_eq!(choose(&providers, Wanted::Any, &ifaddrs(), rank), Ok(1));
    }
    let datagrams = providers[0].capabilities(MTU);
    assert_eq!((datagrams.reliable, datagrams.packet_bytes_max), (false, 8_928 - 40));
    assert_eq!(providers[0].slots(&datagrams).bytes, 8_928);
    assert_eq!(
        providers[0].describe(MTU),
        "efa on rdmap0s6-dgrm: unreliable, packets of up to 8888 \
                                         bytes, memory must be pinned"
    );
}

#[test]
fn infiniband_is_taken_where_its_interface_has_an_address_that_is_used() {
    let providers = [debian(), vec![on_verbs()]].concat();
    assert_eq!(choose(&providers, Wanted::Any, &ifaddrs(), 0), Ok(4));
    let there = IfAddr { ip: "192.168.50.1".parse().unwrap(), prefix: 24 };
    assert_eq!(choose(&providers, Wanted::Any, &[there], 0), Ok(8));
    let (_, both) = on_verbs().with_rma(&[readable(&on_verbs(), 1 << 30)]).unwrap();
    let capabilities = both.capabilities(MTU);
    assert_eq!(
        (capabilities.ordered, capabilities.packet_bytes_max, capabilities.remote_read),
        (true, 8_960, true)
    );
}

#[test]
fn datagrams_of_the_internet_fit_the_interface() {
    let udp = on_ethernet("udp", FI_EP_DGRAM, HERE);
    assert_eq!(udp.capabilities(MTU).packet_bytes_max, 1_452);
    assert_eq!(udp.capabilities(9_001).packet_bytes_max, 1_472);
    // What a provider says of reads without order or reliability is not used.
    assert!(!readable(&udp, 1_472).capabilities(MTU).remote_read);
}

#[test]
fn each_provider_that_is_not_chosen_has_a_reason() {
    let providers = debian();
    let why = others(&providers, Some(4), Wanted::Any, &ifaddrs());
    let find = |name: &str| why.iter().find(|(other, _)| other == name).unwrap().1.clone();
    assert_eq!(find("udp on eth0 (datagrams)"), "another goes before it");
    assert!(find("sockets on eth0").contains("only used when named"));
    assert!(!why.iter().any(|(name, _)| name.starts_with("net on")));
    let named = others(&providers, Some(5), Wanted::Named("udp"), &ifaddrs());
    assert!(named.iter().any(|(name, why)| name == "net on eth0" && why == "another was named"));
}
