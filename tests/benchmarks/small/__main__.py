"""Small work beside GNU Octave in one run: what most programs spend their time on.

::

    python -m tests.benchmarks.small [table] [functions] [programs]
                                     [--only WORD …] [--turns N] [--cold] [--json FILE] [--slow]

``table``: the rows of the requirement; ``functions``: every common function on 1, 10, 100 and 1,000
elements; ``programs``: whole small programs, warm and (``--cold``) as fresh processes. All without
a name. Factors are Octave's processor time over ours: above 1 we are faster. Results are compared.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.small.cases import TABLE, sweep
from tests.benchmarks.small.peers import OCTAVE, OURS, Case, Timing, cold, warm

PROGRAMS = Path(__file__).parent / "programs"
PARTS = ("table", "functions", "programs")
Row = dict[str, str | float]


def main() -> int:
    """Print the tables; exit 1 when a result differs."""
    options = _arguments()
    rows: list[Row] = []
    for part in options.parts or PARTS:
        cases = [c for c in _cases(part) if _wanted(c.name, options.only)]
        for first in range(0, len(cases), 40):
            batch = cases[first : first + 40]
            whole = part == "programs"  # their loops are compiled beside them, which takes a while
            folders, least = ((PROGRAMS,), 0.06) if whole else ((), 0.01)
            found = warm(batch, options.turns, least, folders=folders)
            for case, ours, theirs in zip(batch, found[OURS], found[OCTAVE], strict=True):
                row = _row(part, case, ours, theirs)
                if part == "programs" and options.cold:
                    _add_cold(row, case, options.turns)
                rows.append(row)
                if not options.slow or _is_slow(row):
                    sys.stdout.write(_line(row))
                    sys.stdout.flush()
        _summary(part, [r for r in rows if r["part"] == part])
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1), encoding="utf-8")
    return 1 if any(r["differs"] for r in rows) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=(*PARTS, []))
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--turns", type=int, default=2)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--slow", action="store_true", help="show only what is slower or differs")
    parser.add_argument("--json")
    return parser.parse_args()


def _cases(part: str) -> list[Case]:
    if part == "table":
        return TABLE
    if part == "functions":
        return sweep()
    names = sorted(p.stem for p in PROGRAMS.glob("*.m"))
    return [Case(name, f"y = {name}();") for name in names]


def _wanted(name: str, words: list[str]) -> bool:
    return not words or any(name == w or name.startswith(f"{w} ×") for w in words)


def _row(part: str, case: Case, ours: Timing, theirs: Timing) -> Row:
    return {
        "part": part,
        "name": case.name,
        "ours_us": ours.seconds * 1e6,
        "octave_us": theirs.seconds * 1e6,
        "factor": theirs.seconds / ours.seconds,
        "differs": "" if ours.result == theirs.result else f"{ours.result} | {theirs.result}"[:200],
    }


def _add_cold(row: Row, case: Case, turns: int) -> None:
    """Fresh processes, in turns: the least processor and wall time of each side."""
    text = f"addpath('{PROGRAMS}');\n{case.code}\nif ischar(y), disp(y), else, disp(sum(double(y(:)))), end\n"
    best: dict[str, tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as home:
        for _ in range(max(2, turns)):
            for side in (OURS, OCTAVE):
                spent, wall, _printed = cold(text, side, home)
                least = best.get(side, (math.inf, math.inf))
                best[side] = min(least[0], spent), min(least[1], wall)
    row["cold_factor"] = best[OCTAVE][0] / best[OURS][0]
    row["cold_wall_factor"] = best[OCTAVE][1] / best[OURS][1]


def _is_slow(row: Row) -> bool:
    return (
        bool(row["differs"])
        or not float(row["factor"]) >= 1
        or float(row.get("cold_factor", 9)) < 0.9
    )


def _line(row: Row) -> str:
    ours, theirs, factor = (float(row[k]) for k in ("ours_us", "octave_us", "factor"))
    text = f"{row['name']!s:48} {ours:12.2f} µs {theirs:12.2f} µs  {factor:8.2f} ×"
    if "cold_factor" in row:
        text += (
            f"  cold {float(row['cold_factor']):6.2f} × (wall {float(row['cold_wall_factor']):.2f})"
        )
    if row["differs"]:
        text += f"   DIFFERS: {row['differs']}"
    return text + "\n"


def _summary(part: str, rows: list[Row]) -> None:
    for key in ("factor", "cold_factor"):
        factors = [float(r[key]) for r in rows if key in r and 0 < float(r[key]) < math.inf]
        if factors:
            mean = math.exp(sum(map(math.log, factors)) / len(factors))
            slower = sum(f < 1 for f in factors)
            sys.stdout.write(
                f"-- {part}, {key}: geometric mean {mean:.2f} × over {len(factors)} rows,"
                f" {slower} below 1, least {min(factors):.2f}\n"
            )


if __name__ == "__main__":
    sys.exit(main())
