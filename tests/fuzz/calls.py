"""Every builtin called with values nobody expects: sizes beyond any memory, odd classes, deep ones.

Each call of `calls` ends in an answer or an error of MATLAB's: a bug of ours ("Fuselab:internal"),
the words of a Python exception in the text of an error, and a call that does not end and does not
heed a stop are findings.

``python -m tests.fuzz.calls [SECONDS] [SEED]`` goes on for so long.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

from app.engine.declarations import registry
from app.engine.declarations.effects import only_computes
from app.engine.declarations.registry import Builtin
from tests.fuzz.programs import Runs

NUMBERS = (
    *("0", "1", "3", "-1", "0.5", "1e10", "1e18", "2^63", "1e308", "Inf", "-Inf", "NaN", "1+2i"),
    *('intmax("uint64")', "int8(200)", "single(3e38)", "true", "realmin", "-0"),
)
ARRAYS = (
    *(
        "[]",
        "1:3",
        "(1:4)'",
        "[1 2; 3 4]",
        "ones(2, 3, 2)",
        "1:3000",
        "zeros(0, 3)",
        "[NaN Inf -Inf]",
    ),
    *("sparse([1 0; 0 2])", "single([1 2 3])", "int32([1 -2 3])", "[true false]", "[1+2i 3]"),
)
OTHERS = (
    *(
        "'text'",
        '"a"',
        '["a" "b"]',
        "''",
        "{1, 'a'}",
        "{}",
        "@sin",
        "@(x) x",
        "struct('a', {1, 2})",
    ),
    *(
        "table([1; 2])",
        "datetime(2020, 1, 1:2)",
        "hours(1:2)",
        "categorical({'a', 'b'})",
        "missing",
    ),
    *("containers.Map('a', 1)", "char(0)", "char(55296)", "repmat('a', 1, 5000)", "NaT", "{{{}}}"),
)
KINDS = (NUMBERS, ARRAYS, OTHERS)
PYTHON = re.compile(
    r"Traceback|NoneType|has no attribute|ndarray|__\w+__|\b(Type|Value|Key|Index|Attribute)Error\b"
    r"|positional argument|<class '|not subscriptable|could not broadcast|unhashable|object is not"
    r"|\barray\(\[|\bnp\.\w+\(|dtype|object at 0x|<app\.|\bDeviceArray|\bCharArray|StringArray\("
)
"""Words that only an exception of Python's says."""


def computing() -> list[Builtin]:
    """The builtins that can be called without an effect."""
    found = registry.load_all().values()
    known = [b for b in found if not b.name.startswith("__")]  # those are Octave's alone
    return [b for b in known if only_computes(b.name, b.category) and b.category != "programs"]


def call(builtin: Builtin, choose: random.Random) -> str:
    """A call with as many inputs as it takes, one or two of them out of the ordinary."""
    most = min(builtin.max_args, builtin.min_args + 2, 4)
    count = choose.randint(min(builtin.min_args, most), most)
    inputs = [choose.choice(choose.choice(KINDS)) for _ in range(count)]
    outputs = choose.randint(1, max(1, min(builtin.max_outputs, 3)))
    left = ", ".join(f"r{k}" for k in range(outputs))
    return (
        f"[{left}] = {builtin.name}({', '.join(inputs)});"
        if builtin.max_outputs
        else (f"{builtin.name}({', '.join(inputs)});")
    )


class Campaign(ABC):
    """One session after the other, each with one line of code."""

    def __init__(self) -> None:
        self.runs = Runs()

    @abstractmethod
    def code(self, choose: random.Random) -> str:
        """What to run."""

    def findings(self, seed: int) -> Iterator[str]:
        """What is wrong about how the code of a seed ends."""
        code = self.code(random.Random(seed))
        if said := self.problem(code):
            yield f"{code} {said} (seed {seed})"

    def problem(self, code: str) -> str:
        """What is wrong about how some code ends; empty where nothing is."""
        said = self.runs(code)
        texts = [getattr(event, "message", "") for event in self.runs.events]
        return (said or next((text for text in texts if PYTHON.search(text)), ""))[:300]


class Calls(Campaign):
    """Calls of one builtin each."""

    def __init__(self) -> None:
        super().__init__()
        self.builtins = computing()

    def code(self, choose: random.Random) -> str:
        """A call of any of them."""
        return call(choose.choice(self.builtins), choose)


def campaign(name: str, made: Campaign, given: list[str]) -> int:
    """Go on for the given seconds from the given seed; 1 when something was found."""
    from app.engine.session.confinement import confine

    seconds, seed = [*given, *("60", "1")[len(given) :]]
    top, count, found = Path(__file__).parents[2], 0, 0
    end = time.monotonic() + float(seconds)
    with tempfile.TemporaryDirectory() as folder:
        confine((top / "resources", top / "tests"), [str(Path(folder) / "none")])
        while time.monotonic() < end:
            for said in made.findings(int(seed) + count):
                found += 1
                sys.stdout.write(f"{said}\n")
                sys.stdout.flush()
            count += 1
    sys.stdout.write(f"{name}: {count} {made.runs.statuses}, {found} findings\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(campaign("calls", Calls(), sys.argv[1:]))
