"""Call tips and hovers: the call forms and the help of functions."""

from __future__ import annotations

from app import textfile
from app.engine.analysis.analysed_text import Document, open_document
from app.engine.analysis.known import Surroundings
from app.engine.analysis.scopes import Role
from app.engine.language import ast
from app.engine.language.lexer import tokenize
from app.errors import UsageError
from app.records import record
from app.source import SourceText, Span

_OPENING = frozenset({"LPAR", "LBRA", "OBRA", "LBRACE", "IBRACE", "VBRACE"})
_CLOSING = frozenset({"RPAR", "RBRA", "RBRACE"})


@record
class SignatureHelp:
    """The call forms of a function, and which argument (from 0) is being typed."""

    name: str
    signatures: tuple[str, ...]
    summary: str
    argument: int


@record
class Hover:
    """What stands under the pointer.

    Attributes:
        name: the word.
        kind: ``variable``, ``parameter``, ``function`` (of a text), ``builtin`` or ``unknown``.
        span: where it is.
        signatures: call forms of a function.
        text: help of a function.
    """

    name: str
    kind: str
    span: Span
    signatures: tuple[str, ...] = ()
    text: str = ""


def signature_help(
    before: str,
    document: Document | None = None,
    surroundings: Surroundings | None = None,
    offset: int | None = None,
) -> SignatureHelp | None:
    """The call whose arguments are being typed at the end of ``before`` (the lines so far).

    None where the name is a variable at ``offset``: that is an index.
    """
    name, argument = open_call(before)
    if not name or name in (surroundings.variables if surroundings else ()):
        return None
    if document is not None and offset is not None:
        scope = document.symbols.at(min(offset, len(document.source.text)))
        if scope.owner(name) is not None:
            return None
    return describe(name, argument, document, surroundings)


def open_call(before: str) -> tuple[str, int]:
    """The function of the innermost open call, and how many arguments are finished."""
    stream = tokenize(before)
    calls: list[tuple[str, int]] = []
    for place, kind in enumerate(stream.kinds):
        if kind in _OPENING:
            is_call = kind == "LPAR" and place > 0 and stream.kinds[place - 1] == "NAME"
            calls.append(
                (_dotted_name(before, stream.kinds, stream.starts, place) if is_call else "", 0)
            )
        elif kind in _CLOSING and calls:
            calls.pop()
        elif kind == "COMMA" and calls:
            calls[-1] = (calls[-1][0], calls[-1][1] + 1)
    return calls[-1] if calls else ("", 0)


def _dotted_name(text: str, kinds: list[str], starts: list[int], place: int) -> str:
    first = place - 1
    while first >= 2 and kinds[first - 1] == "DOT" and kinds[first - 2] == "NAME":
        first -= 2
    return text[starts[first] : starts[place]].strip()


def describe(
    name: str,
    argument: int = 0,
    document: Document | None = None,
    surroundings: Surroundings | None = None,
) -> SignatureHelp | None:
    """The call forms and the summary of a function of the text, of a file or a builtin."""
    node = function_known(name, document, surroundings)
    if node is not None:
        summary = node.help.strip().partition("\n")[0].strip()
        return SignatureHelp(name, (call_form(node),), summary, argument)
    from app.engine.declarations import registry

    found = registry.lookup(name)
    if found is None:
        return None
    return SignatureHelp(name, tuple(found.signatures), found.summary, argument)


def function_known(
    name: str, document: Document | None = None, surroundings: Surroundings | None = None
) -> ast.FunctionDef | None:
    """The function ``name`` of the text, or of a file around it; None for any other name."""
    node = function_node(document, name) if document and name else None
    file = surroundings.files.get(name) if surroundings and node is None else None
    if file is None:
        return node
    try:
        text = textfile.read(file).text
    except (OSError, UsageError):
        return None  # a file that cannot be read has nothing to tell
    return function_node(open_document(SourceText(str(file), text)), name)


def function_node(document: Document, name: str) -> ast.FunctionDef | None:
    """The function or method ``name`` of the text."""
    for scope in document.symbols.all_scopes():
        if isinstance(scope.node, ast.FunctionDef) and scope.name == name:
            return scope.node
    return None


def call_form(node: ast.FunctionDef) -> str:
    """How a function is called: ``[a, b] = f(x, y)``."""
    outputs = ", ".join(p.name for p in node.outputs)
    left = "" if not outputs else f"[{outputs}] = " if len(node.outputs) > 1 else f"{outputs} = "
    return f"{left}{node.name}({', '.join(p.name for p in node.inputs)})"


def hover(
    document: Document, offset: int, surroundings: Surroundings | None = None
) -> Hover | None:
    """What the name at ``offset`` is; None when there is none."""
    mention = document.mention_at(offset)
    if mention is None:
        return None
    name, span = mention.occurrence.name, mention.occurrence.span
    if mention.owner is not None:
        roles = {o.role for o in mention.owner.mentions[name]}
        return Hover(name, "parameter" if Role.PARAMETER in roles else "variable", span)
    node = function_known(name, document, surroundings)
    if node is not None:
        return Hover(name, "function", span, (call_form(node),), node.help)
    from app.engine.declarations import registry

    found = registry.lookup(name)
    if found is None:
        return Hover(name, "unknown", span)
    return Hover(name, "builtin", span, tuple(found.signatures), found.help)
