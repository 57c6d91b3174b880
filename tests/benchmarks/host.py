"""The host path on arrays beside NumPy, torch and GNU Octave; start-up, memory, cancelling.

::

    python -m tests.benchmarks.host [--repeat N] [--json FILE] [--no-peers]

Everything runs with ``--device cpu``. Medians of warm runs, in one process with the peers.
"""

from __future__ import annotations

import argparse
import compileall
import json
import statistics
import subprocess
import sys
import tempfile
import time
import tracemalloc
from contextlib import suppress
from pathlib import Path
from shutil import which
from typing import Any

import numpy as np

from tests.benchmarks.__main__ import measure
from tests.benchmarks.whole import ROOT
from tests.benchmarks.workloads import WORKLOADS

TARGETS: tuple[tuple[str, int, dict[str, float]], ...] = (
    ("elementwise_double", 10_000_000, {"numpy": 3, "torch": 1.5, "octave": 4}),
    ("image", 2, {"numpy": 3, "torch": 1.5}),
    ("monte_carlo", 1_000_000, {"numpy": 10}),
    ("ema", 32_768, {"numpy": 10}),
)
"""Workload, size, and how many times faster than whom."""
HEAD = """
| work | n | first ms | warm ms | NumPy | torch | Octave | targets | parity |
|---|---|---|---|---|---|---|---|---|
"""
LEEWAY = 64 << 20
"""Bytes a fused chain may need beside its results."""


def arrays(repeat: int, peers: bool) -> list[dict[str, Any]]:
    """Measure and print the workloads."""
    sys.stdout.write(HEAD)
    rows = []
    for name, n, targets in TARGETS:
        (work,) = (w for w in WORKLOADS if w.name == name)
        options = argparse.Namespace(device="cpu", repeat=repeat, no_peers=not peers)
        row = measure(work, n, options) | {"targets": targets}
        rows.append(row)
        sys.stdout.write(_line(row))
        sys.stdout.flush()
    return rows


def _line(row: dict[str, Any]) -> str:
    ms = row["ms"]
    cells = [row["name"], str(row["n"]), f"{row['cold_ms']:.1f}", f"{ms['fuselab']:.1f}"]
    cells += [
        f"{ms[p]:.1f} ({ms[p] / ms['fuselab']:.1f}×)" if p in ms else "–"
        for p in ("numpy", "torch", "octave")
    ]
    cells += [
        ", ".join(f"{p} {f:g}×" for p, f in row["targets"].items()),
        "ok" if row["parity"] else "WRONG",
    ]
    return "| " + " | ".join(cells) + " |\n"


def start_up(repeat: int) -> dict[str, Any]:
    """Seconds of an empty script from the shell, and Octave's; installed, that is byte-compiled."""
    compileall.compile_dir(ROOT / "app", quiet=1)
    with tempfile.NamedTemporaryFile("w", suffix=".m") as script:
        script.write("1;\n")
        script.flush()
        commands = {"fuselab": [sys.executable, "-m", "app", "run", script.name]}
        if which("octave-cli"):
            commands["octave"] = ["octave-cli", "-f", "--no-history", script.name]
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(repeat + 1):
            for name, command in commands.items():
                started = time.perf_counter()
                subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
                times[name].append(time.perf_counter() - started)
    return {
        "name": "start_up_s",
        "target": 0.35,
        **{name: statistics.median(t[1:]) for name, t in times.items()},
    }


def chain_memory() -> dict[str, Any]:
    """Bytes a fused chain needs at its peak beside operand and result."""
    from app.accel.runtime.runtime import AccelOptions, Runtime

    runtime = Runtime(AccelOptions(device="cpu"))
    leaf = runtime.leaf(np.linspace(0, 9, 20_000_000)[:, None])
    node = leaf
    for _ in range(8):
        node = runtime.apply("times", (runtime.apply("sin", (node,)), leaf))
    tracemalloc.start()
    runtime.evaluate([node], "bench")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    runtime.close()
    return {"name": "chain_extra_bytes", "target": LEEWAY, "fuselab": peak - leaf.size * 8}


def cancelling() -> dict[str, Any]:
    """Seconds from a cancel to the end of long work in machine code."""
    from app.accel.runtime.runtime import AccelOptions, Runtime
    from app.errors import Interrupted

    runtime = Runtime(AccelOptions(device="cpu"))
    compiler = runtime.executor.host.compiler
    compiler.hot_ms = compiler.wait_ms = -1.0
    leaf = runtime.leaf(np.linspace(1, 9, 40_000_000)[:, None])
    node = leaf
    for _ in range(10):
        node = runtime.apply("power", (runtime.apply("gammaln", (node,)), leaf))
    asked: list[float] = []

    def poll() -> None:
        if asked or time.perf_counter() - begun > 1.0:
            asked.append(time.perf_counter())
            raise Interrupted

    runtime.poll, begun = poll, time.perf_counter()
    with suppress(Interrupted):
        runtime.evaluate([node], "bench")
    ended = time.perf_counter()
    runtime.poll = None
    runtime.close()
    return {"name": "cancel_s", "target": 0.1, "fuselab": ended - asked[0] if asked else None}


def main() -> int:
    """Measure everything; exit 1 when a result is wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json")
    parser.add_argument("--no-peers", action="store_true")
    options = parser.parse_args()
    rows = arrays(options.repeat, not options.no_peers)
    rows += [start_up(options.repeat), chain_memory(), cancelling()]
    for row in rows[len(TARGETS) :]:
        sys.stdout.write(f"{json.dumps(row)}\n")
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 0 if all(row.get("parity", True) for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
