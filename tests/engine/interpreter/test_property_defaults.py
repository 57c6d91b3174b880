"""Initial values of properties: converted and checked as declared, of the declared size without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

CLASSES = {
    "Level": "classdef Level < int32\nenumeration, Low (1), Mid (5), end\nend\n",
    "Given": "classdef Given\nproperties\na single = 3\nb (1,1) Level = 5\nc string = 'ab'\n"
    'd (1,:) char = "xy"\ne (2,2) double = 7\nend\n'
    "properties (Constant)\nk (1,1) int8 = 4\nend\nend\n",
    "Bare": "classdef Bare\nproperties\na single\nb (1,3) double\nc (1,:) char\nd (1,1) string\n"
    "e Level\nf (:,2) logical\ng (2,1) cell\nh Given\ni (1,1) Given\nj (1,:) string\nk table\n"
    "l datetime\nm (1,3)\nn function_handle\no (1,1) struct\nend\nend\n",
    "Owner": "classdef Owner < handle\nproperties\np Given = []\nq (:,:) Level = []\n"
    "r Owner\nend\nend\n",
    "Wrong": "classdef Wrong\nproperties\na (1,1) double {mustBePositive} = -3\nend\nend\n",
    "Wide": "classdef Wide < Given\nproperties\nx (1,2) double = [1 2 3]\nend\nend\n",
}
HOLDS = (
    "isa(g.a, 'single') && g.a == 3",
    "g.b == Level.Mid && isa(g.b, 'Level')",
    "isstring(g.c) && ischar(g.d) && strcmp(g.d, 'xy')",
    "isequal(g.e, [7 7; 7 7]) && isa(Given.k, 'int8')",
    "isa(b.a, 'single') && isequal(size(b.a), [0 0]) && isequal(b.b, [0 0 0])",
    'ischar(b.c) && isequal(size(b.c), [1 0]) && isequal(b.d, "")',
    "isa(b.e, 'Level') && isempty(b.e) && islogical(b.f) && isequal(size(b.f), [0 2])",
    "iscell(b.g) && isequal(size(b.g), [2 1]) && isa(b.h, 'Given') && isempty(b.h)",
    "isa(b.i, 'Given') && b.i.a == 3 && isstring(b.j) && isequal(size(b.j), [1 0])",
    "isa(o.p, 'Given') && isempty(o.p) && isa(o.q, 'Level') && isempty(o.q)",
    "isa(emptied(o), 'Given') && isempty(o.r) && isa(o.r, 'Owner')",
    "istable(b.k) && isdatetime(b.l) && isequal(b.m, [0 0 0]) && isempty(b.n) && isstruct(b.o)",
)


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    for name, text in CLASSES.items():
        (tmp_path / f"{name}.m").write_text(text)
    monkeypatch.chdir(tmp_path)
    return Session()


@pytest.mark.parametrize("condition", HOLDS)
def test_it_holds(session: Session, condition: str) -> None:
    session.run("g = Given; b = Bare; o = Owner; o.p = g; o.p = []; o.r = Owner; o.r = [];")
    session.run("emptied = @(x) x.p;")
    assert session.holds(condition)


def test_a_value_that_does_not_fit_its_declaration_is_refused(session: Session) -> None:
    with pytest.raises(MatlabError, match="Error defining property 'a' of class 'Wrong'"):
        session.run("w = Wrong;")
    with pytest.raises(MatlabError, match="Error defining property 'x' of class 'Wide'"):
        session.run("w = Wide;")
    assert session.holds("isa(Given().a, 'single')")
