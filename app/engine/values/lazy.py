"""Lazy arrays: nodes of the acceleration graph seen as MATLAB values."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from app.engine.values.canonical_form import canonical, unwrap
from app.errors import Unsupported

if TYPE_CHECKING:
    from app.accel.ir.node import Node
    from app.accel.runtime.runtime import Runtime

_COUNTED = "needs-host-value: how many are selected"
_counts: WeakKeyDictionary[Node, int] = WeakKeyDictionary()
"""How many masks select of which somebody has asked it: several selections are made by one."""
_numbers: WeakKeyDictionary[Node, Selection] = WeakKeyDictionary()
"""Nodes that say how many a selection has: who fetches one has counted it."""


class _Watch(threading.local):
    """Who hears that the value of a pending array was needed; each thread has its own.

    Attributes:
        forced: called after an evaluation; None for nobody.
        truth: gives the truth of a lazy array while a loop is traced; else None.
        runtime: who answers for the data of all lazy arrays while a loop is traced; else None.
    """

    forced: Callable[[], None] | None = None
    truth: Callable[[DeviceArray], bool] | None = None
    runtime: Any = None


Watch = _Watch()


class Selection:
    """What a mask selects; how many elements there are is fetched when somebody asks.

    Attributes:
        mask: a node of truth values.
        axis: the dimension along which it selects, as rows of a matrix; None for a mask of all
            elements of a matrix, of which a column is made.
        places: the numbers of all elements from 1, where `find` asked which of them are selected.
    """

    __slots__ = ("_count", "_runtime", "axis", "mask", "places")

    def __init__(self, mask: Node, runtime: Runtime, axis: int | None) -> None:
        self.mask, self.axis = mask, axis
        self.places: Node | None = None
        self._runtime = runtime
        self._count = -1

    @property
    def counted(self) -> bool:
        """Whether somebody has asked how many are selected."""
        return self._count >= 0

    @property
    def is_sparse(self) -> bool:
        """Whether it is known to select less than a quarter: lists of places are read, too."""
        return 0 <= 4 * self._count < self.mask.size

    @property
    def count(self) -> int:
        """How many are selected.

        The mask is stored with it: computed once more in another kernel, a comparison of rounded
        numbers may turn out differently, and the size would not be that of what is selected.
        """
        known = _counts.get(self.mask) if self._count < 0 else None
        if known is not None and self._runtime.state(self.mask) != "lazy":
            self._runtime.recorder.looked += 1
            self._count = known
        if self._count < 0:
            found = self.number
            self._runtime.evaluate((self.mask, found), _COUNTED)
            self._count = _counts[self.mask] = int(self._runtime.gather(found, _COUNTED).item())
        return self._count

    @property
    def number(self) -> Node:
        """The same as a node, for which nothing is fetched yet."""
        every = (tuple(range(len(self.mask.shape))),)
        made: Node = self._runtime.apply("nnz", (self.mask,), every)
        if Watch.runtime is None:  # a trace would be kept by it for ever, its buffers with it
            _numbers[made] = self
        return made

    def shape_in(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The size of what is selected from an array of this size."""
        if self.axis is None:
            return self.count, 1
        return *shape[: self.axis], self.count, *shape[self.axis + 1 :]

    def picked(self, node: Node) -> Node:
        """What is selected from an array, as a node."""
        apply, shape = self._runtime.apply, self.shape_in(node.shape)
        if 0 in shape:
            empty: Node = self._runtime.leaf(np.empty(shape, node.dtype.numpy, order="F"))
            return empty
        mask = self.mask
        if mask.shape != node.shape:
            counts = tuple(n // m for n, m in zip(node.shape, mask.shape, strict=True))
            mask = apply("repmat", (mask,), (counts,))
        flat = shape if 1 in shape and len(shape) == 2 else (math.prod(shape), 1)
        if self.places is not None and _is_computed_of(node, self.places):
            chosen: Node = apply("compact_index", (mask,), (flat,))
            made = self._computed_again(node, chosen)
        else:
            made = apply("compact", (node, mask), (flat,))
        return made if flat == shape else apply("reshape", (made,), (shape,))

    def _computed_again(self, node: Node, chosen: Node) -> Node:
        """What was computed of all places, of those that were `chosen`."""
        if node is self.places:
            return chosen
        operands = [n if n.size == 1 else self._computed_again(n, chosen) for n in node.inputs]
        made: Node = self._runtime.apply(node.op, tuple(operands), node.attrs, node.data)
        return made


def _is_computed_of(node: Node, places: Node) -> bool:
    """Whether a node is made element by element of this one and single numbers, read once each."""
    if node is places:
        return True
    from app.accel.ir.ops import OPS, Category

    if OPS[node.op].category not in {Category.ELEMENTWISE, Category.CAST}:
        return False
    arrays = [n for n in node.inputs if n.size > 1]
    return len(arrays) == 1 and _is_computed_of(arrays[0], places)


class Pending(NamedTuple):
    """What is to be selected from an array that has the mask's size, along its axis at least.

    Attributes:
        node: the array.
        selection: what selects.
        work: operations on the array since it was to be selected from.
    """

    node: Node
    selection: Selection
    work: int = 0


class Question(Protocol):
    """Whether an array is one whose imaginary part is to be left out."""

    def __call__(self, source: Node) -> bool:
        """The answer, asked of what tells; may cost a synchronisation."""

    def denied(self, source: Node) -> Node:
        """The answer as a node: true where the imaginary part stays."""


class Undecided(NamedTuple):
    """What may be real, which is looked at when somebody asks for more than its real part.

    Attributes:
        node: the array as complex numbers.
        source: what tells whether it is real.
        is_real: what is asked of the source.
    """

    node: Node
    source: Node
    is_real: Question


class DeviceArray:
    """A real numeric or logical array whose data may not have been computed yet.

    Class and shape are known, the data is not. ``guarded`` is True when a function that
    can leave the real domain was applied, so that the gathered value may turn out complex.
    ``pending`` says what a mask is to select from; ``shape`` and ``node`` are found when they are
    asked for, and cost a synchronisation then; so are ``node`` and ``guarded`` of what is
    ``undecided``. ``stays_complex`` says that it is complex even where all imaginary parts are
    zero, which is so of what ``complex`` made and of nothing computed from it.
    """

    __slots__ = (
        *("__weakref__", "_value", "guarded", "node", "pending", "runtime", "shape"),
        *("stays_complex", "undecided"),
    )
    node: Node

    def __init__(
        self,
        node: Node | None,
        runtime: Runtime,
        guarded: bool = False,
        pending: Pending | None = None,
    ) -> None:
        self.runtime = runtime
        self.guarded = guarded
        self.pending = pending
        self.stays_complex = False
        self.undecided: Undecided | None = None
        self._value: Any = None
        if node is not None:
            self.node = node
            self.shape: tuple[int, ...] = self.node.shape

    @classmethod
    def growing(cls, node: Node, runtime: Runtime, guarded: bool) -> DeviceArray:
        """An array that grows while passes are traced: nobody may see how large its node is."""
        made = cls(node, runtime, guarded)
        del made.shape
        return made

    @classmethod
    def of_undecided(cls, undecided: Undecided, runtime: Runtime) -> DeviceArray:
        """A complex array, or its real part where it turns out to be real."""
        made = cls(undecided.node, runtime)
        made.undecided = undecided
        del made.node, made.guarded
        return made

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            """What takes a look at the data, at the first use: the shape or the node of what a mask
            selects, the node of what may be real."""
            if name not in {"node", "shape", "guarded"}:
                raise AttributeError(name)
            if self.undecided is not None:
                self._decide(*self.undecided)
                return object.__getattribute__(self, name)
            if self.pending is None:
                raise Unsupported("the size of an array that grows is asked for")
            node, selection, _ = self.pending
            if name == "shape":
                self.shape = selection.shape_in(node.shape)
                return self.shape
            self.node = selection.picked(node)
            self.shape, self.pending = self.node.shape, None
            return self.node

    def _decide(self, node: Node, source: Node, is_real: Question) -> None:
        """Find out whether it is real."""
        self.guarded = not is_real(source)
        self.node = node if self.guarded else self.runtime.apply("real", (node,))
        self.undecided = None

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """The NumPy element type."""
        return (self.pending or self).node.dtype.numpy

    @property
    def class_name(self) -> str:
        """The MATLAB class."""
        return (self.pending or self).node.dtype.label

    @property
    def size(self) -> int:
        """The number of elements."""
        count = 1
        for n in self.shape:
            count *= n
        return count

    @property
    def known(self) -> bool:
        """Whether the data have been gathered."""
        return self._value is not None

    def gather(self, cause: str = "needs-host-value") -> Any:
        """The value in host memory, canonical: complex only if the guard was left."""
        if self._value is None:
            pending = self.node.op != "leaf"
            self._value = self._gathered_value(cause)
            if pending and Watch.forced is not None:
                Watch.forced()
        return self._value

    def _gathered_value(self, cause: str) -> Any:
        runtime = Watch.runtime or self.runtime
        counting = _numbers.get(self.node) if Watch.runtime is None else None
        if counting is not None and not counting.counted:
            _ = counting.count  # stored with the mask: whoever selects by it need not ask again
        found = runtime.gather(self.node, cause)
        return unwrap(found) if self.stays_complex else canonical(found)


def has_imaginary_part(v: DeviceArray) -> bool:
    """Whether any imaginary part is not zero, or ``complex`` made it: otherwise it is real."""
    if v.stays_complex:
        return True
    runtime, node = v.runtime, v.node
    part = runtime.apply("imag", (node,))
    other = runtime.apply("ne", (part, runtime.scalar(0.0, part.dtype)))
    found = runtime.apply("any", (other,), (tuple(range(len(node.shape))),))
    return bool(runtime.gather(found, "needs-host-value: is it complex?").item())


def computed_together(values: Iterable[object], cause: str) -> None:
    """What is pending of values that will be fetched, in one plan: the host waits once for all."""
    pending = [v for v in values if type(v) is DeviceArray and not v.known and v.node.inputs]
    if len(pending) > 1 and Watch.runtime is None:
        pending[0].runtime.evaluate([v.node for v in pending], cause, gathered=True)
