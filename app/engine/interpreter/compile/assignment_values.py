"""Assignments used as values (Octave): ``a = b(i) = 1``, ``x++``, ``while i++ < n``."""

from __future__ import annotations

import ast as py
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.analysis import walk
from app.engine.interpreter.compile.chains import flatten
from app.engine.interpreter.compile.emit import python_name
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.interpreter.compile.assignments import AssignCompiler


def assigns_inside(node: ast.Assign) -> bool:
    """Whether an assignment or a step such as ``i++`` stands within the statement."""
    return any(isinstance(n, ast.AssignExpression) for n in walk((node.target, node.value)))


def value_of_assignment(out: AssignCompiler, node: ast.AssignExpression) -> py.expr:
    """Store, and give the value of the right side, which is worked out first.

    ``x++`` is what x was before.
    """
    root, steps = flatten(node.target)
    value = out.operated(node.target, node.op, node.value)
    if not isinstance(root, ast.Name):
        return out.call("@bad_target")
    name = root.id
    if not steps and node.step != "before":
        made = _stored(out, name, value)
        out.scope.define(name)
        return made
    held = out.temporary()
    if node.step == "before":
        first = out.walrus(held, out.expr(node.target))
    else:
        first, value = out.walrus(held, value), out.name(held)
    changed = out.changed(name, steps, value) if steps else value
    both = out.tuple([first, _stored(out, name, changed)])
    out.scope.define(name)
    return out.item(both, out.const(0))


def _stored(out: AssignCompiler, name: str, value: py.expr) -> py.expr:
    """``value``, stored in the variable ``name``."""
    if out.scope.is_local(name):
        return out.walrus(python_name(name), value)
    store = "@globals" if out.scope.is_global(name) else out.unit.persistent_name()
    return out.call("@store", out.name(store), out.const(name), value)
