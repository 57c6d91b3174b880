"""Whole containers: what gives one, and how a variable takes one, part by part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.jit.builder import Refused
from app.engine.jit.container_shapes import CELL, STEPS, STRUCT, Columns, Key, Members, part_name
from app.engine.jit.trees import Copies, Inlined, as_statement, effects_of
from app.engine.language import ast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.engine.jit.container_shapes import Path
    from app.engine.jit.flattening import Flattener
    from app.engine.jit.inline_scopes import Scope
    from app.source import Span

Container = tuple[list[ast.Statement], str]
"""What is done for a container, and the name that it has then."""


class Wholes:
    """Gives whole containers names, and copies them.

    Attributes:
        given: variables of the loop that have a value when it is entered.
    """

    def __init__(self, flattener: Flattener, given: frozenset[str]) -> None:
        self.flattener = flattener
        self.places = flattener.places
        self.parts = flattener.parts
        self.given = given

    def container(self, node: ast.Expr, scope: Scope) -> Container | None:
        """What an expression gives, if that is a container."""
        flat = self.parts.place(node, scope)
        if flat:
            return ([], flat) if self.parts.is_container(flat) else None
        match node:
            case ast.CellLiteral():
                return self._cell(node, scope)
            case ast.Index() if _names_fields(node) and scope.is_builtin(node.base, "struct"):
                return self._struct(node, scope)
            case ast.Index() if self._takes_element(node, scope):
                return self._element(node, scope)
            case ast.Index() | ast.Name() | ast.Field():
                return self._container_of_call(node, scope)
            case _:
                return None

    def _container_of_call(self, node: ast.Expr, scope: Scope) -> Container | None:
        """What a function gives."""
        called = self.flattener.inliner.call(node, 1, scope)
        if called is None:
            return None
        if called.results and self.parts.is_container(called.results[0]):
            return [as_statement(called.expression(None))], called.results[0]
        self.flattener.inliner.keep(node, called)
        return None

    # --- literals ---

    def _cell(self, node: ast.CellLiteral, scope: Scope) -> Container:
        rows = len(node.rows)
        columns = len(node.rows[0]) if rows else 0
        if not columns or any(len(r) != columns for r in node.rows):
            raise Refused("a cell", node.span)
        items = [node.rows[r][c] for c in range(columns) for r in range(rows)]
        shape = Members(CELL, 0, (rows, columns), (), ())
        return self._literal(shape, list(enumerate(items, 1)), scope)

    def _struct(self, node: ast.Index, scope: Scope) -> Container:
        pairs = [
            (str(self.parts.constant(k, scope)), v)
            for k, v in zip(node.args[::2], node.args[1::2], strict=True)
        ]
        if any(isinstance(v, ast.CellLiteral) for _, v in pairs):
            raise Refused("a struct of cells", node.span)
        if len({k for k, _ in pairs}) < len(pairs):
            raise Refused("a struct that names a field twice", node.span)
        return self._literal(Members(STRUCT, 0, (), (), ()), pairs, scope)

    def _literal(
        self,
        shape: Members,
        items: Sequence[tuple[Key, ast.Expr]],
        scope: Scope,
    ) -> Container:
        flat = self.flattener.fresh_name(shape.kind)
        keys: tuple[Key, ...] = tuple(k for k, _ in items)
        self.places.shapes[flat] = shape._replace(keys=keys, parts=(None,) * len(keys))
        body: list[ast.Statement] = []
        for key, value in items:
            body += self.bind(part_name(flat, key), value, scope)
        made = Inlined(items[0][1].span, tuple(body), (), effects_of(body))
        return [as_statement(made)], flat

    def _takes_element(self, node: ast.Index, scope: Scope) -> bool:
        """Whether it is one element of a struct array."""
        inside = self.places.inside(self.parts.place(node.base, scope))
        return isinstance(inside, Columns) and inside.whole and len(node.args) == 1

    def _element(self, node: ast.Index, scope: Scope) -> Container:
        """An element of a struct array as a struct."""
        flat = self.parts.place(node.base, scope)
        inside = self.places.inside(flat)
        assert isinstance(inside, Columns)
        items = [(k, ast.Field(node.span, node, k)) for k in inside.keys]
        return self._literal(Members(STRUCT, 0, (), (), ()), items, scope)

    def bind(self, flat: str, value: ast.Expr, scope: Scope) -> list[ast.Statement]:
        """What gives a variable of our own the value of an expression."""
        given = self.container(value, scope)
        if given is None:
            lowered = self.flattener.expr(value, scope)
            self.places.local.setdefault(flat)
            return [ast.Assign(value.span, ast.Name(value.span, flat), lowered)]
        before, source = given
        pairs = self.copies(source, flat, scope, value.span)
        return [*before, as_statement(Copies(value.span, tuple(pairs)))]

    # --- assignments ---

    def assign(self, target: ast.Expr, given: Container, scope: Scope) -> ast.Statement:
        """A variable or part takes a container."""
        before, source = given
        flat = self.target(target, scope)
        copies = self.copies(source, flat, scope, target.span)
        if scope.prefix:
            self.flattener.note_effects(t for t, _ in copies)
        body = (*before, as_statement(Copies(target.span, tuple(copies))))
        return as_statement(Inlined(target.span, body, (), effects_of(before)))

    def target(self, node: ast.Expr, scope: Scope) -> str:
        """The name of a variable or part that takes a whole container."""
        flat = self.parts.place(node, scope)
        if not flat:
            raise Refused("a part of a container takes a container", node.span)
        return flat

    def copies(self, source: str, target: str, scope: Scope, span: Span) -> list[tuple[str, str]]:
        """What makes ``target`` the same as ``source``: pairs of plain variables."""
        places = self.places
        if source == target:
            return []
        if not self.parts.is_container(target) and not self._makes(source, target):
            raise Refused(f"'{target}' becomes a container", span)
        if places.layout(source) != places.layout(places.resolve(target)):
            raise Refused(f"'{target}' becomes another container", span)
        if places.is_constant(source):
            return []
        if not isinstance(places.inside(source), Members):
            raise Refused("a whole container of many elements is assigned", span)
        made = []
        pairs = zip(places.children(target), places.children(source), strict=True)
        for mine, other in pairs:
            if self.parts.is_container(other):
                made += self.copies(other, mine, scope, span)
            else:
                places.use(other, scope, span)
                made.append((places.use(mine, scope, span, written=True), other))
        return made

    def _makes(self, source: str, target: str) -> bool:
        """Give a variable without a container one like ``source``."""
        root, path = self.places.paths.get(target, ("", ()))
        if path or root in self.given or (root and self.places.is_constant(source)):
            return False
        if root:
            self.places.made.setdefault(target)
        self._place_like(source, target, root, path)
        return True

    def _place_like(self, source: str, target: str, root: str, path: Path) -> None:
        places = self.places
        shape = places.shapes.get(source)
        if root:
            places.paths[target] = root, path
        if shape is None:
            return
        if not isinstance(shape, Members):
            places.alias(target, source)
            return
        places.shapes[target] = shape
        for key in shape.keys:
            step = (*path, (STEPS[shape.kind], key))
            self._place_like(
                places.resolve(part_name(source, key)), part_name(target, key), root, step
            )
            places.owner_like(part_name(source, key), part_name(target, key))


def _names_fields(node: ast.Index) -> bool:
    """Whether the arguments are names of fields, each with a value."""
    names = node.args[::2]
    return (
        bool(names)
        and len(node.args) % 2 == 0
        and all(isinstance(a, ast.Char | ast.String) for a in names)
    )
