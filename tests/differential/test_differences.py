"""Dunlin's outcomes beside those of the other libraries, as the table in the tree has them: each
difference has a reason, and each reason a difference."""

import unittest

from dunlin import checkout
from tests.differential import differential, outcomes


class Differences(unittest.TestCase):
    """One run of all cases for all tests."""

    cases: int
    found: outcomes.Explained

    @classmethod
    def setUpClass(cls):
        cls.cases, cls.found = differential.explained(checkout.PREFIX)

    def test_each_difference_has_a_reason(self):
        shown = [f"{d.kind}: {d.case}: {d.ours}, but {d.theirs}" for d in self.found.without]
        self.assertEqual(shown, [], "mend Dunlin, or say why in tests/differential/reasons.toml")

    def test_each_reason_has_a_difference(self):
        unused = [reason.title for reason, group in self.found.by_reason if not group]
        self.assertEqual(unused, [], "take them out of tests/differential/reasons.toml")

    def test_the_table_has_all_cases(self):
        self.assertEqual(self.cases, len(outcomes.read_table()), "run `make differential`")

    def test_the_page_has_all_reasons(self):
        page = differential.PAGE.read_text()
        missing = [r.title for r in outcomes.reasons() if f"## {r.title}\n" not in page]
        self.assertEqual(missing, [], "run `make differential`")

    def test_no_case_ends_dunlin(self):
        """Nothing crashes or hangs where another library answers."""
        crashes = [d.case for _, group in self.found.by_reason for d in group
                   if d.kind == "crash" and d.case.split()[0] not in ALLOWED]
        self.assertEqual(crashes, [])


# They end the process because the case asks for that handler, or an address that is none is used.
ALLOWED = {
    "MPI_Intercomm_create_from_groups", "MPI_Alltoallw", "MPI_Alltoallw_c", "MPI_Ialltoallw",
    "MPI_Ialltoallw_c", "MPI_Neighbor_alltoallw", "MPI_Neighbor_alltoallw_c",
    "MPI_Ineighbor_alltoallw", "MPI_Ineighbor_alltoallw_c", "MPI_Reduce_local",
    "MPI_Reduce_local_c", "MPI_Grequest_start",
}

if __name__ == "__main__":
    unittest.main()
