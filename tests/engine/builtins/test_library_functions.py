"""Functions shipped in the language itself, called in examples that are true.

Where GNU Octave's packages (signal, statistics, image) have the function, the values are theirs as
well; the others come from MATLAB's documentation and from inverses.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.builtins.engine_session import Session
from tests.support.true_examples import few, is_true, session_with_near

HERE = Path(__file__).parent
EXAMPLES = (HERE / "library_examples.txt").read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """One session for all."""
    return session_with_near(tmp_path_factory.mktemp("near"))


@pytest.mark.parametrize("text", few(EXAMPLES))
def test_example_is_true(session: Session, text: str) -> None:
    """A sixteenth of the examples."""
    assert is_true(session, text)


@pytest.mark.campaign
@pytest.mark.parametrize("text", EXAMPLES)
def test_every_example_is_true(session: Session, text: str) -> None:
    """All examples."""
    assert is_true(session, text)
