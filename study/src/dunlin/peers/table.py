"""From what the runs gave to records, and from records to a table: Dunlin / best peer, worst first,
and geometric means by group. A ratio below 1 is in Dunlin's favour, whatever the unit."""

import math
from collections.abc import Callable, Iterable
from typing import Any

from dunlin.libraries import DUNLIN
from dunlin.peers.cases import OTHER_CLOCKS, OWN, PERSISTENT, Figure
from dunlin.peers.libraries import is_peer
from dunlin.peers.rounds import Run
from dunlin.stats import geometric_mean, median
from dunlin.words import columns, digits, size

Record = dict[str, Any]
# Which libraries are compared with.
Peer = Callable[[str], bool]

# Figures of a row that are kept beside the one that counts.
KEPT = ["complete_us", "complete_p99_us", "local_us", "after_barrier_us", "in_a_row_us", "min_us",
        "p99_us", "overlap_percent",
        "init_pss_max_kib", "init_dirty_kib", "talked_pss_kib", "used_pss_kib", "bare_us",
        "to_bare", "mb_per_s", "waiting_ms", "to_waiting"]


def row_records(run: Run) -> list[Record]:
    """A record for each size (and for each name, where the rows have names of their own) that the
    launches of a run have."""
    by_point: dict[tuple[str, int], list[Record]] = {}
    for rows in run.rows:
        for row in rows:
            name = row["bench"] if run.case.by_row else run.case.benchmark
            by_point.setdefault((name, row["bytes"]), []).append(row)
    return [point_record(run, figure, name, count, rows)
            for (name, count), rows in by_point.items()
            for figure in (run.case.figure, *run.case.more)]


def point_record(run: Run, figure: Figure, name: str, count: int, rows: list[Record]) -> Record:
    """One figure of one size."""
    values = [row[figure.key] for row in rows]
    middle = median(values)
    kept = {key: median([row[key] for row in rows]) for key in KEPT if key in rows[0]}
    return {
        **identity(run, figure), "benchmark": figure.names(name), "bytes": count,
        f"median_{figure.unit}": middle,
        "spread": (max(values) - min(values)) / middle if middle else 0.0,
        "launches": len(values), **kept,
    }


def identity(run: Run, figure: Figure) -> Record:
    """What names a record."""
    return {"library": run.library.name, "benchmark": figure.names(run.case.benchmark),
            "group": figure.names(run.case.group), "ranks": run.case.ranks,
            "setting": run.setting.name, "more_is_better": figure.more_is_better}


def key_of(record: Record) -> tuple[Any, ...]:
    """Records of one point: what is measured, on how many ranks, of what size."""
    return record["benchmark"], record["ranks"], record.get("bytes")


def unit_of(record: Record) -> str:
    """us, mbps, ..."""
    return next(key for key in record if key.startswith("median_")).removeprefix("median_")


def value_of(record: Record) -> float:
    """The figure that counts."""
    return float(record[f"median_{unit_of(record)}"])


def cost_of(record: Record) -> float:
    """Less is better."""
    value = value_of(record)
    if not record["more_is_better"]:
        return value
    return 1 / value if value else math.inf


def records(runs: Iterable[Run]) -> list[Record]:
    """One record per library and point, at the library's best setting; a library that failed under
    every setting has one with the reason instead."""
    best: dict[tuple[Any, ...], Record] = {}
    for run in runs:
        for record in row_records(run):
            key = (record["library"], *key_of(record))
            if key not in best or cost_of(record) < cost_of(best[key]):
                best[key] = record
    there = {case_of(run) for run in runs if run.rows}
    failed = {}
    for run in runs:
        name = case_of(run)
        if run.error is not None and name not in there:
            failed[name] = {**identity(run, run.case.figure), "bytes": None, "error": run.error}
    return [*best.values(), *failed.values()]


def case_of(run: Run) -> tuple[str, str, int]:
    """What a run is one of the tries at."""
    return run.library.name, run.case.benchmark, run.case.ranks


def points(found: list[Record], us: str = DUNLIN, peer: Peer = is_peer) -> list[Record]:
    """Dunlin (or what is called so here) beside the best peer of each point, worst first."""
    by_key: dict[tuple[Any, ...], list[Record]] = {}
    for record in found:
        if "error" not in record:
            by_key.setdefault(key_of(record), []).append(record)
    compared = []
    for there in by_key.values():
        ours = [r for r in there if r["library"] == us]
        peers = [r for r in there if peer(r["library"])]
        if ours and peers:
            best = min(peers, key=cost_of)
            compared.append({"ours": ours[0], "best": best, "all": there,
                             "ratio": cost_of(ours[0]) / cost_of(best)})
    return sorted(compared, key=lambda p: -p["ratio"])


def point_rows(compared: list[Record], libraries: list[str]) -> list[list[str]]:
    """The lines of the long table."""
    rows = []
    for p in compared:
        by_library = {r["library"]: r for r in p["all"]}
        ours = p["ours"]
        rows.append([
            f"{p['ratio']:.2f}", ours["benchmark"], str(ours["ranks"]), size(ours["bytes"]),
            unit_of(ours).replace("_per_s", "/s"),
            *(digits(value_of(by_library[n])) if n in by_library else "-" for n in libraries),
            f"{p['best']['library']}: {p['best']['setting']}",
            f"{max(ours['spread'], p['best']['spread']):.0%}",
        ])
    return rows


def group_rows(compared: list[Record]) -> list[list[str]]:
    """Geometric mean, worst point and points lost, by group; then of all, with one figure of each
    operation."""
    groups: dict[str, list[Record]] = {}
    for p in compared:
        groups.setdefault(p["ours"]["group"], []).append(p)
    rows = []
    for name in sorted(groups):
        ratios = [p["ratio"] for p in groups[name]]
        rows.append(group_row(name, ratios))
    if len(groups) > 1:
        first = [p["ratio"] for p in compared if not is_another_clock(p["ours"])]
        rows.append(group_row("all", first))
    return rows


def is_another_clock(record: Record) -> bool:
    """Is it a further figure of an operation that has been counted?"""
    return any(str(record["benchmark"]).endswith(clock.names("")) for clock in OTHER_CLOCKS)


def group_row(name: str, ratios: list[float]) -> list[str]:
    """One line of them."""
    return [name, f"{geometric_mean(ratios):.2f}", f"{max(ratios):.2f}",
            f"{sum(r > 1 for r in ratios)} of {len(ratios)}"]


def bare_rows(found: list[Record], us: str) -> list[list[str]]:
    """What stands beside the machine's own instructions on the same memory, worst first."""
    there = [r for r in found if r["library"] == us and "to_bare" in r]
    return [[f"{r['to_bare']:.2f}", r["benchmark"], size(r["bytes"]), digits(value_of(r) * 1e3),
             digits(r["bare_us"] * 1e3)]
            for r in sorted(there, key=lambda r: -float(r["to_bare"]))]


def passive_rows(found: list[Record]) -> list[list[str]]:
    """What a target that computes costs, by operation and library."""
    there = [r for r in found if "to_waiting" in r]
    return [[f"{r['to_waiting']:.2f}", r["benchmark"], r["library"], r["setting"],
             digits(r["waiting_ms"]), digits(value_of(r))]
            for r in sorted(there, key=lambda r: str(r["benchmark"]))]


def onesided(found: list[Record], us: str) -> list[str]:
    """One-sided operations beside what they could be: tables of their own, where there are any."""
    parts = []
    if rows := bare_rows(found, us):
        parts += [f"\n{us.capitalize()}'s one-sided operations beside bare stores, loads, atomics "
                  "and copies on the same memory\n",
                  columns(["ratio", "benchmark", "size", "ns", "bare ns"], rows)]
    if rows := passive_rows(found):
        titles = ["ratio", "benchmark", "library", "setting", "waiting ms", "computing ms"]
        parts += ["\nA target that computes for a second, beside one that waits in a barrier\n",
                  columns(titles, rows)]
    return parts


def hidden_rows(found: list[Record]) -> tuple[list[str], list[list[str]]]:
    """How much of an operation goes on while its ranks compute: the libraries, and a row for each
    point."""
    by_point: dict[tuple[Any, ...], dict[str, str]] = {}
    for r in found:
        if "overlap_percent" in r:
            at = (str(r["benchmark"]), str(r["ranks"]), size(r["bytes"]))
            point = by_point.setdefault(at, {})
            point[r["library"]] = f"{r['overlap_percent']:.0f}"
    libraries = list(dict.fromkeys(name for there in by_point.values() for name in there))
    return libraries, [[*point, *(there.get(n, "-") for n in libraries)]
                       for point, there in by_point.items()]


def persistent_rows(found: list[Record], us: str) -> list[list[str]]:
    """Persistent operations beside blocking ones of the same library, by the ranks' own times,
    worst first."""
    there = {key_of(r): value_of(r) for r in found if r["library"] == us and "error" not in r}
    rows = []
    for (name, ranks, count), value in there.items():
        blocking = there.get((OWN.names(name.removesuffix(PERSISTENT)), ranks, count))
        if name.endswith(PERSISTENT) and blocking:
            rows.append([f"{value / blocking:.2f}", name, str(ranks), size(count), digits(value),
                         digits(blocking)])
    return sorted(rows, key=lambda row: -float(row[0]))


def apart(found: list[Record], us: str) -> list[str]:
    """Operations that begin in one call and end in another: tables of their own."""
    parts = []
    libraries, rows = hidden_rows(found)
    if rows:
        parts += ["\nPercent of an operation that a computation of the same length hid\n",
                  columns(["benchmark", "ranks", "size", *libraries], rows)]
    if rows := persistent_rows(found, us):
        titles = ["ratio", "benchmark", "ranks", "size", "us", "blocking us"]
        parts += [f"\n{us.capitalize()}'s persistent operations beside its blocking ones, the "
                  "ranks' own times\n", columns(titles, rows)]
    return parts


def report(found: list[Record], line: Record | None, us: str = DUNLIN, peer: Peer = is_peer) -> str:
    """All that a reader wants to see."""
    compared = points(found, us, peer)
    libraries = list(dict.fromkeys(r["library"] for r in found))
    parts = []
    if compared:
        titles = ["ratio", "benchmark", "ranks", "size", "unit", *libraries, "best peer", "spread"]
        parts += [f"{us.capitalize()} / best peer, worst first; below 1 Dunlin is better\n",
                  columns(titles, point_rows(compared, libraries)),
                  "\nGeometric means of the ratios\n",
                  columns(["group", "mean", "worst", "above 1"], group_rows(compared))]
    else:
        parts.append(columns(
            ["library", "benchmark", "ranks", "size", "unit", "median", "spread"],
            [[r["library"], r["benchmark"], str(r["ranks"]), size(r["bytes"]), unit_of(r),
              digits(value_of(r)), f"{r['spread']:.0%}"] for r in found if "error" not in r]))
    parts += [*apart(found, us), *onesided(found, us)]
    if line is not None:
        parts.append(f"\nDunlin's 8 bytes take {line['ratio']:.2f} times a bare cache line "
                     f"({line['mpi_ns']:.0f} ns, {line['line_ns']:.0f} ns, measured in turns)")
    parts += [f"\nfailed: {r['library']} in {r['benchmark']}, {r['ranks']} ranks: {r['error']}"
              for r in found if "error" in r]
    return "\n".join(parts) + "\n"
