"""What may be typed next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from app.engine.analysis.analysed_text import Document
from app.engine.analysis.known import Surroundings, builtin_names, shipped
from app.engine.analysis.named_arguments import (
    command_word,
    options_here,
    properties_of,
    texts_here,
    typed_in_text,
    words_of,
)
from app.engine.analysis.scopes import Role
from app.engine.analysis.signatures import function_known, open_call
from app.engine.language import ast
from app.engine.language.tokens import KEYWORDS
from app.engine.language.walk import walk
from app.records import record
from app.source import Span

_TYPED = re.compile(r"[A-Za-z]\w*$", re.ASCII)
_INDEX = r"\([^()]*\)|\{[^{}]*\}"
_FIELD = re.compile(rf"([A-Za-z]\w*(?:\.\w+|{_INDEX})*)\.(\w*)$", re.ASCII)
_HANDLE = re.compile(r"@\s*(\w*)$", re.ASCII)
_ABOUT_VARIABLES = frozenset("clear clearvars openvar who whos".split())
_ABOUT_FUNCTIONS = frozenset("doc help which lookfor edit open type dbstop".split())
_BEGINS = re.compile(r"(?:^|[;,])\s*$")


@record
class Completion:
    """One candidate.

    Attributes:
        label: what is inserted.
        kind: ``variable``, ``parameter``, ``function``, ``builtin``, ``keyword``, ``field``,
            ``option``, ``file`` or ``snippet``.
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
    """The part already typed before ``offset``, and what may stand there whatever is typed.

    ``before`` is the line up to the caret, where the document is of a slightly older text. What
    fits the letters, and in which order, says ``ranking``.
    """
    text = document.source.text
    if before is None:
        before = text[text.rfind("\n", 0, offset) + 1 : offset]
    quoted = typed_in_text(before)
    field = fields_wanted(before)
    command = command_word(before)
    if quoted is not None:
        typed = quoted
        names = texts_here(before[: len(before) - len(typed) - 1], text[:offset])
        candidates: Iterable[Completion] = [Completion(n, "option") for n in names]
    elif command is not None:
        name, typed = command
        candidates = _command_words(document, offset, name, surroundings)
    elif field is not None:
        base, typed = field
        candidates = _fields(document, base, offset)
    elif handle := _HANDLE.search(before):
        typed = handle[1]
        candidates = _functions(document, surroundings)
    else:
        word = _TYPED.search(before)
        typed = word[0] if word else ""
        candidates = _names(document, offset, before[: len(before) - len(typed)], surroundings)
    return Span(offset - len(typed), offset), tuple(candidates)


def fields_wanted(before: str) -> tuple[str, str] | None:
    """The variable and its fields so far, without indices, and the field begun behind them."""
    found = _FIELD.search(before)
    if found is None or before[: found.start()].endswith((".", "'", '"')):
        return None
    return re.sub(_INDEX, "", found[1]), found[2]


def _names(
    document: Document, offset: int, before: str, surroundings: Surroundings | None
) -> Iterator[Completion]:
    yield from _options(document, before, surroundings)
    yield from _seen_variables(document, offset, surroundings)
    if _BEGINS.search(before):
        yield from (Completion(word, "keyword") for word in sorted(KEYWORDS))
    yield from _functions(document, surroundings)


def _seen_variables(
    document: Document, offset: int, surroundings: Surroundings | None
) -> Iterator[Completion]:
    yield from _variables(document, offset)
    if surroundings is not None and _in_script(document, offset):
        yield from (Completion(n, "variable") for n in sorted(surroundings.variables))


def _command_words(
    document: Document, offset: int, name: str, surroundings: Surroundings | None
) -> Iterator[Completion]:
    """What may stand behind a command: its own words, and the names that it is about."""
    yield from (Completion(word, "option") for word in words_of(name))
    if name in _ABOUT_VARIABLES:
        yield from _seen_variables(document, offset, surroundings)
    elif name in _ABOUT_FUNCTIONS:
        yield from _functions(document, surroundings)


def _in_script(document: Document, offset: int) -> bool:
    """True where the variables of the base workspace are seen."""
    scope = document.symbols.at(offset)
    while scope.parent is not None:
        scope = scope.parent
    return scope is document.symbols.scopes[0]


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
    provided = builtin_names() | shipped().names
    if surroundings is not None:
        own = (surroundings.functions.keys() | surroundings.methods) - provided - shipped().methods
        yield from (Completion(n, "function") for n in sorted(own))
    names = sorted(provided, key=lambda n: (len(n), n.lower()))
    yield from (Completion(n, "builtin") for n in names)


def _fields(document: Document, base: str, offset: int) -> Iterator[Completion]:
    """Fields seen on the same variable anywhere in the text, and members of its own class."""
    names = {
        node.name
        for node in walk(document.file)
        if isinstance(node, ast.Field) and node.span.end != offset
        if _base_of(document.source.text, node) == base
    }
    text = document.source.text[:offset]
    yield from (Completion(n, "field") for n in sorted({*names, *properties_of(base, text)}))
    if document.file.classdef is not None and base in ("obj", "this", "self"):
        yield from _members(document.file.classdef)


def _base_of(text: str, node: ast.Field) -> str:
    return re.sub(_INDEX, "", text[node.span.start : node.span.end - len(node.name) - 1])


def _members(node: ast.ClassDef) -> Iterator[Completion]:
    for block in node.blocks:
        match block:
            case ast.PropertiesBlock():
                yield from (Completion(d.name, "field", d.class_name) for d in block.declarations)
            case ast.MethodsBlock():
                yield from (Completion(f.name, "function", "method") for f in block.functions)
            case _:
                pass


def _options(
    document: Document, before: str, surroundings: Surroundings | None
) -> Iterator[Completion]:
    """``name=`` of the name-value arguments of a function or a builtin, inside its call."""
    name, _ = open_call(before)
    function = function_known(name, document, surroundings)
    for block in function.arguments if function else ():
        for d in block.declarations:
            if d.member and not d.member.startswith("?"):
                yield Completion(f"{d.member}=", "option", d.class_name)
    if function is None:
        yield from (Completion(f"{n}=", "option") for n in options_here(before))
