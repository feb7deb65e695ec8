"""From what the runs gave to records, and from records to a table: Dunlin / best peer, worst first,
and geometric means by group. A ratio below 1 is in Dunlin's favour, whatever the unit."""

import math
from collections.abc import Callable, Iterable
from typing import Any

from dunlin.libraries import DUNLIN
from dunlin.peers.libraries import is_peer
from dunlin.peers.rounds import Run
from dunlin.stats import geometric_mean, median
from dunlin.words import columns, digits, size

Record = dict[str, Any]
# Which libraries are compared with.
Peer = Callable[[str], bool]

# Figures of a row that are kept beside the one that counts.
KEPT = ["complete_us", "complete_p99_us", "local_us", "in_a_row_us", "min_us", "p99_us",
        "init_pss_max_kib", "init_dirty_kib", "talked_pss_kib", "used_pss_kib"]


def row_records(run: Run) -> list[Record]:
    """A record for each size that every launch of a run has."""
    by_bytes: dict[int, list[Record]] = {}
    for rows in run.rows:
        for row in rows:
            by_bytes.setdefault(row["bytes"], []).append(row)
    figure = run.case.figure
    found = []
    for count, rows in by_bytes.items():
        values = [row[figure.key] for row in rows]
        middle = median(values)
        kept = {key: median([row[key] for row in rows])
                for key in KEPT if key in rows[0]}
        found.append({
            **identity(run), "bytes": count, f"median_{figure.unit}": middle,
            "spread": (max(values) - min(values)) / middle if middle else 0.0,
            "launches": len(values), **kept,
        })
    return found


def identity(run: Run) -> Record:
    """What names a record."""
    return {"library": run.library.name, "benchmark": run.case.benchmark, "group": run.case.group,
            "ranks": run.case.ranks, "setting": run.setting.name,
            "more_is_better": run.case.figure.more_is_better}


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
    there = {(r["library"], r["benchmark"], r["ranks"]) for r in best.values()}
    failed = {}
    for run in runs:
        name = (run.library.name, run.case.benchmark, run.case.ranks)
        if run.error is not None and name not in there:
            failed[name] = {**identity(run), "bytes": None, "error": run.error}
    return [*best.values(), *failed.values()]


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
    """Geometric mean, worst point and points lost, by group in the order measured."""
    groups: dict[str, list[Record]] = {}
    for p in compared:
        groups.setdefault(p["ours"]["group"], []).append(p)
    rows = []
    for name in sorted(groups):
        ratios = [p["ratio"] for p in groups[name]]
        rows.append([name, f"{geometric_mean(ratios):.2f}", f"{max(ratios):.2f}",
                     f"{sum(r > 1 for r in ratios)} of {len(ratios)}"])
    return rows


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
    if line is not None:
        parts.append(f"\nDunlin's 8 bytes take {line['ratio']:.2f} times a bare cache line "
                     f"({line['mpi_ns']:.0f} ns, {line['line_ns']:.0f} ns, measured in turns)")
    parts += [f"\nfailed: {r['library']} in {r['benchmark']}, {r['ranks']} ranks: {r['error']}"
              for r in found if "error" in r]
    return "\n".join(parts) + "\n"
