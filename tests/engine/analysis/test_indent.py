"""Lines move to where their blocks put them, and nothing else changes."""

from __future__ import annotations

import pytest

from app.engine.analysis.indent import indent_level, reindent
from app.engine.language import parse
from app.source import SourceText


def indented(text: str, unit: str = "    ") -> str:
    for edit in reversed(reindent(SourceText("t", text), unit=unit)):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


NEAT = """\
function r = f(x)
    % help
    switch x
        case 1
            r = [1 2
                 3 4];
        case {2, 3}
            r = g(x, ...
                  2);
        otherwise
            r = 0;
    end
    if x, y; end
    %{
      block
    %}
    for k = 1:3
        try
            z;
        catch e
            % nothing
        end

        while a
        end
    end
end
"""


def test_neat_text_stays() -> None:
    assert indented(NEAT) == NEAT


def test_flat_text_becomes_neat() -> None:
    flat = "\n".join(line.strip() for line in NEAT.split("\n"))
    again = indented(flat)
    assert indented(again) == again
    lines = again.split("\n")
    neat = NEAT.split("\n")
    continued = {5, 8, 14, 15}  # relative to their first line
    assert all(
        a == b for i, (a, b) in enumerate(zip(lines, neat, strict=True)) if i not in continued
    )
    assert parse(SourceText("a", again)).file == parse(SourceText("b", NEAT)).file


def test_functions_without_end_are_not_indented() -> None:
    assert indented("function f\n  x\n  if y\n  z\n  end\n") == "function f\nx\nif y\n    z\nend\n"


def test_tabs() -> None:
    assert indented("if x\ny\nend\n", "\t") == "if x\n\ty\nend\n"


@pytest.mark.parametrize(
    ("before", "level"),
    [
        ("if x\n", 1),
        ("if x\ny\nend\n", 0),
        ("switch x\ncase 1\n", 2),
        ("function f\nfor i=1:3\n", 1),
        ("x = 1;\n", 0),
        ("if x, y, end\n", 0),
        ("while x\nif y\nelse\n", 2),
    ],
)
def test_level_of_a_new_line(before: str, level: int) -> None:
    assert indent_level(before) == level
