"""Records of ranks put together, and the list of tests that may fail."""

import json
import tempfile
import unittest
from pathlib import Path

from tests.mpi4py import outcomes
from tests.mpi4py.outcomes import Outcome

HERE = Path(__file__).resolve().parent
ONE, TWO = "test_a.Class.testOne", "test_a.Class.testTwo"
BOTH = {"tests": [ONE, TWO]}


def start(test):
    return {"start": test}


def end(test, outcome="passed"):
    return {"end": test, "outcome": outcome}


PASSING = [BOTH, start(ONE), end(ONE), start(TWO), end(TWO)]


class Records(unittest.TestCase):
    """What ranks wrote, and what is made of it."""

    def module(self, *ranks, trouble=""):
        """The outcomes of a module whose ranks wrote these lines."""
        with tempfile.TemporaryDirectory() as directory:
            paths = [Path(directory, f"test_a.{rank}") for rank in range(len(ranks))]
            for path, entries in zip(paths, ranks, strict=True):
                path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
            return outcomes.of_module("test_a", [outcomes.read(p) for p in paths], trouble)

    def words(self, *ranks, trouble=""):
        return {t: o.word for t, o in self.module(*ranks, trouble=trouble).items()}

    def test_a_test_passes_that_passes_on_every_rank(self):
        self.assertEqual(self.words(PASSING, PASSING), {ONE: "passed", TWO: "passed"})

    def test_a_test_that_fails_on_one_rank_fails(self):
        other = [BOTH, start(ONE), end(ONE, "failed"), start(TWO), end(TWO)]
        self.assertEqual(self.words(PASSING, other), {ONE: "failed", TWO: "passed"})

    def test_a_test_is_skipped_if_no_rank_ran_it(self):
        skipping = [BOTH, start(ONE), end(ONE, "skipped"), start(TWO), end(TWO)]
        self.assertEqual(self.words(skipping, skipping)[ONE], "skipped")
        self.assertEqual(self.words(skipping, PASSING)[ONE], "passed")

    def test_tests_that_a_dead_rank_did_not_end_fail_and_name_the_place(self):
        found = self.module(PASSING, [BOTH, start(ONE), end(ONE), start(TWO)], trouble="died")
        self.assertEqual(found[ONE].word, "passed")
        self.assertEqual(found[TWO].word, "failed")
        self.assertIn(f"test_a died; rank 1 in {TWO}", found[TWO].why)

    def test_a_rank_that_dies_in_the_middle_of_a_line_is_read_up_to_there(self):
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory, "test_a.0")
            path.write_text("".join(json.dumps(e) + "\n" for e in PASSING[:3]) + '{"sta')
            self.assertEqual(outcomes.read(path).outcomes, {ONE: Outcome("passed")})

    def test_a_module_that_leaves_no_record_fails(self):
        self.assertEqual(self.words([], [], trouble="died"), {"test_a": "failed"})

    def test_a_module_whose_tests_are_all_left_out_has_not_failed(self):
        self.assertEqual(self.words([{"tests": []}], [{"tests": []}]), {})

    def test_a_death_after_the_last_test_fails_the_module(self):
        self.assertEqual(self.words(PASSING, trouble="died")["test_a"], "failed")

    def test_a_class_that_cannot_be_set_up_fails_all_its_tests(self):
        entry = {"note": "setUpClass (test_a.Class)", "outcome": "failed", "why": "no"}
        self.assertEqual(self.words([BOTH, entry]), {ONE: "failed", TWO: "failed"})


class TheList(unittest.TestCase):
    """Tests that may fail."""

    def test_a_listed_test_that_passes_is_reported(self):
        judged = outcomes.judge({ONE: Outcome("passed"), TWO: Outcome("failed")}, {ONE, TWO})
        self.assertEqual(judged.listed_passed, [ONE])
        self.assertEqual((judged.ran, judged.listed_failed, judged.failed), (2, 1, []))

    def test_a_failure_that_is_not_listed_counts(self):
        self.assertEqual(outcomes.judge({ONE: Outcome("failed")}, {TWO}).failed, [ONE])

    def test_our_list_names_single_tests_with_a_reason(self):
        self.assertTrue(outcomes.read_listed(HERE / "listed.toml").failing)

    def test_a_module_leaves_out_its_own_hanging_tests(self):
        listed = outcomes.listed_tests({"files": {"reason": "r", "tests": [ONE],
                                                  "hanging": [TWO]}})
        self.assertEqual((listed.hanging_in("test_a"), listed.hanging_in("test_b")), ([TWO], []))

    def test_a_list_that_says_too_much_is_refused(self):
        for part, reason, test in [("collectives", "r", ONE), ("files", "", ONE),
                                   ("files", "r", "test_win"), ("files", "r", "test_a.C.*")]:
            with self.assertRaises(ValueError):
                outcomes.listed_tests({part: {"reason": reason, "tests": [test]}})
