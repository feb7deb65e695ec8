//! The rank's side of PMI-1 and PMI-2: a question, and the answer to it.

use std::fmt;
use std::io::{Read, Write};

use dunlin_base::{Error, ErrorClass, Result};

use crate::{Message, Pmi, mapping, values, version1, version2};

/// The longest value of launchers that do not say what theirs is.
const VALUE_BYTES: usize = 1024;
/// The longest answer: that of PMI-2, with its length before it.
const ANSWER_BYTES_MAX: usize = version2::MESSAGE_BYTES_MAX + 6;
/// Room that `PMI-2` servers take of a value for what they write around it.
const VALUE_SPARE: usize = 64;
/// Which rank runs where.
const MAPPING: &str = "PMI_process_mapping";

/// Which protocol is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// PMI-1.
    One,
    /// PMI-2.
    Two,
}

/// The connection to the launcher.
pub trait Transport: Read + Write + Send {}
impl<T: Read + Write + Send> Transport for T {}

/// A rank that communicates with its launcher.
pub struct Client {
    stream: Box<dyn Transport>,
    received: Vec<u8>,
    protocol: Protocol,
    rank: usize,
    size: usize,
    job: String,
    value_bytes: usize,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {} of {} by {}", self.rank, self.size, self.name())
    }
}

fn failed(text: String) -> Error {
    Error::new(ErrorClass::Other, text)
}

impl Client {
    /// Greets the launcher at the other end of `stream`. PMI-1 needs rank and size from the
    /// environment; PMI-2 is told them.
    pub fn greet(
        stream: impl Transport + 'static,
        protocol: Protocol,
        rank: usize,
        size: usize,
        job: &str,
    ) -> Result<Client> {
        let mut client = Client {
            stream: Box::new(stream),
            received: Vec::new(),
            protocol,
            rank,
            size,
            job: job.to_string(),
            value_bytes: VALUE_BYTES,
        };
        client.agree_on_version()?;
        match protocol {
            Protocol::One => client.learn_of_one()?,
            Protocol::Two => client.learn_of_two()?,
        }
        Ok(client)
    }

    /// The first request is a line in both protocols.
    fn agree_on_version(&mut self) -> Result<()> {
        let (version, subversion) = match self.protocol {
            Protocol::One => (1, 1),
            Protocol::Two => (2, 0),
        };
        let hello =
            Message::new("init").with("pmi_version", version).with("pmi_subversion", subversion);
        self.write(&version1::encode(&hello))?;
        let answer = self.read(version1::take)?;
        if answer.command != "response_to_init" {
            return Err(self.strange("init", &answer));
        }
        if answer.number("rc") == Some(0) {
            return Ok(());
        }
        let theirs = answer.get("pmi_version").unwrap_or("another version");
        let name = self.name();
        Err(failed(format!("the launcher does not speak {name}, it speaks PMI {theirs}")))
    }

    fn learn_of_one(&mut self) -> Result<()> {
        let maxes = self.ask(Message::new("get_maxes"), "maxes")?;
        if let Some(longest) = maxes.number("vallen_max").filter(|&n| n > 0) {
            self.value_bytes = (longest as usize).min(VALUE_BYTES);
        }
        let name = self.ask(Message::new("get_my_kvsname"), "my_kvsname")?;
        self.job = self.field("get_my_kvsname", &name, "kvsname")?;
        Ok(())
    }

    fn learn_of_two(&mut self) -> Result<()> {
        let mut hello = Message::new("fullinit");
        // No server likes an empty value.
        if !self.job.is_empty() {
            hello = hello.with("pmijobid", &self.job);
        }
        let hello = hello.with("pmirank", self.rank).with("threaded", "FALSE");
        let answer = self.ask(hello, "fullinit-response")?;
        for (key, place) in [("rank", &mut self.rank), ("size", &mut self.size)] {
            if let Some(number) = answer.number(key) {
                *place = number as usize;
            }
        }
        let id = self.ask(Message::new("job-getid"), "job-getid-response")?;
        self.job = self.field("job-getid", &id, "jobid")?;
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.stream.write_all(bytes).map_err(|e| {
            failed(format!(
                "the launcher that started this rank cannot be told anything ({e}): it has gone, \
                 or the PMI_ variables are left over from another job; unset them, or use \
                 Dunlin's mpirun"
            ))
        })
    }

    fn read(
        &mut self,
        take: fn(&mut Vec<u8>) -> Option<Result<Message, String>>,
    ) -> Result<Message> {
        let mut bytes = [0; 4096];
        loop {
            if let Some(message) = take(&mut self.received) {
                let name = self.name();
                return message.map_err(|text| {
                    failed(format!("the launcher says `{text}`, which is no answer of {name}"))
                });
            }
            match self.stream.read(&mut bytes) {
                Ok(0) => {
                    let text = "the launcher that started this rank has closed its connection";
                    return Err(failed(text.to_string()));
                }
                Ok(n) if self.received.len() + n <= ANSWER_BYTES_MAX => {
                    self.received.extend_from_slice(&bytes[..n]);
                }
                Ok(_) => {
                    let name = self.name();
                    return Err(failed(format!(
                        "the launcher says more than {ANSWER_BYTES_MAX} bytes without an end, \
                         which is no answer of {name}"
                    )));
                }
                Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
                Err(e) => return Err(failed(format!("the launcher cannot be heard: {e}"))),
            }
        }
    }

    /// Sends a request, and returns the answer if it is the expected one.
    fn ask(&mut self, question: Message, answer: &str) -> Result<Message> {
        let (bytes, take): (_, fn(&mut Vec<u8>) -> _) = match self.protocol {
            Protocol::One => (version1::encode(&question), version1::take),
            Protocol::Two => (version2::encode(&question), version2::take),
        };
        self.write(&bytes)?;
        let got = self.read(take)?;
        if got.command == answer { Ok(got) } else { Err(self.strange(&question.command, &got)) }
    }

    /// As [`Client::ask`], where a return code other than 0 is an error.
    fn demand(&mut self, question: Message, answer: &str) -> Result<()> {
        let command = question.command.clone();
        let got = self.ask(question, answer)?;
        match got.number("rc") {
            None | Some(0) => Ok(()),
            Some(_) => Err(self.strange(&command, &got)),
        }
    }

    fn field(&self, question: &str, answer: &Message, key: &str) -> Result<String> {
        answer.get(key).map(str::to_string).ok_or_else(|| self.strange(question, answer))
    }

    fn strange(&self, question: &str, answer: &Message) -> Error {
        let text = String::from_utf8_lossy(&version1::encode(answer)).trim_end().to_string();
        failed(format!("the launcher answers `{text}` to {question} of {}", self.name()))
    }

    fn put_value(&mut self, key: &str, value: &str) -> Result<()> {
        match self.protocol {
            Protocol::One => {
                let question = Message::new("put")
                    .with("kvsname", &self.job)
                    .with("key", key)
                    .with("value", value);
                self.demand(question, "put_result")
            }
            Protocol::Two => {
                let question = Message::new("kvs-put").with("key", key).with("value", value);
                self.demand(question, "kvs-put-response")
            }
        }
    }

    fn get_value(&mut self, key: &str) -> Result<Option<String>> {
        match self.protocol {
            Protocol::One => {
                let question = Message::new("get").with("kvsname", &self.job).with("key", key);
                let answer = self.ask(question, "get_result")?;
                let found = answer.number("rc").is_none_or(|rc| rc == 0);
                Ok(answer.get("value").filter(|_| found).map(str::to_string))
            }
            Protocol::Two => {
                let question = Message::new("kvs-get")
                    .with("jobid", &self.job)
                    .with("srcid", -1)
                    .with("key", key);
                Ok(found(self.ask(question, "kvs-get-response")?))
            }
        }
    }
}

/// The value of an answer of PMI-2, if it says that there is one.
fn found(answer: Message) -> Option<String> {
    let flag = answer.get("found").or(answer.get("flag"))?;
    let found = flag.eq_ignore_ascii_case("true");
    answer.get("value").filter(|_| found).map(str::to_string)
}

/// What is called `key` by rank `from`, and may be too long for one value, as the launcher knows
/// its parts.
fn part(key: &str, from: usize, index: usize) -> String {
    format!("{key}-{from}-{index}")
}

impl Pmi for Client {
    fn name(&self) -> &'static str {
        match self.protocol {
            Protocol::One => "PMI-1",
            Protocol::Two => "PMI-2",
        }
    }

    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn job(&self) -> &str {
        &self.job
    }

    fn nodes(&mut self) -> Result<Option<Vec<u32>>> {
        let text = match self.protocol {
            Protocol::One => self.get_value(MAPPING)?,
            Protocol::Two => {
                let question = Message::new("info-getjobattr").with("key", MAPPING);
                found(self.ask(question, "info-getjobattr-response")?)
            }
        };
        text.map(|text| mapping::parse(&text, self.size).map_err(failed)).transpose()
    }

    fn put(&mut self, key: &str, value: &[u8]) -> Result<()> {
        let longest = self.value_bytes - VALUE_SPARE.min(self.value_bytes / 2);
        for (index, value) in values::divide(value, longest).iter().enumerate() {
            self.put_value(&part(key, self.rank, index), value)?;
        }
        Ok(())
    }

    fn fence(&mut self) -> Result<()> {
        match self.protocol {
            Protocol::One => self.demand(Message::new("barrier_in"), "barrier_out"),
            Protocol::Two => self.demand(Message::new("kvs-fence"), "kvs-fence-response"),
        }
    }

    fn get(&mut self, from: usize, key: &str) -> Result<Option<Vec<u8>>> {
        let Some(head) = self.get_value(&part(key, from, 0))? else { return Ok(None) };
        let wrong = || failed(format!("the launcher has a value of {key} that no rank has put"));
        let (count, text) = values::first(&head).ok_or_else(wrong)?;
        let mut text = text.to_string();
        for index in 1..count {
            text.push_str(&self.get_value(&part(key, from, index))?.ok_or_else(wrong)?);
        }
        values::join(&text).map(Some).ok_or_else(wrong)
    }

    fn abort(&mut self, code: i32, why: &str) {
        let message = match self.protocol {
            Protocol::One => version1::encode(&Message::new("abort").with("exitcode", code)),
            Protocol::Two => {
                let message = Message::new("abort").with("isworld", "TRUE");
                version2::encode(&message.with("exitcode", code).with("msg", why))
            }
        };
        // A rank that aborts ends itself at once; a launcher that is gone ends the job anyway.
        let _ = self.write(&message);
    }

    fn finalize(&mut self) -> Result<()> {
        match self.protocol {
            Protocol::One => self.demand(Message::new("finalize"), "finalize_ack"),
            Protocol::Two => self.demand(Message::new("finalize"), "finalize-response"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;
    use std::os::unix::net::UnixStream;

    /// A launcher of one rank, for as long as the rank talks to it.
    fn serve(mut stream: UnixStream, protocol: Protocol) {
        let mut kept: HashMap<String, String> = HashMap::new();
        let (mut received, mut bytes, mut greeted) = (Vec::new(), [0; 512], false);
        while let Ok(n @ 1..) = stream.read(&mut bytes) {
            received.extend_from_slice(&bytes[..n]);
            loop {
                let lines = protocol == Protocol::One || !greeted;
                let take = if lines { version1::take } else { version2::take };
                let Some(question) = take(&mut received) else { break };
                let answer = answer(&question.unwrap(), &mut kept);
                greeted = true;
                let encode = if lines { version1::encode } else { version2::encode };
                stream.write_all(&encode(&answer)).unwrap();
            }
        }
    }

    fn answer(question: &Message, kept: &mut HashMap<String, String>) -> Message {
        let field = |key: &str| question.get(key).unwrap_or_default().to_string();
        match question.command.as_str() {
            "init" => Message::new("response_to_init").with("rc", 0),
            "get_maxes" => Message::new("maxes").with("vallen_max", 100),
            "get_my_kvsname" => Message::new("my_kvsname").with("kvsname", "job"),
            "fullinit" => Message::new("fullinit-response").with("rank", 0).with("size", 2),
            "job-getid" => Message::new("job-getid-response").with("jobid", "job"),
            put @ ("put" | "kvs-put") => {
                assert!(field("value").len() <= VALUE_BYTES);
                kept.insert(field("key"), field("value"));
                let name = if put == "put" { "put_result" } else { "kvs-put-response" };
                Message::new(name).with("rc", 0)
            }
            "get" => match kept.get(&field("key")) {
                Some(value) => Message::new("get_result").with("rc", 0).with("value", value),
                None => Message::new("get_result").with("rc", 1),
            },
            "kvs-get" => match kept.get(&field("key")) {
                Some(value) => {
                    Message::new("kvs-get-response").with("found", "TRUE").with("value", value)
                }
                None => Message::new("kvs-get-response").with("found", "FALSE"),
            },
            "barrier_in" => Message::new("barrier_out"),
            "kvs-fence" => Message::new("kvs-fence-response").with("rc", 0),
            "finalize" => Message::new("finalize_ack").with("rc", 1),
            other => panic!("{other}"),
        }
    }

    fn with_client(protocol: Protocol, act: impl FnOnce(&mut Client)) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let launcher = std::thread::spawn(move || serve(theirs, protocol));
        let mut client = Client::greet(ours, protocol, 0, 2, "").unwrap();
        act(&mut client);
        drop(client);
        launcher.join().unwrap();
    }

    #[test]
    fn values_of_any_length_come_back() {
        for protocol in [Protocol::One, Protocol::Two] {
            with_client(protocol, |client| {
                let value: Vec<u8> = (0..3000).map(|i| i as u8).collect();
                client.put("key", &value).unwrap();
                client.fence().unwrap();
                assert_eq!(client.get(0, "key").unwrap().as_deref(), Some(&value[..]));
                assert_eq!(client.get(1, "key").unwrap(), None);
                assert_eq!((client.job(), client.size()), ("job", 2));
            });
        }
    }

    /// What greeting a launcher gives that answers with these words.
    fn greeted(protocol: Protocol, said: &[u8]) -> Result<Client> {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let said = said.to_vec();
        let launcher = std::thread::spawn(move || {
            // Who is not heard to the end need not speak to the end.
            let _ = theirs.write_all(&said);
            let _ = theirs.shutdown(std::net::Shutdown::Write);
            let _ = theirs.read_to_end(&mut Vec::new());
        });
        let outcome = Client::greet(ours, protocol, 0, 2, "");
        match outcome {
            Ok(client) => Ok(client),
            Err(error) => {
                launcher.join().unwrap();
                Err(error)
            }
        }
    }

    #[test]
    fn an_answer_without_an_end_is_not_kept() {
        for protocol in [Protocol::One, Protocol::Two] {
            let endless = vec![b'x'; 2 * ANSWER_BYTES_MAX];
            let text = greeted(protocol, &endless).unwrap_err().to_string();
            assert!(text.contains("more than") && text.contains("without an end"), "{text}");
        }
    }

    #[test]
    fn absurd_numbers_of_a_launcher_cost_nothing() {
        let maxes = |longest: &str| {
            let text = format!(
                "cmd=response_to_init rc=0\ncmd=maxes vallen_max={longest}\n\
                 cmd=my_kvsname kvsname=job\n"
            );
            greeted(Protocol::One, text.as_bytes()).unwrap().value_bytes
        };
        assert_eq!(maxes("512"), 512);
        for absurd in ["0", "-1", "9223372036854775807", "99999999999999999999"] {
            assert_eq!(maxes(absurd), VALUE_BYTES, "{absurd}");
        }
        let mut said = version1::encode(&Message::new("response_to_init").with("rc", 0));
        let most = i64::MAX;
        let full = Message::new("fullinit-response").with("rank", most).with("size", -1);
        said.extend(version2::encode(&full));
        said.extend(version2::encode(&Message::new("job-getid-response").with("jobid", "job")));
        let client = greeted(Protocol::Two, &said).unwrap();
        // They are compared with the limit of a job before anything is made of them.
        assert_eq!((client.rank(), client.size()), (most as usize, usize::MAX));
    }

    #[test]
    fn a_refusal_is_shown_as_it_came() {
        with_client(Protocol::One, |client| {
            let text = client.finalize().unwrap_err().to_string();
            assert!(text.contains("finalize_ack rc=1"), "{text}");
        });
    }
}
