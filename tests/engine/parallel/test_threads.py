"""Machine code of a parfor on several threads: the bits of one, errors, enlarged arrays, a stop."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from math import inf

import pytest

from app import native
from app.engine.interpreter.loops import parfor_kernel, parfor_threads
from app.engine.jit.policy import Policy
from app.engine.parallel.status import ParallelStatus
from app.engine.parallel_state import ParallelState
from app.errors import MatlabError
from app.source import SourceText
from tests.engine.parallel.running import Owner
from tests.engine.parallel.scalar_bodies import NAMES, scalar_body

BODIES = 8


@pytest.fixture(scope="module")
def owners() -> Iterator[tuple[Owner, Owner]]:
    plain, threaded = Owner(), Owner()
    plain.session.settings.set("compile_loops", False)
    threaded.session.settings.set("host_threads", 3)
    yield plain, threaded
    plain.close()
    threaded.close()


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops are compiled before their first pass, however short they are; none is a kernel."""
    monkeypatch.setattr(Policy, "eager", True)
    monkeypatch.setattr(Policy, "level", native.QUICK)
    monkeypatch.setattr(parfor_threads, "LEAST_S", 0.0)
    monkeypatch.setattr(parfor_kernel, "LEAST_S", inf)


def ran_on_threads(owner: Owner, text: str) -> bool:
    """Whether a parfor of a program used threads."""
    runtime = owner.session.interpreter.runtime
    assert runtime is not None
    runtime.recorder.boundaries.clear()
    owner.run("clear;" + text)
    return any("machine code ran on" in b.detail for b in runtime.recorder.boundaries.values())


@pytest.mark.parametrize("seed", range(BODIES))
def test_threads_keep_the_bits(owners: tuple[Owner, Owner], seed: int) -> None:
    plain, threaded = owners
    for owner in owners:
        owner.run("clear;" + scalar_body(seed))
    for name in NAMES:
        plain.session.interpreter.base["other"] = threaded.value(name)
        plain.run(f"same = isequaln({name}, other) && strcmp(class({name}), class(other));")
        assert plain.value("same") is True, name


ANSWERS = [
    "y = zeros(1, 900); parfor i = 1:900, y(i) = i; end; t = isequal(y, 1:900);",
    "parfor i = 1:900, y(i) = i; end; t = isequal(y, 1:900);",
    "y = 1:900; parfor i = 1:900, y(i) = y(i) + i; end; t = isequal(y, 2*(1:900));",
    "y = 1:902; z = y; parfor i = 1:900, y(i + 2) = -i; end; t = isequal(y, [1 2 -(1:900)]) && z(3) == 3;",
    "y = zeros(900, 1); parfor i = 1:900, y(i, 3) = i; end; t = isequal(y, [zeros(900, 2) (1:900)']);",
    "s = 5; parfor i = 1:900, s = s + i; end; t = s == 5 + 900*901/2;",
    "s = 5; parfor i = 1:900, s = s - i; if i > 3, s = s - 1; end; end; t = s == 5 - 900*901/2 - 897;",
    "s = 5; parfor i = 1:60, s = s - i; end; t = s == 5 - 60*61/2;",
    "p.k = 3; f = @(v) 3*v; parfor i = 1:900, y(i) = f(i) + p.k; end; t = isequal(y, 3*(1:900) + 3);",
    "y = zeros(1, 900, 'int8'); parfor i = 1:900, y(i) = i; end; t = y(900) == 127 && y(5) == 5;",
    "parfor i = 1:900, if i > 800, d{i} = 'a'; end; y(i) = i; end; t = numel(d) == 900 && sum(y) == 900*901/2;",
    "y = zeros(1, 900); parfor i = 1:900, y(i) = sqrt(i - 450); end; t = ~isreal(y) && abs(y(1)^2 + 449) < 1e-9;",
]


@pytest.mark.parametrize("program", ANSWERS)
def test_answers(owners: tuple[Owner, Owner], program: str) -> None:
    ran_on_threads(owners[1], program)
    assert owners[1].value("t") is True


@pytest.mark.parametrize("program", ANSWERS[:9])
def test_threads_are_used_and_reported(owners: tuple[Owner, Owner], program: str) -> None:
    assert ran_on_threads(owners[1], program) is ("1:60" not in program)


@pytest.mark.parametrize("cap", ["0", "1"])
def test_the_number_of_workers_caps_threads(owners: tuple[Owner, Owner], cap: str) -> None:
    text = f"y = zeros(1, 900); parfor (i = 1:900, {cap}), y(i) = i; end"
    assert not ran_on_threads(owners[1], text)


def test_the_error_of_a_pass_has_its_line(owners: tuple[Owner, Owner]) -> None:
    with pytest.raises(MatlabError, match="Index") as caught:
        owners[1].run(
            "clear; x = 1:900; y = x;\nparfor i = 1:900\ny(i) = x(i + (i == 700)*900);\nend"
        )
    assert caught.value.stack[0].line == 3


def test_a_stop_reaches_all_threads(owners: tuple[Owner, Owner]) -> None:
    owner = owners[1]
    threading.Timer(0.2, owner.session.cancel, (True,)).start()
    text = "parfor i = 1:900, t = i; while t > 0, t = t + 1; end; y(i) = t; end"
    owner.session.run_source(SourceText("<t>", text))
    assert owner.session.last_status == "interrupted"
    assert not [t for t in threading.enumerate() if t.name == "fuselab-parfor"]


def test_passes_that_stay_in_this_process_are_seen_to_go_by(owners: tuple[Owner, Owner]) -> None:
    """A loop that no worker may have took all its passes as one range, and nothing was told."""
    events: list[ParallelState] = []
    owner = owners[1]
    ParallelStatus(owner.session.interpreter, events.append)
    owner.run("clear; y = zeros(1, 6); parfor i = 1:6, pause(0.12); y(i) = i; end")
    done = {event.loops[-1].done for event in events if event.loops}
    assert len(done & {1, 2, 3, 4, 5}) >= 3, done


def test_what_the_window_is_told(owners: tuple[Owner, Owner]) -> None:
    events: list[ParallelState] = []
    interpreter = owners[1].session.interpreter
    ParallelStatus(interpreter, events.append)
    owners[1].run("clear;\ny = zeros(1, 900);\nparfor i = 1:900, y(i) = i; end")
    interpreter.parfors.changed(now=True)
    last = events[-1].loops[-1]
    assert (last.line, last.passes, last.done, last.running) == (3, 900, 900, False)
    assert last.where == "this process: its machine code ran on 3 threads"
    assert events[-1].workers == ()
    interpreter.parfors.changed(now=True)
    assert len(set(events)) == len(events)
