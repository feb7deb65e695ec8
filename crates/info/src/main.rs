//! `dunlin-info`: answers questions about this installation; changes nothing and starts nothing.
#![forbid(unsafe_code)]

mod algorithms;
mod counters;
mod explain;
mod facts;
mod launch;
mod machine;
mod network;
mod one_sided;
mod one_sided_names;
mod options;
mod paint;
mod program;
mod settings;
mod tables;

use std::io::{ErrorKind, Write};
use std::process::ExitCode;

use dunlin_base::settings::Settings;
use dunlin_base::{Error, ErrorClass, Result};
use serde::Serialize;

use options::{Command, Options};
use paint::ERROR;

/// The environment or a table is wrong, or the answer cannot be written. (A wrong command line is
/// 2, as `clap` has it.)
const EXIT_WRONG: u8 = 1;

/// An answer: text for people, JSON for programs.
trait Answer: Serialize {
    /// The text, with colours.
    fn text(&self) -> String;
}

/// Everything, when nothing particular was asked.
#[derive(Serialize)]
struct Everything {
    dunlin: facts::Facts,
    settings: settings::Settings,
    #[serde(skip_serializing_if = "Option::is_none")]
    operations: Option<algorithms::Operations>,
}

impl Answer for Everything {
    fn text(&self) -> String {
        let operations = self.operations.as_ref().map(|o| format!("\n{}", o.text()));
        format!(
            "{}\n{}{}",
            self.dunlin.text(),
            self.settings.text(),
            operations.unwrap_or_default()
        )
    }
}

fn main() -> ExitCode {
    let options = Options::read();
    match answer(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("{ERROR}error:{ERROR:#} {error}");
            ExitCode::from(EXIT_WRONG)
        }
    }
}

fn answer(options: &Options) -> Result<()> {
    let (json, settings) =
        (options.json, Settings::read(dunlin_pmi::of_innermost(std::env::vars_os())));
    let tables = || {
        settings.check()?;
        tables::load(&settings, options.table.as_deref())
    };
    match &options.command {
        None => everything(&settings, options),
        Some(Command::Settings { all }) => {
            publish(&settings::collect(&settings, *all), json)?;
            settings.check()
        }
        Some(Command::Counters { pid }) => publish(&counters::collect(*pid)?, json),
        Some(Command::Machine) => {
            settings.check()?;
            publish(&machine::collect(&settings)?, json)
        }
        Some(Command::Network) => {
            settings.check()?;
            publish(&network::collect(&settings)?, json)
        }
        Some(Command::Launch { arguments }) => {
            settings.check()?;
            publish(&launch::collect(&settings, arguments)?, json)
        }
        Some(Command::Program { abi, file }) => {
            settings.check()?;
            publish(&program::collect(&settings, file, *abi)?, json)
        }
        Some(Command::Algorithms { operation }) => {
            publish(&algorithms::collect(&tables()?, operation.as_deref()), json)
        }
        Some(Command::Explain(call)) if call.one_sided().is_some() => {
            settings.check()?;
            publish(&one_sided::explain(&settings, call), json)
        }
        Some(Command::Explain(call)) => {
            publish(&explain::explain(&tables()?, &settings, call), json)
        }
    }
}

/// Says all there is, and what is wrong last, where it is seen.
fn everything(settings: &Settings, options: &Options) -> Result<()> {
    let tables = tables::load(settings, options.table.as_deref());
    let operations = tables.as_ref().ok().map(|tables| algorithms::collect(tables, None));
    let (dunlin, states) = (facts::collect(), settings::collect(settings, false));
    publish(&Everything { dunlin, settings: states, operations }, options.json)?;
    settings.check()?;
    tables.map(drop)
}

fn publish(answer: &impl Answer, json: bool) -> Result<()> {
    let text = match json {
        true => serde_json::to_string_pretty(answer).expect("plain data") + "\n",
        false => answer.text(),
    };
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // A reader that has seen enough (`| controller`) is no mistake.
        Err(e) if e.kind() != ErrorKind::BrokenPipe => {
            Err(Error::new(ErrorClass::Io, format!("the answer cannot be written: {e}")))
        }
        _ => Ok(()),
    }
}
