"""Questions about containers and texts whose answers their shapes have."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.jit.container_shapes import (
    CELL,
    COUNT,
    ENDS,
    MAP,
    OBJECT,
    STRUCT,
    Columns,
    Lines,
    Members,
    Written,
    part_name,
)
from app.engine.jit.listed_cells import COUNTS, count_asked
from app.engine.language import ast

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine.jit.inline_scopes import Scope
    from app.engine.jit.part_names import Parts
    from app.source import Span

_KINDS = {"isstruct": STRUCT, "iscell": CELL, "isobject": OBJECT}
_QUESTIONS = frozenset((*_KINDS, "isfield", "numel", "length", "isempty", "strcmp"))


def answered(
    parts: Parts, node: ast.Expr, scope: Scope, lower: Callable[[ast.Expr, Scope], ast.Expr]
) -> ast.Expr | None:
    """The answer to a question; None for other expressions."""
    if not (isinstance(node, ast.Index) and isinstance(node.base, ast.Name) and node.args):
        return None
    name = node.base.id
    if name not in _QUESTIONS or not scope.is_builtin(node.base, name):
        return None
    if name == "strcmp":
        return _same_text(parts, node, scope, lower)
    flat = parts.place(node.args[0], scope)
    inside = parts.places.inside(flat)
    if isinstance(inside, Columns) and name == "numel" and inside.keys and len(node.args) == 1:
        column = parts.leaf(part_name(flat, inside.keys[0]), scope, node.span)
        return replace(node, args=(column,))
    if isinstance(inside, Lines) and name == "numel" and len(node.args) == 1:
        ends = parts.leaf(part_name(flat, ENDS), scope, node.span)
        return ast.Binary(node.span, "-", replace(node, args=(ends,)), ast.Number(node.span, 1.0))
    if isinstance(inside, Written) and inside.grows and name in COUNTS:
        return count_asked(name, parts.leaf(part_name(flat, COUNT), scope, node.span))
    if not isinstance(inside, Members):
        return None
    return _of_members(name, inside, node.args[1:], node.span)


def _same_text(
    parts: Parts, node: ast.Index, scope: Scope, lower: Callable[[ast.Expr, Scope], ast.Expr]
) -> ast.Expr | None:
    if len(node.args) != 2:
        return None
    texts = [parts.text_of(a, scope) for a in node.args]
    if texts == [None, None]:
        return None
    left, right = (t or a for t, a in zip(texts, node.args, strict=True))
    if isinstance(left, ast.Char) and isinstance(right, ast.Char):
        return truth(node.span, left.value == right.value)
    return replace(node, args=tuple(lower(a, scope) for a in (left, right)))


def compared_text(parts: Parts, node: ast.Binary, scope: Scope) -> ast.Expr | None:
    """``==`` and ``~=`` of strings that do not change."""
    found = [parts.text_of(n, scope) for n in (node.left, node.right)]
    if found == [None, None]:
        return None
    left, right = (t or n for t, n in zip(found, (node.left, node.right), strict=True))
    if isinstance(left, ast.Char) and isinstance(right, ast.Char):
        return truth(node.span, (left.value == right.value) == (node.op == "=="))
    return None


def _of_members(
    name: str, inside: Members, rest: tuple[ast.Expr, ...], span: Span
) -> ast.Expr | None:
    if name == "isfield":
        if len(rest) != 1 or not isinstance(rest[0], ast.Char | ast.String):
            return None
        return truth(span, inside.kind == STRUCT and rest[0].value in inside.keys)
    if rest or inside.kind == MAP:
        return None
    if name in _KINDS:
        return truth(span, inside.kind == _KINDS[name])
    if inside.kind not in {STRUCT, CELL}:
        return None
    if name == "isempty":
        return truth(span, False)
    size = inside.size or (1, 1)
    return ast.Number(span, float(max(size) if name == "length" else size[0] * size[1]))


def truth(span: Span, value: bool) -> ast.Expr:
    """A truth value that is known."""
    return ast.Name(span, "true" if value else "false")
