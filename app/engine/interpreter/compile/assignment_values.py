"""Assignments used as values (Octave): ``a = b(i) = 1``, ``x++``, ``while i++ < n``."""

from __future__ import annotations

import ast as py
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.chains import flatten
from app.engine.interpreter.compile.emit import python_name
from app.engine.language import ast
from app.engine.language.walk import walk_body

if TYPE_CHECKING:
    from app.engine.interpreter.compile.assignments import Assignments


def assigns_inside(node: ast.Assign) -> bool:
    """Whether an assignment or a step such as ``i++`` stands within the statement."""
    return any(isinstance(n, ast.AssignExpression) for n in walk_body((node.target, node.value)))


def value_of_assignment(code: Assignments, node: ast.AssignExpression) -> py.expr:
    """Store, and give the value of the right side, which is worked out first.

    ``x++`` is what x was before.
    """
    if isinstance(node.target, ast.Matrix):
        return _first_of_several(code, node.target.rows[0], node.value)
    out = code.out
    root, steps = flatten(node.target)
    value = code.value_after(node.target, node.op, node.value)
    if not isinstance(root, ast.Name):
        return out.call("@bad_target")
    name = root.id
    if not steps and node.step != "before":
        made = _store_expression(code, name, value)
        code.scope.define(name)
        return made
    held = out.temporary()
    if node.step == "before":
        first = out.walrus(held, code.expressions.expr(node.target))
    else:
        first, value = out.walrus(held, value), out.name(held)
    changed = code.assigned_value(name, steps, value) if steps else value
    both = out.tuple([first, _store_expression(code, name, changed)])
    code.scope.define(name)
    return out.item(both, out.const(0))


def _first_of_several(code: Assignments, targets: tuple[ast.Expr, ...], value: ast.Expr) -> py.expr:
    """Store the values of ``([~, b] = f())``, and give the first that is stored."""
    out, held = code.out, code.out.temporary()
    made: list[py.expr] = [out.walrus(held, code.values_of(value, out.const(len(targets))))]
    for position, target in enumerate(targets):
        root, steps = flatten(target)
        if isinstance(root, ast.Ignored):
            continue
        if not isinstance(root, ast.Name):
            return out.call("@bad_target")
        part = out.item(out.name(held), out.const(position))
        stored = code.assigned_value(root.id, steps, part) if steps else part
        made.append(_store_expression(code, root.id, stored))
        code.scope.define(root.id)
    kept = [k for k, target in enumerate(targets) if not isinstance(target, ast.Ignored)]
    first = out.item(out.name(held), out.const(kept[0] if kept else 0))
    return out.item(out.tuple([*made, first]), out.const(-1))


def _store_expression(code: Assignments, name: str, value: py.expr) -> py.expr:
    """``value``, stored in the variable ``name``."""
    out = code.out
    if code.scope.is_local(name):
        return out.walrus(python_name(name), value)
    is_global = code.scope.is_global(name)
    store = code.scope.shared_variables if is_global else code.unit.persistent_name()
    return out.call("@store", out.name(store), out.const(name), value)
