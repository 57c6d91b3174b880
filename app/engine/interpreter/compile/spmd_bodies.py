"""The statements of an ``spmd`` as a function of the variables that they read."""

from __future__ import annotations

import ast as py
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import Names, names_of_script
from app.engine.interpreter.compile.code_objects import code_of
from app.engine.interpreter.compile.emit import python_name
from app.engine.interpreter.compile.functions import FunctionCompiler
from app.engine.interpreter.compile.nesting import located
from app.engine.interpreter.compile.scope import Scope
from app.engine.language import ast
from app.engine.values import Value

if TYPE_CHECKING:
    from app.engine.interpreter.compile.spmd import SpmdBlock
    from app.engine.interpreter.unit import Unit

NAME = "<spmd>"


def run_block(block: SpmdBlock, values: dict[str, Value]) -> tuple[Value, ...]:
    """Run a block in this process: what it has set, None for what it has not."""
    given = tuple(values)
    made = block.made.get(given)
    if made is None:
        code = _compiled_block(block.unit, (block.node,), block, given)
        made = block.made[given] = FunctionType(code, block.unit.namespace, NAME)
    return made(*values.values())


@located
def _compiled_block(
    unit: Unit, nodes: tuple[ast.Spmd], block: SpmdBlock, given: tuple[str, ...]
) -> CodeType:
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
