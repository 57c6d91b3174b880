"""Replacing by regular expressions: regexprep, regexptranslate."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import TypeAlias

from app.engine.arguments.call_context import CallContext
from app.engine.builtins.text.pattern_syntax import compiled_pattern
from app.engine.builtins.text.regular_expressions import read_options
from app.engine.builtins.text.stoppable_matching import Match
from app.engine.declarations.registry import builtin
from app.engine.operators.texts import map_text
from app.engine.values import (
    Value,
    int_of,
    is_text_scalar,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "strings"


_REFERENCE = re.compile(r"\\(.)|\$(?:(\d)|\{(\d+)\}|<(\w+)>|\{([^}]*)\})", re.DOTALL)
_TOKEN = re.compile(r"\$(\d)")
_REPLACED = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "b": "\b"}


Piece: TypeAlias = "str | Callable[[Match], str]"


def _expander(ctx: CallContext, template: str, most: int) -> str | Callable[[Match], str]:
    """A replacement with ``$1``, ``$<name>``, ``$0``, ``${command}`` and escapes.

    A text where it is the same for every match; ``most`` is the number of groups there are.
    """
    pieces: list[Piece | int] = []
    at = 0
    for found in _REFERENCE.finditer(template):
        pieces += [template[at : found.start()], _template_piece(ctx, found)]
        at = found.end()
    pieces.append(template[at:])
    if all(isinstance(p, str) for p in pieces):
        return "".join(map(str, pieces))
    kept = [p for p in pieces if p != "" and (not isinstance(p, int) or p <= most)]
    texts = [p if isinstance(p, str) else "" for p in kept]
    groups = [(k, p) for k, p in enumerate(kept) if isinstance(p, int)]
    makers = [(k, p) for k, p in enumerate(kept) if callable(p)]

    def expanded(match: Match) -> str:
        made = texts.copy()
        for place, group in groups:
            made[place] = match[group] or ""
        for place, make in makers:
            made[place] = make(match)
        return "".join(made)

    return expanded


def _template_piece(ctx: CallContext, reference: re.Match[str]) -> Piece | int:
    """What a reference or an escape of a template stands for: a group by its number."""
    escaped, digit, number, name, command = reference.groups()
    if command is not None:
        return lambda match: _command_result(ctx, command, match)
    if escaped is not None:
        return _REPLACED.get(escaped, escaped)
    return (lambda match: match.group(name) or "") if name else int(digit or number)


def _command_result(ctx: CallContext, command: str, match: Match) -> str:
    """The text a command of a replacement gives, its ``$1`` being texts."""

    def quoted(m: re.Match[str]) -> str:
        k = int(m.group(1))
        text = (match.group(k) or "") if k <= match.re.groups else ""
        return "'" + text.replace("'", "''") + "'"

    (value,) = ctx.evaluate(_TOKEN.sub(quoted, command), 1)
    return text_of(value)


@builtin(
    "regexprep",
    category=_FAMILY,
    signatures=(
        "s = regexprep(text, pattern, replacement)",
        "s = regexprep(..., 'once', 'ignorecase')",
    ),
    cases=(
        "strcmp(regexprep('a1b2', '\\d', '#'), 'a#b#')",
        "strcmp(regexprep('john smith', '(\\w+) (\\w+)', '$2 $1'), 'smith john')",
        "strcmp(regexprep('%d of %d', '%d', {'1', '2'}, 'once'), '1 of 2')",
    ),
    see=("regexp", "strrep"),
)
def regexprep(
    ctx: CallContext, text: Value, pattern: Value, replacement: Value, *options: Value
) -> Value:
    """Replace what matches a regular expression.

    Several expressions are replaced one after the other; several replacements of one expression,
    too, which gives every match its own where each is replaced 'once'.
    """
    words = tuple(text_of(o) for o in options if is_text_scalar(o))
    only = [int_of(o) for o in options if not is_text_scalar(o)]
    wishes = read_options(words)
    patterns, news = texts_of(pattern), texts_of(replacement)
    news = news * len(patterns) if len(news) == 1 else news
    patterns = patterns * len(news) if len(patterns) == 1 else patterns
    if len(patterns) != len(news):
        text_ = f"There are {len(patterns)} expressions, but {len(news)} replacements."
        raise MatlabError("MATLAB:regexprep:SizeMismatch", text_)
    expressions = [compiled_pattern(p, wishes.flags) for p in patterns]
    steps = [
        (expression, _expander(ctx, new, expression.groups))
        for expression, new in zip(expressions, news, strict=True)
    ]

    def replaced(source: str) -> str:
        for expression, new in steps:
            expand = _preserving(new) if "preservecase" in words else new
            expand = _replacement_of_one(expand, only[0]) if only and only[0] else expand
            count = 1 if wishes.once else 0
            source = expression.sub(expand, source, count=count, empty=wishes.empty)
        return source

    return map_text(replaced, text, "regexprep")


def _replacement_of_one(new: str | Callable[[Match], str], only: int) -> Callable[[Match], str]:
    """Replaces the ``only``-th match."""
    counted = itertools.count(1)

    def made(match: Match) -> str:
        if only != next(counted):
            return match.group()
        return new if isinstance(new, str) else new(match)

    return made


def _preserving(new: str | Callable[[Match], str]) -> Callable[[Match], str]:
    def kept(match: Match) -> str:
        text, old = new if isinstance(new, str) else new(match), match.group()
        if old.isupper():
            return text.upper()
        return text.capitalize() if old[:1].isupper() else text

    return kept


@builtin(
    "regexptranslate",
    category=_FAMILY,
    signatures=("s = regexptranslate(kind, text)",),
    cases=(
        "strcmp(regexptranslate('escape', 'a.b'), 'a\\.b')",
        "isequal(regexptranslate('wildcard', {'*.m'; 'b?'}), {'.*\\.m'; 'b.'})",
        'regexptranslate(\'escape\', ["a+" "b"]) == ["a\\+" "b"]',
    ),
    see=("regexp",),
)
def regexptranslate(kind: Value, text: Value) -> Value:
    """Text as a pattern: ``escape`` special characters, or translate ``wildcard`` * and ?."""
    word = text_of(kind).lower()
    if word not in ("escape", "wildcard"):
        text_ = f"Unknown operation '{text_of(kind)}': expected 'escape' or 'wildcard'."
        raise MatlabError("MATLAB:regexptranslate:unknownOperation", text_)
    translate = _escaped if word == "escape" else _of_wildcards
    return map_text(translate, text, "regexptranslate")


def _escaped(text: str) -> str:
    return re.sub(r"([\\.*+?^$\[\](){}|])", r"\\\1", text)


def _of_wildcards(text: str) -> str:
    return text.replace(".", r"\.").replace("*", ".*").replace("?", ".")
