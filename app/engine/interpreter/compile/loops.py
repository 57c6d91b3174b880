"""Loops that may become one kernel: the body is also compiled as a function of its variables.

Before such a loop runs, ``@fuse`` traces that function once with placeholders (see
``loop_fusion``). When it answers None the loop runs as usual, so eligibility here only looks at
the form of the body.
"""

from __future__ import annotations

import ast as py
from types import FunctionType
from typing import TYPE_CHECKING, NamedTuple

from app.engine.interpreter.compile.analysis import Names, walk
from app.engine.interpreter.compile.emit import python_name
from app.engine.interpreter.compile.scope import Scope
from app.engine.language import ast

if TYPE_CHECKING:
    from app.engine.interpreter.compile.functions import FunctionCompiler
    from app.engine.interpreter.compile.statements import StatementCompiler

_EXPRESSIONS = (
    ast.Number,
    ast.Name,
    ast.Char,
    ast.String,
    ast.Binary,
    ast.Unary,
    ast.Postfix,
    ast.Index,
    ast.Range,
    ast.Colon,
    ast.End,
    ast.Matrix,
    ast.ShortCircuit,
)
_MOST_STATEMENTS = 64
_EFFECTS: dict[type[ast.Node], str] = {
    ast.Break: "it may be left early",
    ast.Return: "it may be left early",
    ast.Continue: "a pass may end early",
    ast.While: "a while loop depends on data",
    ast.DoUntil: "a do loop depends on data",
    ast.Try: "errors are caught in it",
    ast.MultiAssign: "a call has several results",
}


class Refusal(NamedTuple):
    """Why the form of a body keeps it from becoming a kernel, and where."""

    reason: str
    node: ast.Node


def assigned_names(body: tuple[ast.Statement, ...]) -> list[str] | Refusal:
    """The variables that the body assigns, or why its form cannot become a kernel."""
    names: dict[str, None] = {}
    pending = list(reversed(body))
    for _ in range(_MOST_STATEMENTS):
        if not pending:
            return list(names)
        statement = pending.pop()
        found = _statement(statement, pending)
        if isinstance(found, Refusal):
            return found
        names.update(dict.fromkeys(found))
    return Refusal("it has too many statements", body[0])


def _statement(node: ast.Statement, pending: list[ast.Statement]) -> list[str] | Refusal:
    """What one statement assigns; statements inside it are left in `pending`."""
    if isinstance(node, ast.Assign | ast.OpAssign):
        return _assignment(node)
    if isinstance(node, ast.If):
        for branch in node.branches:
            if not _is_plain(branch.condition):
                return Refusal("a condition is no plain expression", node)
        bodies = [*(branch.body for branch in node.branches), node.orelse or ()]
        pending.extend(s for body in reversed(bodies) for s in reversed(body))
        return []
    if isinstance(node, ast.For):
        if not isinstance(node.target, ast.Name) or not isinstance(node.iterable, ast.Range):
            return Refusal("a loop inside it is not over a range", node)
        pending.extend(reversed(node.body))
        return [node.target.id]
    return Refusal(_EFFECTS.get(type(node), "it does more than assign values"), node)


def _assignment(node: ast.Assign | ast.OpAssign) -> list[str] | Refusal:
    target = node.target
    root = target.base if isinstance(target, ast.Index) else target
    if node.display:
        return Refusal("it prints", node)
    if not isinstance(root, ast.Name):
        return Refusal("it assigns to a part of a container", node)
    if not _is_plain(target) or not _is_plain(node.value):
        return Refusal("an expression is no plain arithmetic", node)
    return [root.id]


def _is_plain(node: ast.Node) -> bool:
    return all(isinstance(n, _EXPRESSIONS) for n in walk((node,)))


def eligible(node: ast.For) -> list[str] | Refusal:
    """The assigned variables of a loop that may become a kernel, or why it cannot be one."""
    if not node.body or not isinstance(node.target, ast.Name):
        return Refusal("", node)
    if not isinstance(node.iterable, ast.Range):
        return Refusal("", node)
    names = assigned_names(node.body)
    if not isinstance(names, Refusal) and node.target.id in names:
        return Refusal("it assigns to its counter", node)
    return names


def fused_form(
    out: StatementCompiler, node: ast.For, source: str, plain: list[py.stmt]
) -> list[py.stmt]:
    """``node`` as: try to fuse, else ``plain``."""
    names = eligible(node)
    if isinstance(names, Refusal):
        return _refused_form(out, node, names, source, plain)
    if not all(out.scope.is_local(n) for n in names):
        return plain
    assert isinstance(node.target, ast.Name)
    counter = node.target.id
    used = sorted({n.id for n in walk(node.body) if isinstance(n, ast.Name)} - {counter})
    variables = [n for n in used if out.scope.may_be_variable(n) and n not in out.scope.functions]
    functions = tuple(n for n in used if not out.scope.is_variable(n))
    traced = _body_function(out, node, counter, variables, names)
    values = _values(out, variables)
    facts = out.const((tuple(variables), tuple(names), functions))
    held = out.temporary()
    made: py.expr = out.call("@fuse", out.name(traced), facts, out.name(source), out.tuple(values))
    site = out.unit.loops.get(node.span)
    if site is not None:
        scalar = py.Attribute(
            out.name(out.unit.keep(site)), "works_on_scalars", py.Load(), **out.where()
        )
        made = out.choose(out.call(scalar), out.const(None), made)
    targets = out.tuple([out.target(python_name(n)) for n in (counter, *names)])
    targets.ctx = py.Store()
    return [
        out.assign(out.target(held), made),
        out.when(out.is_none(out.name(held)), plain, [out.assign(targets, out.name(held))]),
    ]


def _values(out: StatementCompiler, variables: list[str]) -> list[py.expr]:
    """The variables as they are before the loop."""
    values: list[py.expr] = []
    for name in variables:
        if out.scope.is_local(name) and not out.scope.certain(name):
            out.scope.mark_unset(name)
        values.append(out.variable(name))
    return values


def _refused_form(
    out: StatementCompiler, node: ast.For, refusal: Refusal, source: str, plain: list[py.stmt]
) -> list[py.stmt]:
    """``plain``, after a word on why large arrays do not make it a kernel."""
    used = {n.id for n in walk(node.body) if isinstance(n, ast.Name)}
    known = sorted(n for n in used if out.scope.is_local(n) and out.scope.certain(n))
    if not refusal.reason or not known:
        return plain
    line = out.unit.source.line_of(refusal.node.span.start)
    facts = out.const((refusal.reason, line))
    said = out.call(
        "@fuse", out.const(None), facts, out.name(source), out.tuple(_values(out, known))
    )
    return [out.run(said), *plain]


def _body_function(
    out: StatementCompiler, node: ast.For, counter: str, variables: list[str], names: list[str]
) -> str:
    """Compile the body as a function of counter and variables that returns what it assigned."""
    from app.engine.interpreter.compile.functions import FunctionCompiler, code_of

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
    made = py.FunctionDef(
        "<loop>", arguments, [*start, *body, inner.give(results)], [], None, **inner.where()
    )
    return out.unit.keep(FunctionType(code_of(out.unit, made), out.unit.namespace))


# --- loops that may go on in machine code -----------------------------------------------------

_OF_FRAME = frozenset(
    (
        "assignin",
        "clear",
        "clearvars",
        "dbstack",
        "exist",
        "input",
        "inputname",
        "load",
        "mfilename",
        "nargchk",
        "nargin",
        "narginchk",
        "nargout",
        "nargoutchk",
        "print_usage",
        "save",
        "who",
        "whos",
    )
)
"""Functions that look at the running function or its variables."""


def switched(
    out: StatementCompiler, node: ast.For | ast.While, source: str, loop: py.For
) -> list[py.stmt]:
    """``loop`` in chunks, between which it may go on in machine code (see ``engine.jit``).

    ``source`` names the passes of a ``for`` loop; it is empty for ``while``.
    """
    from app.engine.jit.site import Site

    if out.scope.barriers:
        return [_plain(out, source, loop)]
    names, refusal = _carried(out, node)
    site = out.name(out.unit.keep(Site(out.unit, node, names, refusal)))
    driver, chunk, way = (out.temporary() for _ in range(3))
    values = [out.raw(n) for n in names]
    run = out.call(py.Attribute(out.name(driver), "run", py.Load(), **out.where()), *values)
    targets = out.tuple([*(out.target(python_name(n)) for n in names), out.target(way)])
    targets.ctx = py.Store()
    left = [out.run(out.call("@loop_left", out.name(way))), *out.leave()]
    onward: list[py.stmt] = [
        out.assign(targets, run),
        out.when(out.is_set(out.name(way)), left, []),
        py.Continue(**out.where()),
    ]
    loop.iter = out.name(chunk)
    loop.orelse = [py.Continue(**out.where())]
    body = [out.when(out.is_none(out.name(chunk)), onward, []), loop, py.Break(**out.where())]
    begun = out.call(site, out.name(source)) if source else out.call(site)
    return [
        out.assign(out.target(driver), begun),
        py.For(out.target(chunk), out.name(driver), body, [], **out.where()),
    ]


def _plain(out: StatementCompiler, source: str, loop: py.For) -> py.stmt:
    """The loop without machine code."""
    loop.iter = out.name(source or "@endless")
    return loop


def _carried(out: StatementCompiler, node: ast.For | ast.While) -> tuple[tuple[str, ...], str]:
    """The variables of a loop, and why it can never be compiled."""
    scope = out.scope
    nodes = list(walk((node,)))
    used = {n.id for n in nodes if isinstance(n, ast.Name)}
    called = used | {n.name for n in nodes if isinstance(n, ast.Command)}
    names = {n for n in used if scope.is_variable(n) or (scope.dynamic and n in scope.known)}
    shown = any(isinstance(n, ast.ExpressionStatement | ast.Command) for n in nodes)
    if shown and scope.reads_ans and scope.is_local("ans"):
        names.add("ans")
    refusal = ""
    if not all(scope.is_local(n) for n in names):
        refusal = "a global or persistent variable"
    elif used & set(scope.functions):
        refusal = "a nested function"
    elif called & _OF_FRAME:
        refusal = f"'{min(called & _OF_FRAME)}' looks at the running function"
    return tuple(sorted(n for n in names if scope.is_local(n))), refusal
