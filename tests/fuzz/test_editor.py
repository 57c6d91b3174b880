"""The language server under an editor that does everything wrong."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.editor import findings


def test_a_server_outlives_an_editor_that_errs_and_answers_it(tmp_path: Path) -> None:
    assert findings(tmp_path, 60, seed=5) == []
