"""Samples written for these tests from the formats that the programs' manuals describe."""

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dunlin import summary
from dunlin.cli import app
from dunlin.errors import DunlinError
from dunlin.importers import imb, omb, sheet

OMB5_LATENCY = """# OSU MPI Latency Test v5.6.3
# Size          Latency (us)
0                       0.31
1                       0.32
4096                    1.75
"""
OMB5_FULL = """
# OSU MPI Allreduce Latency Test v5.9
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
4                       2.05              1.98              2.10        1000
1048576               812.50            790.00            830.25         100
"""
OMB6_BANDWIDTH = """# OSU MPI Bandwidth Test v6.1
# Size      Bandwidth (MB/s)
1                       4.50
1048576             11250.75
"""
OMB6_RATE = """# OSU MPI Multiple Bandwidth / Message Rate Test v6.2
# [ pairs: 4 ] [ window size: 64 ]
# Size                  MB/s        Messages/s
8                      40.00        5000000.00
"""
OMB7_TAIL = """
# OSU MPI All-to-All Personalized Exchange Latency Test v7.4
# Datatype: MPI_CHAR.
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations  P50 Tail Lat(us)
64                      5.25              5.00              5.50        1000              5.20
"""
OMB7_NONBLOCKING = """# OSU MPI Non-blocking Broadcast Latency Test v7.3
# Datatype: MPI_CHAR.
# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait

# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)
16                      8.00              3.50              4.25             12.00
"""
OMB_BARRIER = """# OSU MPI Barrier Latency Test v7.2
# Avg Latency(us)
             1.90
"""
OMB_INIT = """# OSU MPI Init Test v5.8
nprocs: 8, min: 41, max: 45, avg: 43
"""


def values(text: str) -> list[tuple[str, int, str, float]]:
    return [
        (t.benchmark, v.bytes, v.metric, v.value) for t in omb.tables(text) for v in t.values
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OMB5_LATENCY, [("latency", 0, "time_us", 0.31), ("latency", 1, "time_us", 0.32),
                        ("latency", 4096, "time_us", 1.75)]),
        (OMB5_FULL, [("allreduce", 4, "time_us", 2.05), ("allreduce", 1048576, "time_us", 812.5)]),
        (OMB6_BANDWIDTH, [("bandwidth", 1, "bandwidth_mbps", 4.5),
                          ("bandwidth", 1048576, "bandwidth_mbps", 11250.75)]),
        (OMB6_RATE, [("message_rate", 8, "bandwidth_mbps", 40.0),
                     ("message_rate", 8, "rate_per_s", 5e6)]),
        (OMB7_TAIL, [("alltoall", 64, "time_us", 5.25)]),
        (OMB7_NONBLOCKING, [("ibcast", 16, "time_us", 4.25)]),
        (OMB_BARRIER, [("barrier", 0, "time_us", 1.9)]),
        (OMB_INIT, [("startup", 0, "time_us", 43_000.0)]),
    ],
)  # fmt: skip
def test_tables_of_osu_have_the_right_units(
    text: str, expected: list[tuple[str, int, str, float]]
) -> None:
    assert values(text) == expected


def test_iterations_are_kept() -> None:
    assert [v.iterations for v in omb.tables(OMB5_FULL)[0].values] == [1000, 100]


def test_several_programs_in_one_file_are_several_tables() -> None:
    assert [t.program for t in omb.tables(OMB5_LATENCY + OMB7_TAIL)] == ["OMB 5.6.3", "OMB 7.4"]


def test_a_row_that_does_not_fit_its_columns_is_refused_with_its_line() -> None:
    with pytest.raises(DunlinError, match="2 figures stand under 6 columns") as caught:
        omb.tables(OMB7_TAIL + "128 5.1\n")
    assert caught.value.line == 6


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("MPI Non-blocking All-to-Allv Personalized Exchange Latency", "ialltoallv"),
        ("MPI Reduce_scatter Latency", "reduce_scatter"),
        ("MPI Bi-Directional Bandwidth", "bibandwidth"),
        ("MPI Allgatherv Latency", "allgatherv"),
        ("MPI-CUDA Latency", "latency"),
        ("MPI-ROCM Allreduce Latency", "allreduce"),
        ("MPI Persistent Allreduce Latency", "allreduce_persistent"),
    ],
)
def test_titles_of_osu_become_names_of_operations(title: str, name: str) -> None:
    assert omb.benchmark_of(title) == name


IMB = """#----------------------------------------------------------------
#    Intel(R) MPI Benchmarks 2021.7, MPI-1 part
#----------------------------------------------------------------
#---------------------------------------------------
# Benchmarking PingPong
# #processes = 2
# ( 6 additional processes waiting in MPI_Barrier)
#---------------------------------------------------
       #bytes #repetitions      t[usec]   Mbytes/sec
            0         1000         0.40         0.00
      4194304           10       500.00      8388.61


# Benchmarking Allreduce
# #processes = 8
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            8         1000         3.10         3.30         3.20

# Benchmarking Barrier
# #processes = 8
 #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
         1000         2.00         2.20         2.10

# Benchmarking Uniband
# #processes = 8
       #bytes #repetitions   Mbytes/sec      Msg/sec
         1024         1000      1953.12   2000000.00

# Benchmarking Ibcast
# #processes = 8
       #bytes #repetitions t_ovrl[usec] t_pure[usec]  t_CPU[usec]   overlap[%]
           64         1000        12.00         6.00         6.50         7.00
# All processes entering MPI_Finalize
"""


def test_tables_of_imb_have_the_right_units_and_ranks() -> None:
    found = [
        (t.benchmark, t.ranks, v.bytes, v.metric, v.value)
        for t in imb.tables(IMB) for v in t.values
    ]  # fmt: skip
    assert found == [
        ("latency", 2, 0, "time_us", 0.4),
        ("latency", 2, 4194304, "time_us", 500.0),
        ("allreduce", 8, 8, "time_us", 3.2),
        ("barrier", 8, 0, "time_us", 2.1),
        ("message_rate", 8, 1024, "rate_per_s", 2e6),
        # 10^6 bytes, whatever the version's own column counts in.
        ("message_rate", 8, 1024, "bandwidth_mbps", 2048.0),
        ("ibcast", 8, 64, "time_us", 6.0),
    ]
    assert imb.tables(IMB)[0].program == "IMB 2021.7"


@pytest.mark.parametrize(
    ("column", "expected"),
    [("time_ns", 0.002), ("time_ms", 2000.0), ("time_s", 2e6), ("bandwidth_gbps", 2000.0),
     ("bandwidth_mibps", 2.097152), ("bandwidth_gbitps", 250.0), ("memory_mib", 2048.0)],
)  # fmt: skip
def test_a_sheets_column_says_the_unit(column: str, expected: float) -> None:
    rows = sheet.rows(f"benchmark,size,{column}\nx,8,2\n")
    assert rows[0].value.value == pytest.approx(expected)


def test_a_sheet_without_figures_is_refused() -> None:
    with pytest.raises(DunlinError, match="must name a column `benchmark`"):
        sheet.rows("operation,usec\nbcast,3\n")


def dunlin(*words: object) -> Result:
    return CliRunner().invoke(app, ["import", *map(str, words)])


def test_importing_twice_adds_nothing(tmp_path: Path) -> None:
    file = tmp_path / "allreduce.txt"
    file.write_text(OMB5_FULL)
    study = tmp_path / "study"
    command = (file, "--into", study, "--library", "theirs", "--nodes", 2, "--ranks-per-node", 4)
    assert "1 launch added" in dunlin(*command).output
    assert "0 launches added" in dunlin(*command).output
    loaded = summary.load(study)
    assert [(c.key.library, c.key.ranks, c.key.bytes, c.median) for c in loaded.cells] == [
        ("theirs", 8, 4, 2.05), ("theirs", 8, 1048576, 812.5),
    ]  # fmt: skip


def test_osu_needs_to_be_told_the_ranks_and_imb_does_not(tmp_path: Path) -> None:
    (tmp_path / "o.txt").write_text(OMB7_TAIL)
    (tmp_path / "i.txt").write_text(IMB)
    refused = dunlin(tmp_path / "o.txt", "--into", tmp_path / "s")
    assert "say --ranks-per-node" in str(refused.exception)
    assert dunlin(tmp_path / "i.txt", "--into", tmp_path / "s", "--nodes", 2).exit_code == 0
    layouts = {(c.key.nodes, c.key.ranks_per_node) for c in summary.load(tmp_path / "s").cells}
    assert layouts == {(2, 1), (2, 4)}


def test_imb_on_fewer_processes_fills_node_after_node(tmp_path: Path) -> None:
    (tmp_path / "i.txt").write_text(IMB)
    words = (tmp_path / "i.txt", "--into", tmp_path / "s", "--nodes", 4)
    assert "the 2 processes of latency do not spread evenly over 4 nodes" in str(
        dunlin(*words).exception
    )
    assert dunlin(*words, "--ranks-per-node", 2).exit_code == 0
    layouts = {(c.key.nodes, c.key.ranks_per_node) for c in summary.load(tmp_path / "s").cells}
    assert layouts == {(1, 2), (4, 2)}
    assert "over 4 nodes of 3 ranks" in str(dunlin(*words, "--ranks-per-node", 3).exception)


def test_launches_that_printed_the_same_figures_are_two(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(OMB_BARRIER)
    files = (tmp_path / "a.txt", tmp_path / "b.txt")
    words = (*files, "--into", tmp_path / "s", "--ranks-per-node", 4)
    assert "2 launches added" in dunlin(*words).output
    assert "0 launches added" in dunlin(*words).output
    assert summary.load(tmp_path / "s").cells[0].launches == 2


def test_rows_that_osu_validated_are_read_and_wrong_ones_refused() -> None:
    text = OMB5_FULL.replace("Iterations", "Iterations  Validation")
    text = text.replace("  1000\n", "  1000        Pass\n").replace("  100\n", "  100  Pass\n")
    assert values(text) == values(OMB5_FULL)
    with pytest.raises(DunlinError, match="this row's data to be wrong") as caught:
        omb.tables(text.replace("100  Pass", "100  Fail"))
    assert caught.value.line == 5


@pytest.mark.parametrize("mark", [";", "\t"])
def test_a_sheet_as_spreadsheets_write_it(tmp_path: Path, mark: str) -> None:
    file = tmp_path / "x.csv"
    rows = ("benchmark,bytes,ranks_per_node,time_us", "bcast,8,4,1.5")
    file.write_text("\ufeff" + "\n".join(rows).replace(",", mark))
    assert "1 launch added" in dunlin(file, "--into", tmp_path / "s").output


def test_a_sheets_rows_become_launches(tmp_path: Path) -> None:
    file = tmp_path / "figures.csv"
    file.write_text(
        "lib,benchmark,bytes,ranks_per_node,time_us\n"
        "a,bcast,8,4,1.0\na,bcast,64,4,2.0\na,bcast,8,4,1.2\na,bcast,64,4,2.2\nb,bcast,8,4,3\n"
    )
    done = dunlin(file, "--into", tmp_path / "s", "--column", "library=lib")
    assert "3 launches added" in done.output
    cells = summary.load(tmp_path / "s").where(library="a", bytes=8)
    assert sorted(cells[0].values) == [1.0, 1.2]


def test_a_file_of_another_sort_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.log").write_text("hello\n")
    refused = dunlin(tmp_path / "x.log", "--into", tmp_path / "s")
    assert "neither the OSU benchmarks nor IMB" in str(refused.exception)
