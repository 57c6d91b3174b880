"""A number that is changed in the text, as a slider does, is a parameter: nothing is compiled."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app import settings
from app.engine.session.session import Session
from app.source import SourceText
from tests.support.adapters import require_adapter

BEFORE = "N = 20000; t = single(linspace(0, 100, N)); d = linspace(-3, 5, N);"
SECTIONS = {
    "sine": "f = @;\ny = 0.5 * sin(f * t + 0.3) .* exp(-t / 50) + 0.1;\nplot(t, y)",
    "used twice": "f = @; y = f * sin(t) + 2 * cos(f * t) + f; m = max(y)",
    "comparison": "f = @; y = d; y(y > f) = f; m = sum(y)",
    "folded": "f = @; w = 2 * pi * f; y = sin(w * t + pi / 4) / f; m = max(y)",
    "literal": "y = polyval([@ 2 1], d); m = max(y)",
    "struct": "p.f = @; p.n = 3; y = p.f * sin(d) + p.n; m = max(y)",
    "range": "f = @; x = linspace(-f, f, 20000); plot(x, sin(x))",
    "function": "f = @; g = @(x) x * f + 3; m = sum(g(d))",
    "loop": "f = @; y = d; for k = 1:10, y = y * f / 5 + 0.5 * k; end, m = sum(y)",
    "map": "r = @; x = 0.5 * ones(1, 20000); for k = 1:50, x = r / 2 * x .* (1 - x); end, m = x(7)",
}
VALUES = [1.01 + 0.07 * k for k in range(10)] + [0.5, 1, 2, 3, 0.3, 50, 5, 0.1, 10, 7]
"""Some of them are numbers that the sections have, too."""
FIRST = (1.3, 1.6, 1.9)
"""What sections before it have left pending is computed with the first, stored by the second."""


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    made = Session(settings.load({"FUSELAB_DEVICE": "gpu"}), lambda _: None)
    try:
        require_adapter(made.acceleration.runtime.open())
        yield made
    finally:
        made.close()


def counted(session: Session, code: str) -> tuple[int, int]:
    """Run code: kernels compiled, and plans that were made."""
    session.run_source(SourceText("section.m", code))
    assert session.last_status == "ok"
    counters = session.last_report["counters"]
    return counters["kernels_compiled"], counters["plans"] - counters["plan_cache_hits"]


@pytest.mark.parametrize("name", SECTIONS)
def test_a_changed_literal_compiles_nothing(session: Session, name: str) -> None:
    session.run_source(SourceText("before.m", BEFORE))
    made = [counted(session, SECTIONS[name].replace("@", repr(v), 1)) for v in (*FIRST, *VALUES)]
    assert made[0][1] > 0
    assert made[len(FIRST) :] == [(0, 0)] * len(VALUES)


def test_what_is_equal_by_chance_differs_in_the_next_run(session: Session) -> None:
    """The first value is one of the section's own numbers: its plan is not that of the others."""
    session.run_source(SourceText("before.m", BEFORE))
    code = "f = @; y = f * d + 0.75 * cos(d) - f; z = gather(y(9)); w = d(9);"
    for value in (0.75, 2.25, 0.75, -1):
        session.run_source(SourceText("section.m", code.replace("@", repr(value))))
        check = f"assert(abs(z - ({value} * w + 0.75 * cos(w) - {value})) < 1e-5)"
        session.run_source(SourceText("check.m", check.replace("- -", "+ ")))
        assert session.last_status == "ok", value
