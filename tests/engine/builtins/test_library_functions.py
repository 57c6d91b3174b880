"""Functions shipped in the language itself, by family: each is called in an example that is true.

Where GNU Octave's packages (signal, communications, financial, statistics, image, fuzzy logic,
mapping) have the function, the values are theirs as well; the others come from MATLAB's
documentation and from inverses.
"""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest

from app import paths
from tests.engine.builtins.engine_session import Session
from tests.support.examples import parts

HERE = Path(__file__).parent
EXAMPLES = (HERE / "library_examples.txt").read_text(encoding="utf-8").splitlines()
FEW = [text for text in EXAMPLES if zlib.crc32(text.encode()) % 16 == 1]
FILES = [p for p in paths.resource("library").glob("[a-z]*/*.m") if p.parent.name != "private"]
NEAR = """
function tf = near(a, b)
a = double(full(a));
same = isequal(size(a), size(b));
tf = same && all(abs(a(:) - b(:)) <= 2e-5*max(abs(b(:))) + 1e-9 | (isnan(a(:)) & isnan(b(:))) | a(:) == b(:));
end
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """One session for all, with a function that compares to five digits."""
    folder = tmp_path_factory.mktemp("near")
    (folder / "near.m").write_text(NEAR, encoding="utf-8")
    made = Session()
    made.run(f"addpath('{folder}'); set(0, 'DefaultFigureVisible', 'off');")
    return made


@pytest.mark.parametrize("text", FEW)
def test_example_is_true(session: Session, text: str) -> None:
    """A sixteenth of the examples."""
    _judge(session, text)


@pytest.mark.campaign
@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_is_true(session: Session, text: str) -> None:
    """All examples."""
    _judge(session, text)


def _judge(session: Session, text: str) -> None:
    first, last = parts(text)
    if first:
        session.run(first)
    assert session.holds(last)


def test_every_function_has_an_example_and_help() -> None:
    called = set(re.findall(r"\w+", "\n".join(EXAMPLES)))
    assert [p.stem for p in FILES if p.stem not in called] == []
    for path in FILES:
        lines = path.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith("function "), path
        assert lines[1].startswith("% "), path
        assert path.stem in lines[1], path


def test_no_function_hides_behind_a_builtin() -> None:
    from app.engine.declarations import registry

    assert [p.stem for p in FILES if p.stem in registry.index()] == []
