"""Handles to functions, and what is known of the code that runs."""

from __future__ import annotations

from pathlib import Path

from tests.engine.interpreter.running import Machine

NESTED = """
function varargout = outer(what)
p.hess = @hess;
varargout{1} = feval(what, p.hess);
    function [a, b] = hess(x, y, varargin), a = x; b = y; end
end
"""
DELETED = """
classdef Gone < handle
methods
function delete(obj), delete@handle(obj); disp('once'); end
end
end
"""


def test_handles_of_nested_functions_know_their_arity(tmp_path: Path) -> None:
    (tmp_path / "outer.m").write_text(NESTED.strip())
    machine = Machine()
    machine.run(f"addpath('{tmp_path}')")
    assert machine.value("outer(@nargin)") == -3
    assert machine.value("outer(@nargout)") == 2


def test_a_destructor_may_call_that_of_handle(tmp_path: Path) -> None:
    (tmp_path / "Gone.m").write_text(DELETED.strip())
    machine = Machine()
    assert machine.run(f"addpath('{tmp_path}'); g = Gone; delete(g); disp(isvalid(g))") == (
        "once\n   0\n"
    )


def test_a_handler_does_not_trust_what_was_cleared() -> None:
    machine = Machine()
    machine.run(
        "try\nx = 'a';\ntry, evalc('clear'); error('m'), catch e, y = [x e.message]; end\n"
        "catch problem, z = problem.message; end"
    )
    assert machine.value("z") == "Unrecognized function or variable 'x'."


def test_a_method_without_outputs_may_be_a_statement_without_parentheses(tmp_path: Path) -> None:
    (tmp_path / "Shown.m").write_text(
        "classdef Shown\nmethods\nfunction show(obj), disp('shown'); end\nend\nend\n"
    )
    machine = Machine()
    assert machine.run(f"addpath('{tmp_path}'); s = Shown;\ns.show") == "shown\n"


def test_a_constructor_comes_before_an_inherited_method_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "Wide.m").write_text(
        "classdef Wide\nmethods\nfunction n = Narrow(obj), n = 'converted'; end\nend\nend\n"
    )
    (tmp_path / "Narrow.m").write_text(
        "classdef Narrow < Wide\nproperties, depth = 0, end\nmethods\nfunction n = Narrow(from)\n"
        "if nargin, n.depth = from.depth + 1; end, end\nend\nend\n"
    )
    machine = Machine()
    machine.run(f"addpath('{tmp_path}'); w = Narrow(Wide); n = Narrow(Narrow); d = n.depth;")
    assert (machine.value("w"), machine.value("d")) == ("converted", 1)


def test_a_handle_to_a_method_is_bound_to_its_object(tmp_path: Path) -> None:
    text = (
        "classdef Held\nproperties, x = 4; end\nmethods\nfunction r = times(o, k), r = o.x*k; end"
    )
    (tmp_path / "Held.m").write_text(text + "\nend\nend")
    machine = Machine()
    machine.run(f"addpath('{tmp_path}'); h = Held(); f = @h.times; h.x = 5;")
    assert machine.value("f(3)") == 12


def test_an_anonymous_function_makes_handles_of_nested_functions(tmp_path: Path) -> None:
    text = "function r = outside(k)\nf = @() feval(@inside, k); r = f();\n"
    text += "function r = inside(x), r = x + k; end\nend"
    (tmp_path / "outside.m").write_text(text)
    machine = Machine()
    machine.run(f"addpath('{tmp_path}')")
    assert machine.value("outside(4)") == 8


def test_objects_of_one_class_are_collected_in_an_array(tmp_path: Path) -> None:
    text = "classdef Kept\nproperties, x; end\nmethods\nfunction o = Kept(k), o.x = k; end"
    (tmp_path / "Kept.m").write_text(text + "\nend\nend")
    machine = Machine()
    machine.run(f"addpath('{tmp_path}'); a = arrayfun(@(k) Kept(k), [1 2; 3 4]);")
    assert machine.value("isequal(size(a), [2 2]) && a(2, 1).x == 3 && isa(a, 'Kept')")


def test_objects_are_given_properties_of_their_own(tmp_path: Path) -> None:
    text = "classdef Open < dynamicprops\nproperties, x = 1; end\nmethods\n"
    text += "function r = twice(o), r = 2*o.y; end\n"
    text += "function r = horzcat(varargin), r = cat(2, varargin{:}); end\nend\nend"
    (tmp_path / "Open.m").write_text(text)
    machine = Machine()
    machine.run(f"addpath('{tmp_path}'); a = Open; b = Open; addprop(a, 'y'); a.y = 4; c = [a b];")
    assert machine.value("a.twice() == 8 && isprop(a, 'y') && ~isprop(b, 'y') && isa(a, 'Open')")
    assert machine.value("isequal(size(c), [1 2]) && any(strcmp(properties(a), 'y'))")
    assert machine.value("a == c(1) && isa(a, 'handle') && isscalar(metaclass(a).Properties)")
