"""Sets: ismember, union, intersect, setdiff, setxor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from app.accel.numerics.host_sort import TABLED, dense_range, offsets
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.arrays import array_forms, set_forms
from app.engine.builtins.arrays.set_forms import is_row_of_sets
from app.engine.builtins.arrays.set_options import check_sets, set_words
from app.engine.builtins.arrays.sorting import group_codes
from app.engine.declarations.device_support import of_resident, term_form
from app.engine.declarations.registry import builtin
from app.engine.operators.arithmetic import WIDE, cast
from app.engine.operators.element_arrays import data_of, rebuild
from app.engine.operators.texts import is_text
from app.engine.values import (
    Array,
    Cell,
    StringArray,
    Value,
    as_array,
    class_of,
    is_cellstr,
    is_char,
    is_integer_class,
    numel,
    object_array,
    size_of,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError

if TYPE_CHECKING:
    from typing_extensions import TypeIs

_FAMILY = "sets"


def _is_text_set(v: Value) -> TypeIs[Cell | StringArray]:
    return isinstance(v, Cell | StringArray)


# --- ismember ---------------------------------------------------------------------------------


@builtin(
    "ismember",
    category=_FAMILY,
    signatures=("tf = ismember(A, S)", "[tf, k] = ismember(A, S)", "tf = ismember(A, S, 'rows')"),
    device=term_form(array_forms.ismember),
    cases=(
        "ismember(2, [1 2 3])",
        "isequal(ismember([1 5], [1 2]), [true false])",
        "ismember('a', {'a', 'b'})",
        "isequal(ismember({'a', 'z'}, {'a'}), [true false])",
        "isequal(ismember([1 2; 3 4], [3 4], 'rows'), [false; true])",
        "~ismember([NaN 1], [NaN 1], 'rows')",
    ),
    see=("unique", "intersect"),
)
def ismember(a: Value, s: Value, *options: Value, nargout: int = 1) -> Value:
    """True where an element is in a set, and where in the set it first is."""
    words = set_words("ismember", options, ("rows", "legacy"))
    if "rows" in words:
        _check_rows("ismember", a, s)
        return _member_rows(as_array(a), as_array(s))
    if _is_text_set(s) or _is_text_set(a):
        numbers = isinstance(s, Cell) and isinstance(a, float | bool | complex | np.ndarray)
        if numbers or any(isinstance(v, Cell) and not is_cellstr(v) for v in (a, s)):
            text = (
                f"Input A of class {class_of(a)} and input B of class {class_of(s)} must be "
                "cell arrays of character vectors, unless one is a character vector."
            )
            raise MatlabError("MATLAB:ISMEMBER:InputClass", text)
        return _member_texts(a, s)
    x, y = as_array(a), as_array(s)
    if {x.dtype.kind, y.dtype.kind} > {"f"} and not WIDE.isdisjoint((x.dtype, y.dtype)):
        # Doubles would round the integers.
        x, y = x.astype(np.longdouble), y.astype(np.longdouble)
    flat, ordered = x.ravel(order="F"), y.ravel(order="F")
    if type(a) is float and nargout < 2:
        return bool((ordered == a).any())
    tabled = "legacy" not in words and flat.dtype.kind in "fiub" and flat.itemsize <= 8
    span = dense_range(ordered, flat.size) if tabled else None
    keys = None if span is None else offsets(ordered, *span)
    if span is not None and keys is not None:
        inside, index = _looked_up(flat, keys, *span)
        return unwrap(inside.reshape(x.shape, order="F")), unwrap(index.reshape(x.shape, order="F"))
    order = np.argsort(ordered, kind="stable")
    if "legacy" in words:
        places = np.maximum(np.searchsorted(ordered, flat, side="right", sorter=order) - 1, 0)
    else:
        places = np.searchsorted(ordered, flat, sorter=order)
    inside = places < ordered.size
    index = np.zeros(flat.size)
    if ordered.size:
        hits = order[np.minimum(places, ordered.size - 1)]
        inside &= ordered[hits] == flat
        index = np.where(inside, hits + 1.0, 0.0)
    shape = x.shape
    return unwrap(inside.reshape(shape, order="F")), unwrap(index.reshape(shape, order="F"))


def _looked_up(flat: Array, keys: Array, low: float, count: int) -> tuple[Array, Array]:
    """Whether numbers are in a set, and where: by a table of the whole numbers of its range."""
    table = np.zeros(count)
    table[keys[::-1]] = np.arange(keys.size, 0.0, -1.0)  # the first one is written last
    inside = (flat >= low) & (flat < low + count)
    offset = np.where(inside, flat - low, 0.0)
    places = offset.astype(np.intp)
    index = table[places]
    inside &= (places == offset) & (index > 0)
    return inside, np.where(inside, index, 0.0)


def _member_texts(a: Value, s: Value) -> Value:
    places: dict[str, float] = {}
    for i, text in enumerate(_texts(s)):
        places.setdefault(text, i + 1.0)
    texts = _texts(a)
    index = np.array([places.get(t, 0.0) for t in texts])
    shape = size_of(a) if _is_text_set(a) else (1, 1)
    if index.size != int(np.prod(shape)):
        shape = (index.size, 1)
    index = index.reshape(shape, order="F")
    return unwrap(index > 0), unwrap(index)


def _texts(v: Value) -> list[str]:
    """Texts of a set; elements that are no text match nothing."""
    if isinstance(v, Cell):
        items = v.items()
        if {str}.issuperset(map(type, items)):
            return items  # type: ignore[return-value]  # all were seen to be texts
        return [text_of(x) if is_text(x) else f"\0{i}" for i, x in enumerate(items)]
    if numel(v) == 0 and not isinstance(v, StringArray):
        return [] if not is_text(v) or not isinstance(v, str) else [""]
    return texts_of(v) if is_text(v) else ["\0"]


def _member_rows(x: Array, y: Array) -> Value:
    known: dict[bytes, float] = {}
    wide = np.result_type(x, y)
    for i, row in enumerate(np.ascontiguousarray(y.astype(wide) + 0)):
        known.setdefault(row.tobytes(), i + 1.0)
    rows = np.ascontiguousarray(x.astype(wide) + 0)
    index = np.array([known.get(row.tobytes(), 0.0) for row in rows]).reshape(-1, 1)
    if x.dtype.kind in "fc":
        index[np.isnan(x).any(axis=1)] = 0.0  # equals nothing
    return unwrap(index > 0), unwrap(index)


# --- two sets ---------------------------------------------------------------------------------


def _keys(v: Value, *, texts: bool, rows: bool) -> list[object]:
    """Hashable keys of the elements (or rows) of a set."""
    if texts:
        return list(_texts(v))
    data = data_of(v)
    if rows:
        return [tuple(r) for r in data.tolist()]
    return data.ravel(order="F").tolist()


def _firsts(keys: list[object], *, last: bool = False) -> dict[object, int]:
    found: dict[object, int] = {}
    for i, key in enumerate(keys):
        if last or key not in found:
            found[key] = i
    return found


def _make(
    like: Value, other: Value, keys: list[object] | Array, *, row: bool, texts: bool, rows: bool
) -> Value:
    none = len(keys) == 0
    if texts:
        string = isinstance(like, StringArray) or isinstance(other, StringArray)
        shape = (1, len(keys)) if row else (len(keys), 1)
        if none:
            shape = (0, 1) if not row else (1, 0)
        return (StringArray if string else Cell)(object_array(keys, shape))
    base, second = data_of(like), data_of(other)
    flat = [x for key in keys for x in key] if rows else keys  # type: ignore[union-attr]
    data = _of_keys(flat, _element_type(base, second))
    if rows:
        data = data.reshape(len(keys), base.shape[1] if base.size else second.shape[1])
    else:
        data = data.reshape((1, -1) if row else (-1, 1))
    if none and not rows and base.shape == second.shape == (0, 0):
        data = data.reshape(0, 0)
    return rebuild(other if is_char(other) and not is_char(like) else like, data)


def _of_keys(keys: list[object] | Array, kind: np.dtype[Any]) -> Array:
    """Keys as an array of a class; NumPy would make doubles of integers on both sides of 2^63."""
    if kind.kind not in "iu" or isinstance(keys, np.ndarray):
        return cast(np.array(keys), kind)
    whole = np.array([type(key) is int for key in keys], dtype=bool)
    made: Array = np.empty(len(keys), kind)
    made[whole] = [key for key in keys if type(key) is int]
    made[~whole] = cast(np.array([key for key in keys if type(key) is not int]), kind)
    return made


def _element_type(x: Array, y: Array) -> np.dtype[Any]:
    """The class of a combination: integers win, then single; empties do not count."""
    if not x.size or not y.size:
        return (x if x.size else y).dtype
    for a in (x, y):
        if a.dtype.kind in "iu" and a.dtype != np.uint32:
            return a.dtype
    single = np.float32 in (x.dtype, y.dtype)
    return np.dtype(np.float32) if single else np.result_type(x, y)


def _check_rows(name: str, a: Value, b: Value) -> None:
    """Refuse arrays whose rows cannot be compared."""
    shapes = size_of(a), size_of(b)
    sized = [s for s in shapes if s != (0, 0)]
    if any(len(s) > 2 for s in sized) or len({s[1] for s in sized}) > 1:
        text = "Inputs A and B must be matrices with the same number of columns."
        raise MatlabError(f"MATLAB:{name.upper()}:AandBColnumAgree", text)


def _as_joined(v: Value, other: Value) -> Value:
    """Real numbers in the integer class of the other set, which is the class of ``[v; other]``."""
    if is_integer_class(other) and isinstance(v, float | bool | np.ndarray):
        numbers = as_array(v)
        if numbers.dtype.kind in "fb":
            return cast(numbers, as_array(other).dtype)
    return v


def _combine(name: str, a: Value, b: Value, options: tuple[Value, ...]) -> Value:
    words = set_words(name, options, ("rows", "sorted", "stable", "legacy"))
    check_sets(name, a, b, words)
    texts = _is_text_set(a) or _is_text_set(b)
    for v in (a, b):
        if not texts and data_of(v).dtype == object:
            raise undefined_for_class(name, v)
    rows, legacy = "rows" in words, "legacy" in words
    if rows:
        _check_rows(name, a, b)
    if name != "setdiff":
        a, b = _as_joined(a, b), _as_joined(b, a)
    if not (texts or rows or legacy):
        x, y = (data_of(v).ravel(order="F") for v in (a, b))
        if x.size + y.size >= TABLED and _are_compared_exactly(x, y):
            values, ia, ib = _combined_numbers(name, x, y, stable="stable" in words)
            found = _result(name, a, b, values, texts=False, rows=False)
            return found, unwrap(ia.reshape(-1, 1)), unwrap(ib.reshape(-1, 1))
    first = _firsts(_keys(a, texts=texts, rows=rows), last=legacy)
    second = _firsts(_keys(b, texts=texts, rows=rows), last=legacy)
    if name == "union":
        keys = list(first) + [k for k in second if k not in first]
    elif name == "intersect":
        keys = [k for k in first if k in second]
    elif name == "setdiff":
        keys = [k for k in first if k not in second]
    else:
        keys = [k for k in first if k not in second] + [k for k in second if k not in first]
    if "stable" not in words:
        if any(isinstance(k, complex) for k in keys):
            keys = [complex(k) for k in keys]  # type: ignore[call-overload]
        keys.sort(key=_sort_key)
    result = _result(name, a, b, keys, texts=texts, rows=rows)
    return result, *_indices(name, keys, first, second, legacy=legacy, rows=rows)


def _result(
    name: str, a: Value, b: Value, keys: list[object] | Array, *, texts: bool, rows: bool
) -> Value:
    """The elements of a combination as a value of its operands' class and direction."""
    row = is_row_of_sets(a, b) if name != "setdiff" else size_of(a)[0] == 1 and numel(a) > 0
    other = a if name == "setdiff" else b
    result = _make(a, other, keys, row=row, texts=texts, rows=rows)
    if not len(keys) and not rows and 0 in (numel(a), numel(b)):
        result = _empty_set(a if name == "setdiff" else b if is_char(b) else a, result, texts=texts)
    return result


def _are_compared_exactly(x: Array, y: Array) -> bool:
    """Whether real numbers of these types are as different in the type they share."""
    if x.dtype.kind not in "fiub" or y.dtype.kind not in "fiub":
        return False
    return x.dtype == y.dtype or max(_digits(x), _digits(y)) <= np.finfo(np.float64).nmant


def _digits(x: Array) -> int:
    """The binary digits that a whole number of an array may take."""
    return 8 * x.dtype.itemsize if x.dtype.kind in "iu" else 0


def _combined_numbers(name: str, x: Array, y: Array, *, stable: bool) -> tuple[Array, Array, Array]:
    """A combination of many real numbers, and the places in both sets that it is made of."""
    wide = np.result_type(x, y) if x.dtype == y.dtype else np.dtype(np.float64)
    first, second = group_codes(x)[0], group_codes(y)[0]
    mine, theirs = x[first].astype(wide), y[second].astype(wide)
    shared = _is_in(mine, theirs)
    if name in {"intersect", "setdiff"}:
        kept = shared if name == "intersect" else ~shared
        ia, ib = first[kept], np.zeros(0, np.int64)
    else:
        ia, ib = first if name == "union" else first[~shared], second[~_is_in(theirs, mine)]
    if stable:
        ia, ib = np.sort(ia), np.sort(ib)
    values = np.concatenate((x[ia].astype(wide), y[ib].astype(wide)))
    order = np.arange(values.size) if stable else np.argsort(values, kind="stable")
    values = values[order]
    if name == "intersect":
        ib = second[np.searchsorted(theirs, values)]
    elif ib.size and not stable:
        own = order < ia.size
        ia, ib = ia[order[own]], ib[order[~own] - ia.size]
    return values, ia + 1.0, ib + 1.0


def _is_in(x: Array, known: Array) -> Array:
    """Whether sorted numbers are among others that are sorted; NaN never is."""
    if not known.size:
        return np.zeros(x.size, bool)
    places = np.minimum(np.searchsorted(known, x), known.size - 1)
    return np.asarray(known[places] == x)


def _empty_set(like: Value, result: Value, *, texts: bool) -> Value:
    """The empty result of a set and an empty one: 0x0."""
    if texts:
        made = object_array([], (0, 0))
        return Cell(made) if isinstance(result, Cell) else StringArray(made)
    return rebuild(like, data_of(like)[:0, :0]) if len(size_of(like)) == 2 else result


def _indices(
    name: str,
    keys: list[object],
    first: dict[object, int],
    second: dict[object, int],
    *,
    legacy: bool,
    rows: bool,
) -> tuple[Value, Value]:
    """Where the result's elements came from; legacy prefers the second set and gives rows."""
    both = name == "intersect"
    mine = [k for k in keys if k in first and (both or not legacy or k not in second)]
    theirs = [k for k in keys if k in second and (both or legacy or k not in first)]
    shape = (1, -1) if legacy and not rows else (-1, 1)
    ia = np.array([first[k] + 1.0 for k in mine]).reshape(shape)
    ib = np.array([second[k] + 1.0 for k in theirs]).reshape(shape)
    return unwrap(ia), unwrap(ib)


def _sort_key(key: object) -> tuple[bool, object]:
    if isinstance(key, complex):
        return (False, (abs(key), float(np.angle(key))))
    return (isinstance(key, float) and bool(np.isnan(key)), key)


@builtin(
    "union",
    category=_FAMILY,
    signatures=("C = union(A, B)", "[C, ia, ib] = union(A, B)", "C = union(A, B, 'stable')"),
    device=of_resident(set_forms.union),
    cases=(
        "isequal(union([3 1], [2 1]), [1 2 3])",
        "isequal(union({'b'}, {'a'}), {'a', 'b'})",
        "isequal(union(uint8([1 255]), [300 1.2]), uint8([1 255]))",
    ),
    see=("intersect", "unique"),
)
def union(a: Value, b: Value, *options: Value) -> Value:
    """Values that are in one set or the other, sorted."""
    return _combine("union", a, b, options)


@builtin(
    "intersect",
    category=_FAMILY,
    signatures=("C = intersect(A, B)", "[C, ia, ib] = intersect(A, B)"),
    device=of_resident(set_forms.intersect),
    cases=(
        "isequal(intersect([3 1 2], [2 3 5]), [2 3])",
        "isequal(intersect(uint64([2 1 0]), -Inf), uint64(0))",
    ),
    see=("union", "ismember"),
)
def intersect(a: Value, b: Value, *options: Value) -> Value:
    """Values that are in both sets, sorted."""
    return _combine("intersect", a, b, options)


@builtin(
    "setdiff",
    category=_FAMILY,
    signatures=("C = setdiff(A, B)", "[C, ia] = setdiff(A, B)", "C = setdiff(A, B, 'stable')"),
    device=of_resident(set_forms.setdiff),
    cases=("isequal(setdiff([1 2 3], 2), [1 3])", "isequal(setdiff({'a', 'b'}, {'a'}), {'b'})"),
    see=("union", "setxor"),
)
def setdiff(a: Value, b: Value, *options: Value) -> Value:
    """Values of the first set that are not in the second, sorted."""
    return _combine("setdiff", a, b, options)


@builtin(
    "setxor",
    category=_FAMILY,
    signatures=("[C, ia, ib] = setxor(A, B)",),
    device=of_resident(set_forms.setxor),
    cases=(
        "isequal(setxor([1 2], [2 3]), [1 3])",
        "isequal(setxor(int8([1 2; 3 4]), [1.4 2], 'rows'), int8([3 4]))",
    ),
    see=("setdiff",),
)
def setxor(a: Value, b: Value, *options: Value) -> Value:
    """Values that are in exactly one of two sets, sorted."""
    return _combine("setxor", a, b, options)
