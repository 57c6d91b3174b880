"""Printed plans of written programs; UPDATE_GOLDEN=1 writes them anew."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from app.accel.planner import printing
from app.accel.runtime.runtime import Runtime
from tests.accel.graphs import Graph
from tests.accel.written import WRITTEN
from tests.support.counted_programs import COUNTED
from tests.support.loop_programs import PROGRAMS as LOOPS

FOLDER = Path(__file__).parent.parent / "plans"
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))
PROGRAMS = [case[0] for case in COUNTED] + LOOPS + list(WRITTEN)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_plan(counting: Runtime, program: Any) -> None:
    found = program(Graph(counting))
    counting.evaluate(found if isinstance(found, list) else [found])
    text = "\n".join(printing.plan(plan) for plan in counting._plans.values())
    path = FOLDER / f"{program.__name__}.plan"
    if UPDATE:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")
