"""Classes without ``classdef``: constructors in ``@`` folders that name a struct."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import SyntaxProblem
from tests.engine.interpreter.running import Machine

FILES = {
    "@asset/asset.m": """
        function a = asset(name, value)
        a.name = name; a.value = value;
        a = class(a, 'asset');""",
    "@asset/worth.m": "function v = worth(a)\nv = a.value * scale();",
    "@asset/private/scale.m": "function k = scale()\nk = 2;",
    "@asset/revalued.m": "function a = revalued(a, v)\na.value = v;",
    "@stock/stock.m": """
        function s = stock(name, shares, price)
        s.shares = shares;
        s = class(s, 'stock', asset(name, shares * price));
        superiorto('poly');""",
    "@stock/split.m": """
        function s = split(s)
        s.shares = 2 * s.shares;
        s.asset = revalued(s.asset, 7);""",
    "@stock/plus.m": "function r = plus(a, b)\nr = 'stock';",
    "@poly/poly.m": """
        function p = poly(c)
        if isa(c, 'poly'), p = c; return, end
        p.c = c;
        p = class(p, 'poly');""",
    "@poly/plus.m": "function r = plus(a, b)\na = poly(a); b = poly(b);\nr = poly(a.c + b.c);",
    "@poly/inputs.m": "function n = inputs(p, f)\nn = nargin(f);",
    "handed.m": "function n = handed(p)\nn = inputs(p, @local);\nfunction local(a, b)\n",
    "@poly/double.m": "function c = double(p)\nc = p.c;",
    "@poly/subsref.m": "function b = subsref(p, s)\nb = polyval(p.c, s.subs{1});",
}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    for name, text in FILES.items():
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("\n".join(line.strip() for line in text.strip().splitlines()))
    made = Machine()
    made.run(f"addpath('{tmp_path}'); s = stock('ACME', 10, 3);")
    return made


CASES = {
    "class(s)": "stock",
    "[isa(s, 'asset') isobject(s) isstruct(s) ismethod(s, 'worth')]": "   1   1   0   1",
    "worth(s)": "    60",
    "worth(split(s))": "    14",
    "fieldnames(struct(s))'": "    {'shares'}    {'asset'}",
    "double(poly([1 2]) + 1)": "     2     3",
    "feval(@(p) p(2), poly([1 2]))": "     4",
    "poly(1) + s": "stock",
    "class([s s])": "stock",
    "handed(poly(1))": "     2",
}


@pytest.mark.parametrize("code", CASES)
def test_value(machine: Machine, code: str) -> None:
    assert machine.run(f"disp({code})") == CASES[code] + "\n"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("s.shares", "Access to an object's fields is only permitted within its methods."),
        ("class(struct('a', 1), 'stock')", "must be called from a class constructor"),
    ],
)
def test_error(machine: Machine, code: str, said: str) -> None:
    assert said in machine.fails(code).message


def test_methods_that_do_not_parse_say_so_when_they_are_called(tmp_path: Path) -> None:
    folder = tmp_path / "@crate"
    folder.mkdir()
    (folder / "crate.m").write_text("function c = crate()\nc = class(struct('n', 3), 'crate');")
    (folder / "content.m").write_text("function n = content(c)\nn = c.n;")
    (folder / "broken.m").write_text("function n = broken(c)\nn = (c.n;")
    machine = Machine()
    machine.run(f"addpath('{tmp_path}'); c = crate();")
    assert machine.value("content(c)") == 3
    with pytest.raises(SyntaxProblem, match="never closed"):
        machine.run("broken(c);")
    (tmp_path / "title.m").write_text("function t = called(n)\nt = n; if n, t = called(0); end")
    (tmp_path / "called.m").write_text("function t = called(n)\nt = 'other';")
    assert machine.value("title(1)") == "other"
