"""Timers, films, mapped files and sound through a player that only waits."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from app import helpers
from app.engine.builtins.dates.timer_class import Timer
from app.errors import Interrupted
from tests.engine.builtins.engine_session import Session

CASES = [
    (
        "n = 0; t = timer('TimerFcn', @(t, e) assignin('base', 'n', t.TasksExecuted), 'Period', 0.01,"
        "'ExecutionMode', 'fixedSpacing', 'TasksToExecute', 4); start(t); wait(t); r = t.Running; delete(t);",
        "n == 4 && strcmp(r, 'off') && ~isvalid(t)",
    ),
    (
        "n = 0; t = timer('TimerFcn', 'n = n + 1;', 'Period', 0.01, 'ExecutionMode', 'fixedRate');"
        "start(t); pause(0.2); stop(t); m = n; pause(0.03); delete(t);",
        "m >= 5 && m <= 21 && n == m",
    ),
    (
        "s = ''; t = timer('TimerFcn', 'error(''x:y'', ''no'')', 'ErrorFcn', 's = [s ''e''];', 'StopFcn', 's = [s ''s''];',"
        "'ExecutionMode', 'fixedRate', 'TasksToExecute', 9); start(t); wait(t); delete(t);",
        "strcmp(s, 'es')",
    ),
    (
        "k = 0; t = timer('TimerFcn', {@(t, e, x) assignin('base', 'k', x), 7}, 'StartDelay', 0.01); start(t); wait(t);",
        "k == 7",
    ),
    (
        "t = timer('Period', 0.01, 'ExecutionMode', 'fixedRate', 'TasksToExecute', 2, 'TimerFcn', @(t, e) 0, 'StopFcn', @(t, e) delete(t));"
        "start(t); waitfor(t); u = timer; waitfor(u); i = isvalid(u); delete(u);",
        "~isvalid(t) && i",
    ),
    (
        "m = jet(16); f = @(k) uint8(mod(reshape(0:339, 17, 20) + k, 16)); imwrite(f(1), m, 'f.gif', 'gif', 'LoopCount', Inf, 'DelayTime', 0.1);"
        "for k = 2:4, imwrite(f(k), m, 'f.gif', 'gif', 'WriteMode', 'append'); end, [X, c] = imread('f.gif', 'Frames', 'all');"
        "imwrite(X, m, 'g.gif', 'LoopCount', 3); i = ''; try, imwrite(rand(4, 4, 3), 'h.gif'); catch e, i = e.identifier; end",
        "isequal(size(X), [17 20 1 4]) && isequal(X(:,:,1,4), f(4)) && isequal(imread('f.gif'), f(1)) && isequal(imread('f.gif', 3), f(3))"
        " && isequal(X, imread('g.gif', 1:4)) && max(abs(c(1:16,:) - m), [], 'all') < 0.003 && strcmp(i, 'MATLAB:imwrite:rgbGif')",
    ),
    (
        "imwrite(uint8(magic(16) - 1), 'g.gif'); imwrite(logical(eye(20)), 'l.gif');",
        "isequal(imread('g.gif'), uint8(magic(16) - 1)) && isequal(imread('l.gif') > 0, logical(eye(20)))",
    ),
    (
        "i = ''; try, t.Period = -1; catch e, i = e.identifier; end",
        "strcmp(i, 'MATLAB:timer:outOfRange')",
    ),
    (
        "w = VideoWriter('a.avi'); w.FrameRate = 10; open(w); for k = 1:5, writeVideo(w, uint8(40*k*ones(16, 24, 3))); end, close(w);"
        "v = VideoReader('a.avi'); p = read(v, 3); c = 0; while hasFrame(v), f = readFrame(v); c = c + 1; end",
        "c == 5 && v.Duration == 0.5 && v.Width == 24 && v.NumFrames == 5 && abs(double(p(1)) - 120) < 4",
    ),
    (
        "v.CurrentTime = 0.2; q = readFrame(v);",
        "abs(double(q(1)) - 120) < 4 && abs(v.CurrentTime - 0.3) < 1e-9",
    ),
    (
        "f = fopen('m.bin', 'w'); fwrite(f, 1:4, 'single'); fwrite(f, 9, 'int8'); fclose(f);"
        "m = memmapfile('m.bin', 'Format', {'single', [2 2], 'a'; 'int8', 1, 'b'}, 'Writable', true);"
        "m.Data.a = single([5 6; 7 8]); k = memmapfile('m.bin', 'Format', 'single', 'Repeat', 4);",
        "m.Data.b == 9 && isequal(k.Data, single([5; 7; 6; 8]))",
    ),
]


@pytest.fixture(scope="module")
def session() -> Session:
    return Session()


@pytest.mark.parametrize(
    ("before", "truth"), CASES, ids=[f"{k}: {c[1][:50]}" for k, c in enumerate(CASES)]
)
def test_of_time_and_media(
    session: Session, before: str, truth: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    session.run(f"cd('{tmp_path_factory.getbasetemp()}')")
    session.run(before)
    assert session.holds(truth)


def test_a_player_plays_stands_still_and_goes_on(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "aplay"
    program.write_text("#!/bin/sh\nexec sleep 5\n", encoding="ascii")
    program.chmod(0o755)
    # Programs are those of the environment at the start, whatever a script makes of it later.
    monkeypatch.setattr(helpers, "_ENVIRONMENT", {"PATH": f"{tmp_path}:/bin:/usr/bin"})
    session.run(
        "p = audioplayer(zeros(8000, 1), 8000); play(p); a = isplaying(p); pause(p); b = p.CurrentSample;"
    )
    assert session.holds("a && ~isplaying(p)")
    session.run("resume(p); c = isplaying(p); stop(p); d = p.CurrentSample;")
    assert session.holds("c && d == 1 && b >= 1")


def test_without_a_player_the_error_says_what_to_do(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(helpers, "_ENVIRONMENT", {"PATH": str(tmp_path)})
    session.run("t = ''; try, sound(zeros(9, 1), 8000); catch e, t = e.message; end")
    assert session.holds("contains(t, 'No audio output') && contains(t, 'audiowrite')")


def test_a_timer_whose_function_is_stopped_does_not_begin_again() -> None:
    def stopped(*_: object) -> None:
        raise Interrupted

    timer = Timer(1)
    timer.values |= {"TimerFcn": "while true, end", "Running": "on"}
    with pytest.raises(Interrupted):
        timer.fire(SimpleNamespace(evaluate=stopped))  # type: ignore[arg-type]
    assert not timer.running
