"""The rules catch what they should: each is shown a small tree with a planted fault."""

import tempfile
import unittest
from pathlib import Path

from tests.style import rules, spans

MANIFEST = '[package]\nname = "dunlin-{name}"\n[dependencies]\n{needs}\n'


class Planted(unittest.TestCase):
    """Trees made for one test each."""

    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.root = Path(self.directory.name)

    def plant(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def crate(self, name: str, *needs: str) -> None:
        lines = "\n".join(f"dunlin-{n}.workspace = true" for n in needs)
        self.plant(f"crates/{name}/Cargo.toml", MANIFEST.format(name=name, needs=lines))

    def broken(self, rule) -> list[str]:
        return [str(b) for b in rule(rules.Tree(self.root))]

    def test_an_arrow_up_is_found_and_one_down_is_not(self):
        self.crate("shm", "engine", "base")
        self.crate("engine", "shm")
        found = self.broken(rules.arrows)
        self.assertEqual(len(found), 1)
        self.assertIn("shm -> engine points up", found[0])

    def test_an_arrow_under_a_target_is_an_arrow(self):
        self.plant("crates/base/Cargo.toml",
                   "[target.'cfg(unix)'.dependencies]\ndunlin-shm.workspace = true\n")
        self.assertEqual(len(self.broken(rules.arrows)), 1)

    def test_the_launcher_may_use_shared_memory_and_not_the_other_way_round(self):
        self.crate("launch", "shm")
        self.assertEqual(self.broken(rules.arrows), [])
        self.crate("shm", "launch")
        self.assertEqual(len(self.broken(rules.arrows)), 1)

    def test_modules_that_import_one_another_are_found(self):
        self.crate("shm")
        self.plant("crates/shm/src/a.rs", "use crate::{b::B, c};\n")
        self.plant("crates/shm/src/b.rs", "// crate::a\n")
        self.plant("crates/shm/src/c.rs", "#[cfg(test)]\nmod tests { use crate::a::A; }\n")
        self.assertEqual(self.broken(rules.import_circles), [])
        self.plant("crates/shm/src/c.rs", "fn f() { crate::b::g() }\n")
        self.plant("crates/shm/src/b.rs", "use crate::a::A;\n")
        found = self.broken(rules.import_circles)
        self.assertEqual(len(found), 1)
        self.assertIn("a, b, c import one another", found[0])
        self.plant("crates/shm/src/c.rs", "")
        self.assertIn("a, b import one another", self.broken(rules.import_circles)[0])

    def test_folders_in_a_circle_are_found_and_so_are_modules_inside_one(self):
        self.crate("shm")
        self.plant("crates/shm/src/a/x.rs", "use crate::b::y::B;\n")
        self.plant("crates/shm/src/b/y.rs", "use crate::b::z;\n")
        self.plant("crates/shm/src/b/z.rs", "")
        self.assertEqual(self.broken(rules.import_circles), [])
        self.plant("crates/shm/src/b/z.rs", "use crate::b::y;\n")
        self.assertIn("b::y, b::z import one another", self.broken(rules.import_circles)[0])
        self.plant("crates/shm/src/b/z.rs", "use super::y;\n")
        self.assertIn("b::y, b::z import one another", self.broken(rules.import_circles)[0])
        self.plant("crates/shm/src/b/z.rs", "")
        self.plant("crates/shm/src/b/deep/v.rs", "use super::w;\n")
        self.plant("crates/shm/src/b/deep/w.rs", "use crate::b::deep::v;\n")
        self.assertIn("b::deep::v, b::deep::w import one another",
                      self.broken(rules.import_circles)[0])
        self.plant("crates/shm/src/b/deep/w.rs", "")
        self.plant("crates/shm/src/b/z.rs", "use crate::a::x::A;\n")
        self.assertIn("a, b import one another", self.broken(rules.import_circles)[0])

    def test_a_crate_without_a_place_and_a_wrapper_with_company_are_found(self):
        self.crate("misc")
        self.crate("wrapper", "base", "launch")
        self.assertEqual(len(self.broken(rules.arrows)), 2)

    def test_a_message_in_pieces_is_found_where_ranks_and_launchers_speak(self):
        self.plant("crates/engine/src/a.rs", 'fn f() {\n    eprintln!("{}", 1);\n}\n')
        self.plant("crates/engine/src/a_tests.rs", 'fn f() { eprintln!("a"); }\n')
        self.plant("crates/info/src/a.rs", 'fn f() { eprintln!("a"); }\n')
        self.assertEqual([b.split(":")[:2] for b in self.broken(rules.whole_messages)],
                         [["crates/engine/src/a.rs", "2"]])

    def test_a_crate_that_must_forbid_unsafe_is_held_to_it(self):
        self.crate("coll")
        self.plant("crates/coll/src/lib.rs", "//! Text.\n")
        self.assertEqual(len(self.broken(rules.unsafe_forbidden)), 1)
        self.plant("crates/coll/src/lib.rs", "//! Text.\n#![forbid(unsafe_code)]\n")
        self.assertEqual(self.broken(rules.unsafe_forbidden), [])

    def test_a_crate_without_readme_is_found(self):
        self.crate("shm")
        self.assertEqual(len(self.broken(rules.readmes)), 1)

    def test_a_long_function_is_found_in_every_language(self):
        self.plant("a.rs", "pub fn long() {\n" + "    f();\n" * 69 + "}\nfn short() {}\n")
        self.plant("a.py", "def long():\n" + "    f()\n" * 70)
        self.plant("a.c", "static int long_one(int a)\n{\n" + "    f();\n" * 68 + "}\n")
        self.assertEqual(len(self.broken(rules.function_lengths)), 3)

    def test_a_function_of_seventy_lines_passes(self):
        self.plant("a.rs", "pub fn long() {\n" + "    f();\n" * 68 + "}\n")
        self.assertEqual(self.broken(rules.function_lengths), [])

    def test_an_old_exception_may_shrink_but_not_grow(self):
        self.plant("a.rs", "x\n" * 700)
        self.plant(rules.RATCHET, '{"functions": [], "files": ["a.rs 700"]}')
        self.assertEqual(self.broken(rules.file_lengths), [])
        self.plant("a.rs", "x\n" * 701)
        self.assertEqual(len(self.broken(rules.file_lengths)), 1)

    def test_a_long_file_and_a_long_line_are_found(self):
        self.plant("a.c", "\n" * 651)
        self.plant("b.c", "/" * 101 + "\n")
        self.assertEqual(len(self.broken(rules.file_lengths)), 1)
        self.assertEqual(len(self.broken(rules.line_lengths)), 1)

    def test_unsafe_without_a_reason_is_found(self):
        self.plant("a.rs",
                   "fn f() {\n    // Fast.\n    unsafe { g() }\n}\nunsafe impl S for T {}\n")
        self.assertEqual(len(self.broken(rules.unsafe_reasons)), 2)

    def test_a_reason_above_the_statement_or_on_the_line_counts(self):
        self.plant("a.rs", "fn f() {\n    // SAFETY: g has no conditions; it\n    // is pure.\n"
                           "    let x =\n        unsafe { g() };\n"
                           "    unsafe { h() } // SAFETY: as above.\n}\n")
        self.assertEqual(self.broken(rules.unsafe_reasons), [])

    def test_a_reason_is_not_borrowed_from_the_statement_before(self):
        self.plant("a.rs", "fn f() {\n    // SAFETY: fine.\n    unsafe { g() };\n"
                           "    unsafe { h() }\n}\n")
        self.assertEqual(len(self.broken(rules.unsafe_reasons)), 1)

    def test_unsafe_in_a_comment_or_string_is_no_unsafe(self):
        self.plant("a.rs", '// unsafe { }\nconst A: &str = "unsafe {";\n')
        self.assertEqual(self.broken(rules.unsafe_reasons), [])

    def test_paths_of_one_machine_are_found(self):
        self.plant("a.md", "see /" + "work/x\n")
        self.plant("b.md", "see https://example.org/" + "work/x and $HOME/" + "work/\n")
        found = self.broken(rules.foreign_words)
        self.assertEqual(len(found), 1)
        self.assertIn("a.md:1", found[0])


class Spans(unittest.TestCase):
    """The functions of odd but legal sources."""

    def test_braces_in_strings_and_characters_do_not_count(self):
        text = "fn a() {\n    let x = \"{{\"; let y = '{'; let z = r#\"}\"#;\n}\nfn b<'a>() {\n}\n"
        self.assertEqual([(s.name, s.lines) for s in spans.rust_functions(text)],
                         [("a", 3), ("b", 2)])

    def test_declarations_and_function_types_are_not_functions(self):
        text = "trait T {\n    fn a(&self, x: [u8; 4]);\n    fn b(f: fn(u8) -> u8) {}\n}\n"
        self.assertEqual([s.name for s in spans.rust_functions(text)], ["b"])

    def test_c_initialisers_are_not_functions(self):
        text = 'struct s x = {1, 2};\nextern "C" {\nint f(void)\n{\n}\n}\nint g(int (*h)(int)) {}\n'
        self.assertEqual([s.name for s in spans.c_functions(text)], ["f", "g"])
