"""Small arrays that are one number throughout: kernels are told the number, nothing is uploaded."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from app import settings
from app.engine.session.session import Session
from app.engine.values import as_array
from app.source import SourceText

CONSTANTS = (
    "zeros(1, {w})",
    "ones(1, {w})",
    "-zeros(1, {w})",
    "(1:{w}) * 0 + 2",
    "repmat(0.1, 1, {w})",
    "nan(1, {w})",
    "single(3) * ones(1, {w}, 'single')",
    "zeros(1, {w}, 'int8')",
)
USES = (
    "W = [{c} V(1:end-{w})]; r = sum(1 ./ double(W));",
    "M = reshape(V, {w}, []); r = sum(sum(double(M) .* double({c})'));",
    "M = reshape(V, {w}, []); r = sum(double({c}) * double(M));",
)


@pytest.fixture(scope="module")
def sessions() -> Iterator[tuple[Session, Session]]:
    """One session on the device, one on the host."""
    chosen = {"FUSELAB_DEVICE": "gpu"}
    device = Session(settings.load(chosen), lambda _: None)
    host = Session(settings.load({**chosen, "FUSELAB_DEVICE": "cpu"}), lambda _: None)
    assert device.acceleration.runtime.open() is not None
    try:
        yield device, host
    finally:
        device.close()
        host.close()


def _run(session: Session, text: str) -> tuple[int, bytes]:
    session.run_source(SourceText("constants.m", text))
    assert session.last_status == "ok", session.last_report["error"]
    counters = session.last_report["counters"]
    assert isinstance(counters, dict)
    return counters["uploads"], as_array(session.interpreter.workspace["r"]).tobytes()


@pytest.mark.parametrize(("constant", "use"), [*product(CONSTANTS, USES)])
def test_small_constants_are_not_uploaded(
    sessions: tuple[Session, Session], constant: str, use: str
) -> None:
    """None of them is, in any pass of a loop that makes them anew in other sizes."""
    device, host = sessions
    data = "V = mod(1:9600, 7) + 1;\n" + ("V = int8(V);\n" if "int8" in constant else "")
    loop = "a = 0;\nfor w = [4 8 16], {} a = a + r; end\nr = a;"
    text = data + loop.format(use.replace("{c}", constant).replace("{w}", "w"))
    uploads, found = _run(device, text)
    assert uploads == 0
    assert found == _run(host, text)[1]


def test_small_arrays_of_several_numbers_keep_them(sessions: tuple[Session, Session]) -> None:
    """Zeros of both signs are several numbers."""
    device, host = sessions
    text = "V = mod(1:9600, 7) + 1;\nz = [0 0 0]; z(2) = -0;\nW = [z V]; r = sum(1 ./ W(1:2));"
    text += "\nW = [V; V; V] .* [1 2 1]'; r = [r sum(W(:))];"
    assert _run(device, text)[1] == _run(host, text)[1]
