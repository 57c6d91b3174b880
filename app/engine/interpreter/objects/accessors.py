"""The functions that read and set a property, and which of them runs now."""

from __future__ import annotations

from collections.abc import Callable

from app.engine.arguments.call_context import CallContext
from app.engine.interpreter.objects.access import running_accessor
from app.engine.interpreter.objects.class_model import Property
from app.engine.values import FunctionHandle, HandleObject, Value

Callee = Callable[..., Value]


class Accessor:
    """A function that reads or sets a property of one object (``p.GetMethod``, ``p.SetMethod``).

    Attributes:
        function: what is called.
        running: whether it is under way: what it does with the property itself is plain then.
    """

    def __init__(self, ctx: CallContext, function: FunctionHandle, *, reads: bool) -> None:
        self.function, self.running = function, False
        self._ctx, self._reads = ctx, reads

    def __call__(self, x: HandleObject, *value: Value, nargout: int = 1) -> Value:
        """Read, or set to a value."""
        self.running = True
        try:
            made = self._ctx.call(self.function, (x, *value), int(self._reads))
        finally:
            self.running = False
        return made[0] if self._reads else None


def is_running(form: str, prop: Property, accessor: Callee | None) -> bool:
    """Whether the method that reads (``get``) or sets (``set``) a property is what runs now."""
    if isinstance(accessor, Accessor):
        return accessor.running
    return running_accessor(f"{form}.{prop.name}", prop.owner)
