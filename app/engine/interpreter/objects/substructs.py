"""``subsref(x, s)`` and ``subsasgn(x, s, v)``: syntax described by a struct array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.interpreter.indexing import index_chains
from app.engine.interpreter.indexing import index_read as indexing
from app.engine.interpreter.indexing.subscripts import COLON, DOUBLE
from app.engine.interpreter.objects import object_arrays
from app.engine.values import (
    Cell,
    ObjectArray,
    ObjectValue,
    Struct,
    StructArray,
    Value,
    text_of,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.objects.instances import Objects

_KIND = {"()": index_chains.PAREN, "{}": index_chains.BRACE, ".": index_chains.FIELD}


def steps_of(s: Value) -> index_chains.Steps:
    """The steps of a substruct."""
    if not isinstance(s, Struct | StructArray) or "type" not in s.fields:
        text = "The second argument must be a struct array with fields type and subs."
        raise MatlabError("MATLAB:subsArgs", text)
    rows = [s] if isinstance(s, Struct) else s.elements()
    return tuple(_step(row) for row in rows)


def _step(row: Struct) -> tuple[int, Any]:
    form, subs = text_of(row.fields["type"]), row.fields["subs"]
    if form == ".":
        return index_chains.FIELD, text_of(subs)
    given = tuple(subs.data.ravel(order="F")) if isinstance(subs, Cell) else (subs,)
    return _KIND[form], tuple(COLON if type(a) is str and a == ":" else a for a in given)


def apply(objects: Objects | None, x: Value, s: Value, nargout: int) -> Value:
    """``x<s>``."""
    steps = steps_of(s)
    position = 0
    while position < len(steps):
        kind, arg = steps[position]
        following = steps[position + 1] if position + 1 < len(steps) else None
        count = nargout if position >= len(steps) - 2 else 1
        if (
            kind == index_chains.FIELD
            and following is not None
            and following[0] == index_chains.PAREN
        ):
            x = _member(objects, x, arg, following[1], count)
            position += 2
            continue
        x = _value_of_step(objects, x, kind, arg, nargout if following is None else 1)
        position += 1
    return x


def _member(
    objects: Objects | None, x: Value, name: str, args: tuple[Value, ...], nargout: int
) -> Value:
    if objects is not None and isinstance(x, ObjectValue):
        prop = x.class_info.find_property(name)
        if prop is not None:
            return indexing.paren(objects.get(x, prop), *args)
    if not isinstance(x, ObjectValue | ObjectArray):
        nargout = max(1, nargout)
    return indexing.member(x, name, *args, nargout=nargout)


def _value_of_step(objects: Objects | None, x: Value, kind: int, arg: Any, nargout: int) -> Value:
    if objects is not None and isinstance(x, ObjectValue | ObjectArray):
        if kind == index_chains.PAREN:
            return object_arrays.select_elements(x, arg)
        prop = x.class_info.find_property(arg) if kind == index_chains.FIELD else None
        if prop is not None and isinstance(x, ObjectValue):
            return objects.get(x, prop)
        if kind == index_chains.FIELD:
            return indexing.member_value(x, arg, None, nargout)
    if kind == index_chains.FIELD:
        return indexing.fields(x, arg)
    return indexing.paren(x, *arg) if kind == index_chains.PAREN else indexing.braces(x, *arg)


def store(objects: Objects | None, x: Value, s: Value, v: Value) -> Value:
    """The value after ``x<s> = v``."""
    steps = steps_of(s)
    kind, arg = steps[0]
    if (
        type(v) is np.ndarray
        and v.shape == (0, 0)
        and v.dtype == DOUBLE
        and (steps[-1][0] == index_chains.PAREN)
    ):
        return index_chains.delete_in(x, steps)
    if objects is not None and isinstance(x, ObjectValue) and kind == index_chains.FIELD:
        prop = x.class_info.find_property(arg)
        if prop is not None:
            if len(steps) == 1:
                return objects.set(x, prop, v)
            inner = index_chains.assign(objects.get(x, prop), steps[1:], v)
            return objects.set(x, prop, inner)
    if objects is not None and isinstance(x, ObjectValue | ObjectArray) and len(steps) == 1:
        return object_arrays.store_elements(objects, x, arg, v)
    return index_chains.assign(x, steps, v)
