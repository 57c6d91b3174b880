"""A pass of a loop as a function of its variables, for the tracing of loops.

The function gives how the pass ended and what its variables are then. Variables that nested
functions share are not its parameters: it has the cells of the function that runs the loop.
"""

from __future__ import annotations

import ast as py
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from app.engine.interpreter.compile.code_objects import code_of
from app.engine.interpreter.compile.emit import python_name
from app.engine.interpreter.compile.functions import FunctionCompiler
from app.engine.interpreter.compile.nesting import located
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.interpreter.compile.loop_forms import LoopForm
    from app.engine.interpreter.unit import Unit

NEXT, BROKE, RETURNED = "next", "broke", "returned"
"""How a pass ends: with the next one, by ``break`` (or a condition), by ``return``."""

Pass = Callable[..., tuple[Any, ...]]


def pass_code(form: LoopForm) -> CodeType:
    """The code of a pass, compiled when it is first asked for."""
    if form.code is None:
        form.code = _compiled_pass(form.unit, (form.node,), form)
    return form.code


def pass_function(form: LoopForm, cells: dict[str, Any]) -> Pass:
    """The function of a pass with these cells."""
    code = pass_code(form)
    closure = tuple(cells[name] for name in code.co_freevars)
    return FunctionType(code, form.unit.namespace, "<loop>", None, closure)


class _PassCompiler(FunctionCompiler):
    """Compiles the body of a loop as a function."""

    def __init__(self, form: LoopForm) -> None:
        super().__init__(form.unit, form.scope())
        self.form, self.in_kernel = form, not form.independent

    def ended(self, way: str) -> list[py.stmt]:
        """Leave the pass."""
        values = [self.out.name(python_name(n)) for n in self.form.names]
        return [self.out.give(self.out.tuple([self.out.const(way), *values]))]

    def leave(self) -> list[py.stmt]:
        """``return`` in the pass."""
        return self.ended(RETURNED)

    def jump(self, node: ast.Break | ast.Continue) -> list[py.stmt]:
        if self.statements.inside:
            return super().jump(node)
        return self.ended(BROKE if isinstance(node, ast.Break) else NEXT)

    def whole(self) -> list[py.stmt]:
        """The statements of a pass, the condition of the loop among them."""
        node = self.form.node
        self.out.place(node.span)
        made: list[py.stmt] = []
        if isinstance(node, ast.While):
            test = self.expressions.condition(node.condition)
            made.append(self.out.when(test, [self.out.nothing()], self.ended(BROKE)))
        for statement in node.body:
            made += self.statements.statement(statement)
        if isinstance(node, ast.DoUntil):
            self.out.place(node.condition.span)
            made.append(
                self.out.when(self.expressions.condition(node.condition), self.ended(BROKE), [])
            )
        return made + self.ended(NEXT)


@located
def _compiled_pass(unit: Unit, loop: tuple[ast.Statement, ...], form: LoopForm) -> CodeType:
    compiler = _PassCompiler(form)
    body = compiler.whole()
    compiler.out.place(form.node.span)
    where = compiler.out.where()
    own = [python_name(n) for n in form.names if n not in form.shared]
    shared = [python_name(n) for n in form.shared]
    functions = list(form.nested.values())
    arguments = [compiler.out.parameter(n) for n in own]
    start: list[py.stmt] = [py.Nonlocal(shared, **where)] if shared else []
    signature = py.arguments([], arguments, None, [], [], None, [])
    inner = py.FunctionDef("<loop>", signature, start + body, [], None, **where)
    outer = [compiler.out.parameter(n) for n in (*shared, *functions)]
    around = py.arguments([], outer, None, [], [], None, [])
    whole = code_of(unit, py.FunctionDef("#around", around, [inner], [], None, **where))
    return next(c for c in whole.co_consts if isinstance(c, CodeType) and c.co_name == "<loop>")
