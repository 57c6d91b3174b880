"""``python -m tests.benchmarks.peers_suite``: the suite beside torch and Octave.

::

    python -m tests.benchmarks.peers_suite [--only NAME …] [--sides gpu auto cpu torch torch.compile octave]
                                           [--small] [--repeat N] [--json FILE]

Every program runs on every side in a process of its own. A Markdown table: warm medians in ms, the
first time of ours in brackets, downloads of the forced device, and whether results agree; at the
end geometric means of torch eager over ours. Octave runs the ``.m`` file at the small size only.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import which
from typing import Any

from tests.benchmarks.peers_suite.measuring import Row, warm
from tests.benchmarks.peers_suite.suite import SUITE, Entry

SIDES = ("gpu", "auto", "cpu", "torch", "torch.compile", "octave")
OCTAVE = """n = {n};
{setup}
{functions}
spent = [];
for pass = 1:{repeat}
    started = tic;
{work}
    spent(end+1) = 1000 * toc(started);
end
printf('{{"ms": [%s], "result": %.17g}}\\n', strjoin(arrayfun(@(t) sprintf('%.6g', t), spent, 'UniformOutput', false), ', '), result);
"""


def main() -> int:
    """Measure what was asked for; exit 1 when results differ."""
    options = _options()
    rows = []
    sides = [side for side in options.sides if side != "octave" or which("octave-cli")]
    sys.stdout.write(f"| program | {' | '.join(sides)} | downloads | results |\n")
    sys.stdout.write("|---" * (len(sides) + 3) + "|\n")
    for entry in SUITE:
        if options.only and entry.name not in options.only:
            continue
        row = _measured(entry, sides, options)
        rows.append(row)
        sys.stdout.write(_line(row, sides) + "\n")
        sys.stdout.flush()
        if options.json:
            Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")
    for side in ("gpu", "auto", "cpu"):
        for peer in ("torch", "torch.compile", "octave"):
            _say_mean(rows, side, peer)
    return 1 if any(row["agree"] is False for row in rows) else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.peers_suite")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--sides", nargs="+", default=list(SIDES), choices=SIDES)
    parser.add_argument("--small", action="store_true", help="sizes for two cores")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--timeout", type=float, default=120, help="seconds for each side")
    parser.add_argument("--json")
    return parser.parse_args()


def _measured(entry: Entry, sides: list[str], options: argparse.Namespace) -> dict[str, Any]:
    n = entry.small if options.small else entry.n
    row: dict[str, Any] = {"name": entry.name, "field": entry.field, "n": n, "sides": {}}
    for side in sides:
        if side == "octave" and not options.small:
            continue
        row["sides"][side] = _in_process(entry, side, n, options)
    results = [one["result"] for one in row["sides"].values() if "result" in one]
    near = [math.isclose(r, results[0], rel_tol=entry.tolerance) for r in results]
    row["agree"] = all(near) if len(results) > 1 else None
    return row


def _in_process(entry: Entry, side: str, n: int, options: argparse.Namespace) -> Row:
    """What one side said, or why it said nothing."""
    module = "tests.benchmarks.peers_suite.measuring"
    command = [sys.executable, "-m", module, entry.name, side, str(n), str(options.repeat)]
    with tempfile.TemporaryDirectory() as folder:
        if side == "octave":
            path = Path(folder, "timed.m")
            path.write_text(_octave_text(entry, n, options.repeat), encoding="utf-8")
            command = ["octave-cli", "--norc", "--quiet", str(path)]
        env = {**os.environ, "FUSELAB_HOME": str(Path(folder, "home"))}
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                timeout=options.timeout,
                env=env,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"missing": f"no answer in {options.timeout:g} s"}
    if done.returncode:
        return {"missing": (done.stderr.strip().splitlines() or ["no message"])[-1][:200]}
    told: Row = json.loads(done.stdout.strip().splitlines()[-1])
    return told


def _octave_text(entry: Entry, n: int, repeat: int) -> str:
    """Octave wants functions of a script before their use."""
    setup, work = entry.text
    work, _, functions = work.partition("\nfunction ")
    functions = f"function {functions}" if functions else ""
    return OCTAVE.format(n=n, setup=setup, functions=functions, work=work, repeat=repeat)


def _line(row: dict[str, Any], sides: list[str]) -> str:
    cells = [_cell(row["sides"].get(side, {}), side) for side in sides]
    downloads = row["sides"].get("gpu", {}).get("counters", {}).get("downloads", "–")
    agree = {True: "agree", False: "DIFFER", None: "–"}[row["agree"]]
    if row["agree"] is False:
        agree += " " + " ".join(f"{k}={v.get('result')}" for k, v in row["sides"].items())
    return f"| {row['name']} | {' | '.join(cells)} | {downloads} | {agree} |"


def _cell(one: Row, side: str) -> str:
    if "ms" not in one:
        return one.get("missing", "–")
    text = f"{warm(one['ms']):.2f}"
    return text if side.startswith("torch") else f"{text} ({one['ms'][0]:.0f})"


def _say_mean(rows: list[dict[str, Any]], side: str, peer: str) -> None:
    """The geometric mean of a peer's time over ours, and in how many rows it is at least 0.8."""
    both = [
        warm(row["sides"][peer]["ms"]) / warm(row["sides"][side]["ms"])
        for row in rows
        if "ms" in row["sides"].get(side, {}) and "ms" in row["sides"].get(peer, {})
    ]
    if both:
        mean = math.exp(sum(math.log(ratio) for ratio in both) / len(both))
        good = sum(ratio >= 0.8 for ratio in both)
        sys.stdout.write(f"{peer} / {side}: {mean:.2f} over {len(both)}, {good} at 0.8 or more\n")


if __name__ == "__main__":
    sys.exit(main())
