"""Properties that a program adds to tables: addprop and rmprop."""

from __future__ import annotations

from app.engine.arguments.call_context import CallContext
from app.engine.arguments.checks import enough
from app.engine.builtins.containers.table_class import Table, table_argument
from app.engine.builtins.containers.table_facts import CUSTOM
from app.engine.declarations.class_methods import add_methods
from app.engine.declarations.registry import builtin
from app.engine.values import EMPTY, Cell, Struct, Value, object_array, text_of, texts_of
from app.errors import MatlabError

_FAMILY = "tables"


def _row_of_texts(names: Value) -> Cell:
    texts = texts_of(names)
    return Cell(object_array(texts, (1, len(texts))))


def _addprop(ctx: CallContext, args: tuple[Value, ...], nargout: int) -> Value:
    """Properties of kind 'table' have one value, of kind 'variable' one per variable."""
    enough(args, 3)
    t, names, kinds = table_argument(args[0], "addprop"), args[1], args[2]
    words = texts_of(kinds)
    new = texts_of(names)
    words = words * len(new) if len(words) == 1 else words
    if len(words) != len(new) or set(words) - {"table", "variable"}:
        text = "Every property needs a type: 'table' or 'variable'."
        raise MatlabError("MATLAB:table:addprop:InvalidPropType", text)
    held = t.facts.get("CustomProperties")
    fields = dict(held.fields) if isinstance(held, Struct) else {}
    fields.update(dict.fromkeys(new, EMPTY))
    each = texts_of(t.facts[CUSTOM]) if CUSTOM in t.facts else []
    each += [n for n, w in zip(new, words, strict=True) if w == "variable"]
    facts = {**t.facts, "CustomProperties": Struct(fields), CUSTOM: _row_of_texts(Cell.of(each))}
    return Table(t.columns, t.height, t.row_names, t.times, facts)


@builtin(
    "rmprop",
    category=_FAMILY,
    signatures=("T = rmprop(T, names)",),
    cases=(
        "T = rmprop(addprop(table(1), 'a', 'table'), 'a'); "
        "isempty(fieldnames(T.Properties.CustomProperties))",
    ),
    see=("addprop",),
)
def rmprop(t: Value, names: Value) -> Value:
    """Remove properties that were added to a table."""
    t = table_argument(t, "rmprop")
    held = t.facts.get("CustomProperties")
    fields: dict[str, Value] = dict(held.fields) if isinstance(held, Struct) else {}
    for name in texts_of(names):
        if name not in fields:
            text = f"Table has no custom property '{text_of(name)}'."
            raise MatlabError("MATLAB:table:rmprop:InvalidPropName", text)
        del fields[name]
    facts = {**t.facts, "CustomProperties": Struct(fields)}
    return Table(t.columns, t.height, t.row_names, t.times, facts)


add_methods("table", {"addprop": _addprop})
