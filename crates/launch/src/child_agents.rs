//! The agents directly below this process, each with its share of the hosts: together they form a
//! tree.

use std::time::{Duration, Instant};

use crate::child_agent::ChildAgent;
use crate::failure::Failure;
use crate::hosts::is_this;
use crate::message::{Begin, Order, Remote, Report};
use crate::poller::{Poller, Token};

/// How long agents have to exit once they were told to.
const LEAVE_LIMIT: Duration = Duration::from_secs(2);
/// Between two checks of commands that are about to end.
const LEAVE_TURN: Duration = Duration::from_millis(1);

/// All agents directly below.
pub struct ChildAgents {
    children: Vec<ChildAgent>,
}

impl ChildAgents {
    /// Starts the agents of `hosts`, as many as one process starts; those start the others.
    pub fn start(
        remote: &Remote,
        hosts: &[(u32, String)],
        this: &str,
        poller: &Poller,
    ) -> Result<ChildAgents, Failure> {
        let mut children = Vec::new();
        for share in shares(hosts, remote.width as usize) {
            let ((node, name), below) = share.split_first().expect("no share is empty");
            let (node, name, below) = (*node, name.clone(), below.to_vec());
            let is_here = is_this(&name, this);
            let begin = Begin { node, name, below, remote: remote.clone() };
            children.push(ChildAgent::start(begin, is_here, children.len(), poller)?);
        }
        Ok(ChildAgents { children })
    }

    /// Without any agent.
    pub fn none() -> ChildAgents {
        ChildAgents { children: Vec::new() }
    }

    /// Sends an order to all of them.
    pub fn tell_all(&mut self, order: &Order, now: Instant) {
        self.children.iter_mut().for_each(|agent| agent.send(order, now));
    }

    /// Sends an order to the one through which `node` is reached.
    pub fn tell(&mut self, node: u32, order: &Order, now: Instant) {
        let agent = self.children.iter_mut().find(|agent| agent.reaches(node));
        if let Some(agent) = agent {
            agent.send(order, now);
        }
    }

    /// Writes what the channels take.
    pub fn flush(&mut self, poller: &Poller) {
        self.children.iter_mut().for_each(|agent| agent.flush(poller));
    }

    /// A channel can be read.
    pub fn on_readable(&mut self, number: usize, poller: &Poller, now: Instant) -> Vec<Report> {
        self.children.get_mut(number).map_or(Vec::new(), |agent| agent.on_readable(poller, now))
    }

    /// A command has written to standard error.
    pub fn on_complaint(&mut self, number: usize, poller: &Poller) {
        if let Some(agent) = self.children.get_mut(number) {
            agent.on_complaint(poller);
        }
    }

    /// Children of this process have ended.
    pub fn on_exits(&mut self) {
        self.children.iter_mut().for_each(ChildAgent::on_exits);
    }

    /// Handles timeouts.
    pub fn on_time(&mut self, poller: &Poller, now: Instant) -> Vec<Report> {
        self.children.iter_mut().filter_map(|agent| agent.on_time(poller, now)).collect()
    }

    /// When [`on_time`](Self::on_time) has something to do.
    pub fn next_time(&self) -> Option<Instant> {
        self.children.iter().filter_map(ChildAgent::next_time).min()
    }

    /// Tells all agents to leave and waits until they have, for a while; then ends what is left.
    pub fn leave(&mut self, poller: &Poller) {
        let until = Instant::now() + LEAVE_LIMIT;
        self.tell_all(&Order::Leave, Instant::now());
        self.children.iter_mut().filter(|l| l.is_new()).for_each(|agent| agent.end(poller));
        loop {
            self.flush(poller);
            let now = Instant::now();
            self.on_time(poller, now);
            if self.children.iter().all(ChildAgent::is_gone) || now >= until {
                break;
            }
            // Not a wait in the poller: nobody handles the signals any more that it would report.
            std::thread::sleep(LEAVE_TURN);
            for token in poller.wait(Some(Duration::ZERO)) {
                match token {
                    Token::AgentChannel(number) => {
                        self.on_readable(number, poller, now);
                    }
                    Token::Complaint(number) => self.on_complaint(number, poller),
                    _ => {}
                }
            }
        }
        self.children
            .iter_mut()
            .filter(|agent| !agent.is_gone())
            .for_each(|agent| agent.end(poller));
    }
}

/// Cuts a list of hosts into shares for at most `width` agents, each of which belongs to the first
/// host of its share.
fn shares(hosts: &[(u32, String)], width: usize) -> Vec<&[(u32, String)]> {
    let count = hosts.len().min(width.max(1));
    let mut rest = hosts;
    let mut shares = Vec::with_capacity(count);
    for left in (1..=count).rev() {
        let (share, after) = rest.split_at(rest.len().div_ceil(left));
        shares.push(share);
        rest = after;
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(hosts: u32, width: usize) -> Vec<usize> {
        let hosts: Vec<_> = (0..hosts).map(|node| (node, String::new())).collect();
        let shares = shares(&hosts, width);
        assert_eq!(shares.concat(), hosts, "each host is in one share");
        shares.iter().map(|share| share.len()).collect()
    }

    #[test]
    fn shares_are_even_and_never_empty() {
        assert_eq!(lengths(3, 32), [1, 1, 1]);
        assert_eq!(lengths(7, 3), [3, 2, 2]);
        assert_eq!(lengths(100, 1), [100]);
        assert_eq!(lengths(33, 32).iter().max(), Some(&2));
        assert!(lengths(0, 4).is_empty());
    }
}
