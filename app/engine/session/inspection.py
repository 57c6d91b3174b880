"""What the window may see of a value: a row of the workspace, one page of it, its statistics.

A lazy or device-resident array is never gathered whole for a page: only the elements of the
window cross the bus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine import values
from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.inspected import InspectOverview, InspectVariable, OverviewReady, VariablePage
from app.engine.protocol import VariablesChanged, VariableSummary
from app.engine.values import (
    Array,
    Cell,
    CharArray,
    DeviceArray,
    FunctionHandle,
    NativeObject,
    ObjectArray,
    ObjectValue,
    SparseMatrix,
    StringArray,
    Struct,
    StructArray,
    Value,
    display,
)
from app.engine.values.preview import (
    PREVIEW_ELEMENTS,
    exact_number_text,
    exact_text,
    member_names,
    number_text,
    preview,
    size_text,
    string_text,
)

if TYPE_CHECKING:
    from app.engine.interpreter.frames import DictWorkspace, FrameWorkspace

# --- one row of the workspace browser -----------------------------------------------------


def summary(name: str, value: Value, where: str, *, is_global: bool = False) -> VariableSummary:
    """One row of the workspace browser; reads no data that is not in host memory."""
    return VariableSummary(
        name=name,
        class_name=values.class_of(value),
        size=values.size_of(value),
        n_bytes=values.n_bytes(value),
        where=where,
        preview=preview(value),
        is_complex=_is_complex(value),
        is_global=is_global,
    )


def variables(
    workspace: DictWorkspace | FrameWorkspace, where: Callable[[Value], str]
) -> VariablesChanged:
    """All rows of the workspace browser; `where` says on which side a value is."""
    names, rows = workspace.global_names(), []
    for name in sorted(workspace.names(), key=str.lower):
        value = workspace.get(name)
        if value is not None:
            side = where(value)
            shown = on_host(value) if side in {"host", "both"} else value
            rows.append(summary(name, shown, side, is_global=name in names))
    return VariablesChanged(tuple(rows))


def on_host(value: Value) -> Value:
    """A small array that is in host memory anyway, as plain value; others as they are."""
    if type(value) is DeviceArray and value.size <= PREVIEW_ELEMENTS:
        return value.gather("inspection")
    return value


def _is_complex(value: Value) -> bool:
    return type(value) is not DeviceArray and values.is_complex(value)


# --- one page ------------------------------------------------------------------------------


def page(request: InspectVariable, value: Value | None) -> VariablePage:
    """The answer to ``request`` about ``value`` (the variable; None when there is none)."""
    inner = None if value is None else dig(value, request.path)
    if inner is None:
        return VariablePage(request, "", (0, 0), "missing", ())
    kind, cells, extra = _content(request, inner)
    return VariablePage(
        request, values.class_of(inner), values.size_of(inner), kind, cells, **extra
    )


def lazy_page(request: InspectVariable, value: Value) -> VariablePage:
    """The answer about a value that is not computed yet, and is not to be."""
    return VariablePage(request, values.class_of(value), values.size_of(value), "lazy", ())


def dig(value: Value, path: Iterable[tuple[str, str | int]]) -> Value | None:
    """The value inside ``value`` that ``path`` leads to; positions are linear, from 0."""
    for kind, step in path:
        value = _step(value, kind, step)
        if value is None:
            return None
    return value


def _step(value: Value, kind: str, step: str | int) -> Value | None:
    if kind == "field" and isinstance(value, Struct):
        return value.fields.get(str(step))
    if kind == "field" and isinstance(value, ObjectValue):
        return value.properties.get(str(step))
    if isinstance(value, Cell) and isinstance(step, int) and 0 <= step < value.data.size:
        return value.data.flat[0] if value.data.size == 1 else value.items()[step]
    if isinstance(value, ObjectArray) and isinstance(step, int) and step < value.data.size:
        element: Value = value.data.ravel(order="F")[step]
        return element
    if isinstance(value, StructArray) and isinstance(step, int) and step < values.numel(value):
        return value.elements()[step]
    return None


Content = tuple[str, tuple[tuple[str, ...], ...], dict[str, Any]]


def _content(request: InspectVariable, value: Value) -> Content:
    if isinstance(value, str | CharArray):
        rows = (value,) if isinstance(value, str) else value.rows()
        return "text", tuple((row,) for row in rows), {}
    if isinstance(value, StringArray | Cell):
        kind = "cell" if isinstance(value, Cell) else "text"
        window = value.data[window_index(request, value.data.shape)]
        if request.exact:
            show = exact_text if isinstance(value, Cell) else _bare_text
        else:
            show = preview if isinstance(value, Cell) else string_text
        return kind, tuple(tuple(show(item) for item in row) for row in window), {}
    if isinstance(value, Struct):
        return _fields(request, value.fields)
    if isinstance(value, ObjectValue | ObjectArray):
        return _objects(request, value)
    if isinstance(value, StructArray):
        elements = value.elements()[slice(*request.rows)]
        write = _writer(request)
        cells = tuple(tuple(write(v) for v in s.fields.values()) for s in elements)
        return "table", cells, {"column_names": tuple(value.fields)}
    if values.class_of(value) in {"table", "timetable"}:
        return _table(request, value)
    if values.class_of(value) in _ENTRIES:
        return _entries(request, value)
    if isinstance(value, NativeArray):
        return _elements(request, value)
    if isinstance(value, FunctionHandle | NativeObject):
        handle = isinstance(value, FunctionHandle)
        lines = [preview(value)] if handle else display.disp(value).strip("\n").split("\n")
        return "object", tuple((line,) for line in lines[slice(*request.rows)]), {}
    return _numeric(request, value)


def _objects(request: InspectVariable, value: ObjectValue | ObjectArray) -> Content:
    """A page of an object's properties, of those of several, or of members by their names."""
    names = member_names(value)
    if names is not None:
        window = names[window_index(request, names.shape)]
        return "elements", tuple(map(tuple, window)), {}
    if isinstance(value, ObjectValue):
        own = {name: v for name, v in value.properties.items() if not name.startswith("#")}
        if not own and value.to_double is not None:
            return _numeric(request, value.to_double())
        return _fields(request, own, "object")
    columns = tuple(p.name for p in value.class_info.all_properties() if not p.dependent)
    write, chosen = _writer(request), value.data.ravel(order="F")[slice(*request.rows)]
    cells = tuple(tuple(write(x.properties.get(n, values.EMPTY)) for n in columns) for x in chosen)
    return "table", cells, {"column_names": columns}


def _table(request: InspectVariable, value: Any) -> Content:
    """A page of a table: one column per variable."""
    from app.engine.builtins.containers.table_rows import rows_at

    rows = range(*slice(*request.rows).indices(value.height))
    write = _writer(request)
    columns = [
        [write(_only(rows_at(column, [row]))) for row in rows] for column in value.columns.values()
    ]
    cells = tuple(zip(*columns, strict=True)) if columns else ()
    extra = {"column_names": tuple(value.columns), "row_names": _row_names(value, rows)}
    return "table", cells, extra


def _row_names(value: Any, rows: range) -> tuple[str, ...]:
    """What stands beside the rows of a table: its names of rows, or its times as they are
    written; nothing where it has neither."""
    if value.times is not None:
        from app.engine.builtins.containers.table_rows import rows_at

        texts = rows_at(value.times, list(rows)).texts()
        return tuple("<missing>" if text is None else text for text in texts)
    return tuple(value.row_names[row] for row in rows) if value.row_names else ()


def _elements(request: InspectVariable, value: NativeArray) -> Content:
    """A page of dates, durations or categories: each as it is written."""
    window = value.data[window_index(request, value.data.shape)]
    texts = ["<missing>" if text is None else text for text in value.like(window).texts()]
    rows, columns = window.shape
    return "elements", tuple(tuple(texts[row::rows][:columns]) for row in range(rows)), {}


_ENTRIES = {"containers.Map": "value_list", "dictionary": "values"}


def _entries(request: InspectVariable, value: Any) -> Content:
    """A page of a map: keys and values side by side."""
    window, held = slice(*request.rows), getattr(value, _ENTRIES[values.class_of(value)])()
    pairs = zip(value.keys()[window], held[window], strict=True)
    write = _writer(request)
    cells = tuple((write(key), write(item)) for key, item in pairs)
    return "table", cells, {"column_names": ("key", "value"), "entries": len(held)}


def _writer(request: InspectVariable) -> Callable[[Value], str]:
    """How one value is written in a cell."""
    return exact_text if request.exact else preview


def _bare_text(text: str | None) -> str:
    return "<missing>" if text is None else text


def _only(value: Value) -> Value:
    """What a cell with one element holds; anything else as it is."""
    return value.data.item() if isinstance(value, Cell) and value.data.size == 1 else value


def _fields(request: InspectVariable, fields: dict[str, Value], kind: str = "struct") -> Content:
    write = _writer(request)
    rows = tuple((write(v), size_text(v), values.class_of(v)) for v in fields.values())
    return kind, rows, {"row_names": tuple(fields), "column_names": ("value", "size", "class")}


def _numeric(request: InspectVariable, value: Value) -> Content:
    window = numeric_window(request, value)
    write = exact_number_text if request.exact else number_text
    cells = tuple(tuple(map(write, row)) for row in window)
    reals = window.real if window.dtype.kind == "c" else window
    numbers = tuple(tuple(map(float, row)) for row in reals)
    return "numeric", cells, {"values": numbers}


def window_index(request: InspectVariable, shape: tuple[int, ...]) -> tuple[slice | int, ...]:
    """The NumPy index of the page's window in an array of ``shape``."""
    rest = (*request.page, *([0] * len(shape)))[: len(shape) - 2]
    inside = (min(i, n - 1) for i, n in zip(rest, shape[2:], strict=True))
    return (slice(*request.rows), slice(*request.columns), *inside)


def numeric_window(request: InspectVariable, value: Value) -> Array:
    """The numbers of the page's window as a 2-D array."""
    shape = values.size_of(value)
    index = window_index(request, shape)
    if isinstance(value, DeviceArray):
        return _gathered_window(value, index)
    if isinstance(value, SparseMatrix):
        part: Array = np.asarray(value.matrix[index[0], index[1]].toarray())
        return part
    window: Array = values.as_array(value)[index]
    return window


def _gathered_window(value: DeviceArray, index: tuple[slice | int, ...]) -> Array:
    """Fetch just the window."""
    return _elements_at_crossings(
        value,
        [
            np.arange(*i.indices(n)) if isinstance(i, slice) else np.array([i])
            for i, n in zip(index, value.shape, strict=True)
        ],
    )


def _elements_at_crossings(value: DeviceArray, ranges: list[Array]) -> Array:
    """Fetch the elements where these positions cross: linear column-major positions, from 0."""
    strides = np.cumprod((1, *value.shape[:-1]))
    grid = np.ix_(*ranges)
    positions = sum(g * s for g, s in zip(grid, strides, strict=True))
    linear = np.asarray(positions).ravel(order="F")
    shape = tuple(len(r) for r in ranges[:2])
    if not linear.size:
        return np.zeros(shape)
    found = value.runtime.gather_elements(value.node, linear, "inspection")
    return np.asarray(found).reshape(shape, order="F")


OVERVIEW = 64
"""Rows and columns of an overview at most."""


def overview(request: InspectOverview, value: Value | None) -> OverviewReady:
    """Evenly spread elements of a matrix; nothing of what is no matrix of numbers."""
    numeric = value is not None and (values.is_numeric(value) or values.is_logical(value))
    if value is None or not numeric or isinstance(value, SparseMatrix):
        return OverviewReady(request.name, (0, 0), ())
    shape = values.size_of(value)
    spread = [
        np.unique(np.linspace(0, n - 1, min(n, OVERVIEW)).astype(np.int64))
        if n
        else np.zeros(0, np.int64)
        for n in shape[:2]
    ]
    rest = (*request.page, *([0] * len(shape)))[: len(shape) - 2]
    ranges = [*spread, *(np.array([min(i, n - 1)]) for i, n in zip(rest, shape[2:], strict=True))]
    if isinstance(value, DeviceArray):
        window = _elements_at_crossings(value, ranges)
    else:
        window = values.as_array(value)[np.ix_(*ranges)]
        window = window.reshape(window.shape[:2])
    numbers = tuple(tuple(map(float, row)) for row in np.real(window))
    return OverviewReady(request.name, (shape[0], shape[1]), numbers)


# --- statistics --------------------------------------------------------------------------

Call = Callable[[str, tuple[Value, ...]], Value]


def statistics(value: Value | None, call: Call) -> dict[str, float]:
    """Smallest, largest, mean and the number of NaN, computed where the data is.

    ``call(name, arguments)`` calls a builtin; what is not real and numeric has no statistics.
    """
    if value is None or not _has_statistics(value):
        return {}
    return {
        "min": _number(call("min", (value, values.EMPTY, "all"))),
        "max": _number(call("max", (value, values.EMPTY, "all"))),
        "mean": _number(call("mean", (value, "all"))),
        "nan": _number(call("nnz", (call("isnan", (value,)),))),
    }


def _has_statistics(value: Value) -> bool:
    numeric = values.is_numeric(value) or values.is_logical(value)
    return numeric and values.numel(value) > 0 and not _is_complex(value)


def _number(value: Value) -> float:
    return float(values.as_array(values.host(value)).flat[0])
