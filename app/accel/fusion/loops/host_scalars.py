"""What a loop does to single numbers alone, computed on the host pass by pass.

Time, step sizes and iteration counts are such numbers. The host knows them before the loop, so it
can know them afterwards, and in which pass a condition on them turns true, without asking anybody.
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, inf, isnan, nan
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from app.accel.backends import reference
from app.accel.ir.dtypes import DType
from app.accel.ir.node import toposort
from app.accel.ir.ops import OPS, Category
from app.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.accel.fusion.loops.traced import Traced
    from app.accel.ir.node import Node

_Compiled: TypeAlias = "tuple[Callable[..., tuple[int, list[Any]]], list[tuple[float, ...]]]"
_REAL = {DType.F64, DType.BOOL}
_NUMBERS = frozenset(DType) - {DType.I64, DType.U64} - {d for d in DType if d.is_complex}
_PLAIN = {
    "plus": "{} + {}",
    "minus": "{} - {}",
    "times": "{} * {}",
    "uminus": "-{}",
    "lt": "{} < {}",
    "le": "{} <= {}",
    "gt": "{} > {}",
    "ge": "{} >= {}",
    "eq": "{} == {}",
    "ne": "{} != {}",
    "and": "{} and {}",
    "or": "{} or {}",
    "not": "not {}",
    "rdivide": "divide({}, {})",
    "mod": "modulo({}, {})",
    "select": "({1} if {0} else {2})",
}
EXACT = 2.0**53
"""Below this whole numbers are added without rounding."""
MOST_KNOWN = 4096
"""Passes of which all numbers are found out at once."""
LOOK_EVERY = 1024
"""Passes between two looks at whether somebody wants them to end."""
_POINTWISE = {Category.ELEMENTWISE, Category.CAST}


def host_carries(traced: Traced) -> list[Node]:
    """The carries that follow from single numbers the host knows, and from the counter."""
    after = dict(zip(traced.carries, traced.following, strict=True))
    first = dict(zip(traced.carries, traced.initial, strict=True))
    found = [
        c for c in traced.carries if c.size == 1 and c.dtype in _REAL and _is_known_number(first[c])
    ]
    while True:
        kept = [c for c in found if _follows_from_known(after[c], set(found), traced)]
        if kept == found:
            return found
        found = kept


def _is_known_number(node: Node) -> bool:
    return node.op == "param" and not isinstance(node.data[0], complex)


def _follows_from_known(node: Node, carries: set[Node], traced: Traced) -> bool:
    """Whether a number is made of known numbers alone."""
    for below in toposort((node,)):
        if below in carries or below is traced.counter or _is_known_number(below):
            continue
        if below.size != 1 or below.dtype not in _REAL or not below.inputs:
            return False
        spec = OPS[below.op]
        if spec.category not in _POINTWISE or spec.domain is not None:
            return False
    return True


def passes_until(traced: Traced, stop: Node, most: int, poll: Callable[[], None]) -> int | None:
    """Passes before the one in which `stop` is true, at most `most`.

    None where the host cannot know. `poll` is called now and then; it may interrupt.
    """
    carries = host_carries(traced)
    if not _follows_from_known(stop, set(carries), traced):
        return None
    return _Run(traced, carries, stop, poll=poll).go(most)[0]


def after_passes(traced: Traced, passes: int, poll: Callable[[], None]) -> dict[Node, float | bool]:
    """The values of these carries after so many passes; `poll` as in `passes_until`."""
    carries = host_carries(traced)
    if not carries:
        return {}
    return _Run(traced, carries, None, poll=poll).go(passes)[1]


def numbers_in_passes(traced: Traced, node: Node) -> NDArray[np.generic] | None:
    """What a number that follows from the counter alone is in every pass, at most `MOST_KNOWN`.

    None for all other nodes.
    """
    if not _follows_from_known(node, set(), traced):
        return None
    passes = np.arange(min(traced.trips, MOST_KNOWN), dtype=np.float64).reshape(-1, 1)
    values: dict[Node, NDArray[np.generic]] = {}
    values[traced.counter] = traced.first + passes * traced.step
    with np.errstate(all="ignore"):
        for below in toposort((node,)):
            if below is traced.counter:
                continue
            operands = [values[child] for child in below.inputs]
            values[below] = reference.apply(below, operands, True) if operands else _held(below)
    found: NDArray[np.generic] = np.broadcast_to(values[node], passes.shape).reshape(-1)
    return found


def _held(parameter: Node) -> NDArray[np.generic]:
    return np.full((1, 1), _number(parameter, parameter.data[0]), parameter.dtype.numpy)


class PassNumbers:
    """The numbers that the graph of a pass is made with: the host knows them before the pass.

    Attributes:
        carries: the variables among them.
        known: all of them, the counter included.
        read: those that the rest of the pass reads.
    """

    def __init__(self, traced: Traced) -> None:
        self.traced = traced
        self.known = set(known_numbers(traced))
        self.carries = [c for c in traced.carries if c in self.known]
        self.read = traced.nodes("numbers read", self._read)
        self._run = traced.fact("passes of numbers", self._of_passes)

    def _read(self) -> list[Node]:
        others = [n for n in self.traced.variant() if n not in self.known]
        wanted = dict.fromkeys(child for n in others for child in n.inputs)
        return [n for n in wanted if n in self.known]

    def _of_passes(self) -> _Compiled:
        return _Run(self.traced, self.carries, None, self.read).compiled

    def rows(
        self, place: int, passes: int, values: list[float]
    ) -> tuple[list[tuple[float, ...]], list[float]]:
        """Per pass from `place` on the numbers in `read`; the values of `carries` after them.

        Raises Unsupported where one of them leaves the real numbers.
        """
        (run, written), traced = self._run, self.traced
        written.clear()
        first = traced.first + place * traced.step
        last = abs(traced.first) + (place + passes) * abs(traced.step)
        whole = traced.first.is_integer() and traced.step.is_integer() and last < EXACT
        if whole or not place:
            _, after = run(first, traced.step, passes, *values)
            return written[:], after
        found: list[tuple[float, ...]] = []  # the counter is rounded once, from the first pass on
        for k in range(place, place + passes):
            _, values = run(traced.first + k * traced.step, 0.0, 1, *values)
            found.append(written.pop())
        return found, values


def known_numbers(traced: Traced) -> list[Node]:
    """The numbers that the host knows before every pass, the counter included."""
    return traced.nodes("numbers", lambda: _known_numbers(traced, traced.variant()))


def _known_numbers(traced: Traced, variant: dict[Node, None]) -> set[Node]:
    after = dict(zip(traced.carries, traced.following, strict=True))
    first = dict(zip(traced.carries, traced.initial, strict=True))
    carries = [c for c in traced.carries if c.dtype in _NUMBERS and _is_known_number(first[c])]
    while True:
        known = {traced.counter, *carries}

        def is_there(child: Node, known: set[Node] = known) -> bool:
            return child in known or _is_known_number(child)

        for node in variant:
            if node.size == 1 and _is_computed(node) and all(map(is_there, node.inputs)):
                known.add(node)
        kept = [c for c in carries if after[c] in known or _is_known_number(after[c])]
        if kept == carries:
            return known
        carries = kept


def _is_computed(node: Node) -> bool:
    """Whether the host computes such numbers; places in arrays are whole ones that it knows."""
    if not node.inputs:
        return False
    if node.op == "cast" and node.dtype is DType.I64:
        return node.inputs[0].dtype is DType.F64
    return node.dtype in _NUMBERS and OPS[node.op].category in _POINTWISE


class _Run:
    """A Python function that does the passes.

    Attributes:
        compiled: the function, and of every pass that it does the values of `read`.
    """

    def __init__(
        self,
        traced: Traced,
        carries: list[Node],
        stop: Node | None,
        read: Sequence[Node] | None = None,
        poll: Callable[[], None] | None = None,
    ) -> None:
        self.traced, self.carries = traced, carries
        self.names: dict[Node, str] = {c: f"c{k}" for k, c in enumerate(carries)}
        self.names[traced.counter] = "counter"
        rows: list[tuple[float, ...]] = []
        self.held: dict[str, Any] = {
            "divide": _divide,
            "modulo": _modulo,
            "rows": rows,
            "poll": poll,
        }
        after = dict(zip(traced.carries, traced.following, strict=True))
        lines = ["def run(first, step, most, " + ", ".join(self.names[c] for c in carries) + "):"]
        lines += ["  done = 0", "  while done < most:", "    counter = first + done * step"]
        roots = [*([stop] if stop is not None else []), *(read or ()), *(after[c] for c in carries)]
        body: list[str] = []
        if stop is not None:
            self._write([stop], body)
            body.append(f"if {self.names[stop]}: break")
        self._write(roots, body)
        if read is not None:
            body.append(f"rows.append(({''.join(self.names[n] + ',' for n in read)}))")
        targets = ", ".join(self.names[c] for c in carries)
        if carries:
            body.append(f"{targets}, = {', '.join(self.names[after[c]] for c in carries)},")
        if poll is not None:
            body.append(f"if not done % {LOOK_EVERY}: poll()")
        lines += [f"    {line}" for line in body]
        lines += ["    done += 1", f"  return done, [{targets}]"]
        module = compile("\n".join(lines), "<passes>", "exec")
        code = next(c for c in module.co_consts if isinstance(c, CodeType))
        run = cast("Callable[..., tuple[int, list[Any]]]", FunctionType(code, self.held))
        self.compiled: _Compiled = run, rows

    def _write(self, roots: list[Node], body: list[str]) -> None:
        for node in toposort(roots):
            if node not in self.names:
                name = self.names[node] = f"v{len(self.names)}"
                body.append(f"{name} = {self._expression(node, name)}")

    def _expression(self, node: Node, name: str) -> str:
        if node.op == "param":
            self.held[f"k{name}"] = _number(node, node.data[0])
            return f"k{name}"
        arguments = [self.names[child] for child in node.inputs]
        if node.op in _PLAIN and all(child.dtype in _REAL for child in node.inputs):
            return _PLAIN[node.op].format(*arguments)
        self.held[f"f{name}"] = _function(node)
        return f"f{name}({', '.join(arguments)})"

    def go(self, most: int) -> tuple[int, dict[Node, float | bool]]:
        """Passes done, and the values after them."""
        begun = dict(zip(self.traced.carries, self.traced.initial, strict=True))
        given = [_number(c, begun[c].data[0]) for c in self.carries]
        run, _ = self.compiled
        done, values = run(self.traced.first, self.traced.step, most, *given)
        named = zip(self.carries, values, strict=True)
        return done, {c: _number(c, v) for c, v in named}


def _number(node: Node, value: Any) -> float | bool:
    return bool(value) if node.dtype is DType.BOOL else float(value)


def _divide(a: float, b: float) -> float:
    if b:
        return a / b
    if isnan(a) or isnan(b) or not a:
        return nan
    return copysign(inf, a) * copysign(1.0, b)


def _modulo(a: float, b: float) -> float:
    return a % b + 0.0 if b else a  # a remainder of 0 has no sign


def _function(node: Node) -> Callable[..., float | bool]:
    """The meaning of an op for numbers."""

    def value(*numbers: float) -> float | bool:
        operands = [
            np.full((1, 1), number, child.dtype.numpy)
            for number, child in zip(numbers, node.inputs, strict=True)
        ]
        with np.errstate(all="ignore"):
            found = reference.apply(node, operands, True)
        if found.dtype != node.dtype.numpy:
            raise Unsupported(f"{node.op} leaves the real numbers in a pass")
        if node.dtype is DType.I64 and abs(found.item()) >= EXACT:
            raise Unsupported("a whole number is too large for a double")
        return _number(node, found.item())

    return value
