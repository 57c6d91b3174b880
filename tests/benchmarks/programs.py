"""Programs of scalars, loops, calls, text and cells: here, in GNU Octave, and in C.

::

    python -m tests.benchmarks.programs [NAME …] [--group micro|loops|interpreter]
                                        [--repeat N] [--no-peers] [--json FILE] [--quick]

Every program is a function file of ``programs/`` that answers one number, which the peers must
answer too. Medians of warm calls; the first call is told apart. Settings come from the
environment as ever, so what compiled loops gain is measured by two runs.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import which
from typing import Any

import numpy as np

FOLDER = Path(__file__).parent / "programs"
REFERENCES = Path(__file__).parent / "references.c"


@dataclass(frozen=True, slots=True)
class Program:
    """One program.

    Attributes:
        name: its function.
        group: ``micro``, ``loops`` (both compiled) or ``interpreter``.
        n: its argument.
        factor: how many times faster than Octave it must be.
        quick: a smaller argument, where Octave would take seconds.
    """

    name: str
    group: str
    n: int
    factor: float
    quick: int = 0


PROGRAMS = (
    Program("micro_fib", "micro", 20, 1),
    Program("micro_parse_int", "micro", 1000, 1),
    Program("micro_mandel", "micro", 40, 1),
    Program("micro_quicksort", "micro", 5000, 1),
    Program("micro_pi_sum", "micro", 50, 1),
    Program("micro_rand_mat_stat", "micro", 1000, 1),
    Program("micro_rand_mat_mul", "micro", 1000, 1),
    Program("micro_printfd", "micro", 100_000, 1),
    Program("loop_sieve", "loops", 1_000_000, 50, 100_000),
    Program("loop_nbody", "loops", 2000, 50, 200),
    Program("loop_lu", "loops", 120, 50, 60),
    Program("loop_levenshtein", "loops", 500, 50, 200),
    Program("loop_life", "loops", 150, 50, 60),
    Program("loop_floyd_steinberg", "loops", 300, 50, 120),
    Program("loop_random_walk", "loops", 1_000_000, 50, 100_000),
    Program("loop_prime_count", "loops", 30_000, 50, 5000),
    Program("call_function", "interpreter", 100_000, 5),
    Program("call_anonymous", "interpreter", 100_000, 5),
    Program("scalar_loop", "interpreter", 1_000_000, 3),
    Program("scalar_while", "interpreter", 300_000, 3),
    Program("indexed_store", "interpreter", 300_000, 3),
    Program("triple_loop", "interpreter", 80, 3),
    Program("cellfun_anonymous", "interpreter", 20_000, 5),
    Program("arrayfun_anonymous", "interpreter", 100_000, 5),
    Program("text_building", "interpreter", 10_000, 2),
    Program("cell_building", "interpreter", 20_000, 2),
    Program("struct_building", "interpreter", 3000, 2),
    Program("struct_fields", "interpreter", 100_000, 2),
    Program("map_building", "interpreter", 2000, 2),
    Program("caught_errors", "interpreter", 10_000, 2),
    Program("printed_lines", "interpreter", 100_000, 2),
)
TIMED = """addpath('{folder}');
times = zeros(1, {passes});
for bench_pass = 1:{passes}
    bench_start = tic;
    result = {name}({n});
    times(bench_pass) = toc(bench_start);
end
"""
Answer = tuple[list[float], float]
"""Seconds of every pass, and the result."""


def ours(program: Program, n: int, passes: int) -> Answer:
    """A session of our own runs it."""
    from app import settings
    from app.engine.session.session import Session
    from app.source import SourceText

    device = os.environ.get("FUSELAB_DEVICE", "cpu")
    session = Session(settings.load({**os.environ, "FUSELAB_DEVICE": device}), _complain)
    code = TIMED.format(folder=FOLDER, passes=passes, name=program.name, n=n)
    code += "result = gather(result);\n"
    try:
        session.run_source(SourceText("bench.m", code))
        variables = session.interpreter.workspace
        result = float(np.asarray(variables["result"]).flat[0])
        return [float(t) for t in variables["times"].ravel()], result
    finally:
        session.close()


def _complain(event: Any) -> None:
    if type(event).__name__ == "ErrorRaised":
        raise SystemExit(f"the program failed: {event.message}\n{event.caret}")


def octave(program: Program, n: int, passes: int) -> Answer:
    """GNU Octave runs it."""
    code = TIMED.format(folder=FOLDER, passes=passes, name=program.name, n=n)
    with tempfile.NamedTemporaryFile("w", suffix=".m") as script:
        script.write(f"1;\n{code}\nfprintf('\\n%.17g', times, result);\n")
        script.flush()
        command = ["octave-cli", "-f", "--no-history", script.name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    numbers = done.stdout.split("\n")[-passes - 1 :]
    try:
        return [float(t) for t in numbers[:-1]], float(numbers[-1])
    except ValueError as problem:
        raise SystemExit(f"Octave cannot run {program.name}: {done.stderr}") from problem


@cache
def _references() -> ctypes.CDLL | None:
    if which("cc") is None:
        return None
    library = Path(tempfile.mkdtemp()) / "references.so"
    subprocess.run(
        [
            "cc",
            "-O2",
            "-shared",
            "-fPIC",
            "-ffp-contract=off",
            "-o",
            str(library),
            str(REFERENCES),
            "-lm",
        ],
        check=True,
    )
    return ctypes.CDLL(str(library))


def reference(program: Program, n: int, passes: int) -> Answer | None:
    """The C version, where there is one."""
    function = getattr(_references(), program.name, None)
    if function is None:
        return None
    function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double]
    times, result = [], math.nan
    for _ in range(passes):
        started = time.perf_counter()
        result = function(n)
        times.append(time.perf_counter() - started)
    return times, result


@contextmanager
def quiet() -> Iterator[None]:
    """Send what the programs print nowhere."""
    kept = sys.stdout
    with Path("/dev/null").open("w", encoding="utf-8") as nowhere:
        sys.stdout = nowhere
        try:
            yield
        finally:
            sys.stdout = kept


def measure(program: Program, passes: int, peers: bool, quick: bool) -> dict[str, Any]:
    """One row: times in ms by peer, results, whether they agree."""
    n = program.quick if quick and program.quick else program.n
    row: dict[str, Any] = {
        "name": program.name,
        "group": program.group,
        "n": n,
        "target": program.factor,
        "ms": {},
        "results": {},
    }
    with quiet():
        answers: dict[str, Answer | None] = {"fuselab": ours(program, n, passes)}
    if peers and which("octave-cli"):
        answers["octave"] = octave(program, n, min(passes, 4))
    if peers:
        answers["c"] = reference(program, n, passes)
    for name, answer in answers.items():
        if answer is not None:
            row["ms"][name] = statistics.median(answer[0][1:]) * 1e3
            row["results"][name] = answer[1]
            row.setdefault("cold_ms", answer[0][0] * 1e3)
    expected = row["results"]["fuselab"]
    row["parity"] = all(math.isclose(r, expected, rel_tol=1e-12) for r in row["results"].values())
    if "octave" in row["ms"]:
        row["factor"] = row["ms"]["octave"] / row["ms"]["fuselab"]
    return row


def _line(row: dict[str, Any]) -> str:
    ms = row["ms"]
    octave_ms = f"{ms['octave']:.2f}" if "octave" in ms else "–"
    factor = f"{row['factor']:.1f}×" if "factor" in row else "–"
    c = f"{ms['c']:.3f} ({ms['fuselab'] / ms['c']:.1f}×)" if "c" in ms else "–"
    parity = "ok" if row["parity"] else "WRONG"
    return (
        f"| {row['name']} | {row['n']} | {row['cold_ms']:.2f} | {ms['fuselab']:.3f} | "
        f"{octave_ms} | {factor} | {row['target']:g}× | {c} | {parity} |\n"
    )


HEAD = """
| program | n | first ms | warm ms | Octave ms | faster | target | C ms (ours ÷ C) | parity |
|---|---|---|---|---|---|---|---|---|
"""


def table(
    chosen: tuple[Program, ...],
    passes: int,
    peers: bool,
    quick: bool,
    write: Callable[[str], object] = sys.stdout.write,
) -> list[dict[str, Any]]:
    """Measure and print, row by row."""
    write(HEAD)
    rows = []
    for program in chosen:
        rows.append(measure(program, passes, peers, quick))
        write(_line(rows[-1]))
        sys.stdout.flush()
    for group in sorted({r["group"] for r in rows}):
        factors = [r["factor"] for r in rows if r["group"] == group and "factor" in r]
        if factors:
            mean = statistics.geometric_mean(factors)
            write(f"\n{group}: {mean:.1f}× Octave in the geometric mean, {min(factors):.1f}× least")
    write("\n")
    return rows


def main() -> int:
    """Run what was asked for; exit 1 when a result is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--group")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    chosen = tuple(
        p
        for p in PROGRAMS
        if (not options.names or p.name in options.names) and options.group in {None, p.group}
    )
    rows = table(chosen, options.repeat + 1, not options.no_peers, options.quick)
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0 if all(r["parity"] for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
