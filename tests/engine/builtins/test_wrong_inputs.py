"""Whatever a builtin is given, it answers or raises MATLAB's error: never a Python exception."""

from __future__ import annotations

import warnings
from pathlib import Path
from zlib import crc32

import numpy as np
import pytest

from app.engine.declarations import registry
from app.engine.declarations.registry import Builtin
from app.engine.values import Value
from app.errors import MatlabError
from tests.campaigns import long_form
from tests.engine.builtins.engine_session import Session

INPUTS = """
text = 'text'; cells = {1, 'a'; [], {}}; negative = -1; half = 1.5; none = []; nan = NaN; row = 1:4;
st = struct('a', {1, 2}); f = @(x) x + 1; cube = ones(2, 3, 2); noRows = zeros(0, 3); one = 1; two = 2;
square = magic(3); strs = ["a" "b"]; z = [1+2i 3]; i8 = int8([1 -2 3]); flags = [true false]; inf = Inf;
t = table([1; 2], {'a'; 'b'}); d = datetime(2020, 1, [1 2]); m = containers.Map({'k'}, {1});
s = sparse([1 0; 0 2]); c = categorical({'a', 'b'}); u = hours(1:2); nothing = {}; column = (1:3)';
"""
SINGLES = ("text", "cells", "negative", "none", "cube", "noRows", "st", "f")
LEFT, RIGHT = (
    ("row", "square", "text", "cells"),
    ("text", "half", "none", "nan", "cells", "noRows", "z", "one", "f"),
)
SESSION_ENDS = {
    "exit",
    "quit",
    "input",
    "keyboard",
    "pause",
    "dbstop",
    "dbcont",
    "dbquit",
    "rethrow",
    "beep",
    "drawnow",
    "clear",
    "clearvars",
    "home",
    "clc",
    "timeit",
    "gputimeit",
    "more",
    "diary",
    "wait",
    "movegui",
    "waitbar",
    "print",
    "saveas",
    "exportgraphics",
}
RAISES = {"error", "rethrow", "throw", "MException", "assert", "print_usage"}
"""They raise what they are told to: an error without an identifier, too."""
BUILTINS = [b for b in registry.load_all().values() if b.name not in SESSION_ENDS]


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session()
    made.run(INPUTS)
    made.interpreter.settings.restricted = True
    return made


def inputs(builtin: Builtin) -> list[tuple[str, ...]]:
    """A few wrong inputs, others for every name."""
    start = crc32(builtin.name.encode())
    pairs = [(a, RIGHT[(start + 5 * k) % len(RIGHT)]) for k, a in enumerate(LEFT)]
    rare = (
        "nan",
        "inf",
        "strs",
        "z",
        "i8",
        "flags",
        "t",
        "d",
        "m",
        "s",
        "c",
        "u",
        "nothing",
        "column",
        "half",
    )
    triples = [("row", *p[1:], q) for p, q in zip(pairs, ("text", "cells"), strict=False)]
    found = [(), *((n,) for n in SINGLES), (rare[start % len(rare)],), *pairs, *triples]
    return [names for names in found if builtin.min_args <= len(names) <= builtin.max_args]


@pytest.mark.parametrize("third", long_form(range(3), 1))
@pytest.mark.parametrize("first", "abcdefghijklmnopqrstuvwxyz")
@pytest.mark.filterwarnings("ignore")
def test_wrong_inputs_are_matlab_errors(
    session: Session, first: str, third: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = []
    for builtin in BUILTINS:
        if builtin.name[0].lower() == first and crc32(builtin.name.encode()) % 3 == third:
            wrong += [
                f"{builtin.name}({', '.join(names)}): {text}"
                for names in inputs(builtin)
                if (text := outcome(session, builtin, names))
            ]
    assert wrong == []


def outcome(session: Session, builtin: Builtin, names: tuple[str, ...]) -> str:
    """What is wrong about how a builtin ends with these inputs."""
    base = session.interpreter.base
    args: tuple[Value, ...] = tuple(base[n] for n in names)
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            builtin.call(session.interpreter.context, args, 1 if builtin.max_outputs else 0)
    except MatlabError as problem:
        if not problem.identifier and builtin.name not in RAISES:
            return f"no identifier: {problem.message}"
        return f"not MATLAB's: {problem.message}" if "Error(" in problem.message else ""
    except Exception as problem:
        return f"{type(problem).__name__}: {problem}"
    return ""


@pytest.mark.parametrize("builtin", BUILTINS, ids=lambda b: b.name)
def test_counts_of_arguments(builtin: Builtin) -> None:
    for count, identifier in (
        (builtin.min_args - 1, "MATLAB:minrhs"),
        (builtin.max_args + 1, "MATLAB:maxrhs"),
    ):
        if 0 <= count < 100:
            with pytest.raises(MatlabError) as caught:
                builtin.call(None, (1.0,) * count, 0)
            assert caught.value.identifier == identifier
    if builtin.max_outputs < 100:
        with pytest.raises(MatlabError) as caught:
            builtin.call(None, (1.0,) * builtin.min_args, builtin.max_outputs + 1)
        assert caught.value.identifier == "MATLAB:maxlhs"
