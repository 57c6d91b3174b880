"""Loops in chunks of passes, between which they may go on as kernels or as machine code."""

from __future__ import annotations

import ast as py
from typing import TYPE_CHECKING, TypeAlias

from app.engine.interpreter.compile.emit import python_name
from app.engine.interpreter.compile.expression_statements import BARRIERS
from app.engine.interpreter.compile.loop_forms import LoopForm, form_of
from app.engine.interpreter.compile.set_variables import variables_meant
from app.engine.language import ast
from app.engine.language.walk import walk_body

if TYPE_CHECKING:
    from collections.abc import Container

    from app.engine.interpreter.compile.statements import Statements

Looping: TypeAlias = ast.For | ast.While | ast.DoUntil

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


def loop_in_chunks(code: Statements, node: Looping, source: str, loop: py.For) -> list[py.stmt]:
    """``loop`` in chunks, between which it may go on as kernels or in machine code.

    ``source`` names the passes of a ``for`` loop; it is empty for loops that end by a condition.
    """
    out = code.out
    known = _known_effects(code, node)
    if code.scope.plain_loops or (code.scope.barriers and _has_barrier(code, node, known)):
        return [_interpreted_loop(code, source, loop)]
    names, functions, refusal = _variables_and_calls(code, node, known)
    form = form_of(code.unit, node, names, code.scope, refusal, known)
    meant = {name for names_meant in known.values() for name in names_meant}
    if not all(map(code.scope.is_local, meant)):
        refusal = refusal or "it asks whether variables of others are set"
    if isinstance(node, ast.DoUntil):
        refusal = refusal or "a do loop"
        node = ast.While(node.span, node.condition, node.body)
    elif set(form.nested):
        refusal = refusal or "a nested function"
    held = code.unit.loops.get(node.span) if code.function.resumes else None
    if held is None or held.names != names:
        native_compiler = code.unit.interpreter.native_compiler
        held = native_compiler.loop_site(code.unit, node, names, refusal, form)
    site = out.name(code.unit.keep(held))
    driver, chunk, way = (out.temporary() for _ in range(3))
    values = [_value(code, n) for n in names]
    run = out.call(out.attribute(out.name(driver), "run"), *values)
    targets = out.tuple([*map(code.assignments.store, names), out.target(way)])
    targets.ctx = py.Store()
    left = [out.run(out.call("@loop_left", out.name(way))), *code.function.leave()]
    loop.iter = out.name(chunk)
    with out.unseen():
        loop.orelse = [py.Continue(**out.where())]
        onward: list[py.stmt] = [
            out.assign(targets, run),
            out.when(out.is_set(out.name(way)), left, []),
            py.Continue(**out.where()),
        ]
        body = [out.when(out.is_none(out.name(chunk)), onward, []), loop, py.Break(**out.where())]
    passes = out.name(source) if source else out.const(None)
    begun: py.expr = out.call(site, passes, out.tuple(list(values)), *_cells(code, form))
    if code.scope.creates:
        begun = _unless_hidden(code, functions, source, begun)
    made = [out.assign(out.target(driver), begun)]
    with out.unseen():
        made.append(py.For(out.target(chunk), out.name(driver), body, [], **out.where()))
    return made


def _known_effects(code: Statements, node: Looping) -> dict[int, tuple[str, ...]]:
    """What clears variables of a loop or asks for them, by identity, with their names."""
    found = {}
    for place, names in variables_meant(walk_body((node,))):
        hidden = isinstance(place, ast.Name) and code.scope.is_variable(place.id)
        if not hidden and all(map(code.scope.is_variable, names)):
            found[id(place)] = names
    return found


def _has_barrier(code: Statements, node: Looping, known: Container[int]) -> bool:
    """Whether something in a loop may change variables that it does not name."""
    nodes = [n for n in walk_body((node,)) if id(n) not in known]
    called = {n.id for n in nodes if isinstance(n, ast.Name)}
    called |= {n.name for n in nodes if isinstance(n, ast.Command)}
    return any(name in BARRIERS or code.unit.is_script(name) for name in called)


def _unless_hidden(code: Statements, functions: list[str], source: str, begun: py.expr) -> py.expr:
    """The chunks `begun`, or the loop in one where a variable has the name of a function in it."""
    out = code.out
    hidden = [out.is_set(out.name(python_name(name))) for name in functions]
    if not hidden:
        return begun
    whole = out.tuple([out.name(source or "@endless")])
    some = py.BoolOp(py.Or(), hidden, **out.where()) if len(hidden) > 1 else hidden[0]
    return out.choose(some, whole, begun)


def _cells(code: Statements, form: LoopForm) -> list[py.expr]:
    """What gives the cells of variables and functions that nested functions share."""
    held = [*map(python_name, form.shared), *form.nested.values()]
    out = code.out
    return [out.lambda_(out.tuple([out.name(n) for n in held]))] if held else []


def _interpreted_loop(code: Statements, source: str, loop: py.For) -> py.stmt:
    """The loop without machine code."""
    loop.iter = code.out.name(source or "@endless")
    return loop


def _variables_and_calls(
    code: Statements, node: Looping, known: dict[int, tuple[str, ...]]
) -> tuple[tuple[str, ...], list[str], str]:
    """The variables of a loop, the functions that it calls, and why it can never be compiled."""
    scope = code.scope
    nodes = [n for n in walk_body((node,)) if id(n) not in known]
    used = {n.id for n in nodes if isinstance(n, ast.Name)}.union(*known.values())
    called = used | {n.name for n in nodes if isinstance(n, ast.Command)}
    used |= {n.name for n in nodes if isinstance(n, ast.Try) and n.name}
    names = {n for n in used if scope.is_variable(n) or (scope.dynamic and n in scope.known)}
    shown = any(isinstance(n, ast.ExpressionStatement | ast.Command) for n in nodes)
    if shown and scope.reads_ans and scope.is_local("ans"):
        names.add("ans")
    refusal = ""
    if any(isinstance(n, ast.For) and n.parallel for n in nodes):
        refusal = "a parfor"
    elif called & _OF_FRAME:
        refusal = f"'{min(called & _OF_FRAME)}' looks at the running function"
    functions = sorted(n for n in used - names if scope.may_be_variable(n))
    return tuple(sorted(names)), functions, refusal


def _value(code: Statements, name: str) -> py.expr:
    """What a loop begins with in a variable, None where it is unset."""
    if code.scope.is_local(name):
        return code.assignments.value_or_none(name)
    out, held = code.out, code.assignments.store(name)
    assert isinstance(held, py.Subscript)
    return out.call(out.attribute(held.value, "get"), held.slice)
