"""``obj.a(2).b`` of a class with ``subsref``: the whole chain goes to the method in one call.

Code is compiled without knowing which variables are such objects, so a step of a chain is
evaluated before the next one is known. An object whose class has a ``subsref`` therefore looks at
the text behind the step that is running: when another step follows, it answers with a
``PendingChain`` that takes the next steps and calls the method at the last one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.engine.arguments.call_context import CallContext
from app.engine.interpreter.error_conversion import position_of
from app.engine.interpreter.frames import current, unit_of
from app.engine.values import NativeObject, Value, size_of
from app.late_pattern import late_pattern

_NEXT_STEP = late_pattern(r"[({]|\.(?:\(|[A-Za-z])")
Parts = tuple[tuple[str, Any], ...]
Finish = Callable[[Any, Parts, int], Value]


def continues() -> bool:
    """Does another step follow the one that is running?"""
    frame = current()
    if frame is None:
        return False
    _, line, _, column = position_of(frame.f_code, frame.f_lasti)
    if line is None or column is None:
        return False
    return _NEXT_STEP.match(unit_of(frame).source.line_text(line), column) is not None


class PendingChain(NativeObject):
    """An object and the steps read so far."""

    def __init__(self, x: Any, parts: Parts, finish: Finish) -> None:
        self.x = x
        self.parts = parts
        self.finish = finish

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of what the chain so far stands for: ``end`` asks for it."""
        return size_of(self.finish(self.x, self.parts, 1))

    def get_member(
        self, ctx: CallContext, name: str, args: tuple[Value, ...] | None, nargout: int
    ) -> Value:
        """``.name`` or ``.name(args)``."""
        more: Parts = ((".", name),) if args is None else ((".", name), ("()", args))
        return self._extended_chain(more, nargout)

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``(args)``."""
        return self._extended_chain((("()", args),), 1)

    def brace_get(self, ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        """``{args}``."""
        return self._extended_chain((("{}", args),), nargout)

    def _extended_chain(self, more: Parts, nargout: int) -> Value:
        return step(self.x, self.parts + more, nargout, self.finish)


def step(x: Any, parts: Parts, nargout: int, finish: Finish) -> Value:
    """The value of the chain when it ends here, else the chain so far."""
    return PendingChain(x, parts, finish) if continues() else finish(x, parts, nargout)
