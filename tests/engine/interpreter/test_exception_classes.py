"""Classes derived from MException: thrown, caught as what they are, thrown again, reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.builtins.engine_session import Session

CLASSES = {
    "Bad": "classdef Bad < MException\nproperties, Extra = 0, end\nmethods\n"
    "function o = Bad(n, varargin), o@MException('bad:id', 'bad %d', n); o.Extra = n; end\n"
    "function t = said(o), t = [o.message '!']; end\nend\nend\n",
    "Worse": "classdef Worse < Bad\nmethods\nfunction o = Worse(), o@Bad(7); end\nend\nend\n",
    "Plain": "classdef Plain < MException\nend\n",
}
FUNCTIONS = {
    "caught": "function e = caught(f)\ntry, f(); catch e, end\nend\n",
    "again": "function again(e)\nrethrow(e)\nend\n",
    "unopened": "function unopened\nx = 1);\nend\n",
    "outer": "function outer(e)\ne.throwAsCaller()\nend\n",
}
HOLDS = (
    ("e = caught(@() throw(Bad(3)));", "isa(e, 'Bad') && isa(e, 'MException') && e.Extra == 3"),
    ("e = caught(@() throw(Bad(3)));", "strcmp([e.identifier e.message], 'bad:idbad 3')"),
    ("e = caught(@() error(Worse()));", "strcmp([class(e) e.said()], 'Worsebad 7!')"),
    ("b = Worse(); e = caught(@() b.throw());", "isa(e, 'Bad') && ~isempty(e.stack)"),
    ("p = Plain('a:b', 'text %d', 4);", "isempty(p.stack) && strcmp(p.message, 'text 4')"),
    ("s.e = {Plain('a:b', 'c')};", "strcmp(caught(@() throw(s.e{1})).message, 'c')"),
    ("e = caught(@() again(caught(@() throw(Worse()))));", "isa(e, 'Worse') && e.Extra == 7"),
    ("e = addCause(Bad(1), MException('c:d', 'inner'));", "isa(e, 'Bad')"),
    ("e = caught(@() again(e));", "strcmp(e.cause{1}.message, 'inner')"),
    ("e = caught(@() throw(Bad(3)));", "contains(getReport(e), 'bad 3')"),
    ("", "contains(e.getReport('basic'), 'bad 3')"),
    (
        "e = caught(@() feval('unopened'));",
        "contains(getReport(e), 'File: unopened.m Line: 2 Column: 6')",
    ),
    ("e = caught(@() outer(Bad(2)));", "e.Extra == 2 && ~any(strcmp({e.stack.name}, 'outer'))"),
    ("", "isequal(superclasses('Worse'), {'Bad'; 'MException'})"),
    ("try, throw(Bad(5)), catch, end", "strcmp(lasterr, 'bad 5')"),
    ("n = 0; for k = 1:3, try, throw(Bad(k)), catch e, n = n + e.Extra; end, end", "n == 6"),
    ("e = caught(@() throw(MException('x:y', 'usual')));", "strcmp(class(e), 'MException')"),
)


def test_what_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in (CLASSES | FUNCTIONS).items():
        (tmp_path / f"{name}.m").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    session = Session()
    for code, condition in HOLDS:
        session.run(code)
        assert session.holds(condition), condition
