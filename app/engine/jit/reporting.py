"""What the report, ``explain`` and the editor's margin learn about compiled loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.accel.ir.node import Origin
from app.accel.ir.plan import Reason
from app.engine.capture.capture_session import Session

if TYPE_CHECKING:
    from app.engine.interpreter.unit import Unit


def report_refusal(unit: Unit, line: int, text: str) -> None:
    """Something at a line is not compiled, and why."""
    _record(unit, line, Reason.UNSUPPORTED_OP, text)


def ran(unit: Unit, line: int, seconds: float) -> None:
    """The loop at a line ran as machine code for so long."""
    runtime = Session.runtime
    if runtime is not None:
        _record(unit, line, Reason.FUSED, "the loop runs as machine code")
        row = runtime.recorder.line(Origin(unit.source.name, line))
        row.count += 1
        row.host_ms += seconds * 1e3


def _record(unit: Unit, line: int, reason: Reason, text: str) -> None:
    runtime = Session.runtime
    if runtime is not None:
        runtime.recorder.boundary(Origin(unit.source.name, line), reason, text)
