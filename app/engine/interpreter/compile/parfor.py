"""``parfor``: what is known of a loop, and the statement that runs it."""

from __future__ import annotations

import ast as py
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from app.engine.interpreter.compile.parfor_random import may_draw
from app.engine.language import ast
from app.engine.language.parfor_uses import reduction_of
from app.engine.language.parfor_variables import Kind, ParforBody, classify
from app.engine.language.walk import walk
from app.engine.values import Value
from app.errors import MatlabError

if TYPE_CHECKING:
    from app.engine.interpreter.compile.parfor_bodies import ParforCode
    from app.engine.interpreter.compile.statements import Statements
    from app.engine.interpreter.unit import Unit

FormKey = tuple[tuple[str, ...], frozenset[str], bool, bool]
"""What `parfor_bodies.passes_of` distinguishes: its arguments."""


class ParforLoop:
    """One ``parfor`` of one compiled text.

    Attributes:
        unit: the unit it belongs to.
        node: the loop.
        body: its variables by class.
        names: variables that it reads or changes, in the order in which their values come.
        reductions: the names of its reduction variables.
        slices: the names of the sliced variables that it assigns.
        pass_s: seconds that a pass took in its last run; None before it.
        kernel_s: seconds that a pass took as one of a kernel in its last run; None where none was.
        kernel_failures: runs in a row whose passes could not be a kernel.
        made: the functions of its passes, which `parfor_bodies.passes_of` makes.
        joins: the functions that join the values of a reduction, by its name.
    """

    def __init__(self, unit: Unit, node: ast.For, names: tuple[str, ...], body: ParforBody) -> None:
        self.unit, self.node, self.names, self.body = unit, node, names, body
        self.reductions = tuple(v.name for v in body.of_kind(Kind.REDUCTION))
        self.slices = tuple(v.name for v in body.of_kind(Kind.SLICED) if v.written)
        self.pass_s: float | None = None
        self.kernel_s: float | None = None
        self.kernel_failures = 0
        self.made: dict[FormKey, ParforCode] = {}
        self.joins: dict[str, Callable[..., Value]] = {}

    @property
    def outputs(self) -> tuple[str, ...]:
        """The variables that come back: reductions, then slices."""
        return self.reductions + self.slices

    @cached_property
    def line(self) -> int:
        """The line where the loop begins."""
        return self.unit.source.line_of(self.node.span.start)

    @cached_property
    def draws(self) -> bool:
        """Whether a pass may draw random numbers, as far as the text says."""
        return may_draw(self.unit, self.node.body)

    @cached_property
    def reduces_once(self) -> bool:
        """Whether a pass joins at most one value to a reduction: one statement, in no loop."""
        nodes = [n for statement in self.node.body for n in walk(statement)]
        loops = [n for n in nodes if isinstance(n, ast.For | ast.While)]
        repeated = {id(n) for loop in loops for n in walk(loop)}
        found = [(n, reduction_of(n)) for n in nodes if isinstance(n, ast.Statement)]
        names = [r.name for _, r in found if r is not None and r.name in self.reductions]
        inside = any(r is not None and id(n) in repeated for n, r in found)
        return len(names) == len(set(names)) and not inside


def parfor(code: Statements, node: ast.For) -> list[py.stmt]:
    """The statement: the loop's object is given the values and gives what comes back."""
    out = code.out
    body = classify(node)
    if body.problems:
        raise MatlabError("MATLAB:parfor:InvalidVariable", body.problems[0].message)
    wanted = [
        v.name
        for v in body.variables.values()
        if v.kind not in (Kind.LOOP, Kind.TEMPORARY) and code.scope.may_be_variable(v.name)
    ]
    loop = ParforLoop(code.unit, node, tuple(wanted), body)
    source = code.iterable(node.iterable)
    workers = out.const(None) if node.workers is None else code.expressions.expr(node.workers)
    values = [code.assignments.value_or_none(n) for n in loop.names]
    held = out.name(code.unit.keep(loop))
    called = out.call("@parfor", held, source, workers, *values)
    if not loop.outputs:
        return [out.run(called)]
    made = out.temporary()
    statements = [out.assign(out.target(made), called)]
    for k, name in enumerate(loop.outputs):
        statements.append(
            out.assign(code.assignments.store(name), out.item(out.name(made), out.const(k)))
        )
        if not code.scope.certain(name):
            code.scope.mark_unset(name)
    return statements
