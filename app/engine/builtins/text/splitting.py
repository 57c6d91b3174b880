"""Splitting text: strsplit, split, splitlines, strtok."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from app.engine.arguments.checks import NONEMPTY
from app.engine.arguments.dimensions import dimension
from app.engine.builtins.text.pattern_class import searcher
from app.engine.builtins.text.pattern_syntax import compiled_pattern
from app.engine.builtins.text.stoppable_matching import Match
from app.engine.declarations.registry import builtin
from app.engine.operators.texts import list_like, same_kind
from app.engine.values import (
    Cell,
    StringArray,
    Value,
    as_array,
    bool_of,
    codes_of_numbers,
    is_cell,
    is_char,
    is_numeric_like,
    is_string,
    is_text_scalar,
    numel,
    text_of,
    texts_of,
)
from app.engine.values.print_formats import unescape
from app.errors import MatlabError

_FAMILY = "strings"
_BLANKS = " \t\n\v\f\r\0"
_SPLIT_OPTIONS = ("collapsedelimiters", "delimitertype")


@builtin(
    "strsplit",
    category=_FAMILY,
    signatures=(
        "C = strsplit(str)",
        "[C, matches] = strsplit(str, delimiter)",
        "C = strsplit(..., 'CollapseDelimiters', tf)",
    ),
    cases=("isequal(strsplit('a b'), {'a', 'b'})", "isequal(strsplit('a,b', ','), {'a', 'b'})"),
    see=("strjoin", "split", "regexp"),
)
def strsplit(text: Value, *options: Value) -> Value:
    """Split a text at delimiters; repeated ones count as one unless told otherwise."""
    if not is_text_scalar(text) and not (is_char(text) and not numel(text)):
        message = "First input must be either a character vector or a string scalar."
        raise MatlabError("MATLAB:strsplit:InvalidStringType", message)
    delimiters, collapse, rest = list(" \t\n\v\f\r"), True, list(options)
    listed = bool(rest) and (is_char(rest[0]) or not is_numeric_like(rest[0]))
    if listed and not _is_option(rest):
        delimiters = [unescape(d) for d in texts_of(rest.pop(0))]
    if rest and not (is_char(rest[0]) or is_string(rest[0])):
        collapse = _flag(rest.pop(0))
    collapse, regular = _split_options(rest, collapse)
    ordered = delimiters if regular else sorted(delimiters, key=len, reverse=True)
    pattern = "|".join(d if regular else re.escape(d) for d in ordered)
    pattern = f"(?:{pattern})+" if collapse else f"(?:{pattern})"
    source = text_of(text)
    found = compiled_pattern(pattern, 0) if regular else re.compile(pattern)
    return _pieces_and_matches(text, source, found.finditer(source))


def _flag(v: Value) -> bool:
    if not is_numeric_like(v) or numel(v) != 1:
        message = "CollapseDelimiters must be true or false."
        raise MatlabError("MATLAB:strsplit:InvalidCollapseDelimiters", message)
    return bool_of(v)


def _split_options(rest: list[Value], collapse: bool) -> tuple[bool, bool]:
    """Whether delimiters collapse, and whether they are regular expressions."""
    regular = False
    while rest:
        key = text_of(rest.pop(0)).lower()
        if key not in _SPLIT_OPTIONS or not rest:
            message = f"'{key}' is not an option, or has no value."
            raise MatlabError("MATLAB:strsplit:InvalidParamName", message)
        value = rest.pop(0)
        if key == "collapsedelimiters":
            collapse = _flag(value)
            continue
        kind = text_of(value).lower()
        if not kind or not ("regularexpression".startswith(kind) or "simple".startswith(kind)):
            message = "DelimiterType must be 'Simple' or 'RegularExpression'."
            raise MatlabError("MATLAB:strsplit:InvalidDelimiterType", message)
        regular = kind.startswith("r")
    return collapse, regular


def _pieces_and_matches(like: Value, source: str, found: Iterable[Match | re.Match[str]]) -> Value:
    """Pieces between matches, and the matches."""
    pieces, matches, position = [], [], 0
    for match in found:
        if match.end() > match.start():
            pieces.append(source[position : match.start()])
            matches.append(match.group())
            position = match.end()
    return list_like(like, [*pieces, source[position:]]), list_like(like, matches)


def _is_option(rest: list[Value]) -> bool:
    named = is_char(rest[0]) and text_of(rest[0]).lower() in _SPLIT_OPTIONS
    return named and len(rest) % 2 == 0


@builtin(
    "ostrsplit",
    category=_FAMILY,
    signatures=("C = ostrsplit(str, seps)",),
    cases=("isequal(ostrsplit('a:b', ':'), {'a', 'b'})",),
    see=("strsplit",),
)
def ostrsplit(text: Value, separators: Value, strip_empty: Value = False) -> Value:
    """Split at any of several characters (Octave's)."""
    NONEMPTY("ostrsplit", 2, separators)
    joined = text_of(separators)[:1].join(texts_of(text))
    parts = re.split(f"[{re.escape(text_of(separators))}]", joined)
    if bool_of(strip_empty):
        parts = [p for p in parts if p]
    return list_like(text, parts)


@builtin(
    "split",
    category=_FAMILY,
    signatures=("[C, matches] = split(str, delimiter, dim)", "[x1, x2, ...] = split(c, units)"),
    cases=("isequal(split('a b'), {'a'; 'b'})", 'isequal(split("a-b", "-", 2), ["a" "b"])'),
    see=("strsplit", "join"),
)
def split(text: Value, delimiter: Value | None = None, dim: Value | None = None) -> Value:
    """Split a text at delimiters into a column, or calendar durations into units."""
    finder = searcher(delimiter) if delimiter is not None else re.compile(r"\s+")
    pairs = [_pieces(finder, t) for t in texts_of(text)]
    if len({len(p) for p, _ in pairs}) > 1:
        message = "All texts must have the same number of delimiters."
        raise MatlabError("MATLAB:string:IncorrectNumberOfElements", message)
    shape = text.shape if isinstance(text, Cell | StringArray) else (1, 1)
    usual = 0 if len(pairs) == 1 else 1 if shape[-1] == 1 else len(shape)
    axis = dimension(dim) if dim is not None else usual
    made = StringArray if isinstance(text, StringArray) else Cell
    return tuple(made(_texts_along_axis([p[k] for p in pairs], shape, axis)) for k in (0, 1))


def _pieces(finder: Any, t: str) -> tuple[list[str], list[str]]:
    """What lies between the matches, and the matches."""
    cuts = [m.span() for m in finder.finditer(t)]
    starts, ends = [0, *(b for _, b in cuts)], [*(a for a, _ in cuts), len(t)]
    return [t[a:b] for a, b in zip(starts, ends, strict=True)], [t[a:b] for a, b in cuts]


def _texts_along_axis(rows: list[list[str]], shape: tuple[int, ...], axis: int) -> Any:
    """Lists of texts laid out along one dimension of an array."""
    data = np.empty((len(rows), len(rows[0]) if rows else 0), dtype=object)
    for k, row in enumerate(rows):
        data[k, :] = row
    full = (*shape, *[1] * (axis + 1 - len(shape)))
    table = np.moveaxis(data.reshape(*full, data.shape[1], order="F"), -1, axis)
    return table.reshape([n for k, n in enumerate(table.shape) if k != axis + 1])


@builtin(
    "splitlines",
    category=_FAMILY,
    signatures=("C = splitlines(str)",),
    cases=("numel(splitlines(sprintf('a\\nb'))) == 2",),
    see=("split",),
)
def splitlines(text: Value) -> Value:
    """Split a text at line ends into a column."""
    return list_like(text, re.split(r"\r\n|\n|\r", text_of(text)), column=True)


@builtin(
    "strtok",
    category=_FAMILY,
    signatures=("[token, remain] = strtok(str)", "[token, remain] = strtok(str, delimiters)"),
    cases=("strcmp(strtok('one two'), 'one')", "strcmp(strtok('a,b', ','), 'a')"),
    see=("strsplit",),
)
def strtok(text: Value, delimiters: Value | None = None) -> Value:
    """First token of a text, and the rest of it."""
    drop = _BLANKS if delimiters is None else _characters(delimiters)
    flat = is_char(text) and not isinstance(text, str) and min(text.shape) > 1
    if flat or (is_numeric_like(text) and not is_char(text)):
        message = "First input must be a character vector, a string or a cell of them."
        raise MatlabError("MATLAB:strtok:InvalidInput", message)
    if is_cell(text):
        pairs = [_token(text_of(x), drop) for x in text.items()]
        return tuple(Cell.of([p[k] for p in pairs], text.shape) for k in (0, 1))
    token, rest = _token(text_of(text), drop)
    return same_kind(text, token), same_kind(text, rest)


def _characters(v: Value) -> str:
    if is_numeric_like(v) and not is_char(v):
        return "".join(map(chr, codes_of_numbers(as_array(v)).ravel().tolist()))
    return "".join(texts_of(v))


def _token(text: str, drop: str) -> tuple[str, str]:
    begin = text.lstrip(drop)
    end = next((i for i, ch in enumerate(begin) if ch in drop), len(begin))
    return begin[:end], begin[end:]
