"""Order and search: sort, sortrows, issorted, find, unique, histc, cumulative counts."""

from __future__ import annotations

import numpy as np

from app.accel.numerics.host_sort import (
    dense_range,
    offsets,
    order_of_rows,
    sort_order,
    sorted_values,
)
from app.engine import stoppable
from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import one_of, option_pairs
from app.engine.arguments.dimensions import dimension, first_axis, is_plain_vector
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.arrays import set_forms, sorting_forms
from app.engine.builtins.arrays.set_options import set_words
from app.engine.declarations.device_support import of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.element_arrays import data_of, rebuild
from app.engine.values import (
    Array,
    Cell,
    ObjectArray,
    ObjectValue,
    SparseMatrix,
    StringArray,
    Struct,
    StructArray,
    Value,
    as_array,
    canonical,
    int_of,
    is_cell,
    is_cellstr,
    is_char,
    is_string,
    is_text_scalar,
    object_array,
    size_of,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "sorting and searching"


_RULES = {
    "comparisonmethod": ("auto", "real", "abs"),
    "missingplacement": ("auto", "first", "last"),
}
_METHODS = "auto real abs"
_FEW = 4096
"""Elements up to which a stable sort is the quickest way to a stable order."""
_order, _sorted = stoppable.of_array(sort_order), stoppable.of_array(sorted_values)
_plainly_sorted = stoppable.of_array(np.sort)


def _sort_rules(
    shape: tuple[int, ...], args: tuple[Value, ...]
) -> tuple[int, bool, dict[str, str]]:
    """The dimension, whether down, and rules other than the usual ones."""
    axis, descending, rules, waiting = first_axis(shape), False, dict[str, str](), ""
    for arg in args:
        if not (is_char(arg) or is_string(arg)):
            axis = dimension(arg)
            continue
        word = text_of(arg).lower()
        if waiting:
            if word not in _RULES[waiting]:
                text = f"The value must be one of: {', '.join(_RULES[waiting])}."
                raise MatlabError("MATLAB:sort:InvalidOption", text)
            rules |= {} if word == "auto" else {waiting: word}
            waiting = ""
        elif word in _RULES:
            waiting = word
        elif word not in ("ascend", "descend"):
            text = "Sorting direction must be 'ascend' or 'descend'."
            raise MatlabError("MATLAB:sort:sortDirection", text)
        descending = descending or word == "descend"
    return axis, descending, rules


def _ruled_order(data: Array, axis: int, descending: bool, rules: dict[str, str]) -> Array:
    """The order by another comparison, or with missing numbers at another end."""
    missing = np.isnan(data) if data.dtype.kind in "fc" else np.zeros(data.shape, dtype=bool)
    plain = np.where(missing, 0, data)
    method = rules.get("comparisonmethod", "abs" if data.dtype.kind == "c" else "real")
    keys = [plain.imag, plain.real] if method == "real" else [np.angle(plain), np.abs(plain)]
    keys = [-k.astype(np.float64) if descending else k for k in keys]
    ahead = rules.get("missingplacement", "first" if descending else "last") == "first"
    return np.asarray(np.lexsort([*keys, ~missing if ahead else missing], axis=axis))


@builtin(
    "sort",
    scalar=lambda x: x,
    category=_FAMILY,
    signatures=("B = sort(A)", "[B, I] = sort(A)", "B = sort(A, dim)", "B = sort(A, 'descend')"),
    device=term_form(sorting_forms.sort),
    cases=(
        "isequal(sort([3 1 2]), [1 2 3])",
        "isequal(sort([3 1 2], 'descend'), [3 2 1])",
        "isequal(sort({'b', 'a'}), {'a', 'b'})",
        "isequal(sort([3 1; 2 5], 2), [1 3; 2 5])",
        "strcmp(sort('hello'), 'ehllo')",
        "isequal(1 ./ sort([1:2, -0, 4:19, 0]), 1 ./ [-0, 0, 1:2, 4:19])",
    ),
    see=("sortrows", "unique", "max"),
)
def sort(a: Value, *args: Value, nargout: int = 1) -> Value:
    """Sort along a dimension; equal elements keep their order."""
    if len(args) == 1 and type(args[0]) is float and is_plain_vector(a):
        args = () if args[0] == 1.0 + first_axis(a.shape) else args
    word = args[0] if len(args) == 1 and type(args[0]) is str else ""
    if (not args or word in {"ascend", "descend"}) and is_plain_vector(a):
        descending, flat = word == "descend", a.reshape(-1)
        if nargout < 2 and not descending:
            return unwrap(_sorted(flat, 0, descending=False).reshape(a.shape))
        if a.size > _FEW:
            order = _order(flat, 0, descending=descending)
        elif descending:
            order = a.size - 1 - flat[::-1].argsort(kind="stable")[::-1]
        else:
            order = flat.argsort(kind="stable")
        return unwrap(flat[order].reshape(a.shape)), unwrap((order + 1.0).reshape(a.shape))
    if type(a) is float and (not args or word in {"ascend", "descend"}):
        return a, 1.0
    if isinstance(a, Cell | StringArray):
        return _sort_texts(a, args)
    data = as_array(a) if type(a) is SparseMatrix else data_of(a)
    if data.dtype == object:
        raise undefined_for_class("sort", a)
    axis, descending, rules = _sort_rules(data.shape, args)
    if axis >= data.ndim or data.size == 0:
        return a, unwrap(np.ones(data.shape))
    if rules and data.dtype.kind in "fciub":
        order = _ruled_order(data, axis, descending, rules)
        return rebuild(a, np.take_along_axis(data, order, axis=axis)), unwrap(order + 1.0)
    if nargout < 2 and data.dtype.kind != "c":
        return rebuild(a, _sorted(data, axis, descending=descending))
    order = _order(data, axis, descending=descending)
    return rebuild(a, np.take_along_axis(data, order, axis=axis)), unwrap(order + 1.0)


def _sort_texts(a: Cell | StringArray, args: tuple[Value, ...]) -> Value:
    if isinstance(a, Cell) and not is_cellstr(a):
        text = "Argument must be a cell array of character vectors."
        raise MatlabError("MATLAB:sort:InvalidCell", text)
    axis, descending, _ = _sort_rules(a.shape, args)
    texts = texts_of(a)
    if axis >= len(a.shape) or not texts:
        return a, unwrap(np.ones(a.shape))
    if a.shape[axis] == len(texts):
        order = _text_order(texts, descending).reshape(a.shape)
        return type(a)(a.data.take(order)), unwrap(order + 1.0)
    table = np.array(texts, dtype=object).reshape(a.shape, order="F")
    order = np.apply_along_axis(lambda column: _text_order(column, descending), axis, table)
    data = np.take_along_axis(a.data, order, axis=axis)
    return type(a)(data), unwrap(order + 1.0)


def _text_order(column: list[str] | Array, descending: bool) -> Array:
    places = sorted(range(len(column)), key=lambda i: column[i], reverse=descending)
    return np.array(places, dtype=np.int64)


@builtin(
    "sortrows",
    category=_FAMILY,
    signatures=(
        "B = sortrows(A)",
        "[B, I] = sortrows(A, columns)",
        "B = sortrows(A, columns, direction)",
    ),
    device=of_resident(sorting_forms.sortrows),
    cases=(
        "isequal(sortrows([2 1; 1 2]), [1 2; 2 1])",
        "isequal(sortrows([2 1; 1 2], -1), [2 1; 1 2])",
    ),
    see=("sort",),
)
def sortrows(a: Value, *args: Value) -> Value:
    """Sort whole rows by their columns, in the given order (negative: descending).

    Options: MissingPlacement (auto, first, last) and ComparisonMethod (auto, real, abs).
    """
    data = data_of(a)
    columns, direction, rules = _rows_order(args)
    picks = np.arange(1, data.shape[1] + 1) if columns is None else as_array(columns).ravel()
    known = set(range(1, data.shape[1] + 1)).issuperset(map(abs, picks.tolist()))
    if not known or (columns is not None and 1 not in size_of(columns)):
        text = "Column sorting vector must contain nonzero column numbers of the matrix."
        raise MatlabError("MATLAB:sortrows:COLmismatchX", text)
    down = [d.lower() == "descend" for d in texts_of(direction)]
    keys = data if data.dtype != object else np.vectorize(text_of, otypes=[object])(data)
    parts = [keys[:, abs(int(pick)) - 1] for pick in picks]

    def column_order(k: int, column: Array) -> Array:
        return _column_order(column, bool(picks[k] < 0 or down[k if len(down) > 1 else 0]), rules)

    order = order_of_rows(parts, data.shape[0], column_order)
    return rebuild(a, data[order]), unwrap((order + 1.0).reshape(-1, 1))


def _rows_order(args: tuple[Value, ...]) -> tuple[Value | None, Value, dict[str, str]]:
    """The columns, the directions and the rules that ``sortrows`` is told."""
    rest = list(args)
    columns = None
    direction: Value = "ascend"
    if rest and not (is_text_scalar(rest[0]) or is_cell(rest[0])):
        columns = rest.pop(0)
    if rest and (is_cell(rest[0]) or not is_text_scalar(rest[0]) or len(rest) % 2):
        direction = rest.pop(0)
    for word in texts_of(direction):
        if word.lower() not in ("ascend", "descend"):
            text = "Sorting direction must be 'ascend' or 'descend'."
            raise MatlabError("MATLAB:sortrows:sortDirection", text)
    options = option_pairs("sortrows", rest, "MissingPlacement ComparisonMethod")
    chosen = {k: one_of("sortrows", k, v, " ".join(_RULES[k])) for k, v in options.items()}
    return columns, direction, {k: v for k, v in chosen.items() if v != "auto"}


def _column_order(column: Array, descending: bool, rules: dict[str, str]) -> Array:
    if rules and column.dtype.kind in "fciub":
        return _ruled_order(column, 0, descending, rules)
    if column.dtype == object:
        return _text_order(column, descending)
    return _order(column, 0, descending=descending)


@builtin(
    "issorted",
    category=_FAMILY,
    signatures=("tf = issorted(A)", "tf = issorted(A, direction)"),
    cases=(
        "issorted([1 2 2])",
        "~issorted([2 1])",
        "~issorted([1 2 2], 'strictascend')",
        "issorted([3 2 1], 'monotonic')",
        "issorted([1 2 NaN])",
        "issorted([1 2; 1 3; 2 0], 'rows')",
    ),
    see=("sort",),
    device=of_resident(sorting_forms.issorted),
)
def issorted(ctx: CallContext, a: Value, *args: Value) -> Value:
    """True when the elements are in order: ascend, descend, monotonic, each also strict."""
    if not args:
        return _in_order(a, ("ascend",), strict=False)
    words = [text_of(v).lower() if is_char(v) or is_string(v) else "" for v in args]
    if words == ["rows"]:
        return ctx.call("issortedrows", (a,))[0]
    plain = [w.removeprefix("strict") for w in words]
    named = {"ascend", "descend", "monotonic"}.intersection(plain)
    ways = ("ascend", "descend") if "monotonic" in named else (next(iter(named), "ascend"),)
    rest = tuple(v for v, w in zip(args, plain, strict=True) if w not in named)
    strict = plain != words
    return any(_in_order(a, (*rest, way), strict=strict) for way in ways)


def _in_order(a: Value, args: tuple[Value, ...], *, strict: bool) -> bool:
    if isinstance(a, Cell | StringArray):
        texts, descending = texts_of(a), args[-1] == "descend"
        return texts == sorted(texts, reverse=descending) and not (
            strict and len(set(texts)) < len(texts)
        )
    x = as_array(a)
    if len(args) == 1 and x.ndim == 2 and 1 in x.shape and x.dtype.kind in "fiub":
        line = x.reshape(-1) if args[0] == "ascend" else x.reshape(-1)[::-1]
        stays = (line[1:] > line[:-1]) if strict else (line[1:] >= line[:-1])
        holds = bool(np.count_nonzero(stays) == stays.size)  # `all` takes long to begin
        if holds or not (x.dtype.kind == "f" and np.count_nonzero(np.isnan(line))):
            return holds
    axis, descending, rules = _sort_rules(x.shape, args)
    if axis >= x.ndim:
        return True
    order = _ruled_order(x, axis, descending, rules)
    stays = np.sort(order, axis=axis) == order
    if not strict:
        return bool(np.all(stays))
    ahead = np.diff(np.take_along_axis(x, order, axis=axis).astype(x.dtype), axis=axis)
    return bool(np.all(stays) and np.all(ahead != 0))


# --- find -------------------------------------------------------------------------------------


@builtin(
    "find",
    most=3,
    words="first last",
    category=_FAMILY,
    signatures=(
        "k = find(A)",
        "k = find(A, n)",
        "k = find(A, n, 'last')",
        "[row, col, v] = find(A)",
    ),
    cases=(
        "isequal(find([0 1 1]), [2 3])",
        "find([0 1 1], 1) == 2",
        "isequal(find([0 1; 1 0]), [2; 3])",
        "find([1 1 0], 1, 'last') == 2",
    ),
    device=term_form(sorting_forms.find),
    see=("any", "nnz"),
)
def find(
    a: Value, n: Value | None = None, direction: Value = "first", *, nargout: int = 1
) -> Value:
    """Indices of nonzero elements."""
    x = as_array(a)
    flat = x.ravel(order="F")
    (places,) = flat.nonzero()
    if n is not None:
        count = int_of(n)
        places = places[:count] if text_of(direction) == "first" else places[-count:]
    shape = _find_shape(x.shape, places.size)
    if nargout <= 1:
        return unwrap((places + 1.0).reshape(shape))
    height = max(x.shape[0], 1)
    row, column = places % height + 1.0, places // height + 1.0
    values = canonical(flat[places].reshape(shape))
    return unwrap(row.reshape(shape)), unwrap(column.reshape(shape)), values


def _find_shape(shape: tuple[int, ...], count: int) -> tuple[int, int]:
    if len(shape) == 2 and shape[0] == 1 and shape[1] != 1:
        return (1, count)
    if shape == (0, 0) or (shape == (1, 1) and count == 0):
        return (0, 0)
    return (count, 1)


# --- unique -----------------------------------------------------------------------------------


_UNIQUE_WORDS = ("rows", "sorted", "stable", "legacy", "first", "last")


@builtin(
    "unique",
    scalar=lambda x: x,
    category="sets",
    signatures=(
        "C = unique(A)",
        "[C, ia, ic] = unique(A)",
        "C = unique(A, 'stable')",
        "C = unique(A, 'rows')",
        "[C, ia, ic] = unique(A, 'last')",
    ),
    device=of_resident(set_forms.unique),
    cases=(
        "isequal(unique([3 1 1]), [1 3])",
        "isequal(unique({'b', 'a', 'b'}), {'a', 'b'})",
        "isequal(unique([3 1 1], 'stable'), [3 1])",
        "isequal(unique([1 2; 1 2], 'rows'), [1 2])",
    ),
    see=("ismember", "union"),
)
def unique(a: Value, *options: Value, nargout: int = 3) -> Value:
    """Distinct values in sorted order, with the indices that make them."""
    if nargout < 2 and not options and is_plain_vector(a):
        ordered = _plainly_sorted(a, axis=None, kind="stable")
        new = np.ones(ordered.size, dtype=bool)
        np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
        return unwrap(ordered[new].reshape((1, -1) if a.shape[0] == 1 else (-1, 1)))
    if isinstance(a, Struct | StructArray | ObjectValue | ObjectArray):
        raise undefined_for_class("unique", a)
    words = set_words("unique", options, _UNIQUE_WORDS)
    if "legacy" in words:
        return _unique_legacy(a, words)
    if isinstance(a, Cell | StringArray):
        return _unique_texts(a, words)
    data = data_of(a)
    if "rows" in words and data.ndim > 2:
        raise MatlabError("MATLAB:UNIQUE:ANotAMatrix", "The 'rows' option needs a matrix.")
    if "rows" in words and data.shape[0] + data.shape[1] > 0:
        return _unique_rows(a, data, words)
    flat = data.ravel(order="F")
    first, codes = group_codes(flat, last="last" in words)
    if "stable" in words:
        first, codes = _stable(first, codes)
    row = data.ndim == 2 and data.shape[0] == 1 and data.shape[1] != 0
    shape: tuple[int, ...] = (1, first.size) if row else (first.size, 1)
    if data.size == 0:
        kept = data.ndim == 2 and (data.shape == (0, 0) or 1 in data.shape)
        shape = data.shape if kept else (0, 1)
    return rebuild(a, flat[first].reshape(shape)), _column(first + 1.0), _column(codes + 1.0)


def _unique_legacy(a: Value, words: set[str]) -> Value:
    """Last occurrences unless ``first`` is asked for, indices as rows."""
    rest: list[str] = [w for w in ("rows", "first") if w in words]
    rest += [] if "first" in words else ["last"]
    made = unique(a, *rest)
    assert isinstance(made, tuple)
    values, *indices = made
    shape = (-1, 1) if "rows" in words else (1, -1)
    return values, *(unwrap(as_array(v).reshape(shape)) for v in indices)


def _column(x: Array) -> Value:
    return unwrap(np.asarray(x, dtype=np.float64).reshape(-1, 1))


def group_codes(flat: Array, *, last: bool = False) -> tuple[Array, Array]:
    """First (or last) index of every distinct value in sorted order, and each element's group.

    Every NaN is a group of its own.
    """
    span = dense_range(flat, flat.size)
    places = None if span is None else offsets(flat, *span)
    if span is not None and places is not None:
        return _tabled_codes(places, span[1], last=last)
    order = _order(flat, 0, descending=False) if flat.size else np.zeros(0, dtype=np.int64)
    ordered = flat[order]
    return _codes_along(order, ordered[1:] != ordered[:-1], last=last)


def row_codes(data: Array, *, last: bool = False) -> tuple[Array, Array]:
    """The same of the rows of a matrix; a row with NaN is a group of its own."""
    columns = list(data.T)
    if data.dtype.kind == "c":
        columns = [part for column in columns for part in (np.abs(column), np.angle(column))]
    order = np.lexsort(columns[::-1]) if columns else np.arange(data.shape[0])
    ordered = data[order]
    return _codes_along(order, (ordered[1:] != ordered[:-1]).any(axis=1), last=last)


def _codes_along(order: Array, differs: Array, *, last: bool) -> tuple[Array, Array]:
    """Groups of elements in a stable order, by whether each differs from the one before it."""
    if not order.size:
        return order, order
    new = np.concatenate(([True], differs))
    codes = np.empty(order.size, dtype=np.int64)
    codes[order] = np.cumsum(new) - 1
    edges = np.flatnonzero(new)
    if last:
        edges = np.append(edges[1:], order.size) - 1
    return order[edges], codes


def _tabled_codes(places: Array, count: int, *, last: bool) -> tuple[Array, Array]:
    """The same of whole numbers from 0 below ``count``, by a table of them all."""
    at = np.full(count, -1)
    numbers = np.arange(places.size)
    if last:
        at[places] = numbers
    else:
        at[places[::-1]] = numbers[::-1]  # the first one is written last
    there = at >= 0
    return at[there], (np.cumsum(there) - 1)[places]


def _stable(first: Array, codes: Array) -> tuple[Array, Array]:
    rank = np.argsort(first, kind="stable")
    position = np.empty_like(rank)
    position[rank] = np.arange(rank.size)
    return first[rank], position[codes] if codes.size else codes


def _unique_rows(a: Value, data: Array, words: set[str]) -> Value:
    first, codes = row_codes(data, last="last" in words)
    if "stable" in words:
        first, codes = _stable(first, codes)
    return rebuild(a, data[first]), _column(first + 1.0), _column(codes + 1.0)


def _unique_texts(a: Cell | StringArray, words: set[str]) -> Value:
    if isinstance(a, Cell) and not is_cellstr(a):
        text = "Cell array input must be a cell array of character vectors."
        raise MatlabError("MATLAB:UNIQUE:InputClass", text)
    texts = texts_of(a)
    places: dict[str, int] = {}
    for i, text in enumerate(texts):
        if "last" in words or text not in places:
            places[text] = i
    keys = list(places) if "stable" in words else sorted(places)
    rank = {key: k for k, key in enumerate(keys)}
    codes = np.array([rank[t] for t in texts])
    row = a.shape[0] == 1 and len(a.shape) == 2 and a.shape[1] > 0
    shape = (1, len(keys)) if row else (len(keys), 1)
    shape = a.shape if a.shape in {(0, 0), (1, 0)} else shape
    data = object_array(keys, shape)
    first = np.array([places[k] for k in keys])
    return type(a)(data), _column(first + 1.0), _column(codes + 1.0)


def _top(a: Value, k: Value, args: tuple[Value, ...], *, largest: bool) -> Value:
    data = as_array(a)
    rest = args[1:] if args and not is_text_scalar(args[0]) else args
    axis = dimension(args[0]) if len(rest) < len(args) else first_axis(data.shape)
    name = "maxk" if largest else "mink"
    options = option_pairs(name, rest, "ComparisonMethod")
    method = one_of(name, "ComparisonMethod", options.get("comparisonmethod", "auto"), _METHODS)
    if axis >= data.ndim:
        data = data.reshape(*data.shape, *(1,) * (axis + 1 - data.ndim), order="F")
    count = min(int_of(k), data.shape[axis])
    rules = {} if method == "auto" else {"comparisonmethod": method, "missingplacement": "last"}
    order = (
        _ruled_order(data, axis, largest, rules)
        if rules
        else _order(data, axis, descending=largest)
    )
    order = np.take(order, np.arange(count), axis=axis)
    return canonical(np.take_along_axis(data, order, axis=axis)), unwrap(order + 1.0)


@builtin(
    "maxk",
    category=_FAMILY,
    signatures=("[B, I] = maxk(A, k)", "B = maxk(A, k, dim)"),
    device=term_form(sorting_forms.maxk),
    cases=("isequal(maxk([1 5 3], 2), [5 3])",),
    see=("mink", "sort"),
)
def maxk(a: Value, k: Value, *args: Value) -> Value:
    """The k largest elements."""
    return _top(a, k, args, largest=True)


@builtin(
    "mink",
    category=_FAMILY,
    signatures=("[B, I] = mink(A, k)", "B = mink(A, k, dim)"),
    device=term_form(sorting_forms.mink),
    cases=("isequal(mink([1 5 3], 2), [1 3])",),
    see=("maxk", "sort"),
)
def mink(a: Value, k: Value, *args: Value) -> Value:
    """The k smallest elements."""
    return _top(a, k, args, largest=False)


@builtin(
    "nonzeros",
    category=_FAMILY,
    signatures=("v = nonzeros(A)",),
    device=term_form(sorting_forms.nonzeros),
    cases=("isequal(nonzeros([1 0 2]), [1; 2])",),
    see=("find", "nnz"),
)
def nonzeros(a: Value) -> Value:
    """Nonzero elements as a column."""
    flat = as_array(a).ravel(order="F")
    return canonical(flat[flat != 0].reshape(-1, 1))
