"""Little that is made of a modest matrix is computed at once on the host: no plan for each."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app import settings
from app.engine.capture import capture_session
from app.engine.session.session import Session
from app.source import SourceText
from tests.support.adapters import require_adapter

BEGIN = (
    "A = reshape(mod((1:65536)' * 0.618, 1), 256, 256) / 128; x = ones(256, 1); s.x = x; c = {x};\n"
)
STEP = "\nfunction x = step(A, x)\nx = A * x; x = x / norm(x);\nend\n"
SPELLINGS = {
    "plain": "for k = 1:{n}, x = A * x; x = x / norm(x); end",
    "field": "for k = 1:{n}, s.x = A * s.x; s.x = s.x / norm(s.x); end",
    "cell": "for k = 1:{n}, c{1} = A * c{1}; c{1} = c{1} / norm(c{1}); end",
    "function": "for k = 1:{n}, x = step(A, x); end" + STEP,
    "printing": "for k = 1:{n}, x = A * x; x = x / norm(x); fprintf('%s', ''); end",
    "while": "k = 0; while k < {n} && norm(x) > 0, k = k + 1; x = A * x; x = x / norm(x); end",
    "sums": "for k = 1:{n}, x = x + sum(A, 2) / max(A(:)); disp(''), end",
    "logarithms": "l = 0; for k = 1:{n}, x = A * x; t = sum(x); x = x / t; l = l + log(t); end",
}


@pytest.fixture
def session() -> Iterator[Session]:
    made = Session(settings.load({"FUSELAB_DEVICE": "cpu"}), lambda _: None)
    yield made
    made.close()


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_groups_do_not_grow_with_the_passes(session: Session, spelling: str) -> None:
    groups = []
    for n in (6, 60):
        body = SPELLINGS[spelling].replace("{n}", str(n))
        session.run_source(SourceText("modest.m", f"clear\n{BEGIN}{body}"))
        assert session.last_status == "ok", session.last_report["error"]
        groups.append(session.acceleration.recorder.counters_json()["groups"])
    assert groups[1] <= groups[0] + 6, groups


def test_what_is_asked_to_lie_on_a_device_is_worked_on_there() -> None:
    session = Session(settings.load({"FUSELAB_DEVICE": "gpu"}), lambda _: None)
    try:
        runtime = session.acceleration.runtime
        require_adapter(runtime.open())
        capture_session.activate(runtime, 1 << 14, 1 << 12, 1 << 18)  # as with `auto`
        text = "G = gpuArray(magic(200)); h = class(G * ones(200, 1)); s = class(sum(G, 2));"
        session.run_source(SourceText("asked.m", text))
        assert session.last_status == "ok", session.last_report["error"]
        found = [session.interpreter.workspace[name] for name in ("h", "s")]
        assert found == ["gpuArray", "gpuArray"]
    finally:
        session.close()


@pytest.mark.parametrize("side", [20, 130, 250])
def test_operations_of_modest_arrays_are_no_plans(side: int) -> None:
    """Planning one operation costs ten times what doing it does; loops are another matter."""
    session = Session(settings.load({"FUSELAB_DEVICE": "cpu"}), lambda _: None)
    text = (
        f"A = rand({side}); B = A.^2 + 1; s = max(B(:)) + trapz(A(:, 1)); C = conv2(B, ones(3), 'same');"
        "D = sqrt(A.^2 + B.^2); m = D > .5 & D < .7; E = D - mean(D); F = cumsum(E); t = sum(D(m));"
    )
    try:
        session.run_source(SourceText("modest.m", text))
        assert session.last_status == "ok", session.last_report["error"]
        counters = session.acceleration.recorder.counters_json()
        assert (counters["captured_ops"], counters["plans"]) == (0, 0)
    finally:
        session.close()


@pytest.mark.parametrize("call", ["conv2(A, K, 'same')", "filter2(K, A)", "convn(A, K)"])
@pytest.mark.parametrize("side", [300, 500])
def test_convolutions_of_modest_arrays_are_no_plans(side: int, call: str) -> None:
    session = Session(settings.load({"FUSELAB_DEVICE": "cpu"}), lambda _: None)
    text = f"K = magic(3); A = magic({side}); s = A(5); y = {call}; t = y(3, 3);"
    try:
        session.run_source(SourceText("modest.m", text))
        assert session.last_status == "ok", session.last_report["error"]
        assert session.acceleration.recorder.counters_json()["captured_ops"] <= 3
    finally:
        session.close()
