"""Warnings that depend on lazy values: whether they are due is looked at later, of many together.

Whether a small matrix is singular is known where it was factored, on the device. Looking there at
every solution takes longer than the solution, so the answers are collected. They are looked at
before anything else is said about warnings, when printed text is captured, and when a run ends.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import TYPE_CHECKING, TypeVar

from app.engine.capture.capture_session import Session
from app.engine.interpreter.warnings import STATES
from app.errors import Interrupted

if TYPE_CHECKING:
    from app.accel.ir.node import Node, Origin
    from app.accel.runtime.runtime import Runtime
    from app.engine.interpreter.context import Context

T = TypeVar("T")
MOST = 64
"""Doubts that are collected; what they hold of the graph is not pending for longer."""
CAUSE = "needs-host-value: is a matrix singular?"


class LateWarnings:
    """The doubts of a session, in the order they came up.

    Attributes:
        place: where the warning comes from that is being issued; None of one that is in time.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._runtime: Runtime | None = None
        self._doubts: list[tuple[Node, Origin, Callable[[], object]]] = []
        self.place: Origin | None = None

    def add(self, node: Node, warn: Callable[[], object]) -> bool:
        """Call `warn` later if the node turns out true; False where nobody may wait for that."""
        states = self._context.state.get(STATES, {})
        if "error" in states.values() or "warning" in self._context.interpreter.debugger.stops:
            return False
        if self._runtime is not Session.runtime or len(self._doubts) >= MOST:
            self.tell()
        self._runtime = Session.runtime
        self._doubts.append((node, Session.runtime.locate(), warn))
        return True

    def tell(self) -> None:
        """Issue the warnings that are due."""
        doubts, self._doubts = self._doubts, []
        runtime, self._runtime = self._runtime, None
        if runtime is None:
            return
        nodes = [node for node, _, _ in doubts]
        any_due = reduce(lambda a, b: runtime.apply("or", (a, b)), nodes)
        if runtime.gather(any_due, CAUSE).item():
            try:
                for node, place, warn in doubts:
                    if runtime.gather(node, CAUSE).item():
                        self.place = place
                        warn()
            finally:
                self.place = None

    def told_after(self, run: Callable[[], T]) -> T:
        """Run what may raise doubts, and issue the warnings that are due; none after a stop."""
        try:
            return run()
        except (Interrupted, KeyboardInterrupt):
            self._doubts, self._runtime = [], None
            raise
        finally:
            self.tell()
