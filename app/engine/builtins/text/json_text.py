"""JSON to values and back."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from app.engine.arguments.checks import option_pairs
from app.engine.declarations.registry import builtin
from app.engine.values import (
    EMPTY,
    Cell,
    CharArray,
    NativeObject,
    StringArray,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    class_of,
    is_char,
    numel,
    size_of,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "files"


@builtin(
    "jsondecode",
    category=_FAMILY,
    signatures=("value = jsondecode(text)",),
    cases=(
        "isequal(jsondecode('[1,2,3]'), [1;2;3])",
        "isequal(jsondecode('{\"a\":1}'), struct('a', 1))",
        "isequal(jsondecode('[[1,2],[3,4]]'), [1 2; 3 4])",
        "isequal(jsondecode(['[-' repmat('9', 1, 5000) ', 1e999]']), [-Inf; Inf])",
    ),
    see=("jsonencode",),
)
def jsondecode(text: Value) -> Value:
    """Value described by JSON text.

    Objects become structs, arrays of numbers columns (nested ones matrices), arrays of objects
    with equal fields struct arrays, other arrays cells; null is ``[]``, in numeric arrays NaN.
    """
    try:
        return _decode(json.loads(text_of(text), object_pairs_hook=_Object, parse_int=float))
    except json.JSONDecodeError as problem:
        message = (
            f"JSON syntax error at line {problem.lineno}, column {problem.colno} "
            f"(character {problem.pos + 1}): {problem.msg}."
        )
        raise MatlabError("MATLAB:json:ExpectedLiteral", message) from problem


class _Object(list[tuple[str, Any]]):
    """The pairs of a JSON object, duplicates kept."""


def _decode(item: Any) -> Value:
    if isinstance(item, _Object):
        return Struct({_field(k): _decode(v) for k, v in item})
    if isinstance(item, list):
        return _array(item)
    if item is None:
        return EMPTY
    return item


def _field(name: str) -> str:
    clean = "".join(c if c.isalnum() or c == "_" else "_" for c in name)
    return clean if clean and clean[0].isalpha() else f"x{clean}"


def _array(items: list[Any]) -> Value:
    if not items:
        return EMPTY
    if all(isinstance(v, bool) for v in items):
        return canonical(np.array(items).reshape(-1, 1))
    numeric = all(v is None or isinstance(v, float) for v in items)
    if numeric and any(v is not None for v in items):
        column = [math.nan if v is None else v for v in items]
        return canonical(np.array(column).reshape(-1, 1))
    values = [_decode(v) for v in items]
    structs = [v for v in values if isinstance(v, Struct)]
    if len(structs) == len(values):
        return _structs(structs)
    if all(isinstance(v, list) and not isinstance(v, _Object) for v in items):
        stacked = _stack(values)
        if stacked is not None:
            return stacked
    return Cell.of(values, (len(values), 1))


def _structs(values: list[Struct]) -> Value:
    first = list(values[0].fields)
    if len(values) > 1 and all(list(v.fields) == first for v in values):
        return StructArray.of(values, (len(values), 1))
    return values[0] if len(values) == 1 else Cell.of(values, (len(values), 1))


def _stack(values: list[Value]) -> Value | None:
    """Nested arrays of equal size and class as one array, the outer index first."""
    if any(class_of(v) not in {"double", "logical"} for v in values):
        return None
    if len({(class_of(v), size_of(v)) for v in values}) != 1 or numel(values[0]) == 0:
        return None
    arrays = [np.asarray(as_array(v)) for v in values]
    shape = arrays[0].shape
    inner = shape[:1] if len(shape) == 2 and shape[1] == 1 else shape
    return canonical(np.stack([a.reshape(inner, order="F") for a in arrays]))


@builtin(
    "jsonencode",
    category=_FAMILY,
    signatures=("text = jsonencode(value)", "text = jsonencode(value, name, option, ...)"),
    cases=(
        "strcmp(jsonencode([1 2 3]), '[1,2,3]')",
        "strcmp(jsonencode(true), 'true')",
        "strcmp(jsonencode(struct('a', 'b')), '{\"a\":\"b\"}')",
    ),
    see=("jsondecode",),
)
def jsonencode(value: Value, *options: Value) -> Value:
    """JSON text of a value; options ConvertInfAndNaN (true) and PrettyPrint (false)."""
    given = option_pairs("jsonencode", options, "ConvertInfAndNaN PrettyPrint")
    as_null = bool(as_array(given.get("convertinfandnan", True)).all())
    pretty = bool(as_array(given.get("prettyprint", False)).all())
    tree = _tree(value, as_null)
    separators = (",", ": ") if pretty else (",", ":")
    return json.dumps(tree, ensure_ascii=False, separators=separators, indent=2 if pretty else None)


def _tree(value: Value, as_null: bool) -> Any:
    if is_char(value):
        return (
            value.rows()
            if isinstance(value, CharArray) and value.shape[0] > 1
            else (text_of(value))
        )
    if isinstance(value, StringArray):
        items = list(value.data.ravel(order="F"))
        return items[0] if value.shape == (1, 1) else items
    if isinstance(value, Cell):
        return [_tree(v, as_null) for v in value.items()]
    if isinstance(value, Struct):
        return {k: _tree(v, as_null) for k, v in value.fields.items()}
    if isinstance(value, StructArray):
        return [_tree(v, as_null) for v in value.elements()]
    encode = getattr(value, "to_json", None)
    if encode is not None:
        return _tree(encode(), as_null)
    if isinstance(value, NativeObject) and value.shown_inline:
        texts = value.texts()
        return texts[0] if len(texts) == 1 else texts
    return _numbers(value, as_null)


def _numbers(value: Value, as_null: bool) -> Any:
    try:
        a = np.asarray(as_array(value))
    except MatlabError as problem:
        text = f"Unable to encode objects of class '{class_of(value)}' as JSON."
        raise MatlabError("MATLAB:json:UnsupportedType", text) from problem
    if np.iscomplexobj(a):
        raise MatlabError("MATLAB:json:UnsupportedType", "Unable to encode complex numbers.")
    if a.size == 1:
        return _number(a.flat[0], as_null)
    if a.ndim == 2 and 1 in a.shape:
        return [_number(v, as_null) for v in a.ravel(order="F")]
    return [_nested_lists(row, as_null) for row in a]


def _nested_lists(a: Any, as_null: bool) -> Any:
    return [_nested_lists(v, as_null) for v in a] if np.ndim(a) else _number(a, as_null)


def _number(v: Any, as_null: bool) -> Any:
    if isinstance(v, bool | np.bool_):
        return bool(v)
    if isinstance(v, np.integer):
        return int(v)
    number = float(v)
    if not math.isfinite(number):
        return None if as_null else number
    return int(number) if number == int(number) and abs(number) < 1e15 else _short_number(number)


def _short_number(number: float) -> float:
    """The number as MATLAB writes it: fifteen significant digits when they are enough."""
    brief = float(f"{number:.15g}")
    return brief if brief == number else number
