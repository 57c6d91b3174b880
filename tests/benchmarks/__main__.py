"""``make bench``: the workloads here and in the peers that are installed, in one run.

::

    python -m tests.benchmarks [--only NAME …] [--device auto|cpu|gpu|NAME] [--sizes N …]
                               [--repeat N] [--json FILE] [--peers NAME …] [--no-peers]
                               [--whole] [--sweep FOLDER] [--placement] [--spellings]
                               [--first-runs]

Prints a Markdown table: median warm time of each, the first (cold) time of ours, parity, and the
share of what a plain copy reaches on the same device in the same run, where memory is the limit.
Times of one row are from one process, one after the other; only their ratios mean anything. The
JSON also has the peers' first times, and why a peer has none.

``--whole`` starts processes of their own, the first with nothing kept. ``--sweep`` takes sizes from
1e3 to 1e9 and draws a picture of each workload (choose them with ``--only``: not every machine has
the memory). ``--placement``: what `auto` takes beside forced cpu and forced gpu, and estimates
beside measured times. ``--spellings``: loops in the spellings of people, beside torch. ``--first-runs``: first, second and
tenth run of everything, in processes of their own, forced to either side and `auto`.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.benchmarks import ceiling, first_runs, peers, placement, spellings, sweep, whole
from tests.benchmarks.workload import Workload
from tests.benchmarks.workloads import WORKLOADS


def main() -> int:
    """Run what was asked for; exit 1 when a result is wrong."""
    options = _arguments()
    chosen = tuple(w for w in WORKLOADS if not options.only or w.name in options.only)
    if options.spellings:
        sizes, device = options.sizes, options.device
        rows = spellings.table(options.only, sizes, options.repeat, device)
    elif options.first_runs:
        rows = first_runs.table(options.only, options.sizes)
    elif options.placement:
        rows = placement.table(chosen, options.sizes, options.repeat)
    else:
        rows = _measured(chosen, options)
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 1 if any(not r.get("parity", True) for r in rows) else 0


def _measured(chosen: tuple[Workload, ...], options: argparse.Namespace) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    names = [name for name in options.peers or peers.NAMES if peers.installed(name)]
    names = [] if options.no_peers else names
    for work in chosen:
        sizes = sweep.SIZES if options.sweep else work.sizes
        for n in options.sizes or sizes:
            try:
                row = measure(work, n, options)
            except SystemExit as problem:  # a size too large for this machine, in a sweep
                if not options.sweep:
                    raise
                sys.stderr.write(f"{work.name} {n}: {problem}\n")
                break
            rows.append(row)
            sys.stdout.write("" if len(rows) > 1 else _head(row, names))
            sys.stdout.write(_line(row, names))
            sys.stdout.flush()
        if options.sweep:
            mine = [row for row in rows if row["name"] == work.name]
            Path(options.sweep).mkdir(parents=True, exist_ok=True)
            path = Path(options.sweep, f"{work.name}.svg")
            path.write_text(sweep.picture(work.name, mine), encoding="utf-8")
    return rows


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--sizes", nargs="*", type=int)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--json")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--peers", nargs="*", choices=peers.NAMES)
    parser.add_argument("--whole", action="store_true", help="whole processes as well")
    parser.add_argument("--sweep", metavar="FOLDER", help="1e3 to 1e9 elements, with a picture")
    parser.add_argument("--placement", action="store_true")
    parser.add_argument("--first-runs", action="store_true", help="1st, 2nd, 10th of both sides")
    parser.add_argument("--spellings", action="store_true", help="loops as people write them")
    return parser.parse_args()


def measure(work: Workload, n: int, options: argparse.Namespace) -> dict[str, Any]:
    """One row: ours and the peers."""
    row: dict[str, Any] = {"name": work.name, "n": n, "ms": {}, "cold": {}, "results": {}}
    row["missing"] = {}
    _ours(work, n, options, row)
    if not options.no_peers:
        wanted = getattr(options, "peers", None)
        peers.run(work, n, options.repeat, row, tuple(wanted) if wanted else peers.NAMES)
    expected = next((v for k, v in row["results"].items() if k != "fuselab"), None)
    ours = row["results"]["fuselab"]
    row["parity"] = expected is None or abs(ours - expected) <= work.tolerance * abs(expected)
    seconds = row["ms"]["fuselab"] / 1e3
    if work.bytes_moved:
        row["gb_per_s"] = work.bytes_moved(n) / seconds / 1e9
        if "ceiling" in row:
            row["share"] = row["gb_per_s"] * 1e9 / row["ceiling"]
    if work.flops:
        row["gflop_per_s"] = work.flops(n) / seconds / 1e9
    if getattr(options, "whole", False):
        row["whole"] = whole.measure(work, n, options.device, 2)
    return row


def _ours(work: Workload, n: int, options: argparse.Namespace, row: dict[str, Any]) -> None:
    from app import settings
    from app.engine.session.session import Session
    from app.engine.values import DeviceArray
    from app.source import SourceText

    session = Session(settings.load({"FUSELAB_DEVICE": options.device}), _complain)

    def keep(value: Any, nargout: int = 0) -> None:
        if isinstance(value, DeviceArray):
            session.interpreter.runtime.evaluate([value.node])
        session.interpreter.runtime.synchronize()

    for name in ("keep", "wait_for"):
        session.interpreter.define_functions({name: keep})
    setup = f"n = {n}; {work.setup}"
    code = peers.LOOP.format(setup=setup, code=work.code, repeat=options.repeat + 1)
    session.run_source(SourceText("bench.m", code))
    variables = session.interpreter.workspace
    times = [float(t) for t in variables["times"].ravel()]
    row["results"]["fuselab"] = float(np.asarray(variables["result"]).flat[0])
    report = session.last_report
    if work.bytes_moved and not hasattr(options, "ceiling"):
        options.ceiling = ceiling.of(session)
    if work.bytes_moved:
        row["ceiling"] = options.ceiling
    session.close()
    row["cold_ms"] = row["cold"]["fuselab"] = times[0] * 1e3
    row["ms"]["fuselab"] = statistics.median(times[1:]) * 1e3
    row["device"] = report["device"]["name"]
    row["placed"] = sorted({g["provider"] for g in report["groups"]})
    row["counters"] = report["counters"]


def _complain(event: Any) -> None:
    if type(event).__name__ == "ErrorRaised":
        raise SystemExit(f"the workload failed: {event.message}\n{event.caret}")


def _head(row: dict[str, Any], names: Sequence[str]) -> str:
    found = ", ".join(f"{name} {number}" for name, number in peers.versions().items())
    cells = [
        "work",
        "n",
        "where",
        "cold ms",
        "warm ms",
        *names,
        "GB/s (of a copy's)",
        "GFLOP/s",
        "process s, first / again",
        "parity",
    ]
    head = f"{row['device']} · {platform.platform()} · Python {platform.python_version()} · {found}"
    return f"{head}\n\n| {' | '.join(cells)} |\n|{'---|' * len(cells)}\n"


def _line(row: dict[str, Any], names: Sequence[str]) -> str:
    ours = row["ms"]["fuselab"]

    def ratio(name: str) -> str:
        other = row["ms"].get(name)
        return "–" if other is None else f"{other:.2f} ({other / ours:.1f}×)"

    rate = f"{row['gb_per_s']:.0f}" if "gb_per_s" in row else "–"
    rate += f" ({100 * row['share']:.0f} %)" if "share" in row else ""
    flops = f"{row['gflop_per_s']:.0f}" if "gflop_per_s" in row else "–"
    process = row.get("whole")
    took = f"{process['first_s']:.2f} / {process['again_s']:.2f}" if process else "–"
    cells = [
        row["name"],
        f"{row['n']:.0e}" if row["n"] > 99999 else str(row["n"]),
        "+".join(row["placed"]),
        f"{row['cold_ms']:.2f}",
        f"{ours:.3f}",
        *map(ratio, names),
        rate,
        flops,
        took,
        "ok" if row["parity"] else "WRONG",
    ]
    return "| " + " | ".join(cells) + " |\n"


if __name__ == "__main__":
    sys.exit(main())
