"""Loops switch to machine code while they run, stop at once, and say when they cannot."""

from __future__ import annotations

import itertools
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from app import native
from app.engine.capture.capture_session import Session
from app.engine.jit import background_build, driver, hot, loop_version, machine_code
from app.engine.jit.policy import Policy
from app.engine.jit.site import Site
from app.engine.protocol import Breakpoint
from app.errors import Interrupted
from tests.engine.interpreter.running import Machine
from tests.engine.jit.comparing import eager
from tests.support.stopping import StoppedAfter

LONG = "s = 0; for k = 1:{n}, if mod(k, 3) == 0, s = s + k; end, end"


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The pass at which machine code was entered, each time."""
    found: list[int] = []
    run = loop_version.Version.run

    def noting(self: Any, driver: Any, values: Any, parts: Any) -> Any:
        found.append(driver.at)
        return run(self, driver, values, parts)

    monkeypatch.setattr(loop_version.Version, "run", noting)
    return found


class Recorder:
    """Keeps what is reported."""

    def __init__(self) -> None:
        self.boundaries: list[tuple[int, str, str]] = []
        self.row = SimpleNamespace(count=0, host_ms=0.0)

    def boundary(self, origin: Any, reason: Any, detail: str) -> None:
        self.boundaries.append((origin.line, reason.value, detail))

    def line(self, origin: Any) -> Any:
        return self.row


@pytest.fixture
def recorder(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    made = Recorder()
    runtime = SimpleNamespace(recorder=made, locate=lambda: None, may_get_card=False)
    monkeypatch.setattr(Session, "runtime", runtime)
    return made


def test_a_long_loop_begins_interpreted_and_goes_on_in_machine_code(entries: list[int]) -> None:
    machine = Machine()
    machine.run(LONG.format(n=3_000_000))
    assert entries
    assert 0 < entries[0] < 3_000_000
    assert machine.interpreter.workspace["s"] == sum(range(0, 3_000_001, 3))


AROUND = [
    "clear; {loop}",
    "clear all\nclc\n{loop}",
    "{loop}, clear k",
    "x = 1; {loop}, eval('y = 2;');",
    "if false, load nothing.mat, end, {loop}",
    "eval('w = 3;'); {loop}",
    "q = evalc('w = 3;'); {loop}",
    "{function}",
]
"""Scripts and functions with calls that may change any variable, but not in their loops."""
OF_A_FUNCTION = (
    "s = f({n}); function s = f(n), clear x, if n < 0, S = load('x'); end, "
    "s = 0; for k = 1:n, if mod(k, 3) == 0, s = s + k; end, end, end"
)


@pytest.mark.parametrize("around", AROUND)
def test_what_a_script_does_elsewhere_does_not_keep_a_loop_interpreted(
    around: str, entries: list[int]
) -> None:
    machine = Machine()
    text = around.format(loop=LONG, function=OF_A_FUNCTION)
    machine.run(text.format(n=3_000_000))
    assert entries
    assert machine.interpreter.workspace["s"] == sum(range(0, 3_000_001, 3))


@pytest.mark.parametrize("made", ["eval('mod = 1:9;');", "eval('mod(9) = 9;'), mod(:) = 1:9;"])
def test_a_variable_that_hides_a_function_is_read_in_loops(made: str, entries: list[int]) -> None:
    with eager(1):
        machine = Machine()
        machine.run(f"{made}\ns = 0; for k = 1:9, s = s + mod(k); end\nclear mod")
        machine.run("t = 0; for k = 1:9, t = t + mod(k, 2); end")
    assert machine.interpreter.workspace["s"] == 45
    assert machine.interpreter.workspace["t"] == 5


def test_a_loop_that_clears_its_variables_stays_in_the_interpreter(entries: list[int]) -> None:
    with eager(1):
        machine = Machine()
        machine.run("a = 4; n = 0; for k = 1:50, if k == 20, clear a, end, n = n + exist('a'); end")
    assert machine.interpreter.workspace["n"] == 19
    assert not entries


def test_the_next_run_switches_at_once(entries: list[int]) -> None:
    Machine().run(LONG.format(n=3_000_000))
    entries.clear()
    background_build._hints.cache_clear()
    Machine().run(LONG.format(n=3_000_000))
    assert entries[0] == 0


def test_code_made_in_an_instant_is_left_for_better_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the middle of a loop that goes on, also of an inner one, with the same result."""
    levels: list[int] = []
    compiled = native.compile_assembly

    def noting(text: str, *symbols: str, level: int, imports: Any) -> Any:
        levels.append(level)
        return compiled(text, *symbols, level=level, imports=imports)

    monkeypatch.setattr(native, "compile_assembly", noting)
    machine = Machine()
    monkeypatch.setattr(
        machine_code.MachineCode, "is_outdated", lambda code: code.improve() or True
    )
    machine.run(
        "s = 0; n = 0; while n < 40, n = n + 1; for k = 1:200000, s = s + mod(k, 7); end, end"
    )
    assert levels[0] == native.INSTANT
    assert native.THOROUGH in levels
    assert machine.interpreter.workspace["s"] == 40 * sum(k % 7 for k in range(1, 200001))


def test_short_loops_stay_in_the_interpreter(entries: list[int]) -> None:
    Machine().run(LONG.format(n=100))
    assert not entries


@pytest.mark.parametrize(
    "text",
    [
        "k = 0; while k < 30, k = k + 1; end",
        "x = 1; while true, x = x / 2; if x < 1e-6, break, end, end",
        "for k = 1:60, wait_once(k); end\nfunction wait_once(k)\nif k == 1, pause(0.05), end\nend",
    ],
)
def test_nothing_is_compiled_for_a_moment_of_work(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of an unknown number of passes, and with a first pass that looks up what it calls."""
    asked: list[object] = []
    monkeypatch.setattr(loop_version, "compile_loop", lambda *given: asked.append(given))
    Machine().run(text)
    assert not asked


def test_runs_that_end_inside_a_chunk_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops that ``break`` always ends would not be compiled however long they ran."""
    ticks = itertools.count()
    monkeypatch.setattr(driver, "thread_time", lambda: next(ticks) * 1e-6)
    machine = Machine()
    machine.run(
        "for r = 1:6, f(r); end\n"
        "function y = f(y)\nfor k = 1:50, y = y + k; if k == 40, break, end, end\nend"
    )
    sites = [site for unit in machine.interpreter.units for site in unit.loops.values()]
    (inner,) = (site for site in sites if site.runs == 6)
    assert inner.passes < 6, "the first pass of a run is a chunk of its own"
    assert inner.seconds > 7e-6


@pytest.mark.parametrize(("around", "waits"), [("1:20", True), ("[3 1 2]", False)])
def test_a_loop_waits_for_one_around_it_that_may_be_compiled(
    around: str, waits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def run(held: driver.Driver, values: tuple[Any, ...]) -> tuple[Any, ...]:
        asked.append(held.source.count if held.source is not None else 0)
        return (*values, None)

    ticks = itertools.count()
    monkeypatch.setattr(driver, "thread_time", lambda: next(ticks) * 1e-3)
    monkeypatch.setattr(driver, "is_awake", lambda: True)
    monkeypatch.setattr(Policy, "spent_s", 1e9)
    monkeypatch.setattr(loop_version, "run", run)
    Machine().run(f"s = 0; for n = {around}, for k = 1:100, s = s + k; end, end")
    assert (100 in asked) is not waits


def test_small_arrays_get_vectors_when_they_have_run_for_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    levels: list[int] = []
    compiled = native.compile_assembly

    def noting(text: str, *symbols: str, level: int, imports: Any) -> Any:
        levels.append(level)
        return compiled(text, *symbols, level=level, imports=imports)

    monkeypatch.setattr(native, "compile_assembly", noting)
    program = "x = ones(1, {n}); for k = 1:{passes}, x(1) = x(2) + sum(x); x = x / x(1); end"
    Machine().run(program.format(n=5, passes=8_000_000))
    while background_build._QUEUE.busy:
        time.sleep(0.01)
    assert levels == [native.INSTANT, native.VECTORS]
    levels.clear()
    Machine().run(program.format(n=5000, passes=20_000))
    assert levels == [native.VECTORS]


def test_the_setting_turns_it_off(entries: list[int]) -> None:
    machine = Machine()
    machine.interpreter.settings.compile_loops = False
    with eager(0):
        machine.run(LONG.format(n=100))
    assert not entries


@pytest.mark.parametrize(
    "text",
    [
        "k = 0; while true, k = k + 1; end",
        "s = 0; for k = 1:1e15, s = s + 1; end",
        "r = f(1);\nfunction r = f(n)\nr = n; while r > 0, r = g(r); end\nend\n"
        "function r = g(r)\nfor k = 1:100, r = r + 1; end\nend",
        "for k = 1:1e6, r = fib(60); end\nfunction r = fib(n)\nif n < 2, r = n; else,"
        " r = fib(n-1) + fib(n-2); end\nend",
    ],
)
def test_an_interruption_ends_machine_code_within_100_ms(text: str) -> None:
    machine = Machine()
    stopped = StoppedAfter(0.6, lambda: setattr(machine.host, "cancelled", True))
    with eager(0), pytest.raises(Interrupted), stopped:
        machine.run(text)
    assert stopped.spent < 0.1 + 0.15  # what the machine of a test run may add


def test_variables_are_kept_when_machine_code_is_interrupted(entries: list[int]) -> None:
    machine = Machine()

    def cancel() -> None:
        while not entries and waited.is_alive():
            time.sleep(0.01)
        time.sleep(0.2)
        machine.host.cancelled = True

    waited, canceller = threading.current_thread(), threading.Thread(target=cancel)
    canceller.start()
    with eager(0), pytest.raises(Interrupted):
        machine.run("x = zeros(1, 4); k = 0; while true, k = k + 1; x(mod(k, 4) + 1) = k; end")
    canceller.join()
    left = machine.interpreter.workspace
    assert left["k"] > 1000
    assert left["k"] - left["x"].max() in {0, 1}


def test_breakpoints_keep_a_loop_in_the_interpreter(entries: list[int]) -> None:
    machine = Machine()
    lines: list[int] = []

    def on_pause(pause: Any) -> str:
        lines.append(pause.frames[0].line)
        return "continue"

    machine.interpreter.debugger.on_pause = on_pause
    machine.interpreter.debugger.set_breakpoints([Breakpoint("/nowhere/p.m", 3)])
    with eager(0):
        machine.run("s = 0;\nfor k = 1:5\n s = s + k;\nend", "/nowhere/p.m")
    assert lines == [3] * 5
    assert not entries


@pytest.mark.parametrize(
    ("text", "line", "detail"),
    [
        (
            "s = {};\nfor k = 1:9\n s{k} = [k k];\n t = s{k};\nend",
            3,
            "an element of a cell is assigned",
        ),
        ("x = 1:9;\nfor k = 1:9\n y(k).a = x;\nend", 3, "a field is assigned"),
        ("for k = 1:9\n disp(k);\nend", 2, "a call or an expression on its own"),
        ("s = 0;\nfor k = 1:9\n s = s + besselj(0, k);\nend", 3, "'besselj' is not compiled"),
        (
            "s = 0;\nfor k = 1:9\n s = s + k;\n s = s > 2;\nend",
            3,
            "'s' changes from logical to double",
        ),
    ],
)
def test_what_is_not_compiled_says_why_at_its_line(
    text: str, line: int, detail: str, recorder: Recorder
) -> None:
    with eager(0):
        Machine().run(text)
    assert (line, "unsupported-op", f"the loop is not compiled: {detail}") in recorder.boundaries


def test_a_compiled_loop_is_reported_with_its_time(recorder: Recorder) -> None:
    with eager(0):
        Machine().run("s = 0;\n" + LONG.format(n=10_000))
    assert (2, "fused", "the loop runs as machine code") in recorder.boundaries
    assert recorder.row.count == 1
    assert recorder.row.host_ms > 0


def test_code_that_is_left_again_and_again_is_given_up(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Policy, "left_s", 0.0)
    monkeypatch.setattr(Policy, "spent_s", 0.0)
    monkeypatch.setattr(machine_code, "soon", lambda build, hurry=True: build())
    # Both ways take about as long here, so that the clock would decide by chance.
    monkeypatch.setattr(loop_version.Version, "_is_slower", lambda version: True)
    text = "for k = 1:20000, if mod(k, 2) == 0, c = mat2str(k); end, end"
    Machine().run(text)
    assert any("mat2str" in b[2] for b in recorder.boundaries)


SHORT_INSIDE = "log = {{}}; for j = 1:{n}, for k = 1:15, s = k * 2; end, log{{end+1}} = s; end"


def test_short_loops_are_measured_before_machine_code_is_entered_again_and_again(
    entries: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Site, "hinted", lambda site: True)
    monkeypatch.setattr(machine_code, "soon", lambda build, hurry=True: build())
    Machine().run(SHORT_INSIDE.format(n=3000))
    assert 0 < len(entries) < 100


@pytest.mark.parametrize(
    "change", ["c{end+1} = sprintf('%d', k);", "c(end+1) = {[k k; k k]};", "c(1) = [];"]
)
def test_cells_of_any_length_are_one_to_a_loop_that_resizes_them(
    change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[loop_version.Version] = []
    begin = loop_version.Version.__init__
    monkeypatch.setattr(
        loop_version.Version,
        "__init__",
        lambda self, *given: (made.append(self), begin(self, *given))[1],
    )
    machine = Machine()
    with eager(0):
        machine.run(
            "c = {'a', [1 2; 3 4], 'b', 2, 'c', 3, 'd', 4, 'e'}; s = 0;"
            f"for k = 1:30, s = s + k; if mod(k, 5) == 0, {change} end, end"
        )
    assert machine.value("s") == 465
    assert len(made) == 1


def test_an_entry_that_was_interrupted_is_forgotten() -> None:
    site = SimpleNamespace(entry_s=1.0)
    tries = 1
    while not Site.is_worth_entering(site, 1e-3):  # type: ignore[arg-type]
        tries += 1
    assert 50 < tries < 1000


def test_machine_code_that_is_not_there_is_looked_for_less_and_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[int] = []
    monkeypatch.setattr(Site, "hinted", lambda site: True)
    monkeypatch.setattr(loop_version, "_version_for", lambda *given: looked.append(0))
    Machine().run(SHORT_INSIDE.format(n=3000))
    assert 0 < len(looked) < 100


def test_code_that_is_left_after_much_work_is_kept(
    recorder: Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Policy, "left_s", 0.0)
    monkeypatch.setattr(Policy, "spent_s", 0.0)
    monkeypatch.setattr(machine_code, "soon", lambda build, hurry=True: build())
    text = "for k = 1:9000, if mod(k, 1000) == 0, c = num2str(sum(svd(rand(60)))); end, end"
    Machine().run(text)
    assert (1, "fused", "the loop runs as machine code") in recorder.boundaries
    assert not any("num2str" in b[2] for b in recorder.boundaries)


@pytest.mark.parametrize("inner", ["for k = 1:5", "k = 0; while k < 5, k = k + 1;"])
def test_a_loop_that_was_left_inside_a_pass_goes_on_in_machine_code(
    inner: str, entries: list[int]
) -> None:
    machine = Machine()
    with eager(0):
        body = "if k == 2, c = mat2str(k); end, s = s + k;"
        machine.run(f"s = 0; for j = 1:3, {inner}, {body} end, end")
    assert machine.value("s") == 45
    assert entries == [0, 0, 1, 0, 2, 0]


def test_nobody_asks_for_code_that_is_in_the_making(
    entries: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Policy, "left_s", 0.0)
    monkeypatch.setattr(Policy, "spent_s", 0.0)
    waiting: list[Any] = []
    asked: list[Any] = []
    wanted = loop_version.run

    def asking(driver: Any, values: Any) -> Any:
        asked.append(driver)
        return wanted(driver, values)

    monkeypatch.setattr(machine_code, "soon", waiting.append)
    monkeypatch.setattr(native, "is_awake", lambda: False)
    monkeypatch.setattr(loop_version, "run", asking)
    machine = Machine()
    machine.run(LONG.format(n=20000))
    assert (len(waiting), len(asked), entries) == (1, 1, [])


def test_a_function_is_interpreted_without_detour_until_its_code_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waiting: list[Any] = []
    monkeypatch.setattr(machine_code, "soon", waiting.append)
    machine = Machine()
    seen: list[str] = []
    made = hot.HotFunction.__call__

    def noting(self: Any, *args: Any, nargout: int = 1) -> Any:
        seen.append(type(self).__name__)
        if len(seen) == 2:
            pytest.fail("the name still leads to the entry")
        return made(self, *args, nargout=nargout)

    monkeypatch.setattr(hot.HotFunction, "__call__", noting)
    machine.run(
        "r = fib(16);\nfunction r = fib(n)\nif n < 2, r = n; else,"
        " r = fib(n-1) + fib(n-2); end\nend"
    )
    assert (machine.interpreter.workspace["r"], len(waiting), len(seen)) == (987.0, 1, 1)


def test_recursive_functions_are_compiled_when_called_often() -> None:
    machine = Machine()
    with eager(0):
        machine.run(
            "r = fib(25);\nfunction r = fib(n)\nif n < 2, r = n; else,"
            " r = fib(n-1) + fib(n-2); end\nend"
        )
    assert machine.interpreter.workspace["r"] == 75025.0


def test_a_failing_check_in_a_recursive_function_ends_in_the_interpreter() -> None:
    machine = Machine()
    with eager(0):
        machine.run(
            "r = f(4);\nfunction r = f(n)\nif n < 0, r = sqrt(n); else, r = f(n-1) + 1; end\nend"
        )
    assert machine.interpreter.workspace["r"] == 5 + 1j


@pytest.mark.parametrize("handle", ["@twice", "@(v) twice(v)"])
def test_a_breakpoint_in_another_file_leaves_a_loop_in_machine_code(
    tmp_path: Path, entries: list[int], handle: str
) -> None:
    """Unless a function of that file is inlined into it."""
    (tmp_path / "twice.m").write_text("function y = twice(x)\ny = 2 * x;\nend")
    machine = Machine()
    lines: list[int] = []

    def on_pause(pause: Any) -> str:
        lines.append(pause.frames[0].line)
        return "continue"

    debugger = machine.interpreter.debugger
    debugger.on_pause = on_pause
    machine.run(f"addpath {tmp_path}\nf = {handle};\ns = 0;")
    loop = "for k = 1:40\n s = s + f(k);\nend"
    debugger.set_breakpoints([Breakpoint(str(tmp_path / "other.m"), 2)])
    with eager(0):
        machine.run(loop, str(tmp_path / "p.m"))
        assert entries
        entries.clear()
        debugger.set_breakpoints([Breakpoint(str(tmp_path / "twice.m"), 2)])
        machine.run(loop, str(tmp_path / "p.m"))
    assert lines == [2] * 40
    assert not entries
    assert machine.value("s") == 2 * 40 * 41


@pytest.mark.parametrize(
    "term",
    ["norm(A)", "norm(A - diag(diag(A)), 2)", "dot(A, A) * [1; 1]", "max(A(:, 1:2)) * [1; 1]"],
)
def test_what_was_a_matrix_where_vectors_are_compiled_is_compiled_once_more(
    monkeypatch: pytest.MonkeyPatch, term: str
) -> None:
    """A guess that was wrong is not made again and again: every one costs a compilation."""
    made: list[object] = []
    begin = loop_version.Version.__init__

    def noting(self: Any, *args: Any, **named: Any) -> None:
        made.append(self)
        begin(self, *args, **named)

    monkeypatch.setattr(loop_version.Version, "__init__", noting)
    machine = Machine()
    with eager(0):
        machine.run(f"A = [1 2; 3 5]; s = 0; for k = 1:40, s = s + {term}; A = A(:, [2 1]); end")
    assert len(made) <= 2


@pytest.mark.parametrize(
    "term", ["sum(0:0.1:1)", "numel(0:h:2)", "sum(x(3:2:k - 2))", "prod(x(x > 9)) + mean(x(1:k))"]
)
def test_fractions_and_sums_of_nothing_stay_in_machine_code(entries: list[int], term: str) -> None:
    machine = Machine()
    with eager(0):
        machine.run(f"x = 1:50; h = 0.25; s = 0; for k = 1:40, h = h / 1.1; s = s + {term}; end")
    assert entries in ([0], [0, 0], [0, 1])
