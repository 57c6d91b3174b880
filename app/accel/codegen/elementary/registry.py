"""The table of elementary functions, and the two ways to use it."""

from __future__ import annotations

from functools import cache, wraps
from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.codegen.elementary.numpy_form import Host
from app.accel.codegen.elementary.trace import LOOP_HEAD, Term, Trace
from app.records import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from app.accel.codegen.elementary.language import Machine, Value


@record
class Definition:
    """One elementary function.

    Attributes:
        name: Its name; in WGSL followed by ``_f32`` or ``_f64``.
        arity: Number of float arguments.
        body: The definition, a function of a machine and the arguments.
        returns: Kind of the result: ``f``, ``b``, or ``p`` for a pair of floats.
        strict: Evaluated with every product rounded, so that all devices agree to the bit.
    """

    name: str
    arity: int
    body: Callable[..., Value]
    returns: str
    strict: bool


FUNCTIONS: dict[str, Definition] = {}


def elementary(
    *, returns: str = "f", strict: bool = False
) -> Callable[[Callable[..., Value]], Callable[..., Value]]:
    """Register a definition. Called within another one, it is a call of a function in WGSL."""

    def register(body: Callable[..., Value]) -> Callable[..., Value]:
        name = body.__name__.rstrip("_")
        arity = body.__code__.co_argcount - 1
        FUNCTIONS[name] = Definition(name, arity, body, returns, strict)

        @wraps(body)
        def call(m: Machine, *args: Value) -> Value:
            return m.enter(name, returns, body, *args)

        return call

    return register


def wgsl_name(name: str, width: int) -> str:
    """The WGSL function's name."""
    return f"{name}_f{width}"


def load() -> None:
    """Import every module of definitions, once."""
    from app.accel.codegen.elementary import (  # noqa: F401 - registers definitions
        exponential,
        hyperbolic,
        inverse,
        logarithm,
        normal,
        rounding,
        special,
        square_roots,
        trigonometric,
    )


def evaluate(name: str, *args: NDArray[Any]) -> Any:
    """Compute a function on the host; all arguments have one float dtype."""
    load()
    definition = FUNCTIONS[name]
    arrays = np.broadcast_arrays(*(np.atleast_1d(a) for a in args))
    host = Host(arrays[0].dtype.itemsize * 8)
    with np.errstate(all="ignore"):
        result = definition.body(host, *(np.array(a) for a in arrays))
    shape = np.broadcast_shapes(*(np.shape(a) for a in args))
    if definition.returns == "p":
        return tuple(part.reshape(shape) for part in result)
    return result.reshape(shape)


@cache
def _text(
    name: str, width: int, fused: bool
) -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
    """A function's WGSL, the functions it calls, and its tables."""
    definition = FUNCTIONS[name]
    machine = Trace(width, strict=definition.strict, fused=fused)
    kind = machine.names["f"]
    names = [f"x{i}" for i in range(definition.arity)]
    result = definition.body(machine, *(Term(machine, "f", n) for n in names))
    head = ", ".join(f"{n}: {kind}" for n in names)
    if definition.returns == "p":
        returns = f"vec2<{kind}>"
        parts = ", ".join(machine.term(r, "f").text for r in result)
        machine.write(f"return {returns}({parts});")
    else:
        returns = machine.names[definition.returns]
        machine.write(f"return {machine.term(result, definition.returns).text};")
    lines = [f"fn {wgsl_name(name, width)}({head}) -> {returns} {{", *machine.lines, "}"]
    tables = tuple((n, _table(n, w, words)) for n, (w, words) in machine.tables.items())
    return "\n".join(lines), tuple(sorted(machine.calls)), tables


def _table(name: str, width: int, words: Sequence[int]) -> str:
    """A function that gives four consecutive entries: a branch each, since shaders that copy a
    table into memory are slower."""
    kind, suffix = ("vec4<u32>", "u") if width == 32 else ("vec4<u64>", "lu")
    cases = "".join(
        f"\n        case {i}u: {{ return {kind}("
        f"{', '.join(f'{w:#x}{suffix}' for w in words[i : i + 4])}); }}"
        for i in range(len(words) - 3)
    )
    return (
        f"fn {name}(i: u32) -> {kind} {{\n    switch i {{{cases}\n"
        f"        default: {{ return {kind}(); }}\n    }}\n}}"
    )


@cache
def iterates(name: str) -> bool:
    """Whether a function has a loop inside, or calls one that has."""
    return LOOP_HEAD in library([(name, 32)])


def library(needed: Iterable[tuple[str, int]], *, fused: bool = False) -> str:
    """The WGSL text that defines these (name, width) pairs and all that they call.

    The text needs `trace.prelude` before it.
    """
    load()
    done: dict[str, str] = {}

    def visit(name: str, width: int) -> None:
        key = wgsl_name(name, width)
        if key in done:
            return
        text, calls, tables = _text(name, width, fused)
        for other in calls:
            visit(other, width)
        done.update(tables)
        done[key] = text

    for name, width in sorted(set(needed)):
        visit(name, width)
    return "\n".join(done.values())
