"""``categorical``: values from a set of named categories, kept as numbers of categories."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import receiver
from app.engine.builtins.arrays.native_arrays import RELATIONS, NativeArray
from app.engine.declarations.registry import native_type
from app.engine.interpreter.indexing.store_elements import put
from app.engine.values import (
    Array,
    Cell,
    NativeObject,
    StringArray,
    Value,
    as_array,
    canonical,
    is_cell,
    is_char,
    is_numeric_like,
    is_string,
    numel,
    object_array,
    texts_of,
    unwrap,
)
from app.engine.values.display_inline import dimensions
from app.errors import MatlabError

_INTEGERS = tuple(f"{u}int{k}" for u in ("", "u") for k in (8, 16, 32, 64))


@native_type
class Categorical(NativeArray):
    """Numbers of categories (from 1; NaN is undefined).

    Attributes:
        names: the categories in order.
        ordinal: whether ``<`` has a meaning.
        protected: whether new categories must be added first.
    """

    class_name = "categorical"

    def __init__(
        self, data: Array, names: list[str], ordinal: bool = False, protected: bool = False
    ) -> None:
        super().__init__(np.asarray(data, dtype=np.float64))
        self.names = names
        self.ordinal = ordinal
        self.protected = protected or ordinal

    def like(self, data: Array) -> Categorical:
        """Other elements of the same categories."""
        return Categorical(data, self.names, self.ordinal, self.protected)

    def accept(self, v: Value) -> Categorical:
        """Categoricals, or texts that name categories."""
        if isinstance(v, Categorical):
            return v
        if is_char(v) or is_string(v) or is_cell(v):
            return from_texts(v, None)
        if is_numeric_like(v) and (not numel(v) or np.all(np.isnan(as_array(v)))):
            return Categorical(as_array(v), [])
        return super().accept(v)

    def aligned(self, other: NativeArray) -> Any:
        """``other`` in terms of these categories and, behind them, its own new ones."""
        assert isinstance(other, Categorical)
        extra = [n for n in other.names if n not in self.names]
        names = [*self.names, *extra]
        places = np.array([np.nan, *(names.index(n) + 1.0 for n in other.names)])
        index = np.nan_to_num(other.data, nan=0.0).astype(np.int64)
        return Categorical(places[index], names, self.ordinal, self.protected)

    def paren_set(self, ctx: CallContext, args: tuple[Value, ...], value: Value) -> NativeObject:
        """``c(i) = value``: new categories come last; protected ones must contain it."""
        if value is None:
            return super().paren_set(ctx, args, value)
        given = self.accept(value)
        if self.protected or self.ordinal:
            new = [n for n in given.names if n not in self.names]
            if new:
                text = f"Cannot add a new category '{new[0]}' to this categorical array because "
                text += "its categories are protected. Use ADDCATS to add the new category."
                raise MatlabError("MATLAB:categorical:ProtectedForCombination", text)
        added: Categorical = self.aligned(given)
        return added.like(put(self.data, args, added.data, self.fill, False))

    def texts(self) -> list[str | None]:
        """Names of categories."""
        return [
            self.names[int(x) - 1] if x == x else "<undefined>"
            for x in self.data.ravel(order="F").tolist()
        ]

    def to_strings(self) -> StringArray:
        """``string(c)``: undefined is missing."""
        texts = [
            self.names[int(x) - 1] if x == x else None for x in self.data.ravel(order="F").tolist()
        ]
        return StringArray(object_array(texts, self.shape))

    def body(self) -> str:
        """The elements in columns, left-aligned."""
        texts = [t or "" for t in self.texts()]
        rows = np.array(texts, dtype=object).reshape(self.shape[0], -1, order="F")
        widths = [max(map(len, c)) for c in rows.T.tolist()]
        return "".join(
            ("     " + "      ".join(t.ljust(w) for t, w in zip(row, widths, strict=True))) + " \n"
            for row in rows.tolist()
        )

    def show(self, name: str, style: Any) -> str:
        """The elements, without a class line for one."""
        if self.data.size == 0:
            return f"  {dimensions(self.shape)} empty categorical array\n"
        head = "" if self.data.size == 1 else f"  {dimensions(self.shape)} categorical array\n"
        return (head + style.blank if head and name else "") + self.body()

    def operate(self, operator: str, args: tuple[Value, ...]) -> Value:
        """``a .* b``: the categories of pairs; all else as for other arrays."""
        if operator != "times":
            return super().operate(operator, args)
        a, b = (self.accept(v) for v in args)
        first, second = np.broadcast_arrays(a.data, b.data)
        names = [f"{x} {y}" for x in a.names for y in b.names]
        return Categorical((first - 1) * len(b.names) + second, names)

    def compared(self, name: str, args: tuple[Value, ...]) -> Value:
        """Comparison by name, or by order for ordinal ones."""
        a, b = (self.accept(v) for v in args)
        if name in ("eq", "ne"):
            merged = a.aligned(b)
            return unwrap(np.asarray(RELATIONS[name](a.data, merged.data)))
        if not self.ordinal:
            text = "Relational comparison is not allowed for categorical arrays that are not "
            raise MatlabError("MATLAB:categorical:NotOrdinal", f"{text}ordinal.")
        x, y = (_category_ranks(self, v) for v in (a, b))
        return unwrap(np.asarray(RELATIONS[name](x, y)))

    def joined(self, axis: int, args: tuple[Value, ...]) -> Value:
        """Concatenation over the union of categories."""
        from app.engine.operators.concatenation import join

        parts = [self.accept(v) for v in args if not (isinstance(v, np.ndarray) and not v.size)]
        names = list(dict.fromkeys(n for p in parts for n in p.names))
        common = Categorical(np.zeros((0, 0)), names, parts[0].ordinal, parts[0].protected)
        return common.like(join(axis, [common.aligned(p).data for p in parts]))

    def equals(self, other: Value) -> bool:
        """Equal shapes and equal names."""
        if not isinstance(other, Categorical) or other.shape != self.shape:
            return False
        return other.texts() == self.texts()

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Functions besides those of all arrays."""
        made = super().methods()
        made["unique"] = _unique
        made["ismember"] = _ismember
        made["summary"] = _summary
        made["times"] = lambda ctx, args, n: self.operate("times", args)
        for name in ("double", "single", *_INTEGERS):
            made[name] = _conversion_of_numbers(name)
        made["isundefined"] = lambda ctx, args, n: unwrap(np.isnan(args[0].data))
        made["histcounts"] = _histogram
        return made

    def to_portable(self) -> dict[str, Value]:
        """For files."""
        return {
            "codes": canonical(self.data),
            "categories": Cell.of(self.names),
            "ordinal": self.ordinal,
            "protected": self.protected,
        }


def _conversion_of_numbers(name: str) -> Callable[..., Value]:
    """Conversion to the numbers of categories."""
    return lambda ctx, args, n: ctx.call(name, (canonical(args[0].data),), 1)[0]


def _histogram(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """``[n, names] = histcounts(c, names)``."""
    c, *named = receiver(args, Categorical), *args[1:]
    names = texts_of(named[0]) if named and not is_numeric_like(named[0]) else c.names
    found = dict(zip(c.names, counts(c), strict=True))
    n = np.array([[found.get(name, 0.0) for name in names]])
    return canonical(n), Cell(object_array(names, (1, len(names))))


def _category_ranks(order: Categorical, v: Categorical) -> Array:
    places = [float(order.names.index(n) + 1) if n in order.names else np.nan for n in v.names]
    table = np.array([np.nan, *places])
    return table[np.nan_to_num(v.data, nan=0.0).astype(np.int64)]


def _unique(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    x, rest = receiver(args, Categorical), args[1:]
    first, *others = ctx.call("unique", (canonical(x.data), *rest), max(nargout, 1))
    return (x.like(as_array(first)), *others)


def _ismember(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    if len(args) > 2:
        raise MatlabError("MATLAB:maxrhs", "Rows of categorical arrays cannot be looked up.")
    a, b = (_names(v) for v in args)
    return ctx.call("ismember", (a, b), max(nargout, 1))


def _summary(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    c = receiver(args, Categorical)
    width = max(map(len, c.names), default=0)
    rows = zip(c.names, counts(c), strict=True)
    ctx.write("".join(f"     {n.ljust(width)}      {int(k)} \n" for n, k in rows))
    return ()


def _names(v: Value) -> Value:
    return v.to_strings() if isinstance(v, Categorical) else v


def counts(c: Categorical) -> Array:
    """How often every category occurs."""
    known = c.data[~np.isnan(c.data)].astype(np.int64)
    return np.bincount(known, minlength=len(c.names) + 1)[1:].astype(np.float64)


def from_texts(v: Value, names: list[str] | None) -> Categorical:
    """Texts as a categorical; its categories are the sorted texts unless given."""
    texts = [t.strip() for t in texts_of(v)]
    if isinstance(v, StringArray):
        texts = ["" if t is None else t for t in v.data.ravel(order="F")]
    shape = v.shape if is_cell(v) or is_string(v) else (len(texts), 1)
    known = names if names is not None else sorted({t for t in texts if t})
    places = {n: k + 1.0 for k, n in enumerate(known)}
    data = np.array([places.get(t, np.nan) for t in texts]).reshape(shape, order="F")
    return Categorical(data, list(known))


def from_portable(kind: str, fields: dict[str, Value]) -> Value:
    """What :meth:`Categorical.to_portable` gave."""
    names = texts_of(fields["categories"])
    return Categorical(
        as_array(fields["codes"]), names, bool(fields["ordinal"]), bool(fields["protected"])
    )
