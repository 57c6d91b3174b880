"""What ``arguments`` blocks check at run time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.engine.interpreter.indexing.index_read import paren
from app.engine.values import (
    DTYPE_OF_CLASS,
    Cell,
    HandleObject,
    NativeObject,
    ObjectArray,
    ObjectValue,
    StringArray,
    Struct,
    Value,
    class_of,
    numel,
    size_of,
)
from app.errors import MatlabError

_ANY_NUMBER = {"numeric", "float"}
_NOT_FROM_STRINGS = frozenset(DTYPE_OF_CLASS) - {"double"} | {"cell", "struct", "function_handle"}
"""Classes whose arguments are no strings; enumerations, dates and others are made of them."""
_FROM_CELLS = frozenset(("string", "categorical", "datetime", "duration"))
"""Classes whose arguments are made of cells of texts."""


def new_struct() -> Struct:
    """An empty struct for name-value arguments."""
    return Struct()


def name_values(rest: tuple[Value, ...], members: tuple[str, ...]) -> dict[str, Value]:
    """Trailing arguments as names and values."""
    if len(rest) % 2:
        text = "Name-value arguments must appear in pairs."
        raise MatlabError("MATLAB:TooManyInputs", text)
    found: dict[str, Value] = {}
    for k in range(0, len(rest), 2):
        found[_member_named(rest[k], members)] = rest[k + 1]
    return found


def _member_named(given: Value, members: tuple[str, ...]) -> str:
    text = given if type(given) is str else _string(given)
    if any(m.startswith("?") for m in members) and text:
        return text
    matches = [m for m in members if m.lower() == text.lower()] or [
        m for m in members if text and m.lower().startswith(text.lower())
    ]
    if len(matches) != 1:
        raise MatlabError(
            "MATLAB:TooManyInputs",
            f"Invalid argument name '{text}'." if text else "Too many input arguments.",
        )
    return matches[0]


def _string(v: Value) -> str:
    if type(v) is StringArray and v.data.size == 1:
        return str(v.data.reshape(-1)[0])
    return ""


def split_named(
    rest: tuple[Value, ...], members: tuple[str, ...], count: int
) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
    """Repeating arguments, and the names and values behind them.

    The names begin at the first place where a repetition may end and only pairs with known names
    follow; text of repeating arguments that reads like a name is one.
    """
    for k in range(0, len(rest), count):
        if (len(rest) - k) % 2 == 0 and all(_is_member(v, members) for v in rest[k::2]):
            return rest[:k], rest[k:]
    return rest, ()


def names_after_omitted(
    rest: tuple[Value, ...], members: tuple[str, ...], optional: tuple[Value | None, ...]
) -> tuple[object, ...]:
    """What names and values leave of optional arguments, which may be left out before them.

    The names begin at the first optional argument that is the whole name of a member and from which
    only pairs with known names follow; else behind the last optional argument.

    Args:
        rest: what was given behind the optional arguments.
        members: the names that are known.
        optional: what was given for the optional arguments; None from where nothing was given.

    Returns:
        Nothing surplus, the names and values, and each optional argument.
    """
    given = [v for v in (*optional, *rest) if v is not None]
    whole = {m.lower() for m in members}
    for k, value in enumerate(given[: len(optional)]):
        is_name = (value if type(value) is str else _string(value)).lower() in whole
        follows = is_name and len(given) % 2 == k % 2
        if follows and all(_is_member(v, members) for v in given[k::2]):
            return (), tuple(given[k:]), *optional[:k], *(None,) * (len(optional) - k)
    return (), rest, *optional


def _is_member(given: Value, members: tuple[str, ...]) -> bool:
    try:
        return _member_named(given, members) != ""
    except MatlabError:
        return False


def take_named(found: dict[str, Value], name: str) -> Value | None:
    """The value given for ``name``, or None."""
    return found.get(name)


def deal_repeating(rest: tuple[Value, ...], count: int) -> tuple[Cell, ...]:
    """Repeating arguments as one cell row per name."""
    if len(rest) % count:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    return tuple(Cell.of(rest[k::count], (1, len(rest) // count)) for k in range(count))


def each_argument(
    values: Cell,
    convert: Callable[[Value], Value],
    check: Callable[[Value], object],
    label: str,
    places: tuple[int, int],
) -> Cell:
    """Repeating arguments, each converted and validated; ``places`` are the first and the step."""
    made = list[Value]()
    for k, value in enumerate(values.data.flat):
        try:
            made.append(convert(value))
            check(made[-1])
        except MatlabError as problem:
            if problem.identifier == "MATLAB:UndefinedFunction":
                raise
            text = label.format(places[0] + k * places[1]) + problem.message
            raise MatlabError(problem.identifier, text) from problem
    return Cell.of(made, values.shape)


def check_argument(
    value: Value,
    size: tuple[int, ...] | None,
    class_name: str,
    converter: Callable[..., Value] | None,
    label: str,
) -> Value:
    """The value converted to the declared class and size."""
    if class_name and not is_a(value, class_name):
        value = _converted_value(value, class_name, converter, label)
    return value if size is None else _value_of_size(value, size, label)


def is_a(value: Value, class_name: str) -> bool:
    """True when ``value`` is of the class or of a class derived from it."""
    if class_of(value) == class_name:
        return True
    if isinstance(value, ObjectValue | ObjectArray):
        return bool(value.class_info.is_a(class_name))
    if isinstance(value, NativeObject):
        return class_name in value.superclasses
    return class_name == "handle" and isinstance(value, HandleObject)


def _converted_value(
    value: Value, class_name: str, converter: Callable[..., Value] | None, label: str
) -> Value:
    kind = class_of(value)
    if class_name in _ANY_NUMBER and kind not in {"char", "string", "cell", "struct"}:
        return value
    plain = kind not in {"cell", "struct", "function_handle", "string"}
    textual = class_name in {"char", "string"} and kind in {"char", "string"}
    if converter is not None and (
        textual
        or (plain and class_name not in {"cell", "struct", "function_handle"})
        or (kind == "string" and class_name not in _NOT_FROM_STRINGS)
        or (kind == "cell" and class_name in _FROM_CELLS)
    ):
        try:
            return converter(value)
        except MatlabError:
            pass
    text = f"Value must be of type {class_name} or be convertible to {class_name}."
    raise MatlabError("MATLAB:validation:UnableToConvert", label + text)


def _value_of_size(value: Value, size: tuple[int, ...], label: str) -> Value:
    have = size_of(value)
    if len(have) <= len(size) and all(
        want in (-1, n) for want, n in zip(size, have + (1,) * (len(size) - len(have)), strict=True)
    ):
        return value
    if have == (0, 0) and -1 in size:
        from app.engine.operators.shapes import reshape

        return reshape(value, *(float(max(n, 0)) for n in size))
    if len(size) == 2 and have == (1, 1) and -1 not in size and value is not None:
        return paren(value, _ones(size))
    if len(size) == 2 and len(have) == 2 and 1 in have and _fits(size, have[::-1]):
        from app.engine.operators.operators import transpose

        return transpose(value)
    wanted = "-by-".join(":" if n < 0 else str(n) for n in size)
    if size == (1, 1) and numel(value) != 1:
        text = "Value must be a scalar."
    elif size in {(1, -1), (-1, 1)}:
        text = "Value must be a vector."
    else:
        text = f"Value must have dimensions {wanted.replace('-by-', '×')}."
    raise MatlabError("MATLAB:validation:IncompatibleSize", label + text)


def _ones(size: tuple[int, ...]) -> Any:
    import numpy as np

    return np.ones(size)


def _fits(size: tuple[int, ...], have: tuple[int, ...]) -> bool:
    return all(want in (-1, n) for want, n in zip(size, have, strict=True))


def validate(label: str, check: Callable[[], Any]) -> None:
    """Run a validator; its complaint says which argument is wrong."""
    try:
        check()
    except MatlabError as problem:
        if problem.identifier == "MATLAB:UndefinedFunction":
            raise
        raise MatlabError(problem.identifier, label + problem.message) from problem


TABLE = {
    "@new_struct": new_struct,
    "@name_values": name_values,
    "@take_named": take_named,
    "@deal_repeating": deal_repeating,
    "@each_argument": each_argument,
    "@split_named": split_named,
    "@names_after_omitted": names_after_omitted,
    "@check_argument": check_argument,
    "@validate": validate,
}
"""Names for generated code."""
