"""Breakpoints, stepping, line timings."""

from __future__ import annotations

import sys

from app.engine.interp.debugging import Pause
from app.engine.protocol import Breakpoint
from tests.engine.interp.running import Machine

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
    machine: Machine, breakpoints: list[Breakpoint], commands: list[str]
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
    machine.run(TEXT, FILE)
    return places


def test_breakpoints_stop_and_steps_follow_the_lines() -> None:
    found = paused(Machine(), [Breakpoint(FILE, 7, hits=2)], ["step", "step", "step-out", "step"])
    assert found[:3] == [("helper", 7), ("helper", 8), ("helper", 9)]
    assert found[3][0] == "program"


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
