"""Sessions on threads of their own run at the same time and do not see each other."""

from __future__ import annotations

import sys
import threading
import time

import numpy as np

import app as fuselab
from tests.api.sessions_at_once import differences


def test_programs_print_what_they_print_alone() -> None:
    assert differences(40, 2, "cpu") == []


def test_two_sessions_run_at_the_same_time() -> None:
    """Each waits for what only the other one can do: taking turns, neither would end."""
    with fuselab.Session("cpu") as first, fuselab.Session("cpu") as second:
        inside = threading.Barrier(2, timeout=60)
        limit = sys.getrecursionlimit()

        for session in (first, second):
            session.call("pyrun", "inside = None", nargout=0)
        states = [s._engine.interpreter.context.state["pyrun"] for s in (first, second)]
        for state in states:
            state["inside"] = inside
        runs = [
            threading.Thread(target=s.eval, args=("pyrun('inside.wait()')",))
            for s in (first, second)
        ]
        for run in runs:
            run.start()
        for run in runs:
            run.join()
        assert not inside.broken
        assert sys.getrecursionlimit() == limit


def test_an_interrupt_stops_its_own_session_only() -> None:
    with fuselab.Session("cpu") as first, fuselab.Session("cpu") as second:
        stopped: list[BaseException] = []

        def endless() -> None:
            try:
                first.eval("while true, end")
            except fuselab.Interrupted as problem:
                stopped.append(problem)

        run = threading.Thread(target=endless)
        run.start()
        second.eval("x = 0; for k = 1:2000, x = x + sin(k); end")
        assert run.is_alive()
        deadline = time.monotonic() + 30
        while run.is_alive() and time.monotonic() < deadline:
            first.interrupt()
            run.join(0.05)
        assert len(stopped) == 1
        second.eval("x = x + 1;")


def test_what_one_session_has_stored_the_other_computes_itself() -> None:
    """Ranges have no operands but numbers: the same expression is the same in every session."""
    with fuselab.Session("gpu") as first, fuselab.Session("gpu") as second:
        for s in (first, second):
            s.eval("x = (1:200000)' * 2;")
        for s in (first, second):
            assert float(np.asarray(s["x"]).sum()) == 200000 * 200001


def test_dialects_of_sessions_do_not_meet() -> None:
    """While one session runs, another one begins that takes integers with fewer classes."""
    with fuselab.Session("cpu", octave=True) as first, fuselab.Session("cpu") as second:
        first.call("pyrun", "begin = None", nargout=0)

        def begin() -> None:
            run = threading.Thread(target=second.eval, args=("x = 1;",))
            run.start()
            run.join()

        first._engine.interpreter.context.state["pyrun"]["begin"] = begin
        first.eval("pyrun('begin()'); y = int8([1 2]) + [1.5 2.5];")
        assert np.asarray(first["y"]).tolist() == [[3, 5]]
