"""Functions of every element of an array."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.accel.ir.ops import OPS, Domain
from app.engine.jit import external
from app.engine.jit.builder import Refused, Val, number
from app.engine.jit.jit_characters import CHARACTERS
from app.engine.jit.jit_intrinsics import VALUES
from app.engine.jit.jit_types import F64, KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.engine.jit.arrays import Array, Operand
    from app.engine.jit.jit_expressions import Expressions
    from app.source import Span

PLAIN = frozenset(
    (
        "abs",
        "floor",
        "ceil",
        "round",
        "fix",
        "sqrt",
        "sign",
        "isnan",
        "isfinite",
        "isinf",
        "not",
        "xor",
        "mod",
        "rem",
        "max",
        "min",
        "bitand",
        "bitor",
        "bitxor",
        "bitget",
        "bitshift",
        "conj",
        "imag",
        "real",
        *KINDS,
        *CHARACTERS,
    )
)
"""Functions that give the same for an element as for an array of them."""

LOOPS = {
    spec.name: (spec.host.__name__, spec.domain is not None)
    for spec in OPS.values()
    if spec.c_name
    and spec.name not in PLAIN
    and isinstance(spec.host, np.ufunc)
    and spec.arity == 1
    and spec.domain in {None, Domain(0.0)}
}
"""NumPy's loops by MATLAB's name; elements below zero are left to the interpreter where told."""


def elementwise(low: Expressions, name: str, given: list[Operand], span: Span) -> Operand:
    """``name`` of arrays."""
    function = VALUES[name].function
    if name in LOOPS and len(given) == 1:
        a = given[0]
        assert not isinstance(a, Val)
        return _by_loop(low, name, a, span)
    if name not in PLAIN:
        raise Refused(f"'{name}' of an array", span)
    if len(given) == 1:
        a = given[0]
        assert not isinstance(a, Val)
        return low.arrays.map(a, lambda v: function(low, v, span))
    first, second = given
    return low.arrays.broadcast(first, second, lambda a, b: function(low, a, b, span))


def _by_loop(low: Expressions, name: str, a: Array, span: Span) -> Array:
    """NumPy's loop over the elements, which stands for no scalar function to the last digit."""
    ufunc, test = LOOPS[name]
    found = external.loop_of(ufunc)
    if found is None or a.kind is not F64:
        raise Refused(f"'{name}' of an array of this class", span)
    source = low.arrays.in_memory(a)
    if test:
        below = any_below_zero(low, source)
        low.out.require(low.out.op(f"xor i1 {below}, true"))
    made = low.arrays.allocate(F64, a.rows, a.columns, a.pages)
    places = (source.data, "8"), (made.data, "8")
    call_loop(low, found, places, low.arrays.count_of(made))
    return made


def any_below_zero(low: Expressions, a: Array) -> str:
    """Whether an element is negative."""
    slot = low.out.slot(f"%b.{low.out.label('below')}", "i1")
    low.out.store(slot, "i1", "false")

    def look(k: str) -> None:
        test = low.out.op(f"fcmp olt double {a.element(k).text}, {number(0.0).text}")
        low.out.store(slot, "i1", low.out.op(f"or i1 {low.out.load(slot, 'i1')}, {test}"))

    low.arrays.each(low.arrays.count_of(a), look)
    return low.out.load(slot, "i1")


def call_loop(
    low: Expressions, loop: tuple[str, str], places: Sequence[tuple[str, str]], count: str
) -> None:
    """One of NumPy's loops of one operand or two: where each and the result begin, and its step."""
    helper = "fuselab_map" if len(places) == 2 else "fuselab_map_two"
    given = [word for place, step in places for word in (("ptr", place), ("i64", step))]
    low.out.call("void", helper, *external.arguments(low.out, loop), *given, ("i64", count))


def fold(low: Expressions, ufunc: str, a: Array, start: float) -> str:
    """NumPy's reduction of doubles that lie one after the other, in its own order."""
    found = external.loop_of(ufunc)
    if found is None:
        raise Refused(f"NumPy's '{ufunc}' is not found")
    return low.out.call(
        "double",
        "fuselab_fold",
        *external.arguments(low.out, found),
        ("ptr", a.data),
        ("i64", low.arrays.count_of(a)),
        ("double", number(start).text),
    )
