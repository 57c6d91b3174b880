"""A loop without containers: parts of structs, cells and objects become variables.

The loop is written again for the shapes of its containers (`container_shapes`). ``s.x``, ``c{2}``,
``s.(f)``, ``obj.x`` and ``s(k).x`` become variables or elements of variables (`part_names`); what
takes or gives whole containers is done part by part (`wholes`), functions that do are put in the
place of their calls (`inlining`). Statements keep their places: the interpreter can go on with the
loop as it was written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.set_variables import asked_variable, cleared_variables
from app.engine.jit.builder import Refused
from app.engine.jit.container_shapes import (
    COUNT,
    DATA,
    ENDS,
    LIST,
    STRUCT,
    Looker,
    Members,
    Shape,
    Written,
    part_name,
)
from app.engine.jit.inline_scopes import Places, Scope
from app.engine.jit.inlining import Call, Inliner
from app.engine.jit.listed_cells import size_of_new, with_count
from app.engine.jit.part_names import Parts
from app.engine.jit.questions import answered, compared_text
from app.engine.jit.trees import (
    Cleared,
    Copies,
    Inlined,
    Listed,
    Refusal,
    as_expression,
    as_statement,
    with_children,
)
from app.engine.jit.wholes import Wholes
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.interpreter.unit import Unit
    from app.source import Span

Body = tuple[ast.Statement, ...]


class Flattener:
    """Writes one loop again.

    Attributes:
        scope: the names of the loop itself.
        names: its variables.
        places: its containers and their parts.
        parts: finds parts.
        wholes: copies whole containers.
        inliner: puts functions in the place of their calls.
    """

    def __init__(
        self,
        unit: Unit,
        shapes: dict[str, Shape],
        given: frozenset[str],
        steering: Mapping[str, float | str],
        look: Looker,
    ) -> None:
        self.names = frozenset(shapes)
        self.scope = Scope(unit, "", set(shapes))
        self.places = Places(shapes, look.classes)
        self.parts = Parts(self.places, steering)
        self.wholes = Wholes(self, given)
        self.inliner = Inliner(self, look)
        self._effects: dict[str, None] = {}
        self._count = 0

    def loop(self, node: ast.For | ast.While) -> ast.For | ast.While:
        """The loop without containers."""
        made = self.statement(node, self.scope)
        if not isinstance(made, ast.For | ast.While):
            problem: ast.Node = made
            assert isinstance(problem, Refusal)
            raise Refused(problem.reason, problem.place)
        return made

    def fresh_name(self, hint: str) -> str:
        """The prefix of names that nothing else has."""
        self._count += 1
        return f"{hint}-{self._count}"

    # --- what inlined functions assign of others ---

    def begin_effects(self) -> dict[str, None]:
        """A function begins: what was noted until now."""
        kept, self._effects = self._effects, {}
        return kept

    def end_effects(self, kept: dict[str, None]) -> tuple[str, ...]:
        """The function ends: what it assigns of others."""
        made = tuple(self._effects)
        self._effects = {**kept, **self._effects}
        return made

    def note_effects(self, names: Iterable[str]) -> None:
        """A function assigns these."""
        self._effects.update(dict.fromkeys(n for n in names if n in self.places.paths))

    # --- statements ---

    def block(self, body: Body, scope: Scope) -> Body:
        """Statements, one for one."""
        return tuple([self.statement(s, scope) for s in body])

    def _inner(self, body: Body, scope: Scope) -> Body:
        """A block inside another statement."""
        scope.level += 1
        made = self.block(body, scope)
        scope.level -= 1
        return made

    def statement(self, node: ast.Statement, scope: Scope) -> ast.Statement:
        """A statement; what cannot be compiled becomes one that says so."""
        try:
            return self._assignment(node, scope) or self._control(node, scope)
        except Refused as problem:
            return as_statement(Refusal(node.span, problem.reason, problem.span or node.span))

    def _assignment(self, node: ast.Statement, scope: Scope) -> ast.Statement | None:
        match node:
            case ast.Assign():
                return self._assign(node, scope)
            case ast.OpAssign():
                target = self._target(node.target, scope)
                return replace(node, target=target, value=self.expr(node.value, scope))
            case ast.MultiAssign():
                return self._assign_several(node, scope)
            case ast.Command() | ast.ExpressionStatement() if cleared_variables(node):
                return self._clear(cleared_variables(node), node, scope)
            case ast.ExpressionStatement():
                return self._expression(node, scope)
            case _:
                return None

    def _control(self, node: ast.Statement, scope: Scope) -> ast.Statement:
        match node:
            case ast.If():
                return self._if(node, scope)
            case ast.While():
                condition = self.expr(node.condition, scope)
                return replace(node, condition=condition, body=self._inner(node.body, scope))
            case ast.For() if not node.parallel and isinstance(node.target, ast.Name):
                target = self._target(node.target, scope)
                iterable = self.expr(node.iterable, scope)
                body = self._inner(node.body, scope)
                return replace(node, target=target, iterable=iterable, body=body)
            case ast.Switch():
                return self._switch(node, scope)
            case ast.Try():
                return replace(node, body=self._inner(node.body, scope))
            case ast.Break() | ast.Continue() | ast.Return():
                return node
            case ast.Substream():
                return replace(node, counter=self.expr(node.counter, scope))
            case _:
                return as_statement(Refusal(node.span, "", node.span, node))

    def _if(self, node: ast.If, scope: Scope) -> ast.If:
        branches = tuple(
            replace(b, condition=self.expr(b.condition, scope), body=self._inner(b.body, scope))
            for b in node.branches
        )
        orelse = None if node.orelse is None else self._inner(node.orelse, scope)
        return replace(node, branches=branches, orelse=orelse)

    def _switch(self, node: ast.Switch, scope: Scope) -> ast.Switch:
        text = self.parts.text_of(node.subject, scope)
        cases = tuple(
            replace(
                c,
                value=_as_text(c.value) if text else c.value,
                body=self._inner(c.body, scope),
            )
            for c in node.cases
        )
        otherwise = None if node.otherwise is None else self._inner(node.otherwise, scope)
        subject = text or self.expr(node.subject, scope)
        return replace(node, subject=subject, cases=cases, otherwise=otherwise)

    def _expression(self, node: ast.ExpressionStatement, scope: Scope) -> ast.Statement:
        """A call on its own."""
        if node.display:
            raise Refused("a result is shown", node.span)
        called = self.inliner.call(node.expr, 0, scope)
        if called is None:
            return as_statement(Refusal(node.span, "", node.span, node))
        gives = called.results or called.value is not None
        if not gives or scope.prefix or "ans" not in self.names:
            return as_statement(called.expression(called.value))
        target = self._written_name("ans", scope, node.span)
        return ast.Assign(node.span, target, self._value(called, scope))

    def _clear(self, names: tuple[str, ...], node: ast.Statement, scope: Scope) -> ast.Statement:
        """``clear a b`` of variables of the loop."""
        called = node.name if isinstance(node, ast.Command) else "clear"
        builtin = scope.is_builtin(ast.Name(node.span, called), called)
        if scope.prefix or not builtin or not scope.variables.issuperset(names):
            raise Refused("'clear' of what the loop does not know", node.span)
        return as_statement(Cleared(node.span, names))

    def _assign(self, node: ast.Assign, scope: Scope) -> ast.Statement:
        listed = self._listed(node, scope)
        if listed is not None:
            return listed
        given = self.wholes.container(node.value, scope)
        if given is not None:
            return self.wholes.assign(node.target, given, scope)
        value = node.value
        if not (isinstance(value, ast.Matrix) and not any(value.rows)):
            value = self.expr(value, scope)
        elif not isinstance(node.target, ast.Index | ast.Name):
            raise Refused("a part of a container becomes empty", node.span)
        return replace(node, target=self._target(node.target, scope), value=value)

    def _listed(self, node: ast.Assign, scope: Scope) -> ast.Statement | None:
        """An assignment to a cell that is only written, or to an element of it."""
        target = node.target
        base = target.base if isinstance(target, ast.CellIndex) else target
        flat = self.parts.place(base, scope) if isinstance(base, ast.Name) else ""
        inside = self.places.inside(flat)
        if scope.prefix or not isinstance(inside, Written):
            return None
        held, count = (
            self._written_name(part_name(flat, k), scope, node.span) for k in (LIST, COUNT)
        )
        if isinstance(target, ast.CellIndex):
            place = self.expr(with_count(target.args[0], count, scope), scope)
            value = self.expr(node.value, scope)
            made = Listed(node.span, held, count, inside.grows, place, value)
        else:
            size = size_of_new(node.value)
            assert size is not None
            rows, columns = (self.expr(n, scope) for n in size)
            made = Listed(node.span, held, count, inside.grows, None, rows, columns)
        return as_statement(made)

    def _assign_several(self, node: ast.MultiAssign, scope: Scope) -> ast.Statement:
        """``[a, b] = f(x)``."""
        called = self.inliner.call(node.value, len(node.targets), scope)
        if called is None:
            return self._builtin_of_several(node, scope)
        if called.value is not None:
            self.inliner.keep(node.value, called)
            return self._assign(ast.Assign(node.span, node.targets[0], node.value), scope)
        if len(called.results) < len(node.targets):
            raise Refused("a call with more outputs than it has", node.span)
        taken = [
            (t, r)
            for t, r in zip(node.targets, called.results, strict=False)
            if not isinstance(t, ast.Ignored)
        ]
        if len(taken) == 1 and not self.parts.is_container(taken[0][1]):
            target, result = self._target(taken[0][0], scope), taken[0][1]
            value = self.parts.leaf(result, scope, node.span)
            return ast.Assign(node.span, target, as_expression(called.expression(value)))
        pairs = [p for target, result in taken for p in self._output_copies(target, result, scope)]
        if scope.prefix:
            self.note_effects(t for t, _ in pairs)
        copies = as_statement(Copies(node.span, tuple(pairs)))
        body = (as_statement(called.expression(None)), copies)
        return as_statement(Inlined(node.span, body, (), called.effects))

    def _output_copies(self, target: ast.Expr, result: str, scope: Scope) -> list[tuple[str, str]]:
        """A target takes an output."""
        if self.parts.is_container(result):
            flat = self.wholes.target(target, scope)
            return self.wholes.copies(result, flat, scope, target.span)
        made = self._target(target, scope)
        if not isinstance(made, ast.Name):
            raise Refused("an element takes one of several outputs", target.span)
        return [(made.id, self.parts.leaf(result, scope, target.span).id)]

    def _builtin_of_several(self, node: ast.MultiAssign, scope: Scope) -> ast.MultiAssign:
        call = node.value
        if not (isinstance(call, ast.Index) and isinstance(call.base, ast.Name)):
            raise Refused("an assignment to several variables", node.span)
        self.inliner.check_name(call.base.id, scope, node.span)
        targets = tuple(
            t if isinstance(t, ast.Ignored) else self._target(t, scope) for t in node.targets
        )
        args = tuple(self.expr(a, scope) for a in call.args)
        return replace(node, targets=targets, value=replace(call, args=args))

    # --- targets ---

    def _target(self, node: ast.Expr, scope: Scope) -> ast.Expr:
        """What a plain value is assigned to."""
        found = self._new_field(node, scope) or self.parts.place(node, scope)
        if found:
            if self.parts.is_container(found):
                raise Refused("a container becomes something else", node.span)
            return self._written_name(found, scope, node.span)
        column = self.parts.column(node, scope)
        if column is not None:
            return self._element(*column, node, scope)
        if isinstance(node, ast.Index):
            base = self.parts.place(node.base, scope)
            if base and not self.parts.is_container(base):
                return self._element(base, node.args, node, scope)
        raise Refused(_TARGETS.get(type(node), "an assignment of this form"), node.span)

    def _element(
        self, flat: str, args: tuple[ast.Expr, ...], node: ast.Expr, scope: Scope
    ) -> ast.Index:
        """An element of an array that is assigned."""
        subscripts = tuple(self.expr(a, scope) for a in args)
        return ast.Index(node.span, self._written_name(flat, scope, node.span), subscripts)

    def _written_name(self, flat: str, scope: Scope, span: Span) -> ast.Name:
        self.places.use(flat, scope, span, written=True)
        if scope.prefix:
            self.note_effects((flat,))
        return ast.Name(span, flat)

    def _new_field(self, node: ast.Expr, scope: Scope) -> str:
        """The place of a field that a function adds to a struct of its own."""
        if not (scope.prefix and isinstance(node, ast.Field) and isinstance(node.base, ast.Name)):
            return ""
        name = node.base.id
        flat = scope.flat(name)
        if name not in scope.variables or name in scope.bound:
            return ""
        shape = self.places.shapes.get(flat)
        if shape is not None and (not isinstance(shape, Members) or node.name in shape.keys):
            return ""
        if scope.level or (shape is not None and shape.kind != STRUCT):
            raise Refused("a field is added now and then", node.span)
        return self.places.add_member(flat, node.name)

    # --- expressions ---

    def expr(self, node: ast.Expr, scope: Scope) -> ast.Expr:
        """An expression without containers."""
        match node:
            case ast.Number() | ast.Char() | ast.End() | ast.Colon():
                return node
            case ast.Index() if asked_variable(node) in scope.variables and not scope.prefix:
                return self.inliner.left(node, scope)
            case ast.Name() if node.id in scope.counts and node.id not in scope.variables:
                return ast.Number(node.span, float(scope.counts[node.id]))
            case ast.Name() | ast.Index() | ast.Field() | ast.DynamicField() | ast.CellIndex():
                return self._value_of(node, scope)
            case ast.Binary() if node.op in {"==", "~=", "!="}:
                known = compared_text(self.parts, node, scope)
                return known or self._flattened_children(node, scope)
            case ast.AnonymousFunction() | ast.FunctionHandle():
                return node
            case _:
                return self._flattened_children(node, scope)

    def _flattened_children(self, node: ast.Expr, scope: Scope) -> ast.Expr:
        """The same of expressions without containers."""
        return as_expression(with_children(node, lambda n: self.expr(as_expression(n), scope)))

    def _value_of(self, node: ast.Expr, scope: Scope) -> ast.Expr:
        """A variable, a part, an element or a call."""
        flat = self.parts.place(node, scope)
        if flat:
            return self.parts.leaf(flat, scope, node.span)
        column = self.parts.column(node, scope)
        if column is not None:
            array = self.parts.leaf(column[0], scope, node.span)
            return ast.Index(node.span, array, tuple(self.expr(a, scope) for a in column[1]))
        line = self._line(node, scope)
        if line is not None:
            return line
        if isinstance(node, ast.Index):
            base = self.parts.place(node.base, scope)
            if base and not self.parts.is_container(base):
                array = self.parts.leaf(base, scope, node.span)
                return replace(node, base=array, args=tuple(self.expr(a, scope) for a in node.args))
        known = answered(self.parts, node, scope, self.expr)
        if known is not None:
            return known
        called = self.inliner.call(node, 1, scope)
        if called is not None:
            return self._value(called, scope)
        if not isinstance(node, ast.Name | ast.Index):
            raise Refused(_WHAT.get(type(node), "this expression"), node.span)
        return self.inliner.left(node, scope)

    def _line(self, node: ast.Expr, scope: Scope) -> ast.Expr | None:
        """``c{k}`` of a cell of lines, and elements of it, ``c{k}(j)``."""
        found = self.parts.line(node, scope)
        span = node.span
        if found is not None:
            return self._one_line(*found, scope, span)
        if not isinstance(node, ast.Index) or self.parts.line(node.base, scope) is None:
            return None
        held = self.fresh_name("line")
        self.places.local.setdefault(held)
        name = ast.Name(span, held)
        taken = ast.Assign(span, name, self.expr(node.base, scope))
        subscripts = tuple(self.expr(a, scope) for a in node.args)
        result = ast.Index(span, name, subscripts)
        return as_expression(Inlined(span, (taken,), (held,), (), result))

    def _one_line(self, cell: str, which: ast.Expr, scope: Scope, span: Span) -> ast.Expr:
        """The elements from the end of the line before to that of a line."""
        data, ends = (self.parts.leaf(part_name(cell, k), scope, span) for k in (DATA, ENDS))
        number = self.expr(which, scope)
        if isinstance(number, ast.Name | ast.Number):
            return _between(data, ends, number, span)
        held = ast.Name(span, self.fresh_name("which"))
        self.places.local.setdefault(held.id)
        taken, line = ast.Assign(span, held, number), _between(data, ends, held, span)
        return as_expression(Inlined(span, (taken,), (held.id,), (), line))

    def _value(self, called: Call, scope: Scope) -> ast.Expr:
        """What a call gives."""
        if called.value is None and not called.results:
            raise Refused("a call without a value", called.span)
        value = called.value or self.parts.leaf(called.results[0], scope, called.span)
        return as_expression(called.expression(value))


def _between(data: ast.Expr, ends: ast.Expr, number: ast.Expr, span: Span) -> ast.Expr:
    """The elements of the line of a number."""
    one = ast.Number(span, 1.0)
    start = ast.Binary(span, "+", ast.Index(span, ends, (number,)), one)
    stop = ast.Index(span, ends, (ast.Binary(span, "+", number, one),))
    return ast.Index(span, data, (ast.Range(span, start, stop),))


def _as_text(node: ast.Expr) -> ast.Expr:
    """Labels of a switch over a text."""
    if isinstance(node, ast.String):
        return ast.Char(node.span, node.value)
    if isinstance(node, ast.CellLiteral):
        return replace(node, rows=tuple(tuple(_as_text(n) for n in row) for row in node.rows))
    return node


_TARGETS = {
    ast.CellIndex: "an element of a cell is assigned",
    ast.Field: "a field is assigned",
    ast.DynamicField: "a field is assigned",
}
_WHAT = {
    ast.CellIndex: "an index in braces",
    ast.Field: "a field",
    ast.DynamicField: "a field",
}
