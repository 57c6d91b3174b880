"""``dbstop if naninf``: which variable got its first NaN or Inf in the statement just run.

What each frame's variables were before a statement is remembered by reference. So a value that
changed in place is copied first, as whenever it has two owners, and is seen as a new one.
"""

from __future__ import annotations

import math
from types import FrameType
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.interpreter.frames import DictWorkspace, FrameWorkspace, is_dynamic
from app.engine.interpreter.naninf_origin import culprit, lineage
from app.engine.values import DeviceArray, Value

if TYPE_CHECKING:
    from app.engine.interpreter.interpreter import Interpreter


class NonFiniteWatch:
    """Compares the variables of running frames from statement to statement."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._seen: dict[FrameType, dict[str, Value]] = {}
        self._lines: dict[FrameType, int] = {}

    def found(self, frame: FrameType) -> tuple[str, int]:
        """A sentence about the first variable that is not finite any more; empty for none.

        And the line of the statement that made it so, which is the one before where `frame` is.
        """
        line, self._lines[frame] = self._lines.get(frame, frame.f_lineno), frame.f_lineno
        return self._sentence(frame), line

    def _sentence(self, frame: FrameType) -> str:
        workspace = self._workspace(frame)
        now = {name: workspace.get(name) for name in workspace.names()}
        before = self._seen.get(frame)
        self._seen[frame] = now
        if before is None:
            return ""
        for name, value in now.items():
            if value is not None and before.get(name) is not value:
                steps = lineage(value)
                place = non_finite(value)
                if place is not None and place != _place(before.get(name)):
                    return f"{name}{place}{culprit(value, steps)}"
        return ""

    def forget(self, frame: FrameType | None = None) -> None:
        """Let go of the variables of a frame that ends, or of all."""
        if frame is None:
            self._seen.clear()
            self._lines.clear()
        else:
            self._seen.pop(frame, None)
            self._lines.pop(frame, None)

    def _workspace(self, frame: FrameType) -> DictWorkspace | FrameWorkspace:
        if is_dynamic(frame):
            return DictWorkspace(self._interpreter, frame.f_globals)
        return FrameWorkspace(self._interpreter, frame)


def non_finite(value: Value) -> str | None:
    """Where a value is NaN or Inf, such as ``(3,2) is NaN``; None when it is finite."""
    if type(value) is DeviceArray:
        value = value.gather("breakpoint")
    if type(value) is float:
        return None if math.isfinite(value) else f" is {_name(value)}"
    if isinstance(value, complex):
        value = np.array([[value]])
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "fc":
        return None
    wrong = ~np.isfinite(value)
    if not wrong.any():
        return None
    first = int(np.argmax(wrong.reshape(-1, order="F")))
    place = np.unravel_index(first, value.shape, order="F")
    index = ",".join(str(int(k) + 1) for k in place)
    return f"({index}) is {_name(value[place])}"


def _place(value: Value | None) -> str | None:
    return None if value is None else non_finite(value)


def _name(value: Any) -> str:
    return "NaN" if np.isnan(value) else "Inf" if np.real(value) > 0 else "-Inf"
