//! Watches a job on this machine until its last rank has ended and its last line is written: one
//! loop, one thread, the controller and the ranks side by side.

use std::time::Instant;

use nix::sys::signal::{Signal, raise};

use crate::controller::Controller;
use crate::failure::Failure;
use crate::input::Input;
use crate::poller::{Poller, Token};
use crate::ranks::Ranks;
use crate::signals::Signals;

/// A running job and all that is needed to watch it.
pub struct LocalJob<'a> {
    controller: Controller,
    ranks: Ranks,
    signals: &'a mut Signals,
    poller: Poller,
    input: Input,
}

impl<'a> LocalJob<'a> {
    /// Prepares to watch what was started.
    pub fn new(
        controller: Controller,
        ranks: Ranks,
        signals: &'a mut Signals,
        poller: Poller,
        input: Input,
    ) -> Result<LocalJob<'a>, Failure> {
        poller
            .add(signals.fd(), Token::Signal)
            .map_err(|e| Failure::system("cannot watch for signals", e))?;
        let mut local_job = LocalJob { controller, ranks, signals, poller, input };
        local_job.input.listen(&local_job.poller);
        Ok(local_job)
    }

    /// Watches to the end; returns the exit status.
    pub fn run(mut self) -> i32 {
        loop {
            self.exchange(Instant::now());
            self.controller.write(&self.poller);
            self.exchange(Instant::now());
            if self.controller.is_over() {
                self.ranks.reap();
                return self.controller.status();
            }
            let next = self.controller.next_time().into_iter().chain(self.ranks.next_time()).min();
            let timeout = next.map(|at| at.saturating_duration_since(Instant::now()));
            let ready = self.poller.wait(timeout);
            let now = Instant::now();
            for token in ready {
                self.on_ready(token, now);
            }
        }
    }

    fn on_ready(&mut self, token: Token, now: Instant) {
        match token {
            Token::Signal => self.on_signals(now),
            Token::Trouble => self.ranks.on_trouble(&self.poller),
            Token::Input => self.input.on_readable(&self.poller),
            Token::RankInput => self.input.on_writable(&self.poller),
            Token::Stream(number) => self.ranks.on_stream(number, &self.poller, now),
            Token::Pmi(local_rank) => self.ranks.on_pmi(local_rank, &self.poller, now),
            // The next turn of the loop writes.
            _ => {}
        }
    }

    /// Passes on reports and orders until both sides have none left.
    fn exchange(&mut self, now: Instant) {
        loop {
            self.ranks.on_time(now);
            let reports = self.ranks.take_reports();
            let is_quiet = reports.is_empty();
            reports.into_iter().for_each(|report| self.controller.on_report(report, now));
            self.controller.on_time(now);
            let orders = self.controller.take_orders();
            orders.iter().for_each(|order| self.ranks.execute(order, &self.poller, now));
            if is_quiet && orders.is_empty() {
                return;
            }
        }
    }

    fn on_signals(&mut self, now: Instant) {
        while let Some(signal) = self.signals.next() {
            if signal == Signal::SIGCHLD {
                self.ranks.on_exits(&self.poller, now);
                continue;
            }
            self.controller.on_signal(signal);
            self.exchange(now);
            match signal {
                // Stops here until the shell continues the launcher; SIGCONT then does the rest.
                Signal::SIGTSTP => {
                    let _ = raise(Signal::SIGSTOP);
                }
                Signal::SIGCONT => self.input.listen(&self.poller),
                _ => {}
            }
        }
    }
}
