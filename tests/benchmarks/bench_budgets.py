"""Times that are promised: ``make bench`` prints them and fails beyond the budget.

Not part of ``make test``: a busy machine would make it lie.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app import settings
from app.engine.session.session import Session
from app.source import SourceText

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["cpu", "gpu"])
def session(request: pytest.FixtureRequest) -> Iterator[Session]:
    opened = Session(settings.load({"FUSELAB_DEVICE": request.param}), lambda _: None)
    yield opened
    opened.close()


def best(action: Callable[[], object], times: int = 5) -> float:
    """The shortest of several runs, in seconds."""
    spent = []
    for _ in range(times):
        started = time.perf_counter()
        action()
        spent.append(time.perf_counter() - started)
    return min(spent)


def told(what: str, value: float, unit: str, budget: float) -> None:
    sys.stderr.write(f"\n{what:<44} {value:10.2f} {unit} (budget {budget:g})")
    assert value <= budget


def run(session: Session, code: str) -> None:
    session.run_source(SourceText("bench.m", code))
    assert session.last_status == "ok"


def test_empty_script_from_the_shell() -> None:
    command = [sys.executable, "-m", "app", "eval", "1;"]
    seconds = best(lambda: subprocess.run(command, cwd=ROOT, check=True))
    told("an empty script, from the shell", seconds * 1e3, "ms", 500)


def test_captured_operation(session: Session) -> None:
    loop = "x = rand(2000, 1); tic; for k = 1:{n}, y = x + 1; end"
    few, many = (
        best(lambda n=n: run(session, loop.format(n=n)))  # type: ignore[misc]
        for n in (1000, 6000)
    )
    told("a captured operation", (many - few) / 5000 * 1e6, "us", 15)


def test_cached_plan(session: Session) -> None:
    loop = "x = rand(2000, 1); for k = 1:{n}, s = sum(x .* k); if s < 0, break, end, end"
    few, many = (
        best(lambda n=n: run(session, loop.format(n=n)), 3)  # type: ignore[misc]
        for n in (100, 400)
    )
    device = session.settings.device
    # On a device every pass also waits for four bytes to come back.
    told(
        f"a cached plan and its answer, {device}",
        (many - few) / 300 * 1e6,
        "us",
        600 if device == "cpu" else 3000,
    )


def test_scalar_loop(session: Session) -> None:
    code = "s = 0; for i = 1:1000000, s = s + i*0.5; end"
    told("a scalar loop of a million passes", best(lambda: run(session, code), 3) * 1e3, "ms", 600)
