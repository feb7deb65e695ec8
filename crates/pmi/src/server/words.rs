//! The words of both protocols: what a message asks, and how an answer to it is written.

use crate::{Ask, Message, Protocol, version1, version2};

/// The longest name of a job, key of a value, and value, as `get_maxes` is told.
pub const NAME_BYTES_MAX: usize = 256;
pub const KEY_BYTES_MAX: usize = 64;
pub const VALUE_BYTES_MAX: usize = 1024;
/// The longest command and the longest name of a thread that are repeated in an answer.
const ECHO_BYTES_MAX: usize = 64;

/// What a rank asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// May this version be spoken?
    Greeting {
        version: i64,
    },
    /// Who am I?
    Identity,
    /// How long may names, keys and values be?
    Maxes,
    JobName,
    AppNum,
    Universe,
    Put {
        key: String,
        value: String,
    },
    /// A value of the job, put by a rank or known to the launcher.
    Get {
        key: String,
    },
    /// As `Put`, for the ranks of this host, and at once.
    PutOnNode {
        key: String,
        value: String,
    },
    GetOnNode {
        key: String,
        waits: bool,
    },
    Fence,
    Names(Ask),
    /// Start other programs; `is_last` if no more of the same call follow.
    Spawn {
        is_last: bool,
    },
    Abort {
        code: i32,
    },
    Finalize,
    /// Something else.
    Unknown,
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Done,
    /// With these fields.
    Fields(Vec<(&'static str, String)>),
    /// The value of a key, if there is one.
    Value(Option<String>),
    /// Not done, for this reason.
    Refused(&'static str),
}

/// Where an answer goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    pub protocol: Protocol,
    pub command: String,
    /// The thread that asks, which libraries of PMI-2 look for in the answer.
    thread: Option<String>,
}

/// Takes the first message off what a rank has said. A message tells by its beginning how it is
/// written: one of PMI-2 has its length there.
pub fn take(received: &mut Vec<u8>) -> Option<Result<(Envelope, Question), String>> {
    let (protocol, message) = match received.first()? {
        b' ' | b'0'..=b'9' => (Protocol::Two, version2::take(received)?),
        _ => (Protocol::One, version1::take(received)?),
    };
    Some(message.and_then(|message| {
        let command = message.command.clone();
        if command.len() > ECHO_BYTES_MAX {
            return Err(command);
        }
        let thread = message.get("thrid").filter(|thread| thread.len() <= ECHO_BYTES_MAX);
        let thread = thread.map(str::to_string);
        Ok((Envelope { protocol, command, thread }, question(&message)))
    }))
}

fn question(message: &Message) -> Question {
    let field = |key: &str| message.get(key).unwrap_or_default().to_string();
    let is_true = |key: &str| message.get(key).is_some_and(|v| v.eq_ignore_ascii_case("true"));
    match message.command.as_str() {
        "init" => Question::Greeting { version: message.number("pmi_version").unwrap_or(0) },
        "fullinit" => Question::Identity,
        "get_maxes" => Question::Maxes,
        "get_my_kvsname" | "job-getid" => Question::JobName,
        "get_appnum" => Question::AppNum,
        "get_universe_size" => Question::Universe,
        "put" | "kvs-put" => Question::Put { key: field("key"), value: field("value") },
        "get" | "kvs-get" | "info-getjobattr" => Question::Get { key: field("key") },
        "info-putnodeattr" => Question::PutOnNode { key: field("key"), value: field("value") },
        "info-getnodeattr" => Question::GetOnNode { key: field("key"), waits: is_true("wait") },
        "barrier_in" | "kvs-fence" => Question::Fence,
        "publish_name" => Question::Names(Ask::Publish(field("service"), field("port"))),
        "name-publish" => Question::Names(Ask::Publish(field("name"), field("port"))),
        "lookup_name" => Question::Names(Ask::Lookup(field("service"))),
        "name-lookup" => Question::Names(Ask::Lookup(field("name"))),
        "unpublish_name" => Question::Names(Ask::Unpublish(field("service"))),
        "name-unpublish" => Question::Names(Ask::Unpublish(field("name"))),
        "spawn" => {
            let (all, so_far) = (message.number("totspawns"), message.number("spawnssofar"));
            Question::Spawn { is_last: all <= so_far }
        }
        "abort" => {
            let code = message.number("exitcode").unwrap_or(1);
            Question::Abort { code: code as i32 }
        }
        "finalize" => Question::Finalize,
        _ => Question::Unknown,
    }
}

impl Envelope {
    /// The bytes of an answer.
    pub fn seal(&self, answer: Answer) -> Vec<u8> {
        let mut message = Message::new(&self.name());
        if let Some(thread) = &self.thread {
            message = message.with("thrid", thread);
        }
        let is_two = self.protocol == Protocol::Two;
        let message = match answer {
            Answer::Done => message.with("rc", 0),
            Answer::Fields(fields) => {
                fields.into_iter().fold(message, |m, (key, value)| m.with(key, value)).with("rc", 0)
            }
            Answer::Value(Some(value)) if is_two => {
                message.with("found", "TRUE").with("value", value).with("rc", 0)
            }
            Answer::Value(None) if is_two => message.with("found", "FALSE").with("rc", 0),
            Answer::Value(Some(value)) => message.with("rc", 0).with("value", value),
            Answer::Value(None) => message.with("rc", -1).with("msg", "there_is_no_such_key"),
            Answer::Refused(why) if is_two => message.with("rc", -1).with("errmsg", why),
            // Blanks divide words here.
            Answer::Refused(why) => message.with("rc", -1).with("msg", why.replace(' ', "_")),
        };
        match self.protocol {
            Protocol::One => version1::encode(&message),
            Protocol::Two => version2::encode(&message),
        }
    }

    /// What an answer is called.
    fn name(&self) -> String {
        let command = self.command.as_str();
        if self.protocol == Protocol::Two {
            return format!("{command}-response");
        }
        match command {
            "init" => "response_to_init".into(),
            "barrier_in" => "barrier_out".into(),
            "finalize" => "finalize_ack".into(),
            _ => match command.strip_prefix("get_") {
                Some(what) => what.into(),
                None => format!("{}_result", command.trim_end_matches("_name")),
            },
        }
    }
}
