"""A column beside a row is small; what they give is not, and belongs on the graph."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.accel.backends.wgpu import open_provider
from app.accel.runtime.runtime import AccelOptions, Runtime
from app.engine.capture import capture_session
from app.engine.values import DeviceArray
from app.errors import MatlabError
from tests.engine.builtins.engine_session import Session

N = 40
LEAST = 1024
DATA = f"""rng(4); r = rand(1, {N}) - 0.5; c = r' + 1; S.r = r; S.c = {{c}};
l = r > 0; i = int32(9*r); f = single(r);"""
SPREAD = [
    *(f"c {op} r" for op in ("+", "-", ".*", "./", "<", "==", ">=", "~=")),
    "c .^ r",
    "c * r",
    "[c c] * [r; r]",
    "(c > 1) & l",
    "l' | (r < 0.1)",
    "i' + i",
    "f' - r",
    "c .* f",
    "c - 1i * r",
    "S.c{1} - S.r",
    "bsxfun(@minus, c, r)",
    "bsxfun(@(p, q) p .* q, c, r)",
    "reshape(c, 1, 1, []) + r",
    "c + [r(1:end-1) NaN]",
    *(f"{name}(c, r)" for name in ("max", "min", "hypot", "atan2", "mod", "rem", "plus", "times")),
]
"""Expressions of a column and a row of which each has fewer elements than go to the graph."""


@pytest.fixture(scope="module", params=["cpu", "gpu"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    runtime = Runtime(AccelOptions(device=request.param), open_provider())
    made = Session()
    capture_session.activate(runtime, LEAST)
    made.run(DATA)
    yield made
    made.run("clear")
    capture_session.deactivate()
    runtime.close()


def value_at_once(session: Session, expression: str) -> np.ndarray:
    """The value where nothing is captured."""
    runtime = capture_session.Session.runtime
    capture_session.deactivate()
    found = np.asarray(session.value(expression))
    capture_session.activate(runtime, LEAST)
    return found


@pytest.mark.parametrize("expression", SPREAD)
def test_what_a_column_and_a_row_give_is_lazy(session: Session, expression: str) -> None:
    """And it is what it would be at once."""
    expected = value_at_once(session, expression)
    assert expected.size == N * N
    made = session.value(expression)
    assert type(made) is DeviceArray
    found = made.gather("test")
    assert found.dtype == expected.dtype
    tolerance = np.finfo(np.float32 if "f" in expression else np.float64).eps
    np.testing.assert_allclose(found, expected, rtol=4 * tolerance, atol=0)


@pytest.mark.parametrize("expression", ["c(1:9) + r", "c(1:31) * r(1:31)", "max(c(1:30), r(1:30))"])
def test_small_results_are_computed_at_once(session: Session, expression: str) -> None:
    """The size of the result decides, not that its operands are expanded."""
    assert type(session.value(expression)) is np.ndarray


def test_operands_that_do_not_fit_are_an_error(session: Session) -> None:
    """Where one side is expanded and the other is too long."""
    for text in ("repmat(c, 1, 3) + [r r]", "max(repmat(c, 1, 3), [r r])", "[c c] * [r; r; r]"):
        with pytest.raises(MatlabError):
            session.value(text)
