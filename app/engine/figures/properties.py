"""Kinds of property values: what a script may assign, what is kept, what it gets back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.figures.colors import parse_color
from app.engine.figures.figure_data import HostData, RangeData, ResidentData
from app.engine.values import (
    EMPTY,
    Cell,
    CharArray,
    DeviceArray,
    StringArray,
    Value,
    as_array,
    canonical,
    is_numeric_like,
    texts_of,
)
from app.errors import MatlabError
from app.records import record


@record
class PropertyKind:
    """How one kind of property is read and shown.

    Attributes:
        parse: the kept form of an assigned MATLAB value; raises MatlabError.
        show: the MATLAB value of the kept form.
        plain: the kept form as plain data for the window.
        words: what may be assigned, where it is one of some words.
    """

    parse: Callable[[Value], Any]
    show: Callable[[Any], Value]
    plain: Callable[[Any], Any]
    words: tuple[str, ...] = ()


def _same_value(kept: Any) -> Any:
    return kept


def _invalid_value(message: str) -> MatlabError:
    return MatlabError("MATLAB:hg:InvalidPropertyValue", message)


def is_text(value: Value) -> bool:
    """Whether a value is text of any form."""
    return isinstance(value, str | CharArray | StringArray)


def plain_text(value: Value) -> str:
    """One text; the lines of several are joined."""
    if isinstance(value, str):
        return value
    return "\n".join(lines_of(value))


def lines_of(value: Value) -> list[str]:
    """The lines of a label: text of any form, a cell of texts, or numbers."""
    if isinstance(value, str):
        return value.split("\n")
    if isinstance(value, CharArray):
        return [row.rstrip() for row in value.rows()]
    if isinstance(value, StringArray):
        return [text or "" for text in value.data.reshape(-1, order="F")]
    if isinstance(value, Cell):
        return [line for item in value.items() for line in lines_of(item)]
    return [f"{number:g}" for number in as_array(value).reshape(-1, order="F")]


def texts_of_groups(value: Value) -> list[str]:
    """The names of groups: texts, the letters of a char row, or numbers."""
    if isinstance(value, Cell):
        return [plain_text(item) for item in value.items()]
    if isinstance(value, str):
        return list(value)
    return lines_of(value)


def parse_switch(value: Value) -> bool:
    """``on``, ``off``, true or false."""
    if is_text(value):
        text = plain_text(value).lower()
        if text in ("on", "off"):
            return text == "on"
        raise _invalid_value(
            f"'{text}' is not a valid value. Use one of these values: 'on' | 'off'."
        )
    return bool(number_of(value))


def number_of(value: Value) -> float:
    """One number."""
    if not is_numeric_like(value) or is_text(value):
        raise _invalid_value("Value must be a numeric scalar.")
    array = as_array(value)
    if array.size != 1:
        raise _invalid_value("Value must be a scalar.")
    return float(array.reshape(-1)[0].real)


def vector_of(value: Value) -> tuple[float, ...]:
    """Numbers in column-major order."""
    if is_text(value) or not is_numeric_like(value):
        raise _invalid_value("Value must be a numeric vector.")
    return tuple(float(number) for number in as_array(value).real.reshape(-1, order="F"))


def row_value(numbers: tuple[float, ...]) -> Value:
    """Numbers as a row."""
    return canonical(np.array(numbers, dtype=np.float64).reshape(1, -1)) if numbers else EMPTY


def _parse_color(value: Value) -> Any:
    return parse_color(plain_text(value) if is_text(value) else vector_of(value))


def _show_color(kept: Any) -> Value:
    return kept if isinstance(kept, str) else row_value(kept)


def _parse_limits(value: Value) -> tuple[float, float]:
    numbers = vector_of(value)
    if len(numbers) != 2 or not numbers[0] < numbers[1]:
        raise _invalid_value(
            "Value must be a 1x2 vector of numeric type in which the second element is "
            "larger than the first and may be Inf."
        )
    return numbers[0], numbers[1]


def numbers(count: int) -> PropertyKind:
    """A property that is a vector of so many finite numbers."""

    def parse(value: Value) -> tuple[float, ...]:
        found = vector_of(value)
        if len(found) != count or not np.isfinite(found).all():
            raise _invalid_value(f"Value must be a {count}-element vector of finite numbers.")
        return found

    return PropertyKind(parse, row_value, list)


def _parse_part(value: Value) -> float:
    part = number_of(value)
    if not 0 <= part <= 1:
        raise _invalid_value("Value must be a number from 0 to 1.")
    return part


def _parse_label(value: Value) -> str:
    return "\n".join(lines_of(value))


def _show_label(kept: str) -> Value:
    return Cell.of(kept.split("\n"), (kept.count("\n") + 1, 1)) if "\n" in kept else kept


def _parse_texts(value: Value) -> tuple[str, ...]:
    return tuple(texts_of(value) if isinstance(value, Cell) else lines_of(value))


def _show_texts(kept: tuple[str, ...]) -> Value:
    return Cell.of(kept, (len(kept), 1))


def series_data(value: Value) -> Any:
    """Numbers of any form as series data; a lazy array is gathered (see ``graphics_data``)."""
    if isinstance(value, HostData | RangeData | ResidentData):
        return value
    if isinstance(value, DeviceArray):
        array = as_array(value.gather("plot"))
        return HostData(array, moved_bytes=array.nbytes)
    if isinstance(value, Cell):
        raise _invalid_value("Value must be numeric.")
    return HostData(as_array(value))


def _show_data(kept: Any) -> Value:
    return EMPTY if kept is None else kept.value()


def _plain_data(kept: Any) -> Any:
    return None if kept is None else kept.export()


def _parse_number_or_text(value: Value) -> Any:
    return plain_text(value) if is_text(value) else number_of(value)


def _parse_matrix(value: Value) -> Any:
    return as_array(value).astype(np.float64)


def _show_table(kept: Any) -> Value:
    return kept.value() if isinstance(kept, ResidentData) else canonical(kept)


def _plain_table(kept: Any) -> Any:
    return kept.export() if isinstance(kept, ResidentData) else kept


def _parse_size(value: Value) -> float:
    number = number_of(value)
    if not 0 < number < np.inf:
        raise _invalid_value("Value must be finite and greater than 0.")
    return number


def choice(*names: str) -> PropertyKind:
    """One of some words, which may be shortened where that is unambiguous."""

    def parse(value: Value) -> str:
        text = plain_text(value) if is_text(value) else ""
        exact = [name for name in names if name.lower() == text.lower()]
        begun = [name for name in names if text and name.lower().startswith(text.lower())]
        if exact or len(begun) == 1:
            return (exact or begun)[0]
        allowed = " | ".join(f"'{name}'" for name in names)
        raise _invalid_value(f"'{text}' is not a valid value. Use one of these values: {allowed}.")

    return PropertyKind(parse, _same_value, _same_value, names)


def part_or_word(*words: str) -> PropertyKind:
    """A number from 0 to 1, or one of some words."""
    word = choice(*words)
    return PropertyKind(
        lambda value: word.parse(value) if is_text(value) else _parse_part(value),
        _same_value,
        _same_value,
    )


SWITCH = PropertyKind(
    parse_switch, lambda kept: "on" if kept else "off", _same_value, ("on", "off")
)
NUMBER = PropertyKind(number_of, _same_value, _same_value)
SIZE = PropertyKind(_parse_size, _same_value, _same_value)
PART = PropertyKind(_parse_part, _same_value, _same_value)
VECTOR = PropertyKind(vector_of, row_value, list)
PLACE, DIRECTION, RATIO = numbers(4), numbers(2), numbers(3)
LIMITS = PropertyKind(_parse_limits, row_value, _same_value)
COLOR = PropertyKind(_parse_color, _show_color, _same_value)
TEXT = PropertyKind(plain_text, _same_value, _same_value)
LABEL = PropertyKind(_parse_label, _show_label, _same_value)
TEXTS = PropertyKind(_parse_texts, _show_texts, list)
DATA = PropertyKind(series_data, _show_data, _plain_data)
MATRIX = PropertyKind(_parse_matrix, canonical, _same_value)
TABLE = PropertyKind(_parse_matrix, _show_table, _plain_table)
"""A matrix, or series data in a device buffer."""
NUMBER_OR_TEXT = PropertyKind(_parse_number_or_text, _same_value, _same_value)
ANY = PropertyKind(_same_value, _same_value, lambda _kept: None)
"""Values the window has no use for: user data and callbacks."""

OPACITY = part_or_word("flat", "interp", "texturemap")
MARKER_OPACITY = part_or_word("flat")
"""Opacities: a number, or the word that follows the alpha data."""

MODE = choice("auto", "manual")
SCALE = choice("linear", "log")
UNITS = choice("pixels", "normalized", "inches", "centimeters", "points", "characters")
FONT_UNITS = choice("points", "normalized", "inches", "centimeters", "pixels")
LINE_STYLE = choice("-", "--", ":", "-.", "none")


def _parse_marker(value: Value) -> str:
    from app.engine.figures.linespec import LONG_MARKERS, MARKERS

    text = plain_text(value).lower()
    if text in ("none", *LONG_MARKERS):
        return text
    if text in MARKERS:
        return MARKERS[text]
    raise _invalid_value(f"'{text}' is not a valid marker.")


MARKER = PropertyKind(_parse_marker, _same_value, _same_value)
