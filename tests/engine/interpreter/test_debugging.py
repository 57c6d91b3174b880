"""Breakpoints, stepping, line timings."""

from __future__ import annotations

import sys
from contextlib import nullcontext

import pytest

from app.engine.interpreter.debugging import Pause
from app.engine.protocol import Breakpoint
from app.errors import MatlabError
from tests.engine.interpreter.running import Machine

FILE = "/somewhere/program.m"
TEXT = """x = 1;
for k = 1:3
  x = x + k;
  y = helper(x);
end
function r = helper(a)
  b = a * 2;
  r = b + 1;
end
"""


def paused(
    machine: Machine, breakpoints: list[Breakpoint], commands: list[str], text: str = TEXT
) -> list[tuple[str, int]]:
    """Where the run stopped, given how to go on each time."""
    places: list[tuple[str, int]] = []
    answers = iter(commands)

    def on_pause(pause: Pause) -> str:
        places.append((pause.frames[0].name, pause.frames[0].line))
        return next(answers, "continue")

    debugger = machine.interpreter.debugger
    debugger.on_pause = on_pause
    debugger.set_breakpoints(breakpoints)
    machine.run(text, FILE)
    return places


def test_breakpoints_stop_and_steps_follow_the_lines() -> None:
    found = paused(Machine(), [Breakpoint(FILE, 7, hits=2)], ["step", "step", "step-out", "step"])
    assert found[:3] == [("helper", 7), ("helper", 8), ("helper", 9)]
    assert found[3][0] == "program"


def test_stepping_in_stands_on_the_first_statement() -> None:
    found = paused(Machine(), [Breakpoint(FILE, 4)], ["step-in", "step-out"])
    assert found[:2] == [("program", 4), ("helper", 7)]
    assert found[2][0] == "program"


CONTROL = """i = 0;
for i = 1:2
  x = i;
  x = x + ...
    1;
end
while i > 1
  i = i - 1;
end
if i == 1
  k = 1;
else
  k = 2;
end
switch k
  case 1
    k = 3;
end
try
  error('x')
catch e
  k = 4;
end
k = 5;
"""


def test_steps_stand_on_statements_only_and_in_their_order() -> None:
    found = paused(Machine(), [Breakpoint(FILE, 1)], ["step"] * 30, CONTROL)
    for_loop = [2, 3, 4, 2, 3, 4, 2]
    assert [line for _, line in found] == [
        *(1, *for_loop, 7, 8, 7),
        *(10, 11, 15, 16, 17, 19, 20, 22, 24),
    ]


def test_a_breakpoint_on_a_condition_stops_once_each_time_it_is_asked() -> None:
    found = paused(Machine(), [Breakpoint(FILE, line) for line in (10, 15)], [], CONTROL)
    assert found == [("program", 10), ("program", 15)]


def test_conditions_see_the_variables() -> None:
    assert paused(Machine(), [Breakpoint(FILE, 7, condition="a > 4")], []) == [("helper", 7)]


def test_a_pause_can_look_and_change() -> None:
    machine = Machine()

    def on_pause(pause: Pause) -> str:
        assert pause.workspace(0).get("a") == 2.0
        assert pause.workspace(1).get("k") == 1.0
        pause.evaluate("a = 100;")
        return "continue"

    machine.interpreter.debugger.on_pause = on_pause
    machine.interpreter.debugger.set_breakpoints([Breakpoint(FILE, 7, condition="a == 2")])
    machine.run(TEXT.replace("end\nfunction", "  if k == 1, z = y; end\nend\nfunction", 1), FILE)
    assert machine.interpreter.workspace["z"] == 201.0


def test_nothing_watches_a_plain_run() -> None:
    machine = Machine()
    machine.run("x = 1;")
    assert sys.gettrace() is None
    assert not machine.interpreter.debugger.active


def test_line_times() -> None:
    machine = Machine()
    machine.interpreter.debugger.profiling = True
    machine.run(TEXT, FILE)
    lines = machine.interpreter.debugger.lines
    assert lines[FILE, 3].count == 3
    assert lines[FILE, 8].count == 3
    assert lines[FILE, 4].seconds >= lines[FILE, 8].seconds


def stops_at_non_finite(text: str) -> list[tuple[int, str]]:
    """Lines and messages of the pauses of a run that stops at NaN and Inf."""
    machine = Machine()
    found: list[tuple[int, str]] = []

    def on_pause(pause: Pause) -> str:
        assert pause.reason == "naninf"
        found.append((pause.frames[0].line, pause.message))
        return "continue"

    machine.interpreter.debugger.on_pause = on_pause
    machine.interpreter.debugger.set_breakpoints([], ["naninf"])
    machine.run(text, FILE)
    return found


def test_the_first_element_that_is_not_finite_is_named() -> None:
    text = "a = ones(3, 2);\na(2, 2) = 0;\nb = 1 ./ a;\nc = sum(b(:));\nd = 'text';\n"
    assert stops_at_non_finite(text) == [(3, "b(2,2) is Inf"), (4, "c is Inf")]


def test_a_change_in_place_is_seen() -> None:
    text = "a = zeros(1, 5);\nfor k = 1:5\n  a(k) = 1 / (k - 3);\nend\nx = 1;\n"
    assert stops_at_non_finite(text) == [(3, "a(1,3) is Inf")]


def test_a_function_stops_at_its_last_statement_too() -> None:
    text = "y = f(0);\nz = 1;\nfunction r = f(x)\n  r = -1 / x;\nend\n"
    found = stops_at_non_finite(text)
    assert found == [(4, "r is -Inf"), (1, "y is -Inf")]


def test_values_on_the_graph_are_looked_at() -> None:
    text = "x = linspace(-1, 1, 4001);\ny = x .* 2;\nz = y ./ y;\nw = 1;\n"
    assert stops_at_non_finite(text) == [(3, "z(1,2001) is NaN")]


CAUGHT = """function caught
  outer
  try, fails(2), catch problem, end
  x = 1; try, x = fails(1); catch, x = 0; end
  fails(3)
end
function outer
  try
    y = cellfun(@(k) fails(k), {1});
  end
  try
    y = 1;
  catch
    fails(0)
  end
end
function r = fails(n)
  r = [];
  r(n + 1) = r(n + 2);
end
"""


def stopped(stops: set[str], command: str) -> list[list[int]]:
    """On which lines a run of ``CAUGHT`` stopped for errors, innermost first."""
    machine, found = Machine(), []

    def on_pause(pause: Pause) -> str:
        if pause.reason in stops:
            found.append([frame.line for frame in pause.frames])
        return command

    debugger = machine.interpreter.debugger
    debugger.on_pause = on_pause
    debugger.set_breakpoints((), stops)
    with pytest.raises(MatlabError):
        machine.run(f"{CAUGHT}caught", FILE)
    return found


@pytest.mark.parametrize("command", ["continue", "step", "step-out"])
def test_an_error_stops_once_and_not_in_a_try(command: str) -> None:
    assert stopped({"error"}, command) == [[19, 5, 21]]
    caught = [[19, 9, 9, 2, 21], [19, 3, 21], [19, 4, 21]]
    assert stopped({"caught error"}, command) == caught
    assert stopped({"caught error", "error"}, command) == [*caught, [19, 5, 21]]


@pytest.mark.parametrize(
    ("line", "caught", "uncaught"),
    [
        ("x = cellfun(@(k) fails(k), {1}, 'ErrorHandler', @(problem, k) 0);", 1, 0),
        ("x = arrayfun(@(k) fails(k), 1:2, 'ErrorHandler', @(problem, k) fails(k));", 1, 1),
        ("x = structfun(@(k) fails(k), struct('a', 1), 'ErrorHandler', @(problem, k) 0);", 1, 0),
        ("eval('fails(1);', 'x = 0;')", 1, 0),
        ("eval('fails(1);', 'fails(2);')", 1, 1),
        ("evalin('base', 'error(''no'')', 'x = 0;')", 1, 0),
        ("evalc('fails(1);', 'x = 0;');", 1, 0),
        ("eval('fails(1);')", 0, 1),
        ("x = cellfun(@(k) fails(k), {1});", 0, 1),
    ],
)
def test_what_a_handler_catches_is_caught(line: str, caught: int, uncaught: int) -> None:
    machine, found = Machine(), []

    def on_pause(pause: Pause) -> str:
        found.append(pause.reason)
        return "continue"

    machine.interpreter.debugger.on_pause = on_pause
    machine.interpreter.debugger.set_breakpoints((), {"error", "caught error"})
    program = (
        f"function outer\n{line}\nend\nfunction r = fails(n)\nr = [];\nr(n) = r(n + 2);\nend\n"
    )
    with pytest.raises(MatlabError) if uncaught else nullcontext():
        machine.run(f"{program}outer", FILE)
    assert found == ["caught error"] * caught + ["error"] * uncaught
