"""Long texts, which are read by whole uses of their format, give what short ones give."""

from __future__ import annotations

import random

import pytest

from app.engine.builtins.text import scanning

FORMATS = (
    "%f",
    "%d",
    "%f,",
    "%d %d",
    "%f;%d",
    "%d,%d\n",
    "a%db",
    "%d%d",
    "%f%f",
    "(%f,%f)",
    "%d:%f ",
    " %f",
    "%ld",
    "%3d",
    "%*d%f",
)
NUMBERS = (
    "1",
    "-2",
    "+3",
    "12.5",
    ".5",
    "1e3",
    "1d3",
    "NaN",
    "Inf",
    "-inf",
    "NA",
    "3.",
    "99999999999",
    "-2147483649",
    "2147483648",
)
OTHERS = ("x", "1e", "--1", "a5b", "(1,2)", "0x1f", "1.2.3", "")
GAPS = (" ", ",", ";", "\n", "  ", ", ", ":", "", "\t")


@pytest.mark.parametrize("form", FORMATS)
def test_whole_uses_are_steps(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = random.Random(form)
    for _ in range(200):
        count = drawn.randrange(12)
        if drawn.random() < 0.6:
            parts = [p for _ in range(count) for p in scanning.parse(form)]
            texts = [drawn.choice(NUMBERS) if p.kind in "df" else p.text or " " for p in parts]
            text = "".join(texts) + drawn.choice(("", "x", " 1", "1", ","))
        else:
            text = "".join(
                drawn.choice(NUMBERS + OTHERS) + drawn.choice(GAPS) for _ in range(count)
            )
        monkeypatch.setattr(scanning, "LONG", len(text) + 1)
        steps = scanning.scan(text, form)
        monkeypatch.setattr(scanning, "LONG", 0)
        assert repr(scanning.scan(text, form)) == repr(steps), text
