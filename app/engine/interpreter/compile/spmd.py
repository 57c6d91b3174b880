"""``spmd``: its statements as a function of the variables that they read."""

from __future__ import annotations

import ast as py
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import Names, names_of_script
from app.engine.interpreter.compile.emit import python_name
from app.engine.interpreter.compile.nesting import located
from app.engine.interpreter.compile.scope import Scope
from app.engine.language import ast
from app.engine.values import Value

if TYPE_CHECKING:
    from app.engine.interpreter.compile.statements import Statements
    from app.engine.interpreter.unit import Unit

NAME = "<spmd>"


class SpmdBlock:
    """One ``spmd`` of one compiled text.

    Attributes:
        unit: the unit it belongs to.
        node: the block.
        names: variables it may read or set, in the order in which their values come.
        outputs: variables it sets.
    """

    def __init__(self, unit: Unit, node: ast.Spmd, names: tuple[str, ...]) -> None:
        self.unit, self.node, self.names = unit, node, names
        found = names_of_script(node.body)
        self.assigned = found.assigned - {"ans", ""}
        self.outputs = tuple(n for n in names if n in self.assigned)
        self._made: dict[tuple[str, ...], FunctionType] = {}

    def here(self, values: dict[str, Value]) -> tuple[Value, ...]:
        """Run it in this process: what it has set, None for what it has not."""
        given = tuple(values)
        made = self._made.get(given)
        if made is None:
            code = _compiled(self.unit, (self.node,), self, given)
            made = self._made[given] = FunctionType(code, self.unit.namespace, NAME)
        outs: tuple[Value, ...] = made(*values.values())
        return outs


def spmd(code: Statements, node: ast.Spmd) -> list[py.stmt]:
    """The statement: what it sets becomes a Composite of all workers' values."""
    out = code.out
    found = names_of_script(node.body)
    wanted = sorted(
        n
        for n in found.used | found.assigned
        if n and n != "ans" and code.scope.may_be_variable(n) and code.scope.is_local(n)
    )
    block = SpmdBlock(code.unit, node, tuple(wanted))
    most = code.expressions.expr(node.args[-1]) if node.args else out.const(None)
    held = out.name(code.unit.keep(block))
    called = out.call("@spmd", held, most, *[code.assignments.value_or_none(n) for n in wanted])
    made = out.temporary()
    statements = [out.assign(out.target(made), called)]
    for k, name in enumerate(block.outputs):
        statements.append(
            out.assign(code.assignments.store(name), out.item(out.name(made), out.const(k)))
        )
        code.scope.kinds.pop(name, None)
        if not code.scope.certain(name):
            code.scope.mark_unset(name)
    return statements


@located
def _compiled(
    unit: Unit, nodes: tuple[ast.Spmd], block: SpmdBlock, given: tuple[str, ...]
) -> CodeType:
    from app.engine.interpreter.compile.functions import FunctionCompiler, code_of

    found = names_of_script(nodes[0].body)
    scope = Scope(Names(assigned={*block.assigned, *given}, used=found.used))
    scope.defined = set(given)
    scope.reads_ans = False
    compiler = FunctionCompiler(unit, scope)
    inner = compiler.statements.block(nodes[0].body)
    compiler.out.place(nodes[0].span)
    leave = compiler.out.give(
        compiler.out.tuple([compiler.out.name(python_name(n)) for n in block.outputs])
    )
    unset = dict.fromkeys((*block.outputs, *sorted(scope.needs_start)))
    start = [python_name(n) for n in unset if n not in given]
    begun = [compiler.out.assign_all(start, compiler.out.const(None))] if start else []
    arguments = [compiler.out.parameter(python_name(n)) for n in given]
    signature = py.arguments([], arguments, None, [], [], None, [])
    body = [*begun, *compiler.factories, *inner, leave]
    where = compiler.out.where()
    return code_of(unit, py.FunctionDef(NAME, signature, body, [], None, **where))
