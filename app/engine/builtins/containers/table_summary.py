"""Groups of a table summarised, changed, chosen and laid out: groupsummary and its kin, pivot.

Statistics leave out missing values; rows whose key is missing are a group of their own.
"""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import flag, one_of, option_pairs
from app.engine.builtins.containers.table_class import Table, table_argument
from app.engine.builtins.containers.table_group import groups_of, upright
from app.engine.builtins.containers.table_rows import rows_at, variable_index
from app.engine.declarations.registry import builtin
from app.engine.interpreter.indexing.index_assign import set_general
from app.engine.operators.concatenation import concatenate
from app.engine.operators.string_operators import to_strings
from app.engine.values import (
    Array,
    Cell,
    FunctionHandle,
    Value,
    as_array,
    canonical,
    is_cell,
    is_cellstr,
    is_numeric_like,
    is_text_scalar,
    numel,
    size_of,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "tables"
_GROUPS = "IncludeMissingGroups IncludedEdge"
_OMITTING = {"sum", "mean", "median", "var", "std"}
_METHODS = (
    "mean",
    "sum",
    "min",
    "max",
    "range",
    "median",
    "mode",
    "var",
    "std",
    "nummissing",
    "nnz",
    "numunique",
)
_BINS = {
    "second",
    "minute",
    "hour",
    "day",
    "week",
    "month",
    "quarter",
    "year",
    "decade",
    "dayofweek",
    "dayofmonth",
    "dayofyear",
    "monthofyear",
    "hourofday",
}


class Grouping:
    """The rows of a table by the values of some variables.

    Attributes:
        keys: the grouping variables, binned where that was asked for.
        index: rows of every group.
        numbers: number of every row's group from 1.
        first: the first row of every group.
    """

    def __init__(
        self,
        ctx: CallContext,
        t: Table,
        by: Value,
        bins: Value | None,
        options: dict[str, Value] | None = None,
    ) -> None:
        options = options or {}
        edge = one_of("group", "IncludedEdge", options.get("includededge", "left"), "left right")
        names = [t.names[k] for k in variable_index(by, t)]
        how = bins.items() if isinstance(bins, Cell) else [bins] * len(names)
        self.names = names
        self.keys: dict[str, Value] = {}
        for name, rule in zip(names, how, strict=True):
            label, column = _grouping_values(ctx, name, t.columns[name], rule, edge)
            self.keys[label] = column
        missing = _flag(options, "includemissinggroups")
        self.numbers, self.first = groups_of(list(self.keys.values()), missing=missing)
        self.index = [np.flatnonzero(self.numbers == g + 1) for g in range(len(self.first))]

    def columns(self) -> dict[str, Value]:
        """The keys of every group."""
        return {n: rows_at(c, self.first) for n, c in self.keys.items()}

    def counts(self) -> Array:
        """The size of every group, in a column."""
        return np.array([float(len(k)) for k in self.index]).reshape(-1, 1)


def _grouping_values(
    ctx: CallContext, name: str, column: Value, rule: Value | None, edge: str
) -> tuple[str, Value]:
    """A grouping variable's name and values: as they are, or in bins."""
    if rule is None or (is_text_scalar(rule) and text_of(rule).lower() == "none"):
        return name, column
    word = text_of(rule).lower() if is_text_scalar(rule) else ""
    side = ("IncludedEdge", edge) if edge == "right" else ()
    (made,) = ctx.call("discretize", (column, word or rule, "categorical", *side), 1)
    return f"{word or 'disc'}_{name}", made


def _is_bins(v: Value) -> bool:
    """Whether an argument says how to bin, and is not a method or a list of variables."""
    if is_text_scalar(v):
        return text_of(v).lower() in _BINS | {"none"}
    if is_cell(v):
        return any(_is_bins(x) for x in v.items()) and not is_cellstr(v)
    return bool(is_numeric_like(v)) or class_is_time(v)


def class_is_time(v: Value) -> bool:
    """Datetimes, durations and calendar durations."""
    return getattr(v, "class_name", "") in ("datetime", "duration", "calendarDuration")


def _arguments(
    name: str, args: tuple[Value, ...], known: str
) -> tuple[list[Value], dict[str, Value]]:
    """Positional arguments, and options by name; ``known`` are those of the function."""
    for k, a in enumerate(args):
        word = text_of(a).lower() if is_text_scalar(a) else ""
        if word.startswith("include") or word == "replacevalues":
            return list(args[:k]), option_pairs(name, args[k:], known)
    return list(args), {}


def apply_method(ctx: CallContext, method: Value, part: Value) -> Value:
    """A statistic of a group, one row for a column or matrix."""
    if isinstance(method, FunctionHandle):
        return ctx.call(method, (part,), 1)[0]
    name = text_of(method).lower()
    if name not in _METHODS:
        raise MatlabError("MATLAB:groupsummary:InvalidMethod", f"Unknown method '{name}'.")
    if name in _OMITTING:
        spread = (0.0,) if name in ("var", "std") else ()
        return ctx.call(name, (part, *spread, 1.0, "omitnan"), 1)[0]
    if name == "range":
        top, bottom = (apply_method(ctx, n, part) for n in ("max", "min"))
        return ctx.call("minus", (top, bottom), 1)[0]
    if name in ("min", "max"):
        return ctx.call(name, (part, np.zeros((0, 0)), 1.0), 1)[0]
    if name == "mode":
        return ctx.call(name, (part, 1.0), 1)[0]
    return _count_statistic(ctx, name, part)


def _count_statistic(ctx: CallContext, name: str, part: Value) -> Value:
    lost = np.asarray(as_array(ctx.call("ismissing", (part,), 1)[0]), dtype=bool)
    if name == "nummissing":
        return canonical(lost.sum(axis=0, keepdims=True).astype(np.float64))
    if name == "nnz":
        full = as_array(part)
        return canonical(((full != 0) & ~lost).sum(axis=0, keepdims=True).astype(np.float64))
    kept = rows_at(part, np.flatnonzero(~lost.any(axis=1)))
    return float(numel(ctx.call("unique", (kept,), 1)[0]))


def _labels(method: Value) -> list[tuple[str, Value]]:
    """Every method with the beginning of its variables' names."""
    if isinstance(method, FunctionHandle) or is_text_scalar(method):
        given = [method]
    else:
        given = method.items() if is_cell(method) else list[Value](texts_of(method))
    made: list[tuple[str, Value]] = []
    for m in given:
        if isinstance(m, FunctionHandle):
            k = 1 + sum(isinstance(x, FunctionHandle) for _, x in made)
            made.append((f"fun{k}", m))
        elif text_of(m).lower() == "all":
            made += [(n, n) for n in _METHODS]
        else:
            made.append((text_of(m), m))
    return made


@builtin(
    "groupcounts",
    category=_FAMILY,
    signatures=(
        "G = groupcounts(T, vars)",
        "G = groupcounts(T, vars, bins)",
        "[n, values] = groupcounts(A)",
    ),
    cases=(
        "isequal(groupcounts([1; 2; 1]), [2; 1])",
        "isequal(groupcounts(table([1; 2; 1]), 'Var1').Percent, [200; 100] / 3)",
    ),
    see=("groupsummary",),
)
def groupcounts(ctx: CallContext, t: Value, *args: Value) -> Value:
    """Number of rows of every group."""
    given, options = _arguments("groupcounts", args, f"{_GROUPS} IncludePercentGroups")
    missing = _flag(options, "includemissinggroups")
    if not isinstance(t, Table):
        numbers, first = groups_of([upright(t)], missing=missing)
        counts = np.bincount(numbers.astype(int), minlength=len(first) + 1)[1:]
        return canonical(counts.astype(np.float64).reshape(-1, 1)), rows_at(upright(t), first)
    if not given:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    groups = Grouping(ctx, t, given[0], given[1] if len(given) > 1 else None, options)
    counts = groups.counts()
    share = canonical(100 * counts / counts.sum())
    columns = {**groups.columns(), "GroupCount": canonical(counts)}
    if _flag(options, "includepercentgroups"):
        columns["Percent"] = share
    return Table(columns, len(groups.first))


def _flag(options: dict[str, Value], name: str) -> bool:
    return flag(options, name, True)


@builtin(
    "groupsummary",
    category=_FAMILY,
    signatures=(
        "G = groupsummary(T, groupvars)",
        "G = groupsummary(T, groupvars, method)",
        "G = groupsummary(T, groupvars, bins, method, datavars)",
        "[B, BG, BC] = groupsummary(A, groups, method)",
    ),
    cases=(
        "isequal(groupsummary(table([1; 1; 2], [3; 5; 7]), 'Var1', 'mean').mean_Var2, [4; 7])",
        "isequal(groupsummary([3; 5; 7], [1; 1; 2], 'sum'), [8; 7])",
        "isequal(groupsummary([1; NaN; 3], [1; 1; 2], 'mean'), [1; 3])",
    ),
    see=("splitapply", "varfun", "grouptransform"),
)
def groupsummary(ctx: CallContext, t: Value, by: Value, *args: Value) -> Value:
    """Count the rows of groups and summarise variables, missing values left out.

    Methods: mean, sum, min, max, range, median, mode, var, std, nummissing, nnz, numunique, all,
    or function handles. Bins: edges, a number of bins, or a unit of time such as 'month'.
    """
    given, options = _arguments("groupsummary", args, _GROUPS)
    missing = _flag(options, "includemissinggroups")
    if not isinstance(t, Table):
        return _summarised_array(ctx, t, by, given[-1] if given else None, missing)
    bins = given.pop(0) if given and _is_bins(given[0]) else None
    groups = Grouping(ctx, t, by, bins, options)
    columns = groups.columns()
    columns["GroupCount"] = canonical(groups.counts())
    if given:
        labels = _labels(given[0])
        chosen = (
            [t.names[k] for k in variable_index(given[1], t)]
            if len(given) > 1
            else [n for n, c in t.columns.items() if n not in groups.names and _summable(c)]
        )
        for name in chosen:
            for label, method in labels:
                parts = [
                    apply_method(ctx, method, rows_at(t.columns[name], k)) for k in groups.index
                ]
                columns[f"{label}_{name}"] = concatenate(0, parts)
    return Table(columns, len(groups.first))


def _summable(column: Value) -> bool:
    return bool(is_numeric_like(column)) or class_is_time(column)


def _summarised_array(ctx: CallContext, a: Value, by: Value, method: Value, missing: bool) -> Value:
    keys = by.items() if is_cell(by) and not is_cellstr(by) else [by]
    numbers, first = groups_of(keys, missing=missing)
    column = upright(a) if size_of(a)[0] == 1 else a
    parts = [
        apply_method(ctx, method, rows_at(column, np.flatnonzero(numbers == g + 1)))
        for g in range(len(first))
    ]
    groups = rows_at(upright(by), first) if not is_cell(by) or is_cellstr(by) else by
    counts = np.bincount(numbers.astype(int), minlength=len(first) + 1)[1:].astype(np.float64)
    return concatenate(0, parts), groups, canonical(counts.reshape(-1, 1))


def _centred_part(part: Array, how: str) -> Array:
    middle = np.nanmean(part, axis=0)
    if how == "meancenter":
        return np.asarray(part - middle)
    if how == "zscore":
        spread = np.nanstd(part, axis=0, ddof=min(1, part.shape[0] - 1))
        return np.asarray((part - middle) / np.where(spread == 0, 1, spread))
    if how == "norm":
        return np.asarray(part / np.sqrt(np.nansum(part**2, axis=0)))
    if how == "meanfill":
        return np.asarray(np.where(np.isnan(part), middle, part))
    low, high = np.nanmin(part, axis=0), np.nanmax(part, axis=0)
    return np.asarray((part - low) / np.where(high == low, 1, high - low))


@builtin(
    "grouptransform",
    category=_FAMILY,
    signatures=(
        "G = grouptransform(T, groupvars, method)",
        "G = grouptransform(T, groupvars, bins, method, datavars)",
    ),
    cases=(
        "isequal(grouptransform(table([1; 1; 2], [3; 5; 7]), 'Var1', 'meancenter').Var2, "
        "[-1; 1; 0])",
    ),
    see=("groupsummary", "groupfilter"),
)
def grouptransform(ctx: CallContext, t: Value, by: Value, *args: Value) -> Value:
    """Change the variables of every group: zscore, norm, meancenter, rescale, meanfill,
    linearfill, or a function handle."""
    t = table_argument(t, "grouptransform")
    given, options = _arguments("grouptransform", args, "IncludedEdge ReplaceValues")
    bins = given.pop(0) if len(given) > 1 and _is_bins(given[0]) else None
    if not given:
        raise MatlabError("MATLAB:minrhs", "Not enough input arguments.")
    method, groups = given[0], Grouping(ctx, t, by, bins, options)
    chosen = (
        [t.names[k] for k in variable_index(given[1], t)]
        if len(given) > 1
        else [n for n, c in t.columns.items() if n not in groups.names and is_numeric_like(c)]
    )
    columns = dict(t.columns)
    for name in chosen:
        column = t.columns[name]
        for rows in groups.index:
            new = _transformed_part(ctx, method, rows_at(t.columns[name], rows), len(rows))
            places = canonical((rows + 1.0).reshape(-1, 1))
            column = set_general(column, (places, ":"), new, False)
        label = "fun" if isinstance(method, FunctionHandle) else text_of(method)
        columns[name if _flag(options, "replacevalues") else f"{label}_{name}"] = column
    return t.with_columns(columns)


def _transformed_part(ctx: CallContext, method: Value, part: Value, count: int) -> Value:
    if isinstance(method, FunctionHandle):
        new = ctx.call(method, (part,), 1)[0]
        if size_of(new)[0] == count:
            return new
        return ctx.call("repmat", (new, float(count), 1.0), 1)[0]
    name = text_of(method).lower()
    if name == "linearfill":
        return ctx.call("fillmissing", (part, "linear", 1.0), 1)[0]
    if name not in ("meancenter", "zscore", "norm", "meanfill", "rescale"):
        raise MatlabError("MATLAB:grouptransform:InvalidMethod", f"Unknown method '{name}'.")
    return canonical(_centred_part(as_array(part).astype(np.float64), name))


@builtin(
    "groupfilter",
    category=_FAMILY,
    signatures=(
        "G = groupfilter(T, groupvars, method)",
        "G = groupfilter(T, groupvars, bins, method, datavars)",
    ),
    cases=(
        "T = table([1; 1; 2], [3; 5; 7]); height(groupfilter(T, 'Var1', @(x) numel(x) > 1)) == 2",
    ),
    see=("groupsummary", "grouptransform"),
)
def groupfilter(ctx: CallContext, t: Value, by: Value, *args: Value) -> Value:
    """The rows for which a function of their group is true: one answer a group, or one a row."""
    t, (given, options) = (
        table_argument(t, "groupfilter"),
        _arguments("groupfilter", args, "IncludedEdge"),
    )
    bins = given.pop(0) if len(given) > 1 and _is_bins(given[0]) else None
    if not given or not isinstance(given[0], FunctionHandle):
        message = "The method must be a function handle."
        raise MatlabError("MATLAB:groupfilter:InvalidMethod", message)
    groups = Grouping(ctx, t, by, bins, options)
    chosen = (
        [t.names[k] for k in variable_index(given[1], t)]
        if len(given) > 1
        else [n for n in t.names if n not in groups.names]
    )
    kept = np.zeros(t.height, dtype=bool)
    for rows in groups.index:
        answers = [
            as_array(ctx.call(given[0], (rows_at(t.columns[n], rows),), 1)[0]).ravel() != 0
            for n in chosen
        ]
        kept[rows] = np.logical_and.reduce(np.broadcast_arrays(np.ones(len(rows), bool), *answers))
    return t.rows(np.flatnonzero(kept))


@builtin(
    "pivot",
    category=_FAMILY,
    least=1,
    signatures=(
        "P = pivot(T, 'Rows', r, 'Columns', c)",
        "P = pivot(..., 'DataVariable', v, 'Method', m)",
    ),
    cases=(
        'T = table(["a"; "a"; "b"], ["x"; "y"; "x"], [1; 2; 3]); '
        "isequal(pivot(T, 'Rows', 1, 'Columns', 2, 'DataVariable', 3).x, [1; 3])",
    ),
    see=("groupsummary", "unstack"),
)
def pivot(ctx: CallContext, t: Value, *args: Value) -> Value:
    """Groups laid out in a table: rows by some variables, columns by another; counts, or a method
    (sum unless told otherwise) of a variable."""
    t, options = (
        table_argument(t, "pivot"),
        option_pairs("pivot", args, "Columns Rows DataVariable Method"),
    )
    rows = Grouping(ctx, t, options["rows"], None) if "rows" in options else None
    across = Grouping(ctx, t, options["columns"], None) if "columns" in options else None
    if rows is None and across is None:
        message = "Rows or Columns must be given."
        raise MatlabError("MATLAB:pivot:MissingRowsColumns", message)
    name = (
        t.names[variable_index(options["datavariable"], t)[0]] if "datavariable" in options else ""
    )
    source = t.columns[name] if name else None
    method = options.get("method", "count" if source is None else "sum")
    word = text_of(method).lower() if is_text_scalar(method) else "fun1"
    single = "count" if source is None or word == "count" else f"{word}_{name}"
    down = rows.index if rows is not None else [np.arange(t.height)]
    columns = rows.columns() if rows is not None else {}
    for label, places in _pivot_columns(across) if across else [(single, np.arange(t.height))]:
        cells = [_cell(ctx, method, source, np.intersect1d(k, places)) for k in down]
        columns[label] = concatenate(0, cells)
    return Table(columns, len(down))


def _pivot_columns(across: Grouping) -> list[tuple[str, Array]]:
    keys = [to_strings(c).data.ravel() for c in across.columns().values()]
    return [
        ("_".join(map(str, parts)), places)
        for parts, places in zip(zip(*keys, strict=True), across.index, strict=True)
    ]


def _cell(ctx: CallContext, method: Value, source: Value | None, rows: Array) -> Value:
    if source is None or (is_text_scalar(method) and text_of(method).lower() == "count"):
        return float(len(rows))
    if not len(rows):
        return 0.0 if is_text_scalar(method) and text_of(method).lower() == "sum" else float("nan")
    return apply_method(ctx, method, rows_at(source, rows))
