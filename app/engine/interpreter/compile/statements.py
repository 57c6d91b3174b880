"""Statements to Python: control flow, expression statements, declarations."""

from __future__ import annotations

import ast as py
from abc import abstractmethod
from typing import Any

from app.engine.interpreter.clearing import cleared_in, selected
from app.engine.interpreter.compile.assignments import AssignCompiler
from app.engine.interpreter.compile.chains import flatten, may_be_list
from app.engine.interpreter.compile.emit import python_name
from app.engine.interpreter.compile.kinds import assigns, counter_kind
from app.engine.interpreter.compile.loops import switched
from app.engine.interpreter.compile.parfor import parfor
from app.engine.interpreter.compile.spmd import spmd
from app.engine.language import ast
from app.errors import InternalError

_CHAIN = ast.Name | ast.Index | ast.CellIndex | ast.Field | ast.DynamicField | ast.SuperCall

BARRIERS = frozenset(
    (
        "eval",
        "evalc",
        "evalin",
        "load",
        "run",
        "source",
        "clear",
        "clearvars",
        "assignin",
        "keyboard",
        "syms",
    )
)
"""Functions that may create, change or remove variables of dynamic code."""


class StatementCompiler(AssignCompiler):
    """Compiles statements; ``leave`` (what ``return`` does) comes from a subclass.

    Attributes:
        in_kernel: True inside a loop body that is compiled for tracing.
        inside: loops around the place being compiled.
    """

    in_kernel = False
    inside = 0

    @abstractmethod
    def leave(self) -> list[py.stmt]:
        """``return`` at this place."""

    def block(self, body: tuple[ast.Statement, ...]) -> list[py.stmt]:
        """The statements of ``body``; never empty. The place being compiled stays as it was."""
        made: list[py.stmt] = []
        saved = self.line, self.column, self.end_line, self.end_column
        for statement in body:
            made += self.statement(statement)
        self.line, self.column, self.end_line, self.end_column = saved
        return made or [self.nothing()]

    def statement(self, node: ast.Statement) -> list[py.stmt]:
        """One statement, with its temporaries cleared at the end."""
        outer, self.used = self.used, []
        self.place(node.span)
        made = self._statement(node)
        if self.used and not isinstance(node, ast.Return):
            made.append(self.assign_all(self.used, self.const(None)))
        self.used = outer
        return made

    def _statement(self, node: ast.Statement) -> list[py.stmt]:
        match node:
            case ast.ExpressionStatement():
                return self._expression(node)
            case ast.Assign():
                return self.assign_statement(node)
            case ast.MultiAssign():
                return self.multi_assign(node)
            case ast.OpAssign():
                return self.op_assign(node)
            case ast.If():
                return self._if(node)
            case ast.For():
                return parfor(self, node) if node.parallel else self._for(node)
            case ast.While():
                return self._while(node)
            case ast.Break() | ast.Continue():
                return self._jump(node)
            case _:
                return self._rare(node)

    def _jump(self, node: ast.Break | ast.Continue) -> list[py.stmt]:
        """Leave a loop or a pass; outside of loops an error at run time, so that the rest runs."""
        leaves = isinstance(node, ast.Break)
        if not self.inside:
            word = "break" if leaves else "continue"
            return [self.run(self.call("@stray_jump", self.const(word)))]
        return [py.Break(**self.where()) if leaves else py.Continue(**self.where())]

    def _rare(self, node: ast.Statement) -> list[py.stmt]:
        match node:
            case ast.Return():
                return self.leave()
            case ast.Switch():
                return self._switch(node)
            case ast.Try():
                return self._try(node)
            case ast.Command():
                return self._command(node)
            case ast.Global():
                return self._global(node)
            case ast.Persistent():
                return self._persistent(node)
            case ast.DoUntil():
                return self._do_until(node)
            case ast.UnwindProtect():
                return self._unwind(node)
            case ast.Import():
                self.unit.imports += node.names
                return [self.nothing()]
            case _:
                return self._rarer(node)

    def _rarer(self, node: ast.Statement) -> list[py.stmt]:
        match node:
            case ast.Spmd():
                return spmd(self, node)
            case ast.Substream():
                return [self.run(self.call("@substream", self.expr(node.counter)))]
            case ast.ShellEscape():
                command, none = self.const(node.command), self.const(0)
                return [self.run(self.call(self.link("system"), command, nargout=none))]
            case _:
                raise InternalError("compiler", f"no statement: {type(node).__name__}")

    def where(self) -> dict[str, Any]:
        """The current place as keyword arguments of a Python node."""
        return {
            "lineno": self.line,
            "col_offset": self.column,
            "end_lineno": self.end_line,
            "end_col_offset": self.end_column,
        }

    # --- expression statements ---

    def _expression(self, node: ast.ExpressionStatement) -> list[py.stmt]:
        expr = node.expr
        if isinstance(expr, ast.AssignExpression):
            made = [self.run(self.expr(expr))]
            return made + self.shown(expr.target, node.display)
        if (
            isinstance(expr, ast.Name)
            and self.scope.may_be_variable(expr.id)
            and (expr.id not in self.scope.functions)
        ):
            return self._bare_name(expr, node.display)
        if isinstance(expr, ast.CellIndex | ast.Field | ast.DynamicField):
            called = None if isinstance(expr, ast.CellIndex) else self.const(0)
            value = self.chain_with(expr, called, many=True)
            return self._list_shown(value, node.display)
        if isinstance(expr, _CHAIN):
            cleared = self._clearing(expr)
            value = self.chain_with(expr, self.const(0))
            made = self._answer(value, node.display, maybe=True)
            self._barrier(expr)
            return made + cleared
        return self._answer(self.expr(expr), node.display, maybe=False)

    def _bare_name(self, expr: ast.Name, display: bool) -> list[py.stmt]:
        """``x`` as a statement: shows a variable, or calls a function or script."""
        name = expr.id
        if self.scope.certain(name) or not self.scope.is_local(name):
            if not display:
                return [self.nothing()]
            return [self.run(self.call("@show", self.const(name), self.variable(name)))]
        self.scope.mark_unset(name)
        called = self._answer(self._unset_value(name, self.const(0)), display, maybe=True)
        read = self.name(python_name(name))
        show = [self.run(self.call("@show", self.const(name), read))] if display else []
        self._forget_after(name)
        return [self.when(self.is_none(read), called, show)]

    def _list_shown(self, value: py.expr, display: bool) -> list[py.stmt]:
        helper = self.call("@answer_list", value, self.const(display))
        return (
            [self.assign(self.store("ans"), helper)] if self.scope.reads_ans else [self.run(helper)]
        )

    def _answer(self, value: py.expr, display: bool, maybe: bool) -> list[py.stmt]:
        """Assign ``ans`` when there is a value, and show it."""
        if not display and not self.scope.reads_ans:
            return [self.run(value)]
        held = self.temporary()
        answer = self.call("@answer", value) if maybe else value
        made: list[py.stmt] = [self.assign(self.target(held), answer)]
        then: list[py.stmt] = []
        if self.scope.reads_ans:
            then.append(self.assign(self.store("ans"), self.name(held)))
        if display:
            then.append(self.run(self.call("@show", self.const("ans"), self.name(held))))
        if not maybe:
            self.scope.define("ans")
            return made + then
        return [*made, self.when(self.is_set(self.name(held)), then, [])]

    def _barrier(self, expr: ast.Expr) -> None:
        """A call that may change any variable of dynamic code."""
        root, _ = flatten(expr)
        if isinstance(root, ast.Name):
            self._forget_after(root.id)

    def _clearing(self, expr: ast.Expr) -> list[py.stmt]:
        """``clear('x')`` in a plain function also unsets the Python locals."""
        if self.scope.dynamic or not isinstance(expr, ast.Index | ast.Name):
            return []
        root, steps = flatten(expr)
        if not isinstance(root, ast.Name) or root.id not in {"clear", "clearvars"}:
            return []
        args = steps[0].args if steps and isinstance(steps[0], ast.Index) else ()
        texts = tuple(a.value for a in args if isinstance(a, ast.Char | ast.String))
        return self._unset(texts)

    def _unset(self, patterns: tuple[str, ...]) -> list[py.stmt]:
        """Set the locals a ``clear`` names to None."""
        names = [
            n
            for n in selected(sorted(self.scope.names.assigned), patterns)
            if self.scope.is_local(n)
        ]
        for name in names:
            self.scope.defined.discard(name)
            self.scope.kinds.pop(name, None)
        self.scope.needs_start.update(names)
        return [self.assign_all([python_name(n) for n in names], self.const(None))] if names else []

    def _command(self, node: ast.Command) -> list[py.stmt]:
        args = [self.const(a) for a in node.args]
        callee = self.link(node.name)
        called = self.call(callee, *args, nargout=self.const(0))
        made = self._answer(called, node.display, maybe=True)
        if node.name in {"clear", "clearvars"} and not self.scope.dynamic:
            return made + self._unset(node.args)
        self._forget_after(node.name)
        return made

    def _forget_after(self, name: str) -> None:
        """After a call that may create or clear any variable nothing is certain any more."""
        if name in BARRIERS or self.unit.is_script(name):
            self.scope.forget()

    # --- control flow ---

    def _if(self, node: ast.If) -> list[py.stmt]:
        """``if``: conditions run in order; what is certain afterwards is what all branches set."""
        ends: list[set[str]] = []
        tests: list[tuple[py.expr, list[py.stmt]]] = []
        for branch in node.branches:
            test = self.condition(branch.condition)
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
            other = [self.when(test, body, other)]
        return other

    def _poll(self) -> list[py.stmt]:
        """Stop here when the user asked for it."""
        stop = self.run(self.call("@interrupted"))
        flag = py.Attribute(self.name("@stop"), "on", py.Load(), **self.where())
        return [self.when(flag, [stop], [])]

    def _loop_body(self, body: tuple[ast.Statement, ...]) -> list[py.stmt]:
        if cleared_in(body):
            self.scope.defined.clear()
        before = set(self.scope.defined)
        made = self._passes(body)
        self.scope.defined = before
        return made

    def _passes(self, body: tuple[ast.Statement, ...]) -> list[py.stmt]:
        self.inside += 1
        made = self._poll() + self.block(body)
        self.inside -= 1
        return made

    def _while(self, node: ast.While) -> list[py.stmt]:
        if cleared_in(node.body):
            self.scope.defined.clear()
        test = self.condition(node.condition)
        cleanup = [self.assign_all(self.used, self.const(None))] if self.used else []
        body = self._loop_body(node.body)
        if self.in_kernel:
            return [py.While(test, body + cleanup, [], **self.where())]
        stop = py.If(test, [self.nothing()], [py.Break(**self.where())], **self.where())
        endless = self.name("@endless")
        loop = py.For(self.target("#pass"), endless, [stop, *body, *cleanup], [], **self.where())
        return switched(self, node, "", loop)

    def _do_until(self, node: ast.DoUntil) -> list[py.stmt]:
        body = self._passes(node.body)
        test = self.condition(node.condition)
        body.append(self.when(test, [py.Break(**self.where())], []))
        if self.in_kernel:
            return [py.While(self.const(True), body, [], **self.where())]
        endless = self.name("@endless")
        loop = py.For(self.target("#pass"), endless, body, [], **self.where())
        return switched(self, node, "", loop)

    def _in_pass(self, loop: py.For) -> list[py.stmt]:
        """A loop inside the pass of a loop that is traced."""
        loop.iter = self.call("@inner_passes", loop.iter)
        return [loop]

    def _for(self, node: ast.For) -> list[py.stmt]:
        iterable = self._iterable(node.iterable)
        if not isinstance(node.target, ast.Name) or not self.scope.is_local(node.target.id):
            return self._for_target(node, iterable)
        name = node.target.id
        kind = counter_kind(node, self.scope.kinds) if not self.scope.barriers else ""
        if assigns(node.body, name) or name in self.scope.shared | self.scope.inherited:
            kind = ""
        source = self.temporary()
        first: list[py.stmt] = [self.assign(self.target(source), iterable)]
        made: list[py.stmt] = []
        start = self.call("@before_loop", self.name(source))
        made.append(self.assign(self.store(name), start))
        self.scope.define(name)
        held = self.scope.kinds.get(name)
        if kind:
            self.scope.kinds[name] = kind
        body = self._loop_body(node.body)
        if kind:
            self.scope.kinds.pop(name)
            if held:
                self.scope.kinds[name] = held
        self.scope.define(name)
        loop = py.For(self.target(python_name(name)), self.name(source), body, [], **self.where())
        made += self._in_pass(loop) if self.in_kernel else switched(self, node, source, loop)
        return first + made

    def _for_target(self, node: ast.For, iterable: py.expr) -> list[py.stmt]:
        """A loop whose counter is not a plain local variable."""
        held = self.temporary()
        before = set(self.scope.defined)
        if isinstance(node.target, ast.Matrix):
            iterable = self.call("@pairs", self.expr(node.iterable))
            first = [
                s
                for k, target in enumerate(node.target.rows[0])
                for s in self.assign_to(target, self.item(self.name(held), self.const(k)))
            ]
        else:
            first = self.assign_to(node.target, self.name(held))
        body = first + self._loop_body(node.body)
        self.scope.defined = before
        return [py.For(self.target(held), iterable, body, [], **self.where())]

    def _iterable(self, node: ast.Expr) -> py.expr:
        if isinstance(node, ast.Range):
            start, stop = self.expr(node.start), self.expr(node.stop)
            if node.step is None:
                return self.call("@count_up", start, stop)
            return self.call("@count", start, self.expr(node.step), stop)
        return self.call("@columns", self.one_value(node))

    def _switch(self, node: ast.Switch) -> list[py.stmt]:
        subject = self.temporary()
        made: list[py.stmt] = [self.assign(self.target(subject), self.expr(node.subject))]
        ends: list[set[str]] = []
        tests: list[tuple[py.expr, list[py.stmt]]] = []
        before = set(self.scope.defined)
        for case in node.cases:
            with self.at(case.span):
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
            other = [self.when(test, body, other)]
        return made + other

    def _case(self, subject: str, value: ast.Expr) -> py.expr:
        if isinstance(value, ast.CellLiteral) and not any(
            may_be_list(item) for row in value.rows for item in row
        ):
            tests = [self._case(subject, item) for row in value.rows for item in row]
            return self.either(*tests) if tests else self.const(False)
        if isinstance(value, ast.Char) or (
            isinstance(value, ast.Number) and not value.imaginary and not value.int_class
        ):
            code = self.code(value)
            test = self.type_is(self.name(subject), "@float" if code.kind == "F" else "@str")
            same = self.compare(self.name(subject), py.Eq(), code.expr)
            return self.choose(test, same, self.call("@case", self.name(subject), code.expr))
        return self.call("@case", self.name(subject), self.expr(value))

    def _try(self, node: ast.Try) -> list[py.stmt]:
        before, forgotten = set(self.scope.defined), self.scope.forgotten
        body = self.block(node.body)
        after_body = self.scope.defined
        before = before if self.scope.forgotten == forgotten else set()
        self.scope.defined = set(before)
        caught = self.call("@caught", self.name("#error"))
        if node.name:
            handler: list[py.stmt] = [self.assign(self.store(node.name), caught)]
            self.scope.define(node.name)
        else:
            handler = [self.run(caught)]
        handler += self.block(node.handler) if node.handler else []
        ends = [] if leaves(node.body) else [after_body]
        if not leaves(node.handler):
            ends.append(self.scope.defined)
        self.scope.defined = set.intersection(*ends) if ends else before
        where = self.where()
        clause = py.ExceptHandler(self.name("@Exception"), "#error", handler, **where)
        return [py.Try(body, [clause], [], [], **where)]

    def _unwind(self, node: ast.UnwindProtect) -> list[py.stmt]:
        before, forgotten = set(self.scope.defined), self.scope.forgotten
        body = self.block(node.body)
        after = self.scope.defined
        self.scope.defined = before if self.scope.forgotten == forgotten else set()
        cleanup = self.block(node.cleanup)
        self.scope.defined |= after
        return [py.Try(body, [], [], cleanup, **self.where())]

    # --- declarations ---

    def _global(self, node: ast.Global) -> list[py.stmt]:
        made = []
        for declared in node.names:
            initial = self.expr(declared.value) if declared.value else self.const(None)
            made.append(self.run(self.call("@declare_global", self.const(declared.name), initial)))
        return made

    def _persistent(self, node: ast.Persistent) -> list[py.stmt]:
        made = []
        for declared in node.names:
            initial = self.expr(declared.value) if declared.value else self.name("@empty")
            store = self.name(self.unit.persistent_name())
            made.append(
                self.run(
                    self.call(
                        "@declare_persistent",
                        store,
                        self.const(declared.name),
                        self.lambda_(initial),
                    )
                )
            )
        return made


def leaves(body: tuple[ast.Statement, ...]) -> bool:
    """True when control never reaches the end of ``body``."""
    return bool(body) and isinstance(body[-1], ast.Return | ast.Break | ast.Continue)
