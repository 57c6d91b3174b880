from __future__ import annotations

import pytest

from app.engine.figures.linespec import LineSpec, parse_linespec

RED, BLACK, BLUE = (1.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
TABLE = [
    ("", LineSpec()),
    ("r--o", LineSpec("--", "o", RED)),
    ("o--r", LineSpec("--", "o", RED)),
    ("--", LineSpec("--")),
    ("-", LineSpec("-")),
    (":k", LineSpec(":", None, BLACK)),
    ("-.b", LineSpec("-.", None, BLUE)),
    ("b-.", LineSpec("-.", None, BLUE)),
    ("k.", LineSpec(None, ".", BLACK)),
    ("k.-", LineSpec("-", ".", BLACK)),
    ("*", LineSpec(None, "*")),
    ("d:", LineSpec(":", "diamond")),
    ("s-", LineSpec("-", "square")),
    ("square", LineSpec(None, "square")),
    ("p", LineSpec(None, "pentagram")),
    ("^g", LineSpec(None, "^", (0.0, 1.0, 0.0))),
    ("red", LineSpec(None, None, RED)),
    ("magenta--", LineSpec("--", None, (1.0, 0.0, 1.0))),
    ("blackx", LineSpec(None, "x", BLACK)),
]
NOT_SPECS = ["rg", "abc", "LineWidth", "--:", "oo", "r r", "Color", "on"]


@pytest.mark.parametrize(("text", "expected"), TABLE)
def test_parts_in_any_order(text: str, expected: LineSpec) -> None:
    assert parse_linespec(text) == expected


@pytest.mark.parametrize("text", NOT_SPECS)
def test_other_texts_are_no_specification(text: str) -> None:
    assert parse_linespec(text) is None


def test_a_marker_alone_means_no_line() -> None:
    spec = parse_linespec("ro")
    assert spec is not None
    assert spec.properties() == {"Color": RED, "Marker": "o", "LineStyle": "none"}


def test_a_colour_alone_keeps_the_line() -> None:
    spec = parse_linespec("r")
    assert spec is not None
    assert spec.properties() == {"Color": RED}
