"""Functions of packages: what names mean within them, validators that lie in one, outputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.interpreter.running import Machine

FILES = {
    "+geo/atan2.m": "function r = atan2(v), r = atan2(v(2), v(1)) + 10; end",
    "+geo/handle.m": "function f = handle(), f = @floor; end",
    "+geo/floor.m": "function r = floor(x), r = [7 floor(x)]; end",
    "+geo/fact.m": "function r = fact(n), if n < 2, r = 1; else, r = n*geo.fact(n - 1); end, end",
    "+geo/deep.m": "function r = deep(n), if n < 1, r = 0; else, r = 1 + deep(n - 1); end, end",
    "+geo/mustBeOne.m": "function mustBeOne(x), assert(isscalar(x), 'geo:one', 'not one'); end",
    "checked.m": """
function [a, b] = checked(x, o)
arguments (Input)
    x (:, :) {geo.mustBeOne}
    o.tol double {geo.mustBeOne, mustBeNonnegative} = 0.5
end
arguments (Output)
    a (1, 1) logical {geo.mustBeOne}
    b {geo.mustBeOne}
end
a = x > 1; b = x*ones(1, x) + o.tol;
end
""",
    "Held.m": """
classdef Held
properties
    a {geo.mustBeOne} = 1
    b {geo.mustBeOne(b)} = 2
end
end
""",
}
TOLD = """
function [s, varargout] = told(n)
arguments (Output), s (1, 1) string, end
s = n; varargout{1} = n; if n > 2, s = 'many'; return, end
end
"""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text.strip() + "\n")
    made = Machine()
    made.run(f"addpath('{tmp_path}')")
    return made


def test_the_bare_name_of_a_function_of_a_package_is_another(machine: Machine) -> None:
    assert machine.value("geo.atan2([0 2])") == pytest.approx(10 + 1.5707963267948966)
    assert machine.value("isequal(geo.floor(2.5), [7 2])")
    assert machine.value("feval(geo.handle(), 2.5)") == 2
    assert machine.value("geo.fact(5)") == 120
    assert machine.value("geo.deep(4)") == 4, "where no other function has the name"


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("[a, b] = checked(1);", ""),
        ("checked([1 2]);", "Invalid argument at position 1. not one"),
        ("[a, b] = checked(1, tol=[1 2]);", "Invalid value for 'tol' argument. not one"),
        ("[a, b] = checked(2);", "Invalid value for 'b' output argument. not one"),
        ("a = checked(2);", ""),
        ("h = Held; h.a = 3;", ""),
        ("h = Held; h.a = [1 2];", "Error setting property 'a' of class 'Held'. not one"),
        ("h = Held; h.b = [1 2];", "Error setting property 'b' of class 'Held'. not one"),
    ],
)
def test_validators_may_lie_in_packages(machine: Machine, code: str, message: str) -> None:
    machine.run(f"said = ''; try, {code} catch e, said = e.message; end")
    assert machine.value("said") == message


def test_outputs_are_converted_and_checked_where_they_are_asked_for(machine: Machine) -> None:
    assert machine.value("isa(checked(1), 'logical') && ~checked(1)")
    (Path(machine.interpreter.path.entries[0]) / "told.m").write_text(TOLD)
    machine.run("[s, n] = told(1); t = told(3); f = @told; u = f(2);")
    assert machine.value("isstring(s) && s == '1' && n == 1 && t == 'many' && u == '2'")
    machine.run("said = ''; try, told([1 0]); catch e, said = e.message; end")
    assert "Invalid value for 's' output argument." in str(machine.value("said"))


def test_what_a_dotted_name_means_is_looked_up_again_when_the_path_changes(
    machine: Machine, tmp_path: Path
) -> None:
    (tmp_path / "caller.m").write_text("function r = caller(), r = geo.one(); end\n")
    for folder, number in (("", 1), ("other", 2)):
        place = tmp_path / folder / "+geo" / "one.m"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"function r = one(), r = {number}; end\n")
    machine.run(f"addpath('{tmp_path}')")
    assert machine.value("caller() + caller()") == 2
    machine.run(f"addpath('{tmp_path / 'other'}')")
    assert machine.value("caller() + caller()") == 4
    machine.run(f"rmpath('{tmp_path / 'other'}')")
    assert machine.value("caller()") == 1
    assert machine.value("containers.Map().Count + containers.Map({'a'}, {1}).Count") == 1
