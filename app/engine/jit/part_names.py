"""Which variable an expression means: a name, or a part of a container that the text tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from app.engine.jit.builder import Refused
from app.engine.jit.container_shapes import (
    CELL,
    MAP,
    OBJECT,
    STRUCT,
    STRUCTS,
    Columns,
    Key,
    Lines,
    Members,
    Text,
    part_name,
)
from app.engine.language import ast
from app.engine.language.walk import walk_body

if TYPE_CHECKING:
    from app.engine.jit.inline_scopes import Places, Scope
    from app.source import Span

Constant = float | str | None


class Parts:
    """Finds parts of containers.

    Attributes:
        places: the containers.
        steering: the values of variables that choose parts and are not assigned.
    """

    def __init__(self, places: Places, steering: Mapping[str, float | str]) -> None:
        self.places = places
        self.steering = steering

    def place(self, node: ast.Expr, scope: Scope) -> str:
        """The name of the variable or part that an expression is; empty where it is none."""
        match node:
            case ast.Name():
                if node.id not in scope.variables:
                    return ""
                return self.places.resolve(scope.flat(node.id))
            case ast.Field():
                return self._member(node.base, node.name, scope)
            case ast.DynamicField():
                return self._member(node.base, self.constant(node.name, scope), scope)
            case ast.CellIndex():
                return self._element(node, CELL, scope)
            case ast.Index() if scope.is_builtin(node.base, "getfield") and len(node.args) == 2:
                return self._member(node.args[0], self.constant(node.args[1], scope), scope)
            case ast.Index():
                return self._element(node, STRUCTS, scope)
            case _:
                return ""

    def _member(self, base: ast.Expr, key: Constant, scope: Scope) -> str:
        holder = self.place(base, scope)
        inside = self.places.inside(holder)
        if not isinstance(key, str) or not isinstance(inside, Members):
            return ""
        return self.places.child(holder, key) if inside.kind in (STRUCT, OBJECT) else ""

    def _element(self, node: ast.CellIndex | ast.Index, kind: str, scope: Scope) -> str:
        """An element of a cell or a struct array, where the text says which."""
        holder = self.place(node.base, scope)
        inside = self.places.inside(holder)
        if not isinstance(inside, Members):
            return ""
        if kind == STRUCTS and inside.kind in (STRUCT, OBJECT) and len(node.args) == 1:
            return holder if self.constant(node.args[0], scope, 1) == 1.0 else ""
        if inside.kind == MAP and kind == STRUCTS and len(node.args) == 1:
            return self._entry(holder, inside, node.args[0], scope)
        if inside.kind != kind:
            return ""
        sizes = (len(inside.keys),) if len(node.args) == 1 else inside.size
        number = self._number(node.args, sizes, scope)
        return self.places.child(holder, number) if number else ""

    def _entry(self, holder: str, inside: Members, key: ast.Expr, scope: Scope) -> str:
        """The value of a key of a map, where the text says which; some take strings only."""
        text = self.text_of(key, scope)
        if text is not None:
            return self.places.child(holder, text.value)
        known = self.constant(key, scope)
        return self.places.child(holder, known) if inside.owner and isinstance(known, str) else ""

    def _number(self, args: tuple[ast.Expr, ...], sizes: tuple[int, ...], scope: Scope) -> Key:
        """The element, from 1, that subscripts take; 0 where the text does not say."""
        if len(args) != len(sizes):
            return 0
        number, step = 1, 1
        for arg, size in zip(args, sizes, strict=True):
            at = self.constant(arg, scope, size)
            if not isinstance(at, float) or not at.is_integer() or not 1 <= at <= size:
                return 0
            number, step = number + (int(at) - 1) * step, step * size
        return number

    def column(self, node: ast.Expr, scope: Scope) -> tuple[str, tuple[ast.Expr, ...]] | None:
        """The array and the subscripts that ``c{k}`` and ``s(k).x`` stand for."""
        if isinstance(node, ast.CellIndex):
            base, key, args = node.base, "", node.args
        elif isinstance(node, ast.Field) and isinstance(node.base, ast.Index):
            base, key, args = node.base.base, node.name, node.base.args
        else:
            return None
        holder = self.place(base, scope)
        inside = self.places.inside(holder)
        if not isinstance(inside, Columns) or key not in inside.keys:
            return None
        return part_name(holder, key), args

    def line(self, node: ast.Expr, scope: Scope) -> tuple[str, ast.Expr] | None:
        """The cell of lines, and the number of the one, that ``c{k}`` stands for."""
        if not isinstance(node, ast.CellIndex) or len(node.args) != 1:
            return None
        holder = self.place(node.base, scope)
        if not isinstance(self.places.inside(holder), Lines) or _has_end(node.args[0]):
            return None
        return holder, node.args[0]

    def constant(self, node: ast.Expr, scope: Scope, end: int = 0) -> Constant:
        """The number or text that an expression is in every pass; None for others."""
        match node:
            case ast.Number() if not node.imaginary and not node.int_class:
                return float(node.value)
            case ast.Char() | ast.String():
                return node.value
            case ast.Matrix() if len(node.rows) == 1:
                texts = [self.constant(n, scope) for n in node.rows[0]]
                return "".join(map(str, texts)) if all(isinstance(t, str) for t in texts) else None
            case ast.End() if end:
                return float(end)
            case ast.Name() if node.id in scope.literals:
                return self.constant(scope.literals[node.id], scope)
            case ast.Name() if node.id in scope.variables:
                flat = self.places.resolve(scope.flat(node.id))
                return self.steering.get(flat, self._text(flat))
            case _:
                return None

    def _text(self, flat: str) -> str | None:
        """A string that is the same in every pass."""
        inside = self.places.inside(flat)
        return inside.text if isinstance(inside, Text) else None

    def text_of(self, node: ast.Expr, scope: Scope) -> ast.Char | None:
        """A string that is the same in every pass, as characters."""
        text = node.value if isinstance(node, ast.String) else self._text(self.place(node, scope))
        return None if text is None else ast.Char(node.span, text)

    def leaf(self, flat: str, scope: Scope, span: Span) -> ast.Name:
        """A plain value that is read."""
        if self.is_container(flat):
            known = self.places.inside(flat) is not None
            other = f"'{flat}' is of a class that is not compiled"
            raise Refused("a container where a number is wanted" if known else other, span)
        return ast.Name(span, self.places.use(flat, scope, span))

    def is_container(self, flat: str) -> bool:
        """Whether a name stands for something with parts, or for what is not looked into."""
        return self.places.shapes.get(flat) is not None


def _has_end(node: ast.Expr) -> bool:
    """Whether a subscript asks for the number of elements."""
    return any(isinstance(n, ast.End) for n in walk_body((node,)))
