"""Statements that are an expression or a command: ``ans``, what is shown, what ``clear`` unsets."""

from __future__ import annotations

import ast as py
from typing import TYPE_CHECKING

from app.engine.interpreter.clearing import CLEARS, names_to_clear
from app.engine.interpreter.compile.chains import flatten
from app.engine.interpreter.compile.emit import python_name
from app.engine.interpreter.compile.set_variables import cleared_variables
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.interpreter.compile.functions import FunctionCompiler

_CHAIN = ast.Name | ast.Index | ast.CellIndex | ast.Field | ast.DynamicField | ast.SuperCall

BARRIERS = frozenset(
    (
        "eval",
        "evalc",
        "evalin",
        "load",
        "run",
        "source",
        "clear",
        "clearvars",
        "assignin",
        "keyboard",
        "syms",
    )
)
"""Functions that may create, change or remove variables of dynamic code."""


class ExpressionStatements:
    """Compiles the expression statements and commands of a function."""

    def __init__(self, function: FunctionCompiler) -> None:
        self.out = function.out
        self.unit = function.unit
        self.scope = function.scope
        self.expressions = function.expressions
        self.chains = function.chains
        self.assignments = function.assignments

    def expression(self, node: ast.ExpressionStatement) -> list[py.stmt]:
        """An expression as a statement."""
        expr = node.expr
        if self._unsets(node):
            return self._unset_variables(cleared_variables(node))
        if isinstance(expr, ast.AssignExpression):
            made = [self.out.run(self.expressions.expr(expr))]
            return made + self.assignments.display(expr.target, node.display)
        if (
            isinstance(expr, ast.Name)
            and self.scope.may_be_variable(expr.id)
            and (expr.id not in self.scope.functions)
        ):
            return self._bare_name(expr, node.display)
        if isinstance(expr, ast.CellIndex | ast.Field | ast.DynamicField):
            called = None if isinstance(expr, ast.CellIndex) else self.out.const(0)
            value = self.chains.chain_with(expr, called, many=True)
            return self._list_shown(value, node.display)
        if isinstance(expr, _CHAIN):
            cleared = self._clearing(expr)
            value = self.chains.chain_with(expr, self.out.const(0))
            made = self._answer(value, node.display, maybe=True)
            self._barrier(expr)
            return made + cleared
        return self._answer(self.expressions.expr(expr), node.display, maybe=False)

    def _bare_name(self, expr: ast.Name, display: bool) -> list[py.stmt]:
        """``x`` as a statement: shows a variable, or calls a function or script."""
        name = expr.id
        if self.scope.certain(name) or not self.scope.is_local(name):
            if not display:
                return [self.out.nothing()]
            return [
                self.out.run(
                    self.out.call("@show", self.out.const(name), self.expressions.variable(name))
                )
            ]
        self.scope.mark_unset(name)
        called = self._answer(self.chains.unset_value(name, self.out.const(0)), display, maybe=True)
        read = self.out.name(python_name(name))
        show = [self.out.run(self.out.call("@show", self.out.const(name), read))] if display else []
        self._forget_after(name)
        return [self.out.when(self.out.is_none(read), called, show)]

    def _list_shown(self, value: py.expr, display: bool) -> list[py.stmt]:
        helper = self.out.call("@answer_list", value, self.out.const(display))
        return (
            [self.out.assign(self.assignments.store("ans"), helper)]
            if self.scope.reads_ans
            else [self.out.run(helper)]
        )

    def _answer(self, value: py.expr, display: bool, maybe: bool) -> list[py.stmt]:
        """Assign ``ans`` when there is a value, and show it."""
        if not display and not self.scope.reads_ans:
            return [self.out.run(value)]
        held = self.out.temporary()
        answer = self.out.call("@answer", value) if maybe else value
        made: list[py.stmt] = [self.out.assign(self.out.target(held), answer)]
        then: list[py.stmt] = []
        if self.scope.reads_ans:
            then.append(self.out.assign(self.assignments.store("ans"), self.out.name(held)))
        if display:
            then.append(
                self.out.run(self.out.call("@show", self.out.const("ans"), self.out.name(held)))
            )
        if not maybe:
            self.scope.define("ans")
            return made + then
        return [*made, self.out.when(self.out.is_set(self.out.name(held)), then, [])]

    def _barrier(self, expr: ast.Expr) -> None:
        """A call that may change any variable of dynamic code."""
        root, _ = flatten(expr)
        if isinstance(root, ast.Name):
            self._forget_after(root.id)

    def _clearing(self, expr: ast.Expr) -> list[py.stmt]:
        """``clear('x')`` in a plain function also unsets the Python locals."""
        if self.scope.dynamic or not isinstance(expr, ast.Index | ast.Name):
            return []
        root, steps = flatten(expr)
        if not isinstance(root, ast.Name) or root.id not in CLEARS:
            return []
        args = steps[0].args if steps and isinstance(steps[0], ast.Index) else ()
        texts = tuple(a.value for a in args if isinstance(a, ast.Char | ast.String))
        return self._unset(texts)

    def _unset(self, patterns: tuple[str, ...]) -> list[py.stmt]:
        """Set the locals a ``clear`` names to None."""
        names = [
            n
            for n in names_to_clear(sorted(self.scope.names.assigned), patterns)
            if self.scope.is_local(n)
        ]
        for name in names:
            self.scope.defined.discard(name)
            self.scope.kinds.pop(name, None)
        self.scope.needs_start.update(names)
        return (
            [self.out.assign_all([python_name(n) for n in names], self.out.const(None))]
            if names
            else []
        )

    def command(self, node: ast.Command) -> list[py.stmt]:
        """``hold on``: a call with texts."""
        if self._unsets(node):
            return self._unset_variables(cleared_variables(node))
        args = [self.out.const(a) for a in node.args]
        callee = self.expressions.link(node.name)
        called = self.out.call(callee, *args, nargout=self.out.const(0))
        made = self._answer(called, node.display, maybe=True)
        if node.name in CLEARS and not self.scope.dynamic:
            return made + self._unset(node.args)
        self._forget_after(node.name)
        return made

    def _unsets(self, node: ast.Statement) -> bool:
        """Whether a pass of a loop unsets variables of its own, and does nothing else."""
        names = cleared_variables(node) if self.scope.of_pass else ()
        return bool(names) and all(map(self.scope.is_variable, names))

    def _unset_variables(self, names: tuple[str, ...]) -> list[py.stmt]:
        """Unset variables; a name without one may be a function's that is forgotten."""
        made: list[py.stmt] = []
        for name in names:
            call = self.out.call(
                self.expressions.link("clear"), self.out.const(name), nargout=self.out.const(0)
            )
            is_unset = self.out.is_none(self.assignments.value_or_none(name))
            made.append(self.out.when(is_unset, [self.out.run(call)], self._unset((name,))))
        return made

    def _forget_after(self, name: str) -> None:
        """After a call that may create or clear any variable nothing is certain any more."""
        if name in BARRIERS or self.unit.is_script(name):
            self.scope.forget()
