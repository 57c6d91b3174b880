"""The statement ``a(m) = b(m)``: whole arrays are combined where they are lazy."""

from __future__ import annotations

import ast as py
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.chains import flatten
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.interpreter.compile.assignments import AssignCompiler
    from app.engine.interpreter.indexing.masked_assign import Masked


def masked_statement(out: AssignCompiler, node: ast.Assign, parts: Masked) -> list[py.stmt]:
    """``a(m) = b(m)`` as a choice among whole arrays, where they are to be had."""
    assert parts.whole is not None
    target = parts.arrays[0]
    mask = out.temporary()
    arrays, leaves, numbers = (
        out.tuple([_peeked(out, n) for n in nodes])
        for nodes in (parts.arrays, parts.leaves, parts.numbers)
    )
    test = out.choose(
        out.call("@is_lazy", out.binary(leaves, py.Add(), arrays)),
        out.call("@is_masked", out.walrus(mask, out.expr(parts.mask)), arrays, numbers),
        out.const(False),
    )
    chosen: py.expr = out.call(
        "@set_where", out.expr(target), out.name(mask), out.expr(parts.whole)
    )
    root, steps = flatten(target)
    _, usual_steps = flatten(node.target)
    assert isinstance(root, ast.Name)
    with out.at(node.target.span):
        if steps:
            chosen = out.changed(root.id, steps, chosen)
        usual = out.changed(root.id, usual_steps, out.one_value(node.value))
    statement = out.assign(out.store(root.id), out.choose(test, chosen, usual))
    out.scope.define(root.id)
    return [statement]


def _peeked(out: AssignCompiler, node: ast.Expr) -> py.expr:
    """A variable or a field of one, which need not be set."""
    root, steps = flatten(node)
    assert isinstance(root, ast.Name)
    value = out.raw(root.id)
    if not steps:
        return value
    return out.call("@peek", value, out.steps_tuple(root.id, steps))
