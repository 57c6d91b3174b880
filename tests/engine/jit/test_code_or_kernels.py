"""Loops whose passes need their neighbours: machine code on one core, or kernels once a pass."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from app.api import Session

STEP = """
for k = 1:{passes}
  T(2:end-1, 2:end-1) = T(2:end-1, 2:end-1) + 0.2 * (T(1:end-2, 2:end-1) + T(3:end, 2:end-1) ...
    + T(2:end-1, 1:end-2) + T(2:end-1, 3:end) - 4 * T(2:end-1, 2:end-1));
  {more}
end
"""
EDGES = "T(1, :) = T(2, :); T(end, :) = T(end-1, :); T(:, 1) = T(:, 2); T(:, end) = T(:, end-1);"


def start(rows: int, columns: int) -> str:
    """A field with a warm edge and a hot spot."""
    return f"T = zeros({rows}, {columns}); T(:, 1) = 1; T({rows // 2}, {columns // 3}) = 5;"


def expected(rows: int, columns: int, passes: int, edges: bool) -> np.ndarray:
    """The same in NumPy."""
    t = np.zeros((rows, columns))
    t[:, 0], t[rows // 2 - 1, columns // 3 - 1] = 1, 5
    for _ in range(passes):
        inner = t[1:-1, 1:-1]
        around = t[:-2, 1:-1] + t[2:, 1:-1] + t[1:-1, :-2] + t[1:-1, 2:]
        t[1:-1, 1:-1] = inner + 0.2 * (around - 4 * inner)
        if edges:
            t[0], t[-1] = t[1], t[-2]
            t[:, 0], t[:, -1] = t[:, 1], t[:, -2]
    return t


@pytest.fixture
def session() -> Iterator[Session]:
    opened = Session(device="cpu")
    yield opened
    opened.close()


def said(session: Session) -> set[str]:
    """What the report says about loops."""
    assert session.report is not None
    return {row["detail"] for row in session.report.boundaries if "loop" in row["detail"]}


@pytest.mark.parametrize("size", [(120, 100), (230, 210)])
@pytest.mark.parametrize("more", ["", EDGES])
def test_a_field_of_some_ten_thousand_points_is_stepped_by_machine_code(
    session: Session, size: tuple[int, int], more: str
) -> None:
    text = start(*size) + STEP.format(passes=1500, more=more)
    for _ in range(30):  # code comes from a thread beside, when a busy machine lets it
        session.eval(text)
        if "the loop runs as machine code" in said(session):
            break
    assert "the loop runs as machine code" in said(session)
    assert np.allclose(session["T"], expected(*size, 1500, bool(more)), rtol=1e-12, atol=1e-14)


def test_what_is_no_machine_code_goes_on_as_kernels_where_the_field_is_large(
    session: Session,
) -> None:
    text = start(300, 250) + STEP.format(passes=200, more="T = T - gamma(T + 2) / 1e4;")
    for _ in range(4):
        session.eval(text)
    assert session.report is not None
    assert session.report.counters["groups"] > 200
    assert any("once a pass" in detail for detail in said(session))
    assert "the loop runs as machine code" not in said(session)


def test_smaller_fields_go_on_statement_by_statement(session: Session) -> None:
    """Plans of every pass would take as long once they are settled, and longer before."""
    text = start(120, 100) + STEP.format(passes=200, more="T = T - gamma(T + 2) / 1e4;")
    for _ in range(4):
        session.eval(text)
    assert session.report is not None
    assert session.report.counters["groups"] == 0
    assert any("is not compiled" in detail for detail in said(session))
    assert "the loop runs as machine code" not in said(session)


def test_larger_fields_are_kernels_after_small_ones(session: Session) -> None:
    begun = "for n = [100 100 100 100 400]\nT = zeros(n, n); T(:, 1) = 1;"
    session.eval(begun + STEP.format(passes=60, more=EDGES) + "end")
    assert any("once a pass" in detail for detail in said(session))
