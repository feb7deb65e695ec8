//! A reader of `include/mpi.h`. It knows the habits of that one file: a comment `Chapter N. Title`
//! opens a chapter, every `#define` of the constants stands on one line, no prototype needs the
//! preprocessor.

use super::c_type::{Param, parameter, rust_name};

/// The header as data.
#[derive(Debug, Default)]
pub struct Header {
    /// The `MPI_` functions by chapter.
    pub chapters: Vec<Chapter>,
    /// The `PMPI_` functions.
    pub profiling: Vec<Prototype>,
    /// `#define NAME value`, in the order of the file.
    pub constants: Vec<(String, String)>,
}

/// The functions of one chapter of the standard.
#[derive(Debug)]
pub struct Chapter {
    /// Number in MPI 5.0.
    pub number: u32,
    /// Its title.
    pub title: String,
    /// Its functions, in the order of the file.
    pub functions: Vec<Prototype>,
}

/// One function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prototype {
    /// The C name.
    pub name: String,
    /// The Rust type of the result.
    pub returns: String,
    /// The parameters, without `...`.
    pub params: Vec<Param>,
    /// Whether `...` follows them.
    pub is_variadic: bool,
}

/// Reads the text of the header.
pub fn parse(text: &str) -> Header {
    let mut header = Header::default();
    let mut rest = text;
    while let Some(open) = rest.find("/*") {
        let close = open + rest[open..].find("*/").expect("comments end");
        header.read_code(&rest[..open]);
        header.read_comment(&rest[open + 2..close]);
        rest = &rest[close + 2..];
    }
    header.read_code(rest);
    header
}

impl Header {
    /// Every `MPI_` function.
    pub fn functions(&self) -> impl Iterator<Item = &Prototype> {
        self.chapters.iter().flat_map(|c| &c.functions)
    }

    fn read_comment(&mut self, comment: &str) {
        let Some(heading) = comment.trim_matches(['*', ' ', '\n']).strip_prefix("Chapter ") else {
            return;
        };
        let (number, title) = heading.split_once(". ").expect("`Chapter N. Title`");
        self.chapters.push(Chapter {
            number: number.parse().expect("a chapter's number"),
            title: title.to_string(),
            functions: Vec::new(),
        });
    }

    fn read_code(&mut self, code: &str) {
        let (directives, lines): (Vec<&str>, Vec<&str>) =
            code.lines().partition(|l| l.starts_with('#'));
        for define in directives.iter().filter_map(|d| d.strip_prefix("#define ")) {
            if let Some((name, value)) = define.split_once(char::is_whitespace) {
                self.constants.push((name.to_string(), value.trim().to_string()));
            }
        }
        for statement in lines.join(" ").split(';') {
            let Some(prototype) = prototype(statement.trim()) else { continue };
            if prototype.name.starts_with('P') {
                self.profiling.push(prototype);
            } else {
                let chapter = self.chapters.last_mut().expect("functions come after a chapter");
                chapter.functions.push(prototype);
            }
        }
    }
}

fn prototype(statement: &str) -> Option<Prototype> {
    if statement.starts_with("typedef") {
        return None;
    }
    let (head, params) = statement.strip_suffix(')')?.split_once('(')?;
    let (returns, name) = head.trim().rsplit_once(' ')?;
    let declarations: Vec<&str> = params.split(',').map(str::trim).collect();
    let is_variadic = declarations.last() == Some(&"...");
    let named = declarations.iter().filter(|d| !matches!(**d, "..." | "void"));
    Some(Prototype {
        name: name.to_string(),
        returns: rust_name(returns.trim()),
        params: named.map(|d| parameter(d)).collect(),
        is_variadic,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "
/*
 * Constants: (none; here).
 */
#define MPI_SUM  ((MPI_Op) 0x21)
typedef int MPI_Copy_function(MPI_Comm comm, int *flag);
/*
 * Chapter 3. Point-to-point communication
 */
int MPI_Send(const void *buf, int count,
    MPI_Comm comm);
double MPI_Wtime(void);
/* Since MPI-2.0. */
int MPI_Pcontrol(const int level, ...);
/*
 * Profiling names.
 */
double PMPI_Wtime(void);
#ifdef __cplusplus
}
#endif
";

    #[test]
    fn functions_stand_in_their_chapter() {
        let header = parse(SAMPLE);
        assert_eq!(header.chapters.len(), 1);
        let chapter = &header.chapters[0];
        assert_eq!((chapter.number, &*chapter.title), (3, "Point-to-point communication"));
        let names: Vec<&str> = header.functions().map(|f| &*f.name).collect();
        assert_eq!(names, ["MPI_Send", "MPI_Wtime", "MPI_Pcontrol"]);
        assert_eq!(header.profiling.len(), 1);
    }

    #[test]
    fn wrapped_void_and_variadic_parameter_lists_are_read() {
        let header = parse(SAMPLE);
        let functions = &header.chapters[0].functions;
        assert_eq!(functions[0].params.len(), 3);
        assert_eq!(functions[0].returns, "c_int");
        assert!(functions[1].params.is_empty());
        assert_eq!(functions[1].returns, "c_double");
        assert!(functions[2].is_variadic && functions[2].params.len() == 1);
    }

    #[test]
    fn constants_keep_their_value_text() {
        let constants = parse(SAMPLE).constants;
        assert_eq!(constants, [("MPI_SUM".to_string(), "((MPI_Op) 0x21)".to_string())]);
    }
}
