"""What may be typed next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from app.engine.analysis.document import Document
from app.engine.analysis.known import Surroundings, builtin_names
from app.engine.analysis.options import options_here, typed_in_text
from app.engine.analysis.scopes import Role
from app.engine.language import ast
from app.engine.language.tokens import KEYWORDS
from app.engine.language.walk import walk
from app.source import Span

_TYPED = re.compile(r"[A-Za-z]\w*$", re.ASCII)
_FIELD = re.compile(r"([A-Za-z][\w.]*)\.(\w*)$", re.ASCII)
_HANDLE = re.compile(r"@\s*(\w*)$", re.ASCII)
_CALL = re.compile(r"([A-Za-z]\w*)\s*\($", re.ASCII)


@dataclass(frozen=True, slots=True)
class Completion:
    """One candidate.

    Attributes:
        label: what is inserted.
        kind: ``variable``, ``parameter``, ``function``, ``builtin``, ``keyword``, ``field`` or
            ``option``.
        detail: a few words beside it.
    """

    label: str
    kind: str
    detail: str = ""


def complete(
    document: Document,
    offset: int,
    surroundings: Surroundings | None = None,
    before: str | None = None,
) -> tuple[Span, tuple[Completion, ...]]:
    """The part already typed before ``offset`` and the candidates, best first.

    ``before`` is the line up to the caret, where the document is of a slightly older text.
    """
    text = document.source.text
    if before is None:
        before = text[text.rfind("\n", 0, offset) + 1 : offset]
    field = _FIELD.search(before)
    quoted = typed_in_text(before)
    if quoted is not None:
        typed = quoted
        names = options_here(before[: len(before) - len(typed) - 1])
        candidates: Iterable[Completion] = [Completion(n, "option") for n in names]
    elif field and not field[1][0].isdigit():
        typed = field[2]
        candidates = _fields(document, field[1], offset)
    elif handle := _HANDLE.search(before):
        typed = handle[1]
        candidates = _functions(document, surroundings)
    else:
        word = _TYPED.search(before)
        typed = word[0] if word else ""
        candidates = _names(document, offset, before[: len(before) - len(typed)], surroundings)
    span = Span(offset - len(typed), offset)
    return span, tuple(_ranked(candidates, typed))


def _ranked(candidates: Iterable[Completion], typed: str) -> Iterator[Completion]:
    """Prefix matches in the given order, then the same ignoring case; each label once."""
    found = list(candidates)
    seen: set[str] = set()
    lower = typed.lower()
    exact = [c for c in found if c.label.startswith(typed)]
    loose = [c for c in found if c.label.lower().startswith(lower)]
    for candidate in exact + loose:
        if candidate.label not in seen and candidate.label != typed:
            seen.add(candidate.label)
            yield candidate


def _names(
    document: Document, offset: int, before: str, surroundings: Surroundings | None
) -> Iterator[Completion]:
    yield from _options(document, before)
    yield from _variables(document, offset)
    if surroundings is not None:
        yield from (Completion(n, "variable") for n in sorted(surroundings.variables))
    if not before.strip():
        yield from (Completion(word, "keyword") for word in sorted(KEYWORDS))
    yield from _functions(document, surroundings)


def _variables(document: Document, offset: int) -> Iterator[Completion]:
    scope = document.symbols.at(offset)
    while scope is not None:
        parameters = {o.name for o in scope.occurrences if o.role is Role.PARAMETER}
        for name in sorted(scope.bound):
            yield Completion(name, "parameter" if name in parameters else "variable")
        if scope.parent is None:
            break
        scope = scope.parent


def _functions(document: Document, surroundings: Surroundings | None) -> Iterator[Completion]:
    yield from (Completion(n, "function", "this file") for n in sorted(document.definitions))
    if surroundings is not None:
        yield from (Completion(n, "function") for n in sorted(surroundings.functions))
    names = sorted(builtin_names(), key=lambda n: (len(n), n.lower()))
    yield from (Completion(n, "builtin") for n in names)


def _fields(document: Document, base: str, offset: int) -> Iterator[Completion]:
    """Fields seen on the same variable anywhere in the text, and members of its own class."""
    names = {
        node.name
        for node in walk(document.file)
        if isinstance(node, ast.Field) and node.span.end != offset
        if document.source.text[node.span.start : node.span.end - len(node.name) - 1] == base
    }
    yield from (Completion(name, "field") for name in sorted(names))
    if document.file.classdef is not None and base in ("obj", "this", "self"):
        yield from _members(document.file.classdef)


def _members(node: ast.ClassDef) -> Iterator[Completion]:
    for block in node.blocks:
        match block:
            case ast.PropertiesBlock():
                yield from (Completion(d.name, "field", d.class_name) for d in block.declarations)
            case ast.MethodsBlock():
                yield from (Completion(f.name, "function", "method") for f in block.functions)
            case _:
                pass


def _options(document: Document, before: str) -> Iterator[Completion]:
    """``name=`` of the name-value arguments of a local function or a builtin, inside its call."""
    found = _CALL.search(before) or re.search(r"([A-Za-z]\w*)\s*\([^()]*,\s*$", before)
    function = document.symbols.functions.get(found[1]) if found else None
    for block in function.arguments if function else ():
        for d in block.declarations:
            if d.member and not d.member.startswith("?"):
                yield Completion(f"{d.member}=", "option", d.class_name)
    if function is None:
        yield from (Completion(f"{name}=", "option") for name in options_here(before))
