"""Making categoricals and changing their categories."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.checks import option_pairs, switch_of, unknown_option
from app.engine.arguments.dimensions import dimension, first_axis
from app.engine.builtins.arrays.categorical_class import Categorical, counts, from_texts
from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.declarations.registry import builtin
from app.engine.operators.string_operators import number_text
from app.engine.values import (
    EMPTY,
    Cell,
    Value,
    as_array,
    canonical,
    class_of,
    is_cell,
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

_FAMILY = "categories"


@builtin(
    "categorical",
    category=_FAMILY,
    signatures=(
        "C = categorical(A)",
        "C = categorical(A, valueset)",
        "C = categorical(A, valueset, names)",
        "C = categorical(..., 'Ordinal', true)",
    ),
    cases=(
        "isequal(categories(categorical({'b', 'a', 'b'})), {'a'; 'b'})",
        "isequal(categorical({'a', 'b'}) == 'a', [true false])",
    ),
    see=("categories", "countcats", "discretize"),
)
def categorical(a: Value = EMPTY, *args: Value) -> Value:
    """Values from a set of named categories."""
    rest, options = list(args), {"ordinal": False, "protected": False}
    while len(rest) >= 2 and is_text_scalar(rest[-2]) and text_of(rest[-2]).lower() in options:
        options[text_of(rest[-2]).lower()] = switch_of(text_of(rest[-2]), rest[-1])
        del rest[-2:]
    if rest and (len(rest) > 2 or (is_text_scalar(rest[0]) and not is_text_scalar(a))):
        raise unknown_option("categorical", text_of(rest[-1]), "Ordinal Protected")
    made = _categorical_of(a, rest[0] if rest else None)
    if len(rest) > 1:
        made = Categorical(made.data, texts_of(rest[1]))
    return Categorical(made.data, made.names, options["ordinal"], options["protected"])


def _categorical_of(a: Value, values: Value | None) -> Categorical:
    if isinstance(a, Categorical):
        if values is None:
            return a
        wanted = Categorical(np.zeros((0, 0)), texts_of(values))
        full = wanted.aligned(a)
        data = np.where(full.data > len(wanted.names), np.nan, full.data)
        return Categorical(data, wanted.names)
    if is_char(a) or is_string(a) or is_cell(a):
        return from_texts(a, texts_of(values) if values is not None else None)
    if isinstance(a, NativeArray):
        texts = Cell(object_array(a.texts(), a.shape))
        return from_texts(texts, None)
    x = as_array(a)
    logical = class_of(a) == "logical"
    known = (
        np.unique(x[~np.isnan(x)] if x.dtype.kind == "f" else x)
        if values is None
        else (as_array(values).ravel(order="F"))
    )
    names = [("true" if k else "false") if logical else number_text(k) for k in known.tolist()]
    data = np.full(x.shape, np.nan)
    for k, value in enumerate(known.tolist()):
        data[x == value] = k + 1.0
    return Categorical(data, names)


def _checked_categorical(c: Value) -> Categorical:
    if not isinstance(c, Categorical):
        text = "Input must be a categorical array."
        raise MatlabError("MATLAB:categorical:InvalidInput", text)
    return c


@builtin(
    "iscategorical",
    category=_FAMILY,
    signatures=("tf = iscategorical(x)",),
    cases=("iscategorical(categorical({'a'}))", "~iscategorical(1)"),
)
def iscategorical(x: Value) -> Value:
    """True for categorical arrays."""
    return isinstance(x, Categorical)


@builtin(
    "categories",
    category=_FAMILY,
    signatures=("c = categories(C)",),
    cases=("numel(categories(categorical([1 2 1]))) == 2",),
    see=("addcats",),
)
def categories(c: Value) -> Value:
    """Names of the categories as a column cell."""
    names = _checked_categorical(c).names
    return Cell(object_array(names, (len(names), 1)))


@builtin(
    "countcats",
    category=_FAMILY,
    signatures=("n = countcats(C)", "n = countcats(C, dim)"),
    cases=("isequal(countcats(categorical({'a', 'b', 'a'})), [2 1])",),
)
def countcats(c: Value, dim: Value | None = None) -> Value:
    """How often every category occurs, along a dimension."""
    c = _checked_categorical(c)
    axis = dimension(dim) if dim is not None else first_axis(c.shape)
    each = [(c.data == k + 1.0).sum(axis=axis, keepdims=True) for k in range(len(c.names))]
    return canonical(np.concatenate([e.astype(np.float64) for e in each], axis=axis))


@builtin(
    "isundefined",
    category=_FAMILY,
    signatures=("tf = isundefined(C)",),
    cases=("isundefined(categorical({''}))",),
)
def isundefined(c: Value) -> Value:
    """True for elements of no category."""
    return unwrap(np.isnan(_checked_categorical(c).data))


@builtin(
    "isordinal",
    category=_FAMILY,
    signatures=("tf = isordinal(C)",),
    cases=("isordinal(categorical({'a'}, 'Ordinal', true))",),
)
def isordinal(c: Value) -> Value:
    """True when the categories have an order."""
    return _checked_categorical(c).ordinal


@builtin(
    "isprotected",
    category=_FAMILY,
    signatures=("tf = isprotected(C)",),
    cases=("~isprotected(categorical({'a'}))",),
)
def isprotected(c: Value) -> Value:
    """True when categories must be added before they are used."""
    return _checked_categorical(c).protected


@builtin(
    "iscategory",
    category=_FAMILY,
    signatures=("tf = iscategory(C, names)",),
    cases=("iscategory(categorical({'a'}), 'a')",),
)
def iscategory(c: Value, names: Value) -> Value:
    """True for names that are categories."""
    found = [n in _checked_categorical(c).names for n in texts_of(names)]
    return found[0] if len(found) == 1 else unwrap(np.array(found).reshape(size_of(names)))


@builtin(
    "addcats",
    category=_FAMILY,
    signatures=(
        "C = addcats(C, names)",
        "C = addcats(C, names, 'Before', name)",
        "C = addcats(C, names, 'After', name)",
    ),
    cases=("numel(categories(addcats(categorical({'a'}), 'b'))) == 2",),
)
def addcats(c: Value, names: Value, *options: Value) -> Value:
    """Add categories."""
    c = _checked_categorical(c)
    extra = [n for n in texts_of(names) if n not in c.names]
    words = option_pairs("addcats", options, "Before After")
    at = len(c.names)
    for word in ("before", "after"):
        if word in words:
            beside = text_of(words[word])
            if beside not in c.names:
                text = f"'{beside}' is not a category."
                raise MatlabError("MATLAB:categorical:addcats:UnrecognizedCategory", text)
            at = c.names.index(beside) + (word == "after")
    wide = Categorical(c.data, [*c.names, *extra], c.ordinal, c.protected)
    return _with_categories(wide, [*c.names[:at], *extra, *c.names[at:]])


@builtin(
    "removecats",
    category=_FAMILY,
    signatures=("C = removecats(C)", "C = removecats(C, names)"),
    cases=("isempty(categories(removecats(categorical({'a'}), 'a')))",),
)
def removecats(c: Value, names: Value | None = None) -> Value:
    """Remove categories, those that do not occur unless named."""
    held = _checked_categorical(c)
    gone = (
        texts_of(names)
        if names is not None
        else [name for name, k in zip(held.names, counts(held), strict=True) if not k]
    )
    return _with_categories(held, [x for x in held.names if x not in gone])


def _with_categories(c: Categorical, names: list[str]) -> Categorical:
    base = Categorical(np.zeros((0, 0)), names)
    data = base.aligned(c).data
    return Categorical(np.where(data > len(names), np.nan, data), names, c.ordinal, c.protected)


@builtin(
    "setcats",
    category=_FAMILY,
    signatures=("C = setcats(C, names)",),
    cases=("isequal(categories(setcats(categorical({'a'}), {'b', 'a'})), {'b'; 'a'})",),
)
def setcats(c: Value, names: Value) -> Value:
    """Replace the set of categories."""
    return _with_categories(_checked_categorical(c), texts_of(names))


@builtin(
    "reordercats",
    category=_FAMILY,
    signatures=("C = reordercats(C)", "C = reordercats(C, names)"),
    cases=("isequal(categories(reordercats(categorical({'a', 'b'}), {'b', 'a'})), {'b'; 'a'})",),
)
def reordercats(c: Value, names: Value | None = None) -> Value:
    """Change the order of categories."""
    c = _checked_categorical(c)
    if names is None:
        return _with_categories(_checked_categorical(c), sorted(c.names))
    if is_cell(names) or is_string(names):
        return _with_categories(c, texts_of(names))
    places = as_array(names).ravel().tolist()
    if sorted(places) != list(range(1, len(c.names) + 1)):
        text = "The new order must name each category once, by its name or number."
        raise MatlabError("MATLAB:categorical:reordercats:InvalidNewOrder", text)
    return _with_categories(c, [c.names[int(k) - 1] for k in places])


@builtin(
    "renamecats",
    category=_FAMILY,
    signatures=("C = renamecats(C, names)", "C = renamecats(C, old, new)"),
    cases=("renamecats(categorical({'a'}), 'a', 'x') == 'x'",),
)
def renamecats(c: Value, first: Value, second: Value | None = None) -> Value:
    """Rename categories."""
    c = _checked_categorical(c)
    old, new = (c.names, texts_of(first)) if second is None else (texts_of(first), texts_of(second))
    table = dict(zip(old, new, strict=True))
    return Categorical(c.data, [table.get(n, n) for n in c.names], c.ordinal, c.protected)


@builtin(
    "mergecats",
    category=_FAMILY,
    signatures=("C = mergecats(C, old)", "C = mergecats(C, old, new)"),
    cases=("isequal(categories(mergecats(categorical({'a', 'b'}), {'a', 'b'}, 'z')), {'z'})",),
)
def mergecats(c: Value, old: Value, new: Value | None = None) -> Value:
    """Merge categories into one."""
    c = _checked_categorical(c)
    merged = texts_of(old)
    name = text_of(new) if new is not None else merged[0]
    names = list(dict.fromkeys(name if n in merged else n for n in c.names))
    table = np.array([np.nan, *(names.index(name if n in merged else n) + 1.0 for n in c.names)])
    data = table[np.nan_to_num(c.data, nan=0.0).astype(np.int64)]
    return Categorical(data, names, c.ordinal, c.protected)
