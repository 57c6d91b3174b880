"""Loops whose numbers lie in containers: what they leave behind is the interpreter's, in all corners."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import Interrupted
from app.native import QUICK
from tests.engine.interpreter.running import Machine
from tests.engine.jit.comparing import compare, eager
from tests.support.stopping import StoppedAfter

CLASSES = {
    "Counter_": """classdef Counter_ < handle
properties
n = 0
v = [0 0 0]
other
end
properties (Access = private)
hidden = 1
end
properties (SetAccess = private)
read = 2
end
methods
function add(o, x)
o.n = o.n + x;
end
function y = added(o, x)
o.n = o.n + x;
y = o.n;
end
function put(o, k, x)
o.v(k) = x;
o.n = o.n + sqrt(x);
end
function grow(o, x)
o.v(end + 1) = x;
o.n = o.n + o.v(o.n + 1);
end
function touch(o)
o.hidden = o.hidden + 1; o.read = o.hidden;
end
end
methods (Static)
function y = twice(x)
y = 2 * x;
end
end
end
""",
    "Careful_": """classdef Careful_
properties
x = 1
c (1, 1) double = 2
end
properties (Dependent)
d
end
methods
function o = set.x(o, v)
if v > 4, error('too:large', 'large'); end
o.x = v;
end
function v = get.d(o)
v = o.x * 2;
end
function o = plus(o, k)
o.c = o.c + k;
end
end
end
""",
    "Point_": """classdef Point_
properties
x = 0
y = 0
end
methods
function o = Point_(x, y)
if nargin > 1, o.x = x; o.y = y; end
end
function o = moved(o, dx)
o.x = o.x + dx;
if o.x > 5, o.y = o.y + 1; return; end
o.y = o.y - 1;
end
function o = both(o, k)
[o.x, o.y] = both_(o.x, k);
end
function r = len(o)
r = sqrt(o.x ^ 2 + o.y ^ 2);
end
end
end
""",
}

PROGRAMS = {
    "an element changes its class": "c = {true, false}; for k = 1:9, c{mod(k, 2) + 1} = k; end",
    "a cell of numbers takes a truth": "c = {1, 2}; for k = 1:9, c{mod(k, 2) + 1} = k > 3; end",
    "a cell takes text": "c = {1, 2}; for k = 1:5, c{mod(k, 2) + 1} = 'ab'; end",
    "a cell grows by a gap": "c = {1}; for k = 1:5, c{2 * k} = k; end",
    "a cell grows by one": "c = {1}; for k = 1:5, c{end + 1} = k; end, n = numel(c);",
    "an empty cell grows": "c = {}; for k = 1:5, c{end + 1} = k; end",
    "a column of a cell": "c = {1; 2; 3}; for k = 1:9, j = mod(k, 3) + 1; c{j} = c{j} + k; end",
    "a matrix of cells": "c = {1 2; 3 4}; for k = 1:4, c{2, 1} = c{1, 2} + c{k}; end",
    "subscripts by two": "c = {1 2; 3 4}; for k = 1:4, i = mod(k, 2) + 1; c{i, 2} = c{i, 1}; end",
    "out of a cell": "c = {1, 2, 3}; s = 0; for k = 1:5, s = s + c{k}; end",
    "a struct array grows": "s = struct('x', {1, 2}); for k = 1:5, s(k).x = k; end",
    "struct array, one of other class": "s = struct('x', {1, 'a'}); q = 0;"
    " for k = [1 1 2], q = q + s(k).x; end",
    "elements of a struct array": "s = struct('x', {1, 2, 3}, 'y', 4); q = 0;"
    " for k = 1:3, p = s(k); q = q + p.x * p.y; end",
    "element put back": "s = struct('x', {1, 2, 3}); for k = 1:3, p = s(k); p.x = p.x * 2; s(k) = p; end",
    "struct array 1x1": "s = struct('x', 3); for k = 1:3, s(1).x = s(1).x + k; end",
    "field removed and added": "s.a = 1; for k = 1:4, s.b = k; if k == 2, s = rmfield(s, 'a'); end, end",
    "field order": "s.a = 1; s.b = 2; for k = 1:4, t = struct('b', s.a, 'a', s.b); s = t; end",
    "struct becomes number": "s.a = 1; for k = 1:3, if k == 2, s = 5; end, end",
    "variable was a struct before": "t.a = 1; s = 0; for k = 1:5, t = k; s = s + t; end",
    "variable was a number before": "t = 1; s = 0; for k = 1:5, t = struct('a', k); s = s + t.a; end",
    "nothing before, no pass": "for k = 1:0, t = struct('a', k); end",
    "copies are values": "s.a = 1; t = s; for k = 1:5, t = s; t.a = k; s.a = s.a + t.a; end",
    "swapped": "s.a = 1; t.a = 2; for k = 1:5, u = s; s = t; t = u; s.a = s.a + 1; end",
    "swapped in a cell": "c = {1, 2}; for k = 1:5, c = {c{2}, c{1} + k}; end",
    "dynamic field changes": "s.a = 1; s.b = 2; f = 'a'; for k = 1:6,"
    " if k == 3, f = 'b'; end, s.(f) = s.(f) + k; end",
    "dynamic field missing": "s.a = 1; f = 'z'; q = 0; for k = 1:3, q = q + s.(f); end",
    "field missing": "s.a = 1; q = 0; for k = 1:3, q = q + k; q = q + s.z; end",
    "same object twice": "o = Counter_; p = o; for k = 1:5, o.n = o.n + 1; p.n = p.n * 2; end",
    "object in a struct": "o = Counter_; s.o = o; for k = 1:5, s.o.n = s.o.n + 1; o.n = o.n * 2; end",
    "object in a cell": "o = Counter_; c = {o, o}; for k = 1:5, c{1}.n = c{2}.n + 1; end, n = o.n;",
    "objects of objects": "o = Counter_; o.other = Counter_; for k = 1:5,"
    " o.other.n = o.other.n + k; o.n = o.other.n; end, m = o.other.n; clear o",
    "object found later": "for k = 1:5, if k == 1, o = Counter_; p = o; end, o.add(k); end, n = p.n; clear o p",
    "another object": "o = Counter_; p = Counter_; for k = 1:6, if mod(k, 2), q = o; else, q = p; end,"
    " q.n = q.n + k; end, a = o.n; b = p.n;",
    "method in an expression": "o = Counter_; q = 0; for k = 1:5, q = o.n + o.added(k) * o.n; end",
    "method undone": "o = Counter_; v = [1 2 3]; q = 0; for k = 1:5, q = o.added(k) + v(k); end",
    "method undone in a condition": "o = Counter_; v = [1 2 3]; q = 0; for k = 1:5,"
    " if o.added(k) > 0 && v(k) > 0, q = q + 1; end, end",
    "method undone in while": "o = Counter_; v = [1 2 3]; k = 1; while o.added(k) > 0 && v(k) > 0,"
    " k = k + 1; end",
    "undone and caught": "o = Counter_; v = [1 2 3]; q = 0; for k = 1:6, try, q = o.added(k) + v(k);"
    " catch e, q = -1; o.n = o.n + 100; end, end",
    "element undone": "o = Counter_; for k = 1:5, o.put(min(k, 3), 3 - k); end",
    "growth undone": "o = Counter_; for k = 1:5, o.grow(k); end",
    "private property": "o = Counter_; for k = 1:4, o.touch(); end, for k = 1:3, o.read = k; end",
    "private read": "o = Counter_; q = 0; for k = 1:3, q = q + o.hidden; end",
    "static method": "q = 0; for k = 1:5, q = q + Counter_.twice(k); end",
    "deleted object": "o = Counter_; for k = 1:5, o.n = k; if k == 3, delete(o); end, end",
    "set method": "o = Careful_; for k = 1:6, o.x = k; end",
    "checked property": "o = Careful_; for k = 1:6, o.c = o.c + k; end, o.c = 'a';",
    "dependent property": "o = Careful_; q = 0; for k = 1:4, q = q + o.d; end",
    "operator of a class": "o = Careful_; for k = 1:4, o = o + k; end",
    "values of a value class": "p = Point_(1, 2); r = p; q = 0; for k = 1:8, p = p.moved(k / 2); q = q + p.len(); end",
    "constructor": "q = 0; for k = 1:5, p = Point_(k, 2); q = q + len(p); end",
    "handle captures struct": "p.a = 2; f = @(x) p.a * x; q = 0; for k = 1:5, q = f(q) + 1; p.a = 3; end",
    "handle of handle": "g = @(x) x + 1; f = @(x) g(g(x)); q = 0; for k = 1:5, q = f(q); end",
    "handle named like a variable": "sum = 3; f = @(x) max(x, sum); q = 0; for k = 1:5, q = f(k); end",
    "handle of nested fields": "s.f.g = @(x, y) deal(x + y, x - y); a = 1; b = 2;"
    " for k = 1:5, [a, b] = s.f.g(a, b); end",
    "handles in a cell": "c = {@sin, @(x) x / 2}; q = 1; for k = 1:6, q = q + c{1}(q) + c{2}(q); end",
    "handles chosen by pass": "c = {@sin, @(x) x / 2}; q = 1; for k = 1:6, q = c{mod(k, 2) + 1}(q); end",
    "handle replaced": "f = @(x) x + 1; q = 0; for k = 1:5, q = f(q); if k == 2, f = @(x) x * 2; end, end",
    "text of a string": 'm = "go"; q = 0; for k = 1:5, if m == "go", q = q + 1; end,'
    ' if k == 3, m = "stop"; end, end',
    "switch of a string": "m = \"b\"; q = 0; for k = 1:5, switch m, case 'a', q = 1; case {'b', \"c\"}, q = q + 2; end, end",
    "strings vary": 'q = 0; for m = ["a" "b" "c" "d" "e" "f" "g" "h"], for k = 1:3,'
    ' if m == "c", q = q + k; end, end, end',
    "steering varies": "c = {1, 2, 3, 4, 5, 6, 7, 8, 9}; q = 0; for i = 1:9, for k = 1:4, q = q + c{i} * k; end, end",
    "shapes vary": "q = 0; for i = 1:9, c = cell(1, i); for j = 1:i, c{j} = j; end,"
    " for k = 1:4, q = q + c{1} * k; end, end",
    "complex in a cell": "c = {1, 2}; for k = 1:6, c{1} = c{1} * 1i + c{2}; end",
    "complex in columns": "c = {1, 2}; for k = 1:6, j = mod(k, 2) + 1; c{j} = c{j} * 1i; end",
    "integers in a struct": "s.i = int8(100); for k = 1:9, s.i = s.i + int8(k); end",
    "zeros keep their sign": "c = {0, -0}; s.z = 0; for k = 1:4, c{1} = -c{2}; s.z = -s.z; end",
    "fails in a function": "s.a = [1 2 3]; s.n = 0; for k = 1:5, s = step_(s, k); end",
    "function of fields made": "q = 0; for k = 1:5, s = made_(k); q = q + s.a + s.b; end",
    "function of varargin": "q = 0; for k = 1:5, q = q + many_(k) + many_(k, 2) + many_(k, 2, 3); end",
    "return in the middle": "s.a = 0; q = 0; for k = 1:6, [q, s] = early_(s, k); end",
    "loop in a function": "s.a = [1 2 3 4]; q = 0; for k = 1:4, q = q + summed_(s, k); end",
    "recursion of structs": "s.a = 5; q = 0; for k = 1:3, q = q + down_(s); end",
    "try inside": "v = [1 2 3]; s.n = 0; for k = 1:6, try, s.n = s.n + v(k); catch e, s.n = s.n - 1; end, end",
    "try in try": "v = [1 2]; q = 0; for k = 1:5, try, try, q = q + v(k); catch, q = q + v(k - 2); end,"
    " catch e, q = q + 100; end, end",
    "try with break": "v = [1 2]; q = 0; for k = 1:5, try, q = q + v(k); catch, break, end, end",
    "try with inner loop": "v = [1 2 3]; q = 0; for k = 1:3, try, for j = 1:4, q = q + v(j) * k; end, catch, q = -q; end, end",
    "questions": "s.a = 1; c = {1, 2}; q = 0; for k = 1:4, if isfield(s, 'a') && ~isfield(s, 'b') && isstruct(s)"
    " && iscell(c) && ~isempty(c), q = q + numel(c) + length(c) + numel(s); end, end",
    "answers are ans": "o = Counter_; for k = 1:4, o.added(k); end, q = ans;",
    "functions that a class does not see": "p = Point_(1, 2); for k = 1:4, p = p.both(k); end",
    "a jump outside of loops": "q = 0; for k = 1:4, q = q + k; jumps_(k, struct('a', 1)); end",
    "a map": "m = containers.Map(); m('a b') = 1; q = 0; for k = 1:5, m('a b') = m('a b') * 2;"
    " q = q + m('a b'); end, m = values(m);",
    "a map in two names": "m = containers.Map(); n = m; m('a') = 1; for k = 1:5, m('a') = n('a') + 1;"
    " n('a') = m('a') * 2; end, q = m('a'); clear m n",
    "a map without the key": "m = containers.Map(); m('a') = 1; for k = 1:5, m('b') = k; q = m('c'); end",
    "a map of numbers converts": "m = containers.Map('KeyType', 'char', 'ValueType', 'double'); m('a') = 1;"
    " for k = 1:5, m('a') = int32(k); end, q = m('a'); clear m",
    "a dictionary": 'd = dictionary("a", 1, "b", 2); e = d; for k = 1:5, d("a") = d("a") + d("b");'
    ' end, q = d("a"); r = e("a"); clear d e',
    "a dictionary and characters": "d = dictionary(\"a\", 1); q = 0; for k = 1:3, q = q + d('a'); end, clear d",
    "keys vary": "m = containers.Map(); q = 0; for i = 1:8, m(char(96 + i)) = i; for k = 1:4,"
    " q = q + m('a'); end, end, clear m",
    "deal": "a = 1; b = 2; for k = 1:5, [a, b] = deal(b, a + k); end",
    "random in a method": "s.x = 0; rng(3); for k = 1:5, s.x = s.x + drawn_(s); end",
}
FUNCTIONS = """
function s = step_(s, k)
s.n = s.n + 1;
s.a(1) = s.a(1) + s.a(k);
end
function [a, b] = both_(x, y)
a = x + y; b = x - y;
end
function jumps_(k, s)
if k > 2, break, end
end
function s = made_(k)
s.a = k; s.b = 2 * s.a;
end
function y = many_(x, varargin)
y = x * nargin;
if nargin > 1, y = y + varargin{1}; end
if nargin > 2, y = y + varargin{2} * numel(varargin); end
end
function [q, s] = early_(s, k)
q = -1;
s.a = s.a + k;
if s.a > 9
return
end
q = s.a;
end
function q = summed_(s, k)
q = 0;
for j = 1:k
if j == 3, continue, end
q = q + s.a(j);
end
end
function y = down_(s)
if s.a < 1, y = 0; return, end
s.a = s.a - 1;
y = 1 + down_(s);
end
function y = drawn_(s)
y = rand + s.x * 0;
end
"""


@pytest.mark.parametrize("name", PROGRAMS)
def test_containers_are_as_in_the_interpreter(name: str, tmp_path: Path) -> None:
    for kind, text in CLASSES.items():
        (tmp_path / f"{kind}.m").write_text(text)
    for passes in (0, 1, 3):
        compare(PROGRAMS[name] + FUNCTIONS, passes, QUICK, str(tmp_path))


def test_a_function_of_another_file_may_change(tmp_path: Path) -> None:
    file = tmp_path / "stepped_.m"
    machine = Machine()
    machine.interpreter.path.add([str(tmp_path)])
    loop = "q = 0; for k = 1:5, q = stepped_(q); end"
    with eager(0, QUICK):
        file.write_text("function y = stepped_(x)\ny = x + 1;\nend\n")
        machine.run(loop)
        assert machine.value("q") == 5
        file.write_text("function y = stepped_(x)\ny = x + 1000;\nend\n")
        machine.interpreter.refresh()
        machine.run(loop)
        assert machine.value("q") == 5000


def test_stop_reaches_a_method_in_the_place_of_its_call(tmp_path: Path) -> None:
    (tmp_path / "Endless_.m").write_text(
        "classdef Endless_ < handle\nproperties\nn = 0\nend\nmethods\nfunction go(o)\n"
        "while o.n >= 0\no.n = o.n + 1;\nend\nend\nend\nend\n"
    )
    machine = Machine()
    machine.interpreter.path.add([str(tmp_path)])
    stopped = StoppedAfter(0.6, lambda: setattr(machine.host, "cancelled", True))
    with eager(0, QUICK), pytest.raises(Interrupted), stopped:
        machine.run("o = Endless_; for k = 1:3, o.go(); end")
    assert stopped.spent < 0.1 + 0.15
