"""What typing aids ask about the text before the caret."""

from __future__ import annotations

import pytest

from app.engine.analysis import typing_aid


@pytest.mark.parametrize(
    "text",
    [
        "x = 1",
        "if x, y, end",
        "",
        "x = {1\n2}",
        "disp('(')",
        'disp("[") % (',
        "for k=1:3 disp(k), end",
        "hold on",
        "help for",
        "% it (",
        "if true disp(1) end",
        "x(end",
        "%{\na\n%}",
        "try, a, catch e, b, end",
        "x = 'a...",
        "x = 5 % for",
        "disp('...')",
        "s.end = 3",
        "y = x'",
        "format long",
        "fprintf('%d\\n', x)",
        "x = [1, 2, ...\n 3]",
        "x = y(end); for k = 1:3, z(end) = k; end",
    ],
)
def test_whole_commands_run(text: str) -> None:
    assert typing_aid.is_complete(text) is (text != "x(end")


@pytest.mark.parametrize(
    "text",
    [
        "x = [1 2",
        "if x",
        "f(1, ...",
        "x = [1 2 % (",
        "%{",
        "while true",
        "switch x\ncase 1\n",
        "function f(x)",
        "a(1,... % hi",
        "classdef A",
        "x = {'it''s', ...",
        "if a, for b, end",
    ],
)
def test_unfinished_commands_wait(text: str) -> None:
    assert not typing_aid.is_complete(text)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("for k=1:3", 4),
        ("  if x", 6),
        ("x = 1;", 0),
        ("    end", 4),
        ("else", 4),
        ("switch x\n    case 1", 8),
        ("x = [1 2", 4),
        ("x = [1 2\n    3 4", 4),
        ("x = [1 2\n    3 4];", 0),
        ("y = foo(a, ...", 4),
        ("  y = foo(a, ...\n      b, ...", 6),
        ("  y = foo(a, ...\n      b);", 2),
        ("if x, y, end", 0),
        ("if x % end", 4),
        ("for k=1:3, a(end)=1; end", 0),
        ("function f", 4),
        ("case 1", 4),
        ("    otherwise", 8),
        ("% for x", 0),
        ("x = 3; if y", 4),
        ("methods", 4),
        ("classdef A\n    methods", 8),
        ("if a && ...\n        b", 4),
        ("x = 'for'", 0),
        ("", 0),
        ("    ", 4),
        ("    a\n", 4),
        ("try", 4),
        ("catch e", 4),
        ("  x = 1; % [", 2),
        ("f(@(x) x", 4),
        ("end", 0),
        ("a\nb\n  c", 2),
        ("for end_at = 1:3", 4),
        ("endpoint = 3;", 0),
    ],
)
def test_the_next_line_is_indented(text: str, columns: int) -> None:
    assert typing_aid.indent_of_next(text.split("\n")) == columns


@pytest.mark.parametrize(
    ("before", "typed", "opens"),
    [
        ("x", "'", False),
        ("x = ", "'", True),
        ("disp(", "'", True),
        ("disp('it", "'", False),
        ("% it", "(", False),
        ("x = 'a", "(", False),
        ("[a ", "'", True),
        ("[a", "'", False),
        ("x = ", '"', True),
        ("f", "(", True),
        ("x", "{", True),
        ("x = ", "[", True),
        ("%", "{", False),
        ("case ", "'", True),
        ("!ls ", "(", False),
        ("x = a ", "'", False),
        ("x = {1}", "'", False),
        ('x = "a', '"', False),
        ("", "[", True),
        ("x.", "(", True),
        ("%{\nit", "(", False),
    ],
)
def test_what_opens_a_pair(before: str, typed: str, opens: bool) -> None:
    assert typing_aid.opens_pair(before, typed) is opens


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("methods (Static)", "METHODS"),
        ("methods(x) = 1", ""),
        ("properties", "PROPERTIES"),
        ("arguments", "ARGUMENTS"),
        ("arguments = 3", ""),
        ("if x", "IF"),
        ("if x, end", ""),
        ("function y = f(x)", "FUNCTION"),
        ("x = 3; for k", ""),
        ("else", ""),
        ("while 1 % end", "WHILE"),
        ("classdef A < handle", "CLASSDEF"),
        ("format long", ""),
    ],
)
def test_what_opens_a_block(line: str, kind: str) -> None:
    assert typing_aid.block_opener(line) == kind
