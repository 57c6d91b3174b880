"""Dictionaries in other forms: entries as a table, structs or cells; the classes they hold."""

from __future__ import annotations

import numpy as np

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.operation_rules import undefined_for_class
from app.engine.builtins.containers.dictionary_class import Dictionary
from app.engine.declarations.registry import builtin
from app.engine.values import (
    Cell,
    Struct,
    StructArray,
    Value,
    object_array,
    text_of,
)
from app.errors import MatlabError

_FAMILY = "containers"


def _checked_dictionary(d: Value, function: str) -> Dictionary:
    if not isinstance(d, Dictionary):
        raise undefined_for_class(function, d)
    return d


@builtin(
    "entries",
    category=_FAMILY,
    signatures=("T = entries(d)", "E = entries(d, 'struct')", "E = entries(d, 'cell')"),
    cases=(
        'height(entries(dictionary(["a" "b"], [1 2]))) == 2',
        'isequal(entries(dictionary("a", 1), "cell"), {"a", 1})',
        'd = dictionary("a", 1); isequal(d.entries("cell"), {"a", 1})',
    ),
    see=("dictionary", "keys", "values"),
)
def entries(ctx: CallContext, d: Value, form: Value = "table") -> Value:
    """Keys and values of a dictionary: a table, a struct array, or a cell of two columns."""
    d = _checked_dictionary(d, "entries")
    pairs, word = list(d.entries.values()), text_of(form).lower()
    if word == "cell":
        data = np.empty((len(pairs), 2), dtype=object)
        for k, (key, value) in enumerate(pairs):
            data[k, 0], data[k, 1] = key, value
        return Cell(data)
    if word == "struct":
        made = [Struct({"Key": k, "Value": v}) for k, v in pairs]
        return StructArray.of(made, (len(made), 1), ["Key", "Value"])
    if word != "table":
        text = "The format must be table, struct or cell."
        raise MatlabError("MATLAB:dictionary:InvalidEntriesFormat", text)
    columns = [ctx.call(name, (d,), 1)[0] for name in ("keys", "values")]
    labels = Cell(object_array(["Key", "Value"], (1, 2)))
    return ctx.call("table", (*columns, "VariableNames", labels), 1)[0]


@builtin(
    "types",
    category=_FAMILY,
    signatures=("[keyType, valueType] = types(d)",),
    cases=(
        'types(dictionary("a", 1)) == "string"',
        'd = dictionary("a", 1); [~, kind] = d.types; kind == "double"',
    ),
    see=("dictionary", "isConfigured"),
)
def types(d: Value) -> Value:
    """The classes of keys and values of a dictionary."""
    return _checked_dictionary(d, "types").classes()
