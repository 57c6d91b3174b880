"""Going on in the interpreter at the statement where compiled code was left.

For every such place a Python function is compiled when it is needed: the rest of the pass from that
statement on. It takes the variables and gives them back together with the way it ended; an
exception is handed over too, so that the caller's variables are as they were when it happened.
"""

from __future__ import annotations

import ast as py
from types import FunctionType
from typing import TYPE_CHECKING, Any

from app.engine.interpreter.compile.analysis import Names
from app.engine.interpreter.compile.code_objects import code_of
from app.engine.interpreter.compile.emit import python_name
from app.engine.interpreter.compile.functions import FunctionCompiler
from app.engine.interpreter.compile.loops import loop_in_chunks
from app.engine.interpreter.compile.scope import Scope
from app.engine.interpreter.frames import REST
from app.engine.jit.jit_loops import LOOP
from app.engine.language import ast

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine.interpreter.compile.loop_forms import LoopForm
    from app.engine.interpreter.unit import Unit
    from app.engine.jit.jit_statements import Path

NEXT, BROKE, RETURNED = "next", "broke", "returned"
"""How the rest of a pass ended: go on with the next one, ``break``, ``return``."""


class _Rest(FunctionCompiler):
    """Compiles the rest of a pass."""

    resumes = True

    def __init__(self, unit: Unit, scope: Scope, names: tuple[str, ...]) -> None:
        super().__init__(unit, scope)
        scope.reads_ans = "ans" in names
        self.carried = names
        self.depth = 0
        self.statements.inside = 1

    def leave(self) -> list[py.stmt]:
        """``return``: the caller does it."""
        return [self.end(self.out.const(RETURNED))]

    def end(self, way: py.expr) -> py.stmt:
        """Give the variables back."""
        return self.out.give(self.out.tuple([*map(self.expressions.variable, self.carried), way]))

    def rest(self, body: tuple[ast.Statement, ...], path: Path) -> list[py.stmt]:
        """The statements of ``body`` from the one at ``path`` on."""
        at = path[0]
        assert isinstance(at, int)
        if len(path) == 1:
            return self.statements.block(body[at:])
        return self._rest_of_compound(body[at], path[1:]) + self.statements.block(body[at + 1 :])

    def _rest_of_compound(self, node: ast.Statement, path: Path) -> list[py.stmt]:
        """The rest of a compound statement."""
        step = path[0]
        self.out.place(node.span)
        if step == LOOP:
            assert isinstance(node, ast.For | ast.While)
            return self._loop(node, path[1:])
        assert isinstance(step, tuple)
        if isinstance(node, ast.Try):
            return self.statements.attempt(node, lambda: self.rest(node.body, path[1:]))
        if isinstance(node, ast.If):
            body = node.branches[step[1]].body if step[1] >= 0 else node.orelse
        else:
            assert isinstance(node, ast.Switch)
            body = node.cases[step[1]].body if step[1] >= 0 else node.otherwise
        return self.rest(body or (), path[1:])

    def _loop(self, node: ast.For | ast.While, path: Path) -> list[py.stmt]:
        """The rest of a pass of an inner loop, then its other passes."""
        self.scope.defined.clear()
        number, self.depth = self.depth, self.depth + (1 if isinstance(node, ast.For) else 0)
        first = self.rest(node.body, path)
        self.out.place(node.span)
        if isinstance(node, ast.While):
            others = self.statements.while_loop(node)
        else:
            assert isinstance(node.target, ast.Name)
            passes = self.out.item(self.out.name("#others"), self.out.const(number))
            source = self.out.temporary()
            counter = self.out.target(python_name(node.target.id))
            body = self.statements.loop_body(node.body)
            loop = py.For(counter, self.out.name(source), body, [], **self.out.where())
            begun = self.out.assign(self.out.target(source), passes)
            others = [begun, *loop_in_chunks(self.statements, node, source, loop)]
        return [
            py.For(
                self.out.target(f"#once{number}"),
                self.out.const((0,)),
                first,
                others,
                **self.out.where(),
            )
        ]


def compile_rest(
    unit: Unit, node: ast.For | ast.While, path: Path, form: LoopForm, names: tuple[str, ...]
) -> Callable[..., tuple[Any, ...]]:
    """The function of the rest of a pass of ``node`` from the statement at ``path`` on."""
    kept = set(form.globals), set(form.persistent)
    unit.current_persistent = form.persistent_name
    found = Names(assigned=set(names), globals=kept[0], persistent=kept[1])
    inner = _Rest(unit, Scope(found, of_pass=True), names)
    inner.out.place(node.span)
    body = inner.rest(node.body, path)
    inner.out.place(node.span)
    way, error = inner.out.target("#way"), inner.out.name("#error")
    ended = inner.out.assign(way, inner.out.const(NEXT))
    once = py.For(
        inner.out.target("#once"),
        inner.out.const((0,)),
        body or [inner.out.nothing()],
        [ended],
        **inner.out.where(),
    )
    handler = py.ExceptHandler(
        inner.out.name("@BaseException"), "#error", [inner.end(error)], **inner.out.where()
    )
    attempt = py.Try([once], [handler], [], [], **inner.out.where())
    start = [inner.out.assign(way, inner.out.const(BROKE))]
    for name in sorted(kept[0] | kept[1]):
        given = inner.out.name(python_name(name))
        start.append(inner.out.assign(inner.assignments.store(name), given))
    args = [inner.out.parameter(n) for n in ("#others", *map(python_name, names))]
    made = py.FunctionDef(
        REST,
        py.arguments([], args, None, [], [], None, []),
        [*start, attempt, inner.end(inner.out.name("#way"))],
        [],
        None,
        **inner.out.where(),
    )
    return FunctionType(code_of(unit, made), unit.namespace)
