"""Values that files have no class for (strings, tables, dates, maps …), as plain structs and back.

The struct has a field ``FuselabClass`` and what :meth:`to_portable` of the class gives. Other
programs see an ordinary struct.
"""

from __future__ import annotations

import importlib
from typing import Any

from app.engine.values import (
    Cell,
    FunctionHandle,
    NativeObject,
    StringArray,
    Struct,
    StructArray,
    Value,
    host,
    object_array,
)

_MARK = "FuselabClass"
_RESTORERS = {
    "containers.Map": "containers.map_object",
    "datetime": "dates.datetime_class",
    "duration": "dates.duration_class",
    "calendarDuration": "dates.calendar_duration",
    "table": "containers.table_class",
    "timetable": "containers.table_class",
    "categorical": "containers.categorical_class",
    "dictionary": "containers.dictionary_class",
    "griddedInterpolant": "calculus.gridded_interpolant",
    "scatteredInterpolant": "calculus.scattered_interpolant",
}


def packed(v: Value) -> Value | None:
    """``v`` made of what files can hold; None when it cannot be saved."""
    v = host(v)
    if isinstance(v, StringArray):
        texts = ["" if t is None else t for t in v.data.ravel(order="F")]
        gone = [t is None for t in v.data.ravel(order="F")]
        return Struct(
            {_MARK: "string", "text": Cell.of(texts, v.shape), "missing": Cell.of(gone, v.shape)}
        )
    if isinstance(v, FunctionHandle):
        return Struct({_MARK: "function_handle", "text": v.text})
    if isinstance(v, Cell):
        return Cell(object_array([packed(x) for x in v.items()], v.shape))
    if isinstance(v, Struct):
        return Struct({k: packed(x) for k, x in v.fields.items()})
    if isinstance(v, StructArray):
        columns = {
            k: object_array([packed(x) for x in c.ravel(order="F")], v.shape)
            for k, c in v.fields.items()
        }
        return StructArray(columns, v.shape)
    if isinstance(v, NativeObject):
        method = getattr(v, "to_portable", None)
        if method is None:
            return None
        fields = {k: packed(x) for k, x in method().items()}
        return Struct({_MARK: v.class_name, **fields})
    return None if hasattr(v, "class_info") else v


def unpacked(ctx: Any, v: Value) -> Value:
    """What :func:`packed` was given."""
    if isinstance(v, Cell):
        return Cell(object_array([unpacked(ctx, x) for x in v.items()], v.shape))
    if isinstance(v, StructArray):
        columns = {
            k: object_array([unpacked(ctx, x) for x in c.ravel(order="F")], v.shape)
            for k, c in v.fields.items()
        }
        return StructArray(columns, v.shape)
    if not isinstance(v, Struct):
        return v
    fields = {k: unpacked(ctx, x) for k, x in v.fields.items()}
    kind = fields.pop(_MARK, None)
    if not isinstance(kind, str):
        return Struct(fields)
    return _restored(ctx, kind, fields)


def _restored(ctx: Any, kind: str, fields: dict[str, Value]) -> Value:
    if kind == "string":
        gone = [bool(m) for m in fields["missing"].items()]
        texts = zip(fields["text"].items(), gone, strict=True)
        return StringArray.of([None if m else str(t) for t, m in texts], fields["text"].shape)
    if kind == "function_handle":
        return ctx.parse_handle(str(fields["text"]))
    module = importlib.import_module(f"app.engine.builtins.{_RESTORERS[kind]}")
    return module.from_portable(kind, fields)
