"""``memoize``: a function that remembers what it gave for inputs seen before."""

from __future__ import annotations

from typing import Any

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import FUNCTION
from app.engine.builtins.arrays.predicates import equal
from app.engine.builtins.property_objects import PropertyObject
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import NativeObject, Value, as_array
from app.engine.values.containers import no_member


@native_type
class MemoizedFunction(PropertyObject):
    """A function with its latest answers.

    Attributes:
        function: what is called for new inputs.
        answers: inputs, number of outputs and outputs, the latest last.
        room: how many answers are kept.
        enabled: whether answers are used.
        hits: calls that were answered from memory.
        misses: calls that were computed.
    """

    class_name = "matlab.lang.MemoizedFunction"
    is_handle = True

    def __init__(self, function: Value) -> None:
        self.function = function
        self.answers: list[tuple[tuple[Value, ...], int, tuple[Value, ...]]] = []
        self.room, self.enabled, self.hits, self.misses = 10, True, 0, 0

    def answer(self, ctx: CallContext, args: tuple[Value, ...], nargout: int) -> tuple[Value, ...]:
        """The outputs for some inputs."""
        if self.enabled:
            for k, (seen, outputs, found) in enumerate(self.answers):
                if outputs == nargout and len(seen) == len(args) and all(map(equal, seen, args)):
                    self.hits += 1
                    self.answers.append(self.answers.pop(k))
                    return found
        self.misses += 1
        made: tuple[Value, ...] = tuple(ctx.call(self.function, args, nargout))
        if self.enabled:
            self.answers = [*self.answers, (args, nargout, made)][-self.room :]
        return made

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``f(inputs)``."""
        return self.answer(ctx, args, 1)[0]

    def properties(self) -> dict[str, Value]:
        """The function and how it is remembered."""
        return {"Function": self.function, "Enabled": self.enabled, "CacheSize": float(self.room)}

    def set_member(self, ctx: CallContext, name: str, value: Value) -> NativeObject:
        """``Enabled`` and ``CacheSize``."""
        if name == "Enabled":
            self.enabled = bool(as_array(value).flat[0])
        elif name == "CacheSize":
            self.room = max(int(as_array(value).flat[0]), 1)
        else:
            raise no_member(self.class_name, name)
        return self

    def methods(self) -> dict[str, Any]:
        """``clearCache(f)``."""
        return {"clearCache": lambda ctx, args, n: self.answers.clear()}


@builtin(
    "memoize",
    category="functions",
    signatures=("f = memoize(fun)",),
    cases=("f = memoize(@(x) x + rand); f(2) == f(2)",),
    see=("containers.Map",),
)
def memoize(function: Value) -> Value:
    """A function that remembers its latest answers (ten, unless CacheSize says otherwise)."""
    FUNCTION("memoize", 1, function)
    return MemoizedFunction(function)
