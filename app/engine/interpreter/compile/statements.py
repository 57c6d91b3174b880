"""Statements to Python: control flow, expression statements, declarations."""

from __future__ import annotations

import ast as py
from typing import TYPE_CHECKING

from app.engine.interpreter.clearing import cleared_in
from app.engine.interpreter.compile.chains import may_be_list
from app.engine.interpreter.compile.emit import python_name
from app.engine.interpreter.compile.expression_statements import ExpressionStatements
from app.engine.interpreter.compile.kinds import assigns, counter_kind
from app.engine.interpreter.compile.loops import loop_in_chunks
from app.engine.interpreter.compile.spmd import spmd
from app.engine.language import ast
from app.errors import InternalError

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.engine.interpreter.compile.functions import FunctionCompiler


class Statements:
    """Compiles the statements of a function.

    Attributes:
        inside: loops around the place being compiled.
    """

    def __init__(self, function: FunctionCompiler) -> None:
        self.function = function
        self.out = function.out
        self.unit = function.unit
        self.scope = function.scope
        self.expressions = function.expressions
        self.chains = function.chains
        self.assignments = function.assignments
        self.expression_statements = ExpressionStatements(function)
        self.inside = 0

    def block(self, body: tuple[ast.Statement, ...]) -> list[py.stmt]:
        """The statements of ``body``; never empty. The place being compiled stays as it was."""
        made: list[py.stmt] = []
        saved = self.out.line, self.out.column, self.out.end_line, self.out.end_column
        for statement in body:
            made += self.statement(statement)
        self.out.line, self.out.column, self.out.end_line, self.out.end_column = saved
        return made or [self.out.nothing()]

    def statement(self, node: ast.Statement) -> list[py.stmt]:
        """One statement, with its temporaries cleared at the end."""
        outer, self.out.used = self.out.used, []
        self.out.place(node.span)
        made = self.function.compile_statement(node)
        if self.out.used and not isinstance(node, ast.Return):
            with self.out.unseen():
                made.append(self.out.assign_all(self.out.used, self.out.const(None)))
        self.out.used = outer
        return made

    def plain_statement(self, node: ast.Statement) -> list[py.stmt]:
        """The code of a statement, temporaries aside."""
        match node:
            case ast.ExpressionStatement():
                return self.expression_statements.expression(node)
            case ast.Assign():
                return self.assignments.assign_statement(node)
            case ast.MultiAssign():
                return self.assignments.multi_assign(node)
            case ast.OpAssign():
                return self.assignments.op_assign(node)
            case ast.If():
                return self._if(node)
            case ast.For():
                return self._parfor(node) if node.parallel else self._for(node)
            case ast.While():
                return self.while_loop(node)
            case ast.Break() | ast.Continue():
                return self.function.jump(node)
            case _:
                return self._rare(node)

    def _rare(self, node: ast.Statement) -> list[py.stmt]:
        match node:
            case ast.Return():
                return self.function.leave()
            case ast.Switch():
                return self._switch(node)
            case ast.Try():
                return self._try(node)
            case ast.Command():
                return self.expression_statements.command(node)
            case ast.Global():
                return self._global(node)
            case ast.Persistent():
                return self._persistent(node)
            case ast.DoUntil():
                return self._do_until(node)
            case ast.UnwindProtect():
                return self._unwind(node)
            case ast.Import():
                known = self.unit.imports
                known += [name for name in node.names if name not in known]
                return [self.out.nothing()]
            case _:
                return self._rewritten_statement(node)

    def _rewritten_statement(self, node: ast.Statement) -> list[py.stmt]:
        match node:
            case ast.Spmd():
                return spmd(self, node)
            case ast.Substream():
                return [
                    self.out.run(self.out.call("@substream", self.expressions.expr(node.counter)))
                ]
            case ast.ShellEscape():
                command, none = self.out.const(node.command), self.out.const(0)
                return [
                    self.out.run(
                        self.out.call(self.expressions.link("system"), command, nargout=none)
                    )
                ]
            case _:
                raise InternalError("compiler", f"no statement: {type(node).__name__}")

    # --- control flow ---

    def _if(self, node: ast.If) -> list[py.stmt]:
        """``if``: conditions run in order; what is certain afterwards is what all branches set."""
        ends: list[set[str]] = []
        tests: list[tuple[py.expr, list[py.stmt]]] = []
        for branch in node.branches:
            test = self.expressions.condition(branch.condition)
            before = set(self.scope.defined)
            body = self.block(branch.body)
            if not leaves(branch.body):
                ends.append(self.scope.defined)
            self.scope.defined = before
            tests.append((test, body))
        before = set(self.scope.defined)
        other = self.block(node.orelse) if node.orelse else []
        if not leaves(node.orelse or ()):
            ends.append(self.scope.defined)
        self.scope.defined = set.intersection(*ends) if ends else before
        for test, body in reversed(tests):
            other = [self.out.when(test, body, other)]
        return other

    def _poll(self) -> list[py.stmt]:
        """Stop here when the user asked for it."""
        stop = self.out.run(self.out.call("@interrupted"))
        flag = self.out.attribute(self.out.name("@stop"), "on")
        return [self.out.when(flag, [stop], [])]

    def loop_body(self, body: tuple[ast.Statement, ...]) -> list[py.stmt]:
        """The body of a loop; what it sets is not certain behind it."""
        if cleared_in(body):
            self.scope.defined.clear()
        before = set(self.scope.defined)
        made = self.passes(body)
        self.scope.defined = before
        return made

    def passes(self, body: tuple[ast.Statement, ...]) -> list[py.stmt]:
        """The body of a loop that can be interrupted."""
        self.inside += 1
        made = self._poll() + self.block(body)
        self.inside -= 1
        return made if self.inside else self.function.start_of_pass() + made

    def while_loop(self, node: ast.While) -> list[py.stmt]:
        """``while``."""
        if cleared_in(node.body):
            self.scope.defined.clear()
        before = set(self.scope.defined)
        test = self.expressions.condition(node.condition)
        with self.out.unseen():
            nothing = self.out.const(None)
            cleanup = [self.out.assign_all(self.out.used, nothing)] if self.out.used else []
        body = self.loop_body(node.body)
        self.scope.defined &= before  # what the condition assigns has no value as the loop begins
        if self.function.in_kernel:
            return [py.While(test, body + cleanup, [], **self.out.where())]
        stop = py.If(test, [self.out.nothing()], [py.Break(**self.out.where())], **self.out.where())
        endless = self.out.name("@endless")
        loop = py.For(
            self.out.target("#pass"), endless, [stop, *body, *cleanup], [], **self.out.where()
        )
        return loop_in_chunks(self, node, "", loop)

    def _do_until(self, node: ast.DoUntil) -> list[py.stmt]:
        before = set(self.scope.defined)
        body = self.passes(node.body)
        test = self.expressions.condition(node.condition)
        behind, self.scope.defined = self.scope.defined, before
        body.append(self.out.when(test, [py.Break(**self.out.where())], []))
        if self.function.in_kernel:
            made: list[py.stmt] = [py.While(self.out.const(True), body, [], **self.out.where())]
        else:
            endless = self.out.name("@endless")
            loop = py.For(self.out.target("#pass"), endless, body, [], **self.out.where())
            made = loop_in_chunks(self, node, "", loop)
        self.scope.defined = behind
        return made

    def _parfor(self, node: ast.For) -> list[py.stmt]:
        # Imported by the first parfor: few programs have one, and it takes a while.
        from app.engine.interpreter.compile.parfor import parfor

        return parfor(self, node)

    def _in_pass(self, loop: py.For) -> list[py.stmt]:
        """A loop inside the pass of a loop that is traced."""
        loop.iter = self.out.call("@inner_passes", loop.iter)
        return [loop]

    def _for(self, node: ast.For) -> list[py.stmt]:
        iterable = self.iterable(node.iterable)
        if not isinstance(node.target, ast.Name) or not self.scope.is_local(node.target.id):
            return self._for_target(node, iterable)
        name = node.target.id
        kind = counter_kind(node, self.scope.kinds) if not self.scope.barriers else ""
        if assigns(node.body, name) or name in self.scope.shared | self.scope.inherited:
            kind = ""
        source = self.out.temporary()
        first: list[py.stmt] = [self.out.assign(self.out.target(source), iterable)]
        made: list[py.stmt] = []
        start = self.out.call("@before_loop", self.out.name(source))
        made.append(self.out.assign(self.assignments.store(name), start))
        self.scope.define(name)
        held = self.scope.kinds.get(name)
        if kind:
            self.scope.kinds[name] = kind
        body = self.loop_body(node.body)
        if kind:
            self.scope.kinds.pop(name)
            if held:
                self.scope.kinds[name] = held
        self.scope.define(name)
        loop = py.For(
            self.out.target(python_name(name)), self.out.name(source), body, [], **self.out.where()
        )
        made += (
            self._in_pass(loop)
            if self.function.in_kernel
            else loop_in_chunks(self, node, source, loop)
        )
        return first + made

    def _for_target(self, node: ast.For, iterable: py.expr) -> list[py.stmt]:
        """A loop whose counter is not a plain local variable."""
        held = self.out.temporary()
        before = set(self.scope.defined)
        if isinstance(node.target, ast.Matrix):
            iterable = self.out.call("@pairs", self.expressions.expr(node.iterable))
            first = [
                s
                for k, target in enumerate(node.target.rows[0])
                for s in self.assignments.assign_to(
                    target, self.out.item(self.out.name(held), self.out.const(k))
                )
            ]
        else:
            first = self.assignments.assign_to(node.target, self.out.name(held))
        body = first + self.loop_body(node.body)
        self.scope.defined = before
        return [py.For(self.out.target(held), iterable, body, [], **self.out.where())]

    def iterable(self, node: ast.Expr) -> py.expr:
        """What a ``for`` loop takes its passes from."""
        if isinstance(node, ast.Range):
            start, stop = self.expressions.expr(node.start), self.expressions.expr(node.stop)
            if node.step is None:
                return self.out.call("@count_up", start, stop)
            return self.out.call("@count", start, self.expressions.expr(node.step), stop)
        return self.out.call("@columns", self.assignments.one_value(node))

    def _switch(self, node: ast.Switch) -> list[py.stmt]:
        subject = self.out.temporary()
        made: list[py.stmt] = [
            self.out.assign(self.out.target(subject), self.expressions.expr(node.subject))
        ]
        ends: list[set[str]] = []
        tests: list[tuple[py.expr, list[py.stmt]]] = []
        before = set(self.scope.defined)
        for case in node.cases:
            with self.out.at(case.span):
                test = self._case(subject, case.value)
            body = self.block(case.body)
            if not leaves(case.body):
                ends.append(self.scope.defined)
            self.scope.defined = set(before)
            tests.append((test, body))
        other = self.block(node.otherwise) if node.otherwise else []
        if not leaves(node.otherwise or ()):
            ends.append(self.scope.defined)
        self.scope.defined = set.intersection(*ends) if ends else before
        for test, body in reversed(tests):
            other = [self.out.when(test, body, other)]
        return made + other

    def _case(self, subject: str, value: ast.Expr) -> py.expr:
        matches = "@any_case" if self.unit.interpreter.octave else "@case"
        if isinstance(value, ast.CellLiteral) and not any(
            may_be_list(item) for row in value.rows for item in row
        ):
            tests = [self._case(subject, item) for row in value.rows for item in row]
            return self.out.either(*tests) if tests else self.out.const(False)
        if isinstance(value, ast.Char) or (
            isinstance(value, ast.Number) and not value.imaginary and not value.int_class
        ):
            code = self.expressions.code(value)
            test = self.out.type_is(
                self.out.name(subject), "@float" if code.kind == "F" else "@str"
            )
            same = self.out.compare(self.out.name(subject), py.Eq(), code.expr)
            return self.out.choose(
                test, same, self.out.call(matches, self.out.name(subject), code.expr)
            )
        return self.out.call(matches, self.out.name(subject), self.expressions.expr(value))

    def _try(self, node: ast.Try) -> list[py.stmt]:
        return self.attempt(node, lambda: self.block(node.body))

    def attempt(self, node: ast.Try, made: Callable[[], list[py.stmt]]) -> list[py.stmt]:
        """``try`` around statements, with the handler of ``node``."""
        before, forgotten = set(self.scope.defined), self.scope.forgotten
        body = made()
        after_body = self.scope.defined
        before = before if self.scope.forgotten == forgotten else set()
        self.scope.defined = set(before)
        with self.out.unseen():
            caught = self.out.call("@caught", self.out.name("#error"))
            if node.name:
                stored = self.assignments.store(node.name)
                handler: list[py.stmt] = [self.out.assign(stored, caught)]
                self.scope.define(node.name)
            else:
                handler = [self.out.run(caught)]
            failed = self.out.name("@Exception")
            handler += self.block(node.handler) if node.handler else []
            clause = py.ExceptHandler(failed, "#error", handler, **self.out.where())
        ends = [] if leaves(node.body) else [after_body]
        if not leaves(node.handler):
            ends.append(self.scope.defined)
        self.scope.defined = set.intersection(*ends) if ends else before
        return [py.Try(body, [clause], [], [], **self.out.where())]

    def _unwind(self, node: ast.UnwindProtect) -> list[py.stmt]:
        before, forgotten = set(self.scope.defined), self.scope.forgotten
        body = self.block(node.body)
        after = self.scope.defined
        self.scope.defined = before if self.scope.forgotten == forgotten else set()
        cleanup = self.block(node.cleanup)
        self.scope.defined |= after
        return [py.Try(body, [], [], cleanup, **self.out.where())]

    # --- declarations ---

    def _global(self, node: ast.Global) -> list[py.stmt]:
        made = []
        for declared in node.names:
            initial = (
                self.expressions.expr(declared.value) if declared.value else self.out.const(None)
            )
            made.append(
                self.out.run(
                    self.out.call("@declare_global", self.out.const(declared.name), initial)
                )
            )
        return made

    def _persistent(self, node: ast.Persistent) -> list[py.stmt]:
        made = []
        for declared in node.names:
            initial = (
                self.expressions.expr(declared.value) if declared.value else self.out.name("@empty")
            )
            store = self.out.name(self.unit.persistent_name())
            made.append(
                self.out.run(
                    self.out.call(
                        "@declare_persistent",
                        store,
                        self.out.const(declared.name),
                        self.out.lambda_(initial),
                    )
                )
            )
        return made


def leaves(body: tuple[ast.Statement, ...]) -> bool:
    """True when control never reaches the end of ``body``."""
    return bool(body) and isinstance(body[-1], ast.Return | ast.Break | ast.Continue)
