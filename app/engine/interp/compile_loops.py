"""Loops that may become one kernel: the body is also compiled as a function of its variables.

Before such a loop runs, ``@fuse`` traces that function once with placeholders (see
``loop_fusion``). When it answers None the loop runs as usual, so eligibility here only looks at
the form of the body.
"""

from __future__ import annotations

import ast as py
from types import FunctionType
from typing import TYPE_CHECKING

from app.engine.interp.analysis import Names, walk
from app.engine.interp.emit import python_name
from app.engine.interp.scope import Scope
from app.engine.lang import ast

if TYPE_CHECKING:
    from app.engine.interp.compile_function import FunctionCompiler
    from app.engine.interp.compile_stmt import StatementCompiler

_EXPRESSIONS = (
    ast.Number, ast.Name, ast.Char, ast.String, ast.Binary, ast.Unary, ast.Postfix, ast.Index,
    ast.Range, ast.Colon, ast.End,
)  # fmt: skip
_MOST_STATEMENTS = 64


def assigned_names(body: tuple[ast.Statement, ...]) -> list[str] | None:
    """The variables that the body assigns; None when its form cannot become a kernel."""
    names: dict[str, None] = {}
    if not body or len(body) > _MOST_STATEMENTS:
        return None
    for statement in body:
        if not isinstance(statement, ast.Assign | ast.OpAssign) or statement.display:
            return None
        target = statement.target
        root = target.base if isinstance(target, ast.Index) else target
        if not isinstance(root, ast.Name):
            return None
        if not all(isinstance(n, _EXPRESSIONS) for n in walk((target, statement.value))):
            return None
        names[root.id] = None
    return list(names)


def eligible(node: ast.For) -> list[str] | None:
    """The assigned variables of a loop that may become a kernel."""
    if not isinstance(node.target, ast.Name) or not isinstance(node.iterable, ast.Range):
        return None
    names = assigned_names(node.body)
    return None if names is None or node.target.id in names else names


def fused_form(out: StatementCompiler, node: ast.For, source: str, plain: list[py.stmt]
               ) -> list[py.stmt]:  # fmt: skip
    """``node`` as: try to fuse, else ``plain``."""
    names = eligible(node)
    if names is None or not all(out.scope.is_local(n) for n in names):
        return plain
    assert isinstance(node.target, ast.Name)
    counter = node.target.id
    used = sorted({n.id for n in walk(node.body) if isinstance(n, ast.Name)} - {counter})
    variables = [n for n in used if out.scope.may_be_variable(n) and n not in out.scope.functions]
    functions = tuple(n for n in used if not out.scope.is_variable(n))
    traced = _body_function(out, node, counter, variables, names)
    values: list[py.expr] = []
    for name in variables:
        if out.scope.is_local(name) and not out.scope.certain(name):
            out.scope.mark_unset(name)
        values.append(out.variable(name))
    facts = out.const((tuple(variables), tuple(names), functions))
    held = out.temporary()
    made = out.call("@fuse", out.name(traced), facts, out.name(source), out.tuple(values))
    targets = out.tuple([out.target(python_name(n)) for n in (counter, *names)])
    targets.ctx = py.Store()
    return [
        out.assign(out.target(held), made),
        out.when(out.is_none(out.name(held)), plain, [out.assign(targets, out.name(held))]),
    ]


def _body_function(
    out: StatementCompiler, node: ast.For, counter: str, variables: list[str], names: list[str]
) -> str:
    """Compile the body as a function of counter and variables that returns what it assigned."""
    from app.engine.interp.compile_function import FunctionCompiler, code_of

    found = Names(assigned={counter, *variables, *names})
    unsure = {n for n in variables if not out.scope.is_variable(n)}
    scope = Scope(found, defined={counter}, uncertain=unsure)
    inner: FunctionCompiler = FunctionCompiler(out.unit, scope)
    inner.in_kernel = True
    inner.place(node.span)
    body: list[py.stmt] = []
    for statement in node.body:
        body += inner.statement(statement)
    results = inner.tuple([inner.name(python_name(n)) for n in names])
    args = [inner.argument(python_name(n)) for n in (counter, *variables)]
    extra = [n for n in names if n not in variables]
    start: list[py.stmt] = []
    if extra:
        start.append(inner.assign_all([python_name(n) for n in extra], inner.const(None)))
    arguments = py.arguments([], args, None, [], [], None, [])
    made = py.FunctionDef("<loop>", arguments, [*start, *body, inner.give(results)], [], None,
                          **inner.where())  # fmt: skip
    return out.unit.keep(FunctionType(code_of(out.unit, made), out.unit.namespace))
