"""Each remark: where it is made, where it is not, and its quick fix."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.engine.analysis import Arity, Surroundings, builtin_names, check_text, look_around
from app.engine.declarations.shipped_code import shipped_folders
from app.engine.language import OCTAVE
from app.source import SourceText

KNOWN = Surroundings(
    {"sin": Arity(1, 1), "max": Arity(4, 2), "disp": Arity(1, 0), "sum": Arity(), "error": Arity()},
    frozenset({"base", "length"}),
)


def remarks(text: str) -> list[str]:
    """``code@covered text`` of every remark."""
    found = check_text(SourceText("t.m", text), surroundings=KNOWN)
    return [f"{d.code}@{text[slice(*d.span)]}" for d in found]


def test_attributes_that_a_class_has_none_of() -> None:
    text = "classdef (Quick) A\nproperties (Hidden, Static)\nx\nend\nmethods (Access = some)\nend\nend\n"
    found = [
        "unknown-attribute@Quick",
        "unknown-attribute@Static",
        "unknown-attribute@Access = some",
    ]
    assert remarks(text) == found
    fine = "classdef (Sealed) A\nproperties (SetAccess = ?B, GetAccess = 'public', ~Hidden)\nend\nend\n"
    assert remarks(fine) == []


def in_function(body: str) -> str:
    return f"function r = f(a)\n{body}\nr = a;\nend\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # unused
        (in_function("x = 1;"), ["unused-variable@x"]),
        (in_function("x.y = 1;"), ["unused-variable@x"]),
        (in_function("x = 1; disp(x)"), []),
        (in_function("x = 1; g = @() x; disp(g)"), []),
        (in_function("x = 1; eval('x')"), []),
        (in_function("x = 1; some_script"), []),
        (in_function("for k = 1:3, disp(1), end"), []),
        (in_function("global g; g = 3;"), []),
        (in_function("[x, y] = max(a); disp(y)"), ["unused-variable@x"]),
        (in_function("try, catch e, end"), ["unused-variable@e"]),
        ("x = 1;", []),
        ("function f(a, b)\ndisp(a)\nend", ["unused-parameter@b"]),
        ("function f(~, varargin)\ndisp(1)\nend", []),
        # nested functions share
        ("function r = f\nx = 1;\ng\nfunction g\nr = x;\nend\nend", []),
        ("function f\nx = 1;\nfunction g(x)\ndisp(x)\nend\ng(1)\nend", ["unused-variable@x"]),
        # outputs
        ("function r = f\ndisp(1)\nend", ["output-not-set@r"]),
        ("function r = f\nr.a(3) = 1;\nend", []),
        ("function r = f\nerror('no')\nend", []),
        ("classdef C\nmethods\nfunction o = C()\ndisp(1)\nend\nend\nend", []),
        # undefined
        ("x = sinn(1);", ["undefined-name@sinn"]),
        ("x = base + 1;", []),
        (in_function("disp(base)"), ["undefined-name@base"]),
        ("x = pkg.name(1);", []),
        ("load data\nx = loaded;", []),
        ("x = cellfun(@nothere, {});", ["undefined-name@cellfun", "undefined-name@nothere"]),
        ("g = @(t) t + 1; disp(g(1))", []),
        # arity
        ("y = f(1, 2);\nfunction r = f(a)\nr = a;\nend", ["too-many-inputs@f"]),
        ("y = f(x{:});\nx = {};\nfunction r = f(a)\nr = a;\nend", []),
        ("[a, b] = f(1);\nfunction r = f(a)\nr = a;\nend", ["too-many-outputs@f"]),
        ("x = sin(1, 2);", ["too-many-inputs@sin"]),
        ("y = disp(1);", ["too-many-outputs@disp"]),
        (
            "function r = f(a)\narguments\na {check(a)}\nend\nr = a;\nend\n"
            "function check(x)\ndisp(x)\nend",
            [],
        ),
        ("maximize trace(X) + trace(X')", []),
        ("disp it's", ["syntax@it's"]),
        ("disp(1)", []),
        # commands
        ("x = 1; x y", ["command-of-variable@x"]),
        ("x = 1; x", []),
        # hidden functions
        ("sum = 1;", ["hides-function@sum"]),
        # flow
        (in_function("return\ndisp(1)"), ["unreachable@disp(1)\nr = a"]),
        (in_function("if a, error('x'); disp(1), end"), ["unreachable@disp(1)"]),
        (in_function("error(sin(a)); disp(1)"), []),
        ("break", ["jump-outside-loop@break"]),
        ("while true, if base, break, end, end", ["undefined-name@true"]),
        ("if base = 3, end", ["syntax@base = 3"]),
        ("function f1(a, ~, ~, a)\ndisp(a)\nend", ["syntax@a"]),
        ("base = @(a, ~, a) a;", ["syntax@a"]),
        ("function f1\nend\nfunction f1\nend", ["repeated-function@f1"]),
        # growth
        ("x = [];\nfor k = 1:9\nx(end+1) = k;\nend", ["grows-in-loop@x(end+1)"]),
        ("x = [];\nwhile 1\nif 1, x = [x; 3]; end\nend", ["grows-in-loop@x"]),
        ("c = {};\nfor k = 1:9\nfor m = 1:2\nc{end+1} = k;\nend\nend", ["grows-in-loop@c{end+1}"]),
        ("x = [];\nx(end+1) = 3;\nx = [x 4];", []),
        ("x = 1:3;\nfor k = 1:9\nx(end) = k; y = [x(1) k]; x = [1 k];\nend", []),
        # a broken text gets its syntax errors only
        ("x = (1;\ny = sinn(1);", ["syntax@("]),
    ],
)
def test_remarks(text: str, expected: list[str]) -> None:
    assert remarks(text) == expected


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("if base = 3, end", "if base == 3, end"),
        ("x = sinn(1);", "x = sin(1);"),
        (
            "x = [];\ns = 0;\nfor k = 1:9\n  x(end+1) = k;\nend",
            "x = zeros(1, 9);\ns = 0;\nfor k = 1:9\n  x(k) = k;\nend",
        ),
        (
            "c = {};\nfor k = 1:length(base), c{end+1} = k; end",
            "c = cell(1, length(base));\nfor k = 1:length(base), c{k} = k; end",
        ),
        (in_function("[x, y] = max(a); disp(y)"), in_function("[~, y] = max(a); disp(y)")),
        ("function f(a, b)\ndisp(a)\nend", "function f(a, ~)\ndisp(a)\nend"),
    ],
)
def test_quick_fix(text: str, fixed: str) -> None:
    (remark,) = check_text(SourceText("t.m", text), surroundings=KNOWN)
    assert remark.fix is not None
    start, end = remark.fix.span
    assert text[:start] + remark.fix.text + text[end:] == fixed


def test_what_assigns_in_a_condition_is_a_remark_in_octaves_dialect() -> None:
    (remark,) = check_text(SourceText("t.m", "if base = 3, end"), OCTAVE, KNOWN)
    assert (remark.code, remark.severity) == ("assignment-in-condition", "warning")
    assert remark.fix is not None


@pytest.mark.parametrize(
    "text",
    [
        "x = [];\nfor k = 2:n\nx(end+1) = k;\nend",
        "x = 1;\nfor k = 1:n\nx(end+1) = k;\nend",
        "x = [];\nn = 3;\nfor k = 1:n\nx(end+1) = k;\nend",
        "x = [];\nfor k = 1:n\nif k > 3, break, end\nx(end+1) = k;\nend",
        "x = [];\nfor k = 1:n\nx(end+1) = k + numel(x);\nend",
        "x = [];\nfor k = 1:n\nx(end+2) = k;\nend",
    ],
)
def test_preallocation_is_offered_only_where_it_means_the_same(text: str) -> None:
    (remark,) = check_text(SourceText("t.m", text))
    assert (remark.code, remark.fix) == ("grows-in-loop", None)


def test_without_surroundings_nothing_is_guessed() -> None:
    assert check_text(SourceText("t.m", "x = anything(1); sum = 3;")) == []


def test_builtin_names_are_read_from_the_declarations() -> None:
    assert {"numel", "sin", "sprintf"} <= builtin_names()


def test_folders_around_a_text_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / "mine.m").touch()
    (tmp_path / "@Cls").mkdir()
    (tmp_path / "@Cls" / "filed.m").touch()
    (tmp_path / "Own.m").write_text("classdef Own\nmethods\nfunction r = held(o), end\nend\nend")
    (tmp_path / "+pkg").mkdir()
    around = look_around([tmp_path, tmp_path / "missing"], ["v"])
    text = "x = mine(v, Cls(1), pkg.f(2), other(numel(v))); filed(x); held(Own(x));"
    found = check_text(SourceText("t.m", text), surroundings=around)
    assert [text[slice(*d.span)] for d in found] == ["other"]


def test_what_is_shipped_in_the_language_is_known(tmp_path: Path) -> None:
    """Every function and class of the library; methods may be called, and hidden, like any."""
    around = look_around([tmp_path])

    def found(text: str) -> list[str]:
        return [d.code for d in check_text(SourceText("t.m", text), surroundings=around)]

    for folder in shipped_folders():
        for file in Path(folder).glob("*.m"):
            assert around.files[file.stem] == file
            assert "undefined-name" not in found(f"x = {file.stem}(1);\ndisp(x)\n"), file
    test = "function tests = t\ntests = functiontests(localfunctions);\nend\n"
    assert found(f"{test}function testOne(t)\nverifyEqual(t, 1, 1);\nend\n") == []
    assert found("verifyTrue = 2;\ndisp(verifyTrue)\n") == []
    assert found("polyshape = 2;\ndisp(polyshape)\n") == ["hides-function"]
    assert found("x = polyshpe(1);\ndisp(x)\n") == ["undefined-name"]


def test_checking_needs_no_numpy() -> None:
    code = (
        "import sys; from app.engine.analysis import check_text; from app.source import SourceText;"
        "check_text(SourceText('t', 'function f\\nx = 1;\\nend')); sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
