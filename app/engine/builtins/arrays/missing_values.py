"""The missing value, and arrays of it, which become of the class of what they stand with."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.arrays.native_arrays import RELATIONS, NativeArray, is_nothing
from app.engine.declarations.registry import builtin, native_type
from app.engine.operators.expansion import align
from app.engine.values import (
    DTYPE_OF_CLASS,
    Array,
    Cell,
    StringArray,
    Value,
    canonical,
    class_of,
    filled_objects,
    size_of,
    unwrap,
)
from app.errors import conversion_error

_FAMILY = "strings"
_FLOATS = ("double", "single")


@native_type
class Missing(NativeArray):
    """Missing values of no class yet: the standard missing value of any class that has one."""

    class_name = "missing"
    shown_inline = False
    fits_any_class = True

    def like(self, data: Array) -> Missing:
        """As many missing values."""
        return Missing(data)

    def accept(self, v: Value) -> Missing:
        """Missing values only."""
        if isinstance(v, Missing):
            return v
        raise conversion_error("missing", class_of(v))

    def in_class_of(self, x: Value) -> Value:
        """NaN, NaT, a missing string or an undefined category, as the class of ``x`` has it."""
        if isinstance(x, NativeArray):
            return x.accept(self)
        kind = class_of(x)
        if kind == "string":
            return self.to_strings()
        if kind not in _FLOATS:
            raise conversion_error(kind, "missing")
        return canonical(self.data.astype(DTYPE_OF_CLASS[kind]))

    def texts(self) -> list[str | None]:
        """As they are shown."""
        return ["<missing>"] * self.data.size

    def to_strings(self) -> StringArray:
        """Missing strings."""
        return StringArray(filled_objects(self.shape, None))

    def body(self) -> str:
        """The elements, one line per row, as strings stand."""
        rows = self.data.reshape(self.shape[0], -1)
        return "".join("    <missing>" * row.size + "\n" for row in rows)

    def to_json(self) -> Value:
        """As missing strings: null."""
        return self.to_strings()

    def operate(self, operator: str, args: tuple[Value, ...]) -> Value:
        """Joining, and comparing with any value: nothing is equal to what is missing."""
        if operator in RELATIONS and any(type(a) is not Missing for a in args):
            places = (np.full(size_of(a), np.nan) for a in args)
            return unwrap(np.asarray(RELATIONS[operator](*align(*places))))
        return super().operate(operator, args)

    def joined(self, axis: int, args: tuple[Value, ...]) -> Value:
        """Concatenation in the class of the others, or of the first among them that decides it."""
        from app.engine.operators.concatenation import concatenate, joined_objects

        others = [a for a in args if type(a) is not Missing and not is_nothing(a)]
        if not others:
            return super().joined(axis, args)
        if any(type(a) is Cell for a in others):
            return joined_objects(axis, args)
        deciding: list[Value] = [a for a in others if isinstance(a, NativeArray)]
        deciding = deciding or [a for a in others if type(a) is StringArray] or others
        made = [self.in_class_of(a) for a in deciding]  # refused where one of the classes has none
        model = deciding[0]
        fitted = (a.in_class_of(model) if isinstance(a, Missing) else a for a in args)
        return made[0] if len(args) == 1 else concatenate(axis, list(fitted))

    def methods(self) -> dict[str, Callable[..., Value]]:
        """Functions besides those of all arrays: the classes that have a missing value."""
        made = super().methods()
        made["double"] = lambda ctx, args, n: canonical(args[0].data)
        made["single"] = lambda ctx, args, n: canonical(args[0].data.astype(np.float32))
        made["datetime"] = _conversion(lambda ctx: ctx.call("NaT", (), 1)[0])
        made["duration"] = _conversion(lambda ctx: ctx.call("seconds", (0.0,), 1)[0])
        made["categorical"] = _conversion(lambda ctx: ctx.call("categorical", ("",), 1)[0])
        return made

    def to_portable(self) -> dict[str, Value]:
        """For files: as many NaN."""
        return {"places": canonical(self.data)}


def _conversion(model: Callable[[CallContext], Value]) -> Callable[..., Value]:
    """The conversion to the class of a value."""

    def converted(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
        return one_missing().accept(args[0]).in_class_of(model(ctx))

    return converted


def one_missing() -> Missing:
    """A 1x1 missing value."""
    return Missing(np.full((1, 1), np.nan))


def from_portable(kind: str, fields: dict[str, Value]) -> Value:
    """What :meth:`Missing.to_portable` gave."""
    return Missing(np.full(size_of(fields["places"]), np.nan))


@builtin(
    "missing",
    category=_FAMILY,
    signatures=("m = missing",),
    cases=(
        "ismissing(missing)",
        "isequaln([1 missing 3], [1 NaN 3])",
        'isequal(ismissing(["a" missing]), [false true])',
        'class(missing) == "missing"',
    ),
    see=("ismissing",),
)
def missing() -> Value:
    """The missing value: NaN, NaT, a missing string or an undefined category where it stands."""
    return one_missing()
