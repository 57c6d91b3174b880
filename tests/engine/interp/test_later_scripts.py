"""Scripts see what earlier scripts and commands left in the workspace, in loops as well."""

from __future__ import annotations

import pytest

from app import settings
from app.engine.session import Session
from app.source import SourceText


@pytest.mark.parametrize(
    "code",
    [
        "S = ones(n, 1); for t = 1:T, S = S + 1; end, r = S(1);",
        "x = n; for t = 1:T, x = x + n; end, r = x / n;",
        "for t = 1:T, y = n; end, r = y - n + 5;",
        "k = 0; while k < T, k = k + 1; end, r = k + 1;",
    ],
)
def test_loops_read_variables_of_earlier_scripts(code: str) -> None:
    session = Session(settings.load({"FUSELAB_DEVICE": "cpu"}), lambda _: None)
    session.run_source(SourceText("first.m", "n = 3000; T = 4;"))
    session.run_source(SourceText("second.m", code))
    assert session.last_status == "ok", session.last_report["error"]
    assert session.interpreter.workspace["r"] == 5.0
    session.close()
