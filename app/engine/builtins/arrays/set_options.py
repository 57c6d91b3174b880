"""The options of unique and of the set functions."""

from __future__ import annotations

from app.engine.operators.texts import is_text
from app.engine.values import Cell, Value, is_cellstr, is_char, is_string, numel, text_of
from app.errors import MatlabError

_ORDERS = ("sorted", "stable", "legacy")


def set_words(name: str, options: tuple[Value, ...], known: tuple[str, ...]) -> set[str]:
    """The option words, all of them known and no two that exclude each other."""
    words = []
    for option in options:
        if not is_text(option):
            raise MatlabError(f"MATLAB:{name}:NonTextOption", "Options must be text.")
        words.append(text_of(option).lower())
    for word in words:
        if word not in known:
            raise MatlabError(f"MATLAB:{name.upper()}:UnknownFlag", f"Unknown option '{word}'.")
    orders = [w for w in words if w in _ORDERS]
    ends = [w for w in words if w in ("first", "last")]
    if len(set(orders)) > 1 or len(set(ends)) > 1 or (ends and set(orders) & {"sorted", "stable"}):
        text = f"The options {', '.join(words)} exclude each other."
        raise MatlabError(f"MATLAB:{name.upper()}:SetOrderConflict", text)
    return set(words)


def check_sets(name: str, a: Value, b: Value, words: set[str]) -> None:
    """Refuse two sets that cannot be combined."""
    cells = [v for v in (a, b) if isinstance(v, Cell)]
    if cells and "rows" in words:
        text = "The 'rows' option is not supported for cell array inputs."
        raise MatlabError(f"MATLAB:{name.upper()}:CellArrayRowsInput", text)
    for v in (a, b):
        plain = isinstance(v, Cell) or is_char(v) or is_string(v) or numel(v) == 0
        if (cells and not plain) or (isinstance(v, Cell) and not is_cellstr(v)):
            text = (
                "Input A of class cell and input B of class cell must be cell arrays of "
                "character vectors, unless one is a character vector."
            )
            raise MatlabError(f"MATLAB:{name.upper()}:InvalidInputs", text)
