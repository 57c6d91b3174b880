"""Loops on pools of one to three workers: the same bits, errors, output, lost workers, no orphans."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn
from unittest import mock

import pytest

from app import helpers, restricted
from app.accel.runtime.runtime import Runtime
from app.engine.interpreter.loops.parfor_run import Run
from app.engine.parallel import machines
from app.engine.parallel.cluster import MISSING
from app.engine.parallel.parfor_passes import run_ranges
from app.engine.parallel.parfor_pool import ParforPool, RangeSizes, _Sharing
from app.engine.parallel.pool import Task
from app.engine.parallel.status import ParallelStatus
from app.engine.parallel.value_encoding import Tree
from app.engine.parallel_state import ParallelState
from app.engine.protocol import Breakpoint
from app.engine.session.session import Session
from app.engine.values import Value
from app.errors import MatlabError
from tests.engine.parallel import simulated_pools
from tests.engine.parallel.kills import killed
from tests.engine.parallel.random_bodies import NAMES, random_body
from tests.engine.parallel.running import (
    Owner,
    alive,
    once_at_work,
    segments,
    stop_at_work,
    wait_until,
)

BODIES = 24


@pytest.fixture(scope="module")
def owners() -> Iterator[list[Owner]]:
    before = segments()
    made = [Owner(), Owner(1), Owner(2), Owner(3)]
    yield made
    for owner in made:
        owner.close()
    assert wait_until(lambda: segments() <= before)  # others may have some just now


@pytest.mark.parametrize("seed", range(BODIES))
def test_the_same_bits_whatever_the_number_of_workers(owners: list[Owner], seed: int) -> None:
    before, loop = random_body(seed)
    for owner in owners:
        owner.run("clear;" + before + loop)
    first = owners[0]
    for owner in owners[1:]:
        for name in (*NAMES, "last"):
            first.session.interpreter.base["other"] = owner.value(name)
            first.run(f"same = isequaln({name}, other) && strcmp(class({name}), class(other));")
            assert first.value("same") is True, (name, loop)


def test_large_arrays_are_shared_and_not_changed() -> None:
    owner = Owner(2)
    owner.run("x = reshape(1:400000, 1000, 400); y = x; parfor i = 1:400, y(:, i) = -x(:, i); end")
    owner.run("same = isequal(y, -x) && isequal(x, reshape(1:400000, 1000, 400));")
    assert owner.value("same") is True
    owner.run("parfor i = 1:4, t = x; t(i) = 0; s(i) = sum(t(:)); end; same = x(4) == 4;")
    assert owner.value("same") is True
    owner.close()


def test_all_kinds_of_values_travel(owners: list[Owner]) -> None:
    owner = owners[2]
    owner.run(
        """clear; d = datetime(2020, 1, 1:3); m = containers.Map({'a', 'b'}, {1, 2}); t = table([1; 2; 3]);
        s = "text"; p = sparse([1 0; 0 2]); e = []; l = true; k = int8(5); z = 1i; ch = ['ab'; 'cd'];
        n = struct('a', {{1, 'b'}}); u = categorical({'x', 'y'}); du = hours(1:3);
        parfor i = 1:3
            q(i) = m('a') + day(d(i)) + t.Var1(i) + strlength(s) + full(p(2, 2)) + isempty(e) + l ...
                + double(k) + imag(z) + numel(ch) + n.a{1} + (u(2) == 'y') + hours(du(i));
            r{i} = d(i);
        end
        r2 = isequal(r, {d(1), d(2), d(3)});"""
    )
    assert owner.value("q").tolist() == [[24.0, 27.0, 30.0]]  # type: ignore[attr-defined]
    assert owner.value("r2") is True


def test_functions_of_the_text_and_of_the_folder(
    owners: list[Owner], tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = owners[2]
    monkeypatch.chdir(str(tmp_path))
    with open("fromfile.m", "w") as file:  # noqa: PTH123
        file.write("function y = fromfile(x)\ny = x + helper(x);\nend\n")
        file.write("function y = helper(x)\ny = 100*x;\nend\n")
    owner.session.folder_changed()
    owner.run(
        "clear; f = @local; g = @(k) local(k) + fromfile(k); parfor i = 1:3, y(i) = local(i) + f(i) + g(i); end\n"
        "function r = local(k)\nr = k*1000;\nend\n"
    )
    assert owner.value("y").tolist() == [[3101.0, 6202.0, 9303.0]]  # type: ignore[attr-defined]


def test_an_error_has_its_stack_and_the_pool_goes_on(owners: list[Owner]) -> None:
    owner = owners[2]
    with pytest.raises(MatlabError) as caught:
        owner.run(
            "clear; n = 9;\nparfor i = 1:n\n  f(i)\nend\nfunction f(i)\nif i == 3, error('my:id', 'no %d', i); end\nend"
        )
    assert (caught.value.identifier, caught.value.message) == ("my:id", "no 3")
    assert [(f.name, f.line) for f in caught.value.stack][:2] == [("f", 6), ("<parfor>", 3)]
    owner.run("s = 0; parfor i = 1:5, s = s + i; end")
    assert owner.value("s") == 15.0


def test_output_arrives(owners: list[Owner]) -> None:
    owner = owners[3]
    owner.text = ""
    owner.run("parfor i = 1:6, fprintf('<%d>', i); end")
    assert sorted(owner.text) == sorted("<1><2><3><4><5><6>")


def test_what_cannot_travel_is_named(owners: list[Owner]) -> None:
    with pytest.raises(MatlabError, match="cannot be sent to a worker"):
        owners[1].run("t = timer; parfor i = 1:3, y(i) = isobject(t); end")


def test_a_worker_that_dies_has_its_range_run_again() -> None:
    owner = Owner(2)
    victim = owner.processes()[0]
    with once_at_work(owner, lambda: os.kill(victim, signal.SIGKILL)):
        owner.run(
            "y = zeros(1, 40); parfor i = 1:40, pause(0.01); y(i) = i; end; ok = isequal(y, 1:40);"
        )
    assert owner.value("ok") is True
    assert wait_until(lambda: not alive(victim))
    owner.close()


def test_a_worker_that_dies_while_it_starts_is_started_again() -> None:
    owner = Owner(2)
    for _ in range(2):  # the second time each is one that was just started
        victims = owner.processes()
        for process in victims:
            killed(process)
        assert wait_until(lambda old=set(victims): old.isdisjoint(owner.processes()))
    owner.run("parfor i = 1:20, pause(0.001); y(i) = i; end; ok = isequal(y, 1:20);")
    assert owner.value("ok") is True
    owner.close()


def test_workers_that_ended_unnoticed_before_they_were_given_a_task_do_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    owner = Owner(3)
    pool = owner.parallel.pool
    assert pool is not None
    submit = pool.submit

    def submit_to_the_dead(*tasks: Task) -> None:
        monkeypatch.undo()
        with pool._lock:  # whoever listens does not notice before the tasks are given
            for worker in pool.workers:
                os.kill(worker.process.pid, signal.SIGKILL)
                assert wait_until(lambda one=worker: not alive(one.process.pid))
            submit(*tasks[:1])  # the others are idle: whoever is gone hands it on to one of them
        submit(*tasks[1:])

    monkeypatch.setattr(pool, "submit", submit_to_the_dead)
    owner.run("parfor i = 1:20, y(i) = i; end; ok = isequal(y, 1:20);")
    assert owner.value("ok") is True
    owner.close()


def test_a_pool_whose_workers_could_not_start_tries_again_when_there_is_work() -> None:
    owner = Owner(1)
    pool = owner.parallel.pool
    assert pool is not None
    while not pool.workers[0].gone:
        killed(pool.workers[0].process.pid)  # the one before is gone, or the next one is there
        assert wait_until(lambda: pool.workers[0].gone or alive(pool.workers[0].process.pid))
    owner.run("parfor i = 1:4, y(i) = i; end; ok = isequal(y, 1:4);")
    assert owner.value("ok") is True
    owner.close()


def test_a_pool_that_is_being_started_ends_with_its_session(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    started: list[int] = []
    popen = subprocess.Popen

    def noted(*args: object, **options: object) -> subprocess.Popen[bytes]:
        made = popen(*args, **options)  # type: ignore[call-overload]
        started.append(made.pid)
        return made  # type: ignore[no-any-return]

    monkeypatch.setattr(subprocess, "Popen", noted)
    owner = Owner()
    owner.parallel.start_beside()
    assert wait_until(lambda: started)
    owner.session.close()
    assert owner.parallel.pool is None
    assert not any(map(alive, started))
    assert capfd.readouterr() == ("", "")


def test_a_range_that_ends_two_workers_is_named() -> None:
    owner = Owner(2)
    with pytest.raises(MatlabError, match=r"Passes 3 to 3 .* ended two workers"):
        owner.run("parfor i = 1:4, if i == 3, system('kill -9 $PPID'); end, end")
    owner.run("s = 0; parfor i = 1:5, s = s + i; end")
    assert owner.value("s") == 15.0
    owner.close()


def test_a_stop_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = Owner(2)
    monkeypatch.setattr("app.engine.parallel.pool.STOP_S", 600.0)  # nobody is killed for it
    assert stop_at_work(owner) < 60
    owner.run("s = 0; parfor i = 1:5, s = s + i; end")
    assert owner.value("s") == 15.0
    owner.close()


def test_workers_end_with_their_owner() -> None:
    code = (
        "from tests.engine.parallel.running import Owner; import sys, time; o = Owner(2);"
        "print(*o.processes(), flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    workers = [int(word) for word in process.stdout.readline().split()]
    assert len(workers) == 2
    assert all(map(alive, workers))
    process.kill()
    process.wait()
    process.stdout.close()
    assert wait_until(lambda: not any(map(alive, workers)))


def test_a_restricted_run_has_no_pool() -> None:
    owner = Owner()
    owner.session.settings.set("restricted", True)
    owner.parallel.always = True
    owner.run("s = 0; parfor i = 1:5, s = s + i; end")
    assert owner.value("s") == 15.0
    assert owner.parallel.pool is None
    owner.close()


def test_a_restricted_run_is_refused_a_pool_before_anything_is_made() -> None:
    owner = Owner()
    with (
        restricted.restriction_applied(True),
        mock.patch.object(machines, "Listener", side_effect=PermissionError),
        pytest.raises(MatlabError, match="starting a pool of workers"),
    ):
        owner.parallel.open(1)
    owner.close()


def test_workers_have_the_packages_of_their_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "found_by_path.py").write_text("n = 7\n")
    monkeypatch.setitem(helpers._ENVIRONMENT, "PYTHONPATH", str(tmp_path))
    owner = Owner(1)
    owner.run("parfor i = 1:2, y(i) = double(py.found_by_path.n); end; ok = isequal(y, [7 7]);")
    assert owner.value("ok") is True
    owner.close()


def test_pools_of_stubs_are_measured() -> None:
    found = simulated_pools.measured(20, simulated_pools.StubMachines())
    assert 0 < found.start < 10
    assert 0 < found.each < 1
    assert len(simulated_pools.HEAD) / simulated_pools.ROUNDS < found.sent < 4000
    assert len(simulated_pools.PART) < found.received < 1000


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    own = Owner()
    with pytest.raises(MatlabError) as found:
        own.run("parpool('tcp://127.0.0.1:8786')")
    assert found.value.message == MISSING
    own.close()


def test_the_options_behind_the_range() -> None:
    owner = Owner(1)
    owner.run(
        "a = 3; s = 0; parfor (i = 1:5, 0), s = s + a; end; parfor (i = 1:5, 2), s = s + a; end"
    )
    assert owner.value("s") == 30.0
    with pytest.raises(MatlabError, match="number of workers"):
        owner.run("parfor (i = 1:5, -1), s = i; end")
    owner.close()


@pytest.mark.parametrize(
    "loop",
    [
        "s = uint8(10); parfor i = 1:5, s = s - uint8(1); end; t = isequal(s, uint8(5));",
        "s = 10; parfor i = 1:5, s = s - uint8(1); end; t = isequal(s, uint8(5));",
        "s = uint8(20); parfor i = 1:5, s = s - uint8(1) - uint8(2); end; t = isequal(s, uint8(5));",
        "s = hours(9); parfor i = 1:300, s = s - minutes(1); end; t = minutes(s) == 240;",
        "s = -0; parfor i = 1:5, s = s + (-0); end; t = 1/s == -inf;",
    ],
)
def test_what_is_subtracted_is_summed_in_its_own_class(owners: list[Owner], loop: str) -> None:
    for owner in owners:
        owner.run("clear;" + loop)
        assert owner.value("t") is True


def _told(owner: Owner, text: str) -> list[tuple[str, int, str]]:
    """What a run records of its parfor: reason, line and detail."""
    runtime = owner.session.interpreter.runtime
    assert runtime is not None
    runtime.recorder.boundaries.clear()
    owner.run(text)
    rows = runtime.recorder.boundaries.values()
    return [(b.reason.value, b.line, b.detail) for b in rows if b.detail.startswith("the parfor")]


LOOP = "s = 0;\nparfor i = 1:6, s = s + i; end\nassert(s == 21)"


def test_where_a_parfor_ran_is_recorded_at_its_line(owners: list[Owner]) -> None:
    here, _, shared, _ = owners
    assert _told(here, LOOP) == [
        (
            "too-small",
            2,
            "the parfor ran in this process: workers would cost more time than they save",
        )
    ]
    [(reason, line, detail)] = _told(shared, LOOP)
    assert (reason, line) == ("cost-model-host", 2)
    assert detail.startswith("the parfor ran on 2 workers: 6 passes in ")
    [(reason, _, detail)] = _told(shared, LOOP.replace("i = 1:6", "(i = 1:6, 0)"))
    assert (reason, detail) == (
        "forced",
        "the parfor ran in this process: its number of workers is 0",
    )


def test_breakpoints_keep_a_parfor_here_and_the_report_says_so(owners: list[Owner]) -> None:
    debugger = owners[2].session.interpreter.debugger
    debugger.set_breakpoints([Breakpoint("<elsewhere>", 1)])
    try:
        [(reason, line, detail)] = _told(owners[2], LOOP)
    finally:
        debugger.set_breakpoints([])
    assert (reason, line) == ("breakpoint", 2)
    assert "only this process stops at breakpoints" in detail


def test_few_passes_go_to_an_open_pool_together() -> None:
    owner = Owner()
    told: list[ParallelState] = []
    ParallelStatus(owner.session.interpreter, told.append)
    owner.parallel.open(2)
    assert [w.state for w in told[0].workers] == ["starting", "starting"], "seen as it starts"
    assert [w.state for w in told[-1].workers] == ["idle", "idle"]
    text = "parfor i = 1:2, x(i) = i; pause(0.3); end\n"
    [(_, _, detail)] = _told(owner, text)
    assert detail == "the parfor ran on 2 workers: 2 passes in 2 ranges"
    owner.close()


def test_the_number_of_workers_is_looked_at_however_short_the_loop() -> None:
    owner = Owner()
    with pytest.raises(MatlabError, match="number of workers"):
        owner.run("parfor (i = 1:3, 1.5), x(i) = i; end")
    owner.close()


class _OneRange:
    """Stands for a worker whose owner has one range.

    Attributes:
        events: what it told its owner and what its runtime was asked for, in order.
    """

    job = 1

    def __init__(self, session: Session) -> None:
        self.session = session
        self.events: list[str] = []

    def tell(self, kind: str, *content: Tree) -> None:
        self.events.append(kind)

    def next_of(self, job: int) -> None:
        return None

    def noted(self, name: str, method: Callable[..., object]) -> Callable[..., object]:
        def note_and_call(*args: object, **options: object) -> object:
            self.events.append(name)
            return method(*args, **options)

        return note_and_call


def test_a_worker_computes_a_block_while_it_records_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    owner = Owner(1, device="gpu")
    made: list[tuple[_Sharing, bytes]] = []

    def record_head(pool: ParforPool, run: Run, slices: tuple[Value, ...]) -> NoReturn:
        sharing = _Sharing(pool.parallel, pool.parallel.pool_or_start(), run, slices)
        made.append((sharing, sharing._job().head))
        raise MatlabError("a:b", "the head is known")

    monkeypatch.setattr(ParforPool, "finish", record_head)
    with pytest.raises(MatlabError, match="the head is known"):
        owner.run("s = 0; v = ones(1e5, 1); parfor i = 1:3, s = s + sum(exp(v*i)); end")
    worker = _OneRange(owner.session)
    for name in ("evaluate", "gather"):
        monkeypatch.setattr(Runtime, name, worker.noted(name, getattr(Runtime, name)))
    ((sharing, head),) = made
    run_ranges(worker, head, 0, 3)
    assert worker.events[:4] == ["evaluate"] * 3 + ["gather"]
    assert worker.events[-1] == "done"
    assert sharing.segment is not None
    sharing.segment.close()
    owner.close()


@pytest.mark.parametrize(
    ("passes", "workers", "pass_s", "sizes"),
    [
        (40, 2, 0.006, [10, 10, 10, 10]),
        (40, 2, 0.03, [10, 10, 5, 5, 2, 2, 3, 3]),
        (7, 2, 0.001, [4, 3]),
        (9, 4, 0.0, [1] * 9),
        (30, 3, 0.4, [2] * 12 + [1] * 6),
    ],
)
def test_ranges_come_in_rounds_of_half_of_what_is_left(
    passes: int, workers: int, pass_s: float, sizes: list[int]
) -> None:
    ranges, left = RangeSizes(workers), passes
    made = []
    while left:
        made.append(min(left, ranges.next_size(left, pass_s)))
        left -= made[-1]
    assert made == sizes


def test_a_pool_does_not_keep_a_session_that_was_dropped() -> None:
    owner = Owner(1)
    pool = owner.parallel.pool
    assert pool is not None
    session = weakref.ref(owner.session)
    del owner
    Owner().close()  # what runs on a thread keeps the last session that began there
    gc.collect()
    assert session() is None
    assert wait_until(lambda: pool.closing)
