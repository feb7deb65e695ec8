//! From the user's arguments to the compiler's command line, or to the text a question asks for.

use std::ffi::{OsStr, OsString};

use crate::{Installation, Language, modules};

/// What a wrapper is to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Answer a question such as `-showme:link`.
    Print(String),
    /// Become this command: the program, then its arguments.
    Run(Vec<OsString>),
    /// Say why not, and end.
    Refuse(String),
}

/// A question build systems ask, in the spellings of MPICH (`-show`) and Open MPI (`-showme`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Question {
    Command,
    CompileCommand,
    LinkCommand,
    CompileFlags,
    LinkFlags,
    IncludeDirs,
    LibraryDirs,
    Libraries,
    Version,
}

const QUESTIONS: &[(&str, Question)] = &[
    ("-show", Question::Command),
    ("-showme", Question::Command),
    ("-showme:command", Question::Command),
    ("-compile-info", Question::CompileCommand),
    ("-compile_info", Question::CompileCommand),
    ("-link-info", Question::LinkCommand),
    ("-link_info", Question::LinkCommand),
    ("-showme:compile", Question::CompileFlags),
    ("-showme:link", Question::LinkFlags),
    ("-showme:incdirs", Question::IncludeDirs),
    ("-showme:libdirs", Question::LibraryDirs),
    ("-showme:libs", Question::Libraries),
    ("-showme:version", Question::Version),
];

/// Options after which a compiler does not link.
const STOP_BEFORE_LINKING: &[&str] = &["-c", "-E", "-S", "-M", "-MM", "-fsyntax-only"];

/// Options whose next argument is their value and so no input file.
const TAKES_VALUE: &[&str] = &[
    "-o",
    "-I",
    "-L",
    "-D",
    "-U",
    "-l",
    "-x",
    "-u",
    "-z",
    "-T",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-isysroot",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xpreprocessor",
    "-Xassembler",
    "-Xclang",
    "-aux-info",
    "--param",
    "-arch",
    "-framework",
    "-target",
    "-e",
    "-B",
];

/// Options that change the default INTEGER, which handles and counts are.
const WIDE_INTEGERS: &[&str] = &["-fdefault-integer-8", "-i8", "-finteger-4-integer-8"];

/// Decides what the wrapper for `language` does with `args` (without the program's own name).
/// `variable` looks up the environment.
pub fn act(
    language: Language,
    place: &Installation,
    args: &[OsString],
    variable: impl Fn(&str) -> Option<OsString>,
) -> Action {
    let compiler = compiler_of(language, args, variable);
    let mut question = None;
    let mut passed = Vec::new();
    for arg in args.iter().filter(|arg| named_compiler(language, arg).is_none()) {
        if let Some(asked) = question_of(arg) {
            question = Some(asked);
        } else {
            passed.push(arg.clone());
        }
    }
    let widens = |arg: &&OsString| WIDE_INTEGERS.iter().any(|option| arg == option);
    if let Some(option) = args.iter().find(widens).filter(|_| language == Language::Fortran) {
        return Action::Refuse(format!(
            "{} makes every INTEGER 8 bytes long, and MPI's have 4 here; declare those that need \
             it INTEGER(KIND=8)",
            option.to_string_lossy()
        ));
    }
    match question {
        Some(question) => Action::Print(answer(language, question, compiler, place, passed)),
        None => Action::Run(command(language, compiler, place, passed)),
    }
}

/// The compiler that a wrapper calls: as the command line names it, or the environment; and any
/// arguments that come with its name (`ccache gcc`).
pub fn compiler_of(
    language: Language,
    args: &[OsString],
    variable: impl Fn(&str) -> Option<OsString>,
) -> Vec<OsString> {
    let named = args.iter().rev().find_map(|arg| named_compiler(language, arg));
    named.unwrap_or_else(|| compiler_from_environment(language, variable))
}

fn compiler_from_environment(
    language: Language,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Vec<OsString> {
    let set = language.compiler_variables().into_iter().filter_map(&variable).map(words);
    let named = set.into_iter().find(|words| !words.is_empty());
    named.unwrap_or_else(|| vec![default_compiler(language, variable).into()])
}

fn default_compiler(
    language: Language,
    variable: impl Fn(&str) -> Option<OsString>,
) -> &'static str {
    let names = language.default_compilers();
    let is_there = |name: &&&str| modules::find(OsStr::new(**name), &variable).is_some();
    match names {
        [only] => only,
        // Without any of them the message is about the usual one.
        _ => names.iter().find(is_there).unwrap_or(&names[0]),
    }
}

fn named_compiler(language: Language, arg: &OsStr) -> Option<Vec<OsString>> {
    let name = arg.to_str()?.strip_prefix(language.compiler_option())?;
    Some(words(name.into())).filter(|words| !words.is_empty())
}

fn words(text: OsString) -> Vec<OsString> {
    match text.to_str() {
        Some(text) => text.split_whitespace().map(OsString::from).collect(),
        None => vec![text],
    }
}

/// Whether the user's arguments ask for an answer instead of a compiler's work.
pub fn is_question(args: &[OsString]) -> bool {
    args.iter().any(|arg| question_of(arg).is_some())
}

fn question_of(arg: &OsStr) -> Option<Question> {
    let arg = arg.to_str()?;
    let single_dash = if arg.starts_with("--show") { &arg[1..] } else { arg };
    QUESTIONS.iter().find(|(name, _)| *name == single_dash).map(|(_, question)| *question)
}

/// The user's arguments come first: their include directories are searched before ours, and
/// libraries must follow the objects that need them.
fn command(
    language: Language,
    mut compiler: Vec<OsString>,
    place: &Installation,
    passed: Vec<OsString>,
) -> Vec<OsString> {
    let works = has_input(&passed);
    let links = works && !stops_before_linking(&passed);
    let own = if works { compile_flags(language, &compiler, place) } else { Vec::new() };
    compiler.extend(passed);
    compiler.extend(own);
    if links {
        compiler.extend(link_flags(language, place));
    }
    compiler
}

fn answer(
    language: Language,
    question: Question,
    compiler: Vec<OsString>,
    place: &Installation,
    passed: Vec<OsString>,
) -> String {
    let joined = |parts: [Vec<OsString>; 2]| text_of(&parts.concat());
    let compile = compile_flags(language, &compiler, place);
    let link = link_flags(language, place);
    match question {
        // Without an input file the question is about a whole build, not about this line.
        Question::Command if !has_input(&passed) && !stops_before_linking(&passed) => {
            joined([[compiler, passed].concat(), [compile, link].concat()])
        }
        Question::Command if !has_input(&passed) => joined([[compiler, passed].concat(), compile]),
        Question::Command => text_of(&command(language, compiler, place, passed)),
        Question::CompileCommand => joined([compiler, compile]),
        Question::LinkCommand => joined([compiler, link]),
        Question::CompileFlags => text_of(&compile),
        Question::LinkFlags => text_of(&link),
        Question::IncludeDirs => place.include.to_string_lossy().into_owned(),
        Question::LibraryDirs => place.lib.to_string_lossy().into_owned(),
        Question::Libraries => language.libraries().join(" "),
        Question::Version => format!("Dunlin {}, MPI standard ABI", env!("CARGO_PKG_VERSION")),
    }
}

fn compile_flags(language: Language, compiler: &[OsString], place: &Installation) -> Vec<OsString> {
    let mut flags = vec![glued("-I", place.include.as_os_str())];
    flags.extend(place.modules.iter().map(|modules| glued("-I", modules.as_os_str())));
    let names_gfortran = |word: &OsStr| word.to_string_lossy().contains("gfortran");
    // The folder of the modules has the name of the file that a link such as `f95` leads to.
    let folder = place.modules.as_ref().and_then(|modules| modules.file_name());
    let mut names = compiler.iter().map(OsString::as_os_str).chain(folder);
    // Without an explicit interface, buffers of two types are an error to gfortran from 10 on.
    if language == Language::Fortran && names.any(names_gfortran) {
        flags.push("-fallow-argument-mismatch".into());
    }
    flags
}

fn link_flags(language: Language, place: &Installation) -> Vec<OsString> {
    let lib = place.lib.as_os_str();
    let mut flags = vec![glued("-L", lib), glued("-Wl,-rpath,", lib)];
    if let Some(modules) = &place.modules {
        flags.extend([glued("-L", modules.as_os_str()), format!("-l{}", modules::LIBRARY).into()]);
    }
    if language == Language::Fortran {
        flags.push(format!("-Wl,-u,{}", modules::BLOCK).into());
    }
    flags.extend(language.libraries().iter().map(|name| format!("-l{name}").into()));
    flags
}

fn glued(option: &str, value: &OsStr) -> OsString {
    let mut flag = OsString::from(option);
    flag.push(value);
    flag
}

fn stops_before_linking(args: &[OsString]) -> bool {
    args.iter().any(|arg| STOP_BEFORE_LINKING.iter().any(|stop| arg == stop))
}

/// Whether the line names something to compile or link: `mpicc --version` does not, and a linker
/// that is given only our library would complain about a missing `main`.
fn has_input(args: &[OsString]) -> bool {
    let mut is_value = false;
    for arg in args.iter().map(|arg| arg.to_string_lossy()) {
        if is_value {
            is_value = false;
        } else if TAKES_VALUE.contains(&arg.as_ref()) {
            is_value = true;
        } else if !arg.starts_with('-') || arg == "-" {
            return true;
        }
    }
    false
}

/// The line as a shell would read it back.
fn text_of(words: &[OsString]) -> String {
    words.iter().map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_=+,./:@%^".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const COMPILE: &str = "-I/p/include";
    const LINK: &str = "-L/p/lib -Wl,-rpath,/p/lib -lmpi_abi";

    fn act_on(line: &str, variables: &[(&str, &str)]) -> Action {
        let place = Installation::of_executable(Path::new("/p/bin/mpicc")).unwrap();
        let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let variable =
            |name: &str| variables.iter().find(|v| v.0 == name).map(|v| OsString::from(v.1));
        act(Language::C, &place, &args, variable)
    }

    fn runs(line: &str) -> String {
        match act_on(line, &[]) {
            Action::Run(words) => text_of(&words),
            other => panic!("{other:?}"),
        }
    }

    fn prints(line: &str) -> String {
        match act_on(line, &[]) {
            Action::Print(text) => text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn compiling_and_linking_get_both_sets_of_flags() {
        assert_eq!(runs("a.c -o a"), format!("cc a.c -o a {COMPILE} {LINK}"));
    }

    #[test]
    fn compiling_alone_gets_no_link_flags() {
        for stop in STOP_BEFORE_LINKING {
            assert_eq!(runs(&format!("{stop} a.c")), format!("cc {stop} a.c {COMPILE}"));
        }
    }

    #[test]
    fn a_side_effect_dependency_file_does_not_stop_linking() {
        assert!(runs("-MD -MF a.d a.c").ends_with(LINK));
    }

    #[test]
    fn without_an_input_file_nothing_is_added() {
        for line in ["-v", "--version", "-print-search-dirs", "-o out", "-I dir"] {
            assert_eq!(runs(line), format!("cc {line}"));
        }
    }

    #[test]
    fn standard_input_is_an_input_file() {
        assert_eq!(runs("-E -x c -"), format!("cc -E -x c - {COMPILE}"));
    }

    #[test]
    fn build_systems_get_their_answers() {
        assert_eq!(prints("-showme:compile"), COMPILE);
        assert_eq!(prints("-showme:link"), LINK);
        assert_eq!(prints("--showme:incdirs"), "/p/include");
        assert_eq!(prints("-showme:libdirs"), "/p/lib");
        assert_eq!(prints("-showme:libs"), "mpi_abi");
        for (compile, link) in [("-compile-info", "-link-info"), ("-compile_info", "-link_info")] {
            assert_eq!(prints(compile), format!("cc {COMPILE}"));
            assert_eq!(prints(link), format!("cc {LINK}"));
        }
        assert_eq!(prints("-show"), format!("cc {COMPILE} {LINK}"));
        assert_eq!(prints("-show -c a.c"), format!("cc -c a.c {COMPILE}"));
        assert_eq!(prints("-show -c"), format!("cc -c {COMPILE}"));
        assert!(prints("-showme:version").contains(env!("CARGO_PKG_VERSION")));
    }

    #[test]
    fn the_first_variable_that_is_set_names_the_compiler() {
        let all = [("MPICH_CC", "m"), ("OMPI_CC", "o"), ("DUNLIN_CC", "d")];
        let compiler = |variables| match act_on("-c a.c", variables) {
            Action::Run(words) => words[0].clone(),
            other => panic!("{other:?}"),
        };
        assert_eq!(compiler(&all), "d");
        assert_eq!(compiler(&all[..2]), "o");
        assert_eq!(compiler(&all[..1]), "m");
        assert_eq!(compiler(&[("DUNLIN_CC", "")]), "cc");
    }

    #[test]
    fn flang_is_called_where_there_is_no_gfortran() {
        let folder = std::env::temp_dir().join(format!("dunlin-flang-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let compiler = |folder: &Path| {
            let path = OsString::from(folder);
            let variable = |name: &str| (name == "PATH").then(|| path.clone());
            compiler_of(Language::Fortran, &[], variable)
        };
        assert_eq!(compiler(&folder), ["gfortran"]);
        std::fs::write(folder.join("flang"), "").unwrap();
        assert_eq!(compiler(&folder), ["flang"]);
        std::fs::write(folder.join("gfortran"), "").unwrap();
        assert_eq!(compiler(&folder), ["gfortran"]);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn an_option_beats_the_variables_and_may_bring_arguments() {
        let named = act_on("-cc=clang -c a.c", &[("DUNLIN_CC", "ccache gcc")]);
        assert!(matches!(named, Action::Run(words) if words[0] == "clang"));
        let wrapped = act_on("-c a.c", &[("DUNLIN_CC", "ccache gcc")]);
        assert!(matches!(wrapped, Action::Run(words) if words[..2] == ["ccache", "gcc"]));
    }

    #[test]
    fn fortran_has_a_library_of_its_own_modules_and_integers_of_four_bytes() {
        let mut place = Installation::of_executable(Path::new("/p/bin/mpifort")).unwrap();
        place.modules = Some("/m".into());
        let done = |line: &str| {
            let args: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            act(Language::Fortran, &place, &args, |_| None)
        };
        let expected = "gfortran a.f90 -I/p/include -I/m -fallow-argument-mismatch -L/p/lib \
                        -Wl,-rpath,/p/lib -L/m -ldunlin_modules -Wl,-u,dunlin_fortran_block \
                        -ldunlin_fortran_block -lmpi_abi_fortran -lmpi_abi";
        assert!(matches!(done("a.f90"), Action::Run(words) if text_of(&words) == expected));
        let other = "flang a.f90 -I/p/include -I/m";
        let flang = done("-fc=flang a.f90");
        assert!(matches!(flang, Action::Run(words) if text_of(&words).starts_with(other)));
        assert!(matches!(done("-i8 a.f90"), Action::Refuse(text) if text.starts_with("-i8 makes")));
        place.modules = Some("/m/x86_64-linux-gnu-gfortran-12-0a".into());
        let args = ["-fc=f95".into(), "-c".into(), "a.f90".into()];
        let f95 = act(Language::Fortran, &place, &args, |_| None);
        assert!(matches!(f95, Action::Run(words) if text_of(&words).ends_with("-mismatch")));
    }

    #[test]
    fn a_word_with_a_space_is_shown_quoted() {
        assert_eq!(quoted("-DX=a b"), "'-DX=a b'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
