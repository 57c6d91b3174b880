"""A clock that jumps back and forth: what is measured, remembered and taken anew does not follow it."""

from __future__ import annotations

import itertools
import os
import time
from pathlib import Path

import fuselab
import pytest

from app import temporary_folders
from app.accel.support import disk_cache
from tests.engine.builtins.engine_session import Session

JUMPS = (0.0, 3e8, -3e8, 59.0, -61.0)
MOMENTS = (4_102_444_800, 10, -300_000_000, 1_700_000_000)
"""Times of files: of the year 2100, of 1970 and 1960, and an ordinary one."""


@pytest.fixture
def jumping(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every look at the clock finds it elsewhere."""
    real, jumps = time.time, itertools.cycle(JUMPS)
    monkeypatch.setattr(time, "time", lambda: real() + next(jumps))


@pytest.fixture
def session(jumping: None) -> Session:
    """A session that runs under such a clock."""
    return Session()


@pytest.mark.parametrize(
    "code",
    [
        "t = tic; pause(0.05); e = toc(t); ok = e >= 0.05 && e < 60;",
        "tic; pause(0.02); e = toc; ok = e >= 0.02 && e < 60;",
        "c = cputime; for k = 1:1e4, x = k; end, ok = cputime >= c && cputime - c < 60;",
        "n = containers.Map('n', 0); t = timer('Period', 0.05, 'TasksToExecute', 3, 'ExecutionMode', 'fixedRate', "
        "'TimerFcn', @(varargin) more(n)); start(t); wait(t); ok = n('n') == 3; delete(t);\n"
        "function more(n), n('n') = n('n') + 1; end",
        "n = containers.Map('n', 0); t = timer('StartDelay', 0.05, 'TimerFcn', @(o, e) keep(n, e)); start(t); wait(t); delete(t);\n"
        "c = n('n'); ok = numel(c) == 6 && c(6) >= 0 && c(6) < 60; function keep(n, e), n('n') = e.Data.time; end",
        "e = timeit(@() sum(1:10)); ok = e >= 0 && e < 60;",
        "f = parfeval(@(x) x * 2, 1, 4); wait(f); d = f.RunningDuration; y = fetchOutputs(f);\n"
        "ok = y == 8 && d >= seconds(0) && d < seconds(60) && f.FinishDateTime >= f.CreateDateTime;",
    ],
)
def test_what_is_measured(session: Session, code: str) -> None:
    session.run(code)
    assert session.holds("ok")


@pytest.mark.parametrize("moments", list(itertools.permutations(MOMENTS, 2)))
def test_functions_are_read_anew(
    jumping: None, tmp_path: Path, moments: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether their files became older or younger."""
    monkeypatch.chdir(tmp_path)
    session = fuselab.Session(device="cpu")
    for k, moment in enumerate(moments):
        file = tmp_path / "edited.m"
        file.write_text(f"function y = edited()\ny = {k};\nend\n", encoding="ascii")
        os.utime(file, (moment, moment))
        os.utime(tmp_path, (moment, moment))
        session.eval("r = edited();")
        assert session["r"] == k
    session.eval("d = dir('edited.m'); n = d.datenum - datenum(1970, 1, 1);")
    assert abs(session["n"] - moments[1] / 86400) < 2
    session.close()


@pytest.mark.parametrize("moment", MOMENTS)
def test_caches_serve_whenever_they_were_written(
    jumping: None, tmp_path: Path, moment: int
) -> None:
    disk_cache.write(tmp_path / "a.plans", {"a": 1})
    os.utime(tmp_path / "a.plans", (moment, moment))
    assert disk_cache.read(tmp_path / "a.plans") == {"a": 1}


@pytest.mark.parametrize("ahead", [-3e8, 3e8])
def test_folders_of_a_clock_that_was_ahead_are_removed(tmp_path: Path, ahead: float) -> None:
    folder = tmp_path / "fuselab-confined-abc"
    folder.mkdir(mode=0o700)
    os.utime(folder, (time.time() + ahead,) * 2)
    assert temporary_folders.sweep(tmp_path) == [folder]
