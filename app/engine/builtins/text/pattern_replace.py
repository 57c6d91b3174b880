"""Replacing by regular expressions: regexprep, regexptranslate."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

from app.engine.builtins.text.expressions import Match
from app.engine.builtins.text.pattern_syntax import compiled
from app.engine.builtins.text.regular_expressions import read_options
from app.engine.declarations.registry import builtin
from app.engine.operators.texts import map_text
from app.engine.values import (
    Value,
    as_array,
    is_text_scalar,
    text_of,
    texts_of,
)
from app.errors import MatlabError

_FAMILY = "strings"


_REFERENCE = re.compile(r"\\(.)|\$(?:(\d)|\{(\d+)\}|<(\w+)>|\{([^}]*)\})", re.DOTALL)
_TOKEN = re.compile(r"\$(\d)")
_REPLACED = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "b": "\b"}


def _expander(ctx: Any, template: str) -> Callable[[Match], str]:
    """A replacement with ``$1``, ``$<name>``, ``$0``, ``${command}`` and escapes."""
    if "\\" not in template and "$" not in template:
        return lambda _: template

    def expand(match: Match) -> str:
        def fill(m: re.Match[str]) -> str:
            escaped, digit, number, name, command = m.groups()
            if command is not None:
                return _computed(ctx, command, match)
            if escaped is not None:
                return _REPLACED.get(escaped, escaped)
            if name:
                return match.group(name) or ""
            k = int(digit or number)
            return (match.group(k) or "") if k <= match.re.groups else ""

        return _REFERENCE.sub(fill, template)

    return expand


def _computed(ctx: Any, command: str, match: Match) -> str:
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
    ),
    see=("regexp", "strrep"),
)
def regexprep(ctx: Any, text: Value, pattern: Value, replacement: Value, *options: Value) -> Value:
    """Replace what matches a regular expression."""
    words = [text_of(o) for o in options if is_text_scalar(o)]
    only = [int(as_array(o).flat[0]) for o in options if not is_text_scalar(o)]
    flags, once, empty, _ = read_options(words)
    patterns, news = texts_of(pattern), texts_of(replacement)
    news = news * len(patterns) if len(news) == 1 else news

    def replaced(source: str) -> str:
        for p, new in zip(patterns, news, strict=True):
            expression = compiled(p, flags & ~(1 << 20))
            expand: Any = _expander(ctx, new)
            expand = _preserving(expand) if "preservecase" in words else expand
            chosen = _chosen(expand, only[0] if only else 0, empty=empty)
            source = expression.sub(chosen, source, count=1 if once else 0)
        return source

    return map_text(replaced, text, "regexprep")


def _chosen(expand: Callable[[Match], str], only: int, *, empty: bool) -> Callable[[Match], str]:
    """Replaces the ``only``-th match (all for 0), and empty matches where they are wanted."""
    counted = itertools.count(1)

    def made(match: Match) -> str:
        if not match.group() and not empty:
            return ""
        return expand(match) if only in (0, next(counted)) else match.group()

    return made


def _preserving(expand: Callable[[Match], str]) -> Callable[[Match], str]:
    def kept(match: Match) -> str:
        new, old = expand(match), match.group()
        if old.isupper():
            return new.upper()
        return new.capitalize() if old[:1].isupper() else new

    return kept


@builtin(
    "regexptranslate",
    category=_FAMILY,
    signatures=("s = regexptranslate(kind, text)",),
    cases=("strcmp(regexptranslate('escape', 'a.b'), 'a\\.b')",),
    see=("regexp",),
)
def regexptranslate(kind: Value, text: Value) -> Value:
    """Text as a pattern: ``escape`` special characters, or translate ``wildcard`` * and ?."""
    source = text_of(text)
    if text_of(kind).lower() not in ("escape", "wildcard", "flexible"):
        text_ = f"Unknown operation '{text_of(kind)}': expected 'escape' or 'wildcard'."
        raise MatlabError("MATLAB:regexptranslate:unknownOperation", text_)
    if text_of(kind) == "escape":
        return re.sub(r"([\\.*+?^$\[\](){}|])", r"\\\1", source)
    return re.sub(r"\.", r"\\.", source).replace("*", ".*").replace("?", ".")
