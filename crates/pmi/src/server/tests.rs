use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc;

use proptest::prelude::*;

use super::*;
use crate::{Client, Message, Names, Pmi, Protocol, version1, version2};

/// A job of these nodes; of its ranks those of `node` are here, in two parts of a command line.
fn server(nodes: &[u32], node: u32) -> Server {
    let here = nodes.iter().enumerate().filter(|(_, of)| **of == node);
    let here = here.map(|(rank, _)| (rank, rank % 2)).collect();
    Server::new(Facts { job: "job".into(), nodes: nodes.to_vec(), here })
}

/// What a rank hears after it has said `line` of PMI-1.
fn says(server: &mut Server, local_rank: usize, line: &str) -> String {
    server.on_bytes(local_rank, format!("{line}\n").as_bytes());
    match server.poll_output() {
        Some(Output::Write(to, bytes)) if to == local_rank => String::from_utf8(bytes).unwrap(),
        other => panic!("{line}: {other:?}"),
    }
}

/// The same of PMI-2.
fn says_two(server: &mut Server, local_rank: usize, message: Message) -> Message {
    server.on_bytes(local_rank, &version2::encode(&message));
    heard(server, local_rank)
}

fn heard(server: &mut Server, local_rank: usize) -> Message {
    match server.poll_output() {
        Some(Output::Write(to, mut bytes)) if to == local_rank => {
            version2::take(&mut bytes).unwrap().unwrap()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn lines_of_pmi_1_are_answered_as_its_clients_expect() {
    let mut server = server(&[0, 0, 1], 0);
    assert_eq!(server.standing(1), Standing::Silent);
    for (line, answer) in [
        (
            "cmd=init pmi_version=1 pmi_subversion=1",
            "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n",
        ),
        ("cmd=get_maxes", "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024 rc=0\n"),
        ("cmd=get_appnum", "cmd=appnum appnum=1 rc=0\n"),
        ("cmd=get_universe_size", "cmd=universe_size size=3 rc=0\n"),
        ("cmd=get_my_kvsname", "cmd=my_kvsname kvsname=job jobid=job rc=0\n"),
        ("cmd=put kvsname=job key=a value=x=y", "cmd=put_result rc=0\n"),
        ("cmd=get kvsname=job key=a", "cmd=get_result rc=0 value=x=y\n"),
        ("cmd=get kvsname=job key=b", "cmd=get_result rc=-1 msg=there_is_no_such_key\n"),
        (
            "cmd=get kvsname=job key=PMI_process_mapping",
            "cmd=get_result rc=0 value=(vector,(0,1,2),(1,1,1))\n",
        ),
        (
            "mcmd=spawn\ntotspawns=1\nspawnssofar=1\nendcmd",
            "cmd=spawn_result rc=-1 msg=mpirun_of_Dunlin_starts_no_processes_while_a_job_runs\n",
        ),
        ("cmd=x", "cmd=x_result rc=-1 msg=mpirun_of_Dunlin_does_not_know_this_command\n"),
        (
            "cmd=init pmi_version=3 pmi_subversion=0",
            "cmd=response_to_init rc=-1 msg=mpirun_of_Dunlin_speaks_PMI_1.1_and_2.0\n",
        ),
    ] {
        assert_eq!(says(&mut server, 1, line), answer);
    }
    assert_eq!(server.standing(1), Standing::Begun);
    assert_eq!(says(&mut server, 1, "cmd=finalize"), "cmd=finalize_ack rc=0\n");
    assert_eq!((server.standing(1), server.standing(0)), (Standing::Finished, Standing::Silent));
}

#[test]
fn messages_of_pmi_2_are_answered_to_the_thread_that_asks() {
    let mut server = server(&[0, 1, 1], 1);
    let init = says(&mut server, 0, "cmd=init pmi_version=2 pmi_subversion=0");
    assert_eq!(init, "cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=0\n");
    let hello = Message::new("fullinit").with("pmirank", 1).with("thrid", "0x12");
    let identity = says_two(&mut server, 0, hello);
    let fields = ["thrid", "rank", "size", "appnum", "rc"].map(|key| identity.get(key).unwrap());
    assert_eq!(fields, ["0x12", "1", "3", "1", "0"]);
    let job = says_two(&mut server, 0, Message::new("job-getid"));
    assert_eq!(job.get("jobid"), Some("job"));
    let mapping = Message::new("info-getjobattr").with("key", "PMI_process_mapping");
    let mapping = says_two(&mut server, 0, mapping);
    assert_eq!(mapping.get("found"), Some("TRUE"));
    assert_eq!(mapping.get("value"), Some("(vector,(0,1,1),(1,1,2))"));
    let topology = says_two(&mut server, 0, Message::new("info-getjobattr").with("key", "x"));
    assert_eq!(
        topology,
        Message::new("info-getjobattr-response").with("found", "FALSE").with("rc", 0)
    );
}

#[test]
fn a_fence_opens_when_all_hosts_have_reached_it() {
    let mut server = server(&[0, 0, 1], 0);
    says(&mut server, 0, "cmd=put key=a value=1");
    server.on_bytes(0, b"cmd=barrier_in\n");
    assert_eq!(server.poll_output(), None);
    says(&mut server, 1, "cmd=put key=b value=2");
    assert!(server.is_in_fence(0) && !server.is_in_fence(1));
    server.on_bytes(1, b"cmd=barrier_in\n");
    let pairs = [("a", "1"), ("b", "2")].map(|(key, value)| (key.to_string(), value.to_string()));
    assert_eq!(server.poll_output(), Some(Output::Fence(pairs.to_vec())));
    assert_eq!(server.poll_output(), None);
    server.on_fence(vec![("c".into(), "3".into())]);
    for local_rank in [0, 1] {
        let out = b"cmd=barrier_out rc=0\n".to_vec();
        assert_eq!(server.poll_output(), Some(Output::Write(local_rank, out)));
    }
    assert_eq!(says(&mut server, 1, "cmd=get key=c"), "cmd=get_result rc=0 value=3\n");
    for local_rank in [0, 1] {
        server.on_bytes(local_rank, b"cmd=barrier_in\n");
    }
    assert_eq!(server.poll_output(), Some(Output::Fence(vec![])), "told once");
}

#[test]
fn who_waits_for_a_value_of_the_node_gets_it_when_it_is_put() {
    let mut server = server(&[0, 0], 0);
    let ask = |waits| Message::new("info-getnodeattr").with("key", "shm").with("wait", waits);
    let absent = says_two(&mut server, 0, ask("FALSE"));
    assert_eq!(absent.get("found"), Some("FALSE"));
    server.on_bytes(0, &version2::encode(&ask("TRUE")));
    assert_eq!(server.poll_output(), None);
    let put = Message::new("info-putnodeattr").with("key", "shm").with("value", "a;b");
    server.on_bytes(1, &version2::encode(&put));
    assert_eq!(heard(&mut server, 0).get("value"), Some("a;b"));
    assert_eq!(heard(&mut server, 1).number("rc"), Some(0));
}

#[test]
fn names_are_asked_of_the_whole_job_and_told_in_order() {
    let mut server = server(&[0], 0);
    let mut names = Names::default();
    let mut ask = |line: &str| {
        server.on_bytes(0, format!("{line}\n").as_bytes());
        let Some(Output::Ask(0, ask)) = server.poll_output() else { panic!("{line}") };
        server.on_answer(0, names.on_ask(ask));
        match server.poll_output() {
            Some(Output::Write(0, bytes)) => String::from_utf8(bytes).unwrap(),
            other => panic!("{other:?}"),
        }
    };
    let (publish, lookup) = ("cmd=publish_name service=a port=p", "cmd=lookup_name service=a");
    assert_eq!(ask(publish), "cmd=publish_result rc=0\n");
    assert_eq!(
        ask(publish),
        "cmd=publish_result rc=-1 msg=this_name_is_taken,_or_the_job_has_published_too_many\n"
    );
    assert_eq!(ask(lookup), "cmd=lookup_result port=p rc=0\n");
    assert_eq!(ask("cmd=unpublish_name service=a"), "cmd=unpublish_result rc=0\n");
    assert_eq!(ask(lookup), "cmd=lookup_result rc=-1 msg=nobody_has_published_this_name\n");
}

#[test]
fn an_abort_is_noted_with_its_code_and_not_answered() {
    let mut server = server(&[0, 0], 0);
    server.on_bytes(1, b"cmd=abort exitcode=7 message=ouch\n");
    assert_eq!(server.poll_output(), Some(Output::Abort(1)));
    assert_eq!(server.poll_output(), None);
    assert_eq!(server.standing(1), Standing::Aborted(7));
}

#[test]
fn what_is_too_long_or_no_message_is_refused() {
    let mut server = server(&[0], 0);
    let long = "x".repeat(VALUE_BYTES_MAX + 1);
    assert!(says(&mut server, 0, &format!("cmd=put key=a value={long}")).contains("rc=-1"));
    assert!(says(&mut server, 0, &format!("cmd=put key={long} value=a")).contains("rc=-1"));
    server.on_bytes(0, b"hello\n");
    assert_eq!(server.poll_output(), Some(Output::HangUp(0)));
    server.on_bytes(0, &vec![b'c'; MESSAGE_BYTES_MAX + 1]);
    assert_eq!(server.poll_output(), Some(Output::HangUp(0)));
}

#[test]
fn what_one_rank_can_make_its_launcher_keep_is_bounded() {
    let mut server = server(&[0, 0], 0);
    let value = "x".repeat(VALUE_BYTES_MAX);
    let refused = (0..3000).find(|n| {
        says(&mut server, 0, &format!("cmd=put key=k{n} value={value}")).contains("rc=-1")
    });
    assert_eq!(refused, Some(1020), "1 MiB of keys and values");
    let again = says(&mut server, 0, "cmd=put key=k value=x");
    assert!(again.contains("may_put_1048576_bytes"), "{again}");
    assert!(says(&mut server, 1, "cmd=put key=k value=x").contains("rc=0"), "the others may");
    let wait = Message::new("info-getnodeattr").with("key", "never").with("wait", "TRUE");
    for _ in 0..WAITING_MAX {
        server.on_bytes(1, &version2::encode(&wait));
        assert_eq!(server.poll_output(), None);
    }
    assert_eq!(says_two(&mut server, 1, wait).number("rc"), Some(-1));
}

/// Serves ranks over sockets until all have gone, as one host.
fn serve(mut server: Server, mut streams: Vec<UnixStream>) {
    let (send, heard) = mpsc::channel();
    for (local_rank, stream) in streams.iter().enumerate() {
        let (mut stream, send) = (stream.try_clone().unwrap(), send.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 512];
            while let Ok(count @ 1..) = stream.read(&mut bytes) {
                send.send((local_rank, bytes[..count].to_vec())).unwrap();
            }
        });
    }
    drop(send);
    for (local_rank, bytes) in heard {
        server.on_bytes(local_rank, &bytes);
        while let Some(output) = server.poll_output() {
            match output {
                Output::Write(local_rank, bytes) => streams[local_rank].write_all(&bytes).unwrap(),
                Output::Fence(pairs) => server.on_fence(pairs),
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn our_own_client_finds_all_others() {
    const RANKS: usize = 5;
    for protocol in [Protocol::One, Protocol::Two] {
        let pairs: Vec<_> = (0..RANKS).map(|_| UnixStream::pair().unwrap()).collect();
        let (theirs, ours): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        let server = std::thread::spawn(move || serve(server(&[0; RANKS], 0), ours));
        let rank = |(rank, stream)| {
            std::thread::spawn(move || {
                let mut client = Client::greet(stream, protocol, rank, RANKS, "").unwrap();
                assert_eq!(client.nodes().unwrap(), Some(vec![0; RANKS]));
                client.put("key", &[rank as u8; 2000]).unwrap();
                client.fence().unwrap();
                for from in 0..RANKS {
                    let value = client.get(from, "key").unwrap().unwrap();
                    assert_eq!(value, [from as u8; 2000]);
                }
                client.fence().unwrap();
                client.finalize().unwrap();
            })
        };
        let ranks: Vec<_> = theirs.into_iter().enumerate().map(rank).collect();
        ranks.into_iter().for_each(|rank| rank.join().unwrap());
        server.join().unwrap();
    }
}

/// Commands of both protocols, whole and in pieces.
fn something_said() -> impl Strategy<Value = Vec<u8>> {
    let commands = prop::sample::select(vec![
        "init",
        "fullinit",
        "get_maxes",
        "put",
        "get",
        "kvs-put",
        "kvs-get",
        "barrier_in",
        "kvs-fence",
        "info-putnodeattr",
        "info-getnodeattr",
        "publish_name",
        "name-lookup",
        "spawn",
        "abort",
        "finalize",
        "job-getid",
        "x",
    ]);
    let message = (commands, "[a-z;=]{0,5}", "[ -~]{0,9}", any::<bool>());
    let message = message.prop_map(|(command, key, value, is_two)| {
        let message = Message::new(command).with("key", key).with("value", value);
        let message = message.with("wait", "TRUE").with("thrid", "t").with("pmi_version", 1);
        if is_two { version2::encode(&message) } else { version1::encode(&message) }
    });
    prop_oneof![8 => message, 1 => prop::collection::vec(any::<u8>(), 0..40)]
}

proptest! {
    #[test]
    fn nothing_that_ranks_say_breaks_it(
        said in prop::collection::vec((0usize..3, something_said(), 1usize..60), 0..40),
    ) {
        let mut server = server(&[0, 0, 0, 1], 0);
        let mut names = Names::default();
        for (local_rank, bytes, piece) in said {
            for bytes in bytes.chunks(piece) {
                server.on_bytes(local_rank, bytes);
            }
            while let Some(output) = server.poll_output() {
                match output {
                    Output::Fence(pairs) => server.on_fence(pairs),
                    Output::Ask(local_rank, ask) => server.on_answer(local_rank, names.on_ask(ask)),
                    Output::Write(_, bytes) => prop_assert!(!bytes.is_empty()),
                    Output::HangUp(_) | Output::Abort(_) => {}
                }
            }
        }
    }
}
