"""``python -m tests.benchmarks.replay``: what a group costs the host in loops that repeat.

::

    python -m tests.benchmarks.replay [--only NAME …] [--scale N] [--passes N] [--repeat N]
                                      [--device gpu|NAME] [--against FOLDER]

Every program is a loop whose passes are some groups each. Shown are, of the best of the warm runs,
the wall time in ms, the time of the engine's thread per group in µs (what the host spends without
waiting), groups, dispatches, command buffers, uploads. ``--against`` runs the programs of this file
with the program in another checkout, too, in turn with this one in processes of their own, and
compares the answers: they must be the same to the last bit.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True)
class Program:
    """A loop.

    Attributes:
        setup: assigns what the loop begins with; ``n`` is the size, ``p`` the passes.
        loop: the whole loop.
        result: a MATLAB expression of one number that tells wrong answers.
        n: its size.
        passes: how many.
    """

    setup: str
    loop: str
    result: str
    n: int
    passes: int = 1000


def _for(body: str) -> str:
    return f"for k = 1:p\n{body}\nend"


_VECTOR = "x = reshape(sin(single(1:n) / 7), n, 1);"
_BOARD = "u = zeros(n, 'single'); u(floor(n/4)+1:floor(n/2), floor(n/4)+1:floor(n/2)) = 1;"
PROGRAMS = {
    "centred": Program(_VECTOR, _for("x = 1.001 * x - mean(x);"), "double(x(7))", 10_000),
    "running": Program(_VECTOR, _for("x = cumsum(x) / 100;"), "double(x(7))", 10_000),
    "paths": Program(
        "D = reshape(mod((1:n*n) * 7919, 1009), n, n);",
        "for k = 1:n\nD = min(D, D(:, k) + D(k, :));\nend",
        "sum(D(:))",
        256,
    ),
    "power": Program(
        "A = reshape(cos(single(1:n*n)), n, n); v = ones(n, 1, 'single');",
        _for("w = A * v; v = w / norm(w);"),
        "double(v(3))",
        1024,
        300,
    ),
    "logistic": Program(
        "X = reshape(sin(single(1:16*n)), n, 16); t = single(X(:, 1) > 0.1);"
        " w = zeros(16, 1, 'single');",
        _for("q = 1 ./ (1 + exp(-X * w)); w = w - 0.01 * (X' * (q - t));"),
        "double(w(3))",
        2_000,
        200,
    ),
    "stencil": Program(
        _BOARD,
        _for(
            "u(2:end-1, 2:end-1) = u(2:end-1, 2:end-1) + 0.2 * (u(1:end-2, 2:end-1)"
            " + u(3:end, 2:end-1) + u(2:end-1, 1:end-2) + u(2:end-1, 3:end)"
            " - 4 * u(2:end-1, 2:end-1));"
        ),
        "double(u(floor(n/3), floor(n/3)))",
        128,
        200,
    ),
    "jacobi": Program(
        _BOARD,
        _for("u = 0.25 * (circshift(u, 1) + circshift(u, -1, 2)) + 0.5 * u;"),
        "double(u(floor(n/3), floor(n/3)))",
        128,
        200,
    ),
    "tolerance": Program(
        "x = reshape(linspace(single(0), single(1), n * n), n, n)'; y = 0 * x; e = 1;",
        "while e > 1e-4\no = y; y = circshift(0.99 * y + 0.01 * x, 1);"
        " e = max(abs(y - o), [], 'all');\nend",
        "double(y(6, 6))",
        96,
    ),
    "broken": Program(
        _VECTOR,
        _for("x = x - 0.001 * mean(abs(x)); m = max(x);\nif m < 0, break, end"),
        "double(x(7))",
        10_000,
    ),
    "noticed": Program(
        _VECTOR,
        _for("x = 1.001 * x - mean(x);\nif mod(k, 100) == 0, fprintf(''); end"),
        "double(x(7))",
        10_000,
    ),
    "evaluated": Program(
        _VECTOR, _for("eval('x = 1.001 * x - mean(x);');"), "double(x(7))", 10_000
    ),
}


def main() -> int:
    """Print a table; exit 1 where answers differ."""
    options = _arguments()
    if options.child:
        sys.stdout.write(json.dumps(measured(options)))
        return 0
    here = str(Path(__file__).resolve().parents[2])
    folders = [here] if options.against is None else [options.against, here]
    names = options.only or list(PROGRAMS)
    sys.stdout.write("| program | of | ms | µs/group | groups | dispatches | submits | uploads |")
    sys.stdout.write(" same |\n|---|---|---|---|---|---|---|---|---|\n")
    right = True
    for name in names:
        rows = [best([_child(name, folder, options) for _ in range(2)]) for folder in folders]
        for folder, row in zip(folders, rows, strict=True):
            same = row["result"] == rows[0]["result"]
            right &= same
            which = "this" if folder == here else "that"
            sys.stdout.write(
                f"| {name} | {which} | {row['ms']:.1f} | {row['us']:.1f} | {row['groups']} |"
                f" {row['dispatches']} | {row['submits']} | {row['uploads']} | {same} |\n"
            )
        sys.stdout.flush()
    return 0 if right else 1


def best(rows: list[Row]) -> Row:
    """The run that took its thread the least time."""
    return min(rows, key=lambda row: float(row["us"]))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=list(PROGRAMS))
    parser.add_argument("--scale", type=float, default=1.0, help="times the sizes")
    parser.add_argument("--passes", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--device", default="gpu")
    parser.add_argument("--against")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def _child(name: str, folder: str, options: argparse.Namespace) -> Row:
    """Measure in a process that runs the program of a folder."""
    given = [
        *("--only", name, "--scale", str(options.scale), "--passes", str(options.passes)),
        *("--repeat", str(options.repeat), "--device", options.device, "--child"),
    ]
    done = subprocess.run(
        [sys.executable, __file__, *given],
        env={**os.environ, "PYTHONPATH": folder},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    row: Row = json.loads(done.stdout)
    return row


def measured(options: argparse.Namespace) -> Row:
    """The best warm run of a program."""
    from app import settings
    from app.engine.session.session import Session
    from app.engine.values import DeviceArray, as_array
    from app.source import SourceText

    program = PROGRAMS[options.only[0]]
    session = Session(settings.load({"FUSELAB_DEVICE": options.device}), lambda event: None, ())

    def wait(value: Any, nargout: int = 0) -> None:
        if isinstance(value, DeviceArray):
            session.interpreter.runtime.evaluate([value.node])
        session.interpreter.runtime.synchronize()

    session.interpreter.define_functions({"wait_for": wait})
    n = max(1, int(program.n * options.scale))
    passes = options.passes or program.passes
    first = program.setup.partition(" ")[0]
    wall = spent = 0.0
    setup = f"n = {n}; p = {passes}; {program.setup}\nwait_for({first});"
    work = f"{program.loop}\nresult = gather({program.result});"
    rows: list[Row] = []
    for _ in range(options.repeat + 2):
        for text, timed in ((setup, False), (work, True)):
            started, spent = time.perf_counter(), time.thread_time()
            session.run_source(SourceText("work.m" if timed else "setup.m", text))
            wall, spent = time.perf_counter() - started, time.thread_time() - spent
            assert session.last_status == "ok", session.last_report.get("error")
        counters = session.last_report["counters"]
        groups = sum(row["executions"] for row in session.last_report["groups"])
        result = float(as_array(session.interpreter.workspace["result"]).item())
        rows.append(
            {
                "ms": wall * 1000,
                "us": spent * 1e6 / max(1, groups),
                "groups": groups,
                "result": result.hex(),
                **{key: counters[key] for key in ("dispatches", "submits", "uploads")},
            }
        )
    session.close()
    return best(rows[2:])


if __name__ == "__main__":
    sys.exit(main())
