"""Values that files have no class for (strings, tables, dates, maps …), as plain structs and back.

The struct has a field ``FuselabClass`` and what :meth:`to_portable` of the class gives. Other
programs see an ordinary struct.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from app.engine.builtins.files.saved_objects import (
    MANY,
    ONE,
    Convert,
    Identities,
    packed_array,
    packed_object,
    restored_array,
    restored_object,
)
from app.engine.values import (
    Cell,
    FunctionHandle,
    NativeObject,
    ObjectArray,
    ObjectValue,
    StringArray,
    Struct,
    StructArray,
    Value,
    cell_items,
    host,
    object_array,
    size_of,
)
from app.errors import MatlabError, SyntaxProblem

if TYPE_CHECKING:
    from app.engine.interpreter.context import Context

_MARK = "FuselabClass"
_RESTORERS = {
    "containers.Map": "containers.map_object",
    "datetime": "dates.datetime_class",
    "duration": "dates.duration_class",
    "calendarDuration": "dates.calendar_duration",
    "table": "containers.table_class",
    "timetable": "containers.table_class",
    "categorical": "arrays.categorical_class",
    "missing": "arrays.missing_values",
    "dictionary": "containers.dictionary_class",
    "griddedInterpolant": "calculus.gridded_interpolant",
    "scatteredInterpolant": "calculus.scattered_interpolant",
}


def portable_form(v: Value, identities: Identities | None = None) -> Value | None:
    """``v`` made of what files can hold; None when it cannot be saved.

    ``identities`` are those of the file's handle objects, where it gets several variables.
    """
    known = identities or Identities()
    known.written.clear()
    return _packed_value(v, known)


def _packed_value(v: Value, known: Identities) -> Value | None:
    v = host(v)

    def inner(x: Value) -> Value | None:
        return _packed_value(x, known)

    if isinstance(v, StringArray):
        texts = ["" if t is None else t for t in v.data.ravel(order="F")]
        gone = [t is None for t in v.data.ravel(order="F")]
        return Struct(
            {_MARK: "string", "text": Cell.of(texts, v.shape), "missing": Cell.of(gone, v.shape)}
        )
    if isinstance(v, FunctionHandle):
        captured = inner(Struct(dict(v.captured)))
        held = None if captured is None else Struct({"text": v.text, "taken": captured})
        return _marked_struct("function_handle", held)
    if isinstance(v, ObjectValue):
        return _marked_struct(ONE, packed_object(v, known, inner))
    if isinstance(v, ObjectArray):
        return _marked_struct(MANY, packed_array(v, inner))
    if isinstance(v, NativeObject):
        method = getattr(v, "to_portable", None)
        made = None if method is None else Struct({k: inner(x) for k, x in method().items()})
        return _marked_struct(v.class_name, made)
    return _with_changed_elements(v, inner)


def marked_form(kind: str, **fields: Value) -> Struct:
    """The form of a value of a class, by what ``to_portable`` of the class gives."""
    return Struct({_MARK: kind, **fields})


def handle_form(text: str, taken: dict[str, Value]) -> Struct:
    """The form of a handle by its text, and the variables that it has taken along."""
    return Struct({_MARK: "function_handle", "text": text, "taken": Struct(taken)})


def _marked_struct(kind: str, made: Struct | None) -> Struct | None:
    return None if made is None else Struct({_MARK: kind, **made.fields})


def _with_changed_elements(v: Value, change: Convert) -> Value | None:
    """A cell or structure with its elements changed, anything else as it is; None if one is."""
    if isinstance(v, Cell):
        items = [change(x) for x in v.items()]
        return None if any(x is None for x in items) else Cell(object_array(items, v.shape))
    if isinstance(v, Struct):
        fields = {k: change(x) for k, x in v.fields.items()}
        return None if any(x is None for x in fields.values()) else Struct(fields)
    if isinstance(v, StructArray):
        lists = {k: [change(x) for x in c.ravel(order="F")] for k, c in v.fields.items()}
        if any(x is None for items in lists.values() for x in items):
            return None
        return StructArray({k: object_array(x, v.shape) for k, x in lists.items()}, v.shape)
    return v


def value_of_portable(ctx: Context, v: Value, identities: Identities | None = None) -> Value:
    """What `portable_form` was given; ``identities`` are those of the file's handle objects."""
    known = identities or Identities()

    def inner(x: Value) -> Value:
        return value_of_portable(ctx, x, known)

    kind = v.fields.get(_MARK) if isinstance(v, Struct) else None
    if not isinstance(v, Struct) or not isinstance(kind, str):
        return _with_changed_elements(v, inner)
    fields = {k: x for k, x in v.fields.items() if k != _MARK}
    if kind == ONE:
        return restored_object(ctx, fields, known, inner)
    if kind == MANY:
        return restored_array(ctx, fields, inner)
    return _value_of_kind(ctx, kind, {k: inner(x) for k, x in fields.items()})


def _value_of_kind(ctx: Context, kind: str, fields: dict[str, Value]) -> Value:
    if kind == "function_handle":
        taken = fields.get("taken")
        text = str(fields["text"])
        try:
            if isinstance(taken, Struct) and taken.fields:
                return ctx.handle_of(text, taken.fields, None)
            return ctx.parse_handle(text)
        except SyntaxProblem as problem:
            told = f"The text of a saved handle cannot be read: {text[:80]}"
            raise MatlabError("MATLAB:load:badFunctionHandle", told) from problem
    try:
        return _restored(kind, fields)
    except MatlabError as problem:  # whoever reads knows which file is damaged
        raise ValueError(f"an object of class {kind}: {problem.message}") from problem


def _restored(kind: str, fields: dict[str, Value]) -> Value:
    if kind == "string":
        gone = [bool(m) for m in cell_items(fields["missing"])]
        texts = zip(cell_items(fields["text"]), gone, strict=True)
        kept = [None if m else str(t) for t, m in texts]
        return StringArray.of(kept, size_of(fields["text"]))
    module = importlib.import_module(f"app.engine.builtins.{_RESTORERS[kind]}")
    found: Value = module.from_portable(kind, fields)
    return found
