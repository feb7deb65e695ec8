"""The counting of `make test`: a step that fails is never counted as passed."""

import unittest

from scripts.run_tests import FAILURES_NAMED, Count, count, names_of_failures


class Counting(unittest.TestCase):
    """Outputs as the runners print them."""

    def test_cargo_results_add_up(self):
        text = "test result: ok. 3 passed; 0 failed; 0 ignored\n" * 2
        self.assertEqual(count(text, 0), Count(6, 0))

    def test_an_error_outside_of_a_test_is_a_failure(self):
        self.assertEqual(count("2 passed, 1 error in 0.12s\n", 1), Count(2, 1))

    def test_pytest_says_both_or_only_what_passed(self):
        self.assertEqual(count("....\n4 passed in 0.5s\n", 0), Count(4, 0))
        self.assertEqual(
            count("1 failed, 3 passed, 2 skipped in 61.00s (0:01:01)\n", 1), Count(3, 1)
        )

    def test_a_suite_that_says_its_sum_is_believed(self):
        self.assertEqual(count("40 passed, 2 failed\n", 1), Count(40, 2))

    def test_a_step_that_dies_without_a_count_fails(self):
        self.assertEqual(count("error: could not compile", 101), Count(0, 1))

    def test_a_step_that_passes_all_and_then_dies_fails(self):
        self.assertEqual(count("5 passed, 0 failed\n", 139), Count(5, 1))

    def test_every_runners_failures_are_named(self):
        for output, name in [
            ("FAIL  window_put on 3 ranks  exit 1\n", "window_put on 3 ranks  exit 1"),
            ("FAILED a/test_b.py::test_c - assert 1 == 2\n", "a/test_b.py::test_c - assert 1 == 2"),
            ("ERROR a/test_b.py - no module\n", "a/test_b.py - no module"),
            ("  FAILED testSend: no\n1 failed, 3 passed in 2s\n", "testSend: no"),
            ("test queue::tests::order ... FAILED\n", "queue::tests::order"),
            ("queue::tests::order --- FAILED\n", "queue::tests::order"),
            ("ERROR    dunlin:x.py:12 told\nFAILED a.py::test_b\n", "a.py::test_b"),
            ("error: could not compile\n", "see its log"),
        ]:
            self.assertEqual(names_of_failures("step", output), [f"step: {name}"])

    def test_of_many_failures_the_first_are_named_and_the_others_counted(self):
        names = names_of_failures("step", "FAIL  one\n" * (FAILURES_NAMED + 2))
        self.assertEqual(names[FAILURES_NAMED:], ["step: and 2 more"])

    def test_a_silent_step_is_one_test(self):
        self.assertEqual(count("", 0), Count(1, 0))
