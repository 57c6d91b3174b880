"""Patterns of regular expressions: which are matched without watching the clock."""

from __future__ import annotations

from math import inf
from pathlib import Path

import pytest

from app.engine.analysis import outline
from app.engine.builtins.text.stoppable_matching import retries
from app.engine.livecode import document
from app.source import section_title
from tests.engine.builtins.engine_session import Session


@pytest.mark.parametrize(
    ("pattern", "most"),
    [
        (r"\d+", (1, 1)),
        (r"(\d+)-", (1, 2)),
        (r"(?P<k>\w)=(?P<v>\w)", (1, 1)),
        (r"[)*]+x", (1, 2)),
        (r"a\*|b?", (4, 1)),
        (r"(.*)(.*)(.*)x", (1, 4)),
        (r"(a+)+", (inf, inf)),
        (r"(a|a)*b", (inf, inf)),
        (r"((a?){9}){9}", (inf, inf)),
        (r"(\w)\1", (inf, inf)),
        (r"(?<=a+)b", (inf, inf)),
    ],
)
def test_steps_of_a_search_are_bounded(pattern: str, most: tuple[float, float]) -> None:
    assert retries(pattern) == most


@pytest.mark.parametrize(
    "code",
    [
        "c = strsplit(long, '(a+)+b', 'DelimiterType', 'RegularExpression'); assert(isequal(c, {long}))",
        "[c, m] = strsplit('a1b22c', '\\d+', 'DelimiterType', 'RegularExpression'); assert(numel(m) == 2)",
        "clear -regexp ^(a+)+b$",
        "clearvars -regexp ^(a+)+b$",
        "save('a.mat', '-regexp', '^(a+)+b$|code'); load('a.mat', '-regexp', '^(a+)+b$');",
        "w = who('-file', 'v.mat', '-regexp', '^(a+)+b$');",
    ],
)
def test_no_expression_of_a_script_holds_the_interpreter(tmp_path: Path, code: str) -> None:
    """Python's own matcher takes for ever, and nobody else runs meanwhile."""
    session = Session()
    name = "a" * 46
    session.run(f"cd('{tmp_path}'); {name} = 1; long = '{name}'; save('v.mat');")
    session.run(code)
    assert session.holds(f"exist('{name}', 'var') == 1")


MANY = 400_000
"""So many of something take minutes where each is looked at once for each."""


@pytest.mark.parametrize(
    "code",
    [
        f"x = str2double([repmat('1', 1, {MANY}) 'x']); assert(isnan(x))",
        f"x = str2double([repmat(' ', 1, {MANY}) 'x']); assert(isnan(x))",
        f"x = str2double([repmat('1,', 1, {MANY}) 'x']); assert(isnan(x))",
        f"[x, ok] = str2num([repmat('1', 1, {MANY}) 'x y']); assert(~ok)",
        f"x = sscanf([repmat('1', 1, {MANY}) 'x'], '%fy'); assert(x == Inf)",
    ],
)
def test_long_numbers_are_read_in_time_that_grows_as_they_do(code: str) -> None:
    Session().run(code)


def test_long_blanks_are_read_in_time_that_grows_as_they_do() -> None:
    title = f"a{' ' * MANY}b"
    assert outline._SECTION.search(f"x = 1;\n%% {title} \ny").group(1) == title  # type: ignore[union-attr]
    assert outline._HEADING.match(f"%[text] # {title} ").group(2) == title  # type: ignore[union-attr]
    assert document._SECTION.match(f"%% {title}  ").group("title") == title  # type: ignore[union-attr]
    assert section_title(f"{'-' * MANY}x{'-' * MANY} y =====") == f"x{'-' * MANY} y"
