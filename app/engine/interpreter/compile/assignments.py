"""Assignments: plain, indexed, nested, several targets at once, deletion, ``op=``."""

from __future__ import annotations

import ast as py
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import has_end
from app.engine.interpreter.compile.assignment_values import assigns_inside, value_of_assignment
from app.engine.interpreter.compile.chains import EndContext, flatten, may_be_list
from app.engine.interpreter.compile.emit import python_name
from app.engine.interpreter.compile.inline_arithmetic import OPERATORS
from app.engine.language import ast
from app.engine.language.walk import walk_body

if TYPE_CHECKING:
    from app.engine.interpreter.compile.functions import FunctionCompiler

PAREN, BRACE, FIELD = 0, 1, 2
"""Kinds of steps handed to the assignment helpers."""


class Assignments:
    """Compiles the assignments of a function."""

    def __init__(self, function: FunctionCompiler) -> None:
        self.out = function.out
        self.unit = function.unit
        self.scope = function.scope
        self.expressions = function.expressions
        self.chains = function.chains

    def store(self, name: str) -> py.expr:
        """The variable ``name`` as the target of a Python assignment."""
        if self.scope.is_global(name):
            held = self.out.name(self.scope.shared_variables)
            return self.out.item(held, self.out.const(name), store=True)
        if name in self.scope.names.persistent:
            key = self.out.const(name)
            return self.out.item(self.out.name(self.unit.persistent_name()), key, store=True)
        return self.out.target(python_name(name))

    def value_or_none(self, name: str) -> py.expr:
        """The variable ``name``, or None when it is unset."""
        if self.scope.is_local(name) and not self.scope.certain(name):
            self.scope.mark_unset(name)
        if self.scope.is_global(name) and self.scope.shared_variables == "@linked":
            get = self.out.attribute(self.out.name("@linked"), "get")
            return self.out.call(get, self.out.const(name))
        return self.expressions.variable(name)

    def assign_to(self, target: ast.Expr, value: py.expr) -> list[py.stmt]:
        """``target = value`` for a compiled value."""
        root, steps = flatten(target)
        if isinstance(root, ast.Ignored):
            return [self.out.run(value)]
        if not isinstance(root, ast.Name):
            return [self.out.run(self.out.call("@bad_target"))]
        with self.out.at(target.span):
            if not steps:
                made: py.expr = value
            else:
                made = self.assigned_value(root.id, steps, value)
        statement = self.out.assign(self.store(root.id), made)
        self.scope.define(root.id)
        return [statement]

    def assigned_value(self, name: str, steps: list[ast.Expr], value: py.expr) -> py.expr:
        """The variable after an assignment through ``steps``."""
        base = self.value_or_none(name)
        step = steps[0]
        if len(steps) == 1 and isinstance(step, ast.Index):
            args = self.target_subscripts(step.args, base)
            if len(args) in {1, 2} and not any(isinstance(a, py.Starred) for a in args):
                block = self.chains.block_subscripts(step.args, args)
                helper = f"@set{len(args)}" if block is None else "@set_block"
                return self.out.call(helper, base, *(block or args), value)
            return self.out.call("@set", base, self.out.tuple(args), value)
        if len(steps) == 1 and isinstance(step, ast.CellIndex):
            args = self.target_subscripts(step.args, base)
            if len(args) == 1 and not isinstance(args[0], py.Starred):
                return self.out.call("@set_brace1", base, args[0], value)
            return self.out.call("@set_brace", base, self.out.tuple(args), value)
        if len(steps) == 1 and isinstance(step, ast.Field | ast.DynamicField):
            return self.out.call("@set_field", base, self.chains.field_name(step), value)
        return self.out.call("@assign", base, self.steps_tuple(name, steps), value)

    def steps_tuple(self, name: str, steps: list[ast.Expr]) -> py.expr:
        """The steps as a Python tuple of (kind, arguments or field name)."""
        made: list[py.expr] = []
        for step in steps:
            with self.out.at(step.span):
                made.append(self._one_step(name, step, made))
        return self.out.tuple(made)

    def _one_step(self, name: str, step: ast.Expr, before: list[py.expr]) -> py.expr:
        if isinstance(step, ast.Index | ast.CellIndex):
            base = self.value_or_none(name)
            if before and has_end(step.args, self.scope.owns_end):
                base = self.out.call("@peek", base, self.out.tuple(list(before)))
            args = self.out.tuple(self.target_subscripts(step.args, base))
            return self.out.tuple(
                [self.out.const(PAREN if isinstance(step, ast.Index) else BRACE), args]
            )
        return self.out.tuple([self.out.const(FIELD), self.chains.field_name(step)])

    def target_subscripts(self, args: tuple[ast.Expr, ...], base: py.expr) -> list[py.expr]:
        """Subscripts of an assignment target; ``end`` measures ``base``."""
        made: list[py.expr] = []
        for position, arg in enumerate(args):
            self.chains.ends.append(EndContext(base, position, len(args)))
            made += self.chains.spread(arg)
            self.chains.ends.pop()
        return made

    def assign_expression(self, node: ast.AssignExpression) -> py.expr:
        """``(x(i) = value)`` as a value."""
        return value_of_assignment(self, node)

    def value_after(self, target: ast.Expr, op: str, value: ast.Expr) -> py.expr:
        """The value that ``target op= value`` stores."""
        if not op:
            return self.expressions.expr(value)
        return self.expressions.expr(ast.Binary(value.span, op, target, value))

    # --- statements ---

    def assign_statement(self, node: ast.Assign) -> list[py.stmt]:
        """``target = value``."""
        root, steps = flatten(node.target)
        value, before = node.value, set(self.scope.defined)
        if steps and isinstance(steps[-1], ast.Index) and is_empty_literal(value):
            made = self._deletion(root, steps, self.out.const(isinstance(value, ast.Char)))
        elif self._may_spread_targets(steps):
            return self._list_assign((node.target,), value, node.display)
        elif steps and assigns_inside(node):
            held = self.out.temporary()
            made = [self.out.assign(self.out.target(held), self.one_value(value))]
            made += self.assign_to(node.target, self.out.name(held))
        else:
            given = self.one_value(value)
            if any(isinstance(n, ast.Postfix) for n in walk_body((value,))):
                given = self.out.call("@column_major", given)
            made = self._assign_before(before, node.target, given)
        return made + self.display(node.target, node.display)

    def one_value(self, value: ast.Expr) -> py.expr:
        """The right side of an assignment: the first value of a comma-separated list."""
        if may_be_list(value):
            return self.out.call("@first", self.chains.chain_with(value, None, many=True))
        return self.expressions.expr(value)

    def _may_spread_targets(self, steps: list[ast.Expr]) -> bool:
        """``[c{1:3}] = …`` needs brackets; without them one target is one value."""
        return False

    def _deletion(self, root: ast.Expr, steps: list[ast.Expr], text: py.expr) -> list[py.stmt]:
        if not isinstance(root, ast.Name):
            return [self.out.run(self.out.call("@bad_target"))]
        base = self.value_or_none(root.id)
        last = steps[-1]
        assert isinstance(last, ast.Index)
        if len(steps) == 1:
            args = self.out.tuple(self.target_subscripts(last.args, base))
            made = self.out.call("@delete", base, args, text)
        else:
            made = self.out.call("@delete_in", base, self.steps_tuple(root.id, steps), text)
        return [self.out.assign(self.store(root.id), made)]

    def op_assign(self, node: ast.OpAssign) -> list[py.stmt]:
        """``target op= value``."""
        before = set(self.scope.defined)
        value = self.value_after(node.target, node.op, node.value)
        made = self._assign_before(before, node.target, value)
        return made + self.display(node.target, node.display)

    def _assign_before(self, before: set[str], target: ast.Expr, value: py.expr) -> list[py.stmt]:
        """`assign_to` in one expression: the target's subscripts run before the value, and can
        count only on what had a value ``before``."""
        after, self.scope.defined = self.scope.defined, set(before)
        made = self.assign_to(target, value)
        self.scope.defined = after | (self.scope.defined - before)
        return made

    def multi_assign(self, node: ast.MultiAssign) -> list[py.stmt]:
        """``[a, b.c, ~] = value``."""
        if any(self._is_list_target(t) for t in node.targets):
            return self._list_assign(node.targets, node.value, node.display)
        if len(node.targets) == 1:
            made = self.assign_to(node.targets[0], self.one_value(node.value))
            return made + self.display(node.targets[0], node.display)
        values = self.values_of(node.value, self.out.const(len(node.targets)))
        names = [self._direct_target(t) for t in node.targets]
        if all(n is not None for n in names):
            made = [self.out.assign(self._tuple_target(node.targets), values)]
            for target in node.targets:
                if isinstance(target, ast.Name):
                    self.scope.define(target.id)
        else:
            made = self._through_temporary(node.targets, values)
        for target in node.targets:
            made += self.display(target, node.display)
        return made

    def values_of(self, value: ast.Expr, count: py.expr) -> py.expr:
        """A Python tuple of ``count`` values."""
        if isinstance(value, ast.Name | ast.Index | ast.CellIndex | ast.Field | ast.DynamicField):
            made = self.chains.chain_with(value, count, many=True)
            return self.out.call("@take", made, count)
        if isinstance(value, ast.SuperCall):
            return self.out.call("@take", self.chains.chain_with(value, count), count)
        if isinstance(value, ast.Binary) and value.op in OPERATORS:
            name = self.out.const(OPERATORS[value.op].removeprefix("@"))
            operands = self.expressions.expr(value.left), self.expressions.expr(value.right)
            return self.out.call("@operator_outputs", name, count, *operands)
        return self.out.call("@too_many_values", self.expressions.expr(value))

    def _is_list_target(self, target: ast.Expr) -> bool:
        """May the target stand for several places?"""
        if isinstance(target, ast.CellIndex):
            return not all(isinstance(a, ast.Number) for a in target.args)
        return isinstance(target, ast.Field | ast.DynamicField)

    def _direct_target(self, target: ast.Expr) -> str | None:
        if isinstance(target, ast.Ignored):
            return "#_"
        if isinstance(target, ast.Name) and self.scope.is_local(target.id):
            return python_name(target.id)
        return None

    def _tuple_target(self, targets: tuple[ast.Expr, ...]) -> py.expr:
        names = [self._direct_target(t) or "#_" for t in targets]
        made = self.out.tuple([self.out.target(n) for n in names])
        made.ctx = py.Store()
        return made

    def _through_temporary(self, targets: tuple[ast.Expr, ...], values: py.expr) -> list[py.stmt]:
        held = self.out.temporary()
        made: list[py.stmt] = [self.out.assign(self.out.target(held), values)]
        for position, target in enumerate(targets):
            if not isinstance(target, ast.Ignored):
                value = self.out.item(self.out.name(held), self.out.const(position))
                made += self.assign_to(target, value)
        return made

    def _list_assign(
        self, targets: tuple[ast.Expr, ...], value: ast.Expr, display: bool
    ) -> list[py.stmt]:
        """Targets that may stand for several places: count them first, then share out."""
        counts = self.out.temporary()
        made: list[py.stmt] = [
            self.out.assign(
                self.out.target(counts), self.out.tuple([self._places(t) for t in targets])
            )
        ]
        total = self.out.call("@sum", self.out.name(counts))
        held = self.out.temporary()
        shared = self.out.call("@share", self.values_of(value, total), self.out.name(counts))
        if not isinstance(
            value,
            ast.Name | ast.Index | ast.CellIndex | ast.Field | ast.DynamicField | ast.SuperCall,
        ):
            shared = self.out.call(
                "@share_one", self.expressions.expr(value), self.out.name(counts)
            )
        made.append(self.out.assign(self.out.target(held), shared))
        for position, target in enumerate(targets):
            part = self.out.item(self.out.name(held), self.out.const(position))
            made += self._assign_part(target, part)
        for target in targets:
            made += self.display(target, display)
        return made

    def _places(self, target: ast.Expr) -> py.expr:
        root, steps = flatten(target)
        if not isinstance(root, ast.Name) or not self._is_list_target(target):
            return self.out.const(1)
        return self.out.call(
            "@places", self.value_or_none(root.id), self.steps_tuple(root.id, steps)
        )

    def _assign_part(self, target: ast.Expr, part: py.expr) -> list[py.stmt]:
        """Assign a tuple of values to the places of one target."""
        root, steps = flatten(target)
        if isinstance(root, ast.Ignored):
            return []
        if not self._is_list_target(target) or not isinstance(root, ast.Name):
            return self.assign_to(target, self.out.item(part, self.out.const(0)))
        made = self.out.call(
            "@assign_list", self.value_or_none(root.id), self.steps_tuple(root.id, steps), part
        )
        statement = self.out.assign(self.store(root.id), made)
        self.scope.define(root.id)
        return [statement]

    def display(self, target: ast.Expr, display: bool) -> list[py.stmt]:
        """Show the variable of ``target`` when the statement has no semicolon."""
        root, _ = flatten(target)
        if not display or not isinstance(root, ast.Name):
            return []
        return [
            self.out.run(
                self.out.call("@show", self.out.const(root.id), self.expressions.variable(root.id))
            )
        ]


def is_empty_literal(node: ast.Expr) -> bool:
    """True for ``[]`` and ``''``, which delete when assigned to an index."""
    if isinstance(node, ast.Char):
        return not node.value
    return isinstance(node, ast.Matrix) and not any(node.rows)
