"""Members of enumerations that derive from numbers, arrays of objects, and what holds for both."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

CLASSES = {
    "Level": "classdef Level < int32\nenumeration, Low (1), Mid (5), High (10), end\nend\n",
    "Truth": "classdef Truth < logical\nenumeration, no (false), yes (true), end\nend\n",
    "Held": "classdef Held\nproperties, Power matlab.lang.OnOffSwitchState = 'off', end\nmethods\n"
    "function s = says(o), if o.Power, s = 'on'; else, s = 'off'; end, end\nend\nend\n",
    "Row": "classdef Row\nproperties, n = 1, end\nmethods\n"
    "function r = horzcat(varargin), r = builtin('horzcat', varargin{:}); end\n"
    "function r = plus(~, ~), r = 7; end\nend\nend\n",
    "Hue": "classdef Hue\nenumeration, Red, Blue, end\nend\n",
    "Base": "classdef (Abstract) Base < matlab.mixin.Heterogeneous\nmethods (Sealed)\n"
    "function n = count(all), n = numel(all); end\nend\nend\n",
    "One": "classdef One < Base\nproperties, X = 1, end\nend\n",
    "Two": "classdef Two < Base\nproperties, X = 2, end\nend\n",
    "Wrapped": "classdef Wrapped < handle\nproperties, v = 3, end\nmethods\n"
    "function varargout = subsref(o, s), [varargout{1:nargout}] = builtin('subsref', o, s); end\n"
    "function bump(o), o.v = o.v + 1; end\nfunction r = half(o), r = o.v/2; end\nend\nend\n",
}
HOLDS = (
    "isequal(Level.Mid + 1, int32(6)) && isa(Level.Mid + 1, 'int32')",
    "isequal([Level.Low Level.Mid] + 1, int32([2 6]))",
    "isequal(sort([Level.Mid Level.Low]), [Level.Low Level.Mid])",
    "isa(max([Level.Mid Level.Low]), 'Level') && max([Level.Mid Level.Low]) == Level.Mid",
    "isequal(unique([Level.Mid Level.Low Level.Mid]), [Level.Low Level.Mid])",
    "isequal(cumsum([Level.Low Level.Mid]), int32([1 6]))",
    "isinteger(Level.Low) && isnumeric(Level.Low) && strcmp(num2str(Level.Mid), '5')",
    "strcmp(sprintf('%d', Level.Mid), '5') && bitor(Level.Mid, 2) == 7",
    "isequal([Hue.Red Hue.Blue], [Hue.Red Hue.Blue])",
    "~isequal([Hue.Red Hue.Blue], [Hue.Blue Hue.Red])",
    "isequal({[Hue.Red Hue.Blue]}, {[Hue.Red Hue.Blue]})",
    "strcmp(class([One Two One]), 'Base') && strcmp(class([One One]), 'One')",
    "count([One Two One]) == 3",
    "Truth.yes && ~(Truth.no || Truth.no) && islogical(Truth.yes) && xor(Truth.yes, Truth.no)",
    "isequal(find([Truth.no Truth.yes]), 2) && logical(Truth.yes)",
    "all(cellfun(@(t) t || Level.Low, {Truth.no, Truth.yes}))",
    "isequal(feval(@(z) z([Truth.no Truth.yes]), [4 5]), 5)",
    "isempty(feval(@(z) z(Truth.no), 4)) && isequal(feval(@(z) z(Level.Mid), 11:16), 15)",
    "strcmp(says(Held), 'off') && matlab.lang.OnOffSwitchState.on == true",
    "strcmp(['is ' matlab.lang.OnOffSwitchState(1)], 'is on')",
    'isequal(["is" matlab.lang.OnOffSwitchState(\'off\')], ["is" "off"])',
    "numel([matlab.lang.OnOffSwitchState.on matlab.lang.OnOffSwitchState.off]) == 2",
    "numel([Row Row Row]) == 3 && Row + 1 == 7",
    "strcmp(class(builtin('horzcat', Row, Row)), 'Row') && builtin('plus', 1, 2) == 3",
    "strcmp({metaclass(One).SuperclassList.Name}, 'Base')",
)


@pytest.fixture
def session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    for name, text in CLASSES.items():
        (tmp_path / f"{name}.m").write_text(text)
    monkeypatch.chdir(tmp_path)  # the folder of other tests is theirs again afterwards
    return Session()


@pytest.mark.parametrize("condition", HOLDS)
def test_it_holds(session: Session, condition: str) -> None:
    assert session.holds(condition)


def test_arrays_of_siblings_grow(session: Session) -> None:
    session.run("a = One; a(2) = Two; a(3) = One;")
    assert session.holds("isequal(arrayfun(@(o) o.X, a), [1 2 1]) && strcmp(class(a), 'Base')")


def test_plain_members_have_no_order(session: Session) -> None:
    session.run("try, sort([Hue.Red Hue.Blue]); catch e, end")
    assert session.holds("strcmp(e.identifier, 'MATLAB:UndefinedFunction')")


def test_methods_without_outputs_behind_subsref(session: Session) -> None:
    session.run("w = Wrapped; w.bump; w.bump(); w.bump")
    assert session.holds("w.v == 6 && w.half == 3")


@pytest.mark.parametrize(
    "program",
    [
        "h = Held; h.Power = true; k = 0; while h.Power, k = k + 1; h.Power = k < 3; end; r = k;",
        "r = 0; for t = {Truth.no, Truth.yes}, if t{1}, r = r + 3; end, end",
        "s.t = Truth.yes; r = 1; if s.t && Level.High, r = 3; end",
    ],
)
def test_members_decide(session: Session, program: str) -> None:
    session.run(program)
    assert session.value("r") == 3.0


def test_a_builtin_past_the_method_that_the_class_has(session: Session) -> None:
    with pytest.raises(MatlabError, match=r"Operator '\+' is not supported .* 'Row'"):
        session.run("builtin('plus', Row, 1)")
    assert session.holds("Row + 1 == 7")
