"""``python -m tests.benchmarks --first-runs``: what the first runs take, on both sides and `auto`.

Every program runs ten times in a process of its own, with nothing kept from any other, forced to
the host, forced to the device, and placed by `auto`; then once more in a second process that finds
what the first one has kept. Programs are the workloads of the benchmark and the loops of
`spellings`, plainly and as people write them.

`opened` is what opening the device took where it was forced: it is opened before the first run
there, and within it by `auto`. What `auto` spent in its first run is said beside it.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.benchmarks.spellings import CASES, Case, texts_of
from tests.benchmarks.workloads import WORKLOADS
from tests.spellings.rewriting import SPELLINGS, loop_of, plain

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Row = dict[str, Any]
RUNS = 10
SIDES = ("cpu", "gpu", "auto")
WRITTEN = ("in_struct", "in_handle_of_several", "as_while", "with_break")
"""Spellings that are timed beside the plain one."""
SPENT = ("host_ms", "device_ms", "compile_ms", "upload_ms", "download_ms", "kernels_compiled")
LIMIT_S = 180.0
"""A process that takes longer has no times."""


@dataclass(frozen=True)
class Program:
    """What runs: its inputs are prepared before every run."""

    name: str
    setup: str
    work: str
    files: dict[str, str] = field(default_factory=dict)


def programs(only: list[str] | None, sizes: list[int] | None) -> Iterator[Program]:
    """All of them, or those of some names, at their largest default sizes or at those given."""
    for work in WORKLOADS:
        if not only or work.name in only:
            for n in sizes or work.sizes[-1:]:
                yield Program(f"{work.name} {n}", f"n = {n};\n{work.setup}", work.code)
    for case in CASES:
        if not only or case.computation.name in only:
            for n in sizes or [case.n]:
                yield from _spelled(case, n)


def _spelled(case: Case, n: int) -> Iterator[Program]:
    loop = loop_of(case.computation)
    for name in ("plain", *WRITTEN):
        if "break" in case.computation.body and name == "in_handle_of_several":
            continue
        spelled = plain(loop) if name == "plain" else SPELLINGS[name](loop)
        setup, work = texts_of(loop, spelled, case, n)
        yield Program(f"{case.computation.name} {n}, {name}", setup, work, spelled.files)


def serve(device: str, home: str, program: Program, runs: int, pipe: Connection) -> None:
    """In a process of its own: milliseconds of opening and of each run, and the first's account."""
    os.environ["FUSELAB_HOME"] = home
    from app import settings
    from app.engine.session.session import Session
    from app.engine.values import DeviceArray
    from app.source import SourceText

    for name, text in program.files.items():
        Path(home, name).write_text(text, encoding="utf-8")
    started = time.perf_counter()
    session = Session(settings.load({"FUSELAB_DEVICE": device}), lambda _: None, (home,))
    if device == "gpu":
        session.acceleration.runtime.open()
    opened = (time.perf_counter() - started) * 1000

    def wait(value: Any, nargout: int = 0) -> None:
        runtime = session.interpreter.runtime
        if isinstance(value, DeviceArray):
            runtime.evaluate([value.node])
        runtime.synchronize()

    for name in ("keep", "wait_for"):
        session.interpreter.define_functions({name: wait})
    times, spent = [], {}
    for _ in range(runs):
        session.run_source(SourceText("setup.m", program.setup))
        began = time.perf_counter()
        session.run_source(SourceText("work.m", program.work))
        times.append((time.perf_counter() - began) * 1000)
        if session.last_status != "ok":
            raise SystemExit(f"{program.name}: {session.last_report['error']}")
        counters = session.last_report["counters"]
        spent = spent or {name: counters.get(name) or 0.0 for name in SPENT}
    pipe.send((opened, times, spent))
    session.close()


def measured(device: str, home: str, program: Program, runs: int) -> tuple[float, list[float], Row]:
    """What `serve` says; no times where it took too long or failed."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(device, home, program, runs, theirs))
    process.start()
    theirs.close()
    try:
        if ours.poll(LIMIT_S):
            found: tuple[float, list[float], Row] = ours.recv()
            return found
    except EOFError:
        pass
    finally:
        process.join(5)
        process.kill()
        process.join()
    return 0.0, [], {}


def compare(program: Program) -> Row:
    """Times of one program on every side."""
    row: Row = {"name": program.name}
    for device in SIDES:
        with tempfile.TemporaryDirectory() as home:
            opened, times, spent = measured(device, home, program, RUNS)
            _, again, _ = measured(device, home, program, 1)
        row[device] = {"opened": opened, "runs": times, "again": again, "spent": spent}
    return row


def _better(row: Row, run: int) -> float | None:
    """The better side of a run; in the first one the device is still to be opened."""
    found = []
    for device in SIDES[:2]:
        side = row[device]
        if len(side["runs"]) > run:
            opening = row["gpu"]["opened"] if device == "gpu" and not run else 0.0
            found.append(side["runs"][run] + opening)
    return min(found, default=None)


def _line(row: Row) -> str:
    cells = [row["name"]]
    for run in (0, 1, RUNS - 1):
        times = [row[device]["runs"][run : run + 1] for device in SIDES]
        cells += [f"{t[0]:.1f}" if t else "–" for t in times]
        best = _better(row, run)
        cells.append(f"{times[2][0] / best:.2f}" if best and times[2] else "–")
        row[f"ratio_{run + 1}"] = times[2][0] / best if best and times[2] else None
    cells += [f"{row[d]['again'][0]:.1f}" if row[d]["again"] else "–" for d in SIDES]
    cells.append(f"{row['gpu']['opened']:.0f}")
    spent = row["auto"]["spent"]
    cells.append(", ".join(f"{name.removesuffix('_ms')} {v:.0f}" for name, v in spent.items() if v))
    return f"| {' | '.join(cells)} |\n"


def table(only: list[str] | None, sizes: list[int] | None) -> list[Row]:
    """Print the times as a Markdown table; the rows."""
    head = ["program"]
    for run in ("1st", "2nd", f"{RUNS}th"):
        head += [f"{run} cpu", "gpu", "auto", "auto/better"]
    head += ["again cpu", "gpu", "auto", "opened", "first of auto, ms"]
    sys.stdout.write(f"| {' | '.join(head)} |\n|{'---|' * len(head)}\n")
    rows = []
    for program in programs(only, sizes):
        rows.append(compare(program))
        sys.stdout.write(_line(rows[-1]))
        sys.stdout.flush()
    return rows
