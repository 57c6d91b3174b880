"""Searching text for texts and patterns: contains, startsWith, endsWith, matches, count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from app.engine.builtins.text.pattern_class import as_pattern, compiled_expression
from app.engine.builtins.text.stoppable_matching import Expression
from app.engine.declarations.registry import builtin
from app.engine.operators.texts import is_text
from app.engine.values import (
    Cell,
    StringArray,
    Value,
    as_array,
    bool_of,
    is_char,
    is_numeric_like,
    is_text_scalar,
    text_of,
    texts_of,
    unwrap,
)
from app.errors import MatlabError

_FAMILY = "strings"
Answer = Callable[[Expression, str], Any]


def _ignoring_case(options: tuple[Value, ...]) -> bool:
    if not options:
        return False
    named = len(options) == 2 and is_text_scalar(options[0]) and text_of(options[0])
    if not named or not "ignorecase".startswith(text_of(options[0]).lower()):
        raise MatlabError("MATLAB:string:InvalidOption", "Expected the option 'IgnoreCase'.")
    if not is_numeric_like(options[1]) or is_char(options[1]) or as_array(options[1]).size != 1:
        message = "The value of 'IgnoreCase' must be true or false."
        raise MatlabError("MATLAB:string:IgnoreCaseLogical", message)
    return bool_of(options[1])


def declare_search(
    name: str,
    answer: Answer,
    cases: tuple[str, ...],
    summary: str,
    *,
    form: str = "{}",
    kind: type = bool,
) -> None:
    """Declare a question about every text, answered with the expression ``form`` of the pattern."""

    def search(text: Value, pattern: Value, *options: Value) -> Value:
        if not is_text(text):
            message = "First argument must be text."
            raise MatlabError(f"MATLAB:{name}:MustBeCharCellArrayOrString", message)
        sought = compiled_expression(
            form.format(as_pattern(pattern).source), _ignoring_case(options)
        )
        texts = text.data.ravel(order="F") if isinstance(text, StringArray) else texts_of(text)
        found = [0 if t is None else answer(sought, t) for t in texts]
        shape = text.shape if isinstance(text, Cell | StringArray) else (len(found), 1)
        return unwrap(np.array(found, dtype=kind).reshape(shape, order="F"))

    builtin(
        name,
        category=_FAMILY,
        cases=cases,
        text=summary,
        see=("pattern", "regexp"),
        signatures=(f"r = {name}(text, pattern)", f"r = {name}(..., 'IgnoreCase', true)"),
    )(search)


def _is_found(sought: Expression, text: str) -> bool:
    return sought.search(text) is not None


declare_search(
    "contains",
    _is_found,
    ("contains('hello', 'ell')", "~contains('hello', 'xyz')", 'contains("a1", digitsPattern)'),
    "True where a text contains a pattern or one of several texts.",
)
declare_search(
    "startsWith",
    lambda sought, t: sought.match(t) is not None,
    ("startsWith('hello', 'he')",),
    "True where a text starts with a pattern or one of several texts.",
)
declare_search(
    "endsWith",
    _is_found,
    ("endsWith('hello', 'lo')",),
    form=r"(?:{})\Z",
    summary="True where a text ends with a pattern or one of several texts.",
)
declare_search(
    "matches",
    lambda sought, t: sought.fullmatch(t) is not None,
    ("matches('abc', {'x', 'abc'})", "~matches('abc', 'ab')", 'matches("12", digitsPattern)'),
    "True for texts that as a whole match a pattern or equal one of several texts.",
)
declare_search(
    "count",
    lambda sought, t: sum(1 for _ in sought.finditer(t)),
    ("count('banana', 'an') == 2", 'count("a1b22", digitsPattern) == 2'),
    "How often a pattern or any of several texts occurs, without overlaps.",
    kind=float,
)
