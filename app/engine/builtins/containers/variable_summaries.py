"""``summary``: the class of every variable of a table, and its statistics."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.argument_names import argument_names
from app.engine.builtins.arrays.categorical_class import Categorical, counts
from app.engine.builtins.arrays.native_arrays import NativeArray
from app.engine.builtins.containers.table_class import Table
from app.engine.builtins.containers.table_display import centred
from app.engine.builtins.containers.table_rows import rows_at
from app.engine.declarations.registry import builtin
from app.engine.interpreter.indexing.index_read import paren
from app.engine.values import (
    EMPTY,
    Cell,
    Struct,
    Value,
    as_array,
    canonical,
    class_of,
    is_cellstr,
    is_numeric_like,
    is_string,
    numel,
    object_array,
    size_of,
    texts_of,
)
from app.engine.values.display_format import SHORT
from app.engine.values.display_inline import dimensions, in_field
from app.errors import MatlabError

_STATISTICS = ("NumMissing", "Min", "Median", "Max", "Mean", "Std")


@builtin(
    "summary",
    category="tables",
    signatures=("summary(T)", "s = summary(T)", "summary(A)"),
    cases=(
        "summary(table([1; 3])).Var1.Max == 3",
        "isequal(summary([1 5; 3 NaN]).NumMissing, [0 1])",
    ),
    see=("head",),
)
def summary(ctx: CallContext, t: Value, *, nargout: int = 0) -> Value:
    """Size, class and statistics of every variable of a table, or of the columns of an array."""
    written = argument_names("summary")
    name = f"{written[0]}: " if written and written[0] else ""
    if not isinstance(t, Table):
        return _of_array(ctx, t, name, nargout)
    made = {n: _facts(ctx, t, n) for n in t.names}
    if nargout:
        return Struct({n: Struct(f) for n, f in made.items()})
    ctx.write(_summary_text(ctx, t, made, name))
    return ()


def _facts(ctx: CallContext, t: Table, name: str) -> dict[str, Value]:
    column, held = t.columns[name], t.properties().fields
    at = t.names.index(name)
    described: dict[str, Value] = {
        "Size": np.array([size_of(column)], dtype=float),
        "Type": class_of(column),
    }
    for label, source in (("Description", "VariableDescriptions"), ("Units", "VariableUnits")):
        texts = texts_of(held[source])
        described[label] = texts[at] if texts else ""
    described["Continuity"] = EMPTY
    return described | _statistics(ctx, column)


def _statistics(ctx: CallContext, column: Value) -> dict[str, Value]:
    """What can be said of a variable of its class."""
    if isinstance(column, Categorical):
        texts = Cell(object_array(list(column.names), (len(column.names), 1)))
        return {
            "Categories": texts,
            "Counts": canonical(counts(column).reshape(-1, 1)),
            "NumMissing": float(np.isnan(column.data).sum()),
        }
    if class_of(column) == "logical":
        a = as_array(column)
        return {
            "True": canonical(a.sum(axis=0, keepdims=True).astype(float)),
            "False": canonical((~a).sum(axis=0, keepdims=True).astype(float)),
        }
    if is_cellstr(column) or is_string(column):
        return {"NumMissing": _missing(ctx, column)}
    if not _is_measured(column):
        return {}
    found: dict[str, Value] = {"NumMissing": _missing(ctx, column)}
    found |= {
        "Min": _statistic_of(ctx, "min", column),
        "Median": _statistic_of(ctx, "median", column),
    }
    found |= {"Max": _statistic_of(ctx, "max", column), "Mean": _statistic_of(ctx, "mean", column)}
    return found | {"Std": _statistic_of(ctx, "std", column)}


def _is_measured(column: Value) -> bool:
    numeric = is_numeric_like(column) and class_of(column) not in ("char", "logical")
    timed = isinstance(column, NativeArray) and class_of(column) in ("datetime", "duration")
    return (numeric or timed) and size_of(column)[0] > 0


def _missing(ctx: CallContext, column: Value) -> Value:
    (flags,) = ctx.call("ismissing", (column,), 1)
    return canonical(as_array(flags).reshape(size_of(column)).sum(axis=0, keepdims=True) * 1.0)


def _statistic_of(ctx: CallContext, function: str, column: Value) -> Value:
    whole = class_of(column).startswith(("int", "uint"))
    given = ctx.call("double", (column,), 1)[0] if whole and function == "std" else column
    if function in ("min", "max"):
        return ctx.call(function, (given, EMPTY, 1.0), 1)[0]
    spread = (0.0,) if function == "std" else ()
    return ctx.call(function, (given, *spread, 1.0, "omitmissing"), 1)[0]


# --- display ----------------------------------------------------------------------------------


def _summary_text(ctx: CallContext, t: Table, made: dict[str, dict[str, Value]], name: str) -> str:
    lines = [f"{name}{dimensions(t.shape)} {t.class_name}", ""]
    about = t.properties().fields["Description"]
    if isinstance(about, str) and about:
        lines += [f"Description: {about}", ""]
    if t.times is not None:
        lines += ["Row Times:", "", f"    {t.dimension_names[0]}: {class_of(t.times)}", ""]
    lines += ["Variables:", ""]
    for variable, facts in made.items():
        told = ", ".join(str(facts[k]) for k in ("Units",) if facts[k])
        lines.append(f"    {variable}: {_kind(t.columns[variable])}{f' ({told})' if told else ''}")
    measured = {n: f for n, f in made.items() if "NumMissing" in f}
    if not measured:
        return "\n".join(lines) + "\n\n"
    lines += ["", "Statistics for applicable variables:", ""]
    return "\n".join(lines) + "\n" + _grid(measured) + "\n"


def _kind(column: Value) -> str:
    """Class of a variable as a summary names it."""
    kind = "cell array of character vectors" if is_cellstr(column) else class_of(column)
    wide = size_of(column)[1]
    if isinstance(column, Categorical):
        count = len(column.names)
        kind += f" ({count} categor{'y' if count == 1 else 'ies'})"
    elif kind == "logical" and wide == 1:
        kind += f" ({int(as_array(column).sum())} true)"
    return f"{wide}-column {kind}" if wide > 1 else kind


def _grid(measured: dict[str, dict[str, Value]]) -> str:
    """A line for every column of every variable; a statistic that it has not stays blank."""
    rows: list[list[str]] = []
    for name, facts in measured.items():
        wide = numel(facts["NumMissing"])
        for k in range(wide):
            label = f"{name}(:,{k + 1})" if wide > 1 else name
            rows.append([label, *(_text(facts.get(s), k) for s in _STATISTICS)])
    margin = max(len(r[0]) for r in rows)
    blocks = [[" " * margin, *(r[0].ljust(margin) for r in rows)]]
    for k, statistic in enumerate(_STATISTICS, 1):
        width = max(len(r[k]) for r in rows)
        blocks.append(centred(statistic, [r[k].rjust(width) for r in rows]))
    lines = ["    " + "    ".join(parts) + "\n" for parts in zip(*blocks, strict=True)]
    return lines[0] + "\n" + "".join(lines[1:])


def _text(value: Value | None, column: int) -> str:
    if value is None:
        return ""
    return in_field(paren(value, float(column + 1)), SHORT)


# --- arrays -----------------------------------------------------------------------------------


def _of_array(ctx: CallContext, a: Value, name: str, nargout: int) -> Value:
    """The statistics of every column of an array."""
    column = rows_at(a, np.arange(size_of(a)[0]))
    found = _statistics(ctx, column)
    if not found:
        text = f"There is no summary for values of class '{class_of(a)}'."
        raise MatlabError("MATLAB:summary:InvalidInput", text)
    size: Value = np.array([size_of(a)], dtype=float)
    if nargout:
        return Struct({"Size": size, "Type": class_of(a), **found})
    shown = {n: v for n, v in found.items() if not isinstance(v, Cell)}
    wide = max(map(len, shown))
    lines = [f"{name}{dimensions(size_of(a))} {class_of(a)}", ""]
    for label, value in shown.items():
        texts = [_text(value, k) for k in range(numel(value))]
        lines.append(f"    {label:<{wide}}" + "".join(f"{t:>14}" for t in texts) + "  ")
    ctx.write("\n".join(lines) + "\n\n")
    return ()
