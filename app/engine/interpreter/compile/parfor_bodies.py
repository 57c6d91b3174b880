"""The body of a ``parfor`` as a function, which asks for one range of passes after another.

::

    def <parfor>(next, x, y, …):              # what the loop reads, and what it may change
        while True:
            first, last, s, y = next(s, y)    # what a range made goes in, the next range comes out
            if first is None:
                return s, y
            for i in first:last: …            # an ordinary loop: traced or compiled like any other

The same function runs in this process and in the workers of a pool; only ``next`` differs.
"""

from __future__ import annotations

import ast as py
from collections.abc import Callable
from dataclasses import replace
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from app.engine.interpreter.compile.analysis import Names, names_of_script
from app.engine.interpreter.compile.code_objects import code_of
from app.engine.interpreter.compile.emit import python_name
from app.engine.interpreter.compile.functions import FunctionCompiler
from app.engine.interpreter.compile.kinds import Inference
from app.engine.interpreter.compile.nesting import located
from app.engine.interpreter.compile.scope import Scope
from app.engine.language import ast
from app.engine.language.parfor_uses import reduction_of
from app.engine.values import Value
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.compile.parfor import ParforLoop
    from app.engine.interpreter.loops.parfor_threads import Divided
    from app.engine.interpreter.unit import Unit

NAME = "<parfor>"
MOST_FORMS = 8
_FIRST, _LAST, _NEXT, _PART = "#first", "#last", "#next", "#part"
_BLOCKS = ("body", "branches", "orelse", "cases", "otherwise", "handler", "cleanup")
Passes = Callable[..., tuple[Value, ...]]
T = TypeVar("T", bound=ast.Node)


class ParforCode(NamedTuple):
    """The passes of a parfor, compiled for the variables that have a value.

    Attributes:
        run: the function that asks for ranges.
        site: the loop in it, where it may go on in machine code.
    """

    run: Passes
    site: Divided | None


def passes_of(
    loop: ParforLoop,
    given: tuple[str, ...],
    unstarted: frozenset[str],
    *,
    draws: bool,
    blocks: bool,
) -> ParforCode:
    """The function of the passes of a loop.

    Args:
        loop: what is known of it.
        given: the variables that have a value, in the order of its arguments.
        unstarted: reductions that a range begins without a value.
        draws: whether passes have random numbers of their own.
        blocks: whether ranges make parts of the reductions for `join_of`; otherwise each range
            begins with what the one before has made.
    """
    key = given, unstarted, draws, blocks
    made = loop.made.get(key)
    if made is None:
        if len(loop.made) >= MOST_FORMS:
            loop.made.clear()
        node = loop.node
        if draws:
            counter = ast.Name(node.span, loop.body.counter)
            node = replace(node, body=(ast.Substream(node.span, counter), *node.body))
        loop.unit.loops.pop(node.span, None)
        code = _compiled_pass(loop.unit, (node,), loop, given, unstarted, blocks)
        run = FunctionType(code, loop.unit.namespace, NAME)
        site = loop.unit.loops.get(node.span)
        if site is not None:
            site.form.independent = True
        made = loop.made[key] = ParforCode(run, site)
    return made


def join_of(loop: ParforLoop, name: str) -> Callable[..., Value]:
    """What joins the value of a reduction and that of a range: a function of both."""
    made = loop.joins.get(name)
    if made is None:
        code = _joining(loop.unit, (_join_expr(loop, name),), name)
        made = loop.joins[name] = FunctionType(code, loop.unit.namespace, NAME)
    return made


def _scope(loop: ParforLoop, given: tuple[str, ...], unstarted: frozenset[str]) -> Scope:
    names = names_of_script((loop.node,))
    names = Names(assigned={*names.assigned, *given, *loop.outputs, _FIRST, _LAST}, used=names.used)
    names.assigned.discard("ans")
    if "ans" in names.used:
        names.assigned.add("ans")
    scope = Scope(names)
    scope.kinds = Inference(names, {*given, *loop.outputs, _FIRST, _LAST}).run(loop.node.body)
    scope.defined = {*given, *loop.outputs, _FIRST, _LAST} - unstarted
    scope.reads_ans = "ans" in names.used
    return scope


def _body_compiler(
    loop: ParforLoop, given: tuple[str, ...], unstarted: frozenset[str], blocks: bool
) -> FunctionCompiler:
    """A compiler of the loop with what its passes forget and how its reductions begin."""
    forgotten = [v.name for v in loop.body.variables.values() if v.doubtful]

    class BodyCompiler(FunctionCompiler):
        def start_of_pass(self) -> list[py.stmt]:
            if not forgotten:
                return []
            self.scope.needs_start.update(forgotten)
            self.scope.barriers = self.scope.plain_loops = True
            return [self.out.assign_all([python_name(n) for n in forgotten], self.out.const(None))]

        def compile_statement(self, node: ast.Statement) -> list[py.stmt]:
            found = reduction_of(node) if blocks else None
            if found is None or found.name not in loop.reductions:
                return super().compile_statement(node)
            if found.name not in unstarted:
                return super().compile_statement(node)
            target = ast.Name(node.span, found.name)
            begun = self.out.is_set(self.assignments.value_or_none(found.name))
            start = super().compile_statement(ast.Assign(node.span, target, found.expr))
            self.scope.defined.add(found.name)
            onward = super().compile_statement(node)
            self.scope.defined.discard(found.name)
            return [self.out.when(begun, onward, start)]

    return BodyCompiler(loop.unit, _scope(loop, given, unstarted))


@located
def _compiled_pass(
    unit: Unit,
    nodes: tuple[ast.For],
    loop: ParforLoop,
    given: tuple[str, ...],
    unstarted: frozenset[str],
    blocks: bool,
) -> CodeType:
    for name in names_of_script(loop.node.body).statements:
        if unit.is_script(name):
            rule = "Rule: the variables of a parfor are known from its text; make it a function."
            raise MatlabError("MATLAB:parfor:InvalidVariable", f"'{name}' is a script. {rule}")
    compiler = _body_compiler(loop, given, unstarted, blocks)
    span = loop.node.iterable.span
    statements = _in_parts(nodes[0].body, loop, blocks)
    bounds = ast.Range(span, ast.Name(span, _FIRST), ast.Name(span, _LAST))
    inner = compiler.statements.block(
        (replace(nodes[0], parallel=False, iterable=bounds, body=statements),)
    )
    compiler.out.place(loop.node.span)
    where = compiler.out.where()
    names = [python_name(n) for n in loop.outputs]
    asked = compiler.out.call(compiler.out.name(_NEXT), *map(compiler.out.name, names))
    targets = compiler.out.tuple([compiler.out.target(n) for n in (_FIRST, _LAST, *names)])
    targets.ctx = py.Store()
    leave = compiler.out.give(compiler.out.tuple([compiler.out.name(n) for n in names]))
    done = compiler.out.when(compiler.out.is_none(compiler.out.name(_FIRST)), [leave], [])
    passes: list[py.stmt] = [compiler.out.assign(targets, asked), done, *inner]
    unset = dict.fromkeys((*loop.outputs, *sorted(compiler.scope.needs_start)))
    start = [python_name(n) for n in unset if n not in given]
    begun = [compiler.out.assign_all(start, compiler.out.const(None))] if start else []
    arguments = [compiler.out.parameter(n) for n in (_NEXT, *map(python_name, given))]
    signature = py.arguments([], arguments, None, [], [], None, [])
    endless = py.While(compiler.out.const(True), passes, [], **where)
    body = [*begun, *compiler.factories, endless]
    return code_of(unit, py.FunctionDef(NAME, signature, body, [], None, **where))


def _in_parts(body: tuple[T, ...], loop: ParforLoop, blocks: bool) -> tuple[T, ...]:
    """Statements whose reductions join one value: ``x + a + b`` is ``x + (a + b)`` wherever it
    runs, and a block sums what `join` subtracts."""
    return tuple(_in_part(node, loop, blocks) for node in body)


def _in_part(node: T, loop: ParforLoop, blocks: bool) -> T:
    found = reduction_of(node) if isinstance(node, ast.Statement) else None
    if found is not None and found.name in loop.reductions:
        sums = found.operation == "-" and blocks
        if not sums and not _is_chain(node, found.name):
            return node
        target = ast.Name(node.span, found.name)
        op = "+" if sums else found.operation
        joined = ast.Binary(node.span, op, target, found.expr)
        return cast("T", ast.Assign(node.span, target, joined, getattr(node, "display", False)))
    changed: dict[str, tuple[ast.Node, ...]] = {
        name: _in_parts(part, loop, blocks)
        for name in _BLOCKS
        if (part := getattr(node, name, None))
    }
    return replace(node, **changed) if changed else node  # type: ignore[arg-type]


def _is_chain(node: ast.Node, name: str) -> bool:
    """Whether a reduction's statement is ``x + a + b``, which adds to ``x`` twice as written."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Binary):
        return False
    sides = (node.value.left, node.value.right)
    return not any(isinstance(side, ast.Name) and side.id == name for side in sides)


def _join_expr(loop: ParforLoop, name: str) -> ast.Expr:
    """The expression of a reduction's statement with the value of a range in it."""
    kind, span = loop.body.variables[name].operation, loop.node.span
    mine, part = ast.Name(span, name), ast.Name(span, _PART)
    match kind:
        case "-":
            return ast.Binary(span, "-", mine, part)
        case "x * …":
            return ast.Binary(span, "*", mine, part)
        case "… * x":
            return ast.Binary(span, "*", part, mine)
        case "[x, …]" | "{x{:}, …}":
            return ast.Matrix(span, ((mine, part),))
        case "[…, x]":
            return ast.Matrix(span, ((part, mine),))
        case "[x; …]":
            return ast.Matrix(span, ((mine,), (part,)))
        case "[…; x]":
            return ast.Matrix(span, ((part,), (mine,)))
        case _ if "(" in kind:
            function, _, order = kind.partition("(")
            pair = (mine, part) if order.startswith("x") else (part, mine)
            return ast.Index(span, ast.Name(span, function), pair)
        case _:
            return ast.Binary(span, kind, mine, part)


@located
def _joining(unit: Unit, nodes: tuple[ast.Expr, ...], name: str) -> CodeType:
    scope = Scope(Names(assigned={name, _PART}))
    scope.defined = {name, _PART}
    compiler = FunctionCompiler(unit, scope)
    compiler.out.place(nodes[0].span)
    value = compiler.out.give(compiler.expressions.expr(nodes[0]))
    arguments = [compiler.out.parameter(n) for n in (python_name(name), _PART)]
    signature = py.arguments([], arguments, None, [], [], None, [])
    return code_of(unit, py.FunctionDef(NAME, signature, [value], [], None, **compiler.out.where()))
