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
LATE = {
    "Hue": "enumeration, Red, Green, end",
    "Box": """
properties, v, end
methods
function o = Box(v), o.v = v; end
function r = abs(o), r = -o.v; end
function r = mine(o), r = o.v*10; end
function r = plus(a, b), r = Box(a.v + b.v); end
function s = char(o), s = sprintf('Box%d', o.v); end
end
""",
    "Ten < double": "methods, function r = times(a, b), r = 10*double(a)*double(b); end, end",
}
"""Classes that nothing has loaded yet, by their names."""
HANDLES = """
f = @abs; g = @plus; m = @mine; kept.f = @char; kept.c = {@numel, @times}; t = kept.c{2};
again = str2func('abs'); deferred = @(z) abs(z);
x = [cellfun(@char, {Hue.Red, Hue.Green}, 'UniformOutput', false), kept.f(Box(7)), ...
    class(g(Box(1), Box(2)))];
y = [f(Box(3)), m(Box(3)), again(Box(4)), deferred(Box(5)), feval(f, Box(6)), arrayfun(m, Box(2))];
z = [cellfun(f, {Box(2), -2}), cellfun(@mine, {Box(4), 5}), structfun(f, struct('a', Box(1)))];
w = [f(-3), m(4), g(1, 2), kept.c{1}(1:9), t(2, 3), t(Ten(2), 3)];
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


def test_handles_call_methods_of_classes_that_were_loaded_later(tmp_path: Path) -> None:
    for head, body in LATE.items():
        name = head.partition(" ")[0]
        (tmp_path / f"{name}.m").write_text(f"classdef {head}\n{body}\nend\n")
    (tmp_path / "mine.m").write_text("function r = mine(x), r = x + 0.5; end\n")
    machine = Machine()
    machine.run(f"addpath('{tmp_path}')")
    machine.run(HANDLES)
    assert machine.value("isequal(x, {'Red', 'Green', 'Box7', 'Box'})")
    assert machine.value("isequal(y, [-3 30 -4 -5 -6 20])")
    assert machine.value("isequal(z, [-2 2 40 5.5 -1])")
    assert machine.value("isequal(w, [3 4.5 3 9 6 60])")


def test_handles_call_what_an_edited_file_has_become(tmp_path: Path) -> None:
    file = tmp_path / "edited.m"
    file.write_text("function r = edited(), r = 1; end")
    machine = Machine()
    machine.interpreter.path.add([str(tmp_path)])
    calls = "h(), s.h(), c{1}(), cellfun(@(f) f(), {h}), g(), feval(h), again()"
    show = f"fprintf('%d', [{calls}]); disp(' ')"
    made = "h = @edited; s.h = h; c = {h}; g = @() h() + 1; again = str2func('edited'); "
    assert machine.run(made + show) == "1111211 \n"
    file.write_text("function r = edited(), r = 4; end")
    assert machine.run(show) == "4444544 \n"
    file.write_text("function r = edited(, end")
    text = "try, h(); catch e, disp(e.identifier), end"
    assert machine.run(text) == "MATLAB:m_invalid_syntax\n"
    file.write_text("function r = edited(), r = 7; end")
    assert machine.run(show) == "7777877 \n"
    file.unlink()
    assert machine.run(text) == "MATLAB:UndefinedFunction\n"


def test_what_is_found_in_a_class_is_searched_once(tmp_path: Path) -> None:
    """Every member of an object was looked for in all its superclasses, each time."""
    (tmp_path / "Low.m").write_text(
        "classdef Low < dynamicprops, methods, function r = f(o), r = 1; "
        "end, function r = g(o), r = 2; end, end, end"
    )
    (tmp_path / "Top.m").write_text(
        "classdef Top < Low, methods, function r = f(o), r = 3; end, end, end"
    )
    m = Machine()
    m.run(f"addpath {tmp_path}\nt = Top; for k = 1:20, s = [t.f(), t.g()]; end")
    assert m.value("isequal(s, [3 2])") is True
    info = m.interpreter.workspace["t"].class_info
    assert info.known.keys() >= {("method", "f"), ("method", "g"), ("property", "g")}
    m.run("u = Top; addprop(t, 'h'); t.h = 5; s = [t.h, t.f(), isprop(u, 'h')];")
    assert m.value("isequal(s, [5 3 0])") is True
    (tmp_path / "Top.m").write_text("classdef Top < Low, end")
    m.run("clear t u classes; t = Top; s = t.f();")
    assert m.value("s") == 1.0


def test_a_handle_is_put_where_it_is_alone() -> None:
    """There are no arrays of handles; the first element of none, or of one, is the handle."""
    machine = Machine()
    machine.run("f(1) = @cos; g = []; g(:) = @sin; h = @tan; h(1, true) = @cos; h([]) = @sin;")
    assert machine.value("[f(0), h(0), g(0)]").tolist() == [[1.0, 1.0, 0.0]]
    machine.run("for k = 1:3, h(1) = @(x) x + k; end, s(2).f(1) = @cos; r = s(2).f(0);")
    assert machine.value("[h(1), r]").tolist() == [[4.0, 1.0]]
