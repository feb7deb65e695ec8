//! The launcher's side of PMI-1 and PMI-2, for the ranks of one host: what ranks send goes in;
//! answers come out, and requests that only the whole job can answer.

mod words;

use std::collections::{HashMap, VecDeque};

/// What one rank may put while the job runs, keys and values together: hundreds of times what any
/// library is known to put. The launcher of every host keeps all of it.
const PUT_BYTES_MAX: usize = 1 << 20;
/// Requests of one rank that wait for others: one for each of its threads.
const WAITING_MAX: usize = 1024;

use crate::version2::MESSAGE_BYTES_MAX;
use crate::{Ask, mapping};
use words::{Answer, Envelope, KEY_BYTES_MAX, NAME_BYTES_MAX, Question, VALUE_BYTES_MAX, take};

/// A key and its value.
pub type Pair = (String, String);

/// What ranks are told about their job.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Its name: the same for all its ranks, another for each job on the same host.
    pub job: String,
    /// The node of each rank.
    pub nodes: Vec<u32>,
    /// The ranks of this host, and the part of the command line that each belongs to.
    pub here: Vec<(usize, usize)>,
}

/// What a rank has told its launcher about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Standing {
    /// Nothing.
    #[default]
    Silent,
    /// It has greeted.
    Begun,
    /// It has finalized.
    Finished,
    /// It has asked for the job's end, with this exit code.
    Aborted(i32),
}

/// What the caller has to do. Ranks are named by their index on this host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// Tell a rank this.
    Write(usize, Vec<u8>),
    /// Stop reading from a rank: what it sends is not PMI.
    HangUp(usize),
    /// All ranks of this host wait in the fence; what they have put since the last one. Once all
    /// hosts do, each is told of what all have put ([`Server::on_fence`]).
    Fence(Vec<Pair>),
    /// A rank asks for the job's end.
    Abort(usize),
    /// A rank has a request for the job's table of names, and waits for [`Server::on_answer`].
    Ask(usize, Ask),
}

/// A rank of this host.
#[derive(Debug, Default)]
struct RankState {
    received: Vec<u8>,
    standing: Standing,
    /// Where it waits in the fence.
    fence: Option<Envelope>,
    /// Its requests for the table of names, in order.
    asked: VecDeque<Envelope>,
    /// Bytes that it has put.
    put_bytes: usize,
}

/// The server of one host's ranks.
#[derive(Debug)]
pub struct Server {
    facts: Facts,
    ranks: Vec<RankState>,
    /// What all ranks had put before the last fence, and what those here have put since.
    values: HashMap<String, String>,
    /// The latter alone.
    fresh: Vec<Pair>,
    on_node: HashMap<String, String>,
    /// Ranks that wait for a value of their node.
    waiting: Vec<(usize, String, Envelope)>,
    outputs: VecDeque<Output>,
}

impl Server {
    /// A server that has received nothing yet.
    pub fn new(facts: Facts) -> Server {
        Server {
            ranks: facts.here.iter().map(|_| RankState::default()).collect(),
            facts,
            values: HashMap::new(),
            fresh: Vec::new(),
            on_node: HashMap::new(),
            waiting: Vec::new(),
            outputs: VecDeque::new(),
        }
    }

    /// What the rank at `local_rank` has told about itself.
    pub fn standing(&self, local_rank: usize) -> Standing {
        self.ranks[local_rank].standing
    }

    /// Whether the rank at `local_rank` waits for all others.
    pub fn is_in_fence(&self, local_rank: usize) -> bool {
        self.ranks[local_rank].fence.is_some()
    }

    /// What is to be done next.
    pub fn poll_output(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// The rank at `local_rank` has said this.
    pub fn on_bytes(&mut self, local_rank: usize, bytes: &[u8]) {
        self.ranks[local_rank].received.extend_from_slice(bytes);
        while let Some(message) = take(&mut self.ranks[local_rank].received) {
            match message {
                Ok((envelope, question)) => self.on_question(local_rank, envelope, question),
                Err(_) => return self.hang_up(local_rank),
            }
        }
        if self.ranks[local_rank].received.len() > MESSAGE_BYTES_MAX {
            self.hang_up(local_rank);
        }
    }

    fn hang_up(&mut self, local_rank: usize) {
        self.ranks[local_rank].received = Vec::new();
        self.outputs.push_back(Output::HangUp(local_rank));
    }

    /// All ranks of the job wait in the fence; what they have put.
    pub fn on_fence(&mut self, pairs: Vec<Pair>) {
        self.values.extend(pairs);
        for local_rank in 0..self.ranks.len() {
            if let Some(envelope) = self.ranks[local_rank].fence.take() {
                self.answer(local_rank, &envelope, Answer::Done);
            }
        }
    }

    /// The answer to a request of the rank at `local_rank` for the table of names.
    pub fn on_answer(&mut self, local_rank: usize, told: Option<String>) {
        let Some(envelope) = self.ranks[local_rank].asked.pop_front() else { return };
        let answer = match told {
            Some(port) if envelope.command.contains("lookup") => {
                Answer::Fields(vec![("port", port)])
            }
            Some(_) => Answer::Done,
            None if envelope.command.contains("unpublish") => {
                Answer::Refused("nobody has published this name")
            }
            None if envelope.command.contains("publish") => {
                Answer::Refused("this name is taken, or the job has published too many")
            }
            None => Answer::Refused("nobody has published this name"),
        };
        self.answer(local_rank, &envelope, answer);
    }

    fn answer(&mut self, local_rank: usize, envelope: &Envelope, answer: Answer) {
        self.outputs.push_back(Output::Write(local_rank, envelope.seal(answer)));
    }

    fn on_question(&mut self, local_rank: usize, envelope: Envelope, question: Question) {
        let answer = match question {
            Question::Fence => return self.enter_fence(local_rank, envelope),
            Question::GetOnNode { key, waits } => {
                let value = self.on_node.get(&key).cloned();
                match value {
                    None if waits && self.questions_of(local_rank) < WAITING_MAX => {
                        return self.waiting.push((local_rank, key, envelope));
                    }
                    None if waits => TOO_MANY_QUESTIONS,
                    value => Answer::Value(value),
                }
            }
            Question::Names(_) if self.questions_of(local_rank) >= WAITING_MAX => {
                TOO_MANY_QUESTIONS
            }
            Question::Names(ask) => {
                self.ranks[local_rank].asked.push_back(envelope);
                return self.outputs.push_back(Output::Ask(local_rank, ask));
            }
            Question::Abort { code } => {
                self.ranks[local_rank].standing = Standing::Aborted(code);
                return self.outputs.push_back(Output::Abort(local_rank));
            }
            // One answer to all parts of a call.
            Question::Spawn { is_last: false } => return,
            Question::PutOnNode { key, value } => self.put_on_node(local_rank, key, value),
            Question::Put { key, value } => self.put(local_rank, key, value),
            other => self.answer_at_once(local_rank, other),
        };
        self.answer(local_rank, &envelope, answer);
    }

    fn enter_fence(&mut self, local_rank: usize, envelope: Envelope) {
        if self.ranks[local_rank].fence.is_some() {
            return self.answer(local_rank, &envelope, Answer::Refused("this rank waits already"));
        }
        self.ranks[local_rank].fence = Some(envelope);
        if self.ranks.iter().all(|state| state.fence.is_some()) {
            let fresh = std::mem::take(&mut self.fresh);
            self.outputs.push_back(Output::Fence(fresh));
        }
    }

    /// Questions of a rank that are not answered yet.
    fn questions_of(&self, local_rank: usize) -> usize {
        let waiting = self.waiting.iter().filter(|(of, _, _)| *of == local_rank).count();
        waiting + self.ranks[local_rank].asked.len()
    }

    /// Why a rank may not put this, if it may not.
    fn refusal(&mut self, local_rank: usize, key: &str, value: &str) -> Option<Answer> {
        if let Some(refused) = too_long(key, value) {
            return Some(refused);
        }
        let put_bytes = &mut self.ranks[local_rank].put_bytes;
        *put_bytes += key.len() + value.len();
        (*put_bytes > PUT_BYTES_MAX)
            .then_some(Answer::Refused("a rank may put 1048576 bytes in all, and has"))
    }

    fn put(&mut self, local_rank: usize, key: String, value: String) -> Answer {
        if let Some(refused) = self.refusal(local_rank, &key, &value) {
            return refused;
        }
        self.fresh.push((key.clone(), value.clone()));
        self.values.insert(key, value);
        Answer::Done
    }

    fn put_on_node(&mut self, local_rank: usize, key: String, value: String) -> Answer {
        if let Some(refused) = self.refusal(local_rank, &key, &value) {
            return refused;
        }
        let waiting = std::mem::take(&mut self.waiting).into_iter();
        let (served, waiting): (Vec<_>, _) = waiting.partition(|(_, wanted, _)| *wanted == key);
        self.waiting = waiting;
        for (local_rank, _, envelope) in served {
            self.answer(local_rank, &envelope, Answer::Value(Some(value.clone())));
        }
        self.on_node.insert(key, value);
        Answer::Done
    }

    fn answer_at_once(&mut self, local_rank: usize, question: Question) -> Answer {
        let (rank, part) = self.facts.here[local_rank];
        let size = self.facts.nodes.len().to_string();
        let fields = match question {
            Question::Greeting { version } => return self.greet(local_rank, version),
            Question::Get { key } => return Answer::Value(self.get(&key)),
            Question::Identity => vec![
                ("pmi-version", "2".into()),
                ("pmi-subver", "0".into()),
                ("rank", rank.to_string()),
                ("size", size),
                ("appnum", part.to_string()),
                ("debugged", "FALSE".into()),
                ("pmiverbose", "0".into()),
            ],
            Question::Maxes => vec![
                ("kvsname_max", NAME_BYTES_MAX.to_string()),
                ("keylen_max", KEY_BYTES_MAX.to_string()),
                ("vallen_max", VALUE_BYTES_MAX.to_string()),
            ],
            // Each protocol has a keyword of its own, and ignores the other's.
            Question::JobName => {
                vec![("kvsname", self.facts.job.clone()), ("jobid", self.facts.job.clone())]
            }
            Question::AppNum => vec![("appnum", part.to_string())],
            Question::Universe => vec![("size", size)],
            Question::Finalize => {
                self.ranks[local_rank].standing = Standing::Finished;
                return Answer::Done;
            }
            Question::Spawn { .. } => {
                return Answer::Refused("mpirun of Dunlin starts no processes while a job runs");
            }
            _ => return Answer::Refused("mpirun of Dunlin does not know this command"),
        };
        Answer::Fields(fields)
    }

    fn greet(&mut self, local_rank: usize, version: i64) -> Answer {
        let subversion = match version {
            1 => "1",
            2 => "0",
            _ => return Answer::Refused("mpirun of Dunlin speaks PMI 1.1 and 2.0"),
        };
        self.ranks[local_rank].standing = Standing::Begun;
        let version = version.to_string();
        Answer::Fields(vec![("pmi_version", version), ("pmi_subversion", subversion.into())])
    }

    /// A value that a rank has put, or one that the launcher knows.
    fn get(&self, key: &str) -> Option<String> {
        match key {
            "PMI_process_mapping" => mapping::format_within(&self.facts.nodes, VALUE_BYTES_MAX),
            "universeSize" => Some(self.facts.nodes.len().to_string()),
            "hasNameServ" => Some("TRUE".into()),
            _ => self.values.get(key).cloned(),
        }
    }
}

const TOO_MANY_QUESTIONS: Answer = Answer::Refused("this rank waits for too many answers");

fn too_long(key: &str, value: &str) -> Option<Answer> {
    if key.is_empty() || key.len() > KEY_BYTES_MAX {
        return Some(Answer::Refused("a key has 1 to 64 bytes"));
    }
    (value.len() > VALUE_BYTES_MAX).then_some(Answer::Refused("a value has at most 1024 bytes"))
}

#[cfg(test)]
mod tests;
