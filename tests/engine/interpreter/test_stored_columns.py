"""Columns stored one by one in a large array are stored in place, whatever computes them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from app import settings
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from app.engine.session.session import Session
from app.engine.values import as_array
from app.source import SourceText
from tests.engine.interpreter.running import Machine

SET_UP = "n = 20000; m = 120; s.x = 0; x = zeros(n, m + 1); x(:, 1) = 1; w = (1:n)'/n;"
LOOPS = {
    "for": "for k = 1:m, x(:, k+1) = x(:, k).*exp(0.01*w*k); end",
    "while": "k = 0; while k < m, k = k + 1; x(:, k+1) = x(:, k).*exp(0.01*w*k); end",
    "with a look": "for k = 1:m, [~, q] = max(w*k); v = w + (q/n - 1); "
    "x(:, k+1) = x(:, k).*exp(0.01*v*k); end",
    "in a field": "s.x = x; for k = 1:m, s.x(:, k+1) = s.x(:, k).*exp(0.01*w*k); end, x = s.x;",
}
"""Spellings of one computation."""


@pytest.fixture
def runtime() -> Iterator[Runtime]:
    made = Runtime(AccelOptions(device="cpu"))
    capture_session.activate(made, 4096)
    yield made
    capture_session.deactivate()
    made.close()


@contextmanager
def opened_session(device: str) -> Iterator[Session]:
    """A session on a device."""
    chosen = {"FUSELAB_DEVICE": device, "FUSELAB_CAPTURE_THRESHOLD": "8"}
    chosen["FUSELAB_COMPILE_LOOPS"] = "0"  # or later passes would be machine code
    session = Session(settings.load(chosen), lambda _: None)
    try:
        yield session
    finally:
        session.close()


def _expected(n: int, m: int) -> np.ndarray:
    w = np.arange(1.0, n + 1) / n
    return np.exp(np.outer(0.01 * w, np.cumsum(np.arange(m + 1.0))))


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_the_columns_are_stored_in_place(runtime: Runtime, loop: str) -> None:
    machine = Machine(runtime)
    machine.run(SET_UP + loop)
    stored = machine.interpreter.base["x"]
    assert type(stored) is np.ndarray  # on the graph each write would be a copy of it
    np.testing.assert_allclose(as_array(stored), _expected(20000, 120), rtol=1e-10)


GRAM_SCHMIDT = """
A = reshape(mod((1:60000)' * 0.618, 1), 5000, 12); Q = zeros(5000, 12); R = zeros(12);
for j = 1:12
  v = A(:, j);
  for pass = 1:2
    c = Q(:, 1:j-1)' * v; v = v - Q(:, 1:j-1) * c; R(1:j-1, j) = R(1:j-1, j) + c;
  end
  R(j, j) = norm(v); Q(:, j) = v / R(j, j);
end
r = [norm(Q' * Q - eye(12), 'fro'), norm(Q * R - A, 'fro')];
"""
"""Columns are stored in an array whose other columns the same plan reads, and a variable is held
that is made of them and not stored."""


def test_columns_beside_those_that_are_read_are_stored_in_place() -> None:
    with opened_session("gpu") as session:
        session.run_source(SourceText("gram_schmidt.m", GRAM_SCHMIDT))
        assert session.last_status == "ok", session.last_report["error"]
        report = session.last_report
        assert np.all(as_array(session.interpreter.workspace["r"]) < 1e-12)
    stored = [row for row in report["groups"] if row["ops"] == ["assign"] and 9 in row["lines"]]
    copies = [row for row in stored if row["inputs"][0]["shape"] == [5000, 12]]
    assert not sum(row["executions"] for row in copies)
