"""``make bench``: the workloads here and in the peers that are installed, in one run.

::

    python -m tests.benchmarks [--only NAME …] [--device auto|cpu|gpu|NAME] [--sizes N …]
                               [--repeat N] [--json FILE] [--no-peers] [--placement]

Prints a Markdown table: median warm time of each, the first (cold) time of ours, parity, kernels,
and the share of the device's bandwidth where the work is bound by it. Times of one row are from
one process, one after the other; only their ratios mean anything. With ``--placement``: what
`auto` takes beside forced cpu and forced gpu, and estimates beside measured times.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from tests.benchmarks import placement
from tests.benchmarks.workload import Workload
from tests.benchmarks.workloads import WORKLOADS

ROOT = Path(__file__).parents[2]
OCTAVE_SHIMS = {
    "wait_for": "function wait_for(x), end\n",
    "keep": "function keep(x), end\n",
    "gather": "function y = gather(x), y = x; end\n",
}
LOOP = """{setup}
times = zeros(1, {repeat});
for bench_pass = 1:{repeat}
    bench_start = tic;
    {code}
    times(bench_pass) = toc(bench_start);
end
"""


def main() -> int:
    """Run what was asked for; exit 1 when a result is wrong."""
    options = _arguments()
    chosen = tuple(w for w in WORKLOADS if not options.only or w.name in options.only)
    if options.placement:
        rows = placement.table(chosen, options.sizes, options.repeat)
    else:
        rows = _measured(chosen, options)
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 1 if any(not r.get("parity", True) for r in rows) else 0


def _measured(chosen: tuple[Workload, ...], options: argparse.Namespace) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for work in chosen:
        for n in options.sizes or work.sizes:
            row = measure(work, n, options)
            rows.append(row)
            sys.stdout.write(_line(row) if len(rows) > 1 else _head(row) + _line(row))
            sys.stdout.flush()
    return rows


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--sizes", nargs="*", type=int)
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--json")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--placement", action="store_true")
    return parser.parse_args()


def measure(work: Workload, n: int, options: argparse.Namespace) -> dict[str, Any]:
    """One row: ours and the peers."""
    row: dict[str, Any] = {"name": work.name, "n": n, "ms": {}, "results": {}}
    _ours(work, n, options, row)
    if not options.no_peers:
        _library("numpy", work.numpy, n, options.repeat, row)
        _library("torch", work.torch, n, options.repeat, row)
        if n <= work.octave:
            _octave(work, n, row)
    expected = next((v for k, v in row["results"].items() if k != "fuselab"), None)
    ours = row["results"]["fuselab"]
    row["parity"] = expected is None or abs(ours - expected) <= work.tolerance * abs(expected)
    seconds = row["ms"]["fuselab"] / 1e3
    if work.bytes_moved:
        row["gb_per_s"] = work.bytes_moved(n) / seconds / 1e9
    if work.flops:
        row["gflop_per_s"] = work.flops(n) / seconds / 1e9
    return row


def _ours(work: Workload, n: int, options: argparse.Namespace, row: dict[str, Any]) -> None:
    from app import settings
    from app.engine.session import Session
    from app.engine.values import DeviceArray
    from app.source import SourceText

    session = Session(settings.load({"FUSELAB_DEVICE": options.device}), _complain)

    def keep(value: Any, nargout: int = 0) -> None:
        if isinstance(value, DeviceArray):
            session.interpreter.runtime.evaluate([value.node])
        session.interpreter.runtime.synchronize()

    for name in ("keep", "wait_for"):
        session.interpreter.define_command_function(name, keep)
    setup = f"n = {n}; {work.setup}"
    code = LOOP.format(setup=setup, code=work.code, repeat=options.repeat + 1)
    session.run_source(SourceText("bench.m", code))
    variables = session.interpreter.workspace
    times = [float(t) for t in variables["times"].ravel()]
    row["results"]["fuselab"] = float(np.asarray(variables["result"]).flat[0])
    report = session.last_report
    session.close()
    row["cold_ms"] = times[0] * 1e3
    row["ms"]["fuselab"] = statistics.median(times[1:]) * 1e3
    row["device"] = report["device"]["name"]
    row["placed"] = sorted({g["provider"] for g in report["groups"]})
    row["counters"] = report["counters"]


def _complain(event: Any) -> None:
    if type(event).__name__ == "ErrorRaised":
        raise SystemExit(f"the workload failed: {event.message}\n{event.caret}")


def _library(name: str, peer: Any, n: int, repeat: int, row: dict[str, Any]) -> None:
    if peer is None or importlib.util.find_spec(name) is None:
        return
    library = importlib.import_module(name)
    if name == "torch":
        library.set_default_device("cuda" if library.cuda.is_available() else "cpu")
        library.backends.cuda.matmul.allow_tf32 = False
    setup, work = peer
    data = setup(library, n)
    data = n if data is None else data
    times = []
    for _ in range(repeat + 1):
        started = time.perf_counter()
        row["results"][name] = work(library, data)
        times.append(time.perf_counter() - started)
    row["ms"][name] = statistics.median(times[1:]) * 1e3


def _octave(work: Workload, n: int, row: dict[str, Any]) -> None:
    from shutil import which

    if which("octave-cli") is None:
        return
    code = LOOP.format(setup=f"n = {n}; {work.setup}", code=work.code, repeat=3)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in OCTAVE_SHIMS.items():
            Path(folder, f"{name}.m").write_text(text, encoding="utf-8")
        script = Path(folder, "bench_main.m")
        script.write_text(f"1;\n{code}\nprintf('%.17g %.17g\\n', median(times(2:end)), result);\n",
                          encoding="utf-8")  # fmt: skip
        command = ["octave-cli", "-f", "--no-history", "--path", folder, str(script)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    parts = done.stdout.split()
    if len(parts) == 2:
        row["ms"]["octave"], row["results"]["octave"] = float(parts[0]) * 1e3, float(parts[1])


def _head(row: dict[str, Any]) -> str:
    return (
        f"device: {row['device']}\n\n"
        "| work | n | where | cold ms | warm ms | numpy | torch | octave | GB/s | GFLOP/s | parity |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|\n"
    )


def _line(row: dict[str, Any]) -> str:
    ours = row["ms"]["fuselab"]

    def ratio(name: str) -> str:
        other = row["ms"].get(name)
        return "–" if other is None else f"{other:.2f} ({other / ours:.1f}×)"

    rates = [f"{row[k]:.0f}" if k in row else "–" for k in ("gb_per_s", "gflop_per_s")]
    cells = [row["name"], f"{row['n']:.0e}" if row["n"] > 99999 else str(row["n"]),
             "+".join(row["placed"]), f"{row['cold_ms']:.2f}", f"{ours:.3f}", ratio("numpy"),
             ratio("torch"), ratio("octave"), *rates, "ok" if row["parity"] else "WRONG"]
    return "| " + " | ".join(cells) + " |\n"


if __name__ == "__main__":
    sys.exit(main())
