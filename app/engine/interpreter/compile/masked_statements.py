"""The statement ``a(m) = b(m)``: whole arrays are combined where they are lazy."""

from __future__ import annotations

import ast as py
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.chains import flatten
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.interpreter.compile.assignments import Assignments
    from app.engine.interpreter.indexing.masked_assign import Masked


def masked_statement(code: Assignments, node: ast.Assign, parts: Masked) -> list[py.stmt]:
    """``a(m) = b(m)`` as a choice among whole arrays, where they are to be had."""
    assert parts.whole is not None
    out = code.out
    target = parts.arrays[0]
    mask = out.temporary()
    arrays, leaves, numbers = (
        out.tuple([_value_or_none(code, n) for n in nodes])
        for nodes in (parts.arrays, parts.leaves, parts.numbers)
    )
    test = out.choose(
        out.call("@is_lazy", out.binary(leaves, py.Add(), arrays)),
        out.call(
            "@is_masked", out.walrus(mask, code.expressions.expr(parts.mask)), arrays, numbers
        ),
        out.const(False),
    )
    chosen: py.expr = out.call(
        "@set_where",
        code.expressions.expr(target),
        out.name(mask),
        code.expressions.expr(parts.whole),
    )
    root, steps = flatten(target)
    _, usual_steps = flatten(node.target)
    assert isinstance(root, ast.Name)
    with out.at(node.target.span):
        if steps:
            chosen = code.assigned_value(root.id, steps, chosen)
        usual = code.assigned_value(root.id, usual_steps, code.one_value(node.value))
    statement = out.assign(code.store(root.id), out.choose(test, chosen, usual))
    code.scope.define(root.id)
    return [statement]


def _value_or_none(code: Assignments, node: ast.Expr) -> py.expr:
    """A variable or a field of one, which need not be set."""
    root, steps = flatten(node)
    assert isinstance(root, ast.Name)
    value = code.value_or_none(root.id)
    if not steps:
        return value
    return code.out.call("@peek", value, code.steps_tuple(root.id, steps))
