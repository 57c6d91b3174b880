"""Examples of the library with one thing wrong in a call: right up to there, so deep inside.

`corpus` are the lines that declarations and tests give as examples of functions, classes and
properties. `changed` takes an argument of a call or the value of an assignment for one of
another kind, size or class, or leaves out, repeats and exchanges arguments. What must not happen
is said in `tests.fuzz.calls`.

``python -m tests.fuzz.arguments [SECONDS] [SEED]`` goes on for so long.
"""

from __future__ import annotations

import random
import sys

from app.engine.declarations import registry
from app.engine.language import MATLAB, parse
from app.engine.language.ast import Assign, CellIndex, Index, Node
from app.engine.language.walk import walk
from app.source import SourceText, Span
from tests.fuzz.calls import KINDS, Campaign, campaign
from tests.fuzz.programs import TOP

FILES = (
    *("documented/values.m", "documented/shown.txt", "documented/errors.txt"),
    *("library_examples.txt", "modern_classes.txt"),
)
"""Where lines of the language stand, below the tests of builtins."""
MORE = (
    *("Inf(1, 3)", "uint8([])", "single([])", "zeros(1, 0, 'int16')", "cell(0, 2)", "strings(0)"),
    *("struct([])", "NaN(3, 1)", "1e9", "-1e9", "[0 0]", "-5:5", "ones(3, 3, 3) > 0", "1i*eye(2)"),
    *("sparse(3, 0)", "sparse([true false])", "speye(1000)", "string(missing)", "{'a'; 'b'}"),
    *(
        "gpuArray([1 2])",
        "gpuArray(single([]))",
        "@(varargin) deal(varargin{:})",
        "@() error('x:y', 'z')",
    ),
    *(
        "table()",
        "timetable(seconds([1; 2]), [1; 2])",
        "duration(NaN, 1, 1)",
        "calendarDuration(1, 2, 3)",
    ),
    *("categorical([])", "tf(1, [1 1])", "figure", "gobjects(0)", "axes", "MException('a:b', 'c')"),
    *("containers.Map()", "dictionary()", "inputParser", "'nosuchoption'", '"all"', "'a':'z'"),
    *(
        "char([104 0 55357 56832])",
        "{[], {}, ''}",
        "['ab'; 'cd']",
        "NaN + 1i*Inf",
        "intmin('int64')",
    ),
    *(
        "polyshape([0 1 1], [0 0 1])",
        "graph([1 2], [2 3])",
        "RandStream('mt19937ar')",
        "repmat({1}, 50, 50)",
    ),
)
"""Values beside those of `tests.fuzz.calls`."""
COUNTS = ("none", "again", "swapped", "one more")


def corpus() -> list[str]:
    """Lines to start from, in an order that is always the same."""
    lines = [case for b in registry.load_all().values() for case in b.cases]
    for name in FILES:
        text = (TOP / "tests/engine/builtins" / name).read_text(encoding="utf-8")
        lines += [line.partition(" ==> ")[0] for line in text.splitlines() if line[:1] not in "%#"]
    return sorted({line for line in lines if line.strip()})


def changed(line: str, choose: random.Random) -> str:
    """The line with something else in one or two of its calls; the line itself without calls."""
    for _ in range(choose.choice((1, 1, 1, 2))):
        nodes = [n for n in walk(parse(SourceText("<line>", line), MATLAB).file) if _can_change(n)]
        if not nodes:
            return line
        span, text = _change(choose.choice(nodes), line, choose)
        line = line[: span.start] + text + line[span.end :]
    return line


def _can_change(node: Node) -> bool:
    return isinstance(node, Assign) or (isinstance(node, Index | CellIndex) and bool(node.args))


def _change(node: Node, line: str, choose: random.Random) -> tuple[Span, str]:
    """What stands where in place of a part of ``node``."""
    odd = choose.choice(choose.choice((*KINDS, MORE, MORE)))
    if isinstance(node, Assign):
        return node.value.span, odd
    assert isinstance(node, Index | CellIndex)
    spans = [a.span for a in node.args]
    at = choose.randrange(len(spans))
    if choose.randrange(4):
        return spans[at], odd
    texts = [line[s.start : s.end] for s in spans]
    match choose.choice(COUNTS):
        case "none":
            del texts[at]
        case "again":
            texts.insert(at, texts[at])
        case "swapped":
            choose.shuffle(texts)
        case _:
            texts.append(odd)
    return spans[0].to(spans[-1]), ", ".join(texts)


class Arguments(Campaign):
    """Sessions with one changed line each."""

    def __init__(self) -> None:
        super().__init__()
        self.lines = corpus()

    def code(self, choose: random.Random) -> str:
        """The example, changed."""
        return self.around(changed(choose.choice(self.lines), choose))

    def around(self, line: str) -> str:
        """A line with what lines call beside the library."""
        return f"near = @(varargin) true;\n{line}"


if __name__ == "__main__":
    sys.exit(campaign("arguments", Arguments(), sys.argv[1:]))
