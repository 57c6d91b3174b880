"""Random programs here and in Octave: ``python -m tests.oracle.differential [--programs N]``.

Every variable a program leaves must have the same class, size and values on both sides, or the
program must fail on both. A program that ends differently is run again on both sides statement by
statement; the first statement whose outcome differs must follow one of MATLAB's rules in
``tests.oracle.intended``, which also look at what came out here.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.oracle.intended import State, Step, Variable, rule_of
from tests.oracle.programs import NAMES, program

Program: TypeAlias = tuple[str, ...]

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
CRASHED = "Octave itself crashes"
CHANGED = "Octave reads beyond the sizes and gives another answer when asked again"
_SHOWN = " ".join(f"fprintf('{n}='); dump({n}); fprintf(';');" for n in NAMES)
_VARIABLE = re.compile(r"(\w)=(\w+) ((?: ?\d+x)+) ?([^;]*);")


@dataclass(frozen=True, slots=True)
class Difference:
    """A program that ended differently.

    Attributes:
        program: its statements.
        step: the first statement whose outcome differs.
        rule: MATLAB's rule for that statement; empty when there is none.
    """

    program: Program
    step: Step
    rule: str


def script(programs: list[Program], steps: bool) -> str:
    """A text that runs every program and prints one line for each, or one part per statement."""
    begin = "a = 0; b = 0; c = 0;"
    after = f" {_SHOWN} fprintf('|'); "
    texts = [after.join((*p, "")) if steps else f"{' '.join(p)} {_SHOWN}" for p in programs]
    failed = (
        "catch e, if strcmp(e.identifier, 'Fuselab:internal'), fprintf('BUG\\n'); "
        "else, fprintf('FAILED\\n'); end, end"
    )
    return "\n".join(["1;", *(f"{begin} try, {t} fprintf('\\n'); {failed}" for t in texts), ""])


def octave(programs: list[Program], folder: Path, steps: bool = False) -> list[str]:
    """What Octave prints, a line per program; programs that crash it are found by halving."""
    path = folder / "programs_all.m"
    path.write_text(script(programs, steps), encoding="utf-8")
    command = ["octave-cli", "-f", "--no-history", "--path", str(folder), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = _clean(done.stdout, steps)
    if len(lines) == len(programs):
        return lines
    half = len(programs) // 2
    if not half:
        return [CRASHED]
    return octave(programs[:half], folder, steps) + octave(programs[half:], folder, steps)


def ours(programs: list[Program], folder: Path, steps: bool = False) -> list[str]:
    """What this engine prints, a line per program."""
    from app.engine.interpreter.interpreter import Interpreter
    from app.engine.jit.entry_points import NATIVE
    from app.source import SourceText
    from tests.oracle.engine import Quiet, octave_settings

    host = Quiet()
    interpreter = Interpreter(octave_settings(octave=False), None, host, NATIVE, (str(folder),))
    interpreter.run(SourceText("<programs>", script(programs, steps)))
    return _clean(host.text, steps)


def _clean(text: str, steps: bool) -> list[str]:
    """Lines with what a failed program had printed before removed, and one zero."""
    failed = r"[^|]*(FAILED|BUG)$" if steps else r".*(FAILED|BUG)$"
    lines = [re.sub(failed, r"\1", line) for line in text.splitlines()]
    return [re.sub(r"(?<![\d.e])-0(?![\d.])", "0", line) for line in lines]


def compare(programs: list[Program], folder: Path) -> list[Difference]:
    """Programs whose outcome differs, with the statement where they part."""
    parted = {p: x for p, x, y in _pairs(programs, folder, steps=False) if x != y}
    return [_explained(p, parted[p], x, y) for p, x, y in _pairs(list(parted), folder, steps=True)]


def _explained(code: Program, whole: str, here: str, there: str) -> Difference:
    """The step where a program parts; Octave may agree when it is asked again."""
    step = first_step(code, here, there)
    if there == CRASHED:
        return Difference(code, step, CRASHED)
    same = here == there and whole in {here, here.rstrip("|").rpartition("|")[2]}
    return Difference(code, step, CHANGED if same else rule_of(step))


def _pairs(programs: list[Program], folder: Path, steps: bool) -> list[tuple[Program, str, str]]:
    if not programs:
        return []
    left, right = ours(programs, folder, steps), octave(programs, folder, steps)
    if len(left) != len(programs) or len(right) != len(programs):
        raise SystemExit(f"{len(programs)} programs, {len(left)} and {len(right)} outcomes")
    return list(zip(programs, left, right, strict=True))


def first_step(code: Program, here: str, there: str) -> Step:
    """The first statement whose outcome differs, or the last one."""
    step = Step("", {}, None, None)
    before: State = {}
    for statement, x, y in zip(code, here.split("|"), there.split("|"), strict=False):
        step = Step(statement, before, _state(x), _state(y))
        if x != y:
            break
        before = step.here or {}
    return step


def _state(text: str) -> State | None:
    """The variables after a statement; None when it failed."""
    if text == "FAILED":
        return None
    return {
        m[1]: Variable(m[2], tuple(map(int, re.findall(r"\d+", m[3]))), m[4])
        for m in _VARIABLE.finditer(text)
    }


def generate(count: int, first_seed: int) -> list[Program]:
    """At least ``count`` different programs."""
    kept: dict[Program, None] = {}

    def collect(code: Program) -> None:
        kept[code] = None

    options = settings(
        max_examples=1000,
        deadline=None,
        phases=[Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
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
    found: list[Difference] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "dump.m").write_text(DUMP, encoding="utf-8")
        for k in range(0, len(programs), options.batch):
            found += compare(programs[k : k + options.batch], folder)
    return _report(len(programs), found)


def _report(count: int, found: list[Difference]) -> int:
    rules = Counter(d.rule for d in found)
    for rule, times in sorted(rules.items()):
        if rule:
            print(f"intended, {times} times: {rule}")
    for d in [d for d in found if not d.rule]:
        print(f"{' '.join(d.program)}\n{d.step}")
    print(f"{count} programs, {len(found)} differences, {rules['']} unexplained")
    return 1 if rules[""] else 0


if __name__ == "__main__":
    sys.exit(main())
