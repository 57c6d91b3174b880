"""Run the test blocks of the installed Octave's function files against this engine.

``python -m tests.oracle.bist [FOLDER ...] [--show N] [--jobs N]`` prints a pass table per folder. A
block counts when every function it needs exists here. Error blocks count as passed when an error
is raised; the texts differ by design (the messages here are MATLAB's).
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.engine.values import EMPTY
from app.errors import Interrupted, MatlabError
from tests.oracle import blocks

if TYPE_CHECKING:
    from tests.oracle.engine import Engine

TEST_FILES: dict[str, tuple[str, ...]] = {
    "struct": ("fixed/struct.tst", "libinterp/octave-value/ov-struct.cc-tst"),
    "cell": (
        "libinterp/octave-value/ov-cell.cc-tst",
        "libinterp/corefcn/Cell.cc-tst",
        "libinterp/corefcn/cellfun.cc-tst",
    ),
    "language": (
        "fixed/args.tst",
        "fixed/error.tst",
        "fixed/eval-catch.tst",
        "fixed/for.tst",
        "fixed/func.tst",
        "fixed/global.tst",
        "fixed/if.tst",
        "fixed/index.tst",
        "fixed/line-continue.tst",
        "fixed/logical-index.tst",
        "fixed/null-assign.tst",
        "fixed/parser.tst",
        "fixed/recursion.tst",
        "fixed/return.tst",
        "fixed/single-index.tst",
        "fixed/slice.tst",
        "fixed/switch.tst",
        "fixed/transpose.tst",
        "fixed/try.tst",
        "fixed/unwind.tst",
        "fixed/while.tst",
    ),
}
"""Folders that Octave has no function files for: its test files about the same thing."""
BLOCK_SECONDS = 5
FILE_SECONDS = 40
LANGUAGE = (
    "general",
    "strings",
    "struct",
    "cell",
    "miscellaneous",
    "set",
    "polynomial",
)
LIBRARY = (
    "elfun",
    "general",
    "geometry",
    "linear-algebra",
    "polynomial",
    "set",
    "signal",
    "sparse",
    "specfun",
    "special-matrix",
    "statistics",
    "strings",
    "struct",
    "time",
    "io",
    "ode",
    "optimization",
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one block ended and why: ``pass``, ``differs``, ``lacks``, ``missing`` (a function),
    ``skipped``, or ``fail`` for what no list explains: a bug.
    """

    folder: str
    file: str
    line: int
    outcome: str
    reason: str = ""


def octave_root() -> Path:
    """The folder of the installed Octave's own function files."""
    command = ["octave-cli", "-f", "--no-history", "--eval", "disp(matlabroot), disp(version)"]
    root, version = subprocess.run(
        command, capture_output=True, text=True, check=True
    ).stdout.split()
    return Path(root) / "share" / "octave" / version / "m"


def run_file(path: Path) -> list[Verdict]:
    """Verdicts of every block of one file, in a session of its own."""
    found = blocks.read(path)
    folder = next((p.name for p in path.parents if p.parent.name == "m"), path.parent.name)
    folder = next((n for n, ends in TEST_FILES.items() if str(path).endswith(ends)), folder)
    if not found.blocks:
        return []
    runner = _Runner(found)
    verdicts = [Verdict(folder, path.stem, b.line, *runner.run(b)) for b in found.blocks]
    return [_classified(v) for v in verdicts if v.outcome]


@cache
def listed(name: str) -> dict[str, str]:
    """Places of blocks by a list, and why they are on it.

    ``differences`` contradict MATLAB's documentation, ``lacking`` ask for what is not built.
    """
    rules: dict[str, str] = {}
    text = Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        place, _, rule = line.partition("  ")
        name, _, numbers = place.partition(":")
        if not line.startswith("#"):
            rules.update({f"{name}:{n}": rule for n in numbers.split(",")})
    return rules


def _classified(v: Verdict) -> Verdict:
    """A failure that is on a list is no bug."""
    place = f"{v.folder}/{v.file}:{v.line}"
    for name, outcome in (("differences", "differs"), ("lacking", "lacks")):
        rule = listed(name).get(place, "")
        if rule and v.outcome == "fail":
            return replace(v, outcome=outcome, reason=rule)
    return v


class _Runner:
    """Runs the blocks of one file."""

    def __init__(self, found: blocks.TestFile) -> None:
        from tests.oracle.engine import Engine

        self.found = found
        self.engine = Engine()

    def run(self, block: blocks.Block) -> tuple[str, str]:
        if block.known_bug:
            return "skipped", "a known bug of Octave"
        if self.found.path.suffix == ".m" and not self.engine.has(self.found.path.stem):
            return "missing", self.found.path.stem
        if block.kind == "function":
            self.engine.define(block.code)
            return "", ""
        if block.kind == "shared":
            self.engine.shared = dict.fromkeys(block.names, EMPTY)
        try:
            problem = _limited(self.engine, lambda: self.engine.run(block.code))
        except Interrupted:
            return "fail", "took too long"
        if block.kind == "shared":
            return "", ""
        return _judge(block, problem, self.engine)


def _judge(block: blocks.Block, problem: Exception | None, engine: object) -> tuple[str, str]:
    identifier = getattr(problem, "identifier", "") if problem else ""
    reason = f"{type(problem).__name__}: {problem}".splitlines()[0][:160] if problem else ""
    if identifier == "MATLAB:UndefinedFunction":
        name = re.search(r"'([^']+)'", str(problem))
        if name and not engine.has(name[1]) and block.kind != "error":  # type: ignore[attr-defined]
            return "missing", name[1]
    raised = isinstance(problem, MatlabError) and identifier != "Fuselab:internal"
    if block.kind in {"error", "fail"} and raised:
        return "pass", ""
    if block.kind == "error":
        return ("fail", reason or "no error was raised")
    return ("pass", "") if problem is None else ("fail", reason)


def _limited(engine: Engine, action: Callable[[], Exception | None]) -> Exception | None:
    """Run with a limit: the engine is asked to stop, and interrupted if it does not."""

    def expire(*_: object) -> None:
        if engine.host.expired:
            raise Interrupted
        engine.expire()
        signal.alarm(1)

    signal.signal(signal.SIGALRM, expire)
    signal.alarm(BLOCK_SECONDS)
    try:
        return action()
    finally:
        signal.alarm(0)


def files(root: Path, folders: list[str]) -> Iterator[Path]:
    """Every function file of the folders (relative to the root, or single files)."""
    for folder in folders:
        yield from (root.parent / "etc" / "tests" / name for name in TEST_FILES.get(folder, ()))
        place = root / folder
        yield from [place] if place.suffix == ".m" else sorted(place.rglob("*.m"))


def run_all(paths: list[Path], jobs: int) -> tuple[list[Verdict], list[str]]:
    """Run every file in a process of its own; verdicts, and the files that crashed or hung."""
    fork = multiprocessing.get_context("fork")
    verdicts: list[Verdict] = []
    broken: list[str] = []
    waiting = paths[::-1]
    running: list[tuple[Path, Any, Any, float]] = []
    while waiting or running:
        while waiting and len(running) < jobs:
            path = waiting.pop()
            receive, send = fork.Pipe(duplex=False)
            process = fork.Process(target=_child, args=(path, send), daemon=True)
            process.start()
            send.close()
            running.append((path, process, receive, time.monotonic() + FILE_SECONDS))
        for job in list(running):
            path, process, receive, deadline = job
            if receive.poll(0.002):
                try:
                    verdicts += receive.recv()
                except EOFError:
                    broken.append(f"{path.name}: the process ended")
            elif time.monotonic() < deadline:
                continue
            else:
                broken.append(f"{path.name}: hung")
                process.kill()
            process.join()
            running.remove(job)
    return verdicts, broken


def _child(path: Path, send: Any) -> None:
    with open(os.devnull, "w") as sink:  # noqa: PTH123 - a device
        os.dup2(sink.fileno(), 1)
        os.dup2(sink.fileno(), 2)
    send.send(run_file(path))
    send.close()
    os._exit(0)


def main(arguments: list[str] | None = None) -> int:
    """Print the table; exit 1 when a file could not be run at all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="*", default=sorted({*LANGUAGE, *LIBRARY, *TEST_FILES}))
    parser.add_argument("--show", type=int, default=0, help="list so many failures")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    root = octave_root()
    verdicts, broken = run_all(list(files(root, options.folders)), options.jobs)
    _print(verdicts, broken, options.show)
    return 1 if broken else 0


def _print(verdicts: list[Verdict], broken: list[str], show: int) -> None:
    print(
        f"{'folder':16} {'run':>6} {'pass':>6} {'share':>7} {'differ':>7} {'lack':>5} {'bug':>5} "
        f"{'missing':>8}"
    )
    for folder in [*sorted({v.folder for v in verdicts}), ""]:
        part = [v for v in verdicts if not folder or v.folder == folder]
        count = Counter(v.outcome for v in part)
        ran = count["pass"] + count["fail"] + count["lacks"]
        share = f"{100 * count['pass'] / ran:.1f} %" if ran else "-"
        name = folder or "all"
        rest = f"{count['differs']:7} {count['lacks']:5} {count['fail']:5} {count['missing']:8}"
        print(f"{name:16} {ran:6} {count['pass']:6} {share:>7} {rest}")
    for text in broken:
        print("crashed:", text)
    missing = Counter(v.reason for v in verdicts if v.outcome == "missing")
    print("missing:", ", ".join(f"{n} ({k})" for n, k in missing.most_common(60)))
    for v in [v for v in verdicts if v.outcome == "fail"][:show]:
        print(f"{v.folder}/{v.file}:{v.line}: {v.reason}")


if __name__ == "__main__":
    sys.exit(main())
