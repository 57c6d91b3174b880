"""Numbers as people read them."""

from __future__ import annotations

import pytest

from app.ui.support import formats


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (4, "4 B"),
        (999, "999 B"),
        (1000, "0.98 KB"),
        (1024, "1.00 KB"),
        (16_000_000, "15.3 MB"),
        (4 << 30, "4.00 GB"),
        (None, "–"),
    ],
)
def test_bytes(count: float | None, text: str) -> None:
    assert formats.bytes_text(count) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.041, "41 µs"),
        (3.4, "3.40 ms"),
        (984.2, "984 ms"),
        (1280, "1.28 s"),
        (125_000, "2 min 05 s"),
        (None, "–"),
    ],
)
def test_times(value: float | None, text: str) -> None:
    assert formats.milliseconds(value) == text


@pytest.mark.parametrize(
    ("lines", "text"),
    [([], ""), ([7], "7"), ([6, 7, 5, 9], "5–7, 9"), ([1, 3], "1, 3")],
)
def test_line_numbers(lines: list[int], text: str) -> None:
    assert formats.lines_text(lines) == text


def test_counts_have_thin_spaces() -> None:
    assert formats.count(4_000_000) == "4\u2009000\u2009000"
