"""What the editor asks about a text: diagnostics, colours, outline, completions, signatures.

Pure functions; nothing runs and no session is needed, so they are called in any thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields

from app.engine.lang import MATLAB, Diagnostic, Dialect, ast, parse
from app.source import SourceText, Span

_IDENTIFIER_END = re.compile(r"[A-Za-z]\w*$")
_CALL = re.compile(r"([A-Za-z][\w.]*)\s*$")
_OPEN, _CLOSE = "([{", ")]}"
KEYWORDS = (
    "break", "case", "catch", "classdef", "continue", "else", "elseif", "end", "for", "function",
    "global", "if", "otherwise", "parfor", "persistent", "return", "switch", "try", "while",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """A function or class of a file; ``line`` is from 1."""

    name: str
    kind: str
    line: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a text says about itself.

    Attributes:
        diagnostics: errors and warnings.
        functions: places where functions are called.
        variables: names that are assigned.
        outline: functions and classes.
    """

    diagnostics: tuple[Diagnostic, ...]
    functions: tuple[Span, ...]
    variables: frozenset[str]
    outline: tuple[OutlineEntry, ...]


@dataclass(frozen=True, slots=True)
class SignatureHelp:
    """The call forms of a function, and which argument (from 0) is being typed."""

    name: str
    signatures: tuple[str, ...]
    summary: str
    argument: int


def analyse(source: SourceText, dialect: Dialect = MATLAB) -> Analysis:
    """Everything at once: the editor asks after every pause in typing."""
    from app.engine.sema.check import check_text

    file = parse(source, dialect).file
    assigned = frozenset(_assigned(file))
    known = builtin_names()
    outline = tuple(_outline(file, source))
    functions = {entry.name for entry in outline} | known
    calls = sorted(
        Span(node.span.start, node.span.start + len(node.id))
        for node in _walk(file)
        if isinstance(node, ast.Name) and node.id in functions and node.id not in assigned
    )
    return Analysis(tuple(check_text(source, dialect)), tuple(calls), assigned, outline)


def builtin_names() -> frozenset[str]:
    """The names of all builtins."""
    from app.engine.builtins import registry

    return frozenset(registry.names())


def completions(before: str, words: frozenset[str]) -> tuple[str, list[str]]:
    """What may complete the text ``before`` the caret: the part typed, and candidates.

    ``words`` are names known besides builtins and keywords, such as variables; they come first.
    """
    match = _IDENTIFIER_END.search(before)
    if match is None or before[: match.start()].endswith("."):
        return "", []
    typed = match.group()
    first = sorted((w for w in words if w.startswith(typed) and w != typed), key=str.lower)
    rest = {n for n in (*builtin_names(), *KEYWORDS) if n.startswith(typed)} - set(first)
    return typed, first + sorted(rest - {typed}, key=lambda n: (len(n), n.lower()))


def signature_help(before: str) -> SignatureHelp | None:
    """The call whose arguments are being typed at the end of ``before``."""
    opening, argument = _open_call(before)
    if opening is None:
        return None
    match = _CALL.search(before[:opening])
    if match is None:
        return None
    return describe(match.group(1), argument)


def describe(name: str, argument: int = 0) -> SignatureHelp | None:
    """The call forms and the summary of a builtin."""
    from app.engine.builtins import registry

    found = registry.lookup(name)
    if found is None:
        return None
    return SignatureHelp(name, tuple(found.signatures), found.summary, argument)


def _open_call(before: str) -> tuple[int | None, int]:
    """Where the innermost open parenthesis is, and how many commas follow it on its level."""
    depth, commas = 0, 0
    for position in range(len(before) - 1, -1, -1):
        character = before[position]
        if character == "\n":
            return None, 0
        if character in _CLOSE:
            depth += 1
        elif character in _OPEN:
            if depth == 0:
                return (position, commas) if character == "(" else (None, 0)
            depth -= 1
        elif character == "," and depth == 0:
            commas += 1
    return None, 0


# --- walking the tree -----------------------------------------------------------------------


def _walk(root: object) -> Iterator[ast.Node]:
    pending: list[object] = [root]
    while pending:
        item = pending.pop()
        if isinstance(item, tuple):
            pending.extend(item)
        elif isinstance(item, ast.Node):
            yield item
            pending.extend(getattr(item, f.name) for f in fields(item) if f.name != "span")


def _assigned(root: ast.Node) -> Iterator[str]:
    for node in _walk(root):
        if isinstance(node, ast.Assign | ast.OpAssign):
            yield from _target_name(node.target)
        elif isinstance(node, ast.MultiAssign):
            for target in node.targets:
                yield from _target_name(target)
        elif isinstance(node, ast.For):
            yield from _target_name(node.target)
        elif isinstance(node, ast.Parameter | ast.Declared):
            yield node.name


def _target_name(target: object) -> Iterator[str]:
    while isinstance(target, ast.Index | ast.CellIndex | ast.Field | ast.DynamicField):
        target = target.base
    if isinstance(target, ast.Name):
        yield target.id


def _outline(file: ast.File, source: SourceText) -> Iterator[OutlineEntry]:
    for node in _walk(file):
        if isinstance(node, ast.FunctionDef):
            yield OutlineEntry(node.name, "function", source.line_of(node.span.start))
        elif isinstance(node, ast.ClassDef):
            yield OutlineEntry(node.name, "class", source.line_of(node.span.start))
