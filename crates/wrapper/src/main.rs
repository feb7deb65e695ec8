//! `mpicc` and its other names: answers a question or becomes the compiler.
#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use dunlin_wrapper::{Action, Installation, Language, act, compiler_of, is_question, modules_of};

/// What a shell answers when a command does not exist.
const EXIT_NOT_FOUND: u8 = 127;
/// What a shell answers when a command exists but cannot be run.
const EXIT_NOT_RUN: u8 = 126;

fn main() -> ExitCode {
    let mut args = std::env::args_os();
    let language = Language::of_name(&args.next().unwrap_or_default());
    let args: Vec<OsString> = args.collect();
    let variable = |name: &str| std::env::var_os(name);
    let executable = std::env::current_exe().and_then(|path| path.canonicalize());
    let Some(mut place) = executable.ok().and_then(|path| Installation::of_executable(&path))
    else {
        eprintln!("{}: cannot tell where it is installed; is /proc mounted?", language.wrapper());
        return ExitCode::from(EXIT_NOT_RUN);
    };
    if language == Language::Fortran {
        let compiler = compiler_of(language, &args, variable);
        // CMake takes all that a question prints for the answer, whichever stream it is on.
        let is_question = is_question(&args);
        let say = |line: &str| {
            if !is_question {
                eprintln!("{}: {line}", language.wrapper());
            }
        };
        match modules_of(&compiler, &place, variable, say) {
            Ok(modules) => place.modules = modules,
            // A program that includes `mpif.h` needs none; for another the compiler says the rest.
            Err(error) => say(&format!("without MPI modules: {error}")),
        }
    }
    match act(language, &place, &args, variable) {
        Action::Print(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Action::Refuse(text) => {
            eprintln!("{}: {text}", language.wrapper());
            ExitCode::FAILURE
        }
        Action::Run(words) => become_compiler(language, &words),
    }
}

/// Returns only if the compiler cannot be started.
fn become_compiler(language: Language, words: &[OsString]) -> ExitCode {
    let error = Command::new(&words[0]).args(&words[1..]).exec();
    let compiler = words[0].to_string_lossy();
    let wrapper = language.wrapper();
    let [variable, ..] = language.compiler_variables();
    if error.kind() == ErrorKind::NotFound {
        eprintln!(
            "{wrapper}: the compiler `{compiler}` was not found; install it or name another one \
             in {variable}"
        );
        return ExitCode::from(EXIT_NOT_FOUND);
    }
    eprintln!("{wrapper}: the compiler `{compiler}` cannot be run: {error}");
    ExitCode::from(EXIT_NOT_RUN)
}
