"""Values as MATLAB prints them: ``x = …`` blocks and ``disp``."""

from __future__ import annotations

from typing import TypeAlias, TypeGuard

import numpy as np

from app.engine.stoppable import heeding
from app.engine.values.containers import (
    Array,
    Cell,
    CharArray,
    FunctionHandle,
    NativeObject,
    ObjectArray,
    ObjectValue,
    SparseMatrix,
    StringArray,
    Struct,
    StructArray,
    Value,
)
from app.engine.values.display_format import SHORT, DisplayFormat, short_general
from app.engine.values.display_inline import (
    dimensions,
    handle_text,
    in_cell,
    in_field,
    string_in_line,
)
from app.engine.values.display_numbers import LINE, matrix_text, pages
from app.engine.values.types import as_array, class_of, host, numel, size_of

Paged: TypeAlias = Array | Cell | CharArray | StringArray
"""What has pages: arrays with their elements in one NumPy array."""

__all__ = ["SHORT", "DisplayFormat", "disp", "display"]


def display(name: str, v: Value, form: DisplayFormat = SHORT) -> str:
    """The whole block that ``v`` without a semicolon prints, final blank line included."""
    v = host(v, "display")
    blank = form.blank
    if isinstance(v, NativeObject):
        return f"{name} ={'' if form.compact else ' '}\n{blank}{v.show(name, form)}{blank}"
    if _is_paged(v):
        return _display_pages(name, v, form)
    sign = " = " if type(v) is StringArray else " ="
    return f"{name}{sign}\n{blank}{_header(v, form)}{_body(v, form)}{blank}"


def disp(v: Value, form: DisplayFormat = SHORT) -> str:
    """What ``disp(v)`` prints."""
    v = host(v, "display")
    if type(v) is str:
        return v + "\n"
    if type(v) is CharArray and not _is_paged(v):
        return "".join(row + "\n" for row in v.rows())
    if type(v) is StringArray and v.data.size == 1:
        return ("<missing>" if v.data.flat[0] is None else v.data.flat[0]) + "\n"
    if isinstance(v, NativeObject):
        return v.show("", form)
    if isinstance(v, FunctionHandle):
        return handle_text(v) + "\n"
    if numel(v) == 0 and not isinstance(v, Struct | StructArray | Cell):
        return ""
    if _is_paged(v):
        show = disp if type(v) is CharArray else _body
        return form.blank.join(
            f"{place} =\n{form.blank}{show(_rewrap(v, page), form)}{form.blank}"
            for place, page in pages(_page_data(v))
        )
    if isinstance(v, StructArray):
        return _header(v, form) + _body(v, form)
    return _body(v, form)


# --- blocks -----------------------------------------------------------------------------------


def _is_paged(v: Value) -> TypeGuard[Paged]:
    return len(size_of(v)) > 2 and numel(v) > 0 and not isinstance(v, StructArray | ObjectArray)


def _page_data(v: Paged) -> Array:
    return v if isinstance(v, np.ndarray) else v.data


def _rewrap(v: Paged, page: Array) -> Value:
    return page if isinstance(v, np.ndarray) else type(v)(page)


def _display_pages(name: str, v: Paged, form: DisplayFormat) -> str:
    head = _header(v, form)
    lead = f"{name} =\n{form.blank}{head}" if head else ""
    blocks = [
        f"{name}{place} =\n{form.blank}{_body(_rewrap(v, page), form)}{form.blank}"
        for place, page in pages(_page_data(v))
    ]
    return lead + form.blank.join(blocks)


def _header(v: Value, form: DisplayFormat) -> str:
    """The line with size and class, where MATLAB shows one."""
    line = _header_line(v)
    if not line:
        return ""
    ends_here = numel(v) == 0 and not (isinstance(v, StructArray) and v.fields)
    return f"  {line}\n" + ("" if ends_here or line.endswith("fields.") else form.blank)


def _header_line(v: Value) -> str:
    kind, size = class_of(v), size_of(v)
    if isinstance(v, Struct | StructArray):
        return _struct_header(v)
    if isinstance(v, FunctionHandle):
        return "function_handle with value:"
    if isinstance(v, ObjectValue):
        return f"{kind} with properties:" if v.properties else f"{kind} with no properties."
    if numel(v) == 0:
        return _empty_header(v, kind, size)
    if isinstance(v, SparseMatrix):
        return f"{dimensions(size)} sparse {kind} matrix ({v.data.size} nonzero{_s(v)})"
    if kind == "double" or type(v) is str or (kind == "string" and numel(v) == 1):
        return ""
    if numel(v) == 1 and (kind == "logical" or _counts(kind)):
        return kind
    return f"{dimensions(size)} {kind} {_shape_word(size) if _counts(kind) else 'array'}"


def _counts(kind: str) -> bool:
    """Whether arrays of a class are called vectors and matrices."""
    return kind in ("double", "single") or kind.startswith(("int", "uint"))


def _s(v: SparseMatrix) -> str:
    return "" if v.data.size == 1 else "s"


def _empty_header(v: Value, kind: str, size: tuple[int, ...]) -> str:
    if _counts(kind):
        if size == (0, 0) and kind == "double" and not isinstance(v, SparseMatrix):
            return "   []"
        return f"{dimensions(size)} empty {kind} {_shape_word(size)}"
    return f"{dimensions(size)} empty {kind} array"


def _shape_word(size: tuple[int, ...]) -> str:
    if len(size) > 2:
        return "array"
    if size[0] == 1:
        return "row vector"
    return "column vector" if size[1] == 1 else "matrix"


def _struct_header(v: Struct | StructArray) -> str:
    if isinstance(v, Struct):
        return "struct with fields:" if v.fields else "struct with no fields."
    empty = "empty " if numel(v) == 0 else ""
    tail = "with fields:" if v.fields else "with no fields."
    return f"{dimensions(v.shape)} {empty}struct array {tail}"


def _body(v: Value, form: DisplayFormat) -> str:
    """The lines below the header."""
    if isinstance(v, StructArray):
        return "".join(f"    {name}\n" for name in v.fields)
    if isinstance(v, Struct):
        return _fields(v.fields, form)
    if isinstance(v, ObjectValue):
        return _fields(v.properties, form)
    if numel(v) == 0 or isinstance(v, ObjectArray):
        return ""
    if isinstance(v, SparseMatrix):
        return _sparse(v, form)
    return _cells(v, form) if isinstance(v, Cell) else _texts_or_numbers(v, form)


def _texts_or_numbers(v: Value, form: DisplayFormat) -> str:
    if isinstance(v, str | CharArray):
        rows = [v] if isinstance(v, str) else v.rows()
        return "".join(f"    '{_indented_text(row)}'\n" for row in rows)
    if isinstance(v, StringArray):
        return _strings(v)
    if isinstance(v, FunctionHandle):
        return f"    {handle_text(v)}\n"
    return matrix_text(as_array(v), form)


def _fields(fields: dict[str, Value], form: DisplayFormat) -> str:
    widest = max(map(len, fields), default=0)
    return "".join(f"    {k.rjust(widest)}: {in_field(x, form)}\n" for k, x in fields.items())


def _indented_text(text: str) -> str:
    """A text whose further lines begin below its first letter."""
    return text.replace("\n", "\n     ")


def _strings(v: StringArray) -> str:
    if v.data.size == 1 and v.data.flat[0] is not None:
        return f'    "{_indented_text(v.data.flat[0])}"\n'
    return _columns([[string_in_line(t) for t in row] for row in v.data.tolist()])


def _cells(v: Cell, form: DisplayFormat) -> str:
    parts = [[in_cell(x, form) for x in row] for row in v.data.tolist()]
    widths = [max(sum(map(len, p)) for p in column) for column in zip(*parts, strict=True)]
    texts = [
        ["{" + _padded_element(p, w) + "}" for p, w in zip(row, widths, strict=True)]
        for row in parts
    ]
    return _columns(texts)


def _padded_element(part: tuple[str, str, str], width: int) -> str:
    """A cell element padded: numbers to the right inside their brackets, all else to the left."""
    opening, content, closing = part
    if opening == "[":
        return opening + content.rjust(width - len(opening) - len(closing)) + closing
    return (opening + content + closing).ljust(width)


def _columns(texts: list[list[str]]) -> str:
    """Left-aligned columns behind four spaces each, wrapped at the line."""
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    blocks, first = [], 0
    while first < len(widths):
        last, used = first + 1, 4 + widths[first]
        while last < len(widths) and used + 4 + widths[last] <= LINE:
            used += 4 + widths[last]
            last += 1
        blocks.append((first, last))
        first = last
    return "\n".join(_block(texts, widths, b, headed=len(blocks) > 1) for b in blocks)


def _block(texts: list[list[str]], widths: list[int], block: tuple[int, int], headed: bool) -> str:
    first, last = block
    lines = []
    for row in texts:
        padded = (t.ljust(w) for t, w in zip(row[first:last], widths[first:last], strict=True))
        lines.append(("    " + "    ".join(padded)).rstrip() + "\n")
    single = (
        f"  Column {first + 1}\n\n"
        if last == first + 1
        else (f"  Columns {first + 1} through {last}\n\n")
    )
    return (single if headed else "") + "".join(lines)


def _sparse(v: SparseMatrix, form: DisplayFormat) -> str:
    """The nonzeros in the format of their column, with their places."""
    m = v.matrix.tocoo()
    order = np.lexsort((m.row, m.col))
    if not order.size:
        return f"   All zero sparse: {dimensions(v.shape)}\n"
    scale, texts = "", ["1"] * order.size
    if m.dtype != np.bool_:
        lines = matrix_text(m.data[order].reshape(-1, 1), form).splitlines()
        texts = [line.strip() for line in lines[-order.size :]]
        scale = "".join(f"{line}\n" for line in lines[: -order.size])
    width = max(9, *map(len, texts))
    rows, columns = ((places[order] + 1).tolist() for places in (m.row, m.col))
    items = heeding(zip(rows, columns, texts, strict=True))
    return scale + "".join(f"   {f'({i},{j})':<10s} {t:>{width}s}\n" for i, j, t in items)


def preview(v: Value, form: DisplayFormat = SHORT) -> str:
    """One short line for the workspace browser; never gathers."""
    if isinstance(v, NativeObject | ObjectValue | ObjectArray) or numel(v) == 0:
        return f"{dimensions(size_of(v))} {class_of(v)}"
    if type(v) is float:
        return short_general(v)
    if isinstance(v, str | bool | complex | np.ndarray | StringArray):
        return in_field(v, form)
    return f"{dimensions(size_of(v))} {class_of(v)}"
