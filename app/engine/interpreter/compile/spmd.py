"""``spmd``: what is known of a block, and the statement that runs it."""

from __future__ import annotations

import ast as py
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import names_of_script
from app.engine.language import ast
from app.engine.values import Value

if TYPE_CHECKING:
    from app.engine.interpreter.compile.statements import Statements
    from app.engine.interpreter.unit import Unit


class SpmdBlock:
    """One ``spmd`` of one compiled text.

    Attributes:
        unit: the unit it belongs to.
        node: the block.
        names: variables it may read or set, in the order in which their values come.
        outputs: variables it sets.
        assigned: everything that it assigns.
        made: its functions, by the variables that have a value.
    """

    def __init__(self, unit: Unit, node: ast.Spmd, names: tuple[str, ...]) -> None:
        self.unit, self.node, self.names = unit, node, names
        found = names_of_script(node.body)
        self.assigned = found.assigned - {"ans", ""}
        self.outputs = tuple(n for n in names if n in self.assigned)
        self.made: dict[tuple[str, ...], Callable[..., tuple[Value, ...]]] = {}


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
