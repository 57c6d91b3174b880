"""Functions written in the language itself: each is called in an example that is true."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from pathlib import Path

from tests.engine.builtins.engine_session import Session
from tests.support.examples import parts

NEAR = """
function tf = near(a, b)
a = double(full(a));
same = isequal(size(a), size(b));
tf = same && all(abs(a(:) - b(:)) <= 2e-5*max(abs(b(:))) + 1e-9 | (isnan(a(:)) & isnan(b(:))) | a(:) == b(:));
end
"""


def few(examples: Iterable[str]) -> list[str]:
    """A sixteenth of the examples, always the same."""
    return [text for text in examples if zlib.crc32(text.encode()) % 16 == 1]


def session_with_near(folder: Path) -> Session:
    """A session with a function, put into the folder, that compares to five digits."""
    (folder / "near.m").write_text(NEAR, encoding="utf-8")
    made = Session()
    made.run(f"addpath('{folder}'); set(0, 'DefaultFigureVisible', 'off');")
    return made


def is_true(session: Session, text: str) -> bool:
    """Whether the last statement of an example is, after the others."""
    first, last = parts(text)
    if first:
        session.run(first)
    return session.holds(last)


def check_example_and_help(files: Iterable[Path], examples: Iterable[str]) -> None:
    """Every function has an example, and its help begins with its name."""
    called = set(re.findall(r"\w+", "\n".join(examples)))
    found = list(files)
    assert [p.stem for p in found if p.stem not in called] == []
    for path in found:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith("function "), path
        assert lines[1].startswith("% "), path
        assert path.stem in lines[1], path
