"""Texts in compiled loops: ``switch`` and ``strcmp`` with literals."""

from __future__ import annotations

import re

import pytest

from app.engine.jit import reporting
from tests.engine.jit.comparing import compare

WORDS = ("go", "g", "", "gone", "stop", "GO")
BODIES = {
    "switch": "switch m, case {'stop','no'}, s=s-k; case 'go', s=s+k; case 'g', s=s*2; otherwise, s=s+0.5; end",
    "strcmp": "if strcmp(m,'go'), s=s+k; elseif strcmp('g',m) || ~strcmp(m,'stop'), s=s*1.5; else, s=s-1; end",
    "both": "if strcmp(m,'stop') && k>3, break, end, switch m, case 'gone', s=s+2*k; case {'go','g'}, s=s-k; end",
    "of a number": "s=s+strcmp(k,'a')+2*strcmp(s,'go'); switch k, case {3,4}, s=s+1; case 7, s=s-1; end",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("word", WORDS)
def test_texts_choose_the_same_in_machine_code(
    word: str, body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused: list[str] = []
    monkeypatch.setattr(reporting, "report_refusal", lambda unit, line, text: refused.append(text))
    compare(f"m='{word}'; s=0; for k=1:12, {body}\nend")
    field = re.sub(r"\bm\b", "o.m", body)
    compare(f"o.m='{word}'; s=0; for k=1:12, {field}\nend", 2)
    compare(f"m=['{word}'; '{word}']; s=0; for k=1:12, {BODIES['strcmp']}\nend")
    assert not refused
