"""What a whole text is given, and what is said about a text that cannot be compiled."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app.engine.interpreter.interpreter import Interpreter
from app.engine.jit.entry_points import NATIVE
from app.settings import Settings
from app.source import SourceText
from tests.engine.interpreter.running import Machine, Recorder
from tests.support.conformance import SUPPORT


def test_a_script_sees_the_arguments_it_was_started_with() -> None:
    host = Recorder()
    interpreter = Interpreter(Settings(), None, host, NATIVE)
    source = SourceText("<script>", "fprintf('%d', nargin); c = argv(); fprintf(' %s', c{:})")
    interpreter.run(source, ("one", "two words"))
    assert host.text == "2 one two words"


def test_without_arguments_there_is_no_count() -> None:
    assert Machine().fails("nargin").identifier == "MATLAB:nargin"


def test_an_expression_too_deep_to_compile_names_its_statement() -> None:
    error = Machine().fails("a = 1;\nif a\n  b = " + "a + " * 90_000 + "a;\nend", "deep.m")
    assert (error.stack[0].file, error.stack[0].line) == ("deep.m", 3)


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("y = a" + " + a" * 5_000, 5001.0),
        ("y = " + "-" * 5_000 + "a", 1.0),
        ("y = 0; for k = 1:200, y = y + k" + " - k + k" * 3_000 + "; end", 20_100.0),
        ("f = @(x) x" + " + x.^2" * 5_000 + "; y = f(a)", 5001.0),
        ("c = {a}; c{1" + " + 0" * 5_000 + "} = 2; y = c{1}", 2.0),
        ("y = g(a);\nfunction r = g(x), r = x" + " && x" * 5_000 + "; end", 1.0),
    ],
    ids=["sum", "signs", "loop", "handle", "subscript", "function"],
)
def test_programs_write_longer_expressions_than_people(code: str, value: float) -> None:
    machine, limit = Machine(), sys.getrecursionlimit()
    machine.run(f"a = 1;\n{code}")
    assert machine.value("y") == value
    assert sys.getrecursionlimit() == limit


def test_numbers_of_a_derived_class_index_and_loop() -> None:
    machine = Machine()
    machine.interpreter.path.add([str(SUPPORT)])
    machine.run(
        "d = Length([2 4], 'cm'); x = zeros(1, 4); x(d) = 1; n = 0; for k = d, n = n + k; end"
    )
    assert machine.value("n") == 6.0
    assert machine.value("x").tolist() == [[0.0, 1.0, 0.0, 1.0]]


def test_a_script_has_no_value(tmp_path: Path) -> None:
    (tmp_path / "step_one.m").write_text("q = 3;\n")
    machine = Machine()
    machine.interpreter.path.add([str(tmp_path)])
    for use in (
        "y = step_one",
        "y = step_one + 1",
        "disp(step_one)",
        "step_one += 2",
        "{step_one}",
    ):
        error = machine.fails(use)
        assert error.identifier == "MATLAB:scriptNotAFunction", use
        assert error.message.startswith("Attempt to execute SCRIPT step_one as a function")
    machine.run("step_one, q = q + 1; if q, step_one, end")
    assert machine.value("q") == 3.0


REPEATING = """
n = zeros(1, 7); m = n;
[n(1), m(1)] = f(); [n(2), m(2)] = f(1, 2); [n(3), m(3)] = f(1, 2, Format='x');
[n(4), m(4)] = f({1}, 'format', 3, 'Latest', true); [n(5), m(5)] = f("a", "b", "c");
[n(6), m(6)] = f('Format', 'Format', 1); [n(7), m(7)] = g(1, 2, 3, 4, Latest=1);
function [n, m] = f(v, options)
    arguments (Repeating)
        v
    end
    arguments
        options.Format
        options.Latest
    end
    n = numel(v); m = numel(fieldnames(options));
end
function [n, m] = g(v, w, options)
    arguments (Repeating)
        v
        w
    end
    arguments
        options.Latest = 0
    end
    n = numel(v) + numel(w); m = options.Latest;
end
"""


def test_repeating_arguments_are_told_from_names_and_values() -> None:
    machine = Machine()
    machine.run(REPEATING)
    assert machine.value("n").tolist() == [[0.0, 2.0, 2.0, 1.0, 3.0, 1.0, 4.0]]
    assert machine.value("m").tolist() == [[0.0, 0.0, 1.0, 2.0, 0.0, 1.0, 1.0]]


CHECKED = """
n = f(1, 'a', int8(3), 'b');
try, f(1, 'a', [1 2], 'b'), catch e, shape = e.message; end
try, f(1, 'a', 2, 'zz'), catch e, member = e.message; end
try, [u, v] = g(2, -1); catch e, output = e.message; end
[u, v] = g(int8(2), 3); kinds = [class(u) class(v)];
try, h(1, 'x'), catch e, rest = e.message; end
function n = f(x, t)
    arguments (Repeating)
        x (1,1) double
        t (1,:) char {mustBeMember(t, {'a', 'b'})}
    end
    n = [class(x{2}) t{:}];
end
function varargout = g(varargin)
    arguments (Output, Repeating)
        varargout (1,1) single {mustBePositive}
    end
    varargout = varargin;
end
function h(varargin)
    arguments (Repeating)
        varargin {mustBeNumeric}
    end
end
"""


def test_repeating_inputs_and_outputs_are_as_they_were_declared() -> None:
    machine = Machine()
    machine.run(CHECKED)
    assert machine.value("n") == "doubleab"
    assert machine.value("kinds") == "singlesingle"
    assert machine.value("shape") == "Invalid argument at position 3. Value must be a scalar."
    assert machine.value("member").startswith("Invalid argument at position 4. Value must be a mem")
    assert machine.value("rest").startswith("Invalid argument at position 2. Value must be numeric")
    text = "Invalid value for 'varargout' output argument. Value must be positive."
    assert machine.value("output") == text


@pytest.mark.parametrize("call", ["run('{}/shares.m');", "addpath('{}'), shares", "run {}/shares"])
def test_what_a_script_makes_global_is_so_where_it_was_called(call: str, tmp_path: Path) -> None:
    (tmp_path / "shares.m").write_text("global Shared_S\nShared_S = 2;\n")
    machine = Machine()
    machine.run(
        f"{call.format(tmp_path)}\nShared_S = Shared_S + 1; y = there();\n"
        "function y = there(), global Shared_S, y = Shared_S; end\n"
    )
    assert machine.value("y") == 3.0
