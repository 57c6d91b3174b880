"""Sections, comments, indentation."""

from __future__ import annotations

from app.ui.editor import sections
from app.ui.editor.formatting import reindented_lines

SCRIPT = ["x = 1;", "%% One", "y = 2;", "", "%% Two", "z = 3;"]


def test_sections_cover_every_line() -> None:
    found = sections.sections(SCRIPT)
    assert [(s.first, s.last, s.title) for s in found] == [(1, 1, ""), (2, 4, "One"), (5, 6, "Two")]
    assert sections.section_at(SCRIPT, 4).title == "One"
    assert sections.section_at(SCRIPT, 1).last == 1


def test_what_runs_for_a_line_is_all_that_a_statement_joins() -> None:
    lines = ["%% A", "x = 0;", "for k = 1:2", "%% B", "x = x + k;", "end", "%% C", "y = x"]
    assert [sections.section_at(lines, n) for n in (3, 4, 6)] == [sections.Section(1, 6, "A")] * 3
    assert sections.section_at(lines, 8) == sections.Section(7, 8, "C")


def test_an_empty_file_is_one_section() -> None:
    assert sections.sections([""]) == [sections.Section(1, 1, "")]


def test_percent_in_a_comment_is_no_section() -> None:
    assert not sections.is_section_line("%%% banner")
    assert not sections.is_section_line("% text")
    assert sections.is_section_line("  %% title")


def test_comments_toggle_back() -> None:
    lines = ["  a = 1;", "", "    b = 2;"]
    commented = sections.toggle_comments(lines)
    assert commented == ["  % a = 1;", "", "  %   b = 2;"]
    assert sections.toggle_comments(commented) == lines


def test_blocks_are_indented() -> None:
    text = """\
function f(x)
if x > 1
disp(1)
else
switch x
case 1
y = 2;
otherwise
y = 3;
end
end
for k = 1:3, disp(k), end
end"""
    expected = """\
function f(x)
    if x > 1
        disp(1)
    else
        switch x
            case 1
                y = 2;
            otherwise
                y = 3;
        end
    end
    for k = 1:3, disp(k), end
end"""
    assert "\n".join(reindented_lines(text)) == expected
    assert reindented_lines(expected) == expected.split("\n")


def test_functions_without_end_do_not_nest() -> None:
    lines = ["function a", "x = 1;", "function b", "y = 2;"]
    assert reindented_lines("\n".join(lines)) == lines


def test_end_goes_below_its_block() -> None:
    assert sections.dedented_column(["  if x", "    y", "    end"]) == 2
    assert sections.dedented_column(["switch x", "    case"]) == 4
    assert sections.dedented_column(["x = 1;"]) is None
