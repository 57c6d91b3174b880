"""Random programs here and in Octave: ``python -m tests.oracle.differential [--programs N]``.

Every variable a program leaves must have the same class, size and values on both sides, or the
program must fail on both. What differs on purpose is listed in ``DIFFERENCES`` with MATLAB's rule.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.oracle.programs import NAMES, program

DUMP = """function dump(x)
if iscell(x)
    printf_('cell %s', x); for k = 1:numel(x), fprintf('{'); dump(x{k}); fprintf('}'); end
elseif isstruct(x)
    printf_('struct %s', x);
elseif ischar(x)
    printf_('char %s', x); fprintf(' %d', double(x(:)));
elseif isnumeric(x) || islogical(x)
    printf_(class(x), x);
    x = full(double(x(:)));
    if isreal(x), fprintf(' %.13g', x); else, fprintf(' %.13g+%.13gi', [real(x) imag(x)].'); end
else
    fprintf('%s', class(x));
end
end
function printf_(what, x)
fprintf('%s', strrep(what, '%s', '')); fprintf(' %dx', size(x));
end
"""

DIFFERENCES: tuple[tuple[str, str], ...] = (
    (r"(?:upper|lower|strtrim|strrep|regexprep|strsplit)\(",
     "text functions reject what is not text"),
    (r"\[\w 'x'\]", "a negative code becomes the null character"),
    (r"\w\{[^}]*\} = .*\w\([^()]*\) = ", "cells take only cells by parentheses"),
    (r"(?:dot|cross)\(", "text and truth values count as numbers"),
    (r"(?:zeros|ones|eye|reshape)\(.*0.*\w\((?:[^()]|\([^()]*\))*\) = ",
     "an empty column grows as a column; a matrix that is empty grows along its dimensions"),
    (r"(?:int|uint)\d+\(.* (?:\.\^|[-+]|\.\*|\./) ", "integers take scalars of class double only"),
    (r"= logical\(.*\w\([^()]*\) = .*i;", "complex numbers and NaN have no truth value"),
    (r"(?:int|uint)\d+\(.*\) = .*i;", "there are no complex integers"),
    (r"\di\b.* (?:<|>=) | (?:<|>=) .*\di\b", "relational operators compare real parts"),
    (r"cat\(3, (\w), \1\)", "[] is left out of every concatenation"),
    (r"\w\((?:(?:[^()]|\([^()]*\))*, )*(?:\[\]|end:-1:1|:)(?:, [^;]*)?\) = (?!\[\])",
     "an assignment to no elements changes nothing, the size included"),
    (r"\w\([^()]*\[\](?:[^()]|\([^()]*\))*\) = \[\]",
     "a subscript out of range is an error even when nothing is deleted"),
    (r"\w\([^()]*,[^()]*\) = \[\]", "a subscript that covers its dimension counts as a colon"),
    (r"\w\((?:\[[12][; ][12]\]|end:-1:1|1:2:4|2:3|logical\(\[1 0 1\]\)|true)\) = \[\]",
     "what one subscript leaves of a matrix is a row"),
    (r"(\w) = (?:'';|\w+\(abs\(\[\]\)\);).*\1\{",
     "braces store in an empty array of numbers, never in empty text"),
    (r"= \{.*\w\((?:[^()]|\([^()]*\))*\) = (?!\[\])", "cells take only cells by parentheses"),
    (r"= (?:'|\['|char\().*\w\((?:[^()]|\([^()]*\))*\) = ", "what is stored in text becomes characters"),
    (r"histc\(", "the counts of a scalar are a row when the edges are"),
    (r"= ~\w|\w [&|] ", "complex numbers and NaN have no truth value"),
    (r"(?:std|var|median|mode|mean|diff)\(", "statistics of text and of nothing"),
)
"""Patterns of programs that may end differently, each with MATLAB's rule."""


def script(programs: list[str]) -> str:
    """A text that runs every program and prints one line for each."""
    dumps = " ".join(f"fprintf('{n}='); dump({n}); fprintf(';');" for n in NAMES)
    lines = [
        f"clear a b c; try, {p} {dumps} fprintf('\\n'); catch, fprintf('FAILED\\n'); end"
        for p in programs
    ]
    return "\n".join(["1;", *lines, ""])


def octave(programs: list[str], folder: Path) -> list[str]:
    """What Octave prints, a line per program."""
    path = folder / "programs_all.m"
    path.write_text(script(programs), encoding="utf-8")
    command = ["octave-cli", "-f", "--no-history", "--path", str(folder), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return _clean(done.stdout)


def ours(programs: list[str], folder: Path) -> list[str]:
    """What this engine prints, a line per program."""
    from app.engine.interp.interpreter import Interpreter
    from app.source import SourceText
    from tests.oracle.engine import Quiet, octave_settings

    host = Quiet()
    interpreter = Interpreter(octave_settings(octave=False), None, host, (str(folder),))
    interpreter.run(SourceText("<programs>", script(programs)))
    return _clean(host.text)


def _clean(text: str) -> list[str]:
    """Lines with what a failed program had printed before removed, and one zero."""
    lines = [re.sub(r".*FAILED$", "FAILED", line) for line in text.splitlines()]
    return [re.sub(r"(?<![\d.e])-0(?![\d.])", "0", line) for line in lines]


def reason(code: str) -> str:
    """MATLAB's rule when the program is about something that differs on purpose, or empty."""
    return next((rule for pattern, rule in DIFFERENCES if re.search(pattern, code)), "")


def compare(programs: list[str], folder: Path) -> list[tuple[str, str, str]]:
    """Programs whose outcome differs, with both outcomes."""
    left, right = ours(programs, folder), octave(programs, folder)
    if len(left) != len(programs) or len(right) != len(programs):
        raise SystemExit(f"{len(programs)} programs, {len(left)} and {len(right)} outcomes")
    return [(p, x, y) for p, x, y in zip(programs, left, right, strict=True) if x != y]


def generate(count: int, first_seed: int) -> list[str]:
    """At least ``count`` different programs."""
    kept: dict[str, None] = {}

    def collect(code: str) -> None:
        kept[code] = None

    options = settings(max_examples=1000, deadline=None, phases=[Phase.generate], database=None,
                       suppress_health_check=list(HealthCheck))  # fmt: skip
    number = first_seed
    while len(kept) < count:
        seed(number)(options(given(program())(collect)))()
        number += 1
    return list(kept)


def main(arguments: list[str] | None = None) -> int:
    """Run batches until the number asked for; print what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=10_000)
    parser.add_argument("--batch", type=int, default=250)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    programs = generate(options.programs, options.seed)
    found: list[tuple[str, str, str]] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "dump.m").write_text(DUMP, encoding="utf-8")
        for k in range(0, len(programs), options.batch):
            found += compare(programs[k : k + options.batch], folder)
    reasons = Counter(reason(code) for code, _, _ in found)
    for rule, count in sorted(reasons.items()):
        if rule:
            print(f"intended, {count} times: {rule}")
    for code, left, right in [d for d in found if not reason(d[0])]:
        print(f"{code}\n    here    {left}\n    octave  {right}")
    print(f"{len(programs)} programs, {len(found)} differences, {reasons['']} unexplained")
    return 1 if reasons[""] else 0


if __name__ == "__main__":
    sys.exit(main())
