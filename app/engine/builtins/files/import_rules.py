"""Rules of import options: what is done with delimiters, lines and fields that do not fit."""

from __future__ import annotations

from collections.abc import Mapping

from app.engine.arguments.checks import one_of
from app.engine.builtins.files.delimited import Rows, is_empty_line
from app.engine.values import Value
from app.errors import MatlabError

TEXT_RULES: Mapping[str, tuple[str, ...]] = {
    "ConsecutiveDelimitersRule": ("split", "join", "error"),
    "LeadingDelimitersRule": ("keep", "ignore", "error"),
    "TrailingDelimitersRule": ("ignore", "keep", "error"),
    "EmptyLineRule": ("skip", "read", "error"),
    "ExtraColumnsRule": ("addvars", "ignore", "error"),
}
"""The words of each rule for texts; the first one holds unless another is set."""

RULES: Mapping[str, tuple[str, ...]] = {
    **TEXT_RULES,
    "MissingRule": ("fill", "error", "omitrow", "omitvar"),
    "ImportErrorRule": ("fill", "error", "omitrow", "omitvar"),
    "VariableNamingRule": ("modify", "preserve"),
}
"""The words of each rule, for texts and worksheets."""


def checked_rule(name: str, value: Value) -> str:
    """A word of a rule, spelled as MATLAB spells it."""
    return one_of("readtable", name, value, " ".join(RULES[name]))


def without_delimiters(rows: Rows, rules: Mapping[str, str]) -> Rows:
    """Rows of fields as the rules about delimiters next to each other and at ends say."""
    if not rules.keys() & TEXT_RULES.keys():
        return rows
    return [_row(row, rules) for row in rows]


def _row(row: list[object], rules: Mapping[str, str]) -> list[object]:
    filled = [k for k, field in enumerate(row) if field is not None and str(field).strip()]
    if not filled:
        return row
    first, last = filled[0], filled[-1]
    leading, inner, trailing = row[:first], row[first : last + 1], row[last + 1 :]
    if leading and _word(rules, "LeadingDelimitersRule") == "error":
        raise _unexpected_delimiters("Leading")
    if trailing and _word(rules, "TrailingDelimitersRule") == "error":
        raise _unexpected_delimiters("Trailing")
    if _word(rules, "LeadingDelimitersRule") == "ignore":
        leading = []
    together = _word(rules, "ConsecutiveDelimitersRule")
    if together != "split" and len(filled) < len(inner):
        if together == "error":
            raise _unexpected_delimiters("Consecutive")
        inner = [row[k] for k in filled]
    return [*leading, *inner, *trailing]


def filled_lines(rows: Rows, rules: Mapping[str, str]) -> Rows:
    """Rows without the empty lines of a text, or with them, as the rule says."""
    word = _word(rules, "EmptyLineRule")
    if word == "read":
        return rows
    kept = [row for row in rows if not is_empty_line(row)]
    if word == "error" and len(kept) < len(rows):
        text = "An empty line was found while reading; EmptyLineRule is 'error'."
        raise MatlabError("MATLAB:textio:textio:EmptyLineFound", text)
    return kept


def extra_columns(rows: Rows, width: int, rules: Mapping[str, str]) -> int:
    """How many variables are added for fields behind the last one that is known."""
    word = _word(rules, "ExtraColumnsRule")
    if word == "ignore" or not rows or len(rows[0]) <= width:
        return 0
    most = max(
        (k + 1 for row in rows for k, f in enumerate(row) if f is not None and str(f).strip()),
        default=0,
    )
    if most > width and word == "error":
        text = f"There are more than {width} columns; ExtraColumnsRule is 'error'."
        raise MatlabError("MATLAB:textio:textio:ExtraColumnsFound", text)
    return max(most - width, 0)


def _word(rules: Mapping[str, str], name: str) -> str:
    return rules.get(name, RULES[name][0])


def _unexpected_delimiters(where: str) -> MatlabError:
    text = f"{where} delimiters were found while reading; {where}DelimitersRule is 'error'."
    return MatlabError("MATLAB:textio:textio:UnexpectedDelimiters", text)
