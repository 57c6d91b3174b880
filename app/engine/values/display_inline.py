"""Values in one line: what cells and struct fields show of their contents."""

from __future__ import annotations

from typing import TypeGuard

from app.engine.values.containers import (
    Array,
    Cell,
    CharArray,
    FunctionHandle,
    NativeObject,
    ObjectValue,
    SparseMatrix,
    StringArray,
    Struct,
    Value,
)
from app.engine.values.display_format import DisplayFormat
from app.engine.values.display_numbers import scalar_text
from app.engine.values.types import as_array, class_of, host, numel, size_of

_ROW_LIMIT = 40
_SIGNS = str.maketrans({"\n": "↵", "\t": "→", "\r": "←"})


def dimensions(size: tuple[int, ...]) -> str:
    """Text such as ``2×3``."""
    return "×".join(map(str, size))


def summary(v: Value) -> str:
    """Text such as ``2×3 double``."""
    return f"{dimensions(size_of(v))} {class_of(v)}"


def numbers(v: Value, form: DisplayFormat) -> str | None:
    """A numeric scalar or short row as text without brackets; None when it needs a summary."""
    size = size_of(v)
    if len(size) > 2 or size[0] != 1 or not 1 <= size[1] <= _ROW_LIMIT:
        return None
    a = as_array(host(v, "display"))
    texts = [_number(x, a, form) for x in a.ravel().tolist()]
    joined = " ".join(texts)
    return joined if len(joined) <= 2 * _ROW_LIMIT or len(texts) == 1 else None


def _number(x: complex, a: Array, form: DisplayFormat) -> str:
    if a.dtype.kind in "iub":
        return str(int(x.real))
    return scalar_text(x, form, a.dtype.itemsize in (4, 8) and a.dtype.char in "fF")


def one_line(text: str) -> str:
    """A text with signs for its line ends and tabs, so that it stays in its line."""
    return text.translate(_SIGNS)


def in_cell(v: Value, form: DisplayFormat) -> tuple[str, str, str]:
    """What a cell element shows: opening, content, closing, to be padded between them."""
    if type(v) is str and v:
        return "'", one_line(v), "'"
    if type(v) is StringArray and v.data.size == 1:
        text = v.data.flat[0]
        return ("[", "<missing>", "]") if text is None else ('["', one_line(text), '"]')
    if isinstance(v, FunctionHandle):
        return "", handle_text(v), ""
    if _is_one_text(v):
        return "[", v.texts()[0] or "", "]"
    if _is_member(v):
        return "[", str(v.properties["#name"]), "]"
    if is_number_like(v):
        text = numbers(v, form)
        if text is not None:
            return "[", text, "]"
    return "", summary(v), ""


def _is_member(v: Value) -> TypeGuard[ObjectValue]:
    """True for a member of an enumeration, which stands with its name."""
    return isinstance(v, ObjectValue) and "#name" in v.properties


def string_in_line(text: str | None) -> str:
    """A string with its quotes, or that it is missing."""
    return "<missing>" if text is None else f'"{one_line(text)}"'


def _is_one_text(v: Value) -> TypeGuard[NativeObject]:
    """True for one date, duration or category, which stands with its text."""
    return isinstance(v, NativeObject) and v.shown_inline and numel(v) == 1


def is_number_like(v: Value) -> bool:
    """True for arrays whose numbers may be shown in a line."""
    return (
        not isinstance(
            v,
            str
            | CharArray
            | StringArray
            | Cell
            | Struct
            | FunctionHandle
            | NativeObject
            | SparseMatrix,
        )
        and class_of(v) in _NUMBER_CLASSES
    )


_NUMBER_CLASSES = frozenset(
    (
        "double",
        "single",
        "logical",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
    )
)


def in_field(v: Value, form: DisplayFormat) -> str:
    """What a struct field shows."""
    if type(v) is str:
        return f"'{one_line(v)}'"
    if type(v) is StringArray and v.data.size == 1:
        text = v.data.flat[0]
        return string_in_line(text)
    if isinstance(v, StringArray) and v.data.ndim == 2 and v.data.shape[0] == 1 and v.data.size:
        joined = "    ".join(map(string_in_line, v.data.ravel().tolist()))
        return f"[{joined}]" if len(joined) <= 2 * _ROW_LIMIT else f"[{summary(v)}]"
    if isinstance(v, FunctionHandle):
        return handle_text(v)
    if _is_one_text(v):
        return v.texts()[0] or ""
    if _is_member(v):
        return str(v.properties["#name"])
    if is_number_like(v):
        if size_of(v) == (0, 0) and class_of(v) == "double":
            return "[]"
        text = numbers(v, form)
        if text is not None:
            return text if numel(v) == 1 else f"[{text}]"
    if isinstance(v, Cell):
        return "{}" if v.shape == (0, 0) else _row_of_cells(v, form) or f"{{{summary(v)}}}"
    return f"[{summary(v)}]"


def _row_of_cells(v: Cell, form: DisplayFormat) -> str:
    """A short row of cells with its contents; nothing where only its size is shown."""
    if len(v.shape) > 2 or v.shape[0] != 1 or not v.data.size:
        return ""
    shown = "  ".join("".join(in_cell(x, form)) for x in v.items())
    return f"{{{shown}}}" if len(shown) <= 2 * _ROW_LIMIT else ""


def handle_text(handle: FunctionHandle) -> str:
    """The handle with its ``@``."""
    return handle.text if handle.text.startswith("@") else f"@{handle.text}"
