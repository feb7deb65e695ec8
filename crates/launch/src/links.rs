//! The agents right below this process, each with its share of the hosts: together a tree.

use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::hosts::is_this;
use crate::link::Link;
use crate::message::{Begin, Order, Remote, Report};
use crate::poller::{Poller, Token};

/// How long agents have to go once they were told to.
const LEAVE_LIMIT: Duration = Duration::from_secs(2);
/// Between two looks at commands that are about to end.
const LEAVE_TURN: Duration = Duration::from_millis(1);

/// All agents right below.
pub struct Links {
    links: Vec<Link>,
}

impl Links {
    /// Starts the agents of `hosts`, as many as one process starts; those start the others.
    pub fn start(
        remote: &Remote,
        hosts: &[(u32, String)],
        this: &str,
        poller: &Poller,
    ) -> Result<Links, Failure> {
        let mut links = Vec::new();
        for share in shares(hosts, remote.width as usize) {
            let ((node, name), below) = share.split_first().expect("no share is empty");
            let (node, name, below) = (*node, name.clone(), below.to_vec());
            let is_here = is_this(&name, this);
            let begin = Begin { node, name, below, remote: remote.clone() };
            links.push(Link::start(begin, is_here, links.len(), poller)?);
        }
        Ok(Links { links })
    }

    /// Without any agent.
    pub fn none() -> Links {
        Links { links: Vec::new() }
    }

    /// Tells all of them.
    pub fn tell_all(&mut self, order: &Order, now: Instant) {
        self.links.iter_mut().for_each(|link| link.send(order, now));
    }

    /// Tells the one through which `node` is reached.
    pub fn tell(&mut self, node: u32, order: &Order, now: Instant) {
        let link = self.links.iter_mut().find(|link| link.reaches(node));
        if let Some(link) = link {
            link.send(order, now);
        }
    }

    /// Writes what the channels take.
    pub fn flush(&mut self, poller: &Poller) {
        self.links.iter_mut().for_each(|link| link.flush(poller));
    }

    /// A channel has something to say.
    pub fn on_readable(&mut self, number: usize, poller: &Poller, now: Instant) -> Vec<Report> {
        self.links.get_mut(number).map_or(Vec::new(), |link| link.on_readable(poller, now))
    }

    /// A command complains.
    pub fn on_complaint(&mut self, number: usize, poller: &Poller) {
        if let Some(link) = self.links.get_mut(number) {
            link.on_complaint(poller);
        }
    }

    /// Children of this process have ended.
    pub fn on_exits(&mut self) {
        self.links.iter_mut().for_each(Link::on_exits);
    }

    /// The time may have come to do something.
    pub fn on_time(&mut self, poller: &Poller, now: Instant) -> Vec<Report> {
        self.links.iter_mut().filter_map(|link| link.on_time(poller, now)).collect()
    }

    /// When [`on_time`](Self::on_time) has something to do.
    pub fn next_time(&self) -> Option<Instant> {
        self.links.iter().filter_map(Link::next_time).min()
    }

    /// Tells all agents to leave and waits until they have, for a while; then ends what is left.
    pub fn leave(&mut self, poller: &Poller) {
        let until = Instant::now() + LEAVE_LIMIT;
        self.tell_all(&Order::Leave, Instant::now());
        self.links.iter_mut().filter(|l| l.is_new()).for_each(|link| link.end(poller));
        loop {
            self.flush(poller);
            let now = Instant::now();
            self.on_time(poller, now);
            if self.links.iter().all(Link::is_gone) || now >= until {
                break;
            }
            // Not a wait in the poller: nobody takes the signals any more that it would tell of.
            std::thread::sleep(LEAVE_TURN);
            for token in poller.wait(Some(Duration::ZERO)) {
                match token {
                    Token::Channel(number) => {
                        self.on_readable(number, poller, now);
                    }
                    Token::Complaint(number) => self.on_complaint(number, poller),
                    _ => {}
                }
            }
        }
        self.links.iter_mut().filter(|link| !link.is_gone()).for_each(|link| link.end(poller));
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
