"""Wrong statements raise MATLAB's identifier and, where set down, MATLAB's very message."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session


def _cases() -> list[tuple[str, str, str]]:
    text = Path(__file__).with_name("true_messages.txt").read_text(encoding="utf-8")
    lines = [n for n in text.splitlines() if n and not n.startswith("#")]
    parts = [[part.strip() for part in line.split("=>")] for line in lines]
    return [(p[0], p[1], p[2].replace("\\n", "\n")) for p in parts]


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize(("statement", "identifier", "message"), _cases())
def test_error(session: Session, statement: str, identifier: str, message: str) -> None:
    session.run("clear")
    with pytest.raises(MatlabError) as caught:
        session.run(f"{statement};")
    assert caught.value.identifier == identifier
    assert message in {"", caught.value.message}
