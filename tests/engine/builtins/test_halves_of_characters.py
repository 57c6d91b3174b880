"""Texts that hold halves of characters, as UTF-16 has them, are written all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.textfile import encoded
from tests.engine.builtins.engine_session import Session


@pytest.mark.parametrize(
    "code",
    [
        "writelines(t, 'a'); writelines(t, 'a', 'WriteMode', 'append');",
        "s.a = t; writestruct(s, 'a.json'); movefile('a.json', 'a');",
        "s.a = t; writestruct(s, 'a.xml'); movefile('a.xml', 'a');",
        "f = fopen('a', 'w'); fprintf(f, '%s', t); fclose(f);",
    ],
)
def test_they_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.chdir(tmp_path)
    Session().run(f"t = char([104 55357 56832]); {code}")
    assert Path("a").stat().st_size > 0


def test_encodings_have_a_place_for_them_or_a_question_mark() -> None:
    assert encoded("a\ud83d") == b"a\xed\xa0\xbd"
    assert encoded("a\ud83d\u00e9", "latin-1") == b"a?\xe9"
