"""``memoize``: a function that remembers what it gave for inputs seen before."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import FUNCTION
from app.engine.builtins.arrays.predicates import equal
from app.engine.builtins.property_objects import PropertyObject
from app.engine.declarations.registry import builtin, native_type
from app.engine.values import (
    EMPTY,
    Cell,
    NativeObject,
    Struct,
    Value,
    bool_of,
    canonical,
    int_of,
)
from app.engine.values.containers import no_member
from app.records import mutable_record

_KEY = "memoized functions"


@mutable_record
class Answer:
    """One remembered call."""

    inputs: tuple[Value, ...]
    outputs: int
    found: tuple[Value, ...]
    hits: int = 0

    def answers(self, args: tuple[Value, ...], nargout: int) -> bool:
        """Whether this is what a call with these arguments gives."""
        same = self.outputs == nargout and len(self.inputs) == len(args)
        return same and all(map(equal, self.inputs, args))


@native_type
class MemoizedFunction(PropertyObject):
    """A function with its latest answers.

    Attributes:
        function: what is called for new inputs.
        answers: remembered calls, the latest last.
        room: how many answers are kept.
        enabled: whether answers are used.
        hits: calls that were answered from memory.
        misses: calls that were computed.
    """

    class_name = "matlab.lang.MemoizedFunction"
    is_handle = True

    def __init__(self, function: Value) -> None:
        self.function = function
        self.room, self.enabled = 10, True
        self.forget()

    def forget(self) -> None:
        """Begin anew: no answers, nothing counted."""
        self.answers: list[Answer] = []
        self.hits, self.misses = 0, 0

    def answer(self, ctx: CallContext, args: tuple[Value, ...], nargout: int) -> tuple[Value, ...]:
        """The outputs for some inputs."""
        if self.enabled:
            for k, known in enumerate(self.answers):
                if known.answers(args, nargout):
                    self.hits += 1
                    known.hits += 1
                    self.answers.append(self.answers.pop(k))
                    return known.found
        self.misses += 1
        made: tuple[Value, ...] = tuple(ctx.call(self.function, args, nargout))
        if self.enabled:
            self.answers = [*self.answers, Answer(args, nargout, made)][-self.room :]
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
            self.enabled = bool_of(value)
        elif name == "CacheSize":
            self.room = max(int_of(value), 1)
        else:
            raise no_member(self.class_name, name)
        return self

    def statistics(self) -> Struct:
        """What ``stats(f)`` gives."""
        calls, kept = self.hits + self.misses, self.answers
        often = max(kept, key=lambda a: a.hits, default=None)
        most: Value = EMPTY
        if often is not None and often.hits:
            most = Struct({"Hits": float(often.hits), "Input": Cell.of(often.inputs)})
        cache: dict[str, Value] = {
            "Inputs": Cell.of([Cell.of(a.inputs) for a in kept]),
            "Nargout": canonical(np.array([[float(a.outputs) for a in kept]])),
            "Outputs": Cell.of([Cell.of(a.found) for a in kept]),
            "HitCount": canonical(np.array([[float(a.hits) for a in kept]])),
            "TotalHits": float(self.hits),
            "TotalMisses": float(self.misses),
        }
        return Struct(
            {
                "Cache": Struct(cache),
                "MostHitCachedInput": most,
                "CacheHitRatePercent": 100.0 * self.hits / calls if calls else 0.0,
                "CacheOccupancyPercent": 100.0 * len(kept) / self.room,
            }
        )

    def methods(self) -> dict[str, Any]:
        """``clearCache(f)`` and ``stats(f)``."""
        return {
            "clearCache": lambda ctx, args, n: self.forget(),
            "stats": lambda ctx, args, n: self.statistics(),
        }


@builtin(
    "memoize",
    category="functions",
    signatures=("f = memoize(fun)",),
    cases=("f = memoize(@(x) x + rand); f(2) == f(2)",),
    see=("containers.Map", "clearAllMemoizedCaches"),
)
def memoize(ctx: CallContext, function: Value) -> Value:
    """A function that remembers its latest answers (ten, unless CacheSize says otherwise)."""
    FUNCTION("memoize", 1, function)
    made = MemoizedFunction(function)
    ctx.state.setdefault(_KEY, weakref.WeakSet()).add(made)
    return made


@builtin(
    "clearAllMemoizedCaches",
    category="functions",
    signatures=("clearAllMemoizedCaches",),
    cases=("f = memoize(@sin); f(1); clearAllMemoizedCaches; stats(f).Cache.TotalMisses == 0",),
    see=("memoize",),
)
def clear_all(ctx: CallContext) -> None:
    """Let all memoized functions forget their answers."""
    for function in ctx.state.get(_KEY, ()):
        function.forget()
