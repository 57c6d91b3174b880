"""Patterns that are compiled late are what ``re.compile`` gives."""

from __future__ import annotations

import copy
import re

import pytest

from app.late_pattern import late_pattern

TEXT = "one 22, three 4444"
METHODS = ("findall", "split", "fullmatch", "search", "match")


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("flags", [0, re.VERBOSE, re.MULTILINE])
def test_late_patterns_find_the_same(name: str, flags: int) -> None:
    for text in (r"\d+", r"(\w+) (\d+)", "^$", r"one \d+, three \d+"):
        late, early = late_pattern(text, flags), re.compile(text, flags)
        for _ in range(2):
            found, wanted = getattr(late, name)(TEXT), getattr(early, name)(TEXT)
            same = isinstance(wanted, re.Match)
            assert (
                (found[0], found.span()) == (wanted[0], wanted.span()) if same else found == wanted
            )


def test_they_replace_and_say_what_they_are() -> None:
    late = late_pattern(rb"(?P<number>\d+)")
    assert late.sub(b"<\\1>", b"a1b22") == b"a<1>b<22>"
    assert (late.pattern, late.groups, dict(late.groupindex)) == (
        rb"(?P<number>\d+)",
        1,
        {"number": 1},
    )
    assert copy.copy(late).search(b"7")


def test_a_wrong_one_fails_when_it_is_asked() -> None:
    late = late_pattern("(")
    with pytest.raises(re.error):
        late.match("x")
