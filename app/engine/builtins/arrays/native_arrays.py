"""Arrays of values of a class of our own (datetime, duration, categorical) around one ndarray."""

from __future__ import annotations

import operator
from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Self

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import WrongReceiver
from app.engine.arguments.dimensions import dimension
from app.engine.arguments.moved_positions import MOVERS, moved_positions
from app.engine.interpreter.indexing.gather_elements import select
from app.engine.interpreter.indexing.store_elements import put, remove
from app.engine.values import (
    Array,
    Cell,
    NativeObject,
    StringArray,
    Value,
    as_array,
    canonical,
    class_of,
    is_text_scalar,
    make_logical,
    object_array,
    unwrap,
)
from app.engine.values.display_inline import dimensions
from app.errors import MatlabError

RELATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
_ORDERED = ("sort", "unique", "max", "min", "sortrows", "mode", "median")
_COUNTING = ("ismember", "histc", "histcounts", "issorted")


class NativeArray(NativeObject):
    """Elements in ``data``; a subclass says how they look and what they can do.

    Attributes:
        data: the elements as numbers, NaN for a missing one.
        fits_any_class: whether the elements are missing, whatever class they come to stand in.
    """

    fill: ClassVar[Any] = np.nan
    fits_any_class: ClassVar[bool] = False
    shown_inline = True

    def __init__(self, data: Array) -> None:
        self.data = data

    @property
    def shape(self) -> tuple[int, ...]:
        """The MATLAB size."""
        return self.data.shape

    def contents(self) -> Iterable[Value]:
        """The numbers behind the elements."""
        return (self.data,)

    @abstractmethod
    def like(self, data: Array) -> Self:
        """An array of the same kind with other elements."""

    def accept(self, v: Value) -> Self:
        """``v`` as an array of this kind, for assignment, concatenation and comparison.

        A subclass takes its own kind and what else becomes one; values of no class yet all do.
        """
        if isinstance(v, NativeArray) and v.fits_any_class:
            return self.like(v.data)
        raise no_conversion(v, self.class_name)

    @abstractmethod
    def texts(self) -> list[str | None]:
        """Every element as text, in column-major order."""

    # --- indexing ---

    def paren_get(self, ctx: CallContext, args: tuple[Value, ...]) -> Value:
        """``x(i, j)``."""
        return self.like(select(self.data, args)) if args else self

    def paren_set(self, ctx: CallContext, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``x(i, j) = value`` and ``x(i) = []``."""
        if value is None:
            return self.like(remove(self.data, args))
        new = self.accept(value)
        base = new.aligned(self)
        return base.like(put(base.data, args, new.data, self.fill, False))

    def picked(self, index: Array) -> Self:
        """The elements at 0-based linear positions, in the shape of these."""
        return self.like(self.data.ravel(order="F")[index])

    def aligned(self, other: Self) -> Self:
        """``other`` with its elements meaning the same as in ``self``."""
        return other

    def single_elements(self) -> Array:
        """Every element as an array of one, in an object array."""
        flat = self.data.ravel(order="F")
        return object_array(
            [self.like(flat[k : k + 1].reshape(1, 1)) for k in range(flat.size)], self.shape
        )

    # --- what builtins ask ---

    def to_strings(self) -> StringArray:
        """``string(x)``."""
        return StringArray(object_array(self.texts(), self.shape))

    def is_missing(self) -> Array:
        """True for missing elements."""
        return np.isnan(self.data)

    def equals(self, other: Value) -> bool:
        """What ``isequal`` answers."""
        if not isinstance(other, type(self)) or other.shape != self.shape:
            return False
        return bool(np.all(other.aligned(self).data == other.data))

    def equals_missing(self, other: Value) -> bool:
        """What ``isequaln`` answers: missing elements are equal."""
        if not isinstance(other, type(self)) or other.shape != self.shape:
            return False
        gone = self.is_missing()
        if not np.array_equal(gone, other.is_missing()):
            return False
        index = np.flatnonzero(~gone.ravel(order="F"))
        return self.picked(index).equals(other.picked(index))

    def operate(self, operator: str, args: tuple[Value, ...]) -> Value:
        """Joining, transposing and comparing; a subclass adds its arithmetic."""
        if operator in ("horzcat", "vertcat"):
            return self.joined(1 if operator == "horzcat" else 0, args)
        if operator in ("transpose", "ctranspose"):
            return self.like(self.data.T)
        if operator in RELATIONS and len(args) == 2:
            return self.compared(operator, args)
        return NotImplemented

    def compared(self, name: str, args: tuple[Value, ...]) -> Value:
        """Element by element comparison."""
        a, b = (self.accept(v) for v in args)
        return unwrap(np.asarray(RELATIONS[name](b.aligned(a).data, b.data)))

    def joined(self, axis: int, args: tuple[Value, ...]) -> Value:
        """Concatenation; empties vanish."""
        from app.engine.operators.concatenation import join

        parts = [self.accept(v) for v in args if not is_nothing(v)]
        common = parts[0]
        for part in parts[1:]:
            common = part.aligned(common).like(common.data[:0])
        return common.like(join(axis, [common.aligned(p).data for p in parts]))

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Functions that move, order or describe elements."""
        made: dict[str, Callable[..., Value]] = {n: _mover(n) for n in MOVERS}
        made.update(_FUNCTIONS)
        made.update({n: _orderer(n) for n in _ORDERED})
        made.update({n: _counter(n) for n in _COUNTING})
        made["cellstr"] = lambda ctx, args, n: _cellstr(args[0])
        made["char"] = lambda ctx, args, n: _char(args[0])
        made["ismissing"] = lambda ctx, args, n: unwrap(args[0].is_missing())
        made["cat"] = lambda ctx, args, n: self.joined(dimension(args[0]), args[1:])
        made["isempty"] = lambda ctx, args, n: args[0].data.size == 0
        made["diag"] = _mover("diag")
        return made

    # --- display ---

    def show(self, name: str, style: Any) -> str:
        """The elements in columns under the class and the size."""
        if self.data.size == 0:
            return f"  {dimensions(self.shape)} empty {self.class_name} array\n"
        if not name:
            return self.body()
        head = (
            self.class_name
            if self.data.size == 1
            else (f"{dimensions(self.shape)} {self.class_name} array")
        )
        return f"  {head}\n{style.blank}{self.body()}"

    def body(self) -> str:
        """The elements, one line per row."""
        texts = ["" if t is None else t for t in self.texts()]
        width = max(map(len, texts), default=0)
        rows = np.array(texts, dtype=object).reshape(self.shape, order="F")
        flat = rows.reshape(rows.shape[0], -1, order="F").tolist()
        return "".join("".join("   " + t.rjust(width) for t in row) + "\n" for row in flat)


def is_nothing(v: Value) -> bool:
    """Whether joining leaves it out."""
    return isinstance(v, np.ndarray) and v.size == 0


def _cellstr(x: NativeArray) -> Value:
    texts = ["" if t is None else t for t in x.texts()]
    return Cell(object_array(texts, x.shape))


def _char(x: NativeArray) -> Value:
    from app.engine.operators.number_text import char_rows

    return char_rows(["" if t is None else t for t in x.texts()])


def _mover(name: str) -> Callable[..., Value]:
    """A function that only moves elements, done by moving their positions."""

    def moved(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        x = native_array(args[0])
        return x.picked(moved_positions(ctx, name, x.shape, args[1:]))

    return moved


def _orderer(name: str) -> Callable[..., Value]:
    """A function of the order of elements: its first output is of the class."""

    def ordered(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        x = next(a for a in args if isinstance(a, NativeArray))
        plain = tuple(
            canonical(x.accept(a).data) if isinstance(a, NativeArray) else a for a in args
        )
        first, *rest = ctx.call(name, plain, max(nargout, 1))
        return (x.like(as_array(first)), *rest)

    return ordered


def _counter(name: str) -> Callable[..., Value]:
    """A function of the elements that answers in plain numbers."""

    def counted(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        x = next(a for a in args if isinstance(a, NativeArray))
        plain = []
        for a in args:
            other = x.accept(a)
            plain.append(canonical(other.aligned(x).data if a is x else other.data))
        return ctx.call(name, tuple(plain), max(nargout, 1))

    return counted


# --- sets, missing elements, ends and spread ---

_SETS = ("union", "intersect", "setdiff", "setxor")


def _set(name: str) -> Callable[..., Value]:
    """A function of two sets, done with the numbers behind them; the first decides the kind."""

    def call(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        if strange := [class_of(a) for a in args[2:] if not is_text_scalar(a)]:
            text = f"Expected an option such as 'rows' or 'stable', not {strange[0]}."
            raise MatlabError(f"MATLAB:{name}:UnknownInput", text)
        x = next(a for a in args if hasattr(a, "accept"))
        first, second = (x.accept(a) for a in args[:2])
        second = first.aligned(second)
        numbers = (canonical(first.data), canonical(second.data), *args[2:])
        found, *places = ctx.call(name, numbers, max(nargout, 1))
        return (second.like(as_array(found)), *places)

    return call


def _rmmissing(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    x = native_array(args[0])
    gone = x.is_missing()
    if 1 in x.shape:
        kept = x.data.ravel(order="F")[~gone.ravel(order="F")]
        shape = (1, -1) if x.shape[0] == 1 else (-1, 1)
        return x.like(kept.reshape(shape)), make_logical(gone)
    bad = gone.any(axis=1)
    return x.like(x.data[~bad]), make_logical(bad.reshape(-1, 1))


def _standardized_missing(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    x = native_array(args[0])
    (found,) = ctx.call("ismember", (x, args[1]), 1)
    return x.like(np.where(as_array(found), np.nan, x.data))


def _bounds(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> tuple[Value, ...]:
    x, rest = args[0], args[1:]
    before = () if not rest else (np.zeros((0, 0)),)
    return tuple(ctx.call(name, (x, *before, *rest), 1)[0] for name in ("min", "max"))


def _range(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    low, high = _bounds(ctx, args, 2)
    return native_array(high).operate("minus", (high, low))


_FUNCTIONS: dict[str, Callable[..., Value]] = {
    **{n: _set(n) for n in _SETS},
    "rmmissing": _rmmissing,
    "standardizeMissing": _standardized_missing,
    "bounds": _bounds,
    "range": _range,
    "isinf": lambda ctx, args, n: unwrap(np.isinf(args[0].data)),
}


def native_array(v: Value) -> NativeArray:
    """An array of a class of ours, such as dates and categories; MATLAB's error for others."""
    if isinstance(v, NativeArray):
        return v
    text = f"A value of class '{class_of(v)}' does not do here."
    raise WrongReceiver("MATLAB:invalidType", text)


def no_conversion(v: Value, target: str) -> MatlabError:
    """The error for a value that cannot become of a class."""
    text = f"Unable to convert a value of class '{class_of(v)}' to '{target}'."
    return MatlabError("MATLAB:invalidConversion", text)
